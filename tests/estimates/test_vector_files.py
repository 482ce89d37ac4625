"""Which of two files of word vectors is better: scores and choices against naive loops."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from cwr import encoders
from cwr.corpora import Corpus, fingerprint
from cwr.corpora.sentences import tokenise
from cwr.corpora.word_vectors import WordVectors
from cwr.estimates import contexts, vector_files
from cwr.measures import isotropy, stats

WORDS = tuple(f"w{number}" for number in range(40))
DRAWS = 40


def pairs(seed: int, n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    first, second = np.array([rng.choice(40, 2, replace=False) for _ in range(n)]).T
    scores = rng.normal(size=n)
    names = np.array(WORDS)
    return pd.DataFrame({"first": names[first], "second": names[second], "score": scores})


@pytest.fixture
def sets(monkeypatch):
    """Three sets, one of which has too few pairs."""
    made = {"WS-353": pairs(1), "MEN": pairs(2, 80), "SL-999": pairs(3, 19)}
    monkeypatch.setattr(
        vector_files, "load", lambda names: {name: made[name] for name in names}
    )
    return made


def vectors(name: str, seed: int) -> WordVectors:
    matrix = np.random.default_rng(seed).normal(size=(40, 4)).astype(np.float32)
    return WordVectors(name, WORDS, matrix)


TABLES = {name: vectors(name, 10 + number) for number, name in enumerate(("a", "b", "c"))}


def rho(table: WordVectors, scored: pd.DataFrame) -> np.ndarray:
    """Spearman's correlation of the pairs as they are and of each resampled set, by scipy."""
    row = dict(zip(table.words, table.vectors.astype(float), strict=True))
    cosines = []
    for first, second in zip(scored["first"], scored["second"], strict=True):
        u, v = row[first], row[second]
        cosines.append(u @ v / np.sqrt((u @ u) * (v @ v)))
    cosines, scores = np.array(cosines), scored["score"].to_numpy()
    labels = (scored["first"] + " " + scored["second"]).to_numpy()
    picks = [np.arange(len(labels)), *stats.resample(labels, DRAWS, 0)]
    return np.array([spearmanr(cosines[pick], scores[pick]).statistic for pick in picks])


def test_scores_differences_and_the_chosen_table_are_those_of_naive_loops(sets):
    mine = vectors("mine", 1)
    compared = vector_files.compared(mine, TABLES, list(sets), DRAWS)
    enough = ["WS-353", "MEN"]
    assert list(compared.scores) == [*enough, "mean"]
    ours = np.stack([rho(mine, sets[name]) for name in enough])  # (sets, draws)
    theirs = np.stack([[rho(t, sets[name]) for t in TABLES.values()] for name in enough])
    best = theirs.mean(axis=0).argmax(axis=0)  # of each draw
    assert len(set(best)) > 1 and compared.chosen == "abc"[best[0]]
    gaps = [ours[s] - theirs[s, best, np.arange(DRAWS + 1)] for s in range(2)]
    gaps.append(np.mean(gaps, axis=0))
    for gap, (_, row) in zip(gaps, compared.differences.iterrows(), strict=True):
        assert row["difference"] == pytest.approx(gap[0])
        low, high = np.quantile(gap[1:], [0.025, 0.975])
        assert (row["low"], row["high"]) == pytest.approx((low, high))
        assert row["better"] == ("x2static" if low > 0 else "ase" if high < 0 else "")
    np.testing.assert_allclose(compared.scores.loc["x2static", enough], ours[:, 0])
    for number, name in enumerate(TABLES):
        np.testing.assert_allclose(compared.scores.loc[name, enough], theirs[:, number, 0])
        assert compared.scores.loc[name, "mean"] == pytest.approx(
            theirs[:, number, 0].mean()
        )
    assert compared.differences["pairs"].tolist() == [60, 80, 140]


def gold(scored: pd.DataFrame, sign: int) -> pd.DataFrame:
    """The set with the scores that the vectors from seed 0 give (1), or their opposite (-1)."""
    row = vectors("any", 0).of(WORDS)
    u, v = (np.stack([row[word] for word in scored[side]]) for side in ("first", "second"))
    lengths = np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1)
    return scored.assign(score=sign * (u * v).sum(axis=1) / lengths)


def test_the_better_file_is_named_with_the_sets_that_say_so(sets):
    agreeing = vectors("mine", 0)
    sets["WS-353"] = gold(sets["WS-353"], 1)
    sets["MEN"] = gold(sets["MEN"], 1)
    compared = vector_files.compared(agreeing, TABLES, ["WS-353", "MEN"], DRAWS)
    assert compared.better == "x2static"
    assert compared.sentence.startswith("x2static is better on WS-353 (+")
    assert ", 60 pairs) and MEN (+" in compared.sentence and "ase" not in compared.sentence
    turned = vector_files.compared(
        TABLES["a"], {"good": agreeing}, ["WS-353", "MEN"], DRAWS
    )
    assert turned.better == "ase" and turned.sentence.startswith(
        "ase is better on WS-353 (+"
    )
    same = vector_files.compared(agreeing, {"same": agreeing}, ["WS-353", "MEN"], DRAWS)
    assert same.better == "" and same.sentence == (
        "WS-353 (60 pairs) and MEN (80 pairs) do not settle which file is better"
    )
    sets["MEN"] = gold(sets["MEN"], -1)
    split = vector_files.compared(agreeing, {"a": TABLES["a"]}, ["WS-353", "MEN"], DRAWS)
    assert "x2static is better on WS-353" in split.sentence
    assert "; ase is better on MEN (+" in split.sentence
    sets["SL-999"] = pairs(3)
    three = vector_files.compared(agreeing, {"same": agreeing}, list(sets), DRAWS)
    assert three.sentence == (
        "WS-353 (60 pairs), MEN (80 pairs) and SL-999 (60 pairs) do not settle which file is better"
    )
    one = vector_files.compared(agreeing, TABLES, ["WS-353"], DRAWS)
    assert list(one.scores) == ["WS-353"] and one.better == "x2static"


def test_a_text_that_covers_hardly_a_pair_decides_nothing_and_the_last_layer_is_the_file(
    sets,
):
    compared = vector_files.compared(vectors("mine", 1), TABLES, ["SL-999"], DRAWS)
    assert compared.sentence == (
        "No set of word pairs has 20 pairs in this text, so nothing says which file is better"
    )
    assert (compared.better, compared.chosen) == ("", "c")


def test_averages_are_those_of_each_layer_as_they_are_and_centred():
    sentences = tokenise(
        "The old king saw the river. A king has a city. The city has a river."
    )
    corpus = Corpus("kings", sentences, fingerprint(sentences), "ours")
    encoder = encoders.load("cwr-bert", device="cpu")
    read = contexts.read(encoder, corpus, contexts.vocabulary(corpus, 2))
    tables = vector_files.Averages(read)
    assert list(tables)[-1] == f"layer {encoder.n_layers}" and len(tables) == 10
    for layer in read.layers:
        plain, centred = tables[f"layer {layer}"], tables[f"layer {layer}, centred"]
        np.testing.assert_array_equal(plain.vectors, read.average_of(layer))
        np.testing.assert_allclose(
            centred.vectors, isotropy.center(plain.vectors), atol=1e-6
        )
        assert plain.words == centred.words == read.vocabulary.words
