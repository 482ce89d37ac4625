"""What `cwr list`, `cwr check` and `cwr cache` show: rows for JSON, and the same rows as plain tables."""
import difflib
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from cwr import parameters
from cwr.cli import checkout
from cwr.errors import UserError

if TYPE_CHECKING:
    from cwr.report.render import Judged
    from cwr.report.results import Results


def artifacts(folder: Path) -> list[dict]:
    """Every figure and table of the papers: {paper, artifact, notebook, profiles: {profile: "run" or why not}}."""
    from cwr.papers import artifacts as every
    from cwr.report import verdicts

    there = set(checkout.notebooks(folder))
    return [{"paper": row["paper"], "artifact": row["artifact"], "notebook": row["notebook"] or None,
             "profiles": {"small": "not run" if row["notebook"] not in there else "run" if every.measured(row)
                          else verdicts.PRINTED_ONLY,
                          "base": row["profile_base"] or "not run", "paper": row["profile_paper"] or "not run"}}
            for row in every.rows()]


def notebooks(folder: Path) -> list[dict]:
    """Every notebook with its parameters: {notebook, parameters: {name: {type, default, help}}}."""
    return [{"notebook": name, "parameters": {
        each.name: {"type": each.type, "default": each.default, "help": each.help}
        for each in parameters.read(checkout.path(folder, name)).values()}} for name in checkout.notebooks(folder)]


def models(folder: Path) -> list[dict]:
    """The models of the repository and of packages: {model, here}. Any hub id, id@revision or folder will do too."""
    from cwr.cli import plan

    return [{"model": name, "here": plan.model(name)[1]} for name in plan.NAMES]


def corpora(folder: Path) -> list[dict]:
    """The named corpora: {corpus, here}. Any UTF-8 text file can be named too."""
    from cwr.cli import plan

    return [{"corpus": name, "here": plan.data(name)} for name in plan.corpora.NAMES]


def claims(folder: Path, profile: str, paper: str | None, claim: str | None, transfer: bool = False,
           model: str | None = None, run: str | None = None, say: Callable[[str], None] = lambda line: None
           ) -> list["Judged"]:
    """The judged claims, as `report.verdicts.judge_all` gives them. Raises UserError if none is called so.

    transfer: the forms of claims that can be asked of any model. model: only the verdicts of this one, from the book's
    results or, if it is none of the book's models, from one of the reader's reruns, which `run` names (the newest if
    it does not) and `say` is told. Raises UserError if it has no results.
    """
    from cwr.report import results, verdicts

    estimates = results.read_all(folder / "_build" / "run" / profile)
    if model:
        estimates = _of_model(model, estimates, folder / "runs", run, say)
    judged = verdicts.judge_all(estimates, model or profile, paper, claim, transfer)
    if not judged:
        _refuse_name(paper, claim, transfer)
    return judged


def _refuse_name(paper: str | None, claim: str | None, transfer: bool) -> None:
    from cwr.papers import registry
    from cwr.report import verdicts

    claims = [each for text in registry.PAPERS for each in text.claims]
    claims = verdicts.transferred(claims) if transfer else claims
    names = [each.id for each in claims] if claim else registry.KEYS
    near = difflib.get_close_matches(claim or paper or "", names, n=1, cutoff=0)
    raise UserError(f"no claim matches {' '.join(filter(None, [paper, claim]))}"
                    + (f": did you mean {near[0]}?" if near else ""))


def _of_model(model: str, book: "Results | None", runs: Path, run: str | None, say: Callable[[str], None]
              ) -> "Results":
    """A model's results: the book's own or, where it has none (or `run` is named), those of one rerun."""
    from cwr.cli import chosen_runs

    if book is not None and run is None and (book.table["model"] == model).any():
        return book.of_model(model)
    return chosen_runs.of_model(runs, model, run, say)


def verdicts(judged: list["Judged"]) -> str:
    """The judged claims as a table: one line a claim, a column for the published numbers and one for each of ours."""
    from cwr.report import render

    models = list(dict.fromkeys(name for each in judged for name in each.ours))
    rows = [form for each in judged for form in each.with_general]
    shown = [{"claim": row.claim.id, "published": render.words(row.published, here=False),
              **{name: render.words(row.ours.get(name)) for name in models}, "says": row.claim.says} for row in rows]
    without = "" if models else "\nNo results yet: `make book` or `cwr run` computes them."
    return table(shown) + without


def table(rows: list[dict]) -> str:
    """Rows of equal keys as text columns; nested values are spread out, the last column is not padded."""
    flat = [{key: value for outer, inner in row.items() for key, value in _spread(outer, inner)} for row in rows]
    if not flat:
        return "nothing to list"
    head = list(dict.fromkeys(key for row in flat for key in row))
    lines = [head, *([str(row.get(key) if row.get(key) is not None else "-") for key in head] for row in flat)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
                     for line in lines)


def _spread(key: str, value) -> list[tuple[str, object]]:
    if key == "profiles":
        return [(f"profile {name}", said.partition(":")[0]) for name, said in value.items()]    # --json has the reasons
    if key == "parameters":
        return [(key, ", ".join(f"{name}: {each['type']} = {each['default']!r}" for name, each in value.items()))]
    return [(key, value)]


def cached() -> str:
    """The cache's entries, the least recently used first, and where it is."""
    from cwr import paths
    from cwr.extraction import cache

    rows = [{"model": entry.model, "corpus": entry.corpus, "MB": f"{entry.bytes / 1e6:.1f}",
             "last used": time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.last_used)), "key": entry.key[:12]}
            for entry in cache.entries()]
    return f"{paths.cache_root()}\n{table(rows) if rows else 'empty'}"


def emptied() -> str:
    """Empty the cache and say what that freed."""
    from cwr.extraction import cache

    return f"{cache.empty() / 1e6:.1f} MB freed"
