"""Class 6: results that cannot be read are named and left out; class 2: rows that are not tied."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from bad_inputs.making import NAME, Break, both, leave, write
from bad_inputs.row import Row

BOOK = f"_build/run/small/{NAME}"
RERUN = f"runs/{NAME}/0123456789"


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
