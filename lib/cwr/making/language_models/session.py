"""Trains a model on a text: the functions that the notebook on the recipe calls."""

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from tokenizers import Tokenizer
from tqdm.auto import tqdm

from cwr import corpora
from cwr.corpora import Article, wiki_text
from cwr.corpora.wiki_text.articles import count_words
from cwr.encoders import hub, loading
from cwr.errors import UserError
from cwr.making.language_models import snapshots, text
from cwr.making.language_models.bilstm import BiLSTMLearner
from cwr.making.language_models.causal_masked import Causal, Masked
from cwr.making.language_models.learner import LanguageLearner
from cwr.making.language_models.recipe_changes import changed
from cwr.making.language_models.recipes import RECIPES
from cwr.training import loop

HELD_OUT_WORDS = 30_000  # more than a learner's `held_out` reads, and tokenised at every look
VOCABULARY = "vocabulary.json"
RECORD = "trained.json"  # beside the model of a finished run
COLUMNS = ["step", "words", "loss", "seconds", "heldout"]  # of a curve
TRANSFORMERS = {"causal": Causal, "masked": Masked}


@dataclass(frozen=True, eq=False)
class Session:
    """A learner, the folder of its checkpoints, and facts about its text."""

    name: str
    learner: LanguageLearner
    folder: Path
    text: Mapping[str, int | str] = field(default_factory=dict)


def read(name: str, words: int = 0) -> list[Article]:
    """Returns the first articles of a text, of at least `words` words (0: all articles).

    name: "wiki-text", the shipped models' training text, or a corpus of the book.
    Raises UserError for more words than the text has.
    """
    if name == "wiki-text":
        return text.prefix(words)
    return text.beginning(corpora.articles(corpora.load(name)), words, f"the text {name}")


def held_out(name: str) -> list[Article]:
    """Returns held-out articles for "wiki-text"; [] for any other text."""
    return wiki_text.sample(HELD_OUT_WORDS) if name == "wiki-text" else []


def prepare(
    name: str,
    articles: list[Article],
    folder: Path,
    *,
    vocabulary: str = "shipped",
    device: str = "auto",
    **changes,
) -> Session:
    """Prepares a training of the model `name` ("cwr-elmo", "cwr-bert", "cwr-gpt") on articles.

    folder: for checkpoints. vocabulary: "shipped" takes that of the shipped models, "new" learns
        one from the articles (and keeps it in the folder's parent, for both transformers).
    changes: fields of `Recipe` (start, seed, epochs, rows, ...).
    Raises UserError for a name without recipe, another vocabulary, an impossible recipe, and too
    short a text.
    """
    if name not in RECIPES:
        raise UserError(f"there is no recipe for {name!r}; choose one of {', '.join(RECIPES)}")
    recipe = changed(RECIPES[name], changes)
    device = str(loading.choose_device(device))
    n_words = count_words(articles)
    if recipe.family == "bilstm":
        learner = BiLSTMLearner(recipe, text.words(articles), n_words, device)
        return Session(name, learner, folder, about(articles))
    pieces_by = tokenizer(vocabulary, articles, folder.parent)
    pieces = text.encode(pieces_by, articles)
    learner = TRANSFORMERS[recipe.family](recipe, pieces, pieces_by, n_words, device)
    return Session(name, learner, folder, about(articles))


def about(articles: Sequence[Article]) -> dict[str, int | str]:
    """Describes a text for a model's card: articles, blank-separated words, checksum."""
    digest = hashlib.sha256()
    for article in articles:
        digest.update("\n".join((article.title, *article.paragraphs, "")).encode())
    return {
        "articles": len(articles),
        "words": count_words(articles),
        "text_sha256": digest.hexdigest(),
    }


def tokenizer(vocabulary: str, articles: list[Article], folder: Path) -> Tokenizer:
    """Returns the shipped models' WordPiece tokenizer, or a new one learned from articles.

    vocabulary: "shipped" or "new". folder: keeps the new tokenizer, which is learned only once.
    Raises UserError for another vocabulary.
    """
    if vocabulary == "shipped":
        return Tokenizer.from_file(str(hub.find("cwr-bert").folder / "tokenizer.json"))
    if vocabulary != "new":
        raise UserError(f'a vocabulary is "shipped" or "new", not {vocabulary!r}')
    file = folder / VOCABULARY
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        text.train_tokenizer(articles).save(str(file))
    return Tokenizer.from_file(str(file))


def run(
    session: Session,
    steps: int = 0,
    row_every: int = 50,
    *,
    keep_snapshots: bool = False,
    heldout: Sequence[Article] = (),
    progress: bool = False,
) -> pd.DataFrame:
    """Trains up to step `steps` (0: to the end); returns the learning curve.

    The curve has a row every `row_every` steps and for the last step: step, words, loss (mean over
    the steps since the last row, in nats), seconds, heldout (the loss on the articles `heldout`, or
    NaN).
    keep_snapshots: saves the model at about twelve log-spaced steps, for measures along training
        (`snapshots.folders`).
    progress: shows a bar with the loss and the words read per second.
    A finished run leaves its model in <folder>/model, and beside it the other files for shipping
    (`RECORD`, and a biLSTM's output layer). The rows are also kept in <folder>/curve.csv, to which
    a resumed run adds its own.
    """
    learner = session.learner
    last = min(steps or learner.steps, learner.steps)
    rows, losses = [], []
    with tqdm(total=last, unit="step", desc=session.name, leave=False, disable=not progress) as bar:
        for done in _training(session, last, keep_snapshots):
            losses.append(done.loss)
            words = learner.words(done.step)
            _show(bar, done, words, losses)
            if done.step % row_every == 0 or done.step == last:
                on_held_out = learner.held_out(heldout) if heldout else float("nan")
                mean_loss = float(np.mean(losses))
                rows.append((done.step, round(words), mean_loss, done.seconds, on_held_out))
                losses = []
    if last == learner.steps:
        _finish(session)
    curve = pd.DataFrame(rows, columns=COLUMNS)
    file = session.folder / "curve.csv"
    curve.to_csv(file, index=False, mode="a", header=not file.exists(), lineterminator="\n")
    return curve


def _training(session: Session, last: int, keep_snapshots: bool) -> Iterator[loop.Progress]:
    learner = session.learner

    def keep(step: int) -> None:
        learner.save(snapshots.folder(session.folder, step))

    visits = loop.log_steps(learner.steps) if keep_snapshots else ()
    return loop.train(
        learner, learner.schedule, session.folder, until=last, visit=keep, visits=visits
    )


def _finish(session: Session) -> None:
    """Saves the model of a finished run, and the facts on the run for its card."""
    learner = session.learner
    learner.save(session.folder / "model")
    learner.save_predictor(session.folder)
    checkpoint = loop.read_checkpoint(session.folder / loop.CHECKPOINT)
    record = {
        "model": session.name,
        "recipe": repr(learner.recipe),
        **session.text,
        "steps": checkpoint["step"],
        "hours": round(checkpoint["seconds"] / 3600, 2),
        "torch": torch.__version__,
        "machine": machine(learner.device),
    }
    text = json.dumps(record, indent=1) + "\n"
    (session.folder / RECORD).write_text(text, encoding="utf-8")


def machine(device: torch.device) -> str:
    """Formats a device for a card: "x86_64 CPU, one thread", "x86_64 machine's GPU (...)"."""
    if device.type == "cuda":
        return f"{platform.machine()} machine's GPU ({torch.cuda.get_device_name(device)})"
    threads = torch.get_num_threads()
    return f"{platform.machine()} CPU, {'one thread' if threads == 1 else f'{threads} threads'}"


def _show(bar: tqdm, done: loop.Progress, words: float, losses: list[float]) -> None:
    bar.update(done.step - bar.n)
    speed = words / max(done.seconds, 1e-9)
    bar.set_postfix_str(f"loss {np.mean(losses[-50:]):.2f}, {speed:,.0f} words/s", refresh=False)
