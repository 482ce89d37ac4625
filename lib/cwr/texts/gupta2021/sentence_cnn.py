"""Defines the convolutional sentence classifier by which Gupta and Jaggi (2021) compare vectors.

Section 4.3: 100 filters over 3 words, ReLU, the maximum over the sentence, dropout 0.5, a linear
layer. This is Kim (2014), "Convolutional Neural Networks for Sentence Classification", with filters
of one width. The text does not say whether vectors are trained, or how a word without one is read;
here they are not, and the word is a zero vector.

    n sentences, t words of a batch, dim dimensions, f filters
"""

import numpy as np
import torch

from cwr.corpora.labelled import Labelled
from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError

FILTERS, WIDTH, DROPOUT = 100, 3, 0.5
BLANK = 0  # number of the zero vector: of a word without a vector, and behind a sentence


class SentenceCNN(torch.nn.Module):
    """A classifier, for `sentence_classifier`, of sentences whose words are vectors.

    A window begins at each word of a sentence; beyond the last word it sees zero vectors. So no
    window reaches into another sentence, and the rest of the batch changes nothing.
    """

    def __init__(
        self,
        data: Labelled,
        vectors: WordVectors,
        filters: int = FILTERS,
        width: int = WIDTH,
        dropout: float = DROPOUT,
    ):
        super().__init__()
        table, numbers = look_up(data, vectors)
        behind = torch.full((width - 1,), BLANK)
        self.tokens = [torch.cat([torch.from_numpy(words), behind]) for words in numbers]
        self.lengths = np.array([len(words) for words in numbers])  # (n,)
        self.register_buffer("table", torch.from_numpy(table), persistent=False)
        self.filters = torch.nn.Conv1d(vectors.dim, filters, width)
        self.dropout = torch.nn.Dropout(dropout)
        self.linear = torch.nn.Linear(filters, len(data.classes))
        self.behind = len(behind)

    def forward(self, rows: np.ndarray) -> torch.Tensor:
        """Computes logits of sentences, (rows, classes). rows: (rows,), indices into the set."""
        device = self.table.device
        tokens = torch.cat([self.tokens[row] for row in rows]).to(device)  # (t + blanks,)
        lengths = torch.as_tensor(self.lengths[rows], device=device)
        sentence = torch.repeat_interleave(torch.arange(len(rows), device=device), lengths)  # (t,)
        first = torch.arange(len(sentence), device=device) + self.behind * sentence
        windows = self.windows(tokens, first)
        # nothing below 0, which is ReLU; a sentence without words has zeros
        highest = torch.segment_reduce(windows, "max", lengths=lengths, initial=0.0)  # (rows, f)
        return self.linear(self.dropout(highest))

    def windows(self, tokens: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
        """Computes each filter's output in the windows that begin at `first`, (t, f).

        tokens: (t + blanks,), rows of the table. first: (t,), indices into `tokens`. This is the
        convolution in half of its time: each different word of a batch is multiplied only once,
        which is possible only because the vectors do not learn.
        """
        words, numbers = tokens.unique(return_inverse=True)  # (w,), (t + blanks,)
        weights = self.filters.weight.permute(2, 1, 0)  # (width, dim, f)
        windows = self.filters.bias
        for offset, products in enumerate(self.table[words] @ weights):  # (w, f)
            windows = windows + torch.nn.functional.embedding(numbers[first + offset], products)
        return windows


def look_up(data: Labelled, vectors: WordVectors) -> tuple[np.ndarray, list[np.ndarray]]:
    """Returns the vectors of a set's words, (words + 1, dim), zeros first, and sentences as rows.

    The table is divided by the root mean square of its numbers, one scalar: methods differ in the
    length of their vectors by more than a search over three rates can make up for.
    Raises UserError if no word has a vector.
    """
    words = data.words
    known = vectors.of(sorted(set().union(*words)))
    if not known:
        raise UserError(
            f"no word of {data.name} has a vector in {vectors.name}: give vectors of its language, "
            "in lower case"
        )
    number = {word: row for row, word in enumerate(known, start=1)}
    rows = np.stack(list(known.values()))
    scale = np.sqrt(np.square(rows, dtype=np.float64).mean())
    table = np.concatenate([np.zeros((1, vectors.dim)), rows / scale]).astype(np.float32)
    sentences = []
    for sentence in words:
        sentences.append(np.array([number.get(word, BLANK) for word in sentence], np.int64))
    return table, sentences


def coverage(data: Labelled, vectors: WordVectors) -> float:
    """Computes the share of a set's running words that have a vector."""
    words = [word for sentence in data.words for word in sentence]
    known = vectors.of(set(words))
    return sum(word in known for word in words) / len(words)
