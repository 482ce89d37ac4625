"""Class 9: a distillation that cannot begin, and word vectors that cannot be written."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
from bad_inputs.row import Row

from cwr.corpora import Corpus, fingerprint
from cwr.corpora.paragraphs import paragraphs
from cwr.corpora.sentences import joined
from cwr.corpora.word_vectors import WordVectors
from cwr.estimates import contexts
from cwr.estimates.choices import of_kinds
from cwr.estimates.context_pieces import piece_targets
from cwr.texts.gupta2021 import left_out, neighbours, teacher_costs
from cwr.texts.gupta2021.choices import CHOICES
from cwr.training.static_vectors import export

ELMO = SimpleNamespace(name="cwr-elmo", tokenizer=None)  # all that is asked of it here
USE = "cwr run gupta2021/06_use_it -p"


def exported(folder: Path) -> None:
    """Write two vectors into a folder of the checkout that exists."""
    export.write(WordVectors("mine", ("king", "queen"), np.eye(2)), folder / "notebooks")


def corpus(*texts: str) -> Corpus:
    """These sentences, one paragraph."""
    sentences = tuple(joined(text.split()) for text in texts)
    return Corpus("mine", sentences, fingerprint(sentences), "ours")


def counted(*texts: str) -> contexts.Vocabulary:
    """The words that occur five times in these sentences."""
    return contexts.vocabulary(corpus(*texts), 5)


def in_pieces(_: Path) -> None:
    """Ask for the pieces of a teacher that has none."""
    texts, table = paragraphs(corpus("the king"))
    piece_targets(ELMO, texts, table, "pieces")


def without_its_target(_: Path) -> None:
    lines = corpus("king", "queen")
    left_out.word_vectors(ELMO, lines, contexts.vocabulary(lines, 1))


def thinned_out(_: Path) -> None:
    """Train with a threshold that leaves hardly a target."""
    from cwr.training.static_vectors import x2static

    settings = x2static.Settings(threshold=1e-9)
    x2static.train(
        np.ones((5, 2), np.float32), counted(*["the king"] * 5), settings, "mine"
    )


def looked_up(_: Path) -> None:
    neighbours.queries(["kimg"], ["the", "king", "queen"])


ROWS = [
    Row(9, "a teacher that is none", f"{USE} teacher 'no such model'",
        "^cwr: there is no model folder 'no such model'"),
    Row(9, "a text that is none, to distil", f"{USE} corpus nowhere.txt",
        "is neither a named corpus"),
    Row(9, "word vectors of a text that is none", "cwr vectors cwr-bert nowhere.txt",
        "is neither a named corpus"),
    Row(9, "word vectors into a folder that exists", "cwr vectors cwr-bert lee --folder notebooks",
        "^cwr: the folder notebooks exists: name a new one for the word vectors$"),
    Row(9, "a unit of context that is none", f"{USE} context word",
        "^cwr: parameter 'context' of gupta2021/06_use_it must be sentence or paragraph, "),
    Row(9, "no updates", f"{USE} steps 0",
        "^cwr: parameter 'steps' of gupta2021/06_use_it must be at least 1"),
    Row(9, "a threshold of nought", f"{USE} threshold 0",
        "^cwr: parameter 'threshold' of gupta2021/06_use_it must be above 0"),
    Row(9, "a text without sentences, to distil", lambda _: counted(),
        "^cwr: the corpus mine has no sentences"),
    Row(9, "a text without a frequent word, to distil", lambda _: counted("the king"),
        "^cwr: no word of mine occurs 5 times: give more text, or ask for fewer"),
    Row(9, "a sentence without words, to distil", lambda _: paragraphs(corpus("the king", "")),
        "^cwr: the sentence 'joined' of mine has no words: take it out$"),
    Row(9, "lines of one word, without their target", without_its_target,
        "^cwr: every line of mine is one word, and with the target left out nothing is left: give"),
    Row(9, "pieces of a teacher that reads characters", in_pieces,
        "^cwr: cwr-elmo reads words by their characters and has no pieces: take the mean over wo"),
    Row(9, "operations of a teacher that is no transformer",
        lambda _: teacher_costs.transformer_of(ELMO),
        "^cwr: cwr-elmo is no transformer, and its operations are not counted: leave it out$"),
    Row(9, "a threshold that leaves hardly a target", thinned_out,
        "^cwr: at the threshold 1e-09 only .* are targets, .* needs at least 1e-4$"),
    Row(9, "an export into a folder that exists", exported,
        "^cwr: the folder .*notebooks exists: name a new one for the word vectors$"),
    Row(9, "neighbours of a word without a vector", looked_up,
        "^cwr: 'kimg' has no vector, since it occurs too seldom in the text: did you mean 'king'"),
    Row(9, "a kind of choices that is none",
        lambda _: of_kinds(CHOICES, ["update"]),
        "^cwr: 'update' is no kind of choice: did you mean 'updates'"),
]  # fmt: skip
