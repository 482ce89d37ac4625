"""Static vectors from few sentences: which occurrences are read, and what becomes of them."""

import string

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.corpora import Corpus, fingerprint, joined
from cwr.errors import UserError
from cwr.measures.static_vectors import lower_cased
from cwr.texts.ethayarajh2019 import static_vectors

WORDS = {"bank", "river", "tree"}


def corpus(*texts: str, name: str = "toy") -> Corpus:
    sentences = tuple(joined(text.split()) for text in texts)
    return Corpus(name, sentences, fingerprint(sentences), "ours")


def targets(*sentences: str) -> pd.DataFrame:
    """A target for each word of each sentence."""
    rows = []
    for number, sentence in enumerate(sentences):
        for position, word in enumerate(sentence.split()):
            rows.append((number, position, position, word))
    return pd.DataFrame(rows, columns=["sentence", "first", "last", "group"])


# ---- which occurrences


def test_a_repeated_sentence_counts_once_where_it_first_stands():
    one, other = (
        corpus("a bank", "a tree", name="one"),
        corpus("a river", "a bank", name="other"),
    )
    both = static_vectors.merged([one, other])
    assert [sentence.text for sentence in both.sentences] == [
        "a bank",
        "a tree",
        "a river",
    ]
    assert both.name == "one + other" and both.fingerprint == fingerprint(both.sentences)


def first_forms(text: Corpus, at_least: int) -> list[tuple[str, int, int]]:
    """(word, sentence, position) of the first frequent form of each word."""
    every = static_vectors.occurrences(text, WORDS)
    first = static_vectors.first_forms(static_vectors.frequent_forms(every, at_least))
    return list(first[["group", "sentence", "first"]].itertuples(index=False, name=None))


def test_cased_forms_are_counted_apart_and_the_first_in_the_text_wins():
    text = corpus("Bank bank", "bank Bank", "the bank", "River", "river tree")
    assert first_forms(text, 2) == [("bank", 0, 0), ("bank", 1, 1)]


def test_a_form_that_is_first_but_too_rare_does_not_win():
    text = corpus("Bank bank", "bank bank")
    assert first_forms(text, 2) == [("bank", 0, 1), ("bank", 1, 0), ("bank", 1, 1)]


def test_the_first_form_is_the_one_that_lower_casing_a_table_keeps():
    text = corpus(
        "Tree tree River", "river tree Tree", "River river bank", "Bank bank Bank"
    )
    forms = static_vectors.frequent_forms(static_vectors.occurrences(text, WORDS), 2)
    table = {form: [form] for form in forms["group"].unique()}
    kept = {form for (form,) in lower_cased(table).values()}
    first = static_vectors.first_forms(forms)
    at = forms.set_index(["sentence", "first"])["group"]
    assert {at[row.sentence, row.first] for row in first.itertuples()} == kept


def test_words_that_are_nowhere_frequent_are_refused_with_what_to_do():
    every = static_vectors.occurrences(corpus("bank river", "tree"), WORDS)
    with pytest.raises(
        UserError, match=r"form that occurs 5 times in this text: take more text"
    ):
        static_vectors.frequent_forms(every)


SENTENCES = st.lists(
    st.lists(st.sampled_from(string.ascii_lowercase[:6]), min_size=1, max_size=5).map(
        " ".join
    ),
    min_size=1,
    max_size=30,
)


@given(SENTENCES, st.integers(1, 6), st.integers(0, 3))
def test_each_word_has_cap_occurrences_or_all_it_has(sentences, cap, seed):
    everything = targets(*sentences)
    few = static_vectors.in_few_sentences(everything, cap, seed)
    counts, before = few["group"].value_counts(), everything["group"].value_counts()
    for word, number in before.items():
        assert counts[word] >= min(cap, number)
    whole = everything[everything["sentence"].isin(few["sentence"])]
    assert len(whole) == len(few)
    again = static_vectors.in_few_sentences(everything, cap, seed)
    pd.testing.assert_frame_equal(few, again)


def test_no_sentence_is_taken_that_no_word_lacks():
    few = static_vectors.few_sentences(targets("a b", *["a"] * 9, *["b"] * 9), cap=1)
    assert len(few) <= 2
    assert static_vectors.few_sentences(targets("a", "a b", "b"), cap=2).tolist() == [
        0,
        1,
        2,
    ]


def test_the_rarest_words_choose_first():
    many = static_vectors.few_sentences(targets(*["a"] * 50, "a rare"), cap=1)
    assert many.tolist() == [50]


def test_another_seed_takes_other_sentences():
    everything = targets(*["a"] * 50)
    chosen = [
        tuple(static_vectors.few_sentences(everything, 2, seed)) for seed in range(5)
    ]
    assert len(set(chosen)) > 1


# ---- one vector a word


def test_a_word_has_the_vector_of_its_own_rows_in_that_layer(extraction):
    run = extraction({"tree": 5, "bank": 7, "river": 6})
    for layer in range(3):
        vectors = static_vectors.distil(run, layer)
        assert sorted(vectors) == ["bank", "river", "tree"]
        for word, vector in vectors.items():
            rows = run.vectors(layer)[(run.table["group"] == word).to_numpy()]
            left, _, right = np.linalg.svd(rows)
            assert vector == pytest.approx(right[0] * np.sign(left[:, 0].sum())), (
                layer,
                word,
            )


def test_in_a_cone_component_and_mean_are_one_and_centred_is_another(extraction):
    run = extraction({"bank": 40}, dim=30, offset=5.0)
    component, mean, centred = (
        static_vectors.distil(run, 1, kind)["bank"] for kind in ("", "_mean", "_centred")
    )
    assert component @ mean > 0.999
    assert abs(centred @ mean) < 0.5


def test_every_vector_has_unit_length(extraction):
    run = extraction({"bank": 5, "tree": 6})
    for kind in static_vectors.KINDS:
        lengths = [np.linalg.norm(v) for v in static_vectors.distil(run, 0, kind).values()]
        assert lengths == pytest.approx([1, 1])


def test_a_word_of_one_vector_in_some_layer_does_not_vary(extraction):
    run = extraction({"bank": 5, "tree": 6, "river": 4})
    run.vectors(1)[(run.table["group"] == "tree").to_numpy()] = 1.0
    run.vectors(0)[:] = 1.0
    assert static_vectors.varying(run) == {"bank", "river"}
    for layer in (1, 2):
        static_vectors.distil(run, layer, "_centred", words={"bank", "river"})


def test_a_cap_reads_the_first_occurrences_of_each_word(extraction):
    run = extraction({"bank": 5, "tree": 6})
    vectors = static_vectors.distil(run, 1, "_mean", cap=3)
    for word, vector in vectors.items():
        mean = run.vectors(1)[(run.table["group"] == word).to_numpy()][:3].mean(axis=0)
        assert vector == pytest.approx(mean / np.linalg.norm(mean))
