"""Lists the needs of a run, and which of them are on this machine; fetches nothing."""

import hashlib
import importlib.util
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from cwr import corpora, downloads, paths
from cwr.corpora import (
    datasets,
    edge_tasks,
    labelled,
    one_sentence,
    tasks,
    wiki_text,
    word_benchmarks,
    word_pairs,
    word_vectors,
)
from cwr.corpora.treebanks import licensed
from cwr.corpora.wiki_text import build
from cwr.encoders import at_hand, hub
from cwr.encoders.hub import PACKAGED
from cwr.encoders.printed import PRINTED
from cwr.encoders.shipped import SHIPPED
from cwr.errors import UserError, hint, quoted

MODELS = (
    "models",
    "model",
    "teachers",
    "teacher",
    "readers",
    "tuned",
    "matrices",
    "sentence_models",
    "parents",
)  # parameters that name models
DATA = ("corpora", "corpus", "text", "unread", "twins", "tagged")  # that name corpora
SETS = {"sets": word_pairs.KIND, "benchmarks": word_benchmarks.KIND}  # that name sets of a kind
SENTENCE_TASKS = ("glue",)  # parameters that name tasks about sentences
VECTORS = ("static", "rival")  # parameters that name word vectors
TASKS = ("tasks", "task", "transfer", "tuned_tasks", "copied_tasks", "compared_tasks")
TASK_NAMES = tuple(dict.fromkeys((*edge_tasks.NAMES, *tasks.NAMES, *labelled.NAMES)))
WORDS = ("phrase", "span")  # parameters that name words of a sentence, `text`
PINNED = re.compile(r"cwr|package|[0-9a-f]{40}")  # a branch, a tag and a folder may change
HOME = "~/"  # a folder of the reader's, which may not be there yet
WIKI_TEXT = {  # its corpora, by the part that each is cut from
    "wiki-text": "heldout",
    "wiki-read": "train",
    "wiki-unread": "train",
    "wiki-listed": "train",
}
WEIGHTS = ("options.json", "*.hdf5", "*.safetensors")  # files that decide a model's numbers


def named(values: dict[str, Any], keys: Iterable[str]) -> list[str]:
    """Returns the names in the values of these parameters, without repetitions.

    values: {parameter: value} of one notebook.
    """
    names = []
    for key in keys:
        names += named_in(values.get(key))
    return list(dict.fromkeys(names))


def named_in(value: str | list[str] | None) -> list[str]:
    """Returns the names in one parameter's value, a text or a list; [] for an empty text."""
    return [value] if value and isinstance(value, str) else list(value or [])


def corpora_of(values: dict[str, Any]) -> list[str]:
    """Returns the corpora that the parameters of one notebook name.

    If there is a parameter `corpus`, the parameter `text` is a sentence and names no corpus.
    """
    keys = [key for key in DATA if key != "text" or "corpus" not in values]
    return named(values, keys)


def model(name: str) -> tuple[str, str]:
    """Returns a model's revision and where it is: `("cd5ef92...", "in the hub's cache")`.

    Raises UserError for a name that cannot be a model's.
    """
    if name in SHIPPED:
        return "cwr", "in the repository"
    if name in PACKAGED:
        is_installed = importlib.util.find_spec(PACKAGED[name]) is not None
        return "package", "installed" if is_installed else "not installed: run `make install`"
    folder = paths.named(name)
    if folder and folder.is_dir():
        return "folder", "here"
    if name.startswith(HOME):
        return "folder", "not here: make it, as the page 'An online day' says"
    hub_id, _, revision = name.partition("@")
    return revision or "not pinned", hub_cache(hub_id, revision or None)


def hub_cache(hub_id: str, revision: str | None) -> str:
    """Tells, as a phrase, whether a model's configuration is in the hub's cache; sends no request.

    Raises UserError for a text that cannot be a hub id.
    """
    is_here = at_hand.snapshot(hub_id, revision) is not None
    return "in the hub's cache" if is_here else "not here: would be fetched from the hub"


def data(name: str) -> str:
    """Tells, as a phrase, whether a corpus is in a package, CWR_DATA or the cache, or a file."""
    if name in WIKI_TEXT and wiki_text.find(WIKI_TEXT[name]):
        return "here"  # built before; its source files are not needed
    if name in licensed.FILES:
        return "here" if licensed.find(name) else f"not here: licensed; {licensed.lack(name)}"
    source = build.SET if name in WIKI_TEXT else name
    rows = [row for row in downloads.rows() if row.set == source]
    if rows:
        return _files(rows)
    if name in corpora.NAMES:
        return "in an installed package"
    file = paths.named(name)
    return "here" if file and file.is_file() else "no such corpus and no such file"


def dataset(name: str, kind: str) -> str:
    """Tells, as a phrase, whether a data set is in a package, in CWR_DATA or the cache.

    kind: as in `datasets.find`. Raises UserError for an unknown name.
    """
    rows = datasets.find(name, kind).downloads
    return _files(rows) if rows else "in an installed package"


def _files(rows: list) -> str:
    """Tells, as a phrase, how many of a data set's files (rows of `downloads`) would be fetched."""
    lacking = [row for row in rows if downloads.local_copy(row) is None]
    if not lacking:
        return "here"
    megabytes = sum(row.bytes for row in lacking) / 1e6
    return f"not here: {len(lacking)} of {len(rows)} files ({megabytes:.1f} MB) would be fetched"


def refuse_unpinned(values: dict[str, dict[str, Any]]) -> None:
    """Raises UserError for a hub model without a commit, and for a model in a folder.

    values: {notebook: {parameter: value}}.
    """
    for notebook, settings in values.items():
        for name in named(settings, MODELS):
            if not _is_pinned(name):
                raise UserError(
                    f"profile paper takes only pinned models, and {notebook} names {_lack(name)}"
                    "--allow-unpinned, which tells what was found"
                )


def _lack(name: str) -> str:
    """Returns why a model is not pinned, and the beginning of a remedy, for an error's sentence."""
    if model(name)[0] == "folder":
        return f"{name}, a folder, whose files may be any: add "
    hub_id = name.partition("@")[0]
    return f"{name} without a commit of 40 digits: write {hub_id}@COMMIT, or add "


def _is_pinned(name: str) -> bool:
    """Tells whether a name always means the same weights; UserError if it cannot be a model's."""
    return bool(PINNED.fullmatch(model(name)[0]))


def pins(values: dict[str, dict[str, Any]]) -> Iterable[str]:
    """Yields a line with the sha256 of each weight file of each model that is not pinned.

    A model is a folder, or a hub model without a commit, which is named with the commit in the
    hub's cache. A model that is not here yields nothing.

    values: {notebook: {parameter: value}}.
    """
    for name in _named_anywhere(values, MODELS):
        folder, called = (None, name) if _is_pinned(name) else _found(name)
        for file, digest in hashes_of_weights(folder) if folder else []:
            yield f"not pinned, found: {called}  {file}  sha256 {digest}"


def _found(name: str) -> tuple[Path | None, str]:
    """Returns the folder of an unpinned model, or None, and its name: of a hub model, id@commit."""
    if model(name)[0] == "folder":
        return paths.named(name), name
    hub_id, _, revision = name.partition("@")
    folder = at_hand.snapshot(hub_id, revision or None)
    return folder, f"{hub_id}@{folder.name}" if folder else name


def hashes_of_weights(folder: Path) -> Iterator[tuple[str, str]]:
    """Yields (name, sha256) of each file of weights or options in a model's folder, sorted."""
    for file in sorted(file for pattern in WEIGHTS for file in folder.glob(pattern)):
        with file.open("rb") as stream:
            yield file.name, hashlib.file_digest(stream, "sha256").hexdigest()


def lines(
    values: dict[str, dict[str, Any]], of_matrices: Collection[str] = (), strict: bool = False
) -> Iterable[str]:
    """Yields the plan of a run as lines of text.

    values: {notebook: {parameter: value}}. of_matrices: the notebooks that read token matrices.
        strict: whether a run refuses models that are not pinned. Raises UserError for a name that
        cannot be a model's or a set's.
    """
    yield "notebooks and their parameters"
    for notebook, settings in values.items():
        yield f"  {notebook}"
        yield from (f"    {name} = {value!r}" for name, value in settings.items())
    yield "models"
    for name in _named_anywhere(values, MODELS):
        revision, state = model(name)
        yield f"  {name.partition('@')[0]}  ({revision})  {state}"
    tensors = {name: values[name] for name in of_matrices}
    names = [name for name in _named_anywhere(tensors, MODELS) if name.partition("@")[0] in PRINTED]
    if names:
        yield "token matrices, one tensor a model"
        yield from (f"  {_tensor(name, strict)}" for name in names)
    yield "data"
    names = dict.fromkeys(name for settings in values.values() for name in corpora_of(settings))
    yield from (f"  {name}  {data(name)}" for name in names)
    for key, kind in SETS.items():
        yield from (f"  {name}  {dataset(name, kind)}" for name in _named_anywhere(values, [key]))
    for name in _named_anywhere(values, SENTENCE_TASKS):
        yield f"  {name}  {dataset(tasks.SETS.get(name, name), labelled.KIND)}"


def _tensor(name: str, strict: bool) -> str:
    """Returns a line: which tensor of which file of a printed model is read, or refused."""
    hub_id, _, revision = name.partition("@")
    tensor = f"{PRINTED[hub_id].name}: {PRINTED[hub_id].tensor} of {hub_id}/model.safetensors"
    if _is_pinned(name):
        return f"{tensor} at {revision}"
    refused = ", refused without --allow-unpinned" if strict else ""
    return f"{tensor}, not pinned{refused}"


def unusable(values: dict[str, Any], of_matrices: bool = False) -> Iterator[str]:
    """Yields a sentence for each name in a notebook's parameters that the notebook would refuse.

    Refused are names that cannot be a model's, two models with one name, models at hand whose
    layers cannot be read, unknown corpora, sets, benchmarks, word vectors and tasks, and words that
    are not in their sentence. values: {parameter: value} of one notebook. of_matrices: True for a
    notebook that reads only token matrices, which models of any type have.
    """
    models = [key for key in MODELS if key in values]
    for names in [*(named_in(values[key]) for key in models), named(values, models)]:
        yield from said(hub.refuse_namesakes, [names])
    read = [key for key in models if not (of_matrices or key == "matrices")]
    yield from said(at_hand.refuse_unreadable, named(values, read))
    yield from said(corpora.stream, corpora_of(values))
    for key, kind in SETS.items():
        yield from said(partial(datasets.find, kind=kind), named(values, [key]))
    yield from said(word_vectors.check, named(values, VECTORS))
    yield from said(partial(_check_task, tasks.SETS), named(values, SENTENCE_TASKS))
    yield from said(partial(_check_task, TASK_NAMES), named(values, TASKS))
    for key in WORDS:
        if key in values:
            yield from said(
                lambda words: one_sentence.words_of(values["text"], words), [values[key]]
            )


def said(check: Callable, items: Iterable) -> Iterator[str]:
    """Yields the message of each UserError that `check` raises on an item."""
    for item in items:
        try:
            check(item)
        except UserError as error:
            yield str(error)


def _check_task(names: Collection[str], name: str) -> None:
    if name not in names:
        raise UserError(f"there is no task {quoted(name)}: {hint(name, names)}")


def _named_anywhere(values: dict[str, dict[str, Any]], keys: Iterable[str]) -> list[str]:
    """Returns the names in these parameters of all notebooks, without repetitions."""
    names = [name for settings in values.values() for name in named(settings, keys)]
    return list(dict.fromkeys(names))
