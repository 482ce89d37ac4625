"""Live figures of the built book, opened as files in a real browser: "Is my cosine high?"."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from cwr.estimates import calibration

PAGES = ["questions", "ethayarajh2019/01_anisotropy"]
OUTSIDE = "Give a number between -1 and 1."


@pytest.fixture(scope="module")
def entries(run_folder: Path) -> list[calibration.Calibration]:
    """The calibrations that the notebook left, a layer each."""
    file = run_folder / "ethayarajh2019" / "01_anisotropy" / "figures" / "cosine.json"
    return calibration.from_data(json.loads(file.read_text(encoding="utf-8")))


def sentence(figure) -> str:
    return figure.locator(".live-answer").inner_text()


def choose(figure, entry: calibration.Calibration, cosine: float) -> str:
    """Set model, layer and number as a reader does; the sentence."""
    figure.get_by_label("model").select_option(entry.model)
    figure.get_by_label("layer").select_option(str(entry.layer))
    figure.get_by_role("spinbutton").fill(str(cosine))
    return sentence(figure)


def settings(entries: list) -> list[tuple]:
    """20 random layers and cosines, and the edges of two layers."""
    rng = random.Random(0)
    drawn = [(rng.choice(entries), round(rng.uniform(-1, 1), 4)) for _ in range(8)]
    drawn += [(rng.choice(entries), round(rng.uniform(0.3, 1), 4)) for _ in range(12)]
    edges = [-1, 0, 0.00004, 1, 0.99995]
    return drawn + [(entry, edge) for entry in entries[:2] for edge in edges]


@pytest.mark.parametrize("page", PAGES)
def test_the_page_gives_the_sentence_of_the_library_at_random_settings(
    opened, entries, page
):
    figure = opened(page)
    for entry, cosine in settings(entries):
        assert choose(figure, entry, cosine) == entry.sentence(cosine)


def test_the_page_gives_the_sentence_of_cwr_cosine(opened, entries):
    figure = opened()
    for entry, cosine in [(entries[4], 0.93), (entries[-2], -0.0417)]:
        words = [str(cosine), "--model", entry.model, "--layer", str(entry.layer)]
        command = [sys.executable, "-m", "cwr.cli.main", "cosine", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert choose(figure, entry, cosine) == done.stdout.strip()


def test_everything_can_be_set_by_keyboard(opened, entries):
    figure = opened()
    press = figure.page.keyboard.press
    number, slider = figure.get_by_role("spinbutton"), figure.get_by_role("slider")
    number.focus()
    press("ArrowDown")
    assert slider.input_value() == "0.92" and "0.92 is" in sentence(figure)
    press("Tab")
    press("ArrowRight")
    assert number.input_value() == "0.921" and "0.921 is" in sentence(figure)
    press("Tab")
    press("ArrowDown")  # the second model, at its last layer but one
    second = list(dict.fromkeys(entry.model for entry in entries))[1]
    layers = [entry for entry in entries if entry.model == second]
    assert sentence(figure) == layers[-2].sentence(0.921)
    press("Tab")
    press("ArrowDown")
    assert sentence(figure) == layers[-1].sentence(0.921)


@pytest.mark.parametrize("number", ["", "1.01", "-3"])
def test_what_is_no_cosine_is_told_and_the_next_number_is_answered(
    opened, entries, number
):
    figure = opened()
    figure.get_by_role("spinbutton").fill(number)
    assert sentence(figure) == OUTSIDE
    assert choose(figure, entries[3], 0.5) == entries[3].sentence(0.5)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_leaves_the_page(opened, page, scheme):
    figure = opened(page, 390, color_scheme=scheme)
    figure.locator("summary").click()
    inside = figure.bounding_box()
    assert inside["x"] >= 0 and inside["x"] + inside["width"] <= 390
    assert figure.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_the_line_stands_below_the_thumb_of_the_slider_at_any_width(opened, entries):
    for width in (1440, 390):
        figure = opened(width=width)
        choose(figure, entries[0], 0.2)
        svg, line = figure.locator(".live-answer + svg"), figure.locator(".live-cosine")
        slider = figure.get_by_role("slider")
        low, box = float(slider.get_attribute("min")), slider.bounding_box()
        thumb = box["x"] + 8 + (0.2 - low) / (1 - low) * (box["width"] - 16)
        at = svg.bounding_box()["x"] + float(line.get_attribute("x1"))
        assert at == pytest.approx(thumb, abs=1.5)


def test_half_of_the_drawing_is_filled_at_the_median(opened, entries):
    figure = opened()
    entry = entries[3]
    choose(figure, entry, round(entry.random[50] / calibration.UNIT, 4))
    shares = figure.evaluate(
        """figure => {
          const path = figure.querySelector(".live-outline");
          const at = +figure.querySelector(".live-cosine").getAttribute("x1");
          const numbers = path.getAttribute("d").match(/[VH][\\d.-]+/g);
          let x = +path.getAttribute("d").match(/M([\\d.-]+)/)[1], left = 0, whole = 0, y = 0;
          const base = +path.getAttribute("d").match(/,([\\d.]+)/)[1];
          for (const step of numbers) {
            const value = +step.slice(1);
            if (step[0] === "V") y = base - value;
            else {
              whole += y * (value - x);
              left += y * Math.max(0, Math.min(value, at) - x);
              x = value;
            }
          }
          return left / whole;
        }"""
    )
    assert shares == pytest.approx(0.5, abs=0.02)


def test_two_figures_of_one_page_are_moved_apart(opened, entries):
    figure = opened()
    figure.evaluate(
        """figure => {
          const script = figure.querySelector("script").outerHTML;
          document.body.innerHTML = "";
          for (let copy = 0; copy < 2; copy++) {
            const twin = document.createElement("div");
            twin.className = "live";
            twin.innerHTML = script + "<div class='live-table'></div>";
            document.body.append(twin);
          }
          document.dispatchEvent(new Event("DOMContentLoaded"));
        }"""
    )
    first, second = (figure.page.locator(".live").nth(n) for n in (0, 1))
    assert choose(first, entries[0], 0.1) == entries[0].sentence(0.1)
    assert choose(second, entries[-1], 0.7) == entries[-1].sentence(0.7)
    assert sentence(first) == entries[0].sentence(0.1)
    assert [figure.locator(".live-cosine").count() for figure in (first, second)] == [1, 1]


def test_without_scripts_a_table_has_a_row_for_every_layer(opened, entries):
    figure = opened(java_script_enabled=False)
    rows = figure.locator("tbody tr")
    assert rows.count() == len(entries) and rows.first.is_visible()
    assert not figure.get_by_role("slider").count()


def test_search_for_my_cosine_leads_to_the_figure(browser, html):
    tab = browser.new_page()
    tab.goto(f"{(html / 'search.html').as_uri()}?q=is+my+cosine+high")
    first = tab.locator("#search-results li a").first
    first.wait_for(timeout=10_000)
    has_it = {f"{page}.html" for page in ("intro", *PAGES)}
    assert first.get_attribute("href").split("?")[0].split("#")[0] in has_it
    tab.close()
