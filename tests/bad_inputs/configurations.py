"""Class 7: configurations from strangers, and ELMo's files."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import h5py
from bad_inputs.folders import copied, edit, opening, with_fields, with_file
from bad_inputs.row import Row

from cwr import encoders
from cwr.encoders import matrices, pieces

ENDLESS = "x" * 60  # tried in two to the sixty ways
PANICS = "^cwr: the model's tokenizer gives up on a text .*: a pattern in its tokenizer.json takes "
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
    ("n_layers", 10**7),  # these four are a DistilBERT's names
    ("n_heads", 0),
    ("dim", 10**9),
    ("hidden_dim", 10**12),
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
    (
        "tokenizer_config.json",
        '{"model_max_length": "many"}',
        "model_max_length that is no number",
    ),
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


def with_endless_pattern(checkout: Path) -> None:
    pattern = {"type": "Split", "pattern": {"Regex": "(x+x+)+y"}, "behavior": "Isolated"}
    both = [pattern | {"invert": False}, {"type": "BertPreTokenizer"}]
    sequence = {"type": "Sequence", "pretokenizers": both}
    edit(copied("bert", checkout) / "tokenizer.json", pre_tokenizer=sequence)


ROWS = [
    *(
        opening(
            7,
            f"{key} {value!r}",
            f"has {key} .* no model can have",
            with_fields(**{key: value}),
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
    Row(
        7,
        "a tokenizer whose pattern never ends, in a sentence",
        lambda checkout: pieces.tokenise(
            encoders.load(str(checkout / "mine")).tokenizer, [ENDLESS]
        ),
        PANICS,
        prepare=with_endless_pattern,
    ),
    Row(
        7,
        "a tokenizer whose pattern never ends, in a text that is counted",
        lambda checkout: matrices.read(str(checkout / "mine")).count([ENDLESS]),
        PANICS,
        prepare=with_endless_pattern,
    ),
    opening(
        7,
        "config.json is a folder",
        "holds no model",
        without_file("config.json", Path.mkdir),
    ),
    opening(
        7,
        "config.json is a pipe",
        "holds no model",
        without_file("config.json", os.mkfifo),
    ),
    opening(
        7,
        "weights are a pipe",
        "no safetensors",
        without_file("model.safetensors", os.mkfifo),
    ),
]
