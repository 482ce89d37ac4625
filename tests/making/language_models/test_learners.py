"""The three language models while they are trained: cut off and gone on, saved, and what each step
reads.
"""

import numpy as np
import pytest
import torch

from cwr import corpora, encoders
from cwr.encoders.elmo import ELMo
from cwr.errors import UserError
from cwr.making.language_models import bilstm, text
from cwr.making.language_models.recipes import RECIPES, Recipe
from cwr.training.loop import train


def trained(learner, folder, until=None):
    """The losses of a training, up to so many steps in all."""
    return [step.loss for step in train(learner, learner.schedule, folder, until=until)]


def test_a_run_that_is_cut_off_goes_on_to_the_same_weights(
    name, learner, tmp_path, device
):
    whole = learner(name)
    losses = trained(whole, tmp_path / "whole", until=9)
    resumed = []
    for until in (4, 7, 9):  # each time by a new learner
        part = learner(name)
        resumed += trained(part, tmp_path / "cut", until)
    if device != "cpu":  # a GPU adds gradients in any order: not to the same bits
        assert resumed == pytest.approx(losses, rel=1e-2)
        return
    for key, tensor in whole.model.state_dict().items():
        assert torch.equal(part.model.state_dict()[key], tensor), key


def test_training_lowers_the_loss_and_what_is_saved_opens_as_an_encoder(
    name, learner, tmp_path
):
    learner = learner(name, rate=1e-2, epochs=3)
    losses = trained(learner, tmp_path)
    # a masked model stays long where it knows frequencies alone
    enough = 0.98 if name == "cwr-bert" else 0.8
    assert np.mean(losses[-5:]) < enough * np.mean(losses[:5])
    learner.save(tmp_path / "mine")
    encoder = encoders.load(str(tmp_path / "mine"))
    recipe = learner.recipe
    assert (encoder.family, encoder.n_layers) == (recipe.family, recipe.layers)
    (batch,) = encoder.encode([corpora.joined("The river runs to the sea .".split())])
    assert batch.hidden.shape == (recipe.layers + 1, 7, encoder.dim)
    assert np.isfinite(batch.hidden).all()


def test_the_saved_bilstm_gives_what_the_trained_one_gave(
    learner, sentences, tokenise, tmp_path
):
    learner = learner("cwr-elmo")
    trained(learner, tmp_path, until=3)
    learner.save(tmp_path / "model")
    words = tokenise(sentences[1])[0].words
    files = [tmp_path / "model" / file for file in ("options.json", "weights.hdf5")]
    vectors, _ = ELMo.from_files(*files).forward_words([words])
    table = torch.from_numpy(text.character_table(["", *words]))
    ids = torch.arange(1, len(words) + 1)
    boundary = torch.tensor([0])
    both = torch.stack([torch.cat([boundary, ids]), torch.cat([boundary, ids.flip(0)])])[
        :, None
    ]
    both, table = both.to(learner.device), table.to(learner.device)
    with torch.no_grad():
        top, _ = learner.model(both, table, learner.model.elmo.zero_state(1))
    top = top[:, 0, 1:].cpu().numpy()
    expected = np.concatenate([top[0], top[1][::-1]], axis=1)
    # saved in half precision
    np.testing.assert_allclose(vectors[2, 0], expected, rtol=2e-2, atol=2e-3)


def test_every_piece_is_read_once_and_short_windows_come_first(learner, pieces):
    learner = learner("cwr-bert")
    positions = []
    for start, length, _ in np.concatenate(learner._batches):
        positions += range(start, start + length)
    assert sorted(positions) == list(range(len(pieces)))
    assert learner.words(learner.steps) == pytest.approx(1000)
    sizes = [int(batch[0, 2]) for batch in learner._batches]
    assert sizes == sorted(sizes) and set(sizes) == {4, 16}
    short = sum(batch[:, 1].sum() for batch in learner._batches if batch[0, 2] == 4)
    assert short == pytest.approx(0.35 * len(pieces), abs=1)


def test_of_a_masked_models_targets_most_are_hidden_and_some_are_left(learner):
    learner = learner("cwr-bert", masked=0.5)
    ids = np.full((400, 50), 30)
    new = np.ones(ids.shape, bool)
    new[:, 0] = False
    inputs, is_target = learner._corrupted(ids, new, np.random.default_rng(0))
    assert not is_target[:, 0].any() and (inputs[~is_target] == 30).all()
    assert is_target[:, 1:].mean() == pytest.approx(0.5, abs=0.02)
    shown = inputs[is_target]
    assert (shown == text.MASK).mean() == pytest.approx(0.8, abs=0.02)
    assert (shown == 30).mean() == pytest.approx(
        0.1, abs=0.02
    )  # and a few random ones that are 30


def test_no_random_replacement_is_a_token_that_never_occurs(learner, tokenizer):
    learner = learner("cwr-bert", masked=0.9)
    read = set()

    def look(module, arguments, named):
        read.update(named["input_ids"].ravel().tolist())

    learner.model.bert.register_forward_pre_hook(look, with_kwargs=True)
    for step in range(learner.steps):
        learner.loss(step)
    assert max(read) < tokenizer.get_vocab_size() - text.UNUSED and text.MASK in read


def test_the_sampled_loss_is_near_the_full_one(learner, monkeypatch):
    learner = learner("cwr-elmo", start="plain")
    sampled = np.mean([learner.loss(step).item() for step in range(learner.steps)])
    monkeypatch.setattr(bilstm, "DRAWN", 10**4)  # every class is in every sample
    learner.restore(learner.model.elmo.zero_state(4)._asdict())
    full = np.mean([learner.loss(step).item() for step in range(learner.steps)])
    assert sampled == pytest.approx(full, rel=0.05)


def test_a_checkpoint_of_another_recipe_or_text_is_refused(name, learner, tmp_path):
    trained(learner(name), tmp_path, until=2)
    with pytest.raises(UserError, match=r"recipe, schedule differ"):
        trained(learner(name, seed=1), tmp_path)
    other = learner(name)
    other.identity["text"] = "another"
    with pytest.raises(UserError, match=r"\(text differ"):
        trained(other, tmp_path)


@pytest.mark.parametrize(("field", "value"), [("family", "static"), ("start", "warm")])
def test_an_unknown_family_or_start_is_refused(field, value):
    with pytest.raises(UserError, match=value):
        Recipe(**{field: value})


def test_the_schedule_is_that_of_the_recipe(learner):
    schedule = learner("cwr-bert", rate=0.5, decay=0.25, seed=3).schedule
    assert (schedule.rate, schedule.decay, schedule.seed) == (0.5, 0.25, 3)
    assert schedule.warm_up == RECIPES["cwr-bert"].warm_up
