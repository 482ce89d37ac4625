"""Predicts the tasks of edge probing by rules that read no vector: the baseline for probes.

A probe that does no better than two strings side by side says nothing about vectors.

    constant                          every task: the label that is most frequent in the other
                                      folds, of those that are scored; of coreference: always "1"
                                      same string                       coreference: both mentions
                                      are the same words same last word or pronoun class
                                      coreference: their last words are the same, or both mentions
                                      are pronouns of one person second is a pronoun
                                      coreference: the second mention is a personal pronoun

Upper and lower case are one. `said` gives each rule's labels; the scores are
`cwr.texts.survey.edge_probes.rule_rows`.

n targets
"""

import numpy as np

from cwr.corpora import edge_tasks
from cwr.corpora.edge_tasks import COREFERENT, NOT_COREFERENT, SECOND, SPAN, EdgeTask

CONSTANT = "constant"
SAME_STRING, SAME_LAST = "same string", "same last word or pronoun class"
SECOND_PRONOUN = "second is a pronoun"

PRONOUNS = (  # of one person each: forms that may mean the same
    ("i", "me", "my", "mine", "myself"),
    ("we", "us", "our", "ours", "ourselves"),
    ("you", "your", "yours", "yourself", "yourselves"),
    ("he", "him", "his", "himself"),
    ("she", "her", "hers", "herself"),
    ("it", "its", "itself"),
    ("they", "them", "their", "theirs", "themselves"),
)
PERSON = {form: number for number, forms in enumerate(PRONOUNS) for form in forms}


def said(task: EdgeTask, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Predicts the number of each target's label by each rule, {rule: (n,)}, CONSTANT first.

    rows: numbers of targets, (n,). The constant label of a target is counted in all other folds.
    """
    rules = {CONSTANT: _constant(task, rows)}
    if task.name == "coreference":
        first, second = (edge_tasks.span_words(task, rows, side) for side in (SPAN, SECOND))
        same, different = np.searchsorted(task.labels, [COREFERENT, NOT_COREFERENT])
        for name, answers in _of_mentions(first, second).items():
            rules[name] = np.where(answers, same, different)
    return rules


def _of_mentions(first: list, second: list) -> dict[str, np.ndarray]:
    """What each rule about two mentions says of these pairs, {rule: (n,) bool}."""
    pairs = list(zip(first, second, strict=True))
    persons = [(_person(one), _person(other)) for one, other in pairs]
    alike = [one == other and one is not None for one, other in persons]
    return {
        SAME_STRING: np.array([one == other for one, other in pairs]),
        SAME_LAST: np.array([one[-1] == other[-1] for one, other in pairs]) | np.array(alike),
        SECOND_PRONOUN: np.array([other is not None for _, other in persons]),
    }


def _person(words: tuple[str, ...]) -> int | None:
    """Which of PRONOUNS a mention is; None for any other mention."""
    return PERSON.get(words[0]) if len(words) == 1 else None


def _constant(task: EdgeTask, rows: np.ndarray) -> np.ndarray:
    fold = task.table["fold"].to_numpy()
    labels = np.zeros(len(rows), dtype=int)
    for number in task.folds:
        counts = np.bincount(task.gold[fold != number], minlength=len(task.labels))
        labels[fold[rows] == number] = np.where(task.scored, counts, -1).argmax()
    return labels
