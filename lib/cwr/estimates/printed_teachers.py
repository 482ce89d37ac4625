"""The teachers of Gupta and Jaggi (2021), as their tables call them: by name claims find their rows."""

from collections.abc import Iterable

NAMES = {  # by what `encoders` calls the checkpoints that the authors' README names
    "BERT-base-uncased": "BERT-12",
    "RoBERTa-base": "ROBERTA-12",
    "GPT-2-small": "GPT2-12",
    "BERT-large-uncased": "BERT-24",
    "RoBERTa-large": "ROBERTA-24",
    "GPT-2-medium": "GPT2-24",
}


def as_printed(rows: Iterable[dict]) -> list[dict]:
    """Rows for `report.results.write`, the paper's teachers under its names, others as they are."""
    return [_renamed(row) if row.get("model") in NAMES else row for row in rows]


def _renamed(row: dict) -> dict:
    return {**row, "model": NAMES[row["model"]]}
