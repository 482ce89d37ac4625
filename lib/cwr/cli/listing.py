"""Lists for `cwr list` and `cwr cache`: rows for JSON, and plain tables."""

import shutil
import sys
import textwrap
import time
from pathlib import Path

from cwr import parameters
from cwr.cli import checkout
from cwr.errors import each_readable

NARROWEST = 30  # letters that the last column of a table needs

# ---- cwr list


def artifacts(folder: Path) -> list[dict]:
    """Returns every figure and table of the papers: {paper, artifact, notebook, profiles}.

    profiles: {profile: "run", "checked: ..." or the reason why it was not run}.
    """
    from cwr.papers import artifacts as catalogue

    notebooks = set(checkout.notebooks(folder))
    return [_artifact(row, row["notebook"] in notebooks) for row in catalogue.rows()]


def _artifact(row: dict, has_notebook: bool) -> dict:
    from cwr.papers import artifacts as catalogue
    from cwr.report import verdicts

    small = "run"
    if not has_notebook:
        small = "not run: no notebook yet"
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
    """Returns every notebook with its parameters: {notebook, parameters}.

    parameters: {name: {type, default, help}}.
    A notebook whose parameters cannot be read is left out, with a line on standard error.
    """
    files = [checkout.path(folder, name) for name in checkout.notebooks(folder)]
    return list(each_readable(files, _notebook, lambda line: print(line, file=sys.stderr)))


def _notebook(file: Path) -> dict:
    declared = {
        name: {"type": parameter.type, "default": parameter.default, "help": parameter.help}
        for name, parameter in parameters.read(file).items()
    }
    return {"notebook": parameters.title(file), "parameters": declared}


def models(folder: Path) -> list[dict]:
    """Returns the models of the repository and of packages: {model, here}.

    Hub ids, id@revision and folders are other possible models.
    """
    from cwr.cli import plan
    from cwr.encoders import hub

    return [{"model": name, "here": plan.model(name)[1]} for name in hub.NAMES]


def corpora(folder: Path) -> list[dict]:
    """Returns the named corpora: {corpus, here}."""
    from cwr.cli import plan

    return [{"corpus": name, "here": plan.data(name)} for name in plan.corpora.NAMES]


# ---- cwr cache


def cached() -> str:
    """Returns the cache's folder and its entries as text, the least recently used first."""
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
    """Empties the cache; returns a line on the space freed."""
    from cwr.extraction import cache

    return f"{cache.empty() / 1e6:.1f} MB freed"


# ---- what stands below a list


def model_types() -> str:
    """Returns the types of models that the encoders read, for a sentence."""
    from cwr.encoders.architectures import ARCHITECTURES

    return ", ".join(["ELMo", *(row.title for row in ARCHITECTURES.values())])


def explained(what: str) -> str:
    """Returns an explanation below the list of "artifacts", "models" or "corpora"; else ""."""
    return {
        "artifacts": "\nrun: on our models, by `make book` (profile small); checked: against what "
        "the text itself prints;\nnot run: not yet. The reasons stand in --json.",
        "models": f"\nAny other model will do that is one of these: {model_types()}.\n"
        "Name a hub id, id@revision or a folder; no code that comes with a model is executed.",
        "corpora": "\nAny UTF-8 text file will do: a line is a paragraph, a blank line ends a "
        "document.",
    }.get(what, "")


# ---- plain tables


def width() -> int | None:
    """Returns the terminal's width in characters; None if the output is no terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def table(rows: list[dict], width: int | None = None) -> str:
    """Returns rows as a text table; nested values become columns or one text.

    width: the longest line, or None. A longer text in the last column is wrapped within the column.
        If the column would be narrower than NARROWEST, each row becomes a block of lines.
    """
    if not rows:
        return "nothing to list"
    flat = [_flat(row) for row in rows]
    head = list(dict.fromkeys(key for row in flat for key in row))
    lines = [head, *(_texts(row, head) for row in flat)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    start = sum(widths[:-1]) + 2 * len(widths[:-1])
    if width and width - start < NARROWEST:
        return "\n".join(_block(line, head, width) for line in lines[1:])
    return "\n".join(wrapped(_aligned(line, widths), width, start) for line in lines)


def _block(line: list[str], head: list[str], width: int) -> str:
    """Returns a row as lines: the first cell, the titled cells between, and the last cell."""
    titled = zip(head[1:-1], line[1:-1], strict=True)
    between = " · ".join(f"{title}: {cell}" for title, cell in titled if cell != "–")
    below = [wrapped(f"    {text}", width) for text in (between, line[-1]) if text]
    return "\n".join([line[0], *below])


def wrapped(line: str, width: int | None, indent: int | None = None) -> str:
    """Breaks a line longer than `width` at blanks; further lines are indented.

    indent: the width of the indentation; None: two more than the line's own.
    """
    if not width or len(line) <= width:
        return line
    margin = len(line) - len(line.lstrip())
    below = " " * (margin + 2 if indent is None else indent)
    pieces = textwrap.wrap(
        line,
        width,
        subsequent_indent=below,
        break_on_hyphens=False,
        break_long_words=False,
        drop_whitespace=True,
    )
    return "\n".join(pieces)


def _flat(row: dict) -> dict:
    """Returns a row whose nested values become columns or one text."""
    flat = {}
    for key, value in row.items():
        if key == "profiles":  # the reasons stand in --json
            words = {name: reason.partition(":")[0] for name, reason in value.items()}
            flat |= words
        elif key == "parameters":
            flat[key] = ", ".join(_declaration(name, value[name]) for name in value)
        else:
            flat["text" if key == "paper" else key] = value  # "paper" is a profile, too
    return flat


def _declaration(name: str, parameter: dict) -> str:
    return f"{name}: {parameter['type']} = {parameter['default']!r}"


def _texts(row: dict, head: list[str]) -> list[str]:
    values = [row.get(key) for key in head]
    return ["-" if value is None else str(value) for value in values]


def _aligned(line: list[str], widths: list[int]) -> str:
    cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
    return "  ".join(cells).rstrip()
