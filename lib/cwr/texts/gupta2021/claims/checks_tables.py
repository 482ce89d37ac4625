"""Checks tables of Gupta and Jaggi (2021): averages, what Table 6 repeats, what is bold."""

from functools import partial

import numpy as np
import pandas as pd

from cwr.papers.checks import Check, Found, agreement
from cwr.tables import Table, where
from cwr.texts.gupta2021.claims.readings import (
    ACC,
    ACCM,
    AVERAGE,
    BEST_LAYER,
    BEST_PER_TASK,
    F1,
    F1M,
    KINDS,
    LARGE,
    PERCENT,
    RHO,
    WM,
    W,
    averages,
    cells,
    marks,
    scores,
)

SINGLE = tuple(kind for kind in KINDS if kind != BEST_PER_TASK)  # average = mean of the row
IS_MEAN = "Are the averages the means of their rows?"
MEANS = (
    "We averaged the printed figures of each row. Each figure may be off by half a unit in its "
    "last digit, and so may the average."
)
RULE = (
    "We applied the caption's rule to each cell and compared the result with the bold type in our "
    "text copy."
)


def row_means(table: pd.DataFrame, measure: str, average: str) -> pd.DataFrame:
    """Pairs printed averages with the means of their rows; not ASE with the best layer per task."""
    computed = cells(Table(table), measure, SINGLE).mean()
    printed = averages(Table(table), average, SINGLE).like(computed)
    columns = {"printed": printed.values[0, :, 0], "computed": computed.values[0, :, 0]}
    return pd.DataFrame(columns, index=pd.Index(computed.names, name="row"))


def _averages(table: pd.DataFrame, measure: str, average: str, within: float) -> Found:
    return agreement(row_means(table, measure, average), within, "averages")


def _per_task(table: pd.DataFrame) -> Found:
    columns = {}
    for name, kind in (("printed", BEST_PER_TASK), ("computed", BEST_LAYER)):
        rows = scores(Table(table), WM, (kind,), ("", LARGE)).frame()
        columns[name] = rows[AVERAGE][kind]
    pairs = pd.DataFrame(columns)
    return agreement(
        pairs,
        0,
        "averages of ASE with the best layer per task and with the best single layer",
    )


def _repeats(table: pd.DataFrame) -> Found:
    columns = {}
    for name, artifact in (("printed", "Table 6"), ("computed", "Table 3")):
        rows = table[(table["artifact"] == artifact) & table["measure"].isin((W, WM))]
        rows = rows.assign(model=rows["model"].replace("CROW", "CBOW")).fillna(
            {"dataset": "average"}
        )
        columns[name] = rows.set_index(["estimator", "model", "dataset"])["value"]
    columns["printed"] = columns["printed"].reindex(columns["computed"].index)
    return agreement(pd.DataFrame(columns), 0, "figures of Table 6 that repeat Table 3")


def _names(table: pd.DataFrame) -> Found:
    first, again = (
        set(where(table, artifact=artifact, estimator="static")["model"])
        for artifact in ("Table 3", "Table 6")
    )
    new, lost = again - first, first - again
    printed, should_be = ", ".join(sorted(new or again)), ", ".join(sorted(lost or first))
    return Found(not new, f"Table 6 has {printed}", f"Table 3 has {should_be}")


def _layers(table: pd.DataFrame) -> Found:
    rows = where(table, estimator=BEST_LAYER)
    rows = rows[rows["measure"].isin((W, WM, W + LARGE, WM + LARGE)) & rows["variant"].isna()]
    odd = []
    for model, row in rows.groupby("model"):
        counts = row["layer"].value_counts()
        if len(counts) > 1:
            shown = [
                f"layer {layer} ({number} of {len(row)} cells)" for layer, number in counts.items()
            ]
            odd.append(f"{model}: {', '.join(shown)}")
    printed = "; ".join(odd) or f"{rows['model'].nunique()} rows"
    return Found(not odd, printed, "each row should use one layer in all columns")


def _bold(table: pd.DataFrame, suffix: str, strict: bool, measures: tuple[str, ...]) -> Found:
    names, bold, ruled = marks(Table(table), suffix, strict, measures)
    differing = []
    for item in np.flatnonzero((bold != ruled)[0]):
        row, dataset, measure = names[item]
        differing.append(f"{row} {dataset} ({measure.split('_')[-1]})")
    many, few = (bold & ~ruled).sum(), (ruled & ~bold).sum()
    listed = f" ({'; '.join(differing)})" if differing else ""
    should_be = (
        f"cells that break the rule: {len(differing)}, of which {many} are bold and {few} are "
        f"not{listed}"
    )
    return Found(not differing, f"{bold.sum()} of {len(names)} cells are bold", should_be)


TABLES = [
    Check(
        id="gupta2021-check-average-table3",
        place="Table 3",
        asks=IS_MEAN,
        find=partial(_averages, measure=W, average=WM, within=RHO),
        how=MEANS,
        sure="beyond rounding",
        charitable=(
            "Two digits of 0.52578 may have been transposed before rounding. No claim depends on "
            "this average."
        ),
    ),
    Check(
        id="gupta2021-check-average-table6",
        place="Table 6, 24-layer teachers",
        asks=IS_MEAN,
        find=partial(_averages, measure=W + LARGE, average=WM + LARGE, within=RHO),
        how=MEANS,
        sure="beyond rounding",
    ),
    Check(
        id="gupta2021-check-average-best-layer",
        place="Tables 3 and 6",
        asks="Is the average of an 'ASE - best layer per task' row that of the best single layer?",
        find=_per_task,
        how="We compared each such row with the row below it, which gives the layer in brackets.",
        sure="exact",
        charitable=(
            "This is not an error: for the average, too, the row takes the best layer. The mean of "
            "the row is higher, and X2Static lies above that mean, too."
        ),
    ),
    Check(
        id="gupta2021-check-average-table4-f1",
        place="Table 4",
        asks="Are the averages of macro-F1 the means of their rows?",
        find=partial(_averages, measure=F1, average=F1M, within=PERCENT),
        how=MEANS,
        sure="beyond rounding",
        charitable=(
            "Changing one cell of each row would correct two of the averages: 15.9 instead of 13.9 "
            "on SST-5 for FASTTEXT, 28.5 instead of 23.7 for sROBERTA. This is a conjecture."
        ),
    ),
    Check(
        id="gupta2021-check-average-table4-accuracy",
        place="Table 4",
        asks="Are the averages of accuracy the means of their rows?",
        find=partial(_averages, measure=ACC, average=ACCM, within=PERCENT),
        how=MEANS,
        sure="only just beyond rounding",
        charitable=(
            "Rounding every figure down by half a digit would explain nearly all of the difference."
        ),
    ),
    Check(
        id="gupta2021-check-table6-repeats-table3",
        place="Table 6",
        asks="Does Table 6 repeat Table 3?",
        find=_repeats,
        how="We compared the tables figure by figure.",
        sure="exact",
    ),
    Check(
        id="gupta2021-check-table6-names",
        place="Table 6",
        asks="Does Table 6 use the same names as Table 3 for its rows?",
        find=_names,
        how="We compared the names.",
        sure="exact",
        charitable="The names differ in one letter, and the figures are those of CBOW.",
        from_copy=True,
    ),
    Check(
        id="gupta2021-check-table6-layer",
        place="Tables 3 and 6",
        asks="Does 'ASE - best single layer' use one layer in all columns?",
        find=_layers,
        how="We compared the layers printed in brackets.",
        sure="exact",
        charitable=(
            "The printed average follows from the row's figures, so the layer number is a slip."
        ),
        from_copy=True,
    ),
    Check(
        id="gupta2021-check-bold-table3",
        place="Table 3, caption",
        asks="Is bold in Table 3 what the caption says?",
        find=partial(_bold, suffix="", strict=True, measures=(W, WM)),
        how=RULE,
        sure="exact",
    ),
    Check(
        id="gupta2021-check-bold-table6",
        place="Table 6, caption",
        asks="For 24-layer teachers, is bold in Table 6 what the caption says?",
        find=partial(_bold, suffix=LARGE, strict=True, measures=(W, WM)),
        how=RULE,
        sure="exact",
        charitable="The X2Static cell leads by only 0.0005.",
        from_copy=True,
    ),
    Check(
        id="gupta2021-check-bold-table4",
        place="Table 4, caption",
        asks="Is bold in Table 4 what the caption says?",
        find=partial(_bold, suffix="", strict=False, measures=(F1, F1M, ACC, ACCM)),
        how=RULE,
        sure="exact",
        charitable=(
            "The four accuracies on SST-5 depend on one FASTTEXT cell. Without it the rule makes "
            "all four bold. No cell that should be bold is missed."
        ),
        from_copy=True,
    ),
]
