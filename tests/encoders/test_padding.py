"""Padding changes nothing: together or alone, on the left or on the right."""

import numpy as np
import pytest

from cwr.encoders import architectures


def table(encoder, sentences, **given) -> np.ndarray:
    """(units, layers, dim) of all sentences in the given order."""
    parts = {}
    for batch in encoder.encode(sentences, unit="piece", **given):
        for unit, key in enumerate(zip(batch.sentence, batch.position, strict=True)):
            parts[key] = batch.hidden[:, unit]
    return np.array([parts[key] for key in sorted(parts)])


def largest_error(some: np.ndarray, others: np.ndarray) -> float:
    return float(
        (np.linalg.norm(some - others, axis=-1) / np.linalg.norm(others, axis=-1)).max()
    )


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("kind", architectures.ARCHITECTURES)
def test_mixed_lengths_equal_one_sentence_at_a_time(
    tiny, monkeypatch, kind, side, sentences, near
):
    encoder = tiny(kind)
    alone = np.concatenate([table(encoder, [sentence]) for sentence in sentences])
    monkeypatch.setattr(encoder, "padding", side)
    together = table(
        encoder, sentences, max_tokens=10**6
    )  # one batch, padded to the longest
    assert largest_error(together, alone) < near


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("kind", ["bert", "roberta", "gpt2", "llama"])
def test_forward_pads_on_either_side_without_changing_a_vector(
    tiny, monkeypatch, kind, side, sentences, near
):
    encoder = tiny(kind)
    monkeypatch.setattr(encoder, "padding", side)
    made = encoder.forward(sentences)
    mask = made.pieces.mask.bool()
    assert mask.all(dim=0)[-1 if side == "left" else 0] and not mask.all()
    together = made.hidden[:, mask].detach().cpu().numpy().swapaxes(0, 1)
    alone = np.concatenate([table(encoder, [sentence]) for sentence in sentences])
    assert largest_error(together, alone) < near
