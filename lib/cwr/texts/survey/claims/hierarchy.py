"""Claims of the post's section on hierarchy: what lower and higher layers hold.

D = draws, L = layers
"""

from dataclasses import replace
from functools import partial

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import above, largest
from cwr.tables import Missing, Table
from cwr.texts.survey.claims.readings import (
    ANY_FAMILY,
    CUMULATIVE,
    MIX,
    SINGLE,
    above_baselines,
    best_layers,
    centre_of_gravity,
    expected_layer,
)

PHRASES, VERBS = "noun_phrase_cosine_gain", "verb_cosine_gain"
PHRASES_BY_CLASS, PHRASES_IN_ORDER = f"{PHRASES}_by_class", f"{PHRASES}_in_order"
RAW = "raw"  # vectors as they are
TREATMENTS = {
    "centred": "centred: the mean vector of the corpus is subtracted",
    "standardised": "standardised: every dimension has mean 0 and standard deviation 1 over the corpus",
}
PRONOUNS = "pronoun_coreference_accuracy"
PRONOUN_BASELINE = f"{PRONOUNS}_baseline"
LOCAL, LONG_RANGE = "pos", "coreference"


def _lowest_and_top(table: Table, measure: str) -> tuple[np.ndarray, np.ndarray]:
    """A measure in layer 1 and in the top layer, both (D,).

    Raises Missing without two contextual layers.
    """
    layers = table.layers(measure, first=1)
    if layers[0] != 1 or len(layers) < 2:
        raise Missing(f"{measure.replace('_', ' ')} in layer 1 and in a higher one")
    values = table.curve(measure, first=1)
    return values[:, 0], values[:, -1]


def _gain_is_largest(table: Table, measure: str, at_top: bool = False) -> np.ndarray:
    """Whether a gain is above 0 and above that of the other layer, in layer 1 or in the top one."""
    lowest, top = _lowest_and_top(table, measure)
    places = [(lowest, "layer 1"), (top, "the top layer")]
    (here, name), (there, other) = reversed(places) if at_top else places
    return above(table, here, 0, name) & above(table, here - there, 0, f"{name} minus {other}")


def _beyond_input(table: Table, measure: str, layer: int) -> np.ndarray:
    """Whether a measure is larger in a contextual layer (1 the lowest, -1 the top) than in layer 0.

    Raises Missing without layers 0 and 1.
    """
    if not np.array_equal(table.layers(measure)[:2], (0, 1)):
        raise Missing(f"{measure.replace('_', ' ')} in layers 0 and 1")
    values = table.curve(measure)
    name = "layer 1" if layer == 1 else "the top layer"
    return above(table, values[:, layer] - values[:, 0], 0, f"{name} minus layer 0")


def in_each_treatment(claims: list[Claim]) -> list[Claim]:
    """Repeats claims about cosines for centred and for standardised vectors."""
    readings = []
    for claim in claims:
        raw = replace(claim.needs, estimator=RAW, or_unnamed=True)
        readings.append(replace(claim, needs=raw))
        readings += [_under(claim, treatment) for treatment in TREATMENTS]
    return readings


def _under(claim: Claim, treatment: str) -> Claim:
    """A claim as it is asked of vectors under one treatment, under `<id>.<treatment>`."""
    return replace(
        claim,
        id=f"{claim.id}.{treatment}",
        says=f"With {treatment} vectors: {claim.says}",
        needs=replace(claim.needs, estimator=treatment, or_unnamed=True),
        tolerance=f"{claim.tolerance}; the vectors are {TREATMENTS[treatment]}",
        because="If all vectors of a model point one way, all cosines are large. We subtract the mean "
        "first, so that only the differences between words remain.",
        ours=True,
        same_as=claim.id,
    )


def _local_is_lower(table: Table, reading) -> np.ndarray:
    """Part of speech lies below coreference, by a reading (table, task) -> layer, (D,)."""
    distance = reading(table, LONG_RANGE) - reading(table, LOCAL)
    return above(table, distance, 0, f"layers from {LOCAL} to {LONG_RANGE}")


def _best_single_layer(table: Table, task: str) -> np.ndarray:
    return best_layers(table, SINGLE, [task])[:, 0]


def _pronouns_on_top(table: Table) -> np.ndarray:
    """Every model beats every rule, and does so best above half of its depth."""
    models = table.with_measure(PRONOUNS)
    depths = []
    for part in models.values():
        layers, accuracy = part.layers(PRONOUNS), part.curve(PRONOUNS)
        best = layers[largest(table, accuracy, "accuracy on pronouns")]
        depths.append(best / layers[-1])
    depths = np.stack(depths, axis=1)  # (D, models)
    labels = [f"{model}, relative depth of the best layer" for model in models]
    return above_baselines(table, PRONOUNS) & above(table, depths, 0.5, labels)


PROBES = [
    Claim(
        id="sur-lower-layers-local",
        place="Hierarchy, first heading",
        says="Local information lives in lower layers, long-range information in higher layers.",
        needs=Needs(measures=(SINGLE,), families=ANY_FAMILY, tasks=(LOCAL, LONG_RANGE)),
        holds=partial(_local_is_lower, reading=_best_single_layer),
        tolerance="the best single layer for pos lies below that for coreference",
        because=(
            "Part of speech stands for local information, and coreference for long-range "
            "information."
        ),
        unprinted="the source prints no scores of single layers, only of layers 0 to l together",
    ),
    Claim(
        id="sur-lower-layers-local.expected-layer",
        place="Hierarchy, first heading",
        says="By the expected layer, part of speech is found lower than coreference in BERT.",
        needs=Needs(measures=(CUMULATIVE,), families=("masked",), tasks=(LOCAL, LONG_RANGE)),
        holds=partial(_local_is_lower, reading=expected_layer),
        tolerance="the expected layer of pos lies below that of coreference",
        general=General(
            says=(
                "By the expected layer, part of speech is found lower than coreference in any "
                "model."
            )
        ),
    ),
    Claim(
        id="sur-lower-layers-local.centre-of-gravity",
        place="Hierarchy, first heading",
        says="By the centre of gravity, part of speech is found lower than coreference in BERT.",
        needs=Needs(measures=(MIX,), families=("masked",), tasks=(LOCAL, LONG_RANGE)),
        holds=partial(_local_is_lower, reading=centre_of_gravity),
        tolerance="the centre of gravity of pos lies below that of coreference",
        general=General(
            says=(
                "By the centre of gravity, part of speech is found lower than coreference in any "
                "model."
            )
        ),
    ),
]

PICTURE = (
    "The picture shows one sentence in a biLSTM of four layers, and its two panels differ. So we test "
    "in any model whether these layers differ."
)
WITHOUT_NUMBERS = "the source shows a picture without numbers"

PICTURES = [
    Claim(
        id="sur-heatmap-np",
        place="Semantic similarity, paragraph 2",
        says="In the lowest contextual layer the words of one noun phrase cluster together.",
        needs=Needs(measures=(PHRASES,), families=ANY_FAMILY),
        holds=partial(_gain_is_largest, measure=PHRASES),
        tolerance=(
            "the mean cosine within noun phrases, minus that across phrases at equal distance, is "
            "above 0 in layer 1 and higher there than in the top layer"
        ),
        because=PICTURE,
        unprinted=WITHOUT_NUMBERS,
    ),
    Claim(
        id="sur-heatmap-np.matched",
        place="Semantic similarity, paragraph 2",
        says="In the lowest contextual layer the words of one noun phrase are more alike than words "
        "of the same two classes from two phrases.",
        needs=Needs(measures=(PHRASES_BY_CLASS,), families=ANY_FAMILY),
        holds=partial(_gain_is_largest, measure=PHRASES_BY_CLASS),
        tolerance=(
            "the mean cosine within noun phrases, minus that across phrases at equal distance and "
            "for equal pairs of word classes, is above 0 in layer 1 and higher there than in the "
            "top layer"
        ),
        because=(
            "A pair within a phrase is often a determiner and a noun, a pair across phrases two "
            "nouns. Without matching, the difference could come from the word classes."
        ),
        unprinted=WITHOUT_NUMBERS,
        ours=True,
    ),
    Claim(
        id="sur-heatmap-np.in-order",
        place="Semantic similarity, paragraph 2",
        says=(
            "In the lowest contextual layer the words of a noun phrase are more alike than words "
            "of the same classes, in the same order, from two phrases."
        ),
        needs=Needs(measures=(PHRASES_IN_ORDER,), families=ANY_FAMILY),
        holds=partial(_gain_is_largest, measure=PHRASES_IN_ORDER),
        tolerance="the condition of .matched holds for pairs whose classes also stand in the same order",
        because=(
            "A noun before a determiner ends one phrase, and the determiner begins the next. So "
            "for neighbouring words the two orders are two kinds of pairs."
        ),
        unprinted=WITHOUT_NUMBERS,
        ours=True,
    ),
    Claim(
        id="sur-heatmap-np.beyond-input",
        place="Semantic similarity, paragraph 2",
        says="The lowest contextual layer makes the words of one noun phrase more alike than its "
        "input does.",
        needs=Needs(measures=(PHRASES,), families=ANY_FAMILY),
        holds=partial(_beyond_input, measure=PHRASES, layer=1),
        tolerance=(
            "the mean cosine within noun phrases, minus that across phrases at equal distance, is "
            "higher in layer 1 than in layer 0"
        ),
        because="A difference that exists before any context says nothing about context.",
        unprinted=WITHOUT_NUMBERS,
        ours=True,
    ),
    Claim(
        id="sur-heatmap-verbs",
        place="Semantic similarity, paragraph 2",
        says="In the top layer the verbs of a sentence are more similar to one another than to other "
        "words.",
        needs=Needs(measures=(VERBS,), families=ANY_FAMILY),
        holds=partial(_gain_is_largest, measure=VERBS, at_top=True),
        tolerance=(
            "the mean cosine of two verbs, minus that of a verb and another word at equal "
            "distance, is above 0 in the top layer and higher there than in layer 1"
        ),
        because=PICTURE,
        unprinted=WITHOUT_NUMBERS,
    ),
    Claim(
        id="sur-heatmap-verbs.beyond-input",
        place="Semantic similarity, paragraph 2",
        says="The top layer makes the verbs of a sentence more alike than its input does.",
        needs=Needs(measures=(VERBS,), families=ANY_FAMILY),
        holds=partial(_beyond_input, measure=VERBS, layer=-1),
        tolerance=(
            "the mean cosine of two verbs, minus that of a verb and another word at equal "
            "distance, is higher in the top layer than in layer 0"
        ),
        because="Verbs resemble one another before any context, by their endings or by their use.",
        unprinted=WITHOUT_NUMBERS,
        ours=True,
    ),
]

PRONOUN_RESOLUTION = [
    Claim(
        id="sur-coref-unsup",
        place="Semantic similarity, paragraph 3",
        says=(
            "Coreference without training works best in upper layers, which confirms that they hold "
            "long-range information."
        ),
        needs=Needs(measures=(PRONOUNS, PRONOUN_BASELINE), families=ANY_FAMILY, compares=True),
        holds=_pronouns_on_top,
        tolerance="the best layer beats every baseline and lies in the upper half of the model",
        because=(
            "A baseline is a rule without vectors, for example to choose the closest noun before "
            "the pronoun."
        ),
        unprinted="the best layer is known in words only (secondary source)",
    ),
    Claim(
        id="sur-coref-unsup.beats-baselines",
        place="Semantic similarity, paragraph 3",
        says="Every architecture's best layer finds more antecedents than the best rule.",
        needs=Needs(measures=(PRONOUNS, PRONOUN_BASELINE), families=ANY_FAMILY, compares=True),
        holds=partial(above_baselines, measure=PRONOUNS),
        tolerance="the best layer of each model is above each baseline (secondary source)",
        because=(
            "In print the strongest rule chooses the first noun that agrees in number. This rule "
            "uses number agreement, as the vectors do."
        ),
    ),
]

CLAIMS = [*PROBES, *in_each_treatment(PICTURES), *PRONOUN_RESOLUTION]
