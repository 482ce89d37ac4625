"""A bar per model has its number."""

import pandas as pd

from cwr import figures
from cwr.texts.ethayarajh2019 import figures_of_layers


def test_the_first_model_stands_at_the_top_and_each_bar_has_its_number():
    table = pd.DataFrame({"model": ["a", "b"], "family": ["bilstm", "masked"]})
    fig = figures_of_layers.shares(pd.Series({"a": 8.4, "b": 22}), table, "T", "share, %")
    figures.plt.close(fig)
    (ax,) = fig.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["b", "a"]
    assert [text.get_text() for text in ax.texts] == ["22 %", "8 %"]
