"""Every figure of the run that the book shows: its layout has no fault, and its title is no verdict
that its numbers do not carry."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest

VERDICTS = "cases curves leads means rises scores"
COUNTED = re.compile(rf"\b\d+ of (?:the )?\d+ (?:{'|'.join(VERDICTS.split())})\b")
ALL = re.compile(r"\ball (\d+) models\b")


def falls(rows: pd.DataFrame) -> bool:
    return rows["high"].iloc[-1] < rows["low"].iloc[0]


def rises(rows: pd.DataFrame) -> bool:
    return rows["low"].iloc[-1] > rows["high"].iloc[0]


def is_positive(rows: pd.DataFrame) -> bool:
    return (rows["low"][rows["layer"] > 0] > 0).all()


SAID = {  # a phrase of a title: what each model's interval has to say if "all models" follows
    "is lower in the last layer than in the input in": falls,
    "is higher in the last layer than in the input in": rises,
    "have a mean cosine above 0 in every layer of": is_positive,
    "are more alike than random words in every layer above the input of": is_positive,
}


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


def test_a_title_says_all_models_only_if_the_interval_of_each_says_so(pictures):
    asked = 0
    for name, (picture, file) in pictures.items():
        title = picture["alt"].split(". ")[0]
        for phrase, holds in SAID.items():
            if not (said := re.search(rf"{phrase} {ALL.pattern}", title)):
                continue
            asked += 1
            numbers = pd.read_csv(file)
            ours = numbers[numbers["source"] == "ours"]
            if "variant" in ours:
                ours = ours[ours["variant"].isna()]
            drawn = ours[ours["measure"] == ours["measure"].iloc[0]].sort_values("layer")
            models = {model: holds(rows) for model, rows in drawn.groupby("model")}
            assert len(models) == int(said[1]) and all(models.values()), (name, models)
    assert asked, "no title of the book says of all models what its figure shows"
