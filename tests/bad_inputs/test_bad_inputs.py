"""The table of bad inputs: each ends in one sentence and an exit status, and nothing is lost.

The tables beside this file hold the rows. Their classes, from a trial of 305 bad inputs:

 1 models that cannot read        6 one broken file among others
 2 estimates that are no numbers  7 configurations from strangers
 3 names that are markup          8 text that is no path
 4 an install cut short           9 values out of bounds
 5 processes that are killed     10 files that are read again

(4 and 5 are kills: tests/workflow has them.) `CWR_BAD_INPUTS=all` tries every command by the real
command line, too, with kernels; `CWR_BAD_INPUTS=50` tries fifty of them, others each day.
"""

import importlib
import os
import random
import shutil
from datetime import date
from pathlib import Path

import pytest
from bad_inputs import row as rows
from bad_inputs.row import Row

HERE = Path(__file__).parent
ASKED = os.environ.get("CWR_BAD_INPUTS", "")  # "all", or how many rows are drawn


def table() -> list[Row]:
    """The rows of all tables, in the order of their files."""
    names = sorted(file.stem for file in HERE.glob("*.py"))
    modules = [
        importlib.import_module(f"bad_inputs.{name}")
        for name in names
        if "test" not in name
    ]
    return [row for module in modules for row in getattr(module, "ROWS", [])]


ROWS = table()
FAST = [row for row in ROWS if not row.kernel]
COMMANDS = [row for row in ROWS if isinstance(row.command, str)]
DRAWN = COMMANDS
if ASKED.isdecimal():
    DRAWN = random.Random(date.today().toordinal()).sample(COMMANDS, int(ASKED))


def test_the_table_is_long_and_no_row_stands_twice():
    names = [str(row) for row in ROWS]
    assert len(names) >= 150
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("row", FAST, ids=str)
def test_a_bad_input_is_refused_in_one_sentence_before_anything_runs(
    row, checkout, monkeypatch
):
    row.prepare(checkout)
    before = rows.content(checkout)
    outcome = rows.tried(row, checkout, monkeypatch)
    assert rows.complaints(row, outcome) == [], outcome.err
    assert rows.content(checkout) == before, "a refused command changes no file"


if ASKED:

    @pytest.mark.parametrize("row", DRAWN, ids=str)
    def test_a_bad_input_is_refused_by_the_real_command_line(row, checkout):
        for name in ("lib", "workflow"):  # the library finds its checkout by its own place
            target = (checkout / name).resolve()
            (checkout / name).unlink()
            shutil.copytree(
                target, checkout / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        row.prepare(checkout)
        outcome = rows.run(row, checkout)
        assert rows.complaints(row, outcome) == [], outcome.err
