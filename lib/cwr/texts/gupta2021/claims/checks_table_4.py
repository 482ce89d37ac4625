"""Checks Table 4 of Gupta and Jaggi (2021): what an accuracy allows, and the runs of Table 5."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from cwr.measures import classification
from cwr.papers.checks import Check, Found
from cwr.tables import Table, matching
from cwr.texts.gupta2021.claims.readings import ACC, BINARY, DOUBTED, F1, KINDS, TIE, cells
from cwr.texts.gupta2021.claims.readings_table_5 import off_runs

HALF_DIGIT = 0.05  # half of the last printed digit of a per cent
SHOWN = 3  # cells that are named; the others are counted
ALLOWED = (
    "From the class counts of the official test set we computed the exact minimum of macro-F1 over "
    "all confusion matrices with that many errors. We allowed for the rounding of both figures."
)
MEAN_OF_RUNS = (
    "If the cells are means over runs of any accuracy, the bound is lower (the convex envelope of "
    "the minimum), but 17 cells remain impossible. Other macro-averages (over the classes present, "
    "or the harmonic mean of macro-precision and macro-recall) are never lower, so they do not "
    "explain the printed values."
)


def class_counts(table: pd.DataFrame, dataset: str) -> tuple[int, ...]:
    """Counts items of each class, in the official test set or, without one, in all items."""
    keep = matching(table, measure="class_count", dataset=dataset)
    keep &= table["variant"].isin(("test", "all")).to_numpy()
    return tuple(table["value"][keep].astype(int))


def f1_pairs(table: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Pairs printed macro-F1 and accuracy, per cent, of every row of Table 4 for one data set."""
    columns = {"macro_f1": F1, "accuracy": ACC}
    for name, measure in columns.items():
        column = cells(Table(table), measure, KINDS, (dataset,))
        columns[name] = pd.Series(column.values[0, :, 0], column.names)
    return pd.DataFrame(columns)


def bounds(
    pairs: pd.DataFrame,
    counts: tuple[int, ...],
    bound: Callable = classification.smallest_macro_f1,
    half: float = HALF_DIGIT,
) -> pd.Series:
    """Computes a bound on macro-F1, per cent, at each printed accuracy within its rounding.

    counts: items of each class. bound: a function of counts and accuracy, of
    `measures.classification`. half: half of the last printed digit; positive for a smallest value,
    which is read at the lower edge of the accuracy, negative for a largest value.
    """
    return pairs["accuracy"].map(lambda printed: 100 * bound(counts, (printed - half) / 100))


def least_of_runs(
    accuracy: pd.Series,
    counts: tuple[int, ...],
    half: float = HALF_DIGIT,
    spread: float | None = None,
) -> pd.Series:
    """Computes the least mean macro-F1 of several runs at each printed mean accuracy, per cent.

    half: as in `bounds`. spread: how far a run may lie from the mean, in points of accuracy; None
    for any distance.
    """
    shares = (accuracy - half) / 100
    if spread is None:
        envelope = classification.mean_of_runs_envelope(counts)
        return 100 * pd.Series(np.interp(shares, *envelope), accuracy.index)

    def least(share: float) -> float:
        lowest, highest = share - spread / 100, min(1, share + spread / 100)
        envelope = classification.mean_of_runs_envelope(counts, lowest, highest)
        return 100 * float(np.interp(share, *envelope))

    return shares.map(least)


def least_curve(accuracy: pd.Series, counts: tuple[int, ...]) -> tuple[np.ndarray, list[float]]:
    """Computes the least macro-F1 at 40 accuracies around those printed, both in per cent."""
    x = np.linspace(accuracy.min() - 1, min(100, accuracy.max() + 0.8), 40)
    return x, [100 * classification.smallest_macro_f1(counts, value / 100) for value in x]


def outside(
    table: pd.DataFrame,
    datasets: tuple[str, ...],
    bound: Callable = classification.smallest_macro_f1,
    sign: int = 1,
) -> dict[str, tuple[float, float]]:
    """Lists cells with an impossible macro-F1: {data set and row: (printed, bound)}.

    sign 1: below a smallest value, -1: above a largest; both figures are granted their rounding.
    """
    refused = {}
    for dataset in datasets:
        pairs = f1_pairs(table, dataset)
        limit = bounds(pairs, class_counts(table, dataset), bound, sign * HALF_DIGIT)
        for row in pairs.index[sign * (limit - pairs["macro_f1"]) > HALF_DIGIT]:
            refused[f"{dataset} {row}"] = (pairs["macro_f1"][row], limit[row])
    return refused


def _allowed(table: pd.DataFrame, datasets: tuple[str, ...], **how) -> Found:
    refused = outside(table, datasets, **how)
    number = sum(len(f1_pairs(table, name)) for name in datasets)
    if not refused:
        return Found(True, f"{number} pairs of macro-F1 and accuracy", f"all {number} are possible")
    word = "most" if how.get("sign") == -1 else "least"
    first = list(refused.items())[:SHOWN]
    printed = [f"{name}: {value:g}" for name, (value, _) in first]
    if len(refused) > SHOWN:
        printed.append("...")
    limits = [f"{name}: at {word} {limit:.1f}" for name, (_, limit) in first]
    should_be = (
        f"the accuracies rule out {len(refused)} of {number} macro-F1 values. The bounds are: "
        f"{'; '.join(limits)}"
    )
    return Found(False, "; ".join(printed), should_be)


def _single_runs(table: pd.DataFrame) -> Found:
    accuracy, n = f1_pairs(table, "TREC")["accuracy"], sum(class_counts(table, "TREC"))
    right = accuracy * n / 100
    off = accuracy[(right - right.round()).abs() > HALF_DIGIT * n / 100 - TIE]
    values = ", ".join(f"{value:g}" for value in sorted(off.unique()))
    printed = f"{len(off)} of {len(accuracy)} accuracies are not multiples of {100 / n:g}: {values}"
    should_be = f"{n} questions can give only accuracies that are multiples of {100 / n:g}"
    return Found(off.empty, f"{len(accuracy)} accuracies" if off.empty else printed, should_be)


def _table_5(table: pd.DataFrame) -> Found:
    names, distances = off_runs(Table(table))
    z = pd.Series(distances[0], index=names)
    far = z[z.abs() > 2 + TIE]
    should_be = (
        f"{len(z) - len(far)} of {len(z)} runs lie within two standard deviations of Table 5's "
        f"mean; the farthest lies {z.abs().max():.1f} deviations away. {(z < -TIE).sum()} lie "
        f"below the mean, {(z > TIE).sum()} above"
    )
    return Found(far.empty, "; ".join(far.index) or f"{len(z)} single runs of Table 4", should_be)


TABLE_4 = [
    Check(
        id="gupta2021-check-f1-trec",
        place="Table 4",
        asks="Does TREC's accuracy allow its macro-F1, over 6 labels?",
        find=partial(_allowed, datasets=DOUBTED[:1]),
        how=ALLOWED,
        sure="by a bound",
        charitable=(
            "Over TREC's 50 fine labels all 20 cells are possible, and the paper does not say "
            f"which labels it used. {MEAN_OF_RUNS}"
        ),
    ),
    Check(
        id="gupta2021-check-f1-sst5",
        place="Table 4",
        asks="Does SST-5's accuracy allow its macro-F1, over 5 labels?",
        find=partial(_allowed, datasets=DOUBTED[1:]),
        how=ALLOWED,
        sure="by a bound",
        charitable=(
            "The paper does not define macro-F1, and the downstream code is not public. Another "
            "definition would change the bound. The accuracy column does not depend on it. "
            f"{MEAN_OF_RUNS}"
        ),
    ),
    Check(
        id="gupta2021-check-f1-binary",
        place="Table 4",
        asks="Do the accuracies of the four binary tasks allow their macro-F1?",
        find=partial(_allowed, datasets=BINARY),
        how=(
            "We computed the same minimum with the class shares of all data, as these tasks have "
            "no official split."
        ),
        sure="by a bound",
    ),
    Check(
        id="gupta2021-check-f1-binary-largest",
        place="Table 4",
        asks="On the binary tasks, is no macro-F1 larger than its accuracy allows?",
        find=partial(_allowed, datasets=BINARY, bound=classification.largest_macro_f1, sign=-1),
        how=(
            "We computed the exact maximum of macro-F1 over confusion matrices of two classes, "
            "with the class shares of all data."
        ),
        sure="by a bound",
        charitable=(
            "One of the two printed numbers probably repeats the other. The class shares of a "
            "random test set vary by about a point, too little to explain the cell. As the "
            "harmonic mean of macro-precision and macro-recall, the printed value would be "
            "possible if nearly all positive texts were found."
        ),
    ),
    Check(
        id="gupta2021-check-trec-single-runs",
        place="Table 4",
        asks="Are TREC's accuracies those of single runs on the official 500 questions?",
        find=_single_runs,
        how="An accuracy on 500 questions is a multiple of 0.2.",
        sure="exact",
        charitable=(
            "The accuracies may be means over runs, or may come from another split. The paper does "
            "not say."
        ),
    ),
    Check(
        id="gupta2021-check-table5-table4",
        place="Table 5; Table 4",
        asks="Do the single runs of Table 4 lie in the range that Table 5 suggests?",
        find=_table_5,
        how=(
            "We divided each run's difference from the mean of six runs by their standard "
            "deviation."
        ),
        sure="exact",
    ),
]
