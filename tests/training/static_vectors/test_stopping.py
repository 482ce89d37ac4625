"""When a training ends: the rule against a naive loop over courses, and what is held out."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError
from cwr.estimates.contexts import Vocabulary
from cwr.texts.gupta2021 import sent2vec
from cwr.training import loop
from cwr.training.static_vectors import negative_sampling, stopping, x2static
from cwr.training.static_vectors.cached import cached
from cwr.training.static_vectors.negative_sampling import StaticLearner, fit_vectors
from cwr.training.static_vectors.stopping import (
    EARLIEST,
    FLAT,
    MOST_HELD_OUT,
    Course,
    doublings,
    split_held_out,
)

KEEP_ALL = 10.0  # a threshold that makes every word a target


def text(sentences=60, size=10, seed=0):
    """Sentences of random words; each word occurs."""
    draw = np.random.default_rng(seed)
    tokens = [draw.integers(0, size, draw.integers(3, 8)) for _ in range(sentences - 1)]
    tokens.append(np.arange(size))
    counts = np.bincount(np.concatenate(tokens), minlength=size)
    return Vocabulary(tuple(f"w{number}" for number in range(size)), counts, tokens)


class Scripted(StaticLearner):
    """A learner whose held-out loss after each number of updates is written down."""

    def __init__(self, losses, steps):
        settings = negative_sampling.Settings(
            steps=steps, threshold=KEEP_ALL, batch=1, negatives=1
        )
        super().__init__(text(8), 2, settings, np.arange(8))
        self.losses, self.asked, self.updates = losses, [], 0

    def contexts(self, batch):
        return torch.ones(len(batch.words), 2)

    def loss(self, step):
        self.updates = step + 1
        return self.model["targets"].weight.sum() * 0.0

    def optimiser(self, schedule):
        return torch.optim.SGD(self.model.parameters(), lr=schedule.rate)

    def held_out_loss(self):
        self.asked.append(self.updates)
        return self.losses(self.updates)


def naive_end(losses, cap, until):
    """The first number of updates, from EARLIEST on, that lowered the loss of half as many enough
    little; the cap, if there is none."""
    updates = [cap]
    while updates[0] // 2 >= 30:
        updates.insert(0, updates[0] // 2)
    for half, whole in zip(updates[:-1], updates[1:], strict=True):
        if whole >= 560 and losses(half) - losses(whole) < until * losses(half):
            return whole, True
    return cap, False


COURSES = {
    "flattens late": lambda n: 2 + 4 * np.exp(-n / 600),
    "flat from the start": lambda n: 7.6,
    "rises": lambda n: 1 + n / 1000,
    "never flat": lambda n: 8 / n**0.2,
    "still at first, falls late": lambda n: 7.6 - 3 * (n > 300),
    "just below two per cent a doubling": lambda n: 5 * 0.981 ** np.log2(n),
    "just above": lambda n: 5 * 0.979 ** np.log2(n),
}


@pytest.fixture
def counting(monkeypatch):
    """A loop that counts updates and moves nothing, which spares thousands of real ones."""

    def train(learner, schedule, folder, visit=None, visits=()):
        for step in range(learner.steps):
            learner.updates = step + 1
            yield loop.Progress(step + 1, 0.0, 0.0)

    monkeypatch.setattr(loop, "train", train)


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("name", COURSES)
@pytest.mark.parametrize("cap", [1, 40, 300, 560, 1000, 2240, 4480])
def test_a_training_ends_where_a_naive_search_of_its_course_says(name, cap):
    learner = Scripted(COURSES[name], cap)
    trained = fit_vectors(learner, "scripted", until=FLAT)
    end, is_flat = naive_end(COURSES[name], cap, 0.02)
    assert (trained.course.updates[-1], learner.updates) == (end, end)
    assert trained.course.is_flat == is_flat
    assert (
        list(trained.course.updates)
        == learner.asked
        == [n for n in doublings(cap) if n <= end]
    )
    assert trained.course.losses == tuple(COURSES[name](n) for n in learner.asked)


@pytest.mark.usefixtures("counting")
def test_known_ends():
    ends = {
        name: fit_vectors(Scripted(losses, 2240), name, until=FLAT).course.updates[-1]
        for name, losses in COURSES.items()
    }
    assert ends["flat from the start"] == ends["rises"] == EARLIEST == 560  # and not 70
    assert ends["never flat"] == ends["just above"] == 2240
    assert ends["just below two per cent a doubling"] == 560
    assert (
        ends["still at first, falls late"] == 1120
    )  # the step from 280 to 560 is no plateau


def test_looks_are_halves_of_the_cap_down_to_some_tens_of_updates():
    assert doublings(2240) == [35, 70, 140, 280, 560, 1120, 2240]
    assert doublings(8960)[-7:] == [140, 280, 560, 1120, 2240, 4480, 8960]
    assert doublings(1000) == [31, 62, 125, 250, 500, 1000]
    assert doublings(1) == [1] and doublings(59) == [59] and doublings(64) == [32, 64]


def test_a_course_says_how_it_ended_and_by_how_much_each_doubling_lowered_it():
    course = Course((560, 1120, 2240), (4.0, 3.0, 2.97), FLAT)
    assert course.lowered == pytest.approx((0.25, 0.01))
    assert course.end.startswith("flat after 2,240 updates: the last doubling lowered")
    assert course.end.endswith("by 1.0%")
    cut = replace(course, updates=(560, 1120), losses=(4.0, 3.0))
    assert (
        cut.end.startswith("not flat at its cap of 1,120 updates") and "25.0%" in cut.end
    )
    assert replace(course, losses=(4.0, 3.0, 3.3)).end.endswith(
        "raised the held-out loss by 10.0%"
    )
    assert Course((40,), (7.0,), FLAT).end == "not flat at its cap of 40 updates"
    assert course.frame().columns.tolist() == ["updates", "loss", "lowered by"]
    assert np.isnan(course.frame()["lowered by"].iloc[0])


def test_the_ends_of_trainings_stand_under_their_keys():
    flat = Course((560, 1120), (4.0, 3.96), FLAT)
    table = stopping.ends({("a", 0): flat, ("b", 1): replace(flat, losses=(4.0, 3.0))})
    assert table.index.tolist() == [("a", 0), ("b", 1)]
    assert table["ended"].tolist() == ["flat", "at the cap"]
    assert table["updates"].tolist() == [1120, 1120]
    assert table["last doubling lowered it by"].tolist() == ["1.0%", "25.0%"]


def test_visits_see_the_last_update_of_a_training_that_ends_early_or_at_its_cap():
    for losses, cap, last in (
        (COURSES["rises"], 2240, 560),
        (COURSES["never flat"], 1120, 1120),
    ):
        seen = []
        learner = Scripted(losses, cap)
        visit = lambda step, vectors, seen=seen: seen.append(step)  # noqa: E731
        fit_vectors(learner, "seen", visits=[0, 100, last, 2240], visit=visit, until=FLAT)
        assert seen == [0, 100, last]


def test_a_checkpoint_and_a_course_are_refused_together(tmp_path):
    with pytest.raises(ValueError, match="fixed number of updates"):
        fit_vectors(Scripted(COURSES["rises"], 40), "both", folder=tmp_path, until=FLAT)


# ---- what is held out


@pytest.mark.parametrize("n", [2, 19, 20, 21, 500, 19_999, 20_000, 20_001, 75_000])
def test_one_sentence_of_twenty_is_held_out_and_at_most_a_thousand(n):
    usable = np.arange(n) * 3
    rest, held = split_held_out(usable, 20)
    assert sorted([*rest, *held]) == usable.tolist()
    assert 1 <= len(held) <= MOST_HELD_OUT and len(rest) >= 1
    if n <= 20 * MOST_HELD_OUT:
        assert len(held) == -(-n // 20)
    else:
        assert len(held) > 0.45 * MOST_HELD_OUT
    gaps = np.diff(held)
    assert len(set(gaps.tolist())) <= 1  # evenly over the text


def test_a_text_of_one_sentence_has_none_to_hold_out():
    one = text(1)
    with pytest.raises(UserError, match="needs two of them, and the text has 1"):
        x2static.train(
            np.ones((1, 3), np.float32), one, x2static.Settings(), "one", until=FLAT
        )


def test_held_out_sentences_without_a_target_are_refused():
    tokens = [np.array([0]), *[np.array([1])] * 19]
    rare = Vocabulary(("common", "rare"), np.array([10**6, 20]), tokens)
    settings = x2static.Settings(threshold=1e-4, held_out=20)
    with pytest.raises(
        UserError, match="have no target at the threshold 0.0001: take more text"
    ):
        x2static.train(np.ones((20, 3), np.float32), rare, settings, "none", until=FLAT)


def x2static_learner(holds_out=True):
    vocabulary = text()
    matrix = np.random.default_rng(1).normal(size=(60, 4)).astype(np.float32)
    settings = x2static.Settings(threshold=KEEP_ALL, batch=7, steps=30)
    return x2static.X2Static(matrix, vocabulary, settings, holds_out=holds_out), matrix


def sent2vec_learner(holds_out=True):
    settings = sent2vec.Settings(threshold=KEEP_ALL, batch=7, steps=30, dim=4, buckets=20)
    return sent2vec.Sent2Vec(text(), settings, holds_out)


@pytest.mark.parametrize("make", [lambda: x2static_learner()[0], sent2vec_learner])
def test_sentences_held_out_are_never_trained_on_and_are_what_is_asked(make):
    learner = make()
    held = set(learner.held_out_batch.sentences.tolist())
    assert held == {0, 20, 40}
    read = {s for step in range(30) for s in learner.sampler.draw(step).sentences.tolist()}
    assert read == set(range(60)) - held


def test_the_held_out_loss_is_that_of_a_loop():
    learner, matrix = x2static_learner()
    learner.model["targets"].weight.data.mul_(5)
    U = learner.vectors().astype(np.float64)
    total, targets = 0.0, 0
    for sentence, words in zip(
        learner.held_out_batch.sentences, learner.held_out_batch.words, strict=True
    ):
        for number, word in enumerate(words):
            score = float(U[word] @ matrix[sentence])
            total += np.log1p(np.exp(-score if number == 0 else score))
        targets += 1
    assert targets == sum(len(text().tokens[s]) for s in (0, 20, 40))
    assert learner.held_out_loss() == pytest.approx(total / targets, rel=1e-5)
    assert learner.held_out_loss() == learner.held_out_loss()


def test_without_the_rule_every_sentence_is_read_and_there_is_no_course():
    learner, _ = x2static_learner(holds_out=False)
    read = {s for step in range(30) for s in learner.sampler.draw(step).sentences.tolist()}
    assert read == set(range(60))
    assert fit_vectors(learner, "all").course is None


# ---- real trainings


def planted(pairs=8, sentences=200, dim=8, seed=0):
    """Words 2k and 2k+1 share all contexts: those of topic k."""
    draw = np.random.default_rng(seed)
    topic = np.arange(sentences) % pairs
    lines = [2 * k + draw.integers(2, size=2) for k in topic]
    matrix = (
        draw.normal(size=(pairs, dim))[topic]
        + 0.3 * draw.normal(size=(sentences, dim))
        + 1
    )
    counts = np.bincount(np.concatenate(lines), minlength=2 * pairs)
    words = tuple(f"w{number}" for number in range(2 * pairs))
    return Vocabulary(words, counts, lines), matrix.astype(np.float32)


FAST = x2static.Settings(threshold=KEEP_ALL, batch=32, steps=1120, rate=0.05)


@pytest.fixture(scope="module")
def ended():
    """A real training that levels off."""
    vocabulary, matrix = planted()
    return x2static.train(matrix, vocabulary, FAST, "planted", until=FLAT)


def test_a_real_training_levels_off_and_its_course_starts_below_chance(ended):
    course = ended.course
    assert course.is_flat and course.updates[-1] == EARLIEST
    assert course.losses[-1] < course.losses[0] < 11 * np.log(2)


def test_a_training_that_ends_early_has_the_vectors_of_one_that_was_given_as_many_updates(
    ended,
):
    vocabulary, matrix = planted()
    given = replace(FAST, steps=ended.course.updates[-1])
    learner = x2static.X2Static(matrix, vocabulary, given, None, True)
    assert fit_vectors(learner, "planted").fingerprint == ended.fingerprint


def test_a_short_context_needs_more_updates_than_a_long_one(ended):
    vocabulary, matrix = planted()
    short = x2static.train(0.02 * matrix, vocabulary, FAST, "short", until=FLAT).course
    assert not short.is_flat and short.updates[-1] > ended.course.updates[-1]


def test_the_cache_keeps_the_course_and_tells_trainings_with_a_rule_from_those_without(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    vocabulary, matrix = planted()
    settings = x2static.Settings(threshold=KEEP_ALL, batch=32, steps=80, rate=0.01)
    recipe = (x2static.train, matrix, vocabulary, settings, "planted")
    first, again = (cached(*recipe, until=FLAT) for _ in range(2))
    assert first.course == again.course and again.course.updates == (40, 80)
    assert isinstance(again, WordVectors) and again.fingerprint == first.fingerprint
    plain = cached(*recipe)
    assert plain.course is None and plain.fingerprint != first.fingerprint
    assert cached(*recipe, until=0.5).course.until == 0.5
