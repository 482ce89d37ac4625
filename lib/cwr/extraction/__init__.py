"""Extraction: one pass of an encoder over a corpus, reduced to what is wanted of the targets, and cached.

`run` is targets x reducers. Targets are tables (`targets`), reducers small values (`vectors`, `sums`,
`per_sentence`). Memory is bounded by the reducers, not by the corpus: arrays are files, mapped into memory.
"""
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from tqdm import tqdm

from cwr.corpora import Corpus
from cwr.extraction import cache
from cwr.extraction.alignment import Slots
from cwr.extraction.reducers import Shape, per_sentence, smallest, sums, vectors
from cwr.extraction.targets import COLUMNS, Table, check, occurrences

if TYPE_CHECKING:
    from cwr.encoders.transformer import Encoder

Reducer = vectors | sums | per_sentence
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
    per_sentence: (sentences, n_layers + 1) or None. plan: sentences, tokens, batches and the token budget.
    """

    key: str
    table: pd.DataFrame
    n_layers: int
    dim: int
    missing: int
    plan: dict
    per_sentence: np.ndarray | None
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
    if not reducers or len({type(reducer) for reducer in reducers}) < len(reducers):
        raise ValueError("give at least one reducer, and at most one of each kind")
    table = check(corpus, occurrences(corpus, words) if targets is None else targets, unit)
    options = {"unit": unit, "pooling": pooling, "skip_first_position": skip_first_position}
    job = _Job(encoder, corpus, table, tuple(reducers), options, max_tokens)
    ingredients = job.ingredients()
    key = cache.key(ingredients)
    about = {"model": encoder.name, "corpus": corpus.name, "ingredients": ingredients}
    return cache.entry(key, about, job.fill, lambda folder: load(folder, key))


@dataclass(frozen=True)
class _Job:
    """One run: everything that `run` was given, checked."""

    encoder: "Encoder"
    corpus: Corpus
    table: Table
    reducers: tuple[Reducer, ...]
    options: dict
    max_tokens: int | None

    def ingredients(self) -> dict:
        """All that decides the numbers; `made` is what parts must share to be merged."""
        reducers = {name: value for reducer in self.reducers for name, value in reducer.identity().items()}
        made = {"encoder": self.encoder.fingerprint, **self.options, "reducers": reducers,
                "sources": cache.sources()}
        return {"made": made, "corpus": self.corpus.fingerprint, "targets": self.table.fingerprint()}

    def has(self, kind: type) -> bool:
        return any(isinstance(reducer, kind) for reducer in self.reducers)

    def fill(self, folder: Path) -> None:
        """One pass. What to keep is known before it, from the texts alone: nothing else is encoded."""
        table, kept, priority = self.table, *self.sample()
        rows = np.full(len(table), -1)
        rows[kept] = np.arange(len(kept))
        asked = np.arange(len(table)) if self.has(sums) else kept
        sentence = table.sentence if self.has(per_sentence) else table.sentence[asked]
        size = (self.encoder.n_layers + 1, self.encoder.dim, len(self.corpus.sentences))
        shape = Shape(*size, table.groups, table.group, rows)
        writers = [reducer.writer(folder, shape) for reducer in self.reducers]
        seen, plan = self.feed(writers, np.unique(sentence), Slots(table, asked))
        for writer in writers:
            writer.finish(seen)
        row = np.where(seen[kept], np.cumsum(seen[kept]) - 1, -1)
        columns = [column[kept] for column in (table.sentence, table.first, table.last, table.group)]
        save(folder, np.rec.fromarrays([*columns, row, priority], dtype=ROW), {
            "model": self.encoder.name, "made": self.ingredients()["made"], "layers": shape.layers,
            "dim": shape.dim, "sentences": shape.sentences, "groups": table.groups, "plan": plan,
            "missing": int((~seen[asked]).sum())})

    def sample(self) -> tuple[np.ndarray, np.ndarray]:
        """The targets whose vectors are kept, ascending, and their priorities in the sample."""
        for reducer in self.reducers:
            if isinstance(reducer, vectors):
                priority = reducer.priority(self.corpus, self.table)
                kept = smallest(self.table.group, priority, reducer.cap)
                return kept, priority[kept]
        return np.empty(0, np.int64), np.empty(0, np.uint64)

    def feed(self, writers: list, needed: np.ndarray, slots: Slots) -> tuple[np.ndarray, dict]:
        """Give the writers every batch, layer by layer; which targets have a vector, and the batch plan."""
        seen = np.zeros(len(self.table), bool)
        plan = {"sentences": len(needed), "tokens": 0, "batches": 0, "max_tokens": self.max_tokens}
        sentences = [self.corpus.sentences[number] for number in needed]
        # no bar where nobody watches: a notebook's outputs stay the same from run to run
        with tqdm(total=len(sentences), desc=self.encoder.name, unit=" sentences", disable=None) as bar:
            for batch in self.encoder.encode(sentences, **self.options, max_tokens=self.max_tokens):
                found = slots.find(needed[batch.sentence], batch.position, batch.kind == "special")
                seen[found.targets] = True
                for layer, hidden in enumerate(batch.hidden):
                    means = found.means(hidden)              # (found, dim)
                    for writer in writers:
                        writer.add(layer, found, hidden, means)
                plan["tokens"] += batch.tokens
                plan["batches"] += 1
                _show(bar, len(found.sentences), plan["tokens"])
        return seen, plan


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
    kept, numbers = np.array(arrays.pop("kept")), arrays.pop("per_sentence", None)
    table = pd.DataFrame(kept[kept["row"] >= 0])[COLUMNS]
    table["group"] = np.array(about["groups"], dtype=object)[table["group"]]
    return Extraction(key, table, about["layers"] - 1, about["dim"], about["missing"], about["plan"], numbers,
                      arrays, kept, about)
