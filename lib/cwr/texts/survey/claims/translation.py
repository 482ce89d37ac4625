"""Claims of the post's section on machine translation: which pretraining, and on how much text.

D = draws, C = pretraining tasks, A = amounts of text
"""

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import above, at_least, most
from cwr.tables import Missing, Table
from cwr.texts.survey.claims.readings import (
    ANY_FAMILY,
    EDGE,
    ERROR,
    LEXICAL,
    MIXED,
    STATES,
    all_tasks,
    between_families,
    by_task,
)

TRANSFER, MORE_TEXT = "pretraining_transfer", "pretraining_transfer_by_text"
SENTENCES, TUNED, SCRATCH = "sentence_task_accuracy", "tuned", "from scratch"
TWO_TASKS = ("sst2", "mrpc")  # of GLUE's, those at hand
LANGUAGE_MODEL = "language model"
ABSTRACT = "the source's abstract says so, and its numbers were not at hand"


def _cove_over_glove(table: Table, errors: bool = False) -> dict:
    return between_families(table, "translation", STATES, "static", LEXICAL, errors)


def _elmo_over_cove(table: Table, errors: bool = False) -> dict:
    return between_families(table, "bilstm", MIXED, "translation", STATES, errors)


def _each_task_gains(table: Table) -> np.ndarray:
    """The translation encoder above its static input in each task."""
    truths = [
        above(table, pair.gain, 0, [f"{name}, {task}" for task in pair.tasks])
        for name, pair in _cove_over_glove(table).items()
    ]
    return np.all(truths, axis=0)


def _most_beyond_error(table: Table, pairs: dict) -> np.ndarray:
    """In each pair of models, more than half of the tasks gain more than the combined error."""
    truths = [most(table, pair.gain > pair.error, pair.tasks) for pair in pairs.values()]
    return np.all(truths, axis=0)


def _mean_gain(table: Table) -> np.ndarray:
    truths = [
        above(table, pair.gain.mean(axis=1), 0, f"{name}, mean over tasks")
        for name, pair in _elmo_over_cove(table).items()
    ]
    return np.all(truths, axis=0)


def _nearest_task_is_best(table: Table) -> np.ndarray:
    """For each target its nearest task scores above every other supervised pretraining task."""
    targets = all_tasks(table, TRANSFER)
    if len(targets) < 2:
        raise Missing("pretraining transfer to two targets at least")
    leads = []
    for target in targets:
        nearest = table.values(TRANSFER, task=target, estimator="nearest").max(axis=1)
        other = table.values(TRANSFER, task=target, estimator="other").max(axis=1)
        leads.append(nearest - other)
    lead = np.stack(leads, axis=1)
    return above(table, lead, 0, targets)


def _means_by_pretraining(table: Table) -> tuple[list[str], np.ndarray]:
    """Pretraining tasks (C) and their mean scores over the targets of all of them, (D, C).

    A target that is itself a pretraining task has no score by that one, and is left out.
    Raises Missing for fewer than two targets that are left.
    """
    labels, scores = table.over(("class", "task"), TRANSFER)
    column = {label: number for number, label in enumerate(labels)}
    tasks, targets = (list(dict.fromkeys(names)) for names in zip(*labels, strict=True))
    shared = [target for target in targets if all((task, target) in column for task in tasks)]
    if len(shared) < 2:
        raise Missing("pretraining transfer to two targets at least that are no pretraining tasks")
    of_tasks = [[column[task, target] for target in shared] for task in tasks]
    return tasks, scores[:, of_tasks].mean(axis=2)


def _language_model_is_best(table: Table) -> np.ndarray:
    """The language model has the largest mean; undefined where it shares it."""
    tasks, means = _means_by_pretraining(table)
    language_model = [task == LANGUAGE_MODEL for task in tasks]
    if not any(language_model) or all(language_model):
        raise Missing("pretraining transfer of a language model and of another task")
    others = means[:, ~np.array(language_model)].max(axis=1)
    lead = means[:, language_model][:, 0] - others
    table.undefined(lead == 0, "another pretraining task shares the largest mean")
    return above(table, lead, 0, "lead of the language model")


def _pretraining_helps(table: Table) -> np.ndarray:
    """The tuned model above the same one that began untrained, in both tasks of GLUE at hand."""
    tuned, scratch = (
        by_task(table.where(estimator=name), SENTENCES, TWO_TASKS) for name in (TUNED, SCRATCH)
    )
    return above(table, tuned - scratch, 0, TWO_TASKS)


def _more_text_catches_up(table: Table) -> np.ndarray:
    """Scores rise with every amount of text and end at or above the best supervised task."""
    labels, scores = table.over(("k", "task"), MORE_TEXT)
    amounts = np.array([float(amount) for amount, _ in labels])
    sizes = np.unique(amounts)
    if len(sizes) < 2:
        raise Missing("pretraining transfer by text for two amounts of text at least")
    means = [scores[:, amounts == amount].mean(axis=1) for amount in sizes]
    steps = np.diff(np.stack(means, axis=1), axis=1)  # (D, A - 1)
    rises = above(table, steps, 0, [f"up to {amount:g}" for amount in sizes[1:]])
    tasks, pretrained = _means_by_pretraining(table)
    supervised = [number for number, task in enumerate(tasks) if task != LANGUAGE_MODEL]
    if not supervised:
        raise Missing("pretraining transfer of a supervised task")
    lead = means[-1] - pretrained[:, supervised].max(axis=1)
    return rises & at_least(table, lead, 0, "lead over the best supervised task")


ENCODERS = [
    Claim(
        id="sur-cove-ctx",
        place="Machine translation, paragraph 1",
        says="The hidden states of a translation encoder are usable contextual vectors.",
        needs=Needs(measures=(EDGE,), families=("translation", "static"), compares=True),
        holds=_each_task_gains,
        tolerance="CoVe is above GloVe, its own input, in each task",
        general="The claim is about one translation encoder and its own input vectors.",
    ),
    Claim(
        id="sur-cove-ctx.beyond-error",
        place="Machine translation, paragraph 1",
        says="In most tasks the states of a translation encoder gain more than the error of the "
        "two scores.",
        needs=Needs(measures=(EDGE, ERROR), families=("translation", "static"), compares=True),
        holds=lambda table: _most_beyond_error(table, _cove_over_glove(table, errors=True)),
        tolerance="CoVe minus GloVe exceeds the combined error in more than half of the tasks",
        because=(
            "This is a stricter variant of sur-cove-ctx: the post does not speak of errors. On "
            "SPR2 the gain is within the error, on Winograd about equal to the error."
        ),
        ours=True,
        general="The claim is about one translation encoder and its own input vectors.",
    ),
    Claim(
        id="sur-lm-beats-mt",
        place="Machine translation, paragraph 1",
        says="Pretraining as a language model beats pretraining as a translation model.",
        needs=Needs(measures=(EDGE,), families=("bilstm", "translation"), compares=True),
        holds=_mean_gain,
        tolerance="ELMo minus CoVe is above 0, as a mean over tasks",
        because=(
            "The sentence is true as a report of two models. The two models differ in "
            "architecture, objective and data at once, so this is no controlled comparison of "
            "objectives."
        ),
        general="The claim compares two released models.",
    ),
    Claim(
        id="sur-lm-beats-mt.beyond-error",
        place="Machine translation, paragraph 1",
        says="In most tasks the lead of the language model over the translation model exceeds the "
        "error of the two scores.",
        needs=Needs(measures=(EDGE, ERROR), families=("bilstm", "translation"), compares=True),
        holds=lambda table: _most_beyond_error(table, _elmo_over_cove(table, errors=True)),
        tolerance="ELMo minus CoVe exceeds the combined error in more than half of the tasks",
        because=(
            "This is a stricter variant of sur-lm-beats-mt: the post does not speak of errors. "
            "On SemEval relations, SPR2 and Winograd the lead is within the error."
        ),
        ours=True,
        general="The claim compares two released models.",
    ),
    Claim(
        id="sur-bert-confirms",
        place="Machine translation, paragraph 1",
        says="BERT confirms that self-supervised pretraining of language models helps.",
        needs=Needs(measures=()),
        holds=None,
        tolerance="",
        unprinted=(
            "the statement rests on GLUE, whose numbers were not at hand and whose test labels "
            "are not public"
        ),
    ),
    Claim(
        id="sur-bert-confirms.two-tasks",
        place="Machine translation, paragraph 1",
        says="On two tasks of GLUE a pretrained masked model beats one without pretraining.",
        needs=Needs(measures=(SENTENCES,), families=("masked",), tasks=TWO_TASKS),
        holds=_pretraining_helps,
        tolerance=(
            "the tuned pretrained model is above the untrained one after equally many updates, on "
            "SST-2 and MRPC"
        ),
        because="We have two of GLUE's tasks. The other tasks were not run.",
        unprinted="GLUE's numbers were not at hand",
        ours=True,
        general=General(
            says=("On two tasks of GLUE any pretrained model beats one without pretraining.")
        ),
    ),
]

PRETRAINING = [
    Claim(
        id="sur-related-task",
        place="Machine translation, paragraph 2",
        says="At equal data, pretraining on a task close to the target transfers best.",
        needs=Needs(measures=(TRANSFER,), families=ANY_FAMILY),
        holds=_nearest_task_is_best,
        tolerance="for each target its nearest task is the best supervised pretraining task",
        because=(
            'The post says that "the performance improves"; its source says best, at equal data. '
            "We fixed the nearest task of each target before we looked at the scores."
        ),
        unprinted=ABSTRACT,
    ),
    Claim(
        id="sur-related-task.lm-average",
        place="not in the post, but in its source's abstract",
        says="At equal data, pretraining as a language model is the best on average.",
        needs=Needs(measures=(TRANSFER,), families=ANY_FAMILY),
        holds=_language_model_is_best,
        tolerance="the language model has the largest mean over the targets that are no pretraining "
        "task",
        because="This is the second half of the source's sentence, which the post leaves out.",
        unprinted=ABSTRACT,
        ours=True,
    ),
    Claim(
        id="sur-big-lm-levels",
        place="Machine translation, paragraph 2",
        says="A language model pretrained on large amounts of text performs comparably to a "
        "related task.",
        needs=Needs(measures=(TRANSFER, MORE_TEXT), families=ANY_FAMILY),
        holds=_more_text_catches_up,
        tolerance="scores rise with the amount of text and end at or above the best supervised "
        "task on average",
        because=(
            "The post understates: the source's abstract says that more data gives the best "
            "results. The post's next sentence agrees with that. We count only targets that are no "
            "pretraining task."
        ),
        unprinted=ABSTRACT,
    ),
]

CLAIMS = [*ENCODERS, *PRETRAINING]
