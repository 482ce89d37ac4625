"""Every figure of the run that the book shows: its layout has no fault, and its title is no verdict
that its numbers do not carry."""

import json
import re
from pathlib import Path

import pytest

VERDICTS = "cases curves leads means rises scores"
COUNTED = re.compile(rf"\b\d+ of (?:the )?\d+ (?:{'|'.join(VERDICTS.split())})\b")
ALL = re.compile(r"\ball (\d+ |our |of our )?models\b")


@pytest.fixture(scope="module")
def pictures(run_folder: Path) -> dict[str, tuple[dict, Path]]:
    """{name: (what its notebook says of a figure, its numbers)} of every figure of the run."""
    return {
        picture["name"]: (picture, file.parent / "figures" / f"{picture['name']}.csv")
        for file in sorted(run_folder.glob("*/*/notebook.ipynb"))
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]
        for output in cell.get("outputs", [])
        if "name" in (picture := output.get("metadata", {}).get("image/png", {}))
    }


def test_no_figure_has_a_fault_in_its_layout(pictures):
    faults = {name: picture["faults"] for name, (picture, _) in pictures.items()}
    assert faults and {name: found for name, found in faults.items() if found} == {}


def test_no_title_counts_verdicts(pictures):
    titles = {
        name: picture["alt"].split(". ")[0] for name, (picture, _) in pictures.items()
    }
    assert {name: title for name, title in titles.items() if COUNTED.search(title)} == {}


def test_a_title_names_the_models_and_never_says_all(pictures):
    titles = {
        name: picture["alt"].split(". ")[0] for name, (picture, _) in pictures.items()
    }
    assert (
        titles and {name: said for name, said in titles.items() if ALL.search(said)} == {}
    )
