"""How nbval compares a notebook's printed text: words exactly, numbers as near as machines agree.

Text between numbers must be equal after collapsing white space, integers must be equal, and a
number with a point or an exponent may differ by 0.001 and one unit of its last printed digit.
A cell's tag `rtol=0.1` allows a tenth of the number as well, `atol=0.5` half a unit (of what is
trained, which another kind of processor ends elsewhere); the output of a cell tagged `verdicts`
is not compared, because the book's build writes it anew. Nor is the data of a live figure: whole
numbers, of which another machine changes some by one; the table beside it is compared.

With CWR_EXECUTED=FOLDER (a profile's folder of runs) a notebook that was executed there, cell by
cell the same code, is not executed again: nbval compares what it printed there. Any other notebook
runs in a kernel of its own.
"""

import os
import re
from decimal import Decimal
from pathlib import Path

import nbformat
import pytest

MINUS = "\u2212"  # as matplotlib and typesetters print it
NUMBER = re.compile(
    r"(?<![\w.])"
    rf"[-+{MINUS}]?(?:\d+\.\d*|\.\d+|\d+)"
    r"(?:[eE][-+]?\d+)?"
    r"(?![\w])"
)
LIVE_DATA = re.compile(r'<script type="application/json">.*?</script>', re.DOTALL)
ABSOLUTE = 1e-3
ROUNDING = 1e-9  # 0.412 and 0.414 differ by a little more in binary


class Printed(str):
    """Printed text that equals another if their words are equal and their numbers close."""

    rtol = atol = 0.0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, str):
            return NotImplemented
        if words(self) != words(other):  # equal words stand between as many numbers
            return False
        pairs = zip(NUMBER.findall(self), NUMBER.findall(other), strict=True)
        return all(close(a, b, self.rtol, self.atol) for a, b in pairs)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


def words(text: str) -> list[str]:
    """The text between the numbers, one more than there are numbers.

    Tables are padded by width, so any white space is as good as one blank.
    """
    return [" ".join(between.split()) for between in NUMBER.split(text)]


def close(a: str, b: str, rtol: float, atol: float) -> bool:
    """Whether two printed numbers are the same, up to tolerance; an integer only equals itself.

    The tolerance is that of the less precise number, or more: `rtol` is a share of a, `atol` a number.
    """
    a, b = a.replace(MINUS, "-"), b.replace(MINUS, "-")
    if not (is_decimal(a) and is_decimal(b)):
        return a == b
    last_digit = max(unit(a), unit(b))
    tolerance = max(ABSOLUTE + last_digit, rtol * abs(float(a)), atol)
    return abs(float(a) - float(b)) <= tolerance + ROUNDING


def is_decimal(number: str) -> bool:
    """Whether a printed number has a point or an exponent."""
    return any(sign in number for sign in ".eE")


def unit(number: str) -> float:
    """One unit of the last printed digit: 0.01 for 0.41."""
    return float(Decimal(1).scaleb(Decimal(number).as_tuple().exponent))


def tags(cell) -> list[str]:
    """The tags of a notebook's cell."""
    return cell.metadata.get("tags", [])


def sanitised(item, text):
    """What nbval compares instead of a text: the same text with this module's idea of equality."""
    if not isinstance(text, str):
        return text
    printed = Printed(LIVE_DATA.sub("", text))
    for name in ("rtol", "atol"):
        given = [float(tag[5:]) for tag in tags(item.cell) if tag.startswith(f"{name}=")]
        setattr(printed, name, max(given, default=0.0))
    return printed


# ---- outputs of notebooks that were executed before


def executed(notebook: Path) -> list | None:
    """The code cells of a notebook's executed copy; None if there is none, or of other code."""
    folder = os.environ.get("CWR_EXECUTED")
    if not folder:
        return None
    copy = Path(folder, notebook.parent.name, notebook.stem, "notebook.ipynb")
    if not copy.exists():
        return None
    committed, run = code_cells(notebook), code_cells(copy)
    is_same = [cell.source for cell in committed] == [cell.source for cell in run]
    return run if is_same else None


def code_cells(notebook: Path) -> list:
    """The code cells of a notebook's file."""
    cells = nbformat.read(notebook, as_version=4).cells
    return [cell for cell in cells if cell.cell_type == "code"]


def replaying(plugin) -> None:
    """Let nbval compare the outputs of executed copies, where there are any, not a kernel's."""
    start, run = plugin.IPyNbFile.setup, plugin.IPyNbCell.runtest

    def setup(file) -> None:
        file.executed = executed(Path(file.path))
        if file.executed is None:
            start(file)
        else:
            file.setup_sanitize_files()

    def runtest(item) -> None:
        if item.parent.executed is None:
            run(item)
        else:
            compare(item, plugin.coalesce_streams)

    plugin.IPyNbFile.setup, plugin.IPyNbCell.runtest = setup, runtest


def compare(item, coalesce_streams) -> None:
    """Compare a committed cell with the executed copy's, as nbval does after running it.

    Raises nbval's error if the outputs differ, or if the committed cell was never executed.
    """
    item.test_outputs = coalesce_streams(item.parent.executed[item.cell_num].outputs)
    if item.cell.execution_count is None:
        item.raise_cell_error("The committed cell is not executed, so nothing is compared")
    if not item.options["check"]:
        return
    if not item.compare_outputs(item.test_outputs, coalesce_streams(item.cell.outputs)):
        item.raise_cell_error("Cell outputs differ", "\n".join(item.comparison_traceback))


# ---- hooks of pytest


def pytest_configure(config: pytest.Config) -> None:
    """Put the comparison into nbval."""
    from nbval import plugin

    plugin.IPyNbCell.sanitize = sanitised
    replaying(plugin)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Execute the cells tagged `verdicts` without comparing what they print."""
    for item in items:
        if hasattr(item, "cell") and "verdicts" in tags(item.cell):
            item.options["check"] = False
