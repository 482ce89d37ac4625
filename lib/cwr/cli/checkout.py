"""Finds a checkout's notebooks and profiles, and what a notebook needs to run."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pydantic
import yaml

from cwr import parameters, paths
from cwr.cli import dependencies
from cwr.errors import UserError, each_readable, most_like

_PROFILE = pydantic.TypeAdapter(dict[str, dict[str, Any]])
ALL = "all"  # what a reader calls all notebooks
LEAST_MEMORY = 2_000  # MB: of a notebook that names none
LIBRARY = Path("lib", "cwr")
RUN_MODELS = {  # a notebook that runs a model depends on one of them
    LIBRARY / "encoders" / "encoder.py",
    LIBRARY / "making" / "language_models" / "predictions.py",
}
NOT_RUN_BY_ITSELF = {"assignments", "profiles"}  # folders of notebooks/


def root() -> Path:
    """Returns the folder of the checkout that this library belongs to.

    Raises UserError for a library that was installed without its book.
    """
    if not (paths.CHECKOUT / "workflow" / "Snakefile").exists():
        raise UserError(
            "this cwr was installed without its book: clone the repository and run "
            "`make book` in it"
        )
    return paths.CHECKOUT


# ---- notebooks


def notebooks(folder: Path) -> list[str]:
    """Returns the names '<paper>/<NN_name>' of all notebooks that the workflow runs, sorted."""
    names = []
    for file in folder.glob("notebooks/*/*.ipynb"):
        chapter = file.parent.name
        if chapter not in NOT_RUN_BY_ITSELF and not chapter.startswith("."):
            names.append(f"{chapter}/{file.stem}")
    return sorted(names)


def path(folder: Path, name: str) -> Path:
    """Returns the file of the notebook `name` in the checkout `folder`."""
    return folder / "notebooks" / f"{name}.ipynb"


def of_chapters(folder: Path, chapters: Iterable[str]) -> list[str]:
    """Returns the names of the notebooks of some chapters (folders of notebooks/), in order.

    Without any chapter, returns all notebooks. Raises UserError for a chapter that does not exist.
    """
    names = notebooks(folder)
    existing = sorted({_chapter(name) for name in names})
    chapters = list(chapters)
    for chapter in chapters:
        if chapter not in existing:
            nearest = most_like(chapter, existing, least=0)
            hint = f"did you mean '{nearest}'?" if nearest else ""
            raise UserError(
                f"there is no chapter '{chapter}': {hint} There are {', '.join(existing)}"
            )
    selected = chapters or existing
    return [name for name in names if _chapter(name) in selected]


def selected(folder: Path, texts: Iterable[str]) -> list[str]:
    """Returns the names of the notebooks that a reader's texts mean (`matching`), in order.

    Without texts, or with "all" among them, returns all notebooks. Raises UserError as `matching`.
    """
    every, texts = notebooks(folder), list(texts)
    if ALL in texts or not texts:
        return every
    chosen = {name for text in texts for name in matching(folder, text)}
    return [name for name in every if name in chosen]


def matching(folder: Path, text: str) -> list[str]:
    """Returns the names of the notebooks that a text means: a name, a path, or a paper.

    Raises UserError, with the nearest name, if there is no such notebook.
    """
    names = notebooks(folder)
    name = _name_of_path(folder, text)
    hits = [notebook for notebook in names if name.strip("/") in (notebook, _chapter(notebook))]
    if not hits:
        nearest = most_like(name, [*names, *map(_chapter, names)], least=0)
        hint = f": did you mean '{nearest}'?" if name and nearest else ""
        raise UserError(f"there is no notebook '{name}'{hint} (`cwr list notebooks` shows all)")
    return hits


def _name_of_path(folder: Path, text: str) -> str:
    """Returns '<paper>/<NN_name>' for the path of a notebook, any other text unchanged."""
    if not text.endswith(".ipynb"):
        return text
    file = Path(text).absolute().with_suffix("")
    if not file.is_relative_to(folder / "notebooks"):
        return text
    return file.relative_to(folder / "notebooks").as_posix()


def _chapter(name: str) -> str:
    return name.split("/")[0]


# ---- profiles


def overrides(folder: Path, profile: str, name: str) -> dict[str, Any]:
    """Returns the values that a profile sets for a notebook: {parameter: value}, sorted.

    The profile's entry for the notebook counts in full. Its entries for the chapter and for all
    notebooks (`default`) count only for parameters that the notebook declares.
    Raises UserError for a profile that does not exist and a value of the wrong type.
    """
    settings = _profile(folder, profile)
    declared = parameters.read(path(folder, name))
    general = settings.get("default", {}) | settings.get(_chapter(name), {})
    changes = {key: value for key, value in general.items() if key in declared}
    changes |= settings.get(name, {})
    values = parameters.validate(path(folder, name), changes)
    return {key: values[key] for key in sorted(changes)}


def check_profile(folder: Path, profile: str) -> None:
    """Raises UserError for a profile that no run could use.

    Refused are a profile that does not exist or names an unknown notebook or chapter, and an entry
    for a chapter or for all (`default`) with a parameter that no notebook has. Notebooks whose
    parameters cannot be read are ignored: their own runs refuse them.
    """
    names = notebooks(folder)
    settings = _profile(folder, profile)
    mend = f"mend notebooks/profiles/{profile}.yaml"
    general = ["default", *map(_chapter, names)]
    for name in settings:
        if name not in [*names, *general]:
            raise UserError(
                f"profile {profile} sets parameters of '{name}', which is no notebook "
                f"of this book; {mend}"
            )
    defaults = {key for entry in general for key in settings.get(entry, {})}
    files = [path(folder, name) for name in names if defaults]
    declared = set().union(*each_readable(files, parameters.read, _silent))
    for key in sorted(defaults):
        if key not in declared:
            raise UserError(
                f"profile {profile} sets '{key}', which is a parameter of no notebook; {mend}"
            )


def refuse_unknown_profile(folder: Path, profile: str) -> None:
    """Raises UserError for a profile without a file of its name."""
    profiles = sorted(file.stem for file in (folder / "notebooks" / "profiles").glob("*.yaml"))
    if profile not in profiles:
        raise UserError(f"there is no profile '{profile}'; there are {', '.join(profiles)}")


def refuse_unknown_place(folder: Path, place: str) -> None:
    """Raises UserError for a folder of workflow/ without the engine's settings."""
    places = sorted(file.parent.name for file in folder.glob("workflow/*/config.yaml"))
    if place not in places:
        raise UserError(
            f"there is no workflow/{place}/config.yaml to run on; there are {', '.join(places)}"
        )


def _profile(folder: Path, profile: str) -> dict[str, dict[str, Any]]:
    """Reads a profile: {notebook, chapter or "default": {parameter: value}}.

    Raises UserError if there is no such profile, or if its file has another form.
    """
    refuse_unknown_profile(folder, profile)
    file = folder / "notebooks" / "profiles" / f"{profile}.yaml"
    try:
        settings = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
        return _PROFILE.validate_python(settings, strict=True)
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        raise UserError(
            f"{file.relative_to(folder)} is no mapping of notebooks to their parameters; mend it"
        ) from None


def _silent(line: str) -> None:
    """Says nothing."""


# ---- what a notebook needs


def reads_matrices(folder: Path, name: str) -> bool:
    """Tells whether a notebook reads token matrices and passes no text through a model.

    Raises UserError as `dependencies.files`.
    """
    files = dependencies.files(folder, path(folder, name))
    passes = LIBRARY / "extraction" / "passes.py"
    return LIBRARY / "encoders" / "matrices.py" in files and passes not in files


def memory_mb(folder: Path, name: str) -> int:
    """Returns twice the memory in MB that a notebook's *Needs* names for the profile `small`.

    A scheduler ends jobs that need more than they asked for, and other profiles read more text.
    """
    said = re.search(r"([\d.]+)\s+GB\s+of\s+memory", _prose(path(folder, name)))
    return int(2_000 * float(said[1]) if said else LEAST_MEMORY)


def _prose(notebook: Path) -> str:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def runs_models(folder: Path, name: str) -> bool:
    """Tells whether a notebook runs a model, and not only reads printed numbers or matrices.

    Raises UserError as `dependencies.files`.
    """
    return not RUN_MODELS.isdisjoint(dependencies.files(folder, path(folder, name)))
