"""Spheres that move: points where they should be, singular values as their expectation says."""

import json

import numpy as np
import pytest

from cwr.texts.bis2021 import spheres

SHAPES = [(3, False), (3, True), (2, False), (5, True)]


@pytest.mark.parametrize("dim, is_solid", SHAPES)
def test_points_lie_on_the_sphere_or_in_the_ball_around_the_shifted_centre(dim, is_solid):
    centre = np.full(dim, 4 / np.sqrt(dim))
    points = spheres.sphere(20_000, 4, seed=1, dim=dim, is_solid=is_solid)
    distances = np.linalg.norm(points - centre, axis=1)
    assert np.linalg.norm(centre) == pytest.approx(4)
    assert points.mean(axis=0) == pytest.approx(centre, abs=0.02)
    if is_solid:  # a share r^dim of the points lies within r
        assert distances.max() <= 1
        assert np.mean(distances < 0.5) == pytest.approx(0.5**dim, abs=0.01)
    else:
        assert distances == pytest.approx(1)


@pytest.mark.parametrize("dim, is_solid", SHAPES)
@pytest.mark.parametrize("shift", [0, 1, 4])
def test_many_points_have_the_expected_singular_values(dim, is_solid, shift):
    n = 100_000
    points = spheres.sphere(n, shift, seed=2, dim=dim, is_solid=is_solid)
    values = np.linalg.svd(points, compute_uv=False)
    expected = spheres.expected_singular_values(n, shift, dim, is_solid)
    assert values == pytest.approx(
        expected, rel=0.01
    )  # a sample's error is about 1 / sqrt(n)


def test_the_law_of_the_ratio_is_that_of_the_notes():
    shifts = np.array([0, 0.5, 1, 4])
    ratios = spheres.table(10, shifts)["law"].to_numpy()
    assert ratios == pytest.approx(np.sqrt(1 + 3 * shifts**2))
    ball = [spheres.expected_singular_values(10, shift, is_solid=True) for shift in shifts]
    assert [first / second for first, second, _ in ball] == pytest.approx(
        np.sqrt(1 + 5 * shifts**2)
    )
    circle = [spheres.expected_singular_values(10, shift, dim=2) for shift in shifts]
    assert [first / second for first, second in circle] == pytest.approx(
        np.sqrt(1 + 2 * shifts**2)
    )


def test_the_table_has_the_singular_values_of_the_gram_matrix():
    row = spheres.table(50, [2.5], seed=3).iloc[0]
    points = spheres.sphere(50, 2.5, seed=3)
    values = np.sqrt(np.linalg.eigvalsh(points.T @ points)[::-1])
    assert row[["first", "second", "third"]].to_numpy(float) == pytest.approx(values)
    assert row["ratio"] == pytest.approx(values[0] / values[1])


def test_the_side_view_keeps_distances_and_shows_the_shift_along():
    points = spheres.sphere(20, 3, seed=4)
    seen = spheres.from_the_side(points)
    assert np.linalg.norm(seen, axis=1) == pytest.approx(np.linalg.norm(points, axis=1))
    shift = spheres.from_the_side(points - spheres.sphere(20, 0, seed=4))
    assert shift == pytest.approx(np.tile([3, 0, 0], (20, 1)), abs=1e-12)


def test_the_live_data_are_small_and_say_what_the_library_says_at_every_step():
    data = spheres.live_data(200, seed=5)
    assert len(json.dumps(data)) < 12_000
    for step, shift in enumerate(data["steps"]["shift"]):
        texts = {column: values[step] for column, values in data["steps"].items()}
        assert data["sentence"].format(**texts) == spheres.sentence(
            float(shift), 200, seed=5
        )
    assert data["steps"]["shift"][0] == "0.0" and data["steps"]["shift"][-1] == "6.0"
    assert np.linalg.norm(data["points"], axis=1) == pytest.approx(1, abs=0.01)


def test_the_sentence_says_values_to_one_decimal_and_ratios_to_two():
    values = np.linalg.svd(spheres.sphere(2000, 4, seed=0), compute_uv=False)
    assert values == pytest.approx([180.7, 26.0, 25.6], abs=0.05)
    assert spheres.sentence(4, 2000, seed=0) == (
        "Moved by 4.0 radii, the sphere has the singular values 180.7, 26.0 and 25.6. The first "
        "value is 6.94 times the second; we expect 7.00 times."
    )
