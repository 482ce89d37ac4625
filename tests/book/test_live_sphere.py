"""The live sphere of the built book, opened as a file in a real browser."""

import pytest

PAGE = "bis2021/01_geometry"
FIGURE = "sphere"
OUTSIDE = "Give a number between 0 and 6."


def said(data, step: int) -> str:
    """The sentence of a step; tests/texts/bis2021/test_spheres.py compares it with the library's."""
    texts = {column: values[step] for column, values in data["steps"].items()}
    return data["sentence"].format(**texts)


def sentence(figure) -> str:
    return figure.locator(".live-answer").inner_text()


def test_the_page_says_every_step_as_the_library_does(opened, data):
    figure = opened(PAGE)
    number = figure.get_by_role("spinbutton")
    for step, shift in enumerate(data["steps"]["shift"]):
        number.fill(shift)
        assert sentence(figure) == said(data, step)


def test_keyboard_moves_number_and_slider_together(opened, data):
    figure = opened(PAGE)
    press = figure.page.keyboard.press
    number, slider = figure.get_by_role("spinbutton"), figure.get_by_role("slider")
    number.focus()
    press("ArrowUp")
    assert slider.input_value() == "4.1" and sentence(figure) == said(data, 41)
    press("Tab")
    press("ArrowLeft")
    press("ArrowLeft")
    assert number.input_value() == "3.9" and sentence(figure) == said(data, 39)
    press("Home")
    assert sentence(figure) == said(data, 0)


@pytest.mark.parametrize("number", ["", "-1", "6.1"])
def test_what_is_no_shift_is_told_and_the_next_number_is_answered(opened, data, number):
    figure = opened(PAGE)
    figure.get_by_role("spinbutton").fill(number)
    assert sentence(figure) == OUTSIDE
    figure.get_by_role("spinbutton").fill("2")
    assert sentence(figure) == said(data, 20)


def test_the_moved_sphere_and_its_bar_are_drawn_where_they_should_be(opened, data):
    figure = opened(PAGE)
    figure.get_by_role("spinbutton").fill("3")
    centres = figure.evaluate(
        """figure => ["origin", "below"].map(kind => {
          const at = [...figure.querySelectorAll(`circle.live-${kind}`)].map(c => +c.getAttribute("cx"));
          return at.reduce((sum, x) => sum + x, 0) / at.length;
        })"""
    )
    widths = figure.evaluate(
        """figure => [...figure.querySelectorAll("rect")].map(bar => +bar.getAttribute("width"))"""
    )
    unit = (centres[1] - centres[0]) / 3
    radius = max(abs(along) for along, _, _ in data["points"]) * unit
    assert 20 < unit <= 50 and centres[0] - radius > 0
    first, second = (float(data["steps"][rank][30]) for rank in ("first", "second"))
    assert widths[0] / widths[2] == pytest.approx(first / second, rel=1e-6)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_leaves_the_page(opened, scheme):
    figure = opened(PAGE, 390, color_scheme=scheme)
    figure.get_by_role("spinbutton").fill("6")
    figure.locator("summary").click()
    inside, drawing = figure.bounding_box(), figure.locator("svg").bounding_box()
    assert inside["x"] >= 0 and inside["x"] + inside["width"] <= 390
    shapes = figure.locator("circle, rect, text")
    edges = shapes.evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert max(edges) <= drawing["x"] + drawing["width"] + 1
    assert figure.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_without_scripts_a_table_has_a_row_for_every_shift(opened):
    figure = opened(PAGE, java_script_enabled=False)
    rows = figure.locator("tbody tr")
    assert rows.count() > 1 and rows.first.is_visible()
    assert not figure.get_by_role("slider").count()


def test_script_and_data_of_the_figure_stay_small(html, run_folder):
    script = (html / "_static" / "live.js").stat().st_size
    data = (run_folder / PAGE / "figures" / "sphere.json").stat().st_size
    assert script <= 27_000 and data <= 8_000
