"""Collects the targets' vectors during a pass, and writes the files of blocks and of answers.

Axes: targets, those of a block; needed, all targets of a question that are encoded; kept, the
targets whose vectors are kept; units, words or pieces with a vector in a batch; dim.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cwr.extraction import cache
from cwr.extraction.alignment import Slots
from cwr.extraction.answer import ROW, save_extraction
from cwr.extraction.questions import Block, Question
from cwr.extraction.reducers import Shape, SumWriter, VectorWriter

if TYPE_CHECKING:
    import torch

SEEN, GROUPS, PLAN = "seen.npy", "groups.npy", "plan.json"  # of a part, beside its arrays
Writers = list[VectorWriter | SumWriter]


class Collector:
    """A writer of one block's files during the pass.

    The texts alone decide which targets count, before the pass: nothing else is encoded.
    """

    def __init__(self, block: Block, folder: Path, mapped: cache.Mapped):
        """folder: an empty folder for the arrays; mapped: the arrays of the pass."""
        self.block, self.folder = block, folder
        table = block.question.table.take(block.targets)
        is_kept = block.question.is_kept[block.targets]
        self.row = np.where(is_kept, np.cumsum(is_kept) - 1, -1)  # (targets,)
        self.groups, self.group = np.unique(table.group, return_inverse=True)
        self.writers = writers(block.question, folder, int(is_kept.sum()), self.groups, mapped)
        self.slots, self.seen = Slots(table), np.zeros(len(table), bool)

    def add(
        self, sentence: np.ndarray, position: np.ndarray, hidden: "Sequence[torch.Tensor]"
    ) -> None:
        """Collects the vectors of the targets in a batch.

        sentence, position: (units,); hidden: of each layer (units, dim).
        Raises ValueError for `sums` over a zero or NaN vector.
        """
        from cwr.extraction.bags import Bags  # brings torch

        hits = self.slots.find(sentence, position)
        if not len(hits.targets):
            return
        self.seen[hits.targets] = True
        if hidden[0].device.type == "mps":  # Apple's GPUs have no float64
            hidden = [layer.cpu() for layer in hidden]
        device = hidden[0].device
        words = Bags(hits.units, hits.starts, device)
        for writer in self.writers:
            writer.begin(self.row[hits.targets], self.group[hits.targets], device)
        for layer, units in enumerate(hidden):
            writers = [writer for writer in self.writers if layer in writer.layers]
            if writers:
                means = words.means(units)  # (hits, dim)
            for writer in writers:
                writer.add(layer, means)

    def finish(self, plan: dict) -> None:
        """Closes the block's files; plan: of its pass, see `Extraction`."""
        if self.block.is_alone:
            save_answer(self.block.question, self.folder, self.writers, self.seen, plan)
        else:
            save_part(self.folder, self.writers, self.seen, self.groups, plan)


def writers(
    question: Question, folder: Path, rows: int, groups: np.ndarray, mapped: cache.Mapped
) -> Writers:
    """Opens a writer for each reducer of a question.

    rows: the number of kept targets; groups: (groups,) numbers of the groups to add up.
    """
    names = [question.table.groups[number] for number in groups]
    shape = Shape(question.encoder.n_layers + 1, question.encoder.dim, rows, names)
    return [reducer.writer(folder, shape, mapped) for reducer in question.reducers]


def save_part(
    folder: Path, writers: Writers, seen: np.ndarray, groups: np.ndarray, plan: dict
) -> None:
    """Writes the files that merging reads beside the arrays.

    seen: (targets,) bool, whether a target had a vector; groups: (groups,) numbers of the groups.
    """
    for writer in writers:
        writer.close()
    np.save(folder / SEEN, seen)
    np.save(folder / GROUPS, groups)
    (folder / PLAN).write_text(json.dumps(plan), encoding="utf-8")


def save_answer(
    question: Question, folder: Path, writers: Writers, seen: np.ndarray, plan: dict
) -> None:
    """Writes the files that `load_extraction` reads beside the arrays, without missing targets.

    seen: (needed,) bool, whether a target had a vector.
    """
    table, needed = question.table, question.needed
    is_kept = question.is_kept[needed]
    count = np.bincount(table.group[needed[seen]], minlength=len(table.groups))
    for writer in writers:
        writer.finish(seen[is_kept], count)
    kept = needed[is_kept & seen]
    columns = (table.sentence, table.first, table.last, table.group)
    records = np.rec.fromarrays([column[kept] for column in columns], dtype=ROW)
    save_extraction(
        folder,
        records,
        {
            "layers": question.encoder.n_layers + 1,
            "dim": question.encoder.dim,
            "groups": table.groups,
            "missing": int((~seen).sum()),
            "plan": plan,
        },
    )
