"""Makes the live figure of the aggregation of decisions on contexts to one F1.

Zhao et al. (2020), section 3.2.2: a probe is right on a pair of word and class if it is right on at
least half of the pair's contexts. A reader changes this share, and chooses what enters the F1
(`measures.probing`). The page needs only the number of contexts to which each probe says yes.

    C = classes
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cwr.measures import probing
from cwr.measures.probing import HALF
from cwr.texts.zhao2020.probes import FULL, Answers

WORDS = 40  # that the figure shows
FEW = 4  # contexts of a word; more are many
PERCENTS = (10, 25, HALF, 75, 100)  # that the table shows
NOTE = (
    "A probe is right on a pair of word and class if it is right on at least this share of the "
    "pair's contexts. The figure shows some of the test words. A quarter of them have several "
    "classes, if there are enough such words."
)
SENTENCE = (
    "If {percent} % of a pair's contexts must be right, {tp} of {pairs} pairs are recognised, with "
    '{fp} false alarms. F1 by the reading "{reading}" is {f1}.'
)


def drawn_words(answers: Answers, n: int = WORDS, seed: int = 0) -> np.ndarray:
    """Draws test words for the figure, at most n, in alphabetical order, whatever the decisions.

    A quarter each are words with several classes, and others with 1, up to FEW, and more contexts;
    where a kind has too few, any words fill up.
    """
    table = pd.DataFrame({"word": answers.words, "class": answers.gold})
    words = table.groupby("word")["class"].agg(["size", "nunique"])
    kind = pd.cut(words["size"], [0, 1, FEW, np.inf], labels=["one", "few", "many"]).astype(str)
    kind = kind.where(words["nunique"] == 1, "ambiguous")
    shuffled = kind.sample(frac=1, random_state=seed)
    is_of_quarter = shuffled.groupby(shuffled).cumcount() < n // 4
    ordered = [*shuffled.index[is_of_quarter], *shuffled.index[~is_of_quarter]]
    return np.sort(ordered[:n])


def live_data(
    answers: Answers, classes: Sequence[str], family: str, layer: int, words: Sequence[str]
) -> dict:
    """Collects the data of the live figure `aggregation`: yes decisions of one layer's probes.

    The probes are those of the first seed. layer: one of `answers.layers`. words: of `drawn_words`.
    """
    decisions = answers.decisions[0, answers.layers.index(layer)]  # (contexts, C)
    table = pd.DataFrame(decisions.astype(int), columns=range(len(classes)))
    pairs = []
    keys = [answers.words, answers.gold]
    for (word, gold), contexts in table.groupby(keys):
        if word in words:
            yes = contexts.sum().tolist()
            pair = {"word": str(word), "class": int(gold), "contexts": len(contexts), "yes": yes}
            pairs.append(pair)
    readings = [FULL, *(reading for reading in probing.READINGS if reading != FULL)]
    common = {"sentence": SENTENCE, "readings": readings, "percent": HALF, "family": family}
    return {**common, "classes": list(classes), "pairs": pairs}


def counts(data: dict, percent: int, reading: str) -> np.ndarray:
    """Counts true positives, false positives and false negatives over the figure's words, (3,).

    data: of `live_data`. Only the number of yes matters, not the contexts they are for.
    """
    decisions, words, gold = [], [], []
    for pair in data["pairs"]:
        n = pair["contexts"]
        decisions.append(np.arange(n)[:, None] < pair["yes"])  # (n, C)
        words += [pair["word"]] * n
        gold += [pair["class"]] * n
    counted = probing.counts(np.concatenate(decisions), words, gold, reading, percent)
    return counted.sum(axis=0)


def sentence(data: dict, percent: int, reading: str) -> str:
    """Formats the figure's sentence for one setting. data: of `live_data`."""
    counted = counts(data, percent, reading)
    tp, fp, fn = counted.tolist()
    thousandths = np.floor(1000 * probing.f1(counted, reading) + 0.5)  # as the page rounds
    f1 = f"{thousandths / 1000:.3f}"
    named = {"percent": percent, "reading": reading, "pairs": tp + fn}
    return data["sentence"].format(**named, tp=tp, fp=fp, f1=f1)


def table(data: dict) -> pd.DataFrame:
    """Tabulates a few settings, a row per reading and share. data: of `live_data`."""
    rows = []
    for reading in data["readings"]:
        for percent in PERCENTS:
            counted = counts(data, percent, reading)
            row = {"reading": reading, "contexts needed, %": percent}
            row |= {"recognised": counted[0], "false alarms": counted[1], "missed": counted[2]}
            rows.append({**row, "F1": f"{probing.f1(counted, reading):.3f}"})
    return pd.DataFrame(rows)
