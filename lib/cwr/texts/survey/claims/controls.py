"""Defines the control of claims that rest on probes: the best rule that reads no vectors.

Each task has its own. The rules are those of `cwr.texts.survey.edge_rules`, such as "the same
string" for coreference; printed numbers have none, and are judged without.
"""

from dataclasses import replace

from cwr.papers.claims import Claim, Control
from cwr.texts.survey.claims.architecture import SCORE
from cwr.texts.survey.claims.practice import FROZEN, TRANSFER
from cwr.texts.survey.claims.readings import CUMULATIVE, EDGE, LEXICAL, MIX, MIXED, SINGLE
from cwr.texts.survey.claims.translation import TRANSFER as PRETRAINING

BEST_RULE = "the best rule without vectors"


def _rule(measure: str, tested_by: str = "edge", **others: object) -> Control:
    """The best rule on the targets that these probes are tested on."""
    rule = f"{tested_by}_best_rule_f1"
    return Control(name=BEST_RULE, measure=measure, against=rule, by_task=True, **others)


# A mix of all layers that lies below its own layer 0 has not learned.
LEARNED = _rule(EDGE, estimators=(MIXED,), floor=LEXICAL)
CONTROLS = {
    EDGE: LEARNED,
    CUMULATIVE: LEARNED,
    MIX: LEARNED,
    SINGLE: _rule(SINGLE),
    TRANSFER: _rule(TRANSFER, "transfer"),
    SCORE: _rule(SCORE, estimators=(MIXED,)),
    FROZEN: _rule(FROZEN, "frozen"),
    PRETRAINING: _rule(PRETRAINING, "pretraining"),
}


def of_the_learned(claim: Claim) -> Claim:
    """Restricts a claim to tasks whose probes beat the best rule."""
    controls = [CONTROLS[measure] for measure in claim.needs.measures if measure in CONTROLS]
    return replace(claim, needs=replace(claim.needs, beats=controls[0])) if controls else claim
