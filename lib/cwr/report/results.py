"""What a notebook leaves behind: estimates, replicates and provenance, in three files."""

import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from cwr import paths
from cwr.errors import UserError
from cwr.measures import stats
from cwr.tables import KEYS, by_family, tidy, where

VERSIONS = (
    "numpy",
    "scipy",
    "pandas",
    "torch",
    "transformers",
    "tokenizers",
    "spacy",
    "gensim",
    "matplotlib",
)
RECOMPUTED = "recomputed from print"  # `variant` of what follows from published numbers alone
STARTED = time.time()


@dataclass(frozen=True)
class Results:
    """Estimates and their replicates. D = the most draws that an estimate has, R = rows.

    table: (R,), one row an estimate: KEYS, value, and the 95 % interval low, high (NaN where there
    are no replicates).
    replicates: (D, R) float32; NaN below the draws that an estimate has, and where a draw gave no
    value.
    draws: (R,), how many draws each estimate has; 0 where it has none.
    """

    table: pd.DataFrame
    replicates: np.ndarray
    draws: np.ndarray

    @classmethod
    def of(cls, table: pd.DataFrame, replicates: np.ndarray) -> "Results":
        """Estimates that all have as many draws, or none: columns of NaN in replicates, (D, R)."""
        is_drawn = ~np.isnan(replicates).all(axis=0)  # (R,)
        return cls(table, replicates, len(replicates) * is_drawn)

    def of_model(self, model: str) -> "Results":
        """The estimates of one model."""
        return self.where((self.table["model"] == model).to_numpy())

    def without_variants(self) -> "Results":
        """The estimates under no variant: what claims are judged on."""
        return self.where(self.table["variant"].isna().to_numpy())

    def where(self, keep: np.ndarray) -> "Results":
        """The rows that `keep`, (R,) bool, names."""
        table = self.table[keep].reset_index(drop=True)
        return Results(table, self.replicates[:, keep], self.draws[keep])

    def fewest(self, keep: np.ndarray) -> int:
        """The draws that all rows of `keep`, (R,) bool, have; rows without any do not count.

        0 if none of them has any.
        """
        draws = self.draws[keep]
        drawn = draws[draws > 0]
        return int(drawn.min()) if len(drawn) else 0


# ---- from rows to files


def collect(rows: Iterable[dict]) -> Results:
    """Estimates from rows with any of KEYS, `value`, and `replicates`, (D,) or None.

    They are sorted by KEYS, and values are rounded to 4 decimals, which is what two machines agree
    on. Raises ValueError for no rows, for two estimates under the same keys, and for replicates of
    different lengths.
    """
    rows = list(rows)
    draws = _common_draws(rows)
    estimates = [{key: row[key] for key in row if key != "replicates"} for row in rows]
    table = tidy(estimates)
    if table.duplicated(KEYS).any():
        second = rows[int(table.duplicated(KEYS).argmax())]
        raise ValueError(f"two estimates have the same keys: {second}")
    order = table.sort_values(KEYS, key=_sortable).index
    columns = [_column(rows[number], draws) for number in order]
    replicates = np.stack(columns, axis=1)  # (D, R)
    return Results.of(_rounded(table.loc[order], replicates), replicates.astype(np.float32))


def _common_draws(rows: list[dict]) -> int:
    """How many replicates each row has that has any, D; 0 if none has.

    Raises ValueError for no rows and for replicates of different lengths.
    """
    lengths = {len(row["replicates"]) for row in rows if row.get("replicates") is not None} or {0}
    if not rows or len(lengths) > 1:
        raise ValueError(
            f"results need rows with replicates of one length, got {len(rows)} rows, "
            f"lengths {lengths}"
        )
    return lengths.pop()


def _sortable(column: pd.Series) -> pd.Series:
    """Layers as numbers, any other key as text."""
    return column if column.name == "layer" else column.astype(str)


def _column(row: dict, draws: int) -> np.ndarray:
    """The replicates of a row, (D,); NaN if it has none."""
    replicates = row.get("replicates")
    return np.full(draws, np.nan) if replicates is None else replicates


def _rounded(table: pd.DataFrame, replicates: np.ndarray) -> pd.DataFrame:
    """Estimates (R,) with the 95 % interval of their replicates (D, R), to 4 decimals."""
    table = table.reset_index(drop=True)
    low = high = np.full(len(table), np.nan)
    if len(replicates):
        low, high = stats.interval(replicates)  # (R,) and (R,)
    table["low"], table["high"] = low, high
    numbers = table[["value", "low", "high"]].astype(float)
    table[["value", "low", "high"]] = numbers.round(4) + 0.0  # no -0.0
    return table


def write(
    notebook: str,
    rows: Iterable[dict],
    parameters: dict,
    encoders: Iterable = (),
    runs: Iterable = (),
) -> Results:
    """Collect a notebook's estimates and write results.json, replicates.npz and provenance.json.

    notebook: "<paper>/<NN_name>". rows: as `collect`. parameters: what `parameters.check` returned.
    encoders, runs: the encoders and extractions used, for the record (contracts, fingerprints,
    batch plans).
    The folder is CWR_RESULTS if set (the workflow sets it), else results/<notebook> below the
    working folder. Raises ValueError as `collect`.
    """
    results = collect(rows)
    folder = paths.results_folder() or Path("results") / notebook
    folder.mkdir(parents=True, exist_ok=True)
    estimates = [_present(row) for row in results.table.to_dict("records")]
    _write_json(folder / "results.json", {"notebook": notebook, "estimates": estimates}, int)
    np.savez_compressed(folder / "replicates.npz", replicates=results.replicates)
    provenance = {
        "notebook": notebook,
        "parameters": parameters,
        "models": [_identity(encoder) for encoder in encoders],
        "batch_plans": [run.plan for run in runs],
        **_environment(),
    }
    _write_json(folder / "provenance.json", provenance, str)
    return results


def _present(row: dict) -> dict:
    """A row without its absent keys."""
    return {key: value for key, value in row.items() if not pd.isna(value)}


def _write_json(file: Path, content: dict, default: type) -> None:
    """Write JSON; `default` converts what JSON does not know."""
    text = json.dumps(content, indent=1, default=default)
    file.write_text(text + "\n", encoding="utf8")


# ---- the record of a run


def _identity(encoder) -> dict:
    return {
        "name": encoder.name,
        "family": encoder.family,
        "n_layers": encoder.n_layers,
        "dim": encoder.dim,
        "contract": list(encoder.contract),
        "fingerprint": encoder.fingerprint,
        "device": str(encoder.device),
    }


def _environment() -> dict:
    """Versions, hardware, seconds since the kernel imported this module, and the commit."""
    return {
        "versions": {"python": platform.python_version()} | _versions(),
        "hardware": {"system": platform.platform(), "cores": os.cpu_count(), "gpu": _gpu()},
        "seconds": round(time.time() - STARTED, 1),
        "commit": _commit(),
    }


def _versions() -> dict[str, str]:
    """Those of VERSIONS that are installed (without models there is no torch)."""
    distributions = importlib.metadata.distributions()
    installed = {package.metadata["Name"].lower(): package.version for package in distributions}
    return {name: installed[name] for name in VERSIONS if name in installed}


def _gpu() -> str | None:
    """The name of the GPU, if the notebook has imported torch and torch sees one."""
    torch = sys.modules.get("torch")
    return torch.cuda.get_device_name() if torch and torch.cuda.is_available() else None


def _commit() -> str | None:
    """The commit of the checkout; None outside one."""
    git = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True
    )
    return None if git.returncode else git.stdout.strip()


# ---- from files to results


def read(folder: str | Path) -> Results:
    """The results that `write` left in a folder. Raises FileNotFoundError if there are none."""
    folder = Path(folder)
    estimates = json.loads((folder / "results.json").read_text(encoding="utf8"))["estimates"]
    table = tidy(estimates).reindex(columns=[*KEYS, "value", "low", "high"])
    with np.load(folder / "replicates.npz", allow_pickle=False) as stored:
        return Results.of(table, stored["replicates"])


def read_all(run: str | Path) -> Results | None:
    """The results of all notebooks below a run's folder, joined; None if there are none.

    A notebook that compares choices (estimates with and without a `variant`) is no measurement:
    it is left to `verdicts.flips`. Raises UserError as `join`.
    """
    files = sorted(Path(run).glob("*/*/results.json"))
    notebooks = [read(file.parent) for file in files]
    measured = [results for results in notebooks if not compares_choices(results)]
    return join(measured) if notebooks else None


def compares_choices(results: Results) -> bool:
    """Whether these are estimates of variants beside those of the chapter's own choice."""
    variants = results.table["variant"].notna()
    return bool(variants.any() and not variants.all())


def join(notebooks: Iterable[Results]) -> Results:
    """Several notebooks' results as one; an estimate has the draws it had, and counts once.

    Raises UserError if two notebooks have different values of one estimate.
    """
    notebooks = list(notebooks)
    draws = max((len(results.replicates) for results in notebooks), default=0)
    table = pd.concat([results.table for results in notebooks], ignore_index=True)
    replicates = [_padded(results.replicates, draws) for results in notebooks]
    _refuse_contradictions(table)
    joined = Results(
        table,
        np.concatenate(replicates, axis=1),  # (D, R)
        np.concatenate([results.draws for results in notebooks]),
    )
    return joined.where(~table.duplicated(KEYS).to_numpy())


def _padded(replicates: np.ndarray, draws: int) -> np.ndarray:
    """Replicates with rows of NaN below, (draws, R)."""
    missing = np.full((draws - len(replicates), replicates.shape[1]), np.nan, np.float32)
    return np.concatenate([replicates, missing])


def _refuse_contradictions(table: pd.DataFrame) -> None:
    """Raise UserError if two rows have the same keys and different values."""
    twins = table[table.duplicated(KEYS, keep=False)]
    counts = twins.groupby(KEYS, dropna=False)["value"].nunique()
    contradicted = counts[counts > 1]
    if len(contradicted):
        first = zip(KEYS, contradicted.index[0], strict=True)
        keys = ", ".join(f"{key} {value}" for key, value in first if not pd.isna(value))
        raise UserError(f"two runs have different values of one estimate ({keys}): choose one run")


# ---- a table to read


def beside(
    ours: pd.DataFrame,
    published: pd.DataFrame,
    measure: str,
    depths: tuple[float, ...] = (0, 0.25, 0.5, 0.75, 1),
    **keys: str,
) -> pd.DataFrame:
    """One measure of every model at some relative depths (nearest layer), ours | published.

    Models stand in the order of their families, as in every figure.
    keys: further key columns that a row must have (estimator=...), where the table has them.
    """
    columns = {}
    for source, table in (("ours", ours), ("published", published)):
        rows = where(table, measure=measure, **keys)
        for model in by_family(rows):
            values = rows[rows["model"] == model].set_index("layer")["value"]
            layers = np.rint(np.array(depths) * values.index.max()).astype(int)
            columns[source, model] = values.reindex(layers).to_numpy()
    return pd.DataFrame(columns, index=pd.Index(depths, name="depth"))
