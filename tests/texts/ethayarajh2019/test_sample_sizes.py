"""How much text would decide: known intervals, and samples that end where the corpus ends."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from cwr import corpora, encoders
from cwr.errors import UserError
from cwr.estimates import contextuality
from cwr.estimates.curves import Curve
from cwr.measures import stats
from cwr.texts.ethayarajh2019 import sample_sizes


def curve(*values: float, spread: float = 0.0) -> Curve:
    noise = np.linspace(-1, 1, 201)[:, None]
    return Curve(np.array(values), np.array(values) + spread * noise)


def test_differences_from_the_input_and_from_the_layer_below_keep_their_draws():
    rising = curve(0.1, 0.3, 0.2, spread=0.5)
    over, steps = sample_sizes.over_input(rising), sample_sizes.steps(rising)
    assert over.values == pytest.approx([0.2, 0.1]) and steps.values == pytest.approx(
        [0.2, -0.1]
    )
    assert np.ptp(over.replicates, axis=0) == pytest.approx([0, 0]), "the noise is shared"
    assert np.ptp(steps.replicates, axis=0) == pytest.approx([0, 0])


def test_what_is_nearer_than_half_its_interval_is_undecided():
    near = sample_sizes.nearness(curve(0.019, -0.02, 0.0, spread=0.02))
    assert near == pytest.approx([1, 0.02 / 0.019, 0], rel=1e-6)
    assert sample_sizes.nearness(curve(0.5))[0] == np.inf, (
        "without spread there is no doubt"
    )


@pytest.mark.parametrize(
    "nearness, expected", [(0.5, 400), (1, 100), (2, 25), (0, np.inf)]
)
def test_half_as_near_asks_for_four_times_as_much(nearness, expected):
    assert sample_sizes.needed(100, nearness) == expected


def test_the_predicted_number_of_words_does_decide():
    """A mean of 0.1 with a deviation of 1: its interval excludes 0 from about 384 items on."""
    rng = np.random.default_rng(0)

    def estimate(number: int) -> Curve:
        items = rng.normal(size=number)
        items += 0.1 - items.mean()
        draws = stats.bootstrap(np.mean, items, 1000)
        return Curve(np.array([0.1]), draws[:, None])

    before = sample_sizes.nearness(estimate(100))[0]
    enough = sample_sizes.needed(100, before)
    assert before < 1 and 250 < enough < 550
    assert sample_sizes.nearness(estimate(int(1.5 * enough)))[0] > 1


def test_a_size_beyond_the_corpus_is_the_corpus(monkeypatch):
    class Text:
        def __init__(self, number):
            self.sentences = (None,) * number

        def sample(self, number, seed):
            return Text(number)

    def extract(encoder, corpus, tokens, seed):
        return len(corpus.sentences), tokens

    monkeypatch.setattr(sample_sizes.samples, "extract", extract)
    of_sizes = sample_sizes.by_size(None, Text(50), [100, 20, 70])
    assert of_sizes == {20: (20, 20), 50: (50, 50)}


def test_the_same_words_are_averaged_alone(extraction):
    sample = SimpleNamespace(
        words=extraction({"a": 4, "b": 5, "c": 6}), random=extraction({"random": 20})
    )
    every = sample_sizes.self_similarities({7: sample}, None, 50)
    named = sample_sizes.self_similarities({7: sample}, ["a", "c", "absent"], 50)
    items = contextuality.self_similarity(sample.words, 50).items
    baseline = contextuality.anisotropy_baseline(sample.random, 50).values
    assert every[7].values == pytest.approx(np.diff(items.mean().to_numpy() - baseline))
    alone = items.loc[["a", "c"]].mean().to_numpy()
    assert named[7].values == pytest.approx(np.diff(alone - baseline))


def test_a_table_has_the_layer_that_is_asked_for_at_every_size():
    table = sample_sizes.table(
        {10: curve(0.1, 0.2), 20: curve(0.3, 0.4)}, 2, "layer 2", "masked"
    )
    assert table["value"].tolist() == [0.2, 0.4] and table["k"].tolist() == [10, 20]
    assert table["low"].tolist() == pytest.approx([0.2, 0.4])


def test_half_of_a_corpus_stands_beside_it_where_all_sizes_are_beyond_its_end():
    short = corpora.load("lee").sample(12, 0)
    encoder = encoders.load("cwr-gpt", device="cpu")
    assert list(sample_sizes.by_size(encoder, short, [350, 700])) == [6, 12]
    assert list(sample_sizes.by_size(encoder, short, [8, 700])) == [8, 12]
    with pytest.raises(
        UserError, match="lee has 3 sentences, too few to ask whether more would"
    ):
        sample_sizes.by_size(encoder, short.sample(3, 0), [350, 700])


def test_a_title_tells_whether_the_largest_sample_decides_a_step():
    def title(all_words: float, same_words: float) -> str:
        curves = {"all words": all_words, "the same words": same_words}
        tables = [
            sample_sizes.table(
                {9: curve(0.5), 1400: curve(value, spread=0.004)}, 1, words, ""
            )
            for words, value in curves.items()
        ]
        return sample_sizes.title_of_step(pd.concat(tables), 1, "x", 0.01)

    assert title(0.013, 0.007).startswith("1,400 sentences do not decide whether")
    assert title(0.02, 0.002).endswith(
        "is above 0.01 over all words and below 0.01 over the same words"
    )
    assert title(0.02, 0.007).endswith("over all words and undecided over the same words")
