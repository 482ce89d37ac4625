"""Every figure of the run that the book shows: nothing cut, colliding, unnamed or empty."""

import json
from pathlib import Path


def test_no_figure_of_the_book_has_a_fault_in_its_layout(run_folder: Path):
    faults = {
        picture["name"]: picture["faults"]
        for file in sorted(run_folder.glob("*/*/notebook.ipynb"))
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]
        for output in cell.get("outputs", [])
        if (picture := output.get("metadata", {}).get("image/png")) and "faults" in picture
    }
    assert faults, "no notebook of this run has told of its figures"
    assert {name: found for name, found in faults.items() if found} == {}
