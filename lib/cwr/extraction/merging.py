"""Merges the blocks of a question, always in their order: vectors by rows, sums one after another.

The sums of all blocks would be far larger than their total. So blocks are merged as soon as those
that wait weigh as much as those that are merged. Then the disk holds a few times the answer at
most, and all mergings together write no more than twice what the blocks wrote.

Axes: kept, the targets whose vectors are kept; targets, those of a part; groups.
"""

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cwr.errors import UserError
from cwr.extraction import cache
from cwr.extraction.collector import GROUPS, PLAN, SEEN, Writers, save_answer, save_part, writers
from cwr.extraction.questions import Block, Question
from cwr.extraction.reducers import layer_numbers, vectors

WAITING = 1 << 30  # bytes of blocks that wait for each other at least


@dataclass(frozen=True)
class Part:
    """One block, or the first blocks merged; `folder` has the arrays.

    seen: (targets,) bool, whether a target had a vector, in the order of sentences
    groups: (groups,) the numbers of the targets' groups, ascending
    plan: of its pass, see `Extraction`
    """

    folder: Path
    seen: np.ndarray
    groups: np.ndarray
    plan: dict


def merge_ready(question: Question) -> None:
    """Merges the first blocks that are in the cache, if they weigh enough or are the last.

    The caller has reserved the question's key. A merged block is removed, because all blocks would
    take more disk than the answer. A damaged block is not merged, nor is any block behind it.
    """
    n_merged = question.n_merged
    waiting = question.blocks[n_merged:]
    ready = list(itertools.takewhile(lambda block: cache.holds(block.key), waiting))
    weight = sum(cache.size(block.key) for block in ready)
    if waiting and ready == list(waiting):
        _merge(question, n_merged, ready)
        cache.discard(question.merged_key)
    elif weight > max(WAITING, cache.size(question.merged_key)):
        _merge(question, n_merged, ready)


def refuse_more_than_fits(question: Question) -> None:
    """Raises UserError if the vectors of several blocks are larger than the free disk.

    Counts the blocks that the cache lacks, and the answer that all blocks are merged into. The disk
    space of a lone block is allocated before its pass.
    """
    layers = sum(
        len(layer_numbers(reducer.layers, question.encoder.n_layers))
        for reducer in question.reducers
        if isinstance(reducer, vectors)
    )
    lacking = [block for block in question.blocks if not block.is_noted]
    rows = sum(int(question.is_kept[block.targets].sum()) for block in lacking)
    n, row, free = int(question.is_kept.sum()), 4 * layers * question.encoder.dim, cache.free()
    if len(question.blocks) > 1 and (n + rows) * row > free:
        raise UserError(
            f"the vectors of {n:,} targets in {layers} layers are {_gb(n * row)}, and while they "
            f"are made {_gb((n + rows) * row)}; {_gb(free)} are free in the cache: ask for sums, "
            "for a sample (vectors(cap=100), say) or for fewer layers, or name a larger disk in "
            "CWR_CACHE"
        )


def _merge(question: Question, n_merged: int, blocks: Sequence[Block]) -> None:
    """Merges blocks with the n_merged blocks before them, and removes their entries."""
    names = [question.merged_key] * bool(n_merged) + [block.key for block in blocks]
    parts = [cache.read(name, _load) for name in names]
    stop = n_merged + len(blocks)
    if stop == len(question.blocks):
        with cache.writing(question.key, question.about()) as folder:
            _write_answer(question, parts, folder)
    else:  # its lock keeps others from clearing what is being written
        about = question.about_part(blocks=stop)
        with (
            cache.locked([question.merged_key]),
            cache.writing(question.merged_key, about) as folder,
        ):
            _write_part(question, parts, folder)
    cache.discard(*(block.key for block in blocks))


def _write_answer(question: Question, parts: Sequence[Part], folder: Path) -> None:
    """Writes all blocks as the answer, whose rows stand in the order of the table."""
    row = np.cumsum(question.is_kept) - 1  # (rows of the table,) of a kept target
    rows = row[_kept_by_sentence(question)]
    copied = _copy(question, parts, rows, np.arange(len(question.table.groups)), folder)
    seen = np.empty(len(question.needed), bool)
    seen[question.by_sentence] = np.concatenate([part.seen for part in parts])
    save_answer(question, folder, copied, seen, _added([part.plan for part in parts]))


def _write_part(question: Question, parts: Sequence[Part], folder: Path) -> None:
    """Writes the first blocks as one part, whose rows stand in the order of sentences."""
    seen = np.concatenate([part.seen for part in parts])
    groups = np.unique(np.concatenate([part.groups for part in parts]))
    kept = question.is_kept[question.needed[question.by_sentence[: len(seen)]]]
    copied = _copy(question, parts, np.arange(kept.sum()), groups, folder)
    save_part(folder, copied, seen, groups, _added([part.plan for part in parts]))


def _copy(
    question: Question, parts: Sequence[Part], rows: np.ndarray, groups: np.ndarray, folder: Path
) -> Writers:
    """Copies the parts' arrays into a folder, one part after another; returns the writers.

    rows: (kept,) where the parts' rows go, side by side; groups: (groups,) numbers, ascending.
    """
    opened = writers(question, folder, len(rows), groups, cache.Mapped())
    target = row = 0
    for part in parts:
        targets = question.by_sentence[target : target + len(part.seen)]
        n = int(question.is_kept[question.needed[targets]].sum())
        for writer in opened:
            writer.merge(part.folder, rows[row : row + n], np.searchsorted(groups, part.groups))
        target, row = target + len(part.seen), row + n
    return opened


def _kept_by_sentence(question: Question) -> np.ndarray:
    """Returns the kept targets in the order of their sentences, (kept,) rows of the table."""
    targets = question.needed[question.by_sentence]
    return targets[question.is_kept[targets]]


def _added(plans: Sequence[dict]) -> dict:
    """Adds up the plans of passes; the token budget is that of the first."""
    counted = {
        name: sum(plan[name] for plan in plans) for name in ("sentences", "tokens", "batches")
    }
    return counted | {"max_tokens": plans[0]["max_tokens"]}


def _load(folder: Path) -> Part:
    """Loads what `save_part` wrote."""
    seen, groups = (np.load(folder / name, allow_pickle=False) for name in (SEEN, GROUPS))
    return Part(folder, seen, groups, json.loads((folder / PLAN).read_text(encoding="utf-8")))


def _gb(n_bytes: int) -> str:
    return f"{n_bytes / 1e9:,.1f} GB"
