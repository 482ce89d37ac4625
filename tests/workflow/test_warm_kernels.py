"""Forked kernels: they are what Jupyter would have started, and end with whoever wanted them."""

import json
import os
import subprocess
import sys
import time

import psutil
import pytest
from jupyter_client import KernelManager

from cwr.cli import engine, stand_in, warm_kernels

pytestmark = pytest.mark.skipif(
    sys.platform != "linux",
    reason="kernels are forked on Linux alone; nothing to do elsewhere",
)
SURROUNDINGS = """import os, sys
loaded = "torch" in sys.modules
import torch
ours = {name: value for name, value in os.environ.items() if name.startswith(("OMP", "TEST"))}
total = [loaded, os.getcwd(), torch.get_num_threads(), ours, sys.path[-1]]"""


class ForkedKernel(KernelManager):
    def format_kernel_cmd(self, extra_arguments=None):
        return warm_kernels.command_line(super().format_kernel_cmd(extra_arguments))


def started() -> psutil.Process:
    """The server: a child that may still bear its parent's command line, on a loaded machine."""
    for _ in range(200):
        for child in psutil.Process().children():
            if warm_kernels.__name__ in child.cmdline():
                return child
        time.sleep(0.1)
    raise AssertionError("no server was started")


@pytest.fixture
def server(tmp_path, monkeypatch):
    with warm_kernels.server(tmp_path, threads=1) as address:
        monkeypatch.setenv(*address.popitem())
        yield started()


def run(checkout, *options: str) -> subprocess.CompletedProcess:
    """Run tiny/01_a there by the runner alone."""
    command = [sys.executable, "workflow/run_notebook.py", "notebooks/tiny/01_a.ipynb"]
    return subprocess.run(
        [*command, "--out", "out", "--threads", "2", *options],
        cwd=checkout.folder,
        env=checkout.environment | {"TEST_OF": "a kernel"},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_forked_kernel_differs_in_nothing_but_that_libraries_are_there(
    checkout, write, server
):
    checkout.notebook("tiny/01_a", SURROUNDINGS, write)
    surroundings = {}
    for warm in "01":
        run(checkout, "--warm", warm)
        surroundings[warm] = json.loads(
            (checkout.folder / "out/results.json").read_text()
        )["sum"]
    assert surroundings["0"][0] is False
    assert surroundings["1"][0] is True
    assert surroundings["0"][1:] == surroundings["1"][1:]
    assert surroundings["1"][1:3] == [str(checkout.folder), 2]


ENDS = {
    "os.kill(os.getpid(), 9)": "its kernel was killed (signal 9), most often for lack of memory",
    "os.kill(os.getpid(), 11)": "its kernel was ended by SIGSEGV (signal 11)",
    "os._exit(3)": "its kernel ended (exit status 3)",
}


@pytest.mark.parametrize("warm", "01")
@pytest.mark.parametrize("end", ENDS)
def test_a_kernel_that_ends_is_told_by_its_signal_or_exit_status(
    checkout, write, server, end, warm
):
    checkout.notebook("tiny/01_a", "import os", end, write)
    done = run(checkout, "--warm", warm)
    assert f"failed tiny/01_a, cell [3]: {ENDS[end]}" in done.stdout
    assert ("memory" in done.stdout) == ("9" in end)


def test_a_forked_kernel_that_hangs_in_its_last_breath_is_ended(checkout, write, server):
    hangs = "import atexit, time\natexit.register(time.sleep, 600)\ntotal = 0"
    checkout.notebook("tiny/01_a", hangs, write)
    assert "done tiny/01_a" in run(checkout, "--warm", "1").stdout
    gone, alive = psutil.wait_procs(server.children(), timeout=20)
    assert not alive


def test_a_kernel_whose_stand_in_has_ended_before_it_ends_without_a_last_breath():
    code = """import atexit, socket, time
from cwr.cli import warm_kernels
atexit.register(time.sleep, 600)
connection, other = socket.socketpair()
other.close()
warm_kernels.end_with(connection)
time.sleep(600)"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 1


@pytest.mark.parametrize("victim", ["stand-in", "server"])
def test_a_forked_kernel_that_computes_ends_with_its_stand_in_and_its_server(
    server, victim
):
    manager = ForkedKernel()
    manager.start_kernel()
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    client.execute("while True: pass")
    (kernel,) = server.children()
    time.sleep(1)
    assert kernel.is_running()
    if victim == "server":
        server.kill()
    else:
        os.kill(manager.provisioner.process.pid, 9)
    kernel.wait(timeout=20)
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def stands_in(address, runner: int, original: list[str]) -> list[str]:
    return [sys.executable, "-S", stand_in.__file__, str(address), str(runner), *original]


def test_a_forked_kernel_ends_where_its_runner_was_killed_before_the_stand_in_looked(
    tmp_path, server
):
    runner = subprocess.Popen([sys.executable, "-c", ""])
    runner.wait()
    original = [
        sys.executable,
        "-m",
        warm_kernels.LAUNCHER,
        "-f",
        str(tmp_path / "kernel.json"),
    ]
    address = os.environ[warm_kernels.VARIABLE]
    subprocess.run(stands_in(address, runner.pid, original), timeout=60)
    time.sleep(1)  # a kernel is forked, and ends
    gone, alive = psutil.wait_procs(server.children(), timeout=20)
    assert not alive


def test_without_a_server_the_stand_in_becomes_the_kernel(tmp_path):
    original = [sys.executable, "-c", "print('the kernel itself')"]
    command = stands_in(tmp_path / "nobody", os.getpid(), original)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout == "the kernel itself\n"


def test_where_notebooks_compute_on_a_gpu_nothing_is_forked(tmp_path, monkeypatch):
    monkeypatch.setenv("DEVICE", "cuda")
    with engine.kernels(tmp_path, jobs=1) as address:
        assert address == {}
    monkeypatch.setenv("DEVICE", "cpu")
    with engine.kernels(tmp_path, jobs=1) as address:
        assert list(address) == [warm_kernels.VARIABLE]
