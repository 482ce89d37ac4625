"""Claims on a sentence of section 4.1 of Ethayarajh (2019), tested on untrained blocks.

"This suggests that high anisotropy is inherent to, or [at] least a by-product of, the process of
contextualization." Trained models alone cannot tell: they contextualise, and they have learned.
Random blocks over a trained input contextualise and have learned nothing of it.

b = the anisotropy baseline, the mean cosine of random words.
D = draws, L = layers, C = untrained copies of one kind, one a seed
"""

from collections.abc import Callable
from functools import partial

import numpy as np

import cwr.texts.ethayarajh2019.claims.readings as readings
from cwr.papers import predicates
from cwr.papers.claims import Claim, Needs, Predicate
from cwr.tables import UNTRAINED, Missing, Table, concatenated
from cwr.texts.ethayarajh2019.claims.readings import BASELINE, STEP

ALONG_TRAINING = f"{BASELINE}_along_training"  # by words read, `k`
INITIALISED, BLOCKS = UNTRAINED
HEDGE = (
    'The paper hedges its sentence: "inherent to, or least a by-product of". The claim without '
    "a suffix tests the weaker half, the by-product: contextualising alone creates anisotropy. "
    "The claims marked .inherent test a strict form of the stronger half: learning removes no "
    "anisotropy."
)
TRAINED_ONLY = (
    "Figure 1 shows trained models, so it cannot separate contextualising from learning; no "
    "number of an untrained model, or from the course of a training, is published"
)


def _copies(table: Table, kind: str) -> dict[str, Table]:
    """{"seed 0": its rows} of every untrained copy of one kind. Raises Missing for none."""
    of_kind = table.where(variant=kind)
    seeds = sorted(of_kind.rows.distinct("seed"))
    if not seeds:
        raise Missing("untrained copies")
    return {f"seed {seed:.0f}": of_kind.where(seed=seed) for seed in seeds}


def _rises(table: Table, steps: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Whether under random blocks b rises, in every copy and layer above the input.

    steps: from b, (D, L), to what must be above 0, (D, L - 1).
    """
    names, values = [], []
    for seed, copy in _copies(table, BLOCKS).items():
        layers, b = readings.layers(copy, BASELINE, at_least=2)
        names += [f"{seed}, {layer}" for layer in layers[1:]]
        values.append(steps(b))
    return predicates.above(table, concatenated(values), 0, names)


def _over_input(b: np.ndarray) -> np.ndarray:
    """b of each layer above the input minus that of the input."""
    return b[:, 1:] - b[:, :1]


def _no_less_than(table: Table, kind: str) -> np.ndarray:
    """Whether the mean b above the input is at least that of every copy of this kind.

    Undefined in draws in which copies lie on both sides of the model: it fails below all of them.
    """
    copies = _copies(table, kind)
    trained = _mean_above_input(table.at(~table.rows.has("variant")))
    of_copies = concatenated(_mean_above_input(copy) for copy in copies.values())
    differences = trained - of_copies  # (D, C)
    is_mixed = (differences > 0).any(axis=1) & (differences < 0).any(axis=1)
    table.undefined(is_mixed, "untrained copies lie on both sides of the model")
    names = [f"mean above the input, minus that of {seed}" for seed in copies]
    return predicates.at_least(table, differences, 0, names)


def _mean_above_input(table: Table, measure: str = BASELINE) -> np.ndarray:
    """The mean b of the layers above the input, (D, 1)."""
    return readings.curve(table, measure, 1).mean(axis=1, keepdims=True)


def _does_not_fall(table: Table, step: float = STEP) -> np.ndarray:
    """Whether the mean b above the input is at the last moment of a training as at the first, or
    less by no more than a step.
    """
    moments = sorted(table.rows.distinct("k"))
    if len(moments) < 2:
        raise Missing(f"{ALONG_TRAINING.replace('_', ' ')} at two moments")
    first, *_, last = (_mean_above_input(table.where(k=k), ALONG_TRAINING) for k in moments)
    change = (last - first)[:, 0]
    return predicates.at_least(table, change, -step, "mean above the input, last minus first")


def _reading(name: str, says: str, holds: Predicate, tolerance: str, **rest) -> Claim:
    """A claim of this sentence. name: empty for the sentence at its word, else ".<reading>"."""
    return Claim(
        id=f"eth-anisotropy-by-contextualisation{name}",
        place="section 4.1",
        says=says,
        holds=holds,
        tolerance=tolerance,
        unprinted=TRAINED_ONLY,
        **rest,
    )


CONTEXTUALISATION = [
    _reading(
        "",
        "Contextualising alone, without having learned to, makes words more anisotropic.",
        partial(_rises, steps=_over_input),
        "with random blocks over the trained input, the mean cosine of random words is higher in every "
        "layer than in the input, in every untrained copy",
        needs=Needs(measures=(BASELINE,), copies=(BLOCKS,)),
        because=f"{HEDGE} The paper's own evidence is that hidden layers are more anisotropic "
        "than the input.",
    ),
    _reading(
        ".each-layer",
        "Each further layer that contextualises, without having learned to, adds anisotropy.",
        partial(_rises, steps=np.diff),
        "with random blocks over the trained input, the mean cosine of random words rises from each "
        "layer to the next, in every untrained copy",
        needs=Needs(measures=(BASELINE,), copies=(BLOCKS,)),
        because=f"This reading is stricter: each further layer must add anisotropy. {HEDGE}",
    ),
    _reading(
        ".inherent",
        "A trained model is no less anisotropic than random blocks over its input.",
        partial(_no_less_than, kind=BLOCKS),
        "averaged over the layers above the input, the mean cosine of random words is at least "
        "that of every copy with random blocks; the claim fails if it is below that of every "
        "copy",
        needs=Needs(measures=(BASELINE,), copies=(BLOCKS,)),
        because=f"{HEDGE} A model that is less anisotropic than its copies can still be "
        "anisotropic.",
    ),
    _reading(
        ".inherent-initialised",
        "A trained model is no less anisotropic than the model that training begins with.",
        partial(_no_less_than, kind=INITIALISED),
        "averaged over the layers above the input, the mean cosine of random words is at least "
        "that of every copy as initialised; the claim fails if it is below that of every copy",
        needs=Needs(measures=(BASELINE,), copies=(INITIALISED,)),
        because=f"{HEDGE} A copy as initialised also has a different input layer, which can "
        "itself be anisotropic.",
    ),
    _reading(
        ".inherent-training",
        "Anisotropy does not fall along training.",
        _does_not_fall,
        "the mean cosine of random words, averaged over the layers above the input, falls by no more "
        "than {step} from the start of the training to its end",
        needs=Needs(measures=(ALONG_TRAINING,)),
        because=f"{HEDGE} For each model we have snapshots of one training run. For cwr-bert "
        "and cwr-gpt this is a short training from random vectors, not the training of the "
        f"shipped model. The noise of such a value is {STEP}.",
    ),
]
