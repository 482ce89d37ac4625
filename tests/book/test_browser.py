"""Every page of the built book in a real browser: two widths, two colour schemes, nothing from elsewhere."""

import http.server
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

import build_book
import page_sizes
from cwr.papers import artifacts

WIDTHS = {
    "light": (1440, 390),
    "dark": (390, 1440),
}  # a page is loaded at the first, and then resized
PAGES = build_book.pages(build_book.ROOT / "book")

LOOK = (
    f"async () => {{{page_sizes.SETTLED}"
    + """
  const images = [...document.querySelectorAll('article img')];
  return {
    width: document.documentElement.scrollWidth,
    theme: document.documentElement.dataset.theme,
    background: getComputedStyle(document.body).backgroundColor,
    unloaded: images.filter(i => !i.complete || !i.naturalWidth).map(i => i.src),
    silent: images.filter(i => !i.alt.trim()).map(i => i.src),
    images: images.length,
    formulas: document.querySelectorAll('article .math').length,
    typeset: document.querySelectorAll('article .math mjx-container svg').length,
    broken: document.querySelectorAll('article mjx-merror, article [data-mjx-error]').length,
    twice: [...document.scripts].map(s => s.src.split('?')[0]).filter((s, i, l) => s && l.indexOf(s) !== i),
  };
}"""
)


@dataclass
class Visit:
    """What the browser saw on one page in one view."""

    page: str
    width: int
    scheme: str
    seen: dict
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.page} at {self.width} px, {self.scheme}"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_) -> None:
        pass


@pytest.fixture(scope="module")
def address(html: Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=str(html))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def look(tab, address: str, name: str, scheme: str) -> list[Visit]:
    """Open one page and note at each width what is there, what went wrong and who was asked."""
    errors, foreign, ours = [], [], (address, "data:", "blob:")
    listeners = {
        "console": lambda message: message.type == "error" and errors.append(message.text),
        "pageerror": lambda error: errors.append(str(error)),
        "request": lambda request: (
            request.url.startswith(ours) or foreign.append(request.url)
        ),
    }
    for event, listener in listeners.items():
        tab.on(event, listener)
    visits = []
    for width in WIDTHS[scheme]:
        tab.set_viewport_size({"width": width, "height": 900})
        if not visits:
            tab.goto(f"{address}{name}.html", wait_until="load")
        visits.append(Visit(name, width, scheme, tab.evaluate(LOOK), errors, foreign))
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    return visits


@pytest.fixture(scope="module")
def visits(browser, address: str) -> list[Visit]:
    """Every page in every scheme and width, loaded once a scheme for all tests of this file."""
    seen = []
    for scheme in WIDTHS:
        context = browser.new_context(color_scheme=scheme)
        tab = context.new_page()
        for name in [*PAGES, "search", "genindex"]:
            seen += look(tab, address, name, scheme)
        context.close()
    return seen


def test_no_page_reports_an_error(visits: list[Visit]) -> None:
    assert not [f"{visit}: {error}" for visit in visits for error in visit.errors]


def test_no_request_leaves_the_machine(visits: list[Visit]) -> None:
    assert not [f"{visit}: {url}" for visit in visits for url in visit.foreign]


def test_no_page_scrolls_sideways(visits: list[Visit]) -> None:
    assert not [
        f"{visit}: {visit.seen['width']}"
        for visit in visits
        if visit.seen["width"] > visit.width
    ]


def test_the_theme_follows_the_scheme_of_the_reader(visits: list[Visit]) -> None:
    assert {(visit.scheme, visit.seen["theme"]) for visit in visits} == {
        ("light", "light"),
        ("dark", "dark"),
    }
    assert len({visit.seen["background"] for visit in visits}) == 2


def test_every_figure_has_loaded_and_says_what_it_shows(visits: list[Visit]) -> None:
    assert not [
        f"{visit}: {image}"
        for visit in visits
        for image in visit.seen["unloaded"] + visit.seen["silent"]
    ]


def test_every_formula_is_typeset(visits: list[Visit]) -> None:
    wrong = [
        f"{visit}: {visit.seen['typeset']} of {visit.seen['formulas']} formulas"
        for visit in visits
        if visit.seen["typeset"] < visit.seen["formulas"] or visit.seen["broken"]
    ]
    assert not wrong
    assert any(visit.seen["formulas"] for visit in visits)


def test_no_script_is_loaded_twice(visits: list[Visit]) -> None:
    assert not [f"{visit}: {script}" for visit in visits for script in visit.seen["twice"]]


def test_every_page_shows_as_many_figures_as_its_notebook_drew(
    visits: list[Visit], html: Path
) -> None:
    source = html.parent / "source"
    drawn = {
        page: build_book.figures((source / page).with_suffix(".ipynb")) for page in PAGES
    }
    shown = {visit.page: visit.seen["images"] for visit in visits if visit.page in drawn}
    assert shown == drawn
    wanted = {
        row["notebook"]
        for row in filter(artifacts.measured, artifacts.rows())
        if row["artifact"].startswith("Figure")
    }
    assert wanted and not [name for name in wanted if not drawn[name]]


def test_search_finds_anisotropy(browser, address: str) -> None:
    tab = browser.new_page()
    tab.goto(f"{address}search.html?q=anisotropy")
    tab.wait_for_selector("#search-results a[href*='glossary']", timeout=10_000)
    tab.close()


def test_a_phone_sees_the_published_verdict_beside_its_claim(
    browser, address: str
) -> None:
    tab = browser.new_page(viewport={"width": 390, "height": 900})
    tab.goto(f"{address}ethayarajh2019/01_anisotropy.html")
    heads = tab.locator("th", has_text=re.compile("^published$"))
    edges = [head.bounding_box() for head in heads.all()]
    assert edges and all(box["x"] + box["width"] <= 390 for box in edges)
    tab.close()


LABELS = """table => {
  const heads = [...table.querySelectorAll('th')].map(head => head.textContent.trim());
  const rows = [...table.querySelectorAll('tbody tr')];
  return {
    cut: table.parentNode.scrollWidth - table.parentNode.clientWidth,
    wanted: rows.map(row => heads.slice(2).map(head => row.cells[0].textContent ? 'none' : `"${head}: "`)),
    labels: rows.map(row => [...row.cells].slice(2).map(cell => getComputedStyle(cell, '::before').content)),
  };
}"""


def test_a_phone_cuts_no_column_of_a_table_of_verdicts_and_names_each_run(
    browser, html: Path, address: str
) -> None:
    of_heads = {}  # the first page of each kind of table
    for page in sorted(html.glob("*/*.html")):
        for table in re.findall(
            r'<table class="of-claims.*?</thead>', page.read_text(encoding="utf-8"), re.S
        ):
            heads = re.sub(r"<[^>]*>|\s", "", table)
            of_heads.setdefault(heads, page.relative_to(html).as_posix())
    tab = browser.new_page(viewport={"width": 390, "height": 900})
    for page in set(of_heads.values()):
        tab.goto(f"{address}{page}")
        for table in tab.locator(".of-claims").all():
            seen = table.evaluate(LABELS)
            assert seen["cut"] <= 0 and seen["labels"] == seen["wanted"], page
    tab.close()
    assert of_heads
