"""Training: the text as numbers, the loss, the recurrence, and a run that is cut off and goes on."""
import dataclasses
import itertools

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from cwr import encoders
from cwr.corpora import Article
from cwr.encoders.elmo.files import LSTMOptions
from cwr.encoders.elmo.layers import BiLSTMLayer as Layer
from cwr.errors import UserError
from cwr.training import bilstm, counts, language_models, quality, recurrence, text, transformers
from cwr.training.language_models import RECIPES, Recipe
from cwr.training.loss import cross_entropy

SENTENCES = ["The river runs to the sea.", "Rain fell on the hills all night!", "Who saw the old bridge?",
             "Boats carry grain and salt.", "The hills are green in spring."]


def articles(n=24, seed=0):
    draw = np.random.default_rng(seed)
    return [Article(number, f"Title {number}", tuple(" ".join(draw.permutation(SENTENCES)) for _ in range(3)))
            for number in range(n)]


@pytest.fixture(scope="module")
def tokenizer():
    return text.train_tokenizer(articles(), size=120)


@pytest.fixture(scope="module")
def pieces(tokenizer):
    return text.encode(tokenizer, articles())


def test_the_pieces_are_those_of_the_paragraphs_each_closed_by_the_end_token(tokenizer, pieces):
    expected = []
    for article in articles():
        for paragraph in article.paragraphs:
            expected += [*tokenizer.encode(paragraph, add_special_tokens=False).ids, text.END]
    assert pieces.tolist() == expected and pieces.dtype == np.uint16


def test_no_text_gives_an_unused_token_and_all_of_them_are_in_the_vocabulary(tokenizer):
    found = tokenizer.encode("[unused3] and [ unused3 ] [unused199]").tokens
    assert not [token for token in found if token.startswith("[unused")]
    assert [tokenizer.token_to_id(f"[unused{n}]") for n in (0, 199)] == [tokenizer.get_vocab_size() - 200,
                                                                         tokenizer.get_vocab_size() - 1]


@given(st.lists(st.booleans(), min_size=1, max_size=200), st.integers(2, 40))
def test_windows_cover_a_text_once_and_end_behind_a_sentence_where_one_ends_late_enough(ends, size):
    cut = text.windows(np.array(ends), size)
    assert cut[:, 0].tolist() == [0, *np.cumsum(cut[:, 1])[:-1]] and cut[:, 1].sum() == len(ends)
    for start, length in cut:
        assert 1 <= length <= size
        late = [end for end in range(start + size * 3 // 4, min(start + size, len(ends))) if ends[end]]
        assert length == (late[-1] + 1 - start if late else min(size, len(ends) - start))


def test_words_are_the_books_own_and_sentences_are_parted_by_one_boundary():
    made = text.words([Article(1, "t", ("Rain fell. It didn't stop.",))])
    read = [made.types[number] for number in made.stream]
    assert read == ["", "Rain", "fell", ".", "", "It", "did", "n't", "stop", ".", ""]
    assert made.classes[0] == text.BOUNDARY and made.classes[made.types.index(".")] == 2        # the commonest


def test_rare_and_new_words_share_one_class():
    made = text.words(articles(), classes=3)
    assert len(set(made.classes)) == 5 and made.classes.max() == 4
    known = [made.types[list(made.classes).index(number)] for number in (2, 3, 4)]
    assert text.known(made) == known
    word = next(word for word in known if word.isalpha())
    again = text.words([Article(1, "t", (f"{word} zebras",))], known)
    classes = [text.BOUNDARY, known.index(word) + 2, text.UNKNOWN_WORD, text.BOUNDARY]
    assert again.classes[again.stream].tolist() == classes


def test_more_words_than_the_text_has_are_refused(monkeypatch):
    monkeypatch.setattr(text.wiki_text, "load", lambda part: iter(articles()))
    assert len(text.prefix(60)) == 1 and len(text.prefix(0)) == 24
    with pytest.raises(UserError, match="not 99,999"):
        text.prefix(99_999)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 700), st.integers(2, 9), st.booleans())
def test_the_sliced_loss_has_the_value_and_gradients_of_torchs_own(n, classes, with_bias):
    torch.manual_seed(n)
    hidden, matrix = (torch.randn(rows, 5, dtype=torch.float64, requires_grad=True) for rows in (n, classes))
    bias = torch.randn(classes, dtype=torch.float64, requires_grad=True) if with_bias else None
    targets, given_to = torch.randint(classes, (n,)), [t for t in (hidden, matrix, bias) if t is not None]
    plain = torch.nn.functional.cross_entropy(torch.nn.functional.linear(hidden, matrix, bias), targets)
    ours = cross_entropy(hidden, matrix, bias, targets)
    assert ours.item() == pytest.approx(plain.item(), rel=1e-5)             # logits are float32 inside
    for mine, right in zip(torch.autograd.grad(3 * ours, given_to), torch.autograd.grad(3 * plain, given_to),
                           strict=True):
        torch.testing.assert_close(mine, right, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("clips", [(None, None), (0.2, 0.1), (None, 0.1)])
def test_the_written_gradients_of_the_recurrence_are_autograds(clips):
    torch.manual_seed(0)
    layer = Layer(LSTMOptions(dim=12, projection_dim=5, cell_clip=clips[0], proj_clip=clips[1])).double()
    torch.nn.init.normal_(layer.B)
    inputs = torch.randn(2, 7, 3, 5, dtype=torch.float64, requires_grad=True)
    output, cell = torch.randn(2, 3, 5).double() * 0.05, torch.randn(2, 3, 12).double() * 0.1
    plain = layer(inputs.reshape(2, 21, 5), [3] * 7, output, cell)
    ours = recurrence.run(layer, inputs, output, cell)
    towards, given_to = torch.randn(2, 21, 5).double(), [inputs, *layer.parameters()]
    for mine, right in zip((ours[0].reshape(2, 21, 5), *ours[1:]), plain, strict=True):
        torch.testing.assert_close(mine, right)
    for mine, right in zip(torch.autograd.grad((ours[0].reshape(2, 21, 5) * towards).sum(), given_to),
                           torch.autograd.grad((plain[0] * towards).sum(), given_to), strict=True):
        torch.testing.assert_close(mine, right)


def test_positive_pmi_is_the_log_ratio_of_counts():
    from scipy import sparse

    table = np.array([[4.0, 0, 1], [1, 2, 0]])
    found = counts.positive_pmi(sparse.csr_matrix(table)).toarray()
    contexts = table.sum(0) ** 0.75
    for row, column in itertools.product(range(2), range(3)):
        expected = table.sum(1)[row] * contexts[column] / contexts.sum()
        right = max(0, np.log(table[row, column] / expected)) if table[row, column] else 0
        assert found[row, column] == pytest.approx(right)


def test_vectors_from_counts_are_alike_for_tokens_with_the_same_neighbours_and_random_for_unseen_ones():
    draw = np.random.default_rng(0)
    tokens = np.array([[0, draw.integers(1, 3), 3, draw.integers(4, 6)] for _ in range(400)]).ravel()
    found = counts.vectors(tokens, 8, 4, 0.3)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 0.3, rtol=1e-6)
    cosine = found @ found.T / 0.09
    assert cosine[1, 2] > 0.95 and cosine[4, 5] > 0.95 and abs(cosine[1, 4]) < 0.6
    np.testing.assert_array_equal(found, counts.vectors(tokens, 8, 4, 0.3))
    assert not np.allclose(found[6], found[7])


TINY = {"cwr-gpt": dataclasses.replace(RECIPES["cwr-gpt"], layers=1, dim=64, size=16),
        "cwr-bert": dataclasses.replace(RECIPES["cwr-bert"], layers=1, dim=64, size=16, rows=4),
        "cwr-elmo": dataclasses.replace(RECIPES["cwr-elmo"], dim=8, rows=4, size=8)}


def learner(name, tokenizer, pieces, **changes):
    recipe = dataclasses.replace(TINY[name], **changes)
    if recipe.family == "bilstm":
        return recipe, bilstm.BiLSTM(recipe, text.words(articles(), classes=20), 1000)
    kind = {"causal": transformers.Causal, "masked": transformers.Masked}[recipe.family]
    return recipe, kind(recipe, pieces, tokenizer, 1000)


def weights(trained):
    return {name: tensor.clone() for name, tensor in trained.model.state_dict().items()}


@pytest.mark.parametrize("name", TINY)
def test_a_run_that_is_cut_off_goes_on_to_the_same_weights(name, tokenizer, pieces, tmp_path):
    recipe, whole = learner(name, tokenizer, pieces)
    report = list(language_models.train(whole, recipe, tmp_path / "whole", until=9))
    for until in (4, 7, 9):                                                     # each time by a new learner
        _, part = learner(name, tokenizer, pieces)
        list(language_models.train(part, recipe, tmp_path / "cut", until=until))
    for key, tensor in weights(whole).items():
        torch.testing.assert_close(weights(part)[key], tensor, rtol=0, atol=0, msg=key)
    assert [step.step for step in report] == list(range(1, 10)) and not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("name", TINY)
def test_training_lowers_the_loss_and_what_is_saved_opens_as_an_encoder(name, tokenizer, pieces, tmp_path):
    recipe, made = learner(name, tokenizer, pieces, rate=1e-2, epochs=3)
    losses = [step.loss for step in language_models.train(made, recipe, tmp_path)]
    enough = 0.98 if name == "cwr-bert" else 0.8    # a masked model stays long where it knows frequencies alone
    assert np.mean(losses[-5:]) < enough * np.mean(losses[:5])
    made.save(tmp_path / name)
    encoder = encoders.load(str(tmp_path / name), device="cpu")
    assert encoder.family == recipe.family and encoder.n_layers == recipe.layers and encoder.name == name
    (batch,) = encoder.encode([text.corpora.tokenise(SENTENCES[0])[0]])
    assert batch.hidden.shape == (recipe.layers + 1, 7, encoder.dim) and np.isfinite(batch.hidden).all()


def test_the_saved_bilstm_gives_what_the_trained_one_gave(tokenizer, pieces, tmp_path):
    recipe, made = learner("cwr-elmo", tokenizer, pieces)
    list(language_models.train(made, recipe, tmp_path, until=3))
    made.save(tmp_path / "model")
    words = text.corpora.tokenise(SENTENCES[1])[0].words
    vectors, _ = encoders.elmo.ELMo.from_files(*(tmp_path / "model" / name for name in ("options.json", "weights.hdf5"))
                                               ).forward_words([words])
    table = torch.from_numpy(text.character_table(["", *words]))
    ids = torch.arange(1, len(words) + 1)
    both = torch.stack([torch.cat([torch.tensor([0]), ids]), torch.cat([torch.tensor([0]), ids.flip(0)])])[:, None]
    with torch.no_grad():
        top, _ = made.model(both, table, made.model.elmo.zero_state(1))
    top = top[:, 0, 1:].numpy()
    expected = np.concatenate([top[0], top[1][::-1]], axis=1)
    np.testing.assert_allclose(vectors[2, 0], expected, rtol=2e-2, atol=2e-3)       # saved in half precision


def test_every_piece_is_read_once_and_short_windows_come_first(tokenizer, pieces):
    recipe, made = learner("cwr-bert", tokenizer, pieces)
    batches = made._batches
    places = np.concatenate([np.concatenate([np.arange(a, a + n) for a, n, _ in batch]) for batch in batches])
    assert sorted(places) == list(range(len(pieces))) and made.words(made.steps) == pytest.approx(1000)
    sizes = [int(batch[0, 2]) for batch in batches]
    assert sizes == sorted(sizes) and set(sizes) == {4, 16}
    short = sum(batch[:, 1].sum() for batch in batches if batch[0, 2] == 4)
    assert short == pytest.approx(0.35 * len(pieces), abs=1)


def test_no_random_replacement_is_a_token_that_never_occurs(tokenizer, pieces, monkeypatch):
    recipe, made = learner("cwr-bert", tokenizer, pieces, masked=0.9)
    seen = set()
    real = made._run
    monkeypatch.setattr(made, "_run", lambda base, ids: seen.update(ids.ravel().tolist()) or real(base, ids))
    for step in range(made.steps):
        made.loss(step)
    assert max(seen) < tokenizer.get_vocab_size() - text.UNUSED and text.MASK in seen


def test_the_sampled_loss_is_near_the_full_one(tokenizer, pieces, monkeypatch):
    recipe, made = learner("cwr-elmo", tokenizer, pieces, start="plain")
    sampled = np.mean([made.loss(step).item() for step in range(made.steps)])
    monkeypatch.setattr(bilstm, "DRAWN", 10**6)                                 # every class is in every sample
    made.restore({"output": made.model.elmo.zero_state(4).output, "cell": made.model.elmo.zero_state(4).cell})
    full = np.mean([made.loss(step).item() for step in range(made.steps)])
    assert sampled == pytest.approx(full, rel=0.05)


def test_the_rate_rises_in_a_line_and_falls_to_a_twentieth():
    recipe = Recipe(rate=1.0, warm_up=0.1)
    rates = [language_models.rate(recipe, step, 100) for step in range(100)]
    assert rates[:3] == pytest.approx([0.1, 0.2, 0.3]) and max(rates) == pytest.approx(1.0)
    assert rates[-1] == pytest.approx(0.05, abs=0.001) and (np.diff(rates[10:]) <= 0).all()


def test_a_checkpoint_of_another_run_is_refused(tokenizer, pieces, tmp_path):
    recipe, made = learner("cwr-gpt", tokenizer, pieces)
    list(language_models.train(made, recipe, tmp_path, until=2))
    other, again = learner("cwr-gpt", tokenizer, pieces, seed=1)
    with pytest.raises(UserError, match="belongs to another run"):
        list(language_models.train(again, other, tmp_path))


@pytest.mark.parametrize(("field", "value"), [("family", "static"), ("start", "warm")])
def test_an_unknown_family_or_start_is_refused(field, value):
    with pytest.raises(UserError, match=value):
        Recipe(**{field: value})


def test_statistics_are_visited_once_at_log_spaced_steps(tokenizer, pieces, tmp_path):
    recipe, made = learner("cwr-gpt", tokenizer, pieces)
    visits, seen = tuple(language_models.log_steps(made.steps)), []
    list(language_models.train(made, recipe, tmp_path, until=12, visit=seen.append, visits=visits))
    _, again = learner("cwr-gpt", tokenizer, pieces)
    list(language_models.train(again, recipe, tmp_path, visit=seen.append, visits=visits))
    assert seen == list(visits) and visits[0] == 0 and visits[-1] == made.steps


def test_predictions_are_those_of_a_plain_loop(tokenizer, pieces, tmp_path):
    _, made = learner("cwr-gpt", tokenizer, pieces)
    model = made.model.eval()
    found = quality.causal(model, pieces[:30], size=15)
    for number, place in enumerate(found.place):
        start = place // 15 * 15
        ids = torch.tensor([[text.START, *pieces[start:place].astype(int)]])
        with torch.no_grad():
            logits = model(ids).logits[0, -1]
        assert found.nats[number] == pytest.approx(-torch.log_softmax(logits, 0)[int(pieces[place])].item(), abs=1e-4)
        assert found.rank[number] == (logits > logits[int(pieces[place])]).sum()
    assert found.place.tolist() == list(range(30))


def test_masked_predictions_see_no_chosen_piece(tokenizer, pieces):
    _, made = learner("cwr-bert", tokenizer, pieces)
    model = made.model.eval()
    found = quality.masked(model, pieces[:300], size=15)
    assert 0.08 < len(found.place) / 300 < 0.25
    hidden = {place for place in found.place if place < 15}
    ids = torch.tensor([[text.START, *(text.MASK if p in hidden else int(pieces[p]) for p in range(15))]])
    with torch.no_grad():
        logits = model(ids).logits[0]
    for place, nats in zip(found.place, found.nats, strict=True):
        if place < 15:
            right = -torch.log_softmax(logits[place + 1], 0)[int(pieces[place])].item()
            assert nats == pytest.approx(right, abs=1e-4)


def test_the_bilstm_predicts_each_word_from_one_side_alone(tokenizer, pieces):
    _, made = learner("cwr-elmo", tokenizer, pieces)
    words = text.words(articles(1), known=None, classes=20)
    words = dataclasses.replace(words, classes=np.minimum(words.classes, len(made.model.bias) - 1))
    ahead, back = quality.bilstm(made.model, words, rows=1, size=8)
    changed = words.stream.copy()
    changed[10:] = changed[10]                                                  # all that follows the tenth word
    other, _ = quality.bilstm(made.model, dataclasses.replace(words, stream=changed), rows=1, size=8)
    np.testing.assert_allclose(ahead.nats[ahead.place < 10], other.nats[other.place < 10], rtol=1e-5)
    assert not np.allclose(ahead.nats[10:20], other.nats[10:20])
    assert ahead.place.tolist() == list(range(1, len(ahead.place) + 1)) == back.place.tolist()
