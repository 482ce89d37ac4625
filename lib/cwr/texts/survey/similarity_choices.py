"""Which words of a sentence are alike, under choices that the post leaves open, each changed alone.

The claims read the rows of every choice as if it were that of the chapter (`report.changes`).
"""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cwr import extraction
from cwr.corpora import Corpus
from cwr.measures.similarity_matrices import Matching
from cwr.texts.survey import word_pairs
from cwr.texts.survey.sentence_similarity import (
    CENTRED,
    RAW,
    STANDARDISED,
    TREE,
    every_word,
    similarity_rows,
)
from cwr.texts.survey.word_pairs import Pairs

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder


@dataclass(frozen=True)
class Choice:
    """How cosines and phrases come about; the defaults are the choices of the chapter.

    treatment: of vectors. names, nested: what a noun phrase is (`treebanks.phrases`). pooling: of a
    word's pieces.
    """

    treatment: str = RAW
    names: bool = True
    nested: bool = True
    pooling: str = "mean"


CHAPTER = Choice()
CHOICES = {  # each alone
    "picture: centred": Choice(treatment=CENTRED),
    "picture: standardised": Choice(treatment=STANDARDISED),
    "picture: a name is no phrase": Choice(names=False),
    "picture: phrases not nested": Choice(nested=False),
    "picture: first piece": Choice(pooling="first"),
    "picture: last piece": Choice(pooling="last"),
}


def applicable(encoder: "Encoder") -> dict[str, Choice]:
    """The choices that can change something; a model that reads letters has no pieces."""
    return {
        name: choice
        for name, choice in CHOICES.items()
        if encoder.tokenizer or choice.pooling == CHAPTER.pooling
    }


def rows(
    encoder: "Encoder",
    corpus: Corpus,
    choices: Mapping[str | None, Choice],
    furthest: int = 10,
    least: int = 10,
    draws: int = 1000,
    seed: int = 0,
) -> Iterator[dict]:
    """The differences of all layers under each choice, {variant: choice}; None for the chapter's.

    A choice of a treatment has its numbers where the chapter has those of raw vectors. furthest,
    least: of `word_pairs`. Raises UserError as `word_pairs.pairs` and `every_word`.
    """
    weights = word_pairs.document_weights(corpus, draws, seed)

    @functools.cache
    def matched(names: bool, nested: bool) -> tuple[Pairs, dict[str, Matching]]:
        pairs = word_pairs.pairs(corpus, furthest, names=names, nested=nested)
        return pairs, pairs.matchings(least)

    for variant, choice in choices.items():
        run = extraction.run(encoder, corpus, pooling=choice.pooling)
        layers = ((n, every_word(run, corpus, n)) for n in range(run.n_layers + 1))
        keys = {"model": encoder.name, "family": encoder.family, "variant": variant}
        pairs = matched(choice.names, choice.nested)
        of_choice = similarity_rows(layers, *pairs, weights, [choice.treatment], **keys)
        for row in of_choice:
            if row["measure"] != TREE:
                yield {**row, "estimator": RAW}
