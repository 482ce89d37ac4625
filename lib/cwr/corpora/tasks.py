"""The tasks on which Zhao et al. (2020) tune a model (section 4.4.1): labels of words or sentences.

pos        word classes: each word of GUM, or of another treebank
ner        entities: each word of WikiGold, or of another such text, by its IOB2 tag
relation   SemEval-2010: the relation between two things. Our addition, a set that may be shared
sst2       Stanford Sentiment Treebank: the sentiment of a sentence
mrpc       Microsoft Research Paraphrase Corpus: whether two sentences say the same

n = sentences
"""

import hashlib
import itertools
from dataclasses import dataclass, replace

import numpy as np

from cwr import corpora
from cwr.corpora import labelled, treebanks
from cwr.corpora.sentences import Corpus, Sentence, fingerprint, shifted_spans
from cwr.errors import UserError, hint, quoted

ANNOTATIONS = {"pos": "upos", "ner": "entities"}  # of tasks about words
SETS = {"relation": "SemEval-2010", "sst2": "SST-2", "mrpc": "MRPC"}  # of those about sentences
CORPORA = {"pos": "gum", "ner": "wikigold"}  # where nothing else is said
NAMES = (*ANNOTATIONS, *SETS)
BETWEEN = " [SEP] "  # two sentences of a pair


@dataclass(frozen=True, eq=False)
class Task:
    """The sentences of a task, with a label for each word or for each sentence.

    name: one of NAMES. data: the name of the corpus or set. of_words: whether each word has a
    label. sentences: (n,). classes: names of labels, sorted. labels: (n,) arrays of int, indices
    into `classes`, one per word or a single one. train, dev: (rows,) numbers of sentences.
    """

    name: str
    data: str
    of_words: bool
    sentences: tuple[Sentence, ...]
    classes: tuple[str, ...]
    labels: tuple[np.ndarray, ...]
    train: np.ndarray
    dev: np.ndarray

    @property
    def fingerprint(self) -> str:
        """The sha256 over everything in the task that a training depends on."""
        digest = hashlib.sha256(fingerprint(self.sentences).encode())
        digest.update(repr((self.name, self.of_words, self.classes)).encode())
        for numbers in (*self.labels, self.train, self.dev):
            digest.update(np.ascontiguousarray(numbers, dtype=np.int64).tobytes() + b"\n")
        return digest.hexdigest()


def load(name: str, corpus: str = "", most: int = 0, seed: int = 0) -> Task:
    """Builds a task by its name in NAMES.

    corpus: replaces a word task's corpus in CORPORA. most: the largest number of training
    sentences, 0: all. A task about words takes the first sentences; a task about sentences takes a
    seeded draw, which `most` limits for training and dev together.
    Raises UserError for an unknown name, a corpus without such labels, and a file that cannot be
    fetched.
    """
    if name in ANNOTATIONS:
        task = _of_words(name, corpora.load(corpus or CORPORA[name]))
        return replace(task, train=task.train[:most]) if most else task
    if name not in SETS:
        raise UserError(f"there is no task {quoted(name)} to tune on: {hint(name, NAMES)}")
    return _of_sentences(name, labelled.load(SETS[name], most=most, seed=seed))


def shuffled(task: Task, seed: int = 0) -> Task:
    """Shuffles the labels of the training sentences of a task.

    Labels of words are shuffled over all words: only their frequencies are left to learn.
    """
    pool = np.concatenate([task.labels[row] for row in task.train])
    drawn = np.random.default_rng(seed).permutation(pool)
    ends = np.cumsum([len(task.labels[row]) for row in task.train])
    labels = list(task.labels)
    for row, values in zip(task.train, np.split(drawn, ends[:-1]), strict=True):
        labels[row] = values
    return replace(task, labels=tuple(labels))


def _of_words(name: str, corpus: Corpus) -> Task:
    """Builds a task about the words of a corpus that is divided into train, dev and test."""
    rows = [treebanks.numbers(corpus, split) for split in ("train", "dev")]
    tags = treebanks.word_labels(corpus, ANNOTATIONS[name])
    classes = tuple(sorted(set(itertools.chain.from_iterable(tags))))
    number = {tag: label for label, tag in enumerate(classes)}
    labels = tuple(np.array([number[tag] for tag in row], dtype=np.int64) for row in tags)
    return Task(name, corpus.name, True, corpus.sentences, classes, labels, *rows)


def _of_sentences(name: str, data: labelled.Labelled) -> Task:
    """Builds a task about sentences; a pair of sentences is joined by BETWEEN.

    The dev sentences are those of `labelled.VALIDATION`, which chooses classifiers elsewhere.
    """
    sentences = data.sentences
    if data.seconds:
        sentences = tuple(map(_paired, data.sentences, data.seconds))
    rows = [data.rows(split) for split in (labelled.TRAIN, labelled.VALIDATION)]
    labels = tuple(data.labels[:, None])
    return Task(name, data.name, False, sentences, data.classes, labels, *rows)


def _paired(first: Sentence, second: Sentence) -> Sentence:
    start = len(first.text + BETWEEN)
    spans = first.spans + shifted_spans(second.spans, start)
    return replace(first, text=first.text + BETWEEN + second.text, spans=spans)
