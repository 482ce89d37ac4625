"""Which reruns are judged together: never two that differ in anything that changes numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cwr.errors import UserError, each

if TYPE_CHECKING:
    from cwr.report.results import Results

MODELS = "models"  # which models were run changes no model's numbers


@dataclass(frozen=True)
class Rerun:
    """One rerun of one notebook.

    folder: runs/<notebook>/<hash>. notebook: '<paper>/<NN_name>'. parameters: {name: value}.
    results: its estimates. ended: when they were written, in seconds since 1970.
    """

    folder: Path
    notebook: str
    parameters: dict
    results: "Results"
    ended: float

    def agrees(self, other: "Rerun") -> bool:
        """Whether the two have the same values of all parameters that both have, but the models."""
        shared = (set(self.parameters) & set(other.parameters)) - {MODELS}
        return all(self.parameters[name] == other.parameters[name] for name in shared)

    @property
    def name(self) -> str:
        """'<paper>/<NN_name>/<hash>'."""
        return f"{self.notebook}/{self.folder.name}"

    def __str__(self) -> str:
        return f"{self.name} ({_listed(self.parameters)})"


def _listed(parameters: dict) -> str:
    """Parameters but the models, for a sentence."""
    changing = {name: value for name, value in parameters.items() if name != MODELS}
    return ", ".join(f"{name} {value}" for name, value in changing.items())


def of_model(runs: Path, model: str, run: str | None, say: Callable[[str], None]) -> "Results":
    """The results of a model from one rerun, and from other notebooks' reruns that agree with it.

    runs: the folder of reruns. run: the beginning of a rerun's hash; None means the newest.
    say: is called with a line that names the runs judged, and one that names those left out; also
    for each rerun that cannot be read, with the file.
    Raises UserError if there is no such rerun, or none of the model.
    """
    from cwr.report import results

    reruns = _with_model(runs, model, say)
    if not reruns:
        raise UserError(
            f"there are no results of the model {model}: `cwr run ethayarajh2019 -p models MODEL` "
            "computes them (MODEL: its folder or hub id)"
        )
    judged = _agreeing(_first(reruns, model, run), reruns)
    common = {name: value for rerun in judged for name, value in rerun.parameters.items()}
    say(f"{model} is judged on {', '.join(rerun.name for rerun in judged)} ({_listed(common)})")
    left_out = [rerun for rerun in reruns if rerun not in judged]
    if left_out:
        say(f"left out, as other runs (--run names another): {'; '.join(map(str, left_out))}")
    return results.join(rerun.results for rerun in judged).of_model(model)


def _with_model(runs: Path, model: str, say: Callable[[str], None]) -> list[Rerun]:
    """All reruns with estimates of the model, the newest first; what cannot be read is left out."""
    folders = [file.parent for file in sorted(runs.glob("*/*/*/results.json"))]
    reruns = [
        rerun
        for rerun in each(folders, _rerun, say)
        if (rerun.results.table["model"] == model).any()
    ]
    return sorted(reruns, key=lambda rerun: (-rerun.ended, str(rerun.folder)))


def _rerun(folder: Path) -> Rerun:
    """The rerun in a folder. UserError if one of its files cannot be read."""
    from cwr.report import provenance, results

    notebook = f"{folder.parent.parent.name}/{folder.parent.name}"
    ended = (folder / "results.json").stat().st_mtime
    record = provenance.read(folder)
    return Rerun(folder, notebook, record["parameters"], results.read(folder), ended)


def _first(reruns: list[Rerun], model: str, run: str | None) -> Rerun:
    """The first rerun whose hash begins with `run`. Raises UserError if there is none."""
    for rerun in reruns:
        if rerun.folder.name.startswith(run or ""):
            return rerun
    hashes = ", ".join(rerun.folder.name for rerun in reruns)
    raise UserError(f"no rerun of {model} is called {run}: there are {hashes}")


def _agreeing(first: Rerun, reruns: list[Rerun]) -> list[Rerun]:
    """`first`, and of each other notebook the first rerun that agrees with all before it."""
    selected = [first]
    for rerun in reruns:
        is_new = all(rerun.notebook != other.notebook for other in selected)
        if is_new and all(rerun.agrees(other) for other in selected):
            selected.append(rerun)
    return selected
