"""Claims of Ethayarajh (2019) that Figure 1 judges: how anisotropic each layer is.

b = the anisotropy baseline, the mean cosine of random words.
D = draws, L = layers
"""

from functools import partial

import numpy as np

import cwr.texts.ethayarajh2019.claims.readings as readings
from cwr.papers import predicates
from cwr.papers.claims import STATIC, Claim, General, Needs
from cwr.tables import Table, concatenated
from cwr.texts.ethayarajh2019.claims.readings import BASELINE, ONE_TOKEN

ANISOTROPIC = 0.02  # above what an estimate of an isotropic layer may show
CLEARLY = 0.05
ROUGHLY = 0.05  # "roughly 0.6"
MARGIN = (
    "The paper's caption calls a layer anisotropic if the mean cosine of random words is "
    '"non-zero". The caption makes an exception for ELMo\'s input layer, whose released value '
    "is 0.008. Two standard errors of an estimate from 1,000 pairs are about 0.01. These two "
    f"values add up to 0.018, hence our margin of {ANISOTROPIC}."
)
WITHOUT_MEAN = (  # names in `texts.ethayarajh2019.treatments`: around its own mean a sample has b = 0
    "mean of other words removed",
    "mean of the sample removed",
    "z-scores",
    "cluster means removed",
)
STATIC_COSINE = "static_mean_cosine"
NO_STATIC = (
    "The paper cites Mimno and Thompson (2017) and prints no number, so we test vectors at hand."
)
OUR_BOUND = f"This is a stricter variant of ours. The paper does not name the bound {CLEARLY}."


def _anisotropic(table: Table, margin: float = ANISOTROPIC, first: int = 0) -> np.ndarray:
    """Whether b exceeds the margin in every layer from `first` on."""
    names, b = readings.layers(table, BASELINE)
    return predicates.above(table, b[:, first:], margin, names[first:])


def _only_elmo_input_is_isotropic(table: Table, margin: float = ANISOTROPIC) -> np.ndarray:
    """Whether b is at most the margin in the input of each biLSTM, and above it elsewhere."""
    labels, values, expected = [], [], []
    for model, rows in table.with_measure(BASELINE).items():
        names, b = readings.layers(rows, BASELINE)
        is_elmo = rows.rows.listed("family")[0] == "bilstm"
        labels += [f"{model} {name}" for name in names]
        values.append(b)
        expected += [is_elmo] + [False] * (len(names) - 1)
    b = concatenated(values)
    return predicates.every(table, (b <= margin) == np.array(expected), labels, b)


def _rises(table: Table, least: float = 0.5) -> np.ndarray:
    """Whether b tends to rise with the layer."""
    correlation = predicates.trend(table, readings.curve(table, BASELINE), "baseline")
    return predicates.at_least(table, correlation, least, "Spearman correlation with the layer")


def _upper_half_higher(table: Table) -> np.ndarray:
    """Whether b is higher in the upper half of the layers; a middle layer is in neither half."""
    b = readings.curve(table, BASELINE, at_least=2)
    half = b.shape[1] // 2
    difference = b[:, -half:].mean(axis=1) - b[:, :half].mean(axis=1)
    return predicates.above(table, difference, 0, "upper half minus lower half")


def _roughly(table: Table, level: float = 0.6, margin: float = ROUGHLY) -> np.ndarray:
    """Whether b is roughly at this level in layers 2 to 8 of 12."""
    names, b = readings.layers(table, BASELINE, depths=(2 / 12, 8 / 12))
    return predicates.near(table, b, level, margin, names)


def _flat_in_the_middle(table: Table, most: float = 2 * ROUGHLY) -> np.ndarray:
    """Whether b varies by at most this much from a sixth to two thirds of the depth."""
    _, b = readings.layers(table, BASELINE, depths=(1 / 6, 2 / 3), at_least=3)
    return predicates.at_most(table, np.ptp(b, axis=1), most, "range of b")


def _ever_larger_steps(table: Table) -> np.ndarray:
    """Whether b grows in the last third of the depth, by ever larger steps."""
    names, b = readings.layers(table, BASELINE, depths=(2 / 3, 1), at_least=3)
    steps = np.diff(b, axis=1)  # (D, L - 1)
    growing = steps > 0
    growing[:, 1:] &= np.diff(steps, axis=1) > 0
    return predicates.every(table, growing, [f"step to {name}" for name in names[1:]], steps)


def _almost_one_at_the_top(table: Table, least: float = 0.95) -> np.ndarray:
    """Whether b of the last layer is almost 1."""
    return predicates.at_least(table, readings.last(table, BASELINE), least, "last layer")


def _falls_at_the_top(table: Table, least: float = 0.1) -> np.ndarray:
    """Whether b of the last layer but one exceeds that of the last by at least this much."""
    b = readings.curve(table, BASELINE, at_least=2)
    fall = b[:, -2] - b[:, -1]
    return predicates.at_least(table, fall, least, "last layer but one minus the last")


def _almost_all_over_input(table: Table) -> np.ndarray:
    """Whether b exceeds that of the input in all layers but one, or one in ten; and in most."""
    names, b = readings.layers(table, BASELINE, at_least=2)
    over = b[:, 1:] > b[:, :1]
    allowed = max(1, over.shape[1] // 10)
    share = 1 - (allowed + 0.5) / over.shape[1]  # to exceed it allows no more exceptions
    return predicates.most(table, over, names[1:], max(share, 0.5))


def _on_average_over_input(table: Table) -> np.ndarray:
    """Whether the mean b of the layers above the input exceeds that of the input."""
    b = readings.curve(table, BASELINE, at_least=2)
    difference = b[:, 1:].mean(axis=1) - b[:, 0]
    return predicates.above(table, difference, 0, "mean of the hidden layers minus input")


def _static_is_anisotropic(
    table: Table, measure: str = STATIC_COSINE, margin: float = ANISOTROPIC
) -> np.ndarray:
    """Whether random words of static vectors have a mean cosine above the margin."""
    return predicates.above(table, table.value(measure), margin, "mean cosine of static vectors")


FIGURE_1 = [
    Claim(
        id="eth-anisotropy-every-layer",
        place="abstract; section 1, finding 1",
        says="No layer of any model is isotropic.",
        needs=Needs(measures=(BASELINE,)),
        holds=_anisotropic,
        tolerance=(
            "the mean cosine of random words exceeds {margin} in every layer, the input included"
        ),
        because=(
            f"{MARGIN} Section 4.1 makes an exception for ELMo's input layer, which is not "
            "contextualised. The variant eth-anisotropy-noninput reads the abstract as leaving "
            f"out input layers. {ONE_TOKEN}"
        ),
        fails_under=WITHOUT_MEAN,
    ),
    Claim(
        id="eth-anisotropy-every-layer.clearly",
        place="not in the paper",
        says="In every layer of every model the mean cosine of random words is clearly above 0.",
        needs=Needs(measures=(BASELINE,)),
        holds=partial(_anisotropic, margin=CLEARLY),
        tolerance=(
            "the mean cosine of random words exceeds {margin} in every layer, the input included"
        ),
        because=f"{OUR_BOUND} {ONE_TOKEN}",
        ours=True,
        fails_under=WITHOUT_MEAN,
    ),
    Claim(
        id="eth-anisotropy-noninput",
        place="section 4.1",
        says="All layers above the input are anisotropic.",
        needs=Needs(measures=(BASELINE,)),
        holds=partial(_anisotropic, first=1),
        tolerance="the mean cosine of random words exceeds {margin} in layers {first} and up",
        because=f"{MARGIN} {ONE_TOKEN}",
        fails_under=WITHOUT_MEAN,
    ),
    Claim(
        id="eth-anisotropy-noninput.clearly",
        place="not in the paper",
        says="In all layers above the input the mean cosine of random words is clearly above 0.",
        needs=Needs(measures=(BASELINE,)),
        holds=partial(_anisotropic, margin=CLEARLY, first=1),
        tolerance="the mean cosine of random words exceeds {margin} in layers {first} and up",
        because=f"{OUR_BOUND} {ONE_TOKEN}",
        ours=True,
        fails_under=WITHOUT_MEAN,
    ),
    Claim(
        id="eth-elmo-input-only-exception",
        place="section 4.1",
        says="ELMo's input layer is the only isotropic layer.",
        needs=Needs(measures=(BASELINE,), compares=True),
        holds=_only_elmo_input_is_isotropic,
        tolerance=(
            "the mean cosine of random words is at most {margin} in layer 0 of the biLSTM, and "
            "above {margin} in every other layer"
        ),
        because=f"{MARGIN} {ONE_TOKEN}",
        general=General(
            says="If any layer of a model is isotropic, it is the input layer.",
            holds=partial(_anisotropic, first=1),
            tolerance="the mean cosine of random words is at most {margin} in no layer above 0",
        ),
    ),
    Claim(
        id="eth-elmo-input-only-exception.clearly",
        place="not in the paper",
        says="Only in ELMo's input layer is the mean cosine of random words not clearly above 0.",
        needs=Needs(measures=(BASELINE,), compares=True),
        holds=partial(_only_elmo_input_is_isotropic, margin=CLEARLY),
        tolerance=(
            "the mean cosine of random words is at most {margin} in layer 0 of the biLSTM, and "
            "above {margin} in every other layer"
        ),
        because=f"{OUR_BOUND} {ONE_TOKEN}",
        ours=True,
        general=General(
            says=(
                "If the mean cosine of random words is not clearly above 0 in some layer, that "
                "layer is the input."
            ),
            holds=partial(_anisotropic, margin=CLEARLY, first=1),
            tolerance="the mean cosine of random words is at most {margin} in no layer above 0",
        ),
    ),
    Claim(
        id="eth-anisotropy-rises",
        place="section 4.1",
        says="Higher layers are generally more anisotropic.",
        needs=Needs(measures=(BASELINE,)),
        holds=_rises,
        tolerance=(
            "the Spearman correlation of layer and mean cosine of random words is at least {least}"
        ),
        because=(
            "The paper sets no threshold. The paper itself says that GPT-2's values rise only "
            "from layer 8; the upper half of its released layers lies above the lower half. "
            f"{ONE_TOKEN}"
        ),
    ),
    Claim(
        id="eth-anisotropy-rises.halves",
        place="section 4.1",
        says="The upper half of the layers is more anisotropic than the lower half.",
        needs=Needs(measures=(BASELINE,)),
        holds=_upper_half_higher,
        tolerance=(
            "the mean cosine of random words, averaged over the upper half of the layers, exceeds "
            "that of the lower half"
        ),
        because=(
            "This is the charitable reading of eth-anisotropy-rises. A middle layer belongs to "
            f"neither half. {ONE_TOKEN}"
        ),
    ),
    Claim(
        id="eth-gpt2-plateau",
        place="section 4.1",
        says="In GPT-2 the mean cosine of random words is roughly 0.6 in layers 2 to 8.",
        needs=Needs(measures=(BASELINE,), families=("causal",), n_layers=12),
        holds=_roughly,
        tolerance=(
            "the mean cosine of random words lies within {level} +- {margin} in layers 2 to 8"
        ),
        because=f'We read "roughly" as within {ROUGHLY}. {ONE_TOKEN}',
        general=General(
            says=(
                "The mean cosine of random words is flat from a sixth to two thirds of the depth."
            ),
            holds=_flat_in_the_middle,
            tolerance=(
                "the mean cosine of random words varies by at most {most} between these depths"
            ),
        ),
    ),
    Claim(
        id="eth-gpt2-exponential",
        place="section 4.1",
        says=(
            "In GPT-2 the mean cosine of random words grows exponentially from layer 8 to layer 12."
        ),
        needs=Needs(measures=(BASELINE,), families=("causal",), n_layers=12),
        holds=_ever_larger_steps,
        tolerance=(
            "in the last third of the depth the mean cosine of random words rises with each step, "
            "and by more than in the step before"
        ),
        because=(
            "Five layers cannot tell an exponential curve from another accelerating curve. "
            f"{ONE_TOKEN}"
        ),
        general=General(
            says=(
                "The mean cosine of random words grows ever faster in the last third of the depth."
            )
        ),
    ),
    Claim(
        id="eth-gpt2-last-near-one",
        place="section 1, finding 1; section 4.1",
        says="In GPT-2's last layer two random words have on average almost perfect cosine "
        "similarity.",
        needs=Needs(measures=(BASELINE,), families=("causal",)),
        holds=_almost_one_at_the_top,
        tolerance="the mean cosine of random words is at least {least} in the last layer",
        because=f'We read "almost perfect" as 0.95 or more. {ONE_TOKEN}',
        general=General(
            says="In the last layer two random words have on average almost perfect cosine "
            "similarity.",
        ),
    ),
    Claim(
        id="eth-bert-penultimate",
        place="section 4.1",
        says="BERT's layer 11 is much more anisotropic than its layer 12.",
        needs=Needs(measures=(BASELINE,), families=("masked",), n_layers=12),
        holds=_falls_at_the_top,
        tolerance=(
            "the mean cosine of random words is higher in the last layer but one than in the "
            "last, by at least {least}"
        ),
        because=(
            'The paper sets no number for "much". A difference of 0.1 is some twenty standard '
            "errors of such an estimate."
        ),
        general=General(
            says=("The last layer but one is much more anisotropic than the last layer.")
        ),
    ),
    Claim(
        id="eth-hidden-over-input",
        place="section 4.1",
        says="Almost all hidden layers are more anisotropic than the input layer.",
        needs=Needs(measures=(BASELINE,)),
        holds=_almost_all_over_input,
        tolerance=(
            "the mean cosine of random words exceeds that of the input in more than half of the "
            "layers, and in all but one layer (in deep models, one in ten)"
        ),
        because=(
            "GPT-2's released layers 2 and 4 to 8 lie 0.014 to 0.038 below its input layer, which "
            "is one to four standard errors. Over the three models together, 20 of 26 hidden "
            f"layers lie above the input. {ONE_TOKEN}"
        ),
    ),
    Claim(
        id="eth-hidden-over-input.mean",
        place="section 4.1",
        says="On average the hidden layers are more anisotropic than the input layer.",
        needs=Needs(measures=(BASELINE,)),
        holds=_on_average_over_input,
        tolerance=(
            "the mean cosine of random words, averaged over the layers above the input, exceeds "
            "that of the input"
        ),
        because=(
            "This is the charitable reading of eth-hidden-over-input. The paper suggests that "
            "anisotropy comes with contextualisation. The mean of the hidden layers can support "
            f"this even if single layers lie below the input. {ONE_TOKEN}"
        ),
    ),
    Claim(
        id="eth-static-not-isotropic",
        place="section 4.1",
        says="Static vectors need not be isotropic either: those of skip-gram are not.",
        needs=Needs(measures=(STATIC_COSINE,), families=(STATIC,)),
        holds=_static_is_anisotropic,
        tolerance=(
            "the mean cosine of the static vectors of random words of a text exceeds {margin}"
        ),
        because=(
            "We use the same threshold as for layers. As in a layer, each word counts as often "
            "as it occurs."
        ),
        unprinted=NO_STATIC,
    ),
    Claim(
        id="eth-static-not-isotropic.types",
        place="section 4.1",
        says="The vectors of skip-gram are not isotropic either, if each word counts once.",
        needs=Needs(measures=(f"{STATIC_COSINE}_types",), families=(STATIC,)),
        holds=partial(_static_is_anisotropic, measure=f"{STATIC_COSINE}_types"),
        tolerance=(
            "the mean cosine of the static vectors of distinct random words exceeds {margin}"
        ),
        because=(
            "A word has one static vector however often it occurs, so each word may count once."
        ),
        unprinted=NO_STATIC,
    ),
]
