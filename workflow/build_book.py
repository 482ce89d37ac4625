"""Build the book from executed notebooks: python workflow/build_book.py --profile small

Pages and executed notebooks are assembled in one source folder and built aside; the new book takes the old
one's place only when it is whole, so a failed build leaves yesterday's book where it was. A build computes
nothing: verdicts, the scoreboard and the page about the run are made from the results that notebooks wrote.
"""
import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import yaml
from bs4 import BeautifulSoup

import run_pages
from cwr import paths
from cwr.cli import checkout, tether
from cwr.errors import UserError
from cwr.report import checked, scoreboard, verdicts

ROOT = Path(__file__).resolve().parents[1]


def build(run_folder: Path, html: Path, profile: str = "small", root: Path = ROOT, chapters: str = "") -> Path:
    """Build the book of `run_folder` into `html` and return its first page.

    run_folder: <paper>/<name>/{notebook.ipynb, results.json, provenance.json} of one profile.
    html: replaced when the new book is whole; source, log and the half-built book lie beside it.
    chapters: names with blanks between; the notebooks of all others stay out, with a sentence in their place.
    Raises UserError when the table of contents and the notebooks differ, when a notebook has not been
    executed, when a page has any warning, and when a page or a figure is missing; `html` is then as it was.
    """
    run_folder, html = Path(run_folder).resolve(), Path(html).resolve()
    paths.recover(html)
    source, aside = html.parent / "source", html.parent / "aside"
    assemble(source, run_folder, profile, root, chapters)
    sphinx(source, aside, html.parent / "log" / "sphinx.log")
    built = aside / "_build" / "html"
    run_pages.copy_reruns(root / "runs", built)
    lacking = missing(built, source)
    if lacking:
        raise UserError(f"the book is not whole: {'; '.join(lacking)}; the previous book was kept in {html}")
    with paths.replacing(html) as scratch:
        built.rename(scratch)
    shutil.rmtree(aside)
    return html / "index.html"


def assemble(source: Path, run_folder: Path, profile: str, root: Path = ROOT, chapters: str = "") -> None:
    """Fill `source`, made anew, with everything that jupyter-book reads."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(root / "book", source, ignore=shutil.ignore_patterns("reference", "replies", "__pycache__"))
    shutil.copy(root / "_config.yml", source)
    shutil.copytree(mathjax().parent, source / "_static" / "mathjax",
                    ignore=lambda folder, names: [name for name in names if name != mathjax().name])
    inside = checkout.of_chapters(root, chapters.split())
    for name in checkout.notebooks(root):
        if name in inside:
            copy_executed(name, run_folder, source)
        else:
            leave_out(name, root, source)
    pages_made = {
        "scoreboard": scoreboard.page(run_folder, profile),
        "printed_numbers": checked.page(root / "book" / "replies"),
        "about_this_run": run_pages.about(run_folder, profile),
        "your_runs": run_pages.reruns(root / "runs", run_folder),
    }
    for page, text in pages_made.items():
        (source / f"{page}.md").write_text(text, encoding="utf-8")
    check_contents(pages(source), source, checkout.notebooks(root))


def mathjax() -> Path:
    """The one MathJax file that the book carries, out of the package sphinx-mathjax-offline (Apache-2.0)."""
    package = importlib.util.find_spec("sphinx-mathjax-offline")
    if package is None:
        raise UserError("the package sphinx-mathjax-offline is not installed: run `make install`")
    return Path(package.submodule_search_locations[0]) / "static" / "mathjax" / "tex-svg.js"


def copy_executed(name: str, run_folder: Path, source: Path) -> None:
    """Copy the executed notebook into the source and let `report` judge its results anew."""
    results = run_folder / name
    if not (results / "notebook.ipynb").exists():
        raise UserError(f"notebook {name} has not been executed in {run_folder}: run `cwr run {name}` first")
    page = (source / name).with_suffix(".ipynb")
    page.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(results / "notebook.ipynb", page)
    if (results / "results.json").exists():
        verdicts.fill(page, results, run_folder.name)


def leave_out(name: str, root: Path, source: Path) -> None:
    """Put a page in the place of a notebook that stays out of this copy: its title and where it can be had."""
    notebook = nbformat.read(checkout.path(root, name), as_version=4)
    title = next(cell.source.splitlines()[0] for cell in notebook.cells if cell.cell_type == "markdown")
    text = f"{title}\n\nThis notebook stays out of this copy of the book: `make book` takes all chapters in."
    page = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)], metadata=notebook.metadata)
    (source / name).parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(page, source / f"{name}.ipynb")


def pages(source: Path) -> list[str]:
    """All pages that _toc.yml names, in reading order, without suffix."""
    contents = yaml.safe_load((source / "_toc.yml").read_text(encoding="utf-8"))

    def listed(node) -> list[str]:
        if isinstance(node, list):
            return [page for item in node for page in listed(item)]
        own = [node[key] for key in ("root", "file") if key in node]
        return own + [page for key in ("parts", "chapters", "sections") for page in listed(node.get(key, []))]

    return listed(contents)


def check_contents(listed: list[str], source: Path, names: list[str]) -> None:
    """Refuse a table of contents that leaves a notebook out or names a page that is not there."""
    there = {file.relative_to(source).with_suffix("").as_posix() for file in source.rglob("*.*")}
    if absent := [page for page in listed if page not in there]:
        raise UserError(f"book/_toc.yml names {', '.join(absent)}, which is not there: add it or drop it")
    if left_out := [name for name in names if name not in listed]:
        raise UserError(f"book/_toc.yml leaves out the notebook {', '.join(left_out)}: add it to its chapter")


def sphinx(source: Path, aside: Path, log: Path) -> None:
    """Run jupyter-book from clean doctrees; any warning is an error, and the log keeps them all."""
    shutil.rmtree(aside, ignore_errors=True)            # a warning vanishes when a page is not read again
    log.parent.mkdir(parents=True, exist_ok=True)
    start = ("import sys; sys.modules.setdefault('rfc3987_syntax', None); "  # nobody needs its slow import
             "from jupyter_book.cli.main import main; main()")
    run = [sys.executable, "-c", start, "build", str(source),
           "--path-output", str(aside), "-W", "-n", "--keep-going", "--quiet"]
    done = subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          env=os.environ | {"NO_COLOR": "1"})
    log.write_text(done.stdout, encoding="utf-8")
    if done.returncode:
        wrong = [line for line in done.stdout.splitlines() if "WARNING" in line or "ERROR" in line]
        first = wrong[0].replace(f"{source}/", "book/") if wrong else f"exit status {done.returncode}"
        raise UserError(f"the book did not build: {first} (all messages: {log})")


def missing(html: Path, source: Path) -> list[str]:
    """What the book in `html` lacks: pages of the contents, figures of the notebooks, alt texts."""
    lacking = []
    for page in pages(source):
        built = html / f"{page}.html"
        if not built.exists():
            lacking.append(f"page {page} was not made")
            continue
        images = BeautifulSoup(built.read_text(encoding="utf-8"), "html.parser").select("article img")
        wanted = figures((source / page).with_suffix(".ipynb"))
        if len(images) < wanted:
            lacking.append(f"page {page} shows {len(images)} of {wanted} figures")
        silent = [image["src"] for image in images if not image.get("alt")]
        lacking += [f"page {page}: {image} has no alt text" for image in silent]
    return lacking


def figures(notebook: Path) -> int:
    """Number of pictures among the outputs of an executed notebook; 0 for a page that is none."""
    if not notebook.exists():
        return 0
    cells = nbformat.read(notebook, as_version=4).cells
    return sum("image/png" in output.get("data", {}) for cell in cells for output in cell.get("outputs", []))


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the book from executed notebooks.")
    parser.add_argument("--profile", default="small", help="whose results to show (default: small)")
    parser.add_argument("--run", type=Path, help="folder of executed notebooks (default: _build/run/PROFILE)")
    parser.add_argument("--html", type=Path, default=ROOT / "_build" / "html", help="where the book goes")
    parser.add_argument("--chapters", default="", help="only these, names with blanks between (default: all)")
    given = parser.parse_args()
    tether.end_with_parent()
    try:
        index = build(given.run or ROOT / "_build" / "run" / given.profile, given.html, given.profile,
                      chapters=given.chapters)
    except UserError as error:
        sys.exit(f"cwr: {error}")
    print(f"The book: {index.as_uri()}")


if __name__ == "__main__":
    main()
