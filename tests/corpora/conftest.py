"""Corpora that several tests read, each loaded once."""

import pytest

from cwr import corpora


@pytest.fixture(scope="session")
def lee():
    return corpora.load("lee")


@pytest.fixture(scope="session")
def wiki_sample():
    return corpora.load("wiki-sample")


@pytest.fixture(scope="session")
def wiki_anchors():
    return corpora.load("wiki-anchors")
