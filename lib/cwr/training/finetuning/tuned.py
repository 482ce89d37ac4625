"""An encoder with a linear layer on top that labels words or sentences.

Zhao et al. (2020), section 4.4.1: as in Devlin et al. (2019), all weights are trained. A tagger
reads a word's last piece (the probes read the mean of its pieces), a classifier the first special
piece.
"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from cwr.corpora.excerpts import cut
from cwr.corpora.tasks import Task
from cwr.encoders.batches import Reading
from cwr.encoders.encoder import Encoder
from cwr.encoders.pieces import SentenceLike, refuse_without_first, special_tokens, word_units
from cwr.encoders.windows import keep_first_or_last, locate
from cwr.training.finetuning import bands

# Pieces of an update that a CPU reads at once: read together, the sentences of an update are padded
# to twice their pieces.
AT_ONCE = 256


@dataclass(frozen=True)
class LabelCells:
    """The labels of one batch and the cells (row, column) that predict them, (n,) each."""

    sentence: np.ndarray  # in the reading
    position: np.ndarray  # of the label among its sentence's
    row: np.ndarray
    column: np.ndarray


class Tuned(torch.nn.Module):
    """A copy of an encoder with a linear layer on top; all weights are trained.

    encoder: the copy, which probes can read like any other encoder.
    """

    def __init__(
        self, encoder: Encoder, task: Task, band: int | None = None, free_specials: bool = False
    ):
        """band: words per side that attention reaches; None: all. free_specials:
        as in `bands`.

        Raises UserError for a task about sentences and a model that puts no special piece first.
        """
        super().__init__()
        self.encoder = copy.deepcopy(encoder)  # the caller's weights stay as they are
        self.encoder.padding = "right"  # columns are counted from the left
        self.body = self.encoder.model.requires_grad_(True)
        self.task, self.band, self.free_specials = task, band, free_specials
        if not task.of_words:
            refuse_without_first(encoder.tokenizer, encoder.name, task.name)
        self.before = len(special_tokens(encoder.tokenizer, encoder.name)[0])
        self.linear = torch.nn.Linear(encoder.dim, len(task.classes), device=encoder.device)

    def forward(self, rows: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor]:
        """Computes logits (labels, classes) and gold labels (labels,) for sentences of the task.

        Words that the model does not read are left out. rows: numbers of sentences of the task.
        """
        sentences = [self.task.sentences[row] for row in rows]
        logits, gold = [], []
        most = AT_ONCE if self.encoder.device.type == "cpu" else None
        for numbers, labelled, scores in self.readings(sentences, most):
            pairs = zip(numbers[labelled.sentence], labelled.position, strict=True)
            gold += [int(self.task.labels[rows[number]][position]) for number, position in pairs]
            logits.append(scores)
        return torch.cat(logits), torch.tensor(gold, device=logits[0].device)

    def predict(self, rows: Sequence[int]) -> list[np.ndarray]:
        """Predicts the classes in some of the task's sentences, as `classes_of` does.

        rows: numbers of sentences of the task.
        """
        return self.classes_of([self.task.sentences[row] for row in rows])

    def classes_of(self, sentences: Sequence[SentenceLike]) -> list[np.ndarray]:
        """Predicts for each sentence the most probable class of each word, or of the sentence.

        Each array is (words,) or (1,), int; the class is -1 for a word that the model does not
        read.
        """
        self.eval()
        sizes = [len(sentence.spans) if self.task.of_words else 1 for sentence in sentences]
        predicted = [np.full(size, -1) for size in sizes]
        with torch.inference_mode():
            for numbers, labelled, scores in self.readings(sentences):
                classes = scores.argmax(dim=1).cpu().tolist()
                labels = zip(numbers[labelled.sentence], labelled.position, classes, strict=True)
                for number, position, label in labels:
                    predicted[number][position] = label
        return predicted

    def readings(
        self, sentences: Sequence[SentenceLike], max_tokens: int | None = None
    ) -> Iterator[tuple[np.ndarray, LabelCells, torch.Tensor]]:
        """Yields batches: numbers of sentences, cells of labels, and logits (labels, classes).

        max_tokens: the token budget of a batch, as in `Encoder.encode`.
        """
        for reading in self.encoder.batches(sentences, max_tokens):
            together = [sentences[number] for number in reading.sentences]
            labelled = self.labelled(reading, together)
            vectors = self.last_layer(reading, together)  # (rows, length, dim)
            logits = self.linear(vectors[labelled.row, labelled.column])
            yield reading.sentences, labelled, logits

    def last_layer(self, reading: Reading, sentences: Sequence[SentenceLike]) -> torch.Tensor:
        """Computes the last layer for a batch, (rows, length, dim), with gradients if enabled."""
        inputs = self.encoder.input(reading)
        mask = inputs.mask
        if self.band is not None:
            mask = bands.attention_mask(inputs, sentences, self.band, self.free_specials)
        output = self.body(input_ids=inputs.ids, attention_mask=mask, position_ids=inputs.positions)
        return output.last_hidden_state

    def labelled(self, reading: Reading, sentences: Sequence[SentenceLike]) -> LabelCells:
        """Locates the labels of a batch: at each word's last piece, or each sentence's first piece.

        A sentence's first piece is its special piece.
        """
        rows = reading.rows
        if not self.task.of_words:
            count = len(sentences)
            zeros = np.zeros(count, dtype=np.int64)
            return LabelCells(np.arange(count), zeros, rows.first[:-1], zeros)
        spans = [sentence.spans for sentence in sentences]
        units = word_units(reading.pieces, spans)
        cells = locate(units, reading.pieces, rows, before=self.before, causal=self.encoder.causal)
        last = keep_first_or_last(cells, "last")
        return LabelCells(
            units.sentence[last.unit], units.position[last.unit], last.row, last.column
        )


def classes_of_cut(model: Tuned, sentences: Sequence[SentenceLike], k: int) -> list[np.ndarray]:
    """Predicts the class of each word from only the word and k words on each side.

    Returns (words,) classes for each sentence, as `classes_of`. Equal excerpts are read once.
    Raises UserError for a negative k.
    """
    texts, targets = {}, []
    for sentence in sentences:
        for word in range(len(sentence.spans)):
            excerpt, first, _ = cut(sentence, word, word, k)
            number, _ = texts.setdefault((excerpt.text, excerpt.spans), (len(texts), excerpt))
            targets.append((number, first))
    said = model.classes_of([excerpt for _, excerpt in texts.values()])
    classes = np.array([said[number][first] for number, first in targets])
    ends = np.cumsum([len(sentence.spans) for sentence in sentences])
    return np.split(classes, ends[:-1])
