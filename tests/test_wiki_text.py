"""wiki_text: its format, who is held out, and what is said where the text is not."""
import lzma

import pytest

from cwr import wiki_text
from cwr.errors import UserError
from cwr.wiki_text import Article

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
    assert list(wiki_text.articles("heldout")) == [
        Article(12, "Anarchism", ("One line. And more.", "Another line.")),
        Article(7, "C# and others", ("#1 is no head.",))]


def test_the_train_part_is_its_five_files_one_after_the_other(root):
    for number in range(5):
        write(root / f"wiki_text/train_{number}.txt.xz", f"# {number}\tTitle {number}\nText.\n\n")
    assert [article.id for article in wiki_text.articles("train")] == [0, 1, 2, 3, 4]


def test_the_last_article_needs_no_blank_line_and_more_blank_lines_are_no_article(root):
    file = write(root / "a.xz", TWO.rstrip("\n"))
    assert [article.id for article in wiki_text.read(file)] == [12, 7]
    assert [article.id for article in wiki_text.read(write(file, "\n\n" + TWO + "\n\n"))] == [12, 7]


def test_a_line_is_cut_at_line_feeds_only(root):
    file = write(root / "a.xz", "# 1\tA\nOne\u2028two\x85three\rfour.\n\n")
    assert next(wiki_text.read(file)).paragraphs == ("One\u2028two\x85three\rfour.",)


def test_who_is_held_out_is_decided_by_the_first_byte_of_the_titles_sha1():
    # sha1sum: 0005de52e3 and 39cd35a92c
    assert wiki_text.heldout("Merced, California") and not wiki_text.heldout("Anarchism")
    share = sum(wiki_text.heldout(f"Title {number}") for number in range(20_000)) / 20_000
    assert share == pytest.approx(8 / 256, abs=0.004)        # three standard errors


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
    said = refusal(wiki_text.articles, "heldout")
    assert str(file) in said and "cut short or damaged" in said


@pytest.mark.parametrize("text", ["A line.\n", "#12\tA\nText.\n", TWO + "# twelve\tA\n"])
def test_a_file_in_another_format_is_refused_with_its_line(root, text):
    file = write(root / "wiki_text/heldout.txt.xz", text)
    said = refusal(wiki_text.articles, "heldout")
    assert f"line {text.count(chr(10)) if text.startswith(TWO) else 1} of {file}" in said


def test_a_file_that_is_not_utf8_is_refused(root):
    file = root / "wiki_text/heldout.txt.xz"
    file.write_bytes(lzma.compress(b"# 1\tA\ncaf\xe9\n"))
    assert str(file) in refusal(wiki_text.articles, "heldout")


def test_an_incomplete_folder_is_refused_with_what_it_lacks(root):
    for number in (0, 1, 2, 4):
        write(root / f"wiki_text/train_{number}.txt.xz", TWO)
    assert "lacks train_3.txt.xz" in refusal(wiki_text.articles, "train")


def test_an_unknown_part_is_refused(root):
    assert "'train' or 'heldout'" in refusal(wiki_text.articles, "test")


def test_without_the_text_the_variable_is_named(root):
    assert "CWR_DATA" in refusal(wiki_text.articles, "heldout")
