"""What stands in quotation marks, and is long enough to be a quotation, is printed so, letter by letter."""

import ast
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from cwr.papers import registry

ROOT = Path(__file__).resolve().parents[2]
LONG = 5  # words from which a text between quotation marks counts as a quotation
QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”")
GAPS = re.compile(r"\.\.\.|…|\[[^\]]*\]")  # of words left out, or put in by us
OTHERS = {  # what is in quotation marks and is no quotation of the text: its meaning, a name, another source
    "should be close to what is charted",  # README of Ethayarajh's code
    "close to what is charted",
    "as similar as random words",
    "no more similar than random words",
    "more similar than random words",
    "any occurrence is equally likely",
    "GPT-2 is more context-specific than BERT",
    "GPT-2 is the most context-specific",
    "$a$ is to $b$ as $c$ is to …",
    "the variety of contexts a word appears in, rather than its inherent polysemy",  # over two pages
    "How Contextual are Contextualized Word Representations?",
    "Derived from the released statistics",
    "ELMo layer 1: 4, ELMo layer 2: 3",
    "by +6.1 [+1.1, +10.8] points on men",
    "A sentence is the mean of its words.",
    "X2Static sentence GPT2-12 on MR (classification accuracy)",
    "the old city of Troy",
    "What the probe itself can learn",
    "comparably to a related task",
    "the first verb is the root",
}


def letters(text: str) -> str:
    """The letters of a text, without marks of layout and breaks of lines and words."""
    plain = unicodedata.normalize("NFKC", text).translate(str.maketrans("’‘–—", "''--"))
    return re.sub(r"[\s\-*_`\\$“”\"']", "", plain)


def strings(code: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def texts(key: str) -> Iterator[tuple[str, str]]:
    """What a chapter says, (file, text): its pages, and the strings in its code and its claims."""
    for file in sorted((ROOT / "notebooks" / key).glob("*.ipynb")):
        for cell in nbformat.read(file, as_version=4).cells:
            said = [cell.source] if cell.cell_type == "markdown" else strings(cell.source)
            yield from ((file.name, text) for text in said)
    for file in sorted((ROOT / "book" / key).glob("*.md")):
        yield file.name, file.read_text(encoding="utf-8")
    for file in sorted((ROOT / "lib" / "cwr" / "texts" / key / "claims").glob("*.py")):
        yield from (
            (file.name, text) for text in strings(file.read_text(encoding="utf-8"))
        )


@pytest.mark.parametrize("key", [paper.key for paper in registry.PAPERS])
def test_quotations_are_letter_by_letter(key, shared):
    (file,) = (shared / "papers").glob(f"{key}*.txt")
    printed, quoted, wrong = letters(file.read_text(encoding="utf-8")), 0, []
    for where, text in texts(key):
        for quotation in map("".join, QUOTED.findall(text)):
            quotation = " ".join(quotation.split())
            parts = [letters(part.strip(" .,;:?!")) for part in GAPS.split(quotation)]
            if len(quotation.split()) < LONG or quotation in OTHERS:
                continue
            quoted += 1
            wrong += (
                [] if all(part in printed for part in parts) else [f"{where}: {quotation}"]
            )
    assert quoted and not wrong, wrong
