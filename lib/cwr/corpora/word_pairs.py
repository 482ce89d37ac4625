"""Reads pairs of words with people's scores of similarity or relatedness."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

from cwr.corpora import datasets
from cwr.corpora.datasets import Dataset
from cwr.errors import UserError, quoted

if TYPE_CHECKING:
    import pandas as pd


KIND = "data set of word pairs"
LEMMAS, CUT = "pairs of lemmas", "pairs, scores cut"  # formats; the other one is as written
# The columns of Table 3 of Biś et al. (2021), over which Table 2 averages
TABLE_3 = ("men", "rare words", "simlex-999", "wordsim-similarity", "wordsim-relatedness")
# What Gupta and Jaggi (2021) call the five of their Table 3, in its order
GUPTA = {
    "rg-65": "RG-65",
    "wordsim-353": "WS-353",
    "simlex-999": "SL-999",
    "simverb-3500": "SV-3500",
    "rare words": "RW-2034",
}


def load(name: str) -> "pd.DataFrame":
    """Reads a data set: columns first, second (words as spelled) and score, in the source's order.

    Scores are on the scale of the data set (MEN 0 to 50, RG-65 0 to 4, the others 0 to 10).
    Repeated pairs are kept. Raises UserError for an unknown name, a file that cannot be fetched,
    and a line that is no pair.
    """
    return read(datasets.find(name, KIND))


def read(source: Dataset) -> "pd.DataFrame":
    """Reads the pairs of a data set or benchmark: columns and UserError as for `load`.

    A line is word, word, score; "#" begins a comment line. In LEMMAS a word ends before its first
    "-" ("sun-n"), as in the released code of Biś et al. for MEN. In CUT a score loses its decimals,
    as in the code of Bommasani et al. (2020), whose `data.py` drops the last three characters of
    each line of RG-65.
    """
    import pandas as pd  # half a second, which a check of names need not wait for

    (file,) = source.fetch().values()
    separator = "," if file.suffix == ".csv" else "\t"
    pairs = []
    for number, line in enumerate(lines(file, source), start=1):
        if not line.startswith("#"):
            pairs.append(_pair(line, separator, f"line {number} of {file}"))
    frame = pd.DataFrame(pairs, columns=["first", "second", "score"])
    if source.format == LEMMAS:
        for side in ("first", "second"):
            frame[side] = frame[side].str.partition("-")[0]
    if source.format == CUT:
        frame["score"] //= 1
    return frame


def lines(file: Path, source: Dataset) -> list[str]:
    """Reads the lines of a data set's file; UserError, with the set's name, for a missing file."""
    try:
        return file.read_text(encoding=source.encoding, errors="replace").splitlines()
    except OSError as error:
        raise UserError(
            f"the data set {source.name!r} cannot be read from {file} ({error.strerror}): "
            "install the package that carries the file again"
        ) from None


def _pair(line: str, separator: str, where: str) -> tuple[str, str, float]:
    """Parses two words and their score. Raises UserError, with `where`, for anything else."""
    try:
        first, second, score = line.split(separator)
        value = float(score)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or not first.strip() or not second.strip():
        raise UserError(f"{where} is {quoted(line)}, not two words and a score: take the file anew")
    return first.strip(), second.strip(), value
