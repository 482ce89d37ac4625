"""Claims of Zhao et al. (2020) about Figure 5: the context cut to k words a side.

Figure 5 prints no values, so these claims wait for our own models. Blocks are counted from 0, as in
the paper.

D = draws, B = blocks, K = context sizes
"""

from dataclasses import replace

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import above, at_least, at_most, below, most
from cwr.tables import Missing, Table, Undefined
from cwr.texts.zhao2020.claims.readings import (
    BAG_WINDOW,
    CEILING,
    MASKED,
    WINDOW,
    at_size,
    block_names,
    refuse_gaps,
)

LARGE = (8, 16, 32)


def window_scores(table: Table, at_least: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Reads context sizes, ascending, (K,), and each block's scores at each size, (D, B, K).

    Raises Missing for fewer blocks than `at_least`, and where a block lacks a size that another
    has.
    """
    labels, scores = table.over(("layer", "k"), WINDOW)
    layers, sizes = (np.array(keys, dtype=float) for keys in zip(*labels, strict=True))
    order = np.lexsort((sizes, layers))
    order = order[layers[order] >= 1]
    layers, sizes = np.unique(layers[order]), np.unique(sizes[order])
    refuse_gaps(layers, WINDOW, max(at_least, 1))
    if len(layers) * len(sizes) != len(order):
        raise Missing("scores of every block at every context size")
    return sizes, scores[:, order].reshape(len(scores), len(layers), len(sizes))


def bag_window_scores(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Reads context sizes, ascending, (K,), and the scores of the mean of pieces, (D, K)."""
    labels, scores = table.over("k", BAG_WINDOW)
    sizes = np.array(labels, dtype=float)
    order = np.argsort(sizes)
    return sizes[order], scores[:, order]


def between_sizes(sizes: np.ndarray, scores: np.ndarray, k: float) -> np.ndarray:
    """Interpolates scores (..., K) at k words a side, (...), linearly between the sizes run.

    Raises Missing where k lies outside the sizes.
    """
    if k in sizes:
        return at_size(sizes, scores, k)
    if not sizes[0] < k < sizes[-1]:
        raise Missing(f"scores on both sides of {k:g} words")
    upper = np.searchsorted(sizes, k)
    low, high = sizes[upper - 1], sizes[upper]
    share = (k - low) / (high - low)
    return scores[..., upper - 1] + share * (scores[..., upper] - scores[..., upper - 1])


def no_step_in_size_down(table: Table, loss: float = 0.005) -> np.ndarray:
    """Tests whether in every block no step to a larger context costs more than this loss."""
    sizes, scores = window_scores(table)
    steps = np.diff(scores, axis=2)  # (D, B, K - 1)
    names = [f"{block} at {k:g} words" for block in block_names(table, WINDOW) for k in sizes[1:]]
    steps = steps.reshape(len(steps), -1)
    return at_least(table, steps, -loss, names)


def four_words_gain_most(table: Table) -> np.ndarray:
    """Tests whether in most blocks the step from no context to 4 words exceeds all later steps."""
    sizes, scores = window_scores(table)
    none, full = (at_size(sizes, scores, k) for k in (0, 32))
    four = between_sizes(sizes, scores, 4)
    table.undefined((full - none).mean(axis=1) <= 0, "context does not raise F1")
    return most(table, four - none > full - four, block_names(table, WINDOW))


def long_contexts_hurt_pieces(table: Table) -> np.ndarray:
    """Tests whether the mean of pieces over 16 words a side and more is below its largest score.

    Raises Undefined where no smaller context was run.
    """
    sizes, scores = bag_window_scores(table)
    for k in (16, 32):
        at_size(sizes, scores, k)
    shorter, longer = scores[:, sizes < 16], scores[:, sizes >= 16]
    if not shorter.shape[1]:
        raise Undefined("no context of fewer than 16 words was run")
    best = shorter.max(axis=1)
    names = [f"{k:g} words a side, minus the best of fewer" for k in sizes[sizes >= 16]]
    losses = longer - best[:, None]
    return below(table, losses, 0, names)


def spread_without_context(table: Table, margin: float = 0.03) -> np.ndarray:
    """Tests whether blocks differ by at most the margin without context."""
    sizes, scores = window_scores(table, at_least=2)
    spread = np.ptp(at_size(sizes, scores, 0), axis=1)
    return at_most(table, spread, margin, "range over layers without context")


def below_ceiling_without_context(table: Table) -> np.ndarray:
    """Tests whether without context the best block stays within a context-free reader's reach."""
    sizes, scores = window_scores(table)
    best = at_size(sizes, scores, 0).max(axis=1)
    excess = best - table.value(CEILING)
    return at_most(table, excess, 0, "best F1 without context minus the ceiling")


def depth_gains_more_with_context(table: Table) -> np.ndarray:
    """Tests whether the last block leads the first by more at 8, 16 and 32 words than without."""
    sizes, scores = window_scores(table, at_least=2)
    gains = scores[:, -1] - scores[:, 0]  # (D, K)
    without = at_size(sizes, gains, 0)
    larger = np.stack([at_size(sizes, gains, k) for k in LARGE], axis=1) - without[:, None]
    names = [f"gain of depth at {k} words minus that at none" for k in LARGE]
    return above(table, larger, 0, names)


def pieces_beat_only_the_first(table: Table) -> np.ndarray:
    """Tests whether at most sizes the mean of pieces is above the first block and below others."""
    sizes, scores = window_scores(table, at_least=2)
    bag_sizes, bag_scores = bag_window_scores(table)
    bags = np.stack([at_size(bag_sizes, bag_scores, k) for k in sizes], axis=1)  # (D, K)
    between = (bags > scores[:, 0]) & (bags < scores[:, 1:].min(axis=1))
    return most(table, between, [f"{k:g} words" for k in sizes])


def five_words_suffice(table: Table, share: float = 0.97) -> np.ndarray:
    """Tests whether the best block at 5 words a side has this share of the best score at 32.

    Undefined in draws where it has this share without any context.
    """
    sizes, scores = window_scores(table)
    five = between_sizes(sizes, scores, 5).max(axis=1)
    none, full = (at_size(sizes, scores, k).max(axis=1) for k in (0, 32))
    table.undefined(none >= share * full, "no context is enough, too")
    name = f"best F1 at 5 words minus {100 * share:g} % of that at 32"
    return at_least(table, five - share * full, 0, name)


CONTEXT = [
    Claim(
        id="zha-ctx-larger-better",
        place="section 4.3.1; Figure 5",
        says="A larger context raises F1 in all layers.",
        needs=Needs(measures=(WINDOW,), families=MASKED),
        holds=no_step_in_size_down,
        tolerance="in no layer does a step to a larger context lose more than {loss}",
        because="Half a point leaves room for the noise of seeds at each of some sixty steps.",
        general=General(says="A larger context raises F1 in all layers of a model."),
    ),
    Claim(
        id="zha-ctx-small-steps",
        place="section 4.3.1",
        says="Most of the gain from context comes from up to 4 words a side.",
        needs=Needs(measures=(WINDOW,), families=MASKED),
        holds=four_words_gain_most,
        tolerance="in most layers, the gain from 0 to 4 words a side exceeds that from 4 to 32",
        because="If 4 words were not run, we interpolate linearly between the neighbouring sizes.",
        general=General(says="Most layers of a model gain most from up to 4 words a side."),
    ),
    Claim(
        id="zha-ctx-pbert-hurts",
        place="section 4.3.1",
        says="Contexts of 16 and 32 words a side hurt the mean of pieces.",
        needs=Needs(measures=(BAG_WINDOW,), families=MASKED),
        holds=long_contexts_hurt_pieces,
        tolerance="F1 of that mean (P-BERT) at 16 and 32 words a side is below its largest value",
        because='The caption of Figure 5 says "slightly", so any loss counts.',
        general=General(
            says=(
                "Contexts of 16 and 32 words a side hurt the mean of the sentence's pieces, "
                "whatever the model."
            ),
            tolerance="F1 of that mean at 16 and 32 words a side is below its largest value",
        ),
    ),
    Claim(
        id="zha-ctx0-flat",
        place="section 4.3.1",
        says="Without context all layers are similarly bad.",
        needs=Needs(measures=(WINDOW,), families=MASKED),
        holds=spread_without_context,
        tolerance="with no word of context, F1 varies over the layers by at most {margin}",
        because=(
            'The text gives no number for "similarly"; the threshold of 0.03 is ours. "Badly" is not '
            "tested."
        ),
        general=General(says="Without context all layers of a model are similarly bad."),
    ),
    Claim(
        id="zha-ctx0-flat.full",
        place="section 4.3.1; our reading",
        says=(
            "Without context no layer exceeds the best predictor that knows all classes of every "
            "word and nothing of the context."
        ),
        needs=Needs(measures=(WINDOW, CEILING), families=MASKED, estimator="full", or_unnamed=True),
        holds=below_ceiling_without_context,
        tolerance='F1 without context, counted as "full", is at most that of this predictor',
        because=(
            "This tests how we count F1. If the paper's figure shows more than 0.653, the authors "
            'did not count "full". If it shows less, nothing is decided.'
        ),
        general=General(
            says=(
                "Without context no layer of a model exceeds the best predictor that knows all "
                "classes of every word and nothing of the context."
            ),
        ),
        ours=True,
    ),
    Claim(
        id="zha-ctx-depth-gap",
        place="section 4.3.1",
        says="Depth raises F1 more with a large context than without.",
        needs=Needs(measures=(WINDOW,), families=MASKED),
        holds=depth_gains_more_with_context,
        tolerance=(
            "F1 of layer 11 minus that of layer 0 is larger at 8, 16 and 32 words a side than "
            "without context"
        ),
        general=General(
            says="The depth of a model raises F1 more with a large context than without.",
            tolerance=(
                "F1 of the last block minus that of the first is larger at 8, 16 and 32 words a "
                "side than without context"
            ),
        ),
    ),
    Claim(
        id="zha-ctx-pbert-l0",
        place="section 4.3.1",
        says="For most context sizes the mean of pieces beats only layer 0.",
        needs=Needs(measures=(WINDOW, BAG_WINDOW), families=MASKED),
        holds=pieces_beat_only_the_first,
        tolerance=(
            "for most context sizes, F1 of that mean (P-BERT) is above layer 0 and below every "
            "other layer"
        ),
        general=General(
            says="For most context sizes the mean of pieces beats only the first block.",
            tolerance=(
                "for most context sizes, F1 of the mean of pieces is above the first block and "
                "below every other block"
            ),
        ),
    ),
    Claim(
        id="zha-five-words",
        place="section 1 (iii)",
        says="Five words of context on each side are enough.",
        needs=Needs(measures=(WINDOW,), families=MASKED),
        holds=five_words_suffice,
        tolerance="the best F1 at 5 words a side is at least {share:%} of the best at 32",
        because=(
            "The paper ran 4 and 8 words; 5 is the text's example. If 5 was not run, we "
            "interpolate linearly between the neighbouring sizes. The threshold of 97 % is ours. "
            "If no context at all is enough, the question has no meaning."
        ),
        general=General(says="Five words of context on each side are enough for a model."),
    ),
]
CONTEXT = [replace(each, unprinted="the values of Figure 5 are not printed") for each in CONTEXT]
