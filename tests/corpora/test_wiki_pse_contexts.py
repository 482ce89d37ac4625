"""What is probed of a corpus with mentions: splits by word, caps, sentences in one split."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.corpora.sentences import Corpus, fingerprint, joined
from cwr.corpora.wiki_pse import contexts
from cwr.corpora.wiki_pse.mentions import MENTIONS, mention
from cwr.errors import UserError

TEXTS = [
    "we saw Old Troy and Rome today",
    "in Rome they sing",
    "so old troy fell to Rome at last",
]


def corpus_of(texts, *marked):
    """A corpus of texts; marked: (sentence, first, last, class, link) of its mentions."""
    sentences = []
    for number, text in enumerate(texts):
        annotations = [
            mention((first, last), name, "Page", is_link)
            for sentence, first, last, name, is_link in marked
            if sentence == number
        ]
        sentence = joined(text.split())
        sentence = dataclasses.replace(sentence, annotations={MENTIONS: annotations})
        sentences.append(dataclasses.replace(sentence, id=str(number)))
    return Corpus("three", tuple(sentences), fingerprint(sentences), "ours")


@pytest.fixture
def three():
    troy = [(0, 2, 3, "location", True), (2, 1, 2, "art", False)]
    return corpus_of(
        TEXTS, *troy, (0, 5, 5, "location", True), (1, 1, 1, "location", True)
    )


def test_a_context_is_a_word_in_lower_case_with_its_class(three):
    table = contexts.contexts(three)
    assert table.columns.tolist() == contexts.COLUMNS
    rows = (
        table[["sentence", "first", "last", "word", "class", "link"]].to_numpy().tolist()
    )
    assert rows == [
        [0, 2, 3, "old troy", "location", True],
        [0, 5, 5, "rome", "location", True],
        [2, 1, 2, "old troy", "art", False],
    ]  # the sentence of four words is left out


def test_shorter_sentences_and_later_mentions_are_a_choice(three):
    assert len(contexts.contexts(three, fewest_words=4)) == 4
    assert contexts.contexts(three, links_only=True)["link"].all()
    assert len(contexts.contexts(three, links_only=True)) == 2


def test_a_page_without_a_class_is_no_context():
    corpus = corpus_of(TEXTS, (0, 2, 3, "", True), (0, 5, 5, "location", True))
    assert contexts.contexts(corpus)["word"].tolist() == ["rome"]


def test_a_corpus_without_classes_and_a_span_outside_its_text_are_one_sentence_each():
    with pytest.raises(
        UserError, match="no sentence of three has a word with a semantic class"
    ):
        contexts.contexts(corpus_of(TEXTS, (0, 2, 3, "", True)))
    with pytest.raises(
        UserError, match="words 5 to 7 lie outside the sentence '0', which has wo"
    ):
        contexts.contexts(corpus_of(TEXTS, (0, 5, 7, "location", True)))


# ---- splits


def test_a_word_has_one_split_whatever_its_case_and_its_company():
    words = ["Alabama", "alabama", "troy", "rome"]
    alone = [contexts.split_of([word])[0] for word in words]
    assert contexts.split_of(words).tolist() == alone and alone[0] == alone[1]


def test_shares_of_words_are_those_asked_for():
    words = [f"word {number}" for number in range(20_000)]
    shares = pd.Series(contexts.split_of(words, test=0.3, dev=0.25)).value_counts(
        normalize=True
    )
    assert shares[["test", "dev", "train"]].tolist() == pytest.approx(
        [0.3, 0.175, 0.525], abs=0.01
    )


def test_another_seed_divides_anew():
    words = [f"word {number}" for number in range(5_000)]
    same = np.mean(contexts.split_of(words, seed=0) == contexts.split_of(words, seed=1))
    assert same == pytest.approx(
        0.45**2 + 0.44**2 + 0.11**2, abs=0.03
    )  # independent draws


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"split": ["test", "test", "train"]},
            "'old troy' is in test and in train: split by word",
        ),
        (
            {"first": [2, 4, 1]},
            "a context of 'rome' shows 'and Rome' instead .sentence '0' of thr",
        ),
        ({"sentence": [0, 0, 1]}, "a context of 'old troy' shows 'Rome they' instead"),
        ({"last": [9, 5, 2]}, "words 2 to 9 lie outside the sentence '0'"),
    ],
)
def test_a_word_in_two_splits_and_a_context_without_its_word_are_refused(
    three, change, says
):
    table = contexts.contexts(three).assign(split="train")
    contexts.check(three, table)
    with pytest.raises(UserError, match=says):
        contexts.check(three, table.assign(**change))


ROWS = st.tuples(st.integers(0, 6), st.sampled_from(["a", "b", "c", "d", "e"]))


@given(
    st.lists(ROWS, min_size=1, max_size=25),
    st.dictionaries(st.sampled_from("abcde"), st.sampled_from(contexts.SPLITS)),
)
def test_a_sentence_is_in_one_split_the_last_of_those_it_has(rows, splits):
    table = pd.DataFrame(rows, columns=["sentence", "word"])
    table["split"] = [splits.get(word, "train") for word in table["word"]]
    expected = []
    for row in table.itertuples():
        here = {
            other.split for other in table.itertuples() if other.sentence == row.sentence
        }
        last = "test" if "test" in here else "dev" if "dev" in here else "train"
        if row.split == last:
            expected.append((row.sentence, row.word))
    result = contexts.separated(table)
    assert list(zip(result["sentence"], result["word"], strict=True)) == expected
    test_rows = table["split"] == "test"
    assert (result["split"] == "test").sum() == test_rows.sum()  # a test loses nothing


# ---- caps


@pytest.fixture(scope="module")
def many():
    """Forty sentences of two words of two classes each."""
    texts = [f"here Rome {number} and Troy are" for number in range(40)]
    rome = [(number, 1, 1, "location", True) for number in range(40)]
    troy = [(number, 4, 4, ("art", "person")[number % 2], True) for number in range(40)]
    corpus = corpus_of(texts, *rome, *troy)
    return corpus, contexts.contexts(corpus)


@pytest.mark.parametrize("cap", [1, 7, 20, 21, 1000])
def test_a_pair_has_at_most_so_many_contexts_and_small_pairs_stay_whole(many, cap):
    corpus, table = many
    sizes = contexts.capped(corpus, table, cap).groupby(contexts.PAIR).size()
    assert sizes["rome", "location"] == min(cap, 40)
    assert sizes["troy", "art"] == sizes["troy", "person"] == min(cap, 20)


def test_a_smaller_sample_is_part_of_a_larger_one_in_any_order_of_rows(many):
    corpus, table = many
    keys = ["sentence", "first"]
    small, large = (contexts.capped(corpus, table, cap) for cap in (3, 9))
    assert set(map(tuple, small[keys].values)) < set(map(tuple, large[keys].values))
    assert small[keys].equals(small[keys].sort_values(keys, ignore_index=True))
    turned = contexts.capped(corpus, table[::-1].reset_index(drop=True), 3)
    assert set(map(tuple, turned[keys].values)) == set(map(tuple, small[keys].values))
    other = contexts.capped(corpus, table, 3, seed=1)
    assert not other[keys].equals(small[keys])


def test_each_context_is_as_likely_as_another(many):
    corpus, table = many
    drawn = [contexts.capped(corpus, table, 4, seed) for seed in range(150)]
    rome = pd.concat(drawn).query("word == 'rome'")["sentence"].value_counts()
    assert len(rome) == 40 and rome.max() < 32  # 15 expected, sd 3.7


def test_a_cap_below_one_is_refused(many):
    with pytest.raises(
        ValueError, match="a pair needs at least 1 context, got a cap of 0"
    ):
        contexts.capped(*many, cap=0)


# ---- the sample


def test_what_is_scored_on_dev_is_stopped_by_train_words_and_no_test_word_is_read():
    words = np.repeat([f"word {number}" for number in range(400)], 2)
    splits = contexts.split_of(words)
    table = pd.DataFrame({"word": words, "context": np.arange(800), "split": splits})
    scored = contexts.scored_on_dev(table)
    assert scored["context"].tolist() == table.loc[splits != "test", "context"].tolist()
    before = table["split"][scored["context"]].to_numpy()
    assert ((before == "dev") == (scored["split"] == "test")).all()
    learned = scored[scored["split"] != "test"]
    assert (learned.groupby("word")["split"].nunique() == 1).all()
    assert 0.1 < (learned["split"] == "dev").mean() < 0.3
    fewer = contexts.scored_on_dev(table, most_train=20, most_dev=9)
    assert (fewer["split"] == "test").sum() == 9 and len(fewer) == 29
    rows = [
        set(map(tuple, each[["context", "split"]].to_numpy())) for each in (fewer, scored)
    ]
    assert rows[0] <= rows[1]


def test_words_pairs_and_contexts_are_counted(many):
    corpus, table = many
    counted = contexts.counts(table.assign(split="train"))
    assert counted.loc["train"].to_dict() == {"words": 2, "pairs": 3, "contexts": 80}
    by_class = contexts.counts(table, by=["class"])
    assert by_class["contexts"].to_dict() == {"location": 40, "art": 20, "person": 20}


def test_the_probing_set_has_the_counts_that_the_book_says(wiki_anchors):
    table = contexts.contexts(wiki_anchors)
    pairs = table.groupby(contexts.PAIR).size()
    classes = pairs.groupby("word").size()
    assert (len(table), len(pairs), len(classes), (classes > 1).sum()) == (
        13_623,
        3_985,
        3_887,
        89,
    )
    loose = contexts.probing_set(wiki_anchors, strict=False)
    strict = contexts.probing_set(wiki_anchors)
    contexts.check(wiki_anchors, strict)
    assert contexts.counts(loose)["contexts"].to_dict() == {
        "train": 5_323,
        "test": 6_031,
        "dev": 1_117,
    }
    assert contexts.counts(strict)["contexts"].to_dict() == {
        "train": 2_778,
        "test": 6_031,
        "dev": 617,
    }
    keys = ["sentence", "first"]
    small = contexts.probing_set(wiki_anchors, cap=10)
    assert set(map(tuple, small[keys].values)) < set(map(tuple, strict[keys].values))
    assert strict.groupby("sentence")["split"].nunique().max() == 1
    assert loose.groupby("sentence")["split"].nunique().max() == 3
