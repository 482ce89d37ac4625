"""A streamed text gives what the same text gives from memory, and leaves one entry in the cache."""

import itertools
from dataclasses import dataclass

import numpy as np
import pytest

from cwr import corpora, encoders
from cwr.corpora import Corpus, Sentence, Stream, fingerprint, joined
from cwr.encoders import encoder as encoder_module
from cwr.errors import UserError
from cwr.estimates import contexts, streamed_contexts
from cwr.extraction import cache

WORDS = "The king saw a river and Rivers saw the old King of it".split()


def some(n: int, seed: int = 0) -> list[Sentence]:
    """n sentences of one to nine of the words."""
    random = np.random.default_rng(seed)
    return [joined(random.choice(WORDS, size)) for size in random.integers(1, 10, n)]


def stream(sentences: list[Sentence]) -> Stream:
    return Stream("toy", lambda: iter(sentences), "ours")


def corpus(sentences: list[Sentence]) -> Corpus:
    return Corpus("toy", tuple(sentences), fingerprint(sentences), "ours")


@pytest.fixture(scope="module")
def encoder():
    return encoders.load("cwr-bert", device="cpu")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))


def compare(encoder, sentences, least, near) -> tuple:
    """Both ways of reading, whose words, counts and tokens are the same and averages near."""
    streamed = streamed_contexts.read(encoder, stream(sentences), least)
    text = corpus(sentences)
    whole = contexts.read(encoder, text, contexts.vocabulary(text, least))
    assert streamed.vocabulary.words == whole.vocabulary.words
    assert np.array_equal(streamed.vocabulary.counts, whole.vocabulary.counts)
    assert streamed.vocabulary.covered == whole.vocabulary.covered
    assert len(streamed.vocabulary.tokens) == len(sentences)
    for one, other in zip(
        streamed.vocabulary.tokens, whole.vocabulary.tokens, strict=True
    ):
        assert np.array_equal(one, other)
    assert np.array_equal(streamed.count, whole.counts)
    assert streamed.layers == whole.layers
    for layer in whole.layers:
        expected = whole.average_of(layer)
        assert streamed.average_of(layer) == pytest.approx(expected, abs=10 * near)
        assert streamed.average_of(layer).dtype == expected.dtype
    return streamed, whole


def test_blocks_that_encode_cuts_at_leave_every_context_as_it_is_to_the_bit(encoder, near):
    assert streamed_contexts.BLOCK == encoder_module.TOKENISED_AT_ONCE
    streamed, whole = compare(encoder, some(streamed_contexts.BLOCK + 100), 2, near)
    assert np.array_equal(streamed.matrix, whole.matrix)


@pytest.mark.parametrize("block", [1, 7])
def test_small_blocks_give_the_same_contexts_and_averages(
    encoder, near, monkeypatch, block
):
    monkeypatch.setattr(streamed_contexts, "BLOCK", block)
    sentences = [
        *some(30),
        joined(["Xylophone"]),
        *some(3, seed=1),
        joined(["Zyzzyva", "!"]),
    ]
    streamed, whole = compare(
        encoder, sentences, 2, near
    )  # the rare words end blocks, too
    assert streamed.matrix == pytest.approx(whole.matrix, abs=10 * near)
    assert streamed.matrix.dtype == whole.matrix.dtype


def test_a_second_reading_runs_no_model_and_one_entry_is_left(encoder, monkeypatch):
    monkeypatch.setattr(streamed_contexts, "BLOCK", 8)
    first = streamed_contexts.read(encoder, stream(some(20)), 2)
    (entry,) = cache.entries()
    assert (entry.model, entry.corpus) == ("cwr-bert", "toy")
    monkeypatch.setattr(encoder, "encode", None)  # to call it is an error
    second = streamed_contexts.read(encoder, stream(some(20)), 2)
    assert np.array_equal(first.matrix, second.matrix) and len(cache.entries()) == 1
    for other, least in ((some(20, seed=1), 2), (some(20), 3)):
        with pytest.raises(TypeError, match="not callable"):
            streamed_contexts.read(encoder, stream(other), least)


@dataclass
class Changing:
    """A text that reads otherwise the second time."""

    readings: list[list[Sentence]]

    def __post_init__(self):
        self.left = iter(self.readings)

    def __call__(self):
        return iter(next(self.left))


def test_a_text_that_changes_while_it_is_read_is_refused(encoder):
    sentences, other = [joined(WORDS), *some(5)], joined([*WORDS[:-1], WORDS[0]])
    changes = (sentences[1:], sentences[:-1], sentences[::-1], [other, *sentences[1:]])
    for readings in [
        pair for change in changes for pair in itertools.permutations([sentences, change])
    ]:
        text = Stream("toy", Changing(list(readings)), "ours")
        with pytest.raises(
            UserError, match="the text toy changed while it was read: read it"
        ):
            streamed_contexts.read(encoder, text, 1)
        cache.empty()


def test_a_file_is_read_line_by_line_with_the_sentences_of_load(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_bytes(
        "\ufeffOne king. Two kings!\r\nA\u2028river.\n\n\nThe end\x0bof it".encode()
    )
    text, whole = corpora.stream(file), corpora.load(file)
    assert (text.name, text.licence) == (whole.name, whole.licence)
    assert tuple(text.read()) == tuple(text.read()) == whole.sentences
    assert [(each.document, each.paragraph) for each in whole.sentences] == [
        *[(0, 0)] * 2,
        *[(0, 1), (0, 2)],
        *[(1, 0), (1, 1)],
    ]
    lee = corpora.load("lee")
    assert tuple(corpora.stream("lee").read()) == lee.sentences
