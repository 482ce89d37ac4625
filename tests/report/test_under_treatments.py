"""What a headline claim survives: the strip of its treatments."""

import numpy as np
import pytest

from cwr.papers import registry
from cwr.report import changes, claims_map, results, scoreboard, under_treatments, verdicts
from cwr.report.judgement import FAILS, HOLDS

HEADLINE = "eth-anisotropy-noninput"  # mean cosine above 0.02 in layers 1 and up
CENTRED = "z-scores"


def rows(curve: list[float], variant: str | None = None) -> list[dict]:
    """A baseline by layer of one model, with draws that all treatments share."""
    draws = 0.001 * np.random.default_rng(0).normal(size=200)
    keys = {"model": "one", "family": "masked", "measure": "anisotropy_baseline"}
    return [
        {
            **keys,
            "variant": variant,
            "layer": layer,
            "value": value,
            "replicates": value + draws,
        }
        for layer, value in enumerate(curve)
    ]


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Writes the results of a notebook that compares choices; returns the folder of the profile."""

    def write(table: list[dict], profile: str = "small"):
        folder = tmp_path / profile / "ethayarajh2019" / "06_what_the_measures_hide"
        monkeypatch.setenv("CWR_RESULTS", str(folder))
        results.write("ethayarajh2019/06_what_the_measures_hide", table, {})
        return tmp_path / profile

    return write


def test_a_cell_of_a_battery_is_the_verdict_of_the_treated_numbers(run):
    curves = {"less": [0.1, 0.3, 0.01], "more": [0.1, 0.3, 0.4], CENTRED: [0.0, 0.0, 0.0]}
    table = rows([0.1, 0.3, 0.2])
    for name, curve in curves.items():
        table += rows(curve, name)
    treated = under_treatments.of_headlines(run(table))[HEADLINE]
    assert {each.treatment for each in treated} == set(curves)
    for each in treated:
        is_anisotropic = all(value > 0.02 for value in curves[each.treatment][1:])
        assert each.changes["one"].after.verdict == (HOLDS if is_anisotropic else FAILS)


def test_what_is_so_by_arithmetic_is_said_and_not_counted(run):
    table = rows([0.1, 0.3]) + rows([0.1, 0.0], "less") + rows([0.0, 0.0], CENTRED)
    treated = under_treatments.of_headlines(run(table))[HEADLINE]
    said = "No verdict flips under 0 of 1 treatments. A verdict flips under “less”."
    assert under_treatments.sentence(treated) == said
    assert under_treatments.html(treated).count("By arithmetic") == 1


def test_a_headline_without_treatments_says_so(run):
    batteries = under_treatments.of_headlines(
        run(rows([0.1, 0.3]) + rows([0.1, 0.3], "same"))
    )
    assert set(batteries) == {
        claim for paper in registry.PAPERS for claim in paper.headlines
    }
    assert under_treatments.NONE in under_treatments.html(batteries["eth-mev-5pct"])


def test_treatments_of_a_longer_profile_stand_with_its_name(run):
    short = run(rows([0.1, 0.3]) + rows([0.1, 0.3], "same"))
    longer = run(
        rows([0.1, 0.3]) + rows([0.1, 0.01], "same") + rows([0.1, 0.01], "new"), "base"
    )
    treated = under_treatments.of_headlines(short, longer)[HEADLINE]
    said = {each.treatment: each.changes["one"].after.verdict for each in treated}
    assert said == {"same": HOLDS, "new (base)": FAILS}


def test_a_battery_says_what_the_flip_tables_say(run):
    table = rows([0.1, 0.3]) + rows([0.1, 0.01], "less") + rows([0.1, 0.2], "other")
    measured = results.collect(table)
    claims = registry.paper("ethayarajh2019").claims
    flips = changes.by_choice(measured, claims, verdicts.TOGETHER)
    for each in under_treatments.of_headlines(run(table))[HEADLINE]:
        of_model = [
            change.claim for change in flips[each.treatment]["one"] if change.is_flip
        ]
        assert each.turns == (HEADLINE in of_model)


def test_the_scoreboard_and_the_map_say_what_a_headline_survives(run):
    folder = run(rows([0.1, 0.3]) + rows([0.1, 0.01], "less"))
    judged = verdicts.judge_all(None, "small")
    batteries = under_treatments.of_headlines(folder)
    said = under_treatments.sentence(batteries[HEADLINE])
    assert (
        said == "No verdict flips under 0 of 1 treatments. A verdict flips under “less”."
    )
    assert said in scoreboard.page(folder, judged=judged, batteries=batteries)
    assert said in claims_map.markdown(judged, batteries)


def test_a_verdict_that_a_treatment_leaves_open_is_named(run):
    treated = under_treatments.of_headlines(
        run(rows([0.1, 0.3]) + rows([0.1, 0.0203], "near"))
    )[HEADLINE]
    said = "No verdict flips under 1 of 1 treatments. A verdict becomes undecided under “near”."
    assert under_treatments.sentence(treated) == said
