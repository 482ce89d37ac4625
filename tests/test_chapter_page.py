"""The one page about a reader's reruns, on results that we choose."""

import json
import re
from html.parser import HTMLParser

import nbformat
import numpy as np
import pytest

from cwr.cli import chapter_figures, chapter_page, outputs, verdict_tables
from cwr.cli.chapter_page import Run
from cwr.cli.verdict_tables import Answer
from cwr.papers import registry
from cwr.report import markup, results
from cwr.report.judgement import Verdict
from cwr.report.render import Judged

HOSTILE = "<img src=x onerror=alert(1)>|a"


def estimates(model, family, shift, variant=None):
    draws = np.random.default_rng(0).normal(0, 0.01, 50)
    return [
        {
            "model": model,
            "family": family,
            "layer": layer,
            "measure": "anisotropy_baseline",
            "dataset": "lee",
            "variant": variant,
            "value": 0.3 + shift + layer / 50,
            "replicates": 0.3 + shift + layer / 50 + draws,
        }
        for layer in range(5)
    ]


class Encoder:
    """What `results.write` records of an encoder."""

    family, n_layers, dim, fingerprint, device = "causal", 4, 8, "abc", "cpu"
    contract = ("input: tokens", "block 1", "block 2", "block 3", "block 4")

    def __init__(self, name):
        self.name = name


@pytest.fixture
def run_of(tmp_path, monkeypatch):
    """Leaves a rerun behind, as `cwr run` does."""

    def leave(name, rows, encoders=(), cells=()):
        folder = tmp_path / "runs" / "ethayarajh2019" / name / "abc"
        monkeypatch.setenv("CWR_RESULTS", str(folder))
        values = {"models": [encoder.name for encoder in encoders], "sentences": 60}
        results.write(f"ethayarajh2019/{name}", rows, values, encoders)
        (folder / "run.json").write_text(json.dumps({"parameters": values, "state": ""}))
        nbformat.write(
            nbformat.v4.new_notebook(cells=list(cells)), folder / "notebook.ipynb"
        )
        return Run(folder, {"models": ["cwr-gpt"], "sentences": 700})

    return leave


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Results of the book: one other model."""
    monkeypatch.setenv("CWR_RESULTS", str(tmp_path / "book/ethayarajh2019/01"))
    results.write("ethayarajh2019/01_anisotropy", estimates("other", "masked", 0), {})
    return tmp_path / "book"


def text_of(page):
    """A page without its tags."""
    return re.sub("<[^>]+>", "", page)


def shown(markdown, *outputs):
    """Cells of a notebook: prose, and code with outputs of {type: content}."""
    data = [nbformat.v4.new_output("display_data", output) for output in outputs]
    code = nbformat.v4.new_code_cell("secret = 1", outputs=data)
    return [nbformat.v4.new_markdown_cell(markdown), code]


def test_the_page_shows_my_model_among_the_others_with_its_verdicts_sorted(run_of, book):
    mine = run_of(
        "01_anisotropy", estimates("my-model", "causal", 0.1), [Encoder("my-model")]
    )
    page = chapter_page.write([mine], book).read_text()
    assert page.count("<img ") == 1
    assert "above 0 in every layer of my-model. In the last layer: my-model 0.48." in page
    assert "in colour: my-model; in grey: other; hollow, as published: GPT-2" in page
    assert "eth-anisotropy-noninput" in page and "holds here (1.00)" in text_of(page)
    counted = re.search(r"of (\d+) claims (\d+) hold, (\d+) fail", page)
    words = re.findall(
        r'<summary><span class="verdict [a-z-]+">([a-z ]+)</span>: (\d+)', page
    )
    assert [word for word, _ in words] == ["holds", "fails", "not run"]
    assert sum(int(number) for _, number in words) == int(counted[1])
    assert [words[0][1], words[1][1]] == [counted[2], counted[3]]
    assert re.search(r"\d+ other claims need other notebooks", page)
    assert "sentences: 60" in page and "../01_anisotropy/abc/notebook.ipynb" in page
    assert not re.search(r"""(src|href)=.https?:""", page)


def test_a_notebook_of_variants_or_without_a_model_shows_what_it_displayed(run_of, book):
    cells = shown(
        "# Which choices?\n\n{cite:t}`someone` and `cwr-gpt` are prose",
        {"text/html": "<table><tr><td>0.25</td></tr></table><script>alert(1)</script>"},
        {"text/markdown": "computed **sentence** <img src=x onerror=alert(2)>"},
    )
    both = [
        *estimates("m", "causal", 0),
        *estimates("m", "causal", 0.2, "pooling: first piece"),
    ]
    variants = run_of("05_choices", both, [Encoder("m")], cells)
    printed = run_of("00_printed", estimates("GPT-2", "causal", 0), [], cells)
    for run in (variants, printed):
        page = chapter_page.write([run], book).read_text()
        assert "Which choices?" in page and "<td>0.25</td>" in page
        assert "computed <strong>sentence</strong>" in page
        for absent in (
            "{cite",
            "cwr-gpt</code> are",
            "secret",
            "<script",
            "onerror",
            "Verdicts",
        ):
            assert absent not in page, absent


class Tags(HTMLParser):
    """Collects the tags and attributes of a page."""

    def __init__(self, page):
        super().__init__()
        self.attributes = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.attributes += [(tag, name) for name, _ in attributes]


def test_no_name_becomes_markup(run_of, book):
    mine = run_of("01_anisotropy", estimates(HOSTILE, "causal", 0.1), [Encoder(HOSTILE)])
    page = chapter_page.write([mine], book).read_text()
    assert page.count("&lt;img src=x onerror=alert(1)&gt;|a") > 5
    assert ("img", "onerror") not in Tags(page).attributes


def test_models_that_differ_in_a_verdict_stand_in_one_row(run_of, book):
    rows = [*estimates("up", "causal", 0.1), *estimates("down", "causal", -0.6)]
    both = run_of("01_anisotropy", rows, [Encoder("up"), Encoder("down")])
    page = chapter_page.write([both], book).read_text()
    assert "differs between the models" in page
    row = re.search(
        r"<tr><td>[^<]*(?:(?!</tr>).)*eth-anisotropy-every-layer</code>.*?</tr>", page
    )
    assert "holds here" in text_of(row[0]) and "fails here" in text_of(row[0])


# ---- a chapter about matrices, which have no layers


def of_a_matrix(model, family, raw, centred, removed, cosines):
    keys = {"model": model, "family": family}
    values = {"": raw, "_centred": centred, "_removed": removed}
    rows = [
        {**keys, "measure": f"partition_isotropy{name}", "value": v}
        for name, v in values.items()
    ]
    measure = "unused_mean_cosine_by_frequency"
    return rows + [
        {**keys, "measure": measure, "k": k, "value": v}
        for k, v in enumerate(cosines, start=1)
    ]


def test_a_matrix_has_panels_of_its_treatments_and_bins_beside_the_printed_models(
    tmp_path,
):
    mine = of_a_matrix("mine", "masked", 0.5, 0.95, 0.99, [0.1, 0.3])
    other = of_a_matrix("yours", "causal", 0.1, 0.94, 0.98, [0.4, 0.2])
    reader = results.collect(mine + other)
    panels = chapter_figures.panels("bis2021", reader)
    section = chapter_figures.section(panels, reader, tmp_path, "bis2021", tmp_path)
    table_1, figure_3 = re.findall(r'alt="([^"]+)"', section)
    assert table_1 == (
        "Without the mean, partition isotropy is 0.95 or more in mine. "
        "Components removed: mine 0.99, yours 0.98."
    )
    assert "in mine. With the rarest: mine 0.30, yours 0.20" in figure_3
    first, second = re.findall(r"<figcaption>(.+?)</figcaption>", section)
    assert "in colour: mine, yours" in first and "RoBERTa-large" in first
    assert "as published" not in second, "no figure prints a value by counted frequency"


@pytest.mark.parametrize("number, claims", [(1, "of 1 claim "), (2, "of 2 claims ")])
def test_one_claim_is_counted_in_the_singular(number, claims):
    paper = registry.paper("ethayarajh2019")
    asked = [
        Judged(paper.key, claim, Verdict("holds"), {"m": Verdict("holds", 1.0)}, "")
        for claim in paper.claims[:number]
    ]
    assert claims in verdict_tables.counts([Answer(paper, ["m"], asked, 0)])


def test_steps_and_bins_stand_where_layers_would():
    table = results.collect(of_a_matrix("m", "masked", 0.5, 0.9, 0.99, [0.1, 0.3])).table
    treatments, bins = (panel.rows(table) for panel in chapter_figures.PANELS["bis2021"])
    by_layer = treatments.set_index("layer")["value"].to_dict()
    assert by_layer == {0: 0.5, 1: 0.9, 2: 0.99}
    assert set(treatments["measure"]) == {"partition_isotropy"}
    assert bins.set_index("layer")["value"].to_dict() == {0: 0.1, 1: 0.3}


def test_table_1_is_drawn_by_layer_beside_the_printed_rows_and_without_static_tables(
    tmp_path,
):
    keys = {"measure": "static_benchmark_score", "dataset": "MEN"}
    rows = [
        {
            "model": "mine",
            "family": "masked",
            "layer": layer,
            "value": 0.5 - layer / 10,
            **keys,
        }
        for layer in (1, 2, 3)
    ]
    rows += [{"model": "a table", "family": "static", "value": 0.3, **keys}]
    rows += [{**rows[0], "dataset": "WS353"}]
    reader = results.collect(rows)
    (panel,) = chapter_figures.panels("ethayarajh2019", reader)
    assert panel.rows(reader.table)["layer"].tolist() == [1, 2, 3]
    section = chapter_figures.section(
        [panel], reader, tmp_path, "ethayarajh2019", tmp_path
    )
    assert (
        "Table 1, MEN again" in section
        and "score below those of the first in mine" in section
    )


def test_dollars_of_a_text_are_no_formula_and_a_formula_is_one(tmp_path):
    said = f"Of ${{x}}^2$ she says: {markup.plain('cost $5 in May and $6')}, $$a < b$$"
    markdown = nbformat.v4.new_output("display_data", {"text/markdown": said})
    table = nbformat.v4.new_output(
        "display_data", {"text/html": "<table><td>$5, $6</td></table>"}
    )
    cell = nbformat.v4.new_code_cell("", outputs=[markdown, table])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "notebook.ipynb")
    body = outputs.html(tmp_path / "notebook.ipynb")
    assert r"Of \({x}^2\) she says: cost $5 in May and $6, \[a &lt; b\]" in body
    assert "$5, $6" in body
    page = chapter_page.document("hers", body, tmp_path)
    settings = re.search("MathJax = (.*?);</script>", page, re.DOTALL)[1]
    assert "$" not in settings and r'["\\(", "\\)"]' in settings
