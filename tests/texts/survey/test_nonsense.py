"""Sentences without content: what stays, and what goes."""

import itertools

import pytest

from cwr import corpora
from cwr.errors import UserError
from cwr.texts.survey import nonsense

TEACHING = corpora.load("teaching-treebank")


def test_function_words_punctuation_and_trees_stay():
    empty = nonsense.without_content(TEACHING)
    for before, after in zip(TEACHING.sentences, empty.sentences, strict=True):
        assert before.annotations == after.annotations
        assert len(before.words) == len(after.words)
        for word, other, tag in zip(
            before.words, after.words, before.annotations["upos"], strict=True
        ):
            assert (word == other) == (tag not in nonsense.CONTENT)


def test_the_text_between_words_stays():
    empty = nonsense.without_content(TEACHING)
    for before, after in zip(TEACHING.sentences, empty.sentences, strict=True):
        gaps = [
            [sentence.text[a:b] for (_, a), (b, _) in itertools.pairwise(sentence.spans)]
            for sentence in (before, after)
        ]
        assert gaps[0] == gaps[1] and after.text.endswith(after.words[-1])


@pytest.mark.parametrize(
    "word, ending", [("walking", "ing"), ("Dogs", "s"), ("sadly", "ly")]
)
def test_an_ending_and_a_capital_stay(word, ending):
    pseudo = nonsense.pseudoword(word)
    assert pseudo.endswith(ending) and pseudo[0].isupper() == word[0].isupper()
    assert pseudo.lower() != word.lower()


def test_a_stem_has_one_pseudoword():
    walk, walked = nonsense.pseudoword("walk"), nonsense.pseudoword("walked")
    assert walked == walk + "ed"
    assert nonsense.pseudoword("walk", seed=1) != walk


def test_the_corpus_is_another_one():
    empty = nonsense.without_content(TEACHING)
    assert empty.fingerprint != TEACHING.fingerprint and empty.name != TEACHING.name
    assert nonsense.without_content(TEACHING).fingerprint == empty.fingerprint


def test_a_corpus_without_word_classes_is_refused():
    with pytest.raises(UserError, match="lee has no word classes"):
        nonsense.without_content(corpora.load("lee").sample(2))
