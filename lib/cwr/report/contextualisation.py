"""Computes a title and findings on whether contextualising alone brings anisotropy.

Models are judged by the claims of `texts.ethayarajh2019.claims.contextualisation`.
"""

from collections.abc import Iterator

import pandas as pd

from cwr.errors import listed
from cwr.papers import registry
from cwr.report.groups import on_ours
from cwr.report.judgement import FAILS, HOLDS
from cwr.report.results import Results
from cwr.report.untrained import KINDS_IN_WORDS
from cwr.tables import UNTRAINED, by_family, where

PAPER, CLAIM = "ethayarajh2019", "eth-anisotropy-by-contextualisation"
BASELINE, ALONG_TRAINING = "anisotropy_baseline", "anisotropy_baseline_along_training"
INITIALISED, BLOCKS = UNTRAINED


def of_models_with_copies(results: Results) -> Results:
    """Returns the estimates of models that have untrained copies, and of these copies."""
    return results.where(results.table["model"].isin(results.untrained().table["model"]).to_numpy())


def title(results: Results) -> str:
    """Returns a title: in which models random blocks raise the baseline.

    results: the estimates of models and their untrained copies, as `of_models_with_copies` returns.
    """
    verdicts = _verdicts(results)[CLAIM]
    raised = [name for name, verdict in verdicts.items() if verdict == HOLDS]
    return f"Untrained, random blocks make random words more alike in {listed(raised)}"


def findings(results: Results) -> Iterator[str]:
    """Yields sentences on random blocks, on trained models beside copies, and on training.

    results: as in `title`. The last sentence needs baselines along a training.
    """
    table = results.table
    baseline = where(table, measure=BASELINE)
    models = by_family(baseline)
    raised = [_raised(name, where(baseline, model=name, variant=BLOCKS)) for name in models]
    yield (
        "Random blocks have learned nothing. Between their first layer and their last, the mean "
        f"cosine of random words goes {listed(raised)}."
    )
    words = _verdicts(results)
    for name in models:
        yield _beside(name, where(baseline, model=name), words)
    along = where(table, measure=ALONG_TRAINING)
    if len(along):
        courses = [_course(name, where(along, model=name)) for name in by_family(along)]
        yield (f"In the course of training this mean goes {listed(courses)}.")


def _verdicts(results: Results) -> dict[str, dict[str, str]]:
    """Returns {claim id: {model: verdict's word}} for the readings of CLAIM."""
    claims = [each for each in registry.paper(PAPER).claims if each.id.split(".")[0] == CLAIM]
    verdicts = on_ours(claims, results, "")
    return {
        claim: {model: verdict.verdict for model, verdict in by_model.items()}
        for claim, by_model in verdicts.items()
    }


def _raised(name: str, copies: pd.DataFrame) -> str:
    """Returns the ends of a curve, averaged over copies: "from 0.15 to 0.64 in `cwr-bert`"."""
    by_layer = copies.groupby("layer")["value"].mean()
    return f"from {by_layer.iloc[0]:.2f} to {by_layer.iloc[-1]:.2f} in `{name}`"


def _beside(name: str, table: pd.DataFrame, words: dict[str, dict[str, str]]) -> str:
    """Compares a model with its copies in a sentence: "... 0.06: less than with random blocks ..."."""
    clauses = []
    for kind, reading in ((BLOCKS, "inherent"), (INITIALISED, "inherent-initialised")):
        means = _means(where(table, variant=kind), "seed")
        side = {FAILS: "less than", HOLDS: "more than"}.get(
            words[f"{CLAIM}.{reading}"][name], "not distinguishable from that"
        )
        clauses.append(f"{side} in copies {KINDS_IN_WORDS[kind]} ({_range(means)})")
    trained = _means(table[table["variant"].isna()], "model").iloc[0]
    return (
        f"In the trained `{name}` the mean of this cosine over the layers above the input is {trained:.2f}: "
        f"{' and '.join(clauses)}."
    )


def _course(name: str, table: pd.DataFrame) -> str:
    """Returns the ends of a training's curve: "from 0.44 to 0.11 in `cwr-bert` (...)"."""
    means = _means(table, "k").sort_index()
    run = "the shipped run" if table["class"].iloc[0] == "counts" else "a run from random vectors"
    ends = f"from {means.iloc[0]:.2f} to {means.iloc[-1]:.2f}"
    return f"{ends} in `{name}` ({run}, {means.index[-1]:,.0f} words)"


def _means(table: pd.DataFrame, key: str) -> pd.Series:
    """Returns means over the layers above the input, by the values of a key column."""
    return table[table["layer"] > 0].groupby(key)["value"].mean()


def _range(values: pd.Series) -> str:
    low, high = f"{values.min():.2f}", f"{values.max():.2f}"
    return low if low == high else f"{low} to {high}"
