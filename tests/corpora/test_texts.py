"""The named corpora, text files, and the sentence a user reads when a corpus cannot be had."""

import gzip
import lzma
import subprocess
import sys

import pytest

from cwr import corpora, downloads
from cwr.corpora import wiki_text
from cwr.corpora.wiki_text import articles
from cwr.errors import UserError


def test_lee_has_a_document_per_story_and_keeps_its_text(lee):
    assert len({sentence.document for sentence in lee.sentences}) == 300
    assert (len(lee.sentences), sum(len(s.spans) for s in lee.sentences)) == (2689, 68095)
    assert lee.sentences[0].text.startswith(
        "Hundreds of people have been forced to vacate their"
    )
    assert len({sentence.id for sentence in lee.sentences}) == len(lee.sentences)


def test_the_corpora_are_those_that_the_books_numbers_are_of(lee, wiki_sample):
    assert lee.fingerprint.startswith("29847625792ca8d71d12d989")
    assert wiki_sample.fingerprint.startswith("d38e14cc5452d184adb25d94")


def test_corpora_are_named_without_waiting_for_a_large_library():
    code = "import sys; from cwr import corpora; print(corpora.NAMES, *sys.modules, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    names, *modules = done.stdout.splitlines()
    assert "'lee'" in names
    assert not {"torch", "transformers", "spacy", "gensim", "pandas"} & set(modules)


def test_a_text_file_has_a_paragraph_per_line_and_blank_lines_part_documents(tmp_path):
    file = tmp_path / "two.txt"
    file.write_bytes("\ufeff\nOne. Two.\nThree é.\n\n\n \nFour.\n".encode())
    corpus = corpora.load(file)
    assert [(s.document, s.paragraph, s.text) for s in corpus.sentences] == [
        (0, 0, "One."),
        (0, 0, "Two."),
        (0, 1, "Three é."),
        (1, 0, "Four."),
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"caf\xe9", "is not UTF-8 (byte 0xe9 at position 3)"),
        (b"\xef\xbb\xbfa\ncaf\xe9\n", "is not UTF-8 (byte 0xe9 at position 8)"),
        (b"\n \n", "has no words"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path, content, says):
    file = tmp_path / "bad.txt"
    file.write_bytes(content)
    with pytest.raises(UserError) as refusal:
        corpora.load(file)
    assert says in str(refusal.value) and str(file) in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("leee", "did you mean 'lee'"),
        ("wiki-sampel", "'wiki-sample'"),
        ("/nowhere/x.txt", "nor an existing file"),
        ("/", "is a folder"),
    ],
)
def test_an_unknown_corpus_is_refused_and_the_nearest_is_named(name, says):
    with pytest.raises(UserError) as refusal:
        corpora.load(name)
    assert says in str(refusal.value)


def test_the_half_of_the_wiki_sample_has_every_second_article(wiki_sample):
    half = corpora.load("wiki-sample-half")
    every_second = [s.text for s in wiki_sample.sentences if int(s.document) % 2 == 0]
    assert [s.text for s in half.sentences] == every_second


def test_the_wiki_sample_is_prose_without_markup(wiki_sample):
    assert len({sentence.document for sentence in wiki_sample.sentences}) > 90
    assert len(wiki_sample.sentences) > 15_000
    text = "\n".join(sentence.text for sentence in wiki_sample.sentences)
    markup = ("[[", "{{", "]]", "}}", "''", "==", "|", "#REDIRECT", "<ref")
    assert not any(mark in text for mark in markup)


HELD_OUT = [
    wiki_text.Article(43896, "Merced, California", ("One. Two, twice.", "Three.")),
    wiki_text.Article(7, "Next", ("Four.",)),
]


@pytest.fixture
def held_out(tmp_path, monkeypatch):
    """held_out(articles) writes a text for wiki-text; the list of digests is that of HELD_OUT."""
    table = tmp_path / "articles.csv"
    rows = [
        f"{article.id},heldout,{articles.article_digest(article)}" for article in HELD_OUT
    ]
    table.write_text("\n".join(["id,part,digest", *rows]), encoding="utf-8")
    monkeypatch.setattr(articles, "LISTED", table)
    monkeypatch.setenv("CWR_DATA", str(tmp_path))
    (tmp_path / "wiki_text").mkdir()
    return lambda text: articles.write(tmp_path / "wiki_text/heldout.txt.xz", text)


def test_wiki_text_is_held_out_articles_with_their_paragraphs(held_out):
    held_out(HELD_OUT)
    corpus = corpora.load("wiki-text")  # without any train part to read
    assert [(s.document, s.paragraph, s.text) for s in corpus.sentences] == [
        (0, 0, "One."),
        (0, 0, "Two, twice."),
        (0, 1, "Three."),
        (1, 0, "Four."),
    ]
    assert "wiki-text" in corpora.NAMES and "CC BY-SA 3.0" in corpus.licence


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (HELD_OUT[::-1], 1),
        (HELD_OUT[:1], 2),
        ([*HELD_OUT, HELD_OUT[0]], 3),
        ([HELD_OUT[0], wiki_text.Article(7, "Next", ("Five.",))], 2),
    ],
    ids=["another order", "one missing", "one too many", "another word"],
)
def test_a_held_out_text_that_is_not_the_listed_one_is_refused(held_out, text, number):
    held_out(text)
    with pytest.raises(UserError, match=f"article {number} of the held-out text"):
        corpora.load("wiki-text")


def test_a_line_without_end_is_not_read_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(articles, "LONGEST_LINE", 100)
    file = tmp_path / "one.xz"
    file.write_bytes(lzma.compress(b"# 7\tNext\n" + b"word " * 99))
    with pytest.raises(UserError, match="line 2 of .* is no paragraph"):
        list(articles.read(file))


@pytest.mark.parametrize(
    "line",
    [
        "STS2012-gold\tMSRpar\t4.4\tOne side.",
        "STS2012-gold\tMSRpar\tOne.\tTwo.\t4.4",
        "4.4,One.,Two.",
    ],
    ids=["a side is missing", "another order", "commas"],
)
def test_sts_in_an_unknown_layout_is_refused_by_the_pair(line, tmp_path, monkeypatch):
    files = {
        row.path: tmp_path / f"{number}.tsv"
        for number, row in enumerate(downloads.rows("sts"))
    }
    for file in files.values():
        file.write_text("4.4\tOne.\tTwo.\n")
    collection = downloads.rows("sts")[0]
    files[collection.path].write_text(f"head\nSTS2012-gold\tMSRpar\t\tA.\tB.\n{line}\n")
    monkeypatch.setattr(downloads, "fetch", lambda row: files[row.path])
    with pytest.raises(
        UserError, match="^pair 2 of STS .* is not year, domain, score and two sen"
    ):
        corpora.load("sts")


def test_sts_is_the_authors_input_pair_by_pair(shared, monkeypatch):
    monkeypatch.setenv("CWR_DATA", str(shared / "data" / "mirror"))
    normalised = []
    for file in shared.glob("data/sts/sts*.tsv.gz"):
        lines = gzip.decompress(file.read_bytes()).decode().rstrip("\n").split("\n")[1:]
        normalised += [line.split("\t") for line in lines]
    normalised.sort(key=lambda row: int(row[0]))
    sts = corpora.load("sts").sentences
    assert (len(normalised), len(sts)) == (14_783, 29_566)
    for row, left, right in zip(normalised, sts[::2], sts[1::2], strict=True):
        expected = {
            "score": float(row[3]),
            "domain": f"{row[1]}/{row[2]}",
            "pair": int(row[0]),
        }
        assert left.annotations == right.annotations == expected
        assert [left.text, right.text] == [
            side.replace('"', "").strip() for side in row[4:]
        ]
    # the one entry of the authors' own index that was published (word2sent.json)
    assert [
        (i, s.words.index("render")) for i, s in enumerate(sts) if "render" in s.words
    ] == [
        (0, 0),
        (11088, 10),
        (11089, 7),
        (20456, 10),
        (20457, 7),
        (25572, 4),
    ]
