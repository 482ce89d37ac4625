"""X2Static: its objective against naive loops, what it draws, what it learns, what it refuses."""

from dataclasses import replace

import hypothesis
import numpy as np
import pytest
import torch
from hypothesis import strategies as st

from cwr.errors import UserError
from cwr.estimates.contexts import Vocabulary
from cwr.training.static_vectors import negative_sampling, x2static
from cwr.training.static_vectors.negative_sampling import Sampler, kept_shares
from cwr.training.static_vectors.x2static import Settings, X2Static

KEEP_ALL = 10.0  # a threshold that makes every word a target


def vocabulary_of(sentences, size):
    """Sentences of numbers below `size`, -1 out of the vocabulary, with their counts."""
    tokens = [np.array(sentence, np.int64) for sentence in sentences]
    every = np.concatenate(tokens)
    counts = np.bincount(every[every >= 0], minlength=size)
    return Vocabulary(tuple(f"w{number}" for number in range(size)), counts, tokens)


def random_text(sentences=40, size=12, dim=5, seed=0):
    """A text with words out of the vocabulary, and random contexts and word vectors for it."""
    draw = np.random.default_rng(seed)
    lines = [draw.integers(-1, size, draw.integers(2, 9)) for _ in range(sentences)]
    lines.append(np.arange(size))  # each word occurs
    vocabulary = vocabulary_of(lines, size)
    words = [draw.normal(size=(len(line), dim)).astype(np.float32) for line in lines]
    matrix = np.stack([rows.mean(axis=0) for rows in words])
    return vocabulary, matrix, np.concatenate(words)


def naive(U, batch, contexts):
    """Equation 1 and its gradient for U, a target and a word at a time, in float64."""
    total, gradient = 0.0, np.zeros_like(U)
    targets = len(batch.words)
    for words, context in zip(batch.words, contexts, strict=True):
        for number, word in enumerate(words):
            sign = 1.0 if number == 0 else -1.0
            score = float(U[word] @ context)
            total += np.log1p(np.exp(-sign * np.clip(score, -20, 20))) / targets
            if abs(score) < 20:
                gradient[word] -= sign * context / (1 + np.exp(sign * score)) / targets
    return total, gradient


def gradient_of(learner, step):
    loss = learner.loss(step)
    loss.backward()
    weight = learner.model["targets"].weight
    return float(loss.detach()), weight.grad.to_dense().numpy()


@hypothesis.settings(max_examples=12)
@hypothesis.given(
    seed=st.integers(0, 1000),
    negatives=st.integers(1, 30),
    scale=st.sampled_from([1.0, 60.0]),
)
def test_loss_and_gradient_are_those_of_a_loop_over_targets_and_negatives(
    seed, negatives, scale
):
    vocabulary, matrix, _ = random_text(seed=seed)
    settings = Settings(negatives=negatives, threshold=KEEP_ALL, batch=7, seed=seed)
    learner = X2Static(scale * matrix, vocabulary, settings)
    learner.model["targets"].weight.data.mul_(5)
    batch = learner.sampler.draw(3)
    U = learner.vectors().astype(np.float64)
    expected = naive(U, batch, scale * matrix[batch.sentences])
    loss, gradient = gradient_of(learner, 3)
    assert loss == pytest.approx(expected[0], rel=1e-5)  # float32 sums
    np.testing.assert_allclose(gradient, expected[1], atol=1e-5 * scale)


def test_the_gradient_is_that_of_finite_differences():
    vocabulary, matrix, _ = random_text()
    learner = X2Static(matrix, vocabulary, Settings(threshold=KEEP_ALL, batch=5))
    batch = learner.sampler.draw(0)
    contexts = torch.from_numpy(matrix[batch.sentences]).double()

    def loss(U):
        return negative_sampling.loss(torch.einsum("tkd,td->tk", U[batch.words], contexts))

    U = torch.randn(12, 5, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(loss, (U,))


def test_a_score_beyond_twenty_counts_as_twenty_and_has_no_gradient():
    scores = torch.tensor([[-50.0, 30.0]], requires_grad=True)
    loss = negative_sampling.loss(scores)
    loss.backward()
    assert float(loss.detach()) == pytest.approx(2 * np.log1p(np.exp(20)))
    assert not scores.grad.any()


def test_the_optimiser_is_a_lazy_adam_that_leaves_other_rows_alone():
    vocabulary, matrix, _ = random_text(sentences=4, size=60)
    settings = Settings(negatives=2, threshold=KEEP_ALL, batch=2, steps=6, rate=0.01)
    learner = X2Static(matrix, vocabulary, settings)
    U = learner.vectors().astype(np.float64)
    first, second = np.zeros_like(U), np.zeros_like(U)
    for step in range(settings.steps):
        batch = learner.sampler.draw(step)
        gradient = naive(U, batch, matrix[batch.sentences])[1]
        rows = np.unique(batch.words)
        first[rows] = 0.9 * first[rows] + 0.1 * gradient[rows]
        second[rows] = 0.999 * second[rows] + 0.001 * gradient[rows] ** 2
        rate = settings.rate * np.sqrt(1 - 0.999 ** (step + 1)) / (1 - 0.9 ** (step + 1))
        U[rows] -= rate * first[rows] / (np.sqrt(second[rows]) + 1e-8)
    trained = negative_sampling.fit_vectors(learner, "lazy").vectors
    np.testing.assert_allclose(trained, U, atol=2e-6)


def test_rows_that_no_step_touches_stay_where_they_start():
    vocabulary = vocabulary_of(np.arange(60).reshape(30, 2), 60)
    few = Settings(negatives=1, batch=1, steps=2, threshold=KEEP_ALL)
    learner = X2Static(np.ones((30, 5), np.float32), vocabulary, few)
    before = learner.vectors()
    touched = {
        word for step in (0, 1) for word in learner.sampler.draw(step).words.ravel()
    }
    after = negative_sampling.fit_vectors(learner, "lazy").vectors
    changed = np.flatnonzero((before != after).any(axis=1))
    assert changed.tolist() == sorted(touched) and 4 <= len(touched) <= 8
    assert np.abs(before).max() <= 1 / 5 < 1.05 * np.abs(before).max()


# ---- what is drawn


def test_known_shares_of_words_that_are_kept():
    # a share f of 1.309 t is the largest that is always kept; 4 t is kept in 1/2 + 1/4 of the cases
    shares = np.array([1.0, 1.309, 4.0, 100.0])
    counts = np.append(shares, 1e5 - shares.sum())
    kept = kept_shares(counts, 1e-5)
    assert kept[:4] == pytest.approx([1, 1, 0.75, 0.11], abs=1e-3)
    assert kept_shares(counts, KEEP_ALL).tolist() == [1.0] * 5


def test_targets_are_kept_and_negatives_drawn_as_often_as_they_should():
    size = 6
    lines = [np.repeat(np.arange(size), [60, 30, 15, 6, 3, 1])] * 20
    vocabulary = vocabulary_of(lines, size)
    settings = Settings(negatives=5, power=0.75, threshold=0.05, batch=20)
    sampler = Sampler(vocabulary, settings, np.arange(20))
    steps = 150
    words = np.concatenate([sampler.draw(step).words for step in range(steps)])
    kept = np.bincount(words[:, 0], minlength=size)
    occurrences = vocabulary.counts * steps
    p = kept_shares(vocabulary.counts, 0.05)
    spread = np.sqrt(occurrences * p * (1 - p))
    assert (np.abs(kept - occurrences * p) <= 4 * spread).all()
    drawn = np.bincount(words[:, 1:].ravel(), minlength=size)
    weights = vocabulary.counts**0.75 / (vocabulary.counts**0.75).sum()
    spread = np.sqrt(drawn.sum() * weights * (1 - weights))
    assert (np.abs(drawn - drawn.sum() * weights) <= 4 * spread).all()
    # each target has negatives of its own, also where the target is the same
    assert len(np.unique(words, axis=0)) > 0.05 * len(words)


def test_an_epoch_reads_each_sentence_once_and_the_next_one_in_another_order():
    vocabulary, _, _ = random_text(sentences=22)
    sampler = Sampler(vocabulary, Settings(threshold=KEEP_ALL, batch=5), np.arange(23))
    epochs = []
    for begin in (0, 5):
        sentences = [sampler._sentences(step) for step in range(begin, begin + 5)]
        epochs.append(np.concatenate(sentences).tolist())
    assert [sorted(epoch) for epoch in epochs] == [list(range(23))] * 2
    assert epochs[0] != epochs[1]


def test_a_target_is_the_word_of_its_position_and_never_out_of_the_vocabulary():
    vocabulary, _, _ = random_text()
    sampler = Sampler(vocabulary, Settings(threshold=KEEP_ALL, batch=50), np.arange(41))
    batch = sampler.draw(0)
    places = [
        (s, p) for s, tokens in enumerate(vocabulary.tokens) for p in range(len(tokens))
    ]
    for sentence, position, words in zip(*vars(batch).values(), strict=True):
        number, word = places[position]
        assert number == sentence and vocabulary.tokens[number][word] == words[0] >= 0
    assert len(batch.words) == vocabulary.counts.sum()


def test_a_batch_is_the_same_whatever_was_drawn_before_and_another_with_another_seed():
    vocabulary, _, _ = random_text()
    first = Sampler(vocabulary, Settings(threshold=KEEP_ALL, batch=7), np.arange(41))
    again = Sampler(vocabulary, Settings(threshold=KEEP_ALL, batch=7), np.arange(41))
    other = Sampler(
        vocabulary, Settings(threshold=KEEP_ALL, batch=7, seed=1), np.arange(41)
    )
    first.draw(17)
    np.random.default_rng(0).random(3)
    assert np.array_equal(first.draw(2).words, again.draw(2).words)
    assert not np.array_equal(again.draw(2).words, other.draw(2).words)


# ---- contexts


def test_a_target_left_out_leaves_the_mean_of_the_other_words():
    vocabulary, matrix, words = random_text()
    settings = Settings(threshold=KEEP_ALL, batch=41, target="left out")
    learner = X2Static(matrix, vocabulary, settings, words)
    batch = learner.sampler.draw(0)
    contexts = learner.contexts(batch).numpy()
    first = np.cumsum([0, *map(len, vocabulary.tokens)])
    for row, (sentence, position) in enumerate(
        zip(batch.sentences, batch.positions, strict=True)
    ):
        others = [p for p in range(first[sentence], first[sentence + 1]) if p != position]
        np.testing.assert_allclose(contexts[row], words[others].mean(axis=0), atol=1e-5)


def test_a_sentence_of_one_word_has_targets_only_where_they_stay_within_their_context():
    vocabulary = vocabulary_of([[0], [0, 1], [1, -1], [-1, -1]], 2)
    matrix, words = np.ones((4, 3), np.float32), np.ones((7, 3), np.float32)
    within = X2Static(matrix, vocabulary, Settings(threshold=KEEP_ALL))
    left_out = X2Static(
        matrix, vocabulary, Settings(threshold=KEEP_ALL, target="left out"), words
    )
    assert within.sampler.sentences.tolist() == [0, 1, 2]
    assert left_out.sampler.sentences.tolist() == [1, 2]


# ---- what is learned


def topics(pairs=8, sentences=400, dim=16, seed=0):
    """Words 2k and 2k+1 share all contexts: those of topic k."""
    draw = np.random.default_rng(seed)
    topic = np.arange(sentences) % pairs
    lines = [[2 * k + draw.integers(2), 2 * k + draw.integers(2)] for k in topic]
    centres = draw.normal(size=(pairs, dim))
    matrix = centres[topic] + 0.3 * draw.normal(size=(sentences, dim)) + 1.0
    return vocabulary_of(lines, 2 * pairs), matrix.astype(np.float32)


def test_two_words_that_share_all_contexts_become_nearest_neighbours():
    vocabulary, matrix = topics()
    settings = Settings(threshold=KEEP_ALL, batch=32, steps=300, rate=0.01)
    vectors = x2static.train(matrix, vocabulary, settings, "planted").vectors
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = units @ units.T - 2 * np.eye(16)
    assert cosines.argmax(axis=1).tolist() == [number ^ 1 for number in range(16)]


def test_a_training_that_is_cut_off_goes_on_to_the_same_bits(tmp_path):
    vocabulary, matrix = topics()
    settings = Settings(threshold=KEEP_ALL, batch=32, steps=40)
    whole = x2static.train(matrix, vocabulary, settings, "whole")
    learner = X2Static(matrix, vocabulary, settings)
    schedule = negative_sampling.loop.Schedule(settings.rate, floor=1.0, seed=0)
    list(negative_sampling.loop.train(learner, schedule, tmp_path, until=17))
    resumed = x2static.train(matrix, vocabulary, settings, "whole", tmp_path)
    assert resumed.fingerprint == whole.fingerprint
    assert (
        whole.words == vocabulary.words
        and whole.name == "whole"
        and whole.family == "static"
    )
    other = x2static.train(matrix, vocabulary, replace(settings, seed=1), "other")
    assert other.fingerprint != whole.fingerprint
    for vectors, which in ((matrix + 1, "contexts"), (matrix, "settings")):
        changed = replace(settings, power=0.75) if which == "settings" else settings
        with pytest.raises(UserError, match=rf"\({which} differ\)"):
            x2static.train(vectors, vocabulary, changed, "whole", tmp_path)


def test_a_batch_without_a_target_moves_nothing_and_is_no_error():
    vocabulary, matrix = vocabulary_of([[0] * 10] * 50, 1), np.ones((50, 3), np.float32)
    learner = X2Static(matrix, vocabulary, Settings(threshold=1e-3, batch=1, steps=12))
    targets = [len(learner.sampler.draw(step).words) for step in range(12)]
    assert (
        0 in targets
        and np.isfinite(negative_sampling.fit_vectors(learner, "few").vectors).all()
    )


# ---- refusals


def test_a_threshold_that_leaves_hardly_a_target_is_refused():
    vocabulary = vocabulary_of([np.arange(10)] * 100, 10)
    with pytest.raises(
        UserError, match=r"threshold 1e-06 only 0\.32% of the words .* 1e-4"
    ):
        X2Static(np.ones((100, 3), np.float32), vocabulary, Settings(threshold=1e-6))


def test_a_text_without_a_target_is_refused():
    vocabulary = vocabulary_of([[0], [1]], 2)
    settings = Settings(threshold=KEEP_ALL, target="left out")
    words = np.ones((2, 3), np.float32)
    with pytest.raises(UserError, match="predicted from others"):
        X2Static(words, vocabulary, settings, words)


def test_a_loss_that_is_no_number_names_step_and_rate():
    vocabulary, matrix = topics()
    matrix[:] = np.nan
    settings = Settings(threshold=KEEP_ALL, rate=0.5)
    with pytest.raises(UserError, match=r"step 0, with the rate 0\.5"):
        x2static.train(matrix, vocabulary, settings, "lost")


def test_arrays_that_do_not_fit_the_text_are_refused():
    vocabulary, matrix, words = random_text()
    with pytest.raises(ValueError, match="40 contexts for 41 sentences"):
        X2Static(matrix[1:], vocabulary, Settings())
    for vectors, count in ((None, 0), (words[1:], len(words) - 1)):
        with pytest.raises(ValueError, match=f"got {count} for {len(words)} words"):
            X2Static(matrix, vocabulary, Settings(target="left out"), vectors)
    with pytest.raises(ValueError, match="within or left out"):
        Settings(target="masked")
