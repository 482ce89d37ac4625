"""What was measured on a machine, in a small file, and the tables of such files on the page.

A file is JSON: `machine` (device, processor, versions) and `rows`, one a measured thing: what,
value, unit, and where they apply model, dtype, layer and note. A value that could not be measured
is null, and the note says why. Only what is in `book/reference/gpu` reaches the page.
"""

import html
import json
import os
import platform
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    import torch

COLUMNS = ["what", "model", "dtype", "layer", "value", "unit", "note"]
NOTHING = "Nothing has been measured on a GPU yet: the table stands here as soon as something is."


class Measured:
    """The rows of one machine; the file is whole after each of them, whenever the time is up."""

    def __init__(self, file: Path, device: "torch.device"):
        self.file, self.machine, self.rows = file, machine(device), []

    def add(self, row: dict) -> None:
        """Keep a row, write the file anew and print the row."""
        self.rows.append(row)
        content = {"machine": self.machine, "rows": self.rows}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        scratch = self.file.with_suffix(".part")
        scratch.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        scratch.replace(self.file)
        print(*(f"{key}={value}" for key, value in row.items()), flush=True)


def machine(device: "torch.device") -> dict[str, str | int]:
    """What the numbers were measured on."""
    import torch  # here, because the book's builder needs the table alone
    import transformers

    on_gpu = device.type == "cuda"
    return {
        "device": torch.cuda.get_device_name(device) if on_gpu else "CPU",
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
    }


def page(folder: Path) -> str:
    """A table for each file in a folder, in MyST; one sentence if there is none."""
    files = sorted(folder.glob("*.json"))
    if not files:
        return f"{NOTHING}\n"
    parts = []
    for file in files:
        content = json.loads(file.read_text(encoding="utf-8"))
        parts += [_sentence(content["machine"]), _table(content["rows"])]
    return "\n".join(dict.fromkeys(parts))


def _sentence(machine: dict) -> str:
    return (
        f"{machine['device']}: beside {machine['cores']} cores ({machine['processor']}), "
        f"Python {machine['python']}, torch {machine['torch']}, "
        f"transformers {machine['transformers']}.\n"
    )


def _table(rows: Iterable[dict]) -> str:
    """A line for each model and dtype, a column for each thing; the largest of layers and rules."""
    table = pd.DataFrame(rows).reindex(columns=COLUMNS)
    units = table.groupby("what", sort=False)["unit"].first().fillna("")
    table["dtype"] = table["dtype"].fillna("float32")
    cells = {}
    for (what, *subject), group in table.groupby(["what", "model", "dtype"], sort=False):
        row = group.iloc[group["value"].astype(float).fillna(-1).argmax()]
        cells.setdefault(tuple(subject), {})[what] = _result(row)
    head = ["model", *(f"{what} ({unit})" if unit else what for what, unit in units.items())]
    body = [
        [f"`{model}` `{dtype}`", *(found.get(what, "") for what in units.index)]
        for (model, dtype), found in cells.items()
    ]
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _result(row: pd.Series) -> str:
    """Such as "3.1e-06", or "8.1; after 20 of 400 steps"."""
    parts = [_number(row["value"])] if pd.notna(row["value"]) else []
    if pd.notna(row["note"]):
        parts.append(html.escape(row["note"], quote=False).replace("|", "\\|"))
    return "; ".join(parts)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == round(value) or abs(value) >= 100 else f"{value:.2g}"
