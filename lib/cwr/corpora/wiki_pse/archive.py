"""The sentences of Wiki-PSE, from the archive that its authors offer (`data.zip`, some gigabytes).

The archive lies on one university's server, without a version, so it is the reader who fetches it.
Of it `word_sclass/corpus.txt` is read, as its authors describe it: a line of words parted by
blanks, in which "@new_york@-location" is a word with its class. We have not seen the file.
"""

import re
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from cwr import paths
from cwr.corpora.sentences import Sentence, joined
from cwr.corpora.wiki_pse.mentions import MENTIONS, mention
from cwr.errors import UserError, quoted

CORPUS = "word_sclass/corpus.txt"
LARGEST = 20_000_000_000  # bytes of all files of an archive together
LABELLED = re.compile(r"@(\S+)@-(\S+)")


def unpack(archive: Path, folder: Path, largest: int = LARGEST) -> Path:
    """Unpack a zip into a new folder, which takes the place of an old one; returns the folder.

    Raises UserError, and leaves the old folder as it is, for a file that is cut short or no zip,
    for one that would write outside the folder, and for more than `largest` bytes.
    """
    try:
        with zipfile.ZipFile(archive) as file:
            members = [member for member in file.infolist() if not member.is_dir()]
            _refuse(archive, members, largest)
            with paths.replacing(folder) as scratch:
                for member in members:
                    _write(file, member, scratch)
    except (zipfile.BadZipFile, EOFError, zlib.error, NotImplementedError) as error:
        raise UserError(f"{archive} is cut short or no zip ({error}): fetch it again") from None
    return folder


def sentences(file: Path) -> Iterator[Sentence]:
    """The sentences of Wiki-PSE's corpus, one a line, with their mentions as in "wiki-anchors".

    Their text is their words joined by blanks; "_" parts the words of a name.
    Raises UserError for a file that is not UTF-8.
    """
    with file.open(encoding="utf-8") as lines:
        try:
            for number, line in enumerate(lines):
                yield _sentence(number, line)
        except UnicodeDecodeError as error:
            raise UserError(f"{file} is not UTF-8 ({error.reason}): fetch it again") from None


def _sentence(number: int, line: str) -> Sentence:
    words, mentions = [], []
    for token in line.split():
        label = LABELLED.fullmatch(token)
        name = label[1].split("_") if label else [token]
        if label:
            span = len(words), len(words) + len(name) - 1
            mentions.append(mention(span, label[2].replace("_", "-"), label[1], is_link=True))
        words += name
    sentence = joined(words)
    annotations = sentence.annotations | {MENTIONS: mentions}
    return replace(sentence, id=str(number), document=number, annotations=annotations)


def _refuse(archive: Path, members: list[zipfile.ZipInfo], largest: int) -> None:
    """Raises UserError for a member that leads out of the folder, and for too many bytes."""
    for member in members:
        path = PurePosixPath(member.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
            raise UserError(
                f"{archive} would write outside its folder ({quoted(member.filename)}): do not "
                "trust it, and fetch it from its authors"
            )
    size = sum(member.file_size for member in members)
    if size > largest:
        raise UserError(
            f"{archive} holds {size:,} bytes, more than the {largest:,} that are allowed: it is "
            "another archive, or one that was made to fill a disk"
        )


def _write(file: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path) -> None:
    """Write one file; what is a link in the archive becomes a file with the link's text."""
    target = folder / member.filename
    target.parent.mkdir(parents=True, exist_ok=True)
    with file.open(member) as source, target.open("wb") as copy:
        shutil.copyfileobj(source, copy)
