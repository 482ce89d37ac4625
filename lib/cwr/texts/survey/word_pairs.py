"""Collects pairs of words of one sentence, with the properties that a comparison is matched on.

Peters et al. (2018b), Figure 1, shows the cosines of one sentence; these are all of a treebank.

    N words of the corpus, in order, P pairs of words of one sentence, D documents, R draws, d dimensions
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from cwr.corpora import Corpus
from cwr.corpora.treebanks.labels import annotations
from cwr.errors import UserError
from cwr.measures import similarity_matrices as matrices
from cwr.measures import stats
from cwr.measures.similarity_matrices import ACROSS, NEITHER, WITHIN, Matching
from cwr.measures.trees import tree_distances
from cwr.texts.survey.phrases import NO_PHRASE, noun_phrases

PHRASES, VERBS = "noun_phrase_cosine_gain", "verb_cosine_gain"
BY_CLASS, IN_ORDER = f"{PHRASES}_by_class", f"{PHRASES}_in_order"
VERB = "VERB"


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of words of one sentence, at most some words apart; those nearest to each other first.

    apart: for each distance k from 1, which words i of 0 to N - k - 1 make a pair with word i + k,
    bool. distance, tree: (P,), words and edges between the two. document: (P,). one, other: (P,),
    the word class of the first and of the second, as numbers below `classes`. phrases, verbs: (P,),
    WITHIN one noun phrase (both verbs), ACROSS two phrases (one verb), or NEITHER.
    """

    apart: tuple[np.ndarray, ...]
    distance: np.ndarray
    tree: np.ndarray
    document: np.ndarray
    one: np.ndarray
    other: np.ndarray
    classes: int
    phrases: np.ndarray
    verbs: np.ndarray

    @cached_property
    def strata(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """The kind and the stratum of each pair, (P,) and (P,), by measure."""
        low, high = np.minimum(self.one, self.other), np.maximum(self.one, self.other)
        by_class = (self.distance * self.classes + low) * self.classes + high
        in_order = (self.distance * self.classes + self.one) * self.classes + self.other
        return {
            PHRASES: (self.phrases, self.distance),
            BY_CLASS: (self.phrases, by_class),
            IN_ORDER: (self.phrases, in_order),
            VERBS: (self.verbs, self.distance),
        }

    @cached_property
    def ranks(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """The pairs of each document, and the ranks of their distances in the tree and in words."""
        ranked = []
        for number in range(int(self.document.max()) + 1):
            rows = np.flatnonzero(self.document == number)
            ranked.append((rows, rankdata(self.tree[rows]), rankdata(self.distance[rows])))
        return ranked

    def matchings(self, least: int) -> dict[str, Matching]:
        """Matches the pairs that can be compared, {measure: matching}.

        least: pairs across in each stratum. Raises UserError if a corpus has none.
        """
        matched = {}
        for measure, (kind, stratum) in self.strata.items():
            try:
                matched[measure] = matrices.matching(kind, stratum, self.document, least)
            except ValueError as error:
                raise UserError(
                    f"{measure.replace('_', ' ')} cannot be measured on this corpus ({error}): take "
                    "more text, or ask for fewer pairs"
                ) from None
        return matched

    def cosines(self, vectors: np.ndarray) -> np.ndarray:
        """Computes the cosine of each pair, (P,); vectors: (N, d) of unit length."""
        of_distance = []
        for k, pairs in enumerate(self.apart, start=1):
            products = np.einsum("id,id->i", vectors[:-k], vectors[k:])
            of_distance.append(products[pairs])
        return np.concatenate(of_distance)


def pairs(
    corpus: Corpus,
    furthest: int = 10,
    classes: str = "upos",
    names: bool = True,
    nested: bool = True,
) -> Pairs:
    """Collects all pairs of words that stand at most `furthest` words apart in a sentence.

    classes: the annotation that word classes are matched by, "upos" or "xpos". names, nested: the
    definition of a noun phrase, see `phrases.noun_phrases`.
    Raises UserError for a corpus without word classes or trees.
    """
    tags, heads = annotations(corpus, classes), annotations(corpus, "heads")
    upos, relations = annotations(corpus, "upos"), annotations(corpus, "relations")
    phrases = _phrases(heads, relations, upos, names, nested)
    flat = np.concatenate(upos)
    labels, tag = np.unique(np.concatenate(tags), return_inverse=True)
    lengths = [len(row) for row in heads]
    sentence = np.repeat(np.arange(len(lengths)), lengths)  # (N,)
    documents = document_numbers(corpus)
    trees = [tree_distances(row) for row in heads]
    apart, columns = [], []
    for k in range(1, furthest + 1):
        is_pair = sentence[:-k] == sentence[k:]
        first = np.flatnonzero(is_pair)
        second = first + k
        edges = np.concatenate([np.diagonal(tree, k) for tree in trees])
        is_verb = (flat[first] == VERB).astype(int) + (flat[second] == VERB)
        apart.append(is_pair)
        columns.append(
            {
                "distance": np.full(len(first), k),
                "tree": edges,
                "document": documents[sentence[first]],
                "one": tag[first],
                "other": tag[second],
                "phrases": _kind(phrases[first], phrases[second]),
                "verbs": np.array([NEITHER, ACROSS, WITHIN])[is_verb],
            }
        )
    joined = {name: np.concatenate([each[name] for each in columns]) for name in columns[0]}
    return Pairs(tuple(apart), **joined, classes=len(labels))


def document_numbers(corpus: Corpus) -> np.ndarray:
    """Numbers the document of each sentence from 0 without gaps."""
    numbers = [sentence.document for sentence in corpus.sentences]
    return np.unique(numbers, return_inverse=True)[1]


def document_weights(corpus: Corpus, draws: int, seed: int) -> np.ndarray:
    """Counts how often each replicate draws each document, (R, D); alike for all on one corpus."""
    return stats.weights(np.unique([s.document for s in corpus.sentences]), draws, seed)


def _phrases(heads, relations, upos, names: bool, nested: bool) -> np.ndarray:
    """The noun phrase of each word, (N,), numbered through the corpus; NO_PHRASE for none."""
    numbers, offset = [], 0
    for row, labels, tags in zip(heads, relations, upos, strict=True):
        of_word = np.array(noun_phrases(row, labels, tags, names, nested))
        numbers.append(np.where(of_word == NO_PHRASE, NO_PHRASE, of_word + offset))
        offset += len(row)
    return np.concatenate(numbers)


def _kind(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """WITHIN one phrase, ACROSS two, NEITHER where a word is in none."""
    kind = np.where(one == other, WITHIN, ACROSS)
    return np.where((one == NO_PHRASE) | (other == NO_PHRASE), NEITHER, kind)


def thinness(pairs: Pairs, matched: Mapping[str, Matching]) -> pd.DataFrame:
    """Counts what each measure compares: strata, pairs within and across, and the share of pairs
    within that find any across.
    """
    rows = {}
    for measure, matching in matched.items():
        across, within = matching.counts.sum(axis=(0, 1))
        rows[measure] = {
            "strata": matching.counts.shape[1],
            "within": within,
            "across": across,
            "share compared": matching.compared,
        }
    return pd.DataFrame(rows).T


def neighbours(pairs: Pairs) -> dict[str, int]:
    """Counts pairs of the two word classes that are most often neighbours in one phrase: "within" a
    phrase, "across", and across "in order" (the order that is more frequent within).
    """
    next_to_it = (pairs.distance == 1) & (pairs.phrases != NEITHER)
    two = pairs.one[next_to_it] * pairs.classes + pairs.other[next_to_it]
    is_within = pairs.phrases[next_to_it] == WITHIN
    most = np.bincount(two[is_within]).argmax()
    turned = most % pairs.classes * pairs.classes + most // pairs.classes
    is_either = np.isin(two, (most, turned))
    return {
        "within": int((is_within & is_either).sum()),
        "across": int((~is_within & is_either).sum()),
        "in order": int((~is_within & (two == most)).sum()),
    }
