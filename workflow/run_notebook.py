"""Execute one notebook: python workflow/run_notebook.py NOTEBOOK.ipynb --out FOLDER -p seed 3

The folder gets notebook.ipynb (executed) and what the notebook writes: results.json,
replicates.npz, provenance.json. It is written aside and renamed only when all four are there.
On failure the notebook lies in _build/failed/ as far as it came, and beside it, in a folder of its
name, what it had written of its results: they are unfinished, and nothing judges them. One line
says which cell failed and why, and the exit status is 1.
Standard output is for people: "start ...", "done ... in 31 s", "failed ...".
"""

import argparse
import contextlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import notebook_failures
from cwr import parameters, paths
from cwr.cli import reruns, tether, warm_kernels
from cwr.errors import UserError
from notebook_failures import Failure

STARTED = time.time()
FAILED = Path(__file__).resolve().parents[1] / "_build" / "failed"
WRITTEN = [name for name in reruns.RESULTS if name != "notebook.ipynb"]
CELL_SECONDS = 12 * 3600  # generous: a training is one cell
START_SECONDS = 600  # of a kernel, whose imports may come from a cold disk of a busy machine
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")


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
        except Failure as failure:
            kept = keep_failed(scratch, failed_copy(notebook))
            raise Failure(f"{failure}{kept}") from None
        prepare_for_book(executed)
        date_back(scratch)
    forget_failed(failed_copy(notebook))


def only_passes(
    notebook: Path, changes: dict, threads: int | None = None, warm: bool = False
) -> None:
    """Execute a notebook for what its passes leave in the cache, and throw the rest away.

    Processes that do so at once encode the blocks of each pass between them. A notebook that fails
    says so when it is run for its results. Arguments as of `run`.
    """
    with tempfile.TemporaryDirectory(prefix="cwr-") as scratch, contextlib.suppress(Failure):
        settings = environment(Path(scratch), threads)
        executed = Path(scratch, "notebook.ipynb")
        execute(notebook, executed, changes, settings, CELL_SECONDS, warm)


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


def keep_failed(scratch: Path, failed: Path) -> str:
    """Move what a failed notebook left out of its scratch folder: its copy, unfinished results.

    Returns what to say of the results; nothing if it wrote none.
    """
    forget_failed(failed)
    failed.parent.mkdir(parents=True, exist_ok=True)
    executed = scratch / "notebook.ipynb"
    if executed.exists():  # its kernel got that far
        shutil.move(executed, failed)
    unfinished = failed.with_suffix("")
    for name in WRITTEN:
        if (scratch / name).exists():
            unfinished.mkdir(exist_ok=True)
            shutil.move(scratch / name, unfinished)
    if not unfinished.exists():
        return ""
    shown = unfinished.relative_to(FAILED.parents[1])
    return f"; the results that it had written are kept, unfinished, in {shown}"


def forget_failed(failed: Path) -> None:
    """Remove what an earlier failure of a notebook left."""
    failed.unlink(missing_ok=True)
    shutil.rmtree(failed.with_suffix(""), ignore_errors=True)


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
    Raises Failure with the cell and the first line of the error, or if the kernel does not start or
    dies, or a cell takes longer than it may.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # a slow import, which nothing here needs
    from papermill import execute_notebook

    os.environ.update(settings)  # the kernel inherits them
    course = Course(changed(notebook, values), cell_seconds)
    with tempfile.TemporaryDirectory(prefix="cwr-") as sockets, course.failures():
        execute_notebook(
            str(notebook),
            str(executed),
            values,
            kernel_name="python3",
            kernel_manager_class=course.kernel(warm, Path(sockets)),
            on_cell_execute=lambda **_: course.begin_cell(),
            on_cell_error=lambda execute_reply, **_: course.errors.append(execute_reply["content"]),
            progress_bar=False,
            cwd=os.getcwd(),
            start_timeout=START_SECONDS,
            execution_timeout=cell_seconds,
        )


@dataclass
class Course:
    """What happens in a kernel while its notebook runs.

    changed: parameters with other values than the notebook's own. cell_seconds: of a cell, at most.
    cell: the number, as Jupyter counts, of the cell that began last. errors: the kernel's replies
    to cells that failed; papermill knows only of errors that a cell displayed. status: the exit
    status of the kernel's process, negative for a signal; None as long as it runs.
    """

    changed: dict
    cell_seconds: int
    cell: int = 0
    errors: list[dict] = field(default_factory=list)
    status: int | None = None

    def begin_cell(self) -> None:
        """Count a cell."""
        self.cell += 1

    def kernel(self, warm: bool, sockets: Path) -> type:
        """The manager of the kernel.

        warm: whether it may be one of the run's `warm_kernels`. sockets: a folder for the files by
        which it is spoken to. Jupyter's usual way are ports of 127.0.0.1 that are free when it
        looks; another process may take one before the kernel does, which then hangs for ever.
        """
        from jupyter_client import AsyncKernelManager

        course = self

        class Kernel(AsyncKernelManager):
            def __init__(self, **settings):
                files = {"transport": "ipc", "ip": str(sockets / "kernel")}
                super().__init__(**settings, **files if os.name == "posix" else {})

            def format_kernel_cmd(self, extra_arguments=None):
                original = super().format_kernel_cmd(extra_arguments)
                return warm_kernels.command_line(original) if warm else original

            async def cleanup_resources(self, restart=False):
                if course.status is None and self.provisioner:
                    course.status = await self.provisioner.poll()
                await super().cleanup_resources(restart)

        return Kernel

    @contextlib.contextmanager
    def failures(self) -> Iterator[None]:
        """Raises Failure for what papermill and nbclient raise inside."""
        from nbclient.exceptions import CellTimeoutError, DeadKernelError
        from papermill import PapermillExecutionError

        try:
            yield
        except PapermillExecutionError as error:
            told = self.errors[-1] if self.errors else vars(error)
            words = (told[name] for name in ("ename", "evalue", "traceback"))
            raise notebook_failures.of_cell(self.cell, *words, self.changed) from None
        except CellTimeoutError:
            raise notebook_failures.of_long_cell(self.cell, self.cell_seconds) from None
        except DeadKernelError:
            raise notebook_failures.of_dead_kernel(self.cell, self.status) from None
        except RuntimeError as error:  # nbclient's, of a kernel that never answered
            raise notebook_failures.of_start(error, self.status) from None


def changed(notebook: Path, values: dict) -> dict:
    """Those of the values that differ from the notebook's own."""
    declared = parameters.read(notebook)
    return {name: value for name, value in values.items() if value != declared[name].default}


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
    aim = parser.add_mutually_exclusive_group(required=True)
    aim.add_argument("--out", type=Path, help="folder for the executed notebook and its results")
    aim.add_argument("--only-passes", action="store_true", help="fill the cache, write nothing")
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


def tell(line: str) -> None:
    """Print a line in one write: runners share a pipe, and print() of an unbuffered Python takes two."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Run the notebook that the command line names; 0, or 1 if it failed."""
    options = _options()
    tether.end_with_parent()
    if options.only_passes:
        only_passes(options.notebook, options.given, options.threads, bool(options.warm))
        return 0
    notebook, name = options.notebook, parameters.title(options.notebook)
    started = time.monotonic()
    tell(f"start {name}")
    try:
        changes = options.given | parameters.from_text(notebook, dict(options.p))
        limits = options.threads, options.cell_seconds
        run(notebook, options.out, changes, *limits, bool(options.warm))
    except (UserError, Failure) as error:
        tell(f"failed {name}, {error}")
        return 1
    except OSError as error:
        tell(f"failed {name}, {paths.unwritable(error)}")
        return 1
    tell(f"done {name} in {time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
