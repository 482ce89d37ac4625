"""Sentences that were cut before come back as they were, and nothing else comes back."""

import functools
import importlib.metadata
from dataclasses import replace

import pytest

from cwr.corpora import packaged
from cwr.corpora.sentences import Article, cut_into_sentences

TEXT = [
    Article(7, "", ("The ship sails. It's “late”.", "Ça va?")),
    Article(9, "", ("An end.",)),
]


@pytest.fixture
def cuts(tmp_path, monkeypatch):
    """What `read` gives of TEXT, with a cache of its own; and the number of cuts, as they happen."""
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    calls = []

    def counted():
        calls.append(len(calls))
        return cut_into_sentences(TEXT)

    return functools.partial(packaged.read, "some", counted), calls


def test_sentences_come_back_from_the_cache_as_they_were_cut(cuts):
    read, calls = cuts
    first = read()
    assert (
        first == list(cut_into_sentences(TEXT))
        and [sentence.id for sentence in first][-1] == "1.0.0"
    )
    assert read() == first and len(calls) == 1


@pytest.mark.parametrize("old, new", [(b"ship", b"shop"), (b"An end.", b""), (b"]]", b"")])
def test_a_damaged_file_is_cut_anew(cuts, old, new, tmp_path):
    read, calls = cuts
    first = read()
    (file,) = (tmp_path / "corpora").iterdir()
    file.write_bytes(file.read_bytes().replace(old, new))
    assert read() == first and len(calls) == 2
    assert read() == first and len(calls) == 2


@pytest.mark.parametrize("package", ["gensim", "spacy"])
def test_another_version_of_what_carries_or_cuts_a_text_cuts_it_anew(
    cuts, package, monkeypatch
):
    read, calls = cuts
    read()
    version = importlib.metadata.version
    other = {package: "0.0"}
    monkeypatch.setattr(
        importlib.metadata, "version", lambda name: other.get(name) or version(name)
    )
    read()
    assert len(calls) == 2


def test_a_cache_that_cannot_be_written_is_done_without(cuts, monkeypatch, tmp_path):
    read, calls = cuts
    (tmp_path / "file").touch()
    monkeypatch.setenv("CWR_CACHE", str(tmp_path / "file"))
    assert read() == read() == list(cut_into_sentences(TEXT)) and len(calls) == 2


def test_annotations_come_back_and_another_file_that_decides_them_cuts_anew(
    cuts, tmp_path
):
    _, calls = cuts
    decides = tmp_path / "classes.csv"
    mentions = {"mentions": [{"first": 0, "last": 1, "class": "time", "link": True}]}

    def annotated():
        calls.append(len(calls))
        return [
            replace(sentence, annotations=mentions)
            for sentence in cut_into_sentences(TEXT)
        ]

    read = functools.partial(packaged.read, "some", annotated, [decides])
    decides.write_text("one")
    assert read() == read() == list(annotated()) and len(calls) == 2
    assert read()[0].annotations == mentions
    decides.write_text("two")
    read()
    assert len(calls) == 3
