"""What a process holds of a pass that keeps more than its memory; what is kept is not changed by it."""

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
