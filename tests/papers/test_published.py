"""How rows of a tidy table are chosen: by the values of their key columns, and the one value under a key."""
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.tables import matching, one, tidy, where

TABLE = tidy([
    {"model": "a", "layer": 1, "measure": "m", "value": 0.5}, {"model": "a", "layer": 2, "measure": "m", "value": 0.6},
    {"model": "b", "layer": 1, "measure": "m", "variant": "other", "value": 0.7}, {"measure": "n", "value": 0.8}])
word, layer = st.sampled_from(["x", "y", None]), st.sampled_from([0, 1, None])


@given(st.lists(st.fixed_dictionaries({"model": word, "word": word, "layer": layer}), min_size=1),
       st.dictionaries(st.sampled_from(["model", "word", "layer"]), st.sampled_from(["x", "y", 0, 1])))
def test_the_rows_chosen_are_those_that_a_loop_finds(rows, keys):
    table = tidy([{**row, "value": float(number)} for number, row in enumerate(rows)])
    by_loop = [all(row[key] == value for key, value in keys.items()) for row in rows]
    assert matching(table, **keys).tolist() == by_loop
    assert where(table, **keys)["value"].tolist() == [number for number, keep in enumerate(by_loop) if keep]


def test_a_row_without_a_value_is_not_chosen_and_no_key_chooses_all():
    assert matching(TABLE, variant="other").tolist() == [False, False, True, False]
    assert where(TABLE).equals(TABLE) and where(TABLE, model="nobody").empty
    with pytest.raises(KeyError):
        where(TABLE, colour="red")


def test_the_one_value_is_a_float_and_anything_but_one_is_refused():
    assert one(TABLE, "n") == 0.8 and type(one(TABLE, "n")) is float
    assert one(TABLE, "m", model="a", layer=2) == 0.6
    with pytest.raises(ValueError, match="m has 3 values under {}, not one"):
        one(TABLE, "m")
    with pytest.raises(ValueError, match="m has 0 values under {'model': 'c'}, not one"):
        one(TABLE, "m", model="c")


def test_a_table_of_plain_columns_is_read_the_same():
    plain = TABLE.astype({"measure": object, "layer": float})           # as `report.judge` hands it to a predicate
    assert one(plain, "m", model="a", layer=2) == 0.6 and isinstance(where(plain, layer=1), pd.DataFrame)
