"""Class 6: one broken file, named in a sentence, while the rest goes on; class 2: no numbers.

What a run left is written by `results.write` and then broken in one place.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from bad_inputs.row import Row

from cwr.report import results

NAME = "ethayarajh2019/01_anisotropy"
ITSELF = "ethayarajh2019/00_the_paper_against_itself"
BOOK = f"_build/run/small/{NAME}"
RERUN = f"runs/{NAME}/0123456789"
PROFILE = "notebooks/profiles/small.yaml"
Break = Callable[[Path], None]


def estimates(model: str) -> list[dict]:
    """Cosines of random words in seven layers, rising."""
    draws = np.random.default_rng(0).normal(0, 0.01, 50)
    keys = {"model": model, "family": "masked", "measure": "anisotropy_baseline", "dataset": "lee"}
    values = [0.2 + layer / 50 for layer in range(7)]
    return [
        {**keys, "layer": layer, "value": value, "replicates": value + draws}
        for layer, value in enumerate(values)
    ]


def leave(folder: Path, model: str) -> Path:
    """Results as a notebook leaves them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CWR_RESULTS", str(folder))
        results.write(NAME, estimates(model), {"models": [model], "corpus": "lee"})
    return folder


def write(name: str, content: str | bytes) -> Break:
    """Give a file of the checkout other content."""

    def breaking(checkout: Path) -> None:
        file = checkout / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    return breaking


def both(*steps: Break) -> Break:
    """One step after the other."""

    def breaking(checkout: Path) -> None:
        for step in steps:
            step(checkout)

    return breaking


# ---- results of the book and of reruns


def runs(checkout: Path) -> None:
    """Results of one notebook of the book, and of two reruns with other models."""
    leave(checkout / BOOK, "minilm")
    leave(checkout / RERUN, "mine")
    leave(checkout / f"runs/{NAME}/9876543210", "yours")


def edited(name: str, change: Callable[[dict], object]) -> Break:
    """Runs, and then a JSON file changed by hand."""

    def breaking(checkout: Path) -> None:
        runs(checkout)
        content = json.loads((checkout / name).read_bytes())
        change(content)
        (checkout / name).write_text(json.dumps(content))

    return breaking


def swapped(content: dict) -> None:
    """Two estimates in each other's place."""
    rows = content["estimates"]
    rows[0], rows[6] = rows[6], rows[0]


def renamed(content: dict) -> None:
    """The values of another layer."""
    rows = content["estimates"]
    rows[0]["layer"], rows[6]["layer"] = rows[6]["layer"], rows[0]["layer"]


def not_a_number(content: dict) -> None:
    """All values NaN, as Python writes it."""
    for row in content["estimates"]:
        row["value"] = float("nan")


def without_values(content: dict) -> None:
    """Estimates without their value."""
    for row in content["estimates"]:
        del row["value"]


def removed(name: str) -> Break:
    """Runs, and then a file removed."""
    return both(runs, lambda checkout: (checkout / name).unlink())


def cut(name: str) -> Break:
    """Runs, and then a file cut to its first half."""

    def breaking(checkout: Path) -> None:
        runs(checkout)
        content = (checkout / name).read_bytes()
        (checkout / name).write_bytes(content[: len(content) // 2])

    return breaking


def folder_instead(name: str) -> Break:
    """Runs, and then a folder in the place of a file."""

    def breaking(checkout: Path) -> None:
        runs(checkout)
        (checkout / name).unlink()
        (checkout / name).mkdir()

    return breaking


def replicates(name: str, **arrays: object) -> Break:
    """Runs, and then other arrays in replicates.npz."""

    def breaking(checkout: Path) -> None:
        runs(checkout)
        np.savez_compressed(checkout / name, **arrays)

    return breaking


def overwritten(name: str, content: str | bytes) -> Break:
    """Runs, and then a file with other content."""
    return both(runs, write(name, content))


NOT_OF_ONE_RUN = "results.json and replicates.npz in .* are not of one run: run its notebook again$"
DAMAGED = "{file} is damaged: remove its folder and run the notebook again$"
MISSING = "{file} is missing: run its notebook again$"
OBJECTS = np.array([{"a": 1}], dtype=object)
LEFT = [  # what happened to one of the files in {folder}, and the sentence
    ("two rows swapped by hand", lambda folder: edited(f"{folder}/results.json", swapped), NOT_OF_ONE_RUN),
    ("two layers swapped by hand", lambda folder: edited(f"{folder}/results.json", renamed), NOT_OF_ONE_RUN),
    ("another JSON object as results", lambda folder: overwritten(f"{folder}/results.json", "{}"), DAMAGED),
    ("a JSON list as results", lambda folder: overwritten(f"{folder}/results.json", "[]"), DAMAGED),
    ("estimates that are a number", lambda folder: overwritten(f"{folder}/results.json", '{"estimates": 3}'), DAMAGED),
    ("estimates that are texts", lambda folder: overwritten(f"{folder}/results.json", '{"estimates": ["a"]}'), DAMAGED),
    ("no estimates", lambda folder: overwritten(f"{folder}/results.json", '{"estimates": []}'), NOT_OF_ONE_RUN),
    ("a layer that is a text", lambda folder: overwritten(f"{folder}/results.json", '{"estimates": [{"layer": "a", "value": 1}]}'), DAMAGED),
    ("NaN for each value", lambda folder: edited(f"{folder}/results.json", not_a_number), DAMAGED),
    ("no value in any estimate", lambda folder: edited(f"{folder}/results.json", without_values), DAMAGED),
    ("results cut in half", lambda folder: cut(f"{folder}/results.json"), DAMAGED),
    ("empty results", lambda folder: overwritten(f"{folder}/results.json", ""), DAMAGED),
    ("bytes as results", lambda folder: overwritten(f"{folder}/results.json", b"\xff\xfe\x00"), DAMAGED),
    ("brackets without an end as results", lambda folder: overwritten(f"{folder}/results.json", "[" * 100_000), DAMAGED),
    ("no replicates", lambda folder: removed(f"{folder}/replicates.npz"), MISSING),
    ("replicates cut in half", lambda folder: cut(f"{folder}/replicates.npz"), DAMAGED),
    ("empty replicates", lambda folder: overwritten(f"{folder}/replicates.npz", ""), DAMAGED),
    ("text as replicates", lambda folder: overwritten(f"{folder}/replicates.npz", "replicates"), DAMAGED),
    ("a folder as replicates", lambda folder: folder_instead(f"{folder}/replicates.npz"), DAMAGED),
    ("replicates of no run", lambda folder: replicates(f"{folder}/replicates.npz", replicates=np.zeros((50, 7))), DAMAGED),
    ("replicates of another run", lambda folder: replicates(f"{folder}/replicates.npz", replicates=np.zeros((50, 7)), results="0"), NOT_OF_ONE_RUN),
    ("replicates of fewer rows", lambda folder: replicates(f"{folder}/replicates.npz", replicates=np.zeros((50, 6)), results="0"), NOT_OF_ONE_RUN),
    ("replicates that are objects", lambda folder: replicates(f"{folder}/replicates.npz", replicates=OBJECTS, results="0"), DAMAGED),
    ("no array of replicates", lambda folder: replicates(f"{folder}/replicates.npz", other=np.zeros(3)), DAMAGED),
]  # fmt: skip


def left_out(sentence: str, folder: str, file: str) -> str:
    """The line about results that are left out."""
    path = f".*/{folder}/{file}"
    return "^left out: " + sentence.format(file=path)


def _file(what: str) -> str:
    return "replicates.npz" if "replicates" in what else "results.json"


ROWS = [
    Row(2 if "swapped" in what or "value" in what else 6, f"{what}, in the book's results",
        "cwr check --paper ethayarajh2019", left_out(sentence, BOOK, _file(what)), 0, broken(BOOK))
    for what, broken, sentence in LEFT
]  # fmt: skip
ROWS += [
    Row(2 if "swapped" in what or "value" in what else 6, f"{what}, in a rerun",
        "cwr check --model yours --paper ethayarajh2019",
        left_out(sentence, RERUN, _file(what)), 0, broken(RERUN))
    for what, broken, sentence in LEFT
]  # fmt: skip

RECORDS = [
    ("an empty record", overwritten(f"{RERUN}/provenance.json", ""), DAMAGED),
    ("a list as record", overwritten(f"{RERUN}/provenance.json", "[]"), DAMAGED),
    ("a record without parameters", overwritten(f"{RERUN}/provenance.json", "{}"), DAMAGED),
    ("parameters that are a text", edited(f"{RERUN}/provenance.json", lambda record: record.update(parameters="x")), DAMAGED),
    ("a record cut in half", cut(f"{RERUN}/provenance.json"), DAMAGED),
    ("no record", removed(f"{RERUN}/provenance.json"), MISSING),
]  # fmt: skip
ROWS += [
    Row(6, f"{what}, in a rerun", "cwr check --model yours --paper ethayarajh2019",
        left_out(sentence, RERUN, "provenance.json"), 0, broken)
    for what, broken, sentence in RECORDS
]  # fmt: skip
ROWS += [
    Row(6, "the one rerun of a model damaged", "cwr check --model mine",
        "^cwr: there are no results of the model mine: ", 2, cut(f"{RERUN}/results.json")),
]  # fmt: skip


# ---- notebooks


def cell(name: str, source: str) -> Break:
    """Another parameters cell in a notebook."""

    def breaking(checkout: Path) -> None:
        file = checkout / "notebooks" / f"{name}.ipynb"
        notebook = json.loads(file.read_bytes())
        for cell in notebook["cells"]:
            if "parameters" in cell["metadata"].get("tags", []):
                cell["source"] = source
        file.write_text(json.dumps(notebook))

    return breaking


ANYTHING = f"notebooks/{ITSELF}.ipynb"
NOT_PYTHON = f"{ITSELF}: line \\d+ of the parameters cell is not Python \\(.*\\); mend it$"
NO_NOTEBOOK = (
    f".*/{ITSELF}.ipynb is not a Jupyter notebook \\(format 4\\); save it from JupyterLab$"
)
NOTEBOOKS = [
    ("a missing bracket", cell(ITSELF, "models: list[str] = [1, 2\nseed: int = 0"), NOT_PYTHON),
    ("a missing quote", cell(ITSELF, 'corpus: str = "lee'), NOT_PYTHON),
    ("a missing quote of three", cell(ITSELF, 'corpus: str = """lee'), NOT_PYTHON),
    ("a wrong indent", cell(ITSELF, "seed: int = 0\n  limit: float = 1.0"), NOT_PYTHON),
    ("a null byte", cell(ITSELF, "seed: int = 0\0"), NOT_PYTHON),
    ("thousands of brackets", cell(ITSELF, "seed: list = " + "[" * 5000 + "]" * 5000), NOT_PYTHON),
    ("a magic line", cell(ITSELF, "%time\nseed: int = 0"), NOT_PYTHON),
    ("a computed default", cell(ITSELF, "seed: int = max(1, 2)"), f"{ITSELF}: the value of parameter 'seed' is computed; write it out$"),
    ("an unhashable default", cell(ITSELF, "seed: dict = {[1]: 2}"), f"{ITSELF}: the value of parameter 'seed' is computed; write it out$"),
    ("a line of code", cell(ITSELF, "import os"), f"{ITSELF}: line 1 of the parameters cell is not of the form `name: type = value`; .*$"),
    ("a default of another type", cell(ITSELF, "seed: int = 'a'"), f"parameter 'seed' of {ITSELF} must be int, but seed is 'a'$"),
    ("a default out of its bounds", cell(ITSELF, "seed: int = 0  # at least 1"), f"parameter 'seed' of {ITSELF} must be at least 1, but seed is 0$"),
    ("an unknown type", cell(ITSELF, "seed: Path = 'a'"), "'Path' is no type for a parameter; use .*$"),
    ("a type that is code", cell(ITSELF, "seed: __import__('os').getcwd() = 1"), "'__import__.*' is no type for a parameter; use .*$"),
    ("a type of too many types", cell(ITSELF, "seed: int[str] = 1"), "'int\\[str\\]' is no type for a parameter; use .*$"),
    ("an empty file as notebook", write(ANYTHING, ""), NO_NOTEBOOK),
    ("a notebook cut in half", write(ANYTHING, '{"cells": [{"cell_type"'), NO_NOTEBOOK),
    ("a list as notebook", write(ANYTHING, "[]"), NO_NOTEBOOK),
    ("cells that are a number", write(ANYTHING, '{"cells": 3}'), NO_NOTEBOOK),
    ("a cell that is a text", write(ANYTHING, '{"cells": ["a"]}'), NO_NOTEBOOK),
    ("no cells", write(ANYTHING, "{}"), NO_NOTEBOOK),
    ("bytes as notebook", write(ANYTHING, b"\xff\xfe\x00"), NO_NOTEBOOK),
    ("no cell of parameters", write(ANYTHING, '{"cells": []}'), f"{ITSELF} has no cell tagged `parameters`; tag the one that sets them$"),
]  # fmt: skip
for what, broken, sentence in NOTEBOOKS:
    ROWS += [
        Row(6, f"{what}: that notebook is run", f"cwr run {ITSELF} -p seed 3", f"^cwr: {sentence}", 2, broken),
        Row(6, f"{what}: another is planned", f"cwr run {NAME} --dry-run", "", 0, broken),
        Row(6, f"{what}: notebooks are listed", "cwr list notebooks", f"^left out: {sentence}", 0, broken),
    ]  # fmt: skip


def profile_sets(parameter: str) -> Break:
    """A profile that sets a parameter for all notebooks."""
    return write(PROFILE, f"default:\n  {parameter}\n")


ROWS += [
    Row(6, "a missing bracket: another paper under a profile that sets a parameter",
        "cwr run bis2021 --dry-run", "", 0,
        both(cell(ITSELF, "seed: int = (0"), profile_sets("seed: 3"))),
    Row(6, "a missing bracket: that paper is built", "cwr build --chapters ethayarajh2019",
        f"^cwr: {NOT_PYTHON}", 2, cell(ITSELF, "seed: int = (0")),
]  # fmt: skip


# ---- profiles

NO_MAPPING = (
    "^cwr: notebooks/profiles/small.yaml is no mapping of notebooks to their parameters; mend it$"
)
PROFILES = [
    ("a list", "- a\n- b\n"),
    ("a text", "seed\n"),
    ("a number", "3\n"),
    ("half YAML", "default: {seed: 3\n"),
    ("tabs", "default:\n\tseed: 3\n"),
    ("a mapping of numbers", "default: 3\n"),
    ("a mapping of lists", "default: [1, 2]\n"),
    ("a mapping of nothing and a text", f"default:\n{NAME}: seed\n"),
    ("names that are numbers", "1: {seed: 3}\n"),
    ("parameters that are numbers", "default: {1: 3}\n"),
    ("a tag of Python", "!!python/object/apply:os.system ['true']\n"),
    ("two documents", "a: 1\n---\nb: 2\n"),
    ("bytes", b"\xff\xfe\x00\x80"),
]
for what, content in PROFILES:
    ROWS += [
        Row(6, f"profile: {what}", f"cwr run {NAME} --dry-run", NO_MAPPING, 2, write(PROFILE, content)),
        Row(6, f"profile: {what}, built", "cwr build --chapters bis2021", NO_MAPPING, 2, write(PROFILE, content)),
    ]  # fmt: skip
ROWS += [
    Row(6, "profile: null, which sets nothing", f"cwr run {NAME} --dry-run", "", 0,
        write(PROFILE, "null\n")),
    Row(6, "profile: a folder", f"cwr run {NAME} --dry-run", NO_MAPPING, 2,
        lambda checkout: (os.unlink(checkout / PROFILE), os.mkdir(checkout / PROFILE))),
    Row(6, "profile: a value out of its bounds", f"cwr run {NAME} --dry-run",
        f"^cwr: parameter 'draws' of {NAME} must be at least 2, but draws is 0$", 2,
        profile_sets("draws: 0")),
    Row(6, "profile: a value that is no number", "cwr run bis2021 --dry-run",
        "^cwr: parameter 'reach' of bis2021/.* must be a finite number, but reach is nan$", 2,
        write(PROFILE, "bis2021/00_the_paper_against_itself:\n  reach: .nan\n")),
    Row(6, "profile: a notebook of another book", f"cwr run {NAME} --dry-run",
        "^cwr: profile small sets parameters of 'x/01_a', which is no notebook of this book; ", 2,
        write(PROFILE, "x/01_a: {seed: 3}\n")),
    Row(6, "profile: a parameter of no notebook", f"cwr run {NAME} --dry-run",
        "^cwr: profile small sets 'sede', which is a parameter of no notebook; ", 2,
        profile_sets("sede: 3")),
]  # fmt: skip
