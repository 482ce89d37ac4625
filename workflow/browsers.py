"""A Chromium or Chrome for the browser tests: python workflow/browsers.py says which, if there is one."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
ON_MACOS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
CHANNELS = ("chrome", "msedge")  # where Playwright knows their installers to put them
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
]


def candidates() -> list[dict[str, str]]:
    """What to ask `launch` for, one after the other: programs by name, channels, Playwright's own."""
    programs = [program for name in NAMES if (program := shutil.which(name))]
    programs += [program for program in ON_MACOS if Path(program).exists()]
    found = [{"executable_path": program} for program in dict.fromkeys(programs)]
    return [*found, *({"channel": channel} for channel in CHANNELS), {}]


def launch(playwright: Playwright) -> Browser | None:
    """The first browser that starts; None where none does."""
    for candidate in candidates():
        try:
            return playwright.chromium.launch(**candidate, args=FLAGS)
        except Error:  # not there, or a wrapper of a browser that is not there
            continue
    return None


if __name__ == "__main__":
    with sync_playwright() as started:
        browser = launch(started)
        if browser is None:
            sys.exit("no Chromium or Chrome is here")
        print(f"a browser: {browser.version}")
        browser.close()
