"""Noun phrases of a tree by each of their definitions, and pronouns with their antecedents."""

import functools

import pytest

from cwr import corpora
from cwr.corpora.treebanks import definite_pronouns
from cwr.errors import UserError
from cwr.texts.survey import phrases, pronouns
from cwr.texts.survey.phrases import NO_PHRASE

load = functools.cache(corpora.load)

#  his  father 's  old  house  saw  Angela  Merkel
HEADS = [1, 4, 1, 4, 5, -1, 5, 6]
RELATIONS = ["nmod:poss", "nmod:poss", "case", "amod", "nsubj", "root", "obj", "flat"]
UPOS = ["PRON", "NOUN", "PART", "ADJ", "NOUN", "VERB", "PROPN", "PROPN"]
NO = NO_PHRASE


@pytest.mark.parametrize(
    ("names", "nested", "expected"),
    [
        (True, True, [4, 4, NO, 4, 4, NO, 6, 6]),
        (False, True, [4, 4, NO, 4, 4, NO, 6, 7]),
        (True, False, [1, 4, NO, 4, 4, NO, 6, 6]),
    ],
)
def test_a_phrase_is_what_its_definition_says(names, nested, expected):
    assert phrases.noun_phrases(HEADS, RELATIONS, UPOS, names, nested) == expected


def test_only_members_of_a_noun_belong_to_it():
    # she read it ; quickly read : a pronoun and an adverb are in no phrase
    assert phrases.noun_phrases(
        [1, -1, 1], ["nsubj", "root", "det"], ["PRON", "VERB", "DET"]
    ) == [
        NO,
        NO,
        NO,
    ]


def test_the_pronouns_of_gum_have_nouns_before_them_and_an_antecedent_among_them():
    gum = load("gum")
    items = pronouns.pronouns(gum)
    assert len(items) == 523
    for item in items:
        sentence = gum.sentences[item.sentence]
        assert sentence.words[item.word].lower() in pronouns.THIRD_PERSON
        assert list(item.nouns) == sorted(item.nouns) and item.nouns[-1] < item.word
        assert any(item.is_antecedent) and len(item.nouns) >= 2
        first, last = item.phrase
        assert first <= item.word <= last and last > first


def test_a_pronoun_is_read_off_a_sentence_made_by_hand():
    sentence = corpora.joined("the cook told the boys that he burned it".split())
    about = {
        "upos": "DET NOUN VERB DET NOUN SCONJ PRON VERB PRON".split(),
        "xpos": "DT NN VBD DT NNS IN PRP VBD PRP".split(),
        "heads": [1, 2, -1, 4, 2, 7, 7, 2, 7],
        "entities": [
            [0, 1, "person"],
            [3, 4, "person"],
            [6, 6, "person"],
            [8, 8, "object"],
        ],
        "chains": [1, 2, 1, 3],
        "constituents": [
            [0, 8, "S"],
            [0, 1, "NP"],
            [6, 6, "NP"],
            [6, 8, "S"],
            [7, 8, "VP"],
        ],
    }
    text = corpora.Corpus(
        "x", (corpora.Sentence("s", sentence.text, sentence.spans, 7, 0, about),), "", ""
    )
    (item,) = pronouns.pronouns(text)
    assert (item.word, item.document, item.nouns) == (6, 7, (1, 4))
    assert item.agrees == (True, False) and item.is_antecedent == (True, False)
    assert item.phrase == (6, 8)
    assert pronouns.smallest_around(5, [], 9) == (0, 8)


def test_a_corpus_without_constituents_is_one_sentence():
    with pytest.raises(
        UserError, match="the corpus teaching-treebank has no annotation 'entities'"
    ):
        pronouns.pronouns(load("teaching-treebank"))


# ---- definite pronouns

BLOCK = ["The cook saw the boys when he left.", "he", "The cook,the boys", "The cook", ""]


def test_a_block_is_a_sentence_with_its_pronoun_candidates_and_answer():
    (sentence,) = definite_pronouns.sentences(BLOCK, "x")
    about = sentence.annotations
    assert about == {"pronoun": 6, "candidates": [[0, 1], [3, 4]], "answer": 0}
    assert sentence.words[6] == "he"


@pytest.mark.parametrize(
    ("line", "text", "reason"),
    [
        (3, "the dog", "'the dog' is not one of two candidates"),
        (2, "The cook", "is not one of two candidates"),
        (
            2,
            "The cook,the dogs",
            "'the boys' is not one|'the dogs' is not in its sentence",
        ),
        (1, "she", "'she' is not in its sentence"),
        (1, "", "block 1 of x has 3 lines, not 4|block 1 of x has 1 lines"),
    ],
)
def test_a_block_that_asks_nothing_is_one_sentence(line, text, reason):
    block = [*BLOCK[:line], text, *BLOCK[line + 1 :]]
    with pytest.raises(UserError, match=reason):
        list(definite_pronouns.sentences(block, "x"))


def test_the_twins_have_the_counts_of_their_source(shared, monkeypatch):
    monkeypatch.setenv("CWR_DATA", str(shared / "data" / "mirror"))
    sentences = load("dpr").sentences
    splits = [sentence.annotations["split"] for sentence in sentences]
    assert (splits.count("train"), splits.count("test")) == (1322, 564)
    names = [s.annotations["candidates"] for s in sentences]
    assert all(
        s.annotations["pronoun"] > max(map(max, c))
        for s, c in zip(sentences, names, strict=True)
    )
