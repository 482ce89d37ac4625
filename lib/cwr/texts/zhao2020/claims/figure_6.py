"""Claims of Zhao et al. (2020) about Figure 6: old (a) and new probes (b) after fine-tuning.

Of Figure 6 only the numbers of POS in layer 11 are printed. Blocks are counted from 0, as in the
paper. What the paper says of its four tasks is asked of these; the general forms, of whichever
tasks about words and about sentences are there.

D = draws, B = blocks, T = tasks
"""

from dataclasses import replace
from functools import partial

import numpy as np

from cwr.papers.claims import Claim, Control, General, Needs
from cwr.papers.predicates import TIE, above, at_most, below, largest, near, ratio
from cwr.tables import Table
from cwr.texts.zhao2020.claims.readings import (
    BEFORE,
    MASKED,
    NEW,
    OLD,
    PAPER_TASKS,
    SENTENCE_TASKS,
    TAGGING,
    TASKS,
    block_names,
    blocks,
    drops,
    last_drop,
    last_score,
    pairs_of_tasks,
    tasks_at_hand,
)

UNPRINTED = "of Figure 6 the paper prints only the values for POS in layer 11"
ROUNDING = 0.0005
LEARNED = Control(
    name="one label for all",
    measure="finetuning_dev_score",
    against="finetuning_dev_score_constant",
    by_task=True,
)
FLAT = ("sst2", "ner")
BUT_TAGGING = tuple(task for task in TASKS if task != TAGGING)


def last_layer_loses(table: Table, measure: str, loss: float) -> np.ndarray:
    """Tests whether tuning on POS costs the probes of the last layer this much, within rounding."""
    return near(
        table, last_drop(table, measure, TAGGING), loss, ROUNDING, "the drop of the last layer"
    )


def last_layer_loses_much(table: Table) -> np.ndarray:
    """Tests whether old probes lose more than half of the last layer's F1 by tuning on tags."""
    excess = last_drop(table, OLD, TAGGING) - last_score(table) / 2
    return above(table, excess, 0, "drop of the last layer minus half of its F1")


def last_layer_loses_little(table: Table, share: float = 0.15) -> np.ndarray:
    """Tests whether new probes lose at most this share of the last layer's F1 by tuning on tags."""
    excess = last_drop(table, NEW, TAGGING) - share * last_score(table)
    return at_most(table, excess, 0, f"drop of the last layer minus {100 * share:g} % of its F1")


def word_tasks_cost_more(table: Table, tasks: tuple[str, ...] = TASKS) -> np.ndarray:
    """Tests whether word tasks cost old probes more than sentence tasks in the last layer."""
    pairs = pairs_of_tasks(table, OLD, tasks)
    drop = {task: last_drop(table, OLD, task) for pair in pairs for task in pair}
    differences = np.stack([drop[word] - drop[sentence] for word, sentence in pairs], axis=1)
    names = [f"drop by {word} minus drop by {sentence}" for word, sentence in pairs]
    return above(table, differences, 0, names)


def no_layer_loses_by_mrpc(table: Table) -> np.ndarray:
    """Tests whether probes trained after tuning on MRPC are worse in no layer than those before."""
    losses = drops(table, NEW, "mrpc")
    return at_most(table, losses, 0, block_names(table, BEFORE))


def a_sentence_task_costs_nothing(table: Table) -> np.ndarray:
    """Tests whether after some task about sentences new probes are no worse in any layer."""
    tasks = tasks_at_hand(table, NEW, SENTENCE_TASKS)
    losses = [drops(table, NEW, task).max(axis=1) for task in tasks]
    least = np.min(losses, axis=0)
    return at_most(table, least, 0, f"largest loss in a layer, least of {', '.join(tasks)}")


def these_cost_little(table: Table, tasks: tuple[str, ...], margin: float = 0.01) -> np.ndarray:
    """Tests whether new probes lose at most the margin in any layer, by each of `tasks` present."""
    truth = []
    for task in tasks_at_hand(table, NEW, tasks):
        losses = drops(table, NEW, task)
        names = [f"{task} {name}" for name in block_names(table, BEFORE)]
        truth.append(at_most(table, losses, margin, names))
    return np.all(truth, axis=0)


def tags_cost_most(table: Table, tasks: tuple[str, ...] = TASKS) -> np.ndarray:
    """Tests whether of `tasks` present, POS costs new probes most on average over the layers."""
    names = tasks_at_hand(table, NEW, tasks)
    means = [drops(table, NEW, task).mean(axis=1) for task in names]
    means = np.stack(means, axis=1)  # (D, T)
    worst = largest(table, means, "mean drop")
    if names[worst[0]] != TAGGING:
        table.against(f"the largest mean drop is by {names[worst[0]]}, {means[0, worst[0]]:.3f}")
    return worst == names.index(TAGGING)


def lower_layers_change_little(
    table: Table, tasks: tuple[str, ...] = TASKS, little: float = 0.5
) -> np.ndarray:
    """Tests whether old probes lose little F1 in the lower third of layers, more in the top quarter.

    little: the share of F1 that the lower third may lose on average, by each of `tasks` present.
    """
    names, lower, upper = tasks_at_hand(table, OLD, tasks), [], []
    for task in names:
        losses = drops(table, OLD, task, at_least=2)
        shares = ratio(table, losses, blocks(table, BEFORE), "the share of F1 that is lost")
        number = shares.shape[1]
        lower.append(shares[:, : max(1, number // 3)].mean(axis=1))
        upper.append(shares[:, -max(1, number // 4) :].mean(axis=1))
    low, high = np.stack(lower, axis=1), np.stack(upper, axis=1)  # (D, T)
    less = below(table, low - high, -TIE, [f"{task}, lower minus upper share" for task in names])
    return less & below(table, low, little, [f"{task}, lower share" for task in names])


TUNING = [
    Claim(
        id="zha-posa-l11",
        place="section 4.4.2; Figure 6",
        says="After tuning on POS the old probe of layer 11 loses 0.763 in F1.",
        needs=Needs(measures=(BEFORE, OLD), families=MASKED, n_layers=12, tasks=(TAGGING,)),
        holds=partial(last_layer_loses, measure=OLD, loss=0.763),
        tolerance=(
            "in the last layer F1 before tuning minus that of POS-(a) is {loss}, within rounding"
        ),
        because=(
            "The F1 that remains, 0.072, is about that of a guess by base rate, if F1 is counted "
            'as "full". The sentence says how much F1 falls, but not why. The profile base also '
            "tunes on shuffled labels, which may cost as much."
        ),
        general=General(
            says=(
                "After tuning on tags the old probe of the last layer loses more than half of its "
                "F1."
            ),
            holds=last_layer_loses_much,
            tolerance="the old probe of the last layer loses more than half of its F1",
        ),
    ),
    Claim(
        id="zha-posb-l11",
        place="section 4.4.2; Figure 6",
        says="New probes on the POS-tuned layer 11 lose only 0.100 in F1.",
        needs=Needs(measures=(BEFORE, NEW), families=MASKED, n_layers=12, tasks=(TAGGING,)),
        holds=partial(last_layer_loses, measure=NEW, loss=0.100),
        tolerance=(
            "in the last layer F1 before tuning minus that of POS-(b) is {loss:.3f}, within "
            "rounding"
        ),
        general=General(
            says="New probes on the last layer after tuning on tags lose at most 15 % of F1.",
            holds=last_layer_loses_little,
            tolerance="new probes of the last layer lose at most {share:%} of F1",
        ),
    ),
    Claim(
        id="zha-a-word-over-sentence",
        place="section 4.4.2",
        says="Old probes lose more by tuning on word tasks than on sentence tasks.",
        needs=Needs(measures=(BEFORE, OLD), families=MASKED, tasks=PAPER_TASKS),
        holds=partial(word_tasks_cost_more, tasks=PAPER_TASKS),
        tolerance=(
            "in the last layer, tuning on POS and NER costs old probes more than tuning on SST2 "
            "and MRPC"
        ),
        because=(
            "The last layer is our choice. In the paper the tasks also differ in the number of "
            "updates, but by Table 4 and the usual training sets SST2 has more updates than POS."
        ),
        unprinted=UNPRINTED,
        general=General(
            says="Old probes on a model lose more by tuning on word tasks than on sentence tasks.",
            holds=word_tasks_cost_more,
            tolerance=(
                "in the last layer, every task about words costs old probes more than every task "
                "about sentences"
            ),
            tasks=(),
        ),
    ),
    Claim(
        id="zha-b-mrpc-up",
        place="section 4.4.2",
        says="Tuning on MRPC makes new probes slightly better in all layers.",
        needs=Needs(measures=(BEFORE, NEW), families=MASKED, tasks=("mrpc",)),
        holds=no_layer_loses_by_mrpc,
        tolerance="F1 of new probes falls in no layer",
        because='The gains, "small but consistent", can lie within the noise of seeds.',
        unprinted=UNPRINTED,
        general=General(
            says="At least one task about sentences costs new probes on the tuned model nothing.",
            holds=a_sentence_task_costs_nothing,
            tolerance=(
                "after tuning on some task about sentences F1 of new probes falls in no layer"
            ),
            tasks=(),
        ),
    ),
    Claim(
        id="zha-b-sst-ner-flat",
        place="section 4.4.2",
        says="Tuning on SST2 or NER costs new probes very little.",
        needs=Needs(measures=(BEFORE, NEW), families=MASKED, tasks=FLAT),
        holds=partial(these_cost_little, tasks=FLAT),
        tolerance="F1 of new probes falls by at most {margin} in every layer",
        because='The text gives no number for "very small". The threshold of one point is ours.',
        unprinted=UNPRINTED,
        general=General(
            says="Tuning a model on any task but POS costs new probes very little.",
            holds=partial(these_cost_little, tasks=BUT_TAGGING),
            tolerance=(
                "F1 of new probes falls by at most {margin} in every layer, for each available "
                "task but POS"
            ),
            tasks=(),
        ),
    ),
    Claim(
        id="zha-b-pos-most",
        place="section 4.4.2",
        says="Tuning on POS costs new probes most.",
        needs=Needs(measures=(BEFORE, NEW), families=MASKED, tasks=PAPER_TASKS),
        holds=partial(tags_cost_most, tasks=PAPER_TASKS),
        tolerance="tuning on POS has the largest mean drop over layers",
        unprinted=UNPRINTED,
        general=General(
            says="Of all tasks that a model is tuned on, POS costs new probes most.",
            holds=tags_cost_most,
            tasks=(TAGGING,),
        ),
    ),
    Claim(
        id="zha-ft-low-stable",
        place="section 1 (iv); section 4.4.2",
        says="Tuning has little effect on the lower layers, and more on the upper ones.",
        needs=Needs(measures=(BEFORE, OLD), families=MASKED, tasks=PAPER_TASKS),
        holds=partial(lower_layers_change_little, tasks=PAPER_TASKS),
        tolerance=(
            "for each task, old probes lose less than {little:%} of F1 on average in layers 0 to 3, and a "
            "larger share in layers 9 to 11"
        ),
        because=(
            'The paper does not say where "lower" ends, where "top" begins, or how much is '
            '"little". The lower third, the upper quarter and the bound are ours. Upper layers '
            "have more F1 to lose, so we compare the shares that are lost. If every layer fell to "
            "the F1 of a guess, the claim would fail."
        ),
        unprinted=UNPRINTED,
        general=General(
            says="Tuning has little effect on a model's lower layers, and more on its upper ones.",
            holds=lower_layers_change_little,
            tasks=(),
            tolerance=(
                "for each task, old probes lose less than {little:%} of F1 on average in the lower "
                "third of the layers, and a larger share in the upper quarter"
            ),
        ),
    ),
]
# What a task that is not learned does to a model is no answer to any of them.
TUNING = [replace(each, needs=replace(each.needs, beats=LEARNED)) for each in TUNING]
