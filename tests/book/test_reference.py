"""Results that travel with the book: kept whole, and shown beside the reader's own."""

import shutil
from pathlib import Path

import nbformat
import pytest

import page_answers
import reference
from cwr.errors import UserError
from cwr.papers import artifacts
from cwr.report import results, verdicts

ROOT = Path(__file__).resolve().parents[2]
NAME = "bis2021/02_isotropy"
OWN = "The reader's own verdicts."
PARAMETERS = 'models: list[str] = ["mini"]\nrows: str = "all"'


def leave(
    run: Path, name: str = NAME, centred: float = 0.9, variant: str | None = None
) -> Path:
    """Results of one invented matrix, as a notebook writes them."""
    rows = []
    for ending, value in {"": 0.2, "_centred": centred, "_removed": 0.99}.items():
        keys = {"model": "mini", "family": "causal", "variant": variant}
        rows.append({**keys, "measure": f"partition_isotropy{ending}", "value": value})
        if variant:
            rows.append({**rows[-1], "variant": None, "value": 0.5})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CWR_RESULTS", str(run / name))
        results.write(name, rows, {"models": ["mini"], "rows": "used"})
    return run / name


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder with the kept results of one notebook."""
    leave(tmp_path / "run")
    reference.keep(tmp_path / "run", tmp_path / "kept", [NAME])
    return tmp_path / "kept"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """The page of an executed notebook: parameters, verdicts, and a last word."""
    code, markdown = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [
        markdown("# How isotropic?"),
        code(PARAMETERS, metadata={"tags": ["parameters"]}),
        code(OWN, metadata={"tags": ["verdicts"]}),
        markdown("## What to make of it"),
    ]
    nbformat.write(notebook, tmp_path / "02_isotropy.ipynb")
    return tmp_path / "02_isotropy.ipynb"


def cells(page: Path) -> list[str]:
    return [cell.source for cell in nbformat.read(page, as_version=4).cells]


def at_base(tmp_path: Path) -> str:
    """The verdict on the invented matrix that a page shows beside the reader's own."""
    run = tmp_path / "small" / NAME
    shutil.copytree(tmp_path / "run" / NAME, run)
    reference.keep(tmp_path / "run", reference.folder(tmp_path), [NAME])
    own = verdicts.asked(results.read(run), "bis2021", "small")
    judged = page_answers.with_longer(own, NAME, tmp_path / "small", tmp_path)
    (claim,) = [each for each in judged if each.claim.id == "bis-isotropy-order"]
    assert claim.ours["mini"].at == "base" and claim.ours["mini"].beside.at == "small"
    return claim.ours["mini"].verdict


def test_what_is_kept_is_read_as_what_was_run(tmp_path: Path, kept: Path) -> None:
    one, other = results.read(tmp_path / "run" / NAME), results.read(kept / NAME)
    assert one.table.equals(other.table)
    assert sorted(file.name for file in (kept / NAME).iterdir()) == sorted(reference.FILES)


def test_the_longer_run_is_told_of_behind_the_readers_own_verdicts(
    page: Path, kept: Path
) -> None:
    reference.show(page, NAME, kept, page)
    _, _, own, section, last = cells(page)
    assert own == OWN and last == "## What to make of it"
    assert 'id="at-base"' in section and f"cwr run {NAME} --profile base" in section
    (difference,) = [
        line for line in section.splitlines() if "not the notebook's defaults" in line
    ]
    assert "rows: used" in difference and "models" not in difference
    for file in ("results.json", "provenance.json"):
        assert f"02_isotropy/base-{file}" in section
        assert (page.with_suffix("") / f"base-{file}").read_bytes() == (
            kept / NAME / file
        ).read_bytes()


def test_results_of_an_older_notebook_are_called_so_and_never_its_defaults(
    page, kept
) -> None:
    notebook = nbformat.read(page, as_version=4)
    notebook.cells[1].source += "\nseed: int = 0"
    nbformat.write(notebook, page)
    reference.show(page, NAME, kept, page)
    section = cells(page)[3]
    assert "an older notebook, with other parameters (<code>seed</code>)" in section
    assert "notebook's defaults" not in section


def test_kept_results_are_judged_when_the_book_is_built(tmp_path: Path) -> None:
    leave(tmp_path / "run")
    assert at_base(tmp_path) == "holds"


def test_a_mended_claim_or_number_is_judged_anew(tmp_path: Path) -> None:
    leave(tmp_path / "run", centred=0.1)  # below I(W)
    assert at_base(tmp_path) == "fails"


def test_a_comparison_of_choices_shows_its_flips(page: Path, tmp_path: Path) -> None:
    leave(tmp_path / "run", variant="another choice")
    reference.keep(tmp_path / "run", tmp_path / "kept", [NAME])
    reference.show(page, NAME, tmp_path / "kept", page)
    assert "<summary>another choice: " in cells(page)[3] and "| mini |" in cells(page)[3]


def test_a_notebook_without_kept_results_stays_as_it_is(
    page: Path, tmp_path: Path
) -> None:
    before = page.read_bytes()
    reference.show(page, NAME, tmp_path / "nothing", page)
    assert page.read_bytes() == before


def test_damaged_results_are_refused_and_nothing_is_copied(tmp_path: Path) -> None:
    leave(tmp_path / "run", "bis2021/01_geometry")
    shutil.copytree(tmp_path / "run" / "bis2021" / "01_geometry", tmp_path / "run" / NAME)
    (tmp_path / "run" / NAME / "replicates.npz").write_bytes(b"half a fi")
    names = ["bis2021/01_geometry", NAME]
    with pytest.raises(UserError, match="replicates.npz"):
        reference.keep(tmp_path / "run", tmp_path / "kept", names)
    assert not (tmp_path / "kept").exists()


def test_results_that_were_never_run_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="02_isotropy/results.json"):
        reference.keep(tmp_path / "run", tmp_path / "kept", [NAME])


def test_the_list_of_artifacts_says_run_for_what_is_kept_and_for_nothing_else() -> None:
    for row in artifacts.rows():
        assert (row["profile_base"] == "run") == is_kept(row), (
            f"{row['paper']}, {row['artifact']}: profile_base in artifacts.csv"
        )


def is_kept(row: dict[str, str]) -> bool:
    """Whether a measure of an artifact is among the results that travel."""
    folder = reference.folder(ROOT) / row["notebook"]
    if not row["notebook"] or not (folder / "results.json").exists():
        return False
    return not {*row["measures"].split(";")}.isdisjoint(
        results.read(folder).table["measure"]
    )
