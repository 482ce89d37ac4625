"""What a teacher gives: which rows, of which words, treated over the whole vocabulary."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from cwr import corpora, encoders
from cwr.corpora import Corpus, fingerprint, word_vectors
from cwr.corpora.sentences import tokenise
from cwr.corpora.word_vectors import WordVectors
from cwr.estimates import contexts, distilled, printed_names, teacher_rows
from cwr.estimates.chosen_tables import SEED
from cwr.measures import isotropy
from cwr.texts.gupta2021.claims import readings

TEXT = (
    "The old king saw the river. A king has a city. The city has a river and a king. "
    "The old city saw the king. A river saw the old city and the old river."
)
ASKED = {"king", "river", "city", "queen"}


@pytest.fixture(scope="module")
def read():
    """cwr-bert, a corpus of five sentences, and what the model makes of it."""
    encoder = encoders.load("cwr-bert", device="cpu")
    sentences = tokenise(TEXT)
    corpus = Corpus("kings", sentences, fingerprint(sentences), "ours")
    vocabulary = contexts.vocabulary(corpus, 2)
    passed = contexts.read(encoder, corpus, vocabulary)
    return SimpleNamespace(
        encoder=encoder, corpus=corpus, vocabulary=vocabulary, passed=passed
    )


def test_averages_are_cut_to_the_words_asked_for_after_their_treatment(read):
    sources = teacher_rows.averaged(read.encoder, read.passed, ASKED)
    plain, centred, *_ = sources
    assert [list(source.rows) for source in sources[1:]] == [
        ["ase_centred"],
        ["ase_all_but_the_top"],
        ["ase_standardised"],
    ]
    assert plain.words == {"king", "river", "city"}
    assert list(plain.tables) == list(range(read.encoder.n_layers + 1))
    row = read.vocabulary.words.index("king")
    average = read.passed.average_of(2)
    np.testing.assert_array_equal(plain.tables[2]["king"], average[row])
    np.testing.assert_allclose(
        centred.tables[2]["king"], average[row] - average.mean(axis=0), atol=1e-6
    )
    standardised = sources[3].tables[2]["king"]
    expected = (average[row] - average.mean(axis=0)) / average.std(axis=0)
    np.testing.assert_allclose(standardised, expected, rtol=1e-3)
    assert plain.filled().words == ASKED  # "queen" as it is read alone


def test_a_teacher_without_a_text_has_words_alone_model2vec_and_its_matrix(read):
    sources = teacher_rows.without_text(read.encoder, read.vocabulary.words, ASKED)
    names = [name for source in sources for name in source.rows]
    assert names == [
        "decontextualised",
        "model2vec",
        "input_matrix",
        "input_matrix_centred",
    ]
    assert sources[0].words == ASKED and sources[2].words == ASKED - {"queen"}
    elmo = encoders.load("cwr-elmo", device="cpu")
    (alone,) = teacher_rows.without_text(elmo, read.vocabulary.words, ASKED)
    assert list(alone.rows) == ["decontextualised"]


def test_trainings_are_keyed_by_their_number_and_centred_each_by_itself():
    rng = np.random.default_rng(0)
    matrices = [rng.normal(size=(4, 3)) + 1 for _ in range(2)]
    trainings = [WordVectors("SKIPGRAM", tuple("abcd"), matrix) for matrix in matrices]
    alone = {0: {"e": np.ones(3)}, 4: {"e": np.full(3, 4.0)}}
    plain, centred = teacher_rows.trained(
        trainings[0], "static", trainings, {"b", "e"}, alone=alone
    )
    assert (plain.model, plain.family, plain.rows) == (
        "SKIPGRAM",
        "static",
        {"static": SEED},
    )
    assert centred.rows == {"static_centred": SEED}
    for number, matrix in enumerate(matrices):
        np.testing.assert_array_equal(plain.tables[number]["b"], matrix[1])
        np.testing.assert_allclose(centred.tables[number]["b"], isotropy.center(matrix)[1])
    assert plain.filled().tables[1]["e"].tolist() == [4, 4, 4]  # the last layer's


def test_without_men_a_searched_row_is_in_each_draw_the_candidate_with_the_best_mean():
    rng = np.random.default_rng(1)
    words = tuple(f"w{number}" for number in range(30))
    candidates = [WordVectors("CBOW", words, rng.normal(size=(30, 3))) for _ in range(4)]
    drawn = [rng.choice(words, 2, replace=False) for _ in range(40)]
    scored = pd.DataFrame(drawn, columns=["first", "second"]).assign(
        score=rng.normal(size=40)
    )
    sets = {"WS-353": scored, "SL-999": scored.assign(score=rng.normal(size=40))}
    rows = distilled.score_rows([teacher_rows.searched(candidates, set(words))], sets, 20)
    of_each = []
    for candidate in candidates:
        (alone, _) = teacher_rows.trained(candidate, "static", [candidate], set(words))
        of_each.append(mean_of(distilled.score_rows([alone], sets, 20)))
    np.testing.assert_allclose(mean_of(rows), np.max(of_each, axis=0), atol=1e-12)
    assert {
        (row["model"], row["family"], row["estimator"]) for row in rows if "model" in row
    } == {("CBOW", "static", "static")}
    number = next(row["value"] for row in rows if row["measure"] == distilled.LAYER)
    assert number == np.argmax(np.array(of_each)[:, 0])


def test_vectors_of_this_very_text_are_static_and_others_stand_elsewhere_but_for_the_papers_files():
    def kind(name, *text):
        return teacher_rows.kind_of(WordVectors(name, ("a",), np.ones((1, 2))), *text)

    assert kind("cwr-static", "wiki-read") == "static"
    for text in (("wiki-sample-half",), ("wiki-unread",), ("wiki-read", 2_000_000)):
        assert kind("cwr-static", *text) == "static_elsewhere"
    assert kind("mine", "wiki-read") == "static_elsewhere"
    assert {kind(name, "wiki-unread") for name in printed_names.FILES} == {"static"}
    named = {printed_names.NAMES.get(name, name) for name in printed_names.FILES}
    assert named == set(readings.LARGER_CORPORA)
    assert set(word_vectors.READ) == set(word_vectors.NAMES)
    assert set(word_vectors.READ.values()) <= set(corpora.NAMES)


def mean_of(rows: list[dict]) -> np.ndarray:
    """The mean of the one source and its replicates, (D,)."""
    (row,) = (row for row in rows if row["measure"] == distilled.MEAN)
    return np.array([row["value"], *row["replicates"]])


def test_pools_are_over_the_same_occurrences(read):
    sources = teacher_rows.pooled(read.encoder, read.corpus, read.vocabulary, ASKED)
    tables = {name: source.tables for source in sources for name in source.rows}
    assert list(tables) == ["aggregated_mean", "aggregated_min", "aggregated_max"]
    row = read.vocabulary.words.index("city")
    for layer in range(read.encoder.n_layers + 1):
        mean = tables["aggregated_mean"][layer]["city"]
        np.testing.assert_allclose(mean, read.passed.average_of(layer)[row], atol=1e-5)
        least, most = (tables[f"aggregated_{p}"][layer]["city"] for p in ("min", "max"))
        assert (least < mean).all() and (mean < most).all()


def test_of_several_cased_forms_the_first_stays():
    vectors = WordVectors("any", ("May", "may", "cat"), np.arange(6.0).reshape(3, 2))
    lowered = teacher_rows.in_lower_case(vectors)
    assert lowered.words == ("may", "cat") and lowered.vectors.tolist() == [[0, 1], [4, 5]]


def test_a_coordinate_that_does_not_vary_is_left_out_before_the_others_are_standardised():
    W = np.random.default_rng(0).normal(size=(7, 3)).astype(np.float32)
    W[:, 1] = 0.1  # rounding gives it a standard deviation
    W[:, 2] = 1e-32 * W[:, 0]
    expected = (W - W.mean(axis=0)) / W.std(axis=0)
    np.testing.assert_allclose(teacher_rows.standardised(W), expected[:, [0]], rtol=1e-5)
