"""Models tuned on a task: what they read, what learns, what is kept."""

import dataclasses

import numpy as np
import pytest
import torch

from cwr import corpora, encoders, extraction
from cwr.corpora.tasks import Task, shuffled
from cwr.encoders import pieces
from cwr.errors import UserError
from cwr.training.finetuning import tuned, updates
from cwr.training.finetuning.tuned import Tuned
from cwr.training.finetuning.updates import TuningSettings, batch_of

WORDS = ("unbelievably", "good", "bad", "film", "plot")


@pytest.fixture(scope="module")
def bert(device):
    return encoders.load("cwr-bert", device=device)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))


def task(of_words=True, n=24) -> Task:
    """Whether each word, or the first word, is one of two."""
    generator = np.random.default_rng(0)
    sentences, labels = [], []
    for _ in range(n):
        words = generator.choice(WORDS, generator.integers(2, 6)).tolist()
        is_one = np.array([int(word in WORDS[:2]) for word in words])
        sentences.append(corpora.joined(words))
        labels.append(is_one if of_words else is_one[:1])
    rows = np.arange(n)
    name = "pos" if of_words else "relation"
    classes = ("no", "yes")
    tagged = tuple(labels)
    return Task(
        name, "toy", of_words, tuple(sentences), classes, tagged, rows[:16], rows[16:]
    )


def test_a_tagger_reads_the_last_piece_of_each_word(bert, near):
    data = task()
    model = Tuned(bert, data).eval()
    rows = np.arange(6)
    with torch.no_grad():
        logits, _ = model(rows)
        sentences = [data.sentences[row] for row in rows]
        expected = []
        for batch in bert.encode(sentences, pooling="last"):
            vectors = torch.as_tensor(batch.hidden[-1], device=bert.device)
            expected.append(model.linear(vectors))
    assert any(len(bert.tokenise([s]).ids) > len(s.spans) for s in sentences)
    assert (logits - torch.cat(expected)).abs().max() < 1e3 * near


def test_a_classifier_reads_the_first_special_piece(bert, near):
    data = task(of_words=False)
    model = Tuned(bert, data).eval()
    with torch.no_grad():
        for row in range(4):
            logits, gold = model([row])
            (batch,) = bert.encode([data.sentences[row]], unit="piece")
            assert batch.kind[0] == "special"
            first = torch.as_tensor(batch.hidden[-1][:1], device=bert.device)
            assert (logits - model.linear(first)).abs().max() < 1e3 * near
            assert gold.tolist() == data.labels[row].tolist()


def test_predictions_and_labels_are_in_the_order_of_the_words_and_rows(bert):
    data = task()
    model = Tuned(bert, data).eval()
    rows = [5, 2, 9]
    together = model.predict(rows)
    for row, predicted in zip(rows, together, strict=True):
        alone, gold = model([row])
        assert predicted.tolist() == alone.argmax(dim=1).tolist()
        assert gold.tolist() == data.labels[row].tolist()


def test_a_word_of_which_the_model_reads_nothing_is_predicted_wrong(bert):
    sentence = corpora.joined(["good", "\u200b", "film"])
    data = task()
    labels = (np.array([0, 0, 0]), *data.labels[1:])
    data = dataclasses.replace(
        data, sentences=(sentence, *data.sentences[1:]), labels=labels
    )
    assert len(bert.tokenise([sentence]).ids) == 2
    (predicted,) = Tuned(bert, data).predict([0])
    assert predicted[1] == -1 and (predicted[[0, 2]] >= 0).all()


def test_a_task_is_learned_the_callers_encoder_stays_and_shuffled_labels_are_not_learned(
    bert,
):
    before = {name: weight.clone() for name, weight in bert.model.named_parameters()}
    data, settings = task(n=80), TuningSettings(batch=8, rate=1e-3)
    learned = updates.tuned(bert, data, [30], settings)[30]
    right = [
        predicted == data.labels[row]
        for row, predicted in zip(data.dev, learned.predict(data.dev), strict=True)
    ]
    assert np.concatenate(right).mean() > 0.95
    for name, weight in bert.model.named_parameters():
        assert torch.equal(weight, before[name])
    floor = updates.tuned(bert, shuffled(data), [30], settings)[30]
    wrong = [
        predicted != data.labels[row]
        for row, predicted in zip(data.dev, floor.predict(data.dev), strict=True)
    ]
    assert np.concatenate(wrong).mean() > 0.2


def test_what_a_model_is_after_some_updates_does_not_depend_on_how_many_follow(bert):
    data, settings = task(), TuningSettings(batch=4)
    both = updates.tuned(bert, data, [0, 2, 3], settings)
    settings = dataclasses.replace(settings, rate=5e-5)
    alone = updates._new(bert, data, settings)
    learner = updates.TuningLearner(alone, settings, 2)
    schedule = updates.Schedule(
        settings.rate, floor=1, second_moment=0.999, seed=settings.seed
    )
    for _ in updates.loop.train(learner, schedule, None):
        pass
    weights = alone.state_dict()
    for name, tensor in both[2].state_dict().items():
        assert torch.equal(tensor, weights[name])
    untouched = dict(bert.model.named_parameters())
    for name, tensor in both[0].body.named_parameters():
        assert torch.equal(tensor, untouched[name])


def test_extraction_knows_a_tuned_model_from_its_parent(bert):
    """The cache of passes goes by fingerprints: the parent's vectors must never be taken for it."""
    data = task()
    models = updates.tuned(bert, data, [0, 5], TuningSettings(batch=8, rate=1e-3))
    prints = {
        bert.fingerprint,
        models[0].encoder.fingerprint,
        models[5].encoder.fingerprint,
    }
    assert len(prints) == 3
    text = corpora.Corpus("toy", data.sentences, corpora.fingerprint(data.sentences), "")
    of_parent = extraction.run(bert, text, words=["film"]).vectors(bert.n_layers)
    of_tuned = extraction.run(models[5].encoder, text, words=["film"]).vectors(
        bert.n_layers
    )
    assert np.abs(of_parent - of_tuned).max() > 1e-3


def test_what_is_kept_is_not_trained_again_and_other_settings_are(bert, monkeypatch):
    data, settings = task(), TuningSettings(batch=8)
    first = updates.tuned(bert, data, [2], settings)[2]
    trained = []
    train = updates._train
    monkeypatch.setattr(updates, "_train", lambda *a: (trained.append(a[2:]), train(*a)))
    again = updates.tuned(bert, data, [2], settings)[2]
    assert not trained
    assert torch.equal(first.linear.weight, again.linear.weight)
    others = [
        dataclasses.replace(settings, band=1),
        dataclasses.replace(settings, seed=1),
        dataclasses.replace(settings, rate=1e-3),
    ]
    for other in others:
        updates.tuned(bert, data, [2], other)
    updates.tuned(bert, shuffled(data), [2], settings)
    assert len(trained) == 4


def test_a_model_without_a_first_special_piece_cannot_be_asked_about_sentences(
    bert, monkeypatch
):
    monkeypatch.setattr(pieces, "special_tokens", lambda *_: ([], []))
    Tuned(bert, task())
    with pytest.raises(UserError, match="puts no special piece before a sentence"):
        Tuned(bert, task(of_words=False))


def test_a_band_moves_what_a_tagger_says(bert):
    data = task()
    whole, narrow, wide = (Tuned(bert, data, band).eval() for band in (None, 0, 50))
    for model in (narrow, wide):
        model.load_state_dict(whole.state_dict())
    with torch.no_grad():
        expected, _ = whole(data.dev)
        assert (wide(data.dev)[0] - expected).abs().max() < 1e-5
        assert (narrow(data.dev)[0] - expected).abs().max() > 1e-3


def test_every_epoch_reads_each_sentence_once_in_another_order():
    train, settings = np.arange(10, 20), TuningSettings(batch=4)
    epochs = [
        np.concatenate(
            [batch_of(train, step, settings) for step in range(first, first + 3)]
        )
        for first in (0, 3)
    ]
    for order in epochs:
        assert sorted(order.tolist()) == train.tolist()
    assert epochs[0].tolist() != epochs[1].tolist()


def test_a_word_cut_out_is_labelled_as_its_excerpt_by_itself(bert):
    data = task()
    model = Tuned(bert, data).eval()
    sentences = [data.sentences[row] for row in (3, 7)]
    for k in (0, 1):
        said = tuned.classes_of_cut(model, sentences, k)
        for sentence, classes in zip(sentences, said, strict=True):
            for word, label in enumerate(classes):
                begin, end = max(word - k, 0), word + k + 1
                (alone,) = model.classes_of([corpora.joined(sentence.words[begin:end])])
                assert label == alone[word - begin]
    whole = tuned.classes_of_cut(model, sentences, 9)
    for expected, classes in zip(model.classes_of(sentences), whole, strict=True):
        assert classes.tolist() == expected.tolist()
