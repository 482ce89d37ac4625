"""Writes and reads the record of a notebook's run: provenance.json."""

import functools
import importlib.metadata
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from cwr.report.reading import json_object, readable

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
KINDS = {
    "parameters": dict,
    "versions": dict,
    "hardware": dict,
    "models": list,
    "seconds": int | float,
}
STARTED = time.time()


def record(notebook: str, parameters: dict, encoders: Iterable, runs: Iterable) -> dict:
    """Returns the record of a run: notebook, parameters, models, versions, hardware, commit.

    notebook, parameters, encoders, runs: as in `results.write`.
    """
    return {
        "notebook": notebook,
        "parameters": parameters,
        "models": [_identity(encoder) for encoder in encoders],
        "batch_plans": [run.plan for run in runs],
        **_environment(),
    }


def read(folder: Path, *keys: str) -> dict:
    """Reads the record in a folder of results.

    keys: names in KINDS that the record must have besides "parameters". Raises UserError, with the
        file, if it is missing or damaged, or a key has another type.
    """
    file = folder / "provenance.json"
    content = json_object(file)
    with readable(file):
        for key in ("parameters", *keys):
            if not isinstance(content[key], KINDS[key]):
                raise TypeError(key)
        for model in content.get("models", []):
            (model["name"], model["family"], model["device"], model["contract"][-1])
    return content


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
    """Returns versions, hardware, seconds since this module was imported, and the commit."""
    return {
        "versions": {"python": platform.python_version()} | _versions(),
        "hardware": {"system": platform.platform(), "cores": os.cpu_count(), "gpu": _gpu()},
        "seconds": round(time.time() - STARTED, 1),
        "commit": commit(),
    }


def _versions() -> dict[str, str]:
    """Returns the versions of the installed VERSIONS (without models there is no torch)."""
    distributions = importlib.metadata.distributions()
    installed = {package.metadata["Name"].lower(): package.version for package in distributions}
    return {name: installed[name] for name in VERSIONS if name in installed}


def _gpu() -> str | None:
    """Returns the GPU's name if torch was imported and sees one; else None."""
    torch = sys.modules.get("torch")
    return torch.cuda.get_device_name() if torch and torch.cuda.is_available() else None


@functools.cache
def commit() -> str | None:
    """Returns the commit of the checkout; None outside one."""
    git = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True
    )
    return None if git.returncode else git.stdout.strip()
