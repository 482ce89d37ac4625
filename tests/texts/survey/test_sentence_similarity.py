"""Pairs of a treebank's words, their cosines layer by layer, and pronouns without training."""

import functools

import numpy as np
import pytest
from scipy.stats import spearmanr

from cwr import corpora
from cwr.errors import UserError
from cwr.measures import similarity_matrices as matrices
from cwr.measures.similarity_matrices import ACROSS, NEITHER, WITHIN
from cwr.texts.survey import antecedents, pronouns, sentence_similarity, word_pairs
from cwr.texts.survey.claims import hierarchy as claims_hierarchy
from cwr.texts.survey.pronouns import Pronoun
from cwr.texts.survey.word_pairs import BY_CLASS, IN_ORDER, PHRASES, VERBS

load = functools.cache(corpora.load)


@pytest.fixture(scope="module")
def treebank():
    """The first 400 sentences of GUM, of some documents."""
    gum = load("gum")
    sentences = gum.sentences[:400]
    return corpora.Corpus("part", sentences, corpora.fingerprint(sentences), gum.licence)


@pytest.fixture(scope="module")
def pairs(treebank):
    return word_pairs.pairs(treebank)


def test_pairs_are_those_of_one_sentence_and_know_both_distances(treebank, pairs):
    lengths = [len(sentence.spans) for sentence in treebank.sentences]
    expected = sum(max(n - k, 0) for n in lengths for k in range(1, 11))
    assert len(pairs.distance) == expected == sum(each.sum() for each in pairs.apart)
    assert set(pairs.distance) == set(range(1, 11))
    assert pairs.tree.min() == 1 and (pairs.tree[pairs.distance == 1] > 1).any()
    assert set(pairs.phrases) == set(pairs.verbs) == {WITHIN, ACROSS, NEITHER}


def test_a_cosine_stands_with_its_pair(treebank, pairs):
    words = sum(len(sentence.spans) for sentence in treebank.sentences)
    vectors = np.random.default_rng(0).normal(size=(words, 3))
    unit = matrices.unit_vectors(vectors)
    cosines = pairs.cosines(unit)
    sentence = np.repeat(
        np.arange(len(treebank.sentences)), [len(s.spans) for s in treebank.sentences]
    )
    number = 0
    for k in (1, 2, 3):
        for first in range(words - k):
            if sentence[first] == sentence[first + k]:
                if number % 997 == 0:
                    assert cosines[number] == pytest.approx(unit[first] @ unit[first + k])
                    assert pairs.distance[number] == k
                number += 1


def test_vectors_of_word_classes_show_phrases_by_distance_and_none_once_classes_match(
    treebank, pairs
):
    tags = np.concatenate(
        [sentence.annotations["upos"] for sentence in treebank.sentences]
    )
    number = np.unique(tags, return_inverse=True)[1]
    vectors = np.eye(number.max() + 1)[number]
    differences = sentence_similarity.differences(vectors, pairs, pairs.matchings(5))
    assert abs(differences[PHRASES]) > 0.1
    assert differences[BY_CLASS] == pytest.approx(0, abs=1e-9)
    assert differences[IN_ORDER] == pytest.approx(0, abs=1e-9)
    assert differences[VERBS] == pytest.approx(1)


def test_a_planted_phrase_is_seen_by_every_null(treebank, pairs):
    heads, relations, upos = (
        [s.annotations[name] for s in treebank.sentences]
        for name in ("heads", "relations", "upos")
    )
    phrase = word_pairs._phrases(heads, relations, upos, True, True)
    drawn = np.random.default_rng(0).normal(size=(phrase.max() + 2, 64))
    differences = sentence_similarity.differences(drawn[phrase], pairs, pairs.matchings(5))
    for measure in (PHRASES, BY_CLASS, IN_ORDER):
        assert differences[measure] == pytest.approx(1, abs=0.02)


def test_rows_have_every_measure_treatment_and_layer_and_draw_documents(treebank, pairs):
    words = sum(len(sentence.spans) for sentence in treebank.sentences)
    draw = np.random.default_rng(0)
    layers = [(layer, draw.normal(size=(words, 4)) + layer) for layer in (0, 2)]
    weights = word_pairs.document_weights(treebank, 20, seed=0)
    matched = pairs.matchings(5)
    rows = list(
        sentence_similarity.similarity_rows(layers, pairs, matched, weights, model="m")
    )
    assert len(rows) == 2 * 3 * 5 and {row["layer"] for row in rows} == {0, 2}
    for row in rows:
        assert row["replicates"].shape == (20,) and np.isfinite(row["replicates"]).all()
    raw, centred, _ = (
        row for row in rows if row["measure"] == PHRASES and row["layer"] == 2
    )
    assert raw["value"] != centred["value"]
    every = np.ones((1, weights.shape[1]))
    for row in sentence_similarity.similarity_rows(
        layers, pairs, matched, every, model="m"
    ):
        assert row["replicates"][0] == pytest.approx(row["value"], abs=1e-9)


def test_cosine_against_the_tree_is_a_partial_spearman_of_each_document(pairs):
    draw = np.random.default_rng(0)
    noise = draw.normal(size=len(pairs.tree))
    rows = pairs.document == 0
    xy, xz, yz = (
        spearmanr(one[rows], other[rows])[0]
        for one, other in (
            (noise, pairs.tree),
            (noise, pairs.distance),
            (pairs.tree, pairs.distance),
        )
    )
    expected = (xy - xz * yz) / np.sqrt((1 - xz**2) * (1 - yz**2))
    assert sentence_similarity.tree_correlations(noise, pairs)[0] == pytest.approx(
        expected
    )
    planted = sentence_similarity.tree_correlations(
        -pairs.tree - 3.0 * pairs.distance, pairs
    )
    assert (planted < -0.7).all()
    assert np.isnan(
        sentence_similarity.tree_correlations(-1.0 * pairs.distance, pairs)
    ).all()


def test_neighbours_within_and_across_are_told_by_their_order(pairs):
    order = word_pairs.neighbours(pairs)
    assert order["within"] > order["across"] > order["in order"] >= 0


def test_a_treatment_takes_the_corpus_and_not_the_sentence():
    corpus = np.random.default_rng(0).normal(size=(500, 3)) + [9, 0, 0]
    sentence = corpus[:4]
    raw = sentence_similarity.treated(sentence, "raw", corpus)
    centred = sentence_similarity.treated(sentence, "centred", corpus)
    assert (raw @ raw.T).min() > 0.8 > (centred @ centred.T).min()
    expected = matrices.unit_vectors(sentence - corpus.mean(axis=0))
    assert centred == pytest.approx(expected, abs=1e-6)
    with pytest.raises(
        ValueError, match="one of raw, centred, standardised, not 'whitened'"
    ):
        sentence_similarity.treated(sentence, "whitened", corpus)


def test_a_corpus_that_has_nothing_to_compare_is_one_sentence(treebank):
    one = corpora.Corpus("one", treebank.sentences[:1], "", "")
    with pytest.raises(
        UserError, match="noun phrase cosine gain cannot be measured on this corpus"
    ):
        word_pairs.pairs(one).matchings(10)
    with pytest.raises(UserError, match="the corpus wikigold has no annotation 'upos'"):
        word_pairs.pairs(load("wikigold"))


def test_claims_read_the_measures_that_are_written():
    assert claims_hierarchy.PHRASES == PHRASES and claims_hierarchy.VERBS == VERBS
    assert claims_hierarchy.PHRASES_BY_CLASS == BY_CLASS
    assert claims_hierarchy.PHRASES_IN_ORDER == IN_ORDER
    assert (
        claims_hierarchy.RAW,
        *claims_hierarchy.TREATMENTS,
    ) == sentence_similarity.TREATMENTS
    assert claims_hierarchy.PRONOUNS == antecedents.ACCURACY
    assert claims_hierarchy.PRONOUN_BASELINE == antecedents.RULES


# ---- pronouns

ITEMS = [
    Pronoun(0, 0, 4, (4, 5), (0, 1, 3), (True, False, True), (False, False, True)),
    Pronoun(1, 1, 2, (0, 2), (0, 1), (False, False), (True, False)),
]


def test_the_rules_are_the_first_and_the_last_noun_of_any_and_of_the_same_number():
    rules = antecedents.rules(ITEMS)
    assert rules[antecedents.CLOSEST].tolist() == [True, False]
    assert rules[antecedents.FIRST].tolist() == [False, True]
    assert rules["closest noun, number agreement"].tolist() == [True, False]
    assert rules["first noun, number agreement"].tolist() == [False, False]


def test_a_planted_antecedent_is_chosen_once_the_phrase_is_subtracted():
    shared = np.array([0.0, 0, 10])
    sentence = np.array(
        [[0, 0, 3.0], [1, 0, 0], [0, 1, 0], [5, 1, 0], [1, 0, 0], [-1, 0, 0]]
    )
    sentence[4:] += shared
    text = corpora.Corpus(
        "x",
        (corpora.joined("a b c d e f".split()), corpora.joined("g h i".split())),
        "",
        "",
    )
    layer = antecedents.words(np.concatenate([sentence, np.eye(3)]), text)
    assert antecedents.chosen(layer, ITEMS[0]) == 2
    assert antecedents.chosen(layer, ITEMS[0], subtracts=False) == 0
    assert antecedents.chosen(layer, ITEMS[1]) is None
    assert antecedents.right(layer, ITEMS).tolist() == [True, False]
    document, weights = np.array([0, 1]), np.array([[1, 1], [2, 0], [0, 0]])
    rows = list(
        antecedents.accuracy_rows([(3, layer)], ITEMS, document, weights, model="m")
    )
    assert [row["measure"] for row in rows] == [
        antecedents.ACCURACY,
        antecedents.UNSUBTRACTED,
        antecedents.ANY_NUMBER,
    ]
    assert rows[0]["value"] == 50 and rows[0]["layer"] == 3
    assert rows[0]["replicates"][:2].tolist() == [50, 100] and np.isnan(
        rows[0]["replicates"][2]
    )
    with pytest.raises(UserError, match="no pronoun with two nouns before it"):
        antecedents.share_row(np.empty(0), document, weights)


def test_vectors_of_nothing_choose_at_chance(treebank):
    gum = load("gum")
    items = pronouns.pronouns(gum)
    chance = np.mean([np.sum(i.is_antecedent) / len(i.nouns) for i in items])
    words = sum(len(sentence.spans) for sentence in gum.sentences)
    shares = []
    for seed in range(4):
        vectors = np.random.default_rng(seed).normal(size=(words, 50))
        layer = antecedents.words(vectors, gum)
        shares.append(antecedents.right(layer, items, by_number=False).mean())
    assert np.mean(shares) == pytest.approx(chance, abs=0.03)


def test_twins_are_right_alone_and_together():
    sentences = []
    for number, answer in enumerate((0, 1, 0, 0)):
        sentence = corpora.joined("cook saw boy he".split())
        about = {"candidates": [[0, 0], [2, 2]], "pronoun": 3, "answer": answer}
        sentences.append(
            corpora.Sentence(
                str(number), sentence.text, sentence.spans, number // 2, 0, about
            )
        )
    text = corpora.Corpus("dpr", tuple(sentences), "", "")
    vectors = np.tile([[1.0, 0], [0, 1], [0, 1], [1, 0.1]], (4, 1))
    layer = antecedents.words(vectors, text)
    assert antecedents.twins_right(layer, text).tolist() == [[True, False], [True, True]]
    single, both = antecedents.twin_rows(
        layer, text, np.array([[1, 1], [0, 2]]), model="m", layer=3
    )
    assert single["value"] == 75 and both["value"] == 50
    assert both["replicates"].tolist() == [50, 100]
