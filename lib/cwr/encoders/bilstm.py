"""Every layer of an ELMo, one vector a word."""
from collections.abc import Callable, Sequence

import numpy as np
import torch

from cwr.encoders import encoder
from cwr.encoders.batches import Input
from cwr.encoders.character_cnn import BOUNDARIES, PADDING, characters
from cwr.encoders.elmo import ELMo
from cwr.encoders.pieces import Pieces, Sentence, Units, own, starts
from cwr.errors import UserError

NO_LIMIT = 10 ** 9                                  # more words than any sentence has


class Encoder(encoder.Encoder):
    """An ELMo whose layers can be read. Made by `cwr.encoders.load`.

    It reads the words of the corpus (the spans of a sentence) by their characters, with <S> and </S> around
    each sentence, from a state of zero. Every word is one unit, so there is nothing to pool: all poolings
    give the same, and unit="piece" is refused. A word without a character is not read. skip_first_position leaves
    out the first word that is read. There are no token embeddings: `embedding_matrix` and `vocabulary` are
    refused.
    """

    causal = False
    window = NO_LIMIT
    _pad = PADDING
    _first_column = 1                               # behind <S>

    def __init__(self, model: ELMo, *, name: str, sources: Callable[[], dict]):
        super().__init__(model, None, name=name, family="bilstm", sources=lambda: sources() | {
            "contract": self.contract})
        self.n_layers, self.dim = model.n_layers, model.dim
        blocks = [f"biLSTM {number}" for number in range(1, self.n_layers + 1)]
        if model.options.lstm.use_skip_connections:
            blocks = [" + ".join(blocks[number::-1]) for number in range(self.n_layers)]
        self.contract = ("input: character CNN, twice", *blocks)
        self._around = tuple([row] for row in characters(list(BOUNDARIES), model.width))

    @property
    def vocabulary(self) -> list[str]:
        raise self._no_embeddings()

    def embedding_matrix(self) -> np.ndarray:
        raise self._no_embeddings()

    def _no_embeddings(self) -> UserError:
        return UserError(f"{self.name} reads words by their characters: it has no vocabulary and no matrix "
                         f"of token embeddings; take layer 0 of `encode`, or choose a transformer")

    def _tokenise(self, sentences: Sequence[Sentence]) -> Pieces:
        """The words themselves, as character ids (words, width)."""
        spans = [[(start, stop) for start, stop in sentence.spans if stop > start] for sentence in sentences]
        number: dict[str, int] = {}                 # of each distinct word, in order of appearance
        which = [number.setdefault(sentence.text[start:stop], len(number))
                 for sentence, own_spans in zip(sentences, spans, strict=True) for start, stop in own_spans]
        span = np.array([pair for given in spans for pair in given], np.int64).reshape(-1, 2)
        ids = characters(list(number), self.model.width)[np.array(which, np.int64)]
        return Pieces(ids, span, starts(np.array([len(given) for given in spans], np.int64)))

    def _units(self, pieces: Pieces, sentences: Sequence[Sentence], unit: str) -> Units:
        return own([sentence.spans for sentence in sentences])

    def _layers(self, given: Input, attentions: list | None = None) -> list[torch.Tensor]:
        if attentions is not None:
            raise UserError(f"{self.name} is an ELMo, whose LSTMs have no attentions; call forward "
                            f"without them")
        return self.model(given.ids, given.mask)[0]
