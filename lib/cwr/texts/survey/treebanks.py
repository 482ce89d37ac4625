"""Collects sentences with their trees, in folds, on which structural probes learn and are scored.

It also gives answers that need no vectors (the chain of neighbours, and the star around the first
verb), and the control task, whose trees follow from word types alone.

    S sentences, n words of a sentence
"""

import itertools
from dataclasses import dataclass, replace

import numpy as np

from cwr.corpora import Corpus
from cwr.corpora.folds import TRAINED, folds, stable_hash
from cwr.corpora.treebanks.labels import DEV, TEST
from cwr.errors import UserError
from cwr.measures import structural
from cwr.measures.trees import ROOT, depths, tree_distances

OFFICIAL = 0  # "folds" that are the test and the dev part of the corpus
UPOS, PTB = "upos", "ptb"  # classes of punctuation
PTB_LIST = {"''", ",", ".", ":", "``", "-LRB-", "-RRB-"}  # of the released reporter.py
FIRST, LAST, BEFORE = range(3)  # what a word type is joined to in the control task
KINDS = 3


@dataclass(frozen=True, eq=False)
class Treebank:
    """Sentences with their trees.

    heads: of each sentence, (n,). keep: which words are no punctuation, (n,) bool. words: (n,) text.
    upos: (n,). unit: which document (or sentence) each belongs to, (S,) int. fold: (S,) int, TRAINED
    for sentences that are never tested.
    """

    heads: list[list[int]]
    keep: list[np.ndarray]
    words: list[tuple[str, ...]]
    upos: list[list[str]]
    unit: np.ndarray
    fold: np.ndarray

    def __len__(self) -> int:
        return len(self.heads)

    @property
    def lengths(self) -> np.ndarray:
        """The number of words of each sentence, (S,)."""
        return np.array([len(tree) for tree in self.heads])

    def parts(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Lists for each fold the sentences to train on and those to test, as numbers."""
        masks = [self.fold == fold for fold in np.unique(self.fold[self.tested])]
        return [(np.flatnonzero(~is_tested), np.flatnonzero(is_tested)) for is_tested in masks]

    @property
    def tested(self) -> np.ndarray:
        """The numbers of the sentences that are tested."""
        return np.flatnonzero(self.fold > TRAINED)


def treebank(
    corpus: Corpus, number: int = 2, punctuation: str = UPOS, by_sentence: bool = False
) -> Treebank:
    """Reads the trees of a corpus, in folds by documents that are spread over its genres.

    number: of folds, or OFFICIAL: the corpus' test and dev parts are two folds, the rest is only
    trained on. punctuation: the words left out of trees: "upos", PUNCT of the universal classes, or
    "ptb", the Penn classes of the released code. by_sentence: resample sentences, not documents.
    Raises UserError for a corpus without trees, with fewer documents than folds, or without the
    Penn classes or the split that are called for.
    """
    notes = [sentence.annotations for sentence in corpus.sentences]
    if not all("heads" in note for note in notes):
        raise UserError(f"{corpus.name} has no trees: take gum, or another treebank")
    if punctuation == PTB and not any(set(note["xpos"]) - {"_"} for note in notes):
        raise UserError(f"{corpus.name} has no Penn classes: take the punctuation {UPOS!r}")
    document = np.array([sentence.document for sentence in corpus.sentences])
    tags = [note["upos"] if punctuation == UPOS else note["xpos"] for note in notes]
    signs = {"PUNCT"} if punctuation == UPOS else PTB_LIST
    return Treebank(
        heads=[note["heads"] for note in notes],
        keep=[np.array([tag not in signs for tag in of_sentence]) for of_sentence in tags],
        words=[sentence.words for sentence in corpus.sentences],
        upos=[note["upos"] for note in notes],
        unit=np.arange(len(notes)) if by_sentence else np.unique(document, return_inverse=True)[1],
        fold=_folds(corpus, number),
    )


def _folds(corpus: Corpus, number: int) -> np.ndarray:
    """The fold of each sentence, (S,); a sentence without a document is one by itself."""
    notes = [sentence.annotations for sentence in corpus.sentences]
    if number == OFFICIAL:
        of_split = {TEST: 0, DEV: 1}
        fold = np.array([of_split.get(note.get("split"), TRAINED) for note in notes])
        if not set(of_split.values()) <= set(fold.tolist()):
            raise UserError(f"{corpus.name} has no test and dev part: take 2 folds or more")
        return fold
    names = [sentence.annotations.get("document", sentence.id) for sentence in corpus.sentences]
    genres = {name: note.get("genre", "") for name, note in zip(names, notes, strict=True)}
    try:
        of_document = folds(genres, number)
    except ValueError as error:
        raise UserError(f"the corpus {corpus.name} cannot be divided ({error})") from None
    return np.array([of_document[name] for name in names])


def control(trees: Treebank, seed: int = 0) -> Treebank:
    """Makes the trees of the control task, in which a word's head depends on its type alone.

    After Hewitt and Liang (2019), section 2: each word type draws one of three heads. Theirs are
    the first word, the last, and the word itself; since a word joined to itself makes no tree, ours
    are the first word (the root), the last, and the word before. The last word hangs on the first,
    and so does punctuation, which does not count.
    """
    heads = []
    for words, keep in zip(trees.words, trees.keep, strict=True):
        kept = np.flatnonzero(keep).tolist() or [0]
        of_sentence = [kept[0]] * len(words)
        of_sentence[kept[0]] = ROOT
        for before, place in itertools.pairwise(kept[:-1]):
            kind = stable_hash(f"{seed}|{words[place]}") % KINDS
            of_sentence[place] = {LAST: kept[-1], BEFORE: before}.get(kind, kept[0])
        heads.append(of_sentence)
    return replace(trees, heads=heads)


def seen_share(trees: Treebank) -> float:
    """Computes the share of tested words, without punctuation, whose type occurs in training.

    The control task cannot be learned for other words; a guess is right one time in three.
    """
    hits = total = 0
    for train, test in trees.parts():
        known = {word for number in train for word in trees.words[number]}
        for number in test:
            kept = np.array(trees.words[number])[trees.keep[number]]
            hits, total = hits + sum(word in known for word in kept), total + len(kept)
    return hits / total


# ---- what is said of each sentence


@dataclass(frozen=True, eq=False)
class TreePredictions:
    """Predicted distances and depths of each sentence; None for those not tested or not predicted.

    distances: (I, n, n) each. depths: (I, n) each.
    """

    distances: list[np.ndarray | None]
    depths: list[np.ndarray | None]


def chain(trees: Treebank) -> TreePredictions:
    """Predicts distances in words, and depths by position: "Linear" in the source."""
    places = [np.arange(n) for n in trees.lengths]
    return TreePredictions(
        [np.abs(place[:, None] - place)[None] for place in places],
        [place[None] for place in places],
    )


def star(trees: Treebank) -> TreePredictions:
    """Predicts that every word hangs on the first verb, or on the first word without a verb.

    This uses gold word classes, so it knows more than vectors do.
    """
    distances, of_words = [], []
    for upos in trees.upos:
        centre = upos.index("VERB") if "VERB" in upos else 0
        depth = (np.arange(len(upos)) != centre).astype(int)
        distances.append((depth[:, None] + depth - 2 * np.diag(depth))[None])
        of_words.append(depth[None])
    return TreePredictions(distances, of_words)


# ---- mathematics


def rebuilt(trees: Treebank) -> tuple[float, float]:
    """Computes the shares of edges that gold distances recover, and whose direction depths recover.

    All trees count, punctuation included. Both shares are 1: words at distance 1 are joined, and
    the less deep of two is the head.
    """
    edges = found = oriented = 0
    for heads in trees.heads:
        joined = structural.minimum_spanning_tree(tree_distances(heads))
        deep = depths(heads)
        pairs = [(word, other) for word, other in enumerate(joined) if other != ROOT]
        ordered = [sorted(pair, key=deep.__getitem__) for pair in pairs]
        edges += len(heads) - 1
        found += sum(heads[a] == b or heads[b] == a for a, b in pairs)
        oriented += sum(heads[below] == above for above, below in ordered)
    return found / edges, oriented / edges
