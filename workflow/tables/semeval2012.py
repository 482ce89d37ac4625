"""Make ratings.csv and paradigms.csv of `corpora/semeval2012` from the files of the task.

python workflow/tables/semeval2012.py FOLDER     (that holds SemEval-2012-Gold-Ratings and
                                                  SemEval-2012-Complete-Data-Package)
"""

import re
import sys
from pathlib import Path

import cwr.corpora

TABLES = Path(cwr.corpora.__file__).parent / "semeval2012"
CREDIT = "(Jurgens, Mohammad, Turney and Holyoak 2012), CC BY-SA 3.0: see README.md"
RATING = re.compile(r' *(-?[\d.]+) "([^":]+):([^":]+)"')  # ' 50.0 "laugh:happiness"'
PARADIGM = re.compile(r"([^,:\s]+): ?([^,:\s]+)")  # a comma between two pairs is missing once


def relation(file: Path) -> tuple[int, str]:
    """Number and letter of the relation that a file of ratings is about: (10, "b")."""
    number, letter = re.search(r"-(\d+)([a-z])\.txt", file.name).groups()
    return int(number), letter


def ratings(folder: Path) -> list[str]:
    """A line a rated pair: relation, word, word, rating."""
    lines = []
    for file in sorted(folder.glob("*/GoldRatings-*.txt"), key=relation):
        number, letter = relation(file)
        for rating, first, second in RATING.findall(file.read_text(encoding="ascii")):
            lines.append(f"{number}{letter},{first},{second},{rating}")
    return lines


def paradigms(file: Path) -> list[str]:
    """A line a paradigm pair: relation, word, word."""
    lines = []
    for line in file.read_text(encoding="ascii").splitlines():
        number, letter, _, _, pairs = line.split(",", 4)
        for first, second in PARADIGM.findall(pairs):
            lines.append(f"{number}{letter.strip()},{first},{second.rstrip('.')}")
    return lines


def write(name: str, what: str, columns: str, lines: list[str]) -> None:
    """One table with its head, as comments."""
    head = [f"# SemEval-2012 Task 2, {what} {CREDIT}", f"# {columns}"]
    text = "".join(f"{line}\n" for line in [*head, *lines])
    (TABLES / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    root = Path(sys.argv[1])
    of_ratings = ratings(root / "SemEval-2012-Gold-Ratings")
    write("ratings.csv", "gold ratings", "relation,word 1,word 2,rating (-100 to 100)", of_ratings)
    source = root / "SemEval-2012-Complete-Data-Package" / "subcategories-paradigms.txt"
    write("paradigms.csv", "paradigm pairs", "relation,word 1,word 2", paradigms(source))
