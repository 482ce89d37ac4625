"""What `cwr list`, `cwr check` and `cwr cache` show: rows for JSON, and plain tables."""

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


# ---- cwr list


def artifacts(folder: Path) -> list[dict]:
    """Every figure and table of the papers: {paper, artifact, notebook, profiles}.

    profiles: {profile: "run", or why it is not run}.
    """
    from cwr.papers import artifacts as catalogue

    notebooks = set(checkout.notebooks(folder))
    return [_artifact(row, row["notebook"] in notebooks) for row in catalogue.rows()]


def _artifact(row: dict, has_notebook: bool) -> dict:
    from cwr.papers import artifacts as catalogue
    from cwr.report import verdicts

    small = "run"
    if not has_notebook:
        small = "not run"
    elif not catalogue.measured(row):
        small = verdicts.PRINTED_ONLY
    base = row["profile_base"] or "not run"
    paper = row["profile_paper"] or "not run"
    return {
        "paper": row["paper"],
        "artifact": row["artifact"],
        "notebook": row["notebook"] or None,
        "profiles": {"small": small, "base": base, "paper": paper},
    }


def notebooks(folder: Path) -> list[dict]:
    """Every notebook with its parameters: {notebook, parameters: {name: {type, default, help}}}."""
    names = checkout.notebooks(folder)
    return [{"notebook": name, "parameters": _parameters(folder, name)} for name in names]


def _parameters(folder: Path, notebook: str) -> dict[str, dict]:
    declared = parameters.read(checkout.path(folder, notebook))
    return {
        name: {"type": parameter.type, "default": parameter.default, "help": parameter.help}
        for name, parameter in declared.items()
    }


def models(folder: Path) -> list[dict]:
    """The models of the repository and of packages: {model, here}.

    Any hub id, id@revision or folder will do too.
    """
    from cwr.cli import plan

    return [{"model": name, "here": plan.model(name)[1]} for name in plan.NAMES]


def corpora(folder: Path) -> list[dict]:
    """The named corpora: {corpus, here}. Any UTF-8 text file can be named too."""
    from cwr.cli import plan

    return [{"corpus": name, "here": plan.data(name)} for name in plan.corpora.NAMES]


# ---- cwr check


def _silent(line: str) -> None:
    """Say nothing."""


def claims(
    folder: Path,
    profile: str,
    paper: str | None,
    claim: str | None,
    transfer: bool = False,
    model: str | None = None,
    run: str | None = None,
    say: Callable[[str], None] = _silent,
) -> list["Judged"]:
    """The judged claims, as `report.verdicts.judge_all` gives them.

    paper, claim: a key and an id; None for all. transfer: the forms that suit any model instead.
    model: only the verdicts on this model, from the book's results or, if the book has none of it,
    from a rerun of the reader's: the newest, or the one that `run` names; `say` gets its name.
    Raises UserError if no claim is called so, or if the model has no results.
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
    """Raise UserError for a paper or claim that is not there, with the nearest name."""
    from cwr.papers import registry

    names = _claim_ids(transfer) if claim else registry.KEYS
    nearest = difflib.get_close_matches(claim or paper or "", names, n=1, cutoff=0)
    hint = f": did you mean {nearest[0]}?" if nearest else ""
    raise UserError(f"no claim matches {' '.join(filter(None, [paper, claim]))}{hint}")


def _claim_ids(transfer: bool) -> list[str]:
    from cwr.papers import registry
    from cwr.report import verdicts

    listed = [claim for text in registry.PAPERS for claim in text.claims]
    if transfer:
        listed = verdicts.transferred(listed)
    return [claim.id for claim in listed]


def _of_model(
    model: str, book: "Results | None", runs: Path, run: str | None, say: Callable[[str], None]
) -> "Results":
    """A model's results: the book's or, if it has none or a run is named, those of a rerun."""
    from cwr.cli import matching_runs

    if run is None and book is not None and (book.table["model"] == model).any():
        return book.of_model(model)
    return matching_runs.of_model(runs, model, run, say)


def verdicts(judged: list["Judged"]) -> str:
    """The judged claims as a table: a line for each claim, a column for each model or group."""
    models = list(dict.fromkeys(name for row in judged for name in row.ours))
    forms = [form for row in judged for form in row.with_general]
    text = table([_verdicts(form, models) for form in forms])
    if models:
        return text
    return f"{text}\nNo results yet: `make book` or `cwr run` computes them."


def _verdicts(judged: "Judged", models: list[str]) -> dict:
    from cwr.report import render

    words = {name: render.words(judged.ours.get(name)) for name in models}
    published = render.words(judged.published, here=False)
    return {"claim": judged.claim.id, "published": published, **words, "says": judged.claim.says}


# ---- cwr cache


def cached() -> str:
    """The cache's folder and its entries, the least recently used first."""
    from cwr import paths
    from cwr.extraction import cache

    rows = []
    for entry in cache.entries():
        rows.append(
            {
                "model": entry.model,
                "corpus": entry.corpus,
                "MB": f"{entry.bytes / 1e6:.1f}",
                "last used": time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.last_used)),
                "key": entry.key[:12],
            }
        )
    return f"{paths.cache_root()}\n{table(rows) if rows else 'empty'}"


def emptied() -> str:
    """Empty the cache; a line that says what that freed."""
    from cwr.extraction import cache

    return f"{cache.empty() / 1e6:.1f} MB freed"


# ---- plain tables


def table(rows: list[dict]) -> str:
    """Rows as text columns; nested values are spread out, the last column is not padded."""
    if not rows:
        return "nothing to list"
    flat = [_flat(row) for row in rows]
    head = list(dict.fromkeys(key for row in flat for key in row))
    lines = [head, *(_texts(row, head) for row in flat)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(_aligned(line, widths) for line in lines)


def _flat(row: dict) -> dict:
    """A row whose nested values are spread over columns or told in one text."""
    flat = {}
    for key, value in row.items():
        if key == "profiles":  # the reasons stand in --json
            words = {name: reason.partition(":")[0] for name, reason in value.items()}
            flat |= {f"profile {name}": word for name, word in words.items()}
        elif key == "parameters":
            flat[key] = ", ".join(_declaration(name, value[name]) for name in value)
        else:
            flat[key] = value
    return flat


def _declaration(name: str, parameter: dict) -> str:
    return f"{name}: {parameter['type']} = {parameter['default']!r}"


def _texts(row: dict, head: list[str]) -> list[str]:
    values = [row.get(key) for key in head]
    return ["-" if value is None else str(value) for value in values]


def _aligned(line: list[str], widths: list[int]) -> str:
    cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
    return "  ".join(cells).rstrip()
