"""Claims of the post's closing paragraph and of its last section, on reversed decisions.

The source shows cumulative probes, so the claim and its readings are asked of those; the readings
that end in ".single" ask the same of probes of single layers.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import above
from cwr.tables import Table

BEYOND_RESAMPLING = "net_reversal_rate_beyond_resampling"
BEYOND_EQUAL_LAYERS = "net_reversal_rate_beyond_equal_layers"
PRECEDENCE = "precedence_beyond_chance"
CUMULATIVE, SINGLE = "cumulative", "single"
NO_RATE = "the source shows examples and no rate"


def _in_each_task(table: Table, measure: str) -> np.ndarray:
    """Whether a measure is above 0 in every task that has it."""
    tasks, rates = table.over("task", measure, at_least=1)
    return above(table, rates, 0, tasks)


def _by_single_layers(claim: Claim) -> Claim:
    """The same, asked of probes that read one layer each."""
    form = claim.general
    return replace(
        claim,
        id=f"{claim.id}.{SINGLE}",
        says=f"By probes of single layers: {claim.says}",
        tolerance=f"{claim.tolerance}; the probes read single layers",
        needs=replace(claim.needs, estimator=SINGLE),
        general=replace(form, says=f"By probes of single layers: {form.says}"),
        because="",  # told beside the first
        ours=True,
        same_as=claim.id,
    )


REVISES = Claim(
    id="sur-bert-revises",
    place="last section",
    says="BERT revises lower-level decisions in the light of higher-level ones.",
    needs=Needs(measures=(BEYOND_RESAMPLING,), families=("masked",), estimator=CUMULATIVE),
    holds=partial(_in_each_task, measure=BEYOND_RESAMPLING),
    tolerance=(
        "in each task, the rate of reversed firm decisions is above that of as many probes of one "
        "layer as there are layers, all trained on resampled documents"
    ),
    because=(
        "The post says itself that its source does not show this in numbers. This claim asks "
        "whether decisions reverse, sur-bert-revises.order when they do. Retrained probes of one "
        "layer change decisions, too, although the layer stays the same."
    ),
    unprinted=NO_RATE,
    general=General(
        says="Any model revises lower-level decisions in the light of higher-level ones."
    ),
)
EQUAL_LAYERS = Claim(
    id="sur-bert-revises.beyond-equal-layers",
    place="last section",
    says="A masked model revises its decisions more often than a stack of equal layers.",
    needs=Needs(measures=(BEYOND_EQUAL_LAYERS,), families=("masked",), estimator=CUMULATIVE),
    holds=partial(_in_each_task, measure=BEYOND_EQUAL_LAYERS),
    tolerance=(
        "in each task, the rate of reversals beyond resampling is above that of a stack in which "
        "the model's top layer replaces all layers"
    ),
    because="No layer can change a decision in such a stack. So its true rate is 0, and its measured "
    "rate is noise.",
    unprinted=NO_RATE,
    ours=True,
    general=General(
        says="Any model revises its decisions more often than a stack of equal layers."
    ),
)

CLAIMS = [
    Claim(
        id="sur-higher-abstract",
        place="closing paragraph",
        says="Higher layers are more abstract, as in image networks.",
        needs=Needs(measures=()),
        holds=None,
        tolerance="",
        unprinted=(
            "this is an analogy, not testable as worded; sur-pipeline-order is its testable part"
        ),
    ),
    Claim(
        id="sur-drop-in",
        place="closing paragraph",
        says="Contextual vectors are a drop-in addition with results close to the state of the art.",
        needs=Needs(measures=()),
        holds=None,
        tolerance="",
        unprinted='the statement is bound to its time, since the "state of the art" changes',
    ),
    REVISES,
    _by_single_layers(REVISES),
    EQUAL_LAYERS,
    _by_single_layers(EQUAL_LAYERS),
    Claim(
        id="sur-bert-revises.order",
        place="last section",
        says="A masked model revises an entity after the relations of its words are settled.",
        needs=Needs(measures=(PRECEDENCE,), families=("masked",), estimator=CUMULATIVE),
        holds=partial(_in_each_task, measure=PRECEDENCE),
        tolerance=(
            "each kind of relation settles before the entity more often than if the relations of "
            "one label are permuted; a tie counts one half, and a decision settles in the layer "
            "from which it stays the same"
        ),
        because=(
            'The post says that the entity x is revised "after its semantic role is confirmed". '
            "Our texts are not labelled with roles, so subjects and objects replace them."
        ),
        unprinted=NO_RATE,
        ours=True,
        general=General(
            says="Any model revises an entity after the relations of its words are settled."
        ),
    ),
    Claim(
        id="sur-no-quant",
        place="last section",
        says="The source has no quantitative test of such reversals.",
        needs=Needs(measures=()),
        holds=None,
        tolerance="",
        unprinted=(
            "the statement is true of that paper's text, which picks examples by a rule; no "
            "number decides it"
        ),
    ),
    Claim(
        id="sur-attention-flips",
        place="last section",
        says="Papers on attention deal with such reversals.",
        needs=Needs(measures=()),
        holds=None,
        tolerance="",
        unprinted=(
            "the paper that the post names uses another sense of the word: a decision flips when "
            "attention weights are erased, not from one layer to the next"
        ),
    ),
]
