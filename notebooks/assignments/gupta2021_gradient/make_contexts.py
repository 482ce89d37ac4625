"""Make contexts.npz, the file that travels with the assignment: python make_contexts.py

Vectors of sentences as a teacher would give them, planted: the two words of a pair stand in sentences
of one kind, each kind has a direction, and all share a large one. Nothing in it is of a model.
"""

from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("contexts.npz")
PAIRS = ("rain snow", "king queen", "bread cheese", "piano violin", "doctor nurse", "river lake")
SENTENCES, DIM = 240, 20
COMMON, NOISE = 0.6, 0.4  # of the direction that all share, and of what is a sentence's own
LICENCE = (
    "Vectors planted for the book 'Contextual word representations, reproduced'; no model, no "
    "text. They carry the book's licence."
)


def contents(seed: int = 0) -> dict[str, np.ndarray]:
    """Everything in the file, by name.

    words: (w,). contexts: (SENTENCES, DIM). targets: (SENTENCES,) rows of words, one a sentence.
    """
    generator = np.random.default_rng(seed)
    words = " ".join(PAIRS).split()
    kinds = generator.normal(size=(len(PAIRS), DIM)) + COMMON
    targets = generator.integers(len(words), size=SENTENCES)
    noise = NOISE * generator.normal(size=(SENTENCES, DIM))
    contexts = (kinds[targets // 2] + noise).round(2)
    return {
        "words": np.array(words),
        "contexts": contexts,
        "targets": targets,
        "licence": np.array(LICENCE),
    }


def teaches(data: dict[str, np.ndarray]) -> bool:
    """Whether the data show what is asked about: the mean contexts of the two words of a pair are nearest."""
    words = np.arange(len(data["words"]))
    means = np.stack([data["contexts"][data["targets"] == word].mean(axis=0) for word in words])
    distances = np.linalg.norm(means[:, None] - means, axis=2)
    np.fill_diagonal(distances, np.inf)
    return (distances.argmin(axis=1) == words ^ 1).all()


if __name__ == "__main__":
    np.savez_compressed(FILE, **contents())
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")
