"""Build the book from executed notebooks: python workflow/build_book.py --profile small

Pages and executed notebooks are assembled in one source folder and built aside. The new book
replaces the old one only when it is whole, so a failed build leaves yesterday's book as it was.
A build computes nothing: verdicts, the scoreboard and the page about the run come from the results
that notebooks wrote.
"""

import argparse
import functools
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
import yaml
from bs4 import BeautifulSoup

import cards
import page_answers
import page_figures
import reference
import run_pages
import stories
from cwr import paths
from cwr.cli import checkout, listing, outputs, tether
from cwr.errors import UserError
from cwr.estimates import calibration, distilled, similarity_tables
from cwr.figures import live_html
from cwr.papers import registry
from cwr.report import (
    checked,
    claims_map,
    contextualisation,
    findings,
    findings_across_texts,
    kept,
    manners_of_contextualising,
    mean_drift,
    overturned,
    power,
    profiles,
    scoreboard,
    under_treatments,
    verdicts,
    what_holds_up,
)
from cwr.report.reading import UNREADABLE
from cwr.report.render import Judged
from cwr.report.results import read
from gpu import measured

ROOT = Path(__file__).resolve().parents[1]
TEXTS = ROOT / "lib" / "cwr" / "texts"
ANISOTROPY = "ethayarajh2019/01_anisotropy"
HIDE = "One page removes one artefact at a time ({doc}`06_what_the_measures_hide`)."
CENTRED = (
    "Each number is X2Static's mean correlation minus that of averages (ASE) with their mean removed. "
    "Where X2Static is not clearly above ASE, the number is X2Static minus ASE without centring."
)
WITH_POWER = ("gupta2021", "zhao2020", "survey")  # texts whose page has a table of smallest effects
X2STATIC, ASE = ("x2static_sentence", "x2static_paragraph"), ("ase_best_layer", "ase_centred")
NOT_A_PAGE = shutil.ignore_patterns("reference", "replies", "__pycache__")
JUPYTER_BOOK = (
    "from cwr.cli import tether; tether.end_with_parent(); "  # killed with the builder
    "import sys; sys.modules.setdefault('rfc3987_syntax', None); "  # nobody needs its slow import
    "from jupyter_book.cli.main import main; main()"
)


def build(
    run_folder: Path, html: Path, profile: str = "small", root: Path = ROOT, chapters: str = ""
) -> Path:
    """Build the book of `run_folder` into `html` and return its first page.

    run_folder: <paper>/<name>/{notebook.ipynb, results.json, provenance.json} of one profile.
    html: replaced when the new book is whole; source, log and half-built book lie beside it.
    chapters: names with blanks between; empty for all. The notebooks of all other chapters stay
    out, with a sentence instead.
    Raises UserError when the table of contents and the notebooks differ, when a notebook has not
    been executed, when a page has any warning, and when a page or a figure is missing; `html` is
    then as it was.
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
        raise UserError(
            f"the book is not whole: {'; '.join(lacking)}; the previous book was kept in {html}"
        )
    with paths.replacing(html) as scratch:
        built.rename(scratch)
    shutil.rmtree(aside)
    return html / "index.html"


# ---- the source folder


def assemble(
    source: Path, run_folder: Path, profile: str, root: Path = ROOT, chapters: str = ""
) -> None:
    """Fill `source`, emptied before, with everything that jupyter-book reads.

    Arguments and errors as `build`.
    """
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(root / "book", source, ignore=NOT_A_PAGE)
    shutil.copy(root / "_config.yml", source)
    copy_mathjax(source)
    names = checkout.notebooks(root)
    inside = checkout.of_chapters(root, chapters.split())
    copy_all([name for name in names if name in inside], run_folder, source, root)
    for name in names:
        if name not in inside:
            leave_out(name, root, source)
    runs = kept.runs(run_folder)
    by_profile = profiles.judge_each(runs, root)
    judged = profiles.together(by_profile, runs, root)
    batteries = under_treatments.of_headlines(run_folder, reference.folder(root))
    generated = {
        "scoreboard": scoreboard.page(run_folder, profile, judged, batteries),
        "printed_numbers": checked.page(root / "book" / "replies"),
        "about_this_run": run_pages.about(run_folder, profile),
        "your_runs": run_pages.reruns(root / "runs", run_folder),
    }
    for page, text in generated.items():
        (source / f"{page}.md").write_text(text, encoding="utf-8")
    (source / "_includes").mkdir(exist_ok=True)
    for name, text in fragments(run_folder, judged, by_profile, batteries).items():
        (source / "_includes" / f"{name}.md").write_text(text, encoding="utf-8")
    check_contents(pages(source), source, names)


def fragments(
    run_folder: Path,
    judged: list[Judged],
    by_profile: dict[str, list[Judged]],
    batteries: dict[str, list[under_treatments.Treated]] | None = None,
) -> dict[str, str]:
    """What pages include as `_includes/NAME.md`, computed from the results of a run: {NAME: MyST}.

    judged: the claims judged on the results of all profiles, together; by_profile: on each alone.
    batteries: as `claims_map.markdown`.
    """
    of_longer = kept.runs(run_folder).get(paths.LONGER.name)
    longer = kept.folders(of_longer, ROOT) if of_longer else ()
    told = stories.Book({each.claim.id: each for each in judged}, richest(run_folder), longer)
    chapters = {
        f"story_{paper.key}": cards.chapter(paper, judged, told, run_folder)
        for paper in registry.PAPERS
    }
    own = by_profile.get(run_folder.name, judged)
    chapters |= {f"power_{key}": power.markdown(own, key) for key in WITH_POWER}
    return chapters | {
        "hidden_ethayarajh2019": hidden(run_folder),
        "centring_gupta2021": centring(run_folder, reference.folder(ROOT)),
        "claims_map": claims_map.markdown(judged, batteries),
        "outcome": cards.outcome(judged),
        "cards": cards.front(judged, told, run_folder),
        "taught_counts": what_holds_up.counts(judged),
        "taught_picture": what_holds_up.picture(judged, batteries or {}),
        "taught_findings": across(run_folder, what_holds_up.findings(judged, batteries or {})),
        "arms_at_base": arms_at_base(reference.folder(ROOT)),
        "gpu": measured.page(ROOT / "book" / "reference" / "gpu"),
        "model_types": f"{listing.model_types()}.\n",
        "is_my_cosine_high": is_my_cosine_high(run_folder),
    }


def across(run_folder: Path, of_verdicts: dict[str, str]) -> str:
    """Findings across the texts, each from the richest results at hand of its notebooks.

    of_verdicts: {title: text} of those that verdicts teach, behind the others.
    """
    others = {"What only a recount shows.": findings.recount()}
    if (run_folder / ANISOTROPY / "results.json").exists():
        results = contextualisation.of_models_with_copies(read(run_folder / ANISOTROPY))
        title = f"{contextualisation.title(results)}."
        blocks = next(contextualisation.findings(results))
        others = {title: f"{blocks} See {{doc}}`{ANISOTROPY}`."} | others
    return findings_across_texts.markdown(richest(run_folder), others, of_verdicts)


def richest(run_folder: Path) -> findings_across_texts.Read:
    """What reads the richest results at hand of a notebook: of `base` if there are any."""
    places = {}
    for run in kept.runs(run_folder).values():
        places |= kept.folders(run, ROOT)
    return functools.cache(lambda name: read(places[name]) if name in places else None)


def hidden(run_folder: Path) -> str:
    """Two lines more of the box of ethayarajh2019: what its measures hide, and a question of 4.2.

    A notebook that stays out of this copy of the book has no line.
    """
    chapter, lines = run_folder / "ethayarajh2019", ""
    treated = chapter / "06_what_the_measures_hide"
    if (treated / "results.json").exists():
        said = overturned.sentences(read(treated), chapter.name, run_folder.name)
        lines += f"- **What the measures hide.** {HIDE} {said}\n"
    sentences = chapter / "03_intra_sentence_similarity"
    if (sentences / "results.json").exists():
        said = manners_of_contextualising.sentence(read(sentences))
        lines += f"- **One question more.** {said}\n" if said else ""
    return lines


def centring(run_folder: Path, kept: Path) -> str:
    """One line more of the box of gupta2021: is X2Static's lead over ASE more than centring?

    kept: where results of longer runs travel. Without rows of X2Static in either there is no line.
    """
    said = ""
    for where, folder in (("This copy's run", run_folder), ("The longer run", kept)):
        notebook = folder / "gupta2021" / "02_word_similarity"
        if not (notebook / "results.json").exists():
            continue
        differences = distilled.against(read(notebook).rows(), X2STATIC, ASE)
        if len(differences):
            leads = similarity_tables.with_leads(differences)
            in_mean = leads[leads["dataset"] == similarity_tables.AVERAGE]
            said += f" *{where}.* {similarity_tables.centring_answers(in_mean)}"
    return f"- **Is the lead more than centring?** {CENTRED}{said}\n" if said else ""


def arms_at_base(kept: Path) -> str:
    """What the longer run of the arms of bis2021/07 came to, of the results that travel here."""
    folder = kept / "bis2021" / "07_common_enemies"
    if not folder.exists():
        return "This copy of the book does not have the results of the longer run."
    return mean_drift.at_length(read(folder).table)


def is_my_cosine_high(run_folder: Path) -> str:
    """The live figure of the notebook on Figure 1; a sentence in a copy without that notebook."""
    file = run_folder / ANISOTROPY / paths.FIGURES / "cosine.json"
    if not file.exists():
        return "This copy of the book does not have the notebook that answers this question."
    data = json.loads(file.read_text(encoding="utf-8"))
    table = calibration.thresholds(calibration.from_data(data))
    figure = live_html("cosine", data, table, calibration.RULE)
    return f"```{{raw}} html\n{figure}\n```"


def copy_mathjax(source: Path) -> None:
    """Copy the folder of the one MathJax file into the source, without the other scripts in it.

    Raises UserError if the package is not installed.
    """
    script = mathjax()
    target = source / "_static" / "mathjax"
    unused = [file.name for file in script.parent.iterdir() if file != script]
    shutil.copytree(script.parent, target, ignore=lambda folder, names: unused)


def mathjax() -> Path:
    """The one MathJax file that the book carries. UserError if its package is not installed."""
    script = outputs.mathjax_file()
    if script is None:
        raise UserError("the package sphinx-mathjax-offline is not installed: run `make install`")
    return script


def copy_all(names: Sequence[str], run_folder: Path, source: Path, root: Path = ROOT) -> None:
    """`copy_executed` of these notebooks, as many at once as there are cores: to judge them anew is
    most of what a build computes.
    """
    copy = functools.partial(copy_executed, run_folder=run_folder, source=source, root=root)
    workers = max(1, min(os.cpu_count() or 1, len(names)))
    processes = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, processes, _begin, (tether.to_me(),)) as pool:
        for _ in pool.map(copy, names):
            pass


def _begin(parent: dict[str, str]) -> None:
    """What a worker does first: it is to end with the builder."""
    os.environ.update(parent)
    tether.end_with_parent()


def copy_executed(name: str, run_folder: Path, source: Path, root: Path = ROOT) -> None:
    """Copy the executed notebook with its figures' files into the source; `report` judges anew.

    Verdicts on results that travel with the book are put beside the reader's own.

    Raises UserError if it has not been executed.
    """
    results = run_folder / name
    if not (results / "notebook.ipynb").exists():
        raise UserError(
            f"notebook {name} has not been executed in {run_folder}: run `cwr run {name}` first"
        )
    page = (source / name).with_suffix(".ipynb")
    page.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(results / "notebook.ipynb", page)
    shutil.copytree(results / paths.FIGURES, page.with_suffix(""))
    page_figures.arrange(page)
    if (results / "results.json").exists():
        own = verdicts.fill(page, results, run_folder.name)
        reference.show(page, name, reference.folder(root), checkout.path(root, name))
        page_answers.show(page, name, page_answers.with_longer(own, name, run_folder, root))
        link_numbers(page, results)


def link_numbers(page: Path, results: Path) -> None:
    """End a notebook's page with links to its numbers: its estimates, and what its paper prints."""
    files = {"estimates and intervals": results / "results.json"}
    files["what the paper prints"] = TEXTS / page.parent.name / "claims" / "printed.csv"
    links = []
    for label, file in files.items():
        if file.exists():
            shutil.copy(file, page.with_suffix("") / file.name)
            links.append(f"{{download}}`{label} <{page.stem}/{file.name}>`")
    notebook = nbformat.read(page, as_version=4)
    text = f"**The numbers of this page**, as files: {', '.join(links)}."
    notebook.cells.append(nbformat.v4.new_markdown_cell(text, id="numbers"))
    nbformat.write(notebook, page)


def leave_out(name: str, root: Path, source: Path) -> None:
    """Write a page for a notebook that stays out of this copy: its title and how to get it.

    One that cannot be read has its name for a title: the others are built none the less.
    """
    try:
        notebook = nbformat.read(checkout.path(root, name), as_version=4)
        texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
        title, metadata = texts[0].splitlines()[0], notebook.metadata
    except UNREADABLE:
        title, metadata = f"# {name}", {}
    sentence = (
        "This notebook stays out of this copy of the book: `make book` takes all chapters in."
    )
    cell = nbformat.v4.new_markdown_cell(f"{title}\n\n{sentence}")
    page = nbformat.v4.new_notebook(cells=[cell], metadata=metadata)
    (source / name).parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(page, source / f"{name}.ipynb")


# ---- the table of contents


def pages(source: Path) -> list[str]:
    """All pages that _toc.yml names, in reading order, without suffix."""
    return _listed(yaml.safe_load((source / "_toc.yml").read_text(encoding="utf-8")))


def _listed(node: dict | list) -> list[str]:
    """The pages of a part of the table of contents, those below a page after it."""
    if isinstance(node, list):
        return [page for item in node for page in _listed(item)]
    names = [node[key] for key in ("root", "file") if key in node]
    for key in ("parts", "chapters", "sections"):
        names += _listed(node.get(key, []))
    return names


def check_contents(listed: list[str], source: Path, names: list[str]) -> None:
    """Compare the table of contents with the pages in the source and the book's notebooks.

    Raises UserError if it names a page that is not there, or leaves a notebook out.
    """
    files = [file.relative_to(source) for file in source.rglob("*.*")]
    present = {file.with_suffix("").as_posix() for file in files}
    absent = [page for page in listed if page not in present]
    if absent:
        raise UserError(
            f"book/_toc.yml names {', '.join(absent)}, which is not there: add it or drop it"
        )
    left_out = [name for name in names if name not in listed]
    if left_out:
        raise UserError(
            f"book/_toc.yml leaves out the notebook {', '.join(left_out)}: add it to its chapter"
        )


# ---- the build and what it lacks


def sphinx(source: Path, aside: Path, log: Path) -> None:
    """Run jupyter-book from clean doctrees; any warning is an error, and the log keeps them all.

    Raises UserError with the first warning.
    """
    shutil.rmtree(aside, ignore_errors=True)  # a warning vanishes when a page is not read again
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable,
        "-c",
        JUPYTER_BOOK,
        "build",
        str(source),
        "--path-output",
        str(aside),
        "-W",
        "-n",
        "--keep-going",
        "--quiet",
    ]
    environment = os.environ | tether.to_me() | {"NO_COLOR": "1"}
    process = subprocess.run(
        command,
        env=environment,
        text=True,
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    log.write_text(process.stdout, encoding="utf-8")
    if process.returncode:
        lines = process.stdout.splitlines()
        messages = [line for line in lines if re.search("WARNING|ERROR|Error: .", line)]
        messages.append(f"exit status {process.returncode}")
        first = messages[0].replace(f"{source}/", "book/")
        raise UserError(f"the book did not build: {first} (all messages: {log})")


def missing(html: Path, source: Path) -> list[str]:
    """What the book in `html` lacks: pages of the contents, figures of notebooks, alt texts."""
    lacking = []
    for page in pages(source):
        built = html / f"{page}.html"
        if not built.exists():
            lacking.append(f"page {page} was not made")
            continue
        text = built.read_text(encoding="utf-8")
        images = BeautifulSoup(text, "html.parser").select("article img")
        drawn = figures((source / page).with_suffix(".ipynb"))
        if len(images) < drawn:
            lacking.append(f"page {page} shows {len(images)} of {drawn} figures")
        silent = [image["src"] for image in images if not image.get("alt")]
        lacking += [f"page {page}: {image} has no alt text" for image in silent]
    return lacking


def figures(notebook: Path) -> int:
    """Number of pictures on the page of an executed notebook; 0 for a page that is none.

    They are among its outputs, or in the text, if they were moved below a claim.
    """
    if not notebook.exists():
        return 0
    cells = nbformat.read(notebook, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    drawn = sum("image/png" in output.get("data", {}) for output in outputs)
    return drawn + sum(cell.source.count("```{figure}") for cell in cells)


def main() -> None:
    """Build the book that the command line names; exit with one sentence if that fails."""
    parser = argparse.ArgumentParser(description="Build the book from executed notebooks.")
    parser.add_argument("--profile", default="small", help="whose results to show (default: small)")
    parser.add_argument(
        "--run", type=Path, help="folder of executed notebooks (default: _build/run/PROFILE)"
    )
    parser.add_argument(
        "--html", type=Path, default=ROOT / "_build" / "html", help="where the book goes"
    )
    parser.add_argument(
        "--chapters", default="", help="only these, names with blanks between (default: all)"
    )
    options = parser.parse_args()
    tether.end_with_parent()
    run_folder = options.run or ROOT / "_build" / "run" / options.profile
    try:
        index = build(run_folder, options.html, options.profile, chapters=options.chapters)
    except UserError as error:
        sys.exit(f"cwr: {error}")
    except OSError as error:
        sys.exit(f"cwr: {paths.unwritable(error)}")
    print(f"The book: {index.as_uri()}")


if __name__ == "__main__":
    main()
