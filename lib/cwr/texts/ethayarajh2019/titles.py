"""Computes titles of the figures of Ethayarajh (2019) from verdicts on its claims."""

import pandas as pd

from cwr.errors import listed
from cwr.papers import registry
from cwr.report import groups
from cwr.report.judgement import FAILS, HOLDS, NOT_RUN, UNDECIDED
from cwr.report.results import Results
from cwr.tables import by_family

WORDS = {HOLDS: "in", FAILS: "not in", UNDECIDED: "undecided in"}


def by_verdict(claim: str, *runs: Results | None) -> dict[str, list[str]]:
    """Judges a claim on each model: {verdict: models, in the order of their families}.

    runs: estimates; the first run that decides a model's verdict counts. Models that the claim
        cannot be asked of are left out.
    """
    (asked,) = [each for each in registry.paper("ethayarajh2019").claims if each.id == claim]
    runs = [run.without_variants() for run in runs if run is not None]
    models: dict[str, list[str]] = {}
    for name in by_family(pd.concat([run.table for run in runs])):
        words = [groups.judged(asked, run.of_model(name)).verdict for run in runs]
        words = [word for word in words if word != NOT_RUN]
        decided = [word for word in words if word != UNDECIDED]
        if words:
            models.setdefault((decided or words)[0], []).append(name)
    return models


def of_claim(says: str, claim: str, *runs: Results | None) -> str:
    """Formats a title: what a claim says, and the models in which it holds, fails, is undecided.

    says: the claim in words that "in a and b" or "not in c" can follow. Other arguments as
        `by_verdict`.
    """
    models = by_verdict(claim, *runs)
    clauses = [f"{words} {listed(models[word])}" for word, words in WORDS.items() if word in models]
    return f"{says} {', '.join(clauses)}"
