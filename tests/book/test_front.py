"""The front page and the chapters' first pages: what cards and points say, count, and link."""

import copy
import re
import sys
from pathlib import Path

import pandas as pd
import pytest
from bs4 import Tag

from cwr import paths
from cwr.papers import registry

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "workflow"))
from parsed import parsed, soup

import cards
import stories

SCREEN, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
WORDS = 25  # of a sentence
CHAPTERS = [f"{key}/index" for key in stories.STORIES]


def sentences(told: Tag) -> list[str]:
    return re.split(r"(?<=[.?]) ", " ".join(told.get_text().split()))


def counts(told: Tag) -> list[tuple[int, ...]]:
    """The numbers of each bar, as it says them: hold, fail, open."""
    return [
        tuple(map(int, re.findall(r"\d+", bar.text))) for bar in told.select(".bars small")
    ]


def test_a_card_a_text_has_its_question_an_answer_a_picture_and_two_bars(html):
    told = soup(html, "intro").select(".cards .told")
    assert [card.a["href"] for card in told] == [
        f"{key}/index.html" for key in registry.KEYS
    ]
    for key, card in zip(registry.KEYS, told, strict=True):
        assert len(counts(card)) == 2
        if key not in stories.STORIES:
            continue
        assert card.a.text.endswith("?") and card.select(".thumb svg")
        (answer,) = sentences(card.p)
        assert len(answer.split()) <= WORDS and re.search(r"\d", answer), answer


def test_bars_count_the_verdicts_of_the_scoreboard(html):
    board = soup(html, "scoreboard")
    claims = {
        paper.key: [c for c in paper.claims if c.is_at_its_word]
        for paper in registry.PAPERS
    }
    for key, card in zip(registry.KEYS, soup(html, "intro").select(".told"), strict=True):
        printed, ours = counts(card)
        assert (printed, ours) == tuple(counts(soup(html, f"{key}/index")))
        words = [board.find(id=claim.id)["data-published"] for claim in claims[key]]
        assert printed[:2] == (words.count("holds"), words.count("fails"))
        assert sum(printed) == len(claims[key]) >= sum(ours) > 0


@pytest.mark.parametrize("page", CHAPTERS)
def test_each_point_of_a_chapter_is_short_and_stands_by_its_picture(html, page):
    points = soup(html, page).select(".points .point")
    assert 3 <= len(points) <= 5
    for point in points:
        assert point.select(".thumb svg")
        for sentence in sentences(point.p):
            assert len(sentence.split()) <= WORDS, sentence


@pytest.mark.parametrize("key", stories.STORIES)
def test_a_chapter_lists_the_statements_that_its_bars_count(html, key):
    """Each once, in the words of the form that was tested, under what became of it on our models.

    Those that print contradicts stand in a list of their own, too.
    """
    page = soup(html, f"{key}/index")
    named = {
        part.strong.text.rstrip(":"): [
            link["href"].partition("#")[2] for link in part.select("a")
        ]
        for part in page.select("details.which section")
    }
    contradicted = named.pop(cards.CONTRADICTED, [])
    every = [claim for claims in named.values() for claim in claims]
    literal = [each.id for each in registry.paper(key).claims if each.is_at_its_word]
    assert sorted(every) == sorted(literal) and set(contradicted) <= set(every)
    assert len(contradicted) == counts(page)[0][1]
    assert [len(named.get(cards.LISTED[word], [])) for word in cards.WORDS] == [
        *counts(page)[1]
    ]


def test_the_sentence_of_result_counts_every_statement(html):
    """Supported, contradicted and open on print are all; and so on small models."""
    article = soup(html, "intro").select_one("article").get_text()
    said = re.search(
        r"Of (\d+) statements, .*? support (\d+), contradict (\d+) and leave (\d+) open\. "
        r"Of (\d+) that small models could test, (\d+) hold .*?, (\d+) fail .*? and (\d+) stay open\. "
        r"We repeated (\d+) of the (\d+) .*?: (\d+) hold there, (\d+) are mixed, and (\d+) fail,",
        " ".join(article.split()),
    )
    numbers = list(map(int, said.groups()))
    every, *printed, tested, hold, fail, left = numbers[:8]
    copied, of, *beside = numbers[8:]
    assert every == sum(printed) and tested == hold + fail + left
    assert of == hold and copied == sum(beside)
    bars = [counts(card) for card in soup(html, "intro").select(".told")]
    assert printed == [
        sum(column) for column in zip(*(bar[0] for bar in bars), strict=True)
    ]
    ours = [sum(column) for column in zip(*(bar[1] for bar in bars), strict=True)]
    assert [hold, fail, left] == ours


@pytest.mark.parametrize("page", ["intro", *CHAPTERS])
def test_each_small_picture_links_to_its_figure(html, page):
    links = soup(html, page).select("a.thumb")
    assert links
    for link in links:
        target, _, figure = link["href"].partition("#")
        file = (html / page).parent / target
        assert parsed(file.resolve()).find(id=figure) is not None, link["href"]


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_chapter_says_little_above_its_folds_and_keeps_the_rest_in_them(html, page):
    article = copy.copy(soup(html, page).select_one("article"))
    folds = article.select("details.sd-dropdown")
    assert len(folds) >= 5 and all(fold.get("id") for fold in folds)
    for hidden in article.select("details, svg"):
        hidden.decompose()
    assert len(article.get_text().split()) <= 600


def test_the_first_screen_has_what_it_is_what_came_out_and_the_cards(opened):
    tab = opened("intro", 1440).page
    last = tab.locator(".told").last.bounding_box()
    assert last["y"] + last["height"] < SCREEN["height"]
    assert tab.evaluate("document.documentElement.scrollWidth") == SCREEN["width"]


def test_a_phone_shows_the_first_card_without_scrolling(opened):
    tab = opened("intro", 390).page
    first = tab.locator(".told").first.bounding_box()
    assert first["y"] + first["height"] < PHONE["height"]


@pytest.mark.parametrize("page", ["intro", *CHAPTERS])
def test_no_text_of_a_small_picture_is_below_nine_pixels_or_outside(opened, page):
    tab = opened(page, 1440).page
    faults = tab.evaluate(
        """[...document.querySelectorAll('.thumb svg')].flatMap(svg => {
            const whole = svg.getBoundingClientRect(), scale = whole.width / svg.viewBox.baseVal.width;
            return [...svg.querySelectorAll('text')].filter(text => {
                const box = text.getBoundingClientRect();
                return parseFloat(getComputedStyle(text).fontSize) * scale < 9
                    || box.left < whole.left - 1 || box.right > whole.right + 1;
            }).map(text => text.textContent);
        })"""
    )
    assert faults == []


def test_a_hostile_name_is_text_in_a_small_picture():
    name = "<img src=x>"
    line = {"name": [name] * 2, "family": "masked", "x": [0.0, 1.0], "y": [0.1, 0.2]}
    dot = {"name": [name], "family": "masked", "y": [0.2]}
    for rows in (pd.DataFrame(line), pd.DataFrame(dot)):
        rows.attrs["ends"] = ("input", "last layer")
        assert "<img" not in cards.thumbnail(rows, cards.CARD)


def test_a_sentence_whose_numbers_are_missing_is_left_out():
    book = stories.Book({}, lambda notebook: None)
    assert book.said(lambda book: str(book.rows("bis2021/02_isotropy"))) == ""


def test_a_sentence_names_the_run_that_its_numbers_are_of(html):
    """The chapter's numbers are of the longer run where the book keeps one, and say so."""
    kept = [
        picture.notebook
        for picture in (stories.KINDS_OF_VECTORS, stories.CORPUS_SIZE, stories.DOWNSTREAM)
        if (paths.CHECKOUT / paths.LONGER / picture.notebook).is_dir()
    ]
    said = soup(html, "gupta2021/index").select_one(".points").get_text()
    assert said.count("In the longer run") == len(kept)
    assert said.count("In this copy's run") == 3 - len(kept)
