"""Where the results of a profile lie: the reader's own run or, of a notebook that was not run, the
reference that travels with the book.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from cwr import paths
from cwr.report import provenance, results
from cwr.report.results import Results

PROFILES = ("small", paths.LONGER.name)  # the richer one last


def runs(run: Path) -> dict[str, Path]:
    """The folders of runs that the book shows together, {profile: folder}, the richest last.

    run: that of one of PROFILES, beside which the others lie; any other stands alone.
    """
    names = PROFILES if run.name in PROFILES else (run.name,)
    return {name: run.parent / name for name in names}


def folders(run: Path, root: Path = paths.CHECKOUT) -> dict[str, Path]:
    """Where the results of a profile lie, {"<paper>/<NN_name>": folder}, sorted.

    run: the folder of the reader's runs, named after the profile. root: the checkout, whose
    reference stands in for the notebooks that the reader has not run.
    """
    places = [root / paths.LONGER, run] if run.name == PROFILES[-1] else [run]
    files = [file for place in places for file in place.glob("*/*/results.json")]
    by_name = {"/".join(file.parts[-3:-1]): file.parent for file in files}  # the reader's own last
    return dict(sorted(by_name.items()))


def read(
    run: Path, root: Path = paths.CHECKOUT, say: Callable[[str], None] | None = None
) -> Results | None:
    """The results of a profile, joined; None if there are none.

    An estimate of the reader's own run replaces that of the reference, in any notebook. Of two
    references the first counts: they may be of two machines, on which one training ends a little
    differently.
    run, root: as `folders`. say, errors: as `results.read_all`.
    """
    places = folders(run, root).values()
    own = [place for place in places if place.is_relative_to(run)]
    references = [results.read_folders([place], say) for place in places if place not in own]
    return results.with_missing(results.read_folders(own, say), *references)


def longer(notebook: str, given: dict) -> pd.DataFrame | None:
    """The table of `estimates`."""
    run = estimates(notebook, given)
    return None if run is None else run.table


def estimates(notebook: str, given: dict) -> Results | None:
    """The results of a notebook in the profile `base`, those of untrained copies left out.

    notebook: "<paper>/<NN_name>". given: the parameters of the run that they are to stand beside.
    None if there are none, if that run is the longer one itself, or if it is of an older notebook:
    of one with other parameters.
    Raises UserError for estimates that are damaged.
    """
    kept = reference(notebook)
    if kept is None:
        return None
    found, parameters = kept
    is_itself = parameters == json.loads(json.dumps(given))
    return None if is_itself or set(parameters) != set(given) else found


def reference(notebook: str) -> tuple[Results, dict] | None:
    """What another notebook found in the profile `base`, and its parameters then; None if nothing is
    kept of it. Its untrained copies are left out.

    notebook: "<paper>/<NN_name>". Raises UserError for estimates that are damaged.
    """
    folder = paths.CHECKOUT / paths.LONGER / notebook
    if not folder.is_dir():
        return None
    parameters = provenance.read(folder, *provenance.KINDS)["parameters"]
    return results.read(folder).without_variants(), parameters
