"""Titles name the models of each verdict, and the first run that decides counts."""

from cwr.report import results
from cwr.texts.ethayarajh2019 import titles

TREND = "eth-selfsim-decreases.trend"


def run(**curves):
    """Estimates of adjusted self-similarity: a model's layers, with three draws each."""
    return results.collect(
        {
            "model": name,
            "family": "masked",
            "layer": layer,
            "measure": "adjusted_self_similarity",
            "value": sum(draws) / len(draws),
            "replicates": draws,
        }
        for name, course in curves.items()
        for layer, draws in enumerate(course)
    )


FALLS = [[0.9] * 3, [0.5] * 3, [0.1] * 3]
RISES = FALLS[::-1]
OPEN = [[0.5] * 3, [0.4, 0.5, 0.6], [0.3, 0.6, 0.7]]


def test_a_title_names_the_models_in_which_a_claim_holds_and_fails():
    ours = run(a=FALLS, b=RISES)
    assert titles.of_claim("It falls", TREND, ours, None) == "It falls in a, not in b"


def test_a_further_run_adds_models_and_decides_what_the_first_leaves_open():
    ours, longer = run(a=FALLS, c=OPEN), run(a=RISES, c=RISES, d=FALLS)
    assert titles.by_verdict(TREND, ours) == {"holds": ["a"], "undecided": ["c"]}
    assert (
        titles.of_claim("It falls", TREND, ours, longer) == "It falls in a and d, not in c"
    )
