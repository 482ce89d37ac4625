"""The cache of extractions: one folder a key, written aside and renamed, bounded, safe to delete at any time.

A key is the sha256 of everything that decides the numbers, the library's own source files on the path
included. A process that holds a key's lock is the only one that writes or removes its folder; a killed
one leaves a scratch folder, which the next one clears.
"""
import contextlib
import errno
import functools
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import filelock
import numpy as np

from cwr import paths
from cwr.errors import UserError

CWR = Path(__file__).parents[1]
ROOMS = (CWR / "extraction", CWR / "encoders")               # a corpus' code shows in its fingerprint
ABOUT = "entry.json"                                         # written last: sizes of all other files
T = TypeVar("T")


@dataclass(frozen=True)
class Entry:
    """One cached extraction: size in bytes, seconds since the epoch of its last use, and what it holds."""

    key: str
    bytes: int
    last_used: float
    model: str
    corpus: str


def key(ingredients: dict) -> str:
    """sha256 of the canonical JSON of the ingredients."""
    text = json.dumps(ingredients, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


@functools.cache
def sources(rooms: Sequence[Path] = ROOMS) -> str:
    """sha256 over the library's files that decide the numbers, by name and content."""
    digest = hashlib.sha256()
    for file in sorted(file for room in rooms for file in room.rglob("*.py")):
        digest.update(f"{file.parent.name}/{file.name}\n".encode() + file.read_bytes() + b"\n")
    return digest.hexdigest()


def entry(name: str, about: dict, write: Callable[[Path], None], read: Callable[[Path], T]) -> T:
    """What `read` makes of the folder of a key; `write` fills it first if it is missing or damaged.

    name: the key. about: JSON for `entries` ("model", "corpus") and for whoever looks into the folder.
    `read` runs under the key's lock, so what it opens cannot be removed before it is open.
    Raises UserError if the cache folder cannot be written.
    """
    folder, limit = _root() / name, _limit()
    with _writable(), _lock(name):
        if not _whole(folder):
            _make(folder, about, write)
        os.utime(folder / ABOUT)
        found = read(folder)
    _tidy(limit, keep=name)
    return found


def entries() -> list[Entry]:
    """All whole entries, the least recently used first."""
    found = []
    for folder in _root().glob("*/"):
        with contextlib.suppress(OSError, ValueError, KeyError):
            about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
            size, used = sum(about["files"].values()), (folder / ABOUT).stat().st_mtime
            found.append(Entry(folder.name, size, used, about["model"], about["corpus"]))
    return sorted(found, key=lambda each: (each.last_used, each.key))


def empty() -> int:
    """Removes every entry that no other process is writing; the number of bytes freed."""
    _clear_scratch()
    return sum(each.bytes for each in entries() if _remove(each.key))


def array(file: Path, shape: tuple[int, ...], dtype: str) -> np.memmap:
    """A new .npy file of zeros, mapped into memory; its space is taken from the disk at once."""
    made = np.lib.format.open_memmap(file, mode="w+", dtype=dtype, shape=shape)
    if hasattr(os, "posix_fallocate"):                       # else a full disk would kill the process later
        with file.open("r+b") as opened:
            os.posix_fallocate(opened.fileno(), 0, file.stat().st_size)
    return made


def _root() -> Path:
    return paths.cache_root() / "extraction"


def _lock(name: str, wait: bool = True) -> filelock.BaseFileLock:
    """Lock files stay where they are: removing one while somebody waits for it would let two in."""
    locks = _root() / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    return filelock.FileLock(locks / f"{name}.lock", timeout=-1 if wait else 0)


def _whole(folder: Path) -> bool:
    """Whether all files are there with their full size: a truncated one is noticed, and made again."""
    try:
        files = json.loads((folder / ABOUT).read_text(encoding="utf-8"))["files"]
        return all((folder / name).stat().st_size == size for name, size in files.items())
    except (OSError, ValueError, KeyError):
        return False


def _make(folder: Path, about: dict, write: Callable[[Path], None]) -> None:
    scratch = folder.with_suffix(".part")
    shutil.rmtree(scratch, ignore_errors=True)               # of a killed run: we hold its lock
    shutil.rmtree(folder, ignore_errors=True)
    scratch.mkdir(parents=True)
    try:
        write(scratch)
        files = {file.name: file.stat().st_size for file in scratch.iterdir()}
        (scratch / ABOUT).write_text(json.dumps({**about, "files": files}, indent=1), encoding="utf-8")
        os.replace(scratch, folder)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise


@contextlib.contextmanager
def _writable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EACCES, errno.EROFS):
            raise
        raise UserError(f"cannot write the cache below {_root()} ({error.strerror}): free some space there, "
                        "or name another folder in CWR_CACHE") from None


def _remove(name: str) -> bool:
    """Removes an entry or scratch folder, unless another process holds its lock."""
    try:
        with _lock(name.removesuffix(".part"), wait=False):
            shutil.rmtree(_root() / name, ignore_errors=True)
            return True
    except filelock.Timeout:
        return False


def _clear_scratch() -> None:
    for folder in _root().glob("*.part"):
        _remove(folder.name)


def _limit() -> float:
    try:
        return paths.cache_limit()
    except ValueError as error:
        raise UserError(f"CWR_CACHE_GB is no number of gigabytes ({error}): set it to 20, say") from None


def _tidy(limit: float, keep: str) -> None:
    """Removes what killed runs left, and the least recently used entries beyond the limit, never `keep`."""
    _clear_scratch()
    present = entries()
    excess = sum(each.bytes for each in present) - limit
    for each in present:
        if excess > 0 and each.key != keep and _remove(each.key):
            excess -= each.bytes
