"""The builder: the real pages with small executed notebooks in them, and everything that stops a build."""

import json
import re
import shutil
import tomllib
from pathlib import Path

import nbformat
import numpy as np
import pytest
import yaml
from bs4 import BeautifulSoup
from nbclient import NotebookClient

import build_book
import run_notebook
import run_pages
from cwr.cli import checkout
from cwr.errors import UserError
from cwr.report import power, results

ROOT = build_book.ROOT
NAMES = [
    page for page in build_book.pages(ROOT / "book") if re.fullmatch(r"\w+/\d\d_\w+", page)
]
ALT, NAME = "One line, rising from 0 to 1.", "a-rising-line"
DRAW = f"""
import pandas as pd
from cwr import figures
fig, ax = figures.plt.subplots()
ax.plot([0, 1], [0, 1])
numbers = pd.DataFrame({{"x": [0, 1], "y": [0, 1]}})
figures.show(fig, "{ALT}", "{NAME}", "The line $y = x$. It rises.", numbers)
"""


def executed_notebook(results: Path) -> nbformat.NotebookNode:
    """A notebook with a formula, a figure, and a cell for verdicts; run by a real kernel."""
    notebook, code = nbformat.v4.new_notebook(), nbformat.v4.new_code_cell
    notebook.cells = [
        nbformat.v4.new_markdown_cell("# Does the line rise?\n\nIt is $y = x$."),
        code(DRAW),
        code("0", metadata={"tags": ["verdicts"]}),
    ]
    notebook.metadata.kernelspec = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CWR_RESULTS", str(results))
        return NotebookClient(notebook, kernel_name="python3").execute()


def leave_notebook(
    folder: Path, notebook: nbformat.NotebookNode, drawn: Path, name: str
) -> None:
    """The executed notebook as the workflow leaves it, with its figure under a name of its own."""
    figure = f"{NAME}-{name.replace('/', '-').replace('_', '-')}"
    text = nbformat.writes(notebook).replace(f'"{NAME}"', f'"{figure}"')
    (folder / "notebook.ipynb").write_text(text, encoding="utf-8")
    run_notebook.prepare_for_book(folder / "notebook.ipynb")
    (folder / "figures").mkdir()
    for file in drawn.iterdir():
        shutil.copy(file, folder / "figures" / f"{figure}{file.suffix}")


def leave_results(folder: Path, name: str) -> None:
    """Results of seven layers whose baseline rises, as a notebook writes them."""
    draws = np.random.default_rng(0).normal(scale=0.01, size=(7, 1000))
    rows = [
        {
            "model": "tiny",
            "family": "masked",
            "layer": layer,
            "measure": "anisotropy_baseline",
            "value": 0.1 + 0.05 * layer,
            "replicates": 0.1 + 0.05 * layer + draws[layer],
        }
        for layer in range(7)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CWR_RESULTS", str(folder))
        results.write(name, rows, {"models": ["tiny"], "corpus": "lee"})


@pytest.fixture(scope="module")
def checkout_with_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with the book's real pages, and a small executed notebook in the place of each real one."""
    root = tmp_path_factory.mktemp("checkout")
    shutil.copytree(
        ROOT / "book", root / "book", ignore=shutil.ignore_patterns("__pycache__", "base")
    )
    shutil.copy(ROOT / "_config.yml", root)
    results_folder = root / "drawn"
    notebook = executed_notebook(results_folder)
    for name in NAMES:
        run = root / "_build" / "run" / "small" / name
        leave_results(run, name)
        leave_notebook(run, notebook, results_folder / "figures", name)
        committed = root / "notebooks" / f"{name}.ipynb"
        committed.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, committed)
    return root


def build(root: Path, chapters: str = "") -> Path:
    folder = root / "_build"
    return build_book.build(
        folder / "run" / "small", folder / "html", "small", root, chapters
    )


@pytest.fixture(scope="module")
def built(checkout_with_runs: Path) -> Path:
    """That checkout after one build."""
    build(checkout_with_runs)
    return checkout_with_runs / "_build"


def soup(page: Path) -> BeautifulSoup:
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def test_a_built_book_has_every_page_figure_and_alt_text(built: Path) -> None:
    assert build_book.missing(built / "html", built / "source") == []
    page = soup(built / "html" / f"{NAMES[0]}.html")
    assert [image["alt"] for image in page.select("article img")] == [ALT]


def test_figures_are_numbered_through_the_book_and_their_files_can_be_fetched(
    built: Path,
) -> None:
    numbers = []
    for name in NAMES:
        page = built / "html" / f"{name}.html"
        (caption,) = soup(page).select("figure figcaption")
        numbers.append(caption.select_one(".caption-number").text.strip())
        assert "It rises." in caption.select_one(".caption-text").text
        table, drawing = [
            page.parent / link["href"] for link in caption.select(".legend a")
        ]
        assert table.read_text(encoding="utf-8") == "x,y\n0,0\n1,1\n"
        assert table.suffix == ".csv" and drawing.read_text(encoding="utf-8").startswith(
            "<?xml"
        )
    assert numbers == [f"Book figure {number}" for number in range(1, len(NAMES) + 1)]


def test_verdicts_are_judged_when_the_book_is_built_and_marked_by_more_than_colour(
    built: Path,
) -> None:
    page = soup(built / "html" / f"{NAMES[0]}.html")
    assert page.select("article td span.verdict.holds")
    assert soup(built / "html" / "scoreboard.html").select(
        "article td span.verdict.not-run"
    )


def test_each_text_with_a_table_of_smallest_effects_has_it_on_its_page_and_no_other(
    built: Path,
) -> None:
    fragments = sorted((built / "source" / "_includes").glob("power_*.md"))
    assert [file.stem for file in fragments] == [
        f"power_{key}" for key in sorted(build_book.WITH_POWER)
    ]
    for page in (ROOT / "book").glob("*/index.md"):
        key = page.parent.name
        included = re.findall(
            r"_includes/power_(\w+)\.md", page.read_text(encoding="utf-8")
        )
        assert included == [key] * (key in build_book.WITH_POWER), key
        shown = soup(built / "html" / key / "index.html").get_text()
        assert shown.count(power.ABSENT) == len(included), key


def test_no_page_names_thebe_or_a_script_from_elsewhere(built: Path) -> None:
    pages = [soup(page) for page in (built / "html").rglob("*.html")]
    scripts = [script for page in pages for script in page.select("script")]
    assert not [script for script in scripts if "thebe" in str(script).lower()]
    assert not [script["src"] for script in scripts if "//" in script.get("src", "")]


def test_the_page_about_the_run_names_models_versions_and_machine(built: Path) -> None:
    text = soup(built / "html" / "about_this_run.html").get_text()
    assert all(word in text for word in (NAMES[0], "numpy", "cores", "lee"))


def test_a_deleted_page_is_missed(built: Path, tmp_path: Path) -> None:
    html = Path(shutil.copytree(built / "html", tmp_path / "html"))
    (html / "glossary.html").unlink()
    assert build_book.missing(html, built / "source") == ["page glossary was not made"]


def test_a_figure_that_is_gone_or_silent_is_missed(built: Path, tmp_path: Path) -> None:
    html = Path(shutil.copytree(built / "html", tmp_path / "html"))
    page = html / f"{NAMES[0]}.html"
    whole = page.read_text(encoding="utf-8")
    page.write_text(whole.replace(ALT, ""), encoding="utf-8")
    assert "has no alt text" in build_book.missing(html, built / "source")[0]
    page.write_text(re.sub("<img[^>]*One line[^>]*>", "", whole), encoding="utf-8")
    assert build_book.missing(html, built / "source") == [
        f"page {NAMES[0]} shows 0 of 1 figures"
    ]


def test_a_build_with_a_warning_fails_and_keeps_the_old_book(
    checkout_with_runs: Path, built: Path
) -> None:
    page = checkout_with_runs / "book" / "gpu.md"
    right, before = (
        page.read_text(encoding="utf-8"),
        (built / "html" / "gpu.html").read_bytes(),
    )
    page.write_text(right + "\n{term}`no such word`\n", encoding="utf-8")
    try:
        with pytest.raises(
            UserError, match=r"book/gpu\.md:\d+: WARNING: term not in glossary"
        ):
            build(checkout_with_runs, "models")
    finally:
        page.write_text(right, encoding="utf-8")
    assert (built / "html" / "gpu.html").read_bytes() == before


def test_a_notebook_not_executed_stops_the_build(
    checkout_with_runs: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=r"run `cwr run \w+/\d\d_\w+` first"):
        build_book.assemble(
            tmp_path / "source", tmp_path / "nothing", "small", checkout_with_runs
        )


def test_a_notebook_outside_the_contents_and_a_page_that_is_not_there_are_refused(
    tmp_path: Path,
) -> None:
    (tmp_path / "intro.md").touch()
    build_book.check_contents(["intro"], tmp_path, [])
    with pytest.raises(UserError, match="leaves out the notebook paper/01_new"):
        build_book.check_contents(["intro"], tmp_path, ["paper/01_new"])
    with pytest.raises(UserError, match="names gone, which is not there"):
        build_book.check_contents(["intro", "gone"], tmp_path, [])


def test_an_added_rerun_is_listed_with_what_it_changed_and_a_page_that_opens(
    tmp_path: Path,
) -> None:
    run = tmp_path / "runs" / "paper" / "01_name" / "abc"
    run.mkdir(parents=True)
    (run / "notebook.ipynb").write_text("{}")
    page = tmp_path / "runs" / "paper" / "chapter-123" / "index.html"
    page.parent.mkdir()
    page.write_text('<a href="../01_name/abc/notebook.ipynb">mine</a>', encoding="utf-8")
    record = {"title": "<b>mine</b> | here", "reruns": ["01_name/abc"]}
    page.with_name("reruns.json").write_text(json.dumps(record))
    (run / "provenance.json").write_text(
        json.dumps({"parameters": {"corpus": "mine.txt", "seed": 0}})
    )
    ours = tmp_path / "small" / "paper" / "01_name"
    ours.mkdir(parents=True)
    (ours / "provenance.json").write_text(
        json.dumps({"parameters": {"corpus": "lee", "seed": 0}})
    )
    assert "No rerun has been added" in run_pages.reruns(
        tmp_path / "runs", tmp_path / "small"
    )
    page.with_name(run_pages.MARK).touch()
    listed = run_pages.reruns(tmp_path / "runs", tmp_path / "small")
    assert "corpus: mine.txt" in listed and "seed" not in listed
    assert r"\<b\>mine" in listed and r"\| here" in listed
    run_pages.copy_reruns(tmp_path / "runs", tmp_path / "html")
    copy = tmp_path / "html" / re.search('href="([^"]+)"', listed)[1]
    assert (copy.parent / re.search('<a href="([^"]+)"', copy.read_text())[1]).exists()


def stranger(folder: Path, *names: str, page: str = "<body>hers</body>") -> Path:
    """The folder of runs that a stranger made, with a page about runs of these names."""
    runs = folder / "runs"
    added = runs / "paper" / "chapter-123"
    for name in names:
        (added.parent / name).mkdir(parents=True, exist_ok=True)
        (added.parent / name / "notebook.ipynb").write_text("{}")
    added.mkdir(parents=True)
    (added / "index.html").write_text(page, encoding="utf-8")
    (added / "reruns.json").write_text(json.dumps({"title": "hers", "reruns": names}))
    (added / run_pages.MARK).touch()
    return runs


@pytest.mark.parametrize(
    "name",
    [
        "../../outside",
        "01_name/../../../outside",
        "/elsewhere/a",
        "01_name",
        "01_name/link",
    ],
)
def test_a_page_of_reruns_that_names_a_folder_elsewhere_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture, name: str
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "notebook.ipynb").write_text("{}")
    runs = stranger(tmp_path)
    (runs / "paper" / "01_name").mkdir()
    (runs / "paper" / "01_name" / "link").symlink_to(tmp_path / "outside")
    record = runs / "paper" / "chapter-123" / "reruns.json"
    record.write_text(json.dumps({"title": "hers", "reruns": [name]}))
    run_pages.copy_reruns(runs, tmp_path / "html")
    assert not (tmp_path / "html").exists(), "nothing is written"
    assert "which is no run of its chapter" in capsys.readouterr().err


def test_a_page_of_reruns_from_a_stranger_is_copied_without_what_could_run(
    tmp_path: Path,
) -> None:
    shown = (
        '<h1>hers</h1><figure><img alt="a" src="data:image/png;base64,AA=="></figure>'
        '<details open><summary>t</summary><div class="scroll" tabindex="0"><table><tbody><tr>'
        '<td><a href="../01_name/abc/notebook.ipynb">link</a></td></tr></tbody></table></div></details>'
        '<a href="verdicts.csv">table</a>'
    )
    hostile = (
        '<script>alert(1)</script><img src="https://x.org/a.png" onerror="alert(1)">'
        '<a href="javascript:alert(1)">a</a><a href="https://x.org">b</a>'
        '<iframe src="//x.org"></iframe><style>@import "//x.org";</style>'
        '<a href="drawing.svg">c</a><a onclick="verdicts.csv">d</a>'
    )
    page = (
        f"<html><head><script>alert(1)</script></head><body>{shown}{hostile}</body></html>"
    )
    runs = stranger(tmp_path, "01_name/abc", page=page)
    added = runs / "paper" / "chapter-123"
    (added / "verdicts.csv").write_text("claim\n")
    (added / "drawing.svg").write_text("<svg/>")
    (added / "elsewhere.csv").symlink_to(runs / "paper" / "01_name")
    run_pages.copy_reruns(runs, tmp_path / "html")
    folder = tmp_path / "html/your_runs/paper/chapter-123"
    assert sorted(file.name for file in folder.iterdir()) == ["index.html", "verdicts.csv"]
    copy = (folder / "index.html").read_text(encoding="utf-8")
    assert shown in copy
    body = BeautifulSoup(copy, "html.parser").body
    assert not body.select("script, iframe, style, link, [onerror], [onclick]")
    addresses = [tag.get("src") or tag.get("href") for tag in body.select("[src], [href]")]
    linked = ["../01_name/abc/notebook.ipynb", "verdicts.csv"]
    assert addresses == ["data:image/png;base64,AA==", *linked]


def test_the_contents_list_exactly_the_notebooks_of_this_checkout() -> None:
    assert sorted(NAMES) == checkout.notebooks(ROOT)


def test_no_page_types_a_decimal_number() -> None:
    """Numbers of ours are computed where they stand; a typed one rots. Sections and code are no results.

    bench.md is written whole by `make bench`.
    """
    for page in set((ROOT / "book").rglob("*.md")) - {ROOT / "book" / "bench.md"}:
        no_result = (
            r"```.*?```|`[^`]*`|[Ss]ections? \d\.\d(?:\.\d)?(?: and \d\.\d)?|Python 3\.\d+"
            r"|BY(?:-NC-SA|-SA)? [34]\.0"
        )
        prose = re.sub(no_result, "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert re.findall(r".{0,30}\d[.]\d.{0,10}", prose) == [], page.name


def test_readme_licence_citation_and_versions_agree() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= set(
        citation
    )
    assert citation["version"] == project["version"]
    assert f"## [{project['version']}]" in (ROOT / "CHANGELOG.md").read_text(
        encoding="utf-8"
    )
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "MIT License" in licence and "CC BY 4.0" in licence
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for place in re.findall(r"\]\(([^)#:]+)\)", readme):
        assert (ROOT / place).exists(), f"README.md links to {place}"


def test_a_notebook_that_stays_out_may_be_broken(tmp_path: Path) -> None:
    for content in ("{", "[]", '{"cells": []}', '{"cells": 3, "nbformat": 4}'):
        broken = tmp_path / "notebooks" / "paper" / "01_name.ipynb"
        broken.parent.mkdir(parents=True, exist_ok=True)
        broken.write_text(content)
        build_book.leave_out("paper/01_name", tmp_path, tmp_path / "source")
        page = nbformat.read(tmp_path / "source" / "paper" / "01_name.ipynb", as_version=4)
        assert page.cells[0].source.startswith(
            "# paper/01_name\n\nThis notebook stays out"
        )
