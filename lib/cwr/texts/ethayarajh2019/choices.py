"""The four figures of Ethayarajh (2019) under choices that the paper's text leaves open.

A choice is changed alone, everything else stays as in the chapter. Where a choice cannot matter to
a model (the pooling of one that reads words whole, a final norm that it does not have), nothing is
computed again. The first and the last piece of a word are read from the pass over all pieces.
"""

import functools
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr import encoders, extraction
from cwr.corpora import Corpus
from cwr.encoders.pieces import special_tokens, word_units
from cwr.estimates import contextuality, curves
from cwr.estimates.curves import Curve
from cwr.estimates.samples import Samples
from cwr.extraction import Extraction, answer, targets
from cwr.extraction.answer import Part
from cwr.measures.contextuality import ESTIMATORS

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder


END_PIECES = ("first", "last")  # poolings that read one piece of a word


@dataclass(frozen=True)
class Choice:
    """How vectors and random words are taken; the defaults are the choice of the chapter.

    pooling: how a word's pieces become one vector (`Encoder.encode`).
    unit: "word", or "piece" for word pieces as they are, which only models with a tokenizer have.
    skip_first_position: leave out what stands at the model's first position.
    final_norm: take the last layer after the model's final norm.
    sampling: how random words are drawn (`targets.random_tokens`).
    """

    pooling: str = "mean"
    unit: str = "word"
    skip_first_position: bool = False
    final_norm: bool = True
    sampling: str = "sentence"


@dataclass
class Study:
    """One corpus, looked at by several models under several choices.

    tokens: random words for the baseline. min_contexts: a word needs so many occurrences.
    draws, seed: of the bootstrap; the seed is also that of the random words.
    encoders, runs: all models and extractions used so far, for the record.
    """

    corpus: Corpus
    tokens: int = 1000
    min_contexts: int = 5
    draws: int = 1000
    seed: int = 0
    encoders: list["Encoder"] = field(default_factory=list)
    runs: list[Extraction] = field(default_factory=list)

    def __post_init__(self):
        self.encoder = functools.cache(self.encoder)  # a model is loaded once for all choices
        self._extraction = functools.cache(self._extract)
        self._estimates = functools.cache(self._estimate)

    def encoder(self, model: str, final_norm: bool = True) -> "Encoder":
        """A model by its name (`encoders.load`), loaded once."""
        encoder = encoders.load(model, final_norm=final_norm)
        self.encoders.append(encoder)
        return encoder

    def rows(self, model: str, choice: Choice, variant: str | None = None) -> list[dict]:
        """Rows for `report.results.write`: every measure of the four figures, layer by layer.

        variant: what the choice is called in results; None for the choice of the chapter.
        No rows for word pieces of a model that has none.
        """
        encoder = self.encoder(model)
        if choice.unit == "piece" and encoder.tokenizer is None:
            return []
        shared, by_estimator = self._estimates(model, self.effective(model, choice))
        keys = {"dataset": self.corpus.name, "variant": variant}
        rows = curves.per_layer(encoder, shared, **keys)
        for estimator, figure in by_estimator.items():
            rows += curves.per_layer(encoder, figure, first=1, estimator=estimator, **keys)
        return rows

    def effective(self, model: str, choice: Choice) -> Choice:
        """The choice without what cannot matter to this model."""
        encoder = self.encoder(model)
        if encoder.tokenizer is None or choice.unit == "piece":
            choice = replace(choice, pooling="mean")  # every unit has one vector
        if "final norm" not in encoder.contract[-1]:
            choice = replace(choice, final_norm=True)
        if choice.skip_first_position and self._begins_with_special_token(encoder):
            choice = replace(choice, skip_first_position=False)
        return choice

    def _begins_with_special_token(self, encoder: "Encoder") -> bool:
        """Whether a special token stands in the first position, where else a word does."""
        if encoder.tokenizer is None:
            return False  # the first word is what is left out
        batches = encoder.encode(self.corpus.sentences[:1], unit="piece")
        return any(batch.kind[0] == "special" for batch in batches)

    def _extract(self, model: str, choice: Choice) -> Extraction:
        """The vectors of all units of the corpus; `sampling` of the choice does not matter."""
        encoder = self.encoder(model) if choice.final_norm else self.encoder(model, False)
        run = extraction.run(
            encoder,
            self.corpus,
            targets=self._units(encoder, choice.unit),
            unit=choice.unit,
            pooling=choice.pooling,
            skip_first_position=choice.skip_first_position,
        )
        self.runs.append(run)
        return run

    def _units(self, encoder: "Encoder", unit: str) -> pd.DataFrame:
        """All words, or all word pieces, as a table of targets."""
        if unit == "piece":
            return targets.pieces(encoder, self.corpus)
        return targets.occurrences(self.corpus)

    def _samples(self, model: str, choice: Choice) -> Samples:
        """What the four figures look at, out of one extraction."""
        encoder = self.encoder(model)
        units = self._units(encoder, choice.unit)
        random = targets.random_tokens(self.corpus, self.tokens, self.seed, choice.sampling, units)
        words = targets.frequent(self.corpus, self.min_contexts, among=units)
        sentences = units.assign(group=units["sentence"].astype(str))
        tables = (random, words, sentences)

        vectors = replace(choice, sampling=Choice.sampling)
        if choice.pooling in END_PIECES and not choice.skip_first_position:
            piece = end_pieces(encoder, self.corpus, choice.pooling)
            if piece is not None:
                run = self._extraction(model, replace(vectors, unit="piece", pooling="mean"))
                return Samples(*(take_at(run, table, piece) for table in tables))
        run = self._extraction(model, vectors)
        return Samples(*(answer.take(run, table) for table in tables))

    def _estimate(
        self, model: str, choice: Choice
    ) -> tuple[dict[str, Curve], dict[str, dict[str, Curve]]]:
        """The curves of Figures 1 to 3, and those of Figure 4 by estimator."""
        sample = self._samples(model, choice)
        options = {"draws": self.draws, "seed": self.seed}
        shared = {
            "anisotropy_baseline": contextuality.anisotropy_baseline(sample.random, **options),
            **contextuality.adjusted_self_similarity(sample.words, sample.random, **options),
            **contextuality.adjusted_intra_sentence_similarity(
                sample.sentences, sample.random, **options
            ),
        }
        by_estimator = {
            estimator: contextuality.adjusted_explained_variance(
                sample.words, sample.random, estimator, **options
            )
            for estimator in ESTIMATORS
        }
        return shared, by_estimator


def end_pieces(encoder: "Encoder", corpus: Corpus, pooling: str) -> pd.Series | None:
    """Position of the first or last piece of every word, special tokens counted.

    Its index is (sentence, position of the word). pooling: one of END_PIECES.
    None if a sentence exceeds the window, where a piece and its word may be read from two rows.
    Raises UserError for a tokenizer whose pieces cannot be aligned with words.
    """
    before, behind = special_tokens(encoder.tokenizer, encoder.name)
    text = encoder.tokenise(corpus.sentences)
    if text.lengths.max(initial=0) > encoder.window - len(before) - len(behind):
        return None
    units = word_units(text, [sentence.spans for sentence in corpus.sentences])
    piece = units.start if pooling == "first" else units.stop - 1
    position = piece - text.first[units.sentence] + len(before)
    return pd.Series(position, index=pd.MultiIndex.from_arrays([units.sentence, units.position]))


def take_at(pieces: Extraction, words: pd.DataFrame, position: pd.Series) -> Part:
    """Words with the vector of one of their pieces each.

    pieces: keeps vectors of all pieces. words: targets of one word each, a row a word; a word
    without a piece is dropped. position: as `end_pieces` gives it.
    """
    index = pd.MultiIndex.from_frame(words[["sentence", "first"]])
    at = position.reindex(index).to_numpy(dtype=float)
    readable = ~np.isnan(at)
    words, at = words[readable].reset_index(drop=True), at[readable].astype(np.int64)
    rows = answer.take(pieces, words.assign(first=at, last=at)).rows
    return Part(pieces, words, rows)
