"""Pairs decisions of two tasks on one text, and decisions of neighbouring layers.

n targets, K layers, C labels, m pairs
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cwr.corpora import Corpus, edge_tasks
from cwr.corpora.edge_tasks import SECOND, SPAN, EdgeTask
from cwr.corpora.folds import stable_hash
from cwr.errors import UserError, hint, quoted
from cwr.texts.survey import reversals as decisions

ENTITIES = "entities"


def tasks(
    names: Sequence[str], treebank: Corpus, folds: int, rivals: Sequence[str]
) -> dict[str, EdgeTask]:
    """Loads the tasks of these names on a treebank, each `by_sentence`.

    rivals: labels between which the probes of entities decide.
    Raises UserError if entities are not among the tasks, for a rival that is no label of entities,
    and as `edge_tasks.load`.
    """
    if ENTITIES not in names:
        raise UserError(
            f"decisions are shown on mentions of entities, and the tasks are {', '.join(names)}: add "
            f"{ENTITIES}"
        )
    probed = {name: by_sentence(edge_tasks.load(name, treebank, folds)) for name in names}
    labels = probed[ENTITIES].labels
    for rival in rivals:
        if rival not in labels:
            raise UserError(
                f"no entity of {treebank.name} has the label {quoted(rival)}: {hint(rival, labels)}"
            )
    return probed


def by_sentence(task: EdgeTask) -> EdgeTask:
    """Reorders targets so that whole sentences are drawn, the same for all tasks of a corpus."""
    names = [stable_hash(sentence.id) for sentence in task.corpus.sentences]
    order = np.array(names)[task.table["sentence"].to_numpy(dtype=int)]
    return replace(task, table=task.table.assign(order=order))


def sharing_a_word(relations: pd.DataFrame, mentions: pd.DataFrame) -> np.ndarray:
    """Finds pairs of a relation and a mention with a common word, (m, 2) positions in both tables.

    relations: sentence and two spans, first to last and first_2 to last_2 (of a dependency: its
    word and its head). mentions: sentence, first, last. Words are inclusive.
    """
    left = relations[["sentence", *SPAN, *SECOND]].assign(relation=range(len(relations)))
    right = mentions[["sentence", *SPAN]].assign(mention=range(len(mentions)))
    right = right.rename(columns={"first": "begin", "last": "end"})
    both = left.merge(right, on="sentence")
    is_shared = np.zeros(len(both), dtype=bool)
    for first, last in (SPAN, SECOND):
        is_shared |= (both[first] <= both["end"]) & (both["begin"] <= both[last])
    return both.loc[is_shared, ["relation", "mention"]].to_numpy(dtype=int)


def steps(decided: np.ndarray, gold: np.ndarray) -> pd.DataFrame:
    """Counts what each layer corrects and corrupts against the one below, with McNemar's p.

    decided: (K, n), of one path. gold: (n,). `gain` is in points; `holm` is the adjusted p.
    """
    right = decided == gold
    rows = []
    for layer in range(1, len(right)):
        gained, lost, p = decisions.mcnemar(right[layer - 1], right[layer])
        step = {"step": f"{layer - 1} to {layer}", "corrected": gained, "corrupted": lost}
        rows.append({**step, "gain": 100 * (gained - lost) / len(gold), "p": p})
    table = pd.DataFrame(rows)
    return table.assign(holm=decisions.holm(table["p"]))


@dataclass(frozen=True)
class Change:
    """An item whose decision changes from a wrong label to the right one.

    item: its number. right, wrong: labels. lower, upper: the layers. product: the probability of
    the wrong label in the lower layer times that of the right one in the upper.
    """

    item: int
    right: int
    wrong: int
    lower: int
    upper: int
    product: float


def clearest_change(probabilities: np.ndarray, gold: np.ndarray) -> Change:
    """Finds the item, wrong label and two layers, the lower first, with the largest product.

    Above 1/2 the lower layer decides for the wrong label, and the upper one for the right one. Of
    equal ones the first, in the order of lower layers, upper layers, items and labels.
    probabilities: (K, n, C), K >= 2. gold: (n,). Raises ValueError for one layer.
    """
    if len(probabilities) < 2:
        raise ValueError("a change needs 2 layers, got 1")
    items = np.arange(len(gold))
    right = probabilities[:, items, gold]  # (K, n)
    wrong = np.array(probabilities, dtype=float)
    wrong[:, items, gold] = -1.0
    best = None
    for lower, upper in itertools.combinations(range(len(probabilities)), 2):
        products = wrong[lower] * right[upper][:, None]  # (n, C)
        item, label = np.unravel_index(products.argmax(), products.shape)
        product = float(products[item, label])
        if best is None or product > best.product:
            best = Change(int(item), int(gold[item]), int(label), lower, upper, product)
    return best


def course(
    probabilities: np.ndarray, labels: Sequence[str], delta: float = decisions.DELTA
) -> pd.DataFrame:
    """Tabulates the path of one item, a row per layer: decision, probability, margin, whether firm.

    probabilities: (K, C).
    """
    decided, margin = decisions.decisions(probabilities), decisions.margins(probabilities)
    (is_firm,) = decisions.firm(decided[None, :, None], margin[None, :, None], delta)[..., 0]
    return pd.DataFrame(
        {
            "layer": range(len(decided)),
            "decision": [labels[label] for label in decided],
            "probability": probabilities.max(axis=1).astype(float),
            "margin": margin,
            "firm": is_firm,
        }
    )
