"""The live figure of neighbours, opened as a file in a real browser."""

import pytest

from cwr.texts.gupta2021 import neighbours

PAGE = "gupta2021/01_distillation"
FIGURE = "neighbours"


@pytest.fixture
def figure(opened):
    """The figure on a phone."""
    return opened(PAGE, 390)


def sentence(figure) -> str:
    return figure.locator(".live-answer").inner_text()


def unknown(data) -> str:
    return f"Give one of the {len(data['words']):,} words; they are offered as you type."


def lists(figure) -> dict[str, list[tuple[str, float]]]:
    """What the page lists, as `neighbours.neighbours` gives it."""
    shown = {}
    for box in figure.locator(".live-columns > div").all():
        lines = [line.rsplit(" ", 1) for line in box.locator("li").all_inner_texts()]
        shown[box.locator("b").inner_text()] = [
            (word, float(cosine)) for word, cosine in lines
        ]
    return shown


def test_the_notebook_left_two_thousand_words_of_three_tables(data, run_folder):
    assert len(data["words"]) == neighbours.MOST and data["k"] == neighbours.K
    names = [column["name"] for column in data["columns"]]
    assert names == ["input matrix", "ASE, last layer", "X2Static"]
    assert (run_folder / PAGE / "figures" / "neighbours.json").stat().st_size <= 400_000


def test_the_page_lists_what_the_library_lists(figure, data):
    for word in data["words"][::173]:
        figure.get_by_label("word").fill(word)
        assert lists(figure) == neighbours.neighbours(data, word)
        assert sentence(figure) == neighbours.sentence(data, word)


def test_it_opens_with_a_word_and_takes_capitals_and_blanks(figure, data):
    assert sentence(figure) == neighbours.sentence(data, data["start"])
    figure.get_by_label("word").fill(f" {data['words'][9].upper()} ")
    assert sentence(figure) == neighbours.sentence(data, data["words"][9])


def test_the_words_in_bold_are_those_that_all_tables_have(figure, data):
    for word in data["words"][5::400]:
        figure.get_by_label("word").fill(word)
        listed = [{name for name, _ in column} for column in lists(figure).values()]
        shared = set.intersection(*listed)
        bold = figure.locator(".live-shared").all_inner_texts()
        assert sorted(bold) == sorted(len(listed) * list(shared))


def test_a_reader_walks_from_word_to_word_by_keyboard_alone(figure, data):
    press = figure.page.keyboard.press
    figure.get_by_label("word").fill(data["words"][0])
    press("Tab")
    press("Tab")
    first_table = neighbours.neighbours(data, data["words"][0])["input matrix"]
    press("Enter")
    assert sentence(figure) == neighbours.sentence(data, first_table[1][0])
    figure.page.keyboard.type("nosuchword")
    assert sentence(figure) == unknown(data)


@pytest.mark.parametrize("text", ["", "nosuchword", "0", "constructor"])
def test_what_is_no_word_of_it_is_told_and_the_next_word_is_answered(figure, data, text):
    figure.get_by_label("word").fill(text)
    assert sentence(figure) == unknown(data) and not lists(figure)
    figure.get_by_label("word").fill(data["words"][1])
    assert lists(figure) == neighbours.neighbours(data, data["words"][1])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_leaves_the_page(opened, scheme):
    figure = opened(PAGE, 390, color_scheme=scheme)
    figure.locator("summary").click()
    inside = figure.bounding_box()
    assert inside["x"] >= 0 and inside["x"] + inside["width"] <= 390
    edges = figure.locator(".live-columns :is(li, button, b)").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().right)"
    )
    assert max(edges) <= 390
    assert figure.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_without_scripts_a_table_has_a_row_for_each_word_and_table(opened, data):
    figure = opened(PAGE, java_script_enabled=False)
    rows = figure.locator("tbody tr")
    assert rows.count() == 12 * len(data["columns"]) and rows.first.is_visible()
    assert not figure.locator("input").count()
