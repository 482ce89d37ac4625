"""The nine benchmarks of static word vectors in Table 1 of Ethayarajh (2019), as they are printed.

Five come in packages or with this library; MSR, RW, BLESS and AP are downloads. Words are spelled
as in the source. The module `measures.benchmarks` describes the tasks.
"""

import functools
import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cwr import downloads
from cwr.corpora import texts, word_pairs
from cwr.errors import UserError, hint, quoted

if TYPE_CHECKING:
    import pandas as pd

SIMILARITY, ANALOGY = "word similarity", "analogy"
RELATIONS, CATEGORIES = "relational similarity", "categorisation"
WORDS = ("first", "second", "third", "answer", "word")  # columns that hold words
QUESTION = ("class", "first", "second", "third", "answer")
MARKS = re.compile(r"[\W_]+")  # what is neither a letter nor a digit
HEAD = re.compile(r"[#,]")  # a comment, or the names of the columns
CLASS_END = re.compile(r"[#,]|\d+,\w+,$")  # a class of BLESS and AP ends with a line without a word


@dataclass(frozen=True, eq=False)
class Benchmark:
    """The items of a benchmark, which people have scored, answered or put into classes.

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

        without_marks: also drops all signs that are neither letters nor digits, so that "city's"
            becomes "citys", as for the analogies of the package that the paper used.
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


@dataclass(frozen=True)
class Source:
    """The task of a benchmark, its reader, and the files of `downloads` that it needs."""

    task: str
    read: Callable[[str], Benchmark]
    files: tuple[str, ...] = ()


def _of_pairs(pairs: str, name: str) -> Benchmark:
    return Benchmark(name, SIMILARITY, word_pairs.load(pairs))


def _google(name: str) -> Benchmark:
    """Reads Google's questions: a line ": class" before its questions, four words per line."""
    import pandas as pd

    file = texts.gensim_data() / "questions-words.txt"
    relation, questions = "", []
    for number, line in enumerate(word_pairs.lines(file, name), start=1):
        if line.startswith(":"):
            relation = line.removeprefix(":").strip()
        else:
            questions.append((relation, *_columns(line, None, 4, f"line {number} of {file}")))
    return Benchmark(name, ANALOGY, pd.DataFrame(questions, columns=QUESTION))


def _of_table(task: str, columns: tuple[str, ...], file: str, name: str) -> Benchmark:
    """Reads a downloaded table: a head, then a number and these columns in each line."""
    numbered, skipped = ("number", *columns), CLASS_END if task == CATEGORIES else HEAD
    items = _frame(downloads.fetch(downloads.row_of(file)), name, numbered, skipped).drop(
        columns="number"
    )
    if task == CATEGORIES:
        word, count = Counter(items["word"]).most_common(1)[0]
        if count > 1:
            raise UserError(
                f"{quoted(word)} stands {count} times in the benchmark {name}, and a word is put "
                "into one class: take the file anew"
            )
    return Benchmark(name, task, items)


def _semeval(name: str) -> Benchmark:
    """Reads SemEval-2012, task 2, from the tables beside this file."""
    folder = Path(__file__).parent / "semeval2012"
    items = _frame(folder / "ratings.csv", name, ("class", "first", "second", "score"))
    items["score"] = items["score"].map(float)
    paradigms = _frame(folder / "paradigms.csv", name, ("class", "first", "second"))
    return Benchmark(name, RELATIONS, items, paradigms)


def _frame(
    file: Path, name: str, columns: tuple[str, ...], skipped: re.Pattern = HEAD
) -> "pd.DataFrame":
    """Reads a table of comma-separated strings, without the lines that `skipped` matches.

    Raises UserError for a line of another number of columns, and for a score that is no number.
    """
    import pandas as pd

    rows = []
    for number, line in enumerate(word_pairs.lines(file, name), start=1):
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


def _of_file(task: str, columns: tuple[str, ...], file: str) -> Source:
    return Source(task, functools.partial(_of_table, task, columns, file), (file,))


def _similarity(pairs: str, *files: str) -> Source:
    return Source(SIMILARITY, functools.partial(_of_pairs, pairs), files)


# Google: Mikolov et al. (2013a). MSR: Mikolov et al. (2013b). SemEval: Jurgens et al. (2012).
# BLESS: Baroni and Lenci (2011). AP: Almuhareb and Poesio (2005). The others: `word_pairs`.
SOURCES = {
    "SimLex999": _similarity("simlex-999"),
    "MEN": _similarity("men, natural"),
    "WS353": _similarity("wordsim-353"),
    "RW": _similarity("rare words", "EN-RW-STANFORD.txt"),
    "Google": Source(ANALOGY, _google),
    "MSR": _of_file(ANALOGY, QUESTION, "msr.csv"),
    "SemEval2012(2)": Source(RELATIONS, _semeval),
    "BLESS": _of_file(CATEGORIES, ("class", "word"), "bless.csv"),
    "AP": _of_file(CATEGORIES, ("class", "word"), "ap.csv"),
    "MEN lemma": _similarity("men"),
}
NAMES = tuple(name for name in SOURCES if name != "MEN lemma")  # in the order of Table 1
PACKAGED = tuple(name for name in NAMES if not SOURCES[name].files)  # need no network


def check(name: str) -> None:
    """Raises UserError for a name that is none of SOURCES."""
    if name not in SOURCES:
        raise UserError(f"{quoted(name)} is no benchmark of word vectors: {hint(name, SOURCES)}")


def downloaded(name: str) -> list[downloads.Row]:
    """Lists the files of a benchmark to download; none for a packaged benchmark.

    Raises UserError for an unknown name.
    """
    check(name)
    return [downloads.row_of(file) for file in SOURCES[name].files]


def load(name: str) -> Benchmark:
    """Reads a benchmark by its name in Table 1, or "MEN lemma".

    "MEN" has the words as in the text. The package that the paper used reads the form with lemmas:
    "MEN lemma".
    Raises UserError for an unknown name, a file that cannot be fetched, a line with another number
    of columns, and a word in two classes.
    """
    check(name)
    return SOURCES[name].read(name)
