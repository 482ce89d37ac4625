"""The sweep: every parameter of every notebook at its edges ends in results or in one sentence.

In the gate every edge meets the checks before a kernel starts, and a ninth of the notebooks is run at
one of those that pass; which ones follows from their files, so it changes as the notebooks do.
`CWR_BAD_INPUTS=all` runs all of them, some hours of one core, and prints how many of each notebook's
ended how: notebook, inputs, clear, fine, raw, slow.
"""

import json
import os
import random
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bad_inputs.edges import edges, files, settings, warm
from bad_inputs.row import RAW

from cwr import parameters
from cwr.cli import checkout

ROOT = Path(__file__).parents[3]
NOTEBOOKS = checkout.notebooks(ROOT)
ALL = os.environ.get("CWR_BAD_INPUTS") == "all"
SECONDS = 300  # a fork may take; the tiny settings take some five
ENDS = ("clear", "fine", "raw", "slow")


@pytest.fixture(scope="module")
def inputs(tmp_path_factory) -> dict[str, list[edges.Input]]:
    """All edges, by notebook."""
    made = files.made(tmp_path_factory.mktemp("edges"))
    return {
        name: edges.of_notebook(checkout.path(ROOT, name), made)
        for name in checkout.notebooks(ROOT)
    }


@pytest.fixture(scope="module")
def ended(tmp_path_factory) -> Iterator[Callable[[edges.Input], dict]]:
    """What runs an input in a fork of a warm process, with a cache of this module's own."""
    cache = os.environ.get("CWR_CACHE") if ALL else str(tmp_path_factory.mktemp("cache"))
    with subprocess.Popen(
        [sys.executable, warm.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
        env=os.environ | {"CWR_CACHE": cache} if cache else None,
    ) as process:

        def run(tried: edges.Input) -> dict:
            notebook = str(checkout.path(ROOT, tried.notebook))
            request = {"notebook": notebook, "given": tried.given, "seconds": SECONDS}
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield run
        process.stdin.close()


def is_plain(line: str) -> bool:
    """Whether a line is one sentence of ours, and no line of a library."""
    return bool(line) and "\n" not in line and not RAW.search(line)


def complaint(tried: edges.Input, end: dict) -> str:
    """What is wrong with an end; empty for results and for one sentence."""
    is_well = end["ended"] == "fine" or (end["ended"] == "clear" and is_plain(end["line"]))
    return "" if is_well else f"{tried}: cell {end['cell']}, {end['line']}"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_smallest_settings_are_legal(name):
    notebook = checkout.path(ROOT, name)
    texts = dict.fromkeys(("text", "more", "gum", "anchors", "byte_level"), "lee")
    tiny = settings.tiny(notebook, texts)
    parameters.validate(notebook, tiny)
    misspelt = settings.TINY.get(name, {}).keys() - parameters.read(notebook).keys()
    assert not misspelt


def test_every_edge_passes_the_checks_before_a_kernel_or_is_refused_in_one_sentence(
    inputs,
):
    wrong, refused = [], 0
    for name, of_notebook in inputs.items():
        notebook = checkout.path(ROOT, name)
        sentences = [warm.before(notebook, tried.given) for tried in of_notebook]
        refused += len(sentences) - sentences.count(None)
        wrong += [line for line in sentences if line is not None and not is_plain(line)]
    assert wrong == []
    assert 0 < refused < sum(map(len, inputs.values()))


def number_of(name: str) -> int:
    """A number that a notebook's file decides."""
    return zlib.crc32(checkout.path(ROOT, name).read_bytes())


def passing(name: str, of_notebook: list[edges.Input]) -> edges.Input:
    """An input of a notebook that no check refuses before its kernel, drawn by its file."""
    notebook = checkout.path(ROOT, name)
    shuffled = random.Random(number_of(name)).sample(of_notebook, len(of_notebook))
    return next(tried for tried in shuffled if warm.before(notebook, tried.given) is None)


def test_a_ninth_of_the_notebooks_ends_in_results_or_one_sentence_at_an_edge(
    inputs, ended
):
    drawn = [name for name in NOTEBOOKS if number_of(name) % 9 == 0]
    tried = [passing(name, inputs[name]) for name in drawn]
    ends = [(one, ended(one)) for one in tried]
    assert [line for line in map(complaint, *zip(*ends, strict=True)) if line] == []
    assert {"fine"} <= {end["ended"] for _, end in ends}


if ALL:

    @pytest.mark.parametrize("name", NOTEBOOKS)
    def test_a_notebook_ends_in_results_or_one_sentence_at_all_edges(
        name, inputs, ended, capsys
    ):
        ends = [ended(tried) for tried in inputs[name]]
        counts = Counter(end["ended"] for end in ends)
        with capsys.disabled():
            print("", name, len(ends), *(counts[end] for end in ENDS), sep=",")
        assert [line for line in map(complaint, inputs[name], ends) if line] == []
