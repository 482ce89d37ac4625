"""Classes 7 and 9: what cannot be asked of a token matrix that can be read."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pandas as pd
from bad_inputs.making import write
from bad_inputs.row import Row

from cwr.corpora import word_pairs, word_vectors
from cwr.encoders import matrices
from cwr.estimates import benchmarks, isotropy
from cwr.texts.bis2021 import choices

SCORED = {
    "without a known word": [("nosuchword", "thatsuchword", 3.0), ("xyzzyx", "the", 1.0)],
    "with one known pair": [("king", "war", 3.0), ("xyzzyx", "the", 1.0)],
    "of equal scores": [
        ("king", "war", 3.0),
        ("people", "war", 3.0),
        ("king", "people", 3.0),
    ],
}


def compared(scored: list[tuple]) -> Callable[[Path], None]:
    """What correlates `cwr-bert` with these pairs."""

    def compare(_: Path) -> None:
        matrix = matrices.read("cwr-bert")
        pairs = pd.DataFrame(scored, columns=["first", "second", "score"])
        words = {*pairs["first"], *pairs["second"]}
        vectors = benchmarks.word_vectors(matrix, words)
        benchmarks.similarity(matrix, vectors, {"mine": pairs}, draws=2)

    return compare


def removed(_: Path) -> None:
    isotropy.table_1(matrices.read("cwr-bert"), 193)


def removed_from_words(_: Path) -> None:
    benchmarks.word_vectors(matrices.read("cwr-bert"), ["king"], 193)


def studied(_: Path) -> None:
    choices.pipeline(matrices.read("cwr-bert"), ["simlex"], draws=2, seed=0)


SENTENCE = "^cwr: cwr-bert cannot be compared with mine: {}.*; leave out the data set or the model$"
REASONS = (
    "of 2 pairs of words 0 have vectors for all words, and a score needs 2",
    "of 2 pairs of words 1 have vectors for all words, and a score needs 2",
    "the correlation of 3 pairs is undefined: a side is constant",
)
ROWS = [
    Row(9, f"word pairs {what}", compared(scored), SENTENCE.format(reason))
    for (what, scored), reason in zip(SCORED.items(), REASONS, strict=True)
]
ROWS += [
    Row(9, "more components than dimensions, of a matrix", removed,
        "^cwr: 193 components of 192 dimensions cannot be removed: remove fewer$"),
    Row(9, "more components than dimensions, of word vectors", removed_from_words,
        "^cwr: 193 principal components cannot be removed from cwr-bert, which has 192"),
    Row(9, "a data set of word pairs that is none", lambda _: word_pairs.load("men natural"),
        "^cwr: 'men natural' is no data set of word pairs: did you mean 'men, natural'"),
    Row(9, "a data set of word pairs that is none, on the command line",
        "cwr run bis2021/03_benchmarks -p sets '[men, simlex]'", "did you mean 'simlex-999'"),
    Row(9, "a text that is none, of the training of 07",
        "cwr run bis2021/07_common_enemies -p text nowhere.txt", "is neither a named corpus"),
    Row(9, "a text that is none, of hidden tokens",
        "cwr run bis2021/04_rare_words -p unread nowhere.txt", "is neither a named corpus"),
    Row(9, "word vectors of one line without an end",
        lambda checkout: word_vectors.load(checkout / "bomb.txt.gz"),
        "^cwr: line 1 of .*bomb.txt.gz is longer than 10,000,000 bytes: give a text file of vectors",
        prepare=write("bomb.txt.gz", gzip.compress(b"0 " * 10_000_000))),
    Row(9, "choices over a data set that is none", studied, "did you mean 'simlex-999'"),
]  # fmt: skip
