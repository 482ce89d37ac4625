"""Scores by task, replicates against SciPy draw by draw, classes, and the scores of noise."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from cwr.corpora import word_benchmarks
from cwr.corpora.word_benchmarks import Benchmark
from cwr.errors import UserError
from cwr.measures import benchmarks, stats
from cwr.texts.ethayarajh2019 import word_benchmarks as estimates

WORDS = [f"w{number}" for number in range(40)]
DRAWS = 30


@pytest.fixture(scope="module")
def vectors():
    """Gaussian vectors of 30 of the 40 words."""
    rng = np.random.default_rng(1)
    return dict(zip(WORDS[:30], rng.normal(size=(30, 6)), strict=True))


def benchmark(task: str) -> Benchmark:
    """60 random items in four classes; of relational similarity, one paradigm pair a class."""
    rng = np.random.default_rng(2)
    classes = np.array(["r", "s", "t", "u"] * 15)
    if task == "categorisation":
        return Benchmark(
            "ours", task, pd.DataFrame({"word": WORDS, "class": classes[:40]})
        )
    drawn = np.array([rng.choice(WORDS, 4, replace=False) for _ in range(60)])
    items = pd.DataFrame(drawn, columns=["first", "second", "third", "answer"])
    items["class"] = classes
    if task == "analogy":
        return Benchmark("ours", task, items)
    items = items.drop(columns=["third", "answer"]).assign(
        score=rng.integers(300, size=60) / 10
    )
    if task == "word similarity":
        return Benchmark("ours", task, items.drop(columns="class"))
    paradigms = pd.DataFrame(
        {"class": ["r", "s", "t", "u"], "first": "w0", "second": "w1"}
    )
    return Benchmark("ours", task, items, paradigms)


TASKS = ("word similarity", "analogy", "relational similarity", "categorisation")


@pytest.mark.parametrize("missing", ["skip", "mean"])
@pytest.mark.parametrize("task", TASKS)
def test_a_score_is_that_of_the_tasks_measure(task, missing, vectors):
    ours = benchmark(task)
    expected = {
        "word similarity": lambda: benchmarks.word_similarity(
            vectors, ours.items, missing
        ),
        "analogy": lambda: benchmarks.analogy(vectors, ours.items, missing),
        "relational similarity": lambda: benchmarks.relational_similarity(
            vectors, ours.items, ours.paradigms, missing
        ),
        "categorisation": lambda: benchmarks.categorisation(
            vectors, ours.items, missing, seed=3
        ),
    }[task]()
    result = estimates.score(vectors, ours, missing, seed=3)
    assert (result.score, result.n, result.covered) == (
        expected.score,
        expected.n,
        expected.covered,
    )
    pd.testing.assert_frame_equal(result.items, expected.items)


def test_options_reach_the_measure_and_refusals_name_the_benchmark(vectors):
    ours = benchmark("relational similarity")
    texts = estimates.score(vectors, ours, ratings="strings")
    assert texts.score != estimates.score(vectors, ours).score
    with pytest.raises(
        UserError, match="scored on ours: of 60 pairs of words 0 have vectors"
    ):
        estimates.score({"cat": np.ones(6)}, ours)


def test_replicates_of_pairs_are_scipys_of_the_resampled_pairs(vectors):
    ours = benchmark("word similarity")
    items = estimates.score(vectors, ours).items
    picks = stats.resample((items["first"] + " " + items["second"]).to_numpy(), DRAWS, 5)
    expected = []
    for pick in picks:
        drawn = items.iloc[pick]
        expected.append(
            scipy.stats.spearmanr(drawn["similarity"], drawn["score"]).statistic
        )
    result = estimates.score(vectors, ours)
    np.testing.assert_allclose(estimates.replicates_of(result, ours, DRAWS, 5), expected)


@pytest.mark.parametrize("task", ["analogy", "categorisation"])
@pytest.mark.parametrize("over", ["items", "classes"])
def test_replicates_of_shares_are_shares_of_the_resampled_items_or_classes(
    task, over, vectors
):
    ours = benchmark(task)
    result = estimates.score(vectors, ours, missing="mean")
    items, columns = (
        result.items,
        {"analogy": ours.columns, "categorisation": ["word"]}[task],
    )
    if over == "items":
        labels = items[columns].agg(" ".join, axis=1).to_numpy()
        samples = [items.iloc[pick] for pick in stats.resample(labels, DRAWS, 5)]
    else:
        names = items["class"].unique()
        groups = {name: items[items["class"] == name] for name in names}
        picks = stats.resample(names.astype(str), DRAWS, 5)
        samples = [pd.concat([groups[names[number]] for number in pick]) for pick in picks]
    expected = [sample["is_right"].mean() for sample in samples]
    replicates = estimates.replicates_of(result, ours, DRAWS, 5, over)
    np.testing.assert_allclose(replicates, expected, atol=1e-12)
    assert np.mean(items["is_right"]) == pytest.approx(result.score)


def test_replicates_of_relations_are_mean_correlations_of_pairs_or_of_relations(vectors):
    ours = benchmark("relational similarity")
    result = estimates.score(vectors, ours, missing="mean")
    groups = dict(tuple(result.items.groupby("class", sort=False)))

    def correlation(pairs):
        return scipy.stats.spearmanr(pairs["similarity"], pairs["score"]).statistic

    of_pairs = np.zeros(DRAWS)
    for pairs in groups.values():
        labels = (pairs["first"] + " " + pairs["second"]).to_numpy()
        picks = stats.resample(labels, DRAWS, 5)
        of_pairs += [correlation(pairs.iloc[pick]) / len(groups) for pick in picks]
    replicates = estimates.replicates_of(result, ours, DRAWS, 5)
    np.testing.assert_allclose(replicates, of_pairs)
    each = np.array([correlation(pairs) for pairs in groups.values()])
    of_relations = each[stats.resample(np.array(list(groups)), DRAWS, 5)].mean(axis=1)
    replicates = estimates.replicates_of(result, ours, DRAWS, 5, "classes")
    np.testing.assert_allclose(replicates, of_relations)
    assert each.mean() == pytest.approx(result.score)


@pytest.mark.parametrize("task", TASKS)
def test_two_tables_of_vectors_are_compared_on_the_same_draws(task, vectors):
    """A difference of a table to itself under another name is nought in every draw."""
    ours = benchmark(task)
    twice = [
        estimates.replicates_of(estimates.score(table, ours), ours, DRAWS)
        for table in (vectors, {word: 2 * vector for word, vector in vectors.items()})
    ]
    np.testing.assert_allclose(twice[0], twice[1], atol=1e-12)
    assert np.ptp(twice[0]) > 0 or task == "analogy"


def test_intervals_hold_the_score_and_pairs_have_no_classes(vectors):
    for task in TASKS:
        ours = benchmark(task)
        result = estimates.score(vectors, ours)
        bounds = estimates.intervals(result, ours, 200)
        assert set(bounds) == (
            {"items"} if task == "word similarity" else {"items", "classes"}
        )
        for low, high in bounds.values():
            assert low <= result.score <= high, task
    ours = benchmark("word similarity")
    result = estimates.score(vectors, ours)
    with pytest.raises(ValueError, match="ours has no classes to resample"):
        estimates.replicates_of(result, ours, over="classes")
    with pytest.raises(ValueError, match="over 'words' is none of items, classes"):
        estimates.replicates_of(result, ours, over="words")


def test_noise_scores_nought_on_covered_pairs_and_chance_on_questions():
    rng = np.random.default_rng(0)
    words = word_benchmarks.load("WS353").words
    covered = rng.permutation(words)[:300].tolist()
    ours = word_benchmarks.load("WS353")
    scores = estimates.null(ours, covered, draws=60)
    assert abs(scores.mean()) < 4 * scores.std() / np.sqrt(60)
    questions = benchmark("analogy")
    chance = estimates.null(questions, WORDS, draws=200).mean()
    assert chance == pytest.approx(
        1 / 37, abs=0.004
    )  # of 40 words without those of the question


def test_noise_with_the_packages_rule_follows_what_the_missing_pairs_are_rated():
    """Pairs without vectors have cosine 1: if people rate them highest, noise scores well."""
    covered = [[f"w{number}", f"w{number + 20}", 1.0] for number in range(20)]
    unknown = [[f"x{number}", f"y{number}", 9.0] for number in range(20)]
    pairs = pd.DataFrame(covered + unknown, columns=["first", "second", "score"])
    ours = Benchmark("ours", "word similarity", pairs)
    assert (estimates.null(ours, WORDS, "mean", draws=5) > 0.8).all()
