"""Computes the scores on a model's card: how well the model predicts an unseen text.

A score is a row: by (the model), measure, value, n (predictions).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from tokenizers import Tokenizer
from transformers import BertForMaskedLM, GPT2LMHeadModel

from cwr.corpora import Article
from cwr.encoders.quiet import quiet
from cwr.errors import UserError
from cwr.making.language_models import predictions, shipped_files, text
from cwr.making.language_models.predictions import SIZE, Predictions

CLASSES = {"cwr-gpt": GPT2LMHeadModel, "cwr-bert": BertForMaskedLM}
BEGINNING = 100 * SIZE  # pieces of each text that are predicted again in seconds


def predictor(
    name: str, folder: Path | None = None, device: str = "cpu"
) -> tuple[torch.nn.Module, Tokenizer]:
    """Opens a transformer with its output layer, in float32, and its tokenizer.

    name: one of CLASSES. folder: the model's folder; None: that of the shipped model.
    """
    folder = folder or shipped_files.folder(name)
    with quiet():
        model = CLASSES[name].from_pretrained(folder, dtype=torch.float32).eval()
    return model.to(device), Tokenizer.from_file(str(folder / "tokenizer.json"))


def first_pieces(
    articles: Sequence[Article], tokenizer: Tokenizer, n: int
) -> tuple[np.ndarray, float]:
    """Returns the first n pieces of a text, (n,), and the text's characters per piece.

    Blanks and ends of paragraphs are characters too.
    """
    pieces = text.encode(tokenizer, articles)
    characters = 0
    for article in articles:
        characters += sum(len(paragraph) + 1 for paragraph in article.paragraphs)
    return pieces[:n], characters / len(pieces)


def score_causal(model, pieces: np.ndarray, characters: float) -> Iterator[dict]:
    """Yields cwr-gpt's scores: nats, accuracy, bits per character, and the worth of word order.

    model: a GPT2LMHeadModel. pieces: (pieces,). characters: per piece, from `first_pieces`. The
        worth of word order is the rise of the loss, in nats, if the words before are shuffled.
    """
    predicted = predictions.causal(model, pieces)
    yield from _summary("cwr-gpt", predicted)
    nats = predicted.nats.mean()
    yield _row("cwr-gpt", "bits a character", nats / np.log(2) / characters, predicted)
    is_last = predicted.position % SIZE == SIZE - 1
    shuffled = predictions.causal(model, pieces, shuffle=0)
    loss = shuffled.nats.mean() - predicted.nats[is_last].mean()
    yield _row("cwr-gpt", "nats lost when the words before are shuffled", loss, shuffled)


def score_masked(model, pieces: np.ndarray) -> tuple[list[dict], np.ndarray]:
    """Computes cwr-bert's scores; returns them and the positions of the hidden pieces.

    The scores are nats, accuracy with and without the ends of paragraphs, accuracy of the first
    five guesses, and the rise of the loss, in nats, if the visible words are shuffled.
    model: a BertForMaskedLM. pieces: (pieces,).
    """
    predicted = predictions.masked(model, pieces)
    shuffled = predictions.masked(model, pieces, shuffle=True)
    loss = shuffled.nats.mean() - predicted.nats.mean()
    rows = [
        *_summary("cwr-bert", predicted),
        without_ends("cwr-bert", predicted.rank == 0, pieces[predicted.position]),
        _row("cwr-bert", "accuracy, first five", (predicted.rank < 5).mean(), predicted),
        _row("cwr-bert", "nats lost when the visible words are shuffled", loss, predicted),
    ]
    return rows, predicted.position


def without_ends(by: str, is_right: np.ndarray, targets: np.ndarray) -> dict:
    """Computes the accuracy on hidden pieces that do not end a paragraph, as a row.

    by: the model's name. is_right: (n,) bool. targets: (n,) the pieces. Ends are easy to guess.
    """
    is_piece = targets != text.END
    value, n = is_right[is_piece].mean(), int(is_piece.sum())
    return {"by": by, "measure": shipped_files.WITHOUT_ENDS, "value": value, "n": n}


def score_bilstm(model, words: text.Words) -> Iterator[dict]:
    """Yields cwr-elmo's perplexity over its word classes, in each direction.

    model: a `bilstm.LanguageModel`. words: the text, with the model's classes.
    """
    directions = predictions.bilstm(model, words)
    for direction, predicted in zip(("forward", "backward"), directions, strict=True):
        perplexity = np.exp(predicted.nats.mean())
        yield _row("cwr-elmo", f"{direction} perplexity", perplexity, predicted)


def score(name: str, model, pieces: np.ndarray, characters: float) -> list[dict]:
    """Computes the scores of cwr-gpt (`score_causal`) or cwr-bert (`score_masked`)."""
    if name == "cwr-gpt":
        return list(score_causal(model, pieces, characters))
    return score_masked(model, pieces)[0]


def repeated(names: Sequence[str], articles: Sequence[Article]) -> pd.DataFrame:
    """Tabulates scores on the beginning of the Lee news, stored and computed again.

    names: transformer models. articles: the Lee news. Columns model, measure, then (stored), now.
    Raises UserError if `names` is empty.
    """
    if not names:
        raise UserError(f"no model is asked to predict again: name {' or '.join(CLASSES)}, too")
    rows = []
    for name in names:
        model, tokenizer = predictor(name)
        pieces, characters = first_pieces(articles, tokenizer, BEGINNING)
        stored = shipped_files.scores(name, "lee, beginning")
        for row in score(name, model, pieces, characters):
            rows.append(
                {
                    "model": name,
                    "measure": row["measure"],
                    "then": stored[name, row["measure"]],
                    "now": row["value"],
                }
            )
    return pd.DataFrame(rows)


def _summary(by: str, predicted: Predictions) -> Iterator[dict]:
    yield _row(by, "nats", predicted.nats.mean(), predicted)
    yield _row(by, "accuracy", (predicted.rank == 0).mean(), predicted)


def _row(by: str, measure: str, value: float, predicted: Predictions) -> dict:
    return {"by": by, "measure": measure, "value": value, "n": len(predicted.nats)}
