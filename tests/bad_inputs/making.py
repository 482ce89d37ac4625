"""What the tables break: results as a notebook leaves them, and any file of a checkout."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cwr.report import results

NAME = "ethayarajh2019/01_anisotropy"
ITSELF = "ethayarajh2019/00_the_paper_against_itself"
PROFILE = "notebooks/profiles/small.yaml"
Break = Callable[[Path], None]


def estimates(model: str) -> list[dict]:
    """Cosines of random words in seven layers, rising."""
    draws = np.random.default_rng(0).normal(0, 0.01, 50)
    keys = {
        "model": model,
        "family": "masked",
        "measure": "anisotropy_baseline",
        "dataset": "lee",
    }
    values = [0.2 + layer / 50 for layer in range(7)]
    return [
        {**keys, "layer": layer, "value": value, "replicates": value + draws}
        for layer, value in enumerate(values)
    ]


def leave(folder: Path, model: str) -> Path:
    """Results as a notebook leaves them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CWR_RESULTS", str(folder))
        results.write(NAME, estimates(model), {"models": [model], "corpus": "lee"})
    return folder


def write(name: str, content: str | bytes) -> Break:
    """Give a file of the checkout other content."""

    def breaking(checkout: Path) -> None:
        file = checkout / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    return breaking


def both(*steps: Break) -> Break:
    """One step after the other."""

    def breaking(checkout: Path) -> None:
        for step in steps:
            step(checkout)

    return breaking


def profile_sets(parameter: str) -> Break:
    """A profile that sets a parameter for all notebooks."""
    return write(PROFILE, f"default:\n  {parameter}\n")
