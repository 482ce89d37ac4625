"""Where probes are right: by the number of a pair's contexts, and context by context.

S seeds, L layers, n contexts, C classes
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cwr.texts.zhao2020 import probes
from cwr.texts.zhao2020.probes import FULL, Answers

# contexts of a pair; the paper draws at most 100
BINS = {"1": (1, 1), "2–4": (2, 4), "5–24": (5, 24), "25–99": (25, 99), "100": (100, 100)}


def by_contexts(answers: Answers, reading: str = FULL) -> pd.DataFrame:
    """F1 of the pairs with few and with many contexts: a row a bin that has pairs.

    Columns: pairs, then each layer, the mean over seeds. The index is called n.
    """
    sizes = probes.contexts_of_pairs(answers)
    rows = {}
    for name, (fewest, most) in BINS.items():
        inside = (sizes >= fewest) & (sizes <= most)
        if inside.any():
            some = probes.part(answers, inside)
            pairs = len(set(zip(some.words, some.gold, strict=True)))
            scores = probes.scores(some, reading).mean(axis=0)  # (L,)
            rows[name] = {"pairs": pairs} | dict(zip(some.layers, scores, strict=True))
    return pd.DataFrame(rows).T.astype({"pairs": int}).rename_axis("n")


def hits(answers: Answers) -> np.ndarray:
    """The share of seeds by which the probe of a context's own class says yes, (L, n)."""
    contexts = np.arange(len(answers.gold))
    return answers.decisions[:, :, contexts, answers.gold].mean(axis=0)


def own_margins(margins: Sequence[np.ndarray], gold: np.ndarray) -> np.ndarray:
    """The log-odds of each context's own class, mean over seeds, (L, n).

    margins: (L, n, C) of each seed, as `Probes.margins` gives them. gold: (n,).
    """
    return np.mean(margins, axis=0)[:, np.arange(len(gold)), gold]


def most_pieces_missed(pieces: np.ndarray, margin: np.ndarray) -> int | None:
    """The context with most pieces among those that are missed; None where none is missed.

    pieces, margin: (n,), the second below 0 where a context is missed. Of equal ones the first.
    """
    missed = np.flatnonzero(margin < 0)
    return int(missed[np.argmax(pieces[missed])]) if len(missed) else None


def odd_context(answers: Answers, margin: np.ndarray, at_least: int = 4) -> int | None:
    """The context that is missed most clearly among the pairs that are recognised.

    The probe knows the word in most of its contexts, and not in this one. None where every context
    of such pairs is recognised, or no pair has so many.
    margin: (n,), log-odds of each context's class in one layer. at_least: contexts of the pair.
    """
    pair = answers.words.astype(str) + np.char.mod("|%d", answers.gold)
    share = pd.Series(margin > 0).groupby(pair).transform("mean").to_numpy()
    sizes = probes.contexts_of_pairs(answers)
    odd = np.flatnonzero((share >= 0.5) & (sizes >= at_least) & (margin < 0))
    return int(odd[np.argmin(margin[odd])]) if len(odd) else None
