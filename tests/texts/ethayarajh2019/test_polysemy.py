"""How many senses a word has: word classes that travel with the book, and WordNet's index."""

import importlib.util
from pathlib import Path

import pytest

from cwr.errors import UserError
from cwr.texts.ethayarajh2019 import polysemy

SCRIPT = Path(__file__).parents[3] / "workflow" / "tables" / "word_classes.py"
INDEX = """bank%1:14:00:: 08437235 2 20
bank%1:17:01:: 09236472 1 25
bank%2:35:01:: 02310895 5 1
barn_owl%1:05:00:: 01622483 1 0
"""


def test_words_of_several_classes_have_several():
    classes = polysemy.load()
    assert classes["like"] == 3 and classes["people"] == 1 and classes["that"] >= 3
    assert classes.index.is_unique and classes.between(1, 6).all() and len(classes) > 2000


def test_the_senses_of_a_lemma_are_its_lines_in_wordnets_index(tmp_path):
    file = tmp_path / "index.sense"
    file.write_text(INDEX, encoding="utf-8")
    assert polysemy.load(str(file)).to_dict() == {"bank": 3, "barn_owl": 1}
    assert [polysemy.name(inventory) for inventory in ("word classes", str(file))] == [
        "word classes",
        "WordNet",
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            None,
            "cannot be read .*: give the path of WordNet's index.sense, or 'word classes'",
        ),
        ("", "is empty"),
        (INDEX + "bank 3\n", "line 5 of .* is no line of WordNet's index.sense"),
        (b"\xff\xfe%\x00", "cannot be read"),
    ],
)
def test_a_file_that_is_no_index_is_refused_in_a_sentence(tmp_path, content, sentence):
    file = tmp_path / "index.sense"
    if content is not None:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UserError, match=sentence):
        polysemy.load(str(file))


def test_the_table_of_word_classes_is_what_its_script_makes(shared, monkeypatch):
    monkeypatch.setenv("CWR_DATA", str(shared / "data" / "mirror"))
    spec = importlib.util.spec_from_file_location("word_classes", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.lines() == polysemy.CLASSES.read_text(encoding="utf-8").splitlines()
