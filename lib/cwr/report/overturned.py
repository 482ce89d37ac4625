"""Finds which choices turn the verdicts on a text's headline claims."""

from collections import Counter, defaultdict

from cwr.errors import listed
from cwr.papers import registry
from cwr.papers.claims import Claim
from cwr.report import changes, findings, markup, render
from cwr.report.changes import Change
from cwr.report.groups import on_ours
from cwr.report.judgement import FAILS, HOLDS, NOT_RUN, Verdict
from cwr.report.results import Results
from cwr.report.strip import short_number

HEAD = ["model or group", "as in the chapter", "flips under", "to or from undecided under"]
NONE, NOT_ASKED = "No choice flips this verdict.", "This claim was not tested here."
TURNED = {FAILS: "The verdict flips to “fails”", HOLDS: "The verdict flips to “holds”"}


def markdown(results: Results, paper: str, group: str) -> str:
    """Returns a line for each headline claim of a text: which choices turn it on our models.

    `Change.is_flip` decides whether a choice turns a verdict. A table of verdicts and deciding
    numbers unfolds below; models with equal cells share a row.
    group: the name of a set of models that are not all shipped ones.
    """
    claims, folds = headlines(paper), []
    by_choice = changes.by_choice(results, claims, group)
    before = on_ours(claims, results, group)
    for claim in claims:
        alike = defaultdict(list)
        for model, verdict in before[claim.id].items():
            cells = _verdict(verdict), *_by_choice(by_choice, claim.id, model)
            alike[cells].append(markup.plain(model))
        rows = [[", ".join(models), *cells] for cells, models in alike.items()]
        table = f"`{claim.id}`\n\n{markup.table(HEAD, rows)}"
        title = f"{claim.says} {_turned(claim, before[claim.id], by_choice)}"
        folds.append(markup.fold(title, table))
    return "\n\n".join(folds)


def sentences(results: Results, paper: str, group: str) -> str:
    """Tells how choices turn a text's headline claims: a list in MyST. Arguments as `markdown`."""
    claims = headlines(paper)
    by_choice = changes.by_choice(results, claims, group)
    before = on_ours(claims, results, group)
    phrases = []
    for claim in claims:
        said = _turned(claim, before[claim.id], by_choice)
        if said not in (NONE, NOT_ASKED):
            phrases.append(f"\n  - “{findings.link(claim, '../')}”: {said}")
    return "".join(phrases) or "No choice flips the verdict on a headline claim."


def _turned(
    claim: Claim, before: dict[str, Verdict], by_choice: dict[str, dict[str, list[Change]]]
) -> str:
    """Tells which choices turn a claim, and on how many of the models or groups asked.

    Choices under which any model fails the claim (`Claim.fails_under`) are named separately.
    """
    asked = sum(verdict.verdict != NOT_RUN for verdict in before.values())
    turns = defaultdict(Counter)  # {the verdict then: {choice: models}}
    identities = [choice for choice in by_choice if choice in claim.fails_under]
    for choice, by_model in by_choice.items():
        for change in sum(by_model.values(), []):
            if change.claim == claim.id and change.is_flip and choice not in identities:
                turns[change.after.verdict][choice] += 1
    if not asked:
        return NOT_ASKED
    sentences = [] if turns else [NONE]
    for verdict, models in sorted(turns.items()):
        for count in sorted(set(models.values()), reverse=True):
            choices = listed([f"“{choice}”" for choice in models if models[choice] == count])
            noun = "groups" if claim.needs.compares else "models"
            sentences.append(f"{TURNED[verdict]} on {count} of {asked} {noun} under {choices}.")
    if identities:
        sentences.append(
            f"By arithmetic alone every model fails the claim under {listed([f'“{each}”' for each in identities])}."
        )
    return " ".join(sentences)


def headlines(paper: str) -> list[Claim]:
    """Returns the headline claims of a text, in the text's order."""
    text = registry.paper(paper)
    claims = {claim.id: claim for claim in text.claims}
    return [claims[name] for name in text.headlines]


def _verdict(verdict: Verdict) -> str:
    """Returns a verdict in words, or why it could not be asked."""
    if verdict.verdict == NOT_RUN:
        return f"not tested here: {render.escape(verdict.reason)}"
    return f"beyond the paper: {verdict.verdict}" if verdict.beyond else verdict.verdict


def _by_choice(
    by_choice: dict[str, dict[str, list[Change]]], claim: str, model: str
) -> tuple[str, str]:
    """Returns two cells on one claim and model: choices that flip the verdict, other changes."""
    flips, others = [], []
    for choice, by_model in by_choice.items():
        for change in by_model.get(model, []):
            if change.claim == claim:
                (flips if change.is_flip else others).append(_named(choice, change))
    return "<br>".join(flips) or "none", "<br>".join(others) or "none"


def _named(choice: str, change: Change) -> str:
    """Returns a choice, its verdict and the deciding numbers: "z-scores: fails (0.05 → 0.001)"."""
    text = f"{markup.plain(choice)}: {change.after.verdict}"
    if change.values is None:
        return text
    before, after = change.values
    return f"{text} ({short_number(before)} → {short_number(after)})"
