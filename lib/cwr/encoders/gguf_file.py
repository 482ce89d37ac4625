"""Reads a token matrix, an output matrix and a tokenizer from GGUF files, without torch."""

import functools
from pathlib import Path

import gguf
import numpy as np
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

CONTROL = 3  # the type of a token that no text is cut into
ROLES = ("bos", "eos", "unknown", "padding")


class GGUFFile:
    """An open GGUF file; a tensor is read into memory only when requested."""

    def __init__(self, path: Path):
        self._reader = gguf.GGUFReader(path)

    def field(self, key: str):
        """Returns the value of a field; None if the file lacks the field."""
        field = self._reader.get_field(key)
        return field and field.contents()

    def tensor(self, name: str) -> np.ndarray | None:
        """Returns a tensor, dequantised to float32, (rows, dim); None if the file lacks it."""
        for tensor in self._reader.tensors:
            if tensor.name == name:
                return gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        return None

    @functools.cached_property
    def tokens(self) -> list[str]:
        """The vocabulary, in the order of the rows."""
        return self.field("tokenizer.ggml.tokens")

    def roles(self) -> set[str]:
        """Returns the tokens that begin, end or pad a text, or stand for an unknown word."""
        rows = [self.field(f"tokenizer.ggml.{role}_token_id") for role in ROLES]
        return {self.tokens[row] for row in rows if row is not None}

    def tokenizer(self) -> Tokenizer:
        """Builds the byte-level BPE of a packaged model, as transformers configures it."""
        merges = [tuple(pair.split(" ")) for pair in self.field("tokenizer.ggml.merges")]
        vocabulary = {token: row for row, token in enumerate(self.tokens)}
        tokenizer = Tokenizer(models.BPE(vocabulary, merges))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        types = zip(self.tokens, self.field("tokenizer.ggml.token_type"), strict=True)
        control = [AddedToken(token, normalized=False) for token, kind in types if kind == CONTROL]
        tokenizer.add_special_tokens(control)
        return tokenizer
