"""Claims of the post on the classical pipeline: in which order do BERT's layers solve the tasks?

A task has a place in a model by the expected layer (cumulative scores) or by the centre of gravity
(mixing weights). "Parsing" can mean constituents or dependencies, and the answer differs: the
sentence has a reading for each. No free text has semantic roles: each reading has a twin without
them, which is ours.

    D = draws, T = tasks
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import above
from cwr.tables import Table
from cwr.texts.survey.claims.readings import CUMULATIVE, MIX, centre_of_gravity, expected_layer

SENTENCE = "Semantic similarity, paragraph 4 (also the last section)"
CONSTITUENTS = ("pos", "constituents", "entities", "srl", "coreference")
DEPENDENCIES = ("pos", "dependencies", "entities", "srl", "coreference")
SOURCE_LIST = ("pos", "constituents", "dependencies", "srl", "coreference")
ROLES = "srl"
RUN_TO_RUN = 0.18  # centre of gravity of two runs on one task, in layers


def _in_order(table: Table, tasks: Sequence[str], reading: Callable, tie: float = 0) -> np.ndarray:
    """Each task lies higher than the one before it, by more than -tie layers."""
    layers = np.stack([reading(table, task) for task in tasks], axis=1)  # (D, T)
    steps = np.diff(layers, axis=1)
    pairs = zip(tasks[:-1], tasks[1:], strict=True)
    labels = [f"layers from {first} to {second}" for first, second in pairs]
    return above(table, steps, -tie, labels)


def _by_centre_of_gravity(claim: Claim, because: str = "") -> Claim:
    """A reading by the expected layer, as it is asked of the mixing weights."""
    says, tolerance, in_general = (
        words.replace("expected layer", "centre of gravity")
        for words in (claim.says, claim.tolerance, claim.general.says)
    )
    return replace(
        claim,
        id=claim.id.replace("expected-layer", "centre-of-gravity"),
        says=says,
        needs=replace(claim.needs, measures=(MIX,)),
        holds=partial(claim.holds, reading=centre_of_gravity),
        tolerance=tolerance,
        because=because or claim.because,
        general=General(says=in_general),
    )


def _without_roles(claim: Claim) -> Claim:
    """The twin of a reading: the same order over the tasks that are not semantic roles."""
    left = tuple(task for task in claim.needs.tasks if task != ROLES)
    return replace(
        claim,
        id=f"{claim.id}.without-roles",
        says=f"Without semantic roles: {claim.says}",
        needs=replace(claim.needs, tasks=left),
        holds=partial(claim.holds, tasks=left),
        tolerance=claim.tolerance.replace(f"{ROLES}, ", ""),
        because="No free text has labels of semantic roles. We test the order on the remaining tasks "
        "only. That is a weaker claim.",
        ours=True,
        general=General(says=f"Without semantic roles: {claim.general.says}"),
    )


SENTENCE_ITSELF = [
    Claim(
        id="sur-pipeline-order",
        place=SENTENCE,
        says="BERT resolves part of speech, parsing, entities, semantic roles and coreference in "
        "that order.",
        needs=Needs(measures=()),
        holds=None,
        tolerance="the variants of this claim say how",
        because=(
            "The post reports the abstract of its source faithfully. The abstract and the results "
            "section of that paper order different sets of tasks."
        ),
        unprinted=(
            '"parsing" can mean constituents or dependencies, which give different answers; the '
            "variants of this claim test both"
        ),
    ),
]

OF_CONSTITUENTS = Claim(
    id="sur-pipeline-order.constituents-expected-layer",
    place=SENTENCE,
    says=(
        "By the expected layer, BERT resolves the tasks in the claimed order, if parsing means "
        "constituents."
    ),
    needs=Needs(measures=(CUMULATIVE,), families=("masked",), tasks=CONSTITUENTS),
    holds=partial(_in_order, tasks=CONSTITUENTS, reading=expected_layer),
    tolerance="the expected layer rises from each task to the next: pos, constituents, "
    "entities, srl, coreference",
    because=(
        'This is the kinder reading of "parsing". A task has no expected layer if its score does '
        "not rise."
    ),
    general=General(
        says=(
            "By the expected layer, any model resolves the tasks in the claimed order, if "
            "parsing means constituents."
        )
    ),
)
OF_DEPENDENCIES = Claim(
    id="sur-pipeline-order.dependencies-expected-layer",
    place=SENTENCE,
    says=(
        "By the expected layer, BERT resolves the tasks in the claimed order, if parsing means "
        "dependencies."
    ),
    needs=Needs(measures=(CUMULATIVE,), families=("masked",), tasks=DEPENDENCIES),
    holds=partial(_in_order, tasks=DEPENDENCIES, reading=expected_layer),
    tolerance="the expected layer rises from each task to the next: pos, dependencies, "
    "entities, srl, coreference",
    because=(
        "In print entities come before dependencies. The dependencies were annotated on another "
        "corpus than the other tasks, so this comparison crosses corpora."
    ),
    general=General(
        says=(
            "By the expected layer, any model resolves the tasks in the claimed order, if "
            "parsing means dependencies."
        )
    ),
)
OF_SOURCE_LIST = Claim(
    id="sur-pipeline-order.paper-list-expected-layer",
    place=SENTENCE,
    says=(
        "By the expected layer, BERT resolves the tasks in the order of the source's results "
        "section, which does not list entities."
    ),
    needs=Needs(measures=(CUMULATIVE,), families=("masked",), tasks=SOURCE_LIST),
    holds=partial(_in_order, tasks=SOURCE_LIST, reading=expected_layer),
    tolerance="the expected layer rises from each task to the next: pos, constituents, "
    "dependencies, srl, coreference",
    because="The post follows the abstract of its source, not this list.",
    ours=True,
    general=General(
        says=(
            "By the expected layer, any model resolves the tasks in the order of the source's "
            "results section."
        )
    ),
)

READINGS = [
    OF_CONSTITUENTS,
    _by_centre_of_gravity(
        OF_CONSTITUENTS,
        because='This is the kinder reading of "parsing". A weight is not a score: layers of long '
        "vectors need less weight.",
    ),
    OF_DEPENDENCIES,
    _by_centre_of_gravity(OF_DEPENDENCIES),
    OF_SOURCE_LIST,
    _by_centre_of_gravity(
        OF_SOURCE_LIST,
        because="The post follows the abstract of its source, not this list. By the centre of "
        "gravity semantic roles and dependencies lie closer together than two runs of one task.",
    ),
    Claim(
        id="sur-pipeline-order.paper-list-centre-of-gravity-tie",
        place=SENTENCE,
        says=(
            "By the centre of gravity, BERT resolves the tasks in the order of the source's "
            "results section, if differences within the noise count as ties."
        ),
        needs=Needs(measures=(MIX,), families=("masked",), tasks=SOURCE_LIST),
        holds=partial(_in_order, tasks=SOURCE_LIST, reading=centre_of_gravity, tie=RUN_TO_RUN),
        tolerance=(
            "the centre of gravity falls by {tie} layers or more in no step of the list: pos, "
            "constituents, dependencies, srl, coreference"
        ),
        because=(
            "This is the kinder reading of this list. The noise is the difference between two runs "
            "of one task, whose weights are almost equal."
        ),
        ours=True,
        general=General(
            says=(
                "By the centre of gravity, any model resolves the tasks in the order of the "
                "source's results section, if small steps count as ties."
            )
        ),
    ),
]

CLAIMS = [*SENTENCE_ITSELF, *READINGS, *map(_without_roles, READINGS)]
