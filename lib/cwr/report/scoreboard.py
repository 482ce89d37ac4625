"""The scoreboard: every artifact and every claim of the five texts, as one generated page."""
import html
from pathlib import Path

from cwr.report.verdicts import artifacts, check

TITLES = {
    "ethayarajh2019": "Ethayarajh (2019), How Contextual are Contextualized Word Representations?",
    "bis2021": "Biś et al. (2021), Too Much in Common",
    "gupta2021": "Gupta & Jaggi (2021), X2Static",
    "zhao2020": "Zhao et al. (2020), semantic class probing",
    "survey": "A survey in two parts, part 2",
}
RAN = "run"

OPENING = """# Scoreboard

Generated when the book was built, from the results of the notebooks in it. "Published" judges the authors' own
numbers; "ours" judges small models on small data, so its words are "holds here" and "fails here": on other models
nothing is *reproduced*, see {doc}`how_to_read_a_verdict`. Behind a verdict stands the share of bootstrap replicates in
which the claim holds.
"""


def status(run: Path | None, profile: str) -> list[dict]:
    """Every artifact with what became of it in each profile: the rows of `cwr list --json`.

    run: the folder of results of `profile`. An artifact is "run" where its notebook has left results; the other
    profiles say why they were not run.
    """
    rows = []
    for row in artifacts():
        there = bool(run and row["notebook"] and (run / row["notebook"] / "results.json").exists())
        profiles = {"small": "not run: not built yet" if not row["notebook"] else "not run: make book runs it",
                    "base": row["profile_base"], "paper": row["profile_paper"]}
        if there:
            profiles[profile] = RAN
        rows.append({"paper": row["paper"], "artifact": row["artifact"], "notebook": row["notebook"],
                     "profiles": profiles})
    return rows


def page(run: Path, profile: str = "small") -> str:
    """The scoreboard page in MyST Markdown, for the results below `run`."""
    claims = check(run)
    parts = [OPENING]
    every = status(run, profile)
    for paper, title in TITLES.items():
        rows = [row for row in every if row["paper"] == paper]
        judged = [row for row in claims if row["paper"] == paper]
        parts += [f"## {title}\n", _artifacts([row for row in rows if row["notebook"]])]
        waiting = ", ".join(row["artifact"] for row in rows if not row["notebook"])
        parts += [f"Not run, because not built yet: {waiting}.\n"] if waiting else []
        parts += [_claims(judged)] if judged else ["Its claims are not judged yet.\n"]
    return "\n".join(parts)


def _artifacts(rows: list[dict]) -> str:
    if not rows:
        return ""
    lines = ["| artifact | small | base | paper |", "|---|---|---|---|"]
    for row in rows:
        name = f"{{doc}}`{row['artifact']} <{row['notebook']}>`" if RAN in row["profiles"].values() else row["artifact"]
        lines.append(f"| {name} | " + " | ".join(row["profiles"][p] for p in ("small", "base", "paper")) + " |")
    return "\n".join(lines) + "\n"


def _claims(rows: list[dict]) -> str:
    lines = ["| claim | place | published | ours |", "|---|---|---|---|"]
    for row in rows:
        ours = "<br>".join(f"{who}: {_here(v)}" for who, v in row["ours"].items()) or "not run"
        reason = f"<br><small>{html.escape(row['reason'])}</small>" if row["published"] != "holds" else ""
        lines.append(f"| `{row['claim']}`<br>{html.escape(row['says'])} | {html.escape(row['place'])} | "
                     f"{row['published']}{reason} | {ours} |")
    return "\n".join(lines) + "\n"


def _here(verdict: dict) -> str:
    if verdict["reason"]:
        return f"{verdict['verdict']}<br><small>{html.escape(verdict['reason'])}</small>"
    word = f"{verdict['verdict']} here" if verdict["verdict"] in ("holds", "fails") else verdict["verdict"]
    support = "" if verdict["support"] is None else f" ({verdict['support']:.2f})"
    return ("beyond the paper: " if verdict["beyond_the_paper"] else "") + word + support
