"""Probes of all layers and classes at once: against one by one, on planted and shuffled classes."""

import numpy as np
import pytest
import torch

from cwr.errors import UserError
from cwr.measures import probing
from cwr.training.probes import batched
from cwr.training.probes.batched import Settings

CLASSES = ("art", "food", "person")
LAYERS, DIM = 2, 6
SHORT = Settings(hidden=4, epochs=3, batch=16, rate=1e-2)


def drawn(n=50, seed=0, planted=0.0, layers=LAYERS, dim=DIM):
    """Vectors of n contexts, and their classes; dimension c is `planted` higher for class c."""
    generator = np.random.default_rng(seed)
    gold = generator.integers(0, len(CLASSES), n)
    gold[: len(CLASSES)] = range(len(CLASSES))
    vectors = generator.normal(size=(layers, n, dim)).astype(np.float32)
    vectors[:, np.arange(n), gold] += planted
    return list(vectors), np.array(CLASSES)[gold]


def trained(settings=SHORT, classes=CLASSES, layers=slice(None), **drawing):
    vectors, labels = drawn(**drawing)
    dev_vectors, dev_labels = drawn(seed=1, **drawing)
    return batched.train(
        vectors[layers], labels, dev_vectors[layers], dev_labels, classes, settings
    )


def one_by_one(vectors, labels, dev_vectors, dev_labels, name, settings):
    """A probe of one layer and class by torch's own modules, after its epoch with least dev loss."""
    mean, deviation = vectors.mean(axis=0), vectors.std(axis=0)
    inputs, dev_inputs = (
        torch.from_numpy((array - mean) / deviation) for array in (vectors, dev_vectors)
    )
    answers, dev_answers = (
        torch.from_numpy((array == name).astype(int)) for array in (labels, dev_labels)
    )
    probe = batched.untrained(vectors.shape[1], settings.hidden, name, settings.seed)
    optimiser = torch.optim.Adam(probe.parameters(), lr=settings.rate)
    lowest, best = np.inf, None
    for epoch in range(settings.epochs):
        order = np.random.default_rng((settings.seed, epoch)).permutation(len(labels))
        for begin in range(0, len(order), settings.batch):
            rows = order[begin : begin + settings.batch]
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(probe(inputs[rows]), answers[rows]).backward()
            optimiser.step()
        with torch.no_grad():
            outputs = probe(dev_inputs)
        dev_loss = float(torch.nn.functional.cross_entropy(outputs, dev_answers))
        if dev_loss < lowest:
            lowest, best = dev_loss, (outputs[:, 1] - outputs[:, 0]).numpy()
    return best


@pytest.mark.parametrize("hidden", [0, 4])
def test_probes_trained_together_are_those_trained_one_by_one(hidden):
    settings = Settings(hidden=hidden, epochs=6, batch=16, rate=3e-2)
    vectors, labels = drawn(planted=1.0)
    dev_vectors, dev_labels = drawn(seed=1, planted=1.0)
    probes = batched.train(vectors, labels, dev_vectors, dev_labels, CLASSES, settings)
    margins = probes.margins(dev_vectors)
    for layer in range(LAYERS):
        for column, name in enumerate(CLASSES):
            alone = one_by_one(
                vectors[layer], labels, dev_vectors[layer], dev_labels, name, settings
            )
            assert margins[layer, :, column] == pytest.approx(alone, abs=1e-5)


def test_a_probe_is_the_same_whatever_layers_and_classes_are_trained_beside_it():
    together = trained().margins(drawn(seed=2)[0])
    vectors, labels = drawn()
    dev_vectors, dev_labels = drawn(seed=1)
    alone = batched.train(
        vectors[1:], labels, dev_vectors[1:], dev_labels, ("food",), SHORT
    ).margins(drawn(seed=2)[0][1:])
    assert together[1, :, 1] == pytest.approx(alone[0, :, 0], abs=1e-5)


def test_the_paper_s_probes_have_the_number_of_weights_that_it_prints():
    classes = [str(number) for number in range(34)]
    probes = batched.Probes(1, 768, classes, 1024)
    assert sum(tensor.numel() for tensor in probes.parameters()) == 26_843_204  # appendix A.2


def test_a_planted_class_is_found():
    probes = trained(Settings(hidden=8, epochs=12, batch=16, rate=1e-2), n=300, planted=5.0)
    vectors, labels = drawn(n=300, seed=2, planted=5.0)
    decisions = probes.margins(vectors) > 0
    for layer in decisions:
        assert (layer == (np.array(CLASSES) == labels[:, None])).mean() > 0.98


def test_labels_shuffled_over_words_leave_no_layer_above_the_constant_answer():
    generator = np.random.default_rng(0)
    words = np.repeat(np.arange(240), 2)
    vectors = np.repeat(generator.normal(size=(LAYERS, 240, DIM)), 2, axis=1)
    vectors += 0.1 * generator.normal(size=vectors.shape)
    gold = np.repeat(generator.integers(0, 3, 240), 2)  # says nothing of the vectors
    train, dev, test = (words % 3 == part for part in range(3))
    labels = np.array(CLASSES)[gold]
    settings = Settings(hidden=8, epochs=8, batch=32)
    probes = batched.train(
        vectors[:, train], labels[train], vectors[:, dev], labels[dev], CLASSES, settings
    )
    yes_to_all = np.ones((test.sum(), 3), dtype=bool)
    constant = probing.micro_f1(yes_to_all, words[test], gold[test])
    for margins in probes.margins(vectors[:, test]):
        assert probing.micro_f1(margins > 0, words[test], gold[test]) <= constant


def test_standardised_probes_do_not_see_how_a_dimension_is_scaled_or_shifted():
    vectors, labels = drawn()
    dev_vectors, dev_labels = drawn(seed=1)
    scale, shift = np.array([1, 10, 0.1, 3, 1, 1], np.float32), np.float32(2)
    plain = batched.train(vectors, labels, dev_vectors, dev_labels, CLASSES, SHORT)
    stretched = [array * scale + shift for array in vectors]
    stretched_dev = [array * scale + shift for array in dev_vectors]
    other = batched.train(stretched, labels, stretched_dev, dev_labels, CLASSES, SHORT)
    assert other.margins(stretched_dev) == pytest.approx(plain.margins(dev_vectors), abs=1e-3)
    raw = Settings(hidden=4, epochs=3, batch=16, rate=1e-2, standardised=False)
    other = batched.train(stretched, labels, stretched_dev, dev_labels, CLASSES, raw)
    assert np.abs(other.margins(stretched_dev) - plain.margins(dev_vectors)).max() > 0.1


def test_a_dimension_that_does_not_vary_is_no_obstacle():
    vectors, labels = drawn()
    for array in vectors:
        array[:, 3] = 7
    probes = batched.train(vectors, labels, vectors, labels, CLASSES, SHORT)
    assert np.isfinite(probes.margins(vectors)).all()


def test_a_label_without_a_probe_is_a_negative_of_all():
    vectors, labels = drawn()
    probes = batched.train(vectors, labels, vectors, labels, CLASSES[:2], SHORT)
    renamed = np.where(labels == "person", "law", labels)
    other = batched.train(vectors, renamed, vectors, renamed, CLASSES[:2], SHORT)
    assert np.array_equal(probes.margins(vectors), other.margins(vectors))


def with_nan(arrays):
    arrays[1][5, 2] = np.nan
    return arrays


REFUSED = {
    "no training context is of the class .law.": lambda v, t: (v, t, v, t, (*CLASSES, "law")),
    "context 5 holds what is no finite number in array 1": lambda v, t: (
        with_nan(v),
        t,
        drawn()[0],
        t,
        CLASSES,
    ),
    "50 vectors for 49 labels": lambda v, t: (v, t[1:], v, t, CLASSES),
    "2 layers got vectors of 1": lambda v, t: (v, t, v[:1], t, CLASSES),
    "array 1 has the shape": lambda v, t: ([v[0], v[1][:-1]], t, v, t, CLASSES),
    "at least 1 class, 1 layer and 1 dev context": lambda v, t: (v, t, v, t, ()),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_bad_input_gets_one_sentence(sentence):
    vectors, labels = drawn()
    with pytest.raises(UserError, match=sentence):
        batched.train(*REFUSED[sentence](vectors, labels), SHORT)


def test_vectors_that_probes_were_not_trained_on_are_refused():
    probes = trained()
    vectors = drawn()[0]
    with pytest.raises(UserError, match="vectors of 6 dimensions"):
        probes.margins([array[:, 1:] for array in vectors])
    with pytest.raises(UserError, match="no finite number"):
        probes.margins(with_nan(vectors))
    with pytest.raises(UserError, match="at least 1 epoch"):
        trained(Settings(epochs=0))
