"""Claims of Ethayarajh (2019) that Figure 2 judges: how alike the vectors of one word are.

S = adjusted self-similarity, the mean cosine of a word's occurrences minus the anisotropy baseline.
D = draws, L = layers, W = words
"""

from functools import partial

import numpy as np

import cwr.texts.ethayarajh2019.claims.readings as readings
from cwr.papers import predicates
from cwr.papers.claims import Claim, General, Needs
from cwr.tables import Missing, Table, Undefined, concatenated
from cwr.texts.ethayarajh2019.claims.readings import (
    ADJUSTED_SELF_SIMILARITY,
    BASELINE,
    ONE_TOKEN,
    SELF_SIMILARITY,
    SELF_SIMILARITY_LAYER_MEAN,
    STEP,
    STOPWORD_PERCENTILE,
)

ACCOMPANYING = (BASELINE, ADJUSTED_SELF_SIMILARITY)
FIVE = ("and", "of", "'s", "the", "to")
FIVE_WORDS = (
    "These five words are a finding on ELMo and its input. The claim eth-stopwords-lowest asks a "
    "similar question of other models."
)
NO_INTERVAL = "Our intervals come from resampling words, so the value of a single word has none."
COMPARED = "The claim already compares any models of these families, at equal relative depth."


def _above_zero(table: Table) -> np.ndarray:
    """Whether S > 0 in every layer."""
    names, similarity = readings.layers(table, ADJUSTED_SELF_SIMILARITY)
    return predicates.above(table, similarity, 0, names)


def _one_at_the_input(table: Table, margin: float = 0.001) -> np.ndarray:
    """Whether raw self-similarity is 1 in the input layer."""
    similarity = table.value(SELF_SIMILARITY, layer=0)
    return predicates.near(table, similarity, 1, margin, "layer 0")


def _falls(table: Table, noise: float = STEP) -> np.ndarray:
    """Whether S falls in every step, but for steps up that are noise, and over all layers."""
    names, similarity = readings.layers(table, ADJUSTED_SELF_SIMILARITY, at_least=2)
    steps = np.diff(similarity, axis=1)  # (D, L - 1)
    level = steps <= noise + predicates.TIE
    falls = predicates.every(table, level, [f"step to {name}" for name in names[1:]], steps)
    whole = similarity[:, -1] - similarity[:, 0]
    return falls & predicates.below(table, whole, 0, "last minus input layer")


def _tends_to_fall(
    table: Table, measure: str = ADJUSTED_SELF_SIMILARITY, most: float = -0.5
) -> np.ndarray:
    """Whether a measure of self-similarity tends to fall with the layer."""
    correlation = predicates.trend(table, readings.curve(table, measure), "self-similarity")
    return predicates.at_most(table, correlation, most, "Spearman correlation with the layer")


def _causal_below_others(table: Table, measure: str = ADJUSTED_SELF_SIMILARITY) -> np.ndarray:
    """Whether each causal model lies below each masked one and biLSTM, in their layers' depths."""
    names, differences = [], []
    causal_models = table.where(family="causal").with_measure(measure)
    others = [table.where(family=each).with_measure(measure) for each in ("masked", "bilstm")]
    for causal, causal_rows in causal_models.items():
        curve = readings.curve(causal_rows, measure, at_least=2)
        for other, rows in (others[0] | others[1]).items():
            layers, values = readings.layers(rows, measure, at_least=2)
            names += [f"{causal} minus {other}, {layer}" for layer in layers]
            differences.append(_at_depths(curve, len(layers)) - values)
    difference = concatenated(differences)
    return predicates.below(table, difference, 0, names)


def _at_depths(curve: np.ndarray, number: int) -> np.ndarray:
    """A curve (D, L) at `number` equally spaced depths, linear between its layers, (D, number)."""
    depths, own_depths = np.linspace(0, 1, number), np.linspace(0, 1, curve.shape[1])
    weights = [np.interp(depths, own_depths, unit) for unit in np.eye(curve.shape[1])]
    return curve @ np.array(weights)


def _none_left_at_the_top(table: Table, most: float = 0.05) -> np.ndarray:
    """Whether S of the last layer is almost 0."""
    similarity = readings.last(table, ADJUSTED_SELF_SIMILARITY)
    return predicates.at_most(table, similarity, most, "last layer")


def _stopwords_within(table: Table, percentile: float = 0.05) -> np.ndarray:
    """Whether the median percentile of the stopwords is at most this."""
    median = table.value(STOPWORD_PERCENTILE)
    return predicates.at_most(table, median, percentile, "median percentile of the stopwords")


def _lowest_five(table: Table, numerals: bool = True) -> np.ndarray:
    """Whether the five words have the five lowest means; numerals: tokens of digits count too."""
    words, means = table.over("word", SELF_SIMILARITY_LAYER_MEAN, at_least=len(FIVE) + 1)
    lacking = [word for word in FIVE if word not in words]
    if lacking:
        raise Missing(f"self similarity layer mean of {' and '.join(lacking)}")
    is_named = np.isin(words, FIVE)
    is_numeral = np.array([word.isdigit() for word in words])
    rivals = ~is_named & (numerals | ~is_numeral)
    if not rivals.any():
        raise Undefined("there is no other word to compare the five with")
    highest = means[:, is_named].max(axis=1, keepdims=True)  # (D, 1)
    others = means[:, rivals]
    tied = np.isclose(others, highest, rtol=0, atol=predicates.TIE).any(axis=1)
    table.undefined(tied, "another word shares the fifth lowest mean")
    lowest_first = np.argsort(others[0], kind="stable")
    names = [f"“{word}”" for word in np.array(words)[rivals][lowest_first]]
    above = predicates.every(
        table, (others > highest)[:, lowest_first], names, others[:, lowest_first]
    )
    if not above[0]:
        table.against(f"the highest of the five is at {highest[0, 0]:.3f}")
    return above


def _ends_more_anisotropic_and_specific(table: Table) -> np.ndarray:
    """Whether b rises and S falls from the input to the last layer."""
    ends = [readings.curve(table, each, at_least=2)[:, [0, -1]] for each in ACCOMPANYING]
    rise, fall = (np.diff(curve, axis=1)[:, 0] for curve in ends)
    room = np.stack([rise, -fall], axis=1)  # (D, 2)
    return predicates.above(table, room, 0, ("rise of the baseline", "fall of self-similarity"))


def _more_anisotropic_where_specific(table: Table, most: float = -0.5) -> np.ndarray:
    """Whether b tends to be higher in layers of lower S."""
    b, similarity = (readings.curve(table, each) for each in ACCOMPANYING)
    name = "baseline and self-similarity"
    correlation = predicates.rank_correlation(table, b, similarity, name, "layers")
    return predicates.at_most(table, correlation, most, "Spearman correlation over the layers")


FIGURE_2 = [
    Claim(
        id="eth-same-word-closer",
        place="abstract",
        says="Representations of one word are closer to each other than those of random words.",
        needs=Needs(measures=(ADJUSTED_SELF_SIMILARITY,)),
        holds=_above_zero,
        tolerance="the adjusted self-similarity is above 0 in every layer",
        because=ONE_TOKEN,
    ),
    Claim(
        id="eth-elmo-input-selfsim-one",
        place="section 4.2",
        says="ELMo's input layer has self-similarity 1.",
        needs=Needs(measures=(SELF_SIMILARITY,), families=("bilstm",)),
        holds=_one_at_the_input,
        tolerance="the raw self-similarity of layer 0 is within {margin} of 1",
        because=(
            "ELMo's input layer reads one word alone, so all occurrences of a word share one "
            "vector. Figure 2 plots the adjusted value, which is 0.992 and also rounds to 1.0."
        ),
        arithmetic=True,
        general=General(says="The input layer has self-similarity 1."),
    ),
    Claim(
        id="eth-selfsim-decreases",
        place="abstract; section 1, finding 2; section 4.2",
        says="The higher the layer, the lower the self-similarity.",
        needs=Needs(measures=(ADJUSTED_SELF_SIMILARITY,)),
        holds=_falls,
        tolerance=(
            "in no step does the adjusted self-similarity rise by more than {noise}, and it is "
            "lower in the last layer than in the input"
        ),
        because=(
            "We read the sentence layer by layer. The released self-similarity of BERT rises by "
            "0.114 at layer 12, that of GPT-2 by 0.026 at layer 2. As a trend the sentence "
            f"holds; eth-selfsim-decreases.trend tests the trend. {ONE_TOKEN}"
        ),
    ),
    Claim(
        id="eth-selfsim-decreases.trend",
        place="abstract; section 1, finding 2; section 4.2",
        says="Self-similarity tends to fall with depth.",
        needs=Needs(measures=(ADJUSTED_SELF_SIMILARITY,)),
        holds=_tends_to_fall,
        tolerance=(
            "the Spearman correlation of layer and adjusted self-similarity is at most {most}"
        ),
        because=f"This is the charitable reading of eth-selfsim-decreases. {ONE_TOKEN}",
    ),
    Claim(
        id="eth-selfsim-decreases.raw",
        place="not in the paper",
        says="Self-similarity tends to fall with depth before the baseline is subtracted.",
        needs=Needs(measures=(SELF_SIMILARITY,)),
        holds=partial(_tends_to_fall, measure=SELF_SIMILARITY),
        tolerance="the Spearman correlation of layer and raw self-similarity is at most {most}",
        because=(
            "This is a control of ours. If the raw self-similarity does not fall and the adjusted "
            f"one does, then the fall comes from the rise of the baseline. {ONE_TOKEN}"
        ),
        ours=True,
    ),
    Claim(
        id="eth-gpt2-most-specific",
        place="section 4.2",
        says="GPT-2's representations are the most context-specific: less self-similar than "
        "BERT's and ELMo's in every layer.",
        needs=Needs(
            measures=(ADJUSTED_SELF_SIMILARITY,),
            families=("bilstm", "masked", "causal"),
            compares=True,
        ),
        holds=_causal_below_others,
        tolerance=(
            "the adjusted self-similarity of the causal model is below that of the other models "
            "in each of their layers, at the same relative depth"
        ),
        because=(
            "The adjustment decides this claim: without it the released numbers say the opposite "
            f"in layers 2 to 12. {ONE_TOKEN}"
        ),
        general=COMPARED,
    ),
    Claim(
        id="eth-gpt2-most-specific.raw",
        place="not in the paper",
        says="GPT-2's representations are less self-similar than BERT's and ELMo's before the baseline "
        "is subtracted.",
        needs=Needs(
            measures=(SELF_SIMILARITY,), families=("bilstm", "masked", "causal"), compares=True
        ),
        holds=partial(_causal_below_others, measure=SELF_SIMILARITY),
        tolerance=(
            "the raw self-similarity of the causal model is below that of the other models in "
            "each of their layers, at the same relative depth"
        ),
        because=(
            "This control of ours shows whether the subtraction of the baseline decides "
            f"eth-gpt2-most-specific. {ONE_TOKEN}"
        ),
        ours=True,
        general=COMPARED,
    ),
    Claim(
        id="eth-gpt2-last-maximal",
        place="section 4.2",
        says="GPT-2's last layer is almost maximally context-specific.",
        needs=Needs(measures=(ADJUSTED_SELF_SIMILARITY,), families=("causal",)),
        holds=_none_left_at_the_top,
        tolerance="the adjusted self-similarity of the last layer is at most {most}",
        because=(
            "A maximally specific word would have the value 0: its occurrences would be no "
            f"closer to each other than random words. {ONE_TOKEN}"
        ),
        general=General(says="The last layer is almost maximally context-specific."),
    ),
    Claim(
        id="eth-stopwords-lowest",
        place="section 4.2",
        says="Stopwords are among the least self-similar words.",
        needs=Needs(measures=(STOPWORD_PERCENTILE,)),
        holds=_stopwords_within,
        tolerance=(
            "ranked by their mean self-similarity over layers, 26 stopwords have a median "
            "percentile of at most {percentile}"
        ),
        because=(
            "The text sets no threshold. On the released statistics the median of our 26 "
            "stopwords is in the lowest quarter in all three models. BERT's released index also "
            f"contains word pieces; among its whole words the percentile is 0.048. {ONE_TOKEN}"
        ),
    ),
    Claim(
        id="eth-stopwords-lowest.quarter",
        place="section 4.2",
        says="Stopwords are in the lowest quarter of words by self-similarity.",
        needs=Needs(measures=(STOPWORD_PERCENTILE,)),
        holds=partial(_stopwords_within, percentile=0.25),
        tolerance=(
            "ranked by their mean self-similarity over layers, 26 stopwords have a median "
            "percentile of at most {percentile}"
        ),
        because=f"This is the charitable reading of eth-stopwords-lowest. {ONE_TOKEN}",
    ),
    Claim(
        id="eth-elmo-lowest-five",
        place="section 4.2",
        says="In ELMo the five least self-similar words are and, of, 's, the, to.",
        needs=Needs(measures=(SELF_SIMILARITY_LAYER_MEAN,), families=("bilstm",)),
        holds=_lowest_five,
        tolerance="these are the five words with the lowest mean self-similarity over the layers",
        because=(
            "On the released statistics four of these words are among the five lowest. The "
            f"numeral 54 is 0.001 lower than the fifth word. {NO_INTERVAL}"
        ),
        general=FIVE_WORDS,
    ),
    Claim(
        id="eth-elmo-lowest-five.words",
        place="section 4.2",
        says="In ELMo the five least self-similar words, numerals aside, are and, of, 's, the, to.",
        needs=Needs(measures=(SELF_SIMILARITY_LAYER_MEAN,), families=("bilstm",)),
        holds=partial(_lowest_five, numerals=False),
        tolerance=(
            "apart from tokens of digits, these are the five words with the lowest mean "
            "self-similarity over the layers"
        ),
        because=(
            "This is the charitable reading of eth-elmo-lowest-five: a numeral is no word. "
            f"{NO_INTERVAL}"
        ),
        general=FIVE_WORDS,
    ),
    Claim(
        id="eth-anisotropy-accompanies",
        place="section 4.2",
        says="Anisotropy accompanies context-specificity.",
        needs=Needs(measures=ACCOMPANYING),
        holds=_ends_more_anisotropic_and_specific,
        tolerance=(
            "from the input to the last layer the mean cosine of random words rises and the "
            "adjusted self-similarity falls"
        ),
        because=(
            'We read "accompanies" as true of both ends of a model: the last layer is more '
            "context-specific and more anisotropic than the input. The variant "
            f"eth-anisotropy-accompanies.layers tests the layers in between. {ONE_TOKEN}"
        ),
    ),
    Claim(
        id="eth-anisotropy-accompanies.layers",
        place="section 4.2",
        says="More context-specific layers tend to be more anisotropic.",
        needs=Needs(measures=ACCOMPANYING),
        holds=_more_anisotropic_where_specific,
        tolerance=(
            "over the layers, the Spearman correlation of the mean cosine of random words and "
            "adjusted self-similarity is at most {most}"
        ),
        because=(
            "This is the stricter reading, layer by layer. The mean cosine of random words is "
            "subtracted in the adjusted self-similarity. So noise in this cosine alone makes "
            f"the correlation negative. {ONE_TOKEN}"
        ),
    ),
]
