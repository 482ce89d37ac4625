"""Puts random orthonormal blocks on a trained input: an untrained copy that keeps its embeddings.

The copy's layer 0 equals the trained model's, bit for bit; its other layers come from the
architecture and from chance alone (Tenney et al. 2019, section 3.2, "orthonormal encoder").
"""

from collections.abc import Iterator
from typing import TypeVar

import torch
from torch import nn
from transformers.pytorch_utils import Conv1D

from cwr.encoders.architectures import Architecture

BLOCKS_OF_ELMO = ("layers",)
Model = TypeVar("Model", bound=nn.Module)


def blocks_of(architecture: Architecture) -> tuple[str, ...]:
    """Returns the names of the base model's children behind the input: blocks, convolution, norm.

    A DeBERTa's relative positions are in the same child as its blocks.
    """
    paths = (architecture.blocks, architecture.convolution, architecture.final_norm)
    return tuple(dict.fromkeys(path.split(".")[0] for path in paths if path))


def with_random_blocks(
    trained: Model, initialised: Model, blocks: tuple[str, ...], seed: int
) -> Model:
    """Gives `initialised` the trained input and random orthonormal blocks in place; returns it.

    initialised: an untrained model of the same architecture; its biases and norms (0, identity)
        stay. blocks: the children that are not copied from `trained`; `fill_orthonormal` draws
        their matrices.
    """
    inputs = {
        name: weight
        for name, weight in trained.state_dict().items()
        if name.split(".")[0] not in blocks
    }
    initialised.load_state_dict(inputs, strict=False)
    generator = torch.Generator().manual_seed(seed)
    for block in blocks:
        for matrix in matrices(initialised.get_submodule(block)):
            fill_orthonormal(matrix, generator)
    return initialised


@torch.no_grad()
def fill_orthonormal(matrix: torch.Tensor, generator: torch.Generator) -> None:
    """Fills (outputs, inputs) in place with rows of length 1, orthogonal to each other.

    If there are more rows than inputs, each block of as many rows as inputs is orthonormal. So for
    any shape an output's coordinates are on average as large as an input's, and queries, keys and
    values stored as one matrix are as large as if stored separately.
    """
    for rows in matrix.split(matrix.shape[1]):
        drawn = torch.empty(rows.shape)  # float32 on the CPU, whatever the model computes in
        rows.copy_(nn.init.orthogonal_(drawn, generator=generator))


def matrices(blocks: nn.Module) -> Iterator[torch.Tensor]:
    """Yields all weight matrices in these blocks as views (outputs, inputs)."""
    for module in blocks.modules():
        if hasattr(module, "matrices"):  # a layer of an ELMo
            yield from module.matrices()
        else:
            weights = [weight for weight in module.parameters(recurse=False) if weight.dim() > 1]
            is_transposed = isinstance(module, Conv1D)
            yield from (weight.T if is_transposed else weight.flatten(1) for weight in weights)
