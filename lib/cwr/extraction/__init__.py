"""Extraction: one pass of an encoder over a corpus, reduced to what is wanted of the targets, and cached.

`run` is targets x reducers. Targets are tables (`targets`), reducers small values (`vectors`, `sums`). Memory is
bounded by the reducers, not by the corpus: arrays are files, mapped into memory. `together` asks several such
questions in one pass.
"""
import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from tqdm import tqdm

from cwr.corpora import Corpus
from cwr.extraction import cache
from cwr.extraction.alignment import Slots
from cwr.extraction.reducers import Shape, smallest, sums, vectors
from cwr.extraction.targets import COLUMNS, Table, check, occurrences

if TYPE_CHECKING:
    from cwr.encoders.transformer import Encoder

Reducer = vectors | sums
ROW = np.dtype([*((name, "<i8") for name in (*COLUMNS, "row")), ("priority", "<u8")])


class Sums(NamedTuple):
    """Per group, in the order of `Extraction.groups()`: sums over its vectors in one layer, their number."""

    unit_sum: np.ndarray         # (groups, dim) float64, of the vectors at unit length
    sum: np.ndarray              # (groups, dim) float64
    count: np.ndarray            # (groups,)


@dataclass(frozen=True, eq=False)
class Extraction:
    """What one run kept. Layer 0 is the uncontextualised input, layer `n_layers` the last.

    table: the kept targets (columns sentence, first, last, group), one row a row of `vectors(layer)`, in the
    order of the given targets. missing: how many of the encoded targets have no vector and are left out.
    plan: sentences, tokens and batches of the pass that made it, and the token budget.
    """

    key: str
    table: pd.DataFrame
    n_layers: int
    dim: int
    missing: int
    plan: dict
    arrays: dict[str, np.ndarray]
    kept: np.ndarray             # all sampled targets as `ROW`s, those without a vector with row -1
    about: dict

    def vectors(self, layer: int) -> np.ndarray:
        """(len(table), dim) float32 of one layer, mapped read-only from the cache."""
        return self._array("vectors", layer)

    def groups(self) -> tuple[str, ...]:
        """All groups among the targets, sorted."""
        return tuple(self.about["groups"])

    def sums(self, layer: int) -> Sums:
        """The sums of one layer."""
        return Sums(self._array("unit_sum", layer), self._array("sum", layer), self.arrays["count"])

    def _array(self, name: str, layer: int) -> np.ndarray:
        if not 0 <= layer <= self.n_layers:
            raise ValueError(f"layers are 0 to {self.n_layers}, got {layer}")
        if f"{name}.{layer}" not in self.arrays:
            raise ValueError(f"this extraction kept no {name}: give run the reducer for it")
        return self.arrays[f"{name}.{layer}"]


def run(encoder: "Encoder", corpus: Corpus, targets: pd.DataFrame | None = None,
        words: Sequence[str] | None = None, reducers: Sequence[Reducer] = (vectors(),), *, unit: str = "word",
        pooling: str = "mean", skip_first_position: bool = False,
        max_tokens: int | None = None) -> Extraction:
    """Encode the sentences that the targets need and reduce the targets' vectors, once; then from the cache.

    targets: a table of `targets`; words: a shortcut for the occurrences of these words; neither: every word.
    A target of several words is the mean of its words' vectors. unit, pooling, skip_first_position and
    max_tokens are those of `Encoder.encode`; the token budget max_tokens is not part of the key.
    Raises UserError for words that do not occur and a cache that cannot be written; ValueError for both
    targets and words, targets outside the corpus, two reducers of a kind, and for `sums` over a zero vector.
    """
    if targets is not None and words is not None:
        raise ValueError("give either targets or words, not both")
    asked = occurrences(corpus, words) if targets is None else targets
    return together(encoder, corpus, [(asked, reducers)], unit=unit, pooling=pooling,
                    skip_first_position=skip_first_position, max_tokens=max_tokens)[0]


def together(encoder: "Encoder", corpus: Corpus, questions: Sequence[tuple[pd.DataFrame, Sequence[Reducer]]], *,
             unit: str = "word", pooling: str = "mean", skip_first_position: bool = False,
             max_tokens: int | None = None) -> list[Extraction]:
    """Several questions (targets, reducers) about a corpus, answered by one pass for all that the cache lacks.

    Each answer is the one that `run` gives and has its own place in the cache. Arguments and errors as `run`.
    """
    if any(not reducers or len({type(each) for each in reducers}) < len(reducers) for _, reducers in questions):
        raise ValueError("give at least one reducer, and at most one of each kind")
    options = {"unit": unit, "pooling": pooling, "skip_first_position": skip_first_position}
    jobs = [_Job(encoder, corpus, check(corpus, targets, unit), tuple(reducers), options)
            for targets, reducers in questions]
    _answer(sorted({job.key: job for job in jobs}.values(), key=lambda job: job.key), [], max_tokens)
    return [job.entry(lambda folder, job=job: _answer([], [(job, folder)], max_tokens)) for job in jobs]


def _answer(jobs: list["_Job"], waiting: list[tuple["_Job", Path]], max_tokens: int | None) -> None:
    """Take the locks of all jobs, in the order of their keys (so that nobody waits in a ring), then make one pass.

    waiting: the jobs that the cache lacks, with the folders to fill.
    """
    if not jobs:
        if waiting:
            _one_pass(waiting, max_tokens)
        return
    lacking = []

    def go_on(folder: Path) -> None:
        lacking.append(folder)
        _answer(jobs[1:], [*waiting, (jobs[0], folder)], max_tokens)

    jobs[0].entry(go_on)
    if not lacking:
        _answer(jobs[1:], waiting, max_tokens)


@dataclass(frozen=True)
class _Job:
    """One question: everything that `run` was given, checked."""

    encoder: "Encoder"
    corpus: Corpus
    table: Table
    reducers: tuple[Reducer, ...]
    options: dict

    def ingredients(self) -> dict:
        """All that decides the numbers; `made` is what parts must share to be merged."""
        reducers = {name: value for reducer in self.reducers for name, value in reducer.identity().items()}
        made = {"encoder": self.encoder.fingerprint, **self.options, "reducers": reducers,
                "sources": cache.sources()}
        return {"made": made, "corpus": self.corpus.fingerprint, "targets": self.table.fingerprint()}

    @functools.cached_property
    def key(self) -> str:
        return cache.key(self.ingredients())

    def entry(self, write: Callable[[Path], None]) -> Extraction:
        about = {"model": self.encoder.name, "corpus": self.corpus.name, "ingredients": self.ingredients()}
        return cache.entry(self.key, about, write, lambda folder: load(folder, self.key))

    def sample(self) -> tuple[np.ndarray, np.ndarray]:
        """The targets whose vectors are kept, ascending, and their priorities in the sample."""
        for reducer in self.reducers:
            if isinstance(reducer, vectors):
                priority = reducer.priority(self.corpus, self.table)
                kept = smallest(self.table.group, priority, reducer.cap)
                return kept, priority[kept]
        return np.empty(0, np.int64), np.empty(0, np.uint64)


class _Answer:
    """A question while its pass is under way: what it looks for, and the writers of what it keeps.

    What to keep is known before the pass, from the texts alone: nothing else is encoded.
    """

    def __init__(self, job: _Job, folder: Path):
        self.job, self.folder, table = job, folder, job.table
        self.kept, self.priority = job.sample()
        rows = np.full(len(table), -1)
        rows[self.kept] = np.arange(len(self.kept))
        self.asked = np.arange(len(table)) if any(isinstance(each, sums) for each in job.reducers) else self.kept
        self.shape = Shape(job.encoder.n_layers + 1, job.encoder.dim, table.groups, table.group, rows)
        self.writers = [reducer.writer(folder, self.shape) for reducer in job.reducers]
        self.slots, self.seen = Slots(table, self.asked), np.zeros(len(table), bool)

    @property
    def sentences(self) -> np.ndarray:
        return np.unique(self.job.table.sentence[self.asked])

    def add(self, sentence: np.ndarray, position: np.ndarray, hidden: np.ndarray) -> None:
        """Take what a batch has of the targets: sentence, position (units,), hidden (layers, units, dim)."""
        found = self.slots.find(sentence, position)
        if not len(found.targets):
            return
        self.seen[found.targets] = True
        for layer, vectors_of_layer in enumerate(hidden):
            means = found.means(vectors_of_layer)            # (found, dim)
            for writer in self.writers:
                writer.add(layer, found, means)

    def finish(self, plan: dict) -> None:
        """Close the writers and save what `load` reads. plan: what the pass encoded, in how many tokens and batches."""
        for writer in self.writers:
            writer.finish(self.seen)
        table, kept, job = self.job.table, self.kept, self.job
        row = np.where(self.seen[kept], np.cumsum(self.seen[kept]) - 1, -1)
        columns = [column[kept] for column in (table.sentence, table.first, table.last, table.group)]
        save(self.folder, np.rec.fromarrays([*columns, row, self.priority], dtype=ROW), {
            "model": job.encoder.name, "made": job.ingredients()["made"], "layers": self.shape.layers,
            "dim": self.shape.dim, "sentences": len(job.corpus.sentences), "groups": table.groups, "plan": plan,
            "missing": int((~self.seen[self.asked]).sum())})


def _one_pass(jobs: Sequence[tuple[_Job, Path]], max_tokens: int | None) -> None:
    """Encode what any of the jobs needs, and give each what it asked for, layer by layer."""
    answers = [_Answer(job, folder) for job, folder in jobs]
    encoder, corpus, options = jobs[0][0].encoder, jobs[0][0].corpus, jobs[0][0].options
    needed = np.unique(np.concatenate([answer.sentences for answer in answers]))
    plan = {"sentences": len(needed), "tokens": 0, "batches": 0, "max_tokens": max_tokens}
    # no bar where nobody watches: a notebook's outputs stay the same from run to run
    with tqdm(total=len(needed), desc=encoder.name, unit=" sentences", disable=None) as bar:
        sentences = [corpus.sentences[number] for number in needed]
        for batch in encoder.encode(sentences, **options, max_tokens=max_tokens):
            for answer in answers:
                answer.add(needed[batch.sentence], batch.position, batch.hidden)
            plan["tokens"] += batch.tokens
            plan["batches"] += 1
            _show(bar, len(np.unique(batch.sentence)), plan["tokens"])
    for answer in answers:
        answer.finish(plan)


def _show(bar: tqdm, sentences: int, tokens: int) -> None:
    if not bar.disable:
        bar.set_postfix_str(f"{tokens / bar.format_dict['elapsed']:,.0f} tokens/s", refresh=False)
        bar.update(sentences)


def save(folder: Path, kept: np.ndarray, about: dict) -> None:
    """Write what `load` reads beside the reducers' arrays."""
    np.save(folder / "kept.npy", np.asarray(kept), allow_pickle=False)
    (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")


def load(folder: Path, key: str) -> Extraction:
    """An extraction from its folder. All arrays are mapped now: they stay readable if the folder goes."""
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    arrays = {file.stem: np.load(file, mmap_mode="r", allow_pickle=False) for file in folder.glob("*.npy")}
    kept = np.array(arrays.pop("kept"))
    table = pd.DataFrame(kept[kept["row"] >= 0])[COLUMNS]
    table["group"] = np.array(about["groups"], dtype=object)[table["group"]]
    return Extraction(key, table, about["layers"] - 1, about["dim"], about["missing"], about["plan"], arrays, kept,
                      about)
