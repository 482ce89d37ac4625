"""Count models against loops over dictionaries, examples by hand, invariances and refusals."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.errors import UserError
from cwr.making.count_models.both_neighbours import POSITIONS, BothNeighbours
from cwr.making.count_models.kneser_ney import KneserNey


def grams(texts: list[list[int]], length: int) -> Counter:
    return Counter(
        tuple(text[i : i + length])
        for text in texts
        for i in range(len(text) - length + 1)
    )


def discount(counts: Counter) -> float:
    n1, n2 = (sum(count == times for count in counts.values()) for times in (1, 2))
    return n1 / (n1 + 2 * n2) if n1 else 0.5


class ByLoops:
    """Interpolated Kneser-Ney from the formula, gram by gram."""

    def __init__(self, texts, vocabulary, order):
        self.vocabulary, self.counts = vocabulary, {order: grams(texts, order)}
        for length in range(1, order):
            self.counts[length] = Counter(gram[1:] for gram in grams(texts, length + 1))
        self.discount = {
            length: discount(counts) for length, counts in self.counts.items()
        }

    def p(self, h: tuple, w: int) -> float:
        lower = self.p(h[1:], w) if h else 1 / self.vocabulary
        counts, d = self.counts[len(h) + 1], self.discount[len(h) + 1]
        after = [count for gram, count in counts.items() if gram[:-1] == h]
        if not after:
            return lower
        return (
            max(counts[(*h, w)] - d, 0) / sum(after) + d * len(after) / sum(after) * lower
        )


def between_by_loops(texts, vocabulary, left, right):
    """p(w | left, right) for each w, from the formula."""
    pairs, counts = ByLoops(texts, vocabulary, 2), grams(texts, 3)
    product = [pairs.p((left,), w) * pairs.p((w,), right) for w in range(vocabulary)]
    seen = [counts[left, w, right] for w in range(vocabulary)]
    q, d = [each / sum(product) for each in product], discount(counts)
    if not sum(seen):
        return q
    rest = d * sum(count > 0 for count in seen) / sum(seen)
    return [
        max(count - d, 0) / sum(seen) + rest * lower
        for count, lower in zip(seen, q, strict=True)
    ]


def random_texts(seed: int) -> tuple[list[list[int]], int]:
    """One to four texts, some of one token, of a skewed vocabulary of 3 to 8; its last never occurs."""
    draw = np.random.default_rng(seed)
    vocabulary = int(draw.integers(3, 9))
    chances = draw.dirichlet(np.full(vocabulary - 1, 0.7))
    return [
        draw.choice(vocabulary - 1, size=size, p=chances).tolist()
        for size in draw.choice([1, 2, 3, 10, 40, 80], size=draw.integers(1, 5))
    ], vocabulary


def stream(texts: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """The texts one after the other, and where each begins."""
    return np.concatenate(texts), np.cumsum([0, *map(len, texts)])


def every(vocabulary: int, width: int) -> np.ndarray:
    rows = list(itertools.product(range(vocabulary), repeat=width))
    return np.array(rows, dtype=int).reshape(len(rows), width)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("order", [1, 2, 3])
def test_every_probability_after_every_context_equals_the_loops(seed, order):
    texts, vocabulary = random_texts(seed)
    tokens, breaks = stream(texts)
    model, naive = (
        KneserNey.count(tokens, vocabulary, order, breaks),
        ByLoops(texts, vocabulary, order),
    )
    assert model.order == order
    for width in range(order):
        contexts = every(vocabulary, width)
        expected = [
            [naive.p(tuple(h), w) for w in range(vocabulary)] for h in contexts.tolist()
        ]
        assert model.distribution(contexts) == pytest.approx(np.array(expected), abs=1e-13)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_each_token_of_other_texts_has_the_probability_of_the_loops(seed, order):
    texts, vocabulary = random_texts(seed)
    draw = np.random.default_rng(seed + 100)
    others = [draw.integers(vocabulary, size=size).tolist() for size in (1, 2, 5, 30)]
    tokens, breaks = stream(texts)
    model, naive = (
        KneserNey.count(tokens, vocabulary, order, breaks),
        ByLoops(texts, vocabulary, order),
    )
    expected = [
        np.log(naive.p(tuple(text[max(i - order + 1, 0) : i]), text[i]))
        for text in others
        for i in range(len(text))
    ]
    tokens, breaks = stream(others)
    assert model.log_probability(tokens, breaks) == pytest.approx(
        np.array(expected), abs=1e-12
    )


@pytest.mark.parametrize("seed", range(6))
def test_both_neighbours_equal_the_loops(seed):
    texts, vocabulary = random_texts(seed)
    tokens, breaks = stream(texts)
    model = BothNeighbours.count(tokens, vocabulary, breaks)
    left, right = every(vocabulary, 2).T
    expected = np.array(
        [
            between_by_loops(texts, vocabulary, a, b)
            for a, b in zip(left, right, strict=True)
        ]
    )
    assert model.distribution(left, right) == pytest.approx(expected, abs=1e-13)
    for target in range(vocabulary):
        of_target = model.log_probability(left, right, np.full(len(left), target))
        assert of_target == pytest.approx(np.log(expected[:, target]), abs=1e-11)


def test_kneser_ney_by_hand():
    # 0 1 0 2 1 0: pairs 10 twice, 01, 02, 21 once, so D = 3 / (3 + 2) = 0.6; seen before 1: two tokens,
    # before 0 and 2: one, so D = 2 / (2 + 2) = 0.5, p(1) = 1.5 / 4 + 0.5 * 3 / 4 / 3 = 0.5, p(0) = p(2) = 0.25
    model = KneserNey.count(np.array([0, 1, 0, 2, 1, 0]), 3, order=2)
    assert [level.discount for level in model.levels] == [0.5, 0.6]
    assert model.distribution(np.empty((1, 0), int))[0] == pytest.approx([0.25, 0.5, 0.25])
    assert model.distribution([[0]])[0] == pytest.approx(
        [0.6 / 4, 0.4 / 2 + 0.6 / 2, 0.4 / 2 + 0.6 / 4]
    )
    assert model.distribution([[1]])[0] == pytest.approx(
        [1.4 / 2 + 0.3 / 4, 0.3 / 2, 0.3 / 4]
    )
    assert model.log_probability(np.array([1, 0, 0])) == pytest.approx(
        np.log([0.5, 0.775, 0.15])
    )


def test_both_neighbours_by_hand():
    # 0 1 0 2 0 1 0: D of pairs 2 / (2 + 4); p(. | 0) = 2/18, 11/18, 5/18; p(0 | .) = 2/18, 11/12, 5/6; the
    # products are 8, 363 and 150 of 521. Between two 0s stood 1 twice and 2 once; D of triples 3 / (3 + 2)
    model = BothNeighbours.count(np.array([0, 1, 0, 2, 0, 1, 0]), 3)
    expected = np.array([0, 1.4 / 3, 0.4 / 3]) + 0.4 * np.array([8, 363, 150]) / 521
    assert model.distribution([0], [0])[0] == pytest.approx(expected)
    best, log_probability = model.predict([0], [0])
    assert best.tolist() == [1] and log_probability == pytest.approx(np.log(expected[1:2]))


texts = st.integers(1, 8).flatmap(
    lambda size: st.tuples(
        st.just(size), st.lists(st.integers(0, size - 1), min_size=1, max_size=40)
    )
)


@given(texts, st.integers(1, 4), st.lists(st.integers(0, 1000), max_size=4))
def test_probabilities_are_positive_and_sum_to_one_after_every_context(
    text, order, breaks
):
    vocabulary, tokens = text
    model = KneserNey.count(
        np.array(tokens), vocabulary, order, np.array(breaks, int) % (len(tokens) + 1)
    )
    for width in range(order):
        rows = model.distribution(every(vocabulary, width)[:200])
        assert (rows > 0).all() and rows.sum(axis=1) == pytest.approx(1, abs=1e-12)


@given(texts)
def test_probabilities_between_all_neighbours_are_positive_and_sum_to_one(text):
    vocabulary, tokens = text
    rows = BothNeighbours.count(np.array(tokens), vocabulary).distribution(
        *every(vocabulary, 2).T
    )
    assert (rows > 0).all() and rows.sum(axis=1) == pytest.approx(1, abs=1e-12)


@given(texts, st.randoms(use_true_random=False))
def test_the_numbers_that_tokens_bear_do_not_matter(text, random):
    vocabulary, tokens = text
    new = np.array(random.sample(range(vocabulary), vocabulary))
    plain, renamed = (
        KneserNey.count(x, vocabulary).log_probability(x) for x in (tokens, new[tokens])
    )
    assert renamed == pytest.approx(plain, abs=1e-12)


def test_an_unseen_context_falls_back_exactly_to_the_lower_order():
    model = KneserNey.count(np.array([0, 1, 2, 0, 1, 2, 0, 1, 3, 1, 3, 2]), 5)
    nothing = np.empty((1, 0), int)
    for unseen, shorter in (
        ([[2, 1]], [[1]]),
        ([[1, 1]], [[1]]),
        ([[4]], nothing),
        ([[4, 4]], nothing),
    ):
        assert np.array_equal(model.distribution(unseen), model.distribution(shorter))
    assert not np.allclose(model.distribution([[0, 1]]), model.distribution([[1]]))


def test_neighbours_never_seen_together_are_left_to_the_product():
    model = BothNeighbours.count(np.array([0, 1, 2, 0, 1, 3, 1, 2, 2]), 5)
    for left, right in ((4, 0), (0, 4), (3, 3)):
        product = (
            model.pairs.distribution([[left]])[0]
            * model.pairs.distribution(every(5, 1))[:, right]
        )
        assert model.distribution([left], [right])[0] == pytest.approx(
            product / product.sum(), abs=1e-14
        )


def test_a_cycle_is_learnt_by_heart_and_noise_is_not():
    cycle = np.tile([3, 1, 4, 0, 2], 200)
    model = KneserNey.count(cycle, 5)
    assert (model.log_probability(cycle)[2:] > np.log(0.99)).all()
    assert (
        KneserNey.count(cycle[::-1], 5).log_probability(cycle[::-1])[2:] > np.log(0.99)
    ).all()
    best, log_probability = BothNeighbours.count(cycle, 5).predict(cycle[:-2], cycle[2:])
    assert np.array_equal(best, cycle[1:-1]) and (log_probability > np.log(0.99)).all()
    noise = np.random.default_rng(0).integers(5, size=60_000)
    on_other = KneserNey.count(noise[:40_000], 5).log_probability(noise[40_000:])
    assert on_other.mean() == pytest.approx(
        -np.log(5), abs=0.01
    )  # the entropy of the source


def test_all_tokens_counted_more_than_once_leave_something_to_the_unseen():
    model = KneserNey.count(np.tile([0, 1], 10), 3, order=1)
    assert model.levels[0].discount == 0.5
    unigram = model.distribution(np.empty((1, 0), int))[0]
    assert unigram == pytest.approx([9.5 / 20 + 0.05 / 3, 9.5 / 20 + 0.05 / 3, 0.05 / 3])


def test_a_text_shorter_than_the_order_gives_what_it_can():
    assert KneserNey.count([1], 4).log_probability([0, 1, 2, 3]) == pytest.approx(
        -np.log(4)
    )
    assert KneserNey.count([1, 1], 4, order=1).log_probability([1]) > np.log(0.75)
    assert BothNeighbours.count([1], 4).distribution([0], [3])[0] == pytest.approx(0.25)


def test_no_ngram_crosses_a_break():
    cut = KneserNey.count([0, 1, 2, 3], 5, 2, breaks=[2])
    whole = KneserNey.count([0, 1, 2, 3], 5, 2)
    assert cut.levels[1].keys.tolist() == [0 * 5 + 1, 2 * 5 + 3]
    assert whole.levels[1].keys.tolist() == [0 * 5 + 1, 1 * 5 + 2, 2 * 5 + 3]
    assert BothNeighbours.count([0, 1, 2, 3], 5, breaks=[2]).between.keys.tolist() == []
    assert whole.log_probability([0, 1, 2], breaks=[2])[2] == whole.log_probability([2])[0]
    at_the_ends = KneserNey.count([0, 1, 2, 3], 5, 2, breaks=[0, 4])
    assert np.array_equal(at_the_ends.levels[1].keys, whole.levels[1].keys)


@pytest.mark.parametrize("dtype", [np.uint16, np.int32, np.uint64])
def test_large_vocabularies_are_packed_without_overflow_whatever_the_type(dtype):
    vocabulary, draw = 30_002, np.random.default_rng(1)
    tokens = (vocabulary - 1 - draw.geometric(0.3, size=300)).astype(dtype)
    naive = ByLoops([tokens.tolist()], vocabulary, 4)
    expected = [
        np.log(naive.p(tuple(tokens[max(i - 3, 0) : i].tolist()), int(tokens[i])))
        for i in range(40)
    ]
    model = KneserNey.count(tokens, vocabulary, 4)
    assert model.log_probability(tokens)[:40] == pytest.approx(np.array(expected))
    assert model.distribution(tokens[:6].reshape(2, 3)).sum(axis=1) == pytest.approx(1)


def test_parts_of_positions_are_put_together_in_order():
    draw = np.random.default_rng(3)
    model = BothNeighbours.count(
        draw.integers(6, size=400) // 2 + draw.integers(3, size=400), 6
    )
    left, right, target = draw.integers(6, size=(3, 2 * POSITIONS + 7))
    rows = model.distribution(left, right)
    best, log_probability = model.predict(left, right)
    assert np.array_equal(best, rows.argmax(axis=1)) and len(set(best.tolist())) > 1
    assert np.array_equal(log_probability, np.log(rows.max(axis=1)))
    of_target = rows[np.arange(len(rows)), target]
    assert np.array_equal(model.log_probability(left, right, target), np.log(of_target))


def test_counting_and_predicting_leave_their_arguments_alone():
    tokens, breaks = np.array([2, 0, 1, 2, 0, 1, 1]), np.array([5, 3])
    KneserNey.count(tokens, 3, breaks=breaks).log_probability(tokens, breaks)
    BothNeighbours.count(tokens, 3, breaks).predict(tokens[:-2], tokens[2:])
    assert tokens.tolist() == [2, 0, 1, 2, 0, 1, 1] and breaks.tolist() == [5, 3]


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda: KneserNey.count([], 3), "at least 1 token"),
        (lambda: KneserNey.count([[0, 1]], 3), "one row"),
        (lambda: KneserNey.count([0, 3], 3), "0 to 3, outside a vocabulary of 3"),
        (lambda: KneserNey.count([0, -1], 3), "-1 to 0, outside"),
        (lambda: KneserNey.count([0.0, 1.0], 3), "float64, not integers"),
        (lambda: KneserNey.count([0, 1], 3, order=0), "order of a count model is 0"),
        (lambda: KneserNey.count([0, 1], 30_002, order=5), "do not fit into 63 bits"),
        (lambda: BothNeighbours.count([0, 1], 2**21), "do not fit into 63 bits"),
        (lambda: KneserNey.count([0, 1], 3, breaks=[3]), "outside a text of 2 tokens"),
        (lambda: KneserNey.count([0, 1], 3, breaks=[-1]), "outside a text of 2 tokens"),
        (lambda: KneserNey.count([0, 1], 3).log_probability([3]), "outside a vocabulary"),
        (lambda: KneserNey.count([0, 1], 3).log_probability([]), "at least 1 token"),
        (
            lambda: KneserNey.count([0, 1], 3).distribution([[0, 1, 2]]),
            "looks back 2 tokens",
        ),
        (lambda: KneserNey.count([0, 1], 3).distribution([0, 1]), "looks back 2 tokens"),
        (lambda: KneserNey.count([0, 1], 3).distribution([[3]]), "outside a vocabulary"),
        (lambda: BothNeighbours.count([0, 3], 3), "outside a vocabulary"),
        (
            lambda: BothNeighbours.count([0, 1], 3).predict([0], [3]),
            "outside a vocabulary",
        ),
        (lambda: BothNeighbours.count([0, 1], 3).predict([0, 1], [1]), "lengths 2, 1"),
        (
            lambda: BothNeighbours.count([0, 1], 3).log_probability([0], [1], [3]),
            "outside a vocabulary",
        ),
        (
            lambda: BothNeighbours.count([0, 1], 3).log_probability([0], [1], [1, 2]),
            "lengths 1, 1, 2",
        ),
    ],
)
def test_what_has_no_answer_is_refused(call, says):
    with pytest.raises(UserError, match=says):
        call()


def test_the_largest_vocabulary_that_fits_is_taken():
    assert (
        KneserNey.count([0, 2**21 - 2], 2**21 - 1).log_probability([0, 2**21 - 2]).max()
        < 0
    )
