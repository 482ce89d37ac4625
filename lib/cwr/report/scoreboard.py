"""The scoreboard: every artifact and every claim of the five texts, as one generated page."""
import html
import importlib
from pathlib import Path

from cwr.papers import artifacts
from cwr.papers.claims import Claim
from cwr.report import counted
from cwr.report.verdicts import PAPERS, PRINTED_ONLY, check

TITLES = {
    "ethayarajh2019": "Ethayarajh (2019), How Contextual are Contextualized Word Representations?",
    "bis2021": "Biś et al. (2021), Too Much in Common",
    "gupta2021": "Gupta & Jaggi (2021), X2Static",
    "zhao2020": "Zhao et al. (2020), semantic class probing",
    "survey": "A survey in two parts, part 2",
}
SHORT = {"ethayarajh2019": "Ethayarajh", "bis2021": "Biś et al.", "gupta2021": "Gupta & Jaggi",
         "zhao2020": "Zhao et al.", "survey": "Survey, part 2"}
RAN = "run"

OPENING = """# Scoreboard

Generated when the book was built. "Published" judges the numbers that a paper prints or that came with it, by the same
predicate that judges ours. "Own models" are the paper's models on its data (profile `paper`): only there is anything
*reproduced*. "Ours" are small models on small data, whose words are "holds here" and "fails here"; see
{doc}`how_to_read_a_verdict`. Behind a verdict stands the share of bootstrap replicates in which the claim holds. Every
claim can be asked again with the line in its row; `cwr check` prints the same.

## The headlines

At most five statements a text, the ones that it is known for.
"""


def status(run: Path | None, profile: str) -> list[dict]:
    """Every artifact with what became of it in each profile: the rows of `cwr list --json`.

    run: the folder of results of `profile`. An artifact is "run" where its notebook has left results; the other
    profiles say why they were not run.
    """
    rows = []
    for row in artifacts.rows():
        there = bool(run and artifacts.measured(row) and (run / row["notebook"] / "results.json").exists())
        waits = ("not run: not built yet" if not row["notebook"] else PRINTED_ONLY if not artifacts.measured(row)
                 else "not run: make book runs it")
        profiles = {"small": waits, "base": row["profile_base"], "paper": row["profile_paper"]}
        if there:
            profiles[profile] = RAN
        rows.append({"paper": row["paper"], "artifact": row["artifact"], "notebook": row["notebook"],
                     "profiles": profiles})
    return rows


def page(run: Path, profile: str = "small") -> str:
    """The scoreboard page in MyST Markdown, for the results below `run`; its neighbour "paper" has the papers' own."""
    claims = check(run)
    own = {row["claim"]: row for row in check(run.parent / "paper")} if (run.parent / "paper").exists() else {}
    parts, every = [OPENING, _headlines(claims, own)], status(run, profile)
    for paper, title in TITLES.items():
        rows = [row for row in every if row["paper"] == paper]
        judged = [row for row in claims if row["paper"] == paper]
        parts += [f"## {title}\n", _artifacts([row for row in rows if row["notebook"]], run)]
        waiting = ", ".join(row["artifact"] for row in rows if not row["notebook"])
        parts += [f"Not run, because not built yet: {waiting}.\n"] if waiting else []
        parts += [_count(judged), _claims(judged, run)]
    return "\n".join(parts)


def _table(head: str, rows: list[str]) -> str:
    """A table that the page's script lets readers sort and filter."""
    return "\n".join(["```{table}", ":class: filtered", "", head, "|---" * (head.count("|") - 1) + "|", *rows, "```\n"])


def _headlines(claims: list[dict], own: dict[str, dict]) -> str:
    rows = []
    for paper in PAPERS:
        module = importlib.import_module(f"cwr.papers.{paper}")
        read_as = {claim.id: claim.tolerance for claim in module.CLAIMS}
        its = (row for row in claims if row["claim"] in module.HEADLINES)
        for row in sorted(its, key=lambda row: module.HEADLINES.index(row["claim"])):
            theirs = _ours(own[row["claim"]]) if row["claim"] in own else "not run"
            rows.append(f"| {SHORT[paper]} | {html.escape(row['says'])}<br>`{row['claim']}`"
                        f"<br><small>read as: {html.escape(read_as[row['claim']])}</small> | {row['published']} "
                        f"| {theirs} | {_ours(row)} |")
    return _table("| text | statement | published | own models | ours |", rows)


def _count(rows: list[dict]) -> str:
    return (f"{len(rows)} claims, readings counted; on the published numbers: "
            f"{counted(row['published'] for row in rows)}.\n")


def _link(text: str, notebook: str, run: Path) -> str:
    """The text as a link to a notebook's page, if that notebook has left results and so has a page."""
    return f"{{doc}}`{text} <{notebook}>`" if (run / notebook / "results.json").exists() else text


def _artifacts(rows: list[dict], run: Path) -> str:
    lines = []
    for row in rows:
        cells = [_link(row["artifact"], row["notebook"], run),
                 *(row["profiles"][profile] for profile in ("small", "base", "paper")), f"`cwr run {row['notebook']}`"]
        lines.append(f"| {' | '.join(cells)} |")
    return _table("| artifact | small | base | paper | run it |", lines) if rows else ""


def _claims(rows: list[dict], run: Path) -> str:
    modules = [importlib.import_module(f"cwr.papers.{paper}") for paper in PAPERS]
    forms = {claim.id: claim.transfer for module in modules for claim in module.CLAIMS}
    lines = []
    for row in rows:
        reason = f"<br><small>{html.escape(row['reason'])}</small>" if row["published"] != "holds" else ""
        lines.append(f"| `{row['claim']}`<br>{html.escape(row['says'])}{_form(forms[row['claim']])} "
                     f"| {html.escape(row['place'])} | {row['published']}{reason} | {_ours(row)}{_general(row)} "
                     f"| {_link('notebook', row['rerun'].split()[-1], run)} `{row['rerun']}` |")
    return _table("| claim | place | published | ours | run it |", lines)


def _form(transfer: Claim | str | None) -> str:
    """How a claim tied to layers or families can be asked of any model, or why it cannot."""
    if transfer is None:
        return ""
    text = f"asked of any model: {transfer.says} ({transfer.id})" if isinstance(transfer, Claim) else transfer
    return f"<br><small>{html.escape(text)}</small>"


def _general(row: dict) -> str:
    """What models of the claim's families say that only its layer numbers do not fit: by its general form."""
    form = row["general"]
    return f"<br><small>`{form['claim']}`, at any depth:<br>{_ours(form)}</small>" if form else ""


def _ours(row: dict) -> str:
    """Each model's verdict; what is true of all of them stands once."""
    shown = {who: _here(verdict) for who, verdict in row["ours"].items()}
    if len(set(shown.values())) == 1 and "not run" in next(iter(shown.values())):
        return next(iter(shown.values()))
    return "<br>".join(f"{who}: {text}" for who, text in shown.items()) or "not run"


def _here(verdict: dict) -> str:
    if verdict["reason"]:
        return f"{verdict['verdict']}<br><small>{html.escape(verdict['reason'])}</small>"
    word = f"{verdict['verdict']} here" if verdict["verdict"] in ("holds", "fails") else verdict["verdict"]
    support = "" if verdict["support"] is None else f" ({verdict['support']:.2f})"
    return ("beyond the paper: " if verdict["beyond_the_paper"] else "") + word + support
