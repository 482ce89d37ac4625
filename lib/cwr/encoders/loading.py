"""From a folder to an Encoder: configuration, tokenizer and weights, read quietly and checked."""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import tokenizers
import torch
import transformers
from safetensors import SafetensorError
from transformers import AutoConfig, AutoModel, AutoTokenizer, PreTrainedTokenizerFast

from cwr.encoders.architectures import architecture_of
from cwr.encoders.elmo.encoder import ELMoEncoder
from cwr.encoders.elmo.files import read_options
from cwr.encoders.elmo.model import ELMo
from cwr.encoders.encoder import Encoder
from cwr.encoders.hub import ModelFolder
from cwr.encoders.quiet import quiet
from cwr.encoders.transformer import TransformerEncoder
from cwr.errors import UserError

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "vocab.txt",
    "merges.txt",
    "tokenizer.model",
    "sentencepiece.bpe.model",
    "spiece.model",
)
RANDOM_SEED = 0


def open_encoder(
    source: ModelFolder, *, device: str, dtype: str, random_init: bool, final_norm: bool
) -> Encoder:
    """The encoder in this folder; the arguments and the refusals are those of `cwr.encoders.load`.

    Raises UserError for an unknown dtype or device, and a folder that does not hold a whole model.
    """
    if dtype not in DTYPES:
        raise UserError(f"there is no dtype {dtype!r}; choose one of {', '.join(DTYPES)}")
    target = choose_device(device)
    if is_elmo(source.folder):
        return _open_elmo(source, dtype, target, random_init)
    return _open_transformer(source, dtype, target, random_init, final_norm)


def is_elmo(folder: Path) -> bool:
    """Whether there is an options.json, with weights.hdf5 beside it or at least no config.json."""
    has_weights = (folder / "weights.hdf5").exists()
    is_transformer = (folder / "config.json").exists()
    return (folder / "options.json").exists() and (has_weights or not is_transformer)


def choose_device(device: str) -> torch.device:
    """The device of a name; "auto": the environment variable DEVICE, else a GPU, else the CPU.

    Raises UserError for a device that PyTorch does not know or does not see.
    """
    name = device
    if device == "auto":
        name = os.environ.get("DEVICE") or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        target = torch.device(name)
    except RuntimeError as error:
        raise UserError(f'there is no device {name!r}; use "auto", "cpu" or "cuda"') from error
    if target.type == "cuda" and (target.index or 0) >= torch.cuda.device_count():
        raise UserError(
            f"the device {name!r} was asked for but PyTorch sees "
            f'{torch.cuda.device_count()} GPUs; use "auto" or "cpu"'
        )
    return target


def read_config(folder: Path, name: str) -> dict:
    """The `config.json` of a transformer; `name` is what the errors call the model.

    Raises UserError for a folder without one, and for a file that is not JSON.
    """
    if not (folder / "config.json").exists():
        raise UserError(
            f"the folder {folder} holds no model: there is no config.json in it; name "
            "a folder saved by save_pretrained, or one of an ELMo with options.json "
            "and weights.hdf5"
        )
    try:
        return json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except ValueError as error:
        raise UserError(f"the config.json of {name} is not JSON; get a complete copy") from error


def _open_elmo(
    source: ModelFolder, dtype: str, device: torch.device, random_init: bool
) -> ELMoEncoder:
    """An ELMo in its folder. Raises UserError for another dtype than float32, and damaged files."""
    if dtype != "float32":
        raise UserError(
            f"{source.name} is an ELMo, which computes in float32 only, not in "
            f"{dtype}; leave dtype out"
        )
    options_file, weights_file = source.folder / "options.json", source.folder / "weights.hdf5"
    with _untouched_generator():
        options = read_options(options_file)
        model = ELMo(options).eval() if random_init else ELMo.from_files(options_file, weights_file)

    def sources() -> dict:
        """Everything outside the Encoder's own settings that decides its numbers."""
        weights = {"seed": RANDOM_SEED}
        if not random_init:
            weights = {weights_file.name: _sha256(weights_file)}
        return {
            "weights": weights,
            "options": options.model_dump(),
            "dtype": dtype,
            "device": device.type,
            "versions": {torch.__name__: torch.__version__},
        }

    return ELMoEncoder(model.to(device), name=source.name, sources=sources)


def _open_transformer(
    source: ModelFolder, dtype: str, device: torch.device, random_init: bool, final_norm: bool
) -> TransformerEncoder:
    name, folder = source.name, source.folder
    config = read_config(folder, name)
    architecture = architecture_of(config, name)
    with quiet(), _untouched_generator():
        tokenizer = _tokenizer(folder, name)
        model = _random_model(folder, dtype) if random_init else _trained_model(folder, name, dtype)
    model.config.use_cache = False  # keys and values of past tokens are never wanted
    tuned = (folder / "modules.json").exists() or (folder / "1_Pooling").exists()
    family = "sentence" if tuned else architecture.family
    return TransformerEncoder(
        model.to(device).eval(),
        tokenizer,
        architecture,
        name=name,
        family=family,
        final_norm=final_norm,
        sources=lambda: _sources(folder, config, dtype, device, random_init),
    )


@contextlib.contextmanager
def _untouched_generator() -> Iterator[None]:
    """A fixed seed inside, and PyTorch's global generator as it was afterwards."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(RANDOM_SEED)
        yield


def _tokenizer(folder: Path, name: str):
    """The fast tokenizer as its `tokenizer.json` says, or converted from older files.

    For some types (Qwen2 is one) AutoTokenizer builds a tokenizer of its own from the vocabulary
    and drops the file's treatment of blanks, so the file is read directly.
    Raises UserError for a damaged tokenizer and for a slow one.
    """
    kind = PreTrainedTokenizerFast if (folder / "tokenizer.json").exists() else AutoTokenizer
    try:
        tokenizer = kind.from_pretrained(folder, trust_remote_code=False)
    except Exception as error:  # the tokenizers library raises nothing more precise
        raise UserError(
            f"no tokenizer can be read from the folder of {name}; "
            f"it needs a complete tokenizer.json"
        ) from error
    if not tokenizer.is_fast:
        raise UserError(
            f"{name} has only a slow tokenizer ({type(tokenizer).__name__}), which "
            "gives no character offsets; choose a model with a tokenizer.json"
        )
    return tokenizer


def _random_model(folder: Path, dtype: str):
    config = AutoConfig.from_pretrained(folder)
    return AutoModel.from_config(config, dtype=DTYPES[dtype], trust_remote_code=False)


def _trained_model(folder: Path, name: str, dtype: str):
    """The model with its weights. Raises UserError if they lack, are damaged or do not fit."""
    if not _weights(folder):
        raise UserError(
            f"the folder of {name} holds no safetensors, the only weights cwr reads; "
            "save the model with save_pretrained first, or use random_init=True"
        )
    try:
        model, report = AutoModel.from_pretrained(
            folder,
            dtype=DTYPES[dtype],
            use_safetensors=True,
            trust_remote_code=False,
            output_loading_info=True,
        )
    except (RuntimeError, SafetensorError) as error:  # shapes unlike config.json's; a damaged file
        raise UserError(
            f"the weights of {name} are damaged or do not fit its config.json; get a "
            "complete copy of the folder"
        ) from error
    # a pooler sits behind the last layer and is never read; any other gap would be silently random
    missing = sorted(key for key in report["missing_keys"] if not key.startswith("pooler."))
    if missing:
        raise UserError(
            f"the weights of {name} lack {len(missing)} parts of the model (first: "
            f"{missing[0]}), which would be random; get a complete copy"
        )
    return model


def _weights(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.safetensors"))


def _sources(
    folder: Path, config: dict, dtype: str, device: torch.device, random_init: bool
) -> dict:
    """Everything outside the Encoder's own settings that decides its numbers."""
    weights = {"seed": RANDOM_SEED}
    if not random_init:
        weights = {file.name: _sha256(file) for file in _weights(folder)}
    files = [name for name in TOKENIZER_FILES if (folder / name).exists()]
    libraries = (torch, transformers, tokenizers)
    return {
        "weights": weights,
        "tokenizer": {name: _sha256(folder / name) for name in files},
        "config": config,
        "dtype": dtype,
        "device": device.type,
        "versions": {library.__name__: library.__version__ for library in libraries},
    }


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
