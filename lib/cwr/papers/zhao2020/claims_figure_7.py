"""Claims of Zhao et al. (2020) about Figure 7: attention before and after fine-tuning.

Figure 7 is a heat map without values. Blocks are counted from 0, as in the paper.

D = draws, B = blocks, T = tasks
"""

import numpy as np

from cwr.papers.claims import AnyModel, Claim, Needs
from cwr.papers.predicates import below, trend
from cwr.papers.zhao2020.readings import ATTENTION, MASKED, of_task, of_tasks
from cwr.tables import Missing, Table

UNPRINTED = "Figure 7 is a heat map without values"
TASKS = ("pos", "mrpc")  # the two that the figure shows


def attention(table: Table, task: str) -> np.ndarray:
    """Cosine of attention before and after tuning on a task, mean over heads, (D, B).

    Raises Missing where no head of a block has one.
    """
    measure = of_task(ATTENTION, task)
    labels, cosines = table.over(("layer", "head"), measure)
    layers = np.array([layer for layer, _ in labels], dtype=int)
    numbers = np.unique(layers[layers >= 1])
    if not len(numbers):
        raise Missing(f"{measure.replace('_', ' ')} in the heads of a block")
    return np.stack([cosines[:, layers == number].mean(axis=1) for number in numbers], axis=1)


def attention_changes_with_depth(table: Table) -> np.ndarray:
    """The cosine of attention before and after tuning falls with the layer, for both tasks."""
    trends = [trend(table, attention(table, task), f"cosine by {task}") for task in TASKS]
    trends = np.stack(trends, axis=1)  # (D, T)
    return below(table, trends, 0, [f"{task}, Spearman correlation" for task in TASKS])


def pos_changes_the_top_more(table: Table) -> np.ndarray:
    """In the upper quarter of the layers the cosine is lower after POS than after MRPC.

    Raises Missing where the two tasks have different layers.
    """
    pos, mrpc = (attention(table, task) for task in TASKS)
    if pos.shape != mrpc.shape:
        raise Missing("attention cosines of both tasks in the same layers")
    top = max(1, pos.shape[1] // 4)
    difference = pos[:, -top:].mean(axis=1) - mrpc[:, -top:].mean(axis=1)
    return below(table, difference, 0, "cosine after POS minus cosine after MRPC")


ATTENTION_CHANGE = [
    Claim(
        id="zha-att-top",
        place="section 4.4.2; Figure 7",
        says="The attention of upper layers changes most.",
        needs=Needs(measures=of_tasks(ATTENTION, TASKS), families=MASKED),
        holds=attention_changes_with_depth,
        tolerance="Spearman correlation of layer and mean cosine < 0, POS and MRPC",
        because=(
            "The cosine is the mean over the heads of a layer; a falling one is the weakest form "
            "of the sentence."
        ),
        unprinted=UNPRINTED,
        any_model=AnyModel(says="The attention of a model's upper layers changes most."),
    ),
    Claim(
        id="zha-att-pos-mrpc",
        place="section 4.4.2; Figure 7",
        says="POS changes upper layers' attention more than MRPC.",
        needs=Needs(measures=of_tasks(ATTENTION, TASKS), families=MASKED),
        holds=pos_changes_the_top_more,
        tolerance="lower mean cosine in layers 9 to 11",
        because=(
            "The tasks differ in the number of updates as well, so a difference has two possible "
            "causes."
        ),
        unprinted=UNPRINTED,
        any_model=AnyModel(
            says=(
                "Tuning on POS changes the attention of a model's upper layers more than tuning on "
                "MRPC."
            ),
            tolerance="lower mean cosine in the upper quarter of the layers",
        ),
    ),
]
