"""Class 6: a notebook whose parameters cannot be read is named, and all others go on."""

import json
from pathlib import Path

from bad_inputs.making import ITSELF, NAME, Break, both, profile_sets, write
from bad_inputs.row import Row

ROWS = []


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


ROWS += [
    Row(6, "a missing bracket: another paper under a profile that sets a parameter",
        "cwr run bis2021 --dry-run", "", 0,
        both(cell(ITSELF, "seed: int = (0"), profile_sets("seed: 3"))),
    Row(6, "a missing bracket: that paper is built", "cwr build --chapters ethayarajh2019",
        f"^cwr: {NOT_PYTHON}", 2, cell(ITSELF, "seed: int = (0")),
]  # fmt: skip
