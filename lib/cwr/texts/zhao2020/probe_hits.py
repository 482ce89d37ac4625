"""Analyses where probes are right: by the number of a pair's contexts, and context by context.

S seeds, L layers, n contexts, C classes
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cwr.texts.zhao2020 import probes
from cwr.texts.zhao2020.probes import FULL, Answers

# contexts of a pair; the paper draws at most 100
BINS = {"1": (1, 1), "2–4": (2, 4), "5–24": (5, 24), "25–99": (25, 99), "100": (100, 100)}
ENOUGH = 4  # contexts of a pair that can have an odd one


def by_contexts(answers: Answers) -> pd.DataFrame:
    """Computes F1 ("full") of pairs in bins of their number of contexts; a row per bin with pairs.

    Columns: pairs, then each layer, the mean over seeds. The index is called n.
    """
    sizes = probes.contexts_of_pairs(answers)
    rows = {}
    for name, (fewest, most) in BINS.items():
        inside = (sizes >= fewest) & (sizes <= most)
        if inside.any():
            some = probes.part(answers, inside)
            pairs = len(set(zip(some.words, some.gold, strict=True)))
            scores = probes.scores(some, FULL).mean(axis=0)  # (L,)
            rows[name] = {"pairs": pairs} | dict(zip(some.layers, scores, strict=True))
    return pd.DataFrame(rows).T.astype({"pairs": int}).rename_axis("n")


def hits(answers: Answers) -> np.ndarray:
    """Computes the share of seeds whose probe says yes to a context's own class, (L, n)."""
    contexts = np.arange(len(answers.gold))
    return answers.decisions[:, :, contexts, answers.gold].mean(axis=0)


def own_margins(margins: Sequence[np.ndarray], gold: np.ndarray) -> np.ndarray:
    """Averages the log-odds of each context's own class over seeds, (L, n).

    margins: for each seed (L, n, C), of `Probes.margins`. gold: (n,).
    """
    return np.mean(margins, axis=0)[:, np.arange(len(gold)), gold]


def most_pieces_missed(pieces: np.ndarray, margin: np.ndarray) -> int | None:
    """Returns the missed context with the most pieces, the first of equal ones; None without any.

    pieces, margin: (n,); a context is missed if its margin is below 0.
    """
    missed = np.flatnonzero(margin < 0)
    return int(missed[np.argmax(pieces[missed])]) if len(missed) else None


def odd_context(answers: Answers, margin: np.ndarray) -> int | None:
    """Returns the context that is missed most clearly although its pair is recognised.

    The probe is right in at least half of the pair's contexts, but not in this one. None if there
    is no such context, or no pair with ENOUGH contexts.
    margin: (n,), log-odds of each context's class in one layer.
    """
    pair = answers.words.astype(str) + np.char.mod("|%d", answers.gold)
    share = pd.Series(margin > 0).groupby(pair).transform("mean").to_numpy()
    sizes = probes.contexts_of_pairs(answers)
    odd = np.flatnonzero((share >= 0.5) & (sizes >= ENOUGH) & (margin < 0))
    return int(odd[np.argmin(margin[odd])]) if len(odd) else None
