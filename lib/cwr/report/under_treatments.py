"""Collects the verdicts on each headline claim under every treatment that a notebook computed.

A treatment is a variant in the results of a notebook that compares choices. The verdicts are those
of the flip tables (`report.changes`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from cwr.errors import listed
from cwr.papers import registry
from cwr.papers.claims import Claim, general_of
from cwr.report import changes, overturned, render
from cwr.report.changes import Change
from cwr.report.judgement import UNDECIDED
from cwr.report.results import compares_choices, read

NONE = "No page of this book tests the claim under another treatment of its numbers."


@dataclass(frozen=True)
class Treated:
    """A claim under one treatment.

    treatment: its name on the page. changes: {model or group: the verdicts without and with the
        treatment}. by_arithmetic: whether every model fails the claim under the treatment by
        arithmetic (`Claim.fails_under`).
    """

    treatment: str
    changes: dict[str, Change]
    by_arithmetic: bool = False

    @property
    def turns(self) -> bool:
        """Tells whether a verdict flips on any model or group (`Change.is_flip`)."""
        return any(change.is_flip for change in self.changes.values())

    @property
    def opens(self) -> bool:
        """Tells whether some verdict becomes undecided and none flips."""
        words = [change.after.verdict for change in self.changes.values() if _is_other(change)]
        return UNDECIDED in words and not self.turns


def _is_other(change: Change) -> bool:
    return change.before.verdict != change.after.verdict


def of_headlines(run: Path, longer: Path | None = None) -> dict[str, list[Treated]]:
    """Returns {id of a headline claim: its treatments, with verdicts} from the results below `run`.

    longer: a folder with the results of a longer profile, for treatments that `run` lacks; the
        names of these treatments end in the name of the profile.
    Raises UserError as `results.read`.
    """
    batteries = {}
    for paper in registry.PAPERS:
        claims = overturned.headlines(paper.key)
        asked = _asked(run / paper.key, claims, run.name)
        beyond = _asked(longer / paper.key, claims, longer.name) if longer else {}
        for claim in claims:
            own = _all_treated(claim, asked)
            here = {each.treatment for each in own}
            more = {name: every for name, every in beyond.items() if name not in here}
            batteries[claim.id] = own + _all_treated(
                claim, more, f" ({longer.name})" if more else ""
            )
    return batteries


def _asked(chapter: Path, claims: Sequence[Claim], group: str) -> dict[str, changes.Asked]:
    """Returns {treatment: {model or group: changes}} over all notebooks of a chapter."""
    asked = {}
    for file in sorted(chapter.glob("*/results.json")):
        results = read(file.parent)
        if compares_choices(results):
            asked |= changes.asked_by_choice(results, claims, group)
    return asked


def _all_treated(claim: Claim, asked: dict[str, changes.Asked], label: str = "") -> list[Treated]:
    """Returns a claim under each treatment that could be asked; names end in `label`."""
    treated = [_treated(claim, f"{name}{label}", name, every) for name, every in asked.items()]
    return [each for each in treated if each.changes]


def _treated(claim: Claim, label: str, treatment: str, asked: changes.Asked) -> Treated:
    """Returns a claim under one treatment; on a model asked only the general form, that form."""
    form = general_of(claim)
    ids = [claim.id, *([form.id] if form else [])]
    of_claim = {}
    for name, every in asked.items():
        found = {change.claim: change for change in every}
        answers = [found[each] for each in ids if each in found]
        if answers:
            of_claim[name] = answers[0]
    return Treated(label, of_claim, treatment in claim.fails_under)


def sentence(treated: Sequence[Treated]) -> str:
    """Tells how many treatments flip no verdict, and which flip one or leave one undecided.

    treated: one claim under each treatment. Treatments under which every model fails by arithmetic
        do not count.
    """
    counted = [each for each in treated if not each.by_arithmetic]
    if not counted:
        return NONE
    turning = [f"“{each.treatment}”" for each in counted if each.turns]
    opening = [f"“{each.treatment}”" for each in counted if each.opens]
    named = f" A verdict flips under {listed(turning)}." if turning else ""
    named += f" A verdict becomes undecided under {listed(opening)}." if opening else ""
    return (
        f"No verdict flips under {len(counted) - len(turning)} of {len(counted)} treatments.{named}"
    )


def html(treated: Sequence[Treated]) -> str:
    """Returns `sentence` and a folded table of verdicts by treatment as HTML, equal rows merged."""
    text = f"<b>Under other treatments:</b> {escape(sentence(treated))}"
    if not treated:
        return f"<p>{text}</p>"
    alike: dict[str, list[str]] = {}
    for each in treated:
        alike.setdefault(_cell(each), []).append(each.treatment)
    rows = "".join(
        f"<tr><th>{escape('; '.join(names))}</th><td>{cell}</td></tr>"
        for cell, names in alike.items()
    )
    table = f"<table><thead><tr><th>treatment</th><th>verdict</th></tr></thead><tbody>{rows}</tbody></table>"
    return f'<details class="battery"><summary>{text}</summary>{table}</details>'


def _cell(treated: Treated) -> str:
    """Returns the verdicts under a treatment as HTML, a line for each different verdict."""
    alike: dict[str, list[str]] = {}
    for name, change in treated.changes.items():
        alike.setdefault(_words(change), []).append(name)
    lines = [f"{words}: {escape(', '.join(names))}" for words, names in alike.items()]
    if treated.by_arithmetic:
        lines.append(
            render.small("By arithmetic alone every model fails the claim under this treatment.")
        )
    return "<br>".join(lines)


def _words(change: Change) -> str:
    """Returns the verdict under a treatment as HTML, with the one before if it differs."""
    after = render.badge(change.after.verdict)
    if not _is_other(change):
        return after
    noise = "" if change.is_flip else "; the change is within noise"
    return f"{after} ({escape(change.before.verdict)} without the treatment{noise})"
