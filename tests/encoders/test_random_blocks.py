"""A trained input under random orthonormal blocks, and copies as initialised: what they share."""

import numpy as np
import pytest
import torch

from cwr import encoders
from cwr.encoders.architectures import ARCHITECTURES, architecture_of
from cwr.encoders.random_blocks import blocks_of, fill_orthonormal, matrices
from cwr.errors import UserError

KINDS = list(ARCHITECTURES)
ZERO_AT_IDENTITY = "gemma3_text"  # its norms multiply by 1 + weight


@pytest.fixture(scope="session")
def copies(folders):
    """copies("bert", 1): the copy with random blocks of this seed; do not change it."""
    opened = {}

    def get(kind: str, seed: int = 0):
        if (kind, seed) not in opened:
            opened[kind, seed] = encoders.load(
                folders[kind], random_init="blocks", seed=seed
            )
        return opened[kind, seed]

    return get


def hidden(encoder, sentences) -> np.ndarray:
    """All layers of all words, (layers, words, dim)."""
    return np.concatenate([batch.hidden for batch in encoder.encode(sentences)], axis=1)


def blocks(encoder) -> list[torch.nn.Module]:
    architecture = architecture_of(encoder.model.config.to_dict(), encoder.name)
    return [encoder.model.get_submodule(path) for path in blocks_of(architecture)]


@pytest.mark.parametrize("kind", KINDS)
def test_layer_0_is_the_trained_one_to_the_bit_and_every_later_layer_another(
    tiny, copies, sentences, kind
):
    trained, copy = hidden(tiny(kind), sentences), hidden(copies(kind), sentences)
    assert np.array_equal(trained[0], copy[0])
    for deep, random in zip(trained[1:], copy[1:], strict=True):
        error = np.linalg.norm(deep - random, axis=-1) / np.linalg.norm(deep, axis=-1)
        assert np.isfinite(random).all() and error.min() > 0.05
    assert copies(kind).contract == tiny(kind).contract


@pytest.mark.parametrize("kind", KINDS)
def test_two_seeds_give_two_copies_and_one_seed_the_same(folders, copies, sentences, kind):
    first, second = copies(kind, 0), copies(kind, 1)
    again = encoders.load(folders[kind], random_init="blocks", seed=0)
    assert np.array_equal(hidden(first, sentences), hidden(again, sentences))
    different = np.abs(hidden(first, sentences) - hidden(second, sentences)).max(axis=-1)
    assert (different[0] == 0).all() and (different[1:] > 1e-3).all()


def is_identity(matrix: torch.Tensor) -> bool:
    return torch.allclose(matrix.cpu(), torch.eye(len(matrix)), atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_every_matrix_of_the_blocks_has_orthonormal_rows(copies, kind):
    drawn = [matrix for block in blocks(copies(kind)) for matrix in matrices(block)]
    assert len(drawn) >= 4 * copies(kind).n_layers
    for matrix in drawn:
        for rows in matrix.detach().split(matrix.shape[1]):
            assert is_identity(rows @ rows.T)


def test_queries_keys_and_values_that_gpt2_stores_as_one_matrix_are_orthonormal_each(
    copies,
):
    """GPT-2 stores its matrices (inputs, outputs), all others (outputs, inputs)."""
    for block in copies("gpt2").model.h:
        for part in block.attn.c_attn.weight.detach().split(32, dim=1):
            assert is_identity(part.T @ part)


@pytest.mark.parametrize("kind", KINDS)
def test_biases_of_the_blocks_are_nought_and_norms_at_identity(copies, kind):
    """The tiny models' own ones are drawn wide, so a trained one would show."""
    for block in blocks(copies(kind)):
        for name, weight in block.named_parameters():
            if weight.dim() == 1:
                is_bias = name.endswith("bias") or kind == ZERO_AT_IDENTITY
                assert torch.equal(
                    weight, torch.full_like(weight, 0.0 if is_bias else 1.0)
                ), name


@pytest.mark.parametrize("shape", [(4, 4), (3, 8), (8, 3), (12, 4)])
def test_a_coordinate_of_the_outputs_is_as_large_as_one_of_the_inputs(shape):
    matrix = torch.empty(shape)
    fill_orthonormal(matrix, torch.Generator().manual_seed(0))
    outputs = matrix @ torch.randn(
        shape[1], 20_000, generator=torch.Generator().manual_seed(1)
    )
    assert float(outputs.square().mean()) == pytest.approx(
        1, abs=0.03
    )  # 60,000 squares at least


def test_weights_as_initialised_follow_the_seed(folders, sentences):
    first, second, again = (
        encoders.load(folders["bert"], random_init=True, seed=seed) for seed in (0, 1, 0)
    )
    assert np.array_equal(hidden(first, sentences), hidden(again, sentences))
    assert np.abs(hidden(first, sentences) - hidden(second, sentences))[0].max() > 1e-3


def test_kind_and_seed_of_a_copy_are_part_of_its_fingerprint_and_only_of_a_copys(folders):
    settings = [
        {"random_init": kind, "seed": seed} for kind in (True, "blocks") for seed in (0, 1)
    ]
    copies = [encoders.load(folders["gpt2"], **each).fingerprint for each in settings]
    trained = {encoders.load(folders["gpt2"], seed=seed).fingerprint for seed in (0, 1)}
    assert len(trained) == 1 and len({*copies, *trained}) == 5


def test_random_blocks_move_no_generator(folders):
    before = torch.get_rng_state()
    encoders.load(folders["llama"], random_init="blocks", seed=3)
    assert torch.equal(before, torch.get_rng_state())


def test_random_blocks_are_drawn_alike_in_a_smaller_dtype(folders, copies):
    small = encoders.load(folders["llama"], random_init="blocks", dtype="bfloat16")
    [full], [drawn] = blocks(copies("llama"))[:1], blocks(small)[:1]
    for exact, rounded in zip(matrices(full), matrices(drawn), strict=True):
        assert torch.equal(exact.to(torch.bfloat16), rounded)


def test_another_random_init_is_refused(folders):
    with pytest.raises(UserError, match="random_init is 'block'; use False"):
        encoders.load(folders["bert"], random_init="block")
