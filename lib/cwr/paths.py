"""Where cwr reads and writes outside the repository (four environment variables, read here only),
and the one way to write a folder or a file: aside, flushed to the disk, renamed."""

import contextlib
import errno
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

FIGURES = "figures"  # folder beside a notebook's results: drawings, their numbers, live data


def cache_root() -> Path:
    """Folder of everything that can be made again: CWR_CACHE, else the user's cache folder.
    Deleting it is safe.
    """
    import platformdirs  # not at the top: a taste of the book needs NumPy and pandas alone

    named = os.environ.get("CWR_CACHE")
    return Path(named).expanduser() if named else Path(platformdirs.user_cache_dir("cwr"))


def data_roots() -> list[Path]:
    """Folders named in CWR_DATA (separated as in PATH), in which data files are looked for before
    any download.
    """
    named = os.environ.get("CWR_DATA", "")
    return [Path(folder).expanduser() for folder in named.split(os.pathsep) if folder]


def cache_limit() -> float:
    """Bytes that cached extractions may take: CWR_CACHE_GB gigabytes, else 20. ValueError if it is
    none.
    """
    named = os.environ.get("CWR_CACHE_GB") or "20"
    limit = float(named) * 1e9
    if not limit >= 0:  # refuses NaN too
        raise ValueError(f"{named} is not a size")
    return limit


def results_folder() -> Path | None:
    """Folder of the running notebook's results: CWR_RESULTS, which the workflow sets; else None."""
    named = os.environ.get("CWR_RESULTS")
    return Path(named) if named else None


def figure_file(name: str) -> Path | None:
    """Where a figure's file `name` goes: in `figures`, beside the results of the running notebook.

    None outside the workflow, where a figure leaves no file.
    """
    results = results_folder()
    if results is None:
        return None
    folder = results / FIGURES
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name


def unwritable(error: OSError) -> str:
    """What the system said no to, in a sentence with what to do."""
    file = f" {error.filename}" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk is full, cannot write{file}: free some space and repeat the command"
    return (
        f"cannot read or write{file} ({error.strerror or error}): mend that and repeat the command"
    )


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """An empty scratch folder beside `target`; it takes the place of `target` when the block ends
    without an error.

    What is in `target` is whole at any time, whenever the process is killed or the power goes: the
    files are flushed to the disk before the rename. After an error the scratch folder is removed
    and `target` is as it was.
    Scratch folders of processes that were killed are removed when the same target is written again.
    Raises OSError if the disk is full or the folder cannot be written.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    recover(target)
    scratch = _beside(target, "part")
    scratch.mkdir()
    try:
        yield scratch
        _flush(scratch)
        _swap(scratch, target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def write_text(file: Path, text: str) -> None:
    """Write a text file in UTF-8, as `write_bytes`."""
    write_bytes(file, text.encode("utf-8"))


def write_bytes(file: Path, content: bytes) -> None:
    """Write a file that is whole at any time: the old content or the new one, never half of it.

    Its folder is made, and what killed writers of it left is removed. Raises OSError if the disk is
    full or the folder cannot be written; the file is then as it was.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    for abandoned in _left_behind(file, "part"):
        abandoned.unlink(missing_ok=True)
    scratch = _beside(file, "part")
    try:
        scratch.write_bytes(content)
        _flush_one(scratch)
        scratch.replace(file)
        _flush_one(file.parent)
    finally:
        scratch.unlink(missing_ok=True)


def recover(target: Path) -> None:
    """Undo what a killed process left of `target`: its scratch folders go, and an old folder that
    it had set aside comes back if the new one never took its place."""
    for old in _left_behind(target, "old"):
        if target.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(target)
    for scratch in _left_behind(target, "part"):
        shutil.rmtree(scratch, ignore_errors=True)


def _beside(target: Path, role: str) -> Path:
    return target.with_name(f".{target.name}.{role}-{os.getpid()}")


def _left_behind(target: Path, role: str) -> list[Path]:
    """What lies in this role beside the target, if its process is dead or is this one."""
    remains = target.parent.glob(f".{target.name}.{role}-*")
    return [path for path in remains if _is_abandoned(path)]


def _is_abandoned(path: Path) -> bool:
    """Whether the process that made a file or folder is gone; its number may be a zombie's or a
    younger process's by now.
    """
    import psutil  # not at the top, as above

    number = int(re.search(r"\d+$", path.name)[0])
    if number == os.getpid():
        return True
    try:
        process = psutil.Process(number)
        return (
            process.status() == psutil.STATUS_ZOMBIE or process.create_time() > path.stat().st_mtime
        )
    except (psutil.NoSuchProcess, FileNotFoundError):
        return True


def _flush(folder: Path) -> None:
    """Every file and folder below `folder`, itself included, is on the disk when this returns."""
    for path in [folder, *folder.rglob("*")]:
        _flush_one(path)


def _flush_one(path: Path) -> None:
    """This file or folder is on the disk when this returns."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _swap(scratch: Path, target: Path) -> None:
    old = _beside(target, "old")
    if target.exists():
        target.rename(old)
    scratch.rename(target)
    shutil.rmtree(old, ignore_errors=True)
