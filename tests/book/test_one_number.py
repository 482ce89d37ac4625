"""What two notebooks say of one thing is one number, or they were asked for it otherwise."""

import itertools
from pathlib import Path

import pandas as pd
import pytest

from cwr import paths
from cwr.report import provenance, results
from cwr.tables import KEYS

BESIDE = {"models", "draws"}  # what a number of one model does not depend on
# A word's vectors: 05 reads all, 04 and 06 at most 100, so that a deep model fits into memory.
READS_ALL_VECTORS = "ethayarajh2019/05_which_choices_decide"
VARIANCE = "maximum_explainable_variance"


def estimates(folder: Path) -> dict[str, tuple[pd.Series, dict]]:
    """{notebook: (its estimates of models by their keys, its parameters)} of a folder of results."""
    found = {}
    for file in sorted(folder.rglob("results.json")):
        notebook = file.parent.relative_to(folder).as_posix()
        table = results.read(file.parent).table
        table = table[table["family"].notna()]
        if notebook == READS_ALL_VECTORS:
            table = table[~table["measure"].str.contains(VARIANCE)]
        keys = [tuple(map(str, row)) for row in table[KEYS].itertuples(index=False)]
        parameters = provenance.read(file.parent, *provenance.KINDS)["parameters"]
        found[notebook] = pd.Series(table["value"].to_numpy(), index=keys), parameters
    return found


def asked_alike(one: dict, other: dict) -> bool:
    """Whether two notebooks have the same values of what both take and a number depends on."""
    return all(one[name] == other[name] for name in (one.keys() & other.keys()) - BESIDE)


@pytest.mark.parametrize("profile", ["small", "base"])
def test_one_thing_has_one_number_in_all_notebooks_that_are_asked_alike(
    profile, run_folder
):
    folder = run_folder if profile == "small" else paths.CHECKOUT / paths.LONGER
    compared, wrong = 0, []
    for (name, one), (other_name, other) in itertools.combinations(
        estimates(folder).items(), 2
    ):
        common = one[0].index.intersection(other[0].index)
        if common.empty or not asked_alike(one[1], other[1]):
            continue
        compared += len(common)
        differ = (one[0][common] - other[0][common]).abs() > 1e-6
        wrong += [f"{name}, {other_name}: {key}" for key in common[differ]]
    assert wrong == []
    assert compared > 500
