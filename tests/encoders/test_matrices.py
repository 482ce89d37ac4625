"""Token matrices: equal to the model's own to the bit, whatever form it was saved in."""

import importlib.util
import json
import shutil
import subprocess
import sys
from fnmatch import fnmatch

import numpy as np
import pytest
import torch
import transformers
from huggingface_hub import constants
from safetensors.torch import load_file, save_file

pytest.importorskip("gguf", reason="needs gguf, which reads such files: pip install gguf")

from cwr import corpora, encoders
from cwr.encoders import hub, matrices, tensors
from cwr.encoders.architectures import ARCHITECTURES
from cwr.encoders.pieces import tokenise
from cwr.encoders.printed import PRINTED
from cwr.encoders.quiet import quiet
from cwr.errors import UserError

NAMES = ("cwr-bert", "cwr-gpt", "minilm", "smollm2")
TEXTS = [
    "Don't you think that the bank of the river is steep?",
    "Zoë's naïve café costs £3 in São Paulo.",
    "We laughed 😀 and cried together;  then\n\nwe left at 1,234.50.",
    "unbelievably irreproducible",
    "",
]
CAUSAL = [kind for kind, row in ARCHITECTURES.items() if row.family == "causal"]
MASKED = [kind for kind, row in ARCHITECTURES.items() if row.family == "masked"]


def needs(name: str):
    missing = name in hub.PACKAGED and importlib.util.find_spec(hub.PACKAGED[name]) is None
    return pytest.mark.skipif(
        missing, reason=f"the package of {name} is not installed: run `make install`"
    )


def with_head(folder, kind: str, dtype=torch.float32, shard="5GB", **changes):
    """A tiny model with its language-model head, saved beside the tokenizer of its folder."""
    config = transformers.AutoConfig.from_pretrained(folder)
    for key, value in changes.items():
        setattr(config, key, value)
    head = (
        transformers.AutoModelForCausalLM
        if kind in CAUSAL
        else transformers.AutoModelForMaskedLM
    )
    with quiet(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        model = head.from_config(config).to(dtype)
        for weight in model.parameters():
            torch.nn.init.normal_(weight, std=0.2)
        model.save_pretrained(folder, max_shard_size=shard)
    return model


@pytest.fixture
def copy(folders, tmp_path):
    """copy("bert") -> a folder of one's own to change."""
    return lambda kind, name="mine": shutil.copytree(folders[kind], tmp_path / name)


def assert_same(matrix: matrices.Matrix, encoder) -> None:
    """A matrix and its tokens are those of an encoder, to the bit."""
    assert matrix.W.dtype == np.float32
    assert np.array_equal(matrix.W, encoder.embedding_matrix())
    assert matrix.tokens == encoder.vocabulary
    assert (matrix.name, matrix.family) == (encoder.name, encoder.family)


def assert_counts(matrix: matrices.Matrix, encoder, texts=TEXTS) -> None:
    ids = tokenise(encoder.tokenizer, texts).ids
    expected = np.bincount(ids, minlength=len(matrix.W))
    assert np.array_equal(matrix.count(texts), expected) and expected.sum() > len(texts)


# ---- the same numbers


@pytest.mark.parametrize("name", [pytest.param(name, marks=needs(name)) for name in NAMES])
def test_the_matrix_and_the_counts_of_our_models_are_those_of_the_encoder(name):
    matrix, encoder = matrices.read(name), encoders.load(name)
    assert_same(matrix, encoder)
    sentences = corpora.load("lee").sentences[:500]
    assert_counts(matrix, encoder, [*TEXTS, *(sentence.text for sentence in sentences)])
    assert matrix.output is None


@pytest.mark.parametrize("kind", ARCHITECTURES)
def test_every_supported_type_is_read_to_the_bit(folders, tiny, kind):
    matrix = matrices.read(folders[kind])
    assert_same(matrix, tiny(kind))
    assert_counts(matrix, tiny(kind))


def test_the_rows_of_a_small_electra_are_as_narrow_as_its_embeddings(folders, tiny):
    assert matrices.read(folders["electra"]).dim == 16 != tiny("electra").dim


@pytest.mark.parametrize("kind", ARCHITECTURES)
def test_a_model_saved_with_its_head_is_read_behind_its_prefix(copy, kind):
    folder = copy(kind)
    with_head(folder, kind)
    assert_same(matrices.read(str(folder)), encoders.load(str(folder)))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_numbers_stored_in_another_width_become_the_same_float32(copy, kind, dtype):
    folder = copy(kind)
    with_head(folder, kind, dtype)
    assert_same(matrices.read(str(folder)), encoders.load(str(folder)))


@pytest.mark.parametrize("kind", ["roberta", "llama"])
def test_of_several_files_only_the_one_with_the_matrix_is_read(copy, kind):
    folder = copy(kind)
    (folder / "model.safetensors").unlink()
    with_head(folder, kind, shard="20KB")
    matrix = matrices.read(str(folder))
    assert_same(matrix, encoders.load(str(folder)))
    files = json.loads((folder / tensors.INDEX).read_text())["weight_map"]
    others = set(files.values()) - {files[tensor_of(matrix)]}
    assert len(others) > 3
    for file in others:
        (folder / file).unlink()
    assert np.array_equal(matrices.read(str(folder)).W, matrix.W)


def tensor_of(matrix: matrices.Matrix) -> str:
    """The name of the tensor that the contract tells."""
    return matrix.contract[0].removeprefix("input: tokens (").removesuffix(")")


# ---- the other end of the model


@pytest.mark.parametrize(
    "kind",
    [
        "bert",
        "roberta",
        "gpt2",
        "llama",
        "modernbert",
        "electra",
        "distilbert",
        "gpt_neox",
        "olmo2",
    ],
)
def test_an_untied_output_is_read_and_a_tied_one_is_none(copy, kind):
    untied, tied = copy(kind, "untied"), copy(kind, "tied")
    model = with_head(untied, kind, tie_word_embeddings=False)
    with_head(tied, kind, tie_word_embeddings=True)
    output = model.get_output_embeddings().weight.detach().numpy()
    matrix = matrices.read(str(untied))
    assert np.array_equal(matrix.output, output) and not np.array_equal(matrix.W, output)
    assert matrices.read(str(tied)).output is None


def test_a_copy_of_the_matrix_in_the_file_is_no_second_matrix(copy):
    folder = copy("llama")
    with_head(folder, "llama", tie_word_embeddings=False)
    weights = load_file(folder / "model.safetensors")
    weights["lm_head.weight"] = weights["model.embed_tokens.weight"].clone()
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    assert matrices.read(str(folder)).output is None


# ---- what a row stands for


def kind_of(matrix: matrices.Matrix, token: str) -> str:
    return matrix.rows[matrix.tokens.index(token)]


@needs("minilm")
def test_rows_of_wordpiece_are_called_what_they_are():
    matrix = matrices.read("minilm")
    tokens = {
        "bank": "word",
        "##ing": "piece",
        "!": "word",
        "[MASK]": "special",
        "[unused99]": "unused",
    }
    assert {token: kind_of(matrix, token) for token in tokens} == tokens
    assert matrix.is_row("unused").sum() == 994 and matrix.is_row("special").sum() == 5
    assert matrix.is_row("piece").sum() == sum(
        token[:2] == "##" for token in matrix.tokens
    )
    assert matrix.is_row("word", "piece", "special", "unused").all()


@needs("smollm2")
def test_rows_of_byte_level_bpe_are_called_what_they_are():
    matrix = matrices.read("smollm2")
    tokens = {
        "\u0120bank": "word",
        "bank": "piece",
        "a": "byte",
        "\u010a": "byte",
        "<|im_end|>": "special",
        "<file_sep>": "reserved",
    }
    assert {token: kind_of(matrix, token) for token in tokens} == tokens
    assert matrix.is_row("special").sum() == 3 and not matrix.is_row("unused").any()


def test_rows_of_sentencepiece_are_called_what_they_are(folders):
    matrix = matrices.read(folders["llama"])
    tokens = {"\u2581bank,": "word", "anks": "piece", "<0x0A>": "byte", "</s>": "special"}
    assert {token: kind_of(matrix, token) for token in tokens} == tokens
    assert matrix.is_row("byte").sum() == 256


@pytest.mark.parametrize("name", ["cwr-bert", "cwr-gpt"])
def test_the_padding_and_the_mask_of_our_models_are_special_and_never_used(name):
    matrix = matrices.read(name)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    assert [
        token
        for token, row in zip(matrix.tokens, matrix.is_row("special"), strict=True)
        if row
    ] == special
    assert matrix.is_row("unused").sum() == 200
    assert not matrix.count(TEXTS)[[0, 4]].any()


def test_rows_beyond_the_tokenizer_have_no_token_and_are_reserved(copy):
    folder = copy("gpt2")
    size = len(matrices.read(str(folder)).tokens)
    with_head(folder, "gpt2", vocab_size=size + 7)
    matrix = matrices.read(str(folder))
    assert_same(matrix, encoders.load(str(folder)))
    assert matrix.tokens[size:] == [""] * 7 and set(matrix.rows[size:]) == {"reserved"}
    assert (matrix.rows == "reserved").sum() == 7


def test_fillers_of_a_vocabulary_are_reserved_and_plain_words_are_not(copy):
    folder = copy("bert")
    file = folder / "tokenizer.json"
    tokenizer = json.loads(file.read_text())
    names = {"bank": "madeupword0000", "river": "reserved", "that": "<|reserved_7|>"}
    vocabulary = tokenizer["model"]["vocab"]
    tokenizer["model"]["vocab"] = {
        names.get(key, key): row for key, row in vocabulary.items()
    }
    file.write_text(json.dumps(tokenizer))
    matrix = matrices.read(str(folder))
    kinds = [kind_of(matrix, name) for name in names.values()]
    assert kinds == ["reserved", "word", "reserved"]


def test_a_kind_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="no rows of the kind 'words'"):
        matrices.read("cwr-bert").is_row("words")


# ---- words


@needs("minilm")
@needs("smollm2")
def test_a_word_has_a_row_if_it_is_one_token():
    minilm, smollm2, shipped = map(matrices.read, ("minilm", "smollm2", "cwr-bert"))
    assert minilm.tokens[minilm.row_of("Bank")] == "bank"  # an uncased vocabulary
    assert shipped.tokens[shipped.row_of("bank")] == "bank"
    assert smollm2.tokens[smollm2.row_of("bank")] == "\u0120bank"
    assert smollm2.tokens[smollm2.row_of("bank", leading_space=False)] == "bank"
    assert minilm.row_of("bank", leading_space=False) == minilm.row_of("bank")


def test_a_word_in_pieces_an_unknown_and_a_special_one_have_no_row():
    matrix = matrices.read("cwr-bert")
    for word in ("unbelievably", "\u4e16", "[MASK]", "", "the bank"):
        assert matrix.row_of(word) is None, word


def test_no_texts_have_no_tokens():
    assert matrices.read("cwr-bert").count([]).sum() == 0


def test_many_texts_are_counted_as_they_are_one_by_one(monkeypatch):
    matrix = matrices.read("cwr-gpt")
    together = matrix.count(TEXTS * 3)
    monkeypatch.setattr(matrices, "TEXTS_AT_ONCE", 2)
    assert np.array_equal(matrix.count(TEXTS * 3), together)
    assert np.array_equal(sum(matrix.count([text]) for text in TEXTS) * 3, together)


def test_a_long_text_is_counted_to_its_end():
    matrix = matrices.read("minilm")  # its tokenizer.json says to cut at 128 and to pad
    assert matrix.count(["bank " * 999])[matrix.row_of("bank")] == 999
    assert matrix.count(["bank"]).sum() == 1


# ---- how it is read


def test_torch_and_transformers_are_not_imported():
    code = (
        "import sys\nfrom cwr.encoders import matrices\n"
        f"for name in {NAMES}: matrices.read(name).count(['bank'])\n"
        "print(*{'torch', 'transformers'} & set(sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "\n", "")


def test_the_record_of_a_matrix_follows_its_numbers_and_tokens(copy, tmp_path):
    one, two = copy("gpt2", "one"), copy("gpt2", "two")
    first, second = matrices.read(str(one)), matrices.read(str(two))
    assert first.fingerprint == second.fingerprint
    with_head(two, "gpt2")
    assert matrices.read(str(two)).fingerprint != first.fingerprint
    assert (first.n_layers, first.device, tensor_of(first)) == (0, "cpu", "wte.weight")


@pytest.mark.parametrize("shard", ["5GB", "20KB"])
def test_of_a_hub_model_only_the_file_with_the_matrix_is_fetched(
    copy, tmp_path, monkeypatch, shard
):
    """The hub is a folder here; its files are laid out as huggingface_hub does."""
    commit, remote = "0123456789abcdef0123456789abcdef01234567", copy("bert")
    (remote / "model.safetensors").unlink()
    with_head(remote, "bert", shard=shard)
    (remote / "pytorch_model.bin").touch()
    asked = []

    def download(hub_id, revision, allow_patterns, ignore_patterns):
        folder = (
            tmp_path
            / "hub"
            / f"models--{hub_id.replace('/', '--')}"
            / "snapshots"
            / commit
        )
        folder.mkdir(parents=True, exist_ok=True)
        asked.append(revision)
        for file in remote.iterdir():
            if any(fnmatch(file.name, pattern) for pattern in allow_patterns):
                shutil.copy(file, folder)
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    matrix = matrices.read("someone/some-model", "v1")
    assert np.array_equal(matrix.W, encoders.load(str(remote)).embedding_matrix())
    assert matrix.name == "someone/some-model"
    assert asked[0] == "v1" and set(asked[1:]) == {commit}  # a branch may move meanwhile
    fetched = {file.name for file in (tmp_path / "hub").rglob("*") if file.is_file()}
    assert len([file for file in fetched if file.endswith("safetensors")]) == 1
    assert "pytorch_model.bin" not in fetched and "tokenizer.json" in fetched


def form_of(name: str) -> tuple[str, type]:
    """The type of a model of Table 1, and the class of transformers that its hub file was saved by."""
    if name.startswith("GPT-2"):
        return "gpt2", transformers.GPT2Model
    is_bert = name.startswith("BERT")
    kind, head = (
        ("bert", "BertForPreTraining") if is_bert else ("roberta", "RobertaForMaskedLM")
    )
    return kind, getattr(transformers, head)


@pytest.mark.parametrize("hub_id", PRINTED)
def test_each_model_of_table_1_is_read_from_the_hubs_cache_without_a_network(
    copy, tmp_path, monkeypatch, hub_id
):
    """A tiny model with random weights stands in the cache for each, saved in the same form."""
    commit = "0123456789abcdef0123456789abcdef01234567"
    name, tensor = PRINTED[hub_id].name, PRINTED[hub_id].tensor
    kind, saved_by = form_of(name)
    folder = copy(kind, f"models--{hub_id.replace('/', '--')}/snapshots/{commit}")
    config = transformers.AutoConfig.from_pretrained(folder)
    with quiet(), torch.random.fork_rng(devices=[]):
        model = saved_by(config)
        model.save_pretrained(folder)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    matrix = matrices.read(f"{hub_id}@{commit}")
    assert (matrix.name, tensor_of(matrix)) == (name, tensor)
    assert np.array_equal(matrix.W, model.get_input_embeddings().weight.detach().numpy())
    assert matrix.output is None


def test_matrices_are_read_in_their_order_and_none_before_all_names_are_known(monkeypatch):
    names = ["cwr-gpt", "cwr-bert"]
    assert [matrix.name for matrix in matrices.read_all(names)] == names
    monkeypatch.setattr(matrices, "read", None)  # calling it would fail
    with pytest.raises(UserError, match="2 of the models are called 'cwr-bert'"):
        matrices.read_all(["cwr-bert", "cwr-bert"])


# ---- what cannot be read


def refusal(name) -> str:
    """The sentence with which a matrix is refused: one line."""
    with pytest.raises(UserError) as caught:
        matrices.read(str(name))
    sentence = str(caught.value)
    assert "\n" not in sentence and len(sentence) < 500
    return sentence


def test_a_type_beyond_the_table_is_read_and_its_family_told_by_its_head(copy):
    folder = copy("bert")
    edit(folder / "config.json", model_type="albert", architectures=["AlbertForMaskedLM"])
    assert matrices.read(str(folder)).family == "masked"
    edit(folder / "config.json", model_type="bloom", architectures=["BloomForCausalLM"])
    assert matrices.read(str(folder)).family == "causal"
    edit(folder / "config.json", architectures=["AlbertModel"])
    assert "does not tell whether it is masked or causal" in refusal(folder)


def edit(file, **changes) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


def test_two_token_matrices_in_a_file_are_not_guessed_between(copy):
    folder = copy("bert")
    weights = load_file(folder / "model.safetensors")
    weights["decoder.embed_tokens.weight"] = torch.ones(3, 4)
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    assert "2 tensors that are called like a token matrix" in refusal(folder)


def test_a_tokenizer_larger_than_the_matrix_is_cut_and_counting_its_tokens_is_refused(
    copy,
):
    folder = copy("gpt2")
    with_head(folder, "gpt2", vocab_size=100)
    matrix = matrices.read(str(folder))
    assert len(matrix.tokens) == len(matrix.rows) == 100
    with pytest.raises(UserError, match="mixes two models"):
        matrix.count(TEXTS)
