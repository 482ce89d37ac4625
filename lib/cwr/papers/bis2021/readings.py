"""What the claims and the checks of Biś et al. (2021) compute from their tables, and the predicates of the claims.

The paper looks at embedding matrices, not at layers. A model has one name in all tables: "GPT-2 (12 layers)" of Table 1
is GPT-2-small, "Bert" of Table 3 is BERT. Similarity scores are Pearson's r times 100; `estimator` says how two words
are scored, "cosine" or "inner" (inner product).
"""
import itertools

import numpy as np
import pandas as pd

from cwr.papers.old import rank_correlation

I_RAW, I_CENTRED, I_REMOVED = "partition_isotropy", "partition_isotropy_centred", "partition_isotropy_removed"
NORM, MEAN, RATIO = "embedding_norm", "mean_vector_norm", "mean_vector_norm_ratio"
COSINE, ANGLE, TOP = "embedding_mean_cosine", "embedding_mean_cosine_angle", "top_eigenvector_mean_cosine"
RAW, SET = "similarity_average", "similarity_pearson"       # Table 2, a mean over sets; Table 3, a row a set
CENTRED, SCALED, PROCESSED = RAW + "_centred", RAW + "_scaled", RAW + "_processed"
SET_SCALED, SET_PROCESSED = SET + "_scaled", SET + "_processed"
SCORES = ("cosine", "inner")
NEAR_ONE, TIE = 0.95, 1e-9
BINS = "unused_mean_cosine_by_bin"


def per_model(t: pd.DataFrame, measure: str) -> pd.Series:
    """The values of a measure that has one a model, by model."""
    part = t[(t["measure"] == measure) & t["model"].notna()]
    return part.set_index("model")["value"].astype(float)


def scores(t: pd.DataFrame, per_set: bool = False) -> pd.DataFrame:
    """Word similarity, one column a measure: rows (model, estimator), or (model, dataset, estimator) if per_set."""
    part = t[t["measure"].str.startswith(SET if per_set else RAW)]
    index = ["model", "dataset", "estimator"] if per_set else ["model", "estimator"]
    return part.set_index([*index, "measure"])["value"].astype(float).unstack("measure")


def gain(t: pd.DataFrame, after: str, before: str = RAW) -> pd.Series:
    """What a treatment adds to the scores before it, by model (and set) and estimator."""
    wide = scores(t, per_set=before == SET)
    return (wide[after] - wide[before]).dropna()


def gap(t: pd.DataFrame, measure: str) -> pd.Series:
    """Cosine minus inner product, by model."""
    wide = scores(t)[measure].unstack("estimator")
    return wide["cosine"] - wide["inner"]


def pearson(x: pd.Series, y: pd.Series) -> float:
    """Pearson correlation; NaN for a constant."""
    with np.errstate(invalid="ignore"):
        return float(np.corrcoef(x, y)[0, 1])


def pearson_range(x: np.ndarray, y: np.ndarray, half: float) -> tuple[float, float]:
    """Lowest and highest Pearson correlation of numbers that round to x and y, half a unit of their last place each.

    Looks at the corners of the box, 4^n of them in two halves of 2^n: for a few numbers only.
    """
    corners = np.array(list(itertools.product((-half, half), repeat=len(x))))

    def standard(v):
        v = v + corners - (v + corners).mean(axis=1, keepdims=True)
        return v / np.linalg.norm(v, axis=1, keepdims=True)                 # (corners, n)
    found = standard(np.asarray(x)) @ standard(np.asarray(y)).T
    return float(found.min()), float(found.max())


def is_bert(models: pd.Index) -> np.ndarray:
    """Which models are BERT, (models,) bool; RoBERTa is not."""
    return np.asarray(models.str.upper().str.startswith("BERT"))


def exp_of_mean(t: pd.DataFrame) -> pd.Series:
    """I(W) over exp(-|mu|), by model: near 1 where the top eigenvector is the mean and the rest is near isotropic."""
    return per_model(t, I_RAW) / np.exp(-per_model(t, MEAN))


def averages(t: pd.DataFrame, four_sets: bool = False) -> pd.DataFrame:
    """Table 2 as printed, and computed from Table 3: columns printed, computed; rows (treatment, model, estimator).

    four_sets: the two parts of WordSim353 are averaged first, so that each of the four named sets counts once.
    """
    wide = scores(t, per_set=True).stack()
    if four_sets:
        names = wide.index.get_level_values("dataset").str.replace(r"^wordsim.*", "wordsim", regex=True)
        wide = wide.groupby([wide.index.get_level_values("model"), names,
                             *[wide.index.get_level_values(level) for level in ("estimator", "measure")]]).mean()
    computed = wide.groupby(level=["measure", "model", "estimator"]).mean()
    computed.index = computed.index.set_levels(computed.index.levels[0].str.replace(SET, RAW), level="measure")
    return pd.DataFrame({"printed": scores(t).stack().reorder_levels(["measure", "model", "estimator"]),
                         "computed": computed}).dropna()


def closed(t: pd.DataFrame) -> pd.Series:
    """Share of the gap between cosine and inner product that centring closes, by model; above 1 if it turns."""
    return 1 - gap(t, CENTRED) / gap(t, RAW)


def isotropy_bound(mean: float, centred: float, removed: float, reach: float = 8) -> float:
    """About the largest I(W) that Table 1 leaves to a matrix whose top eigenvector points along its mean.

    mean: |mu|; centred, removed: I(W_c) and I(W_r); reach: no row lies further below the mean than this, along the
    first principal component. I(W_r) and I(W_c) bound every E exp(u . w_c) by kappa; exp(x) >= 1 + x + c x^2 for
    x >= -reach then bounds the largest variance; so v . mu >= sqrt(|mu|^2 - variance), and by Jensen
    Z(v) >= n exp(v . mu). The smallest Z is taken to be at most n kappa, as it is for the centred matrix.
    """
    kappa = 1 / (removed * centred)
    variance = (kappa - 1) * reach ** 2 / (reach - 1 + np.exp(-reach))
    return float(kappa * np.exp(-np.sqrt(mean ** 2 - variance)))


def skewed_matrix(rows: int = 2000, dim: int = 256, seed: int = 0) -> np.ndarray:
    """A matrix (rows, dim) with Table 1's six numbers for GPT-2 (24 layers), if its top eigenvector is turned away
    from the mean: 0.8 % of the rows lie far below the mean, along the mean; the rest is Gaussian.

    Ours, to show that the row is possible; dim is 1024 there. 11 directions stand out, as many as Table 1 removes.
    """
    few = round(0.008 * rows)
    along = np.r_[np.full(few, -6.01), np.full(rows - few, 6.01 * few / (rows - few))]      # centred
    noise = np.random.default_rng(seed).normal(size=(rows, dim - 1))
    noise = np.linalg.qr(np.c_[np.ones(rows), along, noise])[0][:, 2:] * np.sqrt(rows)      # uncorrelated, variance 1
    variance = np.r_[np.full(10, 0.104), np.linspace(0.0384, 0.0276, dim - 12), 0]
    return np.c_[2.04 + along, noise * np.sqrt(variance)]


def all_in(measure: str, low: float = -np.inf, high: float = np.inf):
    """A predicate: all values of a measure lie in [low, high]."""
    return lambda t: bool(t["value"][t["measure"] == measure].between(low - TIE, high + TIE).all())


def most_near_one(t: pd.DataFrame) -> bool:
    return bool((per_model(t, I_CENTRED) >= NEAR_ONE).mean() > 0.5)


def one_exception(t: pd.DataFrame, threshold: float) -> bool:
    below = per_model(t, I_CENTRED) < threshold
    return int(below.sum()) == 1 and below.idxmax() == per_model(t, I_RAW).idxmin()


def isotropy_rises(t: pd.DataFrame) -> bool:
    return bool((np.diff([per_model(t, measure) for measure in (I_RAW, I_CENTRED, I_REMOVED)], axis=0) >= 0).all())


def norms(t: pd.DataFrame) -> list[pd.Series]:
    """Mean norms of BERT, GPT-2 and RoBERTa models."""
    norm = per_model(t, NORM)
    return [norm[norm.index.str.startswith(name)] for name in ("BERT", "GPT-2", "RoBERTa")]


def bert_smallest(t: pd.DataFrame) -> bool:
    bert, gpt2, roberta = norms(t)
    return bool(bert.max() < min(gpt2.min(), roberta.min()))


def corpus_orders_norms(t: pd.DataFrame) -> bool:
    _, gpt2, roberta = norms(t)
    return bert_smallest(t) and bool(gpt2.max() < roberta.min())


def is_arccos(t: pd.DataFrame) -> bool:
    return bool((abs(np.degrees(np.arccos(per_model(t, COSINE))) - per_model(t, ANGLE)) <= 0.05 + TIE).all())


def rises_with_bin(first: float, last: float, measure: str = BINS):
    """A predicate: Spearman's correlation of bin (column k) and measure exceeds 0.8, over bins `first` to `last`."""
    def holds(t: pd.DataFrame) -> bool:
        part = t[t["measure"] == measure].assign(k=lambda p: p["k"].astype(float))
        part = part[part["k"].between(first, last)]
        return rank_correlation(part["k"], part["value"]) > 0.8
    return holds


def in_range(name: str, value: float):
    return lambda t: bool((abs(t["value"][t["class"] == name] - value) <= 0.005 + TIE).all())


def of_model(t: pd.DataFrame, name: str, value: float) -> bool:
    return bool((per_model(t, "unused_tokens").filter(like=name) == value).all())


def cover(percent: int, low: int, high: int):
    return lambda t: bool(t["value"][t["k"].astype(float) == percent].between(low, high).all())


def sphere(t: pd.DataFrame) -> bool:
    return bool((abs(t["value"] / np.sqrt(1 + 3 * t["k"].astype(float) ** 2) - 1) <= 0.05).all())


def centring_helps_but_bert(t: pd.DataFrame) -> bool:
    gains = gain(t, CENTRED).unstack()
    bert = is_bert(gains.index)
    return bool((gains[~bert] > 0).all(axis=None) and (gains[bert] <= 0).all(axis=None))


def gains_on_every_set(score: str):
    return lambda t: bool((gain(t, SET_SCALED, SET).xs(score, level="estimator").groupby("dataset").mean() > 0).all())


def scaled_beats_centred(t: pd.DataFrame) -> pd.DataFrame:
    wide = scores(t)
    return (wide[SCALED] - wide[CENTRED]).unstack("estimator")


def scaled_over_processed(t: pd.DataFrame, without_bert: bool = False, gains: bool = True) -> float:
    """Mean score after scaled centring over that after post-processing, all models and both scores of Table 2 together.

    gains: the ratio is that of the mean gains over the raw vectors, not of the scores. without_bert: leave BERT out.
    """
    wide = scores(t)
    wide = wide[~is_bert(wide.index.get_level_values("model"))] if without_bert else wide
    base = wide[RAW].mean() if gains else 0
    return (wide[SCALED].mean() - base) / (wide[PROCESSED].mean() - base)


def fails_only_in_bert_large_cosine(gains: pd.Series) -> bool:
    return set(gains[gains <= 0].groupby(["model", "estimator"]).size().index) == {("BERT-large-cased", "cosine")}


def inner_gains_more(t: pd.DataFrame) -> bool:
    gains = [gain(t, after).unstack("estimator") for after in (CENTRED, SCALED, PROCESSED)]
    return all(bool((each["inner"] > each["cosine"]).all()) for each in gains)


def norm_and_gap(t: pd.DataFrame) -> float:
    both = pd.DataFrame({"norm": per_model(t, NORM), "gap": gap(t, RAW)}).dropna()
    return rank_correlation(both["norm"], both["gap"])


def all_but_bert(is_closed: pd.Series) -> bool:
    return bool((is_closed.to_numpy() == ~is_bert(is_closed.index)).all())


def less_isotropic_gains_more(t: pd.DataFrame) -> bool:
    gains = [gain(t, after).unstack("estimator")[score] for after in (CENTRED, SCALED, PROCESSED) for score in SCORES]
    return all(pearson(per_model(t, I_RAW).reindex(each.index), each) < 0 for each in gains)


def steps(t: pd.DataFrame) -> np.ndarray:
    """Change of each average by centring, then by removing components: (models and scores, 2)."""
    return np.diff(scores(t)[[RAW, CENTRED, PROCESSED]].dropna().to_numpy(), axis=1)


def table_2(t: pd.DataFrame, four_sets: bool = False) -> bool:
    pairs = averages(t, four_sets)
    return bool((abs(pairs["printed"] - pairs["computed"]) <= 0.005 + TIE).all())
