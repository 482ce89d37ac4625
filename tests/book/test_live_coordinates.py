"""The live figure of removed coordinates, opened as a file in a real browser."""

import pytest

from cwr.texts.ethayarajh2019 import removed_coordinates

PAGE = "ethayarajh2019/06_what_the_measures_hide"
FIGURE = "coordinates"
OUTSIDE = "Give a whole number from 0 to 5."


def sentence(figure) -> str:
    return figure.locator(".live-answer").inner_text()


def test_the_page_says_every_setting_as_the_library_does(opened, data):
    figure = opened(PAGE)
    number, switch = figure.get_by_role("spinbutton"), figure.get_by_role("checkbox")
    for is_centred in (False, True):
        switch.set_checked(is_centred)
        for k in range(removed_coordinates.MOST + 1):
            number.fill(str(k))
            assert sentence(figure) == removed_coordinates.sentence(data, is_centred, k)


def test_keyboard_moves_number_switch_and_slider(opened, data):
    figure = opened(PAGE)
    press = figure.page.keyboard.press
    number, slider = figure.get_by_role("spinbutton"), figure.get_by_role("slider")
    number.focus()
    press("ArrowUp")
    assert slider.input_value() == "4"
    press("Tab")
    press("Space")
    assert sentence(figure) == removed_coordinates.sentence(data, True, 4)
    press("Tab")
    press("ArrowLeft")
    assert number.input_value() == "3"
    assert sentence(figure) == removed_coordinates.sentence(data, True, 3)


@pytest.mark.parametrize("number", ["", "-1", "6", "1.5"])
def test_what_is_no_setting_is_told_and_the_next_number_is_answered(opened, data, number):
    figure = opened(PAGE)
    figure.get_by_role("spinbutton").fill(number)
    assert sentence(figure) == OUTSIDE
    figure.get_by_role("spinbutton").fill("2")
    assert sentence(figure) == removed_coordinates.sentence(data, False, 2)


def test_a_curve_has_a_mark_for_every_layer_at_its_height(opened, data):
    figure = opened(PAGE)
    figure.get_by_role("spinbutton").fill("0")
    heights = figure.locator(".live-sign").evaluate_all(
        "all => all.map(one => one.transform.baseVal[0].matrix.f).filter(y => y < 270)"
    )
    values = []
    for name in ("b", "s"):
        for model in data["models"]:
            values += model[name][0][0]
    assert len(heights) == len(values)
    assert [(230 - height) / 2 for height in heights] == pytest.approx(values)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_leaves_the_page(opened, scheme):
    figure = opened(PAGE, 390, color_scheme=scheme)
    figure.locator("summary").click()
    inside, drawing = figure.bounding_box(), figure.locator("svg").bounding_box()
    assert inside["x"] >= 0 and inside["x"] + inside["width"] <= 390
    shapes = figure.locator(".live-sign, polyline, text")
    edges = shapes.evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert max(edges) <= drawing["x"] + drawing["width"] + 1


def test_without_scripts_a_table_has_a_row_for_every_model_and_setting(opened, data):
    figure = opened(PAGE, java_script_enabled=False)
    rows = figure.locator("tbody tr")
    assert rows.count() == 2 * (removed_coordinates.MOST + 1) and rows.first.is_visible()
    assert not figure.get_by_role("slider").count()
