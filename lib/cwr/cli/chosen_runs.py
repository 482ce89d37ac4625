"""Which of a reader's reruns are judged together: runs that differ in anything that changes numbers
never are.
"""
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cwr.errors import UserError

if TYPE_CHECKING:
    from cwr.report.results import Results

SHARED_BY_MODELS = "models"                                 # which models were run changes no model's numbers


@dataclass(frozen=True)
class Rerun:
    """One rerun of one notebook: its folder runs/<notebook>/<hash>, its parameters, and when it
    ended (seconds).
    """
    folder: Path
    notebook: str
    parameters: dict
    ended: float

    def agrees(self, other: "Rerun") -> bool:
        """Whether the two have the same values of all parameters that both have, but for the
        models.
        """
        shared = (set(self.parameters) & set(other.parameters)) - {SHARED_BY_MODELS}
        return all(self.parameters[name] == other.parameters[name] for name in shared)

    def __str__(self) -> str:
        shown = (f"{name} {value}" for name, value in self.parameters.items() if name != SHARED_BY_MODELS)
        return f"{self.notebook}/{self.folder.name} ({', '.join(shown)})"


def of_model(runs: Path, model: str, run: str | None, say: Callable[[str], None]) -> "Results":
    """The results of a model from one rerun, and from reruns of other notebooks with the same
    parameters.

    runs: the folder of reruns. run: the beginning of a rerun's hash; None takes the newest. `say`
        is told which runs
    were taken and which were left out. Raises UserError if there is no such rerun, or none of the
    model.
    """
    from cwr.report import results

    reruns = _with_model(runs, model)
    if not reruns:
        raise UserError(f"there are no results of the model {model}: "
                        f"`cwr run ethayarajh2019 -p models '[\"{model}\"]'` computes them")
    selected = [_first(reruns, model, run)]
    for rerun in reruns:
        notebooks = [other.notebook for other in selected]
        if rerun.notebook not in notebooks and all(rerun.agrees(other) for other in selected):
            selected.append(rerun)
    say(f"{model} is judged on {'; '.join(map(str, selected))}")
    left_out = [rerun for rerun in reruns if rerun not in selected]
    if left_out:
        say(f"left out, as other runs (--run names another): {'; '.join(map(str, left_out))}")
    return results.join(results.read(rerun.folder) for rerun in selected).of_model(model)


def _with_model(runs: Path, model: str) -> list[Rerun]:
    """All reruns with estimates of the model, the newest first."""
    reruns = [_rerun(file.parent) for file in runs.glob("*/*/*/results.json") if _has(file, model)]
    return sorted(reruns, key=lambda rerun: (-rerun.ended, str(rerun.folder)))


def _has(file: Path, model: str) -> bool:
    estimates = json.loads(file.read_text(encoding="utf-8"))["estimates"]
    return any(estimate.get("model") == model for estimate in estimates)


def _rerun(folder: Path) -> Rerun:
    parameters = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))["parameters"]
    notebook = f"{folder.parent.parent.name}/{folder.parent.name}"
    return Rerun(folder, notebook, parameters, (folder / "results.json").stat().st_mtime)


def _first(reruns: list[Rerun], model: str, run: str | None) -> Rerun:
    named = [rerun for rerun in reruns if rerun.folder.name.startswith(run or "")]
    if not named:
        raise UserError(f"no rerun of {model} is called {run}: there are {', '.join(r.folder.name for r in reruns)}")
    return named[0]
