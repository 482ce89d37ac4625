"""Moves a sphere away from the origin, to show what a shift alone does to singular values.

Biś et al. (2021), section 4.1, Figure 2. The figure's numbers are not stated, so they are ours: the
sphere has radius 1, and its centre moves along (1, 1, 1).

    n    points
    dim  dimensions: 3, as the text says; its "two singular values" would be those of a circle
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cwr.measures.contextuality import unit_rows

SENTENCE = (
    "Moved by {shift} radii, the sphere has the singular values {first}, {second} and {third}. "
    "The first value is {ratio} times the second; we expect {law} times."
)
DRAWN = 250  # points of the live figure: more would lie on each other
STEPS = 61  # of its slider, from the origin to six radii


def sphere(n: int, shift: float, seed: int = 0, dim: int = 3, is_solid: bool = False) -> np.ndarray:
    """Draws points evenly from the surface of a sphere of radius 1, (n, dim).

    shift: distance of the centre from the origin, in radii; every shift moves the same points.
    is_solid: draw from the ball inside, rather than from its surface.
    """
    rng = np.random.default_rng(seed)
    points = unit_rows(rng.normal(size=(n, dim)))
    if is_solid:
        points *= rng.uniform(size=(n, 1)) ** (1 / dim)
    return points + shift / np.sqrt(dim)


def expected_singular_values(
    n: int, shift: float, dim: int = 3, is_solid: bool = False
) -> np.ndarray:
    """Computes the singular values of the expected Gram matrix of `sphere`'s n points, (dim,).

    The matrix is n (e I + s s'), where s is the shift and e the mean square of one coordinate: 1 /
    dim on the surface, 1 / (dim + 2) in the ball.
    """
    even = 1 / (dim + 2) if is_solid else 1 / dim
    squares = np.full(dim, even)
    squares[0] += shift**2
    return np.sqrt(n * squares)


def table(n: int, shifts: Sequence[float], seed: int = 0) -> pd.DataFrame:
    """Tabulates the singular values of sampled spheres at each shift, and their first ratio.

    Columns shift, first, second, third, ratio (first / second), law (the expected ratio).
    """
    rows = []
    for shift in shifts:
        values = np.linalg.svd(sphere(n, shift, seed), compute_uv=False)
        expected = expected_singular_values(n, shift)
        ratios = {"ratio": values[0] / values[1], "law": expected[0] / expected[1]}
        named = dict(zip(("first", "second", "third"), values, strict=True))
        rows.append({"shift": shift, **named, **ratios})
    return pd.DataFrame(rows)


def from_the_side(points: np.ndarray) -> np.ndarray:
    """Rotates points (n, 3) so that the sphere moves to the right: along, across, depth, (n, 3).

    "Along" is the direction from the origin to the centre of a moved sphere.
    """
    along_across_depth = np.array([[1, 1, 1], [1, -1, 0], [1, 1, -2]])
    return points @ unit_rows(along_across_depth).T


def live_data(n: int, seed: int = 0) -> dict:
    """Collects what the live figure `sphere` reads: its sentence, numbers at each step, points.

    The numbers are already formatted, so that page and library say the same.
    """
    rows = table(n, np.linspace(0, 6, STEPS), seed)
    steps = {column: [_text(value, column) for value in rows[column]] for column in rows}
    points = from_the_side(sphere(DRAWN, 0, seed)).round(2)
    return {"sentence": SENTENCE, "steps": steps, "points": points.tolist()}


def sentence(shift: float, n: int, seed: int = 0) -> str:
    """Formats the sentence that the live figure shows at one shift."""
    row = table(n, [shift], seed).iloc[0]
    return SENTENCE.format(**{column: _text(value, column) for column, value in row.items()})


def _text(value: float, column: str) -> str:
    """A number as the sentence says it: ratios to two decimals, others to one."""
    return f"{value:.2f}" if column in ("ratio", "law") else f"{value:.1f}"
