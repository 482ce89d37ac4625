"""Checks the figures of Ethayarajh (2019) against the limits set by the definitions."""

import pandas as pd

from cwr.papers.checks import Check, Found
from cwr.tables import where
from cwr.texts.ethayarajh2019.claims.checks_text import INPUT
from cwr.texts.ethayarajh2019.claims.readings import (
    ADJUSTED_INTRA_SENTENCE,
    BASELINE,
    EXPLAINED_VARIANCE,
    EXPLAINED_VARIANCE_LEAST,
    EXPLAINED_VARIANCE_NEVER_FIRST,
    EXPLAINED_VARIANCE_SEEN_FIRST,
    EXPLAINED_VARIANCE_VARYING,
    INTRA_SENTENCE_COSINE,
    SHARE_BELOW_PCA,
    SHARE_BELOW_SELF_SIMILARITY,
    curves,
    ranges,
)


def _no_pca(published: pd.DataFrame) -> Found:
    """How many words lie below what a centred PCA can give."""
    share = curves(published, SHARE_BELOW_PCA).dropna(axis=1, how="all")
    return Found(
        agrees=bool((share == 0).all().all()),
        printed="the share of the first principal component",
        should_be="per cent of words whose released value is below the least value that a "
        "centred PCA can give: " + ranges(100 * share, "{:.1f}"),
    )


def _no_definition(published: pd.DataFrame) -> Found:
    """How many words lie below their self-similarity, and what equation 3 would need."""
    share = 100 * curves(published, SHARE_BELOW_SELF_SIMILARITY)[["ELMo", "BERT"]]
    least = curves(published, EXPLAINED_VARIANCE_LEAST, "definition")
    needed = least["ELMo"].loc[1] - 0.05
    baseline = curves(published, BASELINE)["ELMo"].loc[1]
    return Found(
        agrees=bool((share == 0).all().all()),
        printed="equation 3",
        should_be="per cent of words whose released value is below their self-similarity: "
        f"{ranges(share, '{:.1f}')}. The least mean that equation 3 allows: {ranges(least)}. "
        "For an adjusted mean of 0.05 the random words of ELMo's layer 1 would need a mean "
        f"cosine of at least {needed:.2f}; their mean cosine is {baseline:.2f}",
    )


def _no_variance(published: pd.DataFrame) -> Found:
    """How many words have no variance, and what they add to the means."""
    counts = where(published, measure="words_without_variance").set_index("model")["value"]
    varying = curves(published, EXPLAINED_VARIANCE_VARYING, "released")
    added = curves(published, EXPLAINED_VARIANCE, "released")[varying.columns] - varying
    shown = [
        f"{model}: {counts[model]:.0f} words have the value 1.000 in every layer and add "
        f"{column.min():.3f} to {column.max():.3f} to the means"
        for model, column in added.items()
    ]
    return Found(
        agrees=bool((counts == 0).all()),
        printed="the mean is over all words",
        should_be="; ".join(shown),
    )


def _cause(published: pd.DataFrame) -> Found:
    """GPT-2's words that are ever first in a sentence, and the others."""
    never = curves(published, EXPLAINED_VARIANCE_NEVER_FIRST)["GPT-2"].loc[2:11]
    seen = curves(published, EXPLAINED_VARIANCE_SEEN_FIRST)["GPT-2"].loc[2:11]
    return Found(
        agrees=bool((never >= 0.2).all()),
        printed="around 30 % in layers 2 to 11, due to extremely high anisotropy",
        should_be="words that open at least one sentence have means of "
        f"{seen.min():.2f} to {seen.max():.2f}, all others {never.min():.2f} to {never.max():.2f}",
    )


def _zero(published: pd.DataFrame) -> Found:
    """The adjusted value beside the cosine of different words."""
    some_layers = curves(published, f"{INTRA_SENTENCE_COSINE}_some_layers")
    cosine = curves(published, INTRA_SENTENCE_COSINE).join(some_layers)
    excess = (curves(published, ADJUSTED_INTRA_SENTENCE) - cosine).stack().dropna()
    return Found(
        agrees=bool((excess <= 0.01).all()),
        printed="a value of 0 means no more similar than random words; BERT's words become 'more "
        "dissimilar' upwards",
        should_be=f"cosine of different words minus the baseline: {ranges(cosine, '{:+.3f}')}. "
        f"This difference is up to {excess.max():.2f} lower than the adjusted value, and in "
        f"BERT it is highest at layer {cosine['BERT'].idxmax()}",
    )


def _one_token(published: pd.DataFrame) -> Found:
    """Different words at the same positions with one self-similarity in the input layer."""
    pairs = curves(published, "word_pairs_at_same_positions").loc[0]
    alike = curves(published, "word_pairs_at_same_positions_alike").loc[0]
    return Found(
        agrees=alike["GPT-2"] == 0,
        printed=f"{pairs['GPT-2']:.0f} pairs of different words, seen at the same positions",
        should_be=f"in {alike['GPT-2']:.0f} of these pairs both words have the same "
        "self-similarity in the input layer, to three decimals; in BERT this is true of "
        f"{alike['BERT']:.0f} of {pairs['BERT']:.0f} pairs",
    )


FIGURES = [
    Check(
        id="ethayarajh2019-check-no-pca",
        place="sections 1, 3.3 and 4.3",
        asks="Is the released value that of a first principal component?",
        find=_no_pca,
        how=(
            "a word's n vectors have at most n - 1 principal components, so the first explains at "
            "least 1/(n-1) of the variance. The number n comes from the rebuilt input"
        ),
        sure="certain by a bound, even after rounding",
        charitable=(
            "The code took the ratio from scikit-learn's TruncatedSVD, which does not centre. For "
            'that estimator "less than 5 %" is correct.'
        ),
        stated="Stated",
    ),
    Check(
        id="ethayarajh2019-check-no-definition",
        place="section 3.3, Definition 3",
        asks="Is the released explained variance that of equation 3?",
        find=_no_definition,
        how=(
            "for vectors of equal length the value of equation 3 is at least 1/n + (1 - 1/n) "
            "SelfSim. The number n comes from the rebuilt input"
        ),
        sure="certain by a bound, if vectors have equal lengths, as we infer for ELMo and BERT",
        charitable=(
            "The author may have meant the variance that is left without the common direction."
        ),
        stated="Stated",
    ),
    Check(
        id="ethayarajh2019-check-no-variance",
        place="Figure 4",
        asks="Do words without any variance enter the mean?",
        find=_no_variance,
        how=(
            "for words without variance the ratio is 0/0, and the released per-word values are "
            "1.000 in every layer"
        ),
        sure="inference",
        charitable="The adjusted means stay below 5 % with these words, and are smaller without them.",
        remark=True,
        stated="Stated",
    ),
    Check(
        id="ethayarajh2019-check-cause",
        place="section 4.3",
        asks="Is GPT-2's explained variance of 30 % due to its anisotropy?",
        find=_cause,
        how=(
            "we split the released per-word values by whether a word opens a sentence of the "
            "rebuilt input"
        ),
        sure=INPUT,
        charitable="If anisotropy means the explained variance of random words, the sentence is "
        "right: the same first tokens raise both values.",
        stated="Stated",
    ),
    Check(
        id="ethayarajh2019-check-zero",
        place="sections 1 and 4.2; Figure 3",
        asks="Does an adjusted value of 0 mean that words are as similar as random words?",
        find=_zero,
        how=(
            "each word is part of the mean it is compared with. For unit vectors the measure is "
            "the root of 1/n + (1 - 1/n) c, where c is the cosine of different words. We solved for "
            "c with the sentence lengths of the rebuilt input"
        ),
        sure="exact for unit vectors; the solved values are accurate to about 0.01",
        charitable=(
            "The numbers follow the definition of section 3.4. On the other scale, too, ELMo's "
            "values rise, and GPT-2's are zero in the layers that no first token dominates."
        ),
        stated="Stated",
    ),
    Check(
        id="ethayarajh2019-check-one-token",
        place="Figures 1 to 4, GPT-2",
        asks="Do different words have different input vectors in the statistics?",
        find=_one_token,
        how=(
            "an input vector is the sum of a token's and a position's vector, so words at the "
            "same positions have equal vectors only if they are the same token"
        ),
        sure=INPUT,
        charitable="We do not know whether the paper's charts come from the same run.",
        remark=True,
        stated="Released",
    ),
]
