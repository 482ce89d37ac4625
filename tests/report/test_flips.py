"""The table of the choices that flip a verdict, and how far they move the number that decides it."""

from pathlib import Path

import numpy as np
import pytest

from cwr.papers import registry
from cwr.report import changes, results, verdicts
from cwr.report.changes import Change
from cwr.report.judgement import FAILS, HOLDS, Verdict
from cwr.tables import ANOTHER_SEED

BASE = Path(__file__).parents[2] / "book" / "reference" / "base"
NOISE = np.random.default_rng(0).normal(0, 0.004, 400)  # of the draws


def isotropies(centred: dict[str, float], variant: str | None) -> list[dict]:
    """The measures of `bis-isotropy-order` for two models."""
    rows = []
    for model, value in centred.items():
        keys = {"model": model, "family": "causal", "variant": variant}
        isotropy = {"": 0.2, "_centred": value, "_removed": 0.99}
        for ending, number in isotropy.items():
            rows.append(
                {**keys, "measure": f"partition_isotropy{ending}", "value": number}
            )
    return rows


def similarities(
    last: float, variant: str | None, noise: np.ndarray = NOISE
) -> list[dict]:
    """The curve of `eth-gpt2-last-maximal`, which holds up to 0.05 in the last layer."""
    rows = []
    for layer, value in enumerate((0.6, 0.4, last)):
        keys = {"model": "one", "family": "causal", "layer": layer, "variant": variant}
        draws = value + noise
        measure = "adjusted_self_similarity"
        rows.append({**keys, "measure": measure, "value": value, "replicates": draws})
    return rows


def folds(rows: list[dict], paper: str = "bis2021") -> dict[str, list[list[str]]]:
    """{what a choice's line says: the cells of the table that it folds, without the head}."""
    said = {}
    for fold in verdicts.compared(results.collect(rows), paper).split(
        "<details><summary>"
    )[1:]:
        title, content = fold.split("</summary>\n\n")
        lines = content.strip().removesuffix("</details>").strip().splitlines()
        said[title] = [line.strip("| ").split(" | ") for line in lines[2:]]
    return said


def table(rows: list[dict], paper: str = "bis2021") -> list[list[str]]:
    """The cells of the table of the one choice among these rows."""
    (cells,) = folds(rows, paper).values()
    return cells


def test_models_for_which_a_choice_changes_nothing_share_a_row() -> None:
    chapter = {"one": 0.5, "two": 0.6}
    assert folds(isotropies(chapter, None) + isotropies(chapter, "again")) == {
        "again: no verdict flips": [["one, two", "none", "0"]]
    }


def test_the_line_of_a_choice_counts_its_flips_by_model_and_what_is_noise() -> None:
    flipping = similarities(0.03, None) + similarities(0.10, "over 1 & <2>")
    undecided = similarities(0.03, None) + similarities(0.05, "over 1 & <2>")
    rows = flipping + [{**row, "model": "two"} for row in undecided]
    ((line, cells),) = folds(rows, "ethayarajh2019").items()
    flips = cells[0][1].count("holds → fails") + cells[0][1].count("fails → holds")
    noise = sum(int(row[2]) for row in cells)
    assert flips and noise
    name = "over 1 &amp; &lt;2&gt;"
    word = "verdict flips" if flips == 1 else "verdicts flip"
    within = "1 change is" if noise == 1 else f"{noise} changes are"
    assert line == f"{name}: {flips} {word} ({flips} in one); {within} within noise"


def test_a_flip_without_draws_stands_beside_its_choice_and_model() -> None:
    rows = isotropies({"one": 0.5, "two": 0.6}, None)
    rows += isotropies({"one": 0.1, "two": 0.6}, "other")  # below I(W) = 0.2
    flipped, same = table(rows)
    assert flipped[0] == "one" and same == ["two", "none", "0"]
    (order,) = [text for text in flipped[1].split("<br>") if "bis-isotropy-order`" in text]
    assert order.startswith("`bis-isotropy-order` holds → fails") and "[" not in order


def test_a_flip_tells_the_change_of_the_number_with_the_interval_of_its_pairs() -> None:
    paired = similarities(0.03, None) + similarities(0.10, "other")
    ((_, flips, _),) = table(paired, "ethayarajh2019")
    assert (
        "`eth-gpt2-last-maximal` holds → fails: 0.03 → 0.1, change 0.07 [0.07, 0.07]"
        in flips
    )
    unpaired = similarities(0.03, None) + similarities(0.10, "other", NOISE[::-1])
    ((_, flips, _),) = table(unpaired, "ethayarajh2019")
    assert "change 0.07 [0.05" in flips


def test_a_change_to_undecided_is_counted_and_not_listed() -> None:
    rows = similarities(0.03, None) + similarities(0.05, "other")
    ((_, flips, number),) = table(rows, "ethayarajh2019")
    assert "eth-gpt2-last-maximal" not in flips and int(number) >= 1


@pytest.mark.parametrize(
    ("before", "after", "interval", "is_flip"),
    [
        (HOLDS, FAILS, (0.01, 0.2), True),
        (FAILS, HOLDS, (-0.2, -0.01), True),
        (HOLDS, FAILS, (-0.01, 0.2), False),
        (HOLDS, FAILS, None, True),
        (HOLDS, "undecided", (0.01, 0.2), False),
        ("undecided", FAILS, None, False),
    ],
)
def test_a_flip_goes_from_side_to_side_by_more_than_noise(
    before, after, interval, is_flip
) -> None:
    assert Change("claim", Verdict(before), Verdict(after), interval).is_flip == is_flip


@pytest.mark.parametrize(
    ("of_seed", "flips"), [(0.07, True), (-0.01, True), (0.11, False)]
)
def test_a_flip_is_by_a_change_beyond_that_of_another_seed(
    of_seed: float, flips: bool
) -> None:
    """The choice moves the number by 0.07, the seed by 0.04 up or down, or by 0.08."""
    rows = similarities(0.03, None) + similarities(0.10, "other")
    cells = {}
    for title, table in folds(
        rows + similarities(of_seed, ANOTHER_SEED), "ethayarajh2019"
    ).items():
        ((_, cells[title.split(": ")[-2]], _),) = table
    said = "`eth-gpt2-last-maximal` holds → fails: 0.03 → 0.1, change 0.07 [0.07, 0.07]"
    assert (f"{said}, by another seed 0.04" in cells["other"]) == flips
    assert ("eth-gpt2-last-maximal" in cells["other"]) == flips
    assert (
        cells["another"] == "none"
    )  # however far another seed moves it, it is its own noise


@pytest.mark.parametrize("of_seed", [0.1, 0.5])
def test_where_no_number_decides_a_flip_is_one_that_another_seed_does_not_make(
    of_seed,
) -> None:
    rows = isotropies({"one": 0.5}, None) + isotropies({"one": 0.1}, "other")
    by_choice = folds(rows + isotropies({"one": of_seed}, ANOTHER_SEED))
    ((_, flips, _),) = by_choice[
        next(name for name in by_choice if name.startswith("other"))
    ]
    assert ("`bis-isotropy-order` holds → fails" in flips) == (of_seed == 0.5)


def test_draws_without_a_meaning_do_not_count_in_the_interval_of_a_change() -> None:
    first, last = NOISE.copy(), NOISE.copy()
    first[:10] = last[-10:] = np.nan  # no more, or the verdict is undecided
    rows = similarities(0.03, None, first) + similarities(0.10, "other", last)
    ((_, flips, _),) = table(rows, "ethayarajh2019")
    assert "change 0.07 [0.07, 0.07]" in flips


def test_the_change_of_a_measure_is_its_mean_above_the_input_draw_by_draw() -> None:
    rows = similarities(0.03, None) + similarities(0.10, "other", 2 * NOISE)
    measured = results.collect(rows)
    (change,) = changes.of_measure(measured, "adjusted_self_similarity").itertuples()
    low, high = np.quantile(NOISE, [0.025, 0.975])  # of 2 NOISE - NOISE
    assert (change.variant, change.model) == ("other", "one")
    assert change.change == pytest.approx(0.035)
    assert (change.low, change.high) == pytest.approx(
        (0.035 + low, 0.035 + high), abs=1e-5
    )


def test_of_a_text_whose_claims_compare_the_group_has_the_flips() -> None:
    means = {None: (0.5, 0.4), "another": (0.3, 0.4)}
    rows = []
    for variant, (distilled, average) in means.items():
        for kind, value in (("x2static_sentence", distilled), ("ase_best_layer", average)):
            keys = {
                "model": "one",
                "family": "masked",
                "estimator": kind,
                "variant": variant,
            }
            measure = "word_similarity_mean_spearman"
            rows.append(
                {**keys, "measure": measure, "value": value, "replicates": value + NOISE}
            )
    ((line, cells),) = folds(rows, "gupta2021").items()
    assert line == "another: 1 verdict flips (1 in together)"
    ((group, _, _),) = cells
    assert group == "together"
    assert "gup-x2static-beats-ase` holds → fails: 0.1 → -0.1" in cells[0][1]


def test_the_flips_of_a_group_stand_beside_those_of_models() -> None:
    measured = results.read(BASE / "bis2021" / "08_which_choices_decide")
    name = "bis-centring-restores-isotropy"
    ids = (name, "bis-isotropy-order")  # the second is judged on each model
    claims = [each for each in registry.paper("bis2021").claims if each.id in ids]
    by_variant = changes.by_choice(measured, claims, "together")
    (change,) = by_variant["scale: rows over their mean norm"]["together"]
    assert (change.claim, change.before.verdict, change.after.verdict) == (
        name,
        FAILS,
        HOLDS,
    )
    table = measured.table[measured.table["measure"] == "partition_isotropy_centred"]
    of_scale = table[table["variant"] == "scale: rows over their mean norm"]
    as_they_are = table[table["variant"].isna()]
    shares = [(rows["value"] >= 0.95).mean() for rows in (as_they_are, of_scale)]
    assert change.values == pytest.approx(shares)  # of matrices, counted by hand


def test_a_group_is_the_same_models_by_both_choices() -> None:
    some = dict.fromkeys(("one", "two", "three"), 0.99)
    every = some | dict.fromkeys(
        ("four", "five", "six", "seven"), 0.5
    )  # most are not near 1
    rows = isotropies(every, None) + isotropies(some, "of some")
    name = "bis-centring-restores-isotropy"
    (claim,) = [each for each in registry.paper("bis2021").claims if each.id == name]
    asked = changes.asked_by_choice(results.collect(rows), [claim], "together")
    (change,) = asked["of some"]["together"]
    assert change.before.verdict == change.after.verdict == HOLDS
