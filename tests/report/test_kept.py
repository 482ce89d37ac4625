"""A longer run that travels with the book stands beside a reader's own, never beside itself."""

import numpy as np
import pandas as pd
import pytest

from cwr import parameters, paths
from cwr.cli import checkout
from cwr.errors import UserError
from cwr.report import kept, provenance, results

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
    drawn = {
        "measure": "b",
        "model": "a",
        "value": 0.5,
        "replicates": np.array([0.25, 0.75]),
    }
    results.write(NOTEBOOK, [drawn], GIVEN)
    (row,) = kept.estimates(NOTEBOOK, {**GIVEN, "models": ["b"]}).rows()
    assert row["replicates"].tolist() == [0.25, 0.75]


def test_the_longer_run_itself_has_none_beside_it_nor_has_a_notebook_without(travelling):
    assert kept.longer(NOTEBOOK, GIVEN) is None
    assert kept.longer("ethayarajh2019/99_other", {}) is None


def test_another_notebook_reads_what_a_longer_run_found_and_how(travelling):
    """Whatever its own parameters are, and that run's copies left out."""
    found, parameters = kept.reference(NOTEBOOK)
    assert found.table["value"].tolist() == [0.25] and parameters == GIVEN
    assert kept.reference("ethayarajh2019/99_other") is None


def test_damaged_estimates_of_a_longer_run_are_refused(travelling):
    (travelling / "results.json").write_text("{")
    with pytest.raises(UserError, match="results.json"):
        kept.longer(NOTEBOOK, {**GIVEN, "sentences": 700})


def test_a_longer_run_of_an_older_notebook_stands_beside_nothing(travelling):
    assert kept.longer(NOTEBOOK, {**GIVEN, "sentences": 700, "seed": 0}) is None
    assert kept.longer(NOTEBOOK, {"sentences": 700}) is None


def test_every_reference_has_the_parameters_of_its_notebook():
    names = kept.folders(checkout.root() / "nowhere" / "base", checkout.root())
    assert len(names) > 30
    for name, folder in names.items():
        declared = parameters.read(checkout.path(checkout.root(), name))
        assert set(provenance.read(folder)["parameters"]) == set(declared), name


def test_what_two_references_measured_is_one_number_but_for_the_machines_that_trained():
    folders = kept.folders(checkout.root() / "nowhere" / "base", checkout.root()).values()
    measured = [results.read(folder) for folder in folders]
    tables = [one.table for one in measured if not results.compares_choices(one)]
    table = pd.concat(tables)
    twins = table[table.duplicated(results.KEYS, keep=False)]
    values = twins.groupby(results.KEYS, dropna=False)["value"]
    assert values.ngroups > 50
    assert (values.max() - values.min() <= 0.005 * values.max().abs()).all()


def left(folder, monkeypatch, **values: float):
    """Results of one measure of some models, {model: value}."""
    monkeypatch.setenv("CWR_RESULTS", str(folder))
    results.write(
        NOTEBOOK, [{"model": n, "measure": "b", "value": v} for n, v in values.items()], {}
    )


def test_the_readers_own_run_replaces_the_reference_notebook_by_notebook(
    tmp_path, monkeypatch
):
    run, reference = tmp_path / "_build" / "run" / "base", tmp_path / paths.LONGER
    left(reference / "p" / "01", monkeypatch, a=0.25, b=0.5)
    left(reference / "p" / "02", monkeypatch, a=0.25, c=0.75)
    assert list(kept.folders(run, tmp_path).values()) == [
        reference / "p/01",
        reference / "p/02",
    ]
    left(run / "p" / "01", monkeypatch, a=0.3)
    assert list(kept.folders(run, tmp_path).values()) == [run / "p/01", reference / "p/02"]
    table = kept.read(run, tmp_path).table
    assert table.set_index("model")["value"].to_dict() == {"a": 0.3, "c": 0.75}, (
        "own before 02's"
    )
    assert kept.read(run.parent / "small", tmp_path) is None


def test_of_two_references_the_first_counts_and_two_runs_of_the_reader_are_refused(
    tmp_path, monkeypatch
):
    run, reference = tmp_path / "_build" / "run" / "base", tmp_path / paths.LONGER
    for folder in (reference, run):
        left(folder / "p" / "01", monkeypatch, a=0.25, b=0.5)
        left(folder / "p" / "02", monkeypatch, a=0.375, c=0.75)
        if folder == reference:
            table = kept.read(run, tmp_path).table
            assert table.set_index("model")["value"].to_dict() == {
                "a": 0.25,
                "b": 0.5,
                "c": 0.75,
            }
    with pytest.raises(UserError, match="choose one run"):
        kept.read(run, tmp_path)
