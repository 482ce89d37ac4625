"""What all tests share: the folder of other people's files, where it is at hand."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


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
