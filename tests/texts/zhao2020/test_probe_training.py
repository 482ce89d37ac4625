"""Probes of all layers and classes at once: against one by one, on planted and shuffled classes."""

import numpy as np
import pytest
import torch

from cwr.errors import UserError
from cwr.measures import probing
from cwr.texts.zhao2020 import probe_training
from cwr.texts.zhao2020.probe_training import Settings

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
    return probe_training.train(
        vectors[layers], labels, dev_vectors[layers], dev_labels, classes, settings
    )


def one_by_one(vectors, labels, dev_vectors, dev_labels, name, settings):
    """A probe of one layer and class by torch's own modules, after its epoch with least dev loss.

    Its margins on dev, and whether it ended by the rule, after twelve epochs at the earliest.
    """
    mean, deviation = vectors.mean(axis=0), vectors.std(axis=0)
    inputs, dev_inputs = (
        torch.from_numpy((array - mean) / deviation) for array in (vectors, dev_vectors)
    )
    answers, dev_answers = (
        torch.from_numpy((array == name).astype(int)) for array in (labels, dev_labels)
    )
    probe = probe_training.untrained(
        vectors.shape[1], settings.hidden, name, settings.seed
    )
    optimiser = torch.optim.Adam(probe.parameters(), lr=settings.rate)
    shares = np.stack([answers.numpy() == 0, answers.numpy() == 1]).sum(axis=1) + 1
    log_rates = torch.log(torch.from_numpy(shares / shares.sum()))
    constant = float(
        torch.nn.functional.nll_loss(log_rates.expand(len(dev_answers), 2), dev_answers)
    )
    lowest, best, lows = np.inf, None, {}
    for epoch in range(settings.epochs):
        order = np.random.default_rng((settings.seed, epoch)).permutation(len(labels))
        for begin in range(0, len(order), settings.batch):
            rows = order[begin : begin + settings.batch]
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(
                probe(inputs[rows]), answers[rows]
            ).backward()
            optimiser.step()
        with torch.no_grad():
            outputs = probe(dev_inputs)
        dev_loss = float(torch.nn.functional.cross_entropy(outputs, dev_answers))
        if dev_loss < lowest:
            lowest, best = dev_loss, (outputs[:, 1] - outputs[:, 0]).numpy()
        lows[epoch + 1] = lowest
        half = lows.get((epoch + 1) / 2)
        is_level = half and (half - lowest) / half < settings.until
        if epoch >= 11 and is_level and lowest < constant:
            return best, True
    return best, False


@pytest.mark.parametrize("until", [0, 0.1])
@pytest.mark.parametrize("hidden", [0, 4])
def test_probes_trained_together_are_those_trained_one_by_one(hidden, until):
    settings = Settings(hidden=hidden, epochs=16, until=until, batch=16, rate=1e-2)
    vectors, labels = drawn(planted=1.0)
    dev_vectors, dev_labels = drawn(seed=1, planted=1.0)
    probes = probe_training.train(
        vectors, labels, dev_vectors, dev_labels, CLASSES, settings
    )
    margins = probes.margins(dev_vectors)
    for layer in range(LAYERS):
        for column, name in enumerate(CLASSES):
            alone, is_settled = one_by_one(
                vectors[layer], labels, dev_vectors[layer], dev_labels, name, settings
            )
            assert margins[layer, :, column] == pytest.approx(alone, abs=1e-4)
            assert probes.is_settled[layer, column] == is_settled
    assert probes.is_settled.any() == bool(until)


def test_a_probe_is_the_same_whatever_layers_and_classes_are_trained_beside_it():
    settings = Settings(hidden=4, epochs=24, batch=16, rate=1e-2)
    all_of_them = trained(settings, planted=1.0)
    assert len(all_of_them.is_settled.unique()) == 2  # some end while others go on
    together = all_of_them.margins(drawn(seed=2)[0])
    vectors, labels = drawn(planted=1.0)
    dev_vectors, dev_labels = drawn(seed=1, planted=1.0)
    for layer in range(LAYERS):
        for column, name in enumerate(CLASSES):
            data = [vectors[layer]], labels, [dev_vectors[layer]], dev_labels
            alone = probe_training.train(*data, (name,), settings)
            margins = alone.margins([drawn(seed=2)[0][layer]])[0, :, 0]
            assert together[layer, :, column] == pytest.approx(margins, abs=1e-4)
            assert all_of_them.is_settled[layer, column] == alone.is_settled


def test_training_ends_when_every_probe_is_settled():
    settings = Settings(hidden=4, epochs=4000, until=0.1, batch=16, rate=1e-2)
    assert trained(
        settings, planted=2.0
    ).is_settled.all()  # all epochs would take a minute


def test_a_dev_context_of_weight_three_counts_as_three_contexts():
    settings = Settings(hidden=4, epochs=24, until=0.1, batch=16, rate=3e-2)
    vectors, labels = drawn()
    dev_vectors, dev_labels = drawn(seed=1)
    weights = np.where(np.arange(len(dev_labels)) < 5, 30, 1)
    data = vectors, labels, dev_vectors, dev_labels, CLASSES, settings
    weighted = probe_training.train(*data, dev_weights=weights / 7).margins(dev_vectors)
    repeated = [np.repeat(layer, weights, axis=0) for layer in dev_vectors]
    again = probe_training.train(
        vectors, labels, repeated, np.repeat(dev_labels, weights), *data[4:]
    )
    assert weighted == pytest.approx(again.margins(dev_vectors), abs=1e-5)
    assert not np.allclose(
        weighted, probe_training.train(*data).margins(dev_vectors), atol=1e-2
    )


def test_a_probe_is_learned_where_its_dev_loss_is_below_that_of_its_rate_in_training():
    vectors, labels = drawn(n=60)
    dev_vectors, dev_labels = drawn(n=60, seed=1)
    is_art = np.stack([labels, dev_labels]) == "art"
    for layer, of_split in zip((vectors, dev_vectors), is_art, strict=True):
        layer[0][:, 0] += (
            9 * of_split
        )  # art can be learned in the first layer, and nothing else
    weights = np.linspace(1, 3, 60)
    settings = Settings(hidden=8, epochs=6, batch=2, rate=1e-1)
    data = vectors, labels, dev_vectors, dev_labels, CLASSES, settings
    probes = probe_training.train(*data, dev_weights=weights)
    margins = probes.margins(dev_vectors)
    for column, name in enumerate(CLASSES):
        sign = np.where(dev_labels == name, 1, -1)
        yes = (labels == name).sum() + 1
        of_rate = np.average(
            np.log1p(np.exp(-np.log(yes / (62 - yes)) * sign)), weights=weights
        )
        for layer in range(LAYERS):
            loss = np.average(
                np.log1p(np.exp(-margins[layer, :, column] * sign)), weights=weights
            )
            assert probes.is_learned[layer, column] == (loss < of_rate)
    assert probes.is_learned[0, 0] and not probes.is_learned[1].any()


def test_the_paper_s_probes_have_the_number_of_weights_that_it_prints():
    classes = [str(number) for number in range(34)]
    probes = probe_training.Probes(1, 768, classes, 1024)
    assert (
        sum(tensor.numel() for tensor in probes.parameters()) == 26_843_204
    )  # appendix A.2


def test_a_planted_class_is_found():
    probes = trained(
        Settings(hidden=8, epochs=12, batch=16, rate=1e-2), n=300, planted=5.0
    )
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
    probes = probe_training.train(
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
    plain = probe_training.train(vectors, labels, dev_vectors, dev_labels, CLASSES, SHORT)
    stretched = [array * scale + shift for array in vectors]
    stretched_dev = [array * scale + shift for array in dev_vectors]
    other = probe_training.train(
        stretched, labels, stretched_dev, dev_labels, CLASSES, SHORT
    )
    assert other.margins(stretched_dev) == pytest.approx(
        plain.margins(dev_vectors), abs=1e-3
    )
    raw = Settings(hidden=4, epochs=3, batch=16, rate=1e-2, standardised=False)
    other = probe_training.train(
        stretched, labels, stretched_dev, dev_labels, CLASSES, raw
    )
    assert np.abs(other.margins(stretched_dev) - plain.margins(dev_vectors)).max() > 0.1


def test_a_dimension_that_does_not_vary_is_no_obstacle():
    vectors, labels = drawn()
    for array in vectors:
        array[:, 3] = 7
    probes = probe_training.train(vectors, labels, vectors, labels, CLASSES, SHORT)
    assert np.isfinite(probes.margins(vectors)).all()


def test_a_label_without_a_probe_is_a_negative_of_all():
    vectors, labels = drawn()
    probes = probe_training.train(vectors, labels, vectors, labels, CLASSES[:2], SHORT)
    renamed = np.where(labels == "person", "law", labels)
    other = probe_training.train(vectors, renamed, vectors, renamed, CLASSES[:2], SHORT)
    assert np.array_equal(probes.margins(vectors), other.margins(vectors))


def with_nan(arrays):
    arrays[1][5, 2] = np.nan
    return arrays


REFUSED = {
    "no training context is of the class .law.": lambda v, t: (
        v,
        t,
        v,
        t,
        (*CLASSES, "law"),
    ),
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
        probe_training.train(*REFUSED[sentence](vectors, labels), SHORT)


def test_vectors_that_probes_were_not_trained_on_are_refused():
    probes = trained()
    vectors = drawn()[0]
    with pytest.raises(UserError, match="vectors of 6 dimensions"):
        probes.margins([array[:, 1:] for array in vectors])
    with pytest.raises(UserError, match="no finite number"):
        probes.margins(with_nan(vectors))
    with pytest.raises(UserError, match="at least 1 epoch"):
        trained(Settings(epochs=0))
    with pytest.raises(UserError, match="a share from 0 to below 1"):
        trained(Settings(until=1))
