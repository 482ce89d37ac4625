"""Analogies, categorisation and relational similarity: loops, gensim, SciPy, cases by hand."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import AgglomerativeClustering, KMeans

from cwr.measures.benchmarks import (
    analogy,
    by_relation,
    categorisation,
    purity,
    relational_similarity,
    word_similarity,
)

QUERY = ["first", "second", "third", "answer"]
seeds = st.integers(0, 10**6)


def relatives(seed, noise=0.35, pairs=12, dim=8):
    """Words a0, b0, a1, b1, … with the same offset from each a to its b, under noise."""
    rng = np.random.default_rng(seed)
    offset, vectors = 2 * rng.normal(size=dim), {}
    for number in range(pairs):
        base = rng.normal(size=dim)
        vectors[f"a{number}"] = base
        vectors[f"b{number}"] = base + offset + noise * rng.normal(size=dim)
    return vectors


def asked(seed, n=40, pairs=12):
    """Questions a_i : b_i :: a_j : b_j, in two classes."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(n):
        i, j = rng.choice(pairs, 2, replace=False)
        rows.append([f"class {number % 2}", f"a{i}", f"b{i}", f"a{j}", f"b{j}"])
    return pd.DataFrame(rows, columns=["class", *QUERY])


def by_loop(vectors, query):
    """The answer of 3CosAdd, word by word."""
    units = {word: vector / np.linalg.norm(vector) for word, vector in vectors.items()}
    target = units[query[1]] - units[query[0]] + units[query[2]]
    values = {word: unit @ target for word, unit in units.items() if word not in query}
    return max(values, key=values.get)


@given(seeds)
def test_3cosadd_equals_the_loop_over_the_vocabulary(seed):
    vectors, questions = relatives(seed), asked(seed)
    result = analogy(vectors, questions)
    expected = [
        by_loop(vectors, query) for query in questions[QUERY[:3]].to_numpy().tolist()
    ]
    assert result.items["prediction"].tolist() == expected
    assert result.score == np.mean(expected == questions["answer"])
    assert (result.n, result.covered) == (40, 40)


def test_3cosadd_answers_as_gensim_does(tmp_path):
    vectors, questions = relatives(5, noise=0.5, pairs=60), asked(5, n=1200, pairs=60)
    questions.loc[3, "answer"] = "unknown"  # gensim skips it, and so does "skip"
    keyed = KeyedVectors(8)
    keyed.add_vectors(list(vectors), np.stack(list(vectors.values())))
    lines = []
    for name, group in questions.groupby("class"):
        lines += [f": {name}", *group[QUERY].agg(" ".join, axis=1)]
    file = tmp_path / "questions.txt"
    file.write_text("\n".join(lines))
    score, sections = keyed.evaluate_word_analogies(str(file), case_insensitive=False)
    result = analogy(vectors, questions)
    assert 0.2 < score < 0.9  # neither all right nor all wrong
    assert (result.score, result.n) == (pytest.approx(score), 1199)
    for section in sections[:2]:
        right = result.items[
            result.items["is_right"] & (result.items["class"] == section["section"])
        ]
        expected = sorted(section["correct"])
        assert sorted(map(tuple, right[QUERY].to_numpy())) == expected


def test_a_word_of_the_question_is_never_the_answer():
    vectors = {
        "king": np.array([1.0, 0.0]),
        "kings": np.array([1.0, 0.02]),
        "queen": np.array([0.6, 0.8]),
        "queens": np.array([0.0, 1.0]),
    }
    questions = pd.DataFrame([["king", "kings", "queen", "queens"]], columns=QUERY)
    units = np.stack(list(vectors.values()))
    nearest = np.argmax(units @ (units[1] - units[0] + units[2]))
    assert list(vectors)[nearest] == "queen"  # what would be answered if it were allowed
    assert analogy(vectors, questions).items["prediction"].tolist() == ["queens"]


def test_every_word_with_a_vector_may_be_the_answer():
    vectors, questions = relatives(1), asked(1)
    first = questions.iloc[0]
    units = {word: vector / np.linalg.norm(vector) for word, vector in vectors.items()}
    target = units[first["second"]] - units[first["first"]] + units[first["third"]]
    result = analogy({**vectors, "asked of nobody": target}, questions)
    assert result.items["prediction"].iloc[0] == "asked of nobody"
    assert not result.items["is_right"].iloc[0]


def test_a_question_with_a_missing_word_is_left_out_or_asked_with_the_mean():
    vectors = {
        "a": np.array([1.0, 0.0]),
        "b": np.array([0.0, 1.0]),
        "c": np.array([-1.0, 0.0]),
        "d": np.array([-0.6, 0.8]),
    }
    rows = [["a", "b", "c", "d"], ["a", "none", "c", "d"], ["a", "b", "c", "none"]]
    questions = pd.DataFrame(rows, columns=QUERY, index=[7, 8, 9])
    skipped = analogy(vectors, questions)
    assert (skipped.n, skipped.covered, skipped.items.index.tolist()) == (1, 1, [7])
    filled = analogy(vectors, questions, missing="mean")
    assert (filled.n, filled.covered) == (3, 1)
    # mean (-0.15, 0.45) - a + c = (-2.15, 0.45): d has 1.65, b 0.45
    assert filled.items["prediction"].tolist() == ["d", "d", "d"]
    assert filled.items["is_right"].tolist() == [True, True, False]


@pytest.mark.parametrize("entry", [np.nan, np.inf])
def test_a_vector_that_is_no_number_is_refused_by_its_word_in_every_task(entry):
    bad = {**TOY, "up": np.array([0.0, entry])}
    questions = pd.DataFrame([["one", "two", "three", "up"]], columns=QUERY)
    words = pd.DataFrame({"word": ["one", "two", "up"], "class": ["x", "x", "y"]})
    for score in (
        lambda: word_similarity(bad, PAIRS),
        lambda: analogy(bad, questions),
        lambda: categorisation(bad, words),
        lambda: relational_similarity(bad, PAIRS, PARADIGMS, least=2),
    ):
        with pytest.raises(
            ValueError, match="vector of 'up' has an entry that is no number"
        ):
            score()


def test_3cosadd_refuses_a_vector_without_direction_and_questions_without_vectors():
    with pytest.raises(ValueError, match="row 24 has no direction"):
        analogy({**relatives(0), "bad": np.zeros(8)}, asked(0))
    with pytest.raises(ValueError, match="of 40 questions 0 have vectors for all words"):
        analogy({"cat": np.ones(2)}, asked(0))
    with pytest.raises(ValueError, match="of 40 questions 0 have vectors for all words"):
        analogy({}, asked(0), missing="mean")


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 4)), min_size=1, max_size=30)
)
def test_purity_equals_the_loop_over_clusters(labels):
    classes, clusters = (np.array(column) for column in zip(*labels, strict=True))
    agreeing = 0
    for cluster in set(clusters):
        members = classes[clusters == cluster].tolist()
        agreeing += max(members.count(label) for label in set(members))
    assert purity(classes, clusters) == pytest.approx(agreeing / len(classes))


def test_purity_is_one_for_single_words_and_the_largest_class_for_one_cluster():
    classes = np.array(["bird", "bird", "bird", "fish"])
    assert purity(classes, np.arange(4)) == 1
    assert purity(classes, np.zeros(4)) == 0.75
    assert purity(classes, np.array([5, 5, 5, 9])) == 1


def clouds(seed, spread, n=12, dim=5):
    """Vectors of n words in each of three classes around three centres, and the words."""
    rng = np.random.default_rng(seed)
    vectors, rows = {}, []
    for label in ("bird", "fish", "tool"):
        centre = 3 * rng.normal(size=dim)
        for number in range(n):
            vectors[f"{label}{number}"] = centre + spread * rng.normal(size=dim)
            rows.append([f"{label}{number}", label])
    return vectors, pd.DataFrame(rows, columns=["word", "class"])


def test_three_tight_clouds_are_found_and_their_order_does_not_matter():
    vectors, words = clouds(0, spread=0.1)
    shuffled = words.sample(frac=1, random_state=1)
    assert categorisation(vectors, words).score == 1
    assert categorisation(vectors, shuffled).score == 1
    assert categorisation(vectors, shuffled).items.index.equals(shuffled.index)


@pytest.mark.parametrize("seed", range(4))
def test_the_score_is_the_largest_purity_of_the_packages_clusterings(seed):
    vectors, words = clouds(seed, spread=4.0)
    X, y = np.stack(list(vectors.values())), words["class"].to_numpy()
    purities = [purity(y, KMeans(3, n_init=10, random_state=seed).fit_predict(X))]
    for linkage, metric in [
        ("ward", "euclidean"),
        ("average", "cosine"),
        ("average", "euclidean"),
        ("complete", "cosine"),
        ("complete", "euclidean"),
    ]:
        clustering = AgglomerativeClustering(n_clusters=3, linkage=linkage, metric=metric)
        purities.append(purity(y, clustering.fit_predict(X)))
    result = categorisation(vectors, words, seed=seed)
    assert result.score == max(purities) and min(purities) < max(purities)
    assert purity(y, result.items["cluster"].to_numpy()) == result.score
    for _, members in result.items.groupby("cluster"):
        classes = members["class"].tolist()
        (right,) = set(members.loc[members["is_right"], "class"])
        assert (
            classes.count(right)
            == max(map(classes.count, classes))
            == members["is_right"].sum()
        )


def test_words_without_a_vector_are_left_out_or_stand_in_the_middle():
    vectors, words = clouds(0, spread=0.1)
    less = {
        word: vector for word, vector in vectors.items() if word not in ("bird0", "fish0")
    }
    skipped = categorisation(less, words)
    assert (skipped.score, skipped.n, skipped.covered) == (1, 34, 34)
    filled = categorisation(less, words, missing="mean")
    assert (filled.n, filled.covered) == (36, 34) and filled.score < 1


@pytest.mark.filterwarnings("error")
def test_fewer_different_vectors_than_classes_are_clustered_without_a_warning():
    vectors, words = clouds(0, spread=0.1)
    one = {"bird0": vectors["bird0"]}
    result = categorisation(one, words, missing="mean")
    assert (result.n, result.covered) == (36, 1)
    assert 12 / 36 <= result.score <= 14 / 36  # equal vectors are cut anywhere


def test_what_cannot_be_clustered_is_refused():
    vectors, words = clouds(0, spread=0.1)
    with pytest.raises(
        ValueError, match="12 words to cluster are all of the class 'bird'"
    ):
        categorisation(vectors, words[words["class"] == "bird"])
    with pytest.raises(ValueError, match="of 36 words 0 have vectors"):
        categorisation({"cat": np.ones(5)}, words)
    with pytest.raises(ValueError, match="row 0 has no direction"):
        categorisation({**vectors, "bird0": np.zeros(5)}, words)


# Two relations in the plane; products with the paradigm's difference are easy to see
TOY = {
    "zero": np.array([0.0, 0.0]),
    "one": np.array([1.0, 0.0]),
    "two": np.array([2.0, 0.0]),
    "three": np.array([3.0, 0.0]),
    "up": np.array([0.0, 1.0]),
    "high": np.array([0.0, 4.0]),
}
PARADIGMS = pd.DataFrame(
    [["size", "two", "zero"], ["size", "three", "one"], ["height", "up", "zero"]],
    columns=["class", "first", "second"],
)
PAIRS = pd.DataFrame(
    [
        ["size", "one", "zero", 2.0],  # product 1 * 2
        ["size", "two", "zero", 10.0],  # 2 * 2
        ["size", "three", "zero", 30.0],  # 3 * 2
        ["height", "up", "zero", 9.0],  # 1
        ["height", "high", "zero", -4.0],  # 4
        ["height", "one", "zero", 10.0],  # 0
    ],
    columns=["class", "first", "second", "score"],
)


def test_relational_similarity_by_hand_with_numbers_and_with_ratings_sorted_as_texts():
    result = relational_similarity(TOY, PAIRS, PARADIGMS, least=3)
    assert result.items["similarity"].tolist() == [2, 4, 6, 1, 4, 0]
    # size: ratings 2 < 10 < 30 rise with the products; height: 0, 1, 4 have ratings 10, 9, -4
    assert by_relation(result.items).to_dict() == {"size": 1, "height": -1}
    assert (result.score, result.n, result.covered) == (0, 6, 6)
    texts = relational_similarity(TOY, PAIRS, PARADIGMS, least=3, ratings="strings")
    # size: "10.0" < "2.0" < "30.0", ranks of the products 2, 1, 3; height: "-4.0" < "10.0" < "9.0",
    # ranks of the products 3, 1, 2: both correlations are 1 - 6 * 2 / 24 and 1 - 6 * 6 / 24
    assert by_relation(texts.items).round(12).to_dict() == {"size": 0.5, "height": -0.5}


@given(seeds)
def test_relational_similarity_equals_the_loop_over_relations_and_scipy(seed):
    rng = np.random.default_rng(seed)
    vectors = {f"w{number}": rng.normal(size=3) for number in range(20)}
    words = rng.integers(22, size=(36, 2))  # w20 and w21 have no vector
    pairs = pd.DataFrame(np.char.add("w", words.astype(str)), columns=["first", "second"])
    pairs = pairs.assign(score=rng.integers(9, size=36), **{"class": ["r", "s", "t"] * 12})
    paradigms = pairs.drop(columns="score").iloc[:9]
    mean = np.mean(list(vectors.values()), axis=0)
    values = []
    for relation in ("r", "s", "t"):
        left, right = (
            np.array(
                [
                    vectors.get(word, mean)
                    for word in paradigms[paradigms["class"] == relation][side]
                ]
            )
            for side in ("first", "second")
        )
        direction = left.mean(axis=0) - right.mean(axis=0)
        rows = pairs[pairs["class"] == relation]
        products = [
            direction @ (vectors.get(a, mean) - vectors.get(b, mean))
            for a, b in zip(rows["first"], rows["second"], strict=True)
        ]
        sides = np.round(products, 12), rows["score"]
        is_constant = (
            min(len(set(side)) for side in sides) == 1
        )  # counts nought, as in the package
        values.append(0 if is_constant else scipy.stats.spearmanr(*sides).statistic)
    result = relational_similarity(vectors, pairs, paradigms, missing="mean")
    expected = by_relation(
        result.items.assign(similarity=result.items["similarity"].round(12))
    )
    assert expected.mean() == pytest.approx(np.mean(values), abs=1e-9)
    assert result.n == 36


def test_both_sides_turned_round_change_nothing_and_one_side_alone_the_sign():
    def turned(frame):
        return frame.rename(columns={"first": "second", "second": "first"})

    relation = PAIRS["class"] == "size"
    options = {"least": 3}
    scores = [
        relational_similarity(TOY, pairs, paradigms, **options).score
        for pairs, paradigms in (
            (PAIRS[relation], PARADIGMS),
            (turned(PAIRS[relation]), turned(PARADIGMS)),
            (turned(PAIRS[relation]), PARADIGMS),
        )
    ]
    assert scores == [1, 1, -1]


def test_a_relation_of_which_nothing_is_known_counts_nought_by_the_mean_and_not_by_skipping():
    less = {
        word: vector for word, vector in TOY.items() if word not in ("up", "high", "one")
    }
    unknown = PAIRS.replace({"zero": "nothing"}).where(PAIRS["class"] == "height", PAIRS)
    filled = relational_similarity(less, unknown, PARADIGMS, missing="mean")
    assert by_relation(filled.items)["height"] == 0
    assert filled.n == 6
    skipped = relational_similarity(less, unknown, PARADIGMS, least=2)
    assert set(skipped.items["class"]) == {"size"}
    assert (skipped.n, skipped.covered, skipped.score) == (2, 2, 1)


def test_relations_with_too_few_covered_pairs_are_left_out_and_none_is_refused():
    with pytest.raises(
        ValueError, match="of 2 relations none has a paradigm pair and 5 pairs"
    ):
        relational_similarity(TOY, PAIRS, PARADIGMS)
    with pytest.raises(
        ValueError, match="of 3 paradigm pairs 0 have vectors for all words"
    ):
        relational_similarity(TOY, PAIRS, PARADIGMS.assign(first="unknown"))
    with pytest.raises(ValueError, match="ratings 'text' is none of numbers, strings"):
        relational_similarity(TOY, PAIRS, PARADIGMS, ratings="text")
