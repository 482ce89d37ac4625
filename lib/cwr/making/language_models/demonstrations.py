"""Demonstrates a small model's predictions and the words nearest to each other."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import torch
from tokenizers import Tokenizer

from cwr.errors import UserError, quoted
from cwr.extraction import Extraction
from cwr.making.language_models import text
from cwr.making.language_models.scores import predictor
from cwr.measures.contextuality import unit_rows


def neighbours(
    extraction: Extraction, words: Sequence[str], layer: int, n: int = 4
) -> pd.DataFrame:
    """Lists for each word the n words with the nearest mean vectors, by cosine after centring.

    extraction: keeps `sums`, grouped by word. Words that it lacks are left out; other spellings of
        a word are not its neighbours.
    Columns word, nearest (n words, joined by commas).
    """
    vocabulary = list(extraction.groups())
    sums = extraction.sums(layer)
    means = sums.sum / sums.count[:, None]  # (words, dim)
    units = unit_rows(means - means.mean(axis=0))
    rows = []
    for word in words:
        if word not in vocabulary:
            continue
        cosines = units @ units[vocabulary.index(word)]
        nearest = [vocabulary[i] for i in np.argsort(-cosines, kind="stable")]
        nearest = [other for other in nearest if other.lower() != word.lower()]
        rows.append({"word": word, "nearest": ", ".join(nearest[:n])})
    return pd.DataFrame(rows, columns=["word", "nearest"])


def completion(prompt: str, pieces: int = 24, seed: int = 0, temperature: float = 0.8) -> str:
    """Continues a prompt with cwr-gpt; returns the prompt and up to `pieces` more pieces.

    Each piece is drawn from the model's distribution. temperature: a value below 1 sharpens the
    distribution. Raises UserError for too long a prompt.
    """
    model, tokenizer = predictor("cwr-gpt")
    ids = _ids(tokenizer, prompt, model.config.n_positions - pieces)
    draw = torch.Generator().manual_seed(seed)
    for _ in range(pieces):
        with torch.no_grad():
            logits = model(torch.tensor([ids])).logits[0, -1].double() / temperature
        logits[: text.END] = -torch.inf  # no [PAD], [UNK], [CLS]
        ids.append(int(torch.multinomial(torch.softmax(logits, 0), 1, generator=draw)))
        if ids[-1] == text.END:
            break
    return tokenizer.decode(ids)


def filled(sentence: str, n: int = 5) -> list[str]:
    """Returns the n most probable pieces for the first [MASK] by cwr-bert.

    Raises UserError for a sentence without [MASK], and for one that is too long.
    """
    model, tokenizer = predictor("cwr-bert")
    ids = _ids(tokenizer, sentence, model.config.max_position_embeddings)
    if text.MASK not in ids:
        raise UserError(f"{quoted(sentence)} has no gap to fill: write [MASK] for one of its words")
    position = ids.index(text.MASK)
    with torch.inference_mode():
        best = model(torch.tensor([ids])).logits[0, position].topk(n).indices
    return [tokenizer.id_to_token(int(number)) for number in best]


def _ids(tokenizer: Tokenizer, words: str, most: int) -> list[int]:
    """Returns the ids of a text's pieces. Raises UserError for more than `most`."""
    ids = tokenizer.encode(words).ids
    if len(ids) > most:
        raise UserError(
            f"{quoted(words)} has {len(ids)} pieces, and the model reads {most} at most: shorten it"
        )
    return ids
