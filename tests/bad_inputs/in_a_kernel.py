"""Classes 2 and 9 in a notebook's kernel, tried on request."""

from pathlib import Path

import nbformat
from bad_inputs.making import Break
from bad_inputs.row import Row

TINY = "zhao2020/00_the_paper_against_itself"
WRITES_NAN = """
from cwr import parameters
from cwr.report import results
given = parameters.check(globals())
results.write("x/01", [{"model": "m", "measure": "b", "layer": 0, "value": float(value)}], given)
"""


def notebook(*sources: str) -> Break:
    """A small notebook in the place of one of the book's; the first cell has its parameters."""

    def breaking(checkout: Path) -> None:
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        cells[0].metadata["tags"] = ["parameters"]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        content = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
        nbformat.write(content, checkout / "notebooks" / f"{TINY}.ipynb")

    return breaking


ROWS = [
    Row(2, "a notebook whose estimate is NaN", f"cwr run {TINY} -p value nan",
        f"^\\[1/1\\] failed: {TINY}, cell \\[3\\]: the estimate model m, layer 0, measure b is no number", 1,
        notebook('value: str = "0"', WRITES_NAN), kernel=True),
    Row(9, "a value that a cell sets out of its bounds", f"cwr run {TINY} -p value 1",
        f"^\\[1/1\\] failed: {TINY}, cell \\[4\\]: parameter 'value' of this notebook must be at most 2", 1,
        notebook("value: float = 0.0  # at most 2", "value = 3.0", WRITES_NAN), kernel=True),
]  # fmt: skip
