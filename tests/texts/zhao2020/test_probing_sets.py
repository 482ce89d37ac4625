"""Probes of a probing set: against `probe_training.train` by hand, with a class too small for a probe."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cwr.errors import UserError
from cwr.texts.zhao2020 import probe_training, probing_sets
from cwr.texts.zhao2020.probe_training import Settings

SHORT = Settings(hidden=4, epochs=3, batch=16, rate=1e-2)
TRAIN_PAIRS = {"art": 14, "food": 10, "law": 9}  # nine are too few
DIM, LAYERS = 5, 2


def probing_set(train=TRAIN_PAIRS, contexts=2):
    """A word has two contexts of one class; dev and test have four words of each class."""
    rows = []
    for name, number in train.items():
        for split, words in (("train", number), ("dev", 4), ("test", 4)):
            for word in range(words):
                rows += [(f"{split} {name} {word}", name, split)] * contexts
    table = pd.DataFrame(rows, columns=["word", "class", "split"])
    return table.sample(frac=1, random_state=0).reset_index(drop=True)


def vectors_of(table, seed=0, planted=3.0):
    generator = np.random.default_rng(seed)
    vectors = generator.normal(size=(LAYERS, len(table), DIM)).astype(np.float32)
    for column, name in enumerate(TRAIN_PAIRS):
        vectors[:, (table["class"] == name).to_numpy(), column] += planted
    return list(vectors)


def test_a_class_of_few_train_pairs_has_no_probe_and_its_test_contexts_are_counted():
    table = probing_set()
    result = probing_sets.answers(vectors_of(table), table, SHORT)
    assert result.classes == ("art", "food")
    assert result.left_out == 8
    tested = table[(table["split"] == "test") & (table["class"] != "law")]
    assert result.answers.words.tolist() == tested["word"].tolist()
    assert [result.classes[number] for number in result.answers.gold] == tested[
        "class"
    ].tolist()


def test_a_pair_counts_once_however_many_contexts_it_has():
    table = probing_set(contexts=3)
    assert probing_sets.probed_classes(table) == ("art", "food")
    assert probing_sets.probed_classes(probing_set({"art": 14, "law": 10})) == (
        "art",
        "law",
    )


@pytest.mark.parametrize("split", ["dev", "test"])
def test_decisions_are_those_of_probes_trained_by_hand(split):
    table = probing_set()
    vectors, label = vectors_of(table, planted=1.0), table["class"].to_numpy()
    rows = {
        name: np.flatnonzero(table["split"] == name) for name in ("train", "dev", "test")
    }
    result = probing_sets.answers(vectors, table, SHORT, seeds=(3, 5), split=split)
    scored = [row for row in rows[split] if label[row] != "law"]
    for number, seed in enumerate((3, 5)):
        probes = probe_training.train(
            [layer[rows["train"]] for layer in vectors],
            label[rows["train"]],  # "law" among them: a negative of both
            [layer[rows["dev"]] for layer in vectors],
            label[rows["dev"]],
            ("art", "food"),
            replace(SHORT, seed=seed),
        )
        expected = probes.margins([layer[scored] for layer in vectors]) > 0
        assert np.array_equal(result.answers.decisions[number], expected)
    assert not np.array_equal(*result.answers.decisions)
    assert result.answers.layers == (0, 1)


def test_a_frequent_dev_word_counts_no_more_than_a_rare_one():
    """Against dev contexts repeated until every pair has as many, which count alike."""
    table = probing_set()
    is_frequent = table["word"].eq("dev art 0").to_numpy()
    rows = np.repeat(np.arange(len(table)), np.where(is_frequent, 30, 1))
    label, vectors = table["class"].to_numpy(), vectors_of(table, planted=0.5)
    settings = replace(SHORT, epochs=12, rate=5e-2)
    frequent = [layer[rows] for layer in vectors]
    result = probing_sets.answers(
        frequent, table.iloc[rows].reset_index(drop=True), settings
    )
    train, dev, test = (
        np.flatnonzero(table["split"] == name) for name in ("train", "dev", "test")
    )

    def margins(dev):
        parts = (train, label[train]), (dev, label[dev])
        data = [
            each for rows, names in parts for each in ([v[rows] for v in vectors], names)
        ]
        probes = probe_training.train(*data, ("art", "food"), settings)
        return probes.margins([layer[test] for layer in vectors])

    by_study = result.probes[0].margins([layer[test] for layer in vectors])
    assert by_study == pytest.approx(margins(dev), abs=1e-5)
    by_contexts = margins(rows[np.isin(rows, dev)])
    assert not np.allclose(by_study, by_contexts, atol=1e-2)


def test_what_probes_reached_is_told_for_each_seed_layer_and_class():
    table = probing_set()
    result = probing_sets.answers(
        vectors_of(table), table, replace(SHORT, epochs=20), seeds=(0, 1)
    )
    assert result.is_settled.shape == result.is_learned.shape == (2, LAYERS, 2)
    for number, probe in enumerate(result.probes):
        assert result.is_settled[number].tolist() == probe.is_settled.tolist()
        assert result.is_learned[number].tolist() == probe.is_learned.tolist()
    assert result.is_learned.all()  # classes are planted


def test_layers_may_have_other_numbers_and_a_single_array_has_none():
    table = probing_set()
    vectors = vectors_of(table)
    assert probing_sets.answers(vectors, table, SHORT, layers=(5, 10)).answers.layers == (
        5,
        10,
    )
    assert probing_sets.answers(vectors[:1], table, SHORT).answers.layers == (None,)


def test_trained_probes_can_be_asked_of_other_vectors():
    table = probing_set()
    vectors = vectors_of(table)
    first = probing_sets.answers(vectors, table, SHORT)
    again = probing_sets.answers_of(first.probes, vectors, table)
    assert np.array_equal(again.answers.decisions, first.answers.decisions)
    moved = probing_sets.answers_of(first.probes, [-array for array in vectors], table)
    assert (moved.answers.decisions != first.answers.decisions).mean() > 0.3


def test_bad_input_gets_one_sentence():
    table = probing_set()
    vectors = vectors_of(table)
    with pytest.raises(UserError, match="no class has 10 words to train on"):
        probing_sets.answers(vectors, table[table["class"] == "law"], SHORT)
    with pytest.raises(
        UserError, match="no context of the split test has a class with a probe"
    ):
        probing_sets.answers(vectors, table.replace("test", "other"), SHORT)
    first = probing_sets.answers(vectors, table, SHORT)
    with pytest.raises(UserError, match="114 contexts got 5 vectors: give one a context"):
        probing_sets.answers_of(first.probes, [array[:5] for array in vectors], table)
