"""The built book, and the builder's own modules, for the tests of this folder."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "workflow"), str(ROOT / "tests" / "book")]


@pytest.fixture(scope="session")
def html() -> Path:
    """Folder of the built book: the one that CWR_HTML names, else built in place by `cwr build`."""
    if named := os.environ.get("CWR_HTML"):
        return Path(named).resolve()
    on_cpu = {
        "DEVICE": "cpu",
        **os.environ,
    }  # as `make test`: elsewhere all notebooks are stale
    build = [sys.executable, "-m", "cwr.cli.main", "build"]
    subprocess.run(build, cwd=ROOT, check=True, env=on_cpu)
    return ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def run_folder(html) -> Path:
    """The results that the book was built from."""
    return html.parent / "run" / "small"


@pytest.fixture(scope="module")
def data(request, run_folder: Path) -> dict:
    """What the notebook PAGE of a test module left for its live figure FIGURE."""
    file = run_folder / request.module.PAGE / "figures" / f"{request.module.FIGURE}.json"
    return json.loads(file.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def driver():
    """Playwright, which a process starts once."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(driver):
    """A real browser, for all tests of a session."""
    import browsers

    browser = browsers.launch(driver)
    if browser is None:
        pytest.skip("no browser here: install Chromium, Chrome or Edge")
    return browser


@pytest.fixture
def opened(browser, html: Path):
    """opened(page, width, ...): the first live figure of a page opened from the disk."""
    contexts = []

    def open_page(page: str = "questions", width: int = 1440, **options):
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.goto((html / f"{page}.html").as_uri())
        return tab.locator(".live").first

    yield open_page
    for context in contexts:
        context.close()
