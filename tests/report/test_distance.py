"""How far a claim is from its threshold: the number that decides it, or none rather than a wrong one."""

import numpy as np
import pytest

from cwr.papers import predicates, registry
from cwr.papers.claims import Claim, Needs
from cwr.report import judge, strip
from cwr.report.distance import Distance
from cwr.report.judgement import on_published
from cwr.tables import tidy

VALUES = [0.5, 0.2, 0.4]
TABLE = tidy(
    [
        {"model": "m", "family": "masked", "layer": layer, "measure": "b", "value": value}
        for layer, value in enumerate(VALUES)
    ]
)
NAMES = predicates.layer_names(range(3))


def claim(holds) -> Claim:
    needs = Needs(measures=("b",))
    return Claim(id="c", place="p", says="s", needs=needs, holds=holds, tolerance="")


def distances(holds, replicates=None) -> tuple[Distance, ...]:
    return judge(claim(holds), TABLE, replicates).distances


def test_of_several_values_the_worst_for_the_claim_counts():
    (far,) = distances(lambda table: predicates.above(table, table.curve("b"), 0.1, NAMES))
    assert far == Distance("layer 1", 0.2, None, 0.1, np.inf)
    (far,) = distances(
        lambda table: predicates.at_most(table, table.curve("b"), 0.45, NAMES)
    )
    assert far == Distance("layer 0", 0.5, None, -np.inf, 0.45)
    (far,) = distances(
        lambda table: predicates.near(table, table.curve("b"), 0.4, 0.3, NAMES)
    )
    assert (far.name, far.low, far.high) == (
        "layer 1",
        pytest.approx(0.1),
        pytest.approx(0.7),
    )


def test_the_interval_is_that_of_the_worst_value_in_each_draw():
    draws = np.tile(VALUES, (200, 1)) + np.linspace(-0.1, 0.1, 200)[:, None]
    draws[:100, 2] = 0  # in half of the draws another layer is the lowest
    (far,) = distances(
        lambda table: predicates.above(table, table.curve("b"), 0.1, NAMES), draws
    )
    assert far.value == 0.2 and far.interval[0] == 0 and 0.28 < far.interval[1] <= 0.3


def test_a_share_of_items_is_such_a_number():
    (far,) = distances(lambda table: predicates.most(table, table.curve("b") > 0.3, NAMES))
    assert (far.name, far.value, far.low) == (
        "share of 3 cases",
        pytest.approx(2 / 3),
        0.5,
    )


@pytest.mark.parametrize(
    "holds",
    [
        lambda table: predicates.every(table, table.curve("b") > 0.1, NAMES),
        lambda table: table.curve("b")[:, 0] > table.curve("b")[:, 1],
        lambda table: (
            predicates.above(table, table.curve("b"), 0.1, NAMES)
            & predicates.every(table, table.curve("b") > 0, NAMES)
        ),
        lambda table: (
            predicates.above(table, table.curve("b"), 0.1, NAMES)
            & (predicates.largest(table, table.curve("b"), "b") == 0)
        ),
        lambda table: predicates.above(table, table.curve("b"), 0.1, NAMES) & False,
        lambda table: (
            predicates.above(table, table.curve("b"), 0.1, NAMES)
            & predicates.below(table, table.curve("b"), 0.9, NAMES)
        ),
        lambda table: predicates.above(
            table, table.curve("b")[:, 0], table.curve("b")[:, 1], "first less second"
        ),
    ],
    ids=[
        "no bound",
        "no predicate",
        "another",
        "an order",
        "explains not",
        "two",
        "estimated",
    ],
)
def test_what_one_number_does_not_decide_has_no_distance(holds):
    assert distances(holds) == ()


def test_a_published_distance_is_on_the_side_that_its_verdict_says():
    told = 0
    for paper in registry.PAPERS:
        published = paper.published()
        for each in paper.claims:
            verdict = on_published(each, published)
            rooms = [
                min(far.value - far.low, far.high - far.value) for far in verdict.distances
            ]
            if rooms and verdict.verdict == "holds":
                assert min(rooms) > -1e-8, each.id
            if rooms and verdict.verdict == "fails":
                assert min(rooms) < 1e-8, each.id
            told += bool(rooms)
    assert told > 120


def test_a_strip_shows_values_interval_and_bound_where_they_are():
    far = (Distance("last layer", 0.5, (0.25, 0.75), 0, np.inf),)
    axis = strip.Axis.over([*far, Distance("x", 1, None, 0, np.inf)])
    assert (axis.low, axis.high) == (0, 1)
    drawing = strip.strip(far, axis)
    left, middle, right = axis.at(0), axis.at(0.5), axis.at(1)
    assert left < middle < right and middle == strip.WIDTH / 2
    assert f'<path class="bound" d="M{left} 0V' in drawing
    assert f'<circle class="ours" cx="{middle}"' in drawing
    assert f"M{axis.at(0.25)} 9.0H{axis.at(0.75)}" in drawing
    assert strip.numbers(far) == "0.5 [0.25, 0.75] (last layer)"


@pytest.mark.parametrize(
    "value, interval, bounds, texts",
    [
        (0.0706, (0.066, 0.0752), (0.02, np.inf), ["0.071", "0.066", "0.075"]),
        (4.29, (-12.1, 17.6), (0, np.inf), ["4.3", "-12", "18"]),
        (
            0.981,
            (0.979, 0.984),
            (0.95, np.inf),
            ["0.981", "0.979", "0.984"],
        ),  # alike with two
        (
            0.23,
            (0.2033, 0.31),
            (0.2, np.inf),
            ["0.23", "0.203", "0.31"],
        ),  # would reach the bound
        (
            0.2684,
            (0.21, 0.31),
            (0.265, 0.275),
            ["0.268", "0.21", "0.31"],
        ),  # a bound of three digits
        (123.4, (120.1, 127.9), (0, np.inf), ["123", "120", "128"]),
        (-0.0001, (-0.31, 0.32), (0.5, np.inf), ["-0.0001", "-0.31", "0.32"]),
        (0.5, (0.5, 0.50001), (0, np.inf), ["0.5", "0.5", "0.5"]),
        (994, None, (994, 994), ["994"]),
        (0.0706, None, (0.02, np.inf), ["0.0706"]),  # no interval
    ],
)
def test_a_value_with_an_interval_has_two_digits_or_three_where_it_needs_them(
    value, interval, bounds, texts
):
    far = Distance("x", value, interval, *bounds)
    assert strip.rounded(far) == texts
    ends = f" [{texts[1]}, {texts[2]}]" if interval else ""
    assert strip.rounded_numbers((far, far)) == "; ".join([f"{texts[0]}{ends} (x)"] * 2)


@pytest.mark.parametrize(
    "low, high, text",
    [
        (0.02, np.inf, "above 0.02"),
        (-np.inf, 0.05, "below 0.05"),
        (0.55, 0.65, "0.55 to 0.65"),
        (994, 994, "equal to 994"),
        (1e-9, np.inf, "above 0"),
        (17e6, np.inf, "above 17,000,000"),
    ],
)
def test_bounds_are_told_in_words(low, high, text):
    assert strip.bounds(Distance("x", 0.5, None, low, high)) == text


def test_published_models_are_shown_together_only_against_one_threshold():
    two = tidy(
        [
            {
                "model": name,
                "family": "masked",
                "layer": layer,
                "measure": "b",
                "value": 0.5,
            }
            for name, layers in {"m": 3, "n": 4}.items()
            for layer in range(layers)
        ]
    )
    needs = Needs(measures=("b",))

    def told(bound) -> int:
        def holds(table):
            values = table.curve("b")
            return predicates.above(table, values[:, 0], bound(values), "b")

        claim = Claim(id="c", place="p", says="s", needs=needs, holds=holds, tolerance="")
        return len(on_published(claim, two).distances)

    assert told(lambda values: 0.1) == 2
    assert told(lambda values: 1 / values.shape[1]) == 0


@pytest.mark.parametrize(
    "number, shown",
    [
        (0.03049, "0.0305"),
        (-0.5, "-0.5"),
        (999.4, "999"),
        (999.6, "1,000"),
        (17759094, "17,759,094"),
    ],
)
def test_a_short_number_never_has_an_exponent(number, shown):
    assert strip.short_number(number) == shown
