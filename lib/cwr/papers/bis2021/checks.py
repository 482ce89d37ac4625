"""The printed numbers of Biś et al. (2021), recomputed: every ratio, gain and average, and the formulae on examples."""
import numpy as np
import pandas as pd

from cwr.measures import contextuality, output_layer
from cwr.papers.bis2021 import readings as n
from cwr.papers.checks import Check, Found, agreement
from cwr.tables import one


def _ratios(t: pd.DataFrame) -> Found:
    computed = n.per_model(t, n.MEAN) / n.per_model(t, n.NORM)
    return agreement(pd.DataFrame({"printed": n.per_model(t, n.RATIO), "computed": computed}), 0.005, "ratios")


def _exp_of_mean(t: pd.DataFrame) -> Found:
    ratio, printed = n.exp_of_mean(t), n.per_model(t, n.I_RAW)
    far = ratio[~ratio.between(0.85, 1.15)]
    return Found(far.empty, "; ".join(f"{model}: {printed[model]:.2f}" for model in far.index) or "all near it",
                 "; ".join(f"exp(-‖μ‖) = {printed[model] / ratio[model]:.2f}, a factor of {ratio[model]:.1f}"
                           for model in far.index) + f" ({len(ratio) - len(far)} of {len(ratio)} within 15 %)")


def _gpt2_medium(t: pd.DataFrame) -> Found:
    cell, mean, centred, removed = (n.per_model(t, m)["GPT-2-medium"]
                                    for m in (n.I_RAW, n.MEAN, n.I_CENTRED, n.I_REMOVED))
    bound = n.isotropy_bound(mean - 0.005, centred - 0.005, removed - 0.0005)
    return Found(True, f"I(W) = {cell:.2f} with ‖μ‖ = {mean:.2f}, I(W_c) = {centred:.2f}, I(W_r) = {removed:.3f}",
                 "not excluded. With the top eigenvector along the mean, Table 1's other cells leave about "
                 f"{bound:.2f} at most; against it, a matrix that meets all six cells exists (the notebook builds it)")


def _gains(t: pd.DataFrame) -> Found:
    parts = {}
    for after in (n.CENTRED, n.SCALED, n.PROCESSED):
        printed = n.scores(t)[after.replace(n.RAW, n.RAW + "_gain")]
        parts[after] = pd.DataFrame({"printed": printed, "computed": n.gain(t, after)})
    return agreement(pd.concat(parts), 0, "gains")


def _averages(t: pd.DataFrame) -> Found:
    found, four = agreement(n.averages(t), 0.005, "averages"), n.averages(t, four_sets=True)
    match = int((abs(four["printed"] - four["computed"]) <= 0.005 + n.TIE).sum())
    return Found(found.agrees, found.printed, f"{found.should_be}, as means of five columns; with the parts of "
                 f"WordSim353 averaged first {match} of {len(four)} would agree")


def _column_order(t: pd.DataFrame) -> Found:
    swapped = t["measure"].str.startswith(n.SET) & t["estimator"].notna()
    other = t.assign(estimator=t["estimator"].mask(swapped, t["estimator"].map({"cosine": "inner", "inner": "cosine"})))
    match = [int((abs(pairs["printed"] - pairs["computed"]) <= 0.005 + n.TIE).sum())
             for pairs in (n.averages(t), n.averages(other))]
    return Found(match[0] == len(n.averages(t)), "Table 2: cosine, inner product; Table 3: inner product / cosine",
                 f"both as their headers say: {match[0]} averages agree; with Table 3 in Table 2's order, {match[1]}")


def _underlines(t: pd.DataFrame) -> Found:
    wide, wrong = n.scores(t), []
    columns = [n.RAW, n.CENTRED, n.SCALED, n.PROCESSED]
    for cell, row in wide.iterrows():
        lined = [c for c in columns if row.get(c.replace(n.RAW, n.RAW + "_underlined"), np.nan) == 1]
        if lined != [row[columns].idxmax()]:
            wrong.append((", ".join(cell), " and ".join(f"{row[c]:.2f}" for c in lined), row[columns].max()))
    right = f"{len(wide) - len(wrong)} of {len(wide)} columns have their highest value underlined, and only it"
    return Found(not wrong, "; ".join(f"{cell}: {lined}" for cell, lined, _ in wrong) or f"{len(wide)} columns",
                 "; ".join([f"only {best:.2f}" for *_, best in wrong] + [right]))


def _gap_count(t: pd.DataFrame) -> Found:
    closed, left = n.closed(t), n.gap(t, n.CENTRED)
    return Found(int((closed < 0.9).sum()) == 2, "all but two",
                 f"{int((closed < 0.9).sum())} models keep more than a tenth of the difference "
                 f"({', '.join(closed.index[closed < 0.9])}); in {int((left > 0).sum())} anything at all is left")


def _correlation(t: pd.DataFrame) -> Found:
    norm, isotropy = n.per_model(t, n.NORM), n.per_model(t, n.I_RAW)
    r, printed = n.pearson(norm, isotropy), one(t, "norm_isotropy_correlation")
    low, high = n.pearson_range(norm.to_numpy(), isotropy.to_numpy(), 0.005)
    return Found(low - 0.005 <= printed <= high + 0.005, f"{printed:.2f}",
                 f"Pearson with I(W) {r:.3f}; the rounding of Table 1 allows {low:.3f} to {high:.3f}")


def _angle(t: pd.DataFrame) -> Found:
    cosine, printed = one(t, n.COSINE), one(t, n.ANGLE)
    angle = np.degrees(np.arccos(cosine))
    return Found(abs(angle - printed) <= 0.05, f"{cosine:.2f}, {printed:.1f} degrees", f"{angle:.2f} degrees")


def _removed(t: pd.DataFrame) -> Found:
    rows = t[t["measure"] == "removed_components"].set_index("k")["value"]
    computed = pd.Series({k: np.ceil(float(k) / 100) for k in rows.index})
    return agreement(pd.DataFrame({"printed": rows, "computed": computed}), 0, "numbers of components")


def _removed_in_code(t: pd.DataFrame) -> Found:
    text = sorted(t["value"][t["measure"] == "removed_components"].astype(int))
    code = int(one(t, "removed_components_released"))
    return Found(set(text) == {code}, f"D = {' or '.join(map(str, text))}", f"the benchmark script has D = {code}")


def _toy() -> tuple[np.ndarray, np.ndarray, int]:
    """A softmax layer of five words in three dimensions: W, one output vector, the target."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(5, 3)), rng.normal(size=(1, 3)), 2


def _equation_2(t: pd.DataFrame) -> Found:
    W, hidden, _ = _toy()
    mask, every = 4, np.arange(len(W))
    right = sum(np.exp(-output_layer.cross_entropy(W, hidden, [target])) for target in every)
    printed = len(W) * np.exp(-output_layer.cross_entropy(W, hidden, [mask]))
    return Found(np.isclose(printed, 1), "numerator e(ŵ_t), at a masked place the embedding of [MASK], whatever the "
                 f"target: the probabilities of {len(W)} words add up to {printed:.2f}",
                 f"with e(w_t), the original token, to {right:.2f}")


def _equation_5(t: pd.DataFrame) -> Found:
    W, hidden, target = _toy()
    y = np.exp([-output_layer.cross_entropy(W, hidden, [word]) for word in range(len(W))])
    printed = hidden.T @ (y - np.eye(len(W))[target])[None]
    same = np.allclose(printed.T, output_layer.gradient(W, hidden, [target]))
    return Found(printed.shape == W.shape,
                 f"h'(y - ŷ): a row per dimension, in the example {printed.shape[0]} x {printed.shape[1]}",
                 f"W has a row per word, {W.shape[0]} x {W.shape[1]}: the transpose {'is' if same else 'is not'} it")


def _equation_14(t: pd.DataFrame) -> Found:
    units = contextuality.unit_rows(np.random.default_rng(0).normal(size=(50, 20)) + 0.1)
    count, total = len(units), (units.sum(axis=0) ** 2).sum()
    pairs = units @ units.T
    definition = (pairs.sum() - np.trace(pairs)) / count ** 2
    printed, mended = total / count ** 2 - count, total / count ** 2 - 1 / count
    return Found(np.isclose(printed, definition), f"equation 14 on N = {count} random unit vectors: {printed:.4f}",
                 f"equation 12 gives {definition:.4f}; with -1/N for -N equation 14 gives {mended:.4f} too")


def _caption_model(t: pd.DataFrame) -> Found:
    said = int(one(t, "unused_tokens_said"))
    counts = {model: (int(one(t, "unused_tokens", model=model)), int(one(t, "vocabulary_size", model=model)))
              for model in ("BERT-base-cased", "BERT-base-uncased")}
    cased, uncased = counts["BERT-base-cased"], counts["BERT-base-uncased"]
    return Found(cased[0] == said, f"caption: BERT-base-case; text: {said} unused tokens, indices up to 29500",
                 f"BERT-base-uncased: {uncased[0]} unused tokens among {uncased[1]:,}; the cased file has {cased[0]} "
                 f"among {cased[1]:,}")


def _rows_in_code(t: pd.DataFrame) -> Found:
    said, code = int(one(t, "unused_tokens_said")), int(one(t, "unused_rows_averaged"))
    return Found(said == code, f"{said} unused tokens", f"the released vis.py averages {code} rows")


def _frequent_range(t: pd.DataFrame) -> Found:
    index = {word: int(one(t, "vocabulary_index", word=word, model="BERT-base-uncased"))
             for word in ("the", "of", "and", "in", "to")}
    before = [word for word, place in index.items() if place < 2000]
    return Found(2000 <= index["to"] < 3000, '[2000-3000], most frequent tokens, i.e. "to"',
                 f'"to" has index {index["to"]}; {", ".join(before)} stand just before, at {index[before[0]]} to '
                 f"{index[before[-1]]}")


def _never_inputs(t: pd.DataFrame) -> Found:
    share = one(t, "unused_input_share")
    often = f"about one position in {1 / share:,.0f}, an expectation" if share else "never"
    return Found(share == 0, "not used as inputs or targets", f"as inputs {often}; as targets never")


CHECKS = [
    Check("bis2021-check-ratio-column", "Table 1", "The last column is ‖μ‖ over the mean norm.", _ratios,
          "division of the two printed columns", "exact, within rounding"),
    Check("bis2021-check-exp-of-mean", "Table 1", "Is I(W) about exp(-‖μ‖), our rule of thumb?", _exp_of_mean,
          "removing the mean divides Z(c) by exp(c · μ); with the top eigenvector along μ and little else, "
          "I(W) = exp(-‖μ‖)", "a rule of thumb: surprising, not an error",
          "The sign of an eigenvector is free. Where it points against the mean and a few rows lie far on that side, "
          "the rule does not hold. The correlation of appendix C was computed with this cell, so it is no misprint. "
          "Unexplained without the weights."),
    Check("bis2021-check-gpt2-medium", "Table 1, GPT-2 (24 layers)", "Do the other cells of its row exclude I(W)?",
          _gpt2_medium, "I(W_c) and I(W_r) bound the variance, hence how far the top eigenvector is from the mean",
          "by a bound, if no row lies more than 8 below the mean; the smallest Z is taken as in the centred matrix"),
    Check("bis2021-check-gains", "Table 2", "The numbers in brackets are differences to the first row.", _gains,
          "subtraction", "exact"),
    Check("bis2021-check-averages", "Tables 2 and 3", "Table 2 is the mean of Table 3's five columns.", _averages,
          "means of the printed columns; the rows \"Centered\" have no counterpart", "exact, within rounding",
          "The caption of Table 2 names four sets, section 5.2 says that WordSim353 \"consists of two parts\", and "
          "section 5.3 averages \"all tasks\": WordSim353 weighs two fifths."),
    Check("bis2021-check-column-order", "Tables 2 and 3", "The order of the two scores differs between the tables.",
          _column_order, "the averages decide which column is which", "exact, within rounding",
          "Both headers say so. The names of the models differ, too: GPT-2 (12 layers) is GPT-2-small."),
    Check("bis2021-check-underlines", "Table 2", "The best result of each model is underlined.", _underlines,
          "the largest of four values a column", "exact, on our text copy of the paper",
          "The second underline may come from the conversion to text."),
    Check("bis2021-check-gap", "section 5.3", "Centring closes the gap in all but two models.", _gap_count,
          "averages of Table 2", "exact, given what \"close\" means",
          "Read as nearly all of the difference, the sentence is right; RoBERTa-large keeps 0.31 of 16.50 points."),
    Check("bis2021-check-correlation", "appendix C", "Mean norm and isotropy correlate at -0.61.", _correlation,
          "Pearson correlation of two columns of Table 1, and of all numbers that round to them",
          "exact, within rounding"),
    Check("bis2021-check-angle", "section 5.3", "A cosine of 0.33 is an angle of 70.7 degrees.", _angle, "arc cosine",
          "exact", "It is the angle of the mean cosine, which is not the mean angle."),
    Check("bis2021-check-components", "section 5.1", "D = ceil(d / 100).", _removed, "division",
          "exact; the two values are what the rule gives for d = 768 and 1024"),
    Check("bis2021-check-components-code", "section 5.1; released embeddings_benchmark.py",
          "Text and code remove the same number of components for Tables 2 and 3.", _removed_in_code,
          "read in the released script", "certain for the released version of the script",
          "The printed rows may come from another version; a run with both decides. Table 1's script has the text's."),
    Check("bis2021-check-equation-2", "equation 2", "The probabilities of a masked token add up to 1.", _equation_2,
          "a softmax over five words, in NumPy", "exact, on our text copy",
          "A slip of one accent; equation 1 has it right."),
    Check("bis2021-check-equation-5", "equations 5 and 6", "The gradient has the shape of W.", _equation_5,
          "the same example; finite differences agree in our tests", "exact, on our text copy",
          "It is the gradient of the transposed matrix; the argument does not depend on it."),
    Check("bis2021-check-equation-9", "equation 9", "The sum runs over all rows.",
          lambda t: Found(False, "upper limit V, which is the set of words", "the number of words"), "reading",
          "a matter of notation, on our text copy", "The meaning is plain; no number depends on it."),
    Check("bis2021-check-equation-14", "appendix A, equations 13 and 14", "Equations 12 and 14 agree.", _equation_14,
          "both on random vectors", "exact, on our text copy",
          "A bracket is missing. The conclusion stands: the two differ by a constant."),
    Check("bis2021-check-figure-3-model", "Figure 3, caption; section 4.2", "The model is the caption's.",
          _caption_model, "counts in the public vocabulary files; the released script loads bert-base-uncased",
          "certain",
          "Section 4.2 says only \"BERT\"; the number 994 is that of the uncased model."),
    Check("bis2021-check-unused-rows", "section 4.2; released vis.py", "994 unused tokens are averaged.",
          _rows_in_code,
          "rows 0 to 999 without five special tokens; row 999 is \"!\"", "certain for the released script",
          "One row in 995 does not show in a mean."),
    Check("bis2021-check-frequent-range", "section 4.2", "\"to\" is in [2000-3000].", _frequent_range,
          "the public uncased vocabulary file", "exact"),
    Check("bis2021-check-never-inputs", "section 4.2", "The unused tokens were not used as inputs or targets.",
          _never_inputs, "masked share x random share x share of unused tokens, from BERT's public script",
          "inference: the released checkpoints are taken to be made with the public script",
          "True for targets and for the text itself, which is what the argument needs."),
]
