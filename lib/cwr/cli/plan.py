"""What a run would need, and whether it can be had on this machine: nothing is fetched, loaded or computed."""
import importlib.util
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cwr import corpora, downloads
from cwr.corpora import wiki_text
from cwr.corpora.wiki_text import build
from cwr.encoders.hub import NAMES, PACKAGED
from cwr.encoders.shipped import SHIPPED
from cwr.errors import UserError

MODELS = ("models", "model")            # parameters that name models
DATA = ("corpora", "corpus")            # parameters that name corpora


def named(values: dict[str, Any], keys: Iterable[str]) -> list[str]:
    """The names that parameters of these keys hold, whether one or a list, each once and in order."""
    held = [values[key] for key in keys if values.get(key)]
    return list(dict.fromkeys(name for value in held for name in ([value] if isinstance(value, str) else value)))


def model(name: str) -> tuple[str, str]:
    """Revision of a model and whether it is here: `("cd5ef92...", "in the hub's cache")`."""
    if name in SHIPPED:
        return "cwr", "in the repository"
    if name in PACKAGED:
        here = importlib.util.find_spec(PACKAGED[name]) is not None
        return "package", "installed" if here else "not installed: run `make install`"
    if Path(name).expanduser().is_dir():
        return "folder", "here"
    hub_id, _, revision = name.partition("@")
    return revision or "not pinned", hub_cache(hub_id, revision or None)


def hub_cache(hub_id: str, revision: str | None) -> str:
    """Whether a model's configuration lies in the hub's cache; no request is made."""
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(hub_id, "config.json", revision=revision)
    except HFValidationError:
        raise UserError(f"'{hub_id}' is neither one of {', '.join(NAMES)}, nor a folder, nor a hub id") \
            from None
    return "in the hub's cache" if isinstance(found, str) else "not here: would be fetched from the hub"


def data(name: str) -> str:
    """Whether a corpus is here: in a package, in a folder of CWR_DATA, in the cache, or a file."""
    if name == build.SET and wiki_text.find("heldout"):
        return "here"                                        # already made; its source files are not needed
    rows = [row for row in downloads.rows() if row.set == name]
    if rows:
        lacking = [row for row in rows if downloads.local_copy(row) is None]
        size = sum(row.bytes for row in lacking) / 1e6
        return f"not here: {len(lacking)} of {len(rows)} files ({size:.1f} MB) would be fetched" if lacking else "here"
    if name in corpora.NAMES:
        return "in an installed package"
    return "here" if Path(name).expanduser().is_file() else "no such corpus and no such file"


def refuse_unpinned(values: dict[str, dict[str, Any]]) -> None:
    """Refuse hub models without a revision; values: parameters by notebook."""
    for notebook, given in values.items():
        for name in named(given, MODELS):
            if model(name)[0] == "not pinned":
                raise UserError(f"profile paper takes only pinned models, and {notebook} names {name} without a "
                                f"revision: write {name}@REVISION, or add --allow-unpinned")


def lines(values: dict[str, dict[str, Any]]) -> Iterable[str]:
    """The plan of a run as text; values: parameters by notebook."""
    yield "notebooks and their parameters"
    for notebook, given in values.items():
        yield f"  {notebook}"
        yield from (f"    {name} = {value!r}" for name, value in given.items())
    models = dict.fromkeys(name for given in values.values() for name in named(given, MODELS))
    sets = dict.fromkeys(name for given in values.values() for name in named(given, DATA))
    yield "models"
    for name in models:
        revision, here = model(name)
        yield f"  {name.partition('@')[0]}  ({revision})  {here}"
    yield "data"
    yield from (f"  {name}  {data(name)}" for name in sets)
