"""Four kinds of network, each trained as a language model on the same words from a plain start.

The comparison of Peters et al. (2018b), "Dissecting contextual word embeddings", section 3: biLSTMs
of two and of four layers, a gated CNN, and a transformer that reads both ways, which here is a
causal model and its reversed twin. Above their input all four have about 2.36 million weights, and
a step reads about a thousand words (transformers: pieces).
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr import encoders, paths
from cwr.corpora import Article
from cwr.corpora.wiki_text.articles import count_words
from cwr.errors import UserError
from cwr.training.language_models import backwards, bilstm, gated_cnn, session, text
from cwr.training.language_models.bilstm import BiLSTMLearner
from cwr.training.language_models.causal_masked import Causal
from cwr.training.language_models.learner import LanguageLearner
from cwr.training.language_models.recipes import RECIPES, Recipe

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

_WORDS = replace(RECIPES["cwr-elmo"], rows=32, start="plain")
_PIECES = replace(RECIPES["cwr-gpt"], layers=6, dim=128, start="plain")
TRAININGS: dict[str, tuple[type[LanguageLearner], Recipe]] = {
    "lstm-2": (BiLSTMLearner, _WORDS),
    "gpt": (Causal, _PIECES),
    "gpt-backwards": (backwards.Backwards, _PIECES),
    "gated-cnn": (gated_cnn.GatedCNNLearner, replace(_WORDS, layers=9)),
    "lstm-4": (BiLSTMLearner, replace(_WORDS, layers=4)),
}
NETWORKS = {  # and the trainings that each is made of
    "lstm-2": ("lstm-2",),
    "lstm-4": ("lstm-4",),
    "gated-cnn": ("gated-cnn",),
    "gpt-both-ways": ("gpt", "gpt-backwards"),
}
FAMILIES = {
    "lstm-2": "bilstm",
    "lstm-4": "bilstm",
    "gated-cnn": gated_cnn.FAMILY,
    "gpt-both-ways": "causal",
}
COMMAND = "python workflow/train_networks.py FOLDER"


def prepare(name: str, articles: Sequence[Article], folder: Path, **changes) -> session.Session:
    """A training of TRAININGS on these articles, its checkpoints in folder/name.

    changes: fields of `Recipe`. Raises UserError for another name and for too short a text.
    """
    if name not in TRAININGS:
        raise UserError(f"there is no network {name!r}; choose one of {', '.join(TRAININGS)}")
    kind, recipe = TRAININGS[name]
    recipe = replace(recipe, **changes)
    n_words = count_words(articles)
    if issubclass(kind, BiLSTMLearner):
        learner = kind(recipe, text.words(articles), n_words)
    else:
        tokenizer = session.tokenizer("shipped", list(articles), folder)
        learner = kind(recipe, text.encode(tokenizer, articles), tokenizer, n_words)
    return session.Session(name, learner, folder / name, session.about(articles))


def finished(folder: Path) -> list[str]:
    """The networks of which a folder has all trainings, to their ends."""
    return [
        name
        for name, trainings in NETWORKS.items()
        if all((folder / training / session.RECORD).is_file() for training in trainings)
    ]


def open_network(name: str, folder: Path) -> "Encoder":
    """A trained network as an encoder, called by its name.

    Raises UserError for a network whose training has not ended there, with the command for it.
    """
    if name not in finished(folder):
        raise UserError(
            f"the network {name} is not trained in {folder.name or 'that folder'}: "
            f"`{COMMAND}` does it, and goes on where it was cut off"
        )
    models = [folder / training / "model" for training in NETWORKS[name]]
    if name == "gated-cnn":
        return gated_cnn.open_encoder(models[0], name)
    if len(models) == 2:
        return backwards.open_both(*models, name)
    encoder = encoders.load(str(models[0]))
    encoder.name = name
    return encoder


def contextual_weights(name: str) -> int:
    """How many weights a network has between the vectors that it reads and those that predict."""
    return sum(_weights_of(*TRAININGS[training]) for training in NETWORKS[name])


def _weights_of(kind: type[LanguageLearner], recipe: Recipe) -> int:
    p, layers = recipe.dim, recipe.layers
    if issubclass(kind, Causal):
        return layers * (12 * p * p + 13 * p)  # queries, keys, values, output; the wide layer
    if issubclass(kind, gated_cnn.GatedCNNLearner):
        return 2 * layers * (gated_cnn.WIDTH * p + 1) * 2 * p
    c = bilstm.options(recipe)["lstm"]["dim"]
    return 2 * layers * ((2 * p + 1) * 4 * c + c * p)  # gates with biases, projection


def folder_of(name: str) -> Path | None:
    """The folder of trainings that a name means: a path, or a folder below one of CWR_DATA.

    None for an empty name and where there is no such folder.
    """
    roots = [Path(), *paths.data_roots()]
    folders = [paths.named(str(root / name)) for root in roots] if name else []
    return next((folder for folder in folders if folder and folder.is_dir()), None)


def curves(folder: Path) -> pd.DataFrame:
    """How the trainings in a folder went: network, words (read), loss, heldout (nats).

    Nats of words and nats of pieces cannot be compared.
    """
    tables = []
    for name in TRAININGS:
        file = folder / name / "curve.csv"
        if file.is_file():
            curve = pd.read_csv(file).drop_duplicates("step", keep="last")
            tables.append(curve[["words", "loss", "heldout"]].assign(network=name))
    columns = ["network", "words", "loss", "heldout"]
    return pd.concat(tables)[columns] if tables else pd.DataFrame(columns=columns)


def second_halves(curves: pd.DataFrame) -> pd.DataFrame:
    """By how many per cent the later half of the words read lowered the held-out loss: how much is
    still learned.

    At every point of a curve, the last of which is what the whole training says: rates fall towards
    its end. Loss at half of the words lies on a line between two points; points whose half lies
    before the first one are left out. Of a network of two trainings the loss is the mean of theirs.
    Nats cancel, so networks of words and of pieces can be compared.
    curves: network (or training), words, heldout, as `curves`. Returns network, words, value.
    """
    by_training = dict(list(curves.dropna(subset="heldout").groupby("network", sort=False)))
    parts = NETWORKS | {name: (name,) for name in by_training if name not in TRAININGS}
    tables = [pd.DataFrame(columns=["network", "words", "value"])]
    for name, trainings in parts.items():
        if by_training.keys() >= set(trainings):
            lines = [by_training[training].sort_values("words") for training in trainings]
            words = lines[0]["words"].to_numpy()
            words = words[words >= 2 * words[0]]
            value = 100 * (1 - _loss(lines, words) / _loss(lines, words / 2))
            tables.append(pd.DataFrame({"network": name, "words": words, "value": value}))
    return pd.concat(tables[1:] or tables, ignore_index=True)


def _loss(lines: Sequence[pd.DataFrame], words: np.ndarray) -> np.ndarray:
    """The mean held-out loss of these trainings after so many words, (points,)."""
    losses = [np.interp(words, line["words"], line["heldout"]) for line in lines]
    return np.mean(losses, axis=0)


def kept_curves() -> pd.DataFrame:
    """`curves` of the trainings behind the book's numbers at `base`, which travel with it."""
    return pd.read_csv(Path(__file__).with_suffix(".csv"))
