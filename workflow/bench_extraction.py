"""Every word of a text in every layer, written to the disk: the library, and a loop by hand."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from cwr import corpora, encoders, extraction
from cwr.extraction import cache, targets

CORPUS = "wiki-sample"
FAR = 10**6  # characters: more than any sentence has


def hidden_states(encoder, inputs) -> tuple[torch.Tensor, ...]:
    """The hidden states of every layer, by the bare model."""
    return encoder.model(
        input_ids=inputs.ids,
        attention_mask=inputs.mask,
        position_ids=inputs.positions,
        output_hidden_states=True,
    ).hidden_states


class Comparison:
    """The same batches of the same sentences, read in several ways."""

    def __init__(self, name: str, sentences: int):
        self.encoder = encoders.load(name)
        self.text = corpora.load(CORPUS).sample(sentences, 0)
        self.words = targets.occurrences(self.text)
        self.batches = list(self.encoder.batches(self.text.sentences))
        self.inputs = [self.encoder.input(batch) for batch in self.batches]
        self.tokens = int(sum(batch.mask.sum() for batch in self.inputs))
        self.scratch = tempfile.TemporaryDirectory()

    def empty(self) -> None:
        """Removes what the ways have written."""
        cache.empty()
        for file in Path(self.scratch.name).iterdir():
            file.unlink()

    def tokenising(self) -> None:
        """What no way of reading can avoid."""
        self.encoder.tokenise(self.text.sentences)

    def by_library(self, reducer) -> Callable[[], extraction.Extraction]:
        """What makes one extraction with an empty cache."""
        return lambda: extraction.run(
            self.encoder, self.text, targets=self.words, reducers=[reducer]
        )

    def by_hand(self) -> None:
        """The mean of each word's pieces, by the characters where pieces begin; pieces known."""
        begins = [
            number * FAR + first
            for number, sentence in enumerate(self.text.sentences)
            for first, _ in sentence.spans
        ]
        shape = (len(begins), self.encoder.dim)
        files = [
            np.lib.format.open_memmap(
                Path(self.scratch.name, f"{layer}.npy"), "w+", np.float32, shape
            )
            for layer in range(self.encoder.n_layers + 1)
        ]
        with torch.inference_mode():
            for batch, inputs in zip(self.batches, self.inputs, strict=True):
                is_piece = inputs.mask.bool().numpy() & ~inputs.special
                row = np.nonzero(is_piece)[0]
                place = batch.sentences[inputs.sentence[row]] * FAR + inputs.span[is_piece][:, 0]
                words = np.searchsorted(begins, place, side="right") - 1
                words, group = np.unique(words, return_inverse=True)
                count = torch.from_numpy(np.bincount(group))[:, None]
                group, is_piece = torch.from_numpy(group), torch.from_numpy(is_piece)
                for file, states in zip(files, hidden_states(self.encoder, inputs), strict=True):
                    sums = torch.zeros(len(words), self.encoder.dim)
                    file[words] = (sums.index_add_(0, group, states[is_piece]) / count).numpy()
