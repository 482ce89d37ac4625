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
INTRO = f"""<h1>{TITLE}</h1><p>No model was run: every claim is judged, and every number recomputed, from what the texts
print or what was released with them. <code>make book</code> adds models.</p>"""


def section(paper: Paper) -> str:
    """The claims of a paper on its published numbers, and the checks of these numbers, as HTML."""
    judged = verdicts.judge_paper(paper, paper.claims, None, "")
    claims = [[html.escape(each.claim.id), _says(each), html.escape(each.claim.place),
               render.with_reason(each.published, here=False)] for each in judged]
    checks = [[html.escape(text) for text in _check(row)] for row in checked.rows(paper.key)]
    return "".join([
        f"<h2>{html.escape(paper.title)}</h2><p>{summary(paper)}</p>",
        html_page.table(["claim", "says", "place", "published"], claims),
        html_page.table(["check", "asks", "printed", "recomputed", "a fair reading"], checks),
    ])


def _says(judged: render.Judged) -> str:
    return "<br>".join([html.escape(judged.claim.says), *map(render.small, render.explained(judged.claim))])


def _check(row: checked.Row) -> list[str]:
    recomputed = f"{checked.verdict(row)}: {row.found.should_be}"
    return [row.check.id, row.check.asks, row.found.printed, recomputed, row.check.charitable]


def summary(paper: Paper) -> str:
    """How many claims hold and how many checks agree, in a few sentences."""
    return f"{verdicts.counts(paper.key)} {len(paper.checks)} checks of numbers: {checked.counts(paper.key)}."


def main(folder: str = "_build/taste") -> None:
    """Print each text's counts and headlines, write the whole as one page, and print its address."""
    page = Path(folder).resolve() / "index.html"
    for paper in registry.PAPERS:
        print(f"\n{paper.title}\n  {summary(paper)}")
        headlines = [claim for claim in paper.claims if claim.id in paper.headlines]
        for each in verdicts.judge_paper(paper, headlines, None, ""):
            print(f"  {render.words(each.published, here=False):>13}  {each.claim.says}")
    page.parent.mkdir(parents=True, exist_ok=True)
    body = INTRO + "\n".join(map(section, registry.PAPERS))
    page.write_text(html_page.document(TITLE, body), encoding="utf-8")
    print(f"\nAll of it on one page: {page.as_uri()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
