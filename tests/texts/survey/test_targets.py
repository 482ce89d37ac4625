"""Targets in batches of sentences, against a loop; which sentences are drawn."""

import dataclasses

import numpy as np
import pytest
import torch

from cwr import corpora
from cwr.corpora.tasks import Task as SentenceTask
from cwr.errors import UserError
from cwr.texts.survey import targets


def sentiment(of_words: bool = False) -> SentenceTask:
    lines = ("good film", "bad", "a very bad plot", "", "good plot indeed")
    sentences = tuple(
        dataclasses.replace(corpora.joined(line.split()), id=str(number))
        for number, line in enumerate(lines)
    )
    labels = tuple(np.array([label]) for label in (1, 0, 0, 0, 1))
    train, dev = np.array([0, 1, 3]), np.array([4, 2])
    classes = ("negative", "positive")
    return SentenceTask("sst2", "toy", of_words, sentences, classes, labels, train, dev)


def test_a_sentence_is_a_span_and_a_document_of_its_own():
    task = targets.of_sentences(sentiment())
    table = task.table
    assert table["sentence"].tolist() == [0, 1, 2, 4]  # the third has no word
    assert table["document"].tolist() == table["sentence"].tolist()
    assert table["fold"].tolist() == [-1, -1, 0, 0] and task.folds == [0]
    assert table["last"].tolist() == [1, 0, 3, 2]
    assert np.array(task.labels)[task.gold].tolist() == table["label"].tolist()
    assert table["label"].tolist() == ["positive", "negative", "negative", "positive"]


def test_a_task_about_words_is_refused():
    with pytest.raises(ValueError, match="about words"):
        targets.of_sentences(sentiment(of_words=True))


def test_a_batch_has_the_targets_of_its_sentences_where_their_words_stand():
    task = targets.of_sentences(sentiment())
    batch = targets.Targets(task).batch(np.array([4, 0, 1]))
    words = torch.arange(6.0)[:, None]  # three words, two, one
    assert batch.lengths.tolist() == [3, 2, 1]
    assert batch.pooled(words)[:, 0].tolist() == [1.0, 3.5, 5.0]
    assert task.table["sentence"].to_numpy()[batch.rows].tolist() == [4, 0, 1]
    assert batch.gold.tolist() == [1, 1, 0]


def test_every_epoch_reads_each_sentence_once_beside_others_of_its_length():
    sentences, lengths = np.array([3, 5, 8, 9, 12]), np.zeros(13, dtype=int)
    lengths[sentences] = (7, 2, 7, 2, 9)
    steps = [targets.of_step(sentences, lengths, step, 2, seed=0) for step in range(30)]
    epochs = [steps[begin : begin + 3] for begin in range(0, 30, 3)]
    for epoch in epochs:
        assert sorted(np.concatenate(epoch)) == sentences.tolist()
        assert {5, 9} in [set(step.tolist()) for step in epoch]
    assert len({tuple(np.concatenate(epoch)) for epoch in epochs}) > 3


def test_a_fold_is_not_drawn_for_the_training_of_its_own_probes():
    task = targets.of_sentences(sentiment())
    assert targets.drawn(task, 0, 0, within=False).tolist() == [0, 1]
    assert targets.drawn(task, 0, 0, within=True).tolist() == [2, 4]
    assert len(targets.drawn(task, 0, 1, within=True)) == 1


def test_by_split_tests_what_is_not_in_the_training_documents():
    task = targets.of_sentences(sentiment())
    splits = ("train", "train", "dev", "dev", "test")
    sentences = tuple(
        dataclasses.replace(sentence, annotations={"split": split})
        for sentence, split in zip(task.corpus.sentences, splits, strict=True)
    )
    divided = dataclasses.replace(
        task, corpus=dataclasses.replace(task.corpus, sentences=sentences)
    )
    assert targets.by_split(divided).table["fold"].tolist() == [-1, -1, 0, 0]
    with pytest.raises(UserError, match="no annotation"):
        targets.by_split(task)
    training = tuple(
        dataclasses.replace(one, annotations={"split": "train"}) for one in sentences
    )
    undivided = dataclasses.replace(divided.corpus, sentences=training)
    with pytest.raises(
        UserError, match="all targets of the task .* are in training documents"
    ):
        targets.by_split(dataclasses.replace(task, corpus=undivided))
