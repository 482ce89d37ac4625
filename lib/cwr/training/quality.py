"""How well the small models predict held-out text: what their cards say and what the gate asks of them."""
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch

from cwr.training import text

SIZE = 127                  # new pieces a window, behind [CLS]; windows follow each other without overlap
CHOSEN = 0.15               # masked: share of the pieces that are hidden, every one of them by [MASK]


@dataclass(frozen=True)
class Predictions:
    """One entry a predicted token, in the order of the text."""

    nats: np.ndarray        # -log probability of the token
    rank: np.ndarray        # how many tokens the model holds more probable (0: it is right)
    place: np.ndarray       # index of the token in the text


def causal(model, pieces: np.ndarray, *, size: int = SIZE, shuffle: int | None = None) -> Predictions:
    """Every piece from those before it in its window. model: a GPT2LMHeadModel.

    shuffle: a seed; then the pieces before each window's last one are permuted and only that one is predicted
        (what is lost is what the order of the words was worth).
    """
    found = []
    for places in _windows(len(pieces), size):
        ids = np.column_stack([np.full(len(places), text.START), pieces[places].astype(np.int64)])
        if shuffle is not None:
            draw = np.random.default_rng((shuffle, int(places[0, 0])))
            ids[:, 1:-1] = draw.permuted(ids[:, 1:-1], axis=1)
        asked = np.zeros(ids.shape, bool)
        asked[:, 1 if shuffle is None else -1:] = True
        hidden = _hidden(model.transformer, ids[:, :-1])
        where = torch.as_tensor(asked[:, 1:], device=hidden.device)
        found.append(_score(hidden[where] @ model.get_input_embeddings().weight.float().T, ids[asked],
                            places[asked[:, 1:]]))
    return _join(found)


def masked(model, pieces: np.ndarray, *, size: int = SIZE, seed: int = 0, shuffle: bool = False) -> Predictions:
    """A seeded 15 % of the pieces, each replaced by [MASK], from the others of their window.

    model: a BertForMaskedLM. shuffle: the visible pieces of each window are permuted.
    """
    found = []
    for places in _windows(len(pieces), size):
        ids = np.column_stack([np.full(len(places), text.START), pieces[places].astype(np.int64)])
        draw = np.random.default_rng((seed, int(places[0, 0])))
        asked = draw.random(ids.shape) < CHOSEN
        asked[:, 0] = False
        shown = np.where(asked, text.MASK, ids)
        if shuffle:
            for row, hidden_here in zip(shown, asked, strict=True):
                visible = np.flatnonzero(~hidden_here)[1:]
                row[visible] = row[draw.permutation(visible)]
        hidden = _hidden(model.bert, shown)
        where = torch.as_tensor(asked, device=hidden.device)
        with torch.inference_mode():
            logits = model.cls.predictions(hidden[where])
        found.append(_score(logits, ids[asked], places[asked[:, 1:]]))
    return _join(found)


def bilstm(model, made: text.Words, *, rows: int = 8, size: int = 32) -> tuple[Predictions, Predictions]:
    """Every word from those before it, and from those behind it, over all classes; the state is carried along.

    model: a `bilstm.LanguageModel`. made: the text by `text.words`, with the classes that the model was trained on.
    The second one's places count from the end of the text. What does not fill the rows is left out.
    """
    device = model.matrix.device
    table = torch.from_numpy(text.character_table(made.types)).to(device)
    classes = torch.from_numpy(made.classes.astype(np.int64)).to(device)
    length = (len(made.stream) - 1) // rows
    starts = np.arange(rows)[:, None] * length
    ways = torch.from_numpy(np.stack([made.stream, made.stream[::-1]]).astype(np.int64)).to(device)
    state, found = model.elmo.zero_state(rows), ([], [])
    for begin in range(0, length - size + 1, size):
        places = starts + begin + np.arange(size)                                   # (rows, size)
        with torch.inference_mode():
            top, state = model(ways[:, places], table, state)
            for way, part in enumerate(found):
                logits = torch.addmm(model.bias, top[way].flatten(0, 1), model.matrix.T)
                part.append(_score(logits, classes[ways[way, places + 1]].flatten(), places.ravel() + 1))
    return _join(found[0]), _join(found[1])


def _windows(length: int, size: int, rows: int = 16) -> Iterator[np.ndarray]:
    """(rows, size) places; the last stretch that does not fill a window is left out."""
    starts = np.arange(length // size) * size
    for first in range(0, len(starts), rows):
        yield starts[first:first + rows, None] + np.arange(size)


def _hidden(base, ids: np.ndarray) -> torch.Tensor:
    device = next(base.parameters()).device
    with torch.inference_mode():
        return base(input_ids=torch.as_tensor(ids, device=device)).last_hidden_state.float()


def _score(logits: torch.Tensor, targets: np.ndarray, places: np.ndarray) -> Predictions:
    right = torch.as_tensor(targets, device=logits.device)[:, None]
    with torch.inference_mode():
        own = logits.gather(1, right)
        nats = torch.logsumexp(logits, 1) - own[:, 0]
        rank = (logits > own).sum(1)
    return Predictions(nats.double().cpu().numpy(), rank.cpu().numpy(), places)


def _join(found: list[Predictions]) -> Predictions:
    return Predictions(*(np.concatenate([getattr(part, name) for part in found]) for name in ("nats", "rank", "place")))
