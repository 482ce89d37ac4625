"""wiki_text: its format, what is held out, what is said where it is missing, how it is built."""

import hashlib
import importlib.util
import itertools
import json
import lzma
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from cwr import downloads
from cwr.cli import plan
from cwr.corpora import Article, wiki_text
from cwr.corpora.wiki_text import READ, articles, build
from cwr.corpora.word_vectors import MODELS
from cwr.errors import UserError

TWO = "# 12\tAnarchism\nOne line. And more.\nAnother line.\n\n# 7\tC# and others\n#1 is no head.\n\n"


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A folder named in CWR_DATA, with an empty cache beside it."""
    monkeypatch.setenv("CWR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CWR_DATA", str(tmp_path / "data"))
    (tmp_path / "data/wiki_text").mkdir(parents=True)
    return tmp_path / "data"


def write(path, text):
    path.write_bytes(lzma.compress(text.encode()))
    return path


def test_a_block_is_an_article_and_a_line_a_paragraph(root):
    write(root / "wiki_text/heldout.txt.xz", TWO)
    assert list(wiki_text.load("heldout")) == [
        Article(12, "Anarchism", ("One line. And more.", "Another line.")),
        Article(7, "C# and others", ("#1 is no head.",)),
    ]


def test_the_train_part_is_its_five_files_one_after_the_other(root):
    for number in range(5):
        write(
            root / f"wiki_text/train_{number}.txt.xz",
            f"# {number}\tTitle {number}\nText.\n\n",
        )
    assert [article.id for article in wiki_text.load("train")] == [0, 1, 2, 3, 4]


def test_what_no_shipped_model_has_read_begins_behind_what_they_were_trained_on(
    root, monkeypatch
):
    text = "".join(f"# {number}\tTitle\nText number {number}.\n\n" for number in range(6))
    for number in range(5):
        write(root / f"wiki_text/train_{number}.txt.xz", text if number == 0 else "")
    monkeypatch.setattr(wiki_text, "READ", 2)
    unread = wiki_text.unread(words=6)
    assert [sentence.text for sentence in unread] == ["Text number 2.", "Text number 3."]
    own = [sentence.text for sentence in wiki_text.own()]
    assert own == ["Text number 0.", "Text number 1."]
    for made in (
        MODELS / name / "made.json" for name in ("cwr-bert", "cwr-elmo", "cwr-static")
    ):
        assert json.loads(made.read_text(encoding="utf-8"))["articles"] == READ


def test_the_last_article_needs_no_blank_line_and_more_blank_lines_are_no_article(root):
    file = write(root / "a.xz", TWO.rstrip("\n"))
    assert [article.id for article in articles.read(file)] == [12, 7]
    assert [
        article.id for article in articles.read(write(file, "\n\n" + TWO + "\n\n"))
    ] == [12, 7]


def test_a_line_is_cut_at_line_feeds_only(root):
    file = write(root / "a.xz", "# 1\tA\nOne\u2028two\x85three\rfour.\n\n")
    assert next(articles.read(file)).paragraphs == ("One\u2028two\x85three\rfour.",)


def test_who_is_held_out_is_decided_by_the_first_byte_of_the_titles_sha1():
    # sha1sum: 0005de52e3 and 39cd35a92c
    assert articles.heldout("Merced, California") and not articles.heldout("Anarchism")
    share = sum(articles.heldout(f"Title {number}") for number in range(20_000)) / 20_000
    assert share == pytest.approx(8 / 256, abs=0.004)  # three standard errors


def refusal(call, *args):
    with pytest.raises(UserError) as error:
        for _ in call(*args):
            pass
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("cut", [0, 5, 60, -1])
def test_a_file_cut_short_is_refused_by_name(root, cut):
    file = write(root / "wiki_text/heldout.txt.xz", TWO * 40)
    file.write_bytes(file.read_bytes()[:cut])
    said = refusal(wiki_text.load, "heldout")
    assert str(file) in said and "cut short or damaged" in said


@pytest.mark.parametrize("text", ["A line.\n", "#12\tA\nText.\n", TWO + "# twelve\tA\n"])
def test_a_file_in_another_format_is_refused_with_its_line(root, text):
    file = write(root / "wiki_text/heldout.txt.xz", text)
    said = refusal(wiki_text.load, "heldout")
    assert f"line {text.count(chr(10)) if text.startswith(TWO) else 1} of {file}" in said


def test_a_file_that_is_not_utf8_is_refused(root):
    file = root / "wiki_text/heldout.txt.xz"
    file.write_bytes(lzma.compress(b"# 1\tA\ncaf\xe9\n"))
    assert str(file) in refusal(wiki_text.load, "heldout")


def test_an_incomplete_folder_is_refused_with_what_it_lacks(root):
    for number in (0, 1, 2, 4):
        write(root / f"wiki_text/train_{number}.txt.xz", TWO)
    assert "lacks train_3.txt.xz" in refusal(wiki_text.load, "train")


def test_an_unknown_part_is_refused(root):
    assert "'train' or 'heldout'" in refusal(wiki_text.load, "test")


COMMIT = f"o/r/{'0' * 40}"
NAMES = ("text/AA/wiki_00", "text/AA/wiki_01", "text/AA/wiki_02")
BUILD = """
import resource, signal, sys
from pathlib import Path
from cwr import downloads
from cwr.corpora import wiki_text
from cwr.errors import UserError
downloads.REGISTRY = Path(sys.argv[1])
if len(sys.argv) > 2:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)    # writing past the limit is then an OSError
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    print(next(wiki_text.load("heldout")).title)
except UserError as error:
    print(error)
"""


def prose(seed, words=60):
    draw = random.Random(seed)
    return (
        " ".join(
            f"{draw.getrandbits(32):x}".translate(
                str.maketrans("0123456789", "ghijklmnop")
            )
            for _ in range(words)
        )
        + " end."
    )


@pytest.fixture
def sources(root):
    """Three source files of 40 articles each, below the folder of CWR_DATA.

    All articles begin with the same paragraph.
    """
    for file, name in enumerate(NAMES):
        blocks = []
        for number in range(file * 40, file * 40 + 40):
            lines = [
                prose(0),
                "Heading",
                prose(f"a{number}"),
                prose(f"b{number}"),
                "* item",
            ]
            head = (
                f'<doc id="{number}" url="http://x?curid={number}" title="Title {number}">'
            )
            blocks.append(
                "\n".join([head, f"Title {number}", "", *lines, "", "</doc>", ""])
            )
        place = root / COMMIT / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(blocks), encoding="utf-8")
    (root / "wiki_text").rmdir()
    return root


@pytest.fixture
def registry(root, monkeypatch):
    """A registry with these three files as the whole set, at an address where nobody answers."""

    def write_rows():
        lines = ["set,path,bytes,sha256,url,licence"]
        for name in NAMES:
            place = root / COMMIT / name
            content = place.read_bytes() if place.exists() else b"?"
            lines.append(
                f"wiki-text,{COMMIT}/{name},{len(content)},{hashlib.sha256(content).hexdigest()},"
                f"http://127.0.0.1:1/{name},none"
            )
        path = root.parent / "registry.csv"
        path.write_text("\n".join(lines) + "\n")
        monkeypatch.setattr(downloads, "REGISTRY", path)
        downloads.rows.cache_clear()
        return path

    yield write_rows
    downloads.rows.cache_clear()


def files(folder):
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(path.name for path in paths if path.suffix != ".lock")


def test_without_text_sources_and_network_the_variable_is_named_and_nothing_is_left(
    root, registry
):
    registry()
    (root / "wiki_text").rmdir()
    said = refusal(wiki_text.load, "heldout")
    assert "lies below no folder named in CWR_DATA" in said
    assert "cannot fetch" in said and NAMES[0] in said
    assert files(root.parent / "cache") == []


def test_where_it_is_not_the_text_is_made_in_the_cache_once(
    root, sources, registry, capsys
):
    registry()
    made = [article for part in ("train", "heldout") for article in wiki_text.load(part)]
    assert sorted(article.id for article in made) == list(range(120))
    assert (
        f"wiki_text made in {root.parent / 'cache/wiki_text'}: of "
        in capsys.readouterr().err
    )
    last = made[-1]
    assert last.paragraphs == (
        prose(f"a{last.id}"),
        prose(f"b{last.id}"),
    )  # prose(0) is a repeat
    (sources / COMMIT / NAMES[0]).unlink()  # now it is read, and not made again
    assert [a for part in ("train", "heldout") for a in wiki_text.load(part)] == made
    assert capsys.readouterr().err == ""
    corpora = ("wiki-text", "wiki-read", "wiki-unread")
    assert [plan.data(name) for name in corpora] == ["here"] * 3


def test_what_is_made_is_ordered_by_sha1_and_split_by_the_rule(
    root, sources, registry, tmp_path
):
    registry()
    build.from_sources(tmp_path / "new")
    train = [
        list(articles.read(tmp_path / "new" / name)) for name in articles.FILES["train"]
    ]
    held = list(articles.read(tmp_path / "new/heldout.txt.xz"))
    order = [
        hashlib.sha1(article.title.encode()).hexdigest()
        for file in train
        for article in file
    ]
    assert order == sorted(order) and max(map(len, train)) - min(map(len, train)) <= 1
    assert [article.title for article in held] == sorted(
        (
            f"Title {n}"
            for n in range(120)
            if hashlib.sha1(f"Title {n}".encode()).digest()[0] < 8
        ),
        key=lambda title: hashlib.sha1(title.encode()).digest(),
    )
    assert len(held) + len(order) == 120 and held


def test_a_subset_needs_only_its_files(root, sources, registry, tmp_path):
    registry()
    for name in NAMES[:2]:
        (sources / COMMIT / name).unlink()
    build.from_sources(tmp_path / "new", [NAMES[2]])
    made = [
        article
        for name in sum(articles.FILES.values(), ())
        for article in articles.read(tmp_path / "new" / name)
    ]
    assert sorted(article.id for article in made) == list(range(80, 120))
    first = next(article for article in made if article.id == 80)
    assert first.paragraphs[0] == prose(0)  # file 0, where it stands first, is not at hand


def test_a_build_refuses_a_folder_that_exists_and_unknown_files(
    root, sources, registry, tmp_path
):
    registry()
    new, unknown = tmp_path / "new", "text/AA/wiki_03"
    assert "exists: name another" in refusal(build.from_sources, tmp_path)
    assert f"no source file {unknown}" in refusal(build.from_sources, new, [unknown])
    assert "no source file to build from" in refusal(build.from_sources, new, [])
    assert not new.exists()


def test_a_killed_build_leaves_no_text_and_the_next_one_works(root, sources, registry):
    text = ""
    for n in range(1, 200):
        text += f'<doc id="{n}" url="x" title="Big {n}">\nBig\n'
        text += f"{prose(n, 1000)}\n{prose(-n, 200)}\n</doc>\n"
    (sources / COMMIT / NAMES[0]).write_text(text)  # 2 MB: long enough to compress
    command, cache = [sys.executable, "-c", BUILD, str(registry())], root.parent / "cache"
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 120
    begun = ".wiki_text.part-*/train_0.txt.xz"
    while not list(cache.glob(begun)) and time.monotonic() < deadline:
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    running.communicate()
    assert list(cache.glob(begun)) and wiki_text.find("heldout") is None
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.startswith("Big") or done.stdout.startswith("Title")
    assert files(cache) == sorted(sum(articles.FILES.values(), ()))


def test_a_build_without_room_on_the_disk_is_refused_and_leaves_nothing(
    root, sources, registry
):
    command = [sys.executable, "-c", BUILD, str(registry()), "3000"]
    said = subprocess.run(command, capture_output=True, text=True).stdout
    assert "cannot write" in said and "CWR_CACHE" in said and said.count("\n") == 1
    assert files(root.parent / "cache") == []


def test_three_real_source_files_give_the_delivered_articles(
    shared, tmp_path, monkeypatch
):
    """Of these files' 122 delivered articles, the held-out ones and those of train_0 are compared.

    All differ in nothing but one paragraph: "Here, domains act as modules …" stands first in
    Microevolution, which is in another source file; without that file it is not known to be
    repeated in Mutation.
    """
    folders = [str(shared / "data/mirror"), str(shared / "data")]
    monkeypatch.setenv("CWR_DATA", os.pathsep.join(folders))
    names = ["text/AA/wiki_00", "text/AB/wiki_50", "text/AD/wiki_99"]
    assert build.from_sources(tmp_path / "new", names) == (5, 5)  # listed, identical
    delivered = {
        article.id: article
        for name in ("heldout.txt.xz", "train_0.txt.xz")
        for article in articles.read(shared / "data/wiki_text" / name)
    }
    made = {
        article.id: article
        for name in sum(articles.FILES.values(), ())
        for article in articles.read(tmp_path / "new" / name)
    }
    assert len(made) == 122
    both = made.keys() & delivered.keys()
    assert len(both) > 20
    assert [made[n].title for n in both if made[n] != delivered[n]] == ["Mutation"]
    mutation, other = made[19702].paragraphs, delivered[19702].paragraphs
    assert [text[:24] for text in mutation if text not in other] == [
        "Here, domains act as mod"
    ]


def test_the_sample_is_the_first_held_out_articles_with_200_000_words(shared, monkeypatch):
    monkeypatch.setenv("CWR_DATA", str(shared / "data"))
    sample = wiki_text.sample()
    words = [sum(len(text.split()) for text in article.paragraphs) for article in sample]
    assert sum(words) >= 200_000 > sum(words[:-1])
    assert sample == list(itertools.islice(wiki_text.load("heldout"), len(sample)))
    assert all(articles.heldout(article.title) for article in sample)


def test_the_list_of_digests_is_that_of_the_delivered_text(shared, monkeypatch):
    monkeypatch.setenv("CWR_DATA", str(shared / "data"))
    file = downloads.REGISTRY.parents[2] / "workflow/tables/wiki_text.py"
    script = importlib.util.spec_from_file_location("table", file)
    table = importlib.util.module_from_spec(script)
    script.loader.exec_module(table)
    assert "\n".join(table.lines()) + "\n" == articles.LISTED.read_text(encoding="utf-8")
    assert sum(part == "heldout" for _, part, _ in articles.listed()) == 709


def test_the_registry_has_all_400_source_files():
    rows = downloads.rows("wiki-text")
    folders = ["text/AA", "text/AB", "text/AC", "text/AD"]
    names = [f"{folder}/wiki_{number:02}" for folder in folders for number in range(100)]
    assert [row.path.split("/", 3)[3] for row in rows] == names
    assert sum(row.bytes for row in rows) == 410_864_431
