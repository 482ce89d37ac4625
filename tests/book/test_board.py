"""The scoreboard and the front page, opened as files in a real browser."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from parsed import soup

from cwr.papers import registry

SCREEN = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
CLOSED = 6000  # pixels of the whole page at 1440
HEADLINES = sum(len(paper.headlines) for paper in registry.PAPERS)
CLAIMS = sum(len(paper.claims) for paper in registry.PAPERS)


@pytest.fixture
def opened(browser, html: Path):
    """opened(page, viewport, ...): a page of the book opened from the disk."""
    contexts = []

    def open_page(page: str, viewport: dict = SCREEN, **options):
        context = browser.new_context(viewport=viewport, **options)
        contexts.append(context)
        tab = context.new_page()
        name, _, fragment = page.partition("#")
        tab.goto((html / name).as_uri() + (f"#{fragment}" if fragment else ""))
        return tab

    yield open_page
    for context in contexts:
        context.close()


def height(tab) -> int:
    return tab.evaluate("document.documentElement.scrollHeight")


def shown(tab) -> int:
    """How many lines of claims are to be seen, general forms left out."""
    return tab.locator(".chapter > .claim:visible, .others > .claim:visible").count()


def test_the_closed_scoreboard_is_short_and_shows_the_headlines(opened):
    tab = opened("scoreboard.html")
    assert height(tab) < CLOSED and height(opened("scoreboard.html", PHONE)) < 2 * CLOSED
    assert shown(tab) == HEADLINES


@pytest.mark.parametrize("width", [1440, 1280, 1000, 760, 390])
@pytest.mark.parametrize(
    "claim", ["eth-mev-5pct", "eth-anisotropy-rises.halves", "eth-gpt2-plateau.transfer"]
)
def test_the_address_of_a_claim_opens_its_line_and_no_other_chapter(opened, claim, width):
    tab = opened(f"scoreboard.html#{claim}", {"width": width, "height": SCREEN["height"]})
    line = tab.locator(f"[id='{claim}']")
    assert line.locator(".opened").first.is_visible()
    box, head = line.bounding_box(), tab.locator(".board-head").bounding_box()
    assert head["y"] + head["height"] - 1 <= box["y"] < SCREEN["height"]
    assert tab.locator(".others[open]").count() <= 1


@pytest.mark.parametrize("page", ["scoreboard", "intro"])
def test_one_legend_explains_each_sign_and_each_underline_of_a_page(html, page):
    shown = soup(html, page)
    (legend,) = shown.select("ul.legend")
    assert legend.find_parent(class_="board-head") is None
    explained = {name for sign in legend.select(".sign") for name in sign["class"]}
    signs = shown.select("[class=signs] .sign, .claim > summary .sign")
    used = {name for sign in signs for name in sign["class"]} - {"not-run"}
    assert used <= explained and len(used) > 7, used - explained


def test_the_state_of_the_filter_stands_in_the_address_and_survives_a_reload(opened):
    tab = opened("scoreboard.html")
    tab.get_by_role("searchbox", name="words").fill("random words")
    tab.get_by_role("combobox", name="verdict").select_option("published: fails")
    filtered = shown(tab)
    assert 0 < filtered < 50
    assert tab.locator("output").inner_text() == f"{filtered} of {CLAIMS} claims"
    again = opened(f"scoreboard.html#{tab.url.partition('#')[2]}")
    for state in (tab, again):
        state.reload()
        assert state.get_by_role("searchbox", name="words").input_value() == "random words"
        assert shown(state) == filtered
    tab.get_by_role("searchbox", name="words").fill("")
    tab.get_by_role("combobox", name="verdict").select_option("any verdict")
    assert shown(tab) == HEADLINES and tab.url.endswith("#")


def test_a_word_is_sought_in_every_chapter_and_in_what_is_folded(opened):
    tab = opened("scoreboard.html#words=simlex-999")
    ids = tab.locator(".claim:visible").evaluate_all("lines => lines.map(line => line.id)")
    assert ids and all(claim.startswith(("bis-", "gup-")) for claim in ids)
    assert tab.locator("output").inner_text() == f"{shown(tab)} of {CLAIMS} claims"


def test_the_column_heads_stay_when_one_scrolls(opened):
    tab = opened("scoreboard.html")
    tab.mouse.wheel(0, 1500)
    tab.wait_for_timeout(300)
    assert 0 <= tab.locator(".columns").bounding_box()["y"] < 150


def test_a_command_is_copied_whole(opened):
    tab = opened(
        "scoreboard.html#eth-mev-5pct", permissions=["clipboard-read", "clipboard-write"]
    )
    line = tab.locator("[id='eth-mev-5pct']")
    line.get_by_role("button", name="copy").click()
    line.get_by_role("button", name="copied").wait_for()
    assert tab.evaluate("navigator.clipboard.readText()") == (
        "cwr run ethayarajh2019/04_maximum_explainable_variance"
    )


def test_a_line_is_opened_by_keyboard(opened):
    tab = opened("scoreboard.html")
    line = tab.locator("[id='zha-top-two-little']")
    line.locator(":scope > summary").focus()  # its general form has one, too
    tab.keyboard.press("Enter")
    assert line.locator(":scope > .opened").is_visible()


def test_without_scripts_every_claim_stands_on_the_page_and_can_be_opened(opened, html):
    tab = opened("scoreboard.html", java_script_enabled=False)
    assert not tab.locator(".board-filter").is_visible()
    text = BeautifulSoup(tab.content(), "html.parser").select_one("article").get_text()
    for paper in registry.PAPERS:
        for claim in paper.claims:
            assert claim.says in text and claim.read_as in text, claim.id
    line = tab.locator("[id='eth-mev-5pct']")
    line.locator("summary").first.click()
    assert line.locator(".opened").is_visible() and not line.get_by_role("button").count()


def test_a_cell_of_the_map_leads_to_the_open_line_of_its_claim(opened):
    tab = opened("intro.html")
    tab.locator(".claims-map a[href$='#eth-mev-5pct']").click()
    tab.wait_for_url("**/scoreboard.html#eth-mev-5pct")
    assert tab.locator("[id='eth-mev-5pct'] .opened").is_visible()
