"""Classes 1 and 7: folders out of which no token matrix can be read."""

import json
from collections.abc import Callable
from pathlib import Path

import torch
from bad_inputs.blind_models import with_weight
from bad_inputs.folders import copied, edit, with_fields, with_file
from bad_inputs.row import Row
from safetensors.torch import load_file, save_file

from cwr.encoders import matrices

TENSOR = "embeddings.word_embeddings.weight"
FILE = "model.safetensors"
INDEX = "model.safetensors.index.json"
Spoil = Callable[[Path], None]


def with_tensors(change: Callable[[dict], dict]) -> Spoil:
    """What replaces all tensors of the file by those that a function makes of them."""

    def spoil(folder: Path) -> None:
        weights = load_file(folder / FILE)
        save_file(change(weights), folder / FILE, {"format": "pt"})

    return spoil


def with_matrix(change: Callable[[torch.Tensor], torch.Tensor]) -> Spoil:
    """What replaces the token matrix alone."""
    return with_tensors(lambda weights: weights | {TENSOR: change(weights[TENSOR])})


def renamed(weights: dict) -> dict:
    return {
        key.replace("word_embeddings", "vectors"): value for key, value in weights.items()
    }


def doubled(weights: dict) -> dict:
    return weights | {"decoder.embed_tokens.weight": torch.ones(3, 4)}


def cut_short(folder: Path) -> None:
    content = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(content[: len(content) // 2])


def indexed(file: str) -> Spoil:
    """What names a file for every tensor of the model, which then lies in first.safetensors."""

    def spoil(folder: Path) -> None:
        tensors = load_file(folder / FILE)
        (folder / FILE).rename(folder / "first.safetensors")
        index = {"weight_map": dict.fromkeys(tensors, file)}
        (folder / INDEX).write_text(json.dumps(index))

    return spoil


def with_pickles_only(folder: Path) -> None:
    (folder / FILE).unlink()
    (folder / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'true'\ntR.")


def without_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def without_matrix_in_its_file(folder: Path) -> None:
    indexed("first.safetensors")(folder)
    weights = load_file(folder / "first.safetensors")
    del weights[TENSOR]
    save_file(weights, folder / "first.safetensors", {"format": "pt"})


def of_no_family(folder: Path) -> None:
    edit(folder / "config.json", model_type="albert", architectures=["AlbertModel"])


def reading(what: str, sentence: str, spoil: Spoil, number: int = 1) -> Row:
    """A row: read the token matrix of a copy of the tiny BERT that was spoilt."""

    def prepare(checkout: Path) -> None:
        spoil(copied("bert", checkout))

    def read(checkout: Path) -> None:
        matrices.read(str(checkout / "mine"))

    return Row(number, f"token matrix: {what}", read, sentence, prepare=prepare)


ROWS = [
    Row(
        1,
        "token matrix: an ELMo",
        lambda _: matrices.read("cwr-elmo"),
        "cwr-elmo reads words by their characters and has no token matrix",
    ),
    reading(
        "of another name",
        f"hold 0 tensors that are called like a token matrix .*embeddings.*ends in {TENSOR}",
        with_tensors(renamed),
    ),
    reading("two", "hold 2 tensors .*decoder.embed_tokens.weight", with_tensors(doubled)),
    reading("a file cut short", f"{FILE} of mine is damaged or was cut short", cut_short),
    reading("no safetensors at all", "is damaged", with_file(FILE, b"GGUF")),
    reading(
        "an index to a missing file",
        "x.safetensors of mine is not in",
        indexed("x.safetensors"),
    ),
    reading(
        "an index to outside",
        "x.safetensors of mine is not in",
        indexed("../x.safetensors"),
    ),
    reading(
        "not where the index says",
        f"first.safetensors of mine lacks {TENSOR}",
        without_matrix_in_its_file,
    ),
    reading(
        "an index of numbers",
        "does not say which file holds",
        with_file(INDEX, b'{"weight_map": {"a": 1}}'),
        7,
    ),
    reading(
        "an index without a map",
        "does not say which file holds",
        with_file(INDEX, b"[]"),
        7,
    ),
    reading(
        "of one axis",
        r"has the shape \(\d+,\), which is no matrix",
        with_matrix(torch.Tensor.ravel),
    ),
    reading(
        "of no rows",
        r"has the shape \(0, 16\), which is no matrix",
        with_matrix(lambda matrix: matrix[:0]),
    ),
    reading(
        "with a NaN",
        f"row 0 of {TENSOR} of mine has values that are no finite",
        with_weight(TENSOR, float("nan")),
    ),
    reading(
        "in whole numbers",
        f"stores {TENSOR} as I8",
        with_matrix(lambda matrix: matrix.to(torch.int8)),
    ),
    reading(
        "pickles only", f"holds no {FILE}, the only weights cwr reads", with_pickles_only
    ),
    reading("no tokenizer", "holds no tokenizer.json", without_tokenizer),
    reading(
        "half a tokenizer",
        "holds no sound tokenizer.json",
        with_file("tokenizer.json", b"{"),
        7,
    ),
    reading(
        "of no family", "does not tell whether it is masked or causal", of_no_family, 7
    ),
    reading(
        "a family of numbers",
        "does not tell whether",
        with_fields(model_type=[3], architectures=3),
        7,
    ),
    reading(
        "no configuration", "is not JSON for a model", with_file("config.json", b"[]"), 7
    ),
]
