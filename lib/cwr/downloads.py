"""Finds data files on this machine or fetches them from pinned public addresses; checks them.

`downloads.csv` beside this file is the registry: one row per source file, with the data set it
belongs to, its path (OWNER/REPO/COMMIT/PATH), size, sha256, address and licence.
"""

import csv
import functools
import hashlib
import logging
import sys
from dataclasses import dataclass
from pathlib import Path

from cwr import paths
from cwr.errors import UserError, most_like

REGISTRY = Path(__file__).with_suffix(".csv")
TIMEOUT = 30  # seconds without an answer


@dataclass(frozen=True)
class Row:
    """A source file. path: OWNER/REPO/COMMIT/PATH. bytes: its size. url: contains the commit."""

    set: str
    path: str
    bytes: int
    sha256: str
    url: str
    licence: str


@functools.cache
def rows(set_name: str | None = None) -> tuple[Row, ...]:
    """Returns the registry's rows, all or for one data set, in the registry's order.

    Raises UserError for a data set that is not registered.
    """
    with REGISTRY.open(encoding="utf-8", newline="") as table:
        registered = [Row(**{**row, "bytes": int(row["bytes"])}) for row in csv.DictReader(table)]
    selected = tuple(row for row in registered if set_name in (None, row.set))
    if not selected:
        sets = sorted({row.set for row in registered})
        raise UserError(_unknown("data set", str(set_name), sets))
    return selected


def row_of(file: str) -> Row:
    """Returns the registry's row of the file with this name, in any folder.

    Raises ValueError unless exactly one row matches.
    """
    (row,) = [row for row in rows() if row.path.endswith(f"/{file}")]
    return row


def fetch(path_or_row: str | Row) -> Path:
    """Finds a registered file below CWR_DATA or in the cache, or downloads it; returns its path.

    Raises UserError, and leaves nothing behind, if the file is not registered, is damaged, cannot
    be reached or cannot be written.
    """
    row = path_or_row if isinstance(path_or_row, Row) else _row(path_or_row)
    return local_copy(row) or _download(row)


def local_copy(row: Row) -> Path | None:
    """Finds a row's file on this machine; None if it must be downloaded first.

    The file's checksum is tested; no network is used. Raises UserError for a damaged file in a
    folder of CWR_DATA, which the reader must replace; a damaged file in the cache counts as
    missing.
    """
    for root in paths.data_roots():
        file = root / row.path
        if file.is_file():
            _refuse_damaged(file, row)
            return file
    file = _cached(row)
    return file if file.is_file() and _damage(file, row) is None else None


def _row(path: str) -> Row:
    by_path = {row.path: row for row in rows()}
    if path not in by_path:
        raise UserError(_unknown("data file", path, list(by_path)))
    return by_path[path]


def _unknown(kind: str, name: str, registered: list[str]) -> str:
    found = most_like(name, registered) or registered[0]
    return f"no {kind} {name!r} is registered: did you mean {found!r}?"


def _cached(row: Row) -> Path:
    return paths.cache_root() / "downloads" / row.path


def _damage(file: Path, row: Row) -> str | None:
    """Returns what is wrong with a file, by size and sha256, as a phrase; None if it is sound."""
    size = file.stat().st_size
    if size != row.bytes:
        return f"has {size} bytes, not the registered {row.bytes}"
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    if digest != row.sha256:
        return f"has sha256 {digest[:12]}…, not the registered {row.sha256[:12]}…"
    return None


def _refuse_damaged(file: Path, row: Row) -> None:
    damage = _damage(file, row)
    if damage:
        raise UserError(
            f"{file}, found through CWR_DATA, {damage}: replace it with {row.url}, "
            "or take its folder out of CWR_DATA"
        )


def _download(row: Row) -> Path:
    """Downloads the file through pooch: written aside, checked, then renamed."""
    import pooch
    import requests

    target = _cached(row)
    pooch.get_logger().setLevel(logging.WARNING)  # a progress bar is enough
    downloader = pooch.HTTPDownloader(progressbar=sys.stderr.isatty(), timeout=TIMEOUT)
    checksum = f"sha256:{row.sha256}"
    try:
        pooch.retrieve(row.url, checksum, target.name, target.parent, downloader=downloader)
    except (requests.RequestException, OSError, ValueError) as error:
        raise UserError(_failure(error, row)) from None
    return target


def _failure(error: Exception, row: Row) -> str:
    """Tells what went wrong with a download, and what to do, in a sentence."""
    import requests

    by_hand = "put the file at that path below a folder named in CWR_DATA"
    if isinstance(error, (requests.ConnectionError, requests.Timeout)):
        return f"cannot fetch {row.path} from {row.url} (no connection): go online, or {by_hand}"
    if isinstance(error, requests.HTTPError):
        status = error.response.status_code
        return f"cannot fetch {row.path} from {row.url} (the server answered {status}): {by_hand}"
    if isinstance(error, requests.RequestException):
        return (
            f"the download of {row.path} from {row.url} broke off early: run it again, or {by_hand}"
        )
    if isinstance(error, OSError):  # asked last: requests' errors are OSErrors too
        return (
            f"cannot write {row.path} below {paths.cache_root()} ({error.strerror}): "
            "free some space there, or name another folder in CWR_CACHE"
        )
    return (
        f"{row.url} sent a {row.path} without the registered sha256 {row.sha256[:12]}…: {by_hand}"
    )
