"""The networks of the comparison: what each may read, how they are kept, and equal sizes."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
import torch

from cwr import corpora
from cwr.errors import UserError
from cwr.making.language_models import session
from cwr.making.language_models.causal_masked import Causal
from cwr.texts.survey import backwards, gated_cnn, networks
from cwr.training.loop import train

pytest.importorskip("spacy", reason="needs spaCy, which finds words: pip install spacy")
WORDS = "Rain fell on the hills all night and boats carry salt .".split()
SMALL = {
    "lstm-2": {"dim": 8, "rows": 4, "size": 8},
    "lstm-4": {"dim": 8, "rows": 4, "size": 8},
    "gated-cnn": {"dim": 8, "rows": 4, "size": 8, "layers": 3},
    "gpt": {"dim": 64, "layers": 2, "size": 16},
    "gpt-backwards": {"dim": 64, "layers": 2, "size": 16},
}


@pytest.fixture(scope="module", params=networks.TRAININGS)
def training(request):
    return request.param


@pytest.fixture(scope="module")
def trained(tmp_path_factory, articles):
    """A folder with all five trainings, three steps each, and their models saved."""
    folder = tmp_path_factory.mktemp("networks")
    for name, changes in SMALL.items():
        prepared = networks.prepare(name, articles, folder, **changes)
        prepared.learner.steps = 3
        session.run(prepared)
    return folder


def vectors(encoder, words):
    """(layers, words, dim) of one sentence."""
    (batch,) = encoder.encode([corpora.joined(words)])
    return batch.hidden[:, np.argsort(batch.position)]


def depends_on(encoder, word):
    """Which vectors of WORDS another word of one piece in this place changes, (2, layers, words) bool: the half
    that reads forwards, and the one that reads backwards."""
    changed = [*WORDS[:word], "for", *WORDS[word + 1 :]]
    differs = ~np.isclose(vectors(encoder, WORDS), vectors(encoder, changed), atol=1e-6)
    return np.stack([half.any(axis=2) for half in np.split(differs, 2, axis=2)])


@pytest.mark.parametrize("name", networks.NETWORKS)
def test_one_half_reads_only_what_stands_before_and_the_other_what_stands_behind(
    name, trained
):
    encoder = networks.open_network(name, trained)
    ahead, behind = depends_on(encoder, word=5)
    assert ahead[0].tolist() == behind[0].tolist() == [at == 5 for at in range(len(WORDS))]
    assert not ahead[:, :5].any() and not behind[:, 6:].any()
    assert ahead[-1, 5:8].all() and behind[-1, 3:6].all()


def test_a_gated_cnn_reaches_three_words_a_block_and_no_further():
    torch.manual_seed(0)
    model = gated_cnn.GatedCNN(layers=3, dim=8)
    encoder = gated_cnn.GatedCNNEncoder(model.eval(), name="cnn", sources=dict)
    ahead, behind = depends_on(encoder, word=0)
    reached = [np.flatnonzero(layer).max() for layer in ahead]
    assert reached == [0, 3, 6, 9] and model.reach == 9
    assert not behind[:, 1:].any()


def test_the_gradient_of_a_gated_cnns_output_stays_within_its_reach(learner_of):
    learner = learner_of("gated-cnn")
    inputs = torch.randn(2, 14, 1, 8, requires_grad=True)  # (d, s, r, p)
    top, _ = learner.model.contextual(inputs, learner.model.elmo.zero_state(1))
    top[0, 11].sum().backward()
    used = inputs.grad.abs().sum(dim=(2, 3)) > 0  # (d, s)
    assert used[0].nonzero().flatten().tolist() == list(range(2, 12)) and not used[1].any()


def test_windows_with_their_tails_are_one_reading(learner_of):
    model = learner_of("gated-cnn").model
    inputs = torch.randn(2, 12, 3, 8)
    with torch.no_grad():
        whole, end = model.contextual(inputs, model.elmo.zero_state(3))
        first, tail = model.contextual(inputs[:, :5], model.elmo.zero_state(3))
        second, tail = model.contextual(inputs[:, 5:], tail)
    torch.testing.assert_close(torch.cat([first, second], dim=1), whole)
    torch.testing.assert_close(tail.inputs, end.inputs)


def test_a_gated_block_is_the_equation():
    torch.manual_seed(1)
    block = gated_cnn.GatedBlock(dim=3, width=4)
    inputs, before = torch.randn(2, 1, 6, 3), torch.randn(2, 1, 3, 3)
    read = torch.cat([before, inputs], dim=2)
    weight = block.weight.detach().view(2, 3, 4, 6)  # (d, p, w, 2 p)
    for direction in (0, 1):
        for at in range(6):
            both = torch.zeros(6)
            for k in range(4):
                both += read[direction, 0, at + k] @ weight[direction, :, k]
            expected = inputs[direction, 0, at] + both[:3] * torch.sigmoid(both[3:])
            torch.testing.assert_close(block(inputs, before)[direction, 0, at], expected)


def test_padding_changes_no_vector_of_a_gated_cnn():
    torch.manual_seed(0)
    model = gated_cnn.GatedCNN(layers=3, dim=8).eval()
    for block in model.layers:
        torch.nn.init.normal_(block.bias)  # zero at the start, and zeros would stay zeros
    encoder = gated_cnn.GatedCNNEncoder(model, name="cnn", sources=dict)
    alone = vectors(encoder, WORDS[:4])
    for side in ("right", "left"):
        encoder.padding = side
        sentences = [corpora.joined(WORDS[:4]), corpora.joined(WORDS)]
        (batch,) = encoder.encode(sentences, max_tokens=100)
        np.testing.assert_allclose(batch.hidden[:, batch.sentence == 0], alone, atol=1e-6)


def test_the_twin_is_given_each_row_from_right_to_left():
    mask = torch.tensor([[1, 1, 1, 1, 0], [0, 0, 1, 1, 1]])
    order = backwards.reversed_columns(mask)
    assert order.tolist() == [[0, 3, 2, 1, 4], [0, 1, 2, 4, 3]]
    torch.testing.assert_close(order.gather(1, order), torch.arange(5).expand(2, 5))


def test_the_twin_trains_on_the_reversed_text_whose_windows_begin_with_an_end(
    learner_of, pieces
):
    twin, forwards = learner_of("gpt-backwards"), learner_of("gpt")
    np.testing.assert_array_equal(twin.pieces[: len(pieces)], pieces[::-1])
    ids, new = twin._windows(0)
    assert new[:, 1:].any() and twin.words(twin.steps) == forwards.words(forwards.steps)
    marks = {twin.tokenizer.token_to_id(mark) for mark in (".", "?", "!", "[SEP]")}
    begins = [row[1] for batch in range(twin.steps) for row in twin._windows(batch)[0]]
    assert np.mean([first in marks for first in begins]) > 0.8


def test_a_network_that_is_cut_off_goes_on_to_the_same_weights(
    training, learner_of, tmp_path
):
    whole = learner_of(training)
    list(train(whole, whole.schedule, tmp_path / "whole", until=5))
    for until in (2, 5):
        part = learner_of(training)
        list(train(part, part.schedule, tmp_path / "cut", until=until))
    for key, tensor in whole.model.state_dict().items():
        assert torch.equal(part.model.state_dict()[key], tensor), key


def test_a_saved_gated_cnn_gives_what_the_trained_one_gave(learner_of, tmp_path):
    learner = learner_of("gated-cnn")
    list(train(learner, learner.schedule, tmp_path, until=3))
    learner.save(tmp_path / "model")
    opened = gated_cnn.open_encoder(tmp_path / "model", "gated-cnn")
    kept = gated_cnn.GatedCNNEncoder(learner.model.elmo.eval(), name="cnn", sources=dict)
    np.testing.assert_allclose(
        vectors(opened, WORDS), vectors(kept, WORDS), rtol=2e-2, atol=2e-3
    )


def test_above_their_input_all_networks_are_about_equally_large():
    sizes = [networks.contextual_weights(name) for name in networks.NETWORKS]
    assert max(sizes) / min(sizes) < 1.01 and round(min(sizes), -4) == 2_360_000


def test_the_weights_above_the_input_are_those_of_the_model(training, learner_of):
    blocks = ("elmo.layers.", "transformer.h.")
    learner = learner_of(training)
    weights = learner.model.named_parameters()
    number = sum(weight.numel() for name, weight in weights if name.startswith(blocks))
    kind = networks.TRAININGS[training][0]
    assert networks._weights_of(kind, learner.recipe) == number


def test_a_folder_is_found_by_its_path_or_below_the_data(tmp_path, monkeypatch):
    (tmp_path / "networks").mkdir()
    monkeypatch.setenv("CWR_DATA", str(tmp_path))
    assert networks.folder_of("networks") == tmp_path / "networks"
    assert networks.folder_of(str(tmp_path)) == tmp_path
    assert networks.folder_of("") is None and networks.folder_of("nowhere") is None


def test_what_is_not_trained_is_refused_with_the_command(tmp_path, trained):
    assert networks.finished(trained) == list(networks.NETWORKS)
    (tmp_path / "gpt").mkdir()
    (tmp_path / "gpt" / session.RECORD).write_text("{}")
    assert networks.finished(tmp_path) == []  # a half of a pair
    with pytest.raises(UserError, match=r"gated-cnn is not trained .*train_networks"):
        networks.open_network("gated-cnn", tmp_path)
    with pytest.raises(UserError, match="no network 'gru'"):
        networks.prepare("gru", [], tmp_path)


def test_a_twin_is_never_read_forwards(trained):
    from cwr import encoders

    with pytest.raises(UserError, match="gpt2-backwards"):
        encoders.load(str(trained / "gpt-backwards" / "model"))
    with pytest.raises(UserError, match="does not read from right to left"):
        models = [trained / "gpt" / "model"] * 2
        backwards.open_both(*models, "pair")


def test_a_damaged_gated_cnn_is_refused(trained, tmp_path):
    with pytest.raises(UserError, match="no gated CNN"):
        gated_cnn.open_encoder(tmp_path, "cnn")
    whole = trained / "gated-cnn" / "model"
    (tmp_path / gated_cnn.OPTIONS).write_text((whole / gated_cnn.OPTIONS).read_text())
    (tmp_path / gated_cnn.WEIGHTS).write_bytes(
        (whole / gated_cnn.WEIGHTS).read_bytes()[:900]
    )
    with pytest.raises(UserError, match="no gated CNN"):
        gated_cnn.open_encoder(tmp_path, "cnn")


@pytest.fixture(scope="module")
def learner_of(articles, tokenizer, pieces, tmp_path_factory):
    """A function: a new tiny learner of a training."""
    folder = tmp_path_factory.mktemp("learners")

    def new(name):
        if networks.TRAININGS[name][0] in (Causal, backwards.Backwards):
            kind, recipe = networks.TRAININGS[name]
            recipe = dataclasses.replace(recipe, **SMALL[name])
            return kind(recipe, pieces, tokenizer, 1000)
        return networks.prepare(name, articles, folder, **SMALL[name]).learner

    return new


def test_a_folder_tells_how_its_trainings_ended(trained, tmp_path):
    assert not networks.texts(tmp_path) and networks.ends(tmp_path).empty
    for words in ("2000", "90", "half"):
        (tmp_path / words).symlink_to(trained)
    (tmp_path / "400" / "gpt").mkdir(parents=True)  # not ended
    assert list(networks.texts(tmp_path)) == [90, 400, 2000]
    table = networks.ends(tmp_path)
    assert table["text"].tolist() == [90] * 5 + [2000] * 5
    assert table["training"].tolist() == [*networks.TRAININGS] * 2
    last = pd.read_csv(trained / "gpt" / "curve.csv")["heldout"].iloc[-1]
    np.testing.assert_equal(
        table.loc[table["training"] == "gpt", "heldout"].to_numpy(), last
    )


def test_the_ends_that_travel_with_the_book_are_of_these_trainings_and_fall():
    kept = networks.kept_ends()
    assert set(kept["training"]) == set(networks.TRAININGS)
    for name, part in kept.groupby("training"):
        assert part["heldout"].is_monotonic_decreasing and len(part) > 1, name
