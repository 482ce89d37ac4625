"""Which definitions of the library a notebook's code runs: python tests/what_runs.py NOTEBOOK.ipynb

Prints a JSON list of [file, name], each file relative to the folder that holds cwr. The cells run as they stand,
without the one tagged `verdicts`.
"""

import json
import os
import sys
import threading
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "agg")
ran: set = set()


def note(frame, event, argument):
    """Keep the code object of each call."""
    if event == "call":
        ran.add(frame.f_code)


def main(notebook: Path) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    from cwr import source_code
    from cwr.cli import checkout

    code = checkout.code_of(notebook)
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
