"""Opens the model in a folder as an Encoder: configuration, tokenizer and weights, all checked."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeVar

import tokenizers
import torch
import transformers
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from cwr.encoders import weights
from cwr.encoders.architectures import architecture_of
from cwr.encoders.configuration import is_elmo, is_tuned_for_sentences, read_config
from cwr.encoders.encoder import Encoder
from cwr.encoders.hub import ModelFolder
from cwr.encoders.probe import refuse_unreadable
from cwr.encoders.quiet import quiet
from cwr.encoders.random_blocks import BLOCKS_OF_ELMO, blocks_of, with_random_blocks
from cwr.encoders.transformer import TransformerEncoder
from cwr.errors import UserError, quoted

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
VOCABULARIES = (
    "tokenizer.json",
    "vocab.json",
    "vocab.txt",
    "tokenizer.model",
    "sentencepiece.bpe.model",
    "spiece.model",
    "spm.model",
)
TOKENIZER_FILES = (
    *VOCABULARIES,
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "merges.txt",
)
BLOCKS = "blocks"
RandomInit = bool | Literal["blocks"]
Model = TypeVar("Model", bound=torch.nn.Module)


def open_encoder(
    source: ModelFolder,
    *,
    device: str,
    dtype: str,
    random_init: RandomInit,
    seed: int,
    final_norm: bool,
) -> Encoder:
    """Opens the encoder in this folder, with the arguments and errors of `cwr.encoders.load`.

    Raises UserError for an unknown dtype, device or random_init, a folder that does not hold a
    whole model, and a model that cannot encode a plain English sentence (`probe`).
    """
    if random_init not in (False, True, BLOCKS):
        raise UserError(
            f"random_init is {quoted(str(random_init))}; use False for the trained weights, True "
            f'for weights as initialised, or "{BLOCKS}" for random blocks under the trained input'
        )
    if dtype not in DTYPES:
        raise UserError(f"there is no dtype {dtype!r}; choose one of {', '.join(DTYPES)}")
    target = choose_device(device)
    if is_elmo(source.folder):
        encoder = _open_elmo(source, dtype, target, random_init, seed)
    else:
        encoder = _open_transformer(source, dtype, target, random_init, seed, final_norm)
    refuse_unreadable(encoder)
    return encoder


def choose_device(device: str) -> torch.device:
    """Returns the named device; "auto" means the variable DEVICE, else a GPU, else the CPU.

    Raises UserError if PyTorch cannot compute on the device here.
    """
    name = device
    if device == "auto":
        name = os.environ.get("DEVICE") or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        target = torch.device(name)
        torch.ones(1, device=target).item()  # "meta" has no numbers, "mps" is not on every machine
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise UserError(
            f'PyTorch cannot compute on the device {quoted(name)} here; use "auto", "cpu" or one '
            f"of the {torch.cuda.device_count()} GPUs that it sees"
        ) from error
    return target


def _open_elmo(
    source: ModelFolder, dtype: str, device: torch.device, random_init: RandomInit, seed: int
) -> Encoder:
    """Opens an ELMo. Raises UserError for another dtype than float32, and for damaged files."""
    from cwr.encoders.elmo.encoder import ELMoEncoder  # a transformer needs none of them
    from cwr.encoders.elmo.files import read_options
    from cwr.encoders.elmo.model import ELMo

    if dtype != "float32":
        raise UserError(
            f"{source.name} is an ELMo, which computes in float32 only, not in "
            f"{dtype}; leave dtype out"
        )
    options_file, weights_file = source.folder / "options.json", source.folder / "weights.hdf5"
    options = read_options(options_file)
    with torch.device("meta"):
        weights.refuse_too_large(source.name, ELMo(options), DTYPES[dtype])
    model = _weighted(
        lambda: ELMo.from_files(options_file, weights_file),
        lambda: ELMo(options).eval(),
        BLOCKS_OF_ELMO,
        random_init,
        seed,
    )

    def sources() -> dict:
        """Returns everything outside the Encoder's own settings that decides its numbers."""
        return {
            "weights": _origin([weights_file], random_init, seed),
            "options": options.model_dump(),
            "dtype": dtype,
            "device": device.type,
            "versions": {torch.__name__: torch.__version__},
        }

    return ELMoEncoder(model.to(device), name=source.name, sources=sources)


def _open_transformer(
    source: ModelFolder,
    dtype: str,
    device: torch.device,
    random_init: RandomInit,
    seed: int,
    final_norm: bool,
) -> TransformerEncoder:
    name, folder = source.name, source.folder
    config = read_config(folder, name)
    architecture = architecture_of(config, name)
    with quiet():
        tokenizer = _tokenizer(folder, name)
        model = _weighted(
            lambda: weights.trained_model(folder, name, DTYPES[dtype]),
            lambda: weights.random_model(folder, name, DTYPES[dtype]),
            blocks_of(architecture),
            random_init,
            seed,
        )
    model.config.use_cache = False  # keys and values of past tokens are never wanted
    family = "sentence" if is_tuned_for_sentences(folder) else architecture.family
    return TransformerEncoder(
        model.to(device).eval(),
        tokenizer,
        architecture,
        name=name,
        family=family,
        final_norm=final_norm,
        sources=lambda: _sources(folder, config, dtype, device, random_init, seed),
    )


def _weighted(
    trained: Callable[[], Model],
    initialised: Callable[[], Model],
    blocks: tuple[str, ...],
    random_init: RandomInit,
    seed: int,
) -> Model:
    """Returns the trained model, the untrained one, or the trained input under random blocks.

    PyTorch's global generator is seeded meanwhile and restored afterwards.
    """
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        if not random_init:
            return trained()
        if random_init is True:
            return initialised()
        return with_random_blocks(trained(), initialised(), blocks, seed)


def _tokenizer(folder: Path, name: str):
    """Reads the fast tokenizer in `tokenizer.json`, or converts one from older files.

    The file is read directly: for some types (Qwen2, say) AutoTokenizer would build a tokenizer
    from the vocabulary alone and drop the file's treatment of blanks.
    Raises UserError for a folder without a vocabulary (transformers would make an empty one), for
    a damaged tokenizer and for a slow one.
    """
    if not any((folder / vocabulary).is_file() for vocabulary in VOCABULARIES):
        raise UserError(
            f"the folder of {name} holds no vocabulary, so every word would be unknown; it needs "
            "its tokenizer.json"
        )
    kind = PreTrainedTokenizerFast if (folder / "tokenizer.json").exists() else AutoTokenizer
    try:
        tokenizer = kind.from_pretrained(folder, trust_remote_code=False)
    except Exception as error:  # the tokenizers library raises nothing more precise
        raise UserError(
            f"no tokenizer can be read from the folder of {name}; "
            f"it needs a complete tokenizer.json"
        ) from error
    if not isinstance(tokenizer.model_max_length, int | float):
        raise UserError(
            f"the tokenizer_config.json of {name} has a model_max_length that is no number, "
            f"{quoted(str(tokenizer.model_max_length))}; give a number of pieces"
        )
    if not tokenizer.is_fast:
        raise UserError(
            f"{name} has only a slow tokenizer ({type(tokenizer).__name__}), which "
            "gives no character offsets; choose a model with a tokenizer.json"
        )
    return tokenizer


def _sources(
    folder: Path,
    config: dict,
    dtype: str,
    device: torch.device,
    random_init: RandomInit,
    seed: int,
) -> dict:
    """Returns everything outside the Encoder's own settings that decides its numbers."""
    files = [name for name in TOKENIZER_FILES if (folder / name).exists()]
    libraries = (torch, transformers, tokenizers)
    return {
        "weights": _origin(weights.files(folder), random_init, seed),
        "tokenizer": {name: _sha256(folder / name) for name in files},
        "config": config,
        "dtype": dtype,
        "device": device.type,
        "versions": {library.__name__: library.__version__ for library in libraries},
    }


def _origin(files: list[Path], random_init: RandomInit, seed: int) -> dict[str, str | int]:
    """Returns the origin of weights: the digest of each file, a seed, or both."""
    if random_init is True:
        return {"seed": seed}
    digests = {file.name: _sha256(file) for file in files}
    return digests | ({"seed of the blocks": seed} if random_init else {})


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
