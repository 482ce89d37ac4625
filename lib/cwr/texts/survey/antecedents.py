"""Resolves pronouns by vectors that nobody trained for it.

Peters et al. (2018b), "unsupervised coreference", on any corpus with chains, and on the Definite
Pronoun Resolution data (Rahman and Ng, 2012). Its sentences come in twins that differ in a word or
two, so that the other of two candidates is right.

    N words of the corpus, in order, I pronouns, D documents, R draws, d dimensions
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from cwr.corpora import Corpus
from cwr.corpora.treebanks.labels import annotations
from cwr.errors import UserError
from cwr.measures.similarity_matrices import antecedent
from cwr.texts.survey.pronouns import Pronoun

ACCURACY = "pronoun_coreference_accuracy"
RULES = f"{ACCURACY}_baseline"
UNSUBTRACTED, ANY_NUMBER = f"{ACCURACY}_without_subtraction", f"{ACCURACY}_any_number"
DPR, TWINS = "definite_pronoun_accuracy", "definite_pronoun_twin_accuracy"
TASK = "pronoun coreference"
CLOSEST, FIRST = "closest noun before the pronoun", "first noun in the sentence"
AGREEING = {CLOSEST: "closest noun, number agreement", FIRST: "first noun, number agreement"}
PERCENT = 100


class Words(NamedTuple):
    """The vectors of a corpus's words in one layer, (N, d), and where each sentence starts."""

    vectors: np.ndarray
    starts: np.ndarray

    def of(self, sentence: int, first: int, last: int) -> np.ndarray:
        """Returns the vectors of some words of a sentence, (last - first + 1, d)."""
        start = self.starts[sentence]
        return self.vectors[start + first : start + last + 1]


def words(vectors: np.ndarray, corpus: Corpus) -> Words:
    """Adds the sentences' starts to vectors (N, d) of all words of the corpus in order."""
    lengths = [len(sentence.spans) for sentence in corpus.sentences]
    return Words(vectors, np.cumsum([0, *lengths]))


# ---- pronouns of a treebank


def chosen(
    layer: Words, item: Pronoun, subtracts: bool = True, by_number: bool = True
) -> int | None:
    """Returns the index of the noun, among a pronoun's nouns, to which its vector points.

    subtracts: whether the mean of its phrase is first subtracted from the pronoun. by_number:
    whether only nouns of its number are candidates; returns None if there are none.
    """
    places = [place for place, agrees in enumerate(item.agrees) if agrees or not by_number]
    if not places:
        return None
    sentence = layer.of(item.sentence, 0, max(item.word, item.phrase[1]))
    first, last = item.phrase
    phrase = sentence[first : last + 1].mean(axis=0) if subtracts else None
    candidates = sentence[[item.nouns[place] for place in places]]
    return places[antecedent(sentence[item.word], candidates, phrase)]


def right(
    layer: Words, items: Sequence[Pronoun], subtracts: bool = True, by_number: bool = True
) -> np.ndarray:
    """Tells for which pronouns the chosen noun is an antecedent, (I,) bool; none is wrong."""
    answers = [chosen(layer, item, subtracts, by_number) for item in items]
    return _right(answers, items)


def rules(items: Sequence[Pronoun]) -> dict[str, np.ndarray]:
    """Tells on which pronouns each of four rules without vectors is right: {rule: (I,) bool}."""
    answers = {}
    for rule, place in ((CLOSEST, -1), (FIRST, 0)):
        answers[rule] = [range(len(item.nouns))[place] for item in items]
        agreeing = [np.flatnonzero(item.agrees) for item in items]
        answers[AGREEING[rule]] = [each[place] if len(each) else None for each in agreeing]
    return {rule: _right(of_rule, items) for rule, of_rule in answers.items()}


def _right(answers: Sequence[int | None], items: Sequence[Pronoun]) -> np.ndarray:
    pairs = zip(answers, items, strict=True)
    return np.array([place is not None and item.is_antecedent[place] for place, item in pairs])


def share_row(is_right: np.ndarray, document: np.ndarray, weights: np.ndarray, **keys) -> dict:
    """Computes the share of right answers in per cent, as a row for `results.write`.

    is_right, document: (I,), documents numbered from 0. weights: (R, D).
    Raises UserError for no pronouns.
    """
    if not len(is_right):
        raise UserError("no pronoun with two nouns before it is in this text: take a longer one")
    documents = weights.shape[1]
    hits = weights @ np.bincount(document, is_right, minlength=documents)
    total = weights @ np.bincount(document, minlength=documents)
    drawn = np.where(total > 0, PERCENT * hits / np.where(total > 0, total, 1), np.nan)
    return {**keys, "task": TASK, "value": PERCENT * is_right.mean(), "replicates": drawn}


def rule_rows(items: Sequence[Pronoun], document: np.ndarray, weights: np.ndarray) -> list[dict]:
    """Computes the accuracy of each rule, whose name is the model; arguments as `share_row`."""
    return [
        share_row(is_right, document, weights, model=rule, measure=RULES)
        for rule, is_right in rules(items).items()
    ]


def accuracy_rows(
    layers: Iterable[tuple[int, Words]],
    items: Sequence[Pronoun],
    document: np.ndarray,
    weights: np.ndarray,
    **keys: object,
) -> Iterator[dict]:
    """Yields each layer's accuracy: plain, without subtraction, and with nouns of any number.

    layers: number and vectors of each. document: (I,). weights: (R, D). keys: of all rows, such as
    model and family.
    """
    forms = {
        ACCURACY: {},
        UNSUBTRACTED: {"subtracts": False},
        ANY_NUMBER: {"by_number": False},
    }
    for number, layer in layers:
        for measure, form in forms.items():
            is_right = right(layer, items, **form)
            yield share_row(is_right, document, weights, **keys, layer=number, measure=measure)


# ---- twins


def twins_right(layer: Words, corpus: Corpus) -> np.ndarray:
    """Tells whether the nearer of two candidates is right, (pairs of twins, 2) bool.

    corpus: "dpr". A candidate is the mean of its words; there are no constituents, so nothing is
    subtracted.
    Raises UserError for another corpus.
    """
    answers = annotations(corpus, "answer")
    is_right = []
    for number, sentence in enumerate(corpus.sentences):
        about = sentence.annotations
        candidates = [layer.of(number, *span).mean(axis=0) for span in about["candidates"]]
        pronoun = layer.of(number, about["pronoun"], about["pronoun"])[0]
        nearest = antecedent(pronoun, np.stack(candidates), None)
        is_right.append(nearest == answers[number])
    return np.array(is_right).reshape(-1, 2)


def twin_rows(vectors: Words, corpus: Corpus, weights: np.ndarray, **keys) -> list[dict]:
    """Computes accuracy on single sentences (chance 50) and on both of a pair (25), in per cent.

    weights: (R, pairs of twins).
    """
    is_right = twins_right(vectors, corpus)
    rows = []
    for measure, of_pair in ((DPR, is_right.mean(axis=1)), (TWINS, is_right.all(axis=1))):
        drawn = PERCENT * (weights @ of_pair) / weights.sum(axis=1)
        value = PERCENT * of_pair.mean()
        rows.append({**keys, "measure": measure, "value": value, "replicates": drawn})
    return rows
