"""Defines a causal model that reads from right to left, and both directions as one encoder.

Peters et al. (2018b) compare bidirectional language models; a GPT reads one way. Its reversed twin
is the same model trained on the same pieces in reverse. Side by side, the two models' vectors cover
both sides of a word, as a biLSTM's do.

Axes: r rows, l columns of a row, the first of which is [CLS].
"""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import GPT2Config, GPT2Model

from cwr import encoders
from cwr.encoders.architectures import ARCHITECTURES
from cwr.encoders.batches import Input
from cwr.encoders.quiet import quiet
from cwr.encoders.transformer import TransformerEncoder
from cwr.errors import UserError
from cwr.making.language_models import predictions
from cwr.making.language_models.causal_masked import Causal
from cwr.making.language_models.recipes import Recipe

KIND = "gpt2-backwards"  # `model_type` of a saved one, so that nothing reads it forwards


class Backwards(Causal):
    """A GPT-2 that predicts pieces from those behind them; windows begin with a sentence's end."""

    def __init__(
        self,
        recipe: Recipe,
        pieces: np.ndarray,
        tokenizer: Tokenizer,
        words: float,
        device: str = "cpu",
    ):
        """pieces: (pieces,), the text encoded by `text.encode`, in the order of the text."""
        super().__init__(recipe, pieces[::-1].copy(), tokenizer, words, device)

    def _ends(self, pieces: np.ndarray) -> np.ndarray:
        """As `Causal`; a full stop is what a reversed sentence begins with, so one before it."""
        return np.append(super()._ends(pieces)[1:], True)

    def _predict(self, pieces: np.ndarray, size: int) -> predictions.Predictions:
        return super()._predict(pieces[::-1].copy(), size)

    def save(self, folder: Path) -> None:
        """Saves as `Causal` does, but with another type, which `cwr.encoders.load` refuses."""
        super().save(folder)
        file = folder / "config.json"
        config = json.loads(file.read_text(encoding="utf-8")) | {"model_type": KIND}
        file.write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


class BothDirections(TransformerEncoder):
    """A causal model and its reversed twin, layers side by side, (rows, length, 2 dim)."""

    def __init__(self, forwards: TransformerEncoder, backwards: GPT2Model, name: str, digest: str):
        """digest: a hash of the twin's weights and of this file."""
        sources = forwards._sources
        super().__init__(
            forwards.model,
            forwards.tokenizer,
            ARCHITECTURES["gpt2"],
            name=name,
            family=forwards.family,
            final_norm=True,
            sources=lambda: sources() | {"backwards": digest},
        )
        self.causal = False  # a word is best read where it is far from both edges
        self.dim *= 2
        self.contract = tuple(f"{layer}, both directions" for layer in self.contract)
        self._twin = TransformerEncoder(
            backwards,
            forwards.tokenizer,
            ARCHITECTURES["gpt2"],
            name=name,
            family=forwards.family,
            final_norm=True,
            sources=dict,
        )

    def _layers(self, inputs: Input, attentions: list | None = None) -> list[torch.Tensor]:
        """n_layers + 1 tensors (rows, length, 2 dim). Raises UserError for attentions."""
        if attentions is not None:
            raise UserError(f"{self.name} is two models; read the attentions of each by itself")
        order = reversed_columns(inputs.mask)
        ahead = super()._layers(inputs)
        behind = self._twin._layers(replace(inputs, ids=inputs.ids.gather(1, order)))
        return [
            torch.cat([one, other.gather(1, order[:, :, None].expand_as(other))], dim=-1)
            for one, other in zip(ahead, behind, strict=True)
        ]


def reversed_columns(mask: torch.Tensor) -> torch.Tensor:
    """Reverses the pieces of each row: (r, l), the column that stands in each column then.

    [CLS] and padding stay. mask: (r, l), 1 where there is a piece, in one stretch. Reversing twice
    restores the row.
    """
    mask = mask.bool()
    columns = torch.arange(mask.shape[1], device=mask.device).expand(mask.shape)
    first = mask.int().argmax(dim=1, keepdim=True)  # of [CLS]
    last = first + mask.sum(dim=1, keepdim=True) - 1
    is_text = mask & (columns > first)
    return torch.where(is_text, first + 1 + last - columns, columns)


def open_both(forwards: Path, backwards: Path, name: str) -> BothDirections:
    """Opens the pair from the folders of two trainings, the `model` of each.

    Raises UserError for a folder that holds no such model.
    """
    ahead = encoders.load(str(forwards))
    try:
        config = json.loads((backwards / "config.json").read_text(encoding="utf-8"))
        weights = (backwards / "model.safetensors").read_bytes()
    except (OSError, ValueError) as error:
        raise UserError(f"{backwards} holds no model ({type(error).__name__})") from None
    if config.pop("model_type", "") != KIND:
        raise UserError(f"the model in {backwards} does not read from right to left")
    with quiet():
        twin = GPT2Model.from_pretrained(
            backwards, config=GPT2Config(**config), dtype=torch.float32
        )
    twin.config.use_cache = False
    digest = hashlib.sha256(weights + Path(__file__).read_bytes()).hexdigest()
    return BothDirections(ahead, twin.to(ahead.device).eval(), name, digest)
