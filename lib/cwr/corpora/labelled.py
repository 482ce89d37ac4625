"""Sets of sentences, or of pairs of sentences, with one label each.

Table 4 of Gupta and Jaggi (2021) classifies six of them, Zhao et al. (2020) fine-tune on SST-2 and
MRPC (section 4.4). SemEval-2010 is shipped with this library; the others are downloads, already
tokenised and mostly in lower case. The tokeniser of this library reads them all.

    n = sentences, in the order of the source
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cwr import downloads
from cwr.corpora import relations
from cwr.corpora.sentences import Sentence, words_of
from cwr.errors import UserError, hint, quoted

if TYPE_CHECKING:
    import pandas as pd

TRAIN, VALIDATION, TEST, UNDIVIDED = "train", "validation", "test", ""
SHARE = (
    0.2  # of the validation and of the test sentences, where the source names none (section 4.3)
)
PAIR = "\t"  # between two sentences


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
        """The words of each sentence (of pairs: the first) in lower case, (n,)."""
        return [tuple(map(str.lower, sentence.words)) for sentence in self.sentences]


@dataclass(frozen=True)
class Source:
    """The reader of the lines of a set, (text, label, split), and the downloads that it needs.

    The text of a pair is its two sentences with PAIR between them.
    """

    read: Callable[..., list[tuple[str, str, str]]]
    files: tuple[tuple[str, str], ...] = ()  # split and file
    encoding: str = "utf-8"


def _semeval(source: Source) -> list[tuple[str, str, str]]:
    """Reads the relations without direction, and the texts without the tags of entities."""
    items = []
    for split in relations.SPLITS:
        for line in relations.lines(split):
            relation, text = line.split("\t")
            items.append((relations.TAG.sub("", text), relation.partition("(")[0], split))
    return items


def _lines(source: Source) -> list[tuple[str, str, str]]:
    """Reads lines of a label, a blank and the text; only a newline ends a line."""
    items = []
    for split, name in source.files:
        file = downloads.fetch(downloads.row_of(name))
        for line in file.read_bytes().rstrip(b"\n").split(b"\n"):
            label, _, text = line.decode(source.encoding).partition(" ")
            items.append((" ".join(text.split()), label, split))
    return items


def _coarse(source: Source) -> list[tuple[str, str, str]]:
    """Reads TREC with labels cut at the colon: LOC of LOC:city."""
    return [(text, label.partition(":")[0], split) for text, label, split in _lines(source)]


def _sst_2(source: Source) -> list[tuple[str, str, str]]:
    """Reads lines of a text, a tab and a label; the first line names these columns."""
    items = []
    for split, name in source.files:
        text = downloads.fetch(downloads.row_of(name)).read_text(source.encoding)
        for line in text.rstrip("\n").split("\n")[1:]:
            sentence, label = line.split("\t")
            items.append((" ".join(sentence.split()), label, split))
    return items


def _mrpc(source: Source) -> list[tuple[str, str, str]]:
    """Reads lines of a label, two numbers and two sentences; the first line names these columns.

    The file was mistaken for Latin-1 and encoded as UTF-8 twice; quotation marks are <QUOTE>.
    """
    items = []
    for split, name in source.files:
        text = downloads.fetch(downloads.row_of(name)).read_text("utf-8")
        text = text.encode("latin-1").decode("utf-8")
        for line in text.rstrip("\n").split("\n")[1:]:
            label, _, _, *pair = line.replace("<QUOTE>", '"').split("\t")
            items.append((PAIR.join(" ".join(text.split()) for text in pair), label, split))
    return items


def _undivided(file: str, encoding: str = "utf-8") -> Source:
    return Source(_lines, ((UNDIVIDED, file),), encoding)


_TREC = ((TRAIN, "TREC.train"), (TEST, "TREC.test"))
_SST = ((TRAIN, "stsa.fine.train"), (VALIDATION, "stsa.fine.dev"), (TEST, "stsa.fine.test"))
_SST_2 = (
    (TRAIN, "SST-2/train.tsv"),
    (VALIDATION, "SST-2/dev.tsv"),
    (TEST, "SST-2/test.tsv"),
)
_MRPC = ((TRAIN, "msr_paraphrase_train.txt"), (TEST, "msr_paraphrase_test.txt"))

# CR: Hu and Liu (2004). MR: Pang and Lee (2005). MPQA: Wiebe et al. (2005). SUBJ: Pang and Lee
# (2004). TREC: Li and Roth (2002), 6 labels, or 50. SST-5: Socher et al. (2013).
# SemEval-2010, task 8: Hendrickx et al. (2010).
# SST-2: Socher et al. (2013); its validation part is of GLUE's training, its test GLUE's validation.
# MRPC: Dolan and Brockett (2005), pairs that say the same (1) or not (0).
SOURCES = {
    "CR": _undivided("custrev.all"),
    "MR": _undivided("rt-polarity.all", "cp1252"),
    "MPQA": _undivided("mpqa.all"),
    "SUBJ": _undivided("subj.all", "cp1252"),
    "TREC": Source(_coarse, _TREC, "cp1252"),
    "SST-5": Source(_lines, _SST),
    "TREC-50": Source(_lines, _TREC, "cp1252"),
    "SemEval-2010": Source(_semeval),
    "SST-2": Source(_sst_2, _SST_2),
    "MRPC": Source(_mrpc, _MRPC),
}
NAMES = tuple(SOURCES)
TABLE_4 = NAMES[:6]  # in its order
PACKAGED = tuple(name for name in NAMES if not SOURCES[name].files)  # need no network


def check(name: str) -> None:
    """Raises UserError for a name that is none of NAMES."""
    if name not in SOURCES:
        raise UserError(f"{quoted(name)} is no set of labelled sentences: {hint(name, NAMES)}")


def downloaded(name: str) -> list[downloads.Row]:
    """Lists the files of a set to download; none for a set that is shipped with the library.

    Raises UserError for an unknown name.
    """
    check(name)
    return [downloads.row_of(file) for _, file in SOURCES[name].files]


def load(name: str, most: int = 0, seed: int = 0) -> Labelled:
    """Reads a set by its name in NAMES, divided for training, validation and test.

    Splits of the source are kept. Without any, a fifth is the test part. Without a validation part,
    its sentences are drawn: as many as the test part has in an undivided set, else a fifth of the
    training sentences. Draws are seeded, and classes keep their shares in each split.
    most: the largest number of sentences for training and validation together; 0: all.
    Raises UserError for an unknown name, a file that cannot be fetched, a class with too few
    sentences to be divided, and a test label that no training sentence has.
    """
    check(name)
    source = SOURCES[name]
    texts, names, official = map(np.array, zip(*source.read(source), strict=True))
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
    for row, text, spans in zip(rows, texts, words_of(texts), strict=True):
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
    """Raises UserError for a label of the test that no training sentence has."""
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
    """Tabulates the flaws of sets of labelled sentences, a row per set.

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
