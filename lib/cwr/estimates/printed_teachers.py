"""The teachers of Gupta and Jaggi (2021), as their tables call them.

Claims find the rows of these teachers by name, and the scores of those with 24 layers, which Table 6
adds to Table 3, by measures of their own.
"""

from collections.abc import Iterable

NAMES = {  # by what `encoders` calls the checkpoints that the authors' README names
    "BERT-base-uncased": "BERT-12",
    "RoBERTa-base": "ROBERTA-12",
    "GPT-2-small": "GPT2-12",
    "BERT-large-uncased": "BERT-24",
    "RoBERTa-large": "ROBERTA-24",
    "GPT-2-medium": "GPT2-24",
}
SIMILARITY = ("word_similarity_spearman", "word_similarity_mean_spearman")  # of Tables 3 and 6
LARGE = "_large_teacher"  # ending of these measures in Table 6


def as_printed(rows: Iterable[dict]) -> list[dict]:
    """Rows for `report.results.write`, the paper's teachers under its names, others as they are."""
    return [_as_printed(row) for row in rows]


def _as_printed(row: dict) -> dict:
    name = NAMES.get(row.get("model"))
    if name is None:
        return row
    is_large = name.endswith("-24") and row["measure"] in SIMILARITY
    return {**row, "model": name, "measure": row["measure"] + (LARGE if is_large else "")}
