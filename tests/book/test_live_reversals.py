"""The live figure of reversals, opened as a file in a real browser."""

import pytest

from cwr.texts.survey import reversal_paths
from cwr.texts.survey import reversals as decisions

PAGE = "survey/04_changing_its_mind"
FIGURE = "reversals"
OUTSIDE = "Give a margin from 0 to 0.99."


def sentence(figure) -> str:
    return figure.locator(".live-answer").inner_text()


def test_the_notebook_left_paths_below_200_kilobytes(data, run_folder):
    assert 100 < len(data["items"]) <= reversal_paths.MOST
    assert (run_folder / PAGE / "figures" / "reversals.json").stat().st_size < 200_000


def test_the_page_says_every_margin_and_mention_as_the_library_does(opened, data):
    figure = opened(PAGE)
    number, mention = figure.get_by_role("spinbutton"), figure.get_by_label("mention")
    path, _ = reversal_paths.kinds(data, data["delta"])
    assert number.input_value() == str(decisions.DELTA)
    assert sentence(figure) == reversal_paths.sentence(
        data, data["delta"], int(path.nonzero()[0][0])
    )
    of_each_kind = [int((path == kind).argmax()) for kind in set(path.tolist())]
    for item in of_each_kind:
        mention.select_option(str(item))
        for delta in (0, 7, 20, 45, 70, 99):
            number.fill(f"{delta / 100:.2f}")
            assert sentence(figure) == reversal_paths.sentence(data, delta, item)


def test_reversed_mentions_are_offered_first(opened, data):
    values = (
        opened(PAGE).locator("option").evaluate_all("all => all.map(one => +one.value)")
    )
    path, _ = reversal_paths.kinds(data, data["delta"])
    is_reversed = [bool(path[item]) for item in values]
    assert sorted(values) == list(range(len(data["items"])))
    assert is_reversed == sorted(is_reversed, reverse=True)


def test_keyboard_moves_number_mention_and_slider(opened, data):
    figure = opened(PAGE)
    press = figure.page.keyboard.press
    number, slider = figure.get_by_role("spinbutton"), figure.get_by_role("slider")
    mention = figure.get_by_label("mention")
    number.focus()
    press("ArrowUp")
    assert slider.input_value() == "0.21"
    press("Tab")
    press("ArrowDown")
    item = int(mention.input_value())
    assert sentence(figure) == reversal_paths.sentence(data, 21, item)
    press("Tab")
    press("ArrowLeft")
    press("ArrowLeft")
    assert number.input_value() == "0.19"
    assert sentence(figure) == reversal_paths.sentence(data, 19, item)


@pytest.mark.parametrize("number", ["", "-0.1", "1", "1.5"])
def test_what_is_no_margin_is_told_and_the_next_number_is_answered(opened, data, number):
    figure = opened(PAGE)
    figure.get_by_role("spinbutton").fill(number)
    assert sentence(figure) == OUTSIDE
    figure.get_by_role("spinbutton").fill("0.5")
    item = int(figure.get_by_label("mention").input_value())
    assert sentence(figure) == reversal_paths.sentence(data, 50, item)


def test_bars_are_the_shares_of_the_mention_and_frames_its_firm_decisions(opened, data):
    figure = opened(PAGE)
    item = int(figure.get_by_label("mention").input_value())
    bars = figure.locator("rect:not(.live-outline)").evaluate_all(
        "all => all.map(one => +one.getAttribute('height'))"
    )
    layers = data["layers"]
    right, wrong = data["items"][item][5:7]
    expected = [
        int(shares[2 * k : 2 * k + 2]) for k in range(layers) for shares in (right, wrong)
    ]
    assert bars[: 2 * layers] == expected
    read = reversal_paths.readings(data)
    path = (
        read.decided[range(layers), range(layers)],
        read.margins[range(layers), range(layers)],
    )
    is_firm = decisions.firm(path[0], path[1] + 1e-9)[:, item]
    assert figure.locator("rect.live-outline").count() == is_firm.sum()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_leaves_the_page(opened, scheme):
    figure = opened(PAGE, 390, color_scheme=scheme)
    figure.locator("summary").click()
    inside, drawing = figure.bounding_box(), figure.locator("svg").bounding_box()
    assert inside["x"] >= 0 and inside["x"] + inside["width"] <= 390
    edges = figure.locator("rect, svg text").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().right)"
    )
    assert max(edges) <= drawing["x"] + drawing["width"] + 1
    assert figure.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_without_scripts_a_table_has_a_row_for_every_margin(opened):
    figure = opened(PAGE, java_script_enabled=False)
    rows = figure.locator("tbody tr")
    assert rows.count() == len(reversal_paths.STEPS) and rows.first.is_visible()
    assert not figure.get_by_role("slider").count()
