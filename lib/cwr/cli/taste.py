"""Judges the five texts by their own numbers, with NumPy and pandas alone: a taste of the book.

python -m cwr.cli.taste [FOLDER]          (`make taste` does it in an environment of its own)
"""

import html
import sys
from pathlib import Path

from cwr.papers import registry
from cwr.papers.registry import Paper
from cwr.report import checked, html_page, render, verdicts
from cwr.report.judgement import FAILS, HOLDS, NOT_DECIDABLE
from cwr.report.render import Judged

TITLE = "Five texts against their own numbers"
INTRO = (
    f"<h1>{TITLE}</h1><p>No model was run. We judge every claim and recompute every number from "
    "what the texts\nprint, or what was released with them. A claim that fails at its word may hold in "
    "a kinder reading,\nwhich stands beside the claim. Most numbers that differ have a fair reading. "
    "<code>make book</code> adds models.</p>"
)
WORDS = (HOLDS, FAILS, NOT_DECIDABLE)
CLAIMS = ("claim", "published")
CHECKS = ("asks", "printed", "recomputed", "a fair reading")
SHOWN = 3  # failing claims, and differing numbers, of a text on the terminal


class Text:
    """A paper with its claims judged on its own numbers, and its checks."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.judged = verdicts.judge_paper(paper, paper.claims, None, "")
        self.checks = checked.rows(paper.key)

    @property
    def headlines(self) -> list[Judged]:
        """The paper's headline claims."""
        return [each for each in self.judged if each.claim.id in self.paper.headlines]

    @property
    def at_their_word(self) -> list[Judged]:
        """The paper's own claims, each in its literal reading."""
        return [each for each in self.judged if each.claim.is_at_its_word]

    @property
    def failing(self) -> list[Judged]:
        """The claims that fail in their literal reading; claims that fail in all come first."""
        failing = [each for each in self.at_their_word if each.published.verdict == FAILS]
        return sorted(failing, key=lambda each: bool(self.kinder(each)))

    @property
    def differing(self) -> list[checked.Row]:
        """The checks in which a printed number differs from the recomputed number."""
        return [row for row in self.checks if checked.verdict(row) == render.DIFFERS]

    def kinder(self, judged: Judged) -> list[str]:
        """Returns the ids of the other readings of a claim that hold on the published numbers."""
        holding = [each.claim for each in self.judged if each.published.verdict == HOLDS]
        readings = [claim.id for claim in holding if not claim.ours]
        return [name for name in readings if name.startswith(f"{judged.claim.id}.")]

    def summary(self) -> str:
        """Returns how many claims hold and how many checks agree, in a few sentences."""
        checks = f"{len(self.checks)} checks of numbers: {checked.counts(self.paper.key)}."
        return f"{verdicts.counts(self.paper.key)} {checks}"


# ---- on the terminal


def lines(text: Text) -> list[str]:
    """Returns lines for a terminal: counts, headlines, a few failing claims and numbers."""
    shown = [f"\n{text.paper.title}", f"  {text.summary()}", "  What it is known for:"]
    shown += map(_line, text.headlines)
    if text.failing:
        shown.append(f"  What fails at its word{_of(text.failing)}:")
        shown += [_failure(text, each) for each in text.failing[:SHOWN]]
    if text.differing:
        shown.append(f"  Printed numbers that differ{_of(text.differing)}:")
        shown += map(_difference, text.differing[:SHOWN])
    return shown


def _of(rows: list) -> str:
    """Returns how many of the rows are shown; "" if all are."""
    return f" ({SHOWN} of {len(rows)})" if len(rows) > SHOWN else ""


def _line(judged: Judged) -> str:
    verdict = judged.published
    return f"  {render.SIGNS[verdict.verdict]} {render.words(verdict, here=False):>13}  {judged.claim.says}"


def _failure(text: Text, judged: Judged) -> str:
    reason = f"\n                   {judged.published.reason}" if judged.published.reason else ""
    readings = text.kinder(judged)
    kinder = f"\n                   It holds as {', '.join(readings)}." if readings else ""
    return _line(judged) + reason + kinder


def _difference(row: checked.Row) -> str:
    fair = f"\n      A fair reading: {row.check.charitable}" if row.check.charitable else ""
    recomputed = f"printed {row.found.printed}; recomputed {row.found.should_be}"
    return f"  {row.check.asks}\n      {recomputed}{fair}"


# ---- as a page


def page(texts: list[Text]) -> str:
    """Returns all texts as one HTML page: counts on top, then each text, long tables folded."""
    head = ("text", "claims at their word", *WORDS, "checks of numbers", *checked.COUNTED)
    overview = html_page.table(head, map(_counts, texts))
    return html_page.document(TITLE, INTRO + overview + "\n".join(map(_section, texts)))


def _counts(text: Text) -> list[str]:
    claims = [each.published.verdict for each in text.at_their_word]
    checks = [checked.verdict(row) for row in text.checks]
    title = f'<a href="#{text.paper.key}">{html.escape(text.paper.short)}</a>'
    numbers = [len(claims), *map(claims.count, WORDS), len(checks)]
    return [title, *map(str, [*numbers, *map(checks.count, checked.COUNTED)])]


def _section(text: Text) -> str:
    claims = [(each.published.verdict, _claim(text, each)) for each in text.judged]
    checks = [(checked.verdict(row), _check(row)) for row in text.checks]
    parts = [
        f'<h2 id="{text.paper.key}">{html.escape(text.paper.title)}</h2>',
        f"<p>{html.escape(text.summary())}</p>",
        _open("What it is known for", text, text.headlines),
        _open("What fails at its word", text, text.failing),
        f"<h3>All claims and readings</h3>{html_page.by_verdict(CLAIMS, claims, WORDS, ())}",
        f"<h3>Its numbers</h3>{html_page.by_verdict(CHECKS, checks, checked.FIRST_ON_PAGE, ())}",
    ]
    return "\n".join(parts)


def _open(title: str, text: Text, claims: list[Judged]) -> str:
    """Returns some claims under a title, as HTML; "" for none."""
    table = html_page.table(CLAIMS, [_claim(text, each) for each in claims])
    return f"<h3>{title}</h3>{table}" if claims else ""


def _claim(text: Text, judged: Judged) -> list[str]:
    readings = text.kinder(judged) if judged.published.verdict == FAILS else []
    kinder = f"<br><small>It holds as {', '.join(readings)}.</small>" if readings else ""
    published = render.with_reason(judged.published, here=False)
    return [html_page.statement(judged.claim), published + kinder]


def _check(row: checked.Row) -> list[str]:
    check = row.check
    source = f"<small>{html.escape(check.place)}, <code>{html.escape(check.id)}</code></small>"
    texts = [row.found.printed, row.found.should_be, check.charitable]
    return [f"{html.escape(check.asks)}<br>{source}", *map(html.escape, texts)]


def main(folder: str = "_build/taste") -> None:
    """Prints each text's `lines`, writes the page into a folder, and prints its address."""
    texts = list(map(Text, registry.PAPERS))
    for text in texts:
        print("\n".join(lines(text)))
    file = Path(folder).resolve() / "index.html"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page(texts), encoding="utf-8")
    print(f"\nAll of it on one page: {file.as_uri()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
