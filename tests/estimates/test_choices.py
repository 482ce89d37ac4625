"""Choices of a table, and a pipeline whose stages run once for what they depend on."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.errors import UserError
from cwr.estimates import choices
from cwr.estimates.choices import Pipeline

TABLE = """kind,name,parameter,value
ties,half is not enough,percent,51
split,dev,split,dev
centring,both,centred,"[""x2static"", ""ase""]"
parts,two,percent,20
parts,two,rate,1e-4
scale,,rows,used
"""


def test_a_choice_is_a_row_for_each_parameter(tmp_path):
    (tmp_path / "choices.csv").write_text(TABLE)
    read = choices.load_choices(tmp_path / "choices.csv")
    assert read == {
        "ties: half is not enough": {"percent": 51},
        "split: dev": {"split": "dev"},
        "centring: both": {"centred": ("x2static", "ase")},
        "parts: two": {"percent": 20, "rate": 1e-4},
        "scale": {"rows": "used"},
    }
    assert choices.choice_kinds(read) == ("ties", "split", "centring", "parts", "scale")
    assert list(choices.of_kinds(read, ["split", "ties"])) == list(read)[:2]
    with pytest.raises(UserError, match="'tie' is no kind of choice: did you mean 'ties'"):
        choices.of_kinds(read, ["tie"])


def test_figures_call_a_choice_by_its_words_or_else_its_name(tmp_path):
    table = "kind,name,parameter,value,in words\na,b,c,1,plain words\na,d,c,2,\n"
    (tmp_path / "choices.csv").write_text(table)
    read = choices.load_words(tmp_path / "choices.csv")
    assert read == {"a: b": "plain words", "a: d": "a: d"}


def counted(**settings) -> tuple[Pipeline, Counter]:
    """table(cap) and vectors(table, pool) behind score(vectors, percent), and how often each ran."""
    runs = Counter()

    def table(cap):
        runs["table"] += 1
        return [cap]

    def vectors(table, pool):
        runs["vectors"] += 1
        return [*table, pool]

    def score(vectors, percent):
        runs["score"] += 1
        return [{"value": (*vectors, percent)}]

    def rows_of_table(table):
        return [{"value": number} for number in table]

    stages = (score, vectors, table, rows_of_table)
    return Pipeline(*stages, cap=5, pool="mean", percent=50, **settings), runs


def test_a_stage_runs_again_only_for_what_it_depends_on():
    pipeline, runs = counted()
    assert pipeline("score") == [{"value": (5, "mean", 50)}]
    assert pipeline("score", percent=51) == [{"value": (5, "mean", 51)}]
    assert runs == {"score": 2, "vectors": 1, "table": 1}
    assert pipeline("score", pool="last", percent=50) == [{"value": (5, "last", 50)}]
    assert runs == {"score": 3, "vectors": 2, "table": 1}
    assert pipeline("table", pool="first", percent=1) == [5]
    assert runs["table"] == 1
    assert pipeline("score", cap=20) == [{"value": (20, "mean", 50)}]
    assert runs == {"score": 4, "vectors": 3, "table": 2}
    assert pipeline.needs("vectors") == {"cap", "pool"}
    assert pipeline.kept("table") == [[5], [20]]


PARAMETERS = st.fixed_dictionaries(
    {},
    optional={
        "cap": st.integers(4, 6),
        "pool": st.sampled_from(["mean", "last"]),
        "percent": st.integers(49, 51),
    },
)


@given(st.lists(PARAMETERS, max_size=6))
def test_what_is_kept_is_what_would_be_computed(asked):
    pipeline, _ = counted()
    for changes in asked:
        values = {"cap": 5, "pool": "mean", "percent": 50} | changes
        assert pipeline("score", **changes) == [{"value": tuple(values.values())}]


def test_what_cannot_matter_stays_as_in_the_chapter():
    pipeline, _ = counted(fixed=["pool"])
    asked = {"a": {"pool": "last"}, "b": {"cap": 5}, "c": {"cap": 6, "pool": "last"}}
    assert pipeline.applicable(asked) == {"c": {"cap": 6}}
    rows = choices.run_choices(pipeline, "score", asked)
    assert rows == [
        {"value": (5, "mean", 50), "variant": None},
        {"value": (6, "mean", 50), "variant": "c"},
    ]
    assert choices.run_choices(pipeline, "score", asked, chapter=False) == rows[1:]


def test_a_choice_has_no_rows_of_a_stage_that_it_does_not_change():
    pipeline, runs = counted()
    asked = {"a": {"percent": 51}, "b": {"cap": 6}}
    rows = choices.run_choices(pipeline, "rows_of_table", asked)
    assert [(row["variant"], row["value"]) for row in rows] == [(None, 5), ("b", 6)]
    assert runs == {"table": 2}


def test_stages_and_parameters_that_are_none_are_refused():
    pipeline, _ = counted()
    with pytest.raises(ValueError, match="caps is no parameter"):
        pipeline("score", caps=3)
    with pytest.raises(ValueError, match="scores is neither a stage nor a parameter"):
        pipeline("scores")
    with pytest.raises(ValueError, match="b is neither a stage nor a parameter"):
        Pipeline(_asks_for_b)
    with pytest.raises(ValueError, match="b asks for itself"):
        Pipeline(_asks_for_b, b)


def _asks_for_b(b):
    return b


def b(_asks_for_b):
    return _asks_for_b


def test_moves_are_paired_differences_from_the_chapter():
    drawn = {
        (None, "m"): {
            "level": np.array([1.0, 0.0, 2.0]),
            "gain": np.array([1.0, 1.0, 1.0]),
        },
        ("ties: x", "m"): {
            "level": np.array([1.5, 0.5, 2.5]),
            "gain": np.array([np.nan, 1.0, 1.0]),
        },
        ("ties: y", "m"): {
            "level": np.array([3.0, 3.0, np.nan]),
            "gain": np.array([1.0] * 3),
        },
    }
    moved = choices.moves(drawn, ["model"])
    assert list(moved.columns) == [
        "panel",
        "variant",
        "model",
        "value",
        "change",
        "low",
        "high",
    ]
    assert moved.to_dict("records")[:2] == [
        dict(
            panel="level",
            variant="ties: x",
            model="m",
            value=1.5,
            change=0.5,
            low=0.5,
            high=0.5,
        ),
        dict(
            panel="level",
            variant="ties: y",
            model="m",
            value=3.0,
            change=2.0,
            low=3.0,
            high=3.0,
        ),
    ]
    assert moved["panel"].tolist() == ["level", "level", "gain"]
    assert choices.moves({}, ["model"]).empty
