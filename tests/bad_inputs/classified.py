"""Class 9: sentences with labels that cannot be classified."""

from pathlib import Path

import numpy as np
from bad_inputs.row import Row

from cwr.corpora import labelled
from cwr.corpora.labelled import TEST, TRAIN, Labelled
from cwr.corpora.sentences import joined
from cwr.corpora.word_vectors import WordVectors

DOWNSTREAM = "cwr run gupta2021/04_downstream -p"


def unseen(_: Path) -> None:
    """Divide a set whose test sentences have a label of their own."""
    sentences = (joined(("a", "film")),) * 3
    splits = np.array([TRAIN, TRAIN, TEST])
    labelled.refuse_unseen(
        Labelled("mine", sentences, ("bad", "good"), splits == TEST, splits)
    )


def unread(_: Path) -> None:
    """Classify by vectors of another language."""
    from cwr.texts.gupta2021 import sentence_cnn

    sentences = (joined(("a", "film")),)
    data = Labelled("mine", sentences, ("bad",), np.zeros(1, int), np.array([TRAIN]))
    sentence_cnn.look_up(
        data, WordVectors("theirs", ("кино",), np.ones((1, 2), np.float32))
    )


ROWS = [
    Row(9, "labelled sentences that are none", lambda _: labelled.load("SST5"),
        "^cwr: 'SST5' is no set of labelled sentences: did you mean 'SST-5'"),
    Row(9, "no labelled sentences", f"{DOWNSTREAM} tasks '[]'",
        "^cwr: parameter 'tasks' of gupta2021/04_downstream must have at least 1 entry"),
    Row(9, "too few sentences to be divided by class",
        lambda _: labelled.load("SemEval-2010", most=12),
        "^cwr: SemEval-2010 cannot be divided by class .*: take more sentences$"),
    Row(9, "a test label that train lacks", unseen,
        "^cwr: the test sentences of mine have the label good, which none of its 2 training"),
    Row(9, "word vectors of none of the words to classify", unread,
        "^cwr: no word of mine has a vector in theirs: give vectors of its language"),
]  # fmt: skip
