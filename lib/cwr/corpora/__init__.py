"""Reads corpora: named texts and files, cut by one tokeniser into sentences that keep their text.

`load` reads a corpus, `stream` reads one that may be larger than the memory, and `articles` yields
a corpus as a language model reads it. A new corpus is a new entry of `CORPORA`.
"""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from cwr import paths
from cwr.corpora import jsonl, packaged, texts, wiki_text
from cwr.corpora.excerpts import cut
from cwr.corpora.jsonl import write
from cwr.corpora.sentences import (
    Article,
    Corpus,
    Sentence,
    articles,
    fingerprint,
    is_punctuation,
    joined,
    tokenise,
)
from cwr.corpora.treebanks import definite_pronouns, licensed, sources
from cwr.corpora.wiki_pse import listed, mentions
from cwr.errors import UserError, hint, quoted

__all__ = [
    "NAMES",
    "Article",
    "Corpus",
    "Sentence",
    "Stream",
    "articles",
    "cut",
    "fingerprint",
    "is_punctuation",
    "joined",
    "load",
    "stream",
    "tokenise",
    "write",
]


@dataclass(frozen=True)
class Stream:
    """A corpus that is never in memory: each call of `read` yields its sentences anew, in order."""

    name: str
    read: Callable[[], Iterable[Sentence]]
    licence: str


WIKI_SAMPLE = "English Wikipedia, CC BY-SA 3.0"
WIKI_TEXT = "English Wikipedia of 2015, CC BY-SA 3.0 and GFDL"
LDC = "a licence of the Linguistic Data Consortium: not redistributable"
CORPORA = (
    Stream(
        "lee",
        functools.partial(packaged.read, "lee", texts.lee),
        "Lee, Pincombe and Welsh (2005), provided to the gensim project by Michael D. Lee and "
        "distributed in its LGPL-2.1 package; no terms of its own are stated",
    ),
    Stream(
        "wiki-sample",
        functools.partial(packaged.read, "wiki-sample", texts.wiki_sample),
        WIKI_SAMPLE,
    ),
    Stream(
        "wiki-sample-half",
        functools.partial(packaged.read, "wiki-sample-half", texts.wiki_sample_half),
        WIKI_SAMPLE,
    ),
    Stream(
        "wiki-anchors",
        functools.partial(packaged.read, "wiki-anchors", mentions.sentences, mentions.CUT_BY),
        f"{WIKI_SAMPLE}; classes CC BY-SA 4.0",
    ),
    Stream(
        "sts",
        texts.sts,
        "terms differ by part, and some forbid passing the texts on: not redistributable",
    ),
    Stream("wiki-text", wiki_text.sentences, WIKI_TEXT),
    Stream("wiki-read", wiki_text.own, WIKI_TEXT),
    Stream("wiki-unread", wiki_text.unread, WIKI_TEXT),
    Stream("wiki-listed", listed.sentences, f"{WIKI_TEXT}; classes CC BY-NC-SA 4.0"),
    Stream("gum", sources.gum, "CC BY 2.5 (news, interview), CC BY 4.0 (court, academic, labels)"),
    Stream("ud-english-ewt", sources.ewt, "labels CC BY-SA 4.0; texts: see the source"),
    Stream("teaching-treebank", sources.teaching, "CC BY 4.0, as the text of the book"),
    Stream("wikigold", sources.wikigold, "CC BY 4.0"),
    Stream("wnut-17", sources.wnut_17, "CC BY 4.0"),
    Stream(
        "dpr",
        definite_pronouns.dpr,
        "none stated (Rahman and Ng, 2012): not redistributable",
    ),
    Stream("ptb", licensed.ptb, LDC),
    Stream("ontonotes", licensed.ontonotes, LDC),
    Stream("conll-2003", licensed.conll_2003, "Reuters' (RCV1), by NIST: not redistributable"),
)
NAMED = {corpus.name: corpus for corpus in CORPORA}
NAMES = tuple(NAMED)


def load(name_or_path: str | Path) -> Corpus:
    """Reads a named corpus (`NAMES`), any UTF-8 text file, or a .jsonl file into sentences.

    In a text file a line is a paragraph, and a blank line ends a document. In a .jsonl file a line
    is {"text": ...}, a document, or a sentence with its words, which needs no tokeniser (see
    `jsonl`).
    Raises UserError for an unknown name, a missing file, a file that is not UTF-8 or has no words,
    and a named corpus that is neither at hand nor can be fetched.
    """
    text = stream(name_or_path)
    sentences = tuple(text.read())
    if not sentences:
        raise UserError(
            f"the corpus file {name_or_path} has no words: give a UTF-8 text file, one paragraph a "
            "line"
        )
    return Corpus(text.name, sentences, fingerprint(sentences), text.licence)


def stream(name_or_path: str | Path) -> Stream:
    """Opens a corpus as `load` names it, to be read sentence by sentence, never whole in memory.

    Raises UserError for an unknown name and a missing file; for faults in a file only while it is
    read.
    """
    name = str(name_or_path)
    return NAMED.get(name) or _file(name)


def _file(name: str) -> Stream:
    path = paths.named(name)
    if path is None or not path.is_file():
        raise UserError(_unknown(name, path))
    reader = jsonl.read if path.suffix == jsonl.SUFFIX else texts.plain_text
    called = paths.name_of(path, reserved=NAMES)
    return Stream(called, functools.partial(reader, path), "that of the file")


def _unknown(name: str, path: Path | None) -> str:
    """Returns the error text for a name that is no corpus and no file."""
    is_folder = path is not None and path.is_dir()
    what = "is a folder" if is_folder else "is neither a named corpus nor an existing file"
    nearest = hint(name, NAMES).rstrip("?")
    return f"corpus {quoted(name)} {what}: {nearest}, or give the path of a UTF-8 text file"
