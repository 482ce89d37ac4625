"""Checks the statements of section 4.3 of Ethayarajh (2019) on Table 1 against the table."""

import numpy as np
import pandas as pd

import cwr.texts.ethayarajh2019.claims.readings as readings
from cwr.papers.checks import Check, Found
from cwr.tables import Table, where


def _named(scores: readings.Scores, counts: np.ndarray) -> str:
    """Vectors with their counts (V,): "ELMo layer 1: 4, ELMo layer 2: 3"."""
    return ", ".join(f"{name}: {count}" for name, count in zip(scores.names, counts, strict=True))


def _often(published: pd.DataFrame) -> Found:
    """On how many benchmarks vectors of ELMo and BERT exceed both static ones."""
    table = Table(published)
    scores = readings.components(table, "bilstm", "masked")
    wins = readings.beats_static(table, scores)[0]  # (V, N)
    number = wins.any(axis=0).sum()
    return Found(
        agrees=bool(number > 4),
        printed="ELMo and BERT often outperform GloVe and FastText",
        should_be=f"on {number} of {len(scores.benchmarks)} benchmarks some vector of ELMo or "
        f"BERT exceeds both GloVe and FastText. By layer: {_named(scores, wins.sum(axis=1))}",
    )


def _best(published: pd.DataFrame) -> Found:
    """Which vectors lead on how many benchmarks."""
    scores = readings.components(Table(published))
    counts = readings.best_or_tied(scores)[0]
    leading = counts > 0
    return Found(
        agrees=scores.vectors[counts.argmax()] == ("masked", "BERT", 1),
        printed="the first layer of BERT is best",
        should_be="number of benchmarks on which a vector is best or tied: "
        f"{_named(scores.at(leading), counts[leading])}",
    )


def _others(published: pd.DataFrame) -> Found:
    """On how many benchmarks the other layers of BERT and ELMo exceed both static vectors."""
    table = Table(published)
    scores = readings.without_best(readings.components(table, "bilstm", "masked"))
    wins = readings.beats_static(table, scores)[0]  # (V, N)
    number = len(scores.benchmarks)
    return Found(
        agrees=bool((wins.sum(axis=1) > number / 2).all()),
        printed="the other layers of BERT and ELMo beat GloVe and FastText on most benchmarks",
        should_be=f"out of {number} benchmarks, the number on which a layer beats GloVe and "
        f"FastText: {_named(scores, wins.sum(axis=1))}. At least one of these layers beats both "
        f"on {wins.any(axis=0).sum()} benchmarks",
    )


def _lower(published: pd.DataFrame) -> Found:
    """On how many benchmarks the lowest layer of each model exceeds its highest."""
    counts = readings.lower_counts(published)
    shown = [f"{model}: {count}" for model, count in counts.items()]
    return Found(
        agrees=min(counts.values()) >= 6,
        printed="lower layers are more effective, for all three models",
        should_be="out of 9 benchmarks, the number on which the lowest printed layer scores "
        "higher than the highest: " + ", ".join(shown),
    )


def _gpt2_worse(published: pd.DataFrame) -> Found:
    """On how many benchmarks GPT-2's best vector is below all of ELMo's and BERT's."""
    table = Table(published)
    benchmarks, best, lowest = readings.causal_against_others(table)
    below = best[0] < lowest[0]  # (N,)
    exceptions = [
        f"on {benchmarks[index]} its best vector scores {best[0, index]:.3f}, and the lowest "
        f"vector of the others {lowest[0, index]:.3f}"
        for index in np.flatnonzero(~below)
    ]
    return Found(
        agrees=bool(below.all()),
        printed="GPT-2 does markedly worse than ELMo and BERT",
        should_be=f"GPT-2 does worse on {below.sum()} of {len(benchmarks)} benchmarks; "
        f"{'; '.join(exceptions)}",
    )


def _left_out(published: pd.DataFrame) -> Found:
    """Which layers Table 1 prints."""
    stated = where(published, measure="stated_layers_left_out")["printed"].item()
    low, high = map(int, stated.split("-"))
    printed = np.unique(readings.components(Table(published)).layers)
    expected = [layer for layer in range(1, 13) if not low <= layer <= high]
    return Found(
        agrees=bool(np.array_equal(printed, expected)),
        printed=f"all layers but {low} to {high}",
        should_be=f"Table 1 prints layers {', '.join(map(str, printed))}",
    )


TABLE_1 = [
    Check(
        id="ethayarajh2019-check-pc-often",
        place="Table 1, caption",
        asks="Do vectors of ELMo and BERT often outperform GloVe and FastText?",
        find=_often,
        how="we counted in Table 1; ties do not count",
        sure="exact",
        stated="Stated",
    ),
    Check(
        id="ethayarajh2019-check-pc-best",
        place="section 4.3",
        asks="Is BERT's first layer the best?",
        find=_best,
        how="we counted in Table 1, ties included",
        sure="exact",
        stated="Stated",
    ),
    Check(
        id="ethayarajh2019-check-pc-others",
        place="section 4.3",
        asks="Do the other layers of BERT and ELMo beat GloVe and FastText on most benchmarks?",
        find=_others,
        how="we counted in Table 1; ties do not count",
        sure="exact",
        charitable="Taken together these layers beat both. BERT's layers 3 to 10 are not printed.",
        stated="Stated",
    ),
    Check(
        id="ethayarajh2019-check-pc-lower",
        place="section 4.3",
        asks="Do lower layers do better than upper ones?",
        find=_lower,
        how="we counted in Table 1",
        sure="exact",
        stated="Stated",
    ),
    Check(
        id="ethayarajh2019-check-pc-gpt2",
        place="section 4.3",
        asks="Does GPT-2 do worse than ELMo and BERT on every benchmark?",
        find=_gpt2_worse,
        how="we read the scores from Table 1",
        sure="exact",
        charitable='The sentence does not say "every", and one benchmark differs.',
        stated="Stated",
    ),
    Check(
        id="ethayarajh2019-check-pc-layers",
        place="section 4.3",
        asks="Does Table 1 leave out layers 3 to 10 and no others?",
        find=_left_out,
        how="we read the layers from Table 1",
        sure="exact",
    ),
]
