"""What all tests share: the folder of other people's files, where it is at hand, and the device."""

import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
os.environ.setdefault("DEVICE", "cpu")
settings.register_profile("house", deadline=None)  # how long a test takes fails none
settings.load_profile("house")
LAYERS = 3  # of an extraction that is made up


@pytest.fixture(scope="session")
def device() -> str:
    """Where encoders, extraction and training are tested: DEVICE, which device="auto" takes too."""
    return os.environ["DEVICE"]


@pytest.fixture(scope="session")
def near(device) -> float:
    """Largest share of its length by which a float32 vector may differ from its like.

    On a CPU only sums in another order differ; on a GPU each shape of a batch has its own kernel.
    """
    return 1e-5 if device == "cpu" else 1e-4


@pytest.fixture(scope="session")
def tokenise():
    """`corpora.tokenise`; tests that ask for it are skipped where spaCy is not installed."""
    pytest.importorskip(
        "spacy", reason="needs spaCy, which finds words: pip install spacy"
    )
    from cwr import corpora

    return corpora.tokenise


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder `shared` beside the repository, or the one named in CWR_SHARED; tests that ask for it are skipped
    where it is missing, or where CWR_NO_SHARED=1 says to do as if it were."""
    folder = Path(os.environ.get("CWR_SHARED", ROOT.parent / "shared"))
    if os.environ.get("CWR_NO_SHARED") == "1":
        pytest.skip(
            "needs the folder ../shared, which CWR_NO_SHARED=1 puts out of reach: unset it"
        )
    if not (folder / "data" / "mirror").is_dir():
        pytest.skip(
            "needs the folder ../shared with the mirrored data files: name its folder in CWR_SHARED"
        )
    return folder


def made_up(sizes: dict[str, int], dim: int = 5, offset: float = 0.5) -> SimpleNamespace:
    """What an extraction of these groups would hold, vectors and sums, from random vectors.

    sizes: how many targets each group has; every target stands first in a sentence of its own.
    """
    import pandas as pd

    from cwr.extraction.answer import Sums
    from cwr.measures.contextuality import unit_rows

    rng = np.random.default_rng(len(sizes))
    group = np.repeat(list(sizes), list(sizes.values()))
    table = pd.DataFrame(
        {"sentence": np.arange(len(group)), "first": 0, "last": 0, "group": group}
    )
    stored = rng.normal(size=(LAYERS, len(group), dim)) + offset
    names = tuple(sorted(sizes))

    def sums(layer: int) -> Sums:
        parts = [stored[layer][group == name] for name in names]
        unit_sums = [
            unit_rows(part).sum(axis=0) if len(part) else np.zeros(dim) for part in parts
        ]
        return Sums(
            np.array(unit_sums),
            np.array([part.sum(axis=0) for part in parts]),
            np.array([len(part) for part in parts]),
        )

    return SimpleNamespace(
        table=table,
        n_layers=LAYERS - 1,
        groups=lambda: names,
        sums=sums,
        vectors=lambda layer: stored[layer],
    )


@pytest.fixture
def extraction():
    """`made_up`: vectors that we choose, without a model."""
    return made_up
