"""Encoders that learn labels of spans: what they read, what learns, what they share with a probe."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
import torch

from cwr import corpora, encoders
from cwr.corpora.edge_tasks import EdgeTask
from cwr.errors import UserError
from cwr.texts.survey import edge_probes, targets
from cwr.texts.survey import tuned_spans as spans
from cwr.texts.survey.tuned_spans import Settings

WORDS = ("unbelievably", "good", "bad", "a", "plot")


@pytest.fixture(scope="module", params=["cwr-bert", "cwr-elmo"])
def encoder(request, device):
    return encoders.load(request.param, device=device)


def task(n=24, pairs=False) -> EdgeTask:
    """Whether the word before a word is one of two."""
    generator = np.random.default_rng(0)
    sentences, rows = [], []
    for number in range(n):
        words = generator.choice(WORDS, generator.integers(3, 7)).tolist()
        sentences.append(dataclasses.replace(corpora.joined(words), id=str(number)))
        for word in range(1, len(words)):
            label = "yes" if words[word - 1] in WORDS[:2] else "no"
            second = [0, word] if pairs else []
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
    corpus = corpora.Corpus("toy", tuple(sentences), "toy", "")
    return EdgeTask("pos", corpus, table, ("no", "yes"))


def test_words_have_the_vectors_that_extraction_gives_them(encoder, near):
    sentences = task().corpus.sentences[:7]
    with torch.no_grad():
        vectors = spans.word_vectors(encoder, sentences).cpu().numpy()
    first = np.cumsum([0, *(len(sentence.spans) for sentence in sentences)])
    seen = 0
    for batch in encoder.encode(sentences):
        at = first[batch.sentence] + batch.position
        assert np.abs(vectors[:, at] - batch.hidden).max() < 1e3 * near
        seen += len(at)
    assert seen == first[-1] == vectors.shape[1]


def test_a_tuned_encoder_learns_and_the_caller_s_stays_as_it_is(encoder):
    data = task(n=60)
    before = {name: tensor.clone() for name, tensor in encoder.model.state_dict().items()}
    settings = Settings(updates=60, batch=8, rate=2e-3)
    said = spans.answers(encoder, data, settings)
    (score,) = edge_probes.scores(said, said.kinds)[0]
    assert said.kinds == (("tuned",),) and (said.rows == np.arange(len(data.table))).all()
    assert score > 90
    after = encoder.model.state_dict()
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_without_an_update_it_is_the_encoder_under_an_even_mix(encoder):
    data = task()
    sentences = targets.drawn(data, 0, 0, within=False)
    model = spans.tune(encoder, data, sentences, Settings(updates=0))
    logits, batch = model(np.array([3, 0]))
    with torch.no_grad():
        chosen = [data.corpus.sentences[number] for number in (3, 0)]
        vectors = (spans.word_vectors(encoder, chosen) - model.shift) / model.scale
        expected = model.labels(batch.pooled(vectors.mean(dim=0)))
    assert torch.allclose(logits, expected, atol=1e-5)


def test_another_tuning_has_another_fingerprint(encoder):
    data = task()
    sentences = targets.drawn(data, 0, 0, within=False)
    one, other = (
        spans.tune(encoder, data, sentences, Settings(updates=n)) for n in (1, 2)
    )
    prints = {encoder.fingerprint, one.encoder.fingerprint, other.encoder.fingerprint}
    assert len(prints) == 3


def test_a_pair_is_read_with_its_products_and_differences(encoder):
    data = task(pairs=True)
    model = spans.tune(encoder, data, np.arange(24), Settings(updates=0))
    assert model.labels.in_features == 4 * encoder.dim
    batch = model.targets.batch(np.array([5]))
    words = torch.arange(float(batch.lengths.sum()))[:, None]
    pooled = batch.pooled(words).numpy()
    table = data.table.iloc[batch.rows]
    assert pooled[:, 0].tolist() == table["first"].tolist()
    assert (
        pooled[:, 1].tolist() == (table["last_2"] / 2).tolist()
    )  # the mean of 0 to last_2
    for row, (one, other) in zip(pooled, pooled[:, :2].tolist(), strict=True):
        assert row[2:].tolist() == [one * other, max(one - other, other - one)]


def test_settings_without_a_sentence_are_refused(encoder):
    with pytest.raises(UserError, match="at least 1 sentence a batch"):
        spans.answers(encoder, task(), Settings(batch=0))
