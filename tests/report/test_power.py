"""The smallest effect that a sample can show, against simulated samples and written-out rules."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from cwr.measures import stats
from cwr.papers import predicates, registry
from cwr.papers.claims import Claim, Needs
from cwr.report import judge, power
from cwr.report.judgement import HOLDS, NOT_RUN, UNDECIDED, Verdict
from cwr.report.render import Judged
from cwr.report.results import collect
from cwr.report.verdicts import judge_paper
from cwr.tables import tidy
from cwr.texts.survey.claims.hierarchy import PHRASES

MODEL = {"model": "m", "family": "masked", "measure": "gain"}
ABOVE = Claim(
    id="c",
    place="p",
    says="s",
    needs=Needs(measures=("gain",)),
    holds=lambda table: predicates.above(table, table.value("gain"), 0.0, "gain"),
    tolerance="",
)


def share_shown(effect: float, worlds: int = 400, documents: int = 70) -> float:
    """In how many simulated samples the claim holds: documents drawn, their mean bootstrapped."""
    generator = np.random.default_rng(5)
    held = 0
    for _ in range(worlds):
        sample = generator.normal(effect, 1.0, documents)
        picks = generator.integers(documents, size=(400, documents))
        table = tidy([{**MODEL, "value": sample.mean()}])
        held += judge(ABOVE, table, sample[picks].mean(axis=1)[:, None]).verdict == HOLDS
    return held / worlds


def test_an_effect_of_this_size_is_shown_in_four_samples_of_five():
    draws = np.random.default_rng(3).normal(size=(20_000, 70)).mean(axis=1)
    smallest = stats.least_detectable(draws)
    assert share_shown(smallest) == pytest.approx(0.8, abs=0.05)
    assert share_shown(smallest * 0.7) == pytest.approx(0.5, abs=0.07)  # the half width
    assert share_shown(0.0) < 0.06


def test_it_is_so_many_standard_errors_as_the_table_of_the_source_has():
    draws = np.array([1.0, 2.0, 3.0, 6.0])
    error = math.sqrt(((1 - 3) ** 2 + (2 - 3) ** 2 + 0 + (6 - 3) ** 2) / 3)
    assert stats.least_detectable(draws) == pytest.approx(2.802 * error, rel=1e-3)
    assert stats.least_detectable(draws, power=0.9) == pytest.approx(
        3.242 * error, rel=1e-3
    )
    assert stats.least_detectable(draws, level=0.9) == pytest.approx(
        2.486 * error, rel=1e-3
    )
    assert stats.least_detectable(draws * 10 + 7) == pytest.approx(28.02 * error, rel=1e-3)
    assert stats.least_detectable(draws, power=0.5) == pytest.approx(
        1.960 * error, rel=1e-3
    )
    assert stats.least_detectable(np.full(9, 4.0)) == 0


@pytest.mark.parametrize(
    ("draws", "level", "share"),
    [
        ([1.0], 0.95, 0.8),
        ([1.0, 2.0], 1.0, 0.8),
        ([1.0, 2.0], 0.95, 0.4),
        ([1.0, 2.0], 0.95, 1.0),
    ],
)
def test_what_has_no_standard_error_or_no_such_power_is_refused(draws, level, share):
    with pytest.raises(ValueError):
        stats.least_detectable(np.array(draws), level, share)


# ---- the page

REAL = "sur-heatmap-np.beyond-input"
DRAWS = np.random.default_rng(1).normal(0.3, 0.1, 500)


def said(claim: Claim, value: float, draws: np.ndarray) -> Judged:
    """A claim judged on one model."""
    verdict = judge(claim, tidy([{**MODEL, "value": value}]), draws[:, None])
    return Judged("survey", claim, Verdict(NOT_RUN), {"m": verdict}, "")


def test_a_line_has_the_smallest_effect_and_the_effect_counted_from_the_bound():
    half = Claim(
        id="d",
        place="p",
        says="s",
        needs=ABOVE.needs,
        holds=lambda table: predicates.below(table, table.value("gain"), 0.5, "gain"),
        tolerance="",
    )
    page = power.markdown([said(ABOVE, 0.3, DRAWS), said(half, 0.6, DRAWS)], "survey")
    error = math.sqrt(sum((draw - sum(DRAWS) / 500) ** 2 for draw in DRAWS) / 499)
    numbers = re.findall(r"<code>m</code> ([\d.]+) \((-?[\d.]+)\)", page)
    assert numbers == [(f"{2.8016 * error:.3g}", "0.3"), (f"{2.8016 * error:.3g}", "-0.1")]
    assert "gain, above 0 |" in page and "gain, below 0.5 |" in page
    assert page.startswith(
        "2 verdicts on our models rest on one number each. In 1 of them"
    )


def test_effects_below_it_are_counted_and_those_of_them_that_are_undecided():
    small = [said(ABOVE, 0.1, DRAWS - 0.2), said(ABOVE, 0.25, DRAWS - 0.05)]
    assert [each.ours["m"].verdict for each in small] == [UNDECIDED, HOLDS]
    page = power.markdown(small, "survey")
    assert (
        "In 0 of them" in page
        and "In the other 2 the effect found is smaller, and 1 of these verdicts is undecided."
        in page
    )


def test_where_the_worst_of_several_numbers_decides_each_model_has_its_own_beside_it():
    steps = Claim(
        id="rises",
        place="p",
        says="s",
        needs=Needs(measures=("step",)),
        holds=lambda table: predicates.above(
            table, table.curve("step"), 0.02, ["first", "second"]
        ),
        tolerance="",
    )

    def verdict(first: float, second: float) -> Verdict:
        values = np.array([first, second])
        rows = [
            {**MODEL, "measure": "step", "layer": n, "value": value}
            for n, value in enumerate(values)
        ]
        return judge(steps, tidy(rows), values + DRAWS[:, None] - 0.3)

    def line(verdicts: dict[str, Verdict]) -> str:
        page = power.markdown(
            [Judged("survey", steps, Verdict(NOT_RUN), verdicts, "")], "survey"
        )
        return re.sub(r"[\d.]+ \(", "_ (", page.splitlines()[-5])

    low, high = verdict(0.12, 0.62), verdict(0.52, 0.42)
    assert line({"m": low, "n": high}).endswith(
        "| beside each model, above 0.02 "
        "| <code>m</code> _ (0.1), first<br><code>n</code> _ (0.4), second |"
    )
    assert line({"m": low, "n": low}).endswith(
        "| first, above 0.02 | <code>m</code> _ (0.1)<br><code>n</code> _ (0.1) |"
    )


def test_a_claim_that_is_asked_again_by_another_estimator_counts_once():
    again = [replace(ABOVE, id=f"c.{end}", same_as="c") for end in ("pairs", "words")]
    judged = [said(claim, 0.3, DRAWS) for claim in (ABOVE, *again)]
    in_general = replace(
        judged[1], general=said(replace(ABOVE, id="c.pairs.transfer"), 0.3, DRAWS)
    )
    page = power.markdown([judged[0], in_general, judged[2]], "survey")
    assert (
        page.startswith("1 verdicts on our models") and page.count("<code>m</code>") == 1
    )
    assert (
        "`c.pairs" not in page
        and "counts once, without the ids in `….pairs`, `….words`." in page
    )
    not_asked = replace(judged[1], ours={})
    assert "counts once" not in power.markdown([judged[0], not_asked], "survey")


def test_what_has_no_one_number_or_few_values_is_named_with_its_reason():
    order = Claim(
        id="by-order",
        place="p",
        says="s",
        needs=ABOVE.needs,
        holds=lambda table: table.value("gain") > 0,
        tolerance="",
    )
    shares = said(ABOVE, 0.4, np.repeat([0.2, 0.4, 0.6], 100))
    gaps = said(ABOVE, 0.3, np.where(np.arange(500) < 50, np.nan, DRAWS))
    page = power.markdown([said(order, 0.3, DRAWS), shares], "survey")
    assert "<details>" not in page and f"*{power.SEVERAL}:* `by-order`\n" in page
    assert f"*{power.FEW_VALUES}:* `c`\n" in page
    assert f"*{power.NO_MEANING}:* `c`\n" in power.markdown([gaps], "survey")


def test_a_few_draws_without_meaning_do_not_count():
    few = np.where(np.arange(500) < 5, np.nan, DRAWS)
    (line,) = re.findall(
        r"<code>m</code> ([\d.]+)", power.markdown([said(ABOVE, 0.3, few)], "survey")
    )
    assert float(line) == pytest.approx(2.8016 * few[5:].std(ddof=1), rel=5e-3)


def test_other_chapters_and_what_was_not_asked_or_has_no_draws_are_left_out():
    judged = said(ABOVE, 0.3, DRAWS)
    assert power.markdown([judged], "bis2021") == f"{power.ABSENT}\n"
    proved = Judged("survey", ABOVE, Verdict(NOT_RUN), {"m": Verdict(HOLDS)}, "")
    assert power.markdown([proved], "survey") == f"{power.ABSENT}\n"


def test_a_real_claim_of_the_chapter_has_the_error_of_its_own_difference():
    generator = np.random.default_rng(2)
    keys = {"model": "m", "family": "masked", "measure": PHRASES, "estimator": "raw"}
    rows = []
    for layer, value in enumerate((0.1, 0.2, 0.15)):
        drawn = value + generator.normal(scale=0.01, size=300)
        rows.append({**keys, "layer": layer, "value": value, "replicates": drawn})
    (claim,) = [each for each in registry.paper("survey").claims if each.id == REAL]
    judged = judge_paper(registry.paper("survey"), [claim], collect(rows), "m")
    page = power.markdown(judged, "survey")
    difference = rows[1]["replicates"] - rows[0]["replicates"]
    (line,) = re.findall(r"<code>m</code> ([\d.]+) \(([\d.]+)\)", page)
    assert float(line[0]) == pytest.approx(2.8016 * difference.std(ddof=1), rel=5e-3)
    assert line[1] == "0.1"
