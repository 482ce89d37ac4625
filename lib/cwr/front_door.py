"""Computes vectors and three measures of your own sentences, in one line each.

Sentences are a list. Each is

    a text             its words are what blanks divide: "steep." is one word
    a list of words    joined by blanks before a model reads them
    a `Sentence`       of a corpus, or of `cwr.corpora.tokenise(text)`, which parts "steep" and "."

A model is a name that `cwr.encoders.load` takes (a shipped model, a folder, a hub id), or an
encoder that it has opened: open one yourself to read many times, on another device, or with random
weights. Layer 0 is the input of the first block, layer n_layers the last.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr import encoders, extraction
from cwr.corpora import Corpus, Sentence, fingerprint, joined
from cwr.encoders import matrices
from cwr.errors import UserError, quoted
from cwr.extraction import targets
from cwr.measures import contextuality
from cwr.measures.isotropy import SIGNS, partition_isotropy

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

SAMPLINGS = ("sentence", "occurrence")


def vectors(
    sentences: "Iterable[str | Iterable[str] | Sentence]",
    model: "str | Encoder",
    *,
    pooling: str = "mean",
) -> list[np.ndarray]:
    """Computes the vector of every word in every layer.

    sentences: texts, which blanks divide into words, or lists of words.
    model: a name or a folder, or an open encoder.
    pooling: how the vectors of a word's pieces become one: "mean", "first", "last", "min" or "max".

    Returns one array for each sentence, (n_layers + 1, words, dim) float32.
    Raises UserError for invalid or missing sentences, for a word that the model cannot read, and as
    `cwr.encoders.load`.

    >>> [first, second] = cwr.vectors(["The bank is steep", ["Don't", "!"]], "cwr-bert")
    >>> first.shape, second.shape
    ((5, 4, 192), (5, 2, 192))
    """
    corpus = _corpus(sentences)
    encoder = _encoder(model)
    shapes = [(encoder.n_layers + 1, len(s.spans), encoder.dim) for s in corpus.sentences]
    arrays = [np.full(shape, np.nan, np.float32) for shape in shapes]
    for batch in encoder.encode(corpus.sentences, pooling=pooling):
        for number in np.unique(batch.sentence):
            units = batch.sentence == number
            arrays[number][:, batch.position[units]] = batch.hidden[:, units]
    for sentence, array in zip(corpus.sentences, arrays, strict=True):
        _refuse_unread(sentence, np.isnan(array[0, :, 0]), encoder.name)
    return arrays


def self_similarity(
    word: str,
    sentences: "Iterable[str | Iterable[str] | Sentence]",
    model: "str | Encoder",
    *,
    pooling: str = "mean",
) -> np.ndarray:
    """Computes the mean cosine between the vectors of one word in its contexts, by layer.

    Ethayarajh (2019), equation 1: the mean of cos(w_i, w_j) over all pairs of different occurrences
    of the word. 1 means that all occurrences have the same direction. Random words of a layer may
    be similar, too: subtract `anisotropy` of the same layer.

    word: spelt as in the sentences; case counts. Other arguments as in `vectors`.

    Returns (n_layers + 1,) float64, cosines.
    Raises UserError as `vectors`, and for a word that occurs less than twice.

    >>> sentences = ["The bank is steep", "The bank is closed", "My bank pays"]
    >>> cwr.self_similarity("bank", sentences, "cwr-bert").round(2)
    array([1.  , 0.85, 0.77, 0.75, 0.81])
    """
    corpus = _corpus(sentences)
    count = sum(sentence.words.count(word) for sentence in corpus.sentences)
    if count < 2:
        raise UserError(
            f"of the 2 occurrences that self-similarity needs, the word {quoted(str(word))} has "
            f"{count} in these sentences: case counts, and in a text words are what blanks divide, "
            "so that a full stop belongs to the word before it"
        )
    occurrences = targets.occurrences(corpus, [word])
    return _by_layer(contextuality.self_similarity, corpus, occurrences, model, pooling)


def anisotropy(
    sentences: "Iterable[str | Iterable[str] | Sentence]",
    model: "str | Encoder",
    *,
    words: int = 1000,
    sampling: str = "sentence",
    pooling: str = "mean",
    seed: int = 0,
) -> np.ndarray:
    """Computes the mean cosine between the vectors of random words, by layer.

    Ethayarajh (2019), equation 4: the mean of cos(v, w) over all pairs of the words that are drawn.
    0 means that directions are spread evenly, 1 that all words have the same direction. A few
    hundred sentences give a steady value.

    words: how many words are drawn, at least 2; all words if there are fewer.
    sampling: "sentence" draws one word of each sentence, "occurrence" draws from all words.
    seed: the seed of the draw. Other arguments as in `vectors`.

    Returns (n_layers + 1,) float64, cosines.
    Raises UserError as `vectors`, for fewer than two words, and for another sampling.

    >>> lee = cwr.corpora.load("lee").sample(100).sentences
    >>> cwr.anisotropy(lee, "cwr-bert").round(2)
    array([0.14, 0.14, 0.12, 0.14, 0.3 ])
    """
    corpus = _corpus(sentences)
    if sampling not in SAMPLINGS:
        raise UserError(f"sampling is {quoted(str(sampling))}; choose {' or '.join(SAMPLINGS)}")
    random = targets.random_tokens(corpus, max(words, 0), seed, sampling)
    if len(random) < 2:
        raise UserError(
            f"{len(random)} random words have no pair: ask for at least 2, and give at least 2 "
            'sentences, since sampling="sentence" draws one word of each'
        )
    return _by_layer(contextuality.anisotropy_baseline, corpus, random, model, pooling)


def isotropy(model: "str | Encoder", *, sign: str = "positive") -> float:
    """Computes I(W) of a model's token matrix, in [0, 1]; 1 is isotropic.

    Biś et al. (2021), equation 8: the smallest over the largest Z(c) = sum over words of exp(c .
    w), where c runs over the eigenvectors of W'W. No text is read; of a model given by name only
    this matrix is read.

    sign: the sign of the eigenvectors, "positive", "negative" or "both"; see
        `cwr.measures.isotropy.partition_isotropy`, which takes a matrix of your own.

    Returns a float.
    Raises UserError for a model without a token matrix (an ELMo), and for another sign.

    >>> round(cwr.isotropy("cwr-bert"), 2)
    0.73
    """
    if sign not in SIGNS:
        raise UserError(f"sign is {quoted(str(sign))}; choose one of {', '.join(SIGNS)}")
    if isinstance(model, str | Path):
        return partition_isotropy(matrices.read(str(model)).W, sign)
    return partition_isotropy(_encoder(model).embedding_matrix(), sign)


# ---- what all four share


def _by_layer(
    measure: Callable[[np.ndarray], float],
    corpus: Corpus,
    words: pd.DataFrame,
    model: "str | Encoder",
    pooling: str,
) -> np.ndarray:
    """Computes a measure of the vectors of these words, (n_layers + 1,) float64.

    words: as `cwr.extraction.targets` makes them. Raises UserError for vectors without a cosine.
    """
    encoder = _encoder(model)
    run = extraction.run(encoder, corpus, words, pooling=pooling)
    try:
        return np.array([measure(run.vectors(layer)) for layer in range(run.n_layers + 1)])
    except ValueError as error:
        raise UserError(
            f"the vectors of {encoder.name} have no mean cosine here ({error}): give other sentences"
        ) from error


def _encoder(model: "str | Encoder") -> "Encoder":
    """Opens a named model, or returns an open encoder. Raises UserError for anything else."""
    if isinstance(model, str | Path):
        return encoders.load(str(model))
    from cwr.encoders.encoder import Encoder  # torch, which a name alone does not need yet

    if not isinstance(model, Encoder):
        raise UserError(
            f"the model is of type {type(model).__name__}: give a model's name, a folder, or what "
            "cwr.encoders.load returns"
        )
    return model


def _corpus(sentences) -> Corpus:
    """Returns a caller's sentences as a corpus. Raises UserError for no sentence, or no list."""
    if isinstance(sentences, str | bytes) or not isinstance(sentences, Iterable):
        raise UserError(
            f"the sentences are of type {type(sentences).__name__}: give a list of them, also if "
            'there is one, as ["The bank is steep"]'
        )
    read = tuple(_sentence(number, sentence) for number, sentence in enumerate(sentences))
    if not read:
        raise UserError("there are no sentences: give a list with at least one")
    return Corpus("your sentences", read, fingerprint(read), "that of the sentences")


def _sentence(number: int, sentence) -> Sentence:
    """Returns a caller's sentence, `sentences[number]`. Raises UserError if it has no words."""
    if isinstance(sentence, str):
        spans = tuple(word.span() for word in re.finditer(r"\S+", sentence))
        sentence = Sentence(str(number), str(sentence), spans)
    elif isinstance(sentence, Iterable) and not isinstance(sentence, bytes):
        words = list(sentence)
        if not all(isinstance(word, str) and word.strip() for word in words):
            raise UserError(f"sentences[{number}] is a list with an entry that is no word")
        sentence = replace(joined(words), id=str(number))
    if not isinstance(sentence, Sentence):
        raise UserError(
            f"sentences[{number}] is of type {type(sentence).__name__}: give a text or a list of words"
        )
    if not sentence.spans:
        raise UserError(f"sentences[{number}] has no words: take it out")
    if any("\ud800" <= letter <= "\udfff" for letter in sentence.text):
        raise UserError(f"sentences[{number}] has half a character (a lone surrogate): take it out")
    return sentence


def _refuse_unread(sentence: Sentence, unread: np.ndarray, name: str) -> None:
    """Raises UserError for a word without a vector; unread: (words,) bool."""
    if unread.any():
        word = sentence.words[int(unread.argmax())]
        raise UserError(
            f"{name} has no piece of the word {quoted(word)} in {quoted(sentence.text)}: take the "
            "word out"
        )
