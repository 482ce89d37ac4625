"""The pages about runs: about_this_run.md (the book's own), your_runs.md (reruns added to it)."""

import html
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path, PurePath

from cwr import paths
from cwr.cli import chapter_page, outputs
from cwr.cli.progress import clock
from cwr.cli.reruns import MARK
from cwr.errors import UserError, each_readable, quoted
from cwr.report import markup, provenance
from cwr.report.reading import json_object, readable

ABOUT = """# What was run to make this book?

This copy was computed with the profile `{profile}`. The tables come from the records that the \
notebooks leave beside their results. Results of the longer profile `base` came with the book, each with a \
record of its own (`book/reference/base`).
"""
SAME_NUMBERS = """Two runs on one machine give the same results file. Across machines numbers \
agree to about a thousandth; times do not carry over at all.
"""
YOUR_RUNS = """# Your runs

A rerun with other parameters never touches the book's own results. The rerun gets a folder of its \
own, with one page that compares your models with the published ones. The command prints the address \
of this page. With `--add-to-book` the next build of the book lists the page here:

```bash
cwr run ethayarajh2019 --quick \
  -p models '["some/hub-id"]' --add-to-book
```

"""


# ---- the book's own run


def about(run_folder: Path, profile: str) -> str:
    """Markdown page: what ran where, from the record that each notebook in `run_folder` wrote.

    Raises UserError for a record that cannot be read.
    """
    records = {}
    for file in sorted(run_folder.glob("*/*/provenance.json")):
        name = file.parent.relative_to(run_folder).as_posix()
        records[name] = provenance.read(file.parent, *provenance.KINDS)
    introduction = ABOUT.format(profile=profile)
    if not records:
        return f"{introduction}\nNo notebook of this run has left a record.\n"
    sections = [
        introduction,
        notebooks(records),
        "## On which machine?\n",
        facts("hardware", records),
        "## With which versions?\n",
        facts("versions", records),
        "## What is each layer?\n",
        contracts(records),
        SAME_NUMBERS,
    ]
    return "\n\n".join(sections)


def notebooks(records: dict[str, dict]) -> str:
    """Table of the notebooks: models, corpus, time, commit. records: {notebook: provenance}."""
    rows = []
    for name, record in records.items():
        rows.append(
            (
                f"[{name}]({name}.ipynb)",
                models(record),
                markup.code(record["parameters"].get("corpus", "none")),
                clock(record["seconds"]),
                f"`{(record['commit'] or 'unknown')[:12]}`",
            )
        )
    return markup.table(("notebook", "models", "corpus", "time", "commit"), rows)


def models(record: dict) -> str:
    """The models of a record, each with the device it ran on."""
    devices = {model["name"]: markup.plain(model["device"]) for model in record["models"]}
    return ", ".join(f"{markup.code(name)} ({devices[name]})" for name in devices) or "none"


def facts(kind: str, records: dict[str, dict]) -> str:
    """Table of the entries of `kind` in all records; one with several values shows them all."""
    values: dict[str, list[str]] = {}
    for record in records.values():
        for name, value in record[kind].items():
            values.setdefault(name, []).append("none" if value is None else str(value))
    rows = []
    for name, texts in sorted(values.items()):
        rows.append((markup.plain(name), markup.plain("; ".join(dict.fromkeys(texts)))))
    return markup.table((kind.removesuffix("s"), "value"), rows)


def contracts(records: dict[str, dict]) -> str:
    """Table of the layer contracts: what the first and the last layer of each model are."""
    by_name = {}
    for record in records.values():
        for model in record.get("models", []):
            by_name[model["name"]] = model
    rows = []
    for name, model in sorted(by_name.items()):
        layers = model["contract"][0], model["contract"][-1]
        first, last = map(markup.plain, layers)
        rows.append((markup.code(name), model["family"], model["n_layers"], first, last))
    return markup.table(("model", "family", "layers", "layer 0", "last layer"), rows)


# ---- the reader's reruns


@dataclass(frozen=True)
class Added:
    """A page that was added to the book: runs/<paper>/chapter-<hash>/index.html.

    title: what it is about. runs: the folders runs/<paper>/<name>/<hash> that it is made of.
    """

    page: Path
    title: str
    runs: list[Path]


def added(runs: Path) -> list[Added]:
    """The pages that were added to the book, in order.

    One whose files cannot be read is left out, with a line on standard error.
    """
    marks = sorted(runs.glob(f"*/chapter-*/{MARK}"))
    pages = [mark.with_name("index.html") for mark in marks]
    return list(each_readable(pages, _added, lambda line: print(line, file=sys.stderr)))


def _added(page: Path) -> Added:
    """UserError if the page, its record, or what it links to is not there, or lies elsewhere."""
    record = page.with_name("reruns.json")
    content = json_object(record)
    with readable(record):
        names = [PurePath(name) for name in content["reruns"]]
        title = str(content["title"])
    chapter = page.parents[1]
    for name in names:
        if len(name.parts) != 2 or (chapter / name).resolve() != chapter.resolve() / name:
            raise UserError(
                f"{record} names {quoted(str(name))}, which is no run of its chapter: remove the "
                "folder of this page"
            )
    folders = [chapter / name for name in names]
    for file in (page, *(folder / "notebook.ipynb" for folder in folders)):
        with readable(file):
            file.stat()
    return Added(page, title, folders)


def reruns(runs: Path, run_folder: Path) -> str:
    """Markdown page: the reruns that were added, and how each differs from the book's own run."""
    rows = []
    for rerun in added(runs):
        address = f"your_runs/{rerun.page.relative_to(runs).as_posix()}"
        changes = {}
        for run in rerun.runs:
            name = run.relative_to(runs).parent.as_posix()
            changes |= differing(parameters(run), parameters(run_folder / name))
        listed = [markup.code(f"{name}: {value}") for name, value in changes.items()]
        link = f'<a href="{html.escape(address)}">{markup.plain(rerun.title)}</a>'
        rows.append((link, "<br>".join(listed) or "nowhere"))
    if not rows:
        return f"{YOUR_RUNS}No rerun has been added to this copy of the book.\n"
    return YOUR_RUNS + markup.table(("your run", "where it differs from the book's own"), rows)


def _cleaned(rerun: Added, runs: Path) -> str:
    """The page of a rerun, written anew around its body, of which only text and figures stay."""
    with readable(rerun.page):
        written = rerun.page.read_text(encoding="utf-8")
    body = written.partition("<body>")[2].rpartition("</body>")[0] or written
    return chapter_page.document(rerun.title, outputs.cleaned_page(body), runs)


def parameters(results: Path) -> dict:
    """The parameters that a notebook's run recorded; empty without a record.

    Raises UserError for one that cannot be read.
    """
    if not (results / "provenance.json").exists():
        return {}
    return provenance.read(results)["parameters"]


def differing(values: dict, defaults: dict) -> dict:
    """The parameters that have another value than in `defaults`."""
    return {name: value for name, value in values.items() if value != defaults.get(name)}


def copy_reruns(runs: Path, built: Path) -> None:
    """Copy the added pages, and the notebooks and tables they link to, into the built book.

    So links to them work from file:// and by http. A page may come from elsewhere with its folder:
    what could run, or ask something of the network, is taken out of it.
    """
    for rerun in added(runs):
        for run in rerun.runs:
            copy = built / "your_runs" / run.relative_to(runs) / "notebook.ipynb"
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(run / "notebook.ipynb", copy)
        copy = built / "your_runs" / rerun.page.relative_to(runs)
        paths.write_text(copy, _cleaned(rerun, runs))
        for table in rerun.page.parent.glob("*.*"):
            if table.suffix in (".csv", ".tex") and not table.is_symlink():
                shutil.copy(table, copy.parent)
    script = runs / "tex-svg.js"  # MathJax, two folders up from each page
    if added(runs) and script.exists():
        shutil.copy(script, built / "your_runs")
