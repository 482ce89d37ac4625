"""Claims of Ethayarajh (2019) that Figure 3 judges: how alike the words of one sentence are.

I = adjusted intra-sentence similarity: the mean cosine of a sentence's words with their mean
vector, minus the anisotropy baseline. C = the mean cosine of *different* words of a sentence, minus
the baseline: the same question on the baseline's own scale, where words as alike as random ones
have 0.
"""

from functools import partial

import numpy as np

import cwr.texts.ethayarajh2019.claims.readings as readings
from cwr.papers import predicates
from cwr.papers.claims import Claim, General, Needs
from cwr.tables import Table, concatenated
from cwr.texts.ethayarajh2019.claims.readings import (
    ADJUSTED_INTRA_SENTENCE,
    INTRA_SENTENCE_COSINE,
    ONE_TOKEN,
)

NO_DIFFERENCE = 0.01  # of C: about as exact as it can be inferred
LOW = 0.20
INFERRED = (
    "We infer the cosine of different words, to about 0.01, from the released mean and the sentence "
    "lengths of the rebuilt input."
)
ONE_MARGIN = (
    f'One margin, {NO_DIFFERENCE}, separates "more similar than random words" from "no more similar". '
    "The cosine of different words that we infer from the released numbers is accurate to about 0.01."
)


def _rises(table: Table, measure: str = ADJUSTED_INTRA_SENTENCE) -> np.ndarray:
    """Whether a measure rises in every step."""
    names, values = readings.layers(table, measure, at_least=2)
    steps = np.diff(values, axis=1)
    return predicates.above(table, steps, 0, [f"step to {name}" for name in names[1:]])


def _falls_but_for_the_last(
    table: Table, measure: str = ADJUSTED_INTRA_SENTENCE, most: float = -0.5
) -> np.ndarray:
    """Whether a measure tends to fall with the layer, and rises in the last step."""
    values = readings.curve(table, measure)
    correlation = predicates.trend(table, values, "similarity")
    falls = predicates.at_most(table, correlation, most, "Spearman correlation with the layer")
    step = values[:, -1] - values[:, -2]
    return falls & predicates.above(table, step, 0, "last step")


def _above(
    table: Table, measure: str = ADJUSTED_INTRA_SENTENCE, margin: float = 0, first: int = 0
) -> np.ndarray:
    """Whether a measure exceeds the margin in every layer from `first` on."""
    names, values = readings.layers(table, measure)
    return predicates.above(table, values[:, first:], margin, names[first:])


def _mostly_zero(
    table: Table, measure: str = ADJUSTED_INTRA_SENTENCE, margin: float = 0.05
) -> np.ndarray:
    """Whether a measure is within the margin of 0 in more than half of the layers."""
    names, values = readings.layers(table, measure)
    return predicates.most(table, np.abs(values) <= margin + predicates.TIE, names)


def _highest_at_the_input(table: Table) -> np.ndarray:
    """Whether I is highest in the input layer."""
    names, similarity = readings.layers(table, ADJUSTED_INTRA_SENTENCE, at_least=2)
    highest = predicates.largest(table, similarity, "adjusted similarity")
    if highest[0] != 0:
        table.against(f"the highest is in {names[highest[0]]}, {similarity[0, highest[0]]:.3g}")
    return highest == 0


def _number_low(table: Table, names: list[str], similarity: np.ndarray, low: float) -> np.ndarray:
    """How many of the values (D, L) are not above `low`, (D,); against the claim: which."""
    is_low = similarity <= low + predicates.TIE
    listed = ", ".join(names[index] for index in np.flatnonzero(is_low[0])) or "none"
    table.against(f"{is_low[0].sum()} of {len(names)} layers are not above {low:.2f}: {listed}")
    return is_low.sum(axis=1)


def _low_in_one(table: Table, low: float = LOW, or_in_none: bool = True) -> np.ndarray:
    """Whether I is not above `low` in one layer of all models together, or in none."""
    names, values = [], []
    for model, rows in table.with_measure(ADJUSTED_INTRA_SENTENCE).items():
        layers, similarity = readings.layers(rows, ADJUSTED_INTRA_SENTENCE)
        names += [f"{model} {layer}" for layer in layers]
        values.append(similarity)
    number = _number_low(table, names, concatenated(values), low)
    return (number == 1) | (or_in_none & (number == 0))


def _low_in_one_of_a_model(table: Table, low: float = LOW) -> np.ndarray:
    """Whether I is not above `low` in one layer of the model, or in none."""
    names, similarity = readings.layers(table, ADJUSTED_INTRA_SENTENCE, at_least=2)
    return _number_low(table, names, similarity, low) <= 1


FIGURE_3 = [
    Claim(
        id="eth-intra-elmo-rises",
        place="section 1, finding 3; section 4.2",
        says="In ELMo, words of a sentence become more similar to one another in upper layers.",
        needs=Needs(measures=(ADJUSTED_INTRA_SENTENCE,), families=("bilstm",)),
        holds=_rises,
        tolerance=(
            "the adjusted intra-sentence similarity rises in every step from layer to layer"
        ),
        general=General(says="Words of a sentence become more similar in every layer."),
    ),
    Claim(
        id="eth-intra-elmo-rises.cosine",
        place="section 1, finding 3; section 4.2",
        says="In ELMo, different words of a sentence become more similar to one another in upper "
        "layers.",
        needs=Needs(measures=(INTRA_SENTENCE_COSINE,), families=("bilstm",)),
        holds=partial(_rises, measure=INTRA_SENTENCE_COSINE),
        tolerance=(
            "the mean cosine of different words, minus the baseline, rises in every step from "
            "layer to layer"
        ),
        because=INFERRED,
        general=General(says="Different words of a sentence become more similar in every layer."),
    ),
    Claim(
        id="eth-intra-bert-falls",
        place="section 1, finding 3; section 4.2",
        says="In BERT intra-sentence similarity falls with depth, with layer 12 as the exception.",
        needs=Needs(measures=(ADJUSTED_INTRA_SENTENCE,), families=("masked",), n_layers=12),
        holds=_falls_but_for_the_last,
        tolerance=(
            "the Spearman correlation of layer and adjusted similarity is at most {most}, and "
            "this similarity rises in the last step"
        ),
        because=(
            "Each word is part of the mean that it is compared with. So even words that are "
            "only as similar as random ones give a curve of this measure, and for BERT this "
            "curve falls. The cosine of different words, minus the baseline, rises; see "
            "eth-intra-bert-falls.cosine."
        ),
        general=General(
            says=("Intra-sentence similarity falls with depth, except in the last layer.")
        ),
    ),
    Claim(
        id="eth-intra-bert-falls.cosine",
        place="section 1, finding 3; section 4.2",
        says=(
            "In BERT the cosine of different words of a sentence, minus the baseline, falls with "
            "depth, except in layer 12."
        ),
        needs=Needs(measures=(INTRA_SENTENCE_COSINE,), families=("masked",), n_layers=12),
        holds=partial(_falls_but_for_the_last, measure=INTRA_SENTENCE_COSINE),
        tolerance=(
            "the Spearman correlation of layer and mean cosine of different words, minus the "
            "baseline, is at most {most}, and this cosine rises in the last step"
        ),
        because=INFERRED,
        general=General(
            says=(
                "The cosine of different words of a sentence falls with depth, except in the last "
                "layer."
            ),
        ),
    ),
    Claim(
        id="eth-intra-bert-above",
        place="section 4.2",
        says="In BERT words of one sentence are more similar than random words, in every layer.",
        needs=Needs(measures=(ADJUSTED_INTRA_SENTENCE,), families=("masked",)),
        holds=_above,
        tolerance="the adjusted intra-sentence similarity exceeds {margin} in every layer",
        because=(
            "Words exactly as similar as random ones also have a value above 0. Each word is part "
            "of the mean that it is compared with. The claim eth-intra-bert-above.cosine "
            "compares different words."
        ),
        general=General(
            says="Words of one sentence are more similar than random words, in every layer.",
        ),
    ),
    Claim(
        id="eth-intra-bert-above.cosine",
        place="section 4.2",
        says="In BERT different words of one sentence are more similar than random words, in "
        "every layer above the input.",
        needs=Needs(measures=(INTRA_SENTENCE_COSINE,), families=("masked",)),
        holds=partial(_above, measure=INTRA_SENTENCE_COSINE, margin=NO_DIFFERENCE, first=1),
        tolerance=(
            "the mean cosine of different words, minus the baseline, exceeds {margin} in layers "
            "{first} and up"
        ),
        because=(
            "In the input layer no word depends on another, and its value is -0.008. "
            f"{ONE_MARGIN} {INFERRED}"
        ),
        general=General(
            says="Different words of a sentence are more similar than random words, above the "
            "input.",
        ),
    ),
    Claim(
        id="eth-intra-gpt2-zero",
        place="section 1, finding 3; section 4.2",
        says="In GPT-2 words of one sentence are no more similar than random words, in most "
        "layers.",
        needs=Needs(measures=(ADJUSTED_INTRA_SENTENCE,), families=("causal",)),
        holds=_mostly_zero,
        tolerance=(
            "the adjusted intra-sentence similarity is within {margin} of 0 in more than half of "
            "the layers"
        ),
        because=(
            'We read "close to 0" as within 0.05, about a tenth of the figure\'s axis. Words '
            "as similar as random ones would not have the value 0, since each word is part of "
            f"the mean that it is compared with. {ONE_TOKEN}"
        ),
        general=General(
            says="Words of one sentence are no more similar than random words, in most layers.",
        ),
    ),
    Claim(
        id="eth-intra-gpt2-zero.cosine",
        place="section 1, finding 3; section 4.2",
        says="In GPT-2 different words of one sentence are no more similar than random words, in "
        "most layers.",
        needs=Needs(measures=(INTRA_SENTENCE_COSINE,), families=("causal",)),
        holds=partial(_mostly_zero, measure=INTRA_SENTENCE_COSINE, margin=NO_DIFFERENCE),
        tolerance=(
            "the mean cosine of different words, minus the baseline, is within {margin} of 0 in "
            "more than half of the layers"
        ),
        because=f"{ONE_MARGIN} {INFERRED}",
        unprinted=(
            "in layers 2 to 11 the first token dominates the released mean, as we infer. So the "
            "difference can be inferred only in layers 0, 1 and 12, where it is 0 within 0.01, "
            "as the text says"
        ),
        general=General(
            says="Different words of one sentence are no more similar than random words, in most "
            "layers.",
        ),
    ),
    Claim(
        id="eth-intra-gpt2-input-highest",
        place="section 4.2",
        says="In GPT-2 intra-sentence similarity is highest in the input layer.",
        needs=Needs(measures=(ADJUSTED_INTRA_SENTENCE,), families=("causal",)),
        holds=_highest_at_the_input,
        tolerance="the largest adjusted intra-sentence similarity is at layer 0",
        because=(
            "Words exactly as similar as random ones would also have their highest value in the "
            f"input layer. {ONE_TOKEN}"
        ),
        general=General(says="Intra-sentence similarity is highest in the input layer."),
    ),
    Claim(
        id="eth-intra-above-020",
        place="section 4.2",
        says="In ELMo and BERT adjusted intra-sentence similarity exceeds 0.20 in all layers but "
        "at most one.",
        needs=Needs(
            measures=(ADJUSTED_INTRA_SENTENCE,), families=("bilstm", "masked"), compares=True
        ),
        holds=_low_in_one,
        tolerance="at most one value is {low:.2f} or less, over all layers of both models",
        because=(
            'We read the paper\'s "all but one layer" as "nearly all". So a model in which '
            "every layer exceeds 0.20 supports the claim. In the input layers no word depends "
            "on another, yet the printed values are 0.31 and 0.33, because each word is part of "
            "the mean that it is compared with."
        ),
        general=General(
            says="Adjusted intra-sentence similarity exceeds 0.20 in all layers but at most one.",
            holds=_low_in_one_of_a_model,
            tolerance="at most one value of a model is {low:.2f} or less",
        ),
    ),
    Claim(
        id="eth-intra-above-020.strict",
        place="section 4.2",
        says="In ELMo and BERT adjusted intra-sentence similarity exceeds 0.20 in all layers but "
        "exactly one.",
        needs=Needs(
            measures=(ADJUSTED_INTRA_SENTENCE,), families=("bilstm", "masked"), compares=True
        ),
        holds=partial(_low_in_one, or_in_none=False),
        tolerance="exactly one value is {low:.2f} or less, over all layers of both models",
        because=(
            "This is the strict reading of eth-intra-above-020. The strict reading also fails if "
            "every layer exceeds 0.20."
        ),
        general=(
            "Which layer is the exception is a finding on the paper's two models. The claim "
            "eth-intra-above-020 asks a similar question of other models."
        ),
    ),
]
