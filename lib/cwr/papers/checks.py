"""Defines a check of printed numbers: it recomputes what can be recomputed and compares."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Found:
    """The result of a check.

    agrees: whether the printed numbers agree with what follows from them, within their rounding.
    printed, should_be: the printed and the recomputed numbers, in words for a reader; both
        computed.
    """

    agrees: bool
    printed: str
    should_be: str


@dataclass(frozen=True, kw_only=True)
class Check:
    """One row of the page "The printed numbers, checked".

    id: the row's permanent address, "<paper>-check-<what>"; never used again for something else.
    place: where the numbers stand. asks: the question, one sentence.
    find: the check, a function of the table of `printed.load`. how: how we know.
    sure: how sure we are, in a word or a sentence: "exact", "beyond rounding", "by a bound", ...
    charitable: the reading under which the print is right, or what explains it; empty if none is
        needed.
    withdrawn: why we take the row back; a withdrawn row stays, with this sentence.
    remark: True for what is no difference of the print: a rule of thumb of ours, another group's
        script, a number that is nowhere printed. A remark never counts as "differs".
    stated: the name of `printed` on the page: "Printed", or "Stated", "Released" where nothing is
        printed.
    from_copy: True if a difference rests on our text copy of the paper alone (a sign, an
        underline).
    """

    id: str
    place: str
    asks: str
    find: Callable[[pd.DataFrame], Found]
    how: str
    sure: str
    charitable: str = ""
    withdrawn: str = ""
    remark: bool = False
    stated: str = "Printed"
    from_copy: bool = False


def agreement(pairs: pd.DataFrame, within: float, unit: str = "values") -> Found:
    """Compares two columns, `printed` and `computed`, row by row; the index names the rows.

    Agrees if no difference exceeds `within` (plus 1e-9: binary fractions are not decimal ones).
    unit: what the rows are, a word for a reader.
    """
    wrong = pairs[
        ~((pairs["printed"] - pairs["computed"]).abs() <= within + 1e-9)
    ]  # what is missing is wrong too
    shown = [f"{name}: {row.printed:g}" for name, row in wrong.iterrows()]
    better = [f"{name}: {row.computed:.4g}" for name, row in wrong.iterrows()]
    if wrong.empty:
        how = f"to within {within:g}" if within else "exactly"
        return Found(True, f"{len(pairs)} {unit}", f"all {len(pairs)} agree {how}")
    differ = "differs" if len(wrong) == 1 else "differ"
    return Found(
        False,
        "; ".join(shown),
        f"{len(wrong)} of {len(pairs)} {unit} {differ}: {'; '.join(better)}",
    )
