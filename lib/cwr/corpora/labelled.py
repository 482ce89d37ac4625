"""Reads sets of labelled sentences, or of labelled pairs of sentences.

Table 4 of Gupta and Jaggi (2021) classifies six of them, Zhao et al. (2020) fine-tune on SST-2 and
MRPC (section 4.4). SemEval-2010 is shipped with this library; the others are downloads, already
tokenised and mostly in lower case. The tokeniser of this library reads them all.

    n = sentences, in the order of the source
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cwr.corpora import datasets, relations
from cwr.corpora.datasets import Dataset
from cwr.corpora.sentences import Sentence, word_spans
from cwr.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

KIND = "set of labelled sentences"
TRAIN, VALIDATION, TEST, UNDIVIDED = "train", "validation", "test", ""
SHARE = (
    0.2  # of the validation and of the test sentences, where the source names none (section 4.3)
)
PAIR = "\t"  # between two sentences

Item = tuple[str, str, str]  # text (of a pair: two sentences with PAIR between them), label, split


@dataclass(frozen=True, eq=False)
class Labelled:
    """The sentences of a set, with one label each, divided for training, validation and test.

    name: the set's name in the papers. sentences: (n,). classes: the labels' names, sorted.
    labels: (n,) int, indices into `classes`. splits: (n,) str, "train", "validation" or "test".
    seconds: (n,) the second sentence of each pair; empty in sets of single sentences.
    """

    name: str
    sentences: tuple[Sentence, ...]
    classes: tuple[str, ...]
    labels: np.ndarray
    splits: np.ndarray
    seconds: tuple[Sentence, ...] = ()

    def rows(self, *splits: str) -> np.ndarray:
        """Returns the indices of the sentences of these splits, (rows,)."""
        return np.flatnonzero(np.isin(self.splits, splits))

    def counts(self, *splits: str) -> np.ndarray:
        """Counts the sentences of each class in these splits, (classes,)."""
        return np.bincount(self.labels[self.rows(*splits)], minlength=len(self.classes))

    @property
    def words(self) -> list[tuple[str, ...]]:
        """The lower-cased words of each sentence, or of a pair's first sentence, (n,)."""
        return [tuple(map(str.lower, sentence.words)) for sentence in self.sentences]


def _relations(source: Dataset) -> list[Item]:
    """Reads the relations without direction, and the texts without the tags of entities."""
    items = []
    for split in source.files:
        for line in relations.lines(split):
            relation, text = line.split("\t")
            items.append((relations.TAG.sub("", text), relation.partition("(")[0], split))
    return items


def _lines(source: Dataset) -> list[Item]:
    """Reads lines of a label, a blank and the text; only a newline ends a line."""
    items = []
    for split, file in source.fetch().items():
        for line in file.read_bytes().rstrip(b"\n").split(b"\n"):
            label, _, text = line.decode(source.encoding).partition(" ")
            items.append((" ".join(text.split()), label, split))
    return items


def _cut_labels(source: Dataset) -> list[Item]:
    """Reads TREC with labels cut at the colon: LOC of LOC:city."""
    return [(text, label.partition(":")[0], split) for text, label, split in _lines(source)]


def _tabs(source: Dataset) -> list[Item]:
    """Reads lines of a text, a tab and a label; the first line names these columns."""
    items = []
    for split, file in source.fetch().items():
        text = file.read_text(source.encoding)
        for line in text.rstrip("\n").split("\n")[1:]:
            sentence, label = line.split("\t")
            items.append((" ".join(sentence.split()), label, split))
    return items


def _paraphrases(source: Dataset) -> list[Item]:
    """Reads lines of a label, two numbers and two sentences; the first line names these columns.

    The file was mistaken for Latin-1 and encoded as UTF-8 twice; quotation marks are <QUOTE>.
    """
    items = []
    for split, file in source.fetch().items():
        text = file.read_text(source.encoding)
        text = text.encode("latin-1").decode("utf-8")
        for line in text.rstrip("\n").split("\n")[1:]:
            label, _, _, *pair = line.replace("<QUOTE>", '"').split("\t")
            items.append((PAIR.join(" ".join(text.split()) for text in pair), label, split))
    return items


# SST-2: its validation part is of GLUE's training, its test GLUE's validation.
# MRPC: pairs that say the same (1) or not (0).
READERS = {
    "lines": _lines,
    "lines, labels cut": _cut_labels,
    "relations": _relations,
    "tabs": _tabs,
    "paraphrases": _paraphrases,
}
NAMES = tuple(datasets.of_kind(KIND))
TABLE_4 = NAMES[:6]  # in its order


def load(name: str, most: int = 0, seed: int = 0) -> Labelled:
    """Reads a set by its name in NAMES, divided for training, validation and test.

    Splits of the source are kept. Without any, a fifth is the test part. Without a validation part,
    its sentences are drawn: as many as the test part has in an undivided set, else a fifth of the
    training sentences. Draws are seeded, and classes keep their shares in each split.
    most: the largest number of sentences for training and validation together; 0: all.
    Raises UserError for an unknown name, a file that cannot be fetched, a class with too few
    sentences to be divided, and a test label that no training sentence has.
    """
    source = datasets.find(name, KIND)
    items = READERS[source.format](source)
    texts, names, official = map(np.array, zip(*items, strict=True))
    classes, labels = np.unique(names, return_inverse=True)
    try:
        splits = _divided(labels, official, most, seed)
    except ValueError as error:
        raise UserError(
            f"{name} cannot be divided by class ({error}): take more sentences"
        ) from None
    rows = np.flatnonzero(splits != UNDIVIDED)
    columns = zip(*(text.split(PAIR) for text in texts[rows].tolist()), strict=True)
    first, *second = (_sentences(name, rows, column) for column in columns)
    known = tuple(classes.tolist())
    data = Labelled(name, first, known, labels[rows], splits[rows], *second)
    refuse_unseen(data)
    return data


def _sentences(name: str, rows: np.ndarray, texts: Sequence[str]) -> tuple[Sentence, ...]:
    """Makes sentences with words of the texts of these rows of a set."""
    sentences = []
    for row, text, spans in zip(rows, texts, word_spans(texts), strict=True):
        sentences.append(Sentence(f"{name} {row}", text, spans))
    return tuple(sentences)


def _divided(labels: np.ndarray, official: np.ndarray, most: int, seed: int) -> np.ndarray:
    """Returns the split of each sentence, (n,); UNDIVIDED for those beyond `most`.

    labels: (n,). official: (n,), the splits of the source. Raises ValueError as `_drawn`.
    """
    splits = official.astype("<U10")
    is_undivided = not official.any()
    if is_undivided:
        splits[_drawn(labels, np.arange(len(labels)), SHARE, seed)] = TEST
    pool = np.flatnonzero(splits != TEST)
    if 0 < most < len(pool):
        kept = _drawn(labels, pool, most, seed)
        splits[np.setdiff1d(pool, kept)] = UNDIVIDED
        pool = kept
    if VALIDATION not in official:
        share = SHARE / (1 - SHARE) if is_undivided else SHARE  # of all, or of the training part
        splits[pool] = TRAIN
        splits[_drawn(labels, pool, share, seed)] = VALIDATION
    return splits


def _drawn(labels: np.ndarray, rows: np.ndarray, size: float, seed: int) -> np.ndarray:
    """Draws so many of the rows (a number), or such a share of them, by class; sorted.

    Raises ValueError for a class of one sentence, which can be in one split only.
    """
    from sklearn.model_selection import train_test_split

    _, drawn = train_test_split(rows, test_size=size, stratify=labels[rows], random_state=seed)
    return np.sort(drawn)


def refuse_unseen(data: Labelled) -> None:
    """Raises UserError for a label among the test sentences that no training sentence has."""
    unseen = np.flatnonzero((data.counts(TEST) > 0) & (data.counts(TRAIN) == 0))
    if len(unseen):
        raise UserError(
            f"the test sentences of {data.name} have the label {data.classes[unseen[0]]}, which none "
            f"of its {data.counts(TRAIN).sum():,} training sentences has: take more sentences"
        )


def _texts(data: Labelled) -> list[str]:
    """Returns the text of each sentence, or of both sentences of a pair, (n,)."""
    columns = [data.sentences, data.seconds] if data.seconds else [data.sentences]
    return [PAIR.join(sentence.text for sentence in row) for row in zip(*columns, strict=True)]


def blemishes(sets: Sequence[Labelled]) -> "pd.DataFrame":
    """Tabulates the flaws of sets of labelled sentences, one row per set.

    Columns: sentences of each split, classes, repeated texts, texts with several labels, sentences
    without words, test sentences whose text is among the training or validation sentences.
    """
    import pandas as pd

    rows = {}
    for data in sets:
        texts = pd.Series(_texts(data))
        table = pd.DataFrame({"text": texts, "label": data.labels})
        trained = set(texts[data.rows(TRAIN, VALIDATION)])
        rows[data.name] = {
            **{split: len(data.rows(split)) for split in (TRAIN, VALIDATION, TEST)},
            "classes": len(data.classes),
            "repeated": int(texts.duplicated().sum()),
            "several labels": int((table.groupby("text")["label"].nunique() > 1).sum()),
            "empty": sum(not sentence.spans for sentence in data.sentences),
            "test text trained on": int(texts[data.rows(TEST)].isin(trained).sum()),
        }
    return pd.DataFrame(rows).T.rename_axis("set")
