"""Labelled sentences: as the independent copies have them, and how they are divided."""

import functools
import gzip
import re

import numpy as np
import pandas as pd
import pytest

from cwr.corpora import labelled
from cwr.corpora.labelled import TEST, TRAIN, VALIDATION
from cwr.errors import UserError

SIZES = {
    "CR": 3775,
    "MR": 10662,
    "MPQA": 10606,
    "SUBJ": 10000,
    "TREC": 5952,
    "SST-5": 11855,
}
TEST_COUNTS = {  # as the sources have them
    "TREC": [9, 138, 94, 65, 81, 113],
    "SST-5": [279, 633, 389, 510, 399],
    "SemEval-2010": [328, 312, 192, 292, 258, 156, 233, 261, 454, 231],
}


@pytest.fixture
def mirrored(shared, monkeypatch):
    """The folder of independent copies; what is not packaged is found in the mirror."""
    monkeypatch.setenv("CWR_DATA", str(shared / "data" / "mirror"))
    return shared / "data"


load = functools.cache(labelled.load)  # each set is read once


@pytest.fixture(scope="module")
def semeval():
    return load("SemEval-2010")


@pytest.mark.parametrize("name", labelled.TABLE_4)
def test_a_downloaded_set_is_line_by_line_that_of_the_independent_copy(name, mirrored):
    file = mirrored / "downstream" / f"{name}.tsv.gz"
    copy = pd.read_csv(file, sep="\t", keep_default_na=False, quoting=3, dtype=str)
    data = load(name)
    assert len(data.sentences) == len(copy) == SIZES[name]
    assert [sentence.text for sentence in data.sentences] == copy["text"].tolist()
    assert [data.classes[label] for label in data.labels] == copy["label"].tolist()
    if "split" in copy:
        is_test = copy["split"] == "test"
        assert (data.splits == TEST).tolist() == is_test.tolist()


def test_trec_has_the_fifty_labels_of_the_independent_copy_too(mirrored):
    copy = pd.read_csv(mirrored / "downstream" / "TREC.tsv.gz", sep="\t", quoting=3)
    data = load("TREC-50")
    fine = [data.classes[label].partition(":")[2] for label in data.labels]
    assert len(data.classes) == 50 and fine == copy["fine_label"].tolist()


def test_semeval_is_the_source_without_tags_and_directions(shared, semeval):
    split_files = {"train": TRAIN, "test_full": TEST}
    texts, relations = [], []
    for name in split_files:
        file = shared / "data" / "survey" / f"semeval2010_task8_{name}.txt.gz"
        blocks = gzip.open(file, "rt").read().strip().split("\n\n")
        for block in blocks:
            sentence, relation, *_ = block.split("\n")
            plain = re.sub("<[^>]*>", "", sentence.split("\t")[1].strip())
            texts.append(plain[1:-1])
            relations.append(relation.split("(")[0])
    assert len(texts) == 10717 == len(semeval.sentences)
    assert [sentence.text for sentence in semeval.sentences] == texts
    assert [semeval.classes[label] for label in semeval.labels] == relations
    assert (semeval.splits == TEST).tolist() == [number >= 8000 for number in range(10717)]


@pytest.mark.parametrize("name", TEST_COUNTS)
def test_official_test_sentences_have_the_counts_of_the_source(name, mirrored):
    assert load(name).counts(TEST).tolist() == TEST_COUNTS[name]


def test_an_undivided_set_is_cut_sixty_twenty_twenty_and_classes_keep_their_shares(
    mirrored,
):
    data = load("CR")
    shares = [
        len(data.rows(split)) / len(data.labels) for split in (TRAIN, VALIDATION, TEST)
    ]
    assert shares == pytest.approx([0.6, 0.2, 0.2], abs=1e-3)
    of_class = [data.counts(split) / data.counts(split).sum() for split in (TRAIN, TEST)]
    assert of_class[0] == pytest.approx(of_class[1], abs=2e-3)


def test_another_seed_draws_other_sentences_and_the_same_seed_the_same(semeval):
    official = np.where(semeval.splits == TEST, TEST, TRAIN)
    again, other = (
        labelled._divided(semeval.labels, official, 0, seed) for seed in (0, 1)
    )
    assert (again == semeval.splits).all()
    moved = again != other
    assert moved.any() and not (moved & (semeval.splits == TEST)).any()


def test_fewer_sentences_are_for_training_never_for_the_test(semeval):
    small = load("SemEval-2010", most=2000)
    assert len(small.rows(TRAIN)) == 1600 and len(small.rows(VALIDATION)) == 400
    names = [semeval.sentences[row].id for row in semeval.rows(TEST)]
    assert [small.sentences[row].id for row in small.rows(TEST)] == names
    shares = [data.counts(TRAIN) / len(data.rows(TRAIN)) for data in (small, semeval)]
    assert shares[0] == pytest.approx(shares[1], abs=2e-3)


def test_the_official_validation_sentences_stay_when_there_are_fewer(mirrored):
    whole, small = load("SST-5"), labelled.load("SST-5", most=1000)
    official = {whole.sentences[row].id for row in whole.rows(VALIDATION)}
    assert len(official) == 1101
    kept = {small.sentences[row].id for row in small.rows(VALIDATION)}
    assert 0 < len(kept) < 200 and kept < official


def test_words_are_those_of_the_one_tokeniser_in_lower_case(semeval, tokenise):
    row = 5
    sentence = semeval.sentences[row]
    (cut,) = tokenise(sentence.text)
    assert semeval.words[row] == tuple(word.lower() for word in cut.words)
    assert semeval.words[0][0] == "the"


def test_the_blemishes_are_those_that_the_notes_counted(mirrored):
    sets = [load(name) for name in labelled.TABLE_4]
    table = labelled.blemishes(sets)
    assert table.loc["MPQA", ["repeated", "several labels", "empty"]].tolist() == [
        2365,
        99,
        3,
    ]
    assert table.loc["CR", ["repeated", "empty"]].tolist() == [9, 4]
    assert table.loc[["TREC", "SST-5"], "test text trained on"].tolist() == [10, 2]


def test_a_class_too_small_to_be_divided_is_one_sentence(mirrored):
    with pytest.raises(
        UserError, match="TREC-50 cannot be divided by class .*: take more"
    ):
        labelled.load("TREC-50", most=60)


def test_a_test_label_that_train_lacks_is_one_sentence(monkeypatch):
    lines = [("text", "seen", TRAIN)] * 9 + [("text", "unseen", TEST)]
    monkeypatch.setitem(labelled.READERS, "lines", lambda source: lines)
    with pytest.raises(
        UserError, match="have the label unseen, which none of its 7 training"
    ):
        labelled.load("CR")


def test_an_unknown_set_names_the_nearest_one():
    with pytest.raises(UserError, match="did you mean 'SST-5'"):
        labelled.load("SST5")
