"""Parses CoNLL-U, the format of Universal Dependencies: sentences with words and trees.

A line is a word in ten columns, comments stand before the words, and a blank line ends a sentence:

    # text = We'll go.
    1-2   We'll   _      _      _      _   _   _       _   _         a token of two words: no word
    1     We      we     PRON   PRP    …   3   nsubj   _   _
    2     'll     will   AUX    MD     …   3   aux     _   _
    3     go      go     VERB   VB     …   0   root    _   SpaceAfter=No
    4     .       .      PUNCT  .      …   3   punct   _   _

"8.1" would be an empty node, which is no word either. A sentence keeps its text; the spans of its
words are those of the forms, in order. Its annotations, one entry per word:

    upos, xpos    word classes: the universal ones, and those of the Penn Treebank
    heads         index of the word's head, counted from 0 (not from 1 as in the file); ROOT for one
    relations     to the head: "nsubj", "aux:pass", …
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cwr.corpora.sentences import Span
from cwr.errors import UserError, quoted
from cwr.measures.trees import ROOT as ROOT
from cwr.measures.trees import refuse_no_tree

COLUMNS = 10
ID, FORM, UPOS, XPOS, HEAD, RELATION, MISC = 0, 1, 3, 4, 6, 7, 9


@dataclass(frozen=True)
class Block:
    """A sentence as its CoNLL-U lines. place: the position of its first line, for errors."""

    place: str
    comments: dict[str, str]
    rows: list[list[str]]

    @property
    def words(self) -> list[list[str]]:
        """The rows of words, without ranges and empty nodes; UserError unless numbered 1, 2, ..."""
        words = [row for row in self.rows if row[ID].isdecimal()]
        if [int(row[ID]) for row in words] != list(range(1, len(words) + 1)):
            numbers = ", ".join(row[ID] for row in self.rows)
            raise self.error(
                f"the words are not numbered 1, 2, 3, … ({quoted(numbers)}): a multi-word token or an "
                "empty node is no word"
            )
        return words

    def error(self, fault: str) -> UserError:
        """Builds an error that names this sentence and its fault."""
        return UserError(f"the sentence at {self.place} is no CoNLL-U that can be read: {fault}")


def lines(path: Path) -> list[str]:
    """Reads the lines of a UTF-8 file, gzipped if named .gz; only a newline ends a line.

    Raises UserError for a file that is cut off or not UTF-8.
    """
    content = path.read_bytes()
    try:
        if path.suffix == ".gz":
            content = gzip.decompress(content)
        return content.decode("utf-8").removesuffix("\n").split("\n")
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise UserError(f"{path} is cut off or no gzip file: fetch it anew") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 (byte {error.start}): fetch it anew") from None


def blocks(lines: Iterable[str], name: str) -> Iterator[Block]:
    """Yields the sentences of a file's lines; name: the file's name in errors.

    Raises UserError for a line without ten columns, and for a last sentence without a blank line.
    """
    first, comments, rows = 1, {}, []
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            comments[key.strip()] = value.strip()
        elif line.strip():
            rows.append(_columns(line, number, name))
        else:
            if rows:
                yield Block(f"line {first} of {name}", comments, rows)
            first, comments, rows = number + 1, {}, []
    if rows or comments:
        raise UserError(f"{name} ends in the middle of a sentence (line {first}): fetch it anew")


def _columns(line: str, number: int, name: str) -> list[str]:
    columns = line.rstrip("\r").split("\t")
    if len(columns) != COLUMNS:
        raise UserError(
            f"line {number} of {name} has {len(columns)} columns, not the {COLUMNS} of CoNLL-U: the "
            "file is damaged or cut off; fetch it anew"
        )
    return columns


def spans(block: Block) -> tuple[Span, ...]:
    """Finds a sentence's words in its text, as character spans; words of one token split its span.

    Raises UserError for a block without text, a form that does not follow in the text, text behind
    the last word, and a multi-word token that is not the concatenation of its words.
    """
    if "text" not in block.comments:
        raise block.error("it lacks its text (# text = …)")
    text, words = block.comments["text"], block.words
    _refuse_other_parts(block, words)
    spans, end = [], 0
    for row in words:
        start = text.find(row[FORM], end)
        if start < 0 or text[end:start].strip():
            raise block.error(
                f"word {row[ID]}, {quoted(row[FORM])}, is not what its text goes on with"
            )
        end = start + len(row[FORM])
        spans.append((start, end))
    if text[end:].strip():
        raise block.error(f"its text goes on behind the last word: {quoted(text[end:])}")
    return tuple(spans)


def _refuse_other_parts(block: Block, words: Sequence[Sequence[str]]) -> None:
    """Raises UserError for a multi-word token that is not the concatenation of its words."""
    for row in block.rows:
        first, is_range, last = row[ID].partition("-")
        if is_range:
            parts = "".join(word[FORM] for word in words[int(first) - 1 : int(last)])
            if parts != row[FORM]:
                raise block.error(
                    f"the words of token {row[ID]}, {quoted(row[FORM])}, make {quoted(parts)}"
                )


def tree(block: Block) -> dict[str, list]:
    """Returns the word classes and dependencies of a sentence, as the module describes them.

    Raises UserError for heads that make no tree (`trees.refuse_no_tree`) or are no numbers.
    """
    words = block.words
    try:
        heads = [int(row[HEAD]) - 1 for row in words]
        refuse_no_tree(heads)
    except ValueError as error:
        raise block.error(f"its heads make no tree ({error})") from None
    return {
        "upos": [row[UPOS] for row in words],
        "xpos": [row[XPOS] for row in words],
        "heads": heads,
        "relations": [row[RELATION] for row in words],
    }


def misc(row: Sequence[str], key: str) -> str:
    """Finds a key's value in a row's last column, as "No" in SpaceAfter=No; "" without the key."""
    for entry in row[MISC].split("|"):
        name, _, value = entry.partition("=")
        if name == key:
            return value
    return ""
