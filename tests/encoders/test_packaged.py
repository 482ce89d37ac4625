"""The two models that travel in Python packages, as they are."""

import importlib.util

import numpy as np
import pytest

from cwr import encoders, paths
from cwr.encoders import hub


def needs(name: str):
    missing = importlib.util.find_spec(hub.PACKAGED[name]) is None
    return pytest.mark.skipif(
        missing, reason=f"the package of {name} is not installed: run `make models`"
    )


def mean_vectors(encoder, texts) -> np.ndarray:
    """(texts, dim): mean over all pieces of the last layer, special tokens included, unit length."""
    means = np.zeros((len(texts), encoder.dim))
    for batch in encoder.encode(texts, unit="piece"):
        for number in set(batch.sentence.tolist()):
            means[number] = batch.hidden[-1, batch.sentence == number].mean(axis=0)
    return means / np.linalg.norm(means, axis=1, keepdims=True)


@needs("minilm")
def test_minilm_gives_the_cosines_it_is_known_for(sentence):
    encoder = encoders.load("minilm")
    bank, money, cat, kitten = mean_vectors(
        encoder,
        [
            sentence(text)
            for text in (
                "She walked to the bank of the river.",
                "He deposited money at the bank.",
                "The cat sat on the mat.",
                "A kitten is lying on the rug.",
            )
        ],
    )
    assert (encoder.name, encoder.family) == ("minilm", "sentence")
    assert (encoder.n_layers, encoder.dim, encoder.window) == (6, 384, 512)
    assert bank @ money == pytest.approx(
        0.5403, abs=1e-4
    ) and cat @ kitten == pytest.approx(0.5599, abs=1e-4)


@needs("minilm")
def test_minilm_reads_words_by_their_offsets(sentence):
    encoder = encoders.load("minilm")
    [batch] = encoder.encode([sentence("She unbelievably deposited tokenization")])
    [pieces] = encoder.encode(
        [sentence("She unbelievably deposited tokenization")], unit="piece"
    )
    assert pieces.span[1:-1].tolist() == [
        [0, 3],
        [4, 6],
        [6, 9],
        [9, 11],
        [11, 13],
        [13, 16],
        [17, 26],
        [27, 32],
        [32, 39],
    ]
    assert np.allclose(batch.hidden[:, 1], pieces.hidden[:, 2:7].mean(axis=1), atol=1e-5)


@needs("smollm2")
def test_smollm2_is_made_readable_once_and_its_first_token_is_the_known_outlier(
    sentence, tmp_path, monkeypatch, capfd
):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    encoder = encoders.load("smollm2")
    assert capfd.readouterr() == (
        "",
        "",
    )  # in a notebook a bar would be a widget, with a script from elsewhere
    assert (encoder.family, encoder.n_layers, encoder.dim, encoder.window) == (
        "causal",
        30,
        576,
        8192,
    )
    [folder] = [
        path for path in (paths.cache_root() / "models").glob("SmolLM2*") if path.is_dir()
    ]
    made = (folder / "model.safetensors").stat().st_mtime_ns
    assert hub.find("smollm2").folder == folder
    assert (folder / "model.safetensors").stat().st_mtime_ns == made
    [batch] = encoder.encode([sentence("She deposited the money at the bank.")])
    norms = np.linalg.norm(batch.hidden[20], axis=-1)
    assert norms[0] > 10_000 and norms[1:].max() < 2_000
