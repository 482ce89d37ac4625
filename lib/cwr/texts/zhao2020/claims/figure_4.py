"""Claims of Zhao et al. (2020) about Figure 4 (Table 6): classes of words in context, by block.

Claims count blocks as the paper does: its layer 0 is our layer 1 (`readings`).

D = draws, B = blocks
"""

from functools import partial

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import TIE, above, at_least, at_most, below, largest, near
from cwr.tables import Table
from cwr.texts.zhao2020.claims.readings import (
    BERT,
    LEVEL,
    MASKED,
    SEED_NOISE,
    TOKEN,
    TOKEN_DEV,
    Depth,
    at_depth,
    block_names,
    blocks,
    step_names,
    top_sixth,
)

MIDDLE, TOP_QUARTER = Depth(1 / 2), Depth(3 / 4)


def steps(table: Table, measure: str, blocks_at_least: int = 2) -> np.ndarray:
    """Computes the steps of a measure from block to block, (D, B - 1)."""
    return np.diff(blocks(table, measure, at_least=blocks_at_least), axis=1)


def rises(table: Table, measure: str = TOKEN) -> np.ndarray:
    """Tests whether every step from block to block goes up."""
    up = steps(table, measure)
    return above(table, up, TIE, step_names(table, measure))


def rises_or_stays_on_dev(table: Table, margin: float = SEED_NOISE) -> np.ndarray:
    """Tests whether no step on dev goes down by more than the margin, which is what seeds do."""
    up = steps(table, TOKEN_DEV)
    return at_least(table, up, -margin, step_names(table, TOKEN_DEV))


def gain_over_blocks(table: Table, scores: np.ndarray) -> np.ndarray:
    """Subtracts the first block from the last, (D,); undefined in draws where that is no gain."""
    gain = scores[:, -1] - scores[:, 0]
    table.undefined(gain <= 0, "F1 does not rise from the first block to the last")
    return gain


def levels_off(
    table: Table, measure: str = TOKEN, middle: Depth = MIDDLE, top: Depth = TOP_QUARTER
) -> np.ndarray:
    """Tests whether steps are smaller on average in the top quarter than in the lower half."""
    scores = blocks(table, measure, at_least=3)
    gain_over_blocks(table, scores)
    number = scores.shape[1] - 1
    upper = (scores[:, -1] - at_depth(scores, top)) / ((1 - top) * number)
    lower = (at_depth(scores, middle) - scores[:, 0]) / (middle * number)
    return below(table, upper - lower, 0, "mean step, upper quarter minus lower half")


def first_step_is_the_largest(table: Table, measure: str = TOKEN) -> np.ndarray:
    """Tests whether the largest step is the first."""
    up = steps(table, measure, blocks_at_least=3)
    top = largest(table, up, "step")
    if top[0] != 0:
        name = step_names(table, measure)[top[0]]
        table.against(f"the largest step is {name}, {up[0, top[0]]:.3f}")
    return top == 0


def first_step_is_large(table: Table, size: float = 0.04, rounding: float = 0.005) -> np.ndarray:
    """Tests whether the largest step is the first, and of this size, within rounding."""
    first = steps(table, TOKEN, blocks_at_least=3)[:, 0]
    return first_step_is_the_largest(table) & near(table, first, size, rounding, "the first step")


def lower_half_gains_most(table: Table, measure: str = TOKEN, middle: Depth = MIDDLE) -> np.ndarray:
    """Tests whether more than half of the gain over all blocks is made half way up."""
    scores = blocks(table, measure, at_least=4)
    gain = gain_over_blocks(table, scores)
    low = at_depth(scores, middle) - scores[:, 0]
    name = "gain of the lower half minus half of the whole gain, both over the first block"
    return above(table, low - gain / 2, TIE, name)


def top_adds_little(table: Table, measure: str = TOKEN, margin: float = 0.01) -> np.ndarray:
    """Tests whether the top sixth of the depth, two of twelve blocks, adds at most the margin."""
    scores = blocks(table, measure, at_least=3)
    below_top = -1 - top_sixth(scores)
    names = block_names(table, measure)
    added = scores[:, -1] - scores[:, below_top]
    return at_most(table, added, margin, f"{names[-1]} minus {names[below_top]}")


def best_score(table: Table) -> np.ndarray:
    """Returns the highest F1 on test or dev, (D,)."""
    return np.maximum(blocks(table, TOKEN).max(axis=1), blocks(table, TOKEN_DEV).max(axis=1))


def best_is_almost_85(table: Table, level: float = 0.85, rounding: float = 0.005) -> np.ndarray:
    """Tests whether the best F1 is at this level, within rounding to two digits."""
    return near(table, best_score(table), level, rounding, "the best F1")


def best_is_between(table: Table, low: float = 0.83, high: float = 0.85) -> np.ndarray:
    """Tests whether the best F1 is between these two, or one of them."""
    best = best_score(table)
    return at_least(table, best, low, "the best F1") & at_most(table, best, high, "the best F1")


DEPTH = [
    Claim(
        id="zha-f1-rises-with-depth",
        place="section 4.2.2; Figure 4 (test)",
        says="F1 rises with every block.",
        needs=Needs(measures=(TOKEN,), families=MASKED),
        holds=rises,
        tolerance="every step from block to block is above 0, on the test split",
        because=(
            "Figure 4 shows the test split. Its smallest printed step is 0.001, and the paper "
            "gives no error for it."
        ),
        general=General(says="F1 rises with every block of a model."),
    ),
    Claim(
        id="zha-f1-rises-with-depth.dev",
        place="Table 6 (dev)",
        says="On the dev split, too, F1 rises with every block.",
        needs=Needs(measures=(TOKEN_DEV,), families=MASKED),
        holds=partial(rises, measure=TOKEN_DEV),
        tolerance="every step from block to block is above 0, on the dev split",
        because="The paper speaks of the test split. On the dev split the last step is -0.001.",
        general=General(says="On the dev split, too, F1 rises with every block of a model."),
        ours=True,
    ),
    Claim(
        id="zha-f1-rises-with-depth.dev-tie",
        place="Table 6 (dev)",
        says="On the dev split F1 rises with every block, or stays level.",
        needs=Needs(measures=(TOKEN_DEV,), families=MASKED),
        holds=rises_or_stays_on_dev,
        tolerance="no step from block to block is below -{margin}, on the dev split",
        because=(
            "The paper speaks of the test split. Seeds move F1 by 0.001, so we do not count a step "
            "of -0.001 as a fall."
        ),
        general=General(
            says=("On the dev split F1 rises with every block of a model, or stays level.")
        ),
        ours=True,
    ),
    Claim(
        id="zha-f1-levels-off",
        place="section 4.2.2",
        says="The rise of F1 with depth levels off at the top.",
        needs=Needs(measures=(TOKEN,), families=MASKED),
        holds=levels_off,
        tolerance=(
            "the mean step in the top quarter of the depth (from layer {top.layer} on) is below "
            "that in the lower half (up to {middle.layer}), with linear interpolation between "
            "layers"
        ),
        because="The paper does not say where the top begins. We chose a quarter of the steps.",
        general=General(
            says="The rise of F1 with depth levels off in the top blocks of a model.",
            tolerance=(
                "the mean step in the top quarter of the depth is below that in the lower half, "
                "with linear interpolation between blocks"
            ),
        ),
    ),
    Claim(
        id="zha-step-0-1-largest",
        place="section 4.2.2",
        says="F1 rises most in the first step, from layer 0 to 1, by about 4 points.",
        needs=Needs(measures=(TOKEN,), families=MASKED, n_layers=12),
        holds=first_step_is_large,
        tolerance="the largest step is that from layer 0 to 1, and it is {size} +- {rounding}",
        because="The text gives 4 % (absolute), so a step within half a point of it rounds to it.",
        general=General(
            says="F1 rises most from the first block to the second.",
            holds=first_step_is_the_largest,
            tolerance="the largest step is the first, of any size",
        ),
    ),
    Claim(
        id="zha-low-layers-most",
        place="abstract; section 1 (ii)",
        says="More than half of the gain in F1 across the blocks is made in their lower half.",
        needs=Needs(measures=(TOKEN,), families=MASKED),
        holds=lower_half_gains_most,
        tolerance=(
            "the gain from layer 0 to {middle.layer}, interpolated linearly between 5 and 6, "
            "exceeds half of the gain from 0 to 11"
        ),
        because=(
            "The paper says that the strongest effects occur in the lower layers, and names no "
            "border. We chose the middle of the depth. We measure the gain from the output of the "
            "first block, as the paper did not probe the input."
        ),
        general=General(
            says=(
                "More than half of a model's gain in F1 across its blocks is made in their lower "
                "half."
            ),
            tolerance=(
                "the gain from the first block to the middle of the depth, interpolated linearly "
                "between blocks, exceeds half of the gain from the first to the last"
            ),
        ),
    ),
    Claim(
        id="zha-top-two-little",
        place="section 1 (ii); section 4.2.2",
        says="The top two layers add little to F1.",
        needs=Needs(measures=(TOKEN,), families=MASKED, n_layers=12),
        holds=top_adds_little,
        tolerance="F1 of layer 11 exceeds that of layer 9 by at most {margin}",
        because=(
            'The paper\'s words are "small increments" and "very limited". The threshold of one '
            "point for both layers together is ours."
        ),
        general=General(
            says="The top sixth of a model's blocks (at least one) adds little to F1.",
            tolerance=(
                "F1 of the last block exceeds that of the block below the top sixth by at most "
                "{margin}"
            ),
        ),
    ),
    Claim(
        id="zha-f1-almost-85",
        place="section 1 (i)",
        says="BERT's performance is almost 85 % F1.",
        needs=Needs(measures=(TOKEN, TOKEN_DEV), families=MASKED, models=(BERT,)),
        holds=best_is_almost_85,
        tolerance="the best F1, test or dev, is within {level} +- {rounding}",
        because=(
            'The paper does not say how close "almost" is. We accept an F1 that rounds to 85. No '
            "table depends on this sentence."
        ),
        general=LEVEL,
    ),
    Claim(
        id="zha-f1-almost-85.loose",
        place="section 1 (i)",
        says="BERT's performance is within two points below 85 % F1.",
        needs=Needs(measures=(TOKEN, TOKEN_DEV), families=MASKED, models=(BERT,)),
        holds=best_is_between,
        tolerance="the best F1, test or dev, lies in {low} to {high}",
        because=(
            'This is a kinder reading of "almost". The two points are ours; we chose them after '
            "we had seen the number."
        ),
        general=LEVEL,
    ),
]
