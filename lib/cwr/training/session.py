"""From a model's name and a text to a run of training: what the notebook of the recipe calls."""
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from tokenizers import Tokenizer
from tqdm.auto import tqdm

from cwr import corpora
from cwr.corpora import Article
from cwr.corpora.wiki_text import sample
from cwr.encoders import hub, loading
from cwr.errors import UserError
from cwr.training import bilstm, language_models, text, transformers
from cwr.training.language_models import RECIPES, Learner, Recipe

HELD_OUT_WORDS = 30_000     # more than `Learner.held_out` reads of them, and tokenised anew at every look
LEARNERS = {"causal": transformers.Causal, "masked": transformers.Masked}


@dataclass(frozen=True, eq=False)
class Session:
    """A learner with its recipe, its text and the folder of its checkpoints."""

    name: str
    recipe: Recipe
    learner: Learner
    articles: list[Article]
    folder: Path


def read(name: str, words: int = 0) -> list[Article]:
    """The training text "wiki-text", or a corpus of the book as articles: the first ones, with so many words (0: all).

    Refuses more words than the text has.
    """
    if name == "wiki-text":
        return text.prefix(words)
    return text.beginning(corpora.articles(corpora.load(name)), words, f"the text {name}")


def held_out(name: str) -> list[Article]:
    """The first articles never trained on, as many as a look on the way reads; only "wiki-text" keeps some."""
    return sample(HELD_OUT_WORDS) if name == "wiki-text" else []


def prepare(name: str, chosen: list[Article], folder: Path, *, vocabulary: str = "shipped", device: str = "auto",
            **changes) -> Session:
    """A run of the model `name` ("cwr-elmo", "cwr-bert", "cwr-gpt") on these articles.

    vocabulary: "shipped", that of the shipped models, or "new", learned from the articles (and kept in the folder's
        parent, so that both transformers share it). changes: fields of `Recipe` (start, seed, epochs, rows, ...).
    """
    if name not in RECIPES:
        raise UserError(f"there is no recipe for {name!r}; choose one of {', '.join(RECIPES)}")
    recipe, where = replace(RECIPES[name], **changes), str(loading.choose_device(device))
    words = text.count_words(chosen)
    if recipe.family == "bilstm":
        learner = bilstm.BiLSTM(recipe, text.words(chosen), words, where)
    else:
        used = tokenizer(vocabulary, chosen, folder.parent)
        learner = LEARNERS[recipe.family](recipe, text.encode(used, chosen), used, words, where)
    return Session(name, recipe, learner, chosen, folder)


def tokenizer(vocabulary: str, chosen: list[Article], folder: Path) -> Tokenizer:
    """The shipped models' WordPiece vocabulary, or a new one of these articles, made once in `folder`."""
    if vocabulary == "shipped":
        return Tokenizer.from_file(str(hub.find("cwr-bert").folder / "tokenizer.json"))
    if vocabulary != "new":
        raise UserError(f"a vocabulary is \"shipped\" or \"new\", not {vocabulary!r}")
    file = folder / "vocabulary.json"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        text.train_tokenizer(chosen).save(str(file))
    return Tokenizer.from_file(str(file))


def run(session: Session, steps: int = 0, every: int = 50, snapshots: bool = False,
        heldout: Sequence[Article] = (), progress: bool = False) -> pd.DataFrame:
    """Train on, to `steps` in all (0: to the end); returns a row every `every` steps.

    Columns step, words, loss (mean over the steps since the row before, in nats), seconds, and heldout: the loss on
    these articles if there are any, else NaN. snapshots: keep the model as it is at about twelve log-spaced steps, in
    <folder>/at_<step>, for the statistics along training. A finished run leaves its model in <folder>/model. The
    rows are also kept in <folder>/curve.csv, where a run that goes on adds its own. progress: show a bar with the loss
    and the words read in a second.
    """
    learner, folder = session.learner, session.folder
    last = min(steps or learner.steps, learner.steps)
    visits = tuple(language_models.log_steps(learner.steps)) if snapshots else ()
    steady = language_models.train(learner, session.recipe, folder, until=last, visits=visits,
                                   visit=lambda step: learner.save(folder / f"at_{step}"))
    rows, losses = [], []
    with tqdm(total=last, unit="step", desc=session.name, leave=False, disable=not progress) as bar:
        for done in steady:
            losses.append(done.loss)
            bar.update(done.step - bar.n)
            speed = done.words / max(done.seconds, 1e-9)
            bar.set_postfix_str(f"loss {np.mean(losses[-50:]):.2f}, {speed:,.0f} words/s", refresh=False)
            if done.step % every == 0 or done.step == last:
                rows.append({"step": done.step, "words": round(done.words), "loss": float(np.mean(losses)),
                             "seconds": done.seconds,
                             "heldout": learner.held_out(heldout) if heldout else float("nan")})
                losses = []
    if last == learner.steps:
        learner.save(folder / "model")
    curve = pd.DataFrame(rows, columns=["step", "words", "loss", "seconds", "heldout"])
    kept = folder / "curve.csv"
    curve.to_csv(kept, index=False, mode="a", header=not kept.exists(), lineterminator="\n")
    return curve


def snapshots(folder: Path) -> Iterator[tuple[int, Path]]:
    """The models that `run` kept along a training, in order: (step, folder)."""
    found = {int(place.name.removeprefix("at_")): place for place in folder.glob("at_*")}
    yield from sorted(found.items())
