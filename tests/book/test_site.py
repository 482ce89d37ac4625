"""The built site holds what the repository promises: so many pages, figures and verdicts, counted independently."""

import html as escaping
import json
import re
from pathlib import Path

import yaml
from bs4 import BeautifulSoup

from cwr.papers import artifacts, registry
from cwr.report.judgement import FAILS, on_published

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = sorted((ROOT / "notebooks" / "ethayarajh2019").glob("*.ipynb"))


def soup(html: Path, page: str) -> BeautifulSoup:
    return BeautifulSoup((html / f"{page}.html").read_text(encoding="utf-8"), "html.parser")


def listed(node) -> list[str]:
    """All pages that a table of contents names."""
    if isinstance(node, list):
        return [page for each in node for page in listed(each)]
    here = [node[key] for key in ("file", "root") if key in node]
    return here + [
        page for key in ("parts", "chapters", "sections") for page in listed(node.get(key, []))
    ]


def test_the_site_has_every_page_of_the_contents(html):
    pages = listed(yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf-8")))
    assert len(pages) == len(set(pages)) >= 28
    assert [page for page in pages if not (html / f"{page}.html").exists()] == []


def test_every_figure_of_the_notebooks_is_on_its_page(html):
    for notebook in CHAPTER:
        shows = sum(
            "figures.show(" in "".join(cell["source"])
            for cell in json.loads(notebook.read_text())["cells"]
        )
        pictures = soup(html, f"ethayarajh2019/{notebook.stem}").select("div.cell_output img")
        assert len(pictures) == shows, notebook.stem
    assert len(CHAPTER) == 6


def test_every_figure_has_a_number_a_caption_its_files_and_a_short_alternative_text(html):
    names, numbers = [], []
    for notebook in sorted((ROOT / "notebooks").glob("*/[0-9]*.ipynb")):
        page = html / notebook.parent.name / f"{notebook.stem}.html"
        for figure in BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")("figure"):
            names.append(figure["id"])
            numbers.append(int(figure.select_one(".caption-number").text.split()[-1]))
            assert len(figure.select_one(".caption-text").text.split()) > 20, names[-1]
            files = [page.parent / link["href"] for link in figure.select(".legend a")]
            assert [file.suffix for file in files] == [".csv", ".svg"]
            assert all(file.stat().st_size > 0 for file in files)
            finding, values = figure.img["alt"].split(". ", 1)
            assert len(re.findall(r"\d+\.\d+", values)) <= 5, (names[-1], values)
    assert len(names) == len(set(names)) > 20
    assert sorted(numbers) == list(range(1, len(names) + 1))


def codes(page: BeautifulSoup) -> list[str]:
    """The identifiers with which the rows of a page's tables begin."""
    return [row.td.code.text for row in page.select("table tbody tr") if row.td and row.td.code]


def test_the_scoreboard_has_a_row_for_every_claim_and_a_heading_for_every_text(html):
    board = soup(html, "scoreboard")
    claims = [claim.id for paper in registry.PAPERS for claim in paper.claims]
    assert sorted(codes(board)) == sorted(claims) and len(claims) > 250
    assert len(board.select("article h2")) == 1 + len(registry.PAPERS)
    headlines = [row.text for row in board.select("table tbody tr") if not row.td.code]
    for paper in registry.PAPERS:
        assert len(paper.headlines) <= 5
        for name in paper.headlines:
            assert any(name in row for row in headlines), name


def test_every_check_of_printed_numbers_has_its_address(html):
    page = soup(html, "printed_numbers")
    checks = [check.id for paper in registry.PAPERS for check in paper.checks]
    assert len(checks) == len(set(checks)) > 90
    for check in checks:
        assert page.find(id=check) is not None, check
        assert page.find("a", href=f"#{check}") is not None, check


def test_each_paper_against_itself_shows_all_its_claims_and_checks(html):
    for paper in registry.PAPERS:
        shown = codes(soup(html, f"{paper.key}/00_the_paper_against_itself"))
        assert set(shown) >= {each.id for each in (*paper.claims, *paper.checks)}, paper.key


def test_each_notebook_judges_the_claims_that_its_measures_decide(html):
    text = registry.paper("ethayarajh2019")
    for notebook, measures in artifacts.measures().items():
        claims = [claim for claim in text.claims if set(claim.needs.measures) <= measures]
        forms = [
            f"{claim.id}.transfer" for claim in claims if claim.needs.n_layers
        ]  # what our depths can be asked
        assert set(codes(soup(html, notebook))) >= {*(claim.id for claim in claims), *forms}, (
            notebook
        )


# ---- one book, one verdict

NOTE = re.compile(r" \[\d+\]$")
DECIDED = re.compile(r"(beyond the paper: )?(holds|fails|undecided)( here)?( \(.+\))?$")


def on_pages(html: Path) -> dict[tuple[str, str], set[str]]:
    """{(claim, model): verdicts in words} in the verdict tables of all notebooks' pages, notes left out."""
    verdicts: dict[tuple[str, str], set[str]] = {}
    for notebook in sorted((ROOT / "notebooks").glob("*/[0-9]*.ipynb")):
        for table in soup(html, f"{notebook.parent.name}/{notebook.stem}").select("table"):
            head = [cell.text.strip() for cell in table.select("thead th")]
            if head[:1] == ["claim"]:
                for row in table.select("tbody tr"):
                    for model, cell in list(zip(head, row.find_all("td"), strict=True))[1:]:
                        words = NOTE.sub("", cell.text.strip())
                        if DECIDED.match(words):
                            verdicts.setdefault((row.td.code.text, model), set()).add(words)
    return verdicts


def on_the_scoreboard(html: Path) -> dict[tuple[str, str], str]:
    """{(claim, model): verdict in words} on the scoreboard, general forms under their own ids."""
    verdicts = {}
    for row in soup(html, "scoreboard").select("table tbody tr"):
        if row.td.code and len(row.find_all("td")) == 5:
            claim, _, published, ours, _ = row.find_all("td")
            verdicts[claim.code.text, "published"] = first_line(published)
            verdicts |= {
                (name, model): words for name, model, words in lines(claim.code.text, ours)
            }
    return verdicts


def first_line(cell) -> str:
    """The text of a cell before its first line break."""
    return BeautifulSoup(cell.decode_contents().split("<br/>")[0], "html.parser").get_text().strip()


def lines(claim: str, cell) -> list[tuple[str, str, str]]:
    """(claim, model, words) of each line "model: words" in a cell; lines below a general form's id are the form's."""
    found = []
    for line in cell.decode_contents().split("<br/>"):
        text = BeautifulSoup(line, "html.parser")
        if text.code:
            claim = text.code.text
        model, separator, words = text.get_text().strip().partition(": ")
        if separator and DECIDED.match(words):
            found.append((claim, model, words))
    return found


def test_every_verdict_and_support_on_a_page_is_the_scoreboards(html):
    board, pages = on_the_scoreboard(html), on_pages(html)
    compared = {key: words for key, words in pages.items() if key[1] != "published"}
    assert len(compared) > 100 and len({model for _, model in compared}) >= 5
    differing = {
        key: (words, board.get(key)) for key, words in compared.items() if words != {board.get(key)}
    }
    assert differing == {}
    published = {
        key: words for key, words in pages.items() if key[1] == "published" and key in board
    }
    assert len(published) > 100
    assert {key: words for key, words in published.items() if {board[key]} != words} == {}


def test_every_verdict_of_the_scoreboard_is_one_that_cwr_check_gives(html, run_folder):
    from cwr.report import render, verdicts

    board = on_the_scoreboard(html)
    rows = verdicts.judge_all(verdicts.read_all(run_folder), run_folder.name)
    given = {
        (form.claim.id, model): render.words(verdict)
        for each in rows
        for form in each.with_general
        for model, verdict in form.ours.items()
        if DECIDED.match(render.words(verdict))
    }
    assert given == {key: words for key, words in board.items() if key[1] != "published"}


TYPED = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "--", "—": "---", "…": "..."})


def plain(page: BeautifulSoup) -> str:
    """A page's text as it was typed, with single blanks: the theme makes quotes and dashes typographic."""
    return " ".join(page.get_text().translate(TYPED).split())


def test_how_a_claim_is_read_and_why_stands_beside_every_verdict(html):
    board = plain(soup(html, "scoreboard"))
    for paper in registry.PAPERS:
        page = plain(soup(html, f"{paper.key}/00_the_paper_against_itself"))
        for claim in paper.claims:
            for text in (claim.because, claim.tolerance):
                text = text.translate(TYPED)
                assert text in board and text in page, claim.id


def test_a_published_failure_gives_its_own_reason(html):
    board = plain(soup(html, "scoreboard"))
    for paper in registry.PAPERS:
        published = paper.published()
        for claim in paper.claims:
            verdict = on_published(claim, published)
            if verdict.verdict == FAILS:
                assert verdict.reason and not verdict.reason.startswith("needs"), claim.id
                assert verdict.reason in board, claim.id


def test_every_row_of_every_table_has_as_many_cells_as_its_head(html):
    tables = 0
    for page in listed(yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf-8"))):
        for table in soup(html, page).select("article table"):
            if table.select("[colspan], [rowspan]"):
                continue
            widths = {
                len(row.find_all(["td", "th"], recursive=False)) for row in table.select("tr")
            }
            assert len(widths) == 1, (page, escaping.unescape(str(table))[:300])
            tables += 1
    assert tables > 60
