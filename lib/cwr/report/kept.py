"""Finds a profile's results: the reader's run, or the book's reference for notebooks not run."""

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from cwr import paths
from cwr.report import provenance, results
from cwr.report.results import Results

PROFILES = ("small", paths.LONGER.name)  # the richer one last


def runs(run: Path) -> dict[str, Path]:
    """Returns the folders of runs that the book shows together, {profile: folder}, richest last.

    run: the folder of one of PROFILES, beside which the folder of the other lies; or any other
        folder, which is returned alone.
    """
    names = PROFILES if run.name in PROFILES else (run.name,)
    return {name: run.parent / name for name in names}


def folders(run: Path, root: Path = paths.CHECKOUT) -> dict[str, Path]:
    """Returns {"<paper>/<NN_name>": folder of its results} for a profile, sorted.

    run: the folder of the reader's runs, named after the profile. root: the checkout, whose
        reference supplies notebooks that the reader has not run, in the profile `base`.
    """
    places = [root / paths.LONGER, run] if run.name == PROFILES[-1] else [run]
    files = [file for place in places for file in place.glob("*/*/results.json")]
    by_name = {"/".join(file.parts[-3:-1]): file.parent for file in files}  # the reader's own last
    return dict(sorted(by_name.items()))


def read(
    run: Path, root: Path = paths.CHECKOUT, say: Callable[[str], None] | None = None
) -> Results | None:
    """Reads the results of a profile and joins them; None if there are none.

    An estimate of the reader's run replaces the reference's estimate, in any notebook. If two
    reference notebooks have the same estimate, the first counts: their values can differ slightly,
    because training ends differently on different machines.
    run, root: as `folders`. say, and errors: as `results.read_all`.
    """
    places = folders(run, root).values()
    own = [place for place in places if place.is_relative_to(run)]
    references = [results.read_folders([place], say) for place in places if place not in own]
    return results.with_missing(results.read_folders(own, say), *references)


def longer(notebook: str, given: dict) -> pd.DataFrame | None:
    """Returns the table of `estimates` for these arguments; None if there are no estimates."""
    run = estimates(notebook, given)
    return None if run is None else run.table


def estimates(notebook: str, given: dict) -> Results | None:
    """Reads a notebook's results in the profile `base`, without variants, to stand beside a run.

    notebook: "<paper>/<NN_name>". given: the parameters of the run.
    None without kept results, if they have the same parameters (they are the run itself), and if
    their parameters have other names (they come from an older notebook).
    Raises UserError for estimates that are damaged.
    """
    kept = reference(notebook)
    if kept is None:
        return None
    found, parameters = kept
    is_itself = parameters == json.loads(json.dumps(given))
    return None if is_itself or set(parameters) != set(given) else found


def reference(notebook: str) -> tuple[Results, dict] | None:
    """Reads a notebook's results in the profile `base`, without variants, and their parameters.

    notebook: "<paper>/<NN_name>". None without kept results. Raises UserError for estimates that
        are damaged.
    """
    folder = paths.CHECKOUT / paths.LONGER / notebook
    if not folder.is_dir():
        return None
    parameters = provenance.read(folder, *provenance.KINDS)["parameters"]
    return results.read(folder).without_variants(), parameters
