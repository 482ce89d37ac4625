"""The words of a text from a file: the same as from the tokeniser, and never of another text."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

from cwr import corpora
from cwr.corpora import Article
from cwr.errors import UserError
from cwr.making.language_models import text, word_files

pytestmark = pytest.mark.usefixtures("tokenise")
ODD = [
    Article(
        1,
        "Odd",
        ("  Don't!  It's £3,\u2009naïve 👩‍🚀 (U.S.). Yes.", "", " ", "A\u00a0b c."),
    ),
    Article(2, "", ()),
]


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_DATA", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("odd", [True, False])
def test_the_words_of_a_file_are_those_of_the_tokeniser(odd, data, articles, monkeypatch):
    some = ODD if odd else articles
    before = text.words(some)
    assert len(before.stream) > 12
    word_files.write(some, data)
    monkeypatch.setattr(corpora, "tokenise", None)  # calling it would fail
    after = text.words(some)
    assert after.types == before.types
    np.testing.assert_array_equal(after.stream, before.stream)
    np.testing.assert_array_equal(after.classes, before.classes)


def test_a_text_that_differs_in_one_letter_does_not_take_the_file(data, articles):
    word_files.write(articles, data)
    first = articles[0]
    other = [Article(first.id, first.title, ("X", *first.paragraphs[1:])), *articles[1:]]
    assert next(word_files.sentences(other)) == ("X",)


@pytest.mark.parametrize("damage", ["half", "nothing", "letters", "words"])
def test_a_damaged_file_is_refused_by_name(damage, data, articles):
    file = word_files.write(articles, data)
    with np.load(file) as content:
        arrays = dict(content)
    if damage in arrays:
        arrays[damage] = arrays[damage][:-1]
        np.savez_compressed(file, **arrays)
    else:
        file.write_bytes(file.read_bytes()[: 200 if damage == "half" else 0])
    with pytest.raises(UserError, match=f"{file.name} is damaged"):
        text.words(articles)


def test_words_that_are_not_all_letters_are_not_written(data, articles, monkeypatch):
    whole = corpora.tokenise
    monkeypatch.setattr(corpora, "tokenise", lambda paragraph: whole(paragraph)[1:])
    with pytest.raises(UserError, match="not all of its letters"):
        word_files.write(articles, data)
    assert not list(data.iterdir())


def test_with_a_file_the_bilstm_is_trained_without_spacy(data, articles, held_out):
    for some in (articles, held_out):
        word_files.write(some, data)
    code = (
        "import sys; sys.modules['spacy'] = None\n"
        "import pickle\n"
        "from cwr.making.language_models import session\n"
        "articles, heldout, folder = pickle.load(sys.stdin.buffer)\n"
        "prepared = session.prepare('cwr-elmo', articles, folder, dim=8, rows=4, size=8)\n"
        "print(session.run(prepared, 2, heldout=heldout)['heldout'].item())\n"
    )
    given = pickle.dumps((articles, held_out, data / "run"))
    done = subprocess.run([sys.executable, "-c", code], input=given, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert 0 < float(done.stdout) < 5
