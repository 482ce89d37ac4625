"""How nbval compares a notebook's printed text: words exactly, numbers within what two machines agree on.

Text between numbers must be equal after collapsing white space, integers must be equal, and a number with a point or
an exponent may differ by 0.001 and one unit of its last printed place. A cell's tag `rtol=0.1` allows a tenth
of the number as well; the output of a cell tagged `verdicts` is not compared, because the book makes it anew.

With CWR_EXECUTED=FOLDER (a profile's folder of runs) a notebook that was executed there, cell by cell the same code, is
not executed again: nbval compares what it printed there. Any other notebook runs in a kernel of its own.
"""
import os
import re
from decimal import Decimal
from pathlib import Path

import nbformat
import pytest

NUMBER = re.compile(r"(?<![\w.])[-+\u2212]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?(?![\w])")
ABSOLUTE = 1e-3
ROUNDING = 1e-9     # 0.412 and 0.414 differ by 0.002 on paper and by a little more in binary


class Printed(str):
    """Printed text that equals another if their words are equal and their numbers close."""
    rtol = 0.0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, str):
            return NotImplemented
        mine, theirs = NUMBER.findall(self), NUMBER.findall(other)
        return (words(self) == words(other) and len(mine) == len(theirs)
                and all(close(a, b, self.rtol) for a, b in zip(mine, theirs, strict=True)))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


def words(text: str) -> list[str]:
    """The text between the numbers; tables are padded by width, so any white space is as good as one blank."""
    return [" ".join(part.split()) for part in NUMBER.split(text)]


def close(a: str, b: str, rtol: float) -> bool:
    """Whether two printed numbers are the same, up to tolerance; an integer only equals itself."""
    a, b = a.replace("\u2212", "-"), b.replace("\u2212", "-")
    if not (is_decimal(a) and is_decimal(b)):
        return a == b
    place = max(unit(a), unit(b))
    return abs(float(a) - float(b)) <= max(ABSOLUTE + place, rtol * abs(float(a))) + ROUNDING


def is_decimal(number: str) -> bool:
    return any(sign in number for sign in ".eE")


def unit(number: str) -> float:
    """One unit of the last printed place: 0.01 for 0.41."""
    return float(Decimal(1).scaleb(Decimal(number).as_tuple().exponent))


def tags(cell) -> list[str]:
    return cell.metadata.get("tags", [])


def sanitised(cell_item, text):
    """What nbval compares in place of a text: the same text with this module's idea of equality."""
    if not isinstance(text, str):
        return text
    printed = Printed(text)
    printed.rtol = max([float(tag[5:]) for tag in tags(cell_item.cell) if tag.startswith("rtol=")], default=0.0)
    return printed


def executed(notebook: Path) -> list | None:
    """The code cells of a notebook's executed copy; None if there is none, or if it has other code."""
    folder = os.environ.get("CWR_EXECUTED")
    copy = Path(folder or "", notebook.parent.name, notebook.stem, "notebook.ipynb")
    if not folder or not copy.exists():
        return None
    committed, run = (code_cells(file) for file in (notebook, copy))
    same = [cell.source for cell in committed] == [cell.source for cell in run]
    return run if same else None


def code_cells(notebook: Path) -> list:
    return [cell for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code"]


def replaying(plugin) -> None:
    """Let nbval take the outputs of executed copies, where there are any, in place of a kernel's."""
    start, run = plugin.IPyNbFile.setup, plugin.IPyNbCell.runtest

    def setup(file) -> None:
        file.executed = executed(Path(file.path))
        start(file) if file.executed is None else file.setup_sanitize_files()

    def runtest(item) -> None:
        if item.parent.executed is None:
            run(item)
            return
        item.test_outputs = plugin.coalesce_streams(item.parent.executed[item.cell_num].outputs)
        if item.cell.execution_count is None:
            item.raise_cell_error("The committed cell is not executed, so nothing is compared")
        if not item.options["check"]:
            return
        if not item.compare_outputs(item.test_outputs, plugin.coalesce_streams(item.cell.outputs)):
            item.raise_cell_error("Cell outputs differ", "\n".join(item.comparison_traceback))

    plugin.IPyNbFile.setup, plugin.IPyNbCell.runtest = setup, runtest


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
