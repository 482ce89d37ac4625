"""Trains the edge probes of one task together, tests them on folds not seen, and caches them.

S seeds, F folds, G = S F groups, K kinds of probes, L layers, n tested targets, C labels
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from cwr.corpora.edge_tasks import EdgeTask
from cwr.errors import UserError
from cwr.extraction import cache
from cwr.texts.survey import edge_bank, spans
from cwr.texts.survey.edge_bank import Learning, Range
from cwr.texts.survey.edge_probes import (
    CUMULATIVE,
    LEX,
    MIX,
    SIGMOIDS,
    SINGLE,
    SOFTMAX,
    Kind,
    ProbePredictions,
)
from cwr.texts.survey.spans import Words
from cwr.training.cached import training_key as key_of

LOGITS, WEIGHTS = "logits.npy", "weights.npy"
FURTHER = 1_000_003  # between the seeds of further trainings


@dataclass(frozen=True)
class Settings(Learning):
    """The settings of edge probes, and the numbers of their targets.

    most: targets that a fold's probes learn from; most_tested: targets that are tested, of all
    folds; 0: all. Both are drawn by a hash of the text, so that all models have the same ones.
    pooling: of a span's words. products: whether a probe of two spans reads, beside the two
    vectors, their products and absolute differences (`spans.with_products`); the source's reads
    only the two, from which a small probe hardly learns whether two spans are alike. No matter to
    one span.
    scaled: whether vectors are divided by the mean length of their layer before they are mixed; the
    source mixes raw ones, and then a layer of short vectors (the input of cwr-gpt, a thirtieth of
    its blocks) is not read in few steps. resampled: whether each seed learns from resampled
    documents.
    """

    most: int = 3000
    most_tested: int = 2000
    pooling: str = spans.MEAN
    products: bool = True
    scaled: bool = True
    resampled: bool = False


def all_kinds(layers: int, single: bool = True) -> list[Kind]:
    """Lists every kind for an encoder with so many layers, the input included."""
    kinds = [(CUMULATIVE, layer) for layer in range(layers)]
    kinds += [(SINGLE, layer) for layer in range(layers)] if single else []
    return [*kinds, (LEX,), (MIX,)]


def range_of(kind: Kind, layers: int) -> Range:
    """Returns the layers that a kind of probe may use. Raises UserError for a missing layer."""
    name, layer = kind[0], kind[-1]
    if name in (SINGLE, CUMULATIVE) and not 0 <= layer < layers:
        raise UserError(f"there is no layer {layer} to probe: they are 0 to {layers - 1}")
    ranges = {LEX: (0, 0), MIX: (0, layers - 1), SINGLE: (layer, layer), CUMULATIVE: (0, layer)}
    return ranges[name]


def scored(
    vectors: Words,
    task: EdgeTask,
    kinds: Sequence[Kind],
    settings: Settings = Settings(),
    seeds: Sequence[int] = (0,),
    device: str = "cpu",
    mixes: int = 0,
) -> ProbePredictions:
    """Trains probes of these kinds and seeds, and predicts the tested targets of a task.

    Probes that any notebook trained before are read from the cache; all others are trained in one
    computation. Each fold of each seed starts from weights of its own.
    mixes: the fewest trainings of the mix of all layers, if it is among the kinds: its
    weights differ between trainings by more than its scores do.
    Raises UserError for settings that train nothing, a fold without a tested target, a kind without
    its layer, vectors of another corpus, and a cache that cannot be written.
    """
    _refuse(settings)
    if not task.is_of_pairs:
        settings = replace(settings, products=False)
    ranges = [range_of(kind, len(vectors.layers)) for kind in kinds]
    tested = task.tested(settings.most_tested)
    _refuse_untested(task, tested)
    asked = [(seed, low, high) for seed in seeds for low, high in dict.fromkeys(ranges)]
    further = _further(seeds, mixes) if (MIX,) in kinds else []
    whole = 0, len(vectors.layers) - 1
    asked += [(seed, *whole) for seed in further]
    keys = _keys(vectors, task, settings, asked)
    with cache.reserved(list(keys.values())):
        lacking = [one for one in asked if not cache.holds(keys[one])]
        if lacking:
            for one, arrays in _trained(vectors, task, tested, lacking, settings, device).items():
                _keep(keys[one], task, arrays)
        kept = {one: cache.read(keys[one], _load) for one in asked}
    probes = [[kept[seed, *layers] for layers in ranges] for seed in seeds]
    weights = np.array([[probe[WEIGHTS] for probe in of_seed] for of_seed in probes])
    table = task.table.iloc[tested]
    return ProbePredictions(
        task=task.name,
        labels=task.labels,
        scored=task.scored,
        kinds=tuple(kinds),
        logits=np.array([[probe[LOGITS] for probe in of_seed] for of_seed in probes]),
        answers=settings.answers,
        gold=task.gold[tested],
        rows=tested,
        document=table["document"].to_numpy(),
        fold=table["fold"].to_numpy(),
        documents=np.unique(table["document"]),
        weights=weights.swapaxes(1, 2),  # (S, F, K, L)
        norms=vectors.norms,
        scaled=settings.scaled,
        mixes=np.array([kept[seed, *whole][WEIGHTS] for seed in further]) if further else None,
    )


def _further(seeds: Sequence[int], mixes: int) -> list[int]:
    """Seeds beside these, until they are so many; those of other seeds are others."""
    return [seeds[0] + FURTHER * number for number in range(1, mixes - len(seeds) + 1)]


def training_seed(seed: int, fold: int) -> int:
    """Returns the seed of first weights and order of one training."""
    return int(np.random.SeedSequence((seed, fold)).generate_state(1)[0])


def _trained(vectors, task, tested, lacking, settings, device) -> dict[tuple, dict]:
    """{(seed, low, high): its arrays} of all that is lacking.

    Seeds that lack the same ranges are trained together.
    """
    of_seed = {}
    for seed, *layers in lacking:
        of_seed.setdefault(seed, []).append(tuple(layers))
    together = {}
    for seed, ranges in of_seed.items():
        together.setdefault(tuple(ranges), []).append(seed)
    result = {}
    for ranges, seeds in together.items():
        result |= _together(vectors, task, tested, seeds, ranges, settings, device)
    return result


def _together(vectors, task, tested, seeds, ranges, settings, device) -> dict[tuple, dict]:
    """The arrays of all these seeds and ranges, from one computation."""
    groups = [(seed, fold) for seed in seeds for fold in task.folds]
    learned = _learned(task, groups, settings)  # (G, n)
    read = np.union1d(learned, tested)
    inputs = spans.pooled(vectors, task, read, settings.pooling)
    _refuse_infinite(inputs, task)
    rows, gold = np.searchsorted(read, learned), task.gold[read]
    if settings.scaled:
        inputs /= vectors.norms.astype(np.float32)[:, None]
    if settings.products:
        inputs = spans.with_products(inputs)
    of_group = [training_seed(*group) for group in groups]
    labels = len(task.labels)
    bank = edge_bank.train(inputs, gold, rows, of_group, ranges, settings, labels, device)
    said = _said(bank, inputs, np.searchsorted(read, tested), task, tested, groups)
    weights = bank.weights().detach().cpu().numpy()  # (G, K, L)
    result = {}
    for seed in seeds:
        is_of_seed = np.array([own == seed for own, _ in groups])
        for number, layers in enumerate(ranges):
            shares = weights[is_of_seed, number]  # (F, L)
            result[seed, *layers] = {LOGITS: said[seed][number], WEIGHTS: shares}
    return result


def _learned(task: EdgeTask, groups: Sequence[tuple[int, int]], settings: Settings) -> np.ndarray:
    """The rows that each group learns from, equally many, (G, n)."""
    rows = []
    for seed, fold in groups:
        of_fold = task.trained(fold, 0 if settings.resampled else settings.most)
        rows.append(_resampled(task, of_fold, (seed, fold)) if settings.resampled else of_fold)
    n = min(len(of_group) for of_group in rows)
    n = min(n, settings.most) if settings.most else n
    if settings.resampled:
        return np.stack([of_group[:n] for of_group in rows])
    return np.stack([task.drawn(of_group, n) for of_group in rows])


def _resampled(task: EdgeTask, rows: np.ndarray, seed: tuple[int, int]) -> np.ndarray:
    """The rows of documents that are drawn with replacement, in a random order."""
    random = np.random.default_rng(seed)
    document = task.table["document"].to_numpy()[rows]
    names, number = np.unique(document, return_inverse=True)
    times = np.bincount(random.integers(len(names), size=len(names)), minlength=len(names))
    return random.permutation(np.repeat(rows, times[number]))


def _said(bank, inputs, at, task, tested, groups) -> dict[int, np.ndarray]:
    """{seed: logits (K, n, C)}: each target is asked of the probes of its fold.

    Folds are not equally large: shorter ones are filled up with their first row.
    """
    fold = task.table["fold"].to_numpy()[tested]
    members = [np.flatnonzero(fold == own) for _, own in groups]
    longest = max(map(len, members))
    filled = [np.concatenate([own, np.repeat(own[:1], longest - len(own))]) for own in members]
    answers = edge_bank.logits(bank, inputs, at[np.stack(filled)])  # (G, K, longest, C)
    shape = (answers.shape[1], len(tested), answers.shape[3])
    said = {seed: np.empty(shape, np.float16) for seed, _ in groups}
    for (seed, _), own, of_group in zip(groups, members, answers, strict=True):
        said[seed][:, own] = of_group[:, : len(own)]
    return said


# ---- what is kept


def _keys(vectors: Words, task: EdgeTask, settings: Settings, asked: Sequence[tuple]) -> dict:
    """{(seed, low, high): the name of its entry in the cache}."""
    texts = [vectors.identity, task.fingerprint, repr(settings)]
    common = key_of(_together, texts, ("torch", "numpy"), __file__)
    return {one: cache.key({"trained as": common, "probe": one}) for one in asked}


def _keep(key: str, task: EdgeTask, arrays: dict[str, np.ndarray]) -> None:
    with cache.writing(key, {"model": "edge probe", "corpus": task.corpus.name}) as folder:
        for name, array in arrays.items():
            np.save(folder / name, array, allow_pickle=False)


def _load(folder: Path) -> dict[str, np.ndarray]:
    return {name: np.load(folder / name, allow_pickle=False) for name in (LOGITS, WEIGHTS)}


def _refuse(settings: Settings) -> None:
    if settings.epochs < 1 or settings.batch < 1 or settings.hidden < 0:
        raise UserError(
            f"edge probes need at least 1 epoch, 1 target a batch and no negative number of hidden "
            f"units, got {settings}"
        )
    if settings.answers not in (SIGMOIDS, SOFTMAX):
        raise UserError(f"answers are {SIGMOIDS} or {SOFTMAX}, got {settings.answers!r}")


def _refuse_untested(task: EdgeTask, tested: np.ndarray) -> None:
    if set(task.folds) - set(task.table["fold"].iloc[tested]):
        raise UserError(
            f"the task {task.name} has a fold without a tested target: test more targets"
        )


def _refuse_infinite(inputs: np.ndarray, task: EdgeTask) -> None:
    bad = np.flatnonzero(~np.isfinite(inputs).all(axis=(1, 2)))
    if len(bad):
        raise UserError(
            f"the vectors of {len(bad)} targets of the task {task.name} hold what is no finite "
            "number: read that layer again, or take another model"
        )
