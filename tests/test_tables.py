"""How rows of a tidy table are chosen, and how a predicate reads them: one value where one is meant, or a sentence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.tables import (
    Ambiguous,
    Journal,
    Missing,
    Table,
    by_family,
    matching,
    only_value,
    tidy,
    where,
)

TABLE = tidy(
    [
        {"model": "a", "layer": 1, "measure": "m", "value": 0.5},
        {"model": "a", "layer": 2, "measure": "m", "value": 0.6},
        {"model": "b", "layer": 1, "measure": "m", "variant": "other", "value": 0.7},
        {"measure": "n", "value": 0.8},
    ]
)
word, layer = st.sampled_from(["x", "y", None]), st.sampled_from([0, 1, None])


@given(
    st.lists(
        st.fixed_dictionaries({"model": word, "word": word, "layer": layer}), min_size=1
    ),
    st.dictionaries(
        st.sampled_from(["model", "word", "layer"]), st.sampled_from(["x", "y", 0, 1])
    ),
)
def test_the_rows_chosen_are_those_that_a_loop_finds(rows, keys):
    table = tidy([{**row, "value": float(number)} for number, row in enumerate(rows)])
    by_loop = [all(row[key] == value for key, value in keys.items()) for row in rows]
    assert matching(table, **keys).tolist() == by_loop
    assert where(table, **keys)["value"].tolist() == [
        number for number, keep in enumerate(by_loop) if keep
    ]
    assert (
        Table(table).where(**keys).rows.listed("value")
        == where(table, **keys)["value"].tolist()
    )


def test_a_row_without_a_value_is_not_chosen_and_no_key_chooses_all():
    assert matching(TABLE, variant="other").tolist() == [False, False, True, False]
    assert where(TABLE).equals(TABLE) and where(TABLE, model="nobody").empty
    with pytest.raises(KeyError):
        where(TABLE, colour="red")


def test_the_one_value_is_a_float_and_anything_but_one_is_refused():
    assert only_value(TABLE, "n") == 0.8 and type(only_value(TABLE, "n")) is float
    assert only_value(TABLE, "m", model="a", layer=2) == 0.6
    with pytest.raises(ValueError, match="m has 3 values under {}, not one"):
        only_value(TABLE, "m")
    with pytest.raises(ValueError, match="m has 0 values under {'model': 'c'}, not one"):
        only_value(TABLE, "m", model="c")


# ---- what a predicate reads

ROWS = tidy(
    [
        {
            "model": "m",
            "family": "masked",
            "layer": layer,
            "measure": "b",
            "dataset": "lee",
            "value": 10.0 * layer,
        }
        for layer in (2, 0, 1)
    ]
)
DRAWS = np.array([[20.0, 0, 10], [21, 1, 11]])  # (2, 3), in the order of the rows


def test_a_curve_stands_in_the_order_of_the_layers_in_every_draw():
    table = Table(ROWS, DRAWS)
    assert table.curve("b").tolist() == [[0, 10, 20], [1, 11, 21]]
    assert table.curve("b", first=1).tolist() == [[10, 20], [11, 21]]
    assert table.curve("b", depths=(0.5, 1)).tolist() == [[10, 20], [11, 21]]
    assert table.layers("b").tolist() == [0, 1, 2] and table.layers(
        "b", first=1
    ).tolist() == [1, 2]
    assert Table(ROWS).curve("b").tolist() == [[0, 10, 20]]


def test_depths_include_both_ends_of_twelve_layers():
    rows = tidy(
        [
            {"model": "m", "layer": layer, "measure": "b", "value": layer}
            for layer in range(13)
        ]
    )
    assert Table(rows).curve("b", depths=(1 / 6, 2 / 3)).tolist() == [
        [2, 3, 4, 5, 6, 7, 8]
    ]
    assert Table(rows).curve("b", depths=(2 / 3, 1)).tolist() == [[8, 9, 10, 11, 12]]


def test_a_curve_with_two_values_in_a_layer_is_refused_and_the_two_are_named():
    twice = tidy(
        [
            {**row, "dataset": dataset}
            for row in ROWS.to_dict("records")
            for dataset in ("lee", "my_text.txt")
        ]
    )
    with pytest.raises(
        Ambiguous,
        match=r"b has 2 values in layer 0 \(dataset lee, my_text.txt\): choose one",
    ):
        Table(twice).curve("b")
    assert Table(twice).curve("b", dataset="lee").shape == (1, 3)
    with pytest.raises(Ambiguous, match="dataset lee, my_text.txt"):
        Table(twice).value("b", layer=1)


def test_what_is_missing_is_named():
    table = Table(ROWS)
    with pytest.raises(Missing, match=r"self similarity \(pca\)"):
        table.curve("self_similarity", estimator="pca")
    with pytest.raises(Missing, match=r"b \(WS-353\)"):
        table.value("b", dataset="WS-353")
    with pytest.raises(Missing, match="of at least 2 items; there is one"):
        table.over("dataset", "b", layer=0)
    with pytest.raises(Missing, match="of at least 2 models; there is one"):
        table.with_measure("b", at_least=2)
    assert list(table.with_measure("b")) == ["m"]


def test_values_by_a_key_have_one_row_a_label():
    table = Table(ROWS, DRAWS)
    labels, values = table.over("layer", "b")
    assert labels == [2, 0, 1] and values.tolist() == DRAWS.tolist()
    labels, values = table.over(["model", "layer"], "b")
    assert labels == [("m", 2), ("m", 0), ("m", 1)]
    with pytest.raises(Ambiguous, match=r"two values under one model \(layer 2, 0, 1\)"):
        table.over("model", "b")


def test_a_nan_leaves_its_draw_undefined_and_every_access_is_remembered():
    draws = DRAWS.copy()
    draws[1, 0] = np.nan
    table = Table(ROWS, draws)
    table.curve("b", first=1)
    assert table.journal.undefined.tolist() == [False, True] and table.journal.why == [
        "b has no value"
    ]
    assert [selection.name for selection in table.journal.selections] == ["b"]
    table.where(layer=0).curve("b")
    assert len(table.journal.selections) == 2, (
        "a part of a table writes into the same journal"
    )


def test_rows_can_be_left_out_by_a_key_and_models_stand_by_family():
    rows = tidy(
        [
            {"model": name, "family": family, "measure": "b", "value": 1.0}
            for name, family in (("x", "static"), ("y", "bilstm"), ("z", None))
        ]
    )
    table = Table(rows)
    assert table.models == by_family(rows) == ["y", "x", "z"]
    assert table.where(not_model="x").models == ["y", "z"] and table.where(
        model=("x", "y")
    ).models == ["y", "x"]


def test_a_reason_that_holds_in_every_draw_stands_alone():
    journal = Journal(2)
    journal.reasons = {"now and then": np.array([True, False])}
    assert journal.why == ["now and then"]
    journal.reasons["always"] = np.array([True, True])
    assert journal.why == ["always"]
