"""Notebooks in forks of a warm process: python warm.py, a JSON object a line in and out.

In: {"notebook": path, "given": {parameter: value}, "seconds": limit}; out: {"ended", "cell",
"line", "seconds"}, of CPU. A fork runs the notebook's cells in IPython's shell, as a kernel does, in a second of CPU
and not in ten: large libraries are imported once. Nothing that it prints is kept.
"""

import importlib
import json
import os
import resource
import signal
import sys
import tempfile
import traceback
from pathlib import Path

from cwr import parameters
from cwr.cli import plan
from cwr.errors import UserError

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "workflow"))  # the runner's words about a cell that failed
sys.path.insert(0, str(ROOT / "tests"))
from bad_inputs.row import RAW  # noqa: E402

import notebook_failures  # noqa: E402

PRELOADED = (
    *(
        "matplotlib.pyplot",
        "scipy.stats",
        "seaborn",
        "sklearn.linear_model",
        "spacy",
        "torch",
    ),
    *("transformers.models.bert.modeling_bert", "transformers.models.gpt2.modeling_gpt2"),
    *("transformers.models.llama.modeling_llama", "IPython.core.interactiveshell"),
)
MEMORY = (
    12 << 30
)  # bytes of addresses: a number too large ends in MemoryError, not in the machine
WRITTEN = ("results.json", "replicates.npz", "provenance.json")


def before(notebook: Path, given: dict) -> str | None:
    """The sentence that refuses these parameters before a kernel starts; None if none does."""
    try:
        return next(plan.unusable(parameters.validate(notebook, given)), None)
    except UserError as error:
        return str(error)


def forked(notebook: Path, given: dict, seconds: int) -> dict:
    """How a notebook ends with these parameters in a fork of this process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _be(writing, notebook, given, seconds)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading) as answer:
        told = answer.read()
    _, status, usage = os.wait4(child, 0)
    ended = json.loads(told) if told else _unsaid(status, seconds)
    return ended | {"seconds": round(usage.ru_utime + usage.ru_stime, 1)}


def _unsaid(status: int, seconds: int) -> dict:
    """How a fork ended that told nothing."""
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGALRM):
        return _told("slow", f"not done after {seconds} s of CPU")
    return _told("raw", f"the process ended with status {status}")


def _told(ended: str, line: str, cell: int = 0) -> dict:
    return {"ended": ended, "cell": cell, "line": line[:400], "seconds": 0.0}


def _be(writing: int, notebook: Path, given: dict, seconds: int) -> None:
    """Run the cells, in a folder of their own, and write how that ended."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    signal.alarm(20 * seconds)  # for what waits and computes nothing
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.stdout = sys.stderr = open(os.devnull, "w")
    with tempfile.TemporaryDirectory() as results:
        os.environ["CWR_RESULTS"] = results
        ended = _cells(notebook, given)
        if ended["ended"] == "fine":
            missing = [name for name in WRITTEN if not Path(results, name).exists()]
            if missing:
                ended = _told("raw", f"it wrote no {', '.join(missing)}")
    os.write(writing, json.dumps(ended).encode())


def _cells(notebook: Path, given: dict) -> dict:
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.core.pylabtools import select_figure_formats

    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    shell.showtraceback = lambda *_, **__: None
    select_figure_formats(shell, {"png"})  # figures are drawn, as in a kernel
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    for number, source in enumerate(_sources(cells, given), start=1):
        error = _error(shell.run_cell(source, store_history=True))
        if error is not None:
            line = _sentence(number, error, given)
            return _told("raw" if RAW.search(line) else "clear", line, number)
    return _told("fine", "")


def _sources(cells: list[dict], given: dict) -> list[str]:
    """The code cells, with the given parameters below the cell that declares them, as papermill."""
    sources = []
    for cell in cells:
        if cell["cell_type"] == "code":
            sources.append("".join(cell["source"]))
            if "parameters" in cell["metadata"].get("tags", []):
                sources.append(
                    "\n".join(f"{name} = {value!r}" for name, value in given.items())
                )
    return sources


def _sentence(cell: int, error: BaseException, given: dict) -> str:
    """What the runner says of an error."""
    frames = [
        f"File {frame.filename}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    failure = notebook_failures.of_cell(
        cell, type(error).__name__, str(error), frames, given
    )
    return str(failure).removeprefix(f"cell [{cell}]: ")


def _error(result) -> BaseException | None:
    return result.error_before_exec or result.error_in_exec


def main() -> None:
    """Answer a request a line until there are no more."""
    os.environ.setdefault("MPLBACKEND", "agg")
    for name in PRELOADED:
        importlib.import_module(name)
    for line in sys.stdin:
        request = json.loads(line)
        notebook = Path(request["notebook"])
        sentence = before(notebook, request["given"])
        if sentence is None:
            ended = forked(notebook, request["given"], request["seconds"])
        else:
            ended = _told("clear", sentence)
        print(json.dumps(ended), flush=True)


if __name__ == "__main__":
    main()
