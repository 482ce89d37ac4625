"""Class 6: results that cannot be read are named and left out; class 2: rows that are not tied."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from bad_inputs.making import NAME, Break, leave
from bad_inputs.row import Row

BOOK = f"_build/run/small/{NAME}"
RERUN = f"runs/{NAME}/0123456789"
RESULTS, REPLICATES, RECORD = "results.json", "replicates.npz", "provenance.json"
OBJECTS = np.array([{"a": 1}], dtype=object)
ZEROS = np.zeros((50, 7))
Change = Callable[[Path], object]  # what happens to one file


def runs(checkout: Path) -> None:
    """Results of one notebook of the book, and of two reruns with other models."""
    leave(checkout / BOOK, "minilm")
    leave(checkout / RERUN, "me/mine")
    leave(checkout / f"runs/{NAME}/9876543210", "yours")


def after(change: Change, name: str) -> Break:
    """Runs, and then one of their files changed."""

    def breaking(checkout: Path) -> None:
        runs(checkout)
        change(checkout / name)

    return breaking


# ---- changes of a file


def text(content: str) -> Change:
    """Another text in the file."""
    return lambda file: file.write_text(content)


def edited(change: Callable[[dict], object]) -> Change:
    """A JSON file changed by hand."""

    def editing(file: Path) -> None:
        content = json.loads(file.read_bytes())
        change(content)
        file.write_text(json.dumps(content))

    return editing


def arrays(**content: object) -> Change:
    """Other arrays in replicates.npz."""
    return lambda file: np.savez_compressed(file, **content)


def removed(file: Path) -> None:
    """No such file."""
    file.unlink()


def cut(file: Path) -> None:
    """The first half of a file."""
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def folder_instead(file: Path) -> None:
    """A folder in the place of a file."""
    file.unlink()
    file.mkdir()


def swapped(content: dict) -> None:
    """Two estimates in each other's place."""
    rows = content["estimates"]
    rows[0], rows[6] = rows[6], rows[0]


def renamed(content: dict) -> None:
    """Two estimates under each other's layer."""
    first, *_, last = content["estimates"]
    first["layer"], last["layer"] = last["layer"], first["layer"]


def not_a_number(content: dict) -> None:
    """All values NaN, as Python writes it."""
    for row in content["estimates"]:
        row["value"] = float("nan")


def without_values(content: dict) -> None:
    """Estimates without their value."""
    for row in content["estimates"]:
        del row["value"]


# ---- rows

DAMAGED = "{file} is damaged: remove its folder and run the notebook again$"
MISSING = "{file} is missing: run its notebook again$"
NOT_TIED = (
    "results.json and replicates.npz in .* are not of one run: run its notebook again$"
)
LEFT = [  # class, what, file, what happens to it, the sentence
    (2, "two rows swapped by hand", RESULTS, edited(swapped), NOT_TIED),
    (2, "two layers swapped by hand", RESULTS, edited(renamed), NOT_TIED),
    (2, "NaN for each value", RESULTS, edited(not_a_number), DAMAGED),
    (2, "no value in any estimate", RESULTS, edited(without_values), DAMAGED),
    (6, "another JSON object as results", RESULTS, text("{}"), DAMAGED),
    (6, "a JSON list as results", RESULTS, text("[]"), DAMAGED),
    (6, "estimates that are a number", RESULTS, text('{"estimates": 3}'), DAMAGED),
    (6, "estimates that are texts", RESULTS, text('{"estimates": ["a"]}'), DAMAGED),
    (
        6,
        "a layer that is a text",
        RESULTS,
        text('{"estimates": [{"layer": "a"}]}'),
        DAMAGED,
    ),
    (6, "no estimates", RESULTS, text('{"estimates": []}'), NOT_TIED),
    (6, "results cut in half", RESULTS, cut, DAMAGED),
    (6, "empty results", RESULTS, text(""), DAMAGED),
    (
        6,
        "bytes as results",
        RESULTS,
        lambda file: file.write_bytes(b"\xff\xfe\x00"),
        DAMAGED,
    ),
    (6, "brackets without an end", RESULTS, text("[" * 100_000), DAMAGED),
    (6, "no replicates", REPLICATES, removed, MISSING),
    (6, "replicates cut in half", REPLICATES, cut, DAMAGED),
    (6, "empty replicates", REPLICATES, text(""), DAMAGED),
    (6, "text as replicates", REPLICATES, text("replicates"), DAMAGED),
    (6, "a folder as replicates", REPLICATES, folder_instead, DAMAGED),
    (6, "no array of replicates", REPLICATES, arrays(other=ZEROS), DAMAGED),
    (6, "replicates that are objects", REPLICATES, arrays(replicates=OBJECTS), DAMAGED),
    (2, "replicates of no run", REPLICATES, arrays(replicates=ZEROS), DAMAGED),
    (
        2,
        "replicates of another run",
        REPLICATES,
        arrays(replicates=ZEROS, results="0"),
        NOT_TIED,
    ),
]
RECORDS = [
    (6, "an empty record", RECORD, text(""), DAMAGED),
    (6, "a list as record", RECORD, text("[]"), DAMAGED),
    (6, "a record without parameters", RECORD, text("{}"), DAMAGED),
    (6, "parameters that are a text", RECORD, text('{"parameters": "x"}'), DAMAGED),
    (6, "a record cut in half", RECORD, cut, DAMAGED),
    (6, "no record", RECORD, removed, MISSING),
]
CHECK = "cwr check --paper ethayarajh2019"


def row(
    kind: int, what: str, command: str, broken: Break, sentence: str, file: str
) -> Row:
    """A command that names the broken file and goes on with the rest."""
    return Row(
        kind, what, command, "^left out: " + sentence.format(file=f".*/{file}"), 0, broken
    )


ROWS = [
    row(
        kind,
        f"{what}, in the book",
        CHECK,
        after(change, f"{BOOK}/{file}"),
        says,
        f"{BOOK}/{file}",
    )
    for kind, what, file, change, says in LEFT
]
for kind, what, file, change, says in [*LEFT, *RECORDS]:
    path = f"{RERUN}/{file}"
    command = f"{CHECK} --model yours"
    ROWS.append(row(kind, f"{what}, in a rerun", command, after(change, path), says, path))
ROWS.append(
    Row(
        6,
        "the one rerun of a model damaged",
        "cwr check --model me/mine",
        "^cwr: there are no results of the model me/mine: ",
        prepare=after(cut, f"{RERUN}/{RESULTS}"),
    )
)
