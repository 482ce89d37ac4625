"""Makes the live figure of reversals: decision paths of the mentions of a few documents.

A reader picks a mention and the margin from which a decision is firm; the figure shows the rate of
reversals, that of its placebo and their difference. The path reads layer l by training l; the
placebo of a layer reads it by all trainings, in their order. Margins are in hundredths, rounded
down, so that a threshold of whole hundredths splits them as it splits the exact margins.

    K layers, S = K trainings, n mentions, C labels
"""

import string
from collections.abc import Sequence

import numpy as np
import pandas as pd

from cwr.texts.survey import reversals as decisions
from cwr.texts.survey.decisions import Readings

MOST = 600  # mentions that the figure has
DELTA = round(100 * decisions.DELTA)  # hundredths
STEPS = (0, 10, DELTA, 40, 60, 80)  # that the table shows
LETTERS = string.ascii_letters  # one a label
NOTE = (
    "A decision is firm if its margin is at least this large and the next layer has the same "
    "decision. A mention is reversed if two of its firm decisions differ. The placebo consists of as "
    "many probes as there are layers, all of one layer; each layer takes its turn."
)
SENTENCE = (
    "At a margin of {delta} or more {reversed} of {items} mentions ({rate} %) are reversed. As many "
    "probes of one layer reverse {placebo} % of the mentions, so the net rate is {net} %. The chosen "
    "mention shows: {kind}."
)
KINDS = ("no reversal", *decisions.KINDS)


def drawn_documents(documents: np.ndarray, most: int = MOST, seed: int = 0) -> np.ndarray:
    """Draws documents at random, with at most `most` items; tells which items they have, (n,) bool.

    One document is always kept. documents: (n,).
    """
    names, sizes = np.unique(documents, return_counts=True)
    order = np.random.default_rng(seed).permutation(len(names))
    is_in = np.cumsum(sizes[order]) <= most
    is_in[0] = True
    return np.isin(documents, names[order[is_in]])


def live_data(
    probabilities: np.ndarray,
    gold: np.ndarray,
    labels: Sequence[str],
    texts: Sequence[str],
    family: str,
) -> dict:
    """Collects the data of the live figure `reversals`, one item per mention.

    probabilities: (S, K, n, C), S >= K; the first K trainings are shown. gold: (n,). texts: (n,), a
    mention in its context. An item is its text, its right label, the wrong label that is strongest
    on average, decisions and margins of all readings (layer after layer, training after training),
    and the shares of these two labels along the path.
    Raises ValueError for fewer trainings than layers and for more labels than LETTERS.
    """
    trainings, layers, n, n_labels = probabilities.shape
    if trainings < layers or n_labels > len(LETTERS):
        raise ValueError(
            f"{layers} layers need as many trainings, got {trainings}; labels: at most "
            f"{len(LETTERS)}, got {n_labels}"
        )
    readings = probabilities[:layers].swapaxes(0, 1).reshape(layers * layers, n, n_labels)
    path = probabilities[np.arange(layers), np.arange(layers)]  # (K, n, C)
    wrong = path.mean(axis=0)
    wrong[np.arange(n), gold] = -1
    shown = np.stack([gold, wrong.argmax(axis=1)])  # (2, n)
    shares = np.take_along_axis(path, shown.T[None], axis=2)  # (K, n, 2)
    decided = decisions.decisions(readings)  # (K S, n)
    margins = np.minimum(100 * decisions.margins(readings), 99).astype(int)
    items = []
    for number, text in enumerate(texts):
        numbers = (margins[:, number], shares[:, number, 0] * 99, shares[:, number, 1] * 99)
        letters = "".join(LETTERS[label] for label in decided[:, number])
        items.append([text, *shown[:, number].tolist(), letters, *map(_digits, numbers)])
    common = {"sentence": SENTENCE, "kinds": list(KINDS), "delta": DELTA, "layers": layers}
    return {**common, "letters": LETTERS, "family": family, "labels": list(labels), "items": items}


def _digits(values: np.ndarray) -> str:
    """Whole numbers from 0 to 99, two digits each."""
    return "".join(f"{int(value):02d}" for value in values)


def readings(data: dict) -> Readings:
    """Unpacks all readings of the figure; margins are hundredths, and an item is its own document.

    data: of `live_data`.
    """
    size, items = data["layers"], data["items"]
    shape = len(items), size, size
    decided = np.reshape([[LETTERS.index(letter) for letter in item[3]] for item in items], shape)
    margins = np.array(
        [[int(item[4][k : k + 2]) for k in range(0, 2 * size**2, 2)] for item in items]
    )
    gold = np.array([item[1] for item in items])
    arrays = decided.T, margins.reshape(shape).T / 100  # (S, K, n)
    return Readings(*arrays, gold, np.arange(len(items)))


def kinds(data: dict, delta: int) -> tuple[np.ndarray, np.ndarray]:
    """Determines the kind of reversal of each item, (n,), and of each layer's placebo, (K, n).

    data: of `live_data`. delta: in hundredths.
    """
    read = readings(data)
    layers = np.arange(data["layers"])
    hundredths = np.rint(100 * read.margins) >= delta
    margins = hundredths.astype(float)  # 1 where the margin is large enough
    path = decisions.reversals(
        read.decided[layers, layers], margins[layers, layers], read.gold, delta=0.5
    )
    placebos = read.decided.swapaxes(0, 1), margins.swapaxes(0, 1)  # (K, S, n)
    return path, decisions.reversals(*placebos, read.gold, delta=0.5)


def sentence(data: dict, delta: int, item: int) -> str:
    """Formats the sentence of one setting. delta: in hundredths. item: the number of a mention."""
    path, placebos = kinds(data, delta)
    items, layers = len(path), data["layers"]
    n_path, n_placebos = int((path > 0).sum()), int((placebos > 0).sum())
    words = {
        "delta": f"{delta / 100:.2f}",
        "reversed": n_path,
        "items": items,
        "rate": _per_cent(n_path, items),
        "placebo": _per_cent(n_placebos, layers * items),
        "net": _per_cent(layers * n_path - n_placebos, layers * items),
        "kind": data["kinds"][path[item]],
    }
    return data["sentence"].format(**words)


def _per_cent(count: int, of: int) -> str:
    """A share in per cent with one decimal, rounded as the page rounds."""
    return f"{np.floor(1000 * count / of + 0.5) / 10 + 0:.1f}"


def table(data: dict) -> pd.DataFrame:
    """Tabulates the kinds of reversals at a few margins. data: of `live_data`."""
    rows = []
    for delta in STEPS:
        path, placebos = kinds(data, delta)
        counts = np.bincount(path, minlength=len(KINDS)).tolist()
        row = {"margin": f"{delta / 100:.2f}", **dict(zip(KINDS, counts, strict=True))}
        rows.append({**row, "placebo, %": _per_cent(int((placebos > 0).sum()), placebos.size)})
    return pd.DataFrame(rows)
