"""The figures of reversals: bars with the range over trainings."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import to_hex

from cwr.figures import COLOURS
from cwr.texts.survey import figures_of_reversals


def test_bars_are_means_over_trainings_with_their_range():
    shares = np.random.default_rng(0).random((4, 5, 2))
    fig = figures_of_reversals.mention_bars(
        shares, ["organization", "place"], "masked", "title"
    )
    (ax,) = fig.axes
    for number, bars in enumerate(ax.containers[::2]):
        heights = [bar.get_height() for bar in bars]
        np.testing.assert_allclose(heights, shares[..., number].mean(axis=0))
    ranges = [segment for line in ax.collections for segment in line.get_segments()]
    drawn = np.array([segment[:, 1] for segment in ranges]).reshape(2, 5, 2)
    np.testing.assert_allclose(drawn[..., 0], shares.min(axis=0).T)
    np.testing.assert_allclose(drawn[..., 1], shares.max(axis=0).T)
    plt.close(fig)


def test_the_label_that_wins_at_the_top_has_the_colour_of_the_family_and_no_other():
    shares = np.full((1, 2, 3), 0.1)
    shares[0, 0, 0] = shares[0, 1, 2] = (
        0.8  # the first wins in layer 0, the last at the top
    )
    fig = figures_of_reversals.mention_bars(shares, ["a", "b", "c"], "masked", "title")
    faces = [to_hex(bars[0].get_facecolor()) for bars in fig.axes[0].containers[::2]]
    assert faces[2] == COLOURS["masked"].lower()
    assert len({*faces}) == 3
    plt.close(fig)
