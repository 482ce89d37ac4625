"""Pairs of words, with people's scores of similarity or relatedness.

A new data set is a new row of `SOURCES`.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cwr import downloads
from cwr.corpora import texts
from cwr.errors import UserError, hint, quoted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Source:
    """The file of a data set: one pair per line (word, word, score); "#" begins a comment line.

    is_lemma: whether a word ends before its first "-" ("sun-n"), as in the released code of Biś et
        al. for MEN.
    is_cut: whether a score loses its decimals, as in the released code of Bommasani et al. (2020),
        whose `data.py` drops the last three characters of each line of RG-65.
    """

    find: Callable[[], Path]
    separator: str = "\t"
    is_lemma: bool = False
    is_cut: bool = False


def _packaged(name: str) -> Path:
    return Path(__file__).parent / name


def _of_gensim(name: str) -> Path:
    return texts.gensim_data() / name


def _downloaded(name: str) -> Path:
    return downloads.fetch(downloads.row_of(name))


# MEN: Bruni et al. (2014). Rare words: Luong et al. (2013). RG-65: Rubenstein and Goodenough
# (1965). SimLex-999: Hill et al. (2015). SimVerb-3500: Gerz et al. (2016). WordSim-353: Finkelstein
# et al. (2002), and its two parts: Agirre et al. (2009).
SOURCES = {
    "men": Source(functools.partial(_packaged, "men/lemma.csv"), ",", is_lemma=True),
    "men, natural": Source(functools.partial(_packaged, "men/natural.csv"), ","),
    "rare words": Source(functools.partial(_downloaded, "EN-RW-STANFORD.txt")),
    "rg-65": Source(functools.partial(_downloaded, "EN-RG-65.txt")),
    "rg-65, cut": Source(functools.partial(_downloaded, "EN-RG-65.txt"), is_cut=True),
    "simlex-999": Source(functools.partial(_of_gensim, "simlex999.txt")),
    "simverb-3500": Source(functools.partial(_downloaded, "EN-SimVerb-3500.txt")),
    "wordsim-353": Source(functools.partial(_of_gensim, "wordsim353.tsv")),
    "wordsim-similarity": Source(functools.partial(_downloaded, "EN-WS-353-SIM.txt")),
    "wordsim-relatedness": Source(functools.partial(_downloaded, "EN-WS-353-REL.txt")),
}
NAMES = tuple(SOURCES)
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


def check(name: str) -> None:
    """Raises UserError for a name that is none of NAMES."""
    if name not in SOURCES:
        raise UserError(f"{quoted(name)} is no data set of word pairs: {hint(name, NAMES)}")


def downloaded(name: str) -> list[downloads.Row]:
    """Lists the files of a data set to download; none for a packaged data set.

    Raises UserError for an unknown name.
    """
    check(name)
    find = SOURCES[name].find
    return [downloads.row_of(*find.args)] if find.func is _downloaded else []


def load(name: str) -> "pd.DataFrame":
    """Reads a data set: columns first, second (words as spelled) and score, in the source's order.

    Scores are on the scale of the data set (MEN 0 to 50, RG-65 0 to 4, the others 0 to 10).
    Repeated pairs are kept. Raises UserError for an unknown name, a file that cannot be fetched,
    and a line that is no pair.
    """
    import pandas as pd  # half a second, which a check of names need not wait for

    check(name)
    source = SOURCES[name]
    file = source.find()
    pairs = []
    for number, line in enumerate(lines(file, name), start=1):
        if not line.startswith("#"):
            pairs.append(_pair(line, source.separator, f"line {number} of {file}"))
    frame = pd.DataFrame(pairs, columns=["first", "second", "score"])
    if source.is_lemma:
        for side in ("first", "second"):
            frame[side] = frame[side].str.partition("-")[0]
    if source.is_cut:
        frame["score"] //= 1
    return frame


def lines(file: Path, name: str) -> list[str]:
    """Reads the lines of a data set's file; UserError, with the set's name, for no such file."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise UserError(
            f"the data set {name!r} cannot be read from {file} ({error.strerror}): "
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
