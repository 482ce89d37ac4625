"""Class 2: what is typed or computed as NaN or infinite is no number, and says so."""

from pathlib import Path

import numpy as np
from bad_inputs.row import Row
from bad_inputs.values import itself, refusal, typed

from cwr.report import results

FLOATS = [
    (itself("bis2021"), "reach"),
    (itself("ethayarajh2019"), "limit"),
    (itself("ethayarajh2019"), "band"),
    (itself("gupta2021"), "rounding"),
    (itself("gupta2021"), "spread"),
    (itself("gupta2021"), "pieces_per_word"),
    (itself("gupta2021"), "sentences_per_paragraph"),
    (itself("zhao2020"), "tie"),
    (itself("zhao2020"), "standard_errors"),
]
ROWS = [
    Row(2, f"{name} {value} of {notebook}", typed(notebook, name, value),
        f"{refusal(notebook, name)}be a finite number, but {name} is (nan|-?inf)$")
    for notebook, name in FLOATS
    for value in ("NaN", ".inf", "-Infinity")
]  # fmt: skip


def estimates(value: float, *draws: float) -> results.Results:
    """Two estimates, of which the second has this value and these replicates."""
    keys = {"model": "mine", "family": "masked", "measure": "self_similarity"}
    rows = [
        {**keys, "layer": 0, "value": 0.5, "replicates": np.array([0.4, 0.6])},
        {**keys, "layer": 1, "value": value, "replicates": np.array(draws or (0.4, 0.6))},
    ]
    return results.collect(rows)


def written(checkout: Path) -> None:
    """Estimates without a number, written by a notebook in JupyterLab."""
    row = {
        "model": "mine",
        "family": "masked",
        "measure": "b",
        "layer": 0,
        "value": np.nan,
    }
    results.write("ethayarajh2019/01_anisotropy", [row], {})


NO_NUMBER = (
    "^cwr: the estimate model mine, family masked, layer {layer}, measure {measure} is no number "
    "\\({value}\\) or has an infinite draw, so no results are written: .*"
)
OF_LAYER_1 = {"layer": 1, "measure": "self_similarity"}
ROWS += [
    Row(2, "an estimate that is NaN", lambda checkout: estimates(np.nan),
        NO_NUMBER.format(value="nan", **OF_LAYER_1)),
    Row(2, "an estimate that is infinite", lambda checkout: estimates(np.inf),
        NO_NUMBER.format(value="inf", **OF_LAYER_1)),
    Row(2, "an estimate that is minus infinite", lambda checkout: estimates(-np.inf),
        NO_NUMBER.format(value="-inf", **OF_LAYER_1)),
    Row(2, "an infinite replicate", lambda checkout: estimates(0.5, 0.5, np.inf),
        NO_NUMBER.format(value="0.5", **OF_LAYER_1)),
    Row(2, "an estimate that is NaN, written in JupyterLab", written,
        NO_NUMBER.format(value="nan", layer=0, measure="b")),
]  # fmt: skip
