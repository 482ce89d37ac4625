"""Make tables.csv, the file that travels with the assignment: python make_tables.py

Tables 3 and 4 of Gupta and Jaggi (2021) as printed, figure by figure, and how many items of each class the data sets
with two classes have. Both come from the book's table of that paper; nothing is computed.
"""

from pathlib import Path

import pandas as pd

from cwr.papers import printed

FILE = Path(__file__).with_name("tables.csv")
SCORES = {
    "word_similarity_spearman": "Spearman",
    "word_similarity_mean_spearman": "Spearman",
    "classification_macro_f1": "macro-F1",
    "classification_mean_macro_f1": "macro-F1",
    "classification_accuracy": "accuracy",
    "classification_mean_accuracy": "accuracy",
}
ROWS = {
    "ase_best_per_task": "ASE best per task, {}",
    "ase_best_layer": "ASE best overall, {}",
    "x2static_sentence": "X2Static sent, {}",
    "x2static_paragraph": "X2Static para, {}",
}
TWO_CLASSES = ("CR", "MR", "MPQA", "SUBJ")


def printed_tables(numbers: pd.DataFrame) -> pd.DataFrame:
    """Rows table, row, column, score, layer and printed; an average's column is "Average"."""
    found = numbers[
        numbers["artifact"].isin(["Table 3", "Table 4"])
        & numbers["measure"].isin(list(SCORES))
        & numbers["variant"].isna()
    ]
    names = [
        ROWS.get(kind, "{}").format(model)
        for kind, model in zip(found["estimator"], found["model"], strict=True)
    ]
    return pd.DataFrame(
        {
            "table": found["artifact"],
            "row": names,
            "column": found["dataset"].fillna("Average"),
            "score": found["measure"].map(SCORES),
            "layer": found["layer"],
            "printed": found["printed"],
        }
    )


def class_counts(numbers: pd.DataFrame) -> pd.DataFrame:
    """The same columns: how many items of each class a data set has; its row is the class, "0" or "1"."""
    found = numbers[(numbers["measure"] == "class_count") & numbers["dataset"].isin(TWO_CLASSES)]
    return pd.DataFrame(
        {
            "table": "class counts",
            "row": found["class"],
            "column": found["dataset"],
            "score": "items",
            "layer": pd.NA,
            "printed": found["printed"],
        }
    )


def text() -> str:
    """The file as text."""
    numbers = printed.load("gupta2021")
    return pd.concat([printed_tables(numbers), class_counts(numbers).astype(object)]).to_csv(
        index=False
    )


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
