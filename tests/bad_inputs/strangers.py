"""Classes 1, 7, 8 and 10: models, configurations, texts and caches that come from elsewhere."""

import functools
import json
import lzma
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import h5py
import torch
import transformers
from bad_inputs.row import Row
from safetensors.torch import load_file, save_file

from cwr import corpora, encoders
from cwr.cli import plan
from cwr.encoders import hub, loading
from cwr.encoders.quiet import quiet
from cwr.extraction import cache

RUN = "cwr run ethayarajh2019/01_anisotropy"
TESTS = Path(__file__).parents[1]
SIZE = dict(
    hidden_size=16,
    num_hidden_layers=3,
    num_attention_heads=4,
    intermediate_size=24,
    max_position_embeddings=64,
)
FAR = "a" * 5000  # a text that is too long for a path


# ---- folders of tiny random models with MiniLM's tokenizer, and of AllenNLP's tiny ELMo


@functools.cache
def sources() -> tempfile.TemporaryDirectory:
    """Folders bert, llama and elmo; they go with the process."""
    folder = tempfile.TemporaryDirectory()
    tokenizer = transformers.PreTrainedTokenizerFast.from_pretrained(hub.find("minilm").folder)
    settings = {"bert": {}, "llama": {"attention_bias": True}}
    with quiet(), torch.random.fork_rng(devices=[]):
        for kind, changes in settings.items():
            sizes = SIZE | changes | {"vocab_size": len(tokenizer)}
            config = transformers.AutoConfig.for_model(kind, **sizes)
            transformers.AutoModel.from_config(config).save_pretrained(f"{folder.name}/{kind}")
            tokenizer.save_pretrained(f"{folder.name}/{kind}")
    fixtures = TESTS / "data" / "elmo_fixtures"
    os.mkdir(f"{folder.name}/elmo")
    shutil.copy(fixtures / "options.json", f"{folder.name}/elmo")
    shutil.copy(fixtures / "lm_weights.hdf5", f"{folder.name}/elmo/weights.hdf5")
    return folder


def copied(kind: str, checkout: Path, name: str = "mine") -> Path:
    """A folder of the checkout with a copy of a source."""
    return Path(shutil.copytree(f"{sources().name}/{kind}", checkout / name))


def opening(
    number: int, what: str, sentence: str, spoil: Callable, kind: str = "bert", **settings
) -> Row:
    """A row: open a copy of a source that was spoilt; number: the row's class."""

    def prepare(checkout: Path) -> None:
        spoil(copied(kind, checkout))

    def open_it(checkout: Path) -> None:
        encoders.load(str(checkout / "mine"), **settings)

    return Row(number, f"{kind}: {what}", open_it, sentence, prepare=prepare)


def edit(file: Path, **changes) -> None:
    """Change keys of a JSON file."""
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


# ---- class 1: models that cannot read


def without_tokenizer(folder: Path) -> None:
    for file in folder.glob("tokenizer*"):
        file.unlink()


def with_words(words: Callable[[dict], dict]) -> Callable[[Path], None]:
    """What gives the tokenizer another vocabulary, made of its own, and only these words."""

    def spoil(folder: Path) -> None:
        file = folder / "tokenizer.json"
        tokenizer = json.loads(file.read_text())
        vocabulary = words(tokenizer["model"]["vocab"])
        added = [entry for entry in tokenizer["added_tokens"] if entry["content"] in vocabulary]
        tokenizer["model"]["vocab"], tokenizer["added_tokens"] = vocabulary, added
        file.write_text(json.dumps(tokenizer))

    return spoil


def first_words(vocabulary: dict) -> dict:
    return {word: number for word, number in vocabulary.items() if number < 2000}


def other_words(vocabulary: dict) -> dict:
    return {
        word if word.startswith("[") else f"{word}{number}q": number
        for word, number in vocabulary.items()
    }


def with_weight(key: str, value: float) -> Callable[[Path], None]:
    """What sets one number of a weight."""

    def spoil(folder: Path) -> None:
        weights = load_file(folder / "model.safetensors")
        weights[key].view(-1)[7] = value
        save_file(weights, folder / "model.safetensors", {"format": "pt"})

    return spoil


def with_index_to_outside(folder: Path) -> None:
    outside = folder / "model.safetensors"
    keys = load_file(outside)
    outside.rename(folder.parent / "outside.safetensors")
    index = {"metadata": {}, "weight_map": dict.fromkeys(keys, "../outside.safetensors")}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    save_file({}, folder / "other.safetensors")


def two_of_a_name(checkout: Path) -> None:
    for parent in ("one", "two"):
        copied("bert", checkout, f"{parent}/mine")


def one_model(checkout: Path) -> None:
    copied("bert", checkout)


CANNOT_READ = [
    opening(1, "no tokenizer", "holds no vocabulary", without_tokenizer),
    opening(1, "most words missing", "has 2,000 tokens for .* 30,522", with_words(first_words)),
    opening(
        1,
        "all words missing",
        "tokens for an embedding matrix",
        with_words(lambda _: {"[UNK]": 100}),
    ),
    opening(1, "other words", "knows hardly a word", with_words(other_words)),
    opening(
        1,
        "a block dropped",
        "16 parts that its config.json leaves out .*encoder.layer.2",
        lambda folder: edit(folder / "config.json", num_hidden_layers=2),
    ),
    opening(
        1,
        "biases dropped",
        "parts that its config.json leaves out .*bias",
        lambda folder: edit(folder / "config.json", attention_bias=False),
        kind="llama",
    ),
    opening(
        1,
        "NaN in the embedding",
        "no finite numbers .*word_embeddings",
        with_weight("embeddings.word_embeddings.weight", float("nan")),
    ),
    opening(
        1,
        "infinity in a block",
        "no finite numbers .*encoder.layer.1",
        with_weight("encoder.layer.1.output.dense.weight", float("inf")),
    ),
    opening(
        1,
        "NaN in the configuration",
        "vectors that are no finite numbers",
        lambda folder: edit(folder / "config.json", layer_norm_eps=float("nan")),
    ),
    opening(
        1,
        "an adapter",
        "an adapter for another model",
        lambda folder: (folder / "adapter_config.json").write_text("{}"),
    ),
    opening(1, "weights elsewhere", "files that are not in its folder", with_index_to_outside),
    opening(
        1,
        "weights of another name",
        "damaged or do not fit",
        lambda folder: (folder / "model.safetensors").rename(folder / "weights.safetensors"),
    ),
    Row(
        1,
        "one model twice",
        f"""{RUN} -p models '["mine", "./mine"]'""",
        "2 of the models are called 'mine'",
        prepare=one_model,
    ),
    Row(
        1,
        "two folders of one name",
        f"""{RUN} -p models '["one/mine", "two/mine"]'""",
        "2 of the models are called 'mine'",
        prepare=two_of_a_name,
    ),
    Row(
        1,
        "two revisions of a model",
        f"""{RUN} -p models '["some/model@a", "some/model@b"]'""",
        "2 of the models are called 'some/model'",
    ),
    Row(
        1,
        "two models of one name, opened together",
        lambda _: encoders.load_all(["minilm", "minilm"]),
        "2 of the models are called 'minilm'",
    ),
]


# ---- class 7: configurations from strangers

SIZES = [  # what is no size of a model
    ("hidden_size", "abc"),
    ("hidden_size", 0),
    ("hidden_size", -256),
    ("hidden_size", 10**9),
    ("hidden_size", 16.0),
    ("hidden_size", True),
    ("num_attention_heads", 0),
    ("num_hidden_layers", 0),
    ("num_hidden_layers", -1),
    ("num_hidden_layers", 10**7),
    ("num_hidden_layers", [3]),
    ("vocab_size", 0),
    ("vocab_size", 10**12),
    ("max_position_embeddings", 0),
    ("max_position_embeddings", 10**12),
    ("intermediate_size", 10**12),
]
FIELDS = [  # what transformers, or the model, fails at
    ("bert", {"num_attention_heads": 7}, "describes no model that can be built"),
    ("bert", {"hidden_act": "nonsense"}, "describes no model that can be built"),
    ("bert", {"pad_token_id": 10**9}, "describes no model that can be built"),
    ("bert", {"layer_norm_eps": "x"}, "describes no model that can be built"),
    ("bert", {"dtype": "float99"}, "describes no model that can be built"),
    ("bert", {"type_vocab_size": 0}, "damaged or do not fit"),
    ("bert", {"model_type": ["bert"]}, "which cwr cannot read layer by layer"),
    ("bert", {"model_type": "mamba"}, "which cwr cannot read layer by layer"),
    ("bert", {"auto_map": {"AutoModel": "theirs.Model"}}, "Python code of its own"),
    ("llama", {"rope_parameters": 3}, "describes no model that can be built"),
    ("llama", {"rope_parameters": {"rope_type": "nonsense"}}, "describes no model"),
    ("llama", {"head_dim": 7}, "describes no model that can be built"),
    ("llama", {"num_key_value_heads": 3}, "damaged or do not fit"),
]
NO_CONFIGURATION = {
    "a list": b"[1, 2]",
    "a number": b"3",
    "null": b"null",
    "empty": b"",
    "half": b'{"model_type": "bert"',
    "not UTF-8": b"\xff\xfe\x00",
    "100,000 brackets": b"[" * 100_000,
    "a number of 5,000 digits": b'{"hidden_size": ' + b"9" * 5000 + b"}",
}
TOKENIZERS = [  # file, content, sentence
    ("tokenizer.json", "{}", "no tokenizer can be read"),
    ("tokenizer.json", "[", "no tokenizer can be read"),
    ("tokenizer_config.json", "[]", "no tokenizer can be read"),
    ("tokenizer_config.json", '{"model_max_length": "many"}', "model_max_length that is no number"),
    ("tokenizer_config.json", '{"model_max_length": 0}', "has no room for text"),
]
OPTIONS = [  # part of options.json, key, value
    ("lstm", "n_layers", 10**7),
    ("lstm", "n_layers", "two"),
    ("lstm", "dim", 10**9),
    ("lstm", "dim", 0),
    ("lstm", "projection_dim", 10**9),
    ("char_cnn", "n_highway", 10**8),
    ("char_cnn", "filters", [[1, 10**12]]),
    ("char_cnn", "filters", [[1, 1]] * 101),
    ("char_cnn", "embedding", {"dim": 10**9}),
    ("char_cnn", "max_characters_per_token", 10**12),
]


def with_fields(**changes) -> Callable[[Path], None]:
    """What changes fields of config.json."""
    return lambda folder: edit(folder / "config.json", **changes)


def with_file(name: str, content: bytes) -> Callable[[Path], None]:
    """What writes a file of the folder anew."""
    return lambda folder: (folder / name).write_bytes(content)


def without_file(name: str, instead: Callable[[Path], None]) -> Callable[[Path], None]:
    """What puts something that is no file into a file's place."""

    def spoil(folder: Path) -> None:
        (folder / name).unlink()
        instead(folder / name)

    return spoil


def with_option(section: str, key: str, value: object) -> Callable[[Path], None]:
    """What changes a field of an ELMo's options.json."""

    def spoil(folder: Path) -> None:
        options = json.loads((folder / "options.json").read_text())
        edit(folder / "options.json", **{section: options[section] | {key: value}})

    return spoil


def with_variable(put: Callable) -> Callable[[Path], None]:
    """What replaces a variable of weights.hdf5 by what put(file, folder, values) makes."""

    def spoil(folder: Path) -> None:
        with h5py.File(folder / "weights.hdf5", "r+") as file:
            values = file["char_embed"][()]
            del file["char_embed"]
            with h5py.File(folder.parent / "other.hdf5", "w") as other:
                other["x"] = values
            put(file, folder, values)

    return spoil


def external_link(file, folder, values) -> None:
    file["char_embed"] = h5py.ExternalLink("../other.hdf5", "x")


def soft_link(file, folder, values) -> None:
    file["x"] = values
    file["char_embed"] = h5py.SoftLink("/x")


def external_storage(file, folder, values) -> None:
    raw = folder.parent / "raw"
    raw.write_bytes(values.tobytes())
    storage = [(str(raw), 0, values.nbytes)]
    file.create_dataset("char_embed", values.shape, values.dtype, external=storage)


def virtual(file, folder, values) -> None:
    layout = h5py.VirtualLayout(values.shape, values.dtype)
    layout[:] = h5py.VirtualSource(str(folder.parent / "other.hdf5"), "x", values.shape)
    file.create_virtual_dataset("char_embed", layout)


def group(file, folder, values) -> None:
    file.create_group("char_embed")["x"] = values


CONFIGURATIONS = [
    *(
        opening(
            7, f"{key} {value!r}", f"has {key} .* no model can have", with_fields(**{key: value})
        )
        for key, value in SIZES
    ),
    *(
        opening(7, json.dumps(fields), sentence, with_fields(**fields), kind=kind)
        for kind, fields, sentence in FIELDS
    ),
    *(
        opening(
            7,
            f"config.json is {what}",
            "is not JSON for a model",
            with_file("config.json", content),
        )
        for what, content in NO_CONFIGURATION.items()
    ),
    *(
        opening(7, f"{file} is {content}", sentence, with_file(file, content.encode()))
        for file, content, sentence in TOKENIZERS
    ),
    *(
        opening(
            7,
            f"{section}.{key} {str(value)[:30]}",
            f"does not describe an ELMo .{section}.{key}",
            with_option(section, key, value),
            kind="elmo",
        )
        for section, key, value in OPTIONS
    ),
    *(
        opening(
            7,
            f"weights.hdf5 with {put.__name__.replace('_', ' ')}",
            "lacks the variable char_embed, or leads out of the file",
            with_variable(put),
            kind="elmo",
        )
        for put in (external_link, soft_link, external_storage, virtual, group)
    ),
    opening(
        7,
        "random weights beyond the memory",
        "takes .* GB by its configuration",
        with_fields(hidden_size=10**6, intermediate_size=10**6),
        random_init=True,
    ),
    opening(
        7, "config.json is a folder", "holds no model", without_file("config.json", Path.mkdir)
    ),
    opening(7, "config.json is a pipe", "holds no model", without_file("config.json", os.mkfifo)),
    opening(
        7, "weights are a pipe", "no safetensors", without_file("model.safetensors", os.mkfifo)
    ),
]


# ---- class 8: text that is no path

TEXTS = {
    "of a user who does not exist": "~nosuchuser/x",
    "of 5,000 letters": FAR,
    "with half a character": "\ud800",
    "with a NUL": "a\0b",
    "with a name of 300 letters": f"/tmp/{'x' * 300}/y",
}
NO_CACHES = {"a file": "file", "below a file": "file/x", "a loop of links": "loop", "too long": FAR}


def no_folders(checkout: Path) -> None:
    (checkout / "file").touch()
    (checkout / "loop").symlink_to("loop")


def writing_into(cache_root: str) -> Callable[[Path], None]:
    """What asks for a place in a cache; cache_root: relative to the checkout."""

    def use(checkout: Path) -> None:
        named = cache_root if cache_root.startswith("~") else str(checkout / cache_root)
        with mock.patch.dict(os.environ, CWR_CACHE=named), cache.reserved(["key"]):
            raise AssertionError("a cache that is no folder was written")

    return use


TEXT = [
    *(
        Row(
            8,
            f"a model {what}",
            lambda _, text=text: encoders.load(text),
            "there is no model folder",
        )
        for what, text in TEXTS.items()
    ),
    *(
        Row(
            8,
            f"a corpus {what}",
            lambda _, text=text: corpora.load(text),
            "is neither a named corpus",
        )
        for what, text in TEXTS.items()
    ),
    *(
        Row(
            8,
            f"a plan for a model {what}",
            lambda _, text=text: list(plan.lines({"n": {"models": [text]}})),
            "is neither one of",
        )
        for what, text in TEXTS.items()
    ),
    *(
        Row(
            8,
            f"a cache that is {what}",
            writing_into(root),
            "cannot write the cache",
            prepare=no_folders,
        )
        for what, root in NO_CACHES.items()
    ),
    Row(8, "a cache of nobody", writing_into("~nosuchuser/x"), "a user who does not exist"),
    Row(8, "the whole disk as a corpus", f"{RUN} -p corpus /", "corpus '/' is a folder"),
    Row(8, "no file as a corpus", f"{RUN} -p corpus ~nosuchuser/x", "is neither a named corpus"),
    Row(8, "no folder as a model", f"{RUN} -p models ~nosuchuser/x", "there is no model folder"),
    Row(8, "a corpus as a model", f"{RUN} -p models ./lee", "there is no model folder"),
    Row(
        8,
        "a branch where a commit is asked for",
        lambda _: plan.refuse_unpinned({"n": {"models": ["some/model@main"]}}),
        "names some/model@main without a commit",
    ),
]


# ---- class 9: devices; class 10: files that are read again

DEVICES = ["meta", "mps", "xpu", "vulkan", "cuda:99", "cuda:-1", "nonsense", " "]


def reading(what: str, content: bytes, sentence: str) -> Row:
    """A row: a held-out text with this content, in a folder of CWR_DATA."""

    def prepare(checkout: Path) -> None:
        (checkout / "wiki_text").mkdir()
        (checkout / "wiki_text" / "heldout.txt.xz").write_bytes(content)

    def read(checkout: Path) -> None:
        with mock.patch.dict(os.environ, CWR_DATA=str(checkout)):
            corpora.load("wiki-text")

    return Row(10, what, read, sentence, prepare=prepare)


MEANWHILE = [
    *(
        Row(
            9,
            f"the device {device!r}",
            lambda _, device=device: loading.choose_device(device),
            "PyTorch cannot compute on the device",
        )
        for device in DEVICES
    ),
    reading(
        "another held-out text",
        lzma.compress(b"# 7\tNext\nFour.\n\n"),
        "article 1 of the held-out text in .* is not the one",
    ),
    reading(
        "a line of 20 million letters",
        lzma.compress(b"# 7\tNext\n" + b"word " * 4_000_000, preset=0),
        "line 2 of .* is no paragraph of an article",
    ),
    reading("zeros", lzma.compress(bytes(20_000_000), preset=0), "line 1 of .* is no paragraph"),
    reading("no xz", b"# 7\tNext\nFour.\n\n", "is cut short or damaged"),
    reading("half an xz", lzma.compress(b"# 7\tNext\nFour.\n\n")[:40], "is cut short or damaged"),
]

ROWS = [*CANNOT_READ, *CONFIGURATIONS, *TEXT, *MEANWHILE]
