"""Reads the nine benchmarks of static word vectors in Table 1 of Ethayarajh (2019).

Five come in packages or with this library; MSR, RW, BLESS and AP are downloads. Words are spelled
as in the source. The module `measures.benchmarks` describes the tasks.
"""

import functools
import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cwr.corpora import datasets, word_pairs
from cwr.corpora.datasets import Dataset
from cwr.errors import UserError, quoted

if TYPE_CHECKING:
    import pandas as pd

KIND = "benchmark of word vectors"
SIMILARITY, ANALOGY = "word similarity", "analogy"
RELATIONS, CATEGORIES = "relational similarity", "categorisation"
WORDS = ("first", "second", "third", "answer", "word")  # columns that hold words
QUESTION = ("class", "first", "second", "third", "answer")
MARKS = re.compile(r"[\W_]+")  # what is neither a letter nor a digit
HEAD = re.compile(r"[#,]")  # a comment, or the names of the columns
CLASS_END = re.compile(r"[#,]|\d+,\w+,$")  # a class of BLESS and AP ends with a line without a word


@dataclass(frozen=True, eq=False)
class Benchmark:
    """The items of a benchmark, with people's scores, answers or classes.

    task: the task's name in Table 1.
    items: one row per item. Word similarity: first, second, score. Analogy: class, first, second,
        third, answer. Relational similarity: class, first, second, score. Categorisation: class,
        word.
    paradigms: for relational similarity, the pairs that show each relation: class, first, second.
    """

    name: str
    task: str
    items: "pd.DataFrame"
    paradigms: "pd.DataFrame | None" = None

    @property
    def columns(self) -> list[str]:
        """The columns of the items that hold words."""
        return [column for column in WORDS if column in self.items]

    @property
    def words(self) -> tuple[str, ...]:
        """The distinct words of items and paradigms, sorted."""
        words = set()
        for frame in (self.items, self.paradigms):
            for column in self.columns if frame is not None else ():
                words.update(frame[column])
        return tuple(sorted(words))

    def lower_cased(self, without_marks: bool = False) -> "Benchmark":
        """Returns the benchmark with all words in lower case.

        without_marks: also drops all characters that are neither letters nor digits, so that
            "city's" becomes "citys", as for the analogies of the package that the paper used.
        """
        items, paradigms = (_lower(frame, without_marks) for frame in (self.items, self.paradigms))
        return replace(self, items=items, paradigms=paradigms)


def _lower(frame: "pd.DataFrame | None", without_marks: bool) -> "pd.DataFrame | None":
    if frame is None:
        return None
    lowered = frame.copy()
    for column in lowered.columns.intersection(WORDS):
        words = lowered[column].str.lower()
        lowered[column] = words.str.replace(MARKS, "", regex=True) if without_marks else words
    return lowered


def _pairs(source: Dataset) -> Benchmark:
    return Benchmark(source.name, SIMILARITY, word_pairs.read(source))


def _questions(source: Dataset) -> Benchmark:
    """Reads questions: a line ": class" before its questions, four words per line."""
    import pandas as pd

    (file,) = source.fetch().values()
    relation, questions = "", []
    for number, line in enumerate(word_pairs.lines(file, source), start=1):
        if line.startswith(":"):
            relation = line.removeprefix(":").strip()
        else:
            questions.append((relation, *_columns(line, None, 4, f"line {number} of {file}")))
    return Benchmark(source.name, ANALOGY, pd.DataFrame(questions, columns=QUESTION))


def _numbered(task: str, columns: tuple[str, ...], source: Dataset) -> Benchmark:
    """Reads a table: a head, then a number and these columns in each line."""
    (file,) = source.fetch().values()
    skipped = CLASS_END if task == CATEGORIES else HEAD
    items = _frame(file, source, ("number", *columns), skipped).drop(columns="number")
    if task == CATEGORIES:
        word, count = Counter(items["word"]).most_common(1)[0]
        if count > 1:
            raise UserError(
                f"{quoted(word)} stands {count} times in the benchmark {source.name}, and a word is "
                "put into one class: take the file anew"
            )
    return Benchmark(source.name, task, items)


def _ratings(source: Dataset) -> Benchmark:
    """Reads the rated pairs of each relation, and its paradigms."""
    files = source.fetch()
    items = _frame(files["ratings"], source, ("class", "first", "second", "score"))
    items["score"] = items["score"].map(float)
    paradigms = _frame(files["paradigms"], source, ("class", "first", "second"))
    return Benchmark(source.name, RELATIONS, items, paradigms)


def _frame(
    file: Path, source: Dataset, columns: tuple[str, ...], skipped: re.Pattern = HEAD
) -> "pd.DataFrame":
    """Reads a table of comma-separated strings, without the lines that `skipped` matches.

    Raises UserError for a line of another number of columns, and for a score that is no number.
    """
    import pandas as pd

    rows = []
    for number, line in enumerate(word_pairs.lines(file, source), start=1):
        if not skipped.match(line):
            rows.append(_columns(line, ",", len(columns), f"line {number} of {file}"))
    frame = pd.DataFrame(rows, columns=columns)
    for score in frame.get("score", ()):
        _refuse_no_number(score, file)
    return frame


def _columns(line: str, separator: str | None, n: int, where: str) -> list[str]:
    """Splits a line into n strings. Raises UserError, with `where`, for another number or ""."""
    cells = [cell.strip() for cell in line.split(separator)]
    if len(cells) != n or not all(cells):
        raise UserError(f"{where} is {quoted(line)}, not {n} columns: take the file anew")
    return cells


def _refuse_no_number(score: str, file: Path) -> None:
    try:
        value = float(score)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UserError(f"{file} has the score {quoted(score)}, no number: take the file anew")


READERS = {
    "pairs": _pairs,
    word_pairs.LEMMAS: _pairs,
    "questions": _questions,
    "numbered questions": functools.partial(_numbered, ANALOGY, QUESTION),
    "numbered classes": functools.partial(_numbered, CATEGORIES, ("class", "word")),
    "ratings": _ratings,
}
NAMES = tuple(name for name in datasets.of_kind(KIND) if name != "MEN lemma")  # as in Table 1


def load(name: str) -> Benchmark:
    """Reads a benchmark by its name in Table 1, or "MEN lemma".

    "MEN" has words as a text spells them; "MEN lemma", which the paper's package reads, has lemmas.
    Raises UserError for an unknown name, a file that cannot be fetched, a line with another number
    of columns, and a word in two classes.
    """
    source = datasets.find(name, KIND)
    return READERS[source.format](source)
