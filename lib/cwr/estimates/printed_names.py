"""Maps model names to the row names of Gupta and Jaggi (2021), by which claims find a row."""

from collections.abc import Iterable

NAMES = {  # by what `encoders` calls the checkpoints of the authors' README, and a reader's file
    "BERT-base-uncased": "BERT-12",
    "RoBERTa-base": "ROBERTA-12",
    "GPT-2-small": "GPT2-12",
    "BERT-large-uncased": "BERT-24",
    "RoBERTa-large": "ROBERTA-24",
    "GPT-2-medium": "GPT2-24",
    "GLOVE-Twitter": "GLOVE (Twitter)",  # brackets are not taken over from names of files
}
FILES = ("GLOVE", "GLOVE-Twitter", "FASTTEXT")  # of vectors that the paper names, as files


def as_printed(rows: Iterable[dict]) -> list[dict]:
    """Returns rows with each model of NAMES under the paper's name, other rows unchanged."""
    return [
        {**row, "model": NAMES[row["model"]]} if row.get("model") in NAMES else row for row in rows
    ]
