"""What is left of the claims of the five texts: one picture, and its counts in sentences."""

from collections.abc import Iterable
from html import escape

from cwr.papers import registry
from cwr.papers.registry import Paper
from cwr.report import render
from cwr.report.judgement import (
    ANOTHER,
    FAILS,
    HOLDS,
    LESS,
    MORE,
    NOT_DECIDABLE,
    NOT_RUN,
    SAME,
    UNDECIDED,
    Verdict,
)
from cwr.report.render import Judged

PROFILES = ("small", "base")
COLUMNS = ("published", *PROFILES, "untrained")
MIXED, NONE = "mixed", "nothing"  # the other words of a cell: HOLDS, FAILS
SCORES = {HOLDS: 2, MIXED: 1, FAILS: 0, NONE: 0}
WORDS = {  # what a cell says of models, and of published numbers
    HOLDS: "holds on all",
    MIXED: "differs by model, or is undecided",
    FAILS: "fails on all",
    NONE: "was not asked",
}
COPIES = {  # what the last cell says
    HOLDS: "another verdict than untrained copies get",
    MIXED: "the same verdict, to another degree",
    FAILS: "what an untrained copy gets, too",
    NONE: "no copy was asked",
}


def at_their_word(judged: Iterable[Judged]) -> list[Judged]:
    """The sentences of the texts, each by the reading that takes it at its word."""
    return [each for each in judged if each.claim.is_at_its_word]


def cells(judged: Judged) -> tuple[str, str, str, str]:
    """What is left of a claim in each of COLUMNS: HOLDS, MIXED, FAILS or NONE.

    judged: with the verdicts of all profiles (`profiles.together`). The last is of the verdicts
    that hold: what they are beside those of untrained copies, at best.
    """
    published = {NOT_DECIDABLE: NONE}.get(judged.published.verdict, judged.published.verdict)
    return (published, *(_of_models(judged, profile) for profile in PROFILES), _told(judged))


def _of_models(judged: Judged, profile: str) -> str:
    words = {verdict.verdict for verdict in of_profile(judged, profile)}
    if not words:
        return NONE
    return words.pop() if len(words) == 1 and words <= {HOLDS, FAILS} else MIXED


def of_profile(judged: Judged, profile: str) -> list[Verdict]:
    """The verdicts of a profile on the models that a claim speaks of and that could be asked."""
    verdicts = [
        verdict
        for deciding in judged.deciding.ours.values()
        for verdict in (deciding, deciding.beside)
        if verdict is not None and verdict.at == profile
    ]
    return [each for each in verdicts if each.verdict != NOT_RUN and not each.beyond]


def _told(judged: Judged) -> str:
    words = {each.untrained for each in holding(judged)} - {""}
    if ANOTHER in words:
        return HOLDS
    if words & {MORE, LESS, UNDECIDED}:
        return MIXED
    return FAILS if words == {SAME} else NONE


def holding(judged: Judged) -> list[Verdict]:
    """The verdicts that hold on our models, in either profile."""
    verdicts = [verdict for profile in PROFILES for verdict in of_profile(judged, profile)]
    return [each for each in verdicts if each.verdict == HOLDS]


def left(judged: Judged) -> tuple[int, ...]:
    """How much is left of a claim, for sorting: in all columns, then from the last to the first."""
    scores = [SCORES[word] for word in cells(judged)]
    return (sum(scores), *reversed(scores))


def counts(judged: list[Judged]) -> str:
    """The picture in sentences, in MyST."""
    claims = at_their_word(judged)
    of_claim = [cells(each) for each in claims]
    published = [row[0] for row in of_claim]
    run = [row for row in of_claim if set(row[1:3]) != {NONE}]
    held = [each for each in claims if holding(each)]
    copied = [each for each in held if _told(each) != NONE]
    told = [_told(each) for each in copied]
    return (
        f"The five texts make {len(claims)} statements that we could phrase as a test. Their own "
        f"numbers decide {len(claims) - published.count(NONE)}, and {published.count(HOLDS)} of "
        f"these hold. Our models were asked {len(run)}; {len(held)} hold on one of them at least. "
        f"Of these, {len(copied)} were asked of {{term}}`untrained copies`, which have learned "
        f"nothing: **{told.count(HOLDS)} come out otherwise there**, {told.count(MIXED)} the same "
        f"but to another degree or for some copies only, and {told.count(FAILS)} quite the same. "
        f"{sum(each.claim.cannot_fail for each in held)} of the {len(held)} no model can fail. A "
        "statement that an untrained copy meets, too, may be true; it is no evidence of what "
        "language models learn.\n"
    )


def picture(judged: list[Judged]) -> str:
    """All claims as HTML: a panel a text, a row a claim, the most that is left on top.

    A row leads to the claim's line of the scoreboard. Below stand the same rows with their
    sentences, folded.
    """
    claims = sorted(at_their_word(judged), key=left, reverse=True)
    by_paper = {paper.key: [] for paper in registry.PAPERS}
    for each in claims:
        by_paper[each.paper].append(each)
    panels = "".join(_panel(paper, by_paper[paper.key]) for paper in registry.PAPERS)
    return "\n".join(
        [
            "````{raw} html",
            f'<figure class="left"><div class="panels">{panels}</div>',
            f"<figcaption>{_caption()}</figcaption></figure>",
            "````",
            "",
            *(_table(paper, by_paper[paper.key]) for paper in registry.PAPERS),
        ]
    )


def _panel(paper: Paper, claims: list[Judged]) -> str:
    rows = "".join(_row(each) for each in claims)
    heads = "".join(f"<span>{name}</span>" for name in COLUMNS)
    return (
        f'<section><h3>{escape(paper.short)}</h3><div class="heads" aria-hidden="true">{heads}'
        f"</div>{rows}</section>"
    )


def _row(judged: Judged) -> str:
    """A claim's cells as a link, with its sentence and their words for a pointer and a voice."""
    said = escape(f"{judged.claim.says} {spoken(judged)}")
    squares = "".join(f'<i class="{word}"></i>' for word in cells(judged))
    href = f"scoreboard.html#{escape(judged.claim.id)}"
    return f'<a href="{href}" title="{said}" aria-label="{said}">{squares}</a>'


def spoken(judged: Judged) -> str:
    """The cells of a claim in words: "Published: holds. Small: fails on all. …"."""
    published, *models, copies = cells(judged)
    said = {COLUMNS[0]: "was not decidable" if published == NONE else published}
    said |= {name: WORDS[word] for name, word in zip(PROFILES, models, strict=True)}
    said[COLUMNS[-1]] = COPIES[copies]
    return " ".join(f"{name.capitalize()}: {words}." for name, words in said.items())


def _caption() -> str:
    signs = {
        HOLDS: "holds (last column: and untrained copies get another verdict)",
        MIXED: "differs by model, or undecided (the same, to another degree)",
        FAILS: "fails (untrained copies get the same)",
        NONE: "not decidable, or not asked",
    }
    legend = " &nbsp; ".join(f'<i class="{word}"></i> {said}' for word, said in signs.items())
    return (
        "Each row is one statement, each column what became of it: on the numbers that the text "
        "prints, on our models in the profiles <code>small</code> and <code>base</code>, and "
        "whether models that have learned nothing differ. Where most is left stands on top. "
        f"{legend}"
    )


def _table(paper: Paper, claims: list[Judged]) -> str:
    """The rows of a panel with their sentences, folded, as HTML in MyST."""
    rows = "".join(
        f'<tr><td><a href="scoreboard.html#{escape(each.claim.id)}">{escape(each.claim.says)}</a>'
        f"</td><td>{escape(spoken(each))}</td></tr>"
        for each in claims
    )
    table = f"<table><tbody>{rows}</tbody></table>"
    return "\n".join(
        ["````{raw} html", render.fold(f"{escape(paper.short)}, in words", table), "````", ""]
    )
