"""Finds folders and files outside the repository, and writes files and folders atomically.

Four environment variables name the folders; they are read only here.
"""

import contextlib
import errno
import os
import re
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

from cwr.errors import UserError, quoted

FIGURES = "figures"  # folder beside a notebook's results: drawings, their numbers, live data
EXPORT = "vectors"  # folder beside a notebook's results: word vectors for other programs
CHECKOUT = Path(__file__).resolve().parents[2]  # the book that this library belongs to, if any
LONGER = Path("book") / "reference" / "base"  # below a checkout: results of longer runs
# a disk that is full or closed; a cache that is a file, below one, a loop of links, or too long
CANNOT_WRITE = {
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EACCES, errno.EPERM, errno.EROFS),
    *(errno.ENOTDIR, errno.EEXIST, errno.ENOENT, errno.ELOOP, errno.ENAMETOOLONG),
}


# types of file systems on a machine's own disks; other machines may read files of any other type
LOCAL = {"apfs", "btrfs", "ext3", "ext4", "hfs", "NTFS", "overlay", "tmpfs", "xfs", "zfs"}


def named(text: str) -> Path | None:
    """Finds the file or folder that a text names, `~` resolved; None if there is none.

    Any text is accepted: a model's name, five thousand letters, an unknown user.
    """
    try:
        path = Path(text).expanduser()
        return path if path.exists() else None
    except (RuntimeError, OSError, ValueError):  # no such user, too long, no text of a path
        return None


def name_of(path: Path, reserved: Collection[str]) -> str:
    """Returns the name in results of a reader's file or folder: the last part of its path.

    Characters with a meaning in HTML, Markdown or a shell become "_". reserved: names with another
    meaning in the book; "file" or "folder" is put in front of these, and of blank names.
    """
    name = re.sub(r"[^\w.+@ -]", "_", path.resolve().name)
    kind = "folder" if path.is_dir() else "file"
    return f"{kind} {name}" if name in reserved or not name.strip() else name


def cache_root() -> Path:
    """Returns the folder of the cache: CWR_CACHE, else the user's cache folder.

    Deleting the folder is safe, since its content can be computed again. Raises UserError for the
    folder of an unknown user.
    """
    import platformdirs  # not at the top: a taste of the book needs NumPy and pandas alone

    text = os.environ.get("CWR_CACHE") or platformdirs.user_cache_dir("cwr")
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise UserError(
            f"CWR_CACHE names a folder of a user who does not exist ({quoted(text)}); "
            "name another folder in it"
        ) from None


def refuse_cache_in_file() -> None:
    """Raises UserError if the folder of the cache is a file, or lies below one."""
    root = cache_root().absolute()
    present = next(path for path in (root, *root.parents) if path.exists())
    if not present.is_dir():
        raise UserError(
            f"the cache {quoted(str(root))} can be no folder, since {quoted(str(present))} is a "
            "file: name another folder in CWR_CACHE"
        )


def data_roots() -> list[Path]:
    """Lists the existing folders in CWR_DATA (separated as in PATH), to search before downloads."""
    folders = [named(text) for text in os.environ.get("CWR_DATA", "").split(os.pathsep) if text]
    return [folder for folder in folders if folder]


def cache_limit() -> float:
    """Returns the cache's limit for extractions in bytes: CWR_CACHE_GB gigabytes, else 20.

    Raises UserError if CWR_CACHE_GB is not a number of at least 0.
    """
    text = os.environ.get("CWR_CACHE_GB") or "20"
    try:
        limit = float(text) * 1e9
    except ValueError:
        limit = -1
    if not limit >= 0:  # refuses NaN too
        raise UserError(
            f"CWR_CACHE_GB is no number of gigabytes ({quoted(text)}): set it to 20, say"
        )
    return limit


@contextlib.contextmanager
def writing_cache() -> Iterator[None]:
    """Raises UserError if the block cannot write the cache.

    The UserError replaces the OSErrors of a full or closed disk, and of a path that cannot be a
    folder.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in CANNOT_WRITE:
            raise
        raise UserError(
            f"cannot write the cache below {quoted(str(cache_root()))} ({error.strerror}): free "
            "some space there, or name another folder in CWR_CACHE"
        ) from None


def results_folder() -> Path | None:
    """Returns the running notebook's results folder, CWR_RESULTS; None outside the workflow."""
    text = os.environ.get("CWR_RESULTS")
    return Path(text) if text else None


def figure_file(name: str) -> Path | None:
    """Returns the path for a figure's file, in `figures` beside the running notebook's results.

    Makes the folder. Returns None outside the workflow, where figures are not saved.
    """
    results = results_folder()
    if results is None:
        return None
    folder = results / FIGURES
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name


def unwritable(error: OSError) -> str:
    """Tells which operation the system refused with `error`, and what to do, in a sentence."""
    file = f" {error.filename}" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk is full, cannot write{file}: free some space and repeat the command"
    return (
        f"cannot read or write{file} ({error.strerror or error}): mend that and repeat the command"
    )


@contextlib.contextmanager
def replacing(target: Path, durable: bool = True) -> Iterator[Path]:
    """Yields an empty folder that replaces `target` when the block ends without an error.

    The content of `target` is complete at any time, even if the process is killed. After an error
    the scratch folder is removed and `target` is unchanged. Scratch folders of killed processes are
    removed at the next write of the same target.
    durable: whether files are flushed to the disk before the rename, so that the content is
        complete, too, if the power fails.
    Raises OSError if the disk is full or the folder cannot be written.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    recover(target)
    scratch = _beside(target, "part")
    scratch.mkdir()
    try:
        yield scratch
        if durable:
            _flush(scratch)
        _swap(scratch, target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def write_text(file: Path, text: str) -> None:
    """Writes a text file in UTF-8, atomically like `write_bytes`."""
    write_bytes(file, text.encode("utf-8"))


def write_bytes(file: Path, content: bytes) -> None:
    """Writes a file atomically: at any time it has the old content or the new one.

    Makes its folder, and removes leftovers of killed writers of the file. Raises OSError if the
    disk is full or the folder cannot be written; the file is then unchanged.
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
    """Cleans up after a killed writer of `target`.

    Removes scratch folders, and restores the old folder if the new one had not replaced it.
    """
    for old in _left_behind(target, "old"):
        if target.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(target)
    for scratch in _left_behind(target, "part"):
        shutil.rmtree(scratch, ignore_errors=True)


def is_local(folder: Path) -> bool:
    """Tells whether a folder lies on a disk of this machine, by the type of its file system."""
    import psutil  # not at the top, as above

    place = folder.resolve()
    types = {Path(disk.mountpoint): disk.fstype for disk in psutil.disk_partitions(all=True)}
    above = (types[parent] for parent in (place, *place.parents) if parent in types)
    return next(above, None) in LOCAL


def _beside(target: Path, role: str) -> Path:
    return target.with_name(f".{target.name}.{role}-{os.getpid()}")


def _left_behind(target: Path, role: str) -> list[Path]:
    """Returns the target's leftovers of dead processes and this one. role: "part" or "old"."""
    remains = target.parent.glob(f".{target.name}.{role}-*")
    return [path for path in remains if _is_abandoned(path)]


def _is_abandoned(path: Path) -> bool:
    """Tells whether the process that made a file or folder is this one or gone.

    The process's number may by now be a zombie's or a younger process's.
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
    """Flushes every file and folder below `folder`, itself included, to the disk."""
    for path in [folder, *folder.rglob("*")]:
        _flush_one(path)


def _flush_one(path: Path) -> None:
    """Flushes this file or folder to the disk."""
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
