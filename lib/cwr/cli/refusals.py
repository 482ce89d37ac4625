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
    """Returns {a sentence of refusal: the notebooks that would say it}.

    folder: the checkout. settings: {notebook: {parameter: value}}, without defaults. is_plan: True
        fetches nothing, and lets a file or folder below ~ be made later; False fetches the
        configurations of hub models that are not at hand.
    """
    said: dict[str, list[str]] = {}
    for name, changes in settings.items():
        for sentence in dict.fromkeys(_of_notebook(folder, name, changes, is_plan)):
            said.setdefault(sentence, []).append(name)
    return said


def lines(said: dict[str, list[str]], n_notebooks: int) -> Iterator[str]:
    """Yields the sentences of `of_run`, each after the names of the notebooks that would say it.

    said: as `of_run` returns it. The names are left out if all `n_notebooks` would say the
        sentence, or if the sentence itself names one of them.
    """
    for sentence, names in said.items():
        is_plain = len(names) == n_notebooks or any(name in sentence for name in names)
        yield sentence if is_plain else f"{', '.join(names)}: {sentence}"


def _of_notebook(folder: Path, name: str, changes: dict, is_plan: bool) -> Iterator[str]:
    """The refusals of one notebook: of what its parameters name, then of their values."""
    notebook = checkout.path(folder, name)
    declared = parameters.read(notebook)
    values = {key: parameter.default for key, parameter in declared.items()} | changes
    if is_plan:
        values = {key: _without_later(value) for key, value in values.items()}
    of_matrices = checkout.reads_matrices(folder, name)
    said = list(plan.unusable(values, of_matrices))
    absent = [model for model in plan.named(values, plan.MODELS) if not (said or _is_here(model))]
    if absent and not is_plan:
        said = [*plan.said(_fetch_configuration, absent)] or plan.unusable(values, of_matrices)
    yield from said
    yield from plan.said(lambda given: parameters.validate(notebook, given), [changes])


def _is_here(model: str) -> bool:
    """Whether the small files of a model are on this machine."""
    return at_hand.folder(model) is not None


def _fetch_configuration(model: str) -> None:
    """Fetch them. UserError if they cannot be had."""
    hub.find(model, weights=False, convert=False)


def _without_later(value: Any) -> Any:
    """A value without the names of a reader's folders and files that are not there yet."""
    if isinstance(value, list):
        return [entry for entry in value if _without_later(entry) == entry]
    is_later = isinstance(value, str) and value.startswith(plan.HOME) and not paths.named(value)
    return "" if is_later else value
