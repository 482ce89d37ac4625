"""Reads SemEval-2010, task 8 (Hendrickx et al., 2010), with the spans of its two nouns.

`labelled` reads the same files as sentences with ten labels, without direction and nouns.
"""

import gzip
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from cwr.corpora.sentences import Corpus, Sentence, fingerprint, joined
from cwr.errors import UserError

FOLDER = Path(__file__).parent / "semeval2010"
SPLITS = TRAIN, TEST = ("train", "test")
TAG = re.compile(r"<(/?)e([12])>")
OTHER = "Other"
LICENCE = "CC BY 3.0"


def semeval() -> Corpus:
    """Reads SemEval's 8,000 training sentences, then its 2,717 test sentences.

    Annotations: split, relation (with its direction), and nouns, [[first, last], [first, last]].
    Words are cut at white space after the tags are removed, as in the converter released with
    Tenney et al. (2019a): a word that a tag divides is one word.
    """
    sentences, documents = [], {}
    for split in SPLITS:
        sentences += read(lines(split), split, documents)
    return Corpus("semeval-2010", tuple(sentences), fingerprint(sentences), LICENCE)


def lines(split: str) -> list[str]:
    """Reads the lines "relation TAB text" of a split, with the tags around both nouns."""
    with gzip.open(FOLDER / f"{split}.tsv.gz", "rt", encoding="ascii") as file:
        return [line.rstrip("\n") for line in file]


def read(lines: Iterable[str], split: str, documents: dict[str, int]) -> Iterator[Sentence]:
    """Parses sentences from lines "relation TAB text with <e1>, </e1>, <e2> and </e2>".

    documents: {text: its number}, extended in place: sentences with equal texts share a number.
    Raises UserError for a line without both nouns.
    """
    for number, line in enumerate(lines, 1):
        relation, _, text = line.rstrip("\n").partition("\t")
        try:
            words, nouns = _words(text)
        except ValueError as error:
            raise UserError(
                f"line {number} of SemEval's part {split} {error}: the file is damaged, or is not "
                "that of task 8"
            ) from None
        sentence = joined(words)
        document = documents.setdefault(sentence.text, len(documents))
        about = {"split": split, "relation": relation, "nouns": nouns}
        name = f"semeval-2010 {split} {number}"
        yield replace(sentence, id=name, document=document, annotations=about)


def _words(text: str) -> tuple[list[str], list[list[int]]]:
    """Returns the words of a text, and the first and last word of both nouns.

    Raises ValueError for a text in which a tag is missing or repeated.
    """
    plain, ends, last = "", {}, 0
    for tag in TAG.finditer(text):
        plain += text[last : tag.start()]
        ends[tag[2], tag[1] == "/"] = len(plain)  # characters before the tag
        last = tag.end()
    if len(TAG.findall(text)) != 4 or len(ends) != 4:
        raise ValueError("does not have both tags, <e1> and <e2>, each opened and closed once")
    plain += text[last:]
    spans = [match.span() for match in re.finditer(r"\S+", plain)]
    nouns = []
    for noun in "12":
        begin, end = ends[noun, False], ends[noun, True]
        inside = [row for row, span in enumerate(spans) if span[0] < end and begin < span[1]]
        if not inside:
            raise ValueError(f"has nothing between <e{noun}> and </e{noun}>")
        nouns.append([inside[0], inside[-1]])
    return [plain[start:end] for start, end in spans], nouns
