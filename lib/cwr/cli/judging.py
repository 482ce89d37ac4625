"""Judges for `cwr check`: all claims on all models, or on one model, sorted by verdict."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cwr import paths
from cwr.cli import listing
from cwr.errors import UserError, most_like

if TYPE_CHECKING:
    from cwr.report.judgement import Verdict
    from cwr.report.render import Judged
    from cwr.report.results import Results

BOTH = "both"  # profiles: every one that the book shows


def _silent(line: str) -> None:
    """Says nothing."""


def claims(
    folder: Path,
    profile: str | None,
    paper: str | None,
    claim: str | None,
    transfer: bool = False,
    model: str | None = None,
    run: str | None = None,
    say: Callable[[str], None] = _silent,
) -> list["Judged"]:
    """Returns the judged claims, as `report.verdicts.judge_all` gives them.

    profile: the profile whose results are judged; BOTH merges those that the book shows
        (`report.profiles.together`); None means BOTH with a model, else `small`.
    paper, claim: a key and an id; None for all. transfer: judges the forms for any model instead.
    model: only the verdicts on this model, from the book's results. If the book has none, or if
        `run` names a rerun, the results are those of the rerun (without `run`: the newest).
    say: gets a line on the results that are judged, and on each result that cannot be read.
    Raises UserError if there is no such claim, or if the model has no results.
    """
    from cwr.report import kept, profiles

    built = folder / "_build" / "run"
    poorest = kept.PROFILES[0]
    if profile is None:
        profile = BOTH if model else poorest
    runs = kept.runs(built / poorest) if profile == BOTH else {profile: built / profile}
    if model:
        book = {name: kept.read(place, folder, say) for name, place in runs.items()}
        of_each = {
            name: of_reader(estimates, [model], model, paper, claim, transfer)
            for name, estimates in of_model(model, book, folder / "runs", run, say).items()
        }
    else:
        of_each = profiles.judge_each(runs, folder, paper, claim, transfer, say)
    judged = profiles.together(of_each, runs, folder)
    if not judged:
        _refuse_name(paper, claim, transfer)
    return judged


def of_reader(
    estimates: "Results",
    models: list[str],
    group: str,
    paper: str | None = None,
    claim: str | None = None,
    transfer: bool = False,
) -> list["Judged"]:
    """Returns the claims judged on a reader's models alone.

    Other encoders in the estimates are left out. Static vectors and controls are read where a claim
    compares with them, but get no verdict.
    group: the name of the models as a group, for a claim that compares them ("cwr" if all are
        shipped). paper, claim, transfer: as in `report.verdicts.judge_all`.
    """
    from cwr.report import groups, verdicts

    judged = verdicts.judge_all(estimates.of_models(models), group, paper, claim, transfer)
    return [_only(row, {*models, group, groups.CWR}) for row in judged]


def _only(row: "Judged", names: set[str]) -> "Judged":
    """Returns a row with the verdicts on these models or groups alone."""
    ours = {name: verdict for name, verdict in row.ours.items() if name in names}
    general = _only(row.general, names) if row.general else None
    return replace(row, ours=ours, general=general if general and general.ours else None)


def _refuse_name(paper: str | None, claim: str | None, transfer: bool) -> None:
    """Raises UserError, with the nearest name, for a paper or claim that does not exist."""
    from cwr.papers import registry

    names = _claim_ids(transfer) if claim else registry.KEYS
    found = most_like(claim or paper or "", names, least=0)
    hint = f": did you mean {found}?" if found else ""
    raise UserError(f"no claim matches {' '.join(filter(None, [paper, claim]))}{hint}")


def _claim_ids(transfer: bool) -> list[str]:
    from cwr.papers import registry
    from cwr.report import verdicts

    listed = [claim for text in registry.PAPERS for claim in text.claims]
    if transfer:
        listed = verdicts.general_forms(listed)
    return [claim.id for claim in listed]


def of_model(
    model: str,
    book: dict[str, "Results | None"],
    runs: Path,
    run: str | None,
    say: Callable[[str], None],
) -> dict[str, "Results"]:
    """Returns a model's results: {profile: results} from the book, or {"": results} from a rerun.

    model: its name in results, as `name_in_results` gives it. book: {profile: results}. runs: the
        folder of reruns. A rerun is taken if `run` names one, or if the book has no results of the
        model.
    """
    from cwr.cli import matching_runs

    parts = {name: estimates.of_model(model) for name, estimates in book.items() if estimates}
    parts = {name: part for name, part in parts.items() if len(part.table)}
    if run is None and parts:
        say(f"{model} is judged on the book's own results")
        return parts
    return {"": matching_runs.of_model(runs, model, run, say)}


def name_in_results(model: str) -> str:
    """Returns a model's name in results, given a name, a folder or id@revision."""
    from cwr.encoders import hub, printed

    folder = paths.named(model)
    if folder and folder.is_dir():
        return hub.results_name(model)
    return printed.name_of(model.partition("@")[0])


# ---- as text


def every_model(judged: list["Judged"], width: int | None = None) -> str:
    """Returns a text table: a line for each claim, a column for each model or group, counts below.

    width: the longest line; None: lines do not break.
    """
    from cwr.report import render

    models = list(dict.fromkeys(name for row in judged for name in row.ours))
    forms = [form for row in judged for form in row.with_general]
    table = listing.table([_columns(form, models) for form in forms], width)
    lines = ["", f"published: {render.counted(each.published.verdict for each in judged)}"]
    for model in models:
        lines.append(f"{model}: {_counted(judged, model)}")
    if not models:
        lines.append("No results yet: `make book` or `cwr run` computes them.")
    verdicts = [verdict for form in forms for verdict in form.ours.values()]
    lines += _on_untrained(verdicts)
    return "\n".join([table, *(listing.wrapped(line, width) for line in lines)])


def _columns(judged: "Judged", models: list[str]) -> dict:
    from cwr.report import render

    words = {name: render.contrasted(judged.ours.get(name)) for name in models}
    published = render.words(judged.published, here=False)
    return {"claim": judged.claim.id, "published": published, **words, "says": judged.claim.says}


def _on_untrained(verdicts: list["Verdict"]) -> list[str]:
    """Returns a line, or [], that counts verdicts by how untrained copies compare."""
    from cwr.report import render

    words = [verdict.untrained for verdict in verdicts if verdict.untrained]
    if not words:
        return []
    signs = ", ".join(f"{sign}: {words.count(word)}" for word, sign in render.UNTRAINED.items())
    return [f"of {len(words)} verdicts beside untrained copies, {signs}"]


def _counted(judged: list["Judged"], model: str) -> str:
    """Counts the verdicts on a model or group."""
    from cwr.report import render

    verdicts = [row.deciding.ours.get(model) for row in judged]
    words = [verdict.verdict for verdict in verdicts if verdict]
    return render.counted(words, always=render.DECIDED)


def one_model(judged: list["Judged"], hides: bool = True, width: int | None = None) -> str:
    """Returns the claims on one model as text: counts, claims by verdict, claims not asked.

    hides: True leaves out papers without a claim that could be asked; a line counts these claims.
    width: the longest line; None: lines do not break.
    """
    from cwr.report import render

    rows = [
        row.deciding for row in judged if row.deciding.ours
    ]  # static vectors are asked few claims
    silent = _silent_papers(rows) if hides else []
    shown = [row for row in rows if row.paper not in silent]
    verdicts = [verdict for row in shown for verdict in row.ours.values()]
    counts = render.counted((verdict.verdict for verdict in verdicts), always=render.DECIDED)
    above = [counts, *_on_untrained(verdicts), ""]
    below = _not_asked(shown)
    if silent:
        hidden = len(rows) - len(shown)
        below += ["", f"{hidden} claims of {', '.join(silent)} are hidden: nothing of them was run"]
    above, below = ([listing.wrapped(line, width) for line in lines] for lines in (above, below))
    return "\n".join([*above, *_asked(shown, width), *below])


def _silent_papers(rows: list["Judged"]) -> list[str]:
    """Returns the papers none of whose claims could be asked."""
    asked = {row.paper for row in rows if _verdict(row).verdict != "not run"}
    return [paper for paper in dict.fromkeys(row.paper for row in rows) if paper not in asked]


def _verdict(row: "Judged") -> "Verdict":
    """Returns the only verdict on our models."""
    (verdict,) = row.ours.values()
    return verdict


def _asked(rows: list["Judged"], width: int | None) -> list[str]:
    """Returns a table of the claims that were asked, sorted by verdict; [] for none."""
    from cwr.report import render

    lines = []
    for word in render.DECIDED:
        for row in rows:
            verdict = _verdict(row)
            if verdict.verdict == word:
                reason = f" ({verdict.reason})" if verdict.reason else ""
                lines.append(
                    {
                        "verdict": render.contrasted(verdict),
                        "published": render.words(row.published, here=False),
                        "claim": row.claim.id,
                        "says": row.claim.says + reason,
                    }
                )
    return [listing.table(lines, width)] if lines else []


def _not_asked(rows: list["Judged"]) -> list[str]:
    """Returns the claims that were not run, a line for each reason."""
    by_reason = defaultdict(list)
    for row in rows:
        if _verdict(row).verdict == "not run":
            by_reason[_verdict(row).reason].append(row.claim.id)
    lines = [f"  {reason}: {', '.join(names)}" for reason, names in by_reason.items()]
    return ["", "not run:", *lines] if lines else []
