"""Class 1: models that cannot read, and models that results could not tell apart."""

import json
from collections.abc import Callable
from pathlib import Path

from bad_inputs.folders import copied, edit, opening, with_fields
from bad_inputs.row import Row
from safetensors.torch import load_file, save_file

from cwr import encoders

RUN = "cwr run ethayarajh2019/01_anisotropy"


def without_tokenizer(folder: Path) -> None:
    for file in folder.glob("tokenizer*"):
        file.unlink()


def with_words(words: Callable[[dict], dict]) -> Callable[[Path], None]:
    """What gives the tokenizer another vocabulary, made of its own, and only these words."""

    def spoil(folder: Path) -> None:
        file = folder / "tokenizer.json"
        tokenizer = json.loads(file.read_text())
        vocabulary = words(tokenizer["model"]["vocab"])
        added = [
            entry for entry in tokenizer["added_tokens"] if entry["content"] in vocabulary
        ]
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


def other_words_without_a_name_for_the_unknown(folder: Path) -> None:
    with_words(other_words)(folder)
    edit(folder / "tokenizer_config.json", unk_token=None)


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


ROWS = [
    opening(1, "no tokenizer", "holds no vocabulary", without_tokenizer),
    opening(
        1, "most words missing", "has 2,000 tokens for .* 30,522", with_words(first_words)
    ),
    opening(
        1,
        "all words missing",
        "tokens for an embedding matrix",
        with_words(lambda _: {"[UNK]": 100}),
    ),
    opening(1, "other words", "knows hardly a word", with_words(other_words)),
    opening(
        1,
        "other words, and no name for the unknown",
        "knows hardly a word",
        other_words_without_a_name_for_the_unknown,
    ),
    opening(
        1,
        "a block dropped",
        "16 parts that its config.json leaves out .*encoder.layer.2",
        with_fields(num_hidden_layers=2),
    ),
    opening(
        1,
        "biases dropped",
        "parts that its config.json leaves out .*bias",
        with_fields(attention_bias=False),
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
        with_fields(layer_norm_eps=float("nan")),
    ),
    opening(
        1,
        "an adapter",
        "an adapter for another model",
        lambda folder: (folder / "adapter_config.json").write_text("{}"),
    ),
    opening(
        1, "weights elsewhere", "files that are not in its folder", with_index_to_outside
    ),
    opening(
        1,
        "weights of another name",
        "damaged or do not fit",
        lambda folder: (folder / "model.safetensors").rename(
            folder / "weights.safetensors"
        ),
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
    Row(
        1,
        "word vectors as a model",
        f"{RUN} -p models '[cwr-static]'",
        "^cwr: cwr-static is a table of static word vectors and has no layers",
    ),
]
