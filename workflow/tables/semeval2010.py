"""Make train.tsv.gz and test.tsv.gz of `corpora/semeval2010` from the two files of the task.

python workflow/tables/semeval2010.py FOLDER     (that holds TRAIN_FILE.TXT and TEST_FILE_FULL.TXT)
"""

import gzip
import re
import sys
from pathlib import Path

import cwr.corpora

TABLES = Path(cwr.corpora.__file__).parent / "semeval2010"
FILES = {"train": "TRAIN_FILE.TXT", "test": "TEST_FILE_FULL.TXT"}
ITEM = re.compile(r'^\d+\s*\t"(.*)" *\n(\S+)$', re.MULTILINE)  # 1<tab>"A <e1>…" and its relation


def table(file: Path) -> str:
    """A line a sentence: relation with its direction, and the text with its entity tags."""
    text = file.read_text(encoding="ascii")  # universal newlines: the CR is gone
    return "".join(f"{relation}\t{sentence}\n" for sentence, relation in ITEM.findall(text))


def write(name: str, text: str) -> None:
    """A compressed table, the same bytes whenever it is made."""
    content = gzip.compress(text.encode("ascii"), compresslevel=9, mtime=0)
    (TABLES / f"{name}.tsv.gz").write_bytes(content)


if __name__ == "__main__":
    for split, name in FILES.items():
        (source,) = Path(sys.argv[1]).rglob(name)
        write(split, table(source))
