"""Corpora: sentences that keep their text, with one tokeniser for all of them.

Words are character spans found by spaCy's blank English tokeniser, sentences are cut by spaCy's
rule-based sentencizer; neither needs a trained model. A model tokenises a sentence's *text* and is
aligned with the words by these spans.
"""
import bz2
import difflib
import functools
import hashlib
import importlib.util
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from cwr import downloads, wiki_text
from cwr.errors import UserError

Paragraph = tuple[int, int, str]                             # document, paragraph, text


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its text, and its words as (start, end) character spans of that text.

    `document` and `paragraph` number where it stands in its corpus; `annotations` hold whatever else
    the corpus says about it (pair scores, tags, classes).
    """

    id: str
    text: str
    spans: tuple[tuple[int, int], ...]
    document: int = 0
    paragraph: int = 0
    annotations: dict = field(default_factory=dict, hash=False)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.text[start:end] for start, end in self.spans)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Named sentences; `fingerprint` is the sha256 of their texts and spans, in order."""

    name: str
    sentences: tuple[Sentence, ...]
    fingerprint: str
    licence: str

    def sample(self, n: int, seed: int = 0) -> "Corpus":
        """n sentences drawn without replacement, in corpus order; everything for n = 0 or n >= the corpus."""
        if n < 0:
            raise ValueError(f"a sample needs a number of sentences of at least 0, got {n}")
        if n == 0 or n >= len(self.sentences):
            return self
        drawn = np.sort(np.random.default_rng(seed).choice(len(self.sentences), n, replace=False))
        sentences = tuple(self.sentences[i] for i in drawn)
        return replace(self, sentences=sentences, fingerprint=fingerprint(sentences))


def load(name_or_path: str | Path) -> Corpus:
    """A named corpus (`NAMES`), or any UTF-8 text file: a line is a paragraph, a blank line ends a document.

    Raises UserError for an unknown name, a missing file, a file that is not UTF-8 or has no words.
    """
    name = str(name_or_path)
    if name in LOADERS:
        sentences, licence = LOADERS[name]()
    else:
        sentences, licence = list(_split(_lines(_read(name)))), "that of the file"
    if not sentences:
        raise UserError(f"the corpus file {name} has no words: give a UTF-8 text file, one paragraph a line")
    return Corpus(name, tuple(sentences), fingerprint(sentences), licence)


def tokenise(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text, with their words; whitespace is no word, and a text without words has none."""
    return tuple(_split([(0, 0, text)]))


def joined(words: Sequence[str]) -> Sentence:
    """A bare list of words as a sentence: joined by blanks, and labelled so: its true text is not known."""
    ends = np.cumsum([len(word) + 1 for word in words]) - 1
    spans = tuple((int(end) - len(word), int(end)) for word, end in zip(words, ends, strict=True))
    return Sentence("joined", " ".join(words), spans, annotations={"joined": True})


def is_punctuation(word: str) -> bool:
    """Whether spaCy flags the word as punctuation: every character of it is."""
    return _english().vocab[word].is_punct


def fingerprint(sentences: Iterable[Sentence]) -> str:
    """sha256 over texts and spans, in order: all of a corpus that a model's numbers can depend on."""
    digest = hashlib.sha256()
    for sentence in sentences:
        digest.update(json.dumps([sentence.text, sentence.spans]).encode() + b"\n")
    return digest.hexdigest()


@functools.cache
def _english():
    """spaCy's blank English pipeline, one a process; imported here because the import takes a second."""
    import spacy

    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.max_length = 10**9                # spaCy's limit guards trained components, not used here
    return pipeline


def _spans(tokens) -> tuple[tuple[int, int], ...]:
    """Character spans of the words among spaCy's tokens, counted from the first token."""
    start = tokens[0].idx if len(tokens) else 0
    return tuple((t.idx - start, t.idx - start + len(t)) for t in tokens if not t.is_space)


def _split(paragraphs: Iterable[Paragraph]) -> Iterator[Sentence]:
    """The sentences of (document, paragraph, text) triples, in order; those without words are left out."""
    places = ((text, (document, paragraph)) for document, paragraph, text in paragraphs)
    for doc, (document, paragraph) in _english().pipe(places, as_tuples=True):
        for number, tokens in enumerate(doc.sents):
            spans = _spans(tokens)
            if spans:
                start, end = spans[0][0], spans[-1][1]
                spans = tuple((a - start, b - start) for a, b in spans)
                name = f"{document}.{paragraph}.{number}"
                yield Sentence(name, tokens.text[start:end], spans, document, paragraph)


def _lines(text: str) -> Iterator[Paragraph]:
    """Paragraphs of a plain text: its lines; blank lines part the documents."""
    document = paragraph = 0
    for line in text.splitlines():
        if line.strip():
            yield document, paragraph, line
            paragraph += 1
        elif paragraph:
            document, paragraph = document + 1, 0


def _read(name: str) -> str:
    path = Path(name).expanduser()
    if not path.is_file():
        near = difflib.get_close_matches(name, NAMES, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}" if near else f"the named ones are {', '.join(NAMES)}"
        what = "is a folder" if path.is_dir() else "is neither a named corpus nor an existing file"
        raise UserError(f"corpus {name!r} {what}: {hint}, or give the path of a UTF-8 text file")
    try:
        return path.read_text(encoding="utf-8-sig")          # -sig: a byte order mark is no text
    except UnicodeDecodeError as error:
        byte, place = error.object[error.start], error.start
        raise UserError(f"the corpus file {name} is not UTF-8 (byte {byte:#x} at position {place}): convert "
                        "it, for instance with iconv -t UTF-8") from None


def _gensim() -> Path:
    """The texts that gensim carries for its tests, found without importing it (a second and a half)."""
    package = importlib.util.find_spec("gensim")
    if package is None:
        raise UserError("this corpus travels in the package gensim, which is not installed: pip install gensim")
    return Path(package.submodule_search_locations[0]) / "test" / "test_data"


def _lee() -> tuple[list[Sentence], str]:
    """300 news stories of the Australian Broadcasting Corporation, one a document, as gensim carries them."""
    text = (_gensim() / "lee_background.cor").read_text(encoding="utf-8")
    stories = ((number, 0, line) for number, line in enumerate(text.splitlines()))
    return list(_split(stories)), (
        "Lee, Pincombe and Welsh (2005), provided to the gensim project by Michael D. Lee and distributed in "
        "its LGPL-2.1 package; no terms of its own are stated")


def _wiki_sample() -> tuple[list[Sentence], str]:
    """The articles in gensim's piece of an English Wikipedia dump, markup removed by gensim's parser."""
    from gensim.corpora.wikicorpus import extract_pages, filter_wiki

    dump = _gensim() / "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
    with bz2.open(dump) as pages:
        articles = [text for _, text, _ in extract_pages(pages, filter_namespaces=("0",))
                    if not text.lstrip().lower().startswith("#redirect")]
    paragraphs = ((document, number, paragraph) for document, text in enumerate(articles)
                  for number, paragraph in enumerate(_prose(filter_wiki(text))))
    return list(_split(paragraphs)), "English Wikipedia, CC BY-SA 3.0"


def _prose(text: str) -> Iterator[str]:
    """The lines of a filtered article that are prose: no heading or list, five words, ended as a sentence is.

    Captions, infobox values and unparsed image links fail that test. Formulas are gone without a trace
    (the parser's doing), so a few sentences have a hole.
    """
    for line in text.split("\n"):
        words = re.sub("'{2,}", "", line).split()            # '' and ''' mark italics and bold
        line = " ".join(words)
        marked = line[:1] in "=*:;#!{^" or "|" in line
        if len(words) >= 5 and not marked and re.search(r"[.!?][\"')\]”’]*$", line):
            yield line


def _sts() -> tuple[list[Sentence], str]:
    """The 29,566 sentences of STS 2012-2016 as Ethayarajh read them: sentence 2p + i is side i of pair p.

    That input is the public collection with only the scored pairs, 2016 in its later order, and every
    `"` removed. A side is one sentence here, as it is there, even where it holds two.
    Annotations: `score` (0 to 5), `domain` ("STS2012-gold/MSRvid"), `pair` (position).
    """
    rows = _sts_rows()
    texts = [side.replace('"', "").strip() for row in rows for side in row[3:5]]
    sentences = []
    for number, (doc, text) in enumerate(zip(_english().pipe(texts), texts, strict=True)):
        pair, side = divmod(number, 2)
        year, domain, score = rows[pair][:3]
        about = {"score": float(score), "domain": f"{year}/{domain}", "pair": pair}
        sentences.append(Sentence(f"{pair}.{side}", text, _spans(doc[:]), pair, side, about))
    return sentences, "terms differ by part, and some forbid passing the texts on: not redistributable"


def _sts_rows() -> list[list[str]]:
    """[year, domain, score, sentence, sentence] of every scored pair; quotes are ordinary characters."""
    collection, *tests = downloads.rows("sts")
    rows = [line.split("\t") for line in _table(collection)[1:]]
    by_domain = {Path(test.path).name.removesuffix(".test.tsv"): test for test in tests}
    for domain in ("postediting", "question-question", "headlines", "plagiarism", "answer-answer"):
        rows += [["STS2016-gold", domain, *line.split("\t")] for line in _table(by_domain[domain])]
    return [row for row in rows if row[2].strip()]


def _table(row: downloads.Row) -> list[str]:
    # str.splitlines would also cut at the rarer line ends that some of these sentences contain
    return downloads.fetch(row).read_bytes().decode("utf-8").rstrip("\n").split("\n")


def _wiki_text() -> tuple[list[Sentence], str]:
    """A 200,000-word sample of the held-out articles of `wiki_text`, one a document, with their paragraphs.

    Held-out ones only: the language models that this book ships are trained on the others.
    """
    paragraphs = ((document, number, paragraph) for document, article in enumerate(wiki_text.sample())
                  for number, paragraph in enumerate(article.paragraphs))
    return list(_split(paragraphs)), "English Wikipedia of 2015, CC BY-SA 3.0 and GFDL"


LOADERS: dict[str, Callable[[], tuple[list[Sentence], str]]] = {
    "lee": _lee, "wiki-sample": _wiki_sample, "sts": _sts, wiki_text.SET: _wiki_text}
NAMES = tuple(LOADERS)
