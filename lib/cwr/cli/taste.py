"""A taste of the book: the five texts held against their own numbers, with NumPy and pandas alone.

python -m cwr.cli.taste [FOLDER]          (`make taste` does it in an environment of its own)
"""

import html
import sys
from pathlib import Path

from cwr.papers import registry
from cwr.papers.registry import Paper
from cwr.report import checked, html_page, render, verdicts

TITLE = "Five texts against their own numbers"
INTRO = (
    f"<h1>{TITLE}</h1><p>No model was run: every claim is judged, and every number recomputed, "
    "from what the texts\nprint or what was released with them. "
    "<code>make book</code> adds models.</p>"
)
CLAIMS = ("claim", "says", "place", "published")
CHECKS = ("check", "asks", "printed", "recomputed", "a fair reading")


def section(paper: Paper) -> str:
    """The claims of a paper on its published numbers, and the checks of these numbers, as HTML."""
    judged = verdicts.judge_paper(paper, paper.claims, None, "")
    return "".join(
        [
            f"<h2>{html.escape(paper.title)}</h2><p>{summary(paper)}</p>",
            html_page.table(CLAIMS, map(_claim, judged)),
            html_page.table(CHECKS, map(_check, checked.rows(paper.key))),
        ]
    )


def _claim(judged: render.Judged) -> list[str]:
    claim = judged.claim
    says = html.escape(claim.says) + render.explained(claim)
    published = render.with_reason(judged.published, here=False)
    return [html.escape(claim.id), says, html.escape(claim.place), published]


def _check(row: checked.Row) -> list[str]:
    recomputed = f"{checked.verdict(row)}: {row.found.should_be}"
    check = row.check
    cells = [check.id, check.asks, row.found.printed, recomputed, check.charitable]
    return [html.escape(cell) for cell in cells]


def summary(paper: Paper) -> str:
    """How many claims hold and how many checks agree, in a few sentences."""
    checks = f"{len(paper.checks)} checks of numbers: {checked.counts(paper.key)}."
    return f"{verdicts.counts(paper.key)} {checks}"


def main(folder: str = "_build/taste") -> None:
    """Print each text's counts and headlines, write all as one page, and print its address."""
    for paper in registry.PAPERS:
        print(f"\n{paper.title}\n  {summary(paper)}")
        headlines = [claim for claim in paper.claims if claim.id in paper.headlines]
        for judged in verdicts.judge_paper(paper, headlines, None, ""):
            print(f"  {render.words(judged.published, here=False):>13}  {judged.claim.says}")
    page = Path(folder).resolve() / "index.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    body = INTRO + "\n".join(map(section, registry.PAPERS))
    page.write_text(html_page.document(TITLE, body), encoding="utf-8")
    print(f"\nAll of it on one page: {page.as_uri()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
