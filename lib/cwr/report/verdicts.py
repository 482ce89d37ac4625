"""Claims judged on the published numbers and on ours, shown the same way everywhere."""
import html
import importlib
import json
import os
from pathlib import Path

import pandas as pd

from cwr.papers import artifacts
from cwr.papers.claims import Claim
from cwr.report import FAILS, HOLDS, NOT_DECIDABLE, NOT_RUN, Verdict, judge
from cwr.report.groups import general, in_general, on_ours
from cwr.report.results import RECOMPUTED, Results, read, read_all

PAPERS = ("ethayarajh2019", "bis2021", "gupta2021", "zhao2020", "survey")      # in the book's order
PRINTED_ONLY = "not run: only what is printed is checked so far"


def notebook_of(claim: Claim, paper: str) -> str:
    """The notebook that measures what a claim needs; without one the paper's first, which checks what is printed."""
    needed = set(claim.needs.measures)
    rows = artifacts.rows()
    measured = next((row["notebook"] for row in rows if needed & set(row["measures"].split(";"))), "")
    return measured or next((row["notebook"] for row in rows if row["paper"] == paper and row["notebook"]), "")


def on_published(claim: Claim, table: pd.DataFrame) -> Verdict:
    """A claim on the published numbers; one about single models holds if it holds for each model it speaks of."""
    if claim.unprinted:
        return Verdict(NOT_DECIDABLE, reason=claim.unprinted)
    if claim.needs.compares:
        verdict = judge(claim, table)
        return verdict if verdict.verdict != NOT_RUN else Verdict(NOT_DECIDABLE, reason=verdict.reason)
    spoken_of = table[table["family"].isin(claim.needs.families)] if claim.needs.families else table
    parts = {model: judge(claim, part.reset_index(drop=True))
             for model, part in spoken_of.groupby("model", sort=False)}
    if all(part.verdict == NOT_RUN for part in parts.values()):
        return Verdict(NOT_DECIDABLE, reason="; ".join(sorted({p.reason for p in parts.values()})))
    failing = [model for model, part in parts.items() if part.verdict == FAILS]
    holding = [model for model, part in parts.items() if part.verdict == HOLDS]
    reason = f"not for {', '.join(failing)}" + (f"; it holds for {', '.join(holding)}" if holding else "")
    return Verdict(FAILS, reason=reason) if failing else Verdict(HOLDS)


def transferred(claims: list[Claim]) -> list[Claim]:
    """The forms of claims that can be asked of any model, where they have one."""
    return [claim.transfer for claim in claims if isinstance(claim.transfer, Claim)]


def check(run: Path | None = None, paper: str | None = None, claim: str | None = None,
          transfer: bool = False) -> list[dict]:
    """All claims, judged on the published numbers and on the results below `run` (a profile's folder of runs).

    transfer: instead of the claims their forms for any model (`Claim.transfer`).
    Returns the rows of `cwr check --json`; `reason` says why the published verdict is no plain "holds", or, if it
    is one, why ours was not run; `general` is the claim's form for other depths, where it was asked (else None).
    """
    return check_results(read_all(run) if run else None, run.name if run else "", paper, claim, transfer)


def check_results(results: Results | None, group: str, paper: str | None = None, claim: str | None = None,
                  transfer: bool = False) -> list[dict]:
    """`check` for results at hand; `group` names the set of models, unless it has a name (`groups.GROUPS`)."""
    rows = []
    for name in PAPERS:
        module = importlib.import_module(f"cwr.papers.{name}")
        table = module.published()
        asked = transferred(module.CLAIMS) if transfer else module.CLAIMS
        chosen = [c for c in asked if paper in (None, name) and claim in (None, c.id)]
        ours, forms = on_ours(chosen, results, group), in_general(chosen, results)
        rows += [_row(name, c, on_published(c, table), ours[c.id])
                 | {"general": _form(c, table, forms[c.id]) if c.id in forms else None} for c in chosen]
    return rows


def _form(claim: Claim, table: pd.DataFrame, ours: dict[str, Verdict]) -> dict:
    form = general(claim)
    return {"claim": form.id, "says": form.says, "published": on_published(form, table).verdict, "ours": _shown(ours)}


def _shown(ours: dict[str, Verdict]) -> dict[str, dict]:
    return {who: {"verdict": v.verdict, "support": v.support, "reason": v.reason, "beyond_the_paper": v.beyond}
            for who, v in ours.items()}


def _row(paper: str, claim: Claim, published: Verdict, ours: dict[str, Verdict]) -> dict:
    reason = published.reason or "; ".join(f"{who}: {v.reason}" for who, v in ours.items() if v.reason)
    return {"paper": paper, "claim": claim.id, "place": claim.place, "says": claim.says,
            "published": published.verdict, "ours": _shown(ours), "reason": reason,
            "rerun": f"cwr run {notebook_of(claim, paper)}"}


def markdown(results: Results, paper: str, group: str = "together") -> str:
    """The verdict table of one notebook: the claims that its estimates can speak to, ours beside published.

    Below a claim that only its layer numbers keep from a model of its family stands its general form, under its own
    id. A notebook that compares choices gets the table of `flips`; one that only recomputes what is printed, the
    table of all claims on the published numbers.
    """
    if (results.table["variant"] == RECOMPUTED).all():
        return published(paper)
    if results.table["variant"].notna().any():
        return flips(results, paper)
    module = importlib.import_module(f"cwr.papers.{paper}")
    measured, table = set(results.table["measure"]), module.published()
    claims = [c for c in module.CLAIMS if set(c.needs.measures) <= measured]
    ours, forms = on_ours(claims, results, group), in_general(claims, results)
    who = list(dict.fromkeys(name for verdicts in ours.values() for name in verdicts))
    lines = ["| claim | " + " | ".join(who) + " | published |", "|---" * (len(who) + 2) + "|"]
    notes = {}
    for c in claims:
        lines.append(_line(c, c.says, [*map(ours[c.id].get, who), on_published(c, table)], notes))
        if c.id in forms:
            form, families = general(c), " and ".join(c.needs.families)
            says = f"(not in the paper: the same at any depth, for {families} models) {form.says}"
            lines.append(_line(form, says, [*map(forms[c.id].get, who), on_published(form, table)], notes))
    lines += [""] + [f"{number}. {note}" for note, number in notes.items()]
    return "\n".join(lines)


def _line(claim: Claim, says: str, cells: list[Verdict | None], notes: dict[str, int]) -> str:
    return " | ".join([f"| `{claim.id}` {html.escape(says)}", *(_cell(each, notes) for each in cells)]) + " |"


def published(paper: str) -> str:
    """All claims of a paper on its published numbers, with what each verdict rests on."""
    module = importlib.import_module(f"cwr.papers.{paper}")
    table = module.published()
    lines = ["| claim | place | read as | published |", "|---|---|---|---|"]
    notes: dict[str, int] = {}
    for c in module.CLAIMS:
        lines.append(f"| `{c.id}` {html.escape(c.says)} | {html.escape(c.place)} | {html.escape(c.tolerance)} "
                     f"| {_cell(on_published(c, table), notes)} |")
    lines += [""] + [f"{number}. {note}" for note, number in notes.items()]
    return "\n".join(lines)


def flips(results: Results, paper: str) -> str:
    """Which choice changes which verdict: for each variant among the estimates, the claims judged otherwise by it."""
    claims = importlib.import_module(f"cwr.papers.{paper}").CLAIMS
    claims = claims + [form for claim in claims if (form := general(claim))]
    base = on_ours(claims, results, "")
    lines = ["| choice | model | verdicts that change |", "|---|---|---|"]
    for variant in results.table["variant"].dropna().unique():
        part = results.where((results.table["variant"] == variant).to_numpy())
        part.table["variant"] = pd.NA
        other = on_ours(claims, part, "")
        for model in part.table["model"].unique():
            pairs = {c.id: (base[c.id][model].verdict, other[c.id][model].verdict)
                     for c in claims if model in base[c.id]}
            changed = [f"`{name}` {before} → {after}" for name, (before, after) in pairs.items()
                       if NOT_RUN not in (before, after) and before != after]
            lines.append(f"| {variant} | {model} | {'<br>'.join(changed) or 'none'} |")
    return "\n".join(lines)


def _cell(verdict: Verdict | None, notes: dict[str, int]) -> str:
    """One verdict; its reason goes into the numbered notes below the table."""
    if verdict is None:
        return "–"
    if not verdict.reason:
        return str(verdict)
    return f"{verdict} [{notes.setdefault(verdict.reason, len(notes) + 1)}]"


def show(results: Results, paper: str):
    """The verdict table as a notebook's output (the cell tagged `verdicts`).

    With CWR_VERDICTS=later nothing is judged: the workflow sets it, since `fill` judges when the book is built.
    """
    from IPython.display import Markdown  # here, so that claims are judged without Jupyter too

    if os.environ.get("CWR_VERDICTS") == "later":
        return Markdown("Judged when the book is built; `cwr check` judges now.")
    return Markdown(markdown(results, paper))


def fill(notebook: str | Path, results: str | Path) -> None:
    """Judge anew: put today's verdict table into the cell tagged `verdicts` of an executed notebook.

    So a mended claim needs no rerun. notebook: the executed copy, changed in place; results: its results folder.
    """
    import nbformat

    notebook = Path(notebook)
    content = nbformat.read(notebook, as_version=4)
    paper = json.loads((Path(results) / "results.json").read_text(encoding="utf8"))["notebook"].split("/")[0]
    for cell in content.cells:
        if "verdicts" in cell.metadata.get("tags", []) and paper in PAPERS:
            text = markdown(read(results), paper)
            cell.outputs = [nbformat.v4.new_output("display_data", {"text/markdown": text, "text/plain": text})]
    nbformat.write(content, notebook)
