"""The two pages about runs: about_this_run.md (the book's own) and your_runs.md (reruns added to it)."""
import json
import shutil
from pathlib import Path

from cwr.report import render

EXAMPLE = """```bash
cwr run ethayarajh2019/01_anisotropy \\
  -p models '["some/hub-id"]' --add-to-book
```
"""
MARK = "in_book"        # an empty file of this name in a rerun's folder lists it (cwr run ... --add-to-book)


def about(run_folder: Path, profile: str) -> str:
    """Markdown page: what ran where, from the provenance that each notebook of `run_folder` has written."""
    runs = {file.parent.relative_to(run_folder).as_posix(): json.loads(file.read_text(encoding="utf-8"))
            for file in sorted(run_folder.glob("*/*/provenance.json"))}
    parts = ["# What was run to make this book?\n",
             f"This copy was computed with the profile `{profile}`. The page is made from the "
             "records that the notebooks leave beside their results.\n"]
    if not runs:
        return "\n".join([*parts, "No notebook of this run has left a record.\n"])
    rows = [(f"[{name}]({name}.ipynb)", models(run), f"`{run['parameters'].get('corpus', 'none')}`",
             clock(run["seconds"]), f"`{(run['commit'] or 'unknown')[:12]}`")
            for name, run in runs.items()]
    parts += [render.table(("notebook", "models", "corpus", "time (min:s)", "commit"), rows),
              "## On which machine?\n", facts("hardware", runs),
              "## With which versions?\n", facts("versions", runs),
              "## What is each layer?\n", contracts(runs),
              "Two runs on one machine give the same results file. Across machines numbers agree to about "
              "a thousandth; times do not carry over at all.\n"]
    return "\n".join(parts)


def models(run: dict) -> str:
    """The models of a record, each with the device it ran on."""
    return ", ".join(f"`{model['name']}` ({model['device']})" for model in run.get("models", [])) or "none"


def clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def facts(kind: str, runs: dict[str, dict]) -> str:
    """Table of the entries of `kind` in all records; one that differs between them shows all its values."""
    seen: dict[str, list[str]] = {}
    for name, value in [item for run in runs.values() for item in run[kind].items()]:
        seen.setdefault(name, []).append("none" if value is None else str(value))
    rows = [(name, "; ".join(dict.fromkeys(values))) for name, values in sorted(seen.items())]
    return render.table((kind.removesuffix("s"), "value"), rows)


def contracts(runs: dict[str, dict]) -> str:
    """Table of the layer contracts: what the first and the last layer of each model are."""
    seen = {model["name"]: model for run in runs.values() for model in run.get("models", [])}
    rows = [(f"`{name}`", model["family"], model["n_layers"], model["contract"][0], model["contract"][-1])
            for name, model in sorted(seen.items())]
    return render.table(("model", "family", "layers", "layer 0", "last layer"), rows)


def added(runs: Path) -> list[Path]:
    """Folders runs/<paper>/<name>/<hash> that were added to the book and have a page to show, in order."""
    marked = [mark.parent for mark in sorted(runs.glob(f"*/*/*/{MARK}"))]
    return [run for run in marked if (run / "index.html").exists()]


def reruns(runs: Path, run_folder: Path) -> str:
    """Markdown page: the reruns that were added, and in what each differs from the book's own run."""
    parts = ["# Your runs\n",
             "A rerun with other parameters never touches the book's own results. It lands in a folder of "
             "its own, and `--add-to-book` lists it here when the book is next built:\n",
             EXAMPLE]
    if not added(runs):
        return "\n".join([*parts, "No rerun has been added to this copy of the book.\n"])
    rows = []
    for run in added(runs):
        name = run.relative_to(runs).parent.as_posix()
        other = differing(parameters(run), parameters(run_folder / name))
        rows.append((f'<a href="your_runs/{run.relative_to(runs).as_posix()}/index.html">{name}</a>', other))
    return "\n".join([*parts, render.table(("notebook", "where it differs from the book's own run"), rows)])


def parameters(results: Path) -> dict:
    """The parameters that a notebook's run recorded; empty without a record."""
    record = results / "provenance.json"
    return json.loads(record.read_text(encoding="utf-8"))["parameters"] if record.exists() else {}


def differing(given: dict, ours: dict) -> str:
    """Code for each parameter that has another value than in `ours`."""
    changed = [f"`{name}: {value}`" for name, value in given.items() if value != ours.get(name)]
    return "<br>".join(changed) or "nowhere"


def copy_reruns(runs: Path, html: Path) -> None:
    """Copy the pages of the added reruns into the built book: links to them work from file:// and by http."""
    for run in added(runs):
        page = html / "your_runs" / run.relative_to(runs) / "index.html"
        page.parent.mkdir(parents=True)
        shutil.copy(run / "index.html", page)
    if added(runs) and (runs / "tex-svg.js").exists():      # MathJax, three folders up from each page
        shutil.copy(runs / "tex-svg.js", html / "your_runs")
