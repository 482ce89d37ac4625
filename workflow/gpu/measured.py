"""What was measured on a machine, in a small file, and the table of such files on the page.

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
SAME = ["what", "model", "dtype", "unit"]  # of rows that differ by layer alone
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
    """The table of all files in a folder, in MyST; one sentence if there is none."""
    files = sorted(folder.glob("*.json"))
    if not files:
        return f"{NOTHING}\n"
    lines = ["| device | what | model | result |", "|---|---|---|---|"]
    machines = []
    for file in files:
        content = json.loads(file.read_text(encoding="utf-8"))
        machines.append(_sentence(content["machine"]))
        lines += _lines(content["machine"]["device"], content["rows"])
    return "\n".join([*dict.fromkeys(machines), "", *lines, ""])


def _sentence(machine: dict) -> str:
    return (
        f"{machine['device']}: beside {machine['cores']} cores ({machine['processor']}), "
        f"Python {machine['python']}, torch {machine['torch']}, "
        f"transformers {machine['transformers']}.\n"
    )


def _lines(device: str, rows: Iterable[dict]) -> list[str]:
    """A line of the table for each measured thing; of several layers the one with most."""
    table = pd.DataFrame(rows).reindex(columns=COLUMNS)
    lines = []
    for (what, model, dtype, unit), group in table.groupby(SAME, dropna=False, sort=False):
        values = group["value"].astype(float)
        row = group.loc[values.idxmax()] if values.notna().any() else group.iloc[0]
        result = _result(row, unit, several=len(group) > 1)
        subject = " ".join(f"`{name}`" for name in (model, dtype) if pd.notna(name))
        lines.append(f"| {device} | {what} | {subject} | {result} |")
    return lines


def _result(row: pd.Series, unit: str | None, several: bool) -> str:
    """Such as "3.1e-06 (layer 7, the largest of all layers); the same machine's CPU"."""
    parts = []
    if pd.notna(row["value"]):
        parts.append(" ".join([_number(row["value"]), unit if pd.notna(unit) else ""]).strip())
    if several:
        parts[-1:] = [f"{parts[-1]} (layer {row['layer']:.0f}, the most of all layers)"]
    if pd.notna(row["note"]):
        parts.append(html.escape(row["note"], quote=False).replace("|", "\\|"))
    return "; ".join(parts)


def _number(value: float) -> str:
    if value == round(value) and abs(value) >= 1:
        return f"{value:,.0f}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2g}"
