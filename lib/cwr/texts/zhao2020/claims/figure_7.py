"""Claims of Zhao et al. (2020) about Figure 7: attention before and after fine-tuning.

Figure 7 is a heat map without values. Blocks are counted from 0, as in the paper.

D = draws, B = blocks, T = tasks
"""

from functools import partial

import numpy as np

from cwr.papers.claims import Claim, Control, General, Needs
from cwr.papers.predicates import below, trend
from cwr.tables import Missing, Table
from cwr.texts.zhao2020.claims.readings import (
    ATTENTION,
    MASKED,
    TASKS,
    pairs_of_tasks,
    tasks_at_hand,
)

UNPRINTED = "Figure 7 is a heat map without values"
FIGURE = ("pos", "mrpc")  # the two tasks that it shows
LEARNED = Control(
    name="one label for all",
    measure="attention_tuning_score",
    against="attention_tuning_score_constant",
    by_task=True,
)


def attention(table: Table, task: str) -> np.ndarray:
    """Reads the cosine of attention before and after tuning on a task, mean over heads, (D, B).

    Raises Missing where no head of a block has one.
    """
    labels, cosines = table.over(("layer", "head"), ATTENTION, task=task)
    layers = np.array([layer for layer, _ in labels], dtype=int)
    numbers = np.unique(layers[layers >= 1])
    if not len(numbers):
        raise Missing(f"attention cosine ({task}) in the heads of a block")
    return np.stack([cosines[:, layers == number].mean(axis=1) for number in numbers], axis=1)


def attention_changes_with_depth(table: Table, tasks: tuple[str, ...] = TASKS) -> np.ndarray:
    """Tests whether attention's cosine before and after each of `tasks` falls with the layer."""
    names = tasks_at_hand(table, ATTENTION, tasks)
    trends = [trend(table, attention(table, task), f"cosine by {task}") for task in names]
    trends = np.stack(trends, axis=1)  # (D, T)
    return below(table, trends, 0, [f"{task}, Spearman correlation" for task in names])


def words_change_the_top_more(table: Table, tasks: tuple[str, ...] = TASKS) -> np.ndarray:
    """Tests whether word tasks change attention more than sentence tasks in the top quarter.

    Raises Missing where two tasks have different layers.
    """
    differences, names = [], []
    for word, sentence in pairs_of_tasks(table, ATTENTION, tasks):
        layers = (table.layers(ATTENTION, first=1, task=task) for task in (word, sentence))
        if not np.array_equal(*layers):
            raise Missing(f"attention cosines of {word} and {sentence} in the same layers")
        after_word, after_sentence = attention(table, word), attention(table, sentence)
        top = max(1, after_word.shape[1] // 4)
        difference = after_word[:, -top:] - after_sentence[:, -top:]
        differences.append(difference.mean(axis=1))
        names.append(f"cosine after {word} minus cosine after {sentence}")
    return below(table, np.stack(differences, axis=1), 0, names)


ATTENTION_CHANGE = [
    Claim(
        id="zha-att-top",
        place="section 4.4.2; Figure 7",
        says="Tuning changes the attention of upper layers more than that of lower layers.",
        needs=Needs(measures=(ATTENTION,), families=MASKED, tasks=FIGURE, beats=LEARNED),
        holds=partial(attention_changes_with_depth, tasks=FIGURE),
        tolerance=(
            "the Spearman correlation of layer and mean cosine is below 0, for POS and MRPC"
        ),
        because=(
            "The cosine compares attention before and after tuning, as a mean over the heads of a "
            "layer. For the sentence to hold, this cosine must at least fall with depth."
        ),
        unprinted=UNPRINTED,
        general=General(
            says="Tuning changes the attention of a model's upper layers more than that of its lower ones.",
            holds=attention_changes_with_depth,
            tolerance=(
                "the Spearman correlation of layer and mean cosine is below 0, for each task that "
                "is there"
            ),
            tasks=(),
        ),
    ),
    Claim(
        id="zha-att-pos-mrpc",
        place="section 4.4.2; Figure 7",
        says="Tuning on POS changes upper layers' attention more than tuning on MRPC.",
        needs=Needs(measures=(ATTENTION,), families=MASKED, tasks=FIGURE, beats=LEARNED),
        holds=partial(words_change_the_top_more, tasks=FIGURE),
        tolerance="POS has the lower mean cosine in layers 9 to 11",
        because=(
            "In the paper the two tasks also differ in updates, so a difference has two possible causes."
        ),
        unprinted=UNPRINTED,
        general=General(
            says=(
                "Tuning on words changes the attention of a model's upper layers more than tuning "
                "on sentences."
            ),
            holds=words_change_the_top_more,
            tolerance=(
                "the task about words has the lower mean cosine in the upper quarter of the "
                "layers, in every such pair"
            ),
            tasks=(),
        ),
    ),
]
