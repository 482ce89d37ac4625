"""Finds data sets of words and labelled sentences in the table `datasets.csv`, one row per name.

A data set in a known format is a new row, and nothing else. `downloads.csv` has the address, the
checksum and the licence of a file that is downloaded.
"""

import csv
import functools
from dataclasses import dataclass
from pathlib import Path

from cwr import downloads
from cwr.corpora import texts
from cwr.errors import UserError, hint, quoted

FOLDER = Path(__file__).parent
TABLE = FOLDER / "datasets.csv"
LIBRARY, GENSIM, DOWNLOAD = "library", "gensim", "download"


@dataclass(frozen=True)
class Dataset:
    """A data set, as its row in the table describes it.

    kind: the KIND of the module that reads it, `word_pairs`, `labelled` or `word_benchmarks`.
    paper: its authors.
    place: whether its files are in this LIBRARY, in the package GENSIM, or to DOWNLOAD.
    format: names the module's reader for it.
    files: {part: file}; the part is "" where one file is the whole.
    """

    kind: str
    name: str
    paper: str
    place: str
    format: str
    encoding: str
    files: dict[str, str]

    @property
    def downloads(self) -> list[downloads.Row]:
        """The registry rows of the files to download; [] for a data set that is installed."""
        return list(map(downloads.row_of, self.files.values())) if self.place == DOWNLOAD else []

    def fetch(self) -> dict[str, Path]:
        """Returns the paths of the files, {part: path}, after downloading those that are missing.

        Raises UserError for a file that cannot be fetched, and without gensim.
        """
        if self.place == DOWNLOAD:
            paths = map(downloads.fetch, self.downloads)
            return dict(zip(self.files, paths, strict=True))
        folder = texts.gensim_data() if self.place == GENSIM else FOLDER
        return {part: folder / file for part, file in self.files.items()}


@functools.cache
def of_kind(kind: str) -> dict[str, Dataset]:
    """Reads the data sets of a kind from the table, {name: data set}, in its order."""
    with TABLE.open(encoding="utf-8", newline="") as table:
        rows = [row for row in csv.DictReader(table) if row["kind"] == kind]
    return {row["name"]: Dataset(**{**row, "files": _files(row["files"])}) for row in rows}


def _files(cell: str) -> dict[str, str]:
    """Parses "part=file part=file", or a file alone."""
    return {part: file for part, _, file in (entry.rpartition("=") for entry in cell.split())}


def find(name: str, kind: str) -> Dataset:
    """Returns the data set of a kind with this name. Raises UserError for an unknown name."""
    known = of_kind(kind)
    if name not in known:
        raise UserError(f"{quoted(name)} is no {kind}: {hint(name, known)}")
    return known[name]
