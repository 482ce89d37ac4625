"""Probes on one vector a word: several classes a word, and F1 over all words and classes."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.metrics import f1_score

from cwr.texts.zhao2020 import probe_training, probes, words
from cwr.texts.zhao2020.probe_training import Settings
from cwr.texts.zhao2020.word_spaces import ProbingWords

CLASSES = ["art", "food", "person"]
SHORT = Settings(hidden=4, epochs=6, batch=16, rate=3e-2)


def drawn(n=90, planted=2.0, seed=0):
    """Words of the three splits with one to three classes, and two layers of vectors of them."""
    generator = np.random.default_rng(seed)
    is_class = generator.random((n, 3)) < 0.4
    is_class[np.arange(n), generator.integers(0, 3, n)] = True
    names = np.array([f"word {number:03}" for number in range(n)])
    split = np.array(["train", "dev", "test"])[np.arange(n) % 3]
    table = pd.DataFrame({"split": split}, index=names)
    vectors = generator.normal(size=(2, n, 5)).astype(np.float32)
    vectors[:, :, :3] += planted * is_class
    return list(vectors), ProbingWords(
        table, pd.DataFrame(is_class.astype(int), names, CLASSES)
    )


def test_a_word_of_several_classes_is_a_positive_example_of_each():
    """Against torch's own modules, one class at a time."""
    vectors, lexicon = drawn()
    train, dev = (lexicon.rows(split) for split in ("train", "dev"))
    is_class = lexicon.is_class
    settings = dataclasses.replace(SHORT, standardised=False, until=0)
    probe = probe_training.train(
        [vectors[0][train]],
        is_class[train],
        [vectors[0][dev]],
        is_class[dev],
        CLASSES,
        settings,
    )
    for column, name in enumerate(CLASSES):
        labels = is_class[:, column]
        alone = one_class(vectors[0], labels, train, dev, name, settings)
        assert probe.margins([vectors[0][dev]])[0, :, column] == pytest.approx(
            alone, abs=1e-5
        )


def one_class(vectors, labels, train, dev, name, settings):
    """Margins on dev after the epoch with the lowest loss there."""
    inputs, answers = (
        torch.from_numpy(vectors.copy()),
        torch.from_numpy(labels.astype(int)),
    )
    probe = probe_training.untrained(
        vectors.shape[1], settings.hidden, name, settings.seed
    )
    optimiser = torch.optim.Adam(probe.parameters(), lr=settings.rate)
    lowest, best = np.inf, None
    for epoch in range(settings.epochs):
        order = np.random.default_rng((settings.seed, epoch)).permutation(train.sum())
        for begin in range(0, len(order), settings.batch):
            rows = np.flatnonzero(train)[order[begin : begin + settings.batch]]
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(
                probe(inputs[rows]), answers[rows]
            ).backward()
            optimiser.step()
        with torch.no_grad():
            outputs = probe(inputs[dev])
        loss = float(torch.nn.functional.cross_entropy(outputs, answers[dev]))
        if loss < lowest:
            lowest, best = loss, (outputs[:, 1] - outputs[:, 0]).numpy()
    return best


def test_f1_is_that_over_all_decisions_words_times_classes():
    vectors, lexicon = drawn(planted=0.7)
    answers = words.answers(vectors, lexicon, SHORT, seeds=(0, 1), layers=(3, 4))
    for split in ("dev", "test"):
        scores = probes.scores(answers[split], "words")
        rows = lexicon.rows(split)
        gold = lexicon.is_class[rows]
        for run, seed in enumerate((0, 1)):
            probe = trained(vectors, lexicon, seed)
            decisions = probe.margins([layer[rows] for layer in vectors]) > 0
            expected = [f1_score(gold, layer, average="micro") for layer in decisions]
            assert scores[run] == pytest.approx(expected)
    assert answers["test"].layers == (3, 4)


def trained(vectors, lexicon, seed):
    train, dev = (lexicon.rows(split) for split in ("train", "dev"))
    is_class = lexicon.is_class
    return probe_training.train(
        [layer[train] for layer in vectors],
        is_class[train],
        [layer[dev] for layer in vectors],
        is_class[dev],
        CLASSES,
        dataclasses.replace(SHORT, seed=seed),
    )


def test_planted_classes_are_found_in_words_that_no_probe_has_learned():
    vectors, lexicon = drawn(n=600, planted=6.0)
    answers = words.answers(vectors, lexicon, Settings(hidden=8, epochs=40, batch=16))
    assert probes.scores(answers["test"], "words").min() > 0.95


def test_rows_have_one_reading_without_a_name_and_no_layer_where_there_is_none():
    vectors, lexicon = drawn()
    answers = words.answers(vectors[:1], lexicon, SHORT)["test"]
    (row,) = probes.reading_rows(
        answers, "words", 10, measure="static_probe_f1", model="Rand"
    )
    assert set(row) == {"measure", "model", "value", "replicates"}
    assert row["value"] == pytest.approx(probes.scores(answers, "words").mean())
    assert np.array_equal(row["replicates"], probes.replicates(answers, "words", 10)[:, 0])
