"""Reads static word vectors (one vector per word, in any context) from a file or the library.

Text files of three makers are read: GloVe (a line is a word and its numbers), word2vec and
fastText (`.vec`: the same below a first line with the number of words and of dimensions), also
with gzip (`.gz`).

gensim's `KeyedVectors.load_word2vec_format` reads the same files, but whole into memory, or their
first `limit` words; GloVe's 42 billion words are two million vectors, 2.3 GB. This module reads a
file as a stream and keeps only the requested words.

    n = words, dim = dimensions
"""

import gzip
import hashlib
import itertools
import json
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

import numpy as np

from cwr import paths
from cwr.errors import UserError, quoted

NAMES = ("cwr-static",)  # those that travel with the library
READ = {"cwr-static": "wiki-read"}  # the corpus that each was trained on
MODELS = Path(__file__).parent.parent / "models"
VECTORS, WORDS = "vectors.safetensors", "words.txt"  # the files of those
FAMILY = "static"
LONGEST = 10_000_000  # bytes of a line: a vector of 4,096 numbers has some 80,000


@dataclass(frozen=True)
class WordVectors:
    """A table of words and their vectors.

    name: the table's name in results. words: (n,), in the order of the source, usually from common
    to rare. vectors: (n, dim) float32. The other fields are those of an encoder, for a notebook's
    provenance.
    """

    name: str
    words: tuple[str, ...]
    vectors: np.ndarray
    family: str = FAMILY
    contract: tuple[str] = ("a vector a word, no layers",)
    n_layers: int = 0
    device: str = "cpu"

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return self.vectors.shape[1]

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 over the numbers and the words."""
        digest = hashlib.sha256(self.vectors.tobytes())
        digest.update(json.dumps(self.words).encode())
        return digest.hexdigest()

    def of(self, words: Iterable[str]) -> dict[str, np.ndarray]:
        """Looks up words; returns {word: (dim,)} for those with a vector in this spelling."""
        return {word: self.vectors[self._row[word]] for word in words if word in self._row}

    @cached_property
    def _row(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}


def load(name_or_path: str | Path, words: Collection[str] | None = None) -> WordVectors:
    """Reads word vectors by name (`NAMES`) or from a text file, for these words or for all.

    Raises UserError as `read`, and for a name that is neither one of NAMES nor a file.
    """
    name = str(name_or_path)
    check(name)
    return _shipped(name, words) if name in NAMES else read(paths.named(name), words)


def check(name: str) -> None:
    """Raises UserError for a name that is neither one of NAMES nor a file; nothing is read."""
    path = paths.named(name)
    if name not in NAMES and (path is None or not path.is_file()):
        raise UserError(
            f"there are no word vectors {quoted(name)}: give the path of a text file of GloVe, "
            f"word2vec or fastText, or {' or '.join(NAMES)}"
        )


def read(file: str | Path, words: Collection[str] | None = None) -> WordVectors:
    """Reads the vectors of a text file, for these words (in this spelling) or for all.

    A repeated word keeps its first vector, as in gensim.
    Raises UserError, naming file and line, for a file that is missing, empty, cut off or damaged,
    a line with another number of dimensions, an entry that is not finite, and a file with none of
    the words.
    """
    path = Path(file).expanduser()
    wanted = None if words is None else {word.encode() for word in words}
    rows: dict[bytes, np.ndarray] = {}
    for number, word, numbers in _lines(path):
        if (wanted is None or word in wanted) and word not in rows:
            rows[word] = _vector(numbers, f"line {number} of {path}")
    if not rows:
        what = (
            "has no words" if words is None else f"has none of the {len(words):,} words asked for"
        )
        raise UserError(f"{path} {what}: give the file of vectors for your language and spelling")
    spelled = tuple(word.decode(errors="replace") for word in rows)
    return WordVectors(paths.name_of(path, NAMES), spelled, np.stack(list(rows.values())))


# ---- lines of a text file


def _lines(path: Path) -> Iterator[tuple[int, bytes, list[bytes]]]:
    """Yields number, word and numbers of each line. Raises UserError for a damaged file."""
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as lines:
            yield from _checked(_numbered(lines, path), path)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UserError(f"{path} is cut off or damaged ({error}): fetch it again") from None
    except OSError as error:
        raise UserError(
            f"the word vectors {path} cannot be read ({error.strerror}): check the path"
        ) from None


def _numbered(file: BinaryIO, path: Path) -> Iterator[tuple[int, bytes]]:
    """Yields an open file's lines, from 1 on. Raises UserError for one longer than LONGEST."""
    for number in itertools.count(1):
        line = file.readline(LONGEST)
        if not line:
            return
        if len(line) == LONGEST:
            raise UserError(
                f"line {number} of {path} is longer than {LONGEST:,} bytes: give a text file of "
                "vectors, a word a line"
            )
        yield number, line


def _checked(
    lines: Iterator[tuple[int, bytes]], path: Path
) -> Iterator[tuple[int, bytes, list[bytes]]]:
    """Splits numbered lines. Raises UserError for other dimensions, and for a file cut off."""
    number, line = next(lines, (0, b""))
    head = line.split()
    has_head = len(head) == 2 and all(field.isdigit() for field in head)
    n, dim = map(int, head) if has_head else (None, len(head) - 1)
    if dim < 1:
        raise UserError(f"line 1 of {path} is no word with numbers: give a text file of vectors")
    if not has_head:
        yield number, *_parted(line, number, dim, path)
    for number, line in lines:
        yield number, *_parted(line, number, dim, path)
    read = number - has_head
    if not line.endswith(b"\n") or (n is not None and read < n):
        of = "" if n is None else f" of {n:,}"
        raise UserError(f"{path} is cut off after {read:,}{of} words: fetch it again")


def _parted(line: bytes, number: int, dim: int, path: Path) -> tuple[bytes, list[bytes]]:
    """Splits a line into word and numbers; a word may hold blanks, as in GloVe's files.

    Raises UserError for fewer or more than `dim` numbers.
    """
    word, *numbers = line.rstrip().rsplit(b" ", dim)
    surplus = word.split(b" ")[1:]
    if len(numbers) < dim or any(map(_is_number, surplus)):
        raise UserError(
            f"line {number} of {path} has {len(surplus) + len(numbers)} numbers where the first "
            f"has {dim}: the file is cut off or damaged, fetch it again"
        )
    return word, numbers


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _vector(numbers: list[bytes], where: str) -> np.ndarray:
    """Parses (dim,) float32. Raises UserError, with `where`, for an entry that is not finite."""
    try:
        with np.errstate(over="ignore"):  # what is too large is refused below
            vector = np.array([float(number) for number in numbers], np.float32)
    except ValueError:
        vector = np.array([np.nan])
    if not np.isfinite(vector).all():
        raise UserError(f"{where} has what is no finite number: fetch the file again")
    return vector


# ---- ours


def write(vectors: WordVectors, folder: Path) -> None:
    """Writes vectors in half precision, and their words, into a folder from which `load` reads."""
    from safetensors.numpy import save_file

    save_file({"vectors": vectors.vectors.astype(np.float16)}, folder / VECTORS)
    text = "".join(f"{word}\n" for word in vectors.words)
    (folder / WORDS).write_text(text, encoding="utf-8")


def _shipped(name: str, words: Collection[str] | None) -> WordVectors:
    """Reads our shipped vectors, for these words or for all. Raises UserError for no words."""
    from safetensors.numpy import load_file

    folder = MODELS / name
    known = (folder / WORDS).read_text(encoding="utf-8").split("\n")[:-1]
    vectors = load_file(folder / VECTORS)["vectors"]  # (n, dim)
    wanted = None if words is None else set(words)
    rows = [row for row, word in enumerate(known) if wanted is None or word in wanted]
    if not rows:
        raise UserError(f"{name} has none of the {len(words):,} words asked for: it is of English")
    return WordVectors(name, tuple(known[row] for row in rows), vectors[rows].astype(np.float32))
