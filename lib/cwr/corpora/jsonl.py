"""Reads and writes files of JSON lines: sentences with their words, or texts to be tokenised.

With words, a line is a JSON object, and a sentence:

    {"id": "12.0.3", "text": "Yes, it is.", "spans": [[0, 3], [3, 4], [5, 7], [8, 10], [10, 11]],
     "document": 12, "paragraph": 0, "annotations": {"score": 4.5}}

(on one line). `id`, which no two sentences share, `text` and `spans` are required; the other keys
default to 0 and {}. Spans count characters (Unicode code points), not bytes.

Without words, as in data sets of the hub, a line is a document; each line within its text is a
paragraph:

    {"text": "The bank is steep. It is closed.", "id": 7, "label": "geography"}

The text is cut into sentences with one tokeniser, as a text file is. The other keys become
annotations of each of the sentences. The first line decides which of the two formats a file has.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TypeVar

from cwr.corpora.sentences import Article, Corpus, Sentence, Span, cut_into_sentences
from cwr.errors import UserError

SUFFIX = ".jsonl"
KEYS = [field.name for field in fields(Sentence)]
REQUIRED = KEYS[:3]
KINDS = {"id": str, "text": str, "document": int, "paragraph": int, "annotations": dict}
NAMES = {str: "a string", int: "an integer", dict: "an object"}
FORMS = 'write {"text": ...} on every line, or "id", "text" and "spans" on every line'
T = TypeVar("T")


class Fault(Exception):
    """A fault in one line; its text completes the message "line N of FILE …"."""


def read(path: Path) -> Iterator[Sentence]:
    """Reads the sentences of a file of either format, in order; blank lines are skipped.

    Raises UserError, naming file and line, for a line that is not UTF-8 or no JSON object, lacks a
    key, or is of the other format; with words also for an unknown key, a repeated id, and a span
    outside its text.
    """
    with path.open("rb") as lines:
        first = next((line for line in lines if line.strip()), b"")
    with path.open("rb") as lines:
        yield from (_cut if _is_text(first) else _sentences)(lines, path)


def write(corpus: Corpus, path: str | Path) -> None:
    """Writes a corpus as a .jsonl file, from which `corpora.load` reads the same sentences.

    Sentences, annotations and fingerprint stay the same; the corpus gets the file's name. An
    existing file is replaced.
    Raises UserError for a path without ".jsonl", and for sentences that would be read differently:
    a repeated id, half a character (a lone surrogate), or annotations that JSON cannot hold
    (tuples, arrays, NaN).
    """
    path = Path(path).expanduser()
    if path.suffix != SUFFIX:
        raise UserError(f"{path} would not be known as a corpus with its words: end it in {SUFFIX}")
    try:
        lines = [_line(sentence) for sentence in corpus.sentences]
    except (TypeError, ValueError) as error:
        raise UserError(f"annotations of {corpus.name} are not JSON ({error})") from None
    sentences = _sentences(lines, path)
    for original, copy in zip(corpus.sentences, sentences, strict=True):
        if copy != original:
            raise UserError(
                f"sentence {original.id} of {corpus.name} would come back changed: keep lists "
                "and strings as keys in its annotations, and pairs in its spans"
            )
    scratch = path.with_name(f".{path.name}.part-{os.getpid()}")
    scratch.write_bytes(b"".join(lines))
    scratch.replace(path)


def _line(sentence: Sentence) -> bytes:
    text = json.dumps(asdict(sentence), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "surrogatepass") + b"\n"


def _sentences(lines: Iterable[bytes], path: Path) -> Iterator[Sentence]:
    """Yields the sentences of lines with words; path: the file's, for errors. Raises as `read`."""
    first_line: dict[str, int] = {}  # of each id
    for number, sentence in _numbered(lines, path, _sentence):
        if sentence.id in first_line:
            raise UserError(
                f"line {number} of {path} has the id of line {first_line[sentence.id]}: name it "
                "otherwise"
            )
        first_line[sentence.id] = number
        yield sentence


def _cut(lines: Iterable[bytes], path: Path) -> Iterator[Sentence]:
    """Yields the sentences of lines that are texts; path: the file's, for errors."""
    others: list[dict] = []  # of each document: the keys beside its text

    def documents() -> Iterator[Article]:
        """Yields each text as an article, and puts its other keys aside."""
        for number, record in _numbered(lines, path, _text):
            paragraphs = tuple(record.pop("text").splitlines())
            others.append(record)
            yield Article(number, "", paragraphs)

    for sentence in cut_into_sentences(documents()):
        yield replace(sentence, annotations=others[sentence.document])


def _numbered(
    lines: Iterable[bytes], path: Path, parse: Callable[[bytes], T]
) -> Iterator[tuple[int, T]]:
    """Yields the result of `parse` for each line that is not blank, with the line's number from 1.

    Raises UserError for a line for which `parse` raises Fault.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            parsed = parse(line)
        except Fault as fault:
            raise UserError(f"line {number} of {path} {fault}") from None
        yield number, parsed


def _is_text(line: bytes) -> bool:
    """Tells whether a file that begins with this line has texts without words."""
    try:
        record = _record(line)
    except Fault:
        return False
    return "text" in record and "spans" not in record


def _text(line: bytes) -> dict:
    """Parses a line that is a text without words. Raises Fault."""
    record = _record(line)
    if "text" not in record:
        raise Fault(f"lacks text: {FORMS}")
    if "spans" in record:
        raise Fault(f"has spans, and the first line has none: {FORMS}")
    _refuse_values(record, {"text": str})
    return record


def _sentence(line: bytes) -> Sentence:
    """Parses a line that is a sentence with words. Raises Fault."""
    record = _record(line)
    missing = [key for key in REQUIRED if key not in record]
    if missing:
        raise Fault(f"lacks {', '.join(missing)}{f': {FORMS}' if 'spans' in missing else ''}")
    strange = [key for key in record if key not in KEYS]
    if strange:
        raise Fault(f"has a key {strange[0]!r}: a sentence has {', '.join(KEYS)}")
    _refuse_values(record, KINDS)
    spans = _spans(record["spans"], len(record["text"]))
    return Sentence(**{**record, "spans": spans})


def _refuse_values(record: dict, kinds: dict[str, type]) -> None:
    """Raises Fault for a value of another kind, and for half a character."""
    for key, kind in kinds.items():
        if key in record and type(record[key]) is not kind:  # True is no integer here
            raise Fault(f"has a {key!r} that is not {NAMES[kind]}")
    try:
        "".join(record[key] for key, kind in kinds.items() if kind is str).encode()
    except UnicodeEncodeError:
        raise Fault("has half a character (a lone surrogate) in its id or text") from None


def _record(line: bytes) -> dict:
    """Parses the JSON object of a line. Raises Fault."""
    try:
        record = json.loads(line.decode("utf-8-sig"), parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise Fault(f"is not UTF-8 (byte {error.object[error.start]:#x})") from None
    except (ValueError, RecursionError) as error:
        raise Fault(f"is not JSON ({error})") from None
    if not isinstance(record, dict):
        raise Fault(f"is no JSON object: {FORMS}")
    return record


def _spans(pairs: object, length: int) -> tuple[Span, ...]:
    """Checks spans of a text of this length and returns them. Raises Fault."""
    if not isinstance(pairs, list):
        raise Fault("has spans that are no list of pairs [start, end]")
    spans = []
    for pair in pairs:
        if not isinstance(pair, list) or [type(end) for end in pair] != [int, int]:
            raise Fault(f"has the span {pair!r}: a span is a pair [start, end]")
        start, end = pair
        if not 0 <= start <= end <= length:
            raise Fault(f"has the span {pair} outside its text of {length} characters")
        spans.append((start, end))
    return tuple(spans)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")
