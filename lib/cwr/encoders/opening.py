"""From a folder to an Encoder: configuration, tokenizer and weights, read quietly and checked."""
import contextlib
import hashlib
import json
import os
import warnings
from collections.abc import Iterator
from pathlib import Path

import tokenizers
import torch
import transformers
from safetensors import SafetensorError
from transformers import AutoConfig, AutoModel, AutoTokenizer, PreTrainedTokenizerFast
from transformers.utils import logging

from cwr.encoders import architectures, bilstm, elmo, elmo_files, transformer
from cwr.encoders.encoder import Encoder
from cwr.encoders.places import Place
from cwr.errors import UserError

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
                   "vocab.json", "vocab.txt", "merges.txt", "tokenizer.model", "sentencepiece.bpe.model",
                   "spiece.model")
RANDOM_SEED = 0


def open_encoder(place: Place, *, device: str, dtype: str, random_init: bool, final_norm: bool) -> Encoder:
    """The encoder in this folder; see `cwr.encoders.load` for the meaning of the arguments."""
    if dtype not in DTYPES:
        raise UserError(f"there is no dtype {dtype!r}; choose one of {', '.join(DTYPES)}")
    where = choose_device(device)
    if is_elmo(place.folder):
        return _open_elmo(place, dtype, where, random_init)
    return _open_transformer(place, dtype, where, random_init, final_norm)


def is_elmo(folder: Path) -> bool:
    """Whether there is an options.json, with weights.hdf5 beside it or at least no config.json."""
    return (folder / "options.json").exists() and (
        (folder / "weights.hdf5").exists() or not (folder / "config.json").exists())


def _open_elmo(place: Place, dtype: str, where: torch.device, random_init: bool) -> bilstm.Encoder:
    if dtype != "float32":
        raise UserError(f"{place.name} is an ELMo, which computes in float32 only, not in {dtype}; "
                        f"leave dtype out")
    options, weights = place.folder / "options.json", place.folder / "weights.hdf5"
    with _untouched_generator():
        read = elmo_files.read_options(options)
        model = elmo.ELMo(read).eval() if random_init else elmo.ELMo.from_files(options, weights)
    return bilstm.Encoder(model.to(where), name=place.name, sources=lambda: {
        "weights": {"seed": RANDOM_SEED} if random_init else {weights.name: _sha256(weights)},
        "options": read.model_dump(), "dtype": dtype, "device": where.type,
        "versions": {torch.__name__: torch.__version__}})


def _open_transformer(place: Place, dtype: str, where: torch.device, random_init: bool,
                      final_norm: bool) -> transformer.Encoder:
    name, folder = place.name, place.folder
    config = read_config(folder, name)
    row = architectures.of(config, name)
    with quiet(), _untouched_generator():
        tokenizer = _tokenizer(folder, name)
        model = _random_model(folder, dtype) if random_init else _trained_model(folder, name, dtype)
    model.config.use_cache = False                      # keys and values of past tokens are never wanted
    tuned = (folder / "modules.json").exists() or (folder / "1_Pooling").exists()
    family = "sentence" if tuned else row.family
    return transformer.Encoder(model.to(where).eval(), tokenizer, row, name=name, family=family,
                               final_norm=final_norm,
                               sources=lambda: _sources(folder, config, dtype, where, random_init))


def choose_device(device: str) -> torch.device:
    """The one place that reads "auto": the environment variable DEVICE, else a GPU, else the CPU."""
    named = device
    if device == "auto":
        named = os.environ.get("DEVICE") or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        chosen = torch.device(named)
    except RuntimeError as error:
        raise UserError(f"there is no device {named!r}; use \"auto\", \"cpu\" or \"cuda\"") from error
    if chosen.type == "cuda" and (chosen.index or 0) >= torch.cuda.device_count():
        raise UserError(f"the device {named!r} was asked for but PyTorch sees {torch.cuda.device_count()} "
                        f"GPUs; use \"auto\" or \"cpu\"")
    return chosen


def read_config(folder: Path, name: str) -> dict:
    """The `config.json` of a transformer; refuses a folder without one."""
    if not (folder / "config.json").exists():
        raise UserError(f"the folder {folder} holds no model: there is no config.json in it; name a folder "
                        f"saved by save_pretrained, or one of an ELMo with options.json and weights.hdf5")
    try:
        return json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except ValueError as error:
        raise UserError(f"the config.json of {name} is not JSON; get a complete copy") from error


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """No progress bar, load report or warning of transformers meanwhile; its settings are put back after."""
    verbosity = logging.get_verbosity()
    hook = logging.set_tqdm_hook(lambda factory, args, kwargs: logging.EmptyTqdm(*args, **kwargs))
    logging.set_verbosity_error()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_tqdm_hook(hook)
        logging.set_verbosity(verbosity)


@contextlib.contextmanager
def _untouched_generator() -> Iterator[None]:
    """A fixed seed inside, and PyTorch's global generator as it was afterwards."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(RANDOM_SEED)
        yield


def _tokenizer(folder: Path, name: str):
    """The fast tokenizer as its `tokenizer.json` says, or converted from older files.

    For some types (Qwen2 is one) AutoTokenizer builds a tokenizer of its own from the vocabulary and drops
    the file's treatment of blanks, so the file is read directly.
    """
    kind = PreTrainedTokenizerFast if (folder / "tokenizer.json").exists() else AutoTokenizer
    try:
        tokenizer = kind.from_pretrained(folder, trust_remote_code=False)
    except Exception as error:                          # the tokenizers library raises nothing more precise
        raise UserError(f"no tokenizer can be read from the folder of {name}; "
                        f"it needs a complete tokenizer.json") from error
    if not tokenizer.is_fast:
        raise UserError(f"{name} has only a slow tokenizer ({type(tokenizer).__name__}), which gives no "
                        f"character offsets; choose a model with a tokenizer.json")
    return tokenizer


def _random_model(folder: Path, dtype: str):
    config = AutoConfig.from_pretrained(folder)
    return AutoModel.from_config(config, dtype=DTYPES[dtype], trust_remote_code=False)


def _trained_model(folder: Path, name: str, dtype: str):
    if not _weights(folder):
        raise UserError(f"the folder of {name} holds no safetensors, the only weights cwr reads; save the "
                        f"model with save_pretrained first, or use random_init=True")
    try:
        model, loading = AutoModel.from_pretrained(folder, dtype=DTYPES[dtype], use_safetensors=True,
                                                   trust_remote_code=False, output_loading_info=True)
    except (RuntimeError, SafetensorError) as error:    # other shapes than config.json says; a damaged file
        raise UserError(f"the weights of {name} are damaged or do not fit its config.json; get a complete "
                        f"copy of the folder") from error
    # a pooler sits behind the last layer and is never read; anything else missing would be silently random
    missing = sorted(key for key in loading["missing_keys"] if not key.startswith("pooler."))
    if missing:
        raise UserError(f"the weights of {name} lack {len(missing)} parts of the model (first: "
                        f"{missing[0]}), which would be random; get a complete copy")
    return model


def _weights(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.safetensors"))


def _sources(folder: Path, config: dict, dtype: str, device: torch.device, random_init: bool) -> dict:
    """Everything outside the Encoder's own settings that decides its numbers."""
    weights = {"seed": RANDOM_SEED}
    if not random_init:
        weights = {file.name: _sha256(file) for file in _weights(folder)}
    return {
        "weights": weights,
        "tokenizer": {file: _sha256(folder / file) for file in TOKENIZER_FILES if (folder / file).exists()},
        "config": config, "dtype": dtype, "device": device.type,
        "versions": {module.__name__: module.__version__ for module in (torch, transformers, tokenizers)},
    }


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
