"""Computes the probability and rank that the small models give to the tokens of a text.

Axes: r rows (windows), l length of a window with [CLS], n predicted tokens, v vocabulary (classes).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from cwr.errors import UserError
from cwr.making.language_models import text

SIZE = 127  # new pieces a window, behind [CLS]; windows do not overlap
HIDDEN = 0.15  # masked: share of the pieces that are hidden, all of them by [MASK]
ROWS = 16  # windows that are predicted at a time
SLICE = 64  # rows of logits scored at a time: they stay in the processor's cache


@dataclass(frozen=True)
class Predictions:
    """The log-probability, rank and position of n predicted tokens, (n,) each, in text order."""

    nats: np.ndarray  # -log probability of the token
    rank: np.ndarray  # how many tokens the model holds more probable (0: it is right)
    position: np.ndarray  # index of the token in the text


def causal(
    model, pieces: np.ndarray, *, size: int = SIZE, shuffle: int | None = None
) -> Predictions:
    """Predicts every piece of a text from the pieces before it in its window.

    model: a GPT2LMHeadModel. pieces: (pieces,). size: new pieces per window.
    shuffle: a seed, by which all pieces of a window but the last are permuted; then only the last
        one is predicted. The rise of the loss measures the worth of word order.
    Raises UserError for a text that fills no window.
    """
    head = model.get_output_embeddings()
    matrix = head.weight.float()
    batches = []
    for positions in _windows(len(pieces), size):
        ids = _with_start(pieces, positions)
        is_target = np.zeros(ids.shape, bool)
        is_target[:, 1 if shuffle is None else -1 :] = True
        if shuffle is not None:
            draw = np.random.default_rng((shuffle, int(positions[0, 0])))
            ids[:, 1:-1] = draw.permuted(ids[:, 1:-1], axis=1)
        hidden = _hidden(model.transformer, ids[:, :-1])  # (r, l - 1, d)
        before_target = torch.as_tensor(is_target[:, 1:], device=hidden.device)
        logits = torch.nn.functional.linear(hidden[before_target], matrix, head.bias)  # (n, v)
        batches.append(_score(logits, ids[is_target], positions[is_target[:, 1:]]))
    return join(batches)


def masked(
    model, pieces: np.ndarray, *, size: int = SIZE, seed: int = 0, shuffle: bool = False
) -> Predictions:
    """Predicts a random 15 % of the pieces, each replaced by [MASK], from the rest of its window.

    model: a BertForMaskedLM. pieces: (pieces,). size: pieces per window. seed: chooses the pieces.
    shuffle: True permutes the visible pieces of each window.
    Raises UserError for a text that fills no window.
    """
    batches = []
    for positions in _windows(len(pieces), size):
        ids = _with_start(pieces, positions)
        draw = np.random.default_rng((seed, int(positions[0, 0])))
        is_target = draw.random(ids.shape) < HIDDEN
        is_target[:, 0] = False
        inputs = np.where(is_target, text.MASK, ids)
        if shuffle:
            _permute_visible(inputs, is_target, draw)
        hidden = _hidden(model.bert, inputs)  # (r, l, d)
        targets = torch.as_tensor(is_target, device=hidden.device)
        with torch.inference_mode():
            logits = model.cls.predictions(hidden[targets])  # (n, v)
        batches.append(_score(logits, ids[is_target], positions[is_target[:, 1:]]))
    return join(batches)


def bilstm(
    model, words: text.Words, *, rows: int = 8, size: int = 32
) -> tuple[Predictions, Predictions]:
    """Predicts every word from the words before it, and every word from the words behind it.

    model: a `bilstm.LanguageModel`; its state is carried from window to window.
    words: the text, from `text.words`, with the classes of the model's training.
    Returns (forward, backward); backward positions count from the end of the text. rows: how many
    parts of the text are read in parallel; surplus words are left out. size: words per window.
    """
    device = model.matrix.device
    table = torch.from_numpy(text.character_table(words.types)).to(device)
    classes = torch.from_numpy(words.classes.astype(np.int64)).to(device)
    streams = np.stack([words.stream, words.stream[::-1]]).astype(np.int64)
    streams = torch.from_numpy(streams).to(device)  # (2, tokens)
    length = (len(words.stream) - 1) // rows
    starts = np.arange(rows)[:, None] * length
    state = model.elmo.zero_state(rows)
    batches = [], []
    for begin in range(0, length - size + 1, size):
        positions = starts + begin + np.arange(size)  # (rows, size)
        with torch.inference_mode():
            top, state = model(streams[:, positions], table, state)
            for direction in (0, 1):
                hidden = top[direction].flatten(0, 1)  # (n, projection)
                logits = torch.addmm(model.bias, hidden, model.matrix.T)  # (n, v)
                targets = classes[streams[direction, positions + 1]].flatten()
                batches[direction].append(_score(logits, targets, positions.ravel() + 1))
    return join(batches[0]), join(batches[1])


def _windows(length: int, size: int) -> Iterator[np.ndarray]:
    """Yields positions of windows in the text, (r, size); an incomplete last window is left out.

    Raises UserError for a text shorter than a window.
    """
    if length < size:
        raise UserError(f"a text of {length} pieces fills no window of {size}: take a longer one")
    starts = np.arange(length // size) * size
    for first in range(0, len(starts), ROWS):
        yield starts[first : first + ROWS, None] + np.arange(size)


def _with_start(pieces: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Returns [CLS] and the ids of the pieces at these positions (r, l - 1) in each row, (r, l)."""
    start = np.full(len(positions), text.START)
    return np.column_stack([start, pieces[positions].astype(np.int64)])


def _permute_visible(inputs: np.ndarray, is_target: np.ndarray, draw: np.random.Generator) -> None:
    """Permutes the visible pieces, without [CLS], of each row (r, l) in place."""
    for row, hidden in zip(inputs, is_target, strict=True):
        visible = np.flatnonzero(~hidden)[1:]
        row[visible] = row[draw.permutation(visible)]


def _hidden(base: torch.nn.Module, ids: np.ndarray) -> torch.Tensor:
    """Computes the last hidden states, (r, l, d) float32."""
    device = next(base.parameters()).device
    with torch.inference_mode():
        return base(input_ids=torch.as_tensor(ids, device=device)).last_hidden_state.float()


def _score(
    logits: torch.Tensor, targets: np.ndarray | torch.Tensor, positions: np.ndarray
) -> Predictions:
    """Scores predictions. logits: (n, v); targets: (n,) the right classes; positions: (n,)."""
    right = torch.as_tensor(targets, device=logits.device)[:, None]
    nats, ranks = [], []
    with torch.inference_mode():
        of_targets = logits.gather(1, right)  # (n, 1)
        for rows, of_target in zip(logits.split(SLICE), of_targets.split(SLICE), strict=True):
            nats.append(torch.logsumexp(rows, 1) - of_target[:, 0])
            ranks.append((rows > of_target).float().sum(1))  # as floats: summing booleans is slow
    return Predictions(
        torch.cat(nats).double().cpu().numpy(), torch.cat(ranks).long().cpu().numpy(), positions
    )


def join(batches: Sequence[Predictions]) -> Predictions:
    """Concatenates the predictions of several batches, or of several passes over one text."""
    return Predictions(
        np.concatenate([batch.nats for batch in batches]),
        np.concatenate([batch.rank for batch in batches]),
        np.concatenate([batch.position for batch in batches]),
    )
