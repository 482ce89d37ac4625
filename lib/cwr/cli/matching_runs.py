"""Chooses the reruns of a model that are judged together, because their parameters agree."""

import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cwr.cli import plan
from cwr.encoders.hub import results_name
from cwr.errors import UserError, each_readable
from cwr.papers import registry

if TYPE_CHECKING:
    from cwr.report.results import Results

# Parameters that mean the same in all notebooks of a chapter that a verdict reads.
SAME = ("corpus", "seed")
SAME_IN = {
    "ethayarajh2019": ("sentences", "sampling", "pooling", "skip_first_position", "final_norm")
}


@dataclass(frozen=True)
class Rerun:
    """One rerun of one notebook.

    folder: runs/<notebook>/<hash>. notebook: '<paper>/<NN_name>'. parameters: {name: value}.
    results: its estimates. asked: the start of the last command that asked for it, in seconds since
    1970; all reruns of one command share this time.
    """

    folder: Path
    notebook: str
    parameters: dict
    results: "Results"
    asked: float

    @property
    def chapter(self) -> str:
        """The name of the chapter, '<paper>'."""
        return self.notebook.partition("/")[0]

    @property
    def name(self) -> str:
        """The name of the rerun, '<paper>/<NN_name>/<hash>'."""
        return f"{self.notebook}/{self.folder.name}"

    def path_of(self, model: str) -> str | None:
        """Returns the folder or hub id by which the parameters name a model, else None.

        model: the model's name in results.
        """
        for path in plan.named(self.parameters, plan.MODELS):
            with suppress(UserError):  # a folder that is gone
                if results_name(path) == model:
                    return path
        return None

    def differs_in(self, other: "Rerun", model: str) -> list[str]:
        """Returns the differences that keep two reruns of a model from being judged together.

        They are ["notebook"] for two reruns of one notebook; otherwise "model" and the names of
        parameters, as far as these differ. Reruns of one command differ in nothing else. A text's claims are about its own
        chapter, so a rerun of another chapter may have another corpus.
        """
        if self.notebook == other.notebook:
            return ["notebook"]
        if self.asked == other.asked:
            return []
        names = ["model"] if self.path_of(model) != other.path_of(model) else []
        if self.chapter == other.chapter:
            names += (*SAME, *SAME_IN.get(self.chapter, ()))
            shared = set(self.parameters) & set(other.parameters)
            names = [
                name
                for name in names
                if name == "model"
                or (name in shared and self.parameters[name] != other.parameters[name])
            ]
        return names


def of_model(runs: Path, model: str, run: str | None, say: Callable[[str], None]) -> "Results":
    """Returns the results of one rerun of a model, joined with other notebooks' matching reruns.

    runs: the folder of reruns. run: the beginning of a rerun's hash; None means the newest. Other
        reruns of the same command are preferred, then the newest of each notebook.
    say: gets a line that names the runs judged, one that counts those left out, and one for each
        rerun that cannot be read.
    Raises UserError if there is no such rerun, or none of the model.
    """
    from cwr.report import results

    reruns = _with_model(runs, model, say)
    if not reruns:
        raise UserError(
            f"there are no results of the model {model}: `cwr run ethayarajh2019 -p models MODEL` "
            "computes them (MODEL: its folder or hub id)"
        )
    judged, reasons = _agreeing(_first(reruns, model, run), reruns, model)
    say(f"{model} is judged on {', '.join(rerun.name for rerun in judged)}")
    if reasons:
        say(f"left out: {_counted(reasons)} (--run and a hash judges another)")
    return results.join(rerun.results for rerun in judged)


def _counted(reasons: list[str]) -> str:
    """Counts the reruns left out by reason: "2 with another corpus, 3 with another model"."""
    return ", ".join(f"{count} {reason}" for reason, count in Counter(reasons).items())


def measured(folder: Path) -> "Results | None":
    """Reads a rerun's estimates for judging claims, with those of untrained copies.

    Returns None for a notebook outside the texts, and for one that compares choices. Raises
    UserError for results that cannot be read.
    """
    from cwr.report import results

    if folder.parts[-3] not in registry.KEYS:
        return None
    estimates = results.read(folder)
    return None if results.compares_choices(estimates) else estimates.without_choices()


def _with_model(runs: Path, model: str, say: Callable[[str], None]) -> list[Rerun]:
    """Returns all readable reruns with estimates of the model, the newest first."""
    folders = [file.parent for file in sorted(runs.glob("*/*/*/results.json"))]
    reruns = [
        rerun
        for rerun in each_readable(folders, _rerun, say)
        if rerun and (rerun.results.table["model"] == model).any()
    ]
    return sorted(reruns, key=lambda rerun: (-rerun.asked, str(rerun.folder)))


def _rerun(folder: Path) -> Rerun | None:
    """Reads the rerun in a folder; None without estimates. UserError for an unreadable file."""
    from cwr.report import provenance

    estimates = measured(folder)
    if estimates is None:
        return None
    notebook = f"{folder.parent.parent.name}/{folder.parent.name}"
    return Rerun(folder, notebook, provenance.read(folder)["parameters"], estimates, _asked(folder))


def _asked(folder: Path) -> float:
    """Returns when a rerun was last asked for; without a record, when its results were written."""
    with suppress(OSError, ValueError, LookupError, TypeError):
        return float(json.loads((folder / "run.json").read_bytes())["asked"])
    return (folder / "results.json").stat().st_mtime


def _first(reruns: list[Rerun], model: str, run: str | None) -> Rerun:
    """Returns the first rerun whose hash begins with `run`. Raises UserError if there is none."""
    for rerun in reruns:
        if rerun.folder.name.startswith(run or ""):
            return rerun
    hashes = ", ".join(rerun.folder.name for rerun in reruns)
    raise UserError(f"no rerun of {model} is called {run}: there are {hashes}")


def _agreeing(first: Rerun, reruns: list[Rerun], model: str) -> tuple[list[Rerun], list[str]]:
    """Returns `first` and the reruns that agree with it and each other; why others are left out.

    Reruns of the same command are tried first, then the others, the newest first.
    """
    judged, reasons = [first], []
    for rerun in sorted(reruns, key=lambda rerun: rerun.asked != first.asked):
        differences = [rerun.differs_in(other, model) for other in judged if other is not rerun]
        names = dict.fromkeys(name for names in differences for name in names)
        if "notebook" in names:
            reasons.append("of a notebook that has another run")
        elif names:
            reasons.append(f"with another {' and '.join(names)}")
        elif rerun is not first:
            judged.append(rerun)
    return judged, reasons
