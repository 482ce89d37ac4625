"""The title on word similarity follows the paired intervals of the mean."""

import pandas as pd
import pytest

from cwr.estimates.distilled import MEAN, SPEARMAN
from cwr.texts.gupta2021 import figures_of_similarity


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.1, 0.2, "X2Static is above ASE"),
        (-0.2, -0.1, "X2Static is below ASE"),
        (-0.1, 0.1, figures_of_similarity.ALIKE),
    ],
)
def test_only_the_mean_decides_how_x2static_stands(low, high, said):
    leads = pd.DataFrame(
        {
            "measure": [MEAN, SPEARMAN],
            "row": ["X2Static", "other"],
            "low": [low, 0.5],
            "high": [high, 0.6],
        }
    )
    assert figures_of_similarity.standing(leads) == said
