"""Make tokens.npz, the file that travels with the assignment: python make_tokens.py

Random vectors without a common direction, and in them four planted coordinates: one that makes the
cosine, and three that a wrong measure points to. Nothing in it is of a model.
"""

from pathlib import Path

import numpy as np

from cwr.measures.anisotropy import cosine_contributions

FILE = Path(__file__).with_name("tokens.npz")
ROWS, DIM = 24, 40  # few rows: then a sum that keeps i = j is seen
PLANTED = {  # coordinates
    "culprit": 17,  # the same share of every row that is not lengthened below
    "of long rows": 5,  # three rows that are long, all in this direction: mean, inner product
    "wide": 31,  # two long rows there and two opposite: variance
    "with itself": 22,  # twice the culprit's share of rows not lengthened, of either sign: i = j
}
LICENCE = (
    "Vectors planted for the book 'Contextual word representations, reproduced'; no model, no "
    "text. They carry the book's licence."
)


def contents(seed: int = 0) -> dict[str, np.ndarray]:
    """Everything in the file, by name: the vectors, (ROWS, DIM), float64, and their licence.

    Another seed also moves the planted coordinates: the columns are shuffled.
    """
    generator = np.random.default_rng(seed)
    vectors = generator.normal(size=(ROWS, DIM))
    vectors -= vectors.mean(axis=0)
    vectors[:, PLANTED["with itself"]] = np.repeat([0, 6.5, -6.5], [7, 13, 4])
    vectors[:, PLANTED["culprit"]] = 0.36 * np.linalg.norm(vectors, axis=1)
    vectors[:3, PLANTED["of long rows"]] += 100
    vectors[3:5, PLANTED["wide"]] += 150
    vectors[5:7, PLANTED["wide"]] -= 150
    vectors = generator.permutation(vectors.round(2))
    if seed:
        vectors = generator.permutation(vectors, axis=1)
    return {"vectors": vectors, "licence": np.array(LICENCE)}


def teaches(data: dict[str, np.ndarray]) -> bool:
    """Whether the data show what is asked about: each wrong measure points to a coordinate of its own."""
    vectors = data["vectors"]
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    signs = cosine_contributions(vectors), vectors.mean(axis=0), vectors.var(axis=0)
    return len({int(sign.argmax()) for sign in (*signs, np.abs(units.mean(axis=0)))}) == 4


if __name__ == "__main__":
    np.savez_compressed(FILE, **contents())
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")
