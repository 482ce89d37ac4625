"""The inputs that the released GPT-2 statistics and code had, against the released loop."""

import numpy as np
import pytest
import torch

from cwr.encoders import inputs
from cwr.errors import UserError

BYTE_LEVEL = ("gpt2", "roberta", "qwen3")


def words_of(sentence) -> list[str]:
    return [sentence.text[start:stop] for start, stop in sentence.spans]


def released_statistics(words: list[str], tokenizer) -> list[int]:
    """GPT-2's tokenizer of 2019: what it does not know is its token 0, the sign "!"."""
    vocabulary = tokenizer.get_vocab()
    ids = []
    for word in words:
        if word in vocabulary:
            ids.append(vocabulary[word])
        else:
            ids.append(vocabulary["!"])
    return ids


def released_code(words: list[str], tokenizer) -> list[int]:
    """The loop of `GPT2.vectorize` in preprocess.py; unknown words, and "!", have the number 0."""
    numbers = dict(tokenizer.get_vocab()) | {"!": 0}
    ids = []
    for word in words:
        number = numbers.get(word, 0)
        if number != 0:
            ids.append(number)
            continue
        behind_blank = numbers.get("Ġ" + word, 0)
        if behind_blank != 0:
            ids.append(behind_blank)
        else:
            ids.extend(tokenizer(word, add_special_tokens=False)["input_ids"])
    return ids


RELEASED = {"bare_or_bang": released_statistics, "repair_misaligned": released_code}


@pytest.mark.parametrize("kind", BYTE_LEVEL)
@pytest.mark.parametrize("name", RELEASED)
def test_the_ids_are_those_of_the_released_loop(tiny, kind, name, sentences, sentence):
    encoder = inputs.with_input(tiny(kind), name)
    read = [*sentences, sentence(""), sentence("! river ! bank")]
    pieces = encoder.tokenise(read)
    for number, text in enumerate(read):
        ids = pieces.ids[pieces.first[number] : pieces.first[number + 1]].tolist()
        assert ids == RELEASED[name](words_of(text), tiny(kind).tokenizer)


def test_the_cases_that_the_two_inputs_differ_in_all_occur(tiny, sentences):
    vocabulary = tiny("gpt2").tokenizer.get_vocab()
    words = [word for sentence in sentences for word in words_of(sentence)]
    bare = {word for word in words if word in vocabulary}
    behind_blank = {word for word in words if "Ġ" + word in vocabulary} - bare
    assert bare and behind_blank and set(words) - bare - behind_blank


@pytest.mark.parametrize("name", RELEASED)
def test_the_vector_of_the_ith_word_is_the_ith_row_of_the_model(
    tiny, name, sentences, near
):
    encoder = inputs.with_input(tiny("gpt2"), name)
    for sentence in sentences:
        ids = RELEASED[name](words_of(sentence), encoder.tokenizer)
        with torch.no_grad():
            plain = encoder.model(
                torch.tensor([ids], device=encoder.device)
            ).last_hidden_state[0]
        [batch] = encoder.encode([sentence])
        assert batch.position.tolist() == list(range(len(sentence.spans)))
        assert np.allclose(
            batch.hidden[-1], plain[: len(sentence.spans)].cpu(), atol=10 * near
        )


def test_behind_a_word_of_several_pieces_the_repair_reads_an_earlier_piece(tiny, sentence):
    text = sentence("xylophone steep")
    pieces = inputs.with_input(tiny("gpt2"), "repair_misaligned").tokenise([text])
    assert pieces.lengths[0] > 2
    assert pieces.span[1].tolist() == [
        0,
        len("xylophone"),
    ]  # what the word "steep" is read from


def test_the_sign_that_stands_for_the_unknown_counts_as_unknown_in_the_repair():
    vocabulary = {"!": 0, "Ġ!": 7, "dog": 3, "Ġdog": 4}
    assert inputs.repair_misaligned("!", None, vocabulary) == [7]
    assert inputs.repair_misaligned("dog", None, vocabulary) == [3]
    assert inputs.bare_or_bang("!", None, vocabulary) == [0]


def test_a_start_token_stays_where_the_model_has_one(tiny, sentences):
    """RoBERTa puts <s> first, so the first word is in the second column."""
    encoder = inputs.with_input(tiny("roberta"), "bare_or_bang")
    kept = next(encoder.encode(sentences[:1], skip_first_position=True))
    assert kept.position[0] == 0
    without = inputs.with_input(tiny("gpt2"), "bare_or_bang")
    assert next(without.encode(sentences[:1], skip_first_position=True)).position[0] == 1


def test_a_sentence_beyond_the_window_is_read_in_rows_by_either_input(tiny, sentence):
    text = sentence("the bank of the river " * 30)
    for name in RELEASED:
        encoder = inputs.with_input(tiny("gpt2"), name)
        [batch] = encoder.encode([text])
        assert len(batch.position) == 150 and batch.tokens > encoder.window


def test_a_changed_input_leaves_the_model_as_it_was_and_has_a_fingerprint(tiny, sentences):
    encoder = tiny("gpt2")
    fingerprints = {encoder.fingerprint}
    for name in RELEASED:
        fingerprints.add(inputs.with_input(encoder, name).fingerprint)
    assert len(fingerprints) == 3 and encoder.word_input == inputs.OFFSETS
    back = inputs.with_input(inputs.with_input(encoder, "bare_or_bang"), inputs.OFFSETS)
    assert back.fingerprint == encoder.fingerprint
    assert np.array_equal(back.tokenise(sentences).ids, encoder.tokenise(sentences).ids)


@pytest.mark.parametrize("kind", ["bert", "llama", "mistral"])
def test_models_without_byte_level_pieces_are_refused_by_name(tiny, kind):
    for name in RELEASED:
        with pytest.raises(
            UserError, match=f"byte-level BPE, which {tiny(kind).name} does not"
        ):
            inputs.with_input(tiny(kind), name)
    assert (
        inputs.with_input(tiny(kind), inputs.OFFSETS).fingerprint == tiny(kind).fingerprint
    )


def test_an_input_that_does_not_exist_is_refused_with_those_that_do(tiny):
    with pytest.raises(
        UserError, match="choose one of offsets, bare_or_bang, repair_misaligned"
    ):
        inputs.with_input(tiny("gpt2"), "bang")
