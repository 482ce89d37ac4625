"""Execute one notebook: python workflow/run_notebook.py NOTEBOOK.ipynb --out FOLDER -p seed 3

The folder gets notebook.ipynb (executed) and what the notebook writes: results.json,
replicates.npz, provenance.json. It is written aside and renamed only when all four are there.
On failure the notebook lies in _build/failed/ as far as it came, one line says which cell and why,
and the exit status is 1.
Standard output is for people: "start ...", "done ... in 31 s", "failed ...".
"""

import argparse
import errno
import json
import os
import shutil
import sys
import time
from datetime import timedelta
from pathlib import Path

from cwr import parameters, paths
from cwr.cli import reruns, tether, warm_kernels
from cwr.errors import UserError

STARTED = time.time()
FAILED = Path(__file__).resolve().parents[1] / "_build" / "failed"
WRITTEN = [name for name in reruns.RESULTS if name != "notebook.ipynb"]
CELL_SECONDS = 12 * 3600  # generous: a training is one cell
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")


class Failure(Exception):
    """What went wrong in a notebook, in one line."""


def run(
    notebook: Path,
    out: Path,
    changes: dict,
    threads: int | None = None,
    cell_seconds: int = CELL_SECONDS,
    warm: bool = False,
) -> None:
    """Execute a notebook into the folder `out`.

    changes: {parameter: value}; all other parameters have their defaults.
    threads: how many the numerical libraries may use; None leaves that to them.
    cell_seconds: how long one cell may take.
    warm: whether its kernel may be one of the run's `warm_kernels`.
    Raises UserError for wrong parameters, before a kernel starts, and Failure for a notebook that
    does not finish or does not write its results.
    """
    checked = parameters.validate(notebook, changes)
    values = {name: value for name, value in checked.items() if name in changes}
    with paths.replacing(out) as scratch:
        executed = scratch / "notebook.ipynb"
        (scratch / paths.FIGURES).mkdir()  # an output of the workflow, also of a page without any
        try:
            settings = environment(scratch, threads)
            execute(notebook, executed, values, settings, cell_seconds, warm)
            refuse_unwritten(scratch)
        except Failure:
            keep_failed(executed, failed_copy(notebook))
            raise
        prepare_for_book(executed)
        date_back(scratch)
    failed_copy(notebook).unlink(missing_ok=True)


def refuse_unwritten(results: Path) -> None:
    """Raise Failure if a notebook did not write its results."""
    missing = [name for name in WRITTEN if not (results / name).exists()]
    if missing:
        raise Failure(
            f"it wrote no {', '.join(missing)}: call report.results.write in one of its cells"
        )


def failed_copy(notebook: Path) -> Path:
    """Where the copy of a notebook goes that fails, executed as far as it came."""
    return FAILED / f"{notebook.parent.name}__{notebook.stem}.ipynb"


def keep_failed(executed: Path, failed: Path) -> None:
    """Move the executed copy of a notebook that failed, if its kernel got that far."""
    if executed.exists():
        failed.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(executed, failed)


def date_back(results: Path) -> None:
    """Give all files the time at which this process began.

    So the engine sees, and refuses the results, if a file that they depend on was edited meanwhile.
    """
    for file in results.rglob("*"):
        os.utime(file, (STARTED, STARTED))


def execute(
    notebook: Path,
    executed: Path,
    values: dict,
    settings: dict[str, str],
    cell_seconds: int,
    warm: bool,
) -> None:
    """Run all cells through papermill in a kernel of this interpreter, in the working folder.

    values: {parameter: value}. settings: environment variables of the kernel.
    Raises Failure with the cell and the first line of the error, or if the kernel dies or a cell
    takes longer than it may.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # a slow import, which nothing here needs
    from jupyter_client import AsyncKernelManager
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from papermill import PapermillExecutionError, execute_notebook

    class Kernel(AsyncKernelManager):
        def format_kernel_cmd(self, extra_arguments=None):
            original = super().format_kernel_cmd(extra_arguments)
            return warm_kernels.command_line(original) if warm else original

    os.environ.update(settings)  # the kernel inherits them
    try:
        execute_notebook(
            str(notebook),
            str(executed),
            values,
            kernel_name="python3",
            kernel_manager_class=Kernel,
            progress_bar=False,
            cwd=os.getcwd(),
            execution_timeout=cell_seconds,
        )
    except PapermillExecutionError as error:
        line = error_line(error.ename, error.evalue)
        raise Failure(f"cell [{error.exec_count}]: {line}") from None
    except CellTimeoutError:
        limit = timedelta(seconds=cell_seconds)
        raise Failure(
            f"cell [{last_cell(executed)}]: it ran longer than {limit} (h:mm:ss) and was stopped; "
            "workflow/run_notebook.py --cell-seconds sets another limit"
        ) from None
    except DeadKernelError:
        raise Failure("its kernel died, which is most often a lack of memory") from None


def last_cell(executed: Path) -> int:
    """The number, as Jupyter counts, of the last cell that a stopped notebook began."""
    cells = json.loads(executed.read_text(encoding="utf-8"))["cells"]
    return max(cell.get("execution_count") or 0 for cell in cells)


def error_line(kind: str, message: str) -> str:
    """First line of an error with its kind; a UserError is its sentence alone."""
    lines = message.strip().splitlines()
    if kind == "OSError" and os.strerror(errno.ENOSPC) in message:
        return paths.unwritable(OSError(errno.ENOSPC, message))
    if not lines:
        return "" if kind == "UserError" else kind
    return lines[0] if kind == "UserError" else f"{kind}: {lines[0]}"


def environment(results: Path, threads: int | None) -> dict[str, str]:
    """Variables of the kernel: this interpreter's kernel first, where results go, the threads."""
    kernels = [f"{sys.prefix}/share/jupyter", os.environ.get("JUPYTER_PATH")]
    settings = {
        "CWR_RESULTS": str(results.resolve()),
        "JUPYTER_PATH": os.pathsep.join(filter(None, kernels)),
    }
    if threads is not None:
        settings |= dict.fromkeys(THREADS, str(threads))
        settings["TOKENIZERS_PARALLELISM"] = "true" if threads > 1 else "false"
    return settings


def prepare_for_book(executed: Path) -> None:
    """Write into the cells of an executed notebook what the book's builder looks for there.

    What a figure's output says of it, alternative text, caption and name, goes to its cell, the one
    place where myst-nb reads. The cell in which papermill repeats the parameters folds away.
    """
    notebook = json.loads(executed.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            figure = output.get("metadata", {}).get("image/png", {})
            if "alt" in figure:
                settings = cell["metadata"].setdefault("mystnb", {})
                settings["image"] = {"alt": figure["alt"]}
                settings["figure"] = {key: figure[key] for key in ("name", "caption")}
        tags = cell["metadata"].get("tags", [])
        if "injected-parameters" in tags:
            tags.append("hide-cell")
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    executed.write_text(text + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Execute one notebook into a folder.")
    parser.add_argument("notebook", type=Path)
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for the executed notebook and its results"
    )
    parser.add_argument("--threads", type=int, help="threads of the numerical libraries")
    parser.add_argument(
        "--cell-seconds", type=int, default=CELL_SECONDS, help="how long a cell may take"
    )
    parser.add_argument(
        "--warm",
        type=int,
        default=0,
        help="1: take a kernel that has imported the large libraries, if the run has them",
    )
    parser.add_argument(
        "--given", type=json.loads, default={}, help="parameters as one JSON object"
    )
    parser.add_argument(
        "-p", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"), help="one parameter"
    )
    return parser.parse_args()


def main() -> int:
    """Run the notebook that the command line names; 0, or 1 if it failed."""
    options = _options()
    tether.end_with_parent()
    notebook, name = options.notebook, parameters.title(options.notebook)
    started = time.monotonic()
    print(f"start {name}", flush=True)
    try:
        changes = options.given | parameters.from_text(notebook, dict(options.p))
        limits = options.threads, options.cell_seconds
        run(notebook, options.out, changes, *limits, bool(options.warm))
    except (UserError, Failure) as error:
        print(f"failed {name}, {error}", flush=True)
        return 1
    except OSError as error:
        print(f"failed {name}, {paths.unwritable(error)}", flush=True)
        return 1
    print(f"done {name} in {time.monotonic() - started:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
