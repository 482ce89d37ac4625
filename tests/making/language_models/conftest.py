"""A tiny text, its vocabulary, and learners of it that train in a second."""

import dataclasses

import numpy as np
import pytest

from cwr.corpora import Article
from cwr.making.language_models import text
from cwr.making.language_models.bilstm import BiLSTMLearner
from cwr.making.language_models.causal_masked import Causal, Masked
from cwr.making.language_models.recipes import RECIPES

SENTENCES = [
    "The river runs to the sea.",
    "Rain fell on the hills all night!",
    "Who saw the old bridge?",
    "Boats carry grain and salt.",
    "The hills are green in spring.",
]
TINY = {
    "cwr-gpt": dataclasses.replace(RECIPES["cwr-gpt"], layers=1, dim=64, size=16),
    "cwr-bert": dataclasses.replace(
        RECIPES["cwr-bert"], layers=1, dim=64, size=16, rows=4
    ),
    "cwr-elmo": dataclasses.replace(RECIPES["cwr-elmo"], dim=8, rows=4, size=8),
}


def article(number, seed):
    draw = np.random.default_rng((seed, number))
    paragraphs = [" ".join(draw.permutation(SENTENCES)) for _ in range(3)]
    return Article(number, f"Title {number}", tuple(paragraphs))


@pytest.fixture(scope="session")
def sentences():
    return SENTENCES


@pytest.fixture(scope="session")
def articles():
    return [article(number, seed=0) for number in range(24)]


@pytest.fixture(scope="session")
def held_out():
    return [article(number, seed=1) for number in range(4)]


@pytest.fixture(scope="session")
def tokenizer(articles):
    return text.train_tokenizer(articles, size=120)


@pytest.fixture(scope="session")
def pieces(tokenizer, articles):
    return text.encode(tokenizer, articles)


@pytest.fixture(scope="session")
def learner(tokenizer, pieces, articles, device):
    """A function: a new tiny learner of a shipped model's kind, with changes to its recipe."""

    def new(name, **changes):
        recipe = dataclasses.replace(TINY[name], **changes)
        if recipe.family == "bilstm":
            pytest.importorskip(
                "spacy", reason="needs spaCy, which finds words: pip install spacy"
            )
            return BiLSTMLearner(recipe, text.words(articles, classes=20), 1000, device)
        kind = {"causal": Causal, "masked": Masked}[recipe.family]
        return kind(recipe, pieces, tokenizer, 1000, device)

    return new


@pytest.fixture(scope="session", params=TINY)
def name(request):
    return request.param
