"""Trains four kinds of network as language models on the same words from a plain start.

The comparison of Peters et al. (2018b), "Dissecting contextual word embeddings", section 3: biLSTMs
of two and of four layers, a gated CNN, and a transformer that reads both ways, which here is a
causal model and its reversed twin. Above their input all four have about 2.36 million weights, and
a step reads about a thousand words (transformers: pieces).
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from cwr import encoders, paths
from cwr.corpora import Article
from cwr.corpora.wiki_text.articles import count_words
from cwr.encoders import loading
from cwr.errors import UserError
from cwr.making.language_models import bilstm, session, text
from cwr.making.language_models.bilstm import BiLSTMLearner
from cwr.making.language_models.causal_masked import Causal
from cwr.making.language_models.learner import LanguageLearner
from cwr.making.language_models.recipes import RECIPES, Recipe
from cwr.texts.survey import backwards, gated_cnn

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
WORDS = (2_000_000, 4_000_000)  # of a text and of its half: what the second half is worth
COMMAND = "python workflow/train_networks.py FOLDER"


def prepare(
    name: str, articles: Sequence[Article], folder: Path, *, device: str = "cpu", **changes
) -> session.Session:
    """Prepares a training of TRAININGS on these articles, with its checkpoints in folder/name.

    device: "cpu", "cuda" or "auto". changes: fields of `Recipe`.
    Raises UserError for another name, a device that is not there and too short a text.
    """
    if name not in TRAININGS:
        raise UserError(f"there is no network {name!r}; choose one of {', '.join(TRAININGS)}")
    kind, recipe = TRAININGS[name]
    recipe = replace(recipe, **changes)
    n_words, device = count_words(articles), str(loading.choose_device(device))
    if issubclass(kind, BiLSTMLearner):
        learner = kind(recipe, text.words(articles), n_words, device)
    else:
        tokenizer = session.tokenizer("shipped", list(articles), folder)
        learner = kind(recipe, text.encode(tokenizer, articles), tokenizer, n_words, device)
    return session.Session(name, learner, folder / name, session.about(articles))


def finished(folder: Path) -> list[str]:
    """Lists the networks whose trainings in a folder have all ended."""
    return [
        name
        for name, trainings in NETWORKS.items()
        if all((folder / training / session.RECORD).is_file() for training in trainings)
    ]


def open_network(name: str, folder: Path) -> "Encoder":
    """Opens a trained network as an encoder, named after the network.

    Raises UserError, with the command, for a network whose training in `folder` has not ended.
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
    """Counts a network's weights between the vectors it reads and those that predict."""
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
    """Finds the folder of trainings that a name means: a path, or a folder below one of CWR_DATA.

    Returns None for an empty name and if there is no such folder.
    """
    roots = [Path(), *paths.data_roots()]
    folders = [paths.named(str(root / name)) for root in roots] if name else []
    return next((folder for folder in folders if folder and folder.is_dir()), None)


def texts(folder: Path) -> dict[int, Path]:
    """Lists the subfolders with networks of one text: {its words: subfolder}, fewest first."""
    named = {int(each.name): each for each in folder.iterdir() if each.name.isdigit()}
    return dict(sorted(named.items()))


def ends(folder: Path) -> pd.DataFrame:
    """Tabulates the end of each training in a folder: text (words), training, heldout (nats).

    Nats of words and nats of pieces cannot be compared.
    """
    rows = [
        (words, name, pd.read_csv(place / name / "curve.csv")["heldout"].iloc[-1])
        for words, place in texts(folder).items()
        for name in TRAININGS
        if (place / name / session.RECORD).is_file()
    ]
    return pd.DataFrame(rows, columns=["text", "training", "heldout"])


def kept_ends() -> pd.DataFrame:
    """Loads the `ends` of the trainings behind the book's numbers at `base`."""
    return pd.read_csv(Path(__file__).with_suffix(".csv"))
