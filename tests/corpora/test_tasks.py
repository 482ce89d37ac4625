"""Tasks that models are tuned on: labels of words and of sentences, and their shuffled floors."""

import numpy as np
import pytest

from cwr.corpora import tasks
from cwr.errors import UserError


def test_tags_are_those_of_the_treebank_and_its_splits_stay_apart():
    task = tasks.load("pos")
    assert (len(task.train), len(task.dev)) == (2387, 304)  # official
    assert set(task.train).isdisjoint(task.dev)
    assert task.of_words and "NOUN" in task.classes
    for number in (0, 100):
        sentence = task.sentences[number]
        names = [task.classes[label] for label in task.labels[number]]
        assert names == list(sentence.annotations["upos"])


def test_entities_are_a_tag_a_word_and_a_relation_is_one_of_a_sentence():
    names = tasks.load("ner")
    assert {"O", "B-PER", "I-PER"} <= set(names.classes)
    assert [len(labels) for labels in names.labels] == [
        len(s.spans) for s in names.sentences
    ]
    relation = tasks.load("relation", most=500)
    assert not relation.of_words and {len(labels) for labels in relation.labels} == {1}
    assert len(relation.train) + len(relation.dev) == 500


def test_fewer_training_sentences_are_the_first_of_them():
    assert tasks.load("pos", most=5).train.tolist() == tasks.load("pos").train[:5].tolist()


def test_shuffling_keeps_how_often_each_label_is_learned_and_leaves_the_dev_sentences():
    task = tasks.load("pos", most=50)
    floor = tasks.shuffled(task, seed=1)
    before, after = (np.concatenate([t.labels[r] for r in t.train]) for t in (task, floor))
    assert np.bincount(before).tolist() == np.bincount(after).tolist()
    assert (before != after).mean() > 0.5
    for row in task.train:
        assert len(task.labels[row]) == len(floor.labels[row])
    for row in task.dev:
        assert task.labels[row] is floor.labels[row]
    assert (
        task.fingerprint != floor.fingerprint != tasks.shuffled(task, seed=2).fingerprint
    )


def test_a_pair_is_one_sentence_whose_words_are_those_of_both(shared, monkeypatch):
    monkeypatch.setenv("CWR_DATA", f"{shared / 'data' / 'mirror'}:{shared / 'data'}")
    task = tasks.load("mrpc", most=200)
    sentence = task.sentences[task.train[0]]
    assert tasks.BETWEEN in sentence.text
    assert "".join(sentence.words) == sentence.text.replace(tasks.BETWEEN, "").replace(
        " ", ""
    )


def test_an_unknown_task_is_one_sentence():
    with pytest.raises(UserError, match="no task 'poss' to tune on: did you mean 'pos'"):
        tasks.load("poss")
