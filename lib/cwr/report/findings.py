"""Counts the results of claims and checks, in one text or in all, for the book's first pages."""

from html import escape

from cwr.papers import registry
from cwr.papers.claims import Claim
from cwr.papers.registry import Paper
from cwr.report import checked, markup
from cwr.report.judgement import ANOTHER, NOT_RUN, SAME, Verdict
from cwr.report.render import AGREES, DIFFERS, Judged


def recount() -> str:
    """Returns the results of all checks of printed numbers, in a sentence of MyST."""
    rows = [row for paper in registry.PAPERS for row in checked.rows(paper.key)]
    words = [checked.verdict(row) for row in rows]
    differ = [row for row, word in zip(rows, words, strict=True) if word == DIFFERS]
    fair = sum(bool(row.check.charitable) for row in differ)
    beside = "each difference" if fair == len(differ) else f"{fair} of the differences"
    return (
        f"{{doc}}`{len(rows)} checks <printed_numbers>` recompute printed numbers from others that the "
        f"texts print or release. {words.count(AGREES)} agree and {len(differ)} differ. A fair reading "
        f"stands beside {beside}."
    )


def copies(paper: Paper, judged: list[Judged]) -> str:
    """Counts a text's verdicts by how untrained copies compare, in MyST; "" without copies."""
    claims = at_their_word([each for each in judged if each.paper == paper.key])
    verdicts = [verdict for each in claims for verdict in each.deciding.ours.values()]
    words = [each.untrained for each in verdicts if each.untrained]
    if not words:
        return ""
    another, same = words.count(ANOTHER), words.count(SAME)
    return (
        "A verdict says whether one statement holds on one model. We repeated "
        f"{len(words)} verdicts on {{term}}`untrained copies`. The copies get the opposite verdict on "
        f"{another} and the same on {same}. On {len(words) - another - same} the copies disagree with each other, or differ from the model in degree.\n"
    )


def at_their_word(judged: list[Judged]) -> list[Judged]:
    """Returns the papers' own statements, each in the reading that takes it at its word."""
    return [each for each in judged if each.claim.is_at_its_word]


def spoken_of(judged: Judged) -> dict[str, Verdict]:
    """Returns the verdicts on models that the claim speaks of and that could be asked."""
    return {
        name: verdict
        for name, verdict in judged.ours.items()
        if verdict.verdict != NOT_RUN and not verdict.beyond
    }


def link(claim: Claim, up: str, form: Claim | None = None) -> str:
    """Returns a claim's sentence, without its full stop, as a link to its line of the scoreboard.

    up: the relative path from the page to the folder of the scoreboard. form: the form of the claim
        whose sentence stands for the claim's own.
    """
    says = markup.plain((form or claim).says.rstrip("."))
    return f'<a href="{up}scoreboard.html#{escape(claim.id)}">{says}</a>'
