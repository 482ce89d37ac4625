"""A name that is markup is shown as it is, on every page that is made of results."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt

from cwr.report import claims_map, provenance, render, results, scoreboard, verdicts

sys.path.insert(0, str(Path(__file__).parents[2] / "workflow"))
import run_pages  # noqa: E402

IMAGE = "<img src=x onerror=alert(1)>"
NAMES = (IMAGE, "a|b", "*c* `{doc}`d` $x$ [e](f)", "g\\|h_i_j")
NOTEBOOK = "ethayarajh2019/01_anisotropy"


def rows(variant: str | None = None, slope: float = 0.02) -> list[dict]:
    """Baselines of models of these names, rising from layer to layer, from corpora of such names."""
    draws = np.random.default_rng(0).normal(0, 0.001, 40)
    return [
        {
            "model": name,
            "family": "causal",
            "layer": layer,
            "measure": "anisotropy_baseline",
            "dataset": name,
            "variant": variant,
            "value": 0.3 + slope * layer,
            "replicates": 0.3 + slope * layer + draws,
        }
        for name in NAMES
        for layer in range(5)
    ]


def encoder(name: str) -> SimpleNamespace:
    """What the record of a run tells of a model."""
    facts = {
        "family": "causal",
        "n_layers": 4,
        "dim": 8,
        "fingerprint": "0",
        "device": name,
    }
    return SimpleNamespace(name=name, contract=[name, name], **facts)


def written(folder: Path, estimates: list[dict], parameters: dict) -> results.Results:
    """Results and record of a run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CWR_RESULTS", str(folder))
        return results.write(NOTEBOOK, estimates, parameters, map(encoder, NAMES))


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """The folder of a run whose models, corpora and devices have these names."""
    folder = tmp_path_factory.mktemp("book") / "small"
    written(folder / NOTEBOOK, rows(), {"models": list(NAMES), "corpus": NAMES[2]})
    return folder


def html(markdown: str) -> BeautifulSoup:
    """Markdown as a page: tables, and HTML as it stands, as the book's renderer reads them."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    return BeautifulSoup(parser.render(markdown), "html.parser")


def refuse_markup(page: BeautifulSoup) -> None:
    """No name has become a tag, and no table has a row of another width than its head."""
    assert not page.select("img, script, [onerror], em, a[href=f]")
    for table in page.select("table"):
        assert {len(row.select("th, td")) for row in table.select("tr")} == {
            len(table.select("thead th"))
        }


def test_the_verdict_table_of_a_notebook_heads_its_columns_with_the_names(run):
    page = html(verdicts.markdown(results.read_all(run), "ethayarajh2019"))
    refuse_markup(page)
    heads = [head.text for head in page.select("thead th")]
    assert heads[:2] == ["claim", "published"] and set(NAMES) <= set(heads)


def test_a_reason_among_the_notes_shows_the_names(run):
    twice = results.collect(rows() + [{**row, "dataset": "lee"} for row in rows()])
    notes = render.Notes()
    for judged in verdicts.asked(twice, "ethayarajh2019"):
        for verdict in judged.ours.values():
            render.noted(verdict, notes)
    page = html(notes.markdown())
    refuse_markup(page)
    assert IMAGE in page.ol.text and NAMES[2] in page.ol.text


def test_the_table_of_choices_shows_the_names_and_the_variants():
    steep = [row for name in NAMES for row in rows(name, slope=-0.02)]
    page = html(verdicts.compared(results.collect(rows() + steep), "ethayarajh2019"))
    refuse_markup(page)
    models = [row.select_one("td").text for row in page.select("tbody tr")]
    assert set(models) == {", ".join(sorted(NAMES))}  # for which a choice changes the same
    variants = [
        summary.text.partition(": ")[0] for summary in page.select("details > summary")
    ]
    assert sorted(variants) == sorted(NAMES)


def test_the_page_about_the_run_shows_models_corpus_device_and_contract(run):
    page = html(run_pages.about(run, "small"))
    refuse_markup(page)
    codes = [code.text for code in page.select("code")]
    assert set(NAMES) <= set(codes)
    cells = [cell.text for cell in page.select("td")]
    assert set(NAMES) <= set(cells)  # layers of a contract


def test_the_page_of_added_runs_shows_titles_and_parameters(tmp_path):
    runs = tmp_path / "runs"
    rerun = runs / NOTEBOOK / "abc"
    written(rerun, rows(), {"models": list(NAMES), "corpus": NAMES[2]})
    nbformat.write(nbformat.v4.new_notebook(), rerun / "notebook.ipynb")
    page = runs / "ethayarajh2019" / "chapter-1" / "index.html"
    page.parent.mkdir()
    page.write_text("page")
    (page.parent / run_pages.MARK).touch()
    record = {"title": NAMES[0] + NAMES[2], "reruns": ["01_anisotropy/abc"]}
    page.with_name("reruns.json").write_text(json.dumps(record))
    shown = html(run_pages.reruns(runs, tmp_path / "small"))
    refuse_markup(shown)
    assert [link.text for link in shown.select("td a")] == [NAMES[0] + NAMES[2]]
    assert f"corpus: {NAMES[2]}" in [code.text for code in shown.select("code")]


def test_the_scoreboard_and_the_map_show_no_markup(run):
    judged = verdicts.judge_all(results.read_all(run), run.name)
    for text in (scoreboard.page(run), claims_map.markdown(judged)):
        page = BeautifulSoup(text.replace("\\<", "&lt;"), "html.parser")
        assert not page.select("img, script, [onerror]")


def test_a_row_of_json_has_the_names_as_they_are(run):
    judged = verdicts.judge_all(results.read_all(run), run.name)
    assert set(NAMES) <= {name for row in map(render.row, judged) for name in row["ours"]}


def test_a_record_that_tells_something_else_is_refused(run, tmp_path):
    assert (
        provenance.read(run / NOTEBOOK, *provenance.KINDS)["parameters"]["corpus"]
        == NAMES[2]
    )
    for content in ("[]", "{}", '{"parameters": 3}', '{"parameters": {}, "models": [{}]}'):
        (tmp_path / "provenance.json").write_text(content)
        with pytest.raises(Exception, match="provenance.json is damaged"):
            provenance.read(tmp_path)
