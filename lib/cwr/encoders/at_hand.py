"""Reads facts about a model from its small files on this machine; opens no weights."""

import functools
import importlib.util
from pathlib import Path

from cwr.encoders import hub
from cwr.encoders.architectures import architecture_of
from cwr.encoders.configuration import is_elmo, read_config
from cwr.encoders.layer_count import layer_count
from cwr.errors import UserError, quoted


def folder(name: str) -> Path | None:
    """Returns a model's folder on this machine; None if the model would have to be fetched.

    name: as `encoders.load` takes it. A packaged model's folder is that of its GGUF file. Raises
    UserError for a name that cannot be a model's.
    """
    hub.results_name(name)
    if name in hub.PACKAGED and importlib.util.find_spec(hub.PACKAGED[name]) is None:
        return None
    if name in hub.NAMES or hub.is_folder(name):
        return hub.find(name, convert=False).folder
    hub_id, _, revision = name.partition("@")
    return snapshot(hub_id, revision or None)


def snapshot(hub_id: str, revision: str | None) -> Path | None:
    """Returns a model's folder in the hub's cache, named after the commit; None if there is none.

    Raises UserError for a string that cannot be a hub id.
    """
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        file = try_to_load_from_cache(hub_id, "config.json", revision=revision)
    except HFValidationError:
        raise UserError(
            f"{quoted(hub_id)} is neither one of {', '.join(hub.NAMES)}, nor a folder, nor a hub id"
        ) from None
    return Path(file).parent if isinstance(file, str) else None


def depth(name: str) -> int | None:
    """Returns the number of layers of a model; None if it is not at hand or its files do not say.

    Raises UserError for a name that cannot be a model's.
    """
    found = folder(name)
    if found is None:
        return None
    packed = next(found.glob("*.gguf"), None)
    return _blocks(packed) if packed else layer_count(found)


@functools.cache  # a second or two, of which the vocabulary takes most
def _blocks(packed: Path) -> int | None:
    from cwr.encoders.gguf_file import GGUFFile

    file = GGUFFile(packed)
    return file.field(f"{file.field('general.architecture')}.block_count")


def has_tokenizer(name: str) -> bool:
    """Tells whether a model cuts words into pieces: False only for an ELMo that is at hand."""
    try:
        found = folder(name)
    except UserError:  # no name of a model
        return True
    return found is None or not is_elmo(found)


def refuse_unreadable(name: str) -> None:
    """Raises UserError for a model at hand whose layers cannot be read, by its `config.json`.

    Errors as `architecture_of` and `read_config`; UserError for a name that cannot be a model's.
    """
    found = folder(name)
    if found and name not in hub.NAMES and not is_elmo(found):
        called = hub.results_name(name)
        architecture_of(read_config(found, called), called)
