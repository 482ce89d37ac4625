"""What a token matrix needs of a GGUF file: two tensors, and a tokenizer as transformers makes it."""

import functools
from pathlib import Path

import gguf
import numpy as np
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from cwr.errors import UserError

CONTROL = 3  # the type of a token that no text is cut into
LIKE_GPT_2 = ("smollm", "gpt-2", "default")  # ways to cut a text into words before BPE
ROLES = ("bos", "eos", "unknown", "padding")


class GGUFFile:
    """An open GGUF file; nothing of it is in memory until it is asked for."""

    def __init__(self, path: Path):
        self._reader = gguf.GGUFReader(path)

    def field(self, key: str):
        """The value of one field; None if the file has none."""
        field = self._reader.get_field(key)
        return field and field.contents()

    def tensor(self, name: str) -> np.ndarray | None:
        """A tensor as float32, (rows, dim), its quantised numbers restored; None if there is none."""
        for tensor in self._reader.tensors:
            if tensor.name == name:
                return gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        return None

    @functools.cached_property
    def tokens(self) -> list[str]:
        """The vocabulary, in the order of the rows."""
        return self.field("tokenizer.ggml.tokens")

    @property
    def roles(self) -> set[str]:
        """The tokens that begin, end, pad a text, or stand for what is unknown."""
        rows = [self.field(f"tokenizer.ggml.{role}_token_id") for role in ROLES]
        return {self.tokens[row] for row in rows if row is not None}

    def tokenizer(self, name: str) -> Tokenizer:
        """The byte-level BPE that the file describes.

        Raises UserError for a tokenizer of another kind.
        """
        kind = (self.field("tokenizer.ggml.model"), self.field("tokenizer.ggml.pre"))
        if kind[0] != "gpt2" or kind[1] not in LIKE_GPT_2:
            raise UserError(
                f"the GGUF file of {name} has a tokenizer of the kind {'/'.join(map(str, kind))}, "
                "which cwr reads only from a tokenizer.json; name the model in safetensors"
            )
        tokens = self.tokens
        merges = [tuple(pair.split(" ")) for pair in self.field("tokenizer.ggml.merges")]
        tokenizer = Tokenizer(models.BPE({token: row for row, token in enumerate(tokens)}, merges))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        types = self.field("tokenizer.ggml.token_type")
        control = [token for token, kind in zip(tokens, types, strict=True) if kind == CONTROL]
        tokenizer.add_special_tokens([AddedToken(token, normalized=False) for token in control])
        return tokenizer
