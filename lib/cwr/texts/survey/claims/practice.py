"""Claims of the post's section "in practice": how large a probe, which tasks, which layers.

D = draws, T = tasks
"""

from functools import partial

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import TIE, above, below, every, most
from cwr.tables import Missing, Table
from cwr.texts.survey.claims.readings import (
    ANY_FAMILY,
    EDGE,
    ERROR,
    LEAST_TASKS,
    MIX,
    NO_NUMBER,
    SEMANTIC,
    SINGLE,
    SPR_AND_COREFERENCE,
    SYNTAX,
    all_tasks,
    best_layers,
    every_layer,
    over_input,
    tasks_at_hand,
)

FROZEN = "frozen_probe_score"
PERPLEXITY, TRANSFER = "layer_perplexity", "layer_transfer_score"
EQUAL_UPDATES, TUNED = "equal_updates_score", "tuned"
FREE_TEXT = ("coreference",)  # semantic tasks that a free text has labels of
FREE_TEXTS = ("coreference", "semeval")  # and those that two texts have


def _frozen(table: Table, probe: str, task: str) -> np.ndarray:
    return table.value(FROZEN, estimator=probe, task=task)


def _lead_over_linear(table: Table, task: str) -> np.ndarray:
    """The score of the best probe minus that of the linear one, (D,)."""
    _, scores = table.over("estimator", FROZEN, task=task)
    return scores.max(axis=1) - _frozen(table, "linear", task)


def _linear_is_enough(table: Table, points: float = 1.0) -> np.ndarray:
    """In half of the tasks the best probe is at most so many points above the linear one."""
    tasks = all_tasks(table, FROZEN)
    if len(tasks) < LEAST_TASKS:
        raise Missing(f"frozen probe score on {LEAST_TASKS} tasks at least")
    leads = [_lead_over_linear(table, task) for task in tasks]
    small = np.stack(leads, axis=1) <= points  # (D, T)
    return most(table, small, tasks, share=0.5 - TIE)


def _entities_need_more(table: Table, points: float = 1.0) -> np.ndarray:
    """The best probe gains more than so many points on entities, and more than on part of speech."""
    entities, pos = (_lead_over_linear(table, task) for task in ("entities", "pos"))
    large = above(table, entities, points, "gain of the best probe on entities")
    return large & above(table, entities - pos, 0, "gain on entities minus gain on pos")


def _context_by_task(table: Table) -> np.ndarray:
    """On average over the semantic tasks at hand a biLSTM gains over an MLP."""
    mlp, bilstm = (table.where(estimator=probe) for probe in ("mlp", "bilstm"))
    tasks = tasks_at_hand(mlp, bilstm, measure=FROZEN, among=SEMANTIC, at_least=2)
    gain = [_frozen(table, "bilstm", task) - _frozen(table, "mlp", task) for task in tasks]
    name = f"mean gain of the biLSTM on {' and '.join(tasks)}"
    return above(table, np.mean(gain, axis=0), 0, name)


def _syntax_gains_more(table: Table, semantic: tuple[str, ...]) -> np.ndarray:
    lead = _mean_gain(table, SYNTAX) - _mean_gain(table, semantic)
    return above(table, lead, 0, "mean gain on syntax minus that on semantics")


def _mean_gain(table: Table, tasks: tuple[str, ...]) -> np.ndarray:
    return over_input(table, tasks=tasks).gain.mean(axis=1)


def _no_semantic_gain(table: Table) -> np.ndarray:
    semantic = over_input(table, tasks=SEMANTIC, errors=True)
    return every(table, semantic.gain <= semantic.error, SEMANTIC, semantic.gain)


def _most_weight_in(table: Table, lowest: float, highest: float) -> np.ndarray:
    """In three quarters of the tasks the largest weight lies in this range, ends included."""
    tasks, within = _largest_weight_in(table, lowest, highest)
    return most(table, within, tasks, share=0.75 - TIE)


def _no_such_weight_in_the_lower_half(table: Table) -> np.ndarray:
    tasks, within = _largest_weight_in(table, 1, table.layers(MIX)[-1] / 2)
    return below(table, within.mean(axis=1), 0.75, f"share of {len(tasks)} tasks")


def _largest_weight_in(table: Table, lowest: float, highest: float) -> tuple[list[str], np.ndarray]:
    """Tasks (T), and whether the largest weight of each lies in this range, (D, T)."""
    tasks = _tasks_of(table, MIX)
    best = best_layers(table, MIX, tasks)
    return tasks, (best >= lowest) & (best <= highest)


def _in_the_middle(table: Table) -> np.ndarray:
    """In half of the tasks the best single layer is above the lowest quarter, below the top."""
    tasks = _tasks_of(table, SINGLE)
    best, depth = best_layers(table, SINGLE, tasks), table.layers(SINGLE)[-1]
    within = (best >= np.ceil(depth / 4)) & (best <= depth - 1)
    return most(table, within, tasks, share=0.5 - TIE)


def _tasks_of(table: Table, measure: str) -> list[str]:
    tasks = all_tasks(table, measure)
    if len(tasks) < LEAST_TASKS:
        raise Missing(f"{measure.replace('_', ' ')} on {LEAST_TASKS} tasks at least")
    return tasks


def _falls_upwards(table: Table, first: int) -> np.ndarray:
    """Perplexity falls from layer 0 up, the mean transfer score from layer `first` up."""
    perplexity, transfer = table.curve(PERPLEXITY), _mean_transfer(table)
    falls = _steps_down(table, perplexity, "perplexity", 0)
    return falls & _steps_down(table, transfer, "mean transfer score", first)


def _mean_transfer(table: Table) -> np.ndarray:
    """Mean score over the tasks in each layer, (D, L).

    Raises Missing unless every task has every layer.
    """
    curves = [every_layer(table, TRANSFER, task) for task in all_tasks(table, TRANSFER)]
    if not curves or len({curve.shape for curve in curves}) > 1:
        raise Missing("layer transfer score in every layer, for every task")
    return np.mean(curves, axis=0)


def _steps_down(table: Table, values: np.ndarray, name: str, first: int) -> np.ndarray:
    """Whether values (D, L) fall from layer `first` up, at every step.

    Raises Missing for fewer than two layers.
    """
    steps = np.diff(values[:, first:], axis=1)
    if not steps.shape[1]:
        raise Missing(f"{name} in layers {first} and {first + 1}")
    labels = [f"{name}, layer {layer}" for layer in range(first + 1, values.shape[1])]
    return below(table, steps, 0, labels)


def _tuning_gains_little(table: Table, points: float = 1.0) -> np.ndarray:
    """In most tasks the tuned model is at most so many points above the best frozen probe."""
    tasks = _tasks_of(table, EQUAL_UPDATES)
    gains = []
    for task in tasks:
        _, frozen = table.where(not_estimator=TUNED).over("estimator", EQUAL_UPDATES, 1, task=task)
        tuned = table.value(EQUAL_UPDATES, estimator=TUNED, task=task)
        gains.append(tuned - frozen.max(axis=1))
    return most(table, np.stack(gains, axis=1) <= points, tasks)


PROBES = [
    Claim(
        id="sur-linear-enough",
        place="In practice, bullet 1",
        says="A linear layer on frozen vectors performs well for most tasks.",
        needs=Needs(measures=(FROZEN,), families=ANY_FAMILY),
        holds=_linear_is_enough,
        tolerance=(
            "the best probe exceeds the linear probe by at most {points} point in at least half "
            "of the tasks"
        ),
        because='We read "performs well" as a score within a point of the best probe.',
        unprinted=NO_NUMBER,
    ),
    Claim(
        id="sur-ner-needs-more",
        place="In practice, bullet 1",
        says="Entity recognition and some other tasks need more parameters than a linear layer.",
        needs=Needs(measures=(FROZEN,), families=ANY_FAMILY, tasks=("entities", "pos")),
        holds=_entities_need_more,
        tolerance=(
            "the best probe exceeds the linear probe by more than {points} point for entities, and "
            "by more for entities than for pos"
        ),
        because=(
            'The post says "a BI-LSTM or a Multi-layer Perceptron", so one of them is enough. Part of '
            "speech stands for the tasks for which a linear layer performs well."
        ),
        unprinted=NO_NUMBER,
    ),
]

SYNTAX_AND_SEMANTICS = [
    Claim(
        id="sur-syntax-over-semantics",
        place="In practice, bullet 2",
        says="ELMo's contextual vectors gain more over static ones on syntax than on semantics.",
        needs=Needs(measures=(EDGE,), families=("bilstm",), tasks=(*SYNTAX, *SPR_AND_COREFERENCE)),
        holds=partial(_syntax_gains_more, semantic=SPR_AND_COREFERENCE),
        tolerance=(
            "ELMo's mean gain on pos, constituents and dependencies is above that on coreference, "
            "spr1 and spr2"
        ),
        because=(
            'We read "outshines ... in syntactic tasks and not on tasks demanding semantic '
            'understanding" as a larger gain. In print the gain on SemEval relations is larger than '
            "each of these gains, but words without their order already give most of it."
        ),
        general=General(
            says="The contextual vectors of any model gain more over its input layer on syntax "
            "than on semantics."
        ),
    ),
    Claim(
        id="sur-syntax-over-semantics.all-semantic",
        place="In practice, bullet 2",
        says="ELMo's contextual vectors gain more over static ones on syntax than on all semantic "
        "tasks together.",
        needs=Needs(measures=(EDGE,), families=("bilstm",), tasks=(*SYNTAX, *SEMANTIC)),
        holds=partial(_syntax_gains_more, semantic=SEMANTIC),
        tolerance=(
            "ELMo's mean gain on pos, constituents and dependencies is above its mean gain on all "
            "seven semantic tasks"
        ),
        because=(
            "In print the statement holds for ELMo and GPT, and BERT gains slightly more on the "
            "semantic tasks."
        ),
        general=General(
            says="The contextual vectors of any model gain more on syntax than on all semantic "
            "tasks together."
        ),
    ),
    Claim(
        id="sur-syntax-over-semantics.without-proto-roles",
        place="In practice, bullet 2",
        says="ELMo's contextual vectors gain more over static ones on syntax than on coreference.",
        needs=Needs(measures=(EDGE,), families=("bilstm",), tasks=(*SYNTAX, *FREE_TEXT)),
        holds=partial(_syntax_gains_more, semantic=FREE_TEXT),
        tolerance=(
            "ELMo's mean gain on pos, constituents and dependencies is above its gain on "
            "coreference"
        ),
        because=(
            "No free text has labels of proto-roles. Coreference alone stands for semantics, so "
            "this is a weaker claim."
        ),
        ours=True,
        general=General(
            says="The contextual vectors of any model gain more over its input layer on syntax "
            "than on coreference."
        ),
    ),
    Claim(
        id="sur-syntax-over-semantics.all-semantic.without-roles",
        place="In practice, bullet 2",
        says="ELMo's contextual vectors gain more over static ones on syntax than on coreference "
        "and relations together.",
        needs=Needs(measures=(EDGE,), families=("bilstm",), tasks=(*SYNTAX, *FREE_TEXTS)),
        holds=partial(_syntax_gains_more, semantic=FREE_TEXTS),
        tolerance=(
            "ELMo's mean gain on pos, constituents and dependencies is above its mean gain on "
            "coreference and semeval"
        ),
        because=(
            "We have texts for two of the seven semantic tasks. In print words without their order "
            "already give most of the gain on SemEval relations."
        ),
        ours=True,
        general=General(
            says="The contextual vectors of any model gain more over its input layer on syntax "
            "than on coreference and relations together."
        ),
    ),
    Claim(
        id="sur-syntax-over-semantics.no-semantic-gain",
        place="In practice, bullet 2",
        says="On tasks that demand semantic understanding ELMo's contextual vectors do not gain "
        "over static ones.",
        needs=Needs(measures=(EDGE, ERROR), families=("bilstm",), tasks=SEMANTIC),
        holds=_no_semantic_gain,
        tolerance="ELMo gains no more than the combined error on any of the seven semantic tasks",
        because=(
            'This takes the wording strictly ("and not on tasks demanding semantic '
            "understanding\"). The source's abstract speaks of comparably small improvements, not "
            "of none."
        ),
        general=General(
            says="On semantic tasks the contextual vectors of any model do not gain over its "
            "input layer."
        ),
    ),
    Claim(
        id="sur-task-contextualization",
        place="In practice, bullet 2",
        says="Semantic tasks need contextualisation that is trained on the task.",
        needs=Needs(measures=(FROZEN,), families=ANY_FAMILY),
        holds=_context_by_task,
        tolerance=(
            "a biLSTM exceeds an MLP of the same size on average over the semantic tasks at hand, "
            "at least two"
        ),
        because=(
            'The post hedges ("in some cases", "suggesting"). A biLSTM probe reads the whole sentence '
            "for its task; an MLP with as many weights reads each word alone."
        ),
        unprinted=NO_NUMBER,
    ),
]

LAYERS = [
    Claim(
        id="sur-elmo-layer1",
        place="In practice, bullet 3",
        says="In ELMo lower layers perform well across a range of tasks.",
        needs=Needs(measures=(MIX,), families=("bilstm",), n_layers=2),
        holds=partial(_most_weight_in, lowest=1, highest=1),
        tolerance="layer 1 has the largest mixing weight in at least three quarters of the tasks "
        "(6 of 8)",
        because=(
            'The post says "consistently well", which we read as the largest weight. A weight is '
            "not a score. In print the lead of layer 1 on relations is less than 0.001."
        ),
        general=General(
            says="A contextual layer in the lower half of any model serves most tasks best.",
            holds=lambda table: _most_weight_in(table, 1, table.layers(MIX)[-1] / 2),
            tolerance="the largest mixing weight lies in layers 1 to L/2 in three quarters of the "
            "tasks",
        ),
    ),
    Claim(
        id="sur-bert-not-low",
        place="In practice, bullet 3",
        says="BERT shows no trend like that of ELMo's lower layers.",
        needs=Needs(measures=(MIX,), families=("masked",)),
        holds=_no_such_weight_in_the_lower_half,
        tolerance="the largest mixing weight lies in layers 1 to L/2 in less than three quarters of "
        "the tasks",
        because="BERT must fail the condition of sur-elmo-layer1. A weight is not a score.",
        general="The claim sets BERT apart from ELMo.",
    ),
    Claim(
        id="sur-bert-middle",
        place="In practice, bullet 3",
        says="In BERT some of the middle layers do well.",
        needs=Needs(measures=(SINGLE,), families=("masked",)),
        holds=_in_the_middle,
        tolerance="the best single layer lies in L/4 to L - 1 for at least half of the tasks",
        because="We read the middle widely, as all layers but the lowest quarter and the top layer.",
        unprinted=(
            "the source prints no scores of single layers; reading notes give ranges of layers"
        ),
        general=General(says="In any model some of the middle layers do well."),
    ),
    Claim(
        id="sur-elmo-monotone",
        place="In practice, bullet 4",
        says=(
            "ELMo's top layers are best as language models; its performance on other tasks falls "
            "from layer 1 upwards."
        ),
        needs=Needs(measures=(PERPLEXITY, TRANSFER), families=("bilstm",)),
        holds=partial(_falls_upwards, first=1),
        tolerance="perplexity falls with depth, and the mean transfer score falls from layer "
        "{first} up",
        because=(
            'The post does not say which layer it calls "layer 0". We take it as the first '
            "contextual layer, counted from 0. With this count the sentence agrees with its "
            "source."
        ),
        unprinted=NO_NUMBER,
        general=General(
            says=(
                "The top layers of any model are best as language models; performance on other "
                "tasks falls from layer 1 up."
            )
        ),
    ),
    Claim(
        id="sur-elmo-monotone.from-input",
        place="In practice, bullet 4",
        says=(
            "ELMo's top layers are best as language models; its performance on other tasks falls "
            "from the input layer upwards."
        ),
        needs=Needs(measures=(PERPLEXITY, TRANSFER), families=("bilstm",)),
        holds=partial(_falls_upwards, first=0),
        tolerance="perplexity falls with depth, and so does the mean transfer score from layer "
        "{first} up",
        because=(
            "This is the harder reading of sur-elmo-monotone, in which layer 0 is the input "
            "layer. According to reading notes ELMo's input layer, a character CNN, is the weakest "
            "for transfer."
        ),
        unprinted=NO_NUMBER,
        general=General(
            says=(
                "The top layers of any model are best as language models; performance on other "
                "tasks falls from layer 0 up."
            )
        ),
    ),
]

TUNING = [
    Claim(
        id="sur-tune-or-not",
        place="not in the post, but in the paper that it names under In practice",
        says="Tuning a whole model gains little over its frozen layers under a probe.",
        needs=Needs(measures=(EQUAL_UPDATES,), families=ANY_FAMILY),
        holds=_tuning_gains_little,
        tolerance=(
            "tuning exceeds the best frozen probe by at most {points} point in more than half of "
            "the tasks, after equally many updates"
        ),
        because="The post sends its readers to the paper and does not report its result.",
        unprinted=NO_NUMBER,
        ours=True,
    ),
]

CLAIMS = [*PROBES, *SYNTAX_AND_SEMANTICS, *LAYERS, *TUNING]
