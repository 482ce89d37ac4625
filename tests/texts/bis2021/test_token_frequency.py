"""Words and tokens of small texts, counted by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from cwr import corpora
from cwr.errors import UserError
from cwr.texts.bis2021 import token_frequency

TEXT = "The cat saw the catfish. The Cat's catfish ate."
WHOLE = {"the", "cat", "saw", ".", "'s"}
GLUED = {"'s"}  # a single token only without a blank before it


def matrix():
    """A vocabulary of these words, lower-cased, as `encoders.matrices.Matrix` answers for one."""

    def row_of(word, leading_space=True):
        is_entry = word.lower() in WHOLE and not (leading_space and word in GLUED)
        return 7 if is_entry else None

    return SimpleNamespace(name="m", family="masked", row_of=row_of)


@pytest.fixture
def forms():
    text = SimpleNamespace(sentences=corpora.tokenise(TEXT))
    return token_frequency.word_counts(text)


def test_words_are_counted_over_their_spellings_punctuation_included(forms):
    words = token_frequency.by_word(forms)
    expected = {"the": 3, "cat": 2, "catfish": 2, ".": 2, "saw": 1, "'s": 1, "ate": 1}
    assert words.to_dict() == expected and list(words) == sorted(words, reverse=True)
    assert forms.set_index("form")["count"][["The", "the", "Cat"]].tolist() == [2, 1, 1]


def test_spellings_stay_apart_where_case_counts():
    text = SimpleNamespace(sentences=corpora.tokenise(TEXT))
    words = token_frequency.by_word(token_frequency.word_counts(text, lower_case=False))
    assert words["The"] == 2 and words["the"] == 1


def test_a_word_is_split_that_is_no_token_with_and_without_a_blank(forms):
    split = token_frequency.is_split(matrix(), forms["form"])
    assert set(forms["form"][split]) == {"catfish", "ate"}


def test_shares_are_of_all_words(forms):
    split = token_frequency.is_split(matrix(), forms["form"])
    shares = token_frequency.split_shares(forms, split)
    assert shares["split_words_share"] == pytest.approx(3 / 12)
    assert shares["commonest_split_word_share"] == pytest.approx(2 / 12)
    assert shares["split_types_share"] == pytest.approx(2 / 7)
    none = token_frequency.split_shares(forms, np.zeros(len(forms), bool))
    assert set(none.values()) == {0}


def test_a_word_whose_spellings_differ_in_pieces_is_split_as_often_as_it_is_spelt_so():
    forms = pd.DataFrame(
        {"form": ["Paris", "paris"], "word": ["paris"] * 2, "count": [8, 2]}
    )
    shares = token_frequency.split_shares(forms, np.array([False, True]))
    assert shares["split_words_share"] == shares["commonest_split_word_share"] == 0.2


def zipfian(types):
    counts = (1e6 / np.arange(1, types + 1)).round().astype(int)
    words = [f"w{number}" for number in range(types)]
    return pd.DataFrame({"form": words, "word": words, "count": counts})


def test_rows_of_words_name_the_text_and_those_of_tokens_the_model_too():
    forms = zipfian(2000)
    counts = forms["count"].to_numpy()
    words = token_frequency.word_rows(forms, "lee", [30, 50])
    tokens = token_frequency.token_rows(matrix(), counts, forms, "lee", [30, 50])
    assert {row["dataset"] for row in words + tokens} == {"lee"}
    assert not any("model" in row for row in words)
    assert {(row["model"], row["family"]) for row in tokens} == {("m", "masked")}
    values = {(row["measure"], row.get("k")): row["value"] for row in words + tokens}
    assert values["zipf_slope_words", None] == pytest.approx(-1, abs=1e-3)
    assert values["zipf_slope_tokens", None] == values["zipf_slope_words", None]
    assert (
        values["words_to_cover", 50]
        == values["types_to_cover", 50]
        > values["types_to_cover", 30]
    )
    assert values["commonest_word_share", None] == pytest.approx(1e6 / counts.sum())
    assert values["split_words_share", None] == 1


def test_a_text_with_too_few_words_or_tokens_is_refused_by_name(forms):
    with pytest.raises(
        UserError, match="the text tiny.txt is too short for a slope .*7 types"
    ):
        token_frequency.word_rows(forms, "tiny.txt", [30])
    with pytest.raises(UserError, match="tiny.txt .*no type occurs"):
        token_frequency.token_rows(matrix(), np.zeros(9, int), forms, "tiny.txt", [30])


def test_a_curve_holds_shares_at_ranks_that_rise_and_no_rank_twice():
    counts = zipfian(2000)["count"].to_numpy()
    frame = token_frequency.curve(np.r_[0, counts[::-1]], "lee", "m", "masked")
    assert frame["rank"].is_unique and frame["rank"].is_monotonic_increasing
    assert (
        frame["rank"].iloc[0] == 1 and frame["rank"].iloc[-1] == 2000 and len(frame) <= 150
    )
    expected = counts[frame["rank"] - 1] / counts.sum()
    assert frame["frequency"].to_numpy() == pytest.approx(expected)
