"""Collects what the notebooks of a run would refuse, before a kernel starts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cwr import parameters, paths
from cwr.cli import checkout, plan
from cwr.encoders import at_hand, hub


def of_run(
    folder: Path, settings: dict[str, dict[str, Any]], is_plan: bool
) -> dict[str, list[str]]:
    """Returns {sentence of refusal: the notebooks that it concerns}.

    folder: the checkout. settings: {notebook: {parameter: value}}, without defaults. is_plan: True
        fetches nothing and accepts files and folders below ~ that do not exist yet; False fetches
        the configurations of hub models that are not at hand.
    """
    said: dict[str, list[str]] = {}
    for name, changes in settings.items():
        for sentence in dict.fromkeys(_of_notebook(folder, name, changes, is_plan)):
            said.setdefault(sentence, []).append(name)
    return said


def lines(said: dict[str, list[str]], n_notebooks: int) -> Iterator[str]:
    """Yields the sentences of `of_run`, each after the names of its notebooks.

    said: as `of_run` returns it. The names are left out if the sentence concerns all `n_notebooks`,
        or names one of its notebooks.
    """
    for sentence, names in said.items():
        is_plain = len(names) == n_notebooks or any(name in sentence for name in names)
        yield sentence if is_plain else f"{', '.join(names)}: {sentence}"


def _of_notebook(folder: Path, name: str, changes: dict, is_plan: bool) -> Iterator[str]:
    """Yields the refusals of one notebook: of names in its parameters, then of their values."""
    notebook = checkout.path(folder, name)
    declared = parameters.read(notebook)
    values = {key: parameter.default for key, parameter in declared.items()} | changes
    if is_plan:
        values = {key: _without_later(value) for key, value in values.items()}
    of_matrices = checkout.reads_matrices(folder, name)
    said = list(plan.unusable(values, of_matrices))
    absent = [
        model for model in plan.named(values, plan.MODELS) if not (said or at_hand.folder(model))
    ]
    if absent and not is_plan:
        said = [*plan.said(_fetch_configuration, absent)] or plan.unusable(values, of_matrices)
    yield from said
    yield from plan.said(lambda given: parameters.validate(notebook, given), [changes])


def _fetch_configuration(model: str) -> None:
    """Fetches a model's small files. UserError if that fails."""
    hub.find(model, weights=False, convert=False)


def _without_later(value: Any) -> Any:
    """Returns a value without names of files and folders below ~ that do not exist yet."""
    if isinstance(value, list):
        return [entry for entry in value if _without_later(entry) == entry]
    is_later = isinstance(value, str) and value.startswith(plan.HOME) and not paths.named(value)
    return "" if is_later else value
