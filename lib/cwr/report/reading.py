"""Reads files that an earlier run left; each may be missing, half written or edited."""

import contextlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from cwr.errors import UserError

UNREADABLE = (
    OSError,
    EOFError,
    MemoryError,  # a head that promises an array of any size
    RecursionError,
    zipfile.BadZipFile,
    zlib.error,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
)


@contextlib.contextmanager
def readable(file: Path) -> Iterator[Path]:
    """Yields the file; raises UserError if reading it in the block shows it missing or damaged."""
    try:
        yield file
    except FileNotFoundError:
        raise UserError(f"{file} is missing: run its notebook again") from None
    except UNREADABLE:
        raise UserError(
            f"{file} is damaged: remove its folder and run the notebook again"
        ) from None


def json_object(file: Path) -> dict:
    """Reads the JSON object in a file. Raises UserError, with the file, if there is none."""
    with readable(file):
        content = json.loads(file.read_bytes())
        if not isinstance(content, dict):
            raise TypeError(content)
        return content
