"""Predictions against a plain loop, and what may be seen when a token is predicted."""

import dataclasses

import numpy as np
import pytest
import torch

from cwr.errors import UserError
from cwr.making.language_models import predictions, scores, text


def test_causal_predictions_are_those_of_a_plain_loop(learner, pieces):
    model = learner("cwr-gpt").model.eval()
    predicted = predictions.causal(model, pieces[:30], size=15)
    for number, position in enumerate(predicted.position):
        start = position // 15 * 15
        target = int(pieces[position])
        read = [[text.START, *pieces[start:position].astype(int)]]
        ids = torch.tensor(read, device=model.device)
        with torch.no_grad():
            logits = model(ids).logits[0, -1]
        nats = -torch.log_softmax(logits, 0)[target].item()
        assert predicted.nats[number] == pytest.approx(nats, abs=1e-4)
        assert predicted.rank[number] == (logits > logits[target]).sum()
    assert predicted.position.tolist() == list(range(30))


def test_shuffled_the_last_piece_of_a_window_is_predicted_from_the_same_others(
    learner, pieces
):
    model = learner("cwr-gpt").model.eval()
    read = []
    model.transformer.register_forward_pre_hook(
        lambda module, arguments, named: read.append(named["input_ids"]), with_kwargs=True
    )
    predicted = predictions.causal(model, pieces[:30], size=15, shuffle=0)
    assert predicted.position.tolist() == [14, 29]
    windows = pieces[:30].reshape(2, 15)[:, :-1].astype(int)
    (ids,) = [rows.cpu() for rows in read]
    assert ids[:, 0].tolist() == [text.START] * 2 and not np.array_equal(
        ids[:, 1:], windows
    )
    np.testing.assert_array_equal(np.sort(ids[:, 1:]), np.sort(windows))


def test_masked_predictions_see_no_hidden_piece(learner, pieces):
    model = learner("cwr-bert").model.eval()
    predicted = predictions.masked(model, pieces[:300], size=15)
    assert 0.08 < len(predicted.position) / 300 < 0.25
    hidden = {position for position in predicted.position if position < 15}
    inputs = [
        text.MASK if position in hidden else int(pieces[position])
        for position in range(15)
    ]
    with torch.no_grad():
        logits = model(torch.tensor([[text.START, *inputs]], device=model.device)).logits[
            0
        ]
    for position, nats in zip(predicted.position, predicted.nats, strict=True):
        if position in hidden:
            right = -torch.log_softmax(logits[position + 1], 0)[
                int(pieces[position])
            ].item()
            assert nats == pytest.approx(right, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "predict"), [("cwr-gpt", "causal"), ("cwr-bert", "masked")]
)
def test_a_text_that_fills_no_window_is_refused(learner, pieces, name, predict):
    model = learner(name).model.eval()
    with pytest.raises(UserError, match="a text of 14 pieces fills no window of 15"):
        getattr(predictions, predict)(model, pieces[:14], size=15)
    assert len(getattr(predictions, predict)(model, pieces[:15], size=15).nats)


def test_the_bilstm_predicts_each_word_from_one_side_alone(learner, articles):
    model = learner("cwr-elmo").model
    words = text.words(articles[:1], classes=20)
    words = dataclasses.replace(
        words, classes=np.minimum(words.classes, len(model.bias) - 1)
    )
    forward, backward = predictions.bilstm(model, words, rows=1, size=8)
    changed = words.stream.copy()
    changed[10:] = changed[10]  # all that follows the tenth word
    other, _ = predictions.bilstm(
        model, dataclasses.replace(words, stream=changed), rows=1, size=8
    )
    before = forward.position < 10
    np.testing.assert_allclose(
        forward.nats[before], other.nats[other.position < 10], rtol=1e-5
    )
    assert not np.allclose(forward.nats[10:20], other.nats[10:20])
    expected = list(range(1, len(forward.position) + 1))
    assert forward.position.tolist() == expected == backward.position.tolist()


def test_paragraph_ends_are_left_out_of_one_accuracy():
    is_right = np.array([True, True, False, True, False])
    targets = np.array([text.END, 9, 8, text.END, 7])
    row = scores.without_ends("m", is_right, targets)
    assert (row["value"], row["n"]) == (pytest.approx(1 / 3), 3)
