"""Classifiers of sentences: the network against naive loops, what is learned, what stays as it is."""

import itertools

import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.metrics import f1_score

from cwr import encoders
from cwr.corpora import joined
from cwr.corpora.labelled import TEST, TRAIN, VALIDATION, Labelled
from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError
from cwr.texts.gupta2021 import sentence_classifier, sentence_cnn
from cwr.texts.gupta2021.sentence_classifier import ClassifierLearner, ClassifierSettings
from cwr.texts.gupta2021.sentence_cnn import SentenceCNN
from cwr.texts.gupta2021.sentences import FineTuned, Frozen, piece_means, sentence_vectors
from cwr.training import loop

WORDS = ("good", "bad", "film", "plot", "the", "a")
DIM = 5
ONE = ClassifierSettings(rates=(1e-2,), epochs=(30,), batch=10)


def draw(seed=0):
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def vectors():
    return WordVectors(
        "toy", WORDS, draw().standard_normal((len(WORDS), DIM)).astype(np.float32)
    )


def separable(n=90, shuffled=False):
    """Sentences that are good exactly if they have the word; a third for each split."""
    generator = draw(1)
    sentences, labels = [], []
    for number in range(n):
        words = generator.choice(WORDS[2:], generator.integers(1, 7)).tolist()
        label = number % 2
        words.insert(int(generator.integers(len(words) + 1)), WORDS[label])
        sentences.append(joined(words))
        labels.append(label)
    labels = generator.permutation(labels) if shuffled else np.array(labels)
    splits = np.repeat([TRAIN, VALIDATION, TEST], n // 3)
    return Labelled("toy", tuple(sentences), ("bad", "good"), labels, splits)


def cnn(data, vectors, **options):
    with loop.seeded(0):
        return SentenceCNN(data, vectors, **options).eval()


def network(data, vectors):
    """What makes the network of a seed."""
    return lambda seed: SentenceCNN(data, vectors)


def naive_logits(model, sentence, vectors):
    """The equations in loops: windows, ReLU, maximum, linear layer."""
    scale = np.sqrt(np.mean(vectors.vectors**2))
    rows = []
    for word in sentence.words:
        row = vectors.of([word]).get(word, np.zeros(DIM)) / scale
        rows.append(row)
    rows += [np.zeros(DIM)] * 2
    weight, bias = (
        model.filters.weight.detach().numpy(),
        model.filters.bias.detach().numpy(),
    )
    features = []
    for f in range(len(weight)):
        highest = 0.0  # what ReLU leaves at least
        for begin in range(len(sentence.words)):
            total = bias[f]
            for offset, d in itertools.product(range(3), range(DIM)):
                total += weight[f, d, offset] * rows[begin + offset][d]
            highest = max(highest, total)
        features.append(highest)
    linear = model.linear
    return linear.weight.detach().numpy() @ features + linear.bias.detach().numpy()


def test_the_network_is_the_naive_loop_over_windows_and_filters(vectors):
    texts = (("film",), ("good", "the"), ("a", "unknown", "plot", "the", "bad"), ())
    splits = np.array([TRAIN] * 4)
    data = Labelled(
        "toy", tuple(map(joined, texts)), ("bad", "good"), np.zeros(4, int), splits
    )
    model = cnn(data, vectors, filters=7)
    with torch.no_grad():
        logits = model(np.arange(4)).numpy()
    for row, sentence in enumerate(data.sentences):
        assert logits[row] == pytest.approx(
            naive_logits(model, sentence, vectors), abs=1e-5
        )


def test_neither_padding_nor_the_other_sentences_of_a_batch_change_a_logit(vectors):
    data = separable()
    model = cnn(data, vectors)
    rows = draw(2).permutation(len(data.sentences))
    with torch.no_grad():
        together = model(rows)
        for place, row in enumerate(rows[:20]):
            alone = model(np.array([row]))[0]
            assert torch.allclose(
                alone, together[place], atol=1e-6
            )  # order of sums in a product


def test_a_word_without_a_vector_is_zero_and_the_table_is_scaled_by_one_number(vectors):
    data = separable()
    table, sentences = sentence_cnn.look_up(data, vectors)
    assert (table[0] == 0).all() and np.sqrt(np.mean(table[1:] ** 2)) == pytest.approx(1)
    ratio = table[1:] / np.stack(list(vectors.of(sorted(WORDS)).values()))
    assert ratio == pytest.approx(ratio[0, 0], rel=1e-5)
    larger = WordVectors("toy", WORDS, 1000 * vectors.vectors)
    assert sentence_cnn.look_up(data, larger)[0] == pytest.approx(table, rel=1e-5)
    fewer = WordVectors("toy", WORDS[:5], vectors.vectors[:5])
    words = [word for sentence in data.sentences for word in sentence.words]
    assert sentence_cnn.coverage(data, fewer) == np.mean([word != "a" for word in words])
    blank = [row for sentence in sentence_cnn.look_up(data, fewer)[1] for row in sentence]
    assert np.mean(np.array(blank) == 0) == pytest.approx(
        np.mean([word == "a" for word in words])
    )


def test_vectors_of_no_word_of_a_set_are_refused():
    other = WordVectors("other", ("xyz",), np.ones((1, DIM), np.float32))
    with pytest.raises(UserError, match="no word of toy has a vector in other: give"):
        sentence_cnn.look_up(separable(), other)


def test_a_separable_task_is_learned_whole_and_shuffled_labels_are_not(vectors):
    scores = {}
    for shuffled in (False, True):
        data = separable(shuffled=shuffled)
        new = network(data, vectors)
        result = sentence_classifier.predictions_by_seed(new, data, ONE, (0, 1))
        gold = data.labels[data.rows(TEST)]
        scores[shuffled] = (result.labels == gold).mean(axis=1)
        assert result.labels.shape == (2, 30) and result.search.empty
        assert (result.rate, result.epochs) == (1e-2, 30)
    assert (scores[False] == 1).all() and (scores[True] < 0.8).all()


def test_the_vectors_stay_as_they_are_while_the_classifier_learns(vectors):
    data = separable()
    before = vectors.vectors.copy()
    model = sentence_classifier.fit(
        network(data, vectors), data, data.rows(TRAIN), 1e-2, 2, 10, 0
    )
    untrained = cnn(data, vectors)
    assert torch.equal(model.table, untrained.table) and (vectors.vectors == before).all()
    assert not torch.equal(model.filters.weight, untrained.filters.weight)


def test_every_epoch_reads_each_sentence_once_in_another_order(vectors):
    data = separable()
    rows = data.rows(TRAIN, VALIDATION)
    read = []

    class Recorder(SentenceCNN):
        def forward(self, batch):
            read.append(batch)
            return super().forward(batch)

    learner = ClassifierLearner(Recorder(data, vectors), data.labels, rows, 2, 7, 0)
    assert learner.steps == 2 * 9  # 60 sentences in batches of 7
    for step in range(learner.steps):
        learner.loss(step)
    epochs = [np.concatenate(read[:9]), np.concatenate(read[9:])]
    assert all(sorted(epoch) == rows.tolist() for epoch in epochs)
    assert epochs[0].tolist() != epochs[1].tolist()


def test_the_choice_is_by_validation_and_the_test_is_never_looked_at(vectors):
    data = separable()
    settings = ClassifierSettings(rates=(1e-5, 1e-2), epochs=(1, 20), batch=10)
    new = network(data, vectors)
    search = sentence_classifier.choose(new, data, settings)
    assert search.shape == (2, 2) and search.loc[1e-2, 20] == 1
    flipped = np.where(data.splits == TEST, 1 - data.labels, data.labels)
    blind = Labelled(data.name, data.sentences, data.classes, flipped, data.splits)
    pd.testing.assert_frame_equal(sentence_classifier.choose(new, blind, settings), search)
    model = sentence_classifier.fit(new, data, data.rows(TRAIN), 1e-2, 20, 10, 0)
    rows = data.rows(VALIDATION)
    predicted = sentence_classifier.predict(model, rows)
    assert search.loc[1e-2, 20] == f1_score(data.labels[rows], predicted, average="macro")


def test_what_is_predicted_along_a_training_is_what_shorter_trainings_predict(vectors):
    data = separable()
    new, learn, ask = network(data, vectors), data.rows(TRAIN), data.rows(TEST)
    settings = ClassifierSettings(epochs=(1, 6), batch=10)
    predicted = sentence_classifier.predictions_along(
        new, data, learn, ask, 1e-2, settings
    )
    assert list(predicted) == [1, 6] and (predicted[1] != predicted[6]).any()
    for epochs, classes in predicted.items():
        model = sentence_classifier.fit(new, data, learn, 1e-2, epochs, 10, 0)
        assert (classes == sentence_classifier.predict(model, ask)).all()


def test_of_equal_scores_the_lowest_rate_and_then_the_fewest_epochs_are_taken():
    search = pd.DataFrame({9: [0.5, 0.5], 8: [0.5, 0.4]}, index=[1e-3, 1e-4])
    assert sentence_classifier._best(search, ClassifierSettings()) == (1e-4, 9)
    search.loc[1e-3, 8] = 0.6
    assert sentence_classifier._best(search, ClassifierSettings()) == (1e-3, 8)


def test_predictions_are_in_the_order_of_the_rows(vectors):
    data = separable()
    model = cnn(data, vectors)
    rows = draw(3).permutation(len(data.sentences))
    with torch.no_grad():
        expected = model(rows).argmax(dim=1).numpy()
    assert (sentence_classifier.predict(model, rows) == expected).all()


def test_a_loss_that_is_no_number_is_one_sentence(vectors):
    data = separable()
    broken = WordVectors("broken", WORDS, np.full((len(WORDS), DIM), np.nan, np.float32))
    with pytest.raises(UserError, match="the loss is no number at step 0"):
        sentence_classifier.fit(
            network(data, broken), data, data.rows(TRAIN), 1e-2, 1, 10, 0
        )


# ---- whole encoders


@pytest.fixture(scope="module")
def bert(device):
    return encoders.load("cwr-bert", device=device)


def test_the_gradient_reaches_the_lowest_block_and_the_callers_encoder_stays_as_it_is(
    bert,
):
    data = separable(12)
    before = {name: weight.clone() for name, weight in bert.model.named_parameters()}
    model = FineTuned(bert, data)
    loss = torch.nn.functional.cross_entropy(
        model(np.arange(4)), torch.tensor(data.labels[:4], device=bert.device)
    )
    loss.backward()
    lowest = [*model.encoder._blocks[0].parameters()]
    gradients = [weight.grad for weight in lowest]
    assert all(gradient is not None and gradient.abs().max() > 0 for gradient in gradients)
    model = sentence_classifier.fit(
        lambda seed: FineTuned(bert, data), data, data.rows(TRAIN), 1e-4, 1, 4, 0
    )
    for name, weight in bert.model.named_parameters():
        assert torch.equal(weight, before[name])
    trained = dict(model.body.named_parameters())
    assert any(not torch.equal(trained[name], weight) for name, weight in before.items())


def test_a_sentence_is_the_mean_of_its_pieces_and_one_without_pieces_is_zero(bert, near):
    sentences = [
        joined(("the", "film")),
        joined(()),
        joined(("unbelievably", "good", "plot")),
    ]
    with torch.no_grad():
        means = piece_means(bert, sentences).cpu().numpy()
    assert (means[1] == 0).all()
    for row in (0, 2):
        (batch,) = bert.encode([sentences[row]], unit="piece")
        pieces = batch.hidden[-1][batch.kind != "special"]
        expected = pieces.mean(axis=0)
        assert np.linalg.norm(means[row] - expected) < near * np.linalg.norm(expected)


def test_frozen_sentence_vectors_are_means_over_words_and_are_not_trained(
    bert, near, tmp_path, monkeypatch
):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    data = separable(30)
    sentences = (joined(()), *data.sentences[1:])
    data = Labelled("toy", sentences, data.classes, data.labels, data.splits)
    vectors = sentence_vectors(bert, data)
    assert (vectors[0] == 0).all()
    (batch,) = bert.encode([sentences[3]])
    expected = batch.hidden[-1].mean(axis=0)
    assert np.linalg.norm(vectors[3] - expected) < near * np.linalg.norm(expected)
    model = sentence_classifier.fit(
        lambda seed: Frozen(vectors, data), data, data.rows(TRAIN), 1e-2, 30, 10, 0
    )
    assert torch.equal(model.vectors, Frozen(vectors, data).vectors)
    assert (
        sentence_classifier.predict(model, data.rows(TRAIN))
        == data.labels[data.rows(TRAIN)]
    ).all()
