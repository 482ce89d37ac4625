"""Merges the verdicts on a claim from several profiles; the richer profile decides."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from cwr.report import kept, provenance, verdicts
from cwr.report.judgement import NOT_RUN, Verdict
from cwr.report.render import Judged

NOTHING = "nothing"  # the value of a parameter that one of two runs has not
OF_OTHERS = {"models", "untrained_seeds", "without_untrained"}  # they change no number of a model


def judge_each(
    runs: dict[str, Path],
    root: Path,
    paper: str | None = None,
    claim: str | None = None,
    transfer: bool = False,
    say: Callable[[str], None] | None = None,
) -> dict[str, list[Judged]]:
    """Judges claims on each profile with results, or on all if none has any: {profile: claims}.

    runs, root: as `together`. say: as `kept.read`. paper, claim, transfer: as `verdicts.judge_all`.
    """
    present, absent = {}, {}
    for name, run in runs.items():
        estimates = kept.read(run, root, say)
        judged = verdicts.judge_all(estimates, name, paper, claim, transfer)
        (present if estimates else absent)[name] = judged
        del estimates  # one profile at a time in memory
    return present or absent


def together(judged: dict[str, list[Judged]], runs: dict[str, Path], root: Path) -> list[Judged]:
    """Merges the claims of all profiles; each verdict names its profile.

    The reader's own run alone is returned unchanged.
    judged: {profile: the same claims, in the same order}, the richest last. runs, root: the folders
        of runs, {profile: folder}, and the checkout, as `kept` has them.
    """
    if len(judged) == 1 and kept.PROFILES[-1] not in judged:
        return next(iter(judged.values()))
    places = {profile: kept.folders(runs[profile], root) for profile in judged}
    rows, *richer = [[_told(each, name) for each in claims] for name, claims in judged.items()]
    for others in richer:
        rows = [_merged(*pair, places) for pair in zip(rows, others, strict=True)]
    return rows


def _told(judged: Judged, profile: str) -> Judged:
    """Returns a claim whose verdicts name the profile of their results."""
    ours = {name: replace(verdict, at=profile) for name, verdict in judged.ours.items()}
    general = _told(judged.general, profile) if judged.general else None
    return replace(judged, ours=ours, general=general)


def _merged(poorer: Judged, richer: Judged, places: dict[str, dict[str, Path]]) -> Judged:
    """Merges two profiles' verdicts on one claim: the richer decides wherever it was asked."""
    ours = _verdicts(poorer, richer)
    general = richer.general or poorer.general
    if poorer.general and richer.general:
        general = _merged(poorer.general, richer.general, places)
    differ = [each for each in ours.values() if each.contradicted]
    notebook = richer.rerun.removeprefix("cwr run ")
    why = ""
    if differ:
        aside = set() if richer.claim.needs.compares else OF_OTHERS
        why = _changes(notebook, differ[0].beside.at, differ[0].at, places, aside)
    return replace(richer, ours=ours, general=general, differs=why)


def _verdicts(poorer: Judged, richer: Judged) -> dict[str, Verdict]:
    """Merges the verdicts of two profiles; a group keeps the richer profile's name."""
    if poorer.claim.needs.compares and poorer.ours and richer.ours:
        ((old_name, old),) = poorer.ours.items()
        ((name, new),) = richer.ours.items()
        old = replace(old, group=old_name)
        return {name: replace(new, beside=old)} if _decides(new, old) else {old_name: old}
    ours = {}
    for name in dict.fromkeys([*poorer.ours, *richer.ours]):
        old, new = poorer.ours.get(name), richer.ours.get(name)
        if old and new and _decides(new, old):
            ours[name] = replace(new, beside=old)
        else:
            ours[name] = old or new
    return ours


def _decides(richer: Verdict, poorer: Verdict) -> bool:
    """Tells whether the richer profile's verdict counts: also where neither could be asked."""
    return richer.verdict != NOT_RUN or poorer.verdict == NOT_RUN


def _changes(
    notebook: str, poorer: str, richer: str, places: dict[str, dict[str, Path]], aside: set[str]
) -> str:
    """Returns how a notebook's runs in two profiles differ: "from small to base: corpus lee → sts; …".

    aside: parameters that do not matter. Empty where a profile has no record of that notebook.
    """
    records = [places[profile].get(notebook) for profile in (poorer, richer)]
    if None in records:
        return ""
    old, new = (provenance.read(folder)["parameters"] for folder in records)
    names = dict.fromkeys([*old, *new])
    changes = [
        f"{name} {_value(old, name)} → {_value(new, name)}"
        for name in names
        if name not in aside and old.get(name) != new.get(name)
    ]
    return f"from {poorer} to {richer}: {'; '.join(changes)}" if changes else ""


def _value(parameters: dict, name: str) -> str:
    """Returns a parameter's value as text, a list with commas."""
    if name not in parameters:
        return NOTHING
    value = parameters[name]
    if isinstance(value, list):
        return ", ".join(map(str, value)) or NOTHING
    return value if isinstance(value, str) else json.dumps(value)
