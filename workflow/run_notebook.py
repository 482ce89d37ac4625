"""Execute one notebook: python workflow/run_notebook.py notebooks/x/01_y.ipynb --out FOLDER -p seed 3

The folder gets notebook.ipynb (executed) and what the notebook writes: results.json, replicates.npz,
provenance.json. It is filled aside and takes its place only when all four are there. On failure the part-executed
notebook lies in _build/failed/, one line says which cell and why, and the exit status is 1.
Standard output is for people: "start ...", "done ... in 31 s", "failed ...".
"""
import argparse
import json
import os
import shutil
import sys
import time
from pathlib import Path

from cwr import parameters, paths
from cwr.cli import tether
from cwr.errors import UserError

STARTED = time.time()
FAILED = Path(__file__).resolve().parents[1] / "_build" / "failed"
WRITTEN = ("results.json", "replicates.npz", "provenance.json")


class Failure(Exception):
    """What went wrong in a notebook, in one line."""


def run(notebook: Path, out: Path, given: dict, threads: int | None = None) -> None:
    """Execute `notebook` with the parameters `given` into the folder `out`.

    threads: how many the numerical libraries may use; None leaves that to them.
    Raises UserError for wrong parameters, before a kernel starts, and Failure for a notebook that does not finish.
    """
    values = {name: value for name, value in parameters.validate(notebook, given).items() if name in given}
    with paths.replacing(out) as scratch:
        executed = scratch / "notebook.ipynb"
        try:
            execute(notebook, executed, values, environment(scratch, threads))
            refuse_unwritten(scratch)
        except Failure:
            keep_failed(executed, failed_copy(notebook))
            raise
        carry_alt_texts(executed)
        date_back(scratch)
    failed_copy(notebook).unlink(missing_ok=True)


def refuse_unwritten(results: Path) -> None:
    """Raise Failure if a notebook did not write its results."""
    missing = [name for name in WRITTEN if not (results / name).exists()]
    if missing:
        raise Failure(f"it wrote no {', '.join(missing)}: call report.results.write in one of its cells")


def failed_copy(notebook: Path) -> Path:
    """Where the part-executed copy of a notebook goes that fails."""
    return FAILED / f"{notebook.parent.name}__{notebook.stem}.ipynb"


def keep_failed(executed: Path, failed: Path) -> None:
    if executed.exists():
        failed.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(executed, failed)


def date_back(results: Path) -> None:
    """Give all files the time at which this process began.

    So the engine sees, and refuses the results, if a file that they depend on was edited meanwhile.
    """
    for file in results.iterdir():
        os.utime(file, (STARTED, STARTED))


def execute(notebook: Path, executed: Path, given: dict, settings: dict[str, str]) -> None:
    """Run all cells through papermill in a kernel of this interpreter, in the folder we are in."""
    sys.modules.setdefault("rfc3987_syntax", None)      # else its import, which nothing here needs, takes a second
    from nbclient.exceptions import DeadKernelError
    from papermill import PapermillExecutionError, execute_notebook

    os.environ.update(settings)     # the kernel inherits them
    try:
        execute_notebook(str(notebook), str(executed), given, kernel_name="python3", progress_bar=False,
                         cwd=os.getcwd())
    except PapermillExecutionError as error:
        raise Failure(f"cell [{error.exec_count}]: {error_line(error.ename, error.evalue)}") from None
    except DeadKernelError:
        raise Failure("its kernel died, which is most often a lack of memory") from None


def error_line(kind: str, message: str) -> str:
    """First line of an error; a UserError is its sentence alone."""
    first = (message.strip().splitlines() or [""])[0]
    return first if kind == "UserError" else f"{kind}: {first}".removesuffix(": ")


def environment(results: Path, threads: int | None) -> dict[str, str]:
    """Variables of the kernel: this interpreter's kernel first, where results go, and, here alone, the threads."""
    kernels = [f"{sys.prefix}/share/jupyter", os.environ.get("JUPYTER_PATH")]
    found = {"CWR_RESULTS": str(results.resolve()), "JUPYTER_PATH": os.pathsep.join(filter(None, kernels))}
    if threads is not None:
        found |= dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"),
                               str(threads))
        found["TOKENIZERS_PARALLELISM"] = "true" if threads > 1 else "false"
    return found


def carry_alt_texts(executed: Path) -> None:
    """Copy each figure's alt text from its output to its cell, the one place where myst-nb reads it."""
    notebook = json.loads(executed.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        alts = [alt for output in cell.get("outputs", [])
                if (alt := output.get("metadata", {}).get("image/png", {}).get("alt"))]
        if alts:
            cell["metadata"].setdefault("mystnb", {}).setdefault("image", {})["alt"] = " ".join(alts)
    executed.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Execute one notebook into a folder.")
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="folder for the executed notebook and its results")
    parser.add_argument("--threads", type=int, help="threads of the numerical libraries")
    parser.add_argument("--given", type=json.loads, default={}, help="parameters as one JSON object")
    parser.add_argument("-p", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"), help="one parameter")
    said = parser.parse_args()
    tether.end_with_parent()
    name, started = parameters.title(said.notebook), time.monotonic()
    print(f"start {name}", flush=True)
    try:
        run(said.notebook, said.out, said.given | parameters.from_text(said.notebook, dict(said.p)), said.threads)
    except (UserError, Failure) as error:
        print(f"failed {name}, {error}", flush=True)
        return 1
    print(f"done {name} in {time.monotonic() - started:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
