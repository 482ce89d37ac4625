"""How long each page of the built book is: python workflow/page_sizes.py writes _build/log/pages.csv.

A browser opens each page at two widths, with every fold as a reader finds it.
"""

import argparse
import sys
from pathlib import Path

import pandas as pd
from playwright.sync_api import Browser, Page, sync_playwright

import browsers
import build_book

WIDTHS = {1440: 900, 390: 844}  # of a laptop and of a phone, with the height of the first screen
FILE = "pages.csv"

# What a look at a page waits for: formulas, and the file that a picture has at this width.
SETTLED = """
  if (window.MathJax) await MathJax.startup.promise;
  await new Promise(requestAnimationFrame);
  await Promise.allSettled([...document.querySelectorAll("article img")].map(image => image.decode()));
"""
LOOK = (
    f"async () => {{{SETTLED}"
    + """
  const article = document.querySelector("article");
  const inSight = element => element.checkVisibility({visibilityProperty: true})
    && !element.closest(".toggle-hidden > :not(.admonition-title)");
  const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  let words = 0;
  while (texts.nextNode())
    if (inSight(texts.currentNode.parentElement) && !texts.currentNode.parentElement.closest("script, style, svg"))
      words += texts.currentNode.data.split(/\\s+/).filter(Boolean).length;
  const tables = [...article.querySelectorAll("table")].filter(inSight);
  const figures = [...article.querySelectorAll("figure")];
  const top = element => element ? Math.round(element.getBoundingClientRect().top + scrollY) : null;
  return {
    height: document.documentElement.scrollHeight,
    words,
    figures: figures.length,
    tables: article.querySelectorAll("table").length,
    tables_in_sight: tables.length,
    rows_in_sight: Math.max(0, ...tables.map(table => table.tBodies[0]?.rows.length ?? 0)),
    first_figure: top(figures.find(inSight)),
    card: top(article.querySelector(".answer")),
    card_end: Math.round((article.querySelector(".answer")?.getBoundingClientRect().bottom ?? 0) + scrollY) || null,
  };
}"""
)
OF_A_WIDTH = ("height", "first_figure", "card_end")  # all else is the same at both widths


def measure(browser: Browser, html: Path, names: list[str]) -> pd.DataFrame:
    """A row a page of the book in `html`: heights in px, and what is in sight with folds closed.

    Columns: page, words, figures, tables, tables_in_sight, rows_in_sight (of the largest table in
    sight), then for each width the height, and where the first figure begins and the card ends.
    """
    context = browser.new_context()
    rows = [_row(context.new_page(), html, name) for name in names]
    context.close()
    return pd.DataFrame(rows)


def _row(tab: Page, html: Path, name: str) -> dict:
    """The row of one page, in a tab of its own, which is closed."""
    row = {"page": name}
    for width, height in WIDTHS.items():
        tab.set_viewport_size({"width": width, "height": height})
        if tab.url == "about:blank":
            tab.goto((html / f"{name}.html").as_uri())
        seen = tab.evaluate(LOOK)
        row = {**{key: value for key, value in seen.items() if key not in OF_A_WIDTH}, **row}
        row |= {f"{key}_{width}": seen[key] for key in OF_A_WIDTH}
    tab.close()
    return row


def main() -> None:
    """Write the report of the built book that the command line names."""
    parser = argparse.ArgumentParser(description="Measure the pages of the built book.")
    parser.add_argument("--html", type=Path, default=build_book.ROOT / "_build" / "html")
    parser.add_argument("--to", type=Path, help=f"the report (default: log/{FILE} beside the book)")
    options = parser.parse_args()
    html = options.html.resolve()
    with sync_playwright() as playwright:
        browser = browsers.launch(playwright)
        if browser is None:
            sys.exit("page_sizes: no Chromium or Chrome is here")
        table = measure(browser, html, build_book.pages(build_book.ROOT / "book"))
        browser.close()
    file = options.to or html.parent / "log" / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(file, index=False)
    print(f"{len(table)} pages: {file}")


if __name__ == "__main__":
    main()
