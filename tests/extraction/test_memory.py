"""What a process holds of a pass that keeps more than its memory; what is kept is not changed by it."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from cwr.extraction import answer, cache, reducers

LAYERS, ROWS, DIM = 16, 20_000, 128
LAYER_MB = ROWS * DIM * 4 / 1e6
HELD_MB = cache.HELD / 1e6  # less than half of what the passes write
CPU = torch.device("cpu")

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="needs /proc, which only Linux has"
)


def mapped_megabytes() -> float:
    """Of this process: what it holds of files."""
    lines = Path("/proc/self/status").read_text().splitlines()
    [size] = [line.split()[1] for line in lines if line.startswith("RssFile")]
    return int(size) / 1e3


def test_writing_holds_a_bounded_part_and_reading_a_layer_at_a_time(tmp_path):
    group, rows = np.zeros(ROWS, np.int64), np.arange(ROWS)
    shape = reducers.Shape(LAYERS, DIM, ROWS, ["word"])
    writer = reducers.vectors().writer(tmp_path, shape, cache.Mapped())
    vectors = torch.ones(ROWS, DIM)
    before = mapped_megabytes()
    writer.begin(rows, group, CPU)
    for layer in range(LAYERS):
        writer.add(layer, layer * vectors)
    assert mapped_megabytes() - before < HELD_MB + 2 * LAYER_MB < LAYERS * LAYER_MB / 1.5
    writer.finish(np.ones(ROWS, bool), np.array([ROWS]))
    records = np.rec.fromarrays([rows, rows, rows, group], dtype=answer.ROW)
    about = {"layers": LAYERS, "dim": DIM, "missing": 0, "plan": {}, "groups": ["word"]}
    answer.save_extraction(tmp_path, records, about)
    extraction = answer.load_extraction(tmp_path, "key")
    before = mapped_megabytes()
    for layer in range(LAYERS):
        assert (extraction.vectors(layer) == layer).all()
    assert mapped_megabytes() - before < 3 * LAYER_MB


def test_all_writers_of_a_pass_hold_one_bounded_part(tmp_path):
    group = np.arange(ROWS)
    shape = reducers.Shape(LAYERS, DIM, 0, [str(number) for number in group])
    mapped, folders = cache.Mapped(), [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
    writers = [reducers.sums().writer(folder, shape, mapped) for folder in folders]
    before = mapped_megabytes()
    for writer in writers:
        writer.begin(np.full(ROWS, -1), group, CPU)
        for layer in range(LAYERS):
            writer.add(layer, torch.ones(ROWS, DIM))
    assert mapped_megabytes() - before < HELD_MB + 2 * LAYER_MB
    assert (writers[0].sum[LAYERS - 1] == 1).all()


PASS = """
import gc, sys
from pathlib import Path
import numpy as np
from cwr import corpora, encoders, extraction
from cwr.extraction import targets
encoder, n = encoders.load(sys.argv[1]), int(sys.argv[2])
words = sorted({word for each in corpora.load(sys.argv[3]).sentences for word in each.words})

def text(n):
    drawn = np.random.default_rng(n).choice(words, (n, 12))
    sentences = tuple(corpora.joined(some.tolist()) for some in drawn)
    return corpora.Corpus("drawn", sentences, corpora.fingerprint(sentences), "none")

def megabytes(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    [size] = [line.split()[1] for line in lines if line.startswith(name)]
    return int(size) / 1e3

extraction.run(encoder, text(9000), reducers=[extraction.sums()])  # what the first blocks take once
corpus = text(n)
table = targets.occurrences(corpus)
gc.collect()
before = megabytes("VmRSS")
Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
extraction.run(encoder, corpus, table, reducers=[extraction.sums()])
print(megabytes("VmHWM") - before)
"""


def test_a_pass_with_sums_holds_no_more_of_ten_times_the_text(folder, story, tmp_path):
    """But for its targets, some 20 bytes each while they are checked; vectors would be 192 bytes."""

    def peak(n):
        command = [sys.executable, "-c", PASS, str(folder), str(n), str(story)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        return float(done.stdout)

    short, long = 4_100, 41_000
    targets = 12 * (long - short)
    assert peak(long) - peak(short) < 30 * targets / 1e6 + 10
