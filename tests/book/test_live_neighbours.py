"""The live figure of neighbours, in a page of its own opened as a file in a real browser."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cwr.corpora import word_vectors
from cwr.corpora.word_vectors import WordVectors
from cwr.estimates import neighbours
from cwr.figures import live_html

STATIC = Path(__file__).resolve().parents[2] / "book" / "_static"
UNKNOWN = "Give one of the 300 words; they are offered as you type."
PAGE = """<!DOCTYPE html><meta charset="utf-8"><link rel="stylesheet" href="live.css">
<meta name="viewport" content="width=device-width"><script src="live.js"></script>{}"""


@pytest.fixture(scope="module")
def data() -> dict:
    """Vectors of ours as they are, and two coarser copies: neighbours that differ in part."""
    vectors = word_vectors.load("cwr-static")
    coarse = {
        name: np.round(vectors.vectors * scale) + 0.01 for name, scale in (("c", 4), ("d", 2))
    }
    tables = {"as they are": vectors}
    for name, table in coarse.items():
        tables[f"table {name}"] = WordVectors(name, vectors.words, table)
    return neighbours.live_data(tables, "king", most=300)


@pytest.fixture(scope="module")
def page(data, tmp_path_factory) -> str:
    """The address of a page with the figure alone."""
    folder = tmp_path_factory.mktemp("page")
    for name in ("live.js", "live.css"):
        shutil.copy(STATIC / name, folder)
    table: pd.DataFrame = neighbours.table(data, data["words"][:3])
    figure = live_html("neighbours", data, table, neighbours.NOTE)
    file = folder / "page.html"
    file.write_text(PAGE.format(figure), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def figure(browser, page):
    """The figure, opened in a window of its own."""
    context = browser.new_context(viewport={"width": 390, "height": 900})
    tab = context.new_page()
    tab.goto(page)
    yield tab.locator(".live")
    context.close()


def sentence(figure) -> str:
    return figure.locator(".live-answer").inner_text()


def lists(figure) -> dict[str, list[tuple[str, float]]]:
    """What the page lists, as `neighbours.neighbours` gives it."""
    shown = {}
    for box in figure.locator(".live-columns > div").all():
        lines = [line.rsplit(" ", 1) for line in box.locator("li").all_inner_texts()]
        shown[box.locator("b").inner_text()] = [(word, float(cosine)) for word, cosine in lines]
    return shown


def test_the_page_lists_what_the_library_lists(figure, data):
    for word in data["words"][::23]:
        figure.get_by_label("word").fill(word)
        assert lists(figure) == neighbours.neighbours(data, word)
        assert sentence(figure) == neighbours.sentence(data, word)


def test_it_opens_with_a_word_and_takes_capitals_and_blanks(figure, data):
    assert sentence(figure) == neighbours.sentence(data, data["start"])
    figure.get_by_label("word").fill(f" {data['words'][9].upper()} ")
    assert sentence(figure) == neighbours.sentence(data, data["words"][9])


def test_the_words_in_bold_are_those_that_all_tables_have(figure, data):
    for word in data["words"][5::60]:
        figure.get_by_label("word").fill(word)
        listed = [{name for name, _ in column} for column in lists(figure).values()]
        shared = set.intersection(*listed)
        bold = figure.locator(".live-shared").all_inner_texts()
        assert sorted(bold) == sorted(3 * list(shared))


def test_a_reader_walks_from_word_to_word_by_keyboard_alone(figure, data):
    press = figure.page.keyboard.press
    figure.get_by_label("word").fill(data["words"][0])
    press("Tab")
    press("Tab")
    second = neighbours.neighbours(data, data["words"][0])["as they are"][1][0]
    press("Enter")
    assert sentence(figure) == neighbours.sentence(data, second)
    figure.page.keyboard.type("nosuchword")
    assert sentence(figure) == UNKNOWN


@pytest.mark.parametrize("text", ["", "nosuchword", "0", "constructor"])
def test_what_is_no_word_of_it_is_told_and_the_next_word_is_answered(figure, data, text):
    figure.get_by_label("word").fill(text)
    assert sentence(figure) == UNKNOWN and not lists(figure)
    figure.get_by_label("word").fill(data["words"][1])
    assert lists(figure) == neighbours.neighbours(data, data["words"][1])


def test_on_a_phone_nothing_leaves_the_page(figure):
    figure.locator("summary").click()
    inside = figure.bounding_box()
    assert inside["x"] >= 0 and inside["x"] + inside["width"] <= 390
    edges = figure.locator("li, button, b").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().right)"
    )
    assert max(edges) <= 390


def test_without_scripts_a_table_has_a_row_for_each_word_and_table(browser, page):
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(page)
    rows = tab.locator(".live tbody tr")
    assert rows.count() == 9 and rows.first.is_visible()
    context.close()
