"""Claims of Gupta and Jaggi (2021) about Figure 1: similarity against size of the corpus."""

import numpy as np

from cwr.papers.claims import Claim
from cwr.papers.predicates import every
from cwr.tables import Table, Undefined
from cwr.texts.gupta2021.claims.readings import BEST_LAYER, PARAGRAPH, TIE, among_teachers

GROWTH = "word_similarity_by_corpus_size"  # k: words of the corpus
DATASETS = ("SL-999", "RW-2034")  # those of the figure


def last_doubling(
    table: Table, kind: str, model: str, dataset: str
) -> tuple[np.ndarray, np.ndarray, float]:
    """Computes the gain over the corpus' last doubling, and the last value, (D,), and size.

    The value at half the largest corpus is interpolated on the logarithm of the size.
    Raises Missing for fewer than three sizes, Undefined for sizes that span less than a doubling.
    """
    sizes, values = table.over(
        "k", GROWTH, at_least=3, estimator=kind, model=model, dataset=dataset
    )
    size = np.array(sizes, dtype=float)
    values, size = values[:, np.argsort(size)], np.sort(size)
    if size[-1] < 2 * size[0]:
        raise Undefined(f"the corpora of {model} on {dataset} span less than a doubling")
    after = np.searchsorted(size, size[-1] / 2)
    before = max(after - 1, 0)
    step = np.log2(size[after] / size[before]) or 1.0
    share = np.log2(size[-1] / 2 / size[before]) / step
    half = values[:, before] + share * (values[:, after] - values[:, before])
    return values[:, -1] - half, values[:, -1], size[-1]


def saturates(table: Table, flat: float = 0.01) -> np.ndarray:
    """Tests whether ASE gains at most this much at last, and X2Static ends higher or grows faster.

    Raises Missing for a model and data set with one curve and not the other, Undefined if the two
    end at different sizes.
    """
    labels, _ = table.over(("model", "dataset", "k"), GROWTH, at_least=3, estimator=BEST_LAYER)
    pairs = dict.fromkeys((model, dataset) for model, dataset, _ in labels)
    truth, gains = [], []
    for model, dataset in pairs:
        gain, last, size = last_doubling(table, BEST_LAYER, model, dataset)
        our_gain, our_last, our_size = last_doubling(table, PARAGRAPH, model, dataset)
        if size != our_size:
            raise Undefined(f"the curves of {model} on {dataset} end at different sizes")
        grows_faster = our_gain > np.maximum(gain, 0)
        truth.append((gain <= flat + TIE) & ((our_last > last) | grows_faster))
        gains.append(gain)
    names = [f"{model} on {dataset}, gain of ASE" for model, dataset in pairs]
    return every(table, np.stack(truth, axis=1), names, np.stack(gains, axis=1))


FIGURE_1 = [
    Claim(
        id="gup-ase-saturates",
        place="section 4.2; Figure 1",
        says=(
            "As the corpus grows, ASE saturates, and paragraph X2Static is above it or still grows "
            "faster."
        ),
        needs=among_teachers(GROWTH, datasets=DATASETS),
        holds=saturates,
        tolerance=(
            "over the last doubling of the corpus ASE gains at most {flat}, and X2Static either "
            "ends higher than ASE or rises by more than ASE"
        ),
        because=(
            "For ASE we take the layer that is best on average. The threshold is ours: about half "
            "a standard error of a correlation on SimLex-999. Our texts are far shorter than the "
            "paper's 1.28 billion words."
        ),
        unprinted="Figure 1 is an image without printed values",
    ),
    Claim(
        id="gup-extrapolation",
        place="section 4.2",
        says="The evidence suggests that X2Static is better still on larger texts.",
        needs=among_teachers(GROWTH),
        holds=None,
        tolerance="no predicate tests it",
        unprinted=(
            "this is an expectation about corpora beyond the largest one, which no printed number "
            "can decide"
        ),
    ),
]
