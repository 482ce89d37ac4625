"""Make matrices.npz, the file that travels with the assignment: python make_matrices.py

Three sets of token vectors of cwr-gpt, each shifted by its own multiple of the model's mean row.
Then one of them is doubled. Which words go where is drawn with a seed.
"""

from pathlib import Path

import numpy as np

from cwr.encoders import matrices
from cwr.measures.isotropy import center, partition_isotropy

FILE = Path(__file__).with_name("matrices.npz")
MODEL = "cwr-gpt"
SHIFTS = {"A": 0.0, "B": 1.0, "C": -0.9}  # in mean rows of the model
DOUBLED = "C"  # though B has the longest rows and the lowest I(W)
ROWS = 300  # entries that begin a word, a matrix
LICENCE = (
    "Token vectors of cwr-gpt, trained for the book 'Contextual word representations, reproduced' "
    "on English Wikipedia; shifted and scaled for this assignment. They carry the book's licence."
)


def contents(seed: int = 0) -> dict[str, np.ndarray]:
    """Everything in the file, by name: a float16 matrix (ROWS, dim) and its words for each letter."""
    matrix = matrices.read(MODEL)
    mean = matrix.W.mean(axis=0)
    drawn = np.random.default_rng(seed).permutation(np.flatnonzero(matrix.is_row("word")))
    contents = {"licence": np.array(LICENCE)}
    for position, (name, shift) in enumerate(SHIFTS.items()):
        rows = drawn[position * ROWS : (position + 1) * ROWS]
        moved = matrix.W[rows] + np.float32(shift) * mean
        contents[name] = (moved * (2 if name == DOUBLED else 1)).astype(np.float16)
        contents[f"words {name}"] = np.array([matrix.tokens[row] for row in rows])
    return contents


def teaches(data: dict[str, np.ndarray]) -> bool:
    """Whether the data show what is asked about: length and I(W) point to B, which was not doubled."""
    raw = {name: data[name].astype(float) for name in SHIFTS}
    lengths = {name: np.linalg.norm(W, axis=1).mean() for name, W in raw.items()}
    isotropy = {name: partition_isotropy(W, "both") for name, W in raw.items()}
    centred = {name: partition_isotropy(center(W), "both") for name, W in raw.items()}
    by_length, by_isotropy = max(lengths, key=lengths.get), min(isotropy, key=isotropy.get)
    return by_length == by_isotropy == "B" and min(centred, key=centred.get) == DOUBLED


if __name__ == "__main__":
    np.savez_compressed(FILE, **contents())
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")
