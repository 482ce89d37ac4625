"""Classes 2 and 9: word pairs that do not exist, or that leave nothing to compare."""

from pathlib import Path

from bad_inputs.row import Row

from cwr.corpora import word_pairs
from cwr.encoders import matrices
from cwr.estimates import benchmarks


def comparing(first: str, second: str, removed: int | None = None):
    """What compares cwr-bert with people on one pair of words, twice over."""

    def use(_: Path) -> None:
        pairs = word_pairs.load("wordsim-353").head(2).assign(first=first, second=second)
        matrix = matrices.read("cwr-bert")
        vectors = benchmarks.word_vectors(matrix, [first, second], removed)
        benchmarks.similarity(matrix, vectors, {"mine": pairs}, draws=2)

    return use


ROWS = [
    Row(
        9,
        "a set of word pairs",
        lambda _: word_pairs.load("simlex"),
        "did you mean 'simlex-999'",
    ),
    Row(
        9,
        "more components than dimensions",
        comparing("the", "of", removed=193),
        "193 principal components cannot be removed from cwr-bert, which has 192 dimensions",
    ),
    Row(
        2,
        "word pairs of which none is left",
        comparing("dilapidated", "reconditioned"),
        "cwr-bert cannot be compared with mine: of 2 pairs of words 0 have vectors",
    ),
    Row(
        2,
        "word pairs with one cosine",
        comparing("the", "of"),
        "cwr-bert cannot be compared with mine: the correlation of 2 pairs is undefined",
    ),
]
