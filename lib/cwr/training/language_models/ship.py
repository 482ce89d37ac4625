"""From finished trainings to the folder of a shipped model: weights, and what its card is made of.

A training is a folder as `session.run` leaves it: model/, curve.csv, checkpoint.pt and at_<step>/.
Count models are made of exactly the words that the model saw.
"""
import hashlib
import json
import platform
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from tokenizers import Tokenizer

from cwr import corpora, encoders, paths
from cwr.corpora import Article
from cwr.corpora.wiki_text.articles import count_words
from cwr.encoders.elmo import ELMo
from cwr.training import loop
from cwr.training.language_models import rivals, scores, snapshots, text
from cwr.training.language_models.bilstm import LanguageModel

HELD_OUT_PIECES = 300_000           # of each text; the biLSTM's words are about as much text
HELD_OUT_WORDS = 120_000
WEIGHTS = (".safetensors", ".hdf5")
Texts = Mapping[str, Sequence[Article]]     # held-out texts by their names in quality.csv


@dataclass(frozen=True, eq=False)
class Training:
    """A finished training of cwr-elmo, cwr-bert or cwr-gpt, and what it has read."""

    name: str
    folder: Path
    plain: Path | None              # the training from a plain start, if there was one
    articles: list[Article]
    tokenizer: Tokenizer


def ship(training: Training, target: Path, texts: Texts, corpus: corpora.Corpus) -> None:
    """Write the folder `target` of a shipped model, all of it or nothing; without its card.

    texts: held-out texts, on which model and count model are scored. corpus: the sentences on
        which the snapshots along the training are measured.
    """
    pieces = text.encode(training.tokenizer, training.articles)
    with paths.replacing(target) as folder:
        shutil.copytree(training.folder / "model", folder, dirs_exist_ok=True)
        tables = {"curve.csv": curves(training),
                  "quality.csv": quality(training, folder, pieces, texts),
                  "along.csv": along(training, pieces, corpus)}
        for file, table in tables.items():
            table.round(4).to_csv(folder / file, index=False, lineterminator="\n")
        content = json.dumps(facts(training, folder), indent=1) + "\n"
        (folder / "made.json").write_text(content, encoding="utf-8")


def curves(training: Training) -> pd.DataFrame:
    """The curves of both runs without their times."""
    runs = {"counts": training.folder, "plain": training.plain}
    tables = [_curve(folder).drop(columns="seconds").assign(start=start)
              for start, folder in runs.items() if folder]
    return pd.concat(tables)


def quality(training: Training, folder: Path, pieces: np.ndarray, texts: Texts) -> pd.DataFrame:
    """Rows text, by, measure, value, n: the model beside a count model, on each text.

    folder: with the model's weights. pieces: (n,) of the training text.
    """
    if training.name == "cwr-elmo":
        return pd.DataFrame(_quality_of_words(training, texts))
    model, tokenizer = scores.predictor(training.name, folder)
    size = tokenizer.get_vocab_size()
    rows = []
    for label, articles in texts.items():
        held_out, characters = scores.first_pieces(articles, tokenizer, HELD_OUT_PIECES)
        if training.name == "cwr-gpt":
            whole = list(scores.score_causal(model, held_out, characters))
            whole += rivals.trigram(pieces, held_out, characters, size)
        else:
            whole, hidden = scores.score_masked(model, held_out)
            whole += rivals.both_neighbours(pieces, held_out, hidden, size)
        beginning = scores.score(training.name, model, held_out[:scores.BEGINNING], characters)
        rows += [{"text": label, **row} for row in whole]
        rows += [{"text": f"{label}, beginning", **row} for row in beginning]
    return pd.DataFrame(rows)


def _quality_of_words(training: Training, texts: Texts) -> Iterator[dict]:
    """cwr-elmo beside the trigram of its classes.

    The word vectors that it predicts with are in the checkpoint; they are not shipped.
    """
    weights = loop.read_checkpoint(training.folder / loop.CHECKPOINT)["model"]
    files = training.folder / "model"
    elmo = ELMo.from_files(files / "options.json", files / "weights.hdf5")
    classes = len(weights["bias"])
    model = LanguageModel(elmo, classes)
    model.load_state_dict(weights)
    model.eval()
    words_read = text.words(training.articles)
    vocabulary = text.vocabulary_of(words_read)
    for label, articles in texts.items():
        words = text.words(articles, vocabulary)
        words = replace(words, stream=words.stream[:HELD_OUT_WORDS])
        rows = list(scores.score_bilstm(model, words))
        rows += rivals.word_trigram(words_read, words, classes)
        for row in rows:
            yield {"text": label, **row}


def along(training: Training, pieces: np.ndarray, corpus: corpora.Corpus) -> pd.DataFrame:
    """Statistics of the snapshots of the plain run if there is one, else of the shipped run.

    pieces: (n,) of the training text. Special tokens are left out: no text contains them.
    """
    folder = training.plain or training.folder
    curve = _curve(folder).set_index("step")["words"]
    words_a_step = curve.iloc[-1] / curve.index[-1]
    with_matrix = training.name != "cwr-elmo"               # a biLSTM reads characters
    first = len(text.SPECIALS)
    size = training.tokenizer.get_vocab_size()
    counts = np.bincount(pieces, minlength=size)[first:] if with_matrix else None

    def opened() -> Iterator[tuple]:
        for step, path in snapshots.folders(folder):
            encoder = encoders.load(str(path), device="cpu")
            encoder.name = training.name
            matrix = encoder.embedding_matrix()[first:] if with_matrix else None
            yield step, step * words_a_step, encoder, matrix

    return snapshots.along(opened(), corpus, counts)


def facts(training: Training, folder: Path) -> dict:
    """What the card says of how the model came about. folder: with its weights."""
    checkpoint = loop.read_checkpoint(training.folder / loop.CHECKPOINT)
    weights = next(file for file in folder.iterdir() if file.suffix in WEIGHTS)
    return {"model": training.name,
            "recipe": checkpoint["run"]["recipe"],
            "articles": len(training.articles),
            "words": count_words(training.articles),
            "text_sha256": text_digest(training.articles),
            "steps": checkpoint["step"],
            "hours": round(checkpoint["seconds"] / 3600, 2),
            "weights_sha256": hashlib.sha256(weights.read_bytes()).hexdigest(),
            "bytes": weights.stat().st_size,
            "torch": torch.__version__,
            "machine": f"{platform.machine()} CPU, one thread"}


def text_digest(articles: Sequence[Article]) -> str:
    """sha256 of the titles and paragraphs of a text."""
    digest = hashlib.sha256()
    for article in articles:
        digest.update("\n".join((article.title, *article.paragraphs, "")).encode())
    return digest.hexdigest()


def _curve(folder: Path) -> pd.DataFrame:
    """The curve of a training; a row that a resumed run wrote again counts once."""
    return pd.read_csv(folder / "curve.csv").drop_duplicates("step", keep="last")
