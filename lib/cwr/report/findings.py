"""Computes the first findings for a reader: of the whole book, and of each chapter."""

from collections import Counter
from html import escape

from cwr.papers import registry
from cwr.papers.claims import Claim
from cwr.papers.registry import Paper
from cwr.report import checked, markup, render
from cwr.report.judgement import (
    ANOTHER,
    FAILS,
    HOLDS,
    NOT_DECIDABLE,
    NOT_RUN,
    UNDECIDED,
    Verdict,
)
from cwr.report.render import AGREES, DIFFERS, Judged

NAMED = 2  # so many claims are named in a sentence
LINES = (
    ("What holds.", HOLDS, HOLDS),
    ("What fails.", FAILS, FAILS),
    ("What is open.", NOT_DECIDABLE, UNDECIDED),
)
SAID = {
    HOLDS: "hold on",
    FAILS: "fail on",
    NOT_DECIDABLE: "cannot be decided by",
    UNDECIDED: "are undecided on",
}


def of_the_book(judged: list[Judged]) -> str:
    """Returns three findings in MyST: what holds, what does not, and what only a recount shows."""
    findings = {
        "What holds.": _holds(judged),
        "What does not.": _fails(judged),
        "What only a recount shows.": recount(),
    }
    lines = [f"- **{title}** {text}" for title, text in findings.items()]
    return "\n".join([":::{div} findings", *lines, ":::", ""])


def _holds(judged: list[Judged]) -> str:
    headlines = _headlines(judged)
    published = [each.published.verdict for each in headlines]
    decided = [word for word in published if word != NOT_DECIDABLE]
    holding = [each for each in headlines if each.published.verdict == HOLDS]
    sentence = (
        f"Of {len(published)} statements that we chose as what the texts are known for, the "
        f"published numbers decide {len(decided)}, and {len(holding)} of these "
        f"hold{_of_any_model(holding)}."
    )
    run = [each for each in headlines if _words(each)]
    everywhere = [each for each in run if _words(each) == {HOLDS}]
    if not everywhere:
        return sentence
    return (
        f"{sentence} Our small models decide {len(run)}, and {len(everywhere)} hold on all of "
        f"them{_of_any_model(everywhere)}: {_named(everywhere, '')}."
    )


def _of_any_model(judged: list[Judged]) -> str:
    """Returns a clause, ", 6 of which no model can fail"; "" if there is no such claim."""
    number = sum(each.claim.cannot_fail for each in judged)
    return f", {number} of which no model can fail" if number else ""


def _fails(judged: list[Judged]) -> str:
    failing = [each for each in _headlines(judged) if {FAILS, UNDECIDED} & _words(each)]
    phrases = [f"{link(each.claim, '')}: {_against(each)}." for each in failing[:NAMED]]
    claims = at_their_word(judged)
    lost = sum(each.published.verdict == FAILS for each in claims)
    phrases.append(
        f"Of all {len(claims)} claims, taken at their word, {lost} fail on the published numbers."
    )
    return " ".join(phrases)


def recount() -> str:
    """Returns the results of all checks of printed numbers, in a sentence of MyST."""
    rows = [row for paper in registry.PAPERS for row in checked.rows(paper.key)]
    words = [checked.verdict(row) for row in rows]
    differ = [row for row, word in zip(rows, words, strict=True) if word == DIFFERS]
    fair = sum(bool(row.check.charitable) for row in differ)
    beside = "each of them" if fair == len(differ) else f"{fair} of them"
    return (
        f"{{doc}}`{len(rows)} checks <printed_numbers>` recompute what the texts print from what "
        f"else they print or released: {words.count(AGREES)} agree and {len(differ)} differ; a fair "
        f"reading stands beside {beside}."
    )


def of_chapter(paper: Paper, judged: list[Judged]) -> str:
    """Returns the lines of a chapter's box in MyST: what holds, fails and is open; each claim once.

    A further line is on untrained copies, where any were asked.
    """
    judged = [each for each in judged if each.paper == paper.key]
    claims = at_their_word(judged)
    claims.sort(key=lambda each: each.claim.id not in paper.headlines)
    kinder = {each.claim.id.partition(".")[0] for each in judged if _is_kinder(each)}
    told: set[str] = set()
    lines = [_line(claims, *line, kinder, told) for line in LINES]
    return "\n".join([*lines, *_untrained(claims)]) + "\n"


def _is_kinder(judged: Judged) -> bool:
    """Tells whether this is a reading of a paper's claim that holds on the published numbers."""
    claim = judged.claim
    return claim.is_reading and not claim.ours and judged.published.verdict == HOLDS


def _untrained(claims: list[Judged]) -> list[str]:
    """Returns the line that counts verdicts by what untrained copies say; or none."""
    counts = Counter(word for each in claims for word in _beside_untrained(each).values())
    if not counts:
        return []
    others = [f"{counts[word]} {sign}" for word, sign in render.UNTRAINED.items() if counts[word]]
    return [
        f"- **What an untrained copy says too.** {counts[ANOTHER]} of {counts.total()} decided "
        "verdicts on ours {term}`tell trained from untrained <untrained copies>` "
        f"({', '.join(others)})."
    ]


def _beside_untrained(judged: Judged) -> dict[str, str]:
    """Returns {model or group: its verdict beside untrained copies}, where any were asked."""
    verdicts = judged.deciding.ours.items()
    return {markup.plain(name): each.untrained for name, each in verdicts if each.untrained}


def _line(
    claims: list[Judged],
    title: str,
    published: str,
    ours: str,
    kinder: set[str],
    told: set[str],
) -> str:
    """Counts and names the claims with one verdict on the published numbers, or one on a model.

    Of claims that hold, it also says how many no model can fail.
    kinder: ids of the claims of which another reading holds on the published numbers. told: ids of
        the claims that earlier lines named; the claims named here are added.
    """
    in_print = [each for each in claims if each.published.verdict == published]
    run = [each for each in claims if _words(each)]
    on_ours = [each for each in run if ours in _words(each)]
    counts = f"{len(in_print)} of {len(claims)} claims {SAID[published]} the published numbers"
    if published == HOLDS:
        counts += _of_any_model(in_print)
    read_kindly = sum(each.claim.id in kinder for each in in_print)
    if published == FAILS and read_kindly:
        counts += f" (another reading of {read_kindly} of them holds)"
    if run:
        counts += f", and {len(on_ours)} of the {len(run)} asked {SAID[ours]} at least one of ours"
        if ours == HOLDS:
            counts += _of_any_model(on_ours)
    every = on_ours + [each for each in in_print if each not in on_ours]
    named = [each for each in every if each.claim.id not in told][:NAMED]
    told |= {each.claim.id for each in named}
    phrases = [f"{link(each.claim, '../')} ({_all_words(each)})" for each in named]
    more = f"; and {len(every) - len(named)} more" if len(every) > len(named) else ""
    return f"- **{title}** {counts}{': ' if named else ''}{'; '.join(phrases)}{more}."


def _all_words(judged: Judged) -> str:
    """Returns all verdicts on a claim: "holds: published, cwr-bert at base; fails: cwr-gpt"."""
    by_word: dict[str, list[str]] = {judged.published.verdict: ["published"]}
    for name, verdict in _spoken_of(judged).items():
        at = f" at {verdict.at}" if verdict.at not in ("", name) else ""
        by_word.setdefault(verdict.verdict, []).append(markup.plain(name) + at)
    return "; ".join(f"{word}: {', '.join(names)}" for word, names in by_word.items())


def at_their_word(judged: list[Judged]) -> list[Judged]:
    """Returns the papers' own statements, each in the reading that takes it at its word."""
    return [each for each in judged if each.claim.is_at_its_word]


def _headlines(judged: list[Judged]) -> list[Judged]:
    """Returns the headline claims among these, in their order."""
    return [each for each in judged if each.claim.id in registry.paper(each.paper).headlines]


def _spoken_of(judged: Judged) -> dict[str, Verdict]:
    """Returns the verdicts on models that the claim speaks of and that could be asked."""
    return {
        name: verdict
        for name, verdict in judged.ours.items()
        if verdict.verdict != NOT_RUN and not verdict.beyond
    }


def _words(judged: Judged) -> set[str]:
    return {verdict.verdict for verdict in _spoken_of(judged).values()}


def _against(judged: Judged) -> str:
    """Lists the models on which a claim does not hold: "cwr-bert undecided (0.80), ..."."""
    return ", ".join(
        f"{markup.plain(name)} {render.contrasted(verdict)}"
        for name, verdict in _spoken_of(judged).items()
        if verdict.verdict in (FAILS, UNDECIDED)
    )


def _named(judged: list[Judged], up: str) -> str:
    """Returns the sentences of the first NAMED claims, and how many more there are."""
    return "; ".join(link(each.claim, up) for each in judged[:NAMED]) + _more(judged)


def _more(judged: list[Judged]) -> str:
    return f"; and {len(judged) - NAMED} more" if len(judged) > NAMED else ""


def link(claim: Claim, up: str) -> str:
    """Returns a claim's sentence, without its full stop, as a link to its line of the scoreboard.

    up: the relative path from the page to the folder of the scoreboard.
    """
    says = markup.plain(claim.says.rstrip("."))
    return f'<a href="{up}scoreboard.html#{escape(claim.id)}">{says}</a>'
