"""Rows of section 4.2 from a matrix that we choose, and means over a text's windows."""

from types import SimpleNamespace

import numpy as np
import pytest

from cwr.errors import UserError
from cwr.measures.isotropy import center
from cwr.measures.rare_words import mean_cosines
from cwr.tables import tidy, where
from cwr.texts.bis2021 import rare_words

KINDS = ["special", "unused", "unused", "word", "word", "piece", "word", "word"]
COUNTS = np.array([0, 0, 0, 9, 5, 4, 2, 0])


def matrix(kinds=KINDS, tokens=None):
    """A model's matrix of normal rows with a common direction, one row a kind."""
    rows = np.array(kinds)
    W = np.random.default_rng(0).normal(size=(len(rows), 4)).astype(np.float32) + 1
    return SimpleNamespace(
        name="tiny",
        family="masked",
        W=W,
        tokens=tokens or [f"token {number}" for number in range(len(rows))],
        rows=rows,
        is_row=lambda *kinds: np.isin(rows, kinds),
    )


def similarities(matrix, counts, **options):
    """The tidy rows of a matrix."""
    return tidy(rare_words.tidy_rows(rare_words.similarities(matrix, counts, **options)))


def values(rows, measure, key="k"):
    """{k or class: value} of one measure."""
    return where(rows, measure=measure).set_index(key)["value"].to_dict()


def test_unused_rows_are_compared_with_bins_by_index_and_with_counted_tokens():
    tiny = matrix()
    rows = similarities(tiny, COUNTS, width=3, bins=2)
    unused = np.array([1, 2])
    by_index = [np.arange(3), np.arange(3, 6), np.arange(6, 8)]
    by_frequency = [np.array([3, 4]), np.array([5, 6])]
    for W, ending in ((tiny.W, ""), (center(tiny.W), "_centred")):
        name = f"unused_mean_cosine_by_bin{ending}"
        expected = mean_cosines(W, unused, by_index)
        assert values(rows, name) == pytest.approx(dict(enumerate(expected)))
        name = f"unused_mean_cosine_by_frequency{ending}"
        expected = mean_cosines(W, unused, by_frequency)
        assert values(rows, name) == pytest.approx(dict(enumerate(expected, start=1)))
        (expected,) = mean_cosines(W, unused, [np.array([7])])
        name = f"unused_mean_cosine_uncounted{ending}"
        assert where(rows, measure=name)["value"].tolist() == pytest.approx([expected])
    assert not values(rows, "unused_mean_cosine")


def test_a_bin_says_whether_it_holds_never_used_rows_itself():
    table = rare_words.similarities(matrix(), COUNTS, width=3, bins=2)
    raw = table[table["matrix"] == "raw"]
    assert raw[raw["by"] == "bin"]["overlaps"].tolist() == [True, False, False]
    assert not raw[raw["by"] == "frequency"]["overlaps"].any()


def test_the_last_rows_stand_in_where_a_vocabulary_has_no_unused_ones():
    tiny = matrix(["special", *["word"] * 7])
    rows = similarities(tiny, COUNTS, width=4, bins=2, last=3)
    expected = mean_cosines(tiny.W, np.array([5, 6, 7]), [np.arange(4), np.arange(4, 8)])
    assert values(rows, "last_rows_mean_cosine_by_bin") == pytest.approx(
        dict(enumerate(expected))
    )
    assert not rows["measure"].str.startswith("unused").any()
    with pytest.raises(UserError, match=r"tiny has no unused tokens.* 8 rows .*last 8"):
        similarities(tiny, COUNTS, last=8)


def test_the_ranges_of_the_text_are_read_in_the_uncased_vocabulary_of_bert_only():
    words = ["the", "of", "and", "in", "to"]
    tokens = [*(f"token {number}" for number in range(1996)), *words]
    tokens += [f"token {number}" for number in range(2001, 29500)]
    kinds = ["unused", *["word"] * 29499]
    counts = np.ones(29500, dtype=np.int64)
    of_bert = matrix(kinds, tokens)
    rows = similarities(of_bert, counts)
    groups = [np.arange(2000, 3000), np.arange(28500, 29500)]
    expected = mean_cosines(of_bert.W, np.array([0]), groups)
    named = dict(zip(["2000-3000", "28500-29500"], expected, strict=True))
    assert values(rows, "unused_mean_cosine", "class") == pytest.approx(named)
    other = similarities(matrix(kinds), counts)
    assert not values(other, "unused_mean_cosine")


def test_nearest_tokens_come_with_their_counts():
    tiny = matrix()
    table = rare_words.nearest(tiny, COUNTS, 3)
    others = [0, 3, 4, 5, 6, 7]
    cosines = mean_cosines(
        center(tiny.W), np.array([1, 2]), [np.array([row]) for row in others]
    )
    order = np.argsort(-cosines)[:3]
    assert table["token"].tolist() == [f"token {others[number]}" for number in order]
    assert table["count"].tolist() == [COUNTS[others[number]] for number in order]
    assert table["cosine"].tolist() == pytest.approx(cosines[order].tolist())


def test_means_are_of_the_positions_in_a_bin_and_their_draws_resample_windows():
    windows = np.repeat(np.arange(40), 5)
    bins = np.tile([0, 1, 1, 2, 2], 40)
    loss = (
        np.random.default_rng(0).normal(size=200) + windows
    )  # all of the spread is of windows
    measures = {"loss": loss, "half": loss / 2}
    rows = list(rare_words.means_by_bin(measures, bins, windows, draws=400, model="tiny"))
    assert [(row["measure"], row["k"]) for row in rows] == [
        ("loss", 1),
        ("half", 1),
        ("loss", 2),
        ("half", 2),
    ]
    first, half = rows[:2]
    assert (
        first["value"] == pytest.approx(loss[bins == 1].mean())
        and first["model"] == "tiny"
    )
    np.testing.assert_allclose(
        half["replicates"], first["replicates"] / 2
    )  # the same draws
    expected = np.arange(40).std() / np.sqrt(40)  # not over sqrt(80), as for positions
    assert first["replicates"].std() == pytest.approx(expected, rel=0.15)
    np.testing.assert_allclose(first["replicates"], rows[2]["replicates"], atol=1.0)


def test_a_draw_without_any_position_of_a_bin_has_no_value():
    rows = rare_words.means_by_bin(
        {"loss": np.array([3.0, 1.0, 1.0])}, np.array([1, 2, 2]), np.arange(3), draws=100
    )
    lone = next(rows)["replicates"]
    assert 20 < np.isnan(lone).sum() < 60 and np.nanmin(lone) == np.nanmax(lone) == 3


def test_zero_rows_are_in_no_bin_and_no_reference():
    tiny = matrix()
    expected = values(
        similarities(tiny, COUNTS, width=3, bins=2), "unused_mean_cosine_by_bin"
    )
    tiny.W[[0, 1]] = 0  # [PAD] of a BERT that nobody has trained, and an unused row
    rows = similarities(tiny, COUNTS, width=1, bins=2)
    by_bin = values(rows, "unused_mean_cosine_by_bin")
    assert list(by_bin) == [2, 3, 4, 5, 6, 7] and len(expected) == 3
    assert rare_words.reference(tiny).rows.tolist() == [2]
    tiny = matrix(["word"] * 8)
    tiny.W[7] = 0
    assert rare_words.reference(tiny, 2).rows.tolist() == [5, 6]


def test_more_bins_than_tokens_of_the_text_are_refused():
    with pytest.raises(
        UserError, match="4 different tokens of the text cannot be cut into 5 bins"
    ):
        similarities(matrix(), COUNTS, bins=5)
