"""Keep results of the profile base with the book: python workflow/reference.py NAME ...

`keep` copies what `cwr run NAME --profile base` left in _build/run/base to book/reference/base;
`show` tells of them on the notebook's page.
"""

import argparse
import shutil
import sys
from pathlib import Path

import nbformat

import run_pages
from cwr import parameters, paths
from cwr.cli import checkout
from cwr.errors import UserError
from cwr.report import markup, provenance, results, verdicts

PROFILE = paths.LONGER.name
FILES = ("results.json", "replicates.npz", "provenance.json")
SECTION = """<details class="longer" id="at-{profile}"><summary>A longer run, <code>{profile}</code></summary>

The results of this run travel with the book, as files: {{download}}`estimates and intervals <{file}>` and \
{{download}}`the record of the run <{record}>`. {changes} The command `cwr run {notebook} --profile {profile}` \
repeats the run.

{flips}

</details>
"""


def folder(root: Path) -> Path:
    """Where a checkout has the results that travel with its book."""
    return root / paths.LONGER


def keep(run: Path, kept: Path, names: list[str]) -> list[Path]:
    """Copy the results of these notebooks from `run` to `kept`; the folders that they are in.

    Raises UserError, before anything is copied, for results that are missing or damaged.
    """
    for name in names:
        results.read(run / name)
        provenance.read(run / name, *provenance.KINDS)
    for name in names:
        with paths.replacing(kept / name) as scratch:
            for file in FILES:
                shutil.copy(run / name / file, scratch)
    return [kept / name for name in names]


def show(page: Path, notebook: str, kept: Path, committed: Path) -> None:
    """Tell of kept results behind the reader's own verdicts, on the page of an executed notebook.

    page: changed in place; the files go to the folder of its name. committed: the notebook itself,
    for the defaults of its parameters. Nothing changes for a notebook without kept results or
    without a cell tagged `verdicts`. Only a comparison of choices is shown whole: the scoreboard has
    the verdicts of all other notebooks, and `page_answers` those that a page is about.
    Raises UserError for kept results that are damaged.
    """
    content = nbformat.read(page, as_version=4)
    tagged = ["verdicts" in cell.metadata.get("tags", []) for cell in content.cells]
    if not (kept / notebook / "results.json").exists() or True not in tagged:
        return
    estimates = results.read(kept / notebook)
    record = provenance.read(kept / notebook, *provenance.KINDS)
    defaults = parameters.validate(committed, {})
    paper, flips = notebook.partition("/")[0], results.compares_choices(estimates)
    text = SECTION.format(
        profile=PROFILE,
        changes=_changes(record["parameters"], defaults),
        flips=verdicts.compared(estimates, paper) if flips else "",
        file=_copy(kept / notebook / "results.json", page),
        record=_copy(kept / notebook / "provenance.json", page),
        notebook=notebook,
    )
    cell = nbformat.v4.new_markdown_cell(text, id=f"at-{PROFILE}")
    content.cells.insert(tagged.index(True) + 1, cell)
    nbformat.write(content, page)


def _changes(values: dict, defaults: dict) -> str:
    """How a kept run differs from its notebook's defaults, or that it is of an older notebook."""
    unknown = set(values) ^ set(defaults)
    if unknown:
        names = ", ".join(map(markup.code, sorted(unknown)))
        return f"The run comes from an older notebook, with other parameters ({names})."
    changes = run_pages.differing(values, defaults)
    listed = [markup.code(f"{name}: {_value(value)}") for name, value in changes.items()]
    if not listed:
        return "All parameters are the notebook's defaults."
    return f"These parameters are not the notebook's defaults: {', '.join(listed)}."


def _value(value: object) -> str:
    """A parameter's value as text; a list with commas."""
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "nothing"
    return str(value)


def _copy(file: Path, page: Path) -> str:
    """Copy a kept file into the folder of a page; how the page calls it."""
    name = f"{PROFILE}-{file.name}"
    page.with_suffix("").mkdir(exist_ok=True)
    shutil.copy(file, page.with_suffix("") / name)
    return f"{page.stem}/{name}"


def main() -> None:
    """Keep the results of the notebooks or papers that the command line names."""
    parser = argparse.ArgumentParser(description=f"Keep results of the profile {PROFILE}.")
    parser.add_argument("names", nargs="+", help="notebooks or papers")
    root = checkout.root()
    try:
        names = []
        for text in parser.parse_args().names:
            names += checkout.matching(root, text)
        run = root / "_build" / "run" / PROFILE
        folders = keep(run, folder(root), names)
    except UserError as error:
        sys.exit(f"reference: {error}")
    for kept in folders:
        print(f"kept in {kept.relative_to(root)}")


if __name__ == "__main__":
    main()
