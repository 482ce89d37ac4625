"""Claims of the post's section on ELMo against BERT."""

import numpy as np

from cwr.papers.claims import Claim, Needs
from cwr.papers.predicates import TIE, above, most
from cwr.tables import Table
from cwr.texts.survey.claims.readings import EDGE, ERROR, MIXED, between_families, by_task
from cwr.texts.survey.claims.translation import SENTENCES, TUNED, TWO_TASKS

FAMILIES = ("masked", "bilstm")


def _bert_over_elmo(table: Table, errors: bool) -> dict:
    return between_families(table, "masked", MIXED, "bilstm", MIXED, errors)


def _better_in_eight_of_eleven(table: Table) -> np.ndarray:
    truths = [
        most(table, pair.gain > 0, pair.tasks, share=8 / 11 - TIE)
        for pair in _bert_over_elmo(table, errors=False).values()
    ]
    return np.all(truths, axis=0)


def _most_beyond_error(table: Table) -> np.ndarray:
    truths = [
        most(table, pair.gain > pair.error, pair.tasks)
        for pair in _bert_over_elmo(table, errors=True).values()
    ]
    return np.all(truths, axis=0)


def _better_on_two_tasks(table: Table) -> np.ndarray:
    """Every masked model above every biLSTM, both tuned, in both tasks of GLUE at hand."""
    tuned = table.where(estimator=TUNED)
    masked, bilstms = (tuned.where(family=name).with_measure(SENTENCES) for name in FAMILIES)
    truths = []
    for name, model in masked.items():
        for than, other in bilstms.items():
            lead = by_task(model, SENTENCES, TWO_TASKS) - by_task(other, SENTENCES, TWO_TASKS)
            labels = [f"{name} minus {than}, {task}" for task in TWO_TASKS]
            truths.append(above(table, lead, 0, labels))
    return np.all(truths, axis=0)


CLAIMS = [
    Claim(
        id="sur-bert-glue",
        place="Settling the debate, paragraph 1",
        says="BERT is better than ELMo on GLUE.",
        needs=Needs(measures=()),
        holds=None,
        tolerance="",
        unprinted="the numbers of GLUE were not at hand, and its test labels are not public",
    ),
    Claim(
        id="sur-bert-glue.two-tasks",
        place="Settling the debate, paragraph 1",
        says="BERT is better than ELMo on two tasks of GLUE.",
        needs=Needs(measures=(SENTENCES,), families=FAMILIES, compares=True, tasks=TWO_TASKS),
        holds=_better_on_two_tasks,
        tolerance=(
            "each tuned masked model is above each tuned biLSTM on SST-2 and on MRPC, after "
            "equally many updates"
        ),
        because="We have the dev sentences of two of GLUE's tasks. The other tasks were not run.",
        unprinted="GLUE's numbers were not at hand",
        ours=True,
        general="The claim compares families.",
    ),
    Claim(
        id="sur-bert-edge",
        place="Settling the debate, paragraph 2",
        says="BERT is better than ELMo on most syntactic and semantic tasks.",
        needs=Needs(measures=(EDGE,), families=FAMILIES, compares=True),
        holds=_better_in_eight_of_eleven,
        tolerance="each masked model is better in at least 8 of 11 tasks",
        because=(
            'The post says that BERT "performs well in most" tasks and "seems to perform better in '
            'general". We read "most" as clearly more than half, also of fewer tasks.'
        ),
        general="The claim compares families.",
    ),
    Claim(
        id="sur-bert-edge.beyond-error",
        place="Settling the debate, paragraph 2",
        says="In most tasks BERT's lead over ELMo exceeds the error of the two scores.",
        needs=Needs(measures=(EDGE, ERROR), families=FAMILIES, compares=True),
        holds=_most_beyond_error,
        tolerance=(
            "the lead exceeds the combined error in more than half of the tasks, for each masked "
            "model"
        ),
        because=(
            "This is a stricter variant of sur-bert-edge: the post does not speak of errors. For "
            "BERT-large the difference on Winograd hardly exceeds the error."
        ),
        ours=True,
        general="The claim compares families.",
    ),
]
