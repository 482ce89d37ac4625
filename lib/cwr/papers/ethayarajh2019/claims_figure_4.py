"""Claims of Ethayarajh (2019) that Figure 4 judges: explained variance, by three estimators.

M = adjusted maximum explainable variance. The released statistics hold the estimator "released"; equation 3 as printed
is "definition", the first principal component is "pca" (`measures.contextuality.maximum_explainable_variance`).
"""
from dataclasses import replace

import pandas as pd

from cwr.papers.claims import PAPER_FAMILIES, Claim, Needs
from cwr.papers.old import anywhere, at_depths, by_layer

M, RAW_M = "adjusted_maximum_explainable_variance", "maximum_explainable_variance"
BASELINE, NEVER_FIRST, LEAST = (RAW_M + end for end in ("_baseline", "_never_first", "_least"))
SHARE, STOPWORDS = "share_of_words_below_baseline", "stopword_percentile"
LIMIT = 0.05


def _below_in_some_model(table: pd.DataFrame) -> bool:
    return any(bool((by_layer(part, SHARE) >= 0.2).all()) for _, part in table.groupby("model"))


def _below(measure: str):
    return lambda t: bool((by_layer(t, measure) < LIMIT).all())


def _middle(measure: str, holds):
    """A predicate on layers 2 to 11 of 12: from 1/6 to 11/12 of the depth."""
    return lambda t: bool(holds(at_depths(t, measure, 2 / 12, 11 / 12)).all())


def _by_estimator(claim: Claim) -> list[Claim]:
    """One claim in its three readings: the released estimator, equation 3, centred PCA."""
    return [replace(claim, id=claim.id + suffix, needs=replace(claim.needs, estimator=estimator),
                    tolerance=f"{claim.tolerance}; estimator: {estimator}")
            for suffix, estimator in (("", "released"), (".definition", "definition"), (".pca", "pca"))]


def _least(estimator: str, name: str, because: str) -> Claim:
    return anywhere(f"{name} leaves room for a mean below 5 %.", Claim(
        f"eth-mev-raw-5pct.{estimator}-bound", "section 4.3",
        f"{name} leaves room for a mean below 5 % in ELMo and BERT.",
        Needs((LEAST,), ("bilstm", "masked"), estimator=estimator), _below(LEAST),
        "the mean of the least possible values < 0.05 in every layer above the input", because))


FIGURE_4 = [
    *_by_estimator(Claim(
        "eth-mev-5pct", "abstract; section 1, finding 4; section 4.3",
        "Less than 5 % of the variance in a word's representations can be explained by a static embedding.",
        Needs((M,)), lambda t: bool((by_layer(t, M) <= LIMIT).all()), "<= 0.05 in every layer above the input",
        "The released statistics use a third estimator, neither equation 3 nor PCA; it holds for that one.")),
    *(anywhere("Before the adjustment, too, the mean is below 5 %.", claim) for claim in _by_estimator(Claim(
        "eth-mev-raw-5pct", "section 4.3", "Before the adjustment, too, the mean is below 5 % in ELMo and BERT.",
        Needs((RAW_M,), ("bilstm", "masked")), _below(RAW_M), "< 0.05 in every layer above the input",
        "Impossible under equation 3 where words are self-similar."))),
    _least("definition", "Equation 3", "Equation 3 cannot be below 1/n + (1 - 1/n) SelfSim for vectors of equal "
           "length; n from the rebuilt input. The released estimator can, and does."),
    _least("pca", "A centred PCA", "The first principal component of n vectors cannot explain less than 1/(n-1); n "
           "from the rebuilt input. The released estimator is not a PCA."),
    *(anywhere("It is roughly 30 % from 1/6 to 11/12 of the depth.", claim)
      for claim in _by_estimator(Claim(
          "eth-mev-gpt2-30pct", "section 4.3", "In GPT-2 it is roughly 30 % in layers 2 to 11.",
          Needs((RAW_M,), ("causal",), n_layers=12), _middle(RAW_M, lambda v: abs(v - 0.30) <= 0.06),
          "within 0.30 +- 0.06 in layers 2 to 11 of 12, by depth",
          "On the released statistics mostly an effect of sentence-initial tokens."))),
    anywhere("Words never in the first position reach 20 % too, from 1/6 to 11/12 of the depth.", Claim(
        "eth-mev-gpt2-cause", "section 4.3", "GPT-2's 30 % are due to its extreme anisotropy.",
        Needs((NEVER_FIRST,), ("causal",), n_layers=12, estimator="released"), _middle(NEVER_FIRST, lambda v: v >= 0.2),
        "words never in the first position reach 0.2 too, layers 2 to 11 of 12, by depth",
        "True if anisotropy means the baseline of explained variance; both then come from the same first tokens.")),
    anywhere("One direction explains nearly all variance of random words, from 1/6 to 11/12 of the depth.", Claim(
        "eth-mev-gpt2-cause.baseline", "section 4.3",
        "Where GPT-2's raw value is 30 %, one direction explains nearly all variance of random words.",
        Needs((BASELINE,), ("causal",), n_layers=12, estimator="released"), _middle(BASELINE, lambda v: v >= 0.9),
        "baseline of explained variance >= 0.9 in layers 2 to 11 of 12, by depth",
        "The charitable reading of eth-mev-gpt2-cause: anisotropy by the text's other gauge.")),
    Claim("eth-mev-below-baseline", "section 4.3",
          "For many words the raw value is below the value of random words.",
          Needs((SHARE,), (), estimator="released", compares=True, beside=PAPER_FAMILIES), _below_in_some_model,
          "at least 20 % of the words, in every layer of some model",
          "The charitable reading: the text names no model."),
    Claim("eth-mev-below-baseline.each", "section 4.3",
          "In each model the raw value of many words is below the value of random words.",
          Needs((SHARE,), PAPER_FAMILIES, estimator="released"), lambda t: bool((by_layer(t, SHARE) >= 0.2).all()),
          "at least 20 % of the words, in every layer above the input",
          "The strict reading of eth-mev-below-baseline."),
    Claim("eth-no-finite-senses", "abstract; section 4.2; section 4.3",
          "A word does not have a finite set of sense vectors.", Needs((M, STOPWORDS)), None, "no predicate",
          "It rests on the small explained variance and on the stopwords, whose claims are judged above.",
          unprinted="an interpretation: no number of the paper decides it by itself"),
]
