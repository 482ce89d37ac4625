"""Tables for readers: which number stands where, in which words."""

import numpy as np
import pandas as pd
import pytest

from cwr import tables
from cwr.estimates import distilled, similarity_tables
from cwr.estimates.distilled import Source
from cwr.papers import printed

WORDS = [f"w{number}" for number in range(30)]


def vectors(seed: int, words=WORDS) -> dict[str, np.ndarray]:
    return dict(
        zip(words, np.random.default_rng(seed).normal(size=(len(words), 4)), strict=True)
    )


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    sets = {}
    for name in ("WS-353", "MEN"):
        words = [rng.choice(WORDS, 2, replace=False) for _ in range(40)]
        frame = pd.DataFrame(words, columns=["first", "second"])
        sets[name] = frame.assign(score=rng.normal(size=40))
    alone = {layer: vectors(50 + layer) for layer in range(2)}
    layers = {layer: vectors(layer, WORDS[:26]) for layer in range(2)}
    sources = [
        Source("teacher", "masked", layers, distilled.ASE, alone),
        Source("CBOW", "static", {0: vectors(9)}, {"static": "one of the seeds"}),
    ]
    return [
        *distilled.score_rows(sources, sets, 20),
        *distilled.missing_rows(sources, sets),
    ]


@pytest.fixture(scope="module")
def table(rows):
    return tables.tidy(
        [{k: v for k, v in row.items() if k != "replicates"} for row in rows]
    )


def value(table, measure, dataset, estimator):
    return tables.only_value(table, measure, dataset=dataset, estimator=estimator)


def test_table_3_has_the_chosen_layer_in_brackets_and_the_pairs_in_its_first_line(table):
    shown = similarity_tables.as_table_3(table, ["WS-353", "MEN"])
    assert list(shown.columns) == ["WS-353", "MEN", "mean"]
    pairs = tables.only_value(table, distilled.PAIRS, dataset="MEN")
    assert shown.loc[("pairs", ""), "MEN"] == f"{pairs:.0f}"
    score = value(table, distilled.SPEARMAN, "MEN", "ase_best_layer")
    layer = value(table, distilled.LAYER, "MEN", "ase_best_layer")
    assert shown.loc[("ASE, best layer", "teacher"), "MEN"] == f"{score:.3f} ({layer:.0f})"
    score = value(table, distilled.SPEARMAN, "WS-353", "static")
    assert shown.loc[("CBOW", "CBOW"), "WS-353"] == f"{score:.3f}"
    assert "ASE, chosen on half" not in shown.index.get_level_values("row")


def test_three_rules_stand_beside_each_other_each_with_its_pairs(table):
    shown = similarity_tables.by_rule(table, ["MEN", "WS-353"])
    assert list(dict.fromkeys(shown.index.get_level_values("set"))) == ["MEN", "WS-353"]
    line = shown.loc["MEN", "ASE, best per set", "teacher"]
    for column, ending in similarity_tables.RULES.items():
        key = {"dataset": "MEN", "estimator": "ase_best_per_task"}
        score = tables.only_value(table, distilled.SPEARMAN + ending, **key)
        n = tables.only_value(
            table, distilled.PAIRS + ending, **(key if ending else {"dataset": "MEN"})
        )
        assert line[column] == f"{score:.3f} (n = {n:.0f})"
    assert line["words alone"].endswith("(n = 40)")
    assert pd.isna(shown.loc["MEN", "CBOW", "CBOW"]["words alone"])


def test_rows_stand_in_one_order_and_printed_ones_under_the_same_names(table):
    ours = similarity_tables.scores(table)
    assert list(dict.fromkeys(ours["line"])) == [
        "ASE, layer 0",
        "ASE, best per set",
        "ASE, best layer",
        "ASE, chosen on half",
        "CBOW",
    ]
    assert set(ours["dataset"]) == {"WS-353", "MEN", "mean", "mean of all sets"}
    in_print = similarity_tables.scores(printed.load("gupta2021"))
    of_cbow = in_print[(in_print["line"] == "CBOW") & (in_print["dataset"] == "RG-65")]
    assert of_cbow["value"].tolist() == [0.8348]  # Table 3, and not once more from Table 6
    assert len(in_print) == 29 * 6


def test_a_lead_is_a_text_and_a_verdict(rows):
    key = ("teacher", "ase_best_per_task"), ("teacher", "ase_layer_0")
    leads = similarity_tables.with_leads(distilled.differences(rows, [key]))
    row = leads[leads["dataset"] == "mean"].iloc[0]
    assert (
        row["lead"] == f"{row['difference']:+.3f} [{row['low']:+.3f}, {row['high']:+.3f}]"
    )
    assert row["row"] == "ASE, best per set (teacher)" and row["rival"] == "ASE, layer 0"
    decided = {"is_decided": True, "low": 0.1, "high": 0.3}
    assert similarity_tables.verdict(pd.Series(decided)) == "clearly above"
    assert (
        similarity_tables.verdict(pd.Series({**decided, "low": -0.3})) == "clearly below"
    )
    open_ = {**decided, "is_decided": False}
    assert similarity_tables.verdict(pd.Series(open_)) == "not clearly different from"


ABOVE, BELOW, OPEN = (0.05, 0.01, 0.09), (-0.05, -0.09, -0.01), (0.02, -0.02, 0.06)


def lead(rival: str, bounds: tuple[float, float, float]) -> dict:
    """A row of `distilled.differences`: X2Static's lead in the mean, with its interval."""
    difference, low, high = bounds
    keys = {"ahead": "cwr-bert x2static_sentence", "behind": f"cwr-bert {rival}"}
    keys |= {"measure": distilled.MEAN, "dataset": None, "least": 0.04}
    is_decided = low > 0 or high < 0
    return {
        **keys,
        "difference": difference,
        "low": low,
        "high": high,
        "is_decided": is_decided,
    }


@pytest.mark.parametrize(
    ("over_ase", "over_centred", "answer"),
    [
        (ABOVE, ABOVE, "The lead exceeds the gain from centring."),
        (
            ABOVE,
            OPEN,
            "These pairs cannot decide whether the lead exceeds the gain from centring.",
        ),
        (ABOVE, BELOW, "ASE is ahead after centring."),
        (OPEN, ABOVE, "These pairs cannot decide a lead over ASE."),
        (OPEN, OPEN, "These pairs cannot decide a lead over ASE."),
        (OPEN, BELOW, "ASE is ahead after centring."),
        (BELOW, OPEN, "ASE is ahead without centring."),
        (BELOW, BELOW, "ASE is ahead without centring."),
    ],
)
def test_a_lead_is_more_than_centring_only_where_both_differences_are_decided(
    over_ase, over_centred, answer
):
    leads = [lead("ase_best_layer", over_ase), lead("ase_centred", over_centred)]
    lines = similarity_tables.centring_lines(
        similarity_tables.with_leads(pd.DataFrame(leads))
    )
    assert lines.startswith("- *X2Static, sentence (cwr-bert)* minus ")
    assert lines.endswith(f" {answer}") and "token matrix" not in lines
    said = similarity_tables.centring_answers(
        similarity_tables.with_leads(pd.DataFrame(leads))
    )
    is_of_ase = answer in (
        "These pairs cannot decide a lead over ASE.",
        "ASE is ahead without centring.",
    )
    difference, low, high = over_ase if is_of_ase else over_centred
    number = f"{difference:+.3f} [{low:+.3f}, {high:+.3f}]"
    assert said == f"{answer.rstrip('.')}: X2Static, sentence (cwr-bert) {number}."


def test_each_rival_stands_with_its_interval_and_the_least_difference():
    leads = [
        lead("input_matrix", BELOW),
        lead("ase_best_layer", ABOVE),
        lead("model2vec", ABOVE),
        lead("ase_centred", OPEN),
    ]
    line = similarity_tables.centring_lines(
        similarity_tables.with_leads(pd.DataFrame(leads))
    )
    assert line == (
        "- *X2Static, sentence (cwr-bert)* minus ASE, best layer: +0.050 [+0.010, +0.090], "
        "clear, least detectable 0.040; minus ASE, centred: +0.020 [-0.020, +0.060], not clear, "
        "least detectable 0.040; minus token matrix: -0.050 [-0.090, -0.010], clear, least "
        "detectable 0.040. These pairs "
        "cannot decide whether the lead exceeds the gain from centring."
    )
