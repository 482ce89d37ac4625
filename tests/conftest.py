"""What all tests share: the folder of other people's files, where it is at hand, and the device."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
os.environ.setdefault("DEVICE", "cpu")
settings.register_profile("house", deadline=None)  # how long a test takes fails none
settings.load_profile("house")


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
    pytest.importorskip("spacy", reason="needs spaCy, which finds words: pip install spacy")
    from cwr import corpora

    return corpora.tokenise


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder `shared` beside the repository, or the one named in CWR_SHARED; tests that ask for it are skipped
    where it is missing, or where CWR_NO_SHARED=1 says to do as if it were."""
    folder = Path(os.environ.get("CWR_SHARED", ROOT.parent / "shared"))
    if os.environ.get("CWR_NO_SHARED") == "1":
        pytest.skip("needs the folder ../shared, which CWR_NO_SHARED=1 puts out of reach: unset it")
    if not (folder / "data" / "mirror").is_dir():
        pytest.skip(
            "needs the folder ../shared with the mirrored data files: name its folder in CWR_SHARED"
        )
    return folder
