"""A sentence longer than the window: every word is read from the row where it has most context."""

import random

import numpy as np
import pytest
import torch

WORDS = (
    "bank river think unbelievably steep dollars the irreproducible café 1,234.50".split()
)
LONG_WORD = "1,234.50-" * 25  # more pieces than half a window


@pytest.fixture(scope="module")
def long_sentence(sentence):
    drawn = random.Random(0).choices(WORDS, k=2000)
    drawn[700] = drawn[1234] = LONG_WORD
    return sentence(" ".join(drawn), r"\S+")


def rows_by_loop(n: int, size: int) -> list[range]:
    rows, start = [], 0
    while True:
        rows.append(range(start, min(start + size, n)))
        if start + size >= n:
            return rows
        start += size // 2


def row_by_loop(stretch: range, rows: list[range], causal: bool) -> int | None:
    """The rule of the docstring, one row after the other; None if no row holds the stretch whole."""
    found, most = None, -1
    for number, row in enumerate(rows):
        if row.start <= stretch.start and stretch.stop <= row.stop:
            left, right = stretch.start - row.start, row.stop - stretch.stop
            context = left if causal else min(left, right)
            if context > most:
                found, most = number, context
    return found


def run_rows(encoder, ids: list[int], rows: list[range]) -> list[np.ndarray]:
    """Each row by itself, special tokens around it as the tokenizer has them: (layers, pieces, dim) a row."""
    full, bare = (
        encoder.tokenizer("a", add_special_tokens=given)["input_ids"]
        for given in (True, False)
    )
    before = full.index(bare[0])
    made = []
    for row in rows:
        given = torch.tensor(
            [full[:before] + ids[row.start : row.stop] + full[before + len(bare) :]],
            device=encoder.device,
        )
        with torch.no_grad():
            output = encoder.model(
                given, attention_mask=torch.ones_like(given), output_hidden_states=True
            )
        made.append(
            torch.stack(output.hidden_states)[:, 0, before : before + len(row)]
            .cpu()
            .numpy()
        )
    return made


@pytest.mark.parametrize("kind", ["bert", "roberta", "gpt2", "llama"])
def test_two_thousand_words_are_read_as_a_plain_loop_reads_them(
    tiny, kind, long_sentence, near
):
    encoder, causal = tiny(kind), kind in ("gpt2", "llama")
    read = encoder.tokenizer(
        long_sentence.text,
        add_special_tokens=False,
        return_offsets_mapping=True,
        verbose=False,
    )
    size = encoder.window - encoder.tokenizer.num_special_tokens_to_add()
    rows = rows_by_loop(len(read["input_ids"]), size)
    vectors = run_rows(encoder, read["input_ids"], rows)
    [batch] = encoder.encode([long_sentence])
    assert batch.position.tolist() == list(range(len(long_sentence.spans)))
    pulled_apart = 0
    begin, end = np.array(read["offset_mapping"]).T
    for unit, (start, stop) in enumerate(long_sentence.spans):
        own = np.flatnonzero(np.minimum(end, stop) - np.maximum(begin, start) > 0).tolist()
        whole = row_by_loop(range(own[0], own[-1] + 1), rows, causal)
        pulled_apart += whole is None
        chosen = [
            whole if whole is not None else row_by_loop(range(n, n + 1), rows, causal)
            for n in own
        ]
        expected = np.mean(
            [
                vectors[row][:, n - rows[row].start]
                for row, n in zip(chosen, own, strict=True)
            ],
            axis=0,
        )
        error = np.linalg.norm(batch.hidden[:, unit] - expected, axis=-1) / np.linalg.norm(
            expected, axis=-1
        )
        assert error.max() < near, long_sentence.text[start:stop]
    assert (
        len(rows) > 50 and pulled_apart
    )  # the case of a word that no row holds whole did occur


@pytest.mark.parametrize("kind", ["bert", "gpt2", "llama"])
def test_every_piece_of_a_long_sentence_appears_once_and_special_tokens_too(
    tiny, kind, long_sentence, near
):
    encoder = tiny(kind)
    read = encoder.tokenizer(
        long_sentence.text, return_offsets_mapping=True, verbose=False
    )
    [batch] = encoder.encode([long_sentence], unit="piece")
    assert batch.position.tolist() == list(range(len(read["input_ids"])))
    assert batch.span.tolist() == [list(pair) for pair in read["offset_mapping"]]
    special = encoder.tokenizer.get_special_tokens_mask(
        read["input_ids"], already_has_special_tokens=True
    )
    expected = {"bert": [0, len(special) - 1], "gpt2": [], "llama": [0]}[kind]
    assert np.flatnonzero(batch.kind == "special").tolist() == expected
    if kind == "bert":  # the mark behind the text is read from the last row
        last = rows_by_loop(len(special) - 2, encoder.window - 2)[-1]
        ids = [[read["input_ids"][0], *read["input_ids"][last.start + 1 :]]]
        given = torch.tensor(ids, device=encoder.device)
        with torch.no_grad():
            output = encoder.model(
                given, attention_mask=torch.ones_like(given), output_hidden_states=True
            )
        assert np.allclose(
            batch.hidden[:, -1],
            torch.stack(output.hidden_states)[:, 0, -1].cpu(),
            atol=near,
        )


@pytest.mark.parametrize("pooling", ["mean", "max"])
def test_what_stays_on_the_device_has_the_same_bits(
    tiny, sentences, long_sentence, pooling
):
    encoder, texts = tiny("bert"), [*sentences, long_sentence]
    for budget in (10**6, 200):
        copied, left = (
            list(
                encoder.encode(
                    texts, pooling=pooling, max_tokens=budget, on_device=on_device
                )
            )
            for on_device in (False, True)
        )
        for one, other in zip(copied, left, strict=True):
            assert len(other.hidden) == encoder.n_layers + 1
            assert all(isinstance(layer, torch.Tensor) for layer in other.hidden)
            np.testing.assert_array_equal(one.hidden, torch.stack(other.hidden).cpu())
            np.testing.assert_array_equal(one.position, other.position)


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_a_small_budget_changes_nothing_in_a_long_sentence(tiny, kind, long_sentence):
    for pooling in ("mean", "first", "last", "min", "max"):
        [once], [often] = (
            list(tiny(kind).encode([long_sentence], pooling=pooling, max_tokens=budget))
            for budget in (10**6, 200)
        )
        assert np.allclose(once.hidden, often.hidden, atol=1e-4)


def test_the_window_leaves_out_robertas_padding_positions_and_a_tokenizers_missing_limit(
    tiny,
):
    assert tiny("roberta").window == 64 and tiny("gpt2").window == 64
