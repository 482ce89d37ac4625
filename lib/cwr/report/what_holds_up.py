"""Draws and counts which claims of the five texts hold, on which results and controls."""

from collections.abc import Mapping, Sequence
from functools import partial
from html import escape

from cwr.errors import listed
from cwr.papers import registry
from cwr.papers.registry import Paper
from cwr.report import render
from cwr.report.findings import at_their_word, link
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
from cwr.report.kept import PROFILES
from cwr.report.render import Judged
from cwr.report.under_treatments import Treated

COLUMNS = ("published", *PROFILES, "untrained", "treated")
MIXED, NONE = "mixed", "nothing"  # the other words of a cell: HOLDS, FAILS
SCORES = {HOLDS: 2, MIXED: 1, FAILS: 0, NONE: 0}
WORDS = {  # what a cell says of models, and of published numbers
    HOLDS: "holds on every model tested",
    MIXED: "differs by model, or is undecided",
    FAILS: "fails on every model tested",
    NONE: "was not tested",
}
COPIES = {  # what the cell beside untrained copies says
    HOLDS: "copies of some model get the opposite verdict",
    MIXED: "copies get the same verdict to another degree, or disagree",
    FAILS: "copies get the same verdict",
    NONE: "no copy was tested",
}
TREATED = {  # what the last cell says
    HOLDS: "no treatment of the book flips a verdict",
    MIXED: "some treatment flips a verdict",
    NONE: "was not tested under other treatments",
}
Treatments = Mapping[str, Sequence[Treated]]  # {id of a headline claim: its treatments}


def cells(judged: Judged, batteries: Treatments) -> tuple[str, ...]:
    """Returns, for each of COLUMNS, whether a claim holds there: HOLDS, MIXED, FAILS or NONE.

    judged: a claim with the verdicts of all profiles (`profiles.together`). The column "untrained"
        is about the verdicts that hold: HOLDS if untrained copies of some model get another
        verdict.
    batteries: {id of a headline claim: its verdicts under each treatment} (`under_treatments.of_headlines`).
    """
    published = {NOT_DECIDABLE: NONE}.get(judged.published.verdict, judged.published.verdict)
    models = (_of_models(judged, profile) for profile in PROFILES)
    return (published, *models, _told(judged), _treated(batteries.get(judged.claim.id, ())))


def _treated(treated: Sequence[Treated]) -> str:
    counted = [each for each in treated if not each.by_arithmetic]
    if not counted:
        return NONE
    return MIXED if any(each.turns for each in counted) else HOLDS


def _of_models(judged: Judged, profile: str) -> str:
    words = {verdict.verdict for verdict in of_profile(judged, profile)}
    if not words:
        return NONE
    return words.pop() if len(words) == 1 and words <= {HOLDS, FAILS} else MIXED


def of_profile(judged: Judged, profile: str) -> list[Verdict]:
    """Returns a profile's verdicts on models that a claim speaks of and that could be asked."""
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
    """Returns the verdicts of one claim that hold on our models, in any of PROFILES."""
    verdicts = [verdict for profile in PROFILES for verdict in of_profile(judged, profile)]
    return [each for each in verdicts if each.verdict == HOLDS]


def sort_key(judged: Judged, batteries: Treatments) -> tuple[int, ...]:
    """Returns a sort key: the sum of a claim's SCORES, then the scores in reverse order."""
    scores = [SCORES[word] for word in cells(judged, batteries)]
    return (sum(scores), *reversed(scores))


def without_copies(held: list[Judged]) -> str:
    """Tells why some claims that hold were not tested on untrained copies; "" if all were.

    held: claims that hold on our models, taken at their word.
    """
    others = [each.deciding.claim for each in held if _told(each) == NONE]
    sure = sum(claim.cannot_fail for claim in others)
    of_copies = sum(bool(claim.needs.copies) and not claim.cannot_fail for claim in others)
    is_about = "is about untrained models" if of_copies == 1 else "are about untrained models"
    left = len(others) - sure - of_copies
    reasons = {
        f"{sure} would hold for any model": sure,
        f"{of_copies} {is_about}": of_copies,
        f"{left} {'lacks' if left == 1 else 'lack'} usable measurements of copies": left,
    }
    said = listed([reason for reason, number in reasons.items() if number])
    untested = f"{len(others)} of the {len(held)} that hold were not tested on untrained copies"
    return f"{untested}: {said}." if others else ""


def counts(judged: list[Judged]) -> str:
    """Counts the claims that hold on print and on our models, and compares copies, in MyST."""
    claims = at_their_word(judged)
    of_claim = [cells(each, {}) for each in claims]
    published = [row[0] for row in of_claim]
    run = [row for row in of_claim if set(row[1:3]) != {NONE}]
    held = [each for each in claims if holding(each)]
    copied = [each for each in held if _told(each) != NONE]
    told, apart = [_told(each) for each in copied], without_copies(held)
    return (
        f"The five texts make {len(claims)} statements that we could phrase as a test. Published "
        f"numbers decide {len(claims) - published.count(NONE)}, and {published.count(HOLDS)} of "
        f"these hold. Our models could test {len(run)} statements, and {len(held)} hold on at least one "
        "model. (The first page counts only those that hold on every model.)\n\n"
        f"Of these {len(held)}, {len(copied)} were also tested on {{term}}`untrained copies`, which have "
        f"learned nothing. **On {told.count(HOLDS)} of the {len(copied)}, copies of some model get the "
        f"opposite verdict.** On {told.count(FAILS)} the copies get the same verdict. On "
        f"{told.count(MIXED)} they get this verdict to another degree, or disagree. "
        f"{apart}{' ' * bool(apart)}A statement that holds on untrained copies, too, may be true; it is no "
        "evidence of what language models learn.\n"
    )


def findings(judged: list[Judged], batteries: Treatments) -> dict[str, str]:
    """Returns {title: text in MyST} of findings about the verdicts themselves; a text may be empty.

    judged, batteries: as in `cells`, for all claims.
    """
    return {
        "What a longer run changes.": budgets(judged),
        "What a treatment changes.": choices(judged, batteries),
        "What would hold for any model.": by_mathematics(judged),
    }


def budgets(judged: list[Judged]) -> str:
    """Counts the verdicts that turn between two profiles, or that only one profile decides."""
    pairs = [
        (deciding.beside.verdict, deciding.verdict)
        for each in at_their_word(judged)
        for deciding in each.deciding.ours.values()
        if deciding.beside is not None
        and NOT_RUN not in (deciding.verdict, deciding.beside.verdict)
    ]
    if not pairs:
        return ""
    both = [pair for pair in pairs if UNDECIDED not in pair]
    turned = sum(one != other for one, other in both)
    alone = sum((one == UNDECIDED) != (other == UNDECIDED) for one, other in pairs)
    return (
        f"Two runs, {' and '.join(f'`{name}`' for name in PROFILES)}, both made {len(pairs)} tests. A test is "
        f"one statement on one model or group. The second run has more text, models or trainings. Both runs decide {len(both)} of "
        f"these tests, and contradict each other on {turned}. Only one run decides {alone} others. The "
        "{doc}`scoreboard` says how the runs differ."
    )


def choices(judged: list[Judged], batteries: Treatments) -> str:
    """Counts the headline claims that keep their verdicts under all treatments, and the flips."""
    counted = {
        each.claim.id: [one for one in batteries.get(each.claim.id, ()) if not one.by_arithmetic]
        for each in judged
    }
    asked = {name: every for name, every in counted.items() if every}
    if not asked:
        return ""
    steady = [name for name, every in asked.items() if not any(one.turns for one in every)]
    number = sum(len(every) for every in asked.values())
    turning = sum(one.turns for every in asked.values() for one in every)
    return (
        f"We asked {len(asked)} of the {len(batteries)} headline claims again under other treatments (a "
        f"unit of length, another sample, a final norm). In {turning} of {number} such tests the verdict "
        f"flips between *holds* and *fails*. For {len(steady)} of the {len(asked)} claims no verdict flips. "
        "The {doc}`scoreboard` lists each claim under each treatment."
    )


def by_mathematics(judged: list[Judged]) -> str:
    """Lists the claims that hold for any model, by proof or arithmetic."""
    claims = at_their_word(judged)
    sure = [each for each in claims if each.claim.cannot_fail]
    if not sure:
        return ""
    named = "".join(f"\n   - {link(each.claim, '')}" for each in sure)
    return (
        f"{len(sure)} of the {len(claims)} statements hold for any model, by a proof or by arithmetic. So "
        f"they say nothing about a model:\n{named}"
    )


def picture(judged: list[Judged], batteries: Treatments) -> str:
    """Returns all claims in MyST: a panel per text, a row per claim, the highest `sort_key` on top.

    A row links to the claim's line of the scoreboard. The same rows with their sentences follow in
    folds.
    """
    claims = sorted(at_their_word(judged), key=partial(sort_key, batteries=batteries), reverse=True)
    by_paper = {
        paper: [(each, cells(each, batteries)) for each in claims if each.paper == paper.key]
        for paper in registry.PAPERS
    }
    panels = "".join(_panel(paper, rows) for paper, rows in by_paper.items())
    return "\n".join(
        [
            "````{raw} html",
            f'<figure class="left"><div class="panels">{panels}</div>',
            f"<figcaption>{_caption()}</figcaption></figure>",
            "````",
            "",
            *(_table(paper, rows) for paper, rows in by_paper.items()),
        ]
    )


def _panel(paper: Paper, claims: list[tuple[Judged, tuple[str, ...]]]) -> str:
    rows = "".join(_row(*each) for each in claims)
    heads = "".join(f"<span>{name}</span>" for name in COLUMNS)
    return (
        f'<section><strong>{escape(paper.short)}</strong><div class="heads" aria-hidden="true">{heads}'
        f"</div>{rows}</section>"
    )


def _row(judged: Judged, words: tuple[str, ...]) -> str:
    """Returns a claim's cells as a link; its sentence is the tooltip and ARIA label."""
    said = escape(f"{judged.claim.says} {spoken(words)}")
    squares = "".join(f'<i class="{word}"></i>' for word in words)  # the last two are grey
    href = f"scoreboard.html#{escape(judged.claim.id)}"
    return f'<a href="{href}" title="{said}" aria-label="{said}">{squares}</a>'


def spoken(words: tuple[str, ...]) -> str:
    """Returns the cells of a claim in words: "Published: holds. Small: fails on all. …"."""
    published, *models, copies, treated = words
    said = {COLUMNS[0]: "was not decidable" if published == NONE else published}
    said |= {name: WORDS[word] for name, word in zip(PROFILES, models, strict=True)}
    said |= dict(zip(COLUMNS[-2:], (COPIES[copies], TREATED[treated]), strict=True))
    return " ".join(f"{name.capitalize()}: {words}." for name, words in said.items())


def _caption() -> str:
    verdicts = {HOLDS: "holds", MIXED: "differs by model, or undecided", FAILS: "fails"}
    controls = {  # in grey: neither good nor bad
        HOLDS: "copies get the opposite verdict, or no treatment flips the verdict",
        MIXED: "copies agree in part, or some treatment flips the verdict",
        FAILS: "copies get the same verdict",
    }
    signs = [(word, said) for word, said in verdicts.items()]
    signs += [(f"{word} control", said) for word, said in controls.items()]
    signs.append((NONE, "not decidable, or not tested"))
    legend = " &nbsp; ".join(f'<i class="{word}"></i> {said}' for word, said in signs)
    return (
        "Each row is one statement, and each column is one test of it. <i>Published</i> tests the numbers "
        "of the text or its sources. <i>Small</i> and <i>base</i> test our models in two profiles. "
        "<i>Untrained</i> compares copies that have learned nothing. <i>Treated</i> tests headline claims "
        f"under other treatments. Statements that pass most tests stand on top.<br>{legend}"
    )


def _table(paper: Paper, claims: list[tuple[Judged, tuple[str, ...]]]) -> str:
    """Returns the rows of a panel with their sentences, folded, as HTML in MyST."""
    rows = "".join(
        f'<tr><td><a href="scoreboard.html#{escape(each.claim.id)}">{escape(each.claim.says)}</a>'
        f"</td><td>{escape(spoken(words))}</td></tr>"
        for each, words in claims
    )
    table = f"<table><tbody>{rows}</tbody></table>"
    return "\n".join(["````{raw} html", render.fold(f"{paper.short}, in words", table), "````", ""])
