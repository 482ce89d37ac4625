"""Makes a shipped model's folder from finished trainings: weights, and the files for its card.

A training is a folder that `session.run` wrote: model/, trained.json, curve.csv and at_<step>/.
`measure` adds the measurements, on any machine; `ship` needs only these files. Count models count
exactly the words that the model saw.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from tokenizers import Tokenizer

from cwr import corpora, encoders, paths
from cwr.corpora import Article
from cwr.errors import UserError
from cwr.making.language_models import bilstm, rivals, scores, session, snapshots, text

HELD_OUT_PIECES = 300_000  # of each text; the biLSTM's words are about as much text
HELD_OUT_WORDS = 120_000
WEIGHTS = (".safetensors", ".hdf5")
QUALITY, ALONG = "quality.csv", "along.csv"
Texts = Mapping[str, Sequence[Article]]  # held-out texts by their names in quality.csv


@dataclass(frozen=True, eq=False)
class Training:
    """A finished training of cwr-elmo, cwr-bert or cwr-gpt."""

    name: str
    folder: Path
    plain: Path | None = None  # the training from a plain start, if there was one

    @property
    def record(self) -> dict:
        """The facts on the training, from trained.json; UserError if the training has not ended."""
        file = self.folder / session.RECORD
        if not file.is_file():
            raise UserError(f"there is no {file}: the training of {self.name} has not ended there")
        return json.loads(file.read_text(encoding="utf-8"))


def measure(
    training: Training,
    articles: Sequence[Article],
    texts: Texts,
    corpus: corpora.Corpus,
    device: str = "cpu",
) -> None:
    """Measures a finished training; writes quality.csv and along.csv into its folder.

    articles: the training text. texts: held-out texts to score model and count model on. corpus:
        sentences to measure the snapshots along the training on.
    Raises UserError for articles other than those of the training.
    """
    if session.about(articles)["text_sha256"] != training.record["text_sha256"]:
        raise UserError(f"{training.folder} was trained on another text than the one at hand")
    if training.name == "cwr-elmo":
        quality, counts = pd.DataFrame(_quality_of_words(training, articles, texts, device)), None
    else:
        tokenizer = Tokenizer.from_file(str(training.folder / "model" / "tokenizer.json"))
        pieces = text.encode(tokenizer, articles)
        quality = pd.DataFrame(_quality_of_pieces(training, pieces, texts, device))
        counts = np.bincount(pieces, minlength=tokenizer.get_vocab_size())
    tables = {QUALITY: quality, ALONG: along(training, counts, corpus, device)}
    for file, table in tables.items():
        _write(table, training.folder / file)


def ship(training: Training, target: Path) -> None:
    """Writes the folder `target` of a shipped model, completely or not at all, without its card.

    Raises UserError for a training that has not ended or was not measured.
    """
    record = training.record
    for file in (QUALITY, ALONG):
        if not (training.folder / file).is_file():
            raise UserError(f"{training.folder} has no {file}: the training was not measured yet")
    with paths.replacing(target) as folder:
        shutil.copytree(training.folder / "model", folder, dirs_exist_ok=True)
        shutil.copy(training.folder / ALONG, folder)
        _write(_repeatable(training), folder / QUALITY)
        _write(curves(training), folder / "curve.csv")
        content = json.dumps(record | _weights(folder), indent=1) + "\n"
        (folder / "made.json").write_text(content, encoding="utf-8")


def _repeatable(training: Training) -> pd.DataFrame:
    """Returns the rows of quality.csv that a reader of the shipped files can measure again.

    The rows of a model that is shipped without its output layer are left out.
    """
    table = pd.read_csv(training.folder / QUALITY)
    return table if training.name in scores.CLASSES else table[table["by"] != training.name]


def curves(training: Training) -> pd.DataFrame:
    """Joins the learning curves of the shipped and the plain run, marked by a column `start`."""
    runs = {"counts": training.folder, "plain": training.plain}
    tables = [
        _curve(folder).drop(columns="seconds").assign(start=start)
        for start, folder in runs.items()
        if folder
    ]
    return pd.concat(tables)


def along(
    training: Training, counts: np.ndarray | None, corpus: corpora.Corpus, device: str = "cpu"
) -> pd.DataFrame:
    """Measures the snapshots of the plain run if there is one, else of the shipped run.

    counts: (vocabulary,) the frequency of each piece in the text; None for a biLSTM, which reads
        characters. Special tokens, which no text contains, are left out.
    """
    folder = training.plain or training.folder
    curve = _curve(folder).set_index("step")["words"]
    words_a_step = curve.iloc[-1] / curve.index[-1]
    first = len(text.SPECIALS)

    def opened() -> Iterator[tuple]:
        """Yields each snapshot's step, words read, encoder and matrix."""
        for step, path in snapshots.folders(folder):
            encoder = encoders.load(str(path), device=device)
            encoder.name = training.name
            matrix = None if counts is None else encoder.embedding_matrix()[first:]
            yield step, step * words_a_step, encoder, matrix

    return snapshots.along(opened(), corpus, None if counts is None else counts[first:])


def _quality_of_pieces(
    training: Training, pieces: np.ndarray, texts: Texts, device: str
) -> Iterator[dict]:
    """Yields rows (text, by, measure, value, n) on a transformer and a count model for each text.

    pieces: (n,) the training text.
    """
    model, tokenizer = scores.predictor(training.name, training.folder / "model", device)
    size = tokenizer.get_vocab_size()
    for label, articles in texts.items():
        held_out, characters = scores.first_pieces(articles, tokenizer, HELD_OUT_PIECES)
        if training.name == "cwr-gpt":
            whole = list(scores.score_causal(model, held_out, characters))
            whole += rivals.trigram(pieces, held_out, characters, size)
        else:
            whole, hidden = scores.score_masked(model, held_out)
            whole += rivals.both_neighbours(pieces, held_out, hidden, size)
        beginning = scores.score(training.name, model, held_out[: scores.BEGINNING], characters)
        for row in whole:
            yield {"text": label, **row}
        for row in beginning:
            yield {"text": f"{label}, beginning", **row}


def _quality_of_words(
    training: Training, read: Sequence[Article], texts: Texts, device: str
) -> Iterator[dict]:
    """Yields the same rows on cwr-elmo and a trigram of its classes. read: the training text."""
    model = bilstm.open_model(training.folder).to(device)
    words_read = text.words(read)
    vocabulary = text.vocabulary_of(words_read)
    for label, articles in texts.items():
        words = text.words(articles, vocabulary)
        words = replace(words, stream=words.stream[:HELD_OUT_WORDS])
        rows = list(scores.score_bilstm(model, words))
        rows += rivals.word_trigram(words_read, words, len(model.bias))
        for row in rows:
            yield {"text": label, **row}


def _weights(folder: Path) -> dict:
    """Returns size and checksum of the weights in a folder."""
    weights = next(file for file in folder.iterdir() if file.suffix in WEIGHTS)
    digest = hashlib.sha256(weights.read_bytes()).hexdigest()
    return {"weights_sha256": digest, "bytes": weights.stat().st_size}


def _curve(folder: Path) -> pd.DataFrame:
    """Reads the learning curve of a training; of rows with the same step the last counts."""
    return pd.read_csv(folder / "curve.csv").drop_duplicates("step", keep="last")


def _write(table: pd.DataFrame, file: Path) -> None:
    table.round(4).to_csv(file, index=False, lineterminator="\n")
