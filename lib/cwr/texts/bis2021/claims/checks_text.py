"""Recomputes numbers and formulae in the text of Biś et al. (2021).

The checks use the tables, public files, and, for formulae, small examples.
"""

import itertools

import numpy as np
import pandas as pd

from cwr.measures import contextuality, output_layer, stats
from cwr.papers.checks import Check, Found, agreement
from cwr.tables import Table, only_value, where
from cwr.texts.bis2021.claims.readings import ANGLE, COSINE, I_RAW, NORM, ROUNDING, by_model

CASED, UNCASED = "BERT-base-cased", "BERT-base-uncased"


def correlation_range(x: np.ndarray, y: np.ndarray, half: float) -> tuple[float, float]:
    """Computes the lowest and highest Pearson correlation of numbers that round to x and y, (n,).

    half: half a unit of their last place. Tries all 4^n corners of the box, in two halves of 2^n,
    so n has to be small.
    """
    corners = np.array(list(itertools.product((-half, half), repeat=len(x))))  # (corners, n)
    correlations = _standard(np.asarray(x) + corners) @ _standard(np.asarray(y) + corners).T
    return float(correlations.min()), float(correlations.max())


def _standard(values: np.ndarray) -> np.ndarray:
    """Rows (m, n) without their mean, of length 1."""
    values = values - values.mean(axis=1, keepdims=True)
    return values / np.linalg.norm(values, axis=1, keepdims=True)


def _correlation(published: pd.DataFrame) -> Found:
    _, (norm, isotropy) = by_model(Table(published), NORM, I_RAW)
    pearson = float(stats.correlation(norm[0], isotropy[0]))
    printed = only_value(published, "norm_isotropy_correlation")
    low, high = correlation_range(norm[0], isotropy[0], ROUNDING)
    return Found(
        low - ROUNDING <= printed <= high + ROUNDING,
        f"{printed:.2f}",
        f"Pearson's correlation with I(W) is {pearson:.3f}. The rounding of Table 1 allows "
        f"values from {low:.3f} to {high:.3f}",
    )


def _angle(published: pd.DataFrame) -> Found:
    cosine, printed = only_value(published, COSINE), only_value(published, ANGLE)
    angle = float(np.degrees(np.arccos(cosine)))
    return Found(
        abs(angle - printed) <= 0.05,
        f"{cosine:.2f}, {printed:.1f} degrees",
        f"{angle:.2f} degrees",
    )


def _removed(published: pd.DataFrame) -> Found:
    printed = where(published, measure="removed_components").set_index("k")["value"]
    computed = pd.Series({dim: np.ceil(float(dim) / 100) for dim in printed.index})
    pairs = pd.DataFrame({"printed": printed, "computed": computed})
    return agreement(pairs, 0, "numbers of components")


def _removed_in_code(published: pd.DataFrame) -> Found:
    text = sorted(where(published, measure="removed_components")["value"].astype(int))
    code = int(only_value(published, "removed_components_released"))
    return Found(
        set(text) == {code},
        f"the text removes {' or '.join(map(str, text))} components",
        f"the benchmark script removes {code} components",
    )


def _caption_model(published: pd.DataFrame) -> Found:
    printed = int(only_value(published, "unused_tokens_said"))
    unused, size = {}, {}
    for model in (CASED, UNCASED):
        unused[model] = int(only_value(published, "unused_tokens", model=model))
        size[model] = int(only_value(published, "vocabulary_size", model=model))
    return Found(
        unused[CASED] == printed,
        f"the caption says BERT-base-case; the text says {printed} unused tokens, indices up to 29500",
        f"BERT-base-uncased has {unused[UNCASED]} unused tokens among {size[UNCASED]:,}; "
        f"the cased file has {unused[CASED]} among {size[CASED]:,}",
    )


def _rows_in_code(published: pd.DataFrame) -> Found:
    printed = int(only_value(published, "unused_tokens_said"))
    code = int(only_value(published, "unused_rows_averaged"))
    return Found(
        printed == code,
        f"{printed} unused tokens",
        f"the released vis.py averages {code} rows",
    )


def _frequent_range(published: pd.DataFrame) -> Found:
    words = ("the", "of", "and", "in", "to")
    rows = where(published, model=UNCASED)
    index = {word: int(only_value(rows, "vocabulary_index", word=word)) for word in words}
    before = [word for word in words if index[word] < 2000]
    return Found(
        2000 <= index["to"] < 3000,
        '[2000-3000], most frequent tokens, i.e. "to"',
        f'"to" has index {index["to"]}; {", ".join(before)} come just before it, at '
        f"{index[before[0]]} to {index[before[-1]]}",
    )


def _never_inputs(published: pd.DataFrame) -> Found:
    share = only_value(published, "unused_input_share")
    often = f"in about one position of {1 / share:,.0f}, as expected" if share else "never"
    return Found(
        share == 0,
        "they are not used as inputs or targets",
        f"they are inputs {often}, but they are never targets",
    )


# ---- formulae, on examples


def _example() -> tuple[np.ndarray, np.ndarray, int]:
    """A softmax layer of five words in three dimensions: W, one output vector, the target."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(5, 3)), rng.normal(size=(1, 3)), 2


def _probabilities(W: np.ndarray, hidden: np.ndarray) -> np.ndarray:
    """softmax(W h) for one output vector, (words,)."""
    return np.exp([-output_layer.cross_entropy(W, hidden, [word]) for word in range(len(W))])


def _equation_2(published: pd.DataFrame) -> Found:
    W, hidden, _ = _example()
    probabilities, mask = _probabilities(W, hidden), 4
    printed, right = len(W) * probabilities[mask], probabilities.sum()
    return Found(
        bool(np.isclose(printed, 1)),
        "the numerator has e(ŵ_t). At a masked position e(ŵ_t) is the embedding of [MASK], "
        f"whatever the target. So in an example the probabilities of {len(W)} words add up to "
        f"{printed:.2f}",
        f"with e(w_t), the original token, they add up to {right:.2f}",
    )


def _equation_5(published: pd.DataFrame) -> Found:
    W, hidden, target = _example()
    y = _probabilities(W, hidden)
    printed = hidden.T @ (y - np.eye(len(W))[target])[None]
    is_transpose = np.allclose(printed.T, output_layer.gradient(W, hidden, [target]))
    word = "is" if is_transpose else "is not"
    return Found(
        printed.shape == W.shape,
        f"the gradient h'(y - ŷ) has a row for each dimension: in an example it is "
        f"{printed.shape[0]} x {printed.shape[1]}",
        f"W has a row for each word: it is {W.shape[0]} x {W.shape[1]}; the transpose {word} the gradient",
    )


def _equation_9(published: pd.DataFrame) -> Found:
    return Found(
        False,
        "the upper limit is V, which is the set of words",
        "the upper limit is the number of words",
    )


def _equation_14(published: pd.DataFrame) -> Found:
    units = contextuality.unit_rows(np.random.default_rng(0).normal(size=(50, 20)) + 0.1)
    count, total = len(units), (units.sum(axis=0) ** 2).sum()
    products = units @ units.T
    definition = (products.sum() - np.trace(products)) / count**2
    printed, mended = total / count**2 - count, total / count**2 - 1 / count
    return Found(
        bool(np.isclose(printed, definition)),
        f"equation 14 gives {printed:.4f} on N = {count} random unit vectors",
        f"equation 12 gives {definition:.4f}; with -1/N for -N equation 14 also gives {mended:.4f}",
    )


TEXT = [
    Check(
        id="bis2021-check-correlation",
        place="appendix C",
        asks="Do mean norm and isotropy correlate at -0.61?",
        find=_correlation,
        how="we computed Pearson's correlation of two columns of Table 1, and of all numbers "
        "that round to them",
        sure="exact, within rounding",
    ),
    Check(
        id="bis2021-check-angle",
        place="section 5.3",
        asks="Is a cosine of 0.33 an angle of 70.7 degrees?",
        find=_angle,
        how="we took the arc cosine",
        sure="exact",
        charitable="70.7 degrees is the angle of the mean cosine, which is not the mean angle.",
    ),
    Check(
        id="bis2021-check-components",
        place="section 5.1",
        asks="Is the number of removed components D = ceil(d / 100)?",
        find=_removed,
        how="we divided d by 100 and rounded up",
        sure="exact; the two values are what the rule gives for d = 768 and 1024",
    ),
    Check(
        id="bis2021-check-components-code",
        place="section 5.1; released embeddings_benchmark.py",
        asks="Do text and code remove the same number of components for Tables 2 and 3?",
        find=_removed_in_code,
        how="we read the released script",
        sure="certain for the released version of the script",
        charitable=(
            "The printed rows may come from another version; a run with both numbers must "
            "decide. The script of Table 1 removes as many components as the text says."
        ),
    ),
    Check(
        id="bis2021-check-equation-2",
        place="equation 2",
        asks="Do the probabilities of a masked token add up to 1?",
        find=_equation_2,
        how="we computed a softmax over five words in NumPy",
        sure="exact",
        charitable="Equation 2 has a slip of one accent; equation 1 is right.",
        from_copy=True,
    ),
    Check(
        id="bis2021-check-equation-5",
        place="equations 5 and 6",
        asks="Does the printed gradient have the shape of W?",
        find=_equation_5,
        how="we took the example of equation 2; its gradient agrees with finite differences in "
        "our tests",
        sure="exact",
        charitable=(
            "The printed formula is the gradient of the transposed matrix. The argument does not "
            "depend on it."
        ),
        from_copy=True,
    ),
    Check(
        id="bis2021-check-equation-9",
        place="equation 9",
        asks="Does the sum of equation 9 run over all rows?",
        find=_equation_9,
        how="we read the equation",
        sure="a matter of notation",
        charitable="The meaning is plain, and no number depends on it.",
        from_copy=True,
    ),
    Check(
        id="bis2021-check-equation-14",
        place="appendix A, equations 13 and 14",
        asks="Do equations 12 and 14 agree?",
        find=_equation_14,
        how="we computed both on random vectors",
        sure="exact",
        charitable=(
            "A bracket is missing. The conclusion holds, since the equations differ by a constant."
        ),
        from_copy=True,
    ),
    Check(
        id="bis2021-check-figure-3-model",
        place="Figure 3, caption; section 4.2",
        asks="Is the model of Figure 3 the one that its caption names?",
        find=_caption_model,
        how=(
            "we counted in the public vocabulary files; the released script loads bert-base-uncased"
        ),
        sure="certain",
        charitable='Section 4.2 says only "BERT", and 994 is the number of the uncased model.',
    ),
    Check(
        id="bis2021-check-unused-rows",
        place="section 4.2; released vis.py",
        asks="Does the script average 994 unused tokens?",
        find=_rows_in_code,
        how='the script averages rows 0 to 999 except five special tokens; row 999 is "!"',
        sure="certain for the released script",
        charitable="One row in 995 does not change a mean visibly.",
    ),
    Check(
        id="bis2021-check-frequent-range",
        place="section 4.2",
        asks='Is "to" in the range [2000-3000]?',
        find=_frequent_range,
        how="we looked in the public uncased vocabulary file",
        sure="exact",
    ),
    Check(
        id="bis2021-check-never-inputs",
        place="section 4.2",
        asks="Were the unused tokens never used as inputs or targets?",
        find=_never_inputs,
        how=(
            "we multiplied the masked share, the random share and the share of unused tokens, "
            "from BERT's public script"
        ),
        sure=(
            "an inference: we assume that the released checkpoints were made with the public script"
        ),
        charitable=(
            "The sentence is true of targets and of the text itself, and the argument needs no "
            "more."
        ),
    ),
]
