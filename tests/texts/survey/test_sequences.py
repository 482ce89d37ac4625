"""Probes that read whole sentences: what each of the three can learn, and what folds keep apart."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
import torch

from cwr import corpora
from cwr.corpora.edge_tasks import EdgeTask
from cwr.errors import UserError
from cwr.texts.survey import edge_probes, sequences, targets
from cwr.texts.survey.sequences import (
    BILSTM,
    LINEAR,
    MLP,
    PROBES,
    Probe,
    Sentences,
    Settings,
)
from cwr.texts.survey.spans import Words

LAYERS, DIM = 3, 6
SHORT = Settings(0, 0, hidden=96, updates=200, batch=16, rate=2e-2, mlp_rate=1e-2)


def planted(
    rule: str, sentences: int = 160, pairs: bool = False
) -> tuple[Words, EdgeTask]:
    """Random vectors; the label of a word follows from layer 1 of itself or of the word before."""
    generator = np.random.default_rng(0)
    lengths = generator.integers(3, 9, sentences)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    vectors = generator.normal(size=(LAYERS, starts[-1], DIM)).astype(np.float32)
    is_positive = vectors[1] > 0  # (words, dim)
    own = is_positive[:, 0]
    other = is_positive[:, 1]
    before = np.roll(is_positive[:, 0], 1)
    said = {"own": own, "xor": own != other, "before": before}.get(rule)
    if rule == "random":
        said = generator.random(starts[-1]) > 0.5
    rows = []
    for number, length in enumerate(lengths):
        for word in range(1, length):
            label = "yes" if said[starts[number] + word] else "no"
            second = [0, 0] if pairs else []
            rows.append([number // 2, number, number // 2 % 2, label, word, word, *second])
    columns = [
        "document",
        "sentence",
        "fold",
        "label",
        "first",
        "last",
        "first_2",
        "last_2",
    ]
    table = pd.DataFrame(rows, columns=columns[: len(rows[0])])
    text = [corpora.joined(["word"] * length) for length in lengths]
    text = [dataclasses.replace(each, id=str(number)) for number, each in enumerate(text)]
    corpus = corpora.Corpus("toy", tuple(text), "toy", "")
    return Words(list(vectors), starts), EdgeTask("pos", corpus, table, ("no", "yes"))


def scores(words, task, settings=SHORT, kinds=PROBES):
    said = sequences.answers(words, task, settings, kinds)
    return dict(zip(kinds, edge_probes.scores(said, said.kinds)[0], strict=True))


def test_each_map_learns_what_it_can_see():
    own, xor, before = (scores(*planted(rule)) for rule in ("own", "xor", "before"))
    assert min(own.values()) > 90
    assert xor[LINEAR] < 58 and xor[MLP] > 65  # little text
    assert max(before[LINEAR], before[MLP]) < 58 and before[BILSTM] > 65


def test_random_labels_leave_every_probe_at_chance():
    assert all(40 < score < 60 for score in scores(*planted("random")).values())


def test_the_mix_finds_the_layer_in_which_the_label_stands():
    said = sequences.answers(*planted("own"), SHORT)
    assert said.weights.shape == (1, 2, 3, LAYERS)
    assert said.weights.sum(axis=3) == pytest.approx(1)
    assert (said.weights[:, :, 0].argmax(axis=2) == 1).all() and said.weights[
        0, 0, 0, 1
    ] > 0.5


@pytest.mark.parametrize(
    "dim, hidden, sides, labels", [(192, 256, 1, 17), (256, 128, 4, 40)]
)
def test_the_bilstm_has_as_many_weights_as_the_mlp(dim, hidden, sides, labels):
    def count(kind):
        probe = Probe(kind, LAYERS, dim, hidden, sides, labels)
        return sum(tensor.numel() for tensor in probe.parameters())

    units = sequences.matched_units(dim, hidden, sides, labels)
    a_unit_more = 8 * (dim + 2 * units + 2) + 2 * sides * labels
    assert abs(count(BILSTM) - count(MLP)) <= a_unit_more


@pytest.mark.parametrize("kind", PROBES)
@pytest.mark.parametrize("pairs", [False, True])
def test_sentences_read_together_are_those_read_one_by_one(kind, pairs):
    words, task = planted("own", sentences=12, pairs=pairs)
    torch.manual_seed(0)
    probe = Probe(kind, LAYERS, DIM, 8, targets.vectors_a_target(task), 2).eval()
    of_all = Sentences(words, task, np.arange(12))
    together = probe(*of_all.batch(np.array([7, 2, 11]))).detach()
    alone = [probe(*of_all.batch(np.array([number]))).detach() for number in (7, 2, 11)]
    assert together.numpy() == pytest.approx(torch.cat(alone).numpy(), abs=1e-6)


def test_a_linear_probe_reads_the_mean_of_a_span_in_the_mix():
    words, task = planted("own", sentences=4)
    table = task.table.assign(first=0)  # spans of 2, 3, … words
    task = dataclasses.replace(task, table=table)
    probe = Probe(LINEAR, LAYERS, DIM, 8, 1, 2)
    with torch.no_grad():
        probe.mix.copy_(torch.tensor([0.1, 0.0, -0.2]))
        probe.scale.fill_(1.5)
    vectors, batch = Sentences(words, task, np.arange(4)).batch(np.array([3, 1]))
    shares = np.exp(sequences.FASTER * np.array([0.1, 0.0, -0.2]))
    shares /= shares.sum()
    weight, bias = (tensor.detach().numpy() for tensor in probe.labels.parameters())
    expected = []
    for row in table.iloc[batch.rows].itertuples():
        at = words.starts[row.sentence]
        span = [
            layer[at + row.first : at + row.last + 1].mean(axis=0)
            for layer in words.layers
        ]
        mean = 1.5 * sum(share * side for share, side in zip(shares, span, strict=True))
        expected.append(weight @ mean + bias)
    assert probe(vectors, batch).detach().numpy() == pytest.approx(
        np.array(expected), abs=1e-5
    )
    assert (task.gold[batch.rows] == batch.gold.numpy()).all()


def test_every_target_is_tested_once_and_never_learned_from():
    words, task = planted("own", sentences=40)
    said = sequences.answers(words, task, dataclasses.replace(SHORT, updates=1))
    assert (said.rows == np.arange(len(task.table))).all()
    assert (said.document == task.table["document"]).all()
    for fold in task.folds:
        learned, tested = (
            targets.drawn(task, fold, 0, within) for within in (False, True)
        )
        documents = [
            set(task.table.set_index("sentence")["document"][part])
            for part in (learned, tested)
        ]
        assert not documents[0] & documents[1]


def test_a_draw_of_sentences_is_that_of_a_larger_one():
    _, task = planted("own", sentences=40)
    few, many = (set(targets.drawn(task, 0, most, within=True)) for most in (5, 10))
    assert len(few) == 5 and len(many) == 10 and few < many


def test_logits_are_those_of_the_rows_that_they_stand_for():
    """Probes that say the label for certain are right on every row, whatever its fold."""
    words, task = planted("own")
    is_yes = (task.table["label"] == "yes").to_numpy()
    layers = [layer.copy() for layer in words.layers]
    at = words.starts[task.table["sentence"]] + task.table["first"].to_numpy()
    layers[1][at, 0] = np.where(is_yes, 5.0, -5.0)
    said = sequences.answers(Words(layers, words.starts), task, SHORT, (LINEAR,))
    assert (said.logits[0, 0].argmax(axis=1) == is_yes).all()


@pytest.mark.parametrize(
    "change, kinds, sentence",
    [
        ({"updates": 0}, PROBES, "at least 1 update"),
        ({"hidden": 0}, PROBES, "1 unit"),
        ({}, ("bilstms",), "there is no probe 'bilstms'"),
    ],
)
def test_settings_that_train_nothing_are_refused(change, kinds, sentence):
    words, task = planted("own", sentences=8)
    with pytest.raises(UserError, match=sentence):
        sequences.answers(words, task, dataclasses.replace(SHORT, **change), kinds)


def test_vectors_of_another_corpus_are_refused():
    words, task = planted("own", sentences=8)
    with pytest.raises(UserError, match="8 sentences of toy, and the vectors are of 7"):
        sequences.answers(Words(words.layers, words.starts[:-1]), task, SHORT)
