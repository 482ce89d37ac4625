"""Reads Table 5 of Gupta and Jaggi (2021): means and deviations of six runs.

D = draws, R = rows, N = rows and averages together
"""

import numpy as np

from cwr.papers.predicates import ratio
from cwr.tables import Table
from cwr.texts.gupta2021.claims.readings import (
    ACCM,
    BEST_LAYER,
    F1M,
    PARAGRAPH,
    RUN_MEAN,
    RUN_SD,
    Scores,
    averages,
    name_of,
)

NAMES = {F1M: "mean macro-F1", ACCM: "mean accuracy"}  # for readers


def welch(table: Table, rounding: float = 0.0) -> tuple[list[str], np.ndarray]:
    """Computes Welch's t of X2Static against ASE, from Table 5: names (N), t (D, N).

    rounding: how much worse each printed figure may be than it looks. Draws without any deviation,
    or with fewer than two runs, are undefined.
    """
    runs = table.value("downstream_runs")
    table.undefined(runs < 2, "fewer than two runs have no deviation")
    runs = np.where(runs < 2, np.nan, runs)
    names, statistics = [], []
    for measure in (F1M, ACCM):
        centre, spread = (runs_of(table, measure + end) for end in (RUN_MEAN, RUN_SD))
        for row in averages(table, measure + RUN_MEAN, (PARAGRAPH,)).rows:
            ase = (BEST_LAYER, row[1])
            difference = centre.row(row) - centre.row(ase) - 2 * rounding
            variance = (spread.row(row) + rounding) ** 2 + (spread.row(ase) + rounding) ** 2
            names.append(f"{row[1]} {NAMES[measure]}")
            error = np.sqrt(variance / runs[:, None])
            statistics.append(ratio(table, difference, error, "Welch's t"))
    return names, np.concatenate(statistics, axis=1)


def runs_of(table: Table, measure: str) -> Scores:
    """Reads the rows of Table 5: paragraph X2Static, and ASE with its best layer."""
    return averages(table, measure, (PARAGRAPH, BEST_LAYER))


def off_runs(table: Table) -> tuple[list[str], np.ndarray]:
    """Subtracts Table 5's means from Table 4's single runs, in deviations: names (N), z (D, N)."""
    names, distances = [], []
    for measure in (F1M, ACCM):
        once = runs_of(table, measure)
        centre, spread = (runs_of(table, measure + end) for end in (RUN_MEAN, RUN_SD))
        for row in centre.rows:
            names.append(f"{name_of(row)} {NAMES[measure]}")
            distance = once.row(row) - centre.row(row)
            distances.append(ratio(table, distance, spread.row(row), "a distance in deviations"))
    return names, np.concatenate(distances, axis=1)
