"""The figure of two controls: a line for what is read, a mark for a size of the probe."""

import matplotlib.pyplot as plt
import pandas as pd

from cwr.texts.zhao2020 import figures_of_probe_controls


def test_every_line_has_its_values_and_what_is_read_has_one_sign_in_both_panels():
    code = pd.DataFrame(
        [("whole", 0, 4.0), ("whole", 1, 3.0), ("alone", 1, 4.5), ("alone", 0, 5.0)],
        columns=["reads", "layer", "value"],
    )
    sizes = [code.assign(units=units, value=code["value"] / 10) for units in ("0", "32")]
    selectivity = pd.concat(sizes)
    for table in (code, selectivity):
        table["low"], table["high"] = table["value"] - 0.1, table["value"] + 0.1
    fig = figures_of_probe_controls.code_and_selectivity(
        code, selectivity, 4.9, "masked", "title"
    )
    left, right = fig.axes
    whole, alone, rates = left.lines
    assert list(whole.get_ydata()) == [4, 3] and list(alone.get_ydata()) == [5, 4.5]
    assert set(rates.get_ydata()) == {4.9}
    drawn = {line.get_label(): line for line in right.lines[:4]}
    assert list(drawn) == ["whole, 0", "alone, 0", "whole, 32", "alone, 32"]
    assert list(drawn["alone, 32"].get_ydata()) == [0.5, 0.45]
    for label, line in drawn.items():
        sign = whole if label.startswith("whole") else alone
        assert line.get_linestyle() == sign.get_linestyle()
        assert line.get_fillstyle() == sign.get_fillstyle()
    assert drawn["whole, 0"].get_marker() != drawn["whole, 32"].get_marker()
    plt.close(fig)
