"""What a process holds of a pass that keeps more than its memory; what is kept is not changed by it."""

import sys
from pathlib import Path

import numpy as np
import pytest

from cwr.extraction import answer, reducers
from cwr.extraction.alignment import Hits

LAYERS, ROWS, DIM = 16, 20_000, 128
LAYER_MB = ROWS * DIM * 4 / 1e6

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="needs /proc, which only Linux has"
)


def mapped_megabytes() -> float:
    """Of this process: what it holds of files."""
    lines = Path("/proc/self/status").read_text().splitlines()
    [size] = [line.split()[1] for line in lines if line.startswith("RssFile")]
    return int(size) / 1e3


def test_writing_and_reading_hold_a_layer_at_a_time(tmp_path):
    group, rows = np.zeros(ROWS, np.int64), np.arange(ROWS)
    shape = reducers.Shape(LAYERS, DIM, ("word",), group, rows)
    writer = reducers.vectors().writer(tmp_path, shape)
    hits, vectors = Hits(rows, rows, rows), np.ones((ROWS, DIM), np.float32)
    before = mapped_megabytes()
    for layer in range(LAYERS):
        writer.add(layer, hits, layer * vectors)
    assert mapped_megabytes() - before < 2 * LAYER_MB
    writer.finish(np.ones(ROWS, bool))
    records = np.rec.fromarrays([rows, rows, rows, group], dtype=answer.ROW)
    about = {"layers": LAYERS, "dim": DIM, "missing": 0, "plan": {}, "groups": ["word"]}
    answer.save_extraction(tmp_path, records, about)
    extraction = answer.load_extraction(tmp_path, "key")
    before = mapped_megabytes()
    for layer in range(LAYERS):
        assert (extraction.vectors(layer) == layer).all()
    assert mapped_megabytes() - before < 3 * LAYER_MB


def test_sums_hold_no_more_than_they_add_to(tmp_path):
    group = np.arange(ROWS)
    shape = reducers.Shape(LAYERS, DIM, tuple(map(str, group)), group, np.full(ROWS, -1))
    writer = reducers.sums().writer(tmp_path, shape)
    before = mapped_megabytes()
    for layer in range(LAYERS):
        writer.add(layer, Hits(group, group, group), np.ones((ROWS, DIM), np.float32))
    assert mapped_megabytes() - before < 2 * LAYER_MB
    assert (writer.sum[LAYERS - 1] == 1).all()
