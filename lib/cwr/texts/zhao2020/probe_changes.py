"""What tuning changes in the F1 of probes: Figure 6 of Zhao et al. (2020), draw by draw.

Before and after are scored on the same words with the same draws (`cwr.texts.zhao2020.probes`), so that
the interval of a change is that of paired differences.
"""

from collections.abc import Iterable, Sequence

import pandas as pd

from cwr.measures import stats

SAME = ("model", "layer", "estimator")  # of a score before and after


def changes(
    before: Iterable[dict], after: Iterable[dict], keys: Sequence[str] = ("measure", "task", "k")
) -> pd.DataFrame:
    """F1 after minus F1 before, a row for each row of `after`.

    before, after: of `probes.score_rows`. keys: of `after` to be shown beside SAME and `family`.
    Returns these and value, low, high (95 %). Raises KeyError for a row without one before it.
    """
    first = {tuple(row.get(key) for key in SAME): row for row in before}
    table = []
    for row in after:
        earlier = first[tuple(row.get(key) for key in SAME)]
        low, high = stats.interval(row["replicates"] - earlier["replicates"])
        named = {key: row.get(key) for key in (*SAME, "family", *keys)}
        change = row["value"] - earlier["value"]
        table.append({**named, "value": change, "low": low, "high": high})
    return pd.DataFrame(table)
