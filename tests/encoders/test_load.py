"""Opening a model: what is refused and how, what the fingerprint covers, and that nothing else is touched."""

import importlib.util
import json
import logging
import random
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from huggingface_hub import constants
from safetensors.torch import load_file, save_file

pytest.importorskip("gguf", reason="needs gguf, which reads such files: pip install gguf")

from cwr import corpora, encoders, extraction
from cwr.corpora import word_vectors
from cwr.encoders import architectures, hub, loading, matrices, printed, shipped
from cwr.encoders.layer_count import layer_count
from cwr.encoders.quiet import quiet
from cwr.errors import UserError
from cwr.papers.printed import load as printed_of

SIZE = dict(
    hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=48
)


@pytest.fixture
def copy(folders, tmp_path):
    """copy("bert") -> a folder of one's own to spoil."""

    def make(kind: str, name: str = "mine"):
        return shutil.copytree(folders[kind], tmp_path / name)

    return make


def edit(file, **changes) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


def refusal(name, **given) -> str:
    """The sentence with which a name is refused: one line, no path of Python's in it."""
    with pytest.raises(UserError) as caught:
        encoders.load(str(name), **given)
    told = str(caught.value)
    assert "\n" not in told and len(told) < 400
    return told


def test_a_misspelt_name_is_told_the_nearest_one():
    assert "'minilm'" in refusal("minilmm") and "'smollm2'" in refusal("smollm")


def test_a_folder_that_does_not_exist_is_not_looked_for_on_the_hub():
    assert "no model folder" in refusal("./nowhere/at/all")


@pytest.mark.parametrize(
    "name", ["someone/some-model", "someone/some-model@0123abc", "some-model-of-old"]
)
def test_a_hub_model_out_of_reach_is_refused_in_one_sentence_that_names_it(
    monkeypatch, tmp_path, name
):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    told = refusal(name)
    assert name.partition("@")[0] in told and "download it first" in told
    assert ("at revision 0123abc" in told) == ("@" in name)


@pytest.mark.parametrize("kind", ["albert", "t5", "xlnet", "mamba", "gpt_neo", None])
def test_other_types_are_refused_by_name_with_a_list_of_those_supported(copy, kind):
    folder = copy("bert")
    edit(folder / "config.json", model_type=kind)
    told = refusal(folder)
    assert repr(kind) in told and all(
        known in told for known in architectures.ARCHITECTURES
    )


def test_models_that_would_be_read_wrongly_are_refused(copy):
    folder = copy("bert")
    edit(folder / "config.json", is_decoder=True)
    assert "decoder" in refusal(folder)
    edit(folder / "config.json", is_decoder=False, auto_map={"AutoModel": "theirs.Model"})
    assert "code of its own" in refusal(folder)


def test_incomplete_folders_are_refused(copy, tmp_path):
    folder = copy("bert")
    weights = load_file(folder / "model.safetensors")
    weights.pop("encoder.layer.1.output.dense.weight")
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    assert "encoder.layer.1.output.dense.weight" in refusal(folder)
    torch.save(weights, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    assert "safetensors" in refusal(folder)  # the pickle beside it is not read
    (folder / "tokenizer.json").unlink()
    assert "tokenizer" in refusal(folder)
    (tmp_path / "empty").mkdir()
    assert "config.json" in refusal(tmp_path / "empty")


def test_damaged_files_are_refused(copy):
    whole = copy("gpt2")
    expected = {
        "model.safetensors": "damaged",
        "tokenizer.json": "tokenizer",
        "config.json": "JSON",
    }
    for file, told in expected.items():
        folder = shutil.copytree(whole, whole.parent / f"no-{file}")
        (folder / file).write_bytes((whole / file).read_bytes()[:-100])
        assert told in refusal(folder)
    edit(whole / "config.json", n_embd=64)
    assert "do not fit" in refusal(whole)


def test_an_elmo_of_empty_files_is_refused_as_an_elmo(tmp_path):
    for file in ("options.json", "weights.hdf5"):
        (tmp_path / file).touch()
    assert "ELMo" in refusal(tmp_path)


def test_a_tokenizer_of_another_model_is_refused_when_its_ids_do_not_exist(
    copy, folders, sentences
):
    folder = copy("bert")
    shutil.copy(f"{folders['gpt2']}/tokenizer.json", folder)
    with pytest.raises(UserError, match="mixes two models"):
        list(encoders.load(str(folder)).encode(sentences))


@pytest.mark.parametrize(
    "given, word",
    [
        ({"device": "gpu"}, "device"),
        ({"dtype": "float8"}, "dtype"),
        ({"device": "cuda:99"}, "cuda:99"),
    ],
)
def test_wrong_devices_and_dtypes_are_refused(folders, given, word):
    assert word in refusal(folders["bert"], **given)


def test_auto_device_is_the_environments_choice(monkeypatch):
    monkeypatch.setenv("DEVICE", "cpu")
    assert loading.choose_device("auto").type == "cpu"
    monkeypatch.setenv("DEVICE", "nonsense")
    with pytest.raises(UserError, match="nonsense"):
        loading.choose_device("auto")
    assert loading.choose_device("cpu").type == "cpu"
    monkeypatch.delenv("DEVICE")
    assert loading.choose_device("auto").type == (
        "cuda" if torch.cuda.is_available() else "cpu"
    )


@pytest.mark.parametrize(
    "kind, family",
    [
        ("bert", "masked"),
        ("electra", "masked"),
        ("distilbert", "masked"),
        ("modernbert", "masked"),
        ("gpt2", "causal"),
        ("gpt_neox", "causal"),
        ("olmo2", "causal"),
        ("qwen3", "causal"),
    ],
)
def test_the_family_is_that_of_the_type_unless_the_folder_is_tuned_for_sentences(
    copy, kind, family
):
    folder = copy(kind)
    assert encoders.load(str(folder)).family == family
    (folder / "modules.json").write_text("[]")
    tuned = encoders.load(str(folder))
    assert (
        tuned.family == "sentence"
        and tuned.causal == (family == "causal")
        and tuned.name == "mine"
    )


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_smaller_dtypes_compute_small_and_hand_out_float32(
    folders, tiny, sentences, dtype
):
    encoder = encoders.load(folders["llama"], dtype=dtype)
    [small], [full] = encoder.encode(sentences), tiny("llama").encode(sentences)
    assert (
        str(encoder.model.dtype) == f"torch.{dtype}" and small.hidden.dtype == np.float32
    )
    error = np.linalg.norm(small.hidden - full.hidden, axis=-1) / np.linalg.norm(
        full.hidden, axis=-1
    )
    assert 0 < error.max() and np.median(error) < 0.05


@pytest.mark.parametrize("kind", ["bert", "llama"])
def test_random_weights_are_those_of_float32_rounded(folders, kind):
    small, full = (
        encoders.load(folders[kind], dtype=dtype, random_init=True)
        for dtype in ("bfloat16", "float32")
    )
    assert str(small.model.dtype) == "torch.bfloat16"
    rounded = {key: value.bfloat16() for key, value in full.model.state_dict().items()}
    for key, value in small.model.state_dict().items():
        assert torch.equal(value.bfloat16(), rounded[key]), key


def test_random_weights_are_the_same_every_time_and_no_generator_is_moved(folders):
    before = torch.get_rng_state(), np.random.get_state()[1].tolist(), random.getstate()
    first = encoders.load(folders["bert"], random_init=True)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)  # wherever the global generator stands
        second = encoders.load(folders["bert"], random_init=True)
    encoders.load(folders["roberta"])
    after = torch.get_rng_state(), np.random.get_state()[1].tolist(), random.getstate()
    assert torch.equal(before[0], after[0]) and before[1:] == after[1:]
    assert np.array_equal(first.embedding_matrix(), second.embedding_matrix())
    assert first.fingerprint == second.fingerprint
    trained = encoders.load(folders["bert"])
    assert not np.allclose(first.embedding_matrix(), trained.embedding_matrix())
    assert first.fingerprint != trained.fingerprint and first.contract == trained.contract


def test_the_fingerprint_does_not_depend_on_where_the_folder_lies(copy):
    here, there = (encoders.load(str(copy("gpt2", name))) for name in ("here", "there"))
    assert here.fingerprint == there.fingerprint


def spoil_weights(folder):
    weights = load_file(folder / "model.safetensors")
    weights["wte.weight"][0, 0] += 1
    save_file(weights, folder / "model.safetensors", {"format": "pt"})


@pytest.mark.parametrize(
    "change",
    [
        spoil_weights,
        lambda folder: edit(folder / "tokenizer_config.json", model_max_length=40),
        lambda folder: edit(folder / "config.json", layer_norm_epsilon=1e-3),
    ],
    ids=["weights", "tokenizer", "config"],
)
def test_each_file_changes_the_fingerprint(copy, change):
    folder = copy("gpt2")
    before = encoders.load(str(folder)).fingerprint
    change(folder)
    assert encoders.load(str(folder)).fingerprint != before


def test_settings_and_versions_change_the_fingerprint(folders, tiny, monkeypatch):
    before = tiny("gpt2").fingerprint
    changed = [
        encoders.load(folders["gpt2"], **given).fingerprint
        for given in ({"dtype": "bfloat16"}, {"final_norm": False}, {"random_init": True})
    ]
    for module in (torch, transformers, loading.tokenizers):
        encoder = encoders.load(folders["gpt2"])
        with monkeypatch.context() as patched:
            patched.setattr(module, "__version__", "0")
            changed.append(encoder.fingerprint)
    for part, value in (
        ("device", "other"),
        ("contract", ["other"]),
    ):  # these count, GPU or not
        encoder = encoders.load(folders["gpt2"])
        sources = encoder._sources()
        assert part in sources
        encoder._sources = lambda sources=sources, part=part, value=value: (
            sources | {part: value}
        )
        changed.append(encoder.fingerprint)
    assert len({before, *changed}) == 9
    assert tiny("bert").fingerprint != tiny("bert", final_norm=False).fingerprint


def test_loading_prints_nothing_and_leaves_transformers_settings_alone(folders):
    """In a fresh process, where transformers would show a bar and a report of unused and missing weights."""
    code = (
        "import sys\nfrom cwr import encoders\nfrom transformers.utils import logging\n"
        "before = logging.get_verbosity(), logging.is_progress_bar_enabled()\n"
        f"encoder = encoders.load({folders['gpt2']!r})\n"
        "assert before == (logging.get_verbosity(), logging.is_progress_bar_enabled())\n"
        "assert logging.set_tqdm_hook(None) is None\n"
        "class S: text, spans = 'bank ' * 999, ((0, 4),)\n"
        "list(encoder.encode([S]))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_warnings_inside_a_quiet_stretch_are_dropped_and_later_ones_are_not(caplog):
    logger = transformers.utils.logging.get_logger("transformers.test")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        with quiet():
            warnings.warn("inside", stacklevel=1)
            assert not logger.isEnabledFor(logging.WARNING)
        warnings.warn("outside", stacklevel=1)
    assert [str(warning.message) for warning in seen] == [
        "outside"
    ] and logger.isEnabledFor(logging.WARNING)


def test_hub_ids_may_carry_a_revision_and_only_plain_files_are_asked_for(
    monkeypatch, tmp_path
):
    asked = {}
    monkeypatch.setattr(
        "huggingface_hub.snapshot_download",
        lambda *given, **named: asked.update(named, id=given[0]) or tmp_path,
    )
    assert hub.find("someone/some-model@abc").name == "someone/some-model"
    assert (asked["id"], asked["revision"]) == ("someone/some-model", "abc")
    assert "*.safetensors" in asked["allow_patterns"]
    assert not any(
        pattern.endswith(("bin", "pt", "pkl", "py", "*"))
        for pattern in asked["allow_patterns"]
    )
    hub.find("someone/some-model", "def", weights=False)
    assert asked["revision"] == "def" and "*.safetensors" not in asked["allow_patterns"]


def test_a_model_of_the_texts_is_called_as_the_texts_call_it(monkeypatch, tmp_path, copy):
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda *_, **__: tmp_path)
    assert hub.find("openai-community/gpt2-medium").name == "GPT-2-medium"
    assert hub.results_name("FacebookAI/roberta-large@abc") == "RoBERTa-large"
    assert hub.results_name("someone/gpt2") == "someone/gpt2"
    folder = str(
        copy("gpt2", "GPT-2-medium")
    )  # no reader's own folder is judged as a printed one
    assert hub.find(folder).name == hub.results_name(folder) == "folder GPT-2-medium"


def test_the_texts_print_numbers_of_every_model_of_the_table():
    printed_names = set(printed_of("bis2021")["model"])
    names = [model.name for model in printed.PRINTED.values()]
    assert set(names) <= printed_names and len(set(names)) == len(names) == 8


# ---- folders of strangers


@pytest.fixture(scope="module")
def strangers(tmp_path_factory) -> dict[str, Path]:
    """A ModernBERT and an XLM-R as one trains them oneself: with a head, a real tokenizer, padded rows."""
    folders = {}
    if importlib.util.find_spec(hub.PACKAGED["minilm"]) is None:
        pytest.skip("the package of minilm is not installed: run `make install`")
    tokenizer = transformers.PreTrainedTokenizerFast.from_pretrained(
        hub.find("minilm").folder
    )
    rows = len(tokenizer) + 6  # 30,528: a multiple of 64, as trainers make it
    marks = {
        "cls_token_id": 101,
        "bos_token_id": 101,
        "sep_token_id": 102,
        "eos_token_id": 102,
    }
    for kind, changes in {
        "modernbert": marks | {"pad_token_id": 0},
        "xlm-roberta": {},
    }.items():
        config = transformers.AutoConfig.for_model(
            kind, vocab_size=rows, max_position_embeddings=130, **SIZE, **changes
        )
        folders[kind] = tmp_path_factory.mktemp("strangers") / f"my-{kind}"
        with quiet(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(1)
            transformers.AutoModelForMaskedLM.from_config(config).save_pretrained(
                folders[kind]
            )
        tokenizer.save_pretrained(folders[kind])
    return folders


@pytest.mark.parametrize("kind", ["modernbert", "xlm-roberta"])
def test_a_strangers_folder_is_opened_encoded_and_extracted(
    strangers, kind, tmp_path, monkeypatch
):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    encoder = encoders.load(str(strangers[kind]))
    assert (encoder.name, encoder.family) == (f"my-{kind}", "masked")
    assert encoder.vocabulary.count("") == 6
    text = "The bank of the river is steep. He went to the bank."
    sentences = corpora.tokenise(text)
    corpus = corpora.Corpus("two", sentences, corpora.fingerprint(sentences), "none")
    banks = extraction.run(encoder, corpus, words=["bank"])
    assert banks.vectors(0).shape == (2, encoder.dim) and not np.allclose(
        *banks.vectors(3)
    )
    with quiet():
        model = transformers.AutoModel.from_pretrained(strangers[kind])
    given = encoder.tokenizer(sentences[0].text, return_tensors="pt")
    ids, mask = given["input_ids"], given["attention_mask"]
    with torch.no_grad():
        hidden = model(ids, attention_mask=mask).last_hidden_state[0]
    np.testing.assert_allclose(
        banks.vectors(3)[0], hidden[2].numpy(), atol=1e-5
    )  # [CLS] the bank


def test_a_phi_that_names_code_of_its_own_is_read_by_transformers_own(
    copy, tiny, sentences
):
    """As microsoft/Phi-3-mini-4k-instruct does; the code beside its config.json is never run."""
    folder = copy("phi3")
    code = {"AutoConfig": "theirs.Config", "AutoModelForCausalLM": "theirs.Model"}
    edit(folder / "config.json", auto_map=code)
    (folder / "theirs.py").write_text("raise SystemExit('their code ran')")
    [batch] = encoders.load(str(folder)).encode(sentences)
    [expected] = tiny("phi3").encode(sentences)
    assert np.array_equal(batch.hidden, expected.hidden)


def test_folders_named_like_our_models_or_like_markup_are_called_otherwise(copy):
    names = ["minilm", "cwr-bert", "<b>|`"]
    opened = [encoders.load(str(copy("gpt2", name))).name for name in names]
    assert opened == ["folder minilm", "folder cwr-bert", "_b___"]


def test_word_vectors_are_no_encoder_and_a_folder_of_their_name_is_called_otherwise(copy):
    for refuse in (encoders.load, hub.results_name, matrices.read):
        with pytest.raises(
            UserError, match="static word vectors and has no layers.*word_vectors"
        ):
            refuse("cwr-static")
    assert hub.results_name(str(copy("gpt2", "cwr-static"))) == "folder cwr-static"
    assert (
        shipped.STATIC_MODELS == word_vectors.NAMES
        and shipped.MODELS == word_vectors.MODELS
    )


def test_models_are_opened_in_their_order_and_none_before_all_names_are_known(
    copy, monkeypatch
):
    folders = [str(copy("gpt2", name)) for name in ("b", "a")]
    assert [e.name for e in encoders.load_all(folders, final_norm=False)] == [
        "b",
        "a",
    ]
    monkeypatch.setattr(loading, "open_encoder", None)  # calling it would fail
    with pytest.raises(UserError, match="2 of the models are called 'a'"):
        encoders.load_all([*folders, folders[1]])


OLD_CONSTANTS = {  # that files of earlier versions of transformers hold, per block or once
    "gpt2": (
        {"h.{}.attn.bias": (1, 1, 64, 64), "h.{}.attn.masked_bias": ()},
        {},
    ),
    "gpt_neox": (
        {
            "layers.{}.attention.bias": (1, 1, 64, 64),
            "layers.{}.attention.masked_bias": (),
            "layers.{}.attention.rotary_emb.inv_freq": (1,),
        },
        {},
    ),
    "electra": ({}, {"embeddings.position_ids": (1, 64)}),
}


@pytest.mark.parametrize("kind", OLD_CONSTANTS)
def test_constants_of_old_files_are_no_leftovers(copy, tiny, sentences, kind):
    folder = copy(kind)
    weights = load_file(folder / "model.safetensors")
    of_blocks, once = OLD_CONSTANTS[kind]
    for block in range(3):
        once = once | {key.format(block): shape for key, shape in of_blocks.items()}
    weights |= {key: torch.ones(shape) for key, shape in once.items()}
    prefix = encoders.load(str(folder)).model.base_model_prefix
    weights = {f"{prefix}.{key}": weight for key, weight in weights.items()}
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    old, new = encoders.load(str(folder)), tiny(kind)
    for ours, theirs in zip(old.encode(sentences), new.encode(sentences), strict=True):
        assert np.array_equal(ours.hidden, theirs.hidden)


DEPTHS = {"gpt2": "n_layer", "distilbert": "n_layers"}


@pytest.mark.parametrize("depth", [1, 48])
@pytest.mark.parametrize("kind", architectures.ARCHITECTURES)
def test_models_of_1_and_of_48_layers_are_read_and_their_depth_is_known_beforehand(
    changed, tmp_path, sentences, kind, depth
):
    changes = {DEPTHS.get(kind, "num_hidden_layers"): depth}
    if kind == "gemma3_text":
        changes["layer_types"] = ["sliding_attention"] * depth
    encoder = changed(kind, **changes)
    assert layer_count(tmp_path) == encoder.n_layers == depth
    for batch in encoder.encode(sentences):
        assert batch.hidden.shape[0] == len(encoder.contract) == depth + 1
        assert np.isfinite(batch.hidden).all()


def test_a_model_is_called_in_results_without_its_revision_and_a_folder_by_its_last_name(
    folders,
):
    assert encoders.called("cwr-bert") == "cwr-bert"
    assert encoders.called(f"google-bert/bert-base-cased@{'0' * 40}") == "BERT-base-cased"
    assert encoders.called(f"some/model@{'0' * 40}") == "some/model"
    assert encoders.called(folders["bert"]) == encoders.load(folders["bert"]).name
