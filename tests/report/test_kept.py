"""A longer run that travels with the book stands beside a reader's own, never beside itself."""

import numpy as np
import pytest

from cwr import paths
from cwr.errors import UserError
from cwr.report import kept, results

NOTEBOOK = "ethayarajh2019/01_anisotropy"
GIVEN = {"sentences": 6000, "models": ["a"]}


@pytest.fixture
def travelling(tmp_path, monkeypatch):
    """A folder of results that travel, with one estimate of a model and one of its copy."""
    folder = tmp_path / NOTEBOOK
    monkeypatch.setattr(paths, "LONGER", tmp_path)
    monkeypatch.setenv("CWR_RESULTS", str(folder))
    row = {"model": "a", "family": "masked", "layer": 0, "measure": "b"}
    copy = {**row, "variant": "untrained", "seed": 0}
    results.write(NOTEBOOK, [{**row, "value": 0.25}, {**copy, "value": 0.5}], GIVEN)
    return folder


def test_the_estimates_of_the_longer_run_are_read_without_its_untrained_copies(travelling):
    table = kept.longer(NOTEBOOK, {**GIVEN, "sentences": 700})
    assert table["value"].tolist() == [0.25]


def test_estimates_of_the_longer_run_have_their_replicates(travelling):
    drawn = {"measure": "b", "model": "a", "value": 0.5, "replicates": np.array([0.25, 0.75])}
    results.write(NOTEBOOK, [drawn], GIVEN)
    (row,) = kept.estimates(NOTEBOOK, {}).rows()
    assert row["replicates"].tolist() == [0.25, 0.75]


def test_the_longer_run_itself_has_none_beside_it_nor_has_a_notebook_without(travelling):
    assert kept.longer(NOTEBOOK, GIVEN) is None
    assert kept.longer("ethayarajh2019/99_other", {}) is None


def test_damaged_estimates_of_a_longer_run_are_refused(travelling):
    (travelling / "results.json").write_text("{")
    with pytest.raises(UserError, match="results.json"):
        kept.longer(NOTEBOOK, {})
