"""Rows of a frame and parts of them, against the same questions asked of frames."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cwr.rows import Rows, joined
from cwr.tables import tidy

word, layer = st.sampled_from(["x", "y", "z", None]), st.sampled_from([0, 1, 2, None])
frames = st.lists(
    st.fixed_dictionaries({"model": word, "word": word, "layer": layer, "k": layer}),
    min_size=1,
    max_size=12,
)


def part_of(rows: list[dict], keep: list[bool]) -> tuple[pd.DataFrame, Rows]:
    """Every second row or so, as a frame and as a part of a part."""
    frame = tidy([{**row, "value": float(number)} for number, row in enumerate(rows)])
    keep = np.resize(keep, len(frame))
    part = Rows(frame).where(np.ones(len(frame), dtype=bool)).where(keep)
    return frame[keep].reset_index(drop=True), part


keeps = st.lists(st.booleans(), min_size=1, max_size=12)


@given(
    frames,
    keeps,
    st.lists(st.sampled_from(["x", "z", "nobody"])),
    st.lists(layer, max_size=2),
)
@example([{"word": "x", "k": None}, {"word": None, "k": 1}], [True], ["x"], [None])
def test_a_part_answers_as_a_frame_does(rows, keep, words, layers):
    frame, part = part_of(rows, keep)
    pd.testing.assert_frame_equal(part.table, frame)
    assert part.listed("value") == part.floats("value").tolist() == frame["value"].tolist()
    np.testing.assert_array_equal(
        part.floats("layer"), frame["layer"].to_numpy(dtype=float, na_value=np.nan)
    )
    for column, values in (("word", words), ("layer", layers), ("k", layers)):
        assert part.distinct(column) == frame[column].dropna().unique().tolist()
        assert part.has(column).tolist() == frame[column].notna().tolist()
        named = [value for value in values if value is not None]
        is_one = frame[column].isin(named).to_numpy(dtype=bool)
        is_one = is_one | ((None in values) & frame[column].isna().to_numpy())
        assert part.one_of(column, values).tolist() == is_one.tolist()


@given(frames, keeps)
def test_the_parts_by_a_column_are_those_that_groupby_finds(rows, keep):
    frame, part = part_of(rows, keep)
    by_pandas = {
        name: each["value"].tolist() for name, each in frame.groupby("model", sort=False)
    }
    by_model = {name: each.listed("value") for name, each in part.by("model").items()}
    assert by_model == by_pandas and list(by_model) == list(by_pandas)


@given(frames, keeps)
def test_parts_of_one_frame_are_joined_without_a_copy(rows, keep):
    frame, part = part_of(rows, keep)
    both = joined([part, part])
    assert both.frame is part.frame
    others = joined([part, Rows(frame)])
    assert others.frame is not part.frame
    for each in (both, others):
        assert each.listed("value") == 2 * frame["value"].tolist()
        assert each.distinct("word") == part.distinct("word")


def test_a_column_that_is_not_there_is_an_error():
    with pytest.raises(KeyError):
        Rows(tidy([{"model": "a", "value": 1.0}])).one_of("colour", ["red"])
