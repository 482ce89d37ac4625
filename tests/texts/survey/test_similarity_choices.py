"""The first picture under other choices: each reaches what it changes, and stands as the chapter's."""

import numpy as np
import pytest

from cwr import corpora, encoders, extraction
from cwr.texts.survey import sentence_similarity, similarity_choices, word_pairs
from cwr.texts.survey.similarity_choices import CHAPTER, CHOICES, Choice


@pytest.fixture(scope="module")
def treebank():
    gum = corpora.load("gum")
    sentences = gum.sentences[:150]
    return corpora.Corpus("part", sentences, corpora.fingerprint(sentences), gum.licence)


@pytest.fixture(scope="module")
def bert():
    return encoders.load("cwr-bert")


def values(rows, **keys):
    chosen = [row for row in rows if all(row[key] == keys[key] for key in keys)]
    assert chosen
    return np.array([row["value"] for row in chosen])


@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_has_the_numbers_of_what_it_names(treebank, bert, name, tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    choice = CHOICES[name]
    both = {None: CHAPTER, name: choice}
    rows = list(similarity_choices.rows(bert, treebank, both, least=2, draws=5))
    assert {row["estimator"] for row in rows} == {"raw"}
    pairs = word_pairs.pairs(treebank, names=choice.names, nested=choice.nested)
    run = extraction.run(bert, treebank, pooling=choice.pooling)
    vectors = sentence_similarity.every_word(run, treebank, 2)
    unit = sentence_similarity.treated(vectors, choice.treatment)
    cosines = np.array([unit[i] @ unit[i + 1] for i in range(len(unit) - 1)])[pairs.apart[0]]
    assert cosines == pytest.approx(pairs.cosines(unit)[: len(cosines)], abs=1e-5)
    expected = sentence_similarity.differences(unit, pairs, pairs.matchings(2))
    moved = []
    for measure, number in expected.items():
        (got,) = values(rows, variant=name, layer=2, measure=measure)
        assert got == pytest.approx(number, abs=1e-6)
        moved.append(got - values(rows, variant=None, layer=2, measure=measure)[0])
    assert np.abs(moved).max() > 1e-4


def test_pieces_are_no_choice_for_a_model_that_reads_letters(bert):
    assert similarity_choices.applicable(bert) == CHOICES
    of_letters = similarity_choices.applicable(encoders.load("cwr-elmo"))
    assert set(CHOICES) - set(of_letters) == {"picture: first piece", "picture: last piece"}
    assert {choice.pooling for choice in of_letters.values()} == {Choice().pooling}
