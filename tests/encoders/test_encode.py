"""Units, pooling, batches, and what happens when memory runs out."""

import numpy as np
import pytest
import torch

from cwr.encoders import architectures
from cwr.errors import UserError

KINDS = list(architectures.ARCHITECTURES)


def vectors(encoder, sentences, **given) -> dict:
    """(sentence, position) -> (layers, dim)."""
    return {
        key: batch.hidden[:, unit]
        for batch in encoder.encode(sentences, **given)
        for unit, key in enumerate(
            zip(batch.sentence.tolist(), batch.position.tolist(), strict=True)
        )
    }


@pytest.mark.parametrize(
    "pooling, pool",
    [
        ("mean", lambda x: x.mean(0)),
        ("first", lambda x: x[0]),
        ("last", lambda x: x[-1]),
        ("min", lambda x: x.min(0)),
        ("max", lambda x: x.max(0)),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_a_word_is_its_pieces_pooled(tiny, kind, pooling, pool, sentences, near):
    encoder, several = tiny(kind), 0
    words = vectors(encoder, sentences, pooling=pooling)
    pieces = list(encoder.encode(sentences, unit="piece"))
    for number, sentence in enumerate(sentences):
        batch = next(batch for batch in pieces if number in batch.sentence)
        for position, (start, stop) in enumerate(sentence.spans):
            overlap = np.minimum(stop, batch.span[:, 1]) - np.maximum(
                start, batch.span[:, 0]
            )
            own = batch.hidden[
                :,
                (batch.sentence == number) & (overlap > 0) & (batch.kind == "word piece"),
            ]
            assert ((number, position) in words) == (own.shape[1] > 0)
            several += own.shape[1] > 1
            if own.shape[1]:
                assert np.allclose(
                    words[number, position], pool(own.swapaxes(0, 1)), atol=near
                )
    assert several


@pytest.mark.parametrize("unit", ["word", "piece"])
@pytest.mark.parametrize("kind", ["bert", "gpt2", "mistral"])
def test_batches_hold_whole_sentences_in_order_and_the_budget_changes_no_vector(
    tiny, kind, unit, sentences, near
):
    encoder = tiny(kind)
    expected = vectors(encoder, sentences, unit=unit, max_tokens=10**6)
    for budget in (1, 60, 150):
        batches = list(encoder.encode(sentences, unit=unit, max_tokens=budget))
        seen = [set(batch.sentence.tolist()) for batch in batches]
        assert sum(map(len, seen)) == len(set.union(*seen)) == len(sentences)
        assert len(batches) > 1
        for batch, numbers in zip(batches, seen, strict=True):
            assert batch.tokens <= budget or len(numbers) == 1
            assert all(
                (np.diff(batch.position[batch.sentence == number]) > 0).all()
                for number in numbers
            )
            assert batch.hidden.dtype == np.float32
            assert batch.hidden.shape[1] == len(batch.span) == len(batch.kind)
        found = vectors(encoder, sentences, unit=unit, max_tokens=budget)
        assert found.keys() == expected.keys()
        for key, value in expected.items():
            assert np.linalg.norm(found[key] - value) < near * np.linalg.norm(value)
    ids = encoder.tokenizer([sentence.text for sentence in sentences])["input_ids"]
    assert sum(batch.tokens for batch in batches) == sum(map(len, ids))


@pytest.mark.parametrize("kind", KINDS)
def test_skipping_the_first_position_drops_the_start_token_or_else_the_first_word(
    tiny, kind, sentences, near
):
    encoder = tiny(kind)
    # these put nothing before the text
    starts_itself = kind in ("gpt2", "gpt_neox", "qwen2", "qwen3", "olmo2")
    for unit in ("word", "piece"):
        everything = vectors(encoder, sentences, unit=unit)
        kept = vectors(encoder, sentences, unit=unit, skip_first_position=True)
        dropped = {
            key for key in everything if key[1] == 0 and (unit == "piece" or starts_itself)
        }
        assert everything.keys() - kept.keys() == dropped
        assert all(np.allclose(kept[key], everything[key], atol=near) for key in kept)


def test_the_first_word_is_skipped_whole_even_if_only_its_last_piece_would_be_used(
    tiny, sentence
):
    text = sentence("unbelievably steep")
    kept = vectors(tiny("gpt2"), [text], pooling="last", skip_first_position=True)
    assert [position for _, position in kept] == [1]


def test_sentences_without_words_or_text_yield_nothing(tiny, sentence):
    for kind in ("bert", "gpt2"):
        given = [sentence(""), sentence("The bank."), sentence("   ")]
        assert {number for number, _ in vectors(tiny(kind), given)} == {1}
        assert not list(tiny(kind).encode([])) and not list(
            tiny(kind).encode([sentence("")], unit="piece")
        )


def test_wrong_units_and_poolings_are_refused_at_once(tiny, sentences):
    for given in ({"unit": "sentence"}, {"pooling": "sum"}, {"max_tokens": 0}):
        with pytest.raises(UserError, match="encode"):
            tiny("bert").encode(sentences, **given)


def test_the_vocabulary_names_the_rows_of_the_embedding_matrix(tiny, sentence):
    encoder = tiny("llama")  # its layer 0 is the token's row, nothing else
    matrix = encoder.embedding_matrix()
    assert matrix.shape == (len(encoder.vocabulary), 32) and matrix.dtype == np.float32
    found = vectors(encoder, [sentence("The bank")], unit="piece")
    tokens = encoder.tokenizer.convert_ids_to_tokens(
        encoder.tokenizer("The bank")["input_ids"]
    )
    for position, token in enumerate(tokens):
        assert np.array_equal(
            found[0, position][0], matrix[encoder.vocabulary.index(token)]
        )
    matrix[:] = 0
    assert encoder.embedding_matrix().any()  # what is handed out is a copy


class Crowded:
    """A hook on a real model that behaves like a GPU on which more than `most` padded tokens do not fit."""

    def __init__(self, encoder, most: int):
        self.most, self.fitted = most, []
        self.handle = encoder.model.get_input_embeddings().register_forward_hook(self)

    def __call__(self, module, args, output):
        self.fitted.append(output.shape[0] * output.shape[1] <= self.most)
        if not self.fitted[-1]:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory")


@pytest.fixture
def crowded():
    made = []
    yield lambda encoder, most: made.append(Crowded(encoder, most)) or made[-1]
    for hook in made:
        hook.handle.remove()


def test_out_of_memory_halves_the_rows_and_goes_on_with_the_same_vectors(
    tiny, crowded, sentences
):
    encoder, many = tiny("bert"), sentences * 8
    expected = vectors(encoder, many)
    hook = crowded(encoder, 100)
    found = vectors(encoder, many, max_tokens=600)
    assert found.keys() == expected.keys()
    assert all(np.allclose(found[key], expected[key], atol=1e-4) for key in found)
    first = hook.fitted.index(True)
    assert 1 < first < 6 and len(hook.fitted) > 12
    assert all(hook.fitted[first:])  # what it learnt holds for the later batches


def test_one_row_that_does_not_fit_is_refused(tiny, crowded, sentences):
    crowded(tiny("bert"), 0)
    with pytest.raises(UserError, match="does not fit into the device's memory"):
        list(tiny("bert").encode(sentences))


@pytest.mark.parametrize("budget", [40, 150, None])
@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_batches_are_those_that_encode_runs(tiny, kind, budget, sentences):
    encoder = tiny(kind)
    texts = [*sentences, type(sentences[0])("", ()), sentences[0]]
    run = []
    hook = encoder.model.register_forward_pre_hook(
        lambda model, args, options: run.append(options["input_ids"]), with_kwargs=True
    )
    read = list(encoder.encode(texts, max_tokens=budget))
    hook.remove()
    batches = list(encoder.batches(texts, max_tokens=budget))
    inputs = [encoder.input(batch) for batch in batches]
    assert [batch.sentences.tolist() for batch in batches] == [
        list(dict.fromkeys(batch.sentence.tolist())) for batch in read
    ]
    assert sum(int(rows.mask.sum()) for rows in inputs) == sum(
        batch.tokens for batch in read
    )
    assert len(run) == len(inputs)  # each batch is run at once: they fit
    for ids, rows in zip(run, inputs, strict=True):
        assert sorted(ids.tolist()) == sorted(rows.ids.tolist())


def test_batches_of_no_tokens_are_refused_at_once(tiny, sentences):
    with pytest.raises(UserError, match="max_tokens=0"):
        tiny("bert").batches(sentences, max_tokens=0)
