"""The built site holds what the repository promises: so many pages, figures and verdicts, counted independently."""

import copy
import functools
import html as escaping
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup, Tag
from parsed import parsed, soup

import page_figures
from cwr.papers import artifacts, registry
from cwr.papers.claims import Claim, general_of
from cwr.report import kept
from cwr.report.judgement import FAILS, on_published
from cwr.report.results import read
from cwr.tables import LACKING

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = sorted((ROOT / "notebooks" / "ethayarajh2019").glob("*.ipynb"))


def listed(node) -> list[str]:
    """All pages that a table of contents names."""
    if isinstance(node, list):
        return [page for each in node for page in listed(each)]
    here = [node[key] for key in ("file", "root") if key in node]
    return here + [
        page
        for key in ("parts", "chapters", "sections")
        for page in listed(node.get(key, []))
    ]


def test_the_site_has_every_page_of_the_contents(html):
    pages = listed(
        yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf-8"))
    )
    assert len(pages) == len(set(pages)) >= 28
    assert [page for page in pages if not (html / f"{page}.html").exists()] == []


def test_every_figure_of_the_notebooks_is_on_its_page(html):
    for notebook in CHAPTER:
        shows = sum(
            "figures.show(" in "".join(cell["source"])
            for cell in json.loads(notebook.read_text())["cells"]
        )
        pictures = soup(html, f"ethayarajh2019/{notebook.stem}").select("figure img")
        assert len(pictures) == shows, notebook.stem
    assert len(CHAPTER) == 10


def test_the_figure_that_answers_a_claim_stands_below_the_title(html):
    for notebook in CHAPTER[1:5]:
        cells = json.loads(notebook.read_text())["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells)
        name = page_figures.ANNOUNCED.search(text)["name"]
        page = soup(html, f"ethayarajh2019/{notebook.stem}")
        [figure] = page.select(f"figure#{name}")
        assert figure.find_previous(["h1", "h2"]).name == "h1"
        drawn = page.find(string=re.compile("is drawn here"))
        assert drawn.find_previous("a")["href"] == f"#{name}"


def test_every_figure_has_a_number_a_caption_its_files_and_a_short_alternative_text(html):
    names, numbers = [], []
    for notebook in sorted((ROOT / "notebooks").glob("*/[0-9]*.ipynb")):
        page = html / notebook.parent.name / f"{notebook.stem}.html"
        for figure in parsed(page)("figure"):
            names.append(figure["id"])
            numbers.append(int(figure.select_one(".caption-number").text.split()[-1]))
            assert len(figure.select_one(".caption-text").text.split()) > 20, names[-1]
            files = [page.parent / link["href"] for link in figure.select(".legend a")]
            assert [file.suffix for file in files] == [".csv", ".svg"]
            assert all(file.stat().st_size > 0 for file in files)
            for source in figure.select("source"):
                assert (page.parent / source["srcset"]).stat().st_size > 0
            finding, values = figure.img["alt"].split(". ", 1)
            assert len(re.findall(r"\d+\.\d+", values)) <= 5, (names[-1], values)
    assert len(names) == len(set(names)) > 20
    assert sorted(numbers) == list(range(1, len(names) + 1))


def test_no_picture_stands_outside_a_figure(html):
    """Jupyter draws a figure that a cell leaves open, without a caption and beside the shown one."""
    for notebook in sorted((ROOT / "notebooks").glob("*/[0-9]*.ipynb")):
        page = soup(html, f"{notebook.parent.name}/{notebook.stem}")
        outside = [
            img for img in page.select("article img") if not img.find_parent("figure")
        ]
        assert outside == [], notebook.stem


def codes(page: BeautifulSoup) -> list[str]:
    """The identifiers in the first cells of a page's tables: a claim, and what else asks the same."""
    return [code.text for code in page.select("table tbody td:first-child code")]


def lines_of(board: BeautifulSoup) -> list:
    """The lines of the scoreboard, general forms among them, in the order of the page."""
    return board.select("details.claim")


def test_the_scoreboard_has_a_line_for_every_claim_and_a_heading_for_every_text(html):
    board = soup(html, "scoreboard")
    claims = [claim.id for paper in registry.PAPERS for claim in paper.claims]
    lines = [
        line["id"] for line in lines_of(board) if not line.find_parent(class_="claim")
    ]
    assert sorted(lines) == sorted(claims) and len(claims) > 250
    assert len(board.select("article h2")) == len(registry.PAPERS)
    for paper, chapter in zip(registry.PAPERS, board.select(".chapter"), strict=True):
        assert len(paper.headlines) <= 5
        first = [
            line["id"] for line in chapter.find_all("details", "claim", recursive=False)
        ]
        assert tuple(first) == paper.headlines


def test_every_claim_and_every_form_for_any_model_has_an_address_in_the_built_book(html):
    ids = [tag["id"] for tag in soup(html, "scoreboard").select("[id]")]
    claims = [claim for paper in registry.PAPERS for claim in paper.claims]
    forms = [
        claim.general_form.id for claim in claims if isinstance(claim.general_form, Claim)
    ]
    for address in (*(claim.id for claim in claims), *forms):
        assert ids.count(address) == 1, address


def test_what_the_front_page_and_the_chapters_link_to_on_the_scoreboard_is_there(html):
    ids = {tag["id"] for tag in soup(html, "scoreboard").select("[id]")}
    for page in ("intro", *(f"{key}/index" for key in registry.KEYS)):
        links = [
            link["href"]
            for link in soup(html, page).select("article a[href*='board.html#']")
        ]
        assert links and {link.partition("#")[2] for link in links} <= ids, page


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
        assert set(shown) >= {each.id for each in (*paper.claims, *paper.checks)}, (
            paper.key
        )


def test_each_notebook_judges_the_claims_that_its_measures_decide(html, run_folder):
    for notebook in artifacts.measures():
        text = registry.paper(notebook.split("/")[0])
        table = read(run_folder / notebook).without_variants().table
        of_models = [rows for _, rows in table.groupby("model")]
        decidable = [claim for claim in text.claims if claim.needs.measures]
        claims = [
            claim
            for claim in decidable
            if set(claim.needs.measures) <= set(table["measure"])
        ]
        shown = {claim.id for claim in claims}
        for claim in claims:
            form = general_of(claim)
            for rows in [table] if claim.needs.compares else of_models:
                asked = form and set(rows["family"]) & set(
                    form.needs.families or rows["family"]
                )
                if asked and claim.needs.lacking(rows) and not form.needs.lacking(rows):
                    shown.add(form.id)
        page = soup(html, notebook)
        silent = [
            link.text
            for link in page.select(".cell_output a[href*='scoreboard.html#'] code")
        ]
        assert {*codes(page), *silent} >= shown, notebook


def test_a_claim_that_no_number_decides_stands_on_the_page_of_the_paper_itself_alone(html):
    alone = {
        paper.key: {claim.id for claim in paper.claims if not claim.needs.measures}
        for paper in registry.PAPERS
    }
    assert "sur-pipeline-order" in alone["survey"]
    for notebook in sorted((ROOT / "notebooks").glob("*/[0-9]*.ipynb")):
        key = notebook.parent.name
        shown = alone.get(key, set()) & set(codes(soup(html, f"{key}/{notebook.stem}")))
        is_of_print = notebook.stem == "00_the_paper_against_itself"
        assert shown == (alone[key] if is_of_print else set()), f"{key}/{notebook.stem}"


@pytest.mark.parametrize(
    ("paper", "question", "least"),
    [
        ("gupta2021", "what-can-these-pairs-of-words-show", 2),
        ("zhao2020", "what-can-these-test-words-show", 10),
        ("survey", "what-can-seventy-documents-show", 10),
    ],
)
def test_a_chapter_has_a_smallest_effect_for_each_claim_it_names(
    html, paper, question, least
):
    heading = soup(html, f"{paper}/index").find(id=question)
    rows = heading.select("details table tbody tr")
    ids = {claim.id for claim in registry.paper(paper).claims}
    assert len(rows) > least
    for row in rows:
        claim, _, effects = row.find_all("td")
        assert claim.code.text.removesuffix(".transfer") in ids
        assert claim.a["href"] == f"../scoreboard.html#{claim.code.text}"
        assert re.search(r"^\S.* [\d.]+ \(-?[\d.]+\)", effects.text)


# ---- one book, one verdict

NOTE = re.compile(r"( \[\d+\])+$")
READINGS = ("full", "pairs", "words")  # heads of columns, of Zhao et al. (2020)
IN_GENERAL = "We tested the general form"  # begins a note
DECIDED = re.compile(r"(beyond the paper: )?(holds|fails|undecided)( here)?( \(.+\))?$")


def on_pages(html: Path) -> dict[tuple[str, str], set[str]]:
    """{(claim, model): verdicts in words} in the verdict tables of all notebooks' pages.

    Notes are left out, and so are the folded verdicts on a longer run, which has results of its own.
    """
    verdicts: dict[tuple[str, str], set[str]] = {}
    for notebook in sorted((ROOT / "notebooks").glob("*/[0-9]*.ipynb")):
        for table in soup(html, f"{notebook.parent.name}/{notebook.stem}").select("table"):
            head = [cell.text.strip() for cell in table.select("thead th")]
            if head[:2] == ["claim", "published"] and not table.find_parent(
                class_="dropdown"
            ):
                for claim, model, text in cells_of(table, head):
                    words = NOTE.sub("", text)
                    if DECIDED.match(words):
                        verdicts.setdefault((claim, model), set()).add(words)
    return verdicts


def cells_of(table, head: list[str]) -> Iterator[tuple[str, str, str]]:
    """Claim, model and verdict with its notes, of each verdict in a table.

    In a column of a reading each line begins with its models, and a note tells that it is the
    general form that they were asked.
    """
    numbered = table.find_next("ol")
    notes = numbered.select("li") if numbered else []
    for row in table.select("tbody tr"):
        claim = row.td.code.text
        for name, cell in list(zip(head, row.find_all("td"), strict=True))[1:]:
            if name not in READINGS:
                yield claim, name, cell.text.strip()
                continue
            by_reading = claim if name == "full" else f"{claim}.{name}"
            for line in cell.decode_contents().split("<br/>"):
                models, _, text = (
                    BeautifulSoup(line, "html.parser").text.strip().partition(": ")
                )
                numbers = [int(number) for number in re.findall(r"\[(\d+)\]", text)]
                general = any(
                    notes[number - 1].text.startswith(IN_GENERAL) for number in numbers
                )
                for model in models.split(", "):
                    yield f"{by_reading}.transfer" if general else by_reading, model, text


def on_the_scoreboard(html: Path, profile: str = "small") -> dict[tuple[str, str], str]:
    """{(claim, model): verdict in words} on the scoreboard, general forms under their own ids.

    Those of one profile, without its name, and the published ones.
    """
    other = {"small": "base", "base": "small"}[profile]
    verdicts = {}
    for (claim, name), all_words in every_row(html).items():
        for words in all_words:
            if not OF_PROFILE[other].search(words):
                verdicts[claim, name] = OF_PROFILE[profile].sub("", words)
    return verdicts


OF_PROFILE = {
    name: re.compile(rf" \({name}\)|; {name}(?=[;)])|(?<=\(){name}; ")
    for name in kept.PROFILES
}


def with_or_without_copies(words: str) -> set[str]:
    """What the pages may say where the scoreboard says this, which one of them has to say whole: a
    notebook without untrained copies gives the same verdict and support without their word."""
    return {words, re.sub(r"; [^;)]+ untrained(?=\))", "", words)}


def every_row(html: Path) -> dict[tuple[str, str], set[str]]:
    """{(claim, model): verdicts in words, one a profile} on the scoreboard."""
    verdicts: dict[tuple[str, str], set[str]] = {}
    for line in lines_of(soup(html, "scoreboard")):
        for row in line.select_one("table.asked").select("tbody tr"):
            words = first_line(row.td)
            for name in row.th.text.split(", "):
                if name == "published" or DECIDED.match(words):
                    verdicts.setdefault((line["id"], name), set()).add(words)
    return verdicts


def asked(claim: str, label: str) -> tuple[str, str]:
    """The claim and the model that a sign's label names: "cwr-bert, at any depth" is the general form."""
    model, _, general = label.partition(", ")
    return (f"{claim}.transfer" if general else claim), model


def first_line(cell) -> str:
    """The text of a cell before its first line break."""
    return (
        BeautifulSoup(cell.decode_contents().split("<br/>")[0], "html.parser")
        .get_text()
        .strip()
    )


def said(sign: Tag) -> tuple[str, str]:
    """Of what a sign is, and its words, without the numbers of untrained copies behind them."""
    name, _, words = sign["aria-label"].partition(": ")
    return name, re.sub(r"\)\. .*", ")", words)


def test_every_sign_is_that_of_the_verdict_in_words_below_it(html):
    signs = 0
    board = every_row(html)
    for line in lines_of(soup(html, "scoreboard")):
        for sign in line.summary.select(".sign[aria-label]"):
            name, words = said(sign)
            assert words in board[asked(line["id"], name)], (line["id"], name)
            signs += 1
    assert signs > 400


def test_each_cell_of_the_claims_map_says_what_the_scoreboard_says(html):
    board, cells = every_row(html), soup(html, "intro").select(".claims-map td a")
    assert len(cells) == sum(len(paper.headlines) for paper in registry.PAPERS)
    for cell in cells:
        claim = cell["href"].partition("#")[2]
        labels = [said(sign) for sign in cell.select(".sign[aria-label]")]
        assert labels and all(words in board[asked(claim, name)] for name, words in labels)


def test_every_verdict_and_support_on_a_page_is_the_scoreboards(html):
    board, pages = on_the_scoreboard(html), on_pages(html)
    compared = {key: words for key, words in pages.items() if key[1] != "published"}
    assert len(compared) > 100 and len({model for _, model in compared}) >= 5
    differing = {
        key: (words, board.get(key))
        for key, words in compared.items()
        if not {board.get(key)} <= words <= with_or_without_copies(board.get(key, ""))
    }
    assert differing == {}
    published = {
        key: words
        for key, words in pages.items()
        if key[1] == "published" and key in board
    }
    assert len(published) > 100
    assert {key: words for key, words in published.items() if {board[key]} != words} == {}


def test_every_verdict_of_the_scoreboard_is_one_that_cwr_check_gives(html, run_folder):
    """At `small`; `tests/report/test_profiles.py` has `base`, which needs no run."""
    from cwr.report import render, verdicts

    profile = run_folder.name
    board = on_the_scoreboard(html, profile)
    rows = verdicts.judge_all(kept.read(run_folder), profile)
    given = {
        (form.claim.id, model): render.words(verdict)
        for each in rows
        for form in each.with_general
        for model, verdict in form.ours.items()
        if DECIDED.match(render.words(verdict))
    }
    assert given == {key: words for key, words in board.items() if key[1] != "published"}


def test_the_word_on_untrained_copies_is_the_same_on_the_pages_and_in_json(
    html, run_folder
):
    from cwr.report import render, verdicts

    shown = {
        key: word
        for key, words in on_the_scoreboard(html).items()
        for word, sign in render.UNTRAINED.items()
        if words.endswith(f"{sign})")
    }
    rows = verdicts.check(run_folder)
    forms = [form for row in rows for form in (row, row["general"]) if form]
    given = {
        (form["claim"], model): ours["untrained"]
        for form in forms
        for model, ours in form["ours"].items()
        if ours["untrained"]
    }
    assert shown == given and len(given) > 100
    assert set(given.values()) <= set(render.UNTRAINED) and len(set(given.values())) > 3
    assert {claim.partition("-")[0] for claim, _ in given} >= {"eth"}


TYPED = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "--", "—": "---", "…": "..."}
)


def plain(page: BeautifulSoup) -> str:
    """A page's text as it was typed, with single blanks: the theme makes quotes and dashes typographic."""
    return " ".join(page.get_text().translate(TYPED).split())


def test_how_a_claim_is_read_and_why_stands_beside_every_verdict(html):
    board = plain(soup(html, "scoreboard"))
    for paper in registry.PAPERS:
        page = plain(soup(html, f"{paper.key}/00_the_paper_against_itself"))
        for claim in paper.claims:
            for text in (claim.because, claim.read_as):
                text = text.translate(TYPED)
                assert text in board and text in page, claim.id


def test_a_published_failure_gives_its_own_reason(html):
    board = plain(soup(html, "scoreboard"))
    for paper in registry.PAPERS:
        published = paper.published()
        for claim in paper.claims:
            verdict = on_published(claim, published)
            if verdict.verdict == FAILS:
                assert verdict.reason and not verdict.reason.startswith(
                    ("the claim needs", LACKING)
                ), claim.id
                assert verdict.reason.translate(TYPED) in board, claim.id


def test_every_row_of_every_table_has_as_many_cells_as_its_head(html):
    tables = 0
    for page in listed(
        yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf-8"))
    ):
        for table in soup(html, page).select("article table"):
            if table.select("[colspan], [rowspan]"):
                continue
            widths = {
                len(row.find_all(["td", "th"], recursive=False))
                for row in table.select("tr")
            }
            assert len(widths) == 1, (page, escaping.unescape(str(table))[:300])
            tables += 1
    assert tables > 60


# ---- what a page shows is meant for readers

IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)+")


@functools.cache
def articles(html: Path) -> dict[str, BeautifulSoup]:
    """{page: a copy of its article without code, formulas and scripts}."""
    pages = listed(
        yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf-8"))
    )
    found = {page: copy.copy(soup(html, page).select_one("article")) for page in pages}
    for article in found.values():
        for element in article.select("code, pre, script, style, .math"):
            element.decompose()
    return found


def test_no_cell_of_a_table_says_nan(html):
    cells = {page: article.select("td, th") for page, article in articles(html).items()}
    assert sum(map(len, cells.values())) > 3000
    nan = {
        page: [cell.text for cell in row if "nan" in cell.text.lower().split()]
        for page, row in cells.items()
    }
    assert {page: texts for page, texts in nan.items() if texts} == {}


def test_no_backtick_and_no_bar_shows_outside_code(html):
    texts = {
        page: " ".join(article.stripped_strings)
        for page, article in articles(html).items()
    }
    for page in (
        "library",
        "library_measures",
    ):  # from docstrings, where bars are norms: |w|
        texts[page] = texts[page].replace("|", "")
    assert {
        page: re.findall(r".{,30}[`|].{,30}", text)
        for page, text in texts.items()
        if {"`", "|"} & {*text}
    } == {}


def test_no_heading_is_an_identifier(html):
    headings = {
        page: article.select("h1, h2, h3, h4, h5, h6, th")
        for page, article in articles(html).items()
    }
    words = {
        (page, word)
        for page, row in headings.items()
        for heading in row
        for word in heading.text.split()
    }
    assert len(words) > 500
    assert [each for each in words if IDENTIFIER.fullmatch(each[1])] == []


def test_every_work_that_is_cited_has_an_address(html):
    works = soup(html, "bibliography").select("article .citation")
    assert (
        len(works)
        == (ROOT / "book" / "references.bib").read_text(encoding="utf-8").count("\n@") + 1
    )
    assert [work.text for work in works if not work.select_one("a[href^=https]")] == []


def test_every_notebook_with_estimates_offers_them_as_a_file(html, run_folder):
    for results in sorted(run_folder.glob("*/*/results.json")):
        page = soup(html, results.parent.relative_to(run_folder).as_posix())
        (link,) = page.select("article a.download[href$='/results.json']")
        file = (html / results.parent.parent.name / link["href"]).resolve()
        assert file.read_bytes() == results.read_bytes()
