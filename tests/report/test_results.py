"""What a notebook writes is what is read back, and nothing flickers in it."""

import json
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest

from cwr.errors import UserError
from cwr.papers import artifacts, registry
from cwr.report import results, scoreboard, verdicts

DRAWS = 50


def rows(model="minilm", shift=0.0):
    rng = np.random.default_rng(0)
    return [
        {
            "model": model,
            "family": "sentence",
            "layer": layer,
            "measure": "anisotropy_baseline",
            "dataset": "lee",
            "value": 0.2 + shift + layer / 100,
            "replicates": 0.2 + layer / 100 + rng.normal(0, 0.01, DRAWS),
        }
        for layer in range(7)
    ]


def written(folder: Path, monkeypatch, shuffled=False) -> Path:
    monkeypatch.setenv("CWR_RESULTS", str(folder))
    results.write(
        "ethayarajh2019/01_anisotropy",
        rows()[::-1] if shuffled else rows(),
        {"models": ["minilm"]},
    )
    return folder


def test_results_are_read_back_as_written(tmp_path, monkeypatch):
    folder = written(tmp_path, monkeypatch)
    expected, back = results.collect(rows()), results.read(folder)
    assert (back.table["value"] == expected.table["value"]).all()
    assert back.table["layer"].tolist() == list(range(7))
    assert np.array_equal(back.replicates, expected.replicates)


def test_rows_of_results_make_the_same_results_again():
    without_draws = {"measure": "pairs", "dataset": "MEN", "value": 3.0}
    expected = results.collect([*rows(), without_draws])
    again = results.collect(expected.rows())
    pd.testing.assert_frame_equal(again.table, expected.table)
    np.testing.assert_array_equal(again.replicates, expected.replicates)
    assert "model" not in expected.rows()[0] or "model" not in expected.rows()[-1]


def test_replicates_have_a_decimal_more_than_values(tmp_path, monkeypatch):
    drawn = results.read(written(tmp_path, monkeypatch)).replicates
    decimals = results.DECIMALS + 1
    assert np.array_equal(drawn, drawn.round(decimals))
    assert np.abs(drawn[:, 0] - rows()[0]["replicates"]).max() < 0.6 * 10**-decimals


def test_results_do_not_depend_on_the_order_of_the_rows_or_the_hour(tmp_path, monkeypatch):
    first = written(tmp_path / "a", monkeypatch) / "results.json"
    second = written(tmp_path / "b", monkeypatch, shuffled=True) / "results.json"
    assert first.read_bytes() == second.read_bytes()
    assert not any(
        word in first.read_text() for word in ("seconds", "commit", str(tmp_path))
    )


def test_two_estimates_with_the_same_keys_are_refused():
    with pytest.raises(ValueError, match="same keys"):
        results.collect(rows() + rows())
    with pytest.raises(ValueError, match="rows"):
        results.collect([])


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_an_estimate_that_is_no_number_is_not_written(tmp_path, monkeypatch, value):
    folder = written(tmp_path, monkeypatch)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    broken = rows()
    broken[3]["value"] = value
    with pytest.raises(
        UserError, match=f"layer 3, measure anisotropy_b.* is no number .{value}."
    ):
        results.write("ethayarajh2019/01_anisotropy", broken, {})
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_an_estimate_that_moved_to_another_row_is_not_read(tmp_path, monkeypatch):
    folder = written(tmp_path, monkeypatch)
    content = json.loads((folder / "results.json").read_text())
    estimates = content["estimates"]
    estimates[0], estimates[1] = estimates[1], estimates[0]
    (folder / "results.json").write_text(json.dumps(content, indent=1) + "\n")
    with pytest.raises(UserError, match="not of one run: run its notebook again"):
        results.read(folder)


def test_what_cannot_be_read_is_named_and_the_rest_is_joined(tmp_path, monkeypatch):
    for name in ("01_a", "02_b"):
        monkeypatch.setenv("CWR_RESULTS", str(tmp_path / "paper" / name))
        results.write(f"paper/{name}", rows(name), {})
    (tmp_path / "paper" / "01_a" / "replicates.npz").write_bytes(b"PK")
    with pytest.raises(UserError, match="01_a/replicates.npz is damaged"):
        results.read_all(tmp_path)
    lines = []
    joined = results.read_all(tmp_path, lines.append)
    assert set(joined.table["model"]) == {"02_b"}
    assert len(lines) == 1 and lines[0].startswith("left out: ") and "01_a/" in lines[0]


def test_a_run_of_nothing_but_choices_measures_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_RESULTS", str(tmp_path / "p" / "05_choices"))
    results.write("p/05_choices", rows() + [{**row, "variant": "a"} for row in rows()], {})
    assert results.read_all(tmp_path) is None


def test_joined_notebooks_keep_replicates_with_their_rows(tmp_path, monkeypatch):
    for notebook, shift in (("01_a", 0), ("02_b", 0.1)):
        monkeypatch.setenv("CWR_RESULTS", str(tmp_path / "paper" / notebook))
        results.write(f"paper/{notebook}", rows(f"model-{notebook}", shift), {})
    joined = results.read_all(tmp_path)
    assert len(joined.table) == 14 and joined.replicates.shape == (DRAWS, 14)
    assert joined.of_model("model-02_b").table["value"][0] == pytest.approx(0.3)


def test_a_notebook_without_replicates_leaves_the_others_theirs(tmp_path, monkeypatch):
    drawn = written(tmp_path / "x" / "01_a", monkeypatch)
    bare = results.collect([{"model": "recomputed", "measure": "average", "value": 1.0}])
    joined = results.join([bare, results.read(drawn)])
    assert joined.draws.tolist() == [0] + [DRAWS] * 7
    assert joined.replicates.shape == (DRAWS, len(joined.table))
    assert np.isnan(joined.of_model("recomputed").replicates).all()
    np.testing.assert_array_equal(
        joined.where((joined.table["model"] != "recomputed").to_numpy()).replicates,
        results.read(drawn).replicates,
    )
    assert results.read_all(tmp_path / "nowhere") is None


def test_joined_notebooks_keep_their_own_draws(tmp_path):
    many, few = (
        rows("many"),
        [{**row, "replicates": row["replicates"][:20]} for row in rows("few")],
    )
    joined = results.join([results.collect(many), results.collect(few)])
    assert joined.draws.tolist() == [DRAWS] * 7 + [20] * 7
    np.testing.assert_array_equal(
        joined.of_model("many").replicates, results.collect(many).replicates
    )
    np.testing.assert_array_equal(
        joined.of_model("few").replicates[:20], results.collect(few).replicates
    )
    assert (
        joined.fewest(np.ones(14, bool)) == 20
        and joined.fewest((joined.table["model"] == "many").to_numpy()) == DRAWS
    )


def test_one_estimate_with_two_values_is_refused_and_with_one_counts_once():
    same = results.join([results.collect(rows()), results.collect(rows())])
    assert len(same.table) == 7
    with pytest.raises(
        UserError, match="different values of one estimate .*layer 0.*choose one run"
    ):
        results.join([results.collect(rows()), results.collect(rows(shift=0.01))])


def test_a_notebook_that_compares_choices_takes_no_part_in_judging(tmp_path, monkeypatch):
    written(tmp_path / "p" / "01_a", monkeypatch)
    monkeypatch.setenv("CWR_RESULTS", str(tmp_path / "p" / "05_choices"))
    other = [{**row, "variant": "first piece"} for row in rows(shift=0.2)]
    results.write("p/05_choices", rows(shift=0.1) + other, {})
    joined = results.read_all(tmp_path)
    assert (
        joined.table["value"].tolist() == results.collect(rows()).table["value"].tolist()
    )


def test_a_verdict_cell_is_judged_anew_without_a_rerun(tmp_path, monkeypatch):
    folder = written(tmp_path, monkeypatch)
    cell = nbformat.v4.new_code_cell(
        "verdicts.show()",
        metadata={"tags": ["verdicts"]},
        outputs=[nbformat.v4.new_output("stream", text="stale")],
    )
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "notebook.ipynb")
    verdicts.fill(tmp_path / "notebook.ipynb", folder)
    text = (
        nbformat.read(tmp_path / "notebook.ipynb", 4)
        .cells[0]
        .outputs[0]["data"]["text/markdown"]
    )
    assert (
        "eth-anisotropy-noninput" in text
        and "beyond the paper: holds here" in text
        and "stale" not in text
    )


def test_check_lists_every_claim_with_both_verdicts(tmp_path, monkeypatch):
    run = tmp_path / "small"
    written(run / "ethayarajh2019" / "01_anisotropy", monkeypatch)
    found = {row["claim"]: row for row in verdicts.check(run)}
    row = found["eth-anisotropy-noninput"]
    assert row["published"] == "holds" and row["ours"]["minilm"]["verdict"] == "holds"
    assert row["rerun"] == "cwr run ethayarajh2019/01_anisotropy"
    assert found["eth-elmo-input-only-exception"]["ours"]["small"]["verdict"] == "not run"
    assert json.dumps(list(found.values()))  # plain types only
    assert [r["claim"] for r in verdicts.check(run, claim="eth-gpt2-plateau")] == [
        "eth-gpt2-plateau"
    ]
    assert verdicts.check(run, paper="nobody2020") == []


def test_the_scoreboard_lists_all_texts_and_links_only_what_ran(tmp_path, monkeypatch):
    run = tmp_path / "small"
    written(run / "ethayarajh2019" / "01_anisotropy", monkeypatch)
    page = scoreboard.page(run)
    assert page.count("\n## ") == len(registry.KEYS)
    assert (
        "- *Measured on our models:* {doc}`Figure 1 <ethayarajh2019/01_anisotropy>`\n"
        in page
    )
    assert "{doc}`Figure 2 <ethayarajh2019" not in page
    assert "- *Not run (make book runs it):* Figure 2, Figure 3, Figure 4, Table 1" in page
    assert all(row["artifact"] in page for row in artifacts.rows())  # each is named
