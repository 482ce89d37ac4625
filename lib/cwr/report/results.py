"""Writes and reads a notebook's results: estimates, replicates and provenance, in three files."""

import hashlib
import io
import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from cwr import paths
from cwr.errors import UserError, each_readable
from cwr.measures import stats
from cwr.papers.claims import is_encoder
from cwr.report import provenance
from cwr.report.columns import Columns, side_by_side
from cwr.report.reading import readable
from cwr.rows import Rows, joined
from cwr.tables import KEYS, UNTRAINED, by_family, tidy, where

DECIMALS = 4  # what two machines agree on
RECOMPUTED = "recomputed from print"  # `variant` of what follows from published numbers alone


@dataclass(frozen=True)
class Results:
    """The estimates and their replicates. R = rows, D = the largest number of draws of an estimate.

    estimates: (R,), one row per estimate: KEYS, value, and the 95 % interval low, high (NaN where
        there are no replicates).
    drawn: the replicates, (D, R) float32; NaN after an estimate's last draw, and where a draw gave
        no value.
    draws: (R,), how many draws each estimate has; 0 where it has none.
    Parts of one set of results share estimates and replicates, so that none copies them.
    """

    estimates: Rows
    drawn: Columns
    draws: np.ndarray

    @property
    def table(self) -> pd.DataFrame:
        """The estimates as a frame, (R,)."""
        return self.estimates.table

    @property
    def replicates(self) -> np.ndarray:
        """The replicates, (D, R): a copy if they are a part of those that were read."""
        return self.drawn.array

    @classmethod
    def of(cls, table: pd.DataFrame, replicates: np.ndarray) -> "Results":
        """Builds results from estimates, (R,), and replicates, (D, R); NaN columns mean "no draws".

        Raises ValueError for replicates of another number of rows.
        """
        if replicates.ndim != 2 or replicates.shape[1] != len(table):
            raise ValueError(f"{len(table)} estimates, replicates of shape {replicates.shape}")
        is_drawn = ~np.isnan(replicates).all(axis=0)  # (R,)
        return cls(Rows(table), Columns(replicates), len(replicates) * is_drawn)

    def of_model(self, model: str) -> "Results":
        """Returns the estimates of one model."""
        return self.where(self.estimates.one_of("model", [model]))

    def of_models(self, models: Collection[str]) -> "Results":
        """Returns the estimates of the named models, of all static vectors, and of all controls."""
        return self.where(self.estimates.one_of("model", models) | ~is_encoder(self.estimates))

    def without_variants(self) -> "Results":
        """Returns the estimates under no variant, on which claims are judged."""
        return self.where(~self.estimates.has("variant"))

    def without_choices(self) -> "Results":
        """Returns the estimates under no variant, and the estimates of untrained copies."""
        is_copy = self.estimates.one_of("variant", UNTRAINED)
        return self.where(~self.estimates.has("variant") | is_copy)

    def untrained(self) -> "Results":
        """Returns the estimates of untrained copies."""
        return self.where(self.estimates.one_of("variant", UNTRAINED))

    def where(self, keep: np.ndarray) -> "Results":
        """Returns the rows that `keep`, (R,) bool, selects."""
        return Results(self.estimates.where(keep), self.drawn.where(keep), self.draws[keep])

    def without(self, *keys: str) -> "Results":
        """Returns all estimates, with these key columns emptied."""
        absent = dict.fromkeys(keys, pd.NA)
        return replace(self, estimates=Rows(self.table.assign(**absent)))

    def rows(self) -> list[dict]:
        """Returns the estimates as rows for `collect`, with replicates where there are any."""
        rows = [_present(row) for row in self.table[[*KEYS, "value"]].to_dict("records")]
        for row, column, draws in zip(rows, self.replicates.T, self.draws, strict=True):
            if draws:
                row["replicates"] = column
        return rows

    def fewest(self, keep: np.ndarray) -> int:
        """Returns the smallest number of draws among the rows that `keep`, (R,) bool, selects.

        Rows without draws do not count; 0 if no row has draws.
        """
        draws = self.draws[keep]
        drawn = draws[draws > 0]
        return int(drawn.min()) if len(drawn) else 0


# ---- from rows to files


def collect(rows: Iterable[dict]) -> Results:
    """Collects estimates from rows with any of KEYS, `value`, and `replicates`, (D,) or None.

    They are sorted by KEYS; values are rounded to DECIMALS, replicates to one more.
    Raises ValueError for no rows, for two estimates under the same keys, and for replicates of
    different lengths; UserError for an estimate that is not finite or has an infinite draw.
    """
    rows = list(rows)
    draws = _common_draws(rows)
    estimates = [{key: row[key] for key in row if key != "replicates"} for row in rows]
    table = tidy(estimates)
    if table.duplicated(KEYS).any():
        second = table[KEYS].to_dict("records")[int(table.duplicated(KEYS).argmax())]
        raise ValueError(
            f"two estimates have the same keys ({_named(second)}): an entry of a list stands there "
            "twice, or two of them mean the same"
        )
    _refuse_no_number(rows)
    order = table.sort_values(KEYS, key=_sortable).index
    columns = [_column(rows[number], draws) for number in order]
    replicates = np.stack(columns, axis=1)  # (D, R)
    table = _rounded(table.loc[order], replicates)
    return Results.of(table, replicates.round(DECIMALS + 1).astype(np.float32))


def _common_draws(rows: list[dict]) -> int:
    """Returns D, the number of replicates of every row that has replicates; 0 if none has.

    Raises ValueError for no rows and for replicates of different lengths.
    """
    lengths = {len(row["replicates"]) for row in rows if row.get("replicates") is not None} or {0}
    if not rows or len(lengths) > 1:
        raise ValueError(
            f"results need rows with replicates of one length, got {len(rows)} rows, "
            f"lengths {lengths}"
        )
    return lengths.pop()


def _refuse_no_number(rows: list[dict]) -> None:
    """Raises UserError for a row whose value is not finite, or that has an infinite replicate."""
    for row in rows:
        drawn = row.get("replicates")
        if not np.isfinite(row["value"]) or (drawn is not None and np.isinf(drawn).any()):
            keys = {key: row.get(key) for key in KEYS}
            raise UserError(
                f"the estimate {_named(keys)} is no number ({row['value']}) or has an infinite "
                "draw, so no results are written: look at the vectors that it is made of"
            )


def _named(keys: dict) -> str:
    """Lists key columns with their values, without absent ones: "model minilm, layer 3"."""
    return ", ".join(f"{key} {value}" for key, value in keys.items() if not pd.isna(value))


def _sortable(column: pd.Series) -> pd.Series:
    """Returns the layers as numbers, any other key column as text."""
    return column if column.name == "layer" else column.astype(str)


def _column(row: dict, draws: int) -> np.ndarray:
    """Returns the replicates of a row, (D,); NaN if it has none."""
    replicates = row.get("replicates")
    return np.full(draws, np.nan) if replicates is None else replicates


def _rounded(table: pd.DataFrame, replicates: np.ndarray) -> pd.DataFrame:
    """Returns estimates (R,) with the 95 % interval of their replicates (D, R), to DECIMALS."""
    table = table.reset_index(drop=True)
    low = high = np.full(len(table), np.nan)
    if len(replicates):
        low, high = stats.interval(replicates)  # (R,) and (R,)
    table["low"], table["high"] = low, high
    numbers = table[["value", "low", "high"]].astype(float)
    table[["value", "low", "high"]] = numbers.round(DECIMALS) + 0.0  # no -0.0
    return table


def write(
    notebook: str,
    rows: Iterable[dict],
    parameters: dict,
    encoders: Iterable = (),
    runs: Iterable = (),
) -> Results:
    """Collects a notebook's estimates and writes results.json, replicates.npz and provenance.json.

    notebook: "<paper>/<NN_name>". rows: as `collect`. parameters: from `parameters.check`.
    encoders, runs: all that were used, for the record (contracts, fingerprints, batch plans).
    The files go to `folder_of(notebook)`. Returns the estimates. Raises ValueError and UserError as
    `collect`.
    """
    results = collect(rows)
    folder = folder_of(notebook)
    estimates = [_present(row) for row in results.table.to_dict("records")]
    text = _json({"notebook": notebook, "estimates": estimates}, int)
    replicates = io.BytesIO()
    by_estimate = np.asfortranarray(results.replicates)  # half the file: a column varies little
    np.savez_compressed(replicates, replicates=by_estimate, results=_digest(text.encode()))
    record = provenance.record(notebook, parameters, encoders, runs)
    paths.write_text(folder / "results.json", text)
    paths.write_bytes(folder / "replicates.npz", replicates.getvalue())
    paths.write_text(folder / "provenance.json", _json(record, str))
    return results


def folder_of(notebook: str) -> Path:
    """Returns the folder of a running notebook's results: CWR_RESULTS (set by the workflow), else
    results/<notebook> below the working folder.
    """
    return paths.results_folder() or Path("results") / notebook


def _present(row: dict) -> dict:
    """Returns a row without its absent keys."""
    return {key: value for key, value in row.items() if not pd.isna(value)}


def _json(content: dict, default: type) -> str:
    """Returns JSON text; `default` converts objects that JSON does not know."""
    return json.dumps(content, indent=1, default=default) + "\n"


def _digest(content: bytes) -> str:
    """Returns the sha256 of a results.json; its replicates.npz stores it."""
    return hashlib.sha256(content).hexdigest()


# ---- from files to results


def read(folder: str | Path) -> Results:
    """Reads the results that `write` left in a folder.

    Raises UserError, with the file, if one is missing or damaged, and if the digest in
    replicates.npz shows that the two files come from different runs.
    """
    folder = Path(folder)
    with readable(folder / "results.json") as file:
        content = file.read_bytes()
        table = _table(json.loads(content)["estimates"])
    with readable(folder / "replicates.npz") as file, np.load(file, allow_pickle=False) as stored:
        replicates, digest = stored["replicates"], str(stored["results"])
    if digest != _digest(content):
        raise UserError(
            f"results.json and replicates.npz in {folder} are not of one run: "
            "run its notebook again"
        )
    return Results.of(table, replicates)


def _table(estimates: list[dict]) -> pd.DataFrame:
    """Returns the estimates of results.json, (R,); raises ValueError or TypeError for others."""
    numbers = dict.fromkeys(["value", "low", "high"], float)
    table = tidy(estimates).reindex(columns=[*KEYS, *numbers]).astype(numbers)
    if not np.isfinite(table["value"]).all():
        raise ValueError("an estimate is no number")
    return table


def read_all(run: str | Path, say: Callable[[str], None] | None = None) -> Results | None:
    """Reads and joins the results of all notebooks below a run's folder; None if there are none.

    A notebook that compares choices (`compares_choices`) is left out: `verdicts.flips` reads it.
    say: a function that is told, in a sentence each, which files cannot be read; they are left out.
    Without it, the first such file raises UserError. Raises UserError also as `join`.
    """
    return read_folders([file.parent for file in sorted(Path(run).glob("*/*/results.json"))], say)


def read_folders(
    folders: Iterable[Path], say: Callable[[str], None] | None = None
) -> Results | None:
    """Reads and joins these folders of results, as `read_all`."""
    measured = [
        results for results in each_readable(folders, read, say) if not compares_choices(results)
    ]
    return join(measured) if measured else None


def compares_choices(results: Results) -> bool:
    """Tells whether some estimates are of variants and others of the chapter's own choice.

    Estimates of untrained copies are ignored.
    """
    table = results.table
    table = table[~table["variant"].isin(UNTRAINED)]
    variants = table["variant"].notna()
    return bool(variants.any() and not variants.all())


def join(notebooks: Iterable[Results]) -> Results:
    """Joins several notebooks' results; each estimate keeps its draws and counts once.

    Raises UserError if two notebooks have different values of one estimate.
    """
    notebooks = list(notebooks)
    _refuse_contradictions(pd.concat([results.table for results in notebooks]))
    return with_missing(*notebooks)


def with_missing(*parts: Results | None) -> Results | None:
    """Joins results; of estimates under the same keys the first part's estimate stays.

    None if all parts are None.
    """
    parts = [part for part in parts if part is not None]
    if not parts:
        return None
    every = beside(parts)
    return every.where(~every.table.duplicated(KEYS).to_numpy())


def beside(parts: Sequence[Results]) -> Results:
    """Concatenates the estimates of several parts; equal keys are allowed."""
    estimates = joined([part.estimates for part in parts])
    drawn = side_by_side([part.drawn for part in parts])
    return Results(estimates, drawn, np.concatenate([part.draws for part in parts]))


def _refuse_contradictions(table: pd.DataFrame) -> None:
    """Raises UserError if two rows have the same keys and different values."""
    twins = table[table.duplicated(KEYS, keep=False)]
    counts = twins.groupby(KEYS, dropna=False)["value"].nunique()
    contradicted = counts[counts > 1]
    if len(contradicted):
        keys = _named(dict(zip(KEYS, contradicted.index[0], strict=True)))
        raise UserError(f"two runs have different values of one estimate ({keys}): choose one run")


# ---- a table to read


def depth_table(
    ours: pd.DataFrame,
    published: pd.DataFrame,
    measure: str,
    depths: tuple[float, ...] = (0, 0.25, 0.5, 0.75, 1),
    **keys: str,
) -> pd.DataFrame:
    """Tabulates one measure of every model at relative depths (nearest layer), ours | published.

    Models stand in the order of their families, as in every figure.
    keys: further key columns that a row must have (estimator=...).
    """
    columns = {}
    for source, table in (("ours", ours), ("published", published)):
        rows = where(table, measure=measure, **keys)
        for model in by_family(rows):
            values = rows[rows["model"] == model].set_index("layer")["value"]
            layers = np.rint(np.array(depths) * values.index.max()).astype(int)
            columns[source, model] = values.reindex(layers).to_numpy()
    return pd.DataFrame(columns, index=pd.Index(depths, name="depth"))
