"""Builds the tasks of edge probing, which label a span of words or a pair of spans.

Tenney et al. (2019a) put many tasks into this one form. Five of them are read from the corpus
`gum`, the sixth is SemEval's:

    pos            a word -> its universal word class, or the Penn Treebank's where it has no other
    constituents   a constituent -> its category
    dependencies   a word and its head -> their relation; a root has no head and is left out
    entities       a mention -> its type
    coreference    two mentions in one sentence -> whether they are one thing ("1") or not ("0")
    semeval        two nouns in one sentence -> their relation, with its direction

Coreference is defined as in the paper: pairs within a sentence, of mentions that recur anywhere in
the document (OntoNotes marks no others). `kept_of_chains` computes the share that this keeps.
"""

import collections
import hashlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cwr.corpora import relations
from cwr.corpora.folds import TRAINED, folds, stable_hash
from cwr.corpora.sentences import Corpus, Sentence
from cwr.corpora.treebanks import conllu
from cwr.corpora.treebanks.labels import DEV, TEST, mentions, span_table
from cwr.errors import UserError, hint, quoted

if TYPE_CHECKING:
    import pandas as pd

SPAN, SECOND = ["first", "last"], ["first_2", "last_2"]
OFFICIAL = 0  # "folds" that are the split of the corpus
COREFERENT, NOT_COREFERENT = "1", "0"  # labels of coreference
NOT_SCORED = {"coreference": (NOT_COREFERENT,), "semeval": (relations.OTHER,)}

Rows = Iterator[tuple]  # (label, first, last) or (label, first, last, first_2, last_2)


@dataclass(frozen=True, eq=False)
class EdgeTask:
    """The targets of a probing task, each with one label.

    table: one row per target: document and sentence (numbers in the corpus), genre, label, first,
        last, for pairs also first_2, last_2 (words, inclusive), fold, and order, by which targets
        are drawn. Targets of the fold TRAINED are never tested. labels: all labels, sorted.
    """

    name: str
    corpus: Corpus
    table: "pd.DataFrame"
    labels: tuple[str, ...]

    @property
    def is_of_pairs(self) -> bool:
        """Tells whether a target is a pair of spans, not one span."""
        return SECOND[0] in self.table

    @property
    def scored(self) -> np.ndarray:
        """The mask of the labels that are scored, (C,) bool.

        Coreference is scored on "1" alone, SemEval on all labels but "Other", another task on all.
        """
        return ~np.isin(self.labels, NOT_SCORED.get(self.name, ()))

    @cached_property
    def gold(self) -> np.ndarray:
        """The number of each target's label, (n,) int."""
        return np.searchsorted(self.labels, self.table["label"].to_numpy(dtype=str))

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 over everything in the task that probes depend on."""
        head = f"{self.name}|{self.corpus.fingerprint}|{self.labels}"
        content = hashlib.sha256(head.encode())
        for column in [*SPAN, *SECOND, "sentence", "document", "fold", "order"]:
            if column in self.table:
                content.update(f"|{column}|".encode() + self.table[column].to_numpy().tobytes())
        content.update(self.gold.tobytes())
        return content.hexdigest()

    def drawn(self, rows: np.ndarray, most: int) -> np.ndarray:
        """Samples at most `most` of `rows`, those with the smallest hashes, in ascending order.

        most: 0 means all.
        """
        order = self.table["order"].to_numpy()[rows]
        chosen = rows[np.argsort(order, kind="stable")]
        return np.sort(chosen[:most] if most else chosen)

    def trained(self, fold: int, most: int) -> np.ndarray:
        """Returns the training rows of a fold's probes: at most `most` from all other folds."""
        return self.drawn(np.flatnonzero(self.table["fold"] != fold), most)

    def tested(self, most: int) -> np.ndarray:
        """Returns the test rows, at most `most`, each for the probes of its own fold."""
        return self.drawn(np.flatnonzero(self.table["fold"] != TRAINED), most)

    @property
    def folds(self) -> list[int]:
        """The numbers of the folds that are tested."""
        return sorted(set(self.table["fold"]) - {TRAINED})


def load(name: str, corpus: Corpus, number: int = 5) -> EdgeTask:
    """Builds a task by its name in NAMES.

    corpus: a treebank with documents; `semeval` has its own sentences and split and ignores both
    arguments. number: how many folds, or OFFICIAL: the test documents of the corpus are tested, the
    training documents trained on, the other documents left out.
    Raises UserError for an unknown name, for a corpus without the labels or without documents, and
    for a number of folds that is not possible.
    """
    if name not in READERS:
        raise UserError(f"there is no edge-probing task {quoted(name)}: {hint(name, NAMES)}")
    if name == "semeval":
        corpus = relations.semeval()
    table = _table(corpus, READERS[name](corpus))
    if not len(table):
        raise UserError(f"no target of the task {name} is in {corpus.name}: take another corpus")
    table["fold"] = _folds(corpus, OFFICIAL if name == "semeval" else number)[table["sentence"]]
    table = table[table["fold"] >= TRAINED].reset_index(drop=True)
    return EdgeTask(name, corpus, table, tuple(sorted(set(table["label"]))))


def span_words(
    task: EdgeTask, rows: np.ndarray, side: Sequence[str] = SPAN
) -> list[tuple[str, ...]]:
    """Returns the words in one span of each of these targets, in lower case.

    rows: numbers of targets, (n,). side: SPAN, or SECOND for the other span of a pair.
    """
    table = task.table.iloc[rows]
    places = zip(*(table[column] for column in ("sentence", *side)), strict=True)
    sentences = task.corpus.sentences
    return [
        tuple(word.lower() for word in sentences[number].words[first : last + 1])
        for number, first, last in places
    ]


def is_seen(task: EdgeTask, rows: np.ndarray, most: int) -> np.ndarray:
    """Tells whether a target's first span has the same words as a training target's, (n,) bool.

    Only first spans are compared. rows: numbers of targets, (n,). most: the number of targets that
    a fold's probes learn from, as in `trained`.
    """
    fold, seen = task.table["fold"].to_numpy()[rows], np.zeros(len(rows), dtype=bool)
    words = span_words(task, rows)
    for number in task.folds:
        learned = set(span_words(task, task.trained(number, most)))
        for row in np.flatnonzero(fold == number):
            seen[row] = words[row] in learned
    return seen


def kept_of_chains(corpus: Corpus) -> float:
    """Computes the share of a document's coreferent mention pairs that stand in one sentence."""
    table = span_table(corpus, mentions(corpus))
    sizes = table.groupby("chain").size()
    within = table.groupby(["chain", "sentence"]).size()
    return float(_pairs(within) / _pairs(sizes))


def _pairs(sizes: "pd.Series") -> int:
    return int((sizes * (sizes - 1) // 2).sum())


# ---- targets of one corpus, sentence by sentence


def _annotated(corpus: Corpus, *names: str) -> Iterator[tuple[Sentence, list]]:
    """Yields each sentence with these annotations; UserError for a corpus without one."""
    for sentence in corpus.sentences:
        lacking = [name for name in names if name not in sentence.annotations]
        if lacking:
            raise UserError(
                f"the corpus {corpus.name} has no annotation {quoted(lacking[0])}, which this task "
                "reads: take gum"
            )
        yield sentence, [sentence.annotations[name] for name in names]


def _pos(corpus: Corpus) -> Iterator[Rows]:
    notes = [sentence.annotations for sentence in corpus.sentences]
    is_penn = all("xpos" in note and "upos" not in note for note in notes)
    for _, (tags,) in _annotated(corpus, "xpos" if is_penn else "upos"):
        yield ((tag, word, word) for word, tag in enumerate(tags))


def _constituents(corpus: Corpus) -> Iterator[Rows]:
    for _, (spans,) in _annotated(corpus, "constituents"):
        yield ((label, first, last) for first, last, label in spans)


def _dependencies(corpus: Corpus) -> Iterator[Rows]:
    for _, (heads, names) in _annotated(corpus, "heads", "relations"):
        pairs = enumerate(zip(heads, names, strict=True))
        yield (
            (name, word, word, head, head) for word, (head, name) in pairs if head != conllu.ROOT
        )


def _entities(corpus: Corpus) -> Iterator[Rows]:
    for _, (spans,) in _annotated(corpus, "entities"):
        yield ((kind, first, last) for first, last, kind in spans)


def _coreference(corpus: Corpus) -> Iterator[Rows]:
    annotated = list(_annotated(corpus, mentions(corpus), "chains"))
    sizes = collections.Counter(
        (sentence.document, chain) for sentence, (_, chains) in annotated for chain in chains
    )
    for sentence, (spans, chains) in annotated:
        again = [
            (chain, first, last)
            for (first, last, _), chain in zip(spans, chains, strict=True)
            if sizes[sentence.document, chain] > 1
        ]
        pairs = itertools.combinations(again, 2)
        yield ((COREFERENT if a[0] == b[0] else NOT_COREFERENT, *a[1:], *b[1:]) for a, b in pairs)


def _semeval(corpus: Corpus) -> Iterator[Rows]:
    for _, (relation, (one, other)) in _annotated(corpus, "relation", "nouns"):
        yield iter([(relation, *one, *other)])


READERS: dict[str, Callable[[Corpus], Iterator[Rows]]] = {
    "pos": _pos,
    "constituents": _constituents,
    "dependencies": _dependencies,
    "entities": _entities,
    "coreference": _coreference,
    "semeval": _semeval,
}
NAMES = tuple(READERS)


def _table(corpus: Corpus, targets: Iterator[Rows]) -> "pd.DataFrame":
    """Tabulates one row per target; `order` is a hash of the sentence's name and the spans."""
    import pandas as pd

    rows = []
    for number, (sentence, of_sentence) in enumerate(zip(corpus.sentences, targets, strict=True)):
        genre = sentence.annotations.get("genre", "")
        for label, *spans in of_sentence:
            order = stable_hash(f"{sentence.id}|{spans}")
            rows.append([sentence.document, genre, number, label, order, *spans])
    columns = ["document", "genre", "sentence", "label", "order", *SPAN, *SECOND]
    table = pd.DataFrame(rows, columns=columns[: len(rows[0])] if rows else columns)
    _refuse_spans(corpus, table)
    return table


def _refuse_spans(corpus: Corpus, table: "pd.DataFrame") -> None:
    """Raises UserError for a span that is empty or outside its sentence."""
    lengths = np.array([len(sentence.spans) for sentence in corpus.sentences])
    length = lengths[table["sentence"].to_numpy(dtype=int)]
    for first, last in (SPAN, SECOND):
        if first not in table:
            continue
        begin, end = table[first].to_numpy(), table[last].to_numpy()
        wrong = np.flatnonzero((begin < 0) | (begin > end) | (end >= length))
        if len(wrong):
            row = wrong[0]
            sentence = corpus.sentences[table["sentence"].iloc[row]]
            raise UserError(
                f"a span from word {begin[row] + 1} to {end[row] + 1} is empty or outside its "
                f"sentence {sentence.id}, which has {length[row]} words: mend its annotation"
            )


def _folds(corpus: Corpus, number: int) -> np.ndarray:
    """Returns the fold of each sentence, (sentences,); below TRAINED: left out."""
    if number == OFFICIAL:
        of_split = {TEST: 0, DEV: TRAINED - 1}
        splits = [split for _, (split,) in _annotated(corpus, "split")]
        if TEST not in splits:
            raise UserError(f"{corpus.name} has no test part: take 2 folds or more")
        return np.array([of_split.get(split, TRAINED) for split in splits])
    genres = {name: genre for _, (name, genre) in _annotated(corpus, "document", "genre")}
    try:
        fold = folds(genres, number)
    except ValueError as error:
        raise UserError(f"the corpus {corpus.name} cannot be divided ({error})") from None
    return np.array([fold[sentence.annotations["document"]] for sentence in corpus.sentences])


def shuffled(task: EdgeTask, seed: int = 0) -> EdgeTask:
    """Shuffles a task's labels among its targets, as a control with nothing to learn."""
    labels = np.random.default_rng(seed).permutation(task.table["label"].to_numpy())
    return replace(task, table=task.table.assign(label=labels))
