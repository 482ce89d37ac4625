"""The pass over a corpus: it encodes the sentences of several questions once, batch by batch.

Axes: targets, rows of a question's table; units, words or pieces with a vector in a batch; layers
(n_layers + 1); dim.
"""

import contextlib
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from tqdm import tqdm

import cwr.extraction.cache as cache
from cwr.corpora import Corpus
from cwr.extraction.alignment import Slots
from cwr.extraction.answer import ROW, Extraction, load_extraction, save_extraction
from cwr.extraction.reducers import Shape, smallest, sums, vectors
from cwr.extraction.targets import CheckedTargets, check_targets, occurrences

if TYPE_CHECKING:
    import torch

    from cwr.encoders.encoder import Encoder

Reducer = vectors | sums


def run(
    encoder: "Encoder",
    corpus: Corpus,
    targets: pd.DataFrame | None = None,
    words: Sequence[str] | None = None,
    reducers: Sequence[Reducer] = (vectors(),),
    *,
    unit: str = "word",
    pooling: str = "mean",
    skip_first_position: bool = False,
    max_tokens: int | None = None,
) -> Extraction:
    """Encodes the sentences that the targets need and reduces the targets' vectors; cached.

    targets: a table as the functions of `targets` return it. words: a shortcut for the occurrences
    of these words. Without targets and words every word is a target. A target's vector is the mean
    of its words' vectors. unit, pooling, skip_first_position and max_tokens: as in
    `Encoder.encode`; the token budget max_tokens is not part of the key.
    Raises UserError for words that do not occur and a cache that cannot be written; ValueError for
    both targets and words, targets outside the corpus, two reducers of a kind, layers that the
    model does not have, and for `sums` over a zero vector.
    """
    if targets is not None and words is not None:
        raise ValueError("give either targets or words, not both")
    table = occurrences(corpus, words) if targets is None else targets
    (extraction,) = together(
        encoder,
        corpus,
        [(table, reducers)],
        unit=unit,
        pooling=pooling,
        skip_first_position=skip_first_position,
        max_tokens=max_tokens,
    )
    return extraction


def together(
    encoder: "Encoder",
    corpus: Corpus,
    questions: Sequence[tuple[pd.DataFrame, Sequence[Reducer]]],
    *,
    unit: str = "word",
    pooling: str = "mean",
    skip_first_position: bool = False,
    max_tokens: int | None = None,
) -> list[Extraction]:
    """Answers several questions about a corpus, in one pass for all that the cache cannot answer.

    questions: the targets and the reducers of each question. Each answer equals the answer of
    `run`, and has its own cache entry. Other arguments and errors as `run`.
    """
    options = {"unit": unit, "pooling": pooling, "skip_first_position": skip_first_position}
    checked = [
        Question(encoder, corpus, check_targets(corpus, targets, unit), tuple(reducers), options)
        for targets, reducers in questions
    ]
    distinct = {question.key: question for question in checked}
    with cache.reserved(distinct):
        lacking = [question for key, question in distinct.items() if not cache.holds(key)]
        if lacking:
            _answer(lacking, max_tokens)
        answers = {
            key: cache.read(key, functools.partial(load_extraction, key=key)) for key in distinct
        }
    return [answers[question.key] for question in checked]


@dataclass(frozen=True)
class Question:
    """The checked arguments of `run`.

    Raises ValueError for no reducer and for two of a kind.
    """

    encoder: "Encoder"
    corpus: Corpus
    table: CheckedTargets
    reducers: tuple[Reducer, ...]
    options: dict

    def __post_init__(self):
        """Checks the reducers; see the class for errors."""
        kinds = {type(reducer) for reducer in self.reducers}
        if not self.reducers or len(kinds) < len(self.reducers):
            raise ValueError("give at least one reducer, and at most one of each kind")

    @functools.cached_property
    def ingredients(self) -> dict:
        """The JSON of all that decides the numbers; ValueError for unknown layers."""
        reducers = {}
        for reducer in self.reducers:
            reducers |= reducer.identity(self.encoder.n_layers)
        return {
            "encoder": self.encoder.fingerprint,
            **self.options,
            "reducers": reducers,
            "sources": cache.sources(type(self.encoder)),
            "corpus": self.corpus.fingerprint,
            "targets": self.table.fingerprint(),
        }

    @functools.cached_property
    def key(self) -> str:
        """The key of the question's answer in the cache."""
        return cache.key(self.ingredients)

    def about(self) -> dict:
        """Returns the note that the cache keeps beside the answer."""
        return {
            "model": self.encoder.name,
            "corpus": self.corpus.name,
            "ingredients": self.ingredients,
        }

    def sample(self) -> np.ndarray:
        """Returns the targets (rows,) whose vectors are kept, ascending; none without `vectors`."""
        for reducer in self.reducers:
            if isinstance(reducer, vectors):
                priority = reducer.priority(self.corpus, self.table)
                return smallest(self.table.group, priority, reducer.cap)
        return np.empty(0, np.int64)


class Collector:
    """The answer to a question during its pass.

    The texts alone decide which targets count, before the pass: nothing else is encoded.
    """

    def __init__(self, question: Question, folder: Path, mapped: cache.Mapped):
        """folder: an empty folder for the arrays; mapped: the arrays of the pass."""
        self.question, self.folder, table = question, folder, question.table
        self.sample = question.sample()
        rows = np.full(len(table), -1)
        rows[self.sample] = np.arange(len(self.sample))
        over_all = any(isinstance(reducer, sums) for reducer in question.reducers)
        self.needed = np.arange(len(table)) if over_all else self.sample
        self.shape = Shape(
            question.encoder.n_layers + 1, question.encoder.dim, table.groups, table.group, rows
        )
        self.writers = [reducer.writer(folder, self.shape, mapped) for reducer in question.reducers]
        self.slots, self.seen = Slots(table, self.needed), np.zeros(len(table), bool)

    @property
    def sentences(self) -> np.ndarray:
        """The sentences to encode, (any,), ascending."""
        return np.unique(self.question.table.sentence[self.needed])

    def add(
        self, sentence: np.ndarray, position: np.ndarray, hidden: "Sequence[torch.Tensor]"
    ) -> None:
        """Collects the vectors of the targets in a batch.

        sentence, position: (units,); hidden: of each layer (units, dim).
        Raises ValueError for `sums` over a zero or NaN vector.
        """
        from cwr.extraction.bags import Bags  # brings torch

        hits = self.slots.find(sentence, position)
        if not len(hits.targets):
            return
        self.seen[hits.targets] = True
        if hidden[0].device.type == "mps":  # Apple's GPUs have no float64
            hidden = [layer.cpu() for layer in hidden]
        device = hidden[0].device
        words = Bags(hits.units, hits.starts, device)
        for writer in self.writers:
            writer.begin(hits.targets, device)
        for layer, units in enumerate(hidden):
            writers = [writer for writer in self.writers if layer in writer.layers]
            if writers:
                means = words.means(units)  # (hits, dim)
            for writer in writers:
                writer.add(layer, means)

    def finish(self, plan: dict) -> None:
        """Closes the writers and saves the files that `load` reads; plan: see `Extraction`."""
        for writer in self.writers:
            writer.finish(self.seen)
        table, rows = self.question.table, self.sample[self.seen[self.sample]]
        columns = (table.sentence, table.first, table.last, table.group)
        records = np.rec.fromarrays([column[rows] for column in columns], dtype=ROW)
        save_extraction(
            self.folder,
            records,
            {
                "layers": self.shape.layers,
                "dim": self.shape.dim,
                "groups": table.groups,
                "missing": int((~self.seen[self.needed]).sum()),
                "plan": plan,
            },
        )


def _answer(questions: Sequence[Question], max_tokens: int | None) -> None:
    """Fills the cache's folders of these questions, which share encoder, corpus and options."""
    with contextlib.ExitStack() as folders:
        collectors, mapped = [], cache.Mapped()
        for question in questions:
            folder = folders.enter_context(cache.writing(question.key, question.about()))
            collectors.append(Collector(question, folder, mapped))
        _one_pass(collectors, max_tokens)


def _one_pass(collectors: Sequence[Collector], max_tokens: int | None) -> None:
    """Encodes the sentences that any collector needs, and passes each batch to all collectors."""
    question = collectors[0].question
    needed = np.unique(np.concatenate([collector.sentences for collector in collectors]))
    sentences = [question.corpus.sentences[number] for number in needed]
    plan = {"sentences": len(needed), "tokens": 0, "batches": 0, "max_tokens": max_tokens}
    # no bar where nobody watches: a notebook's outputs stay the same from run to run
    name = question.encoder.name
    with tqdm(
        total=len(needed), desc=name, unit=" sentences", disable=None, leave=None
    ) as bar:  # it stays unless it stands below another bar
        options = {**question.options, "max_tokens": max_tokens, "on_device": True}
        for batch in question.encoder.encode(sentences, **options):
            for collector in collectors:
                collector.add(needed[batch.sentence], batch.position, batch.hidden)
            plan["tokens"] += batch.tokens
            plan["batches"] += 1
            _show(bar, len(np.unique(batch.sentence)), plan["tokens"])
    for collector in collectors:
        collector.finish(plan)


def _show(bar: tqdm, sentences: int, tokens: int) -> None:
    if not bar.disable:
        speed = tokens / bar.format_dict["elapsed"]
        bar.set_postfix_str(f"{speed:,.0f} tokens/s", refresh=False)
        bar.update(sentences)
