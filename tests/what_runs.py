"""Which definitions of the library a notebook's code runs: python tests/what_runs.py NOTEBOOK.ipynb

Prints a JSON list of [file, name], each file relative to the folder that holds cwr. The cells
run as they stand, without the one tagged `verdicts`.
"""

import inspect
import json
import os
import sys
import threading
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "agg")
LIBRARY = str(Path(__file__).parents[1] / "lib" / "cwr")
ran: set = set()
imports = 0  # modules that are being imported just now


def note(frame, event, argument):
    """Keeps the code of each call, but of those that the import of a module makes."""
    global imports
    code = frame.f_code
    if code.co_name == "<module>" and code.co_filename.startswith(LIBRARY):
        imports += {"call": 1, "return": -1}.get(event, 0)
    elif event == "call" and not imports and code.co_flags & inspect.CO_OPTIMIZED:
        ran.add(code)


def main(notebook: Path) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    from cwr import source_code
    from cwr.cli import dependencies

    code = dependencies.code_of(notebook)
    os.chdir(notebook.parent)
    shell = InteractiveShell.instance()
    threading.setprofile(note)
    sys.setprofile(note)
    done = shell.run_cell(code)
    sys.setprofile(None)
    done.raise_error()
    library = source_code.LIBRARY
    found = set()
    for each in ran:
        file, name = Path(each.co_filename), each.co_qualname.split(".")[0]
        if (library / "cwr") in file.parents and not name.startswith(
            "<"
        ):  # a module's body, its lambdas
            found.add((file.relative_to(library).as_posix(), name))
    sys.__stdout__.write("\n" + json.dumps(sorted(found)) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
