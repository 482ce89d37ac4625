"""The built site holds what the repository promises: so many pages, figures and verdicts, counted independently."""
import importlib
import json
from pathlib import Path

import yaml
from bs4 import BeautifulSoup

from cwr.papers import ethayarajh2019
from cwr.report import verdicts

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = sorted((ROOT / "notebooks" / "ethayarajh2019").glob("*.ipynb"))


def soup(html: Path, page: str) -> BeautifulSoup:
    return BeautifulSoup((html / f"{page}.html").read_text(encoding="utf-8"), "html.parser")


def listed(node) -> list[str]:
    """All pages that a table of contents names."""
    if isinstance(node, list):
        return [page for each in node for page in listed(each)]
    here = [node[key] for key in ("file", "root") if key in node]
    return here + [page for key in ("parts", "chapters", "sections") for page in listed(node.get(key, []))]


def test_the_site_has_every_page_of_the_contents(html):
    pages = listed(yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf-8")))
    assert len(pages) == len(set(pages)) >= 28
    assert [page for page in pages if not (html / f"{page}.html").exists()] == []


def test_every_figure_of_the_notebooks_is_on_its_page(html):
    for notebook in CHAPTER:
        shows = sum("figures.show(" in "".join(cell["source"]) for cell in json.loads(notebook.read_text())["cells"])
        pictures = soup(html, f"ethayarajh2019/{notebook.stem}").select("div.cell_output img")
        assert len(pictures) == shows, notebook.stem
    assert len(CHAPTER) == 6


def test_the_scoreboard_has_a_row_for_every_claim_and_a_heading_for_every_text(html):
    board = soup(html, "scoreboard")
    shown = [row.td.code.text for row in board.select("table tbody tr") if row.td.code]
    modules = [importlib.import_module(f"cwr.papers.{paper}") for paper in verdicts.PAPERS]
    assert sorted(shown) == sorted(claim.id for module in modules for claim in module.CLAIMS)
    assert len(shown) == 287 and len(board.select("article h2")) == 6
    headlines = [row for row in board.select("table tbody tr") if len(row.find_all("td")) == 5 and not row.td.code]
    assert sum(len(module.HEADLINES) for module in modules) <= 25
    for module in modules:
        for name in module.HEADLINES:
            assert any(name in row.text for row in headlines), name


def test_every_check_of_printed_numbers_has_its_address(html):
    page = soup(html, "printed_numbers")
    checks = [check for paper in verdicts.PAPERS for check in importlib.import_module(f"cwr.papers.{paper}").CHECKS]
    assert len(checks) == len({check.id for check in checks}) == 98
    for check in checks:
        assert page.find(id=check.id) is not None, check.id
        assert page.find("a", href=f"#{check.id}") is not None, check.id


def test_each_paper_against_itself_shows_all_its_claims_and_checks(html):
    for paper in verdicts.PAPERS:
        module = importlib.import_module(f"cwr.papers.{paper}")
        page = soup(html, f"{paper}/00_the_paper_against_itself")
        shown = {row.td.code.text for row in page.select("table tbody tr") if row.td and row.td.code}
        assert shown >= {each.id for each in (*module.CLAIMS, *module.CHECKS)}, paper


def test_each_notebook_judges_the_claims_of_its_figure(html):
    counts = {"01_anisotropy": ethayarajh2019.FIGURE_1, "03_intra_sentence_similarity": ethayarajh2019.FIGURE_3}
    for name, claims in counts.items():
        codes = [row.find("code") for row in soup(html, f"ethayarajh2019/{name}").select("table tr")]
        rows = [code.text for code in codes if code]
        forms = [f"{claim.id}.transfer" for claim in claims if claim.needs.n_layers]    # what our depths can be asked
        assert sorted(rows) == sorted([claim.id for claim in claims] + forms), name
