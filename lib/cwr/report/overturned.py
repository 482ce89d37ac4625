"""What overturns the sentences that a text is known for: its headline claims, choice by choice."""

from collections import Counter, defaultdict

from cwr.papers import registry
from cwr.papers.claims import Claim
from cwr.report import changes, markup, render
from cwr.report.changes import Change
from cwr.report.groups import on_ours
from cwr.report.judgement import NOT_RUN, Verdict
from cwr.report.results import Results
from cwr.report.strip import short

HEAD = ["model", "as in the chapter", "overturned by", "to or from undecided"]


def markdown(results: Results, paper: str, group: str) -> str:
    """A text's headline claims on ours: a line each, which says what overturns it.

    A choice overturns a verdict where `Change.is_flip` says so. Below the line a table unfolds, of
    each verdict and the numbers that decide; models of which all is the same share a row.
    group: what a set of models is called that are not all shipped ones.
    """
    by_choice = changes.by_choice(results, paper, group)
    claims, folds = headlines(paper), []
    before = on_ours(claims, results, group)
    for claim in claims:
        alike = defaultdict(list)
        for model, verdict in before[claim.id].items():
            cells = _verdict(verdict), *_by_choice(by_choice, claim.id, model)
            alike[cells].append(markup.plain(model))
        rows = [[", ".join(models), *cells] for cells, models in alike.items()]
        table = f"`{claim.id}`\n\n{markup.table(HEAD, rows)}"
        asked = sum(verdict.verdict != NOT_RUN for verdict in before[claim.id].values())
        title = f"{claim.says} {_overturned(claim.id, asked, by_choice)}"
        folds.append(markup.fold(title, table))
    return "\n\n".join(folds)


def _overturned(claim: str, asked: int, by_choice: dict[str, dict[str, list[Change]]]) -> str:
    """What overturns a claim, and on how many of the models it is asked of, in a sentence."""
    flips = Counter()
    for choice, by_model in by_choice.items():
        for change in sum(by_model.values(), []):
            flips[choice] += change.claim == claim and change.is_flip
    named = [f"{choice} ({count} of {asked} models)" for choice, count in flips.items() if count]
    if not asked:
        return "Not asked here."
    return f"Overturned by {', '.join(named)}." if named else "Not overturned."


def headlines(paper: str) -> list[Claim]:
    """The claims that a text is known for, in its own order."""
    text = registry.paper(paper)
    claims = {claim.id: claim for claim in text.claims}
    return [claims[name] for name in text.headlines]


def _verdict(verdict: Verdict) -> str:
    """A verdict in words; why it could not be asked."""
    if verdict.verdict == NOT_RUN:
        return f"not asked here: {render.escape(verdict.reason)}"
    return f"beyond the paper: {verdict.verdict}" if verdict.beyond else verdict.verdict


def _by_choice(
    by_choice: dict[str, dict[str, list[Change]]], claim: str, model: str
) -> tuple[str, str]:
    """The choices that overturn a verdict, with its numbers, and other changes of it."""
    flips, others = [], []
    for choice, by_model in by_choice.items():
        for change in by_model.get(model, []):
            if change.claim == claim:
                (flips if change.is_flip else others).append(_named(choice, change))
    return "<br>".join(flips) or "none", "<br>".join(others) or "none"


def _named(choice: str, change: Change) -> str:
    """A choice, the verdict by it, and what decides: "z-scores: fails (0.05 → 0.001)"."""
    text = f"{markup.plain(choice)}: {change.after.verdict}"
    if change.values is None:
        return text
    before, after = change.values
    return f"{text} ({short(before)} → {short(after)})"
