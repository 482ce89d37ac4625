"""Reads the sentences of Wiki-PSE from its authors' archive (`data.zip`, some gigabytes).

The archive is on one university's server, without a version, so the reader fetches and unpacks it.
We read its file `word_sclass/corpus.txt` as its authors describe it: lines of words separated by
blanks, in which "@new_york@-location" is a word with its class. We have not seen the file.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from cwr.corpora.sentences import Sentence, joined
from cwr.corpora.wiki_pse.mentions import MENTIONS, mention
from cwr.errors import UserError

LABELLED = re.compile(r"@(\S+)@-(\S+)")


def sentences(file: Path) -> Iterator[Sentence]:
    """Reads the sentences of Wiki-PSE's corpus, one per line, with mentions as in "wiki-anchors".

    A sentence's text is its words joined by blanks; "_" separates the words of a name in the file.
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
