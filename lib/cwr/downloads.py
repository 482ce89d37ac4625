"""Data files from pinned public addresses: looked for locally first, always checked, never left half-written.

`downloads.csv` beside this file is the registry: one row a source file, with the data set it belongs
to, its place (OWNER/REPO/COMMIT/PATH), size, sha256, address and licence.
"""
import csv
import difflib
import functools
import hashlib
import logging
import sys
from dataclasses import dataclass
from pathlib import Path

from cwr import paths
from cwr.errors import UserError

REGISTRY = Path(__file__).with_suffix(".csv")


@dataclass(frozen=True)
class Row:
    """One source file: `path` is OWNER/REPO/COMMIT/PATH, `bytes` its size, `url` pinned to the commit."""

    set: str
    path: str
    bytes: int
    sha256: str
    url: str
    licence: str


@functools.cache
def rows(set_name: str | None = None) -> tuple[Row, ...]:
    """The registry's rows, or those of one data set, in the registry's order."""
    with REGISTRY.open(encoding="utf-8", newline="") as table:
        everything = tuple(Row(**{**row, "bytes": int(row["bytes"])}) for row in csv.DictReader(table))
    found = tuple(row for row in everything if set_name in (None, row.set))
    if not found:
        raise UserError(_unknown("data set", set_name, sorted({row.set for row in everything})))
    return found


def fetch(path_or_row: str | Row) -> Path:
    """A registered file on this machine: in a folder of CWR_DATA, else in the cache, else downloaded there.

    Raises UserError, and leaves nothing behind, if the file is not registered, is damaged, cannot be
    reached or cannot be written.
    """
    row = path_or_row if isinstance(path_or_row, Row) else _row(path_or_row)
    return found(row) or _download(row)


def found(row: Row) -> Path | None:
    """Where the file already lies, checked; None if it would have to be downloaded. Uses no network."""
    for root in paths.data_roots():
        place = root / row.path
        if place.is_file():
            _refuse_damaged(place, row)
            return place
    place = _cached(row)
    return place if place.is_file() and _damage(place, row) is None else None


def _row(path: str) -> Row:
    by_path = {row.path: row for row in rows()}
    if path not in by_path:
        raise UserError(_unknown("data file", path, list(by_path)))
    return by_path[path]


def _unknown(what: str, name: str | None, valid: list[str]) -> str:
    near = difflib.get_close_matches(str(name), valid, n=1, cutoff=0.5) or valid
    return f"no {what} {name!r} is registered: did you mean {near[0]!r}?"


def _cached(row: Row) -> Path:
    return paths.cache_root() / "downloads" / row.path


def _damage(place: Path, row: Row) -> str | None:
    """What is wrong with a file, or None. The size comes first: it costs nothing and tells more."""
    size = place.stat().st_size
    if size != row.bytes:
        return f"has {size} bytes, not the registered {row.bytes}"
    with place.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != row.sha256:
        return f"has sha256 {digest[:12]}…, not the registered {row.sha256[:12]}…"
    return None


def _refuse_damaged(place: Path, row: Row) -> None:
    damage = _damage(place, row)
    if damage:
        raise UserError(f"{place}, found through CWR_DATA, {damage}: replace it with {row.url}, or take its "
                        "folder out of CWR_DATA")


def _download(row: Row) -> Path:
    """The file from its address, through pooch: written aside, checked, then renamed."""
    import pooch
    import requests

    place = _cached(row)
    pooch.get_logger().setLevel(logging.WARNING)             # a progress bar is enough
    ask = pooch.HTTPDownloader(progressbar=sys.stderr.isatty(), timeout=30)
    try:
        pooch.retrieve(row.url, f"sha256:{row.sha256}", place.name, place.parent, downloader=ask)
    except (requests.RequestException, OSError, ValueError) as error:
        raise UserError(_told(error, row)) from None
    return place


def _told(error: Exception, row: Row) -> str:
    """What went wrong with a download, and what to do, in one sentence."""
    import requests

    place = "the file at that path below a folder named in CWR_DATA"
    if isinstance(error, (requests.ConnectionError, requests.Timeout)):
        return f"cannot fetch {row.path} from {row.url} (no connection): go online, or put {place}"
    if isinstance(error, requests.HTTPError):
        answer = error.response.status_code
        return f"cannot fetch {row.path} from {row.url} (the server answered {answer}): put {place}"
    if isinstance(error, requests.RequestException):
        return f"the download of {row.path} from {row.url} broke off early: run it again, or put {place}"
    if isinstance(error, OSError):                           # after requests' errors, which are OSErrors too
        return (f"cannot write {row.path} below {paths.cache_root()} ({error.strerror}): free some space "
                "there, or name another folder in CWR_CACHE")
    return f"{row.url} sent a {row.path} without the registered sha256 {row.sha256[:12]}…: put {place}"
