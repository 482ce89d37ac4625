"""Questions about a corpus, cut into blocks of sentences that are encoded one by one.

A block is the share of a question in 4,096 consecutive sentences of the corpus. Sentences are
counted in the corpus, not among those that are needed, so that all questions have the same blocks.

Axes: targets, rows of the question's table; needed, the targets that are encoded, in the order of
the table.
"""

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cwr.corpora import Corpus
from cwr.encoders.pieces import TOKENISED_AT_ONCE as BLOCK
from cwr.extraction import cache
from cwr.extraction.reducers import smallest, sums, vectors
from cwr.extraction.targets import CheckedTargets

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

Reducer = vectors | sums


@dataclass(frozen=True, eq=False)
class Question:
    """The checked arguments of `run`.

    options: the keywords of `Encoder.encode` that decide the numbers.
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

    @functools.cached_property
    def merged_key(self) -> str:
        """The key of the entry that holds the first blocks, merged, until the answer is whole."""
        return cache.key({**self.ingredients, "merged": BLOCK})

    def about(self) -> dict:
        """Returns the note that the cache keeps beside the answer."""
        return {
            "model": self.encoder.name,
            "corpus": self.corpus.name,
            "ingredients": self.ingredients,
        }

    def about_part(self, **more: int) -> dict:
        """Returns the note beside a part of the answer, which stays while the answer is made."""
        return {"model": self.encoder.name, "corpus": self.corpus.name, "of": self.key, **more}

    @functools.cached_property
    def is_kept(self) -> np.ndarray:
        """Whether the vectors of each target are kept, (targets,) bool; chosen among all at once."""
        is_kept = np.zeros(len(self.table), bool)
        for reducer in self.reducers:
            if isinstance(reducer, vectors):
                priority = reducer.priority(self.corpus, self.table)
                is_kept[smallest(self.table.group, priority, reducer.cap)] = True
        return is_kept

    @functools.cached_property
    def needed(self) -> np.ndarray:
        """The targets to encode, (needed,) ascending: all for `sums`, else those that are kept."""
        if any(isinstance(reducer, sums) for reducer in self.reducers):
            return np.arange(len(self.table))
        return np.flatnonzero(self.is_kept)

    @functools.cached_property
    def by_sentence(self) -> np.ndarray:
        """The order of the needed targets by their sentences, (needed,) indices into `needed`."""
        return np.argsort(self.table.sentence[self.needed], kind="stable")

    @functools.cached_property
    def blocks(self) -> tuple["Block", ...]:
        """The blocks with needed targets, in the order of the corpus."""
        number = self.table.sentence[self.needed[self.by_sentence]] // BLOCK
        numbers, starts = np.unique(number, return_index=True)
        bounds = np.append(starts, len(number)).tolist()
        return tuple(
            Block(self, index, int(number), begin, end)
            for index, (number, begin, end) in enumerate(
                zip(numbers, bounds[:-1], bounds[1:], strict=True)
            )
        )

    @property
    def n_merged(self) -> int:
        """The number of blocks that are merged in the cache, from the first on."""
        if cache.note(self.key):
            return len(self.blocks)
        return (cache.note(self.merged_key) or {"blocks": 0})["blocks"]


@dataclass(frozen=True, eq=False)
class Block:
    """The share of a question in one block of sentences.

    index: into the question's `blocks`; number: of the block in the corpus, from 0.
    begin, end: the range of its targets in the question's `by_sentence`.
    """

    question: Question
    index: int
    number: int
    begin: int
    end: int

    @property
    def is_alone(self) -> bool:
        """Whether the question has no other block; then the block's entry is the answer."""
        return len(self.question.blocks) == 1

    @functools.cached_property
    def key(self) -> str:
        """The key of the block's entry in the cache."""
        if self.is_alone:
            return self.question.key
        sentences = [self.number * BLOCK, (self.number + 1) * BLOCK]
        return cache.key({**self.question.ingredients, "sentences": sentences})

    def about(self) -> dict:
        """Returns the note that the cache keeps beside the block."""
        return self.question.about() if self.is_alone else self.question.about_part()

    @property
    def targets(self) -> np.ndarray:
        """The targets to encode, (any,): by their sentences, but in the table's order if alone."""
        question = self.question
        if self.is_alone:
            return question.needed
        return question.needed[question.by_sentence[self.begin : self.end]]

    @property
    def sentences(self) -> np.ndarray:
        """The sentences to encode, (any,) ascending."""
        return np.unique(self.question.table.sentence[self.targets])

    @property
    def is_noted(self) -> bool:
        """Whether the cache lists the block, by itself or merged; its files are not checked."""
        return bool(cache.note(self.key)) or self.index < self.question.n_merged

    @property
    def is_done(self) -> bool:
        """Whether the cache holds the block whole, by itself or merged.

        In this order: a block is removed only after it was merged.
        """
        return cache.holds(self.key) or self.index < self.question.n_merged
