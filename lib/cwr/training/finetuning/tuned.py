"""An encoder with a linear layer on top that says labels of words, or of sentences.

Zhao et al. (2020), section 4.4.1: as in Devlin et al. (2019), all weights learn. A tagger reads the
last piece of a word (the probes read the mean of its pieces), a classifier the first special piece.
"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from cwr.corpora.tasks import Task
from cwr.encoders.batches import Reading
from cwr.encoders.encoder import Encoder
from cwr.encoders.pieces import special_tokens, word_units
from cwr.encoders.windows import keep_first_or_last, locate
from cwr.training.finetuning import bands


@dataclass(frozen=True)
class Labelled:
    """What has a label each in one reading, and where it is read, (n,) each."""

    sentence: np.ndarray  # in the reading
    position: np.ndarray  # of the label among its sentence's
    row: np.ndarray
    column: np.ndarray


class Tuned(torch.nn.Module):
    """A copy of an encoder with a linear layer on top; all of it learns.

    encoder: the copy, which probes can read as any other.
    """

    def __init__(
        self, encoder: Encoder, task: Task, band: int | None = None, free_specials: bool = False
    ):
        """band: words to each side that attention reaches; None: all. free_specials: as in `bands`."""
        super().__init__()
        self.encoder = copy.deepcopy(encoder)  # the caller's weights stay as they are
        self.body = self.encoder.model.requires_grad_(True)
        self.task, self.band, self.free_specials = task, band, free_specials
        self.before = len(special_tokens(encoder.tokenizer, encoder.name)[0])
        self.linear = torch.nn.Linear(encoder.dim, len(task.classes), device=encoder.device)

    def forward(self, rows: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (labels, classes) and labels (labels,) of these sentences of the task.

        A word of which the model reads nothing has none.
        """
        logits, gold = [], []
        for numbers, labelled, scores in self.readings(rows):
            pairs = zip(numbers[labelled.sentence], labelled.position, strict=True)
            gold += [int(self.task.labels[number][position]) for number, position in pairs]
            logits.append(scores)
        return torch.cat(logits), torch.tensor(gold, device=logits[0].device)

    def predict(self, rows: Sequence[int]) -> list[np.ndarray]:
        """The most probable class of each label of each of these sentences.

        -1 for a word of which the model reads nothing.
        """
        self.eval()
        predicted = {row: np.full(len(self.task.labels[row]), -1) for row in rows}
        with torch.inference_mode():
            for numbers, labelled, scores in self.readings(rows):
                classes = scores.argmax(dim=1).cpu().numpy()
                for number, position, name in zip(
                    numbers[labelled.sentence], labelled.position, classes, strict=True
                ):
                    predicted[number][position] = name
        return [predicted[row] for row in rows]

    def readings(self, rows: Sequence[int]) -> Iterator[tuple[np.ndarray, Labelled, torch.Tensor]]:
        """In batches: sentences of the task by number, what has labels, and logits of these."""
        rows = np.asarray(rows)
        sentences = [self.task.sentences[row] for row in rows]
        for reading in self.encoder.batches(sentences):
            numbers = rows[reading.sentences]
            labelled = self.labelled(reading, numbers)
            vectors = self.last_layer(reading, numbers)  # (rows, length, dim)
            yield numbers, labelled, self.linear(vectors[labelled.row, labelled.column])

    def last_layer(self, reading: Reading, numbers: np.ndarray) -> torch.Tensor:
        """The last layer of the rows of a reading, (rows, length, dim), with gradients if enabled."""
        inputs = self.encoder.input(reading)
        mask = inputs.mask
        if self.band is not None:
            sentences = [self.task.sentences[number] for number in numbers]
            mask = bands.attention_mask(inputs, sentences, self.band, self.free_specials)
        output = self.body(input_ids=inputs.ids, attention_mask=mask, position_ids=inputs.positions)
        return output.last_hidden_state

    def labelled(self, reading: Reading, numbers: np.ndarray) -> Labelled:
        """Where the labels of a reading are read: each word's last piece, or each first piece."""
        rows = reading.rows
        if not self.task.of_words:
            count = len(numbers)
            zeros = np.zeros(count, dtype=np.int64)
            return Labelled(np.arange(count), zeros, rows.first[:-1], zeros)
        spans = [self.task.sentences[number].spans for number in numbers]
        units = word_units(reading.pieces, spans)
        cells = locate(units, reading.pieces, rows, before=self.before, causal=self.encoder.causal)
        last = keep_first_or_last(cells, "last")
        return Labelled(units.sentence[last.unit], units.position[last.unit], last.row, last.column)
