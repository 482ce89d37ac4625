"""Make trees.npz, the file that travels with the assignment: python make_trees.py

Sentences of the book's teaching treebank with their trees, and three sets of vectors for their words:
planted, so that only one of them holds the trees. Nothing in it is of a model.
"""

import zlib
from pathlib import Path

import numpy as np

from cwr import corpora
from cwr.measures.structural import squared_distances, uuas
from cwr.measures.trees import is_above

FILE = Path(__file__).with_name("trees.npz")
EVERY, DIM = 4, 16  # every fourth sentence; dimensions
NOISE = 0.2  # deviation of what is added to the planted vectors
LICENCE = (
    "Sentences and trees of the teaching treebank of the book 'Contextual word representations, "
    "reproduced', CC BY 4.0; vectors planted for it."
)


def contents(seed: int = 0) -> dict[str, np.ndarray]:
    """Everything in the file, by name.

    words: (n,) text. sentence: (n,) number of each word's sentence. heads: (n,) as in the file of the
    treebank: words of a sentence are counted from 1, and the root has 0. keep: (n,) bool, False for
    punctuation. A, B, C: (n, DIM); A has a coordinate for each word above a word, B one for each word
    before it, C is a random vector for each word type.
    """
    sentences = corpora.load("teaching-treebank").sentences[::EVERY]
    generator = np.random.default_rng(seed)
    columns = {name: [] for name in ("words", "sentence", "heads", "keep", "A", "B", "C")}
    for number, each in enumerate(sentences):
        heads, n = each.annotations["heads"], len(each.words)
        planted = {"A": is_above(heads), "B": np.tri(n)}
        for name, rows in planted.items():
            noise = generator.normal(scale=NOISE, size=(n, DIM))
            columns[name].append(np.pad(rows, ((0, 0), (0, DIM - n))) + noise)
        columns["C"] += [_of_type(word, seed)[None] for word in each.words]
        columns["words"].append(np.array(each.words))
        columns["sentence"].append(np.full(n, number))
        columns["heads"].append(np.array(heads) + 1)
        columns["keep"].append(np.array([tag != "PUNCT" for tag in each.annotations["upos"]]))
    joined = {name: np.concatenate(parts) for name, parts in columns.items()}
    vectors = {name: joined[name].round(2).astype(np.float32) for name in "ABC"}
    return joined | vectors | {"licence": np.array(LICENCE)}


def _of_type(word: str, seed: int) -> np.ndarray:
    return np.random.default_rng(zlib.crc32(word.lower().encode(), seed)).normal(size=DIM)


def teaches(data: dict[str, np.ndarray]) -> bool:
    """Whether the data show what is asked about: A finds more edges than a chain, B as many, C fewer."""
    chain = np.concatenate([np.tri(n, DIM) for n in np.bincount(data["sentence"])])
    shares = {}
    for name, vectors in ({each: data[each] for each in "ABC"} | {"chain": chain}).items():
        counts = []
        for number in range(data["sentence"][-1] + 1):
            rows = data["sentence"] == number
            distances = squared_distances(vectors[rows], np.eye(DIM))
            counts.append(uuas(distances, data["heads"][rows] - 1, data["keep"][rows]))
        shares[name] = np.divide(*np.sum(counts, axis=0))
    above = {name: share - shares["chain"] for name, share in shares.items()}
    return above["A"] > 0.15 and abs(above["B"]) < 0.1 and above["C"] < -0.1


if __name__ == "__main__":
    np.savez_compressed(FILE, **contents())
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")
