"""Encodes with an ELMo, one vector per word. Axes: words, width (character ids), rows, length."""

from collections.abc import Callable, Sequence

import numpy as np
import torch

from cwr.encoders.batches import Input
from cwr.encoders.elmo.character_cnn import BOUNDARIES, PADDING, characters
from cwr.encoders.elmo.model import ELMo
from cwr.encoders.encoder import Encoder
from cwr.encoders.pieces import Pieces, SentenceLike, Units, starts, whole_word_units
from cwr.errors import UserError

NO_LIMIT = 10**9  # more words than any sentence has


class ELMoEncoder(Encoder):
    """An ELMo whose layers can be read, opened by `cwr.encoders.load`.

    An ELMo reads the words of a sentence (its spans) by their characters, with <S> and </S> around
    the sentence, from a state of zero. Every word is one unit, so all poolings give the same
    vectors, and unit="piece" is refused. Empty words are not read. skip_first_position leaves out
    the first word read. There are no token embeddings: `embedding_matrix` and `vocabulary` are
    refused.
    """

    causal = False
    window = NO_LIMIT
    _pad = PADDING
    _first_column = 1  # behind <S>

    def __init__(self, model: ELMo, *, name: str, sources: Callable[[], dict]):
        super().__init__(
            model,
            None,
            name=name,
            family="bilstm",
            sources=lambda: sources() | {"contract": self.contract},
        )
        self.n_layers, self.dim = model.n_layers, model.dim
        blocks = [f"biLSTM {number}" for number in range(1, self.n_layers + 1)]
        if model.options.lstm.use_skip_connections:
            blocks = [" + ".join(blocks[number::-1]) for number in range(self.n_layers)]
        self.contract = ("input: character CNN, twice", *blocks)
        self._around = tuple([row] for row in characters(list(BOUNDARIES), model.width))

    @property
    def vocabulary(self) -> list[str]:
        """Raises UserError: an ELMo has no vocabulary."""
        raise self._no_embeddings()

    def embedding_matrix(self) -> np.ndarray:
        """Raises UserError: an ELMo has no token embeddings (vocabulary, dim)."""
        raise self._no_embeddings()

    def _no_embeddings(self) -> UserError:
        return UserError(
            f"{self.name} reads words by their characters: it has no vocabulary and "
            "no matrix of token embeddings; take layer 0 of `encode`, or choose a "
            "transformer"
        )

    def tokenise(self, sentences: Sequence[SentenceLike]) -> Pieces:
        """Returns the non-empty words of all sentences as character ids (words, width)."""
        spans = [
            [(start, stop) for start, stop in sentence.spans if stop > start]
            for sentence in sentences
        ]
        lengths = np.array([len(sentence) for sentence in spans], np.int64)
        pairs = [pair for sentence in spans for pair in sentence]
        number: dict[str, int] = {}  # of each distinct word, in order of appearance
        which = []
        for sentence, words in zip(sentences, spans, strict=True):
            for start, stop in words:
                which.append(number.setdefault(sentence.text[start:stop], len(number)))
        ids = characters(list(number), self.model.width)[np.array(which, np.int64)]
        return Pieces(ids, np.array(pairs, np.int64).reshape(-1, 2), starts(lengths))

    def _units(self, pieces: Pieces, sentences: Sequence[SentenceLike], unit: str) -> Units:
        return whole_word_units([sentence.spans for sentence in sentences])

    def _layers(self, inputs: Input, attentions: list | None = None) -> list[torch.Tensor]:
        """Computes n_layers + 1 tensors (rows, length, dim). Raises UserError for attentions."""
        if attentions is not None:
            raise UserError(
                f"{self.name} is an ELMo, whose LSTMs have no attentions; call forward without them"
            )
        # on a GPU the convolutions would otherwise round to ten bits (TF32), unlike every other sum
        with torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
            return self.model(inputs.ids, inputs.mask)[0]
