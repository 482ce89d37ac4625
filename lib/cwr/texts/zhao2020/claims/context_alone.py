"""Claims of Zhao et al. (2020) on depth, tested on a context without its target: our design.

The target's words are replaced by one mask, or by an empty sign for a model that reads none. A
predictor without context then knows nothing, so a rise over the blocks comes from the context.
Each claim stands under an id of its own beside the paper's, and never in its place. Blocks are
counted from 0, as in the paper.
"""

from functools import partial

from cwr.papers.claims import Claim, Needs, Predicate
from cwr.texts.zhao2020.claims.figure_4 import (
    first_step_is_the_largest,
    levels_off,
    lower_half_gains_most,
    rises,
    top_adds_little,
)
from cwr.texts.zhao2020.claims.readings import CONTEXT_ALONE as MEASURE

UNPRINTED = "the paper always reads the target with its context"
BECAUSE = (
    "This claim is ours. If the target is in the text, a rise over the blocks can come from the "
    "target's own vector or from its context. Without the target only the context remains."
)
OTHER_FAMILIES = (
    "The claim is asked of models that can read a text with a gap: masked and causal models."
)


def _alone(id: str, says: str, holds: Predicate, tolerance: str) -> Claim:
    """A claim on depth, read off the context alone."""
    return Claim(
        id=f"{id}.context-alone",
        place="not in the paper",
        says=says,
        needs=Needs(measures=(MEASURE,), families=("masked", "causal")),
        holds=holds,
        tolerance=f"{tolerance} (test split, context without its target)",
        because=BECAUSE,
        unprinted=UNPRINTED,
        general=OTHER_FAMILIES,
        ours=True,
    )


CONTEXT_ALONE = [
    _alone(
        "zha-f1-rises-with-depth",
        "From the context alone F1 rises with every block.",
        partial(rises, measure=MEASURE),
        "every step from block to block is above 0",
    ),
    _alone(
        "zha-f1-levels-off",
        "From the context alone the rise levels off at the top.",
        partial(levels_off, measure=MEASURE),
        "the mean step in the top quarter of the depth is below that in the lower half, with "
        "linear interpolation between blocks",
    ),
    _alone(
        "zha-step-0-1-largest",
        "From the context alone F1 rises most from the first block to the second.",
        partial(first_step_is_the_largest, measure=MEASURE),
        "the largest step is the first, of any size",
    ),
    _alone(
        "zha-low-layers-most",
        "From the context alone more than half of the gain across the blocks is made in their "
        "lower half.",
        partial(lower_half_gains_most, measure=MEASURE),
        "the gain from the first block to the middle of the depth, interpolated linearly between "
        "blocks, exceeds half of the gain from the first to the last",
    ),
    _alone(
        "zha-top-two-little",
        "From the context alone the top sixth of the blocks (at least one) adds little.",
        partial(top_adds_little, measure=MEASURE),
        "F1 of the last block exceeds that of the block below the top sixth by at most {margin}",
    ),
]
