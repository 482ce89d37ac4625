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

from cwr.errors import UserError
from cwr.measures import stats
from cwr.tables import KEYS, by_family, tidy, where

VERSIONS = ("numpy", "scipy", "pandas", "torch", "transformers", "tokenizers", "spacy", "gensim", "matplotlib")
RECOMPUTED = "recomputed from print"                        # `variant` of what follows from published numbers alone
STARTED = time.time()


@dataclass(frozen=True)
class Results:
    """Estimates and their replicates. D = the most draws that an estimate has, R = rows.

    table: one row an estimate (KEYS, value, low, high: the 95 % interval, NaN where there are no replicates), (R,).
    replicates: (D, R) float32; NaN below the draws that an estimate has, and where a draw gave no value.
    draws: how many draws each estimate has, (R,); 0 where it has none.
    """
    table: pd.DataFrame
    replicates: np.ndarray
    draws: np.ndarray

    @classmethod
    def of(cls, table: pd.DataFrame, replicates: np.ndarray) -> "Results":
        """Estimates whose columns of replicates, (D, R), are full or, without replicates, all NaN."""
        return cls(table, replicates, len(replicates) * (~np.isnan(replicates).all(axis=0)))

    def of_model(self, model: str) -> "Results":
        """The estimates of one model."""
        return self.where((self.table["model"] == model).to_numpy())

    def without_variants(self) -> "Results":
        """The estimates under no variant: what claims are judged on."""
        return self.where(self.table["variant"].isna().to_numpy())

    def where(self, keep: np.ndarray) -> "Results":
        """The rows that `keep` (R,) bool names."""
        return Results(self.table[keep].reset_index(drop=True), self.replicates[:, keep], self.draws[keep])

    def fewest(self, keep: np.ndarray) -> int:
        """The draws that all of these rows have, (R,) bool; rows without any do not count. 0 if none has any."""
        draws = self.draws[keep]
        return int(draws[draws > 0].min(initial=len(self.replicates))) if (draws > 0).any() else 0


def collect(rows: Iterable[dict]) -> Results:
    """Estimates from rows with any of KEYS, `value`, and `replicates` (draws,) or None; sorted by KEYS.

    Values are rounded to 4 decimals, which is what two machines agree on. Raises ValueError for no rows, for two
    estimates under the same keys, and for replicates of different lengths.
    """
    rows = list(rows)
    drawn = {len(row["replicates"]) for row in rows if row.get("replicates") is not None} or {0}
    if not rows or len(drawn) > 1:
        raise ValueError(f"results need rows with replicates of one length, got {len(rows)} rows, lengths {drawn}")
    table = tidy([{k: v for k, v in row.items() if k != "replicates"} for row in rows])
    if table.duplicated(KEYS).any():
        raise ValueError(f"two estimates have the same keys: {rows[int(table.duplicated(KEYS).argmax())]}")
    order = table.sort_values(KEYS, key=lambda c: c if c.name == "layer" else c.astype(str)).index
    nothing = np.full(drawn.pop(), np.nan)
    replicates = np.stack([nothing if rows[i].get("replicates") is None else rows[i]["replicates"] for i in order], 1)
    table = table.loc[order].reset_index(drop=True)
    empty = np.full(len(table), np.nan)
    table["low"], table["high"] = stats.interval(replicates) if len(replicates) else (empty, empty)
    table[["value", "low", "high"]] = table[["value", "low", "high"]].astype(float).round(4) + 0.0    # no -0.0
    return Results.of(table, replicates.astype(np.float32))


def write(notebook: str, rows: Iterable[dict], parameters: dict, encoders: Iterable = (),
          runs: Iterable = ()) -> Results:
    """Collect a notebook's estimates and write results.json, replicates.npz and provenance.json.

    notebook: "<paper>/<NN_name>". parameters: what `parameters.check` returned. encoders, runs: the encoders and
    extractions used, for the record (contracts, fingerprints, batch plans).
    The folder is CWR_RESULTS if set (the workflow sets it), else results/<notebook> below the working folder.
    """
    results = collect(rows)
    folder = Path(os.environ.get("CWR_RESULTS") or Path("results") / notebook)
    folder.mkdir(parents=True, exist_ok=True)
    estimates = [{key: value for key, value in row.items() if not pd.isna(value)}
                 for row in results.table.to_dict("records")]
    text = json.dumps({"notebook": notebook, "estimates": estimates}, indent=1, default=int)
    (folder / "results.json").write_text(text + "\n", encoding="utf8")
    np.savez_compressed(folder / "replicates.npz", replicates=results.replicates)
    provenance = {"notebook": notebook, "parameters": parameters, "models": [_identity(e) for e in encoders],
                  "batch_plans": [run.plan for run in runs], **_environment()}
    (folder / "provenance.json").write_text(json.dumps(provenance, indent=1, default=str) + "\n", encoding="utf8")
    return results


def read(folder: str | Path) -> Results:
    """The results that `write` left in a folder. Raises FileNotFoundError if there are none."""
    folder = Path(folder)
    estimates = json.loads((folder / "results.json").read_text(encoding="utf8"))["estimates"]
    table = tidy(estimates).reindex(columns=[*KEYS, "value", "low", "high"])
    with np.load(folder / "replicates.npz", allow_pickle=False) as stored:
        return Results.of(table, stored["replicates"])


def read_all(run: str | Path) -> Results | None:
    """The results of all notebooks below a run's folder, joined; None if there are none.

    A notebook that compares choices (estimates with and without a `variant`) is no measurement of its own: it is left
    to `verdicts.flips`.
    """
    parts = [read(path.parent) for path in sorted(Path(run).glob("*/*/results.json"))]
    return join(part for part in parts if not compares_choices(part)) if parts else None


def compares_choices(results: Results) -> bool:
    """Whether these are estimates of variants beside those of the choice that the chapter makes."""
    variants = results.table["variant"].notna()
    return bool(variants.any() and not variants.all())


def join(parts: Iterable[Results]) -> Results:
    """Several notebooks' results as one; each estimate keeps its own draws, and one met twice counts once.

    Raises UserError if two notebooks have different values of one estimate.
    """
    parts = list(parts)
    longest = max((len(part.replicates) for part in parts), default=0)
    table = pd.concat([part.table for part in parts], ignore_index=True)
    replicates = np.concatenate([_padded(part.replicates, longest) for part in parts], axis=1)
    _refuse_contradictions(table)
    joined = Results(table, replicates, np.concatenate([part.draws for part in parts]))
    return joined.where(~table.duplicated(KEYS).to_numpy())


def _padded(replicates: np.ndarray, draws: int) -> np.ndarray:
    """Replicates with rows of NaN below, (draws, R)."""
    missing = np.full((draws - len(replicates), replicates.shape[1]), np.nan, np.float32)
    return np.concatenate([replicates, missing])


def _refuse_contradictions(table: pd.DataFrame) -> None:
    twins = table[table.duplicated(KEYS, keep=False)]
    values = twins.groupby(KEYS, dropna=False)["value"].nunique()
    if (values > 1).any():
        first = dict(zip(KEYS, values.index[values.to_numpy() > 1][0], strict=True))
        keys = ", ".join(f"{key} {value}" for key, value in first.items() if not pd.isna(value))
        raise UserError(f"two runs have different values of one estimate ({keys}): choose one run")


def _identity(encoder) -> dict:
    return {"name": encoder.name, "family": encoder.family, "n_layers": encoder.n_layers, "dim": encoder.dim,
            "contract": list(encoder.contract), "fingerprint": encoder.fingerprint, "device": str(encoder.device)}


def _environment() -> dict:
    """Versions, hardware, seconds since the kernel imported this module, and the commit: for the record only."""
    git = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, cwd=Path(__file__).parent)
    torch = sys.modules.get("torch")
    gpu = torch.cuda.get_device_name() if torch and torch.cuda.is_available() else None
    return {"versions": {"python": platform.python_version()} | _versions(),
            "hardware": {"system": platform.platform(), "cores": os.cpu_count(), "gpu": gpu},
            "seconds": round(time.time() - STARTED, 1), "commit": None if git.returncode else git.stdout.strip()}


def _versions() -> dict[str, str]:
    """Those of VERSIONS that are installed (without models there is no torch)."""
    there = {each.metadata["Name"].lower(): each.version for each in importlib.metadata.distributions()}
    return {name: there[name] for name in VERSIONS if name in there}


def beside(ours: pd.DataFrame, published: pd.DataFrame, measure: str, depths=(0, 0.25, 0.5, 0.75, 1),
           **keys: str) -> pd.DataFrame:
    """A table to read: one measure of every model at some relative depths (nearest layer), ours | published.

    Models stand in the order of their families, as in every figure.
    keys: further key columns that a row must have (estimator=...), where the table has them.
    """
    parts = {}
    for source, table in (("ours", ours), ("published", published)):
        part = where(table, measure=measure, **keys)
        for model in by_family(part):
            layers = part[part["model"] == model].set_index("layer")["value"]
            nearest = np.rint(np.array(depths) * layers.index.max()).astype(int)
            parts[source, model] = layers.reindex(nearest).to_numpy()
    return pd.DataFrame(parts, index=pd.Index(depths, name="depth"))
