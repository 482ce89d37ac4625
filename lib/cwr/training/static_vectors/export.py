"""Word vectors as files that other programs open: gensim, and sentence-transformers.

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
    """Write word vectors into a new folder, all of it or nothing.

    It gets TEXT and BINARY, which gensim's `KeyedVectors.load_word2vec_format` reads, and the
    folder SENTENCES, which sentence-transformers' `SentenceTransformer` reads as a
    `StaticEmbedding`.
    replace: put it into the place of an older folder, as a notebook does with its results.
    Raises UserError for a folder that exists, for no words, and for a word that stands there twice
    or has a blank in it.
    """
    folder = Path(folder)
    refuse_existing(folder, replace)
    _refuse_unwritable(vectors.words)
    with paths.replacing(folder) as scratch:
        write_gensim(vectors, scratch)
        write_static_embedding(vectors, scratch / SENTENCES)


def write_all(tables: Mapping[str, WordVectors], folder: Path, *, replace: bool = False) -> None:
    """Write several tables of vectors into a new folder, each into a folder of its own by `write`.

    tables: {name of its folder: vectors}. replace and errors as `write`.
    """
    folder = Path(folder)
    refuse_existing(folder, replace)
    with paths.replacing(folder) as scratch:
        for name, vectors in tables.items():
            write(vectors, scratch / name)


def refuse_existing(folder: Path, replace: bool = False) -> None:
    """Raise UserError for a folder that exists and is not to be replaced."""
    if folder.exists() and not replace:
        raise UserError(f"the folder {folder} exists: name a new one for the word vectors")


def write_gensim(vectors: WordVectors, folder: Path) -> None:
    """Write TEXT and BINARY, as the program word2vec wrote them, by gensim."""
    from gensim.models import KeyedVectors

    keyed = KeyedVectors(vectors.dim)
    keyed.add_vectors(list(vectors.words), vectors.vectors)
    keyed.save_word2vec_format(str(folder / TEXT))
    keyed.save_word2vec_format(str(folder / BINARY), binary=True)


def write_static_embedding(vectors: WordVectors, folder: Path) -> None:
    """Write the folder that sentence-transformers reads: a text's vector is the mean of its words'.

    A word without a vector counts in the mean as a row of zeros, the last of the matrix: that
    leaves the direction of the mean as it is, and a text without any known word gets zeros.
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
    """A tokenizer whose numbers are the rows of the words; it lowers a text if all words are."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

    rows = {word: row for row, word in enumerate(words)} | {UNKNOWN: len(words)}
    tokenizer = Tokenizer(models.WordLevel(rows, unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(WORD), "removed", invert=True)
    if all(word == word.lower() for word in words):
        tokenizer.normalizer = normalizers.Lowercase()
    return tokenizer


def _refuse_unwritable(words: tuple[str, ...]) -> None:
    """Raise UserError for words that a file of vectors cannot hold."""
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
