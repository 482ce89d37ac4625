"""Extractions of the parts of a corpus, merged to that of the whole.

Cut the table of `targets.numbered` with the corpus, so that equal targets in two parts stay two; then the
merged sample is exactly that of the whole, and sums agree up to rounding.
"""
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cwr.extraction import Extraction, cache, load, save
from cwr.extraction.reducers import smallest


def merge(parts: Sequence[Extraction]) -> Extraction:
    """One extraction from those of consecutive parts of a corpus, in their order; cached as any other.

    Sentences are counted through. Raises ValueError if the parts come from different models or reducers, or
    if two parts numbered the same repetition of a target.
    """
    if any(part.about["made"] != parts[0].about["made"] for part in parts):
        raise ValueError("the parts come from different models or reducers: extract all in the same way")
    ingredients = {"merged": [part.key for part in parts], "sources": cache.sources()}
    model, corpus = parts[0].about["model"], f"{len(parts)} parts of a corpus"
    about = {"model": model, "corpus": corpus, "ingredients": ingredients}
    key = cache.key(ingredients)
    return cache.entry(key, about, lambda folder: _fill(folder, parts), lambda folder: load(folder, key))


def _fill(folder: Path, parts: Sequence[Extraction]) -> None:
    about = dict(parts[0].about)
    about["groups"] = sorted({group for part in parts for group in part.groups()})
    about["sentences"] = sum(part.about["sentences"] for part in parts)
    about["plan"] = {"parts": [part.plan for part in parts]}
    kept, part_of = _pool(parts, about)
    rows = np.where(kept["row"] >= 0, np.cumsum(kept["row"] >= 0) - 1, -1)
    for layer in range(about["layers"]):
        if "vectors" in about["made"]["reducers"]:
            _copy_vectors(folder, parts, layer, kept["row"], part_of, rows)
        if "sums" in about["made"]["reducers"]:
            _add_sums(folder, parts, layer, about["groups"])
    whole = "sums" in about["made"]["reducers"]
    about["missing"] = sum(part.missing for part in parts) if whole else int((rows < 0).sum())
    kept["row"] = rows
    save(folder, kept, about)


def _pool(parts: Sequence[Extraction], about: dict) -> tuple[np.ndarray, np.ndarray]:
    """The sampled targets of all parts, counted in the whole and sampled again, and the part of each."""
    names, pooled, offset = np.array(about["groups"], dtype=object), [], 0
    for part in parts:
        kept = part.kept.copy()
        kept["sentence"] += offset
        kept["group"] = _places(names, part)[kept["group"]]
        pooled.append(kept)
        offset += part.about["sentences"]
    part_of = np.repeat(np.arange(len(parts)), [len(kept) for kept in pooled])
    pooled = np.concatenate(pooled)
    cap = about["made"]["reducers"].get("vectors", {}).get("cap")
    if cap is not None and len(np.unique(pooled[["group", "priority"]])) < len(pooled):
        raise ValueError("two parts numbered the same repetition of a target: cut that of targets.numbered")
    chosen = smallest(pooled["group"], pooled["priority"], cap)
    return pooled[chosen], part_of[chosen]


def _places(names: np.ndarray, part: Extraction) -> np.ndarray:
    """Where the groups of a part stand among all names, both sorted."""
    return np.searchsorted(names, np.array(part.groups(), dtype=object))


def _copy_vectors(folder: Path, parts: Sequence[Extraction], layer: int, source: np.ndarray,
                  part_of: np.ndarray, rows: np.ndarray) -> None:
    made = cache.array(folder / f"vectors.{layer}.npy", (int((rows >= 0).sum()), parts[0].dim), "<f4")
    for number, part in enumerate(parts):
        here = (part_of == number) & (rows >= 0)
        made[rows[here]] = part.vectors(layer)[source[here]]
    made.flush()


def _add_sums(folder: Path, parts: Sequence[Extraction], layer: int, groups: list[str]) -> None:
    size = (len(groups), parts[0].dim)
    unit_sum = cache.array(folder / f"unit_sum.{layer}.npy", size, "<f8")
    total = cache.array(folder / f"sum.{layer}.npy", size, "<f8")
    count = np.zeros(len(groups), np.int64)
    for part in parts:
        places, sums = _places(np.array(groups, dtype=object), part), part.sums(layer)
        unit_sum[places] += sums.unit_sum
        total[places] += sums.sum
        count[places] += sums.count
    unit_sum.flush()
    total.flush()
    np.save(folder / "count.npy", count)
