"""Scores static vectors on the benchmarks of Table 1 of Ethayarajh (2019), with controls.

A score is over the *covered* items, each of whose words has a vector. Beside it stand the score by
the rule of the package that the paper used (a word without a vector has the mean of all vectors,
and every item counts), the share of items covered, and the score of random vectors of the same
words. All vectors have one vocabulary, so the items of a benchmark and their draws are the same in
every row, and rows can be subtracted draw by draw.

    D draws
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from cwr.corpora.word_benchmarks import ANALOGY, Benchmark
from cwr.errors import listed
from cwr.estimates import paired
from cwr.tables import by_family, where
from cwr.texts.ethayarajh2019.word_benchmarks import null, replicates_of, score

SCORE = "static_benchmark_score"
COVERAGE = "static_benchmark_coverage"
FALLBACK, INPUT, KIND, NULL = "_fallback", "_input", "_kind", "_null"  # endings of SCORE

Vectors = Mapping[str, np.ndarray]  # {word: (dim,)}


def score_rows(
    vectors: Vectors,
    sets: Sequence[Benchmark],
    ending: str = "",
    draws: int = 1000,
    seed: int = 0,
    **keys: object,
) -> list[dict]:
    """Scores one table of vectors on the covered items; returns rows for `report.results.write`.

    ending: of the measure's name. keys: model, family and layer. Layer 0 has a measure of its own,
    since Table 1 has no such row: its claims on "the lowest layer" mean a contextualised one.
    Raises ValueError for a benchmark without a covered item.
    """
    ending += INPUT if keys.get("layer") == 0 else ""
    rows = []
    for benchmark in sets:
        result = score(vectors, benchmark, seed=seed)
        replicates = replicates_of(result, benchmark, draws, seed)
        named = _named(benchmark, f"{SCORE}{ending}", **keys)
        rows.append({**named, "value": result.score, "replicates": replicates})
    return rows


def kind_rows(
    vectors: Vectors, sets: Sequence[Benchmark], draws: int = 1000, seed: int = 0, **keys: object
) -> list[dict]:
    """Scores covered analogies by kind: facts (semantic) and word forms (syntactic); returns rows.

    Benchmarks without analogies give no row. Arguments as in `score_rows`.
    """
    rows = []
    for benchmark in sets:
        if benchmark.task != ANALOGY:
            continue
        is_form = benchmark.items["class"].map(is_syntactic)
        for kind, of_kind in benchmark.items.groupby(np.where(is_form, "syntactic", "semantic")):
            part = replace(benchmark, items=of_kind)
            (row,) = score_rows(vectors, [part], KIND, draws, seed, **keys)
            rows.append({**row, "class": kind})
    return rows


def is_syntactic(relation: str) -> bool:
    """Tells whether a class of analogies asks for a word form, by Google's and MSR's names."""
    return relation.startswith("gram") or relation.isupper()


def fallback_rows(vectors: Vectors, sets: Sequence[Benchmark], **keys: object) -> list[dict]:
    """Scores one table of vectors on all items, by the package's rule; returns rows.

    Arguments as in `score_rows`. Without replicates: most variation is in which words have vectors.
    """
    ending = FALLBACK + (INPUT if keys.get("layer") == 0 else "")
    rows = []
    for benchmark in sets:
        result = score(vectors, benchmark, missing="mean")
        rows.append({**_named(benchmark, f"{SCORE}{ending}", **keys), "value": result.score})
    return rows


def coverage_rows(words: Iterable[str], sets: Sequence[Benchmark]) -> list[dict]:
    """Returns, as rows, the share of each benchmark's items that vectors for these words cover."""
    words = set(words)
    rows = []
    for benchmark in sets:
        rows.append({**_named(benchmark, COVERAGE), "value": coverage(benchmark, words)})
    return rows


def coverage(benchmark: Benchmark, words: set[str]) -> float:
    """Computes the share of items all of whose words are among these."""
    is_known = benchmark.items[benchmark.columns].isin(words)
    return float(is_known.all(axis=1).mean())


def covered_items(table: pd.DataFrame, sets: Sequence[Benchmark]) -> dict[str, int]:
    """Counts the covered items of each benchmark, from a table's coverage: {benchmark: number}."""
    shares = where(table, measure=COVERAGE).set_index("dataset")["value"]
    return {
        benchmark.name: round(shares[benchmark.name] * len(benchmark.items)) for benchmark in sets
    }


def null_rows(
    words: Sequence[str], sets: Sequence[Benchmark], draws: int = 100, seed: int = 0
) -> list[dict]:
    """Averages the scores of random vectors of these words, on covered and on all items; as rows.

    Analogies get a tenth of the draws: a random answer is right once in as many times as there are
    words, and a score already averages thousands of questions.
    """
    rows, few = [], max(draws // 10, 1)
    for benchmark in sets:
        is_analogy = benchmark.task == ANALOGY
        for missing, ending in (("skip", ""), ("mean", FALLBACK)):
            scores = null(benchmark, words, missing, few if is_analogy else draws, seed)
            named = _named(benchmark, f"{SCORE}{NULL}{ending}")
            rows.append({**named, "value": float(scores.mean())})
    return rows


def _named(benchmark: Benchmark, measure: str, **keys: object) -> dict:
    return {**keys, "measure": measure, "task": benchmark.task, "dataset": benchmark.name}


# ---- which order can the items decide?


def differences(
    rows: Iterable[dict],
    pairs: Iterable[tuple[tuple, tuple]],
    items: Mapping[str, int],
    ending: str = "",
) -> pd.DataFrame:
    """Computes how far one table of vectors is ahead of another on each benchmark, with intervals.

    rows: of `score_rows`. pairs: (ahead, behind), each a (model, layer). items: {benchmark: number
    of covered items}. ending: of the measure of the one behind ("_mean").
    Returns columns ahead, behind, dataset, difference, low, high (95 %), is_decided (the interval
    excludes 0), items, and needed: the number of items at which the same difference would exclude
    0, since an interval shrinks with the root of their number.
    """
    of_scores = [((SCORE, *ahead), (SCORE + ending, *behind)) for ahead, behind in pairs]
    found = paired.between(rows, of_scores, ["measure", "model", "layer"], ["dataset"])
    table = paired.frame(found, ["ahead", "behind", "dataset"], "difference")
    difference, low, high = (table[column] for column in ("difference", "low", "high"))
    half = np.where(difference > 0, difference - low, high - difference)
    number = table["dataset"].map(items).astype(int)
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = np.where(difference == 0, np.inf, np.ceil(number * (half / difference) ** 2))
    names = {side: table[side].map(_label) for side in ("ahead", "behind")}
    return table.assign(**names, is_decided=(low > 0) | (high < 0), items=number, needed=needed)


def _label(table: tuple[str, str, int | None]) -> str:
    """A table of vectors for a reader: "cwr-bert 3", or without a layer "cwr-static"."""
    _, model, layer = table
    return model if layer is None else f"{model} {layer}"


def title(compared: pd.DataFrame) -> str:
    """Formats a title: on which benchmark, in which models, the first layer is above or below the last.

    compared: of `differences` of first and last layers. The benchmark is the one that decides most
    models in one direction; benchmarks that decide another direction follow.
    """
    decided = compared[compared["is_decided"]]
    directions = {}
    for dataset, rows in decided.groupby("dataset", sort=False):
        words = dict.fromkeys(np.where(rows["difference"] > 0, "higher", "lower"))
        directions[dataset] = " or ".join(words), rows["ahead"].str.rsplit(" ").str[0].tolist()
    one_way = {name: found for name, found in directions.items() if "or" not in found[0]}
    if not directions:
        return "No benchmark tells the vectors of layer 1 from those of the last"
    if not one_way:
        return (
            f"Layer 1 or the last: which scores higher on {listed([*directions])} differs by model"
        )
    first = max(one_way, key=lambda name: len(one_way[name][1]))
    direction, models = one_way[first]
    others = [name for name, (words, _) in directions.items() if words != direction]
    beside = f", not always on {listed(others)}" if others else ""
    vectors = f"On {first} vectors of layer 1 score {direction} than those of the last"
    return f"{vectors} in {listed(models)}{beside}"


# ---- beside the printed table


def with_input(table: pd.DataFrame) -> pd.DataFrame:
    """Renames the measures of layer 0 to those of other layers, for a figure over all layers."""
    return table.assign(measure=table["measure"].str.removesuffix(INPUT))


def with_interval(table: pd.DataFrame) -> pd.Series:
    """Formats values with their intervals: "0.31 [0.25, 0.37]"."""
    texts = [f"{row.value:z.2f} [{row.low:z.2f}, {row.high:z.2f}]" for row in table.itertuples()]
    return pd.Series(texts, table.index, dtype=object)


def beside(table: pd.DataFrame, published: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Tabulates one benchmark of Table 1: a row per table of vectors, ours beside the printed one.

    table: ours, tidy, with low and high. published: the printed numbers. A printed row stands
    beside the layer of the same family in the same place: first, second, last but one, or last.
    Printed rows that match no layer of ours follow in rows of their own.
    Columns model, layer, stands for (the printed row), printed, covered, all items (by the
    package's rule), and the formatted interval of the covered score. Coverage and null, one number
    per benchmark, belong above the table.
    """
    ours = with_input(where(table, dataset=dataset))
    in_print = where(published, dataset=dataset, measure=SCORE)
    scores = where(ours, measure=SCORE)
    rows, unmatched = [], set(in_print.index)
    for model in by_family(scores):
        of_model = where(scores, model=model).sort_values("layer")
        last = of_model["layer"].max()
        for row in of_model.itertuples():
            printed = _in_place(in_print, row.family, row.layer, last)
            unmatched -= set(printed.index)
            rows.append(_beside(row, printed, ours))
    for row in in_print.loc[sorted(unmatched)].itertuples():
        rows.append({"model": row.model, "layer": row.layer, "printed": row.value})
    columns = ["model", "layer", "stands for", "printed", "covered", "all items"]
    return pd.DataFrame(rows, columns=[*columns, "95 % interval"])


def _in_place(in_print: pd.DataFrame, family: str, layer: object, last: object) -> pd.DataFrame:
    """The printed rows of a family whose layer has the place of this one; none for layer 0."""
    rows = where(in_print, family=family)
    if pd.isna(layer) or layer == 0 or rows.empty:
        return rows.iloc[:0]
    to_the_end = last - layer
    if layer > 2 and to_the_end < 2:
        return rows[rows["layer"] == rows["layer"].max() - to_the_end]
    return rows[rows["layer"] == layer] if layer <= 2 else rows.iloc[:0]


def _beside(row, printed: pd.DataFrame, ours: pd.DataFrame) -> dict:
    """One row of `beside`: ours, as a named tuple, with what stands beside it."""
    key = {"model": row.model} if pd.isna(row.layer) else {"model": row.model, "layer": row.layer}
    names = printed["model"] + " " + printed["layer"].astype(str)
    return {
        "model": row.model,
        "layer": row.layer,
        "stands for": ", ".join(names) or None,
        "printed": printed["value"].iloc[0] if len(printed) else None,
        "covered": row.value,
        "all items": where(ours, measure=f"{SCORE}{FALLBACK}", **key)["value"].iloc[0],
        "95 % interval": f"{row.low:z.2f} to {row.high:z.2f}",
    }
