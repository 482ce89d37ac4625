"""Predicates for the claims of Zhao et al. (2020): what is asked of a tidy table, block by block.

Blocks are counted from 0, as in the paper: block l is the book's layer l + 1. Where the paper names layers of a model
with 12 of them, the predicates take the same place in relative depth.
"""
from collections.abc import Callable

import numpy as np
import pandas as pd

from cwr.papers.old import by_layer
from cwr.papers.zhao2020.checks import named_pairs
from cwr.tables import one

TOKEN, TOKEN_DEV, TOKEN_WORDS = "token_probe_f1", "token_probe_f1_dev", "token_probe_f1_words"    # _words: that reading
BAG, STATIC_BAG = "bag_probe_f1", "static_bag_probe_f1"     # mean of the sentence: of word pieces, of static vectors
TYPE, TYPE_DEV, MATRIX, STATIC = "type_probe_f1", "type_probe_f1_dev", "matrix_probe_f1", "static_probe_f1"
SEEDS = "type_probe_f1_seed_mean"
WINDOW, BAG_WINDOW = "window_probe_f1_dev", "bag_window_probe_f1_dev"                             # k words a side
OLD, NEW, SCORE, BAND = "old_probe_f1_dev", "new_probe_f1_dev", "finetuning_dev_score", "banded_tagging_accuracy"
COSINE = "attention_cosine"                                 # of a layer and head, before and after tuning
RANDOM, OWN_CORPUS = "Rand", "PSE"                          # random vectors; vectors trained on the probing corpus
DEV_SIZES = {"sst2": 872, "mrpc": 408}                      # items of the GLUE dev sets
EPS = 1e-9                                                  # binary fractions are not decimal ones


def blocks(table: pd.DataFrame, measure: str) -> np.ndarray:
    """Values of a measure of one model in the outputs of its blocks, (blocks,): our layer 0 is left out."""
    return by_layer(table[(table["layer"] >= 1).fillna(False).to_numpy(dtype=bool)], measure)


def steps(table: pd.DataFrame, measure: str) -> np.ndarray:
    return np.diff(blocks(table, measure))


def levels_off(table: pd.DataFrame) -> bool:
    up = steps(table, TOKEN)
    return bool(up[-max(1, (len(up) + 1) // 4):].mean() < up[:max(1, len(up) // 2)].mean())


def first_step_largest(table: pd.DataFrame) -> bool:
    up = steps(table, TOKEN)
    return int(up.argmax()) == 0 and abs(up[0] - 0.04) <= 0.005 + EPS


def low_half_most(table: pd.DataFrame) -> bool:
    f = blocks(table, TOKEN)
    return bool(f[len(f) // 2 - 1] - f[0] > (f[-1] - f[0]) / 2)


def best(table: pd.DataFrame) -> float:
    return float(max(blocks(table, TOKEN).max(), blocks(table, TOKEN_DEV).max()))


def gain(table: pd.DataFrame, suffix: str = "") -> bool:
    f = blocks(table, TOKEN + suffix)
    return int(f.argmax()) == len(f) - 1 and abs(f[-1] - one(table, BAG + suffix) - 0.16) <= 0.005 + EPS


def each(table: pd.DataFrame, measure: str, holds: Callable[[pd.DataFrame], bool]) -> bool:
    """Whether a predicate holds for each model with rows of a measure."""
    models = table["model"][table["measure"] == measure].unique()
    return all(bool(holds(table[table["model"] == model])) for model in models)


def static(table: pd.DataFrame, measure: str) -> np.ndarray:
    """Scores of all static spaces but random vectors and those trained on the probing corpus."""
    keep = (table["measure"] == measure) & ~table["model"].isin((RANDOM, OWN_CORPUS))
    return table["value"][keep].to_numpy()


def beats_both(table: pd.DataFrame, margin: float) -> bool:
    words = static(table, STATIC_BAG).max()
    return each(table, TOKEN, lambda t: blocks(t, TOKEN)[2:].min() - max(words, one(t, BAG)) > margin + EPS)


def words_beat_low_blocks(table: pd.DataFrame) -> bool:
    words = static(table, STATIC_BAG).max()
    return each(table, TOKEN, lambda t: words > max(one(t, BAG), *blocks(t, TOKEN)[:2]))


def random_bag(table: pd.DataFrame) -> bool:
    guess, words = one(table, STATIC_BAG, model=RANDOM), static(table, STATIC_BAG).max()
    return each(table, TOKEN, lambda t: guess < min(words, one(t, BAG)) - 0.01
                 and guess >= blocks(t, TOKEN)[0] - 0.05)


def all_beat_random(table: pd.DataFrame) -> bool:
    others = table[table["measure"].isin((STATIC, MATRIX, TYPE)) & (table["model"] != RANDOM)]
    return bool((others["value"] > one(table, STATIC, model=RANDOM)).all())


def average_beats_static(table: pd.DataFrame, least: bool) -> bool:
    static = table["value"][table["measure"] == STATIC].max()
    return each(table, TYPE, lambda t: (blocks(t, TYPE).min() if least else blocks(t, TYPE).max()) > static)


def upper_beats_lower(table: pd.DataFrame, measure: str) -> bool:
    f = blocks(table, measure)
    return bool(f[len(f) // 2:].mean() > f[:len(f) // 2].mean())


def last_but_one_best(table: pd.DataFrame, measure: str, tie: float = 0) -> bool:
    f = blocks(table, measure)
    return bool(f[-2] >= f.max() - tie - EPS) if tie else int(f.argmax()) == len(f) - 2


def learning(table: pd.DataFrame) -> bool:
    averaged = blocks(table, TYPE).max()
    return bool(blocks(table, TOKEN_WORDS).max() - averaged < averaged - one(table, MATRIX))


def windows(table: pd.DataFrame, measure: str = WINDOW) -> tuple[np.ndarray, np.ndarray]:
    """Context sizes (sizes,), ascending, and the scores of each block at each size, (blocks, sizes)."""
    rows = table[table["measure"] == measure]
    wide = rows.assign(k=pd.to_numeric(rows["k"]), layer=rows["layer"].fillna(1)).pivot(
        index="layer", columns="k", values="value")
    return wide.columns.to_numpy(dtype=float), wide[wide.index >= 1].to_numpy(dtype=float)


def at(table: pd.DataFrame, k: float) -> np.ndarray:
    """Scores of all blocks at k words a side, (blocks,); between sizes that were run, on the line."""
    sizes, scores = windows(table)
    return np.array([np.interp(k, sizes, row) for row in scores])


def bag_above_first_only(table: pd.DataFrame) -> bool:
    scores, bag = windows(table)[1], windows(table, BAG_WINDOW)[1][0]
    return bool(np.mean((bag > scores[0]) & (bag < scores[1:]).all(axis=0)) > 0.5)


def drop(table: pd.DataFrame, measure: str, task: str) -> np.ndarray:
    """What tuning on a task costs in each block, (blocks,)."""
    return blocks(table, TOKEN_DEV) - blocks(table, f"{measure}_{task}")


def low_stable(table: pd.DataFrame) -> bool:
    drops = [drop(table, OLD, task) for task in ("pos", "ner", "sst2", "mrpc")]
    return all(bool(d[:max(1, len(d) // 3)].mean() < d[-max(1, len(d) // 4):].mean()) for d in drops)


def attention(table: pd.DataFrame, task: str) -> np.ndarray:
    """Mean cosine over heads, by layer: (layers,)."""
    rows = table[table["measure"] == f"{COSINE}_{task}"]
    return rows.groupby("layer")["value"].mean().sort_index().to_numpy()


def top_attention(table: pd.DataFrame) -> bool:
    pos, mrpc = attention(table, "pos"), attention(table, "mrpc")
    top = max(1, len(pos) // 4)
    return bool(pos[-top:].mean() < mrpc[-top:].mean())


def score_differences(table: pd.DataFrame) -> dict[str, float]:
    """Fine-tuned dev scores minus those of Devlin et al., by task (Table 3)."""
    return {task: one(table, f"{SCORE}_{task}") - one(table, f"{SCORE}_{task}_devlin2019")
            for task in ("sst2", "mrpc", "ner") if (table["measure"] == f"{SCORE}_{task}").any()}


def standard_error(table: pd.DataFrame, task: str) -> float:
    """Standard error of an accuracy on a task's dev set."""
    accuracy = one(table, f"{SCORE}_{task}")
    return float(np.sqrt(accuracy * (1 - accuracy) / DEV_SIZES[task]))


def band_losses(table: pd.DataFrame) -> pd.Series:
    """What attention to k words a side costs in tagging accuracy, by k (Table 7)."""
    rows = table[table["measure"] == BAND]
    accuracy = pd.Series(rows["value"].to_numpy(), pd.to_numeric(rows["k"], errors="coerce").fillna(np.inf))
    return accuracy[np.inf] - accuracy.drop(np.inf)


def airheads(table: pd.DataFrame) -> bool:
    pairs = named_pairs(table).loc["@airheads@-art"]
    return bool(pairs["printed"] == pairs["computed"]
                and one(table, "pair_contexts_needed") == np.ceil(pairs["printed"] / 2))
