"""Writes files of word vectors that gensim and sentence-transformers can open.

n = words, dim = dimensions
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cwr import paths
from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError, quoted

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TEXT, BINARY = "vectors.txt", "vectors.bin"
SENTENCES = "sentence-transformers"
UNKNOWN = "[UNK]"  # a text's word without a vector
MODULE = "0_StaticEmbedding"  # the name that sentence-transformers gives to its folder
MODULES = [
    {
        "idx": 0,
        "name": "0",
        "path": MODULE,
        "type": "sentence_transformers.models.StaticEmbedding",  # its name in releases 3.2 to 6
    }
]
# Our tokeniser's words as a regular expression, for texts that are read without it: abbreviations,
# numbers, "n't" and "'s", the word before "n't", words, an ellipsis, single signs.
WORD = (
    r"(?:\p{L}\.){2,}|\d+(?:[.,]\d+)+|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b"
    r"|\w+?(?=n['’]t\b)|\w+|\.\.\.|[^\w\s]"
)


def write(vectors: WordVectors, folder: Path, *, replace: bool = False) -> None:
    """Writes word vectors into a new folder, completely or not at all.

    The folder gets TEXT and BINARY, which gensim's `KeyedVectors.load_word2vec_format` reads, and
    the folder SENTENCES, which sentence-transformers' `SentenceTransformer` reads as a
    `StaticEmbedding`.
    replace: whether an older folder is replaced, as a notebook does with its results.
    Raises UserError for a folder that exists (without replace), for no words, for a word that
    occurs twice or contains a blank, and for the word "[UNK]".
    """
    folder = Path(folder)
    refuse_existing(folder, replace)
    _refuse_unwritable(vectors.words)
    with paths.replacing(folder) as scratch:
        write_gensim(vectors, scratch)
        write_static_embedding(vectors, scratch / SENTENCES)


def write_all(tables: Mapping[str, WordVectors], folder: Path, *, replace: bool = False) -> None:
    """Writes several tables of vectors into a new folder, each into its own folder by `write`.

    tables: {name of the table's folder: vectors}. replace and errors as `write`.
    """
    folder = Path(folder)
    refuse_existing(folder, replace)
    with paths.replacing(folder) as scratch:
        for name, vectors in tables.items():
            write(vectors, scratch / name)


def refuse_existing(folder: Path, replace: bool = False) -> None:
    """Raises UserError for a folder that exists, unless it may be replaced."""
    if folder.exists() and not replace:
        raise UserError(f"the folder {folder} exists: name a new one for the word vectors")


def write_gensim(vectors: WordVectors, folder: Path) -> None:
    """Writes TEXT and BINARY in the formats of the program word2vec, by gensim."""
    from gensim.models import KeyedVectors

    keyed = KeyedVectors(vectors.dim)
    keyed.add_vectors(list(vectors.words), vectors.vectors)
    keyed.save_word2vec_format(str(folder / TEXT))
    keyed.save_word2vec_format(str(folder / BINARY), binary=True)


def write_static_embedding(vectors: WordVectors, folder: Path) -> None:
    """Writes a folder for sentence-transformers, by which a text's vector is its words' mean.

    A word without a vector counts as a row of zeros, the last of the matrix. This keeps the
    direction of the mean, and a text without a known word gets zeros.
    """
    from safetensors.numpy import save

    module = folder / MODULE
    unknown = np.zeros((1, vectors.dim), np.float32)
    matrix = np.concatenate([vectors.vectors.astype(np.float32), unknown])  # (n + 1, dim)
    paths.write_bytes(module / "model.safetensors", save({"embedding.weight": matrix}))
    _tokenizer(vectors.words).save(str(module / "tokenizer.json"))
    for name, content in {"modules": MODULES, "config_sentence_transformers": {}}.items():
        paths.write_text(folder / f"{name}.json", json.dumps(content, indent=1) + "\n")


def _tokenizer(words: tuple[str, ...]) -> "Tokenizer":
    """Builds a tokenizer with the words' rows as numbers; it lower-cases if all words are."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

    rows = {word: row for row, word in enumerate(words)} | {UNKNOWN: len(words)}
    tokenizer = Tokenizer(models.WordLevel(rows, unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(WORD), "removed", invert=True)
    if all(word == word.lower() for word in words):
        tokenizer.normalizer = normalizers.Lowercase()
    return tokenizer


def _refuse_unwritable(words: tuple[str, ...]) -> None:
    """Raises UserError for words that a file of vectors cannot hold."""
    if not words:
        raise UserError("there are no words to write: lower the count that a word needs")
    if len({*words, UNKNOWN}) <= len(words):
        raise UserError(
            f"a word stands twice among the {len(words):,}, or is {UNKNOWN}, which stands for "
            "words without a vector: leave it out"
        )
    blank = next((word for word in words if word.split() != [word]), None)
    if blank is not None:
        raise UserError(
            f"the word {quoted(blank)} has a blank in it, at which files of word vectors are "
            "parted: leave it out"
        )
