"""Reads corpora of plain text: packaged texts, the pairs of STS, and any UTF-8 file."""

import importlib.util
import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from cwr import downloads
from cwr.corpora import wikitext
from cwr.corpora.sentences import Article, Sentence, cut_into_sentences, word_spans
from cwr.errors import UserError, quoted

WIKI_DUMP = "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
# The parts of STS 2016, in the order in which Ethayarajh's input has them.
STS_2016 = ("postediting", "question-question", "headlines", "plagiarism", "answer-answer")


def lee() -> Iterator[Sentence]:
    """Reads 300 news stories of the Australian Broadcasting Corporation, one paragraph each.

    The stories are the corpus of Lee, Pincombe and Welsh (2005). UserError without gensim, which
    includes it.
    """
    text = (gensim_data() / "lee_background.cor").read_text(encoding="utf-8")
    stories = enumerate(text.splitlines())
    return cut_into_sentences(Article(number, "", (story,)) for number, story in stories)


def wiki_sample() -> Iterator[Sentence]:
    """Reads the articles in gensim's excerpt of an English Wikipedia dump, without markup.

    UserError without gensim.
    """
    return cut_into_sentences(wiki_articles())


def wiki_sample_half() -> Iterator[Sentence]:
    """Reads every second article of `wiki_sample`, from the first on. UserError without gensim."""
    return cut_into_sentences(itertools.islice(wiki_articles(), 0, None, 2))


def wiki_articles() -> Iterator[Article]:
    """Yields the articles of `wiki_sample`, not yet cut into sentences; some have no prose.

    Redirects are left out. UserError without gensim.
    """
    for page in wiki_pages():
        if page.redirect is None:
            yield Article(page.id, page.title, tuple(wikitext.prose(page.text)))


def wiki_pages() -> Iterator[wikitext.Page]:
    """Yields the pages and redirects in gensim's excerpt of a dump. UserError without gensim."""
    return wikitext.pages(gensim_data() / WIKI_DUMP)


def plain_text(path: Path) -> Iterator[Sentence]:
    """Reads a UTF-8 text file into sentences: a line is a paragraph, blank lines end documents.

    One line at a time is in memory. Raises UserError, while reading, for a file that is not UTF-8.
    """
    return cut_into_sentences(_documents(_lines_of(path)))


def sts() -> Iterator[Sentence]:
    """Reads the 29,566 sentences of STS 2012-2016 as Ethayarajh (2019) read them.

    Sentence 2p + i is side i of pair p. The paper's input is the public collection with only the
    scored pairs, 2016 in its later order, and every `"` removed. As there, a side is one sentence,
    even if it holds two. `document` is the pair and `paragraph` the side. Annotations: `score` (0
    to 5), `domain` ("STS2012-gold/MSRvid"), `pair` (its number). UserError if a file cannot be
    fetched, or has another layout.
    """
    pairs = _scored_pairs()
    texts = []
    for row in pairs:
        texts += [text.replace('"', "").strip() for text in row[3:5]]
    for number, spans in enumerate(word_spans(texts)):
        pair, side = divmod(number, 2)
        year, domain, score = pairs[pair][:3]
        about = {"score": float(score), "domain": f"{year}/{domain}", "pair": pair}
        yield Sentence(f"{pair}.{side}", texts[number], spans, pair, side, about)


def gensim_data() -> Path:
    """Returns the folder of the texts and word pairs that gensim includes for its tests.

    gensim is not imported, which would take 1.5 seconds. Raises UserError if it is missing.
    """
    package = importlib.util.find_spec("gensim")
    if package is None:
        raise UserError(
            "this data set travels in the package gensim, which is not installed: "
            "pip install gensim"
        )
    return Path(package.submodule_search_locations[0]) / "test" / "test_data"


def _lines_of(path: Path) -> Iterator[str]:
    """Yields the lines of a text file, at all line ends of Unicode. Raises as `plain_text`."""
    position = 0  # bytes
    with path.open("rb") as file:
        for line in file:
            try:
                text = line.decode("utf-8" if position else "utf-8-sig")  # a byte order mark
            except UnicodeDecodeError as error:
                byte = error.object[error.start]
                raise UserError(
                    f"the corpus file {path} is not UTF-8 (byte {byte:#x} at position "
                    f"{position + error.start}): convert it, for instance with iconv -t UTF-8"
                ) from None
            yield from text.splitlines()
            position += len(line)


def _documents(lines: Iterable[str]) -> Iterator[Article]:
    """Yields the documents of a plain text; a document starts at a line after a blank one."""
    number, paragraphs = 0, []
    for line in itertools.chain(lines, [""]):  # the text's end ends a document
        if line.strip():
            paragraphs.append(line)
        elif paragraphs:
            yield Article(number, "", tuple(paragraphs))
            number, paragraphs = number + 1, []


def _scored_pairs() -> list[list[str]]:
    """Reads [year, domain, score, sentence, sentence, ...] of every scored pair of STS.

    Quotes are ordinary characters of these files. Raises UserError for a file of another layout.
    """
    collection, *tests = downloads.rows("sts")
    by_domain = {Path(row.path).name.removesuffix(".test.tsv"): row for row in tests}
    pairs = [line.split("\t") for line in _lines(collection)[1:]]
    for domain in STS_2016:
        for line in _lines(by_domain[domain]):
            pairs.append(["STS2016-gold", domain, *line.split("\t")])
    for number, pair in enumerate(pairs, 1):
        if not _is_pair(pair):
            raise UserError(
                f"pair {number} of STS ({quoted(' | '.join(pair))}) is not year, domain, score and "
                "two sentences with tabs between them: get the files that downloads.csv lists"
            )
    return [pair for pair in pairs if pair[2].strip()]


def _is_pair(fields: list[str]) -> bool:
    """Tells whether these are the fields of a pair, with a number or nothing as its score."""
    return len(fields) >= 5 and bool(re.fullmatch(r"(\d+(\.\d+)?)?", fields[2].strip()))


def _lines(row: downloads.Row) -> list[str]:
    # str.splitlines would also cut at the rarer line ends that some of these sentences contain
    return downloads.fetch(row).read_bytes().decode("utf-8").rstrip("\n").split("\n")
