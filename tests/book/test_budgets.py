"""How much of a notebook's page is in sight: what the built site keeps to, with named exceptions."""

import re

import pytest

import build_book
import page_sizes

NAMES = [
    page
    for page in build_book.pages(build_book.ROOT / "book")
    if re.match(r"\w+/\d\d_", page)
]
HEIGHT = {1440: 8_000, 390: 10_000}  # px, with folds closed
TABLES, ROWS = 6, 12  # in sight
LONGER = {
    "ethayarajh2019/01_anisotropy": "a live figure, and pictures that each show another thing",
    "models/01_training": "a lesson: its code and its tables stay open",
    "survey/00_the_paper_against_itself": "three pictures of the post, drawn from its numbers",
    "survey/02_architecture_or_learning": "two questions under one word, each with its pictures",
}


@pytest.fixture(scope="module")
def sizes(browser, html):
    table = page_sizes.measure(browser, html, NAMES)
    (html.parent / "log").mkdir(exist_ok=True)
    table.to_csv(html.parent / "log" / page_sizes.FILE, index=False)
    return table.set_index("page")


@pytest.mark.parametrize("width", HEIGHT)
def test_no_page_is_longer_than_its_budget_but_the_named_ones(sizes, width):
    height = sizes[f"height_{width}"]
    assert set(height.index[height > HEIGHT[width]]) <= set(LONGER)
    assert height.max() < 1.1 * HEIGHT[width] and len(LONGER) <= 4


def test_few_tables_are_in_sight_and_none_is_long(sizes):
    assert sizes["tables_in_sight"].max() <= TABLES
    assert sizes["rows_in_sight"].max() <= ROWS


def test_the_answer_is_on_the_first_screen_and_with_it_the_top_of_the_first_figure(sizes):
    answered = sizes[sizes["card"].notna()]
    assert len(answered) > 25
    for width, height in page_sizes.WIDTHS.items():
        assert (answered[f"card_end_{width}"] < height).all(), width
    assert (answered["first_figure_1440"].dropna() < page_sizes.WIDTHS[1440]).all()


PAGE = "ethayarajh2019/01_anisotropy"
IN_A_FOLD = "details.fold figure[id]"


def test_an_address_in_a_fold_opens_it(browser, html):
    tab = browser.new_page()
    tab.goto((html / f"{PAGE}.html").as_uri())
    figure = tab.locator(IN_A_FOLD).first
    assert not figure.is_visible()
    tab.evaluate("id => { location.hash = id; }", figure.get_attribute("id"))
    figure.wait_for(state="visible")
    tab.close()


def test_a_fold_opens_by_hand_without_scripts(browser, html):
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto((html / f"{PAGE}.html").as_uri())
    fold = tab.locator("details.fold.run")
    assert not fold.locator(".admonition").first.is_visible()
    fold.locator("summary").first.click()
    assert fold.locator(".admonition").first.is_visible()
    context.close()
