"""Words about a value alone: it passes if, and only if, a naive reading of the words says so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.errors import UserError
from cwr.parameters import bounds

NUMBERS = st.lists(st.integers(-3, 6), max_size=5)
LIMIT = st.integers(-2, 5)
COMPARED = {
    "at least": lambda entry, limit: entry >= limit,
    "at most": lambda entry, limit: entry <= limit,
    "above": lambda entry, limit: entry > limit,
    "below": lambda entry, limit: entry < limit,
}


def passes(comment: str, value) -> bool:
    try:
        bounds.refuse_outside("x", comment, value, "a/b")
    except UserError:
        return False
    return True


@given(NUMBERS, st.sampled_from(sorted(COMPARED)), LIMIT)
def test_bounds_of_each_entry_are_not_those_of_their_number(value, words, limit):
    in_bounds = [COMPARED[words](entry, limit) for entry in value]
    assert passes(f"layers; each {words} {limit}", value) == all(in_bounds)
    assert passes(f"layers; {words} {limit}", value) == COMPARED[words](len(value), limit)


@pytest.mark.parametrize("comment", ["", "the first of them; at least 0"])
def test_a_seed_has_room_for_those_that_are_made_from_it(comment):
    bounds.refuse_outside("seed", comment, 2**31 - 1, "a/b")
    with pytest.raises(
        UserError, match="'seed' of a/b must be at most 2147483647, but seed is"
    ):
        bounds.refuse_outside("seed", comment, 2**31, "a/b")


@given(NUMBERS, LIMIT, LIMIT)
def test_each_entry_lies_between_two_numbers(value, low, high):
    inside = [low <= entry <= high for entry in value]
    assert passes(f"in per cent, each {low} to {high}", value) == all(inside)


@given(NUMBERS)
def test_entries_stand_once_and_ascend(value):
    assert passes("sizes; each once; at least 0", value) == (len(set(value)) == len(value))
    assert passes("sizes, ascending", value) == (value == sorted(set(value)))


@given(st.lists(st.sampled_from(["pos", "language model", "ner", "no such"]), max_size=4))
def test_each_entry_of_a_list_is_one_of_the_choices(value):
    allowed = {"pos", "language model", "ner"}
    assert passes("sources: pos | language model | ner (ours); at least 0", value) == (
        set(value) <= allowed
    )


@pytest.mark.parametrize(
    ("comment", "value", "says"),
    [
        ("each at least 1", [2, 0], "must have entries at least 1, but x[1] is 0"),
        ("each 1 to 100", [101], "must have entries at most 100, but x[0] is 101"),
        ("each above 0", [0.5, -1.0], "must have entries above 0, but x[1] is -1.0"),
        ("each once", [3, 3], "must have each entry once, but x[1] is 3 again"),
        ("ascending", [4, 2], "must have ascending entries, but x[1] is 2 after 4"),
        ("a | b c", ["a", "b"], "must have the entries a or b c, but x[1] is 'b'"),
        ("a | b", "c", "must be a or b, but x is 'c'"),
        ("at least 2", [1], "must have at least 2 entries, but x is [1]"),
    ],
)
def test_a_refusal_names_the_entry_and_what_it_must_be(comment, value, says):
    with pytest.raises(UserError) as refused:
        bounds.refuse_outside("x", comment, value, "a/b")
    assert str(refused.value) == f"parameter 'x' of a/b {says}"


def test_none_keeps_to_any_word():
    assert passes("at least 3, ascending, each once, a | b", None)
