"""A reader knows where a page stands, what its words mean and how to cite it; a page loads what it needs."""

import html as escaping
import io
import json
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from parsed import soup
from PIL import Image

import build_book
import cwr
from cwr.figures import phone
from cwr.papers import registry

PAGES = build_book.pages(build_book.ROOT / "book")
PAPERS = {paper.key: paper.name for paper in registry.PAPERS}


@pytest.fixture(scope="module")
def pages(html: Path) -> dict[str, BeautifulSoup]:
    """{page: its HTML} of all pages of the contents."""
    return {page: soup(html, page) for page in PAGES}


def paper_of(page: str) -> str:
    """The name of the paper whose chapter a page stands in; empty for other pages."""
    return PAPERS.get(page.partition("/")[0], "")


def test_names_of_papers_have_their_years():
    assert PAPERS["ethayarajh2019"] == "Ethayarajh 2019"
    assert PAPERS["survey"] == "Survey, part 2"


def test_a_page_of_a_chapter_names_its_paper_in_its_tab_and_in_its_path(pages):
    for page, shown in pages.items():
        title, path = shown.title.text, shown.select_one(".path")
        if not (paper := paper_of(page)):
            assert not title.startswith(tuple(PAPERS.values())), page
            continue
        heading = shown.h1.text.removesuffix("#").strip()
        assert title.startswith(f"{paper}: {heading} "), page
        if page.endswith("/index"):
            assert path.text.split("›")[1].strip() == f"{paper}: {heading}"
        else:
            assert path.a.text == paper and path.a["href"] == "index.html", page
            assert path.text.split("›")[1].strip() == heading, page


def test_the_contents_name_the_paper_of_each_chapter(pages):
    for page, shown in pages.items():
        entries = [link.text.strip() for link in shown.select(".bd-links a")]
        for paper in PAPERS.values():
            assert sum(entry.startswith(f"{paper}: ") for entry in entries) == 1, page
        assert all(
            button.get("aria-label") for button in shown.select(".bd-links summary")
        ), page


def test_the_search_shows_the_paper_before_a_title_and_no_title_twice(html, pages):
    index = (html / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))
    for page, title in zip(index["docnames"], index["titles"], strict=True):
        paper = paper_of(page)
        assert escaping.unescape(title).startswith(f"{paper}: ") == bool(paper), page
        assert title in index["alltitles"], page


def test_each_page_says_how_to_cite_it(pages):
    keys = set()
    for page, shown in pages.items():
        entry = shown.select_one(".cite pre").text
        assert shown.h1.text.removesuffix("#").strip().replace("&", r"\&") in entry, page
        assert f"Version {cwr.__version__}" in entry and "http" not in entry
        keys.add(re.match(r"@misc\{([\w-]+),", entry)[1])
    assert len(keys) == len(PAGES)


def test_the_words_of_verdicts_lead_to_the_glossary_where_they_come_first(pages):
    terms = {
        term["id"]: term.text.removesuffix("#")
        for term in pages["glossary"].select("dt[id]")
    }
    words = set()
    for page, shown in pages.items():
        explained = shown.select(
            "article a[title][href*='glossary.html#'], article abbr[title]"
        )
        first = {}
        for each in explained:
            first.setdefault(each["title"], each.name)
        assert set(first.values()) <= {"a"} or page == "scoreboard", page
        for link in shown.select("article a:has(> .verdict)"):
            file, _, anchor = link["href"].partition("#")
            assert file.endswith("glossary.html") and terms[anchor] == link.text, (
                page,
                link,
            )
            words.add(link.text)
        for word in shown.select("article td .verdict"):
            assert page == "scoreboard" or word.parent.name in ("a", "abbr"), (
                page,
                word.text,
            )
    assert words >= {"holds", "fails", "holds here", "fails here", "undecided", "not run"}


def test_a_page_loads_mathjax_if_it_has_a_formula_and_no_page_all_icons(html, pages):
    style = (html / "_static" / "icons.css").read_text(encoding="utf-8")
    with_formula = 0
    for page, shown in pages.items():
        scripts = [script["src"] for script in shown.select("script[src]")]
        has_formula = bool(shown.select("article .math"))
        with_formula += has_formula
        assert any("mathjax" in script for script in scripts) == has_formula, page
        assert not [
            each for each in scripts if re.search("fontawesome|searchindex", each)
        ], page
        for icon in shown.select(".fa-solid"):
            assert [name for name in icon["class"] if f".{name} {{ --icon" in style], icon
    assert 0 < with_formula < len(PAGES)


def test_a_phone_sees_what_the_signs_of_the_scoreboard_mean(browser, html):
    for width in (390, 1440):
        tab = browser.new_page(viewport={"width": width, "height": 844})
        tab.goto((html / "scoreboard.html").as_uri())
        legends = tab.get_by_text("beyond the paper", exact=False).locator("visible=true")
        assert legends.count() == 1, width
        tab.close()


def test_a_search_from_the_disk_asks_for_no_other_file(browser, html):
    tab = browser.new_page()
    errors = []
    tab.on(
        "console", lambda message: message.type == "error" and errors.append(message.text)
    )
    tab.goto(f"{(html / 'search.html').as_uri()}?q=anisotropy")
    tab.wait_for_selector("#search-results a[href*='glossary']", timeout=10_000)
    tab.close()
    assert errors == []


def test_a_drawing_is_dark_where_the_page_is_and_a_heat_map_white_in_both(browser, html):
    grounds = {}
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        tab = context.new_page()
        for page, name in (
            ("ethayarajh2019/01_anisotropy", "random-words-by-layer"),
            ("survey/00_the_paper_against_itself", "mixing-weights-of-elmo"),
        ):
            tab.goto((html / f"{page}.html").as_uri())
            tab.evaluate(
                "document.querySelectorAll('details').forEach(fold => fold.open = true)"
            )
            image = tab.locator(f"figure#{name} img")
            assert image.get_attribute("src").endswith(".svg")
            picture = Image.open(io.BytesIO(image.screenshot())).convert("L")
            grounds[name, scheme] = picture.getpixel((20, picture.height - 20)) > 127
        context.close()
    assert grounds.pop(("random-words-by-layer", "dark")) is False
    assert all(grounds.values())


def test_a_phone_shows_each_drawing_in_the_layout_that_was_made_for_it(browser, html):
    shown = {}
    for width in (390, 1440):
        tab = browser.new_page(viewport={"width": width, "height": 844})
        tab.goto((html / "ethayarajh2019" / "01_anisotropy.html").as_uri())
        shown[width] = tab.eval_on_selector_all(
            "article figure img",
            "all => all.map(image => [image.currentSrc, image.naturalWidth])",
        )
        tab.close()
    assert shown[390] and all(file.endswith("-phone.svg") for file, _ in shown[390])
    assert not any("-phone" in file for file, _ in shown[1440])
    assert {width for _, width in shown[390]} == {round(phone.WIDTH * 96)}
