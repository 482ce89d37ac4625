"""Every figure and table of the five texts, and the notebook that makes it."""
import csv
from pathlib import Path


def rows() -> list[dict]:
    """One dictionary an artifact: paper, artifact, notebook (empty: none yet), measures, profile_*."""
    with Path(__file__).with_suffix(".csv").open(newline="", encoding="utf8") as file:
        return list(csv.DictReader(file))


def only_printed(notebook: str) -> bool:
    """Whether a notebook ("<paper>/<NN_name>") holds a paper against its own numbers and runs no model: its 00."""
    return notebook.rpartition("/")[2].startswith("00_")


def measured(row: dict) -> bool:
    """Whether an artifact's notebook measures something, and does not only read what is printed."""
    return bool(row["notebook"]) and not only_printed(row["notebook"])
