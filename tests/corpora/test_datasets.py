"""The table of data sets: that each row is read, and that each file is somewhere."""

import csv

import pytest

from cwr.corpora import datasets, labelled, word_benchmarks, word_pairs

KINDS = (word_pairs.KIND, labelled.KIND, word_benchmarks.KIND)
SETS = [row for kind in KINDS for row in datasets.of_kind(kind).values()]


def test_every_row_has_a_kind_and_a_name_of_its_own():
    with datasets.TABLE.open(encoding="utf-8", newline="") as table:
        assert len(list(csv.DictReader(table))) == len(SETS) == 30


@pytest.mark.parametrize("row", SETS, ids=lambda row: f"{row.kind}: {row.name}")
def test_every_file_is_installed_or_can_be_downloaded(row):
    if row.place == datasets.DOWNLOAD:
        assert len(row.downloads) == len(row.files) > 0
    else:
        assert row.downloads == []
        assert row.fetch() and all(file.is_file() for file in row.fetch().values())


def test_a_set_that_is_divided_says_which_file_is_which_part():
    files = datasets.find("SST-5", labelled.KIND).files
    assert (
        list(files) == ["train", "validation", "test"]
        and files["test"] == "stsa.fine.test"
    )
    assert datasets.find("CR", labelled.KIND).files == {"": "custrev.all"}
