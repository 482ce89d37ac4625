"""Repeats each claim about F1 on contexts for every reading of F1 (`cwr.measures.probing`).

On our models a claim's own id is judged on the rows of "full", and `<id>.pairs` and `<id>.words` on
those of the other two. The paper does not say which of the three its F1 is: so the claim's own id
is judged on the printed numbers as they are, and the other two are not decidable there.
"""

from dataclasses import replace

from cwr.measures.probing import READINGS
from cwr.papers.claims import Claim, General
from cwr.texts.zhao2020.claims.readings import OF_CONTEXTS

FULL = "full"  # of our models; our choice, not the paper's
OTHERS = tuple(reading for reading in READINGS if reading != FULL)
UNPRINTED = (
    "the paper does not say how it counts F1, so its numbers are judged by the claim without this "
    "ending"
)
BECAUSE = (
    'A claim whose id does not end in .pairs or .words uses the "full" F1. By the F1 of pairs or of '
    "words, a predictor that knows the classes of each word scores 1 even without any context."
)


def in_each_reading(claims: list[Claim]) -> list[Claim]:
    """Inserts behind each claim about F1 on contexts its other readings.

    A claim that has an estimator already is about one reading alone, and stays as it is.
    """
    readings = []
    for claim in claims:
        if claim.needs.estimator or not set(claim.needs.measures) & set(OF_CONTEXTS):
            readings.append(claim)
        else:
            of_full = replace(claim.needs, estimator=FULL, or_unnamed=True)
            readings.append(replace(claim, needs=of_full))
            readings += [under(claim, reading) for reading in OTHERS]
    return readings


def under(claim: Claim, reading: str) -> Claim:
    """Restricts a claim to the F1 of one reading, under `<id>.<reading>`."""
    form = claim.general
    if isinstance(form, General):
        tolerance = f'{form.tolerance or claim.tolerance}; F1 counts "{reading}"'
        form = replace(
            form, says=f'With F1 counted as "{reading}": {form.says}', tolerance=tolerance
        )
    return replace(
        claim,
        id=f"{claim.id}.{reading}",
        says=f'With F1 counted as "{reading}": {claim.says}',
        needs=replace(claim.needs, estimator=reading, or_unnamed=True),
        tolerance=f'{claim.tolerance}; F1 counts "{reading}"',
        because=BECAUSE,
        unprinted=claim.unprinted or UNPRINTED,
        general=form,
        ours=True,
        same_as=claim.id,
    )
