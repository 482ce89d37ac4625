"""Class 6: a notebook whose parameters cannot be read is named, and all others go on."""

import json
from pathlib import Path

from bad_inputs.making import ITSELF, NAME, Break, both, profile_sets, write
from bad_inputs.row import Row


def cell(source: str) -> Break:
    """Another parameters cell in a notebook."""

    def breaking(checkout: Path) -> None:
        file = checkout / "notebooks" / f"{ITSELF}.ipynb"
        notebook = json.loads(file.read_bytes())
        for cell in notebook["cells"]:
            if "parameters" in cell["metadata"].get("tags", []):
                cell["source"] = source
        file.write_text(json.dumps(notebook))

    return breaking


def file(content: str | bytes) -> Break:
    """Other content in a notebook's file."""
    return write(f"notebooks/{ITSELF}.ipynb", content)


BRACKETS = "seed: list = " + "[" * 5000 + "]" * 5000
NOT_PYTHON = f"{ITSELF}: line \\d+ of the parameters cell is not Python \\(.*\\); mend it$"
COMPUTED = f"{ITSELF}: the value of parameter 'seed' is computed; write it out$"
NO_FORM = (
    f"{ITSELF}: line 1 of the parameters cell is not of the form `name: type = value`; .*$"
)
NO_TYPE = "'{}' is no type for a parameter; use .*$"
SEED = f"parameter 'seed' of {ITSELF} must be "
NO_NOTEBOOK = (
    f".*/{ITSELF}.ipynb is not a Jupyter notebook \\(format 4\\); save it from JupyterLab$"
)
NO_CELL = f"{ITSELF} has no cell tagged `parameters`; tag the one that sets them$"
NOTEBOOKS = [  # what, how it is made, the sentence
    ("a missing bracket", cell("models: list[str] = [1, 2\nseed: int = 0"), NOT_PYTHON),
    ("a missing quote", cell('corpus: str = "lee'), NOT_PYTHON),
    ("a missing quote of three", cell('corpus: str = """lee'), NOT_PYTHON),
    ("a wrong indent", cell("seed: int = 0\n  limit: float = 1.0"), NOT_PYTHON),
    ("a null byte", cell("seed: int = 0\0"), NOT_PYTHON),
    ("thousands of brackets", cell(BRACKETS), NOT_PYTHON),
    ("a magic line", cell("%time\nseed: int = 0"), NOT_PYTHON),
    ("a computed default", cell("seed: int = max(1, 2)"), COMPUTED),
    ("an unhashable default", cell("seed: dict = {[1]: 2}"), COMPUTED),
    ("a line of code", cell("import os"), NO_FORM),
    ("a default of another type", cell("seed: int = 'a'"), f"{SEED}int, but seed is 'a'$"),
    (
        "a default out of bounds",
        cell("seed: int = 0  # at least 1"),
        f"{SEED}at least 1, but ",
    ),
    ("an unknown type", cell("seed: Path = 'a'"), NO_TYPE.format("Path")),
    (
        "a type that is code",
        cell("seed: __import__('os').x() = 1"),
        NO_TYPE.format("__import.*"),
    ),
    (
        "a type of too many types",
        cell("seed: int[str] = 1"),
        NO_TYPE.format("int\\[str\\]"),
    ),
    ("an empty file as notebook", file(""), NO_NOTEBOOK),
    ("a notebook cut in half", file('{"cells": [{"cell_type"'), NO_NOTEBOOK),
    ("a list as notebook", file("[]"), NO_NOTEBOOK),
    ("cells that are a number", file('{"cells": 3}'), NO_NOTEBOOK),
    ("a cell that is a text", file('{"cells": ["a"]}'), NO_NOTEBOOK),
    ("no cells", file("{}"), NO_NOTEBOOK),
    ("bytes as notebook", file(b"\xff\xfe\x00"), NO_NOTEBOOK),
    ("no cell of parameters", file('{"cells": []}'), NO_CELL),
]
RUN, OTHER, LIST = (
    f"cwr run {ITSELF} -p seed 3",
    f"cwr run {NAME} --dry-run",
    "cwr list notebooks",
)
ROWS = []
for what, broken, sentence in NOTEBOOKS:
    ROWS += [
        Row(6, f"{what}: that notebook is run", RUN, f"^cwr: {sentence}", 2, broken),
        Row(6, f"{what}: another is planned", OTHER, "", 0, broken),
        Row(6, f"{what}: notebooks are listed", LIST, f"^left out: {sentence}", 0, broken),
    ]
BROKEN = cell("seed: int = (0")
ROWS += [
    Row(
        6,
        "a missing bracket: another paper, under a profile that sets a parameter of many",
        "cwr run bis2021 --dry-run",
        "",
        0,
        both(BROKEN, profile_sets("seed: 3")),
    ),
    Row(
        6,
        "a missing bracket: that paper is built",
        "cwr build --chapters ethayarajh2019",
        f"^cwr: {NOT_PYTHON}",
        prepare=BROKEN,
    ),
]
