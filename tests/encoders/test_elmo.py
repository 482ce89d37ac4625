"""ELMo: AllenNLP's own numbers, a plain loop in NumPy as oracle, invariances, refusals, and the encoder around it."""

import json
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch

from cwr import corpora, encoders, extraction
from cwr.encoders import random_blocks
from cwr.encoders.elmo.character_cnn import characters
from cwr.encoders.elmo.files import Options
from cwr.encoders.elmo.layers import in_steps
from cwr.encoders.elmo.model import ELMo
from cwr.errors import UserError
from cwr.extraction import targets

STORY = Path(__file__).parents[1] / "data" / "story.jsonl"
FIXTURES = STORY.with_name("elmo_fixtures")
SENTENCES = [
    ["The", "bank", "of", "the", "river", "is", "steep", "."],
    ["Yes"],
    ["Zoë", "'s", "café", "😀", "costs", "£3", "in", "São", "Paulo"],
    ["unbelievably" * 7, "x", "the", "the"],
]
TINY = {
    "char_cnn": {
        "embedding": {"dim": 3},
        "filters": [[1, 4], [3, 5], [7, 6]],
        "n_highway": 2,
        "max_characters_per_token": 50,
        "activation": "relu",
        "n_characters": 262,
    },
    "lstm": {"dim": 7, "projection_dim": 4, "n_layers": 2, "use_skip_connections": True},
}


def edited(**changes) -> dict:
    """TINY with other values: edited(cell_clip=1, n_highway=0)."""
    made = json.loads(json.dumps(TINY))
    for name, value in changes.items():
        part = (
            "lstm"
            if name
            in (
                "dim",
                "projection_dim",
                "n_layers",
                "use_skip_connections",
                "cell_clip",
                "proj_clip",
            )
            else "char_cnn"
        )
        made[part][name] = value
    return made


def variables(options: dict, seed: int = 0) -> dict[str, np.ndarray]:
    """Random weights, wide enough that clips bite, under the names and in the shapes of the published files."""
    cnn, lstm, rng = options["char_cnn"], options["lstm"], np.random.default_rng(seed)
    d, n, p, c = (
        cnn["embedding"]["dim"],
        sum(k for _, k in cnn["filters"]),
        lstm["projection_dim"],
        lstm["dim"],
    )
    shapes = {"char_embed": (261, d), "CNN_proj/W_proj": (n, p), "CNN_proj/b_proj": (p,)}
    for k, (width, number) in enumerate(cnn["filters"]):
        shapes |= {f"CNN/W_cnn_{k}": (1, width, d, number), f"CNN/b_cnn_{k}": (number,)}
    for k in range(cnn["n_highway"]):
        shapes |= {f"CNN_high_{k}/W_{gate}": (n, n) for gate in ("carry", "transform")}
        shapes |= {f"CNN_high_{k}/b_{gate}": (n,) for gate in ("carry", "transform")}
    for way in (0, 1):
        for k in range(lstm["n_layers"]):
            cell = f"RNN_{way}/RNN/MultiRNNCell/Cell{k}/LSTMCell/"
            shapes |= {
                cell + "W_0": (2 * p, 4 * c),
                cell + "B": (4 * c,),
                cell + "W_P_0": (c, p),
            }
    return {
        name: rng.normal(scale=0.7, size=shape).astype(np.float32)
        for name, shape in shapes.items()
    }


def write(folder: Path, options: dict, weights: dict[str, np.ndarray]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "options.json").write_text(json.dumps(options))
    with h5py.File(folder / "weights.hdf5", "w") as file:
        for name, value in weights.items():
            file[name] = value
    return folder


def opened(folder: Path) -> ELMo:
    return ELMo.from_files(folder / "options.json", folder / "weights.hdf5")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def token_by_loop(word: str, options: dict, w: dict) -> np.ndarray:
    """Layer 0, one direction: window after window, filter after filter, in float64."""
    letters = {"<S>": [256], "</S>": [257]}.get(word) or list(word.encode())[:48]
    ids = [258, *letters, 259]
    embedded = w["char_embed"][ids + [260] * (50 - len(ids))].astype(float)
    activation = {"relu": lambda x: max(x, 0.0), "tanh": np.tanh}[
        options["char_cnn"]["activation"]
    ]
    h = []
    for k, (width, number) in enumerate(options["char_cnn"]["filters"]):
        for f in range(number):
            sums = [
                sum(
                    embedded[at + i] @ w[f"CNN/W_cnn_{k}"][0, i, :, f]
                    for i in range(width)
                )
                for at in range(50 - width + 1)
            ]
            h.append(activation(max(sums) + w[f"CNN/b_cnn_{k}"][f]))
    h = np.array(h)
    for k in range(options["char_cnn"]["n_highway"]):
        part = {
            name: w[f"CNN_high_{k}/{name}"].astype(float)
            for name in ("W_carry", "b_carry", "W_transform", "b_transform")
        }
        g = sigmoid(h @ part["W_carry"] + part["b_carry"])
        h = g * np.maximum(h @ part["W_transform"] + part["b_transform"], 0) + (1 - g) * h
    return h @ w["CNN_proj/W_proj"] + w["CNN_proj/b_proj"]


def elmo_by_loop(
    words: list[str], options: dict, w: dict, state: dict | None = None
) -> tuple[np.ndarray, dict]:
    """(layers + 1, words, 2 p) of one sentence, step after step; state: (way, layer) -> (h, c)."""
    lstm, state = options["lstm"], dict(state or {})
    tokens = [token_by_loop(word, options, w) for word in ["<S>", *words, "</S>"]]
    layers = np.zeros((lstm["n_layers"] + 1, len(tokens), 2 * lstm["projection_dim"]))
    p = lstm["projection_dim"]
    for way in (0, 1):
        given = tokens[::-1] if way else tokens
        layers[0, :, way * p : (way + 1) * p] = tokens
        for layer in range(lstm["n_layers"]):
            cell = {
                name: w[f"RNN_{way}/RNN/MultiRNNCell/Cell{layer}/LSTMCell/{name}"].astype(
                    float
                )
                for name in ("W_0", "B", "W_P_0")
            }
            h, c = state.get((way, layer), (np.zeros(p), np.zeros(lstm["dim"])))
            made = []
            for x in given:
                i, j, f, o = np.split(np.concatenate([x, h]) @ cell["W_0"] + cell["B"], 4)
                c = sigmoid(f + 1) * c + sigmoid(i) * np.tanh(j)
                if lstm.get("cell_clip"):
                    c = np.clip(c, -lstm["cell_clip"], lstm["cell_clip"])
                h = (sigmoid(o) * np.tanh(c)) @ cell["W_P_0"]
                if lstm.get("proj_clip"):
                    h = np.clip(h, -lstm["proj_clip"], lstm["proj_clip"])
                made.append(h + x if layer and lstm.get("use_skip_connections") else h)
            state[way, layer] = h, c
            given = made
            layers[layer + 1, :, way * p : (way + 1) * p] = made[::-1] if way else made
    return layers[:, 1:-1], state


@pytest.fixture(scope="module")
def fixture(device) -> ELMo:
    return ELMo.from_files(FIXTURES / "options.json", FIXTURES / "lm_weights.hdf5").to(
        device
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return write(
        tmp_path_factory.mktemp("elmo") / "tiny",
        edited(cell_clip=1, proj_clip=0.8),
        variables(TINY),
    )


@pytest.fixture(scope="module")
def encoder(folder):
    return encoders.load(str(folder))


def test_the_top_layer_is_allennlps_when_the_state_is_carried_along_three_streams(
    fixture, near
):
    streams, state = json.loads((FIXTURES / "sentences.json").read_text()), None
    with h5py.File(FIXTURES / "lm_embeddings_0.hdf5") as expected:
        for number in range(10):
            found, state = fixture.forward_words(
                [stream[number].split() for stream in streams], state
            )
            theirs = np.concatenate(list(expected[str(number)]), axis=1)  # (words, 32)
            assert np.abs(found[2, 0, : len(theirs)] - theirs).max() < near
            assert not found[:, 0, len(theirs) :].any()


def test_without_the_state_only_the_first_sentence_is_allennlps(fixture, near):
    stream = json.loads((FIXTURES / "sentences.json").read_text())[0]
    with h5py.File(FIXTURES / "lm_embeddings_0.hdf5") as expected:
        errors = [
            np.abs(
                fixture.forward_words([text.split()])[0][2, 0]
                - np.concatenate(list(expected[str(number)]), axis=1)
            ).max()
            for number, text in enumerate(stream)
        ]
    assert errors[0] < near and min(errors[1:]) > 0.1


def test_layer_0_of_458_words_is_allennlps_twice(fixture, near):
    words = (FIXTURES / "vocab_test.txt").read_text(encoding="utf-8").split()
    found, _ = fixture.forward_words([words])
    with h5py.File(FIXTURES / "elmo_token_embeddings.hdf5") as expected:
        theirs = expected["embedding"][()]
    assert (
        found.shape == (3, 1, 458, 32)
        and np.abs(found[0, 0] - np.tile(theirs, 2)).max() < near
    )


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"cell_clip": 0.5, "proj_clip": 0.4},
        {"cell_clip": 0.5},
        {"proj_clip": 0.4, "cell_clip": None},
        {"n_highway": 0, "activation": "tanh"},
        {"use_skip_connections": False, "n_highway": 1},
        {"n_layers": 3, "filters": [[50, 2], [2, 3]]},
    ],
    ids=str,
)
def test_a_batch_of_different_lengths_is_what_a_plain_loop_gives(tmp_path, changes):
    options = edited(**changes)
    weights = variables(options)
    found, state = opened(write(tmp_path / "m", options, weights)).forward_words(SENTENCES)
    assert found.dtype == np.float32 and found.shape == (
        options["lstm"]["n_layers"] + 1,
        4,
        9,
        8,
    )
    again, _ = opened(tmp_path / "m").forward_words(
        SENTENCES[::-1], state
    )  # goes on, row by row
    for row, words in enumerate(SENTENCES):
        expected, after = elmo_by_loop(words, options, weights)
        assert (
            np.abs(found[:, row, : len(words)] - expected).max() < 1e-5
        )  # float32 against float64
        assert not found[:, row, len(words) :].any()
        following, _ = elmo_by_loop(SENTENCES[::-1][row], options, weights, after)
        assert np.abs(again[:, row, : following.shape[1]] - following).max() < 1e-5
    if changes.get("cell_clip"):
        assert abs(state.cell).max() == pytest.approx(
            changes["cell_clip"]
        )  # the clip did bite
    if changes.get("proj_clip"):
        assert abs(state.output).max() == pytest.approx(changes["proj_clip"])


def test_sentences_in_another_order_or_alone_or_twice_give_the_same(fixture, near):
    together, _ = fixture.forward_words(SENTENCES)
    turned, _ = fixture.forward_words(SENTENCES[::-1])
    twice, _ = fixture.forward_words(SENTENCES)
    assert np.allclose(together, turned[:, ::-1], atol=near) and np.array_equal(
        together, twice
    )
    for row, words in enumerate(SENTENCES):
        alone, _ = fixture.forward_words([words])
        assert np.allclose(alone[:, 0], together[:, row, : len(words)], atol=near)


def test_a_word_is_at_most_48_bytes_and_need_not_be_whole_characters(fixture):
    assert characters(["ab", "é" * 30, "<S>"])[:, :5].tolist() == [
        [258, 97, 98, 259, 260],
        [258, 195, 169, 195, 169],
        [258, 256, 259, 260, 260],
    ]
    assert characters(["x" * 48, "é" * 30, "a"])[:, -1].tolist() == [259, 259, 260]
    assert characters(["\ud800a"])[0, :3].tolist() == [
        258,
        97,
        259,
    ]  # half a character is no byte
    found, _ = fixture.forward_words(
        [["x" * 48], ["x" * 48 + "y"], ["é" * 24], ["é" * 24 + "a"], ["x" * 47 + "y"]]
    )
    assert np.array_equal(found[:, 0], found[:, 1]) and np.array_equal(
        found[:, 2], found[:, 3]
    )
    assert np.abs(found[0, 0] - found[0, 4]).max() > 1e-3


def test_empty_sentences_have_no_vectors_and_keep_their_rows_state(fixture):
    found, state = fixture.forward_words([])
    assert found.shape == (3, 0, 0, 32) and state.cell.shape == (2, 2, 0, 64)
    _, state = fixture.forward_words(SENTENCES[:2])
    found, after = fixture.forward_words([[], ["Yes"]], state)
    assert found.shape == (3, 2, 1, 32) and not found[:, 0].any()
    assert torch.equal(after.cell[:, :, 0], state.cell[:, :, 0])
    assert not torch.equal(after.cell[:, :, 1], state.cell[:, :, 1])
    assert torch.equal(fixture.forward_words([[], []], state)[1].cell, state.cell)


@pytest.mark.parametrize(
    "given, told",
    [
        (lambda m: m.forward_words([["a", ""]]), "sentence 0"),
        (lambda m: m.forward_words([["a"], "the bank"]), "sentence 1"),
        (
            lambda m: m.forward_words([["a"]], m.zero_state(2)),
            "1 sentences but a state of 2 rows",
        ),
    ],
)
def test_what_is_no_list_of_words_or_not_its_state_is_refused(fixture, given, told):
    with pytest.raises(UserError, match=told):
        given(fixture)


def test_left_padding_changes_nothing(fixture, device):
    ids = torch.from_numpy(characters(["<S>", "the", "bank", "</S>"]))[None].repeat(
        2, 1, 1
    )
    ids = ids.to(device)
    right, left = (
        torch.tensor([[1, 1, 1, 1], short], device=device)
        for short in ([1, 1, 1, 0], [0, 1, 1, 1])
    )
    shifted = torch.stack([ids[0], ids[1].roll(1, 0)])
    with torch.no_grad():
        on_right, on_left = (
            fixture(given, mask) for given, mask in ((ids, right), (shifted, left))
        )
    for some, other in zip(on_right[0], on_left[0], strict=True):
        assert (
            torch.equal(some[1, :3], other[1, 1:])
            and not some[1, 3].any()
            and not other[1, 0].any()
        )
    assert all(map(torch.equal, on_right[1], on_left[1]))
    assert in_steps(left).sizes == [2, 2, 2, 1]


def test_the_character_cnn_runs_once_for_each_distinct_word(fixture):
    seen = []
    hook = fixture.characters.register_forward_hook(
        lambda module, args, made: seen.append(len(made))
    )
    fixture.forward_words([["the"] * 9, ["the", "bank", "the"]])
    hook.remove()
    assert seen == [4]  # the, bank, <S>, </S>


def refusal(make) -> str:
    with pytest.raises(UserError) as caught:
        make()
    told = str(caught.value)
    assert "\n" not in told and len(told) < 400
    return told


def changed(folder: Path, to: Path, change) -> Path:
    """A copy of the folder whose weights.hdf5 is changed."""
    shutil.copytree(folder, to, dirs_exist_ok=True)
    with h5py.File(to / "weights.hdf5", "r+") as file:
        change(file)
    return to


def other(name: str, value):
    def change(file):
        del file[name]
        file[name] = value

    return change


def test_missing_truncated_and_other_files_are_refused(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    whole = (copy / "weights.hdf5").read_bytes()
    for size in (0, 100, len(whole) // 2, len(whole) - 10):
        (copy / "weights.hdf5").write_bytes(whole[:size])
        assert "truncated" in refusal(lambda: opened(copy))
    (copy / "weights.hdf5").write_text("not HDF5 at all " * 99)
    assert "another kind of file" in refusal(lambda: opened(copy))
    (copy / "weights.hdf5").unlink()
    assert "no weights" in refusal(lambda: opened(copy)) and "no weights" in refusal(
        lambda: encoders.load(str(copy))
    )
    (copy / "options.json").write_text("{")
    assert "does not describe an ELMo" in refusal(lambda: opened(copy))
    (copy / "options.json").unlink()
    assert "cannot be read" in refusal(lambda: opened(copy))
    assert "config.json" in refusal(lambda: encoders.load(str(copy)))


@pytest.mark.parametrize(
    "change, told",
    [
        (
            lambda file: file.pop("CNN_high_1/b_carry"),
            "lacks the variable CNN_high_1/b_carry",
        ),
        (
            lambda file: file.pop("RNN_1"),
            "lacks the variable RNN_1/RNN/MultiRNNCell/Cell0/LSTMCell/W_0",
        ),
        (
            other("CNN_proj/W_proj", np.zeros((4, 15), np.float32)),
            r"(4, 15), but by options.json",
        ),
        (other("CNN_proj/b_proj", np.zeros(4, np.int64)), "int64"),
        (other("char_embed", np.ones((262, 3), np.float32)), "zero row"),
        (other("char_embed", np.ones((260, 3), np.float32)), "(260, 3)"),
        (other("CNN/b_cnn_0", np.full(4, np.nan, np.float32)), "no finite numbers"),
    ],
    ids=range(7),
)
def test_weights_that_do_not_fit_are_refused_by_the_variables_name(
    folder, tmp_path, change, told
):
    assert told in refusal(lambda: opened(changed(folder, tmp_path / "copy", change)))


@pytest.mark.parametrize(
    "changes, told",
    [
        ({"activation": "gelu"}, "activation"),
        ({"dim": "many"}, "lstm.dim"),
        ({"n_characters": 30}, "n_characters"),
        ({"filters": []}, "filters"),
        ({"filters": [[51, 2]]}, "wider"),
        ({"cell_clip": -1}, "cell_clip"),
    ],
    ids=str,
)
def test_options_that_describe_no_elmo_are_refused(folder, tmp_path, changes, told):
    copy = write(tmp_path / "copy", edited(**changes), {})
    assert told in refusal(lambda: opened(copy))


def test_options_of_another_model_do_not_fit_the_weights(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    (copy / "options.json").write_text(json.dumps(edited(dim=8)))
    assert "by options.json" in refusal(lambda: opened(copy))


def test_half_floats_and_a_row_for_the_mask_are_read(folder, tmp_path):
    weights = {name: value.astype(np.float16) for name, value in variables(TINY).items()}
    small = opened(write(tmp_path / "half", TINY, weights))
    exact = opened(
        write(
            tmp_path / "full",
            TINY,
            {name: v.astype(np.float32) for name, v in weights.items()},
        )
    )
    weights["char_embed"] = np.vstack(
        [np.zeros((1, 3), np.float16), weights["char_embed"]]
    )
    masked = opened(write(tmp_path / "masked", TINY, weights))
    vectors = [model.forward_words(SENTENCES)[0] for model in (small, exact, masked)]
    assert np.array_equal(vectors[0], vectors[1]) and np.array_equal(
        vectors[0], vectors[2]
    )
    assert {p.dtype for p in small.parameters()} == {torch.float32}


def test_the_variables_are_all_parameters_in_the_files_layouts(folder):
    model, weights = opened(folder), variables(TINY)
    named = model.variables()
    assert named.keys() == weights.keys()
    assert all(
        np.array_equal(named[name].detach().numpy(), weights[name]) for name in weights
    )
    assert sum(v.numel() for v in named.values()) == sum(
        p.numel() for p in model.parameters()
    )


def test_reading_files_moves_no_random_generator(folder):
    before = torch.get_rng_state()
    opened(folder)
    encoders.load(str(folder), random_init=True)
    assert torch.equal(before, torch.get_rng_state())


# the encoder around it


def units(encoder, sentences, **given) -> dict:
    return {
        key: batch.hidden[:, unit]
        for batch in encoder.encode(sentences, **given)
        for unit, key in enumerate(
            zip(batch.sentence.tolist(), batch.position.tolist(), strict=True)
        )
    }


def test_the_encoder_says_what_its_layers_are(encoder, folder, tmp_path):
    assert (encoder.name, encoder.family, encoder.causal) == ("tiny", "bilstm", False)
    assert (encoder.n_layers, encoder.dim, encoder.tokenizer) == (2, 8, None)
    assert encoder.contract == (
        "input: character CNN, twice",
        "biLSTM 1",
        "biLSTM 2 + biLSTM 1",
    )
    plain = write(tmp_path / "plain", edited(use_skip_connections=False), variables(TINY))
    assert encoders.load(str(plain)).contract[2] == "biLSTM 2"


@pytest.mark.parametrize("budget", [None, 1, 30, 10**6])
def test_every_word_of_a_sentence_gets_the_vectors_of_its_words_whatever_the_budget(
    encoder, sentences, budget, near
):
    found = units(encoder, sentences, max_tokens=budget)
    for number, sentence in enumerate(sentences):
        words = [sentence.text[start:stop] for start, stop in sentence.spans]
        expected = encoder.model.forward_words([words])[0][:, 0]
        for position in range(len(words)):
            assert np.allclose(
                found.pop((number, position)), expected[:, position], atol=near
            )
    assert not found
    for batch in encoder.encode(sentences, max_tokens=budget):
        assert batch.hidden.dtype == np.float32 and set(batch.kind) == {"word"}
        assert batch.tokens == len(batch.sentence) + 2 * len(np.unique(batch.sentence))
        assert batch.tokens <= (budget or 2048) or len(np.unique(batch.sentence)) == 1
        assert [
            sentences[s].spans[p]
            for s, p in zip(batch.sentence, batch.position, strict=True)
        ] == [tuple(span) for span in batch.span.tolist()]


def test_convolutions_are_not_rounded_by_a_gpu_and_its_settings_come_back(
    encoder, sentences
):
    settings = torch.backends.cudnn
    before, inside = (settings.enabled, settings.allow_tf32), []
    hook = encoder.model.characters.register_forward_hook(
        lambda *_: inside.append((settings.enabled, settings.allow_tf32))
    )
    list(encoder.encode(sentences))
    hook.remove()
    assert set(inside) == {(True, False)} and before == (True, True)
    assert (settings.enabled, settings.allow_tf32) == before


def test_poolings_have_nothing_to_pool_and_the_first_word_can_be_left_out(
    encoder, sentences, near
):
    everything = units(encoder, sentences)
    for pooling in ("first", "last", "min", "max"):
        pooled = units(encoder, sentences, pooling=pooling)
        assert all(np.array_equal(pooled[key], value) for key, value in everything.items())
    kept = units(encoder, sentences, skip_first_position=True)
    assert everything.keys() - kept.keys() == {
        (number, 0) for number in range(len(sentences))
    }
    assert all(np.allclose(kept[key], everything[key], atol=near) for key in kept)


def test_words_without_a_character_are_not_read_and_keep_the_others_positions(
    encoder, sentence, near
):
    text = sentence("The bank.")
    gaps = type(text)(text.text, ((0, 0), (0, 3), (3, 3), (4, 8)))
    found = units(encoder, [gaps, type(text)("", ()), type(text)("  ", ((1, 1),))])
    expected = encoder.model.forward_words([["The", "bank"]])[0][:, 0]
    assert found.keys() == {(0, 1), (0, 3)}
    assert np.allclose(found[0, 1], expected[:, 0], atol=near) and np.allclose(
        found[0, 3], expected[:, 1], atol=near
    )
    assert units(encoder, [gaps], skip_first_position=True).keys() == {(0, 3)}
    assert not list(encoder.encode([]))


def test_what_an_elmo_does_not_have_is_refused_by_name(encoder, sentences, folder):
    assert "no pieces" in refusal(lambda: encoder.encode(sentences, unit="piece"))
    assert "encode" in refusal(lambda: encoder.encode(sentences, pooling="sum"))
    assert "no matrix" in refusal(encoder.embedding_matrix) and "no vocabulary" in refusal(
        lambda: encoder.vocabulary
    )
    assert "no attentions" in refusal(lambda: encoder.forward(sentences, attentions=True))
    assert "float32 only" in refusal(lambda: encoders.load(str(folder), dtype="bfloat16"))
    assert "has a piece" in refusal(lambda: encoder.forward([type(sentences[0])("", ())]))


@pytest.mark.parametrize("side", ["right", "left"])
def test_forward_gives_gradients_and_the_vectors_of_encode(
    encoder, sentences, monkeypatch, side, near
):
    monkeypatch.setattr(encoder, "padding", side)
    made = encoder.forward(sentences)
    words = made.pieces.mask.bool() & ~torch.from_numpy(made.pieces.special).to(
        encoder.device
    )
    assert made.hidden.shape == (3, *made.pieces.mask.shape, 8) and made.attentions is None
    expected = units(encoder, sentences)
    found = made.hidden[:, words].detach().cpu().numpy().swapaxes(0, 1)
    assert np.allclose(found, [expected[key] for key in sorted(expected)], atol=near)
    assert not made.hidden[:, ~made.pieces.mask.bool()].any()
    made.hidden[2, 0].sum().backward()
    assert all(
        p.grad is not None and p.grad.abs().sum() > 0 for p in encoder.model.parameters()
    )
    encoder.model.zero_grad()


def test_gradients_are_those_of_finite_differences():
    model = ELMo(Options.model_validate(edited(cell_clip=1, proj_clip=1))).double()
    ids = torch.from_numpy(characters(["<S>", "the", "bank", "the", "</S>"]))[None].repeat(
        2, 1, 1
    )
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])

    def loss() -> torch.Tensor:
        return sum((layer**2).sum() for layer in model(ids, mask)[0])

    loss().backward()
    rng = np.random.default_rng(0)
    for parameter in model.parameters():
        place = tuple(rng.integers(size) for size in parameter.shape)
        if parameter is model.characters.char_embed:
            place = (ord("t"), 0)
        with torch.no_grad():
            parameter[place] += 1e-6
            more = loss()
            parameter[place] -= 2e-6
            less = loss()
            parameter[place] += 1e-6
        assert float((more - less) / 2e-6) == pytest.approx(
            float(parameter.grad[place]), rel=1e-4, abs=1e-6
        )


def test_random_weights_are_the_same_every_time_and_other_than_the_trained_ones(
    encoder, folder, sentences
):
    first, second = (encoders.load(str(folder), random_init=True) for _ in range(2))
    assert first.fingerprint == second.fingerprint != encoder.fingerprint
    assert first.contract == encoder.contract
    a, b, c = (units(each, sentences)[0, 0] for each in (first, second, encoder))
    assert (
        np.array_equal(a, b)
        and not np.allclose(a, c)
        and np.isfinite(a).all()
        and a[2].std() > 0
    )


def test_the_fingerprint_follows_weights_options_and_versions_but_not_the_place(
    encoder, folder, tmp_path, monkeypatch
):
    there = shutil.copytree(folder, tmp_path / "there")
    assert encoders.load(str(there)).fingerprint == encoder.fingerprint
    assert (
        encoders.load(str(there), final_norm=False).fingerprint == encoder.fingerprint
    )  # has none
    (there / "options.json").write_text(json.dumps(edited(cell_clip=1, proj_clip=0.9)))
    clipped = encoders.load(str(there)).fingerprint
    bias = variables(TINY)["CNN_proj/b_proj"] + 1
    moved = encoders.load(
        str(changed(folder, tmp_path / "moved", other("CNN_proj/b_proj", bias)))
    )
    fresh = encoders.load(str(folder))
    monkeypatch.setattr(torch, "__version__", "0")
    assert len({encoder.fingerprint, clipped, moved.fingerprint, fresh.fingerprint}) == 4


def test_extraction_reads_words_and_refuses_pieces(encoder, monkeypatch, tmp_path, near):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    text = corpora.load(STORY).sample(8, 0)
    run = extraction.run(encoder, text, words=["the"])
    row = run.table.iloc[-1]
    expected = encoder.model.forward_words([text.sentences[row["sentence"]].words])[0][
        :, 0, row["first"]
    ]
    assert (
        np.allclose([run.vectors(layer)[-1] for layer in range(3)], expected, atol=near)
        and not run.missing
    )
    assert np.allclose(run.vectors(0), run.vectors(0)[0], atol=near)  # not contextualised
    assert "no pieces" in refusal(lambda: targets.pieces(encoder, text))


def test_random_blocks_of_an_elmo_keep_its_spelling_and_have_orthonormal_rows(
    encoder, folder, sentences
):
    first, second, again = (
        encoders.load(str(folder), random_init="blocks", seed=seed) for seed in (0, 1, 0)
    )
    trained, a, b, c = (units(each, sentences) for each in (encoder, first, second, again))
    for key, vectors in trained.items():
        assert np.array_equal(vectors[0], a[key][0]) and np.array_equal(a[key], c[key])
        assert not np.allclose(vectors[1:], a[key][1:]) and not np.allclose(
            a[key][1:], b[key][1:]
        )
    for layer in first.model.layers:
        assert not layer.B.any()
        for matrix in random_blocks.matrices(layer):
            for rows in matrix.detach().split(matrix.shape[1]):
                gram = (rows @ rows.T).cpu()
                assert torch.allclose(gram, torch.eye(len(rows)), atol=1e-5)
    assert len({each.fingerprint for each in (encoder, first, second)}) == 3
