"""The live figure of the aggregation, opened as a file in a real browser."""

import pytest

from cwr.texts.zhao2020 import aggregation

PAGE = "zhao2020/03_contextualized"
FIGURE = "aggregation"
OUTSIDE = "Give a whole number from 1 to 100."


def sentence(figure) -> str:
    return figure.locator(".live-answer").inner_text()


def test_the_notebook_left_decisions_on_forty_words(data, run_folder):
    assert len({pair["word"] for pair in data["pairs"]}) == aggregation.WORDS
    assert (run_folder / PAGE / "figures" / "aggregation.json").stat().st_size <= 24_000


def test_the_page_says_every_share_and_reading_as_the_library_does(opened, data):
    figure = opened(PAGE)
    assert sentence(figure) == aggregation.sentence(data, 50, "full")
    number, reading = figure.get_by_role("spinbutton"), figure.get_by_label("reading")
    for name in data["readings"]:
        reading.select_option(name)
        for percent in (1, 10, 33, 34, 49, 50, 51, 66, 67, 90, 100):
            number.fill(str(percent))
            assert sentence(figure) == aggregation.sentence(data, percent, name)


def test_keyboard_moves_number_reading_and_slider(opened, data):
    figure = opened(PAGE)
    press = figure.page.keyboard.press
    number, slider = figure.get_by_role("spinbutton"), figure.get_by_role("slider")
    number.focus()
    press("ArrowUp")
    assert slider.input_value() == "51"
    press("Tab")
    press("ArrowDown")
    assert sentence(figure) == aggregation.sentence(data, 51, data["readings"][1])
    press("Tab")
    press("ArrowLeft")
    press("ArrowLeft")
    assert number.input_value() == "49"
    assert sentence(figure) == aggregation.sentence(data, 49, data["readings"][1])


@pytest.mark.parametrize("number", ["", "0", "101", "50.5"])
def test_what_is_no_share_is_told_and_the_next_number_is_answered(opened, data, number):
    figure = opened(PAGE)
    figure.get_by_role("spinbutton").fill(number)
    assert sentence(figure) == OUTSIDE
    figure.get_by_role("spinbutton").fill("75")
    assert sentence(figure) == aggregation.sentence(data, 75, "full")


@pytest.mark.parametrize("width", [390, 1440])
def test_a_bar_reaches_the_line_exactly_where_its_pair_is_recognised(opened, data, width):
    figure = opened(PAGE, width)
    figure.get_by_role("spinbutton").fill("60")
    bars = figure.locator("rect:not(.live-outline)").evaluate_all(
        "all => all.map(one => [one.className.baseVal, +one.getAttribute('width')])"
    )
    whole = float(figure.locator("rect.live-outline").first.get_attribute("width"))
    assert len(bars) == len(data["pairs"])
    for (kind, drawn), pair in zip(bars, data["pairs"], strict=True):
        share = pair["yes"][pair["class"]] / pair["contexts"]
        assert drawn == pytest.approx(share * whole, abs=0.01)
        assert kind == ("live-below" if share >= 0.6 else "live-origin")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_leaves_the_page(opened, scheme):
    figure = opened(PAGE, 390, color_scheme=scheme)
    figure.locator("summary").click()
    inside, drawing = figure.bounding_box(), figure.locator("svg").bounding_box()
    assert inside["x"] >= 0 and inside["x"] + inside["width"] <= 390
    edges = figure.locator("rect, text").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().right)"
    )
    assert max(edges) <= drawing["x"] + drawing["width"] + 1
    assert figure.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_without_scripts_a_table_has_a_row_for_every_reading_and_share(opened, data):
    figure = opened(PAGE, java_script_enabled=False)
    rows = figure.locator("tbody tr")
    assert rows.count() == len(data["readings"]) * len(aggregation.PERCENTS)
    assert rows.first.is_visible() and not figure.get_by_role("slider").count()
