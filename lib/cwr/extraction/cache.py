"""The cache of extractions: one folder per key, written atomically, bounded, safe to delete.

A key is the sha256 of all that decides the numbers: the model, the text, the targets, and the
library's code that a pass runs. Only the process that holds a key's lock writes or removes the
key's folder. A killed process leaves a scratch folder, which the next process clears.
"""

import contextlib
import functools
import hashlib
import json
import mmap
import os
import shutil
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import filelock
import numpy as np

from cwr import paths, source_code

# Classes of encoders, and where in their room they stand.
KINDS = (("transformer.py", "TransformerEncoder"), ("elmo/encoder.py", "ELMoEncoder"))
ABOUT = "entry.json"  # written last: the key, sizes and checksums of all files, and its own
LOCKS = "locks"  # the folder of the locks, beside the entries
SCRATCH, SET_ASIDE = ".*.part-*", ".*.old-*"  # how `paths.replacing` names its folders
CHUNK = 1 << 20  # bytes of a file that are summed at once
HELD = 64 << 20  # bytes written to mapped arrays, before their pages are released
T = TypeVar("T")


@dataclass(frozen=True)
class Entry:
    """A cached extraction: size in bytes, last use in seconds since the epoch, and content."""

    key: str
    bytes: int
    last_used: float
    model: str
    corpus: str


def key(ingredients: dict) -> str:
    """Computes the sha256 of the canonical JSON of the ingredients."""
    text = json.dumps(ingredients, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


@functools.cache
def sources(kind: type, lib: Path = source_code.LIBRARY) -> str:
    """Computes a digest of the code that decides what a pass of a class of encoder finds.

    The digest covers what passes, and the opening of a model, depend on in the rooms `encoders` and
    `extraction`. It leaves out what only other classes of encoders need.
    """
    room = lib / "cwr" / "encoders"
    kinds = {name: source_code.behind([(room / file, name)], lib) for file, name in KINDS}
    classes = [each.__name__ for each in kind.__mro__ if each.__name__ in kinds]
    own = kinds[classes[0]] if classes else set()
    passes = (lib / "cwr" / "extraction" / "passes.py", "together")
    found = source_code.behind([passes, (room / "loading.py", "open_encoder")], lib)
    found -= set().union(*kinds.values()) - own
    rooms = (room, lib / "cwr" / "extraction")
    return source_code.digest(
        [each for each in found if any(room in each[0].parents for room in rooms)], lib
    )


@contextlib.contextmanager
def reserved(keys: Collection[str], wait: bool = True) -> Iterator[bool]:
    """Holds the locks of these keys inside the block, as `locked`, and yields whether it does.

    On leaving without an error the cache is brought below its limit; the entries of these keys
    stay. Raises UserError for a limit that is no number, and for a cache that cannot be written.
    """
    limit = paths.cache_limit()
    with paths.writing_cache(), locked(keys, wait) as is_ours:
        yield is_ours
    if is_ours:
        _tidy(limit, keep=keys)


@contextlib.contextmanager
def locked(keys: Collection[str], wait: bool = True) -> Iterator[bool]:
    """Holds the locks of these keys inside the block: no other process changes their folders.

    All processes take the locks in the order of the keys, and those of blocks after those of
    answers, which avoids deadlocks. wait: for locks that other processes hold. Yields True; without
    `wait` False if another process holds a lock, and then holds none.
    """
    with contextlib.ExitStack() as locks:
        is_ours = _take(keys, wait, locks)
        if not is_ours:
            locks.close()
        yield is_ours


def _take(keys: Collection[str], wait: bool, locks: contextlib.ExitStack) -> bool:
    """Takes the locks of these keys; False, perhaps with some of them, if one cannot be had."""
    try:
        for name in sorted(keys):
            locks.enter_context(_lock(name, wait))
    except filelock.Timeout:
        return False
    return True


def holds(name: str) -> bool:
    """Tells whether the cache has the whole entry of a key, which the caller has reserved."""
    return _is_whole(_root() / name)


def note(name: str) -> dict | None:
    """Returns the note of `writing` about an entry; None without a sound one.

    Another process may change the entry. The other files are not checked.
    """
    return _note(_root() / name)


def size(name: str) -> int:
    """Returns the bytes of an entry by its note, 0 without one."""
    return sum(n_bytes for n_bytes, _ in (note(name) or {"files": {}})["files"].values())


def free() -> int:
    """Returns the free bytes of the cache's disk."""
    return shutil.disk_usage(_root()).free


@contextlib.contextmanager
def writing(name: str, about: dict) -> Iterator[Path]:
    """Yields an empty folder, which becomes the entry of a key if the block ends without an error.

    The caller has reserved the key; an older entry of the key is replaced. On a disk of this machine
    files are not flushed: the system writes them when it likes, and `holds` finds what the power
    took. On any other they are, since another machine may read them next.
    about: JSON that is kept with the entry. `entries` shows its "model" and "corpus". A part of an
    answer has the answer's key in "of", and is not removed while that key is reserved.
    Raises OSError if the disk is full or read-only; then nothing is left.
    """
    with paths.replacing(_root() / name, durable=not paths.is_local(_root())) as scratch:
        yield scratch
        written = list(scratch.iterdir())
        files = dict(zip([file.name for file in written], _measured(written), strict=True))
        note = {**about, "key": name, "files": files}
        text = json.dumps({**note, "checksum": _checksum(note)}, indent=1)
        (scratch / ABOUT).write_text(text, encoding="utf-8")


def read(name: str, reader: Callable[[Path], T]) -> T:
    """Applies a reader to the folder of a key and returns the result.

    The caller has reserved the key, so nobody removes the files. The call is the entry's last use.
    """
    folder = _root() / name
    os.utime(folder / ABOUT)
    return reader(folder)


def entries() -> list[Entry]:
    """Lists all entries, the least recently used first; a damaged one has the model "damaged".

    Raises UserError for a cache path that is a file, or lies below one.
    """
    paths.refuse_cache_in_file()
    listed = []
    for folder in _root().glob("[!.]*/"):  # those with a dot are being written
        if folder.name != LOCKS:
            with contextlib.suppress(OSError):  # another process may be removing it
                listed.append(_entry(folder))
    return sorted(listed, key=lambda entry: (entry.last_used, entry.key))


def _entry(folder: Path) -> Entry:
    """Reads the entry of a folder. Raises OSError if the folder disappears meanwhile."""
    note = {"model": "damaged", "corpus": ""} | (_note(folder) or {})
    sizes = {file.name: file.stat().st_size for file in folder.iterdir()}
    dated = folder / ABOUT if ABOUT in sizes else folder
    size = sum(sizes.values()) - sizes.get(ABOUT, 0)
    return Entry(folder.name, size, dated.stat().st_mtime, note["model"], note["corpus"])


def empty() -> int:
    """Removes every entry that no other process is writing; returns the number of bytes freed."""
    _clear_scratch()
    return sum(entry.bytes for entry in entries() if remove(entry.key))


def remove(name: str) -> bool:
    """Removes a key's entry unless another process is at it; tells whether it did.

    A process is at a part of an answer (see `writing`) while it holds the lock of the answer.
    """
    part_of = (note(name) or {}).get("of")
    return _remove(_root() / name, [name, part_of] if part_of else [name])


def discard(*names: str) -> None:
    """Removes the entries of keys; the caller has reserved them, or the answer they are parts of."""
    for name in names:
        shutil.rmtree(_root() / name, ignore_errors=True)


def new_array(file: Path, shape: tuple[int, ...], dtype: str) -> np.memmap:
    """Creates a .npy file of zeros, mapped into memory; its disk space is allocated at once.

    Raises OSError if the disk is full: without the allocation a full disk kills the process later.
    """
    array = np.lib.format.open_memmap(file, mode="w+", dtype=dtype, shape=shape)
    if hasattr(os, "posix_fallocate"):
        with file.open("r+b") as opened:
            os.posix_fallocate(opened.fileno(), 0, file.stat().st_size)
    return array


def release(array: np.ndarray) -> None:
    """Releases the memory pages of a mapped array; the system keeps them while it has room.

    Written values are kept: the pages belong to the file. Without this call a process would hold
    all arrays of a pass, even beyond its memory. Does nothing for other arrays.
    """
    if isinstance(array, np.memmap) and array.size:
        array._mmap.madvise(mmap.MADV_DONTNEED)


class Mapped:
    """The mapped arrays that a pass writes: their pages are released after each 64 MB.

    A release after each write would have the pages of frequent words read again in each batch.
    """

    def __init__(self):
        self._arrays, self._written = [], 0

    def new_array(self, file: Path, shape: tuple[int, ...], dtype: str) -> np.memmap:
        """Creates an array of the pass, as the function `new_array`."""
        self._arrays.append(new_array(file, shape, dtype))
        return self._arrays[-1]

    def wrote(self, n_bytes: int) -> None:
        """Counts bytes that were written to the arrays, and releases all pages if it is time."""
        self._written += n_bytes
        if self._written >= HELD:
            self._written = 0
            for array in self._arrays:
                release(array)


def _root() -> Path:
    return paths.cache_root() / "extraction"


def _lock(name: str, wait: bool = True) -> filelock.BaseFileLock:
    """Returns a key's lock. Lock files are never removed, or two processes could hold one lock."""
    locks = _root() / LOCKS
    locks.mkdir(parents=True, exist_ok=True)
    return filelock.FileLock(locks / f"{name}.lock", timeout=-1 if wait else 0)


def _is_whole(folder: Path) -> bool:
    """Tells whether all files are as they were written; if not, the entry is made again."""
    note = _note(folder)
    try:
        if note is None:
            return False
        return _measured([folder / name for name in note["files"]]) == [*note["files"].values()]
    except OSError:
        return False


def _note(folder: Path) -> dict | None:
    """Returns the note of `writing` about a folder's files; None if it is damaged, or is of another
    key: a renamed folder has the numbers of another extraction.
    """
    try:
        note = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        is_whole = note.pop("checksum") == _checksum(note)
        return note if is_whole and note["key"] == folder.name else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # no file, no JSON, no dict
        return None


def _checksum(note: dict) -> int:
    return zlib.crc32(json.dumps(note, sort_keys=True).encode())


def _measured(files: Sequence[Path]) -> list[list[int]]:
    """Measures [bytes, CRC-32] of each file, which finds a flipped bit; several files at once."""
    with ThreadPoolExecutor() as threads:
        return list(threads.map(_measured_one, files))


def _measured_one(file: Path) -> list[int]:
    state = file.stat()
    return _summed(file, state.st_ino, state.st_size, state.st_mtime_ns)


@functools.cache
def _summed(file: Path, *state: int) -> list[int]:
    """Computes what `_measured` returns, at a gigabyte per second.

    A process reads a file once, while its state (inode, size, date) stays the same.
    """
    checksum = 0
    with file.open("rb") as opened:
        while chunk := opened.read(CHUNK):
            checksum = zlib.crc32(chunk, checksum)
        return [opened.tell(), checksum]


def _remove(folder: Path, names: Collection[str]) -> bool:
    """Removes a folder unless another process holds one of these locks; tells whether it did."""
    with locked(names, wait=False) as is_ours:
        if is_ours:
            shutil.rmtree(folder, ignore_errors=True)
    return is_ours


def _clear_scratch() -> None:
    """Removes the folders that killed processes were writing, or setting aside."""
    for pattern in (SCRATCH, SET_ASIDE):
        for folder in _root().glob(pattern):
            _remove(folder, [folder.name.split(".")[1]])


def _tidy(limit: float, keep: Collection[str]) -> None:
    """Removes scratch folders, and the least recently used entries beyond the limit."""
    _clear_scratch()
    present = entries()
    excess = sum(entry.bytes for entry in present) - limit
    for entry in present:
        if excess > 0 and entry.key not in keep and remove(entry.key):
            excess -= entry.bytes
