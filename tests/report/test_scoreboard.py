"""The scoreboard, the claims map and the findings, from verdicts with a known answer."""

import re

import numpy as np
import pytest
from bs4 import BeautifulSoup

from cwr.papers import registry
from cwr.papers.claims import Claim
from cwr.report import claims_map, render, results, scoreboard, verdicts

HOSTILE = ('"><img src=x onerror=alert(1)>', "a|b", "*c*`{doc}`$x$")
MODELS = {"cwr-elmo": "bilstm", "cwr-bert": "masked", "cwr-gpt": "causal"}


def rows(models: dict[str, str], first: float = 0.2) -> list[dict]:
    """Baselines of each model, {name: family}: above `first` in all layers."""
    noise = np.random.default_rng(0)
    return [
        {
            "model": name,
            "family": family,
            "layer": layer,
            "measure": "anisotropy_baseline",
            "value": first + layer / 100,
            "replicates": first + layer / 100 + noise.normal(0, 0.001, 40),
        }
        for name, family in models.items()
        for layer in range(5)
    ]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """run(models): a folder of results of Figure 1 with these models, {name: family}."""

    def written(models: dict[str, str], first: float = 0.2):
        folder = tmp_path / "small"
        monkeypatch.setenv("CWR_RESULTS", str(folder / "ethayarajh2019" / "01_anisotropy"))
        results.write(
            "ethayarajh2019/01_anisotropy", rows(models, first), {"models": list(models)}
        )
        return folder

    return written


def judged(run) -> list[render.Judged]:
    return verdicts.judge_all(results.read_all(run), run.name)


def html_of(markdown: str) -> BeautifulSoup:
    """The HTML blocks of a page in MyST."""
    blocks = re.findall(r"````\{raw\} html\n(.*?)\n````", markdown, flags=re.DOTALL)
    assert blocks
    return BeautifulSoup("\n".join(blocks), "html.parser")


def test_every_claim_and_every_form_for_any_model_has_one_address(run):
    for folder in (run(MODELS), run(MODELS).parent / "nothing"):
        board = html_of(scoreboard.page(folder))
        ids = [tag["id"] for tag in board.select("[id]")]
        claims = [claim for paper in registry.PAPERS for claim in paper.claims]
        forms = [
            claim.general_form.id
            for claim in claims
            if isinstance(claim.general_form, Claim)
        ]
        assert len(forms) > 50 and len(ids) == len(set(ids))
        assert {*(claim.id for claim in claims), *forms} <= set(ids)


def test_a_line_shows_one_sign_for_published_and_one_a_model(run):
    board = html_of(scoreboard.page(run(MODELS | {"minilm": "sentence"})))
    line = board.find(id="eth-anisotropy-noninput").summary
    labels = [sign["aria-label"] for sign in line.select(".sign")]
    assert labels == [
        "published: holds",
        *(f"{name}: holds here (1.00)" for name in MODELS),
        "minilm: beyond the paper: holds here (1.00)",
    ]
    group = board.find(id="eth-elmo-input-only-exception").summary.select(".sign")
    assert [sign["aria-label"] for sign in group] == [
        "published: holds",
        "cwr: fails here (0.00)",
    ]
    depth = board.find(id="eth-bert-penultimate").summary.select(".sign")
    assert [sign["aria-label"] for sign in depth][1:] == [
        "cwr-bert, at any depth: fails here (0.00)"
    ]


def test_one_legend_stands_above_the_head_and_on_the_map(run):
    folder = run(MODELS)
    board = html_of(scoreboard.page(folder))
    (legend,) = board.select("ul.legend")
    assert not board.select(".board-head .sign")
    caption = html_of(claims_map.markdown(judged(folder))).caption
    assert caption.ul == legend
    assert [name.text for name in caption.select("code")] == list(MODELS)


def test_one_reason_stands_once_in_the_table_of_a_claim(run):
    board = html_of(scoreboard.page(run(MODELS)))
    table = board.find(id="eth-same-word-closer").select_one("table")
    assert [row.th.text for row in table.select("tbody tr")] == [
        "published",
        ", ".join(MODELS),
    ]
    assert table.text.count("missing here: adjusted self similarity") == 1


def test_published_marks_are_hollow_and_ours_filled_also_where_a_claim_compares_models(
    run,
):
    board = html_of(scoreboard.page(run(MODELS)))
    for claim, ours in (
        ("eth-anisotropy-noninput", 3),
        ("bis-centring-restores-isotropy", 0),
    ):
        published, *others = board.find(id=claim).select("table.asked tbody tr")
        assert published.select("circle.published") and not published.select(
            "circle.ours"
        ), claim
        assert sum(len(row.select("circle.ours")) for row in others) == ours, claim
        assert not [row for row in others if row.select("circle.published")], claim


def test_nothing_run_on_a_papers_own_models_is_said_in_one_phrase(run, monkeypatch):
    folder = run(MODELS)
    phrase = "No paper's own model was run"
    assert scoreboard.page(folder).count(phrase) == 1
    own = folder.parent / "paper" / "ethayarajh2019" / "01_anisotropy"
    monkeypatch.setenv("CWR_RESULTS", str(own))
    results.write(
        "ethayarajh2019/01_anisotropy", rows({"BERT": "masked"}), {"models": ["BERT"]}
    )
    page = scoreboard.page(folder)
    line = html_of(page).find(id="eth-anisotropy-noninput")
    assert phrase not in page and "own BERT" in [
        row.th.text for row in line.select("tbody tr")
    ]


def test_each_cell_of_the_map_shows_the_verdicts_of_cwr_check(run):
    folder = run(MODELS)
    cells = html_of(claims_map.markdown(judged(folder))).select("td a")
    rows = {row["claim"]: row for row in verdicts.check(folder)}
    assert [cell["href"] for cell in cells] == [
        f"scoreboard.html#{claim}"
        for paper in registry.PAPERS
        for claim in paper.headlines
    ]
    shown = 0
    for cell in cells:
        row = rows[cell["href"].partition("#")[2]]
        words = [sign["aria-label"].split(" (")[0] for sign in cell.select(".sign")]
        assert words[0] == f"published: {row['published']}"
        decided = {
            n: v["verdict"] for n, v in row["ours"].items() if v["verdict"] != "not run"
        }
        assert words[1:] == [f"{name}: {word} here" for name, word in decided.items()]
        shown += len(decided)
    assert shown == len(MODELS)  # one headline claim reads Figure 1 alone


def test_a_text_without_results_on_models_says_so_once(run):
    table = html_of(claims_map.markdown(judged(run(MODELS))))
    said = [
        row.th.text for row in table.select("tr") if claims_map.PRINTED_ONLY in row.text
    ]
    assert len(said) == len(registry.PAPERS) - 1 and not said[0].startswith("Ethayarajh")


def test_a_hostile_name_makes_no_tag_no_cell_and_no_markup(run):
    folder = run(dict(zip(HOSTILE, MODELS.values(), strict=True)), first=0)
    every = judged(folder)
    board = html_of(scoreboard.page(folder))
    table = html_of(claims_map.markdown(every))
    for page in (board, table):
        assert not page.select("img, script, [onerror]")
        labels = {
            sign["aria-label"].partition(": ")[0]
            for sign in page.select(".sign[aria-label]")
        }
        assert set(HOSTILE) <= labels
    widths = {len(row.select("td")) for row in table.select("tr")}
    assert widths == {5}
