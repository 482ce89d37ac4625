"""Results of a longer run that travel with the book, to stand beside a reader's own."""

import json

import pandas as pd

from cwr import paths
from cwr.report import provenance, results
from cwr.report.results import Results


def longer(notebook: str, given: dict) -> pd.DataFrame | None:
    """The table of `estimates`."""
    run = estimates(notebook, given)
    return None if run is None else run.table


def estimates(notebook: str, given: dict) -> Results | None:
    """The results of a notebook in the profile `base`, those of untrained copies left out.

    notebook: "<paper>/<NN_name>". given: the parameters of the run that they are to stand beside.
    None if there are none, or if that run is the longer one itself.
    Raises UserError for estimates that are damaged.
    """
    folder = paths.CHECKOUT / paths.LONGER / notebook
    if not folder.is_dir():
        return None
    record = provenance.read(folder, *provenance.KINDS)
    if record["parameters"] == json.loads(json.dumps(given)):
        return None
    return results.read(folder).without_variants()
