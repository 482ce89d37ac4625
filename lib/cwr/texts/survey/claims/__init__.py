"""Defines the claims, checks and published numbers of the survey, a post on others' findings.

The post prints no numbers; its table holds those of its sources, and `readings.sources` says where
they were read. Statements about BERT, ELMo or an untrained encoder are judged on the authors'
validation scores. "Secondary source" in a tolerance means that the numbers come from reading notes
on a paper that was not at hand.
"""

from cwr.texts.survey.claims import architecture as claims_architecture
from cwr.texts.survey.claims import closing as claims_closing
from cwr.texts.survey.claims import comparison as claims_comparison
from cwr.texts.survey.claims import hierarchy as claims_hierarchy
from cwr.texts.survey.claims import pipeline as claims_pipeline
from cwr.texts.survey.claims import practice as claims_practice
from cwr.texts.survey.claims import syntax as claims_syntax
from cwr.texts.survey.claims import translation as claims_translation
from cwr.texts.survey.claims.checks import CHECKS as CHECKS
from cwr.texts.survey.claims.controls import of_the_learned
from cwr.texts.survey.claims.readings import published as published

CHAPTER = 5
TITLE = "A survey in two parts, part 2"
SHORT = "Survey, part 2"
KIND = "post"
CLAIMS = [
    of_the_learned(claim)
    for claim in (
        *claims_architecture.CLAIMS,
        *claims_translation.CLAIMS,
        *claims_hierarchy.CLAIMS,
        *claims_pipeline.CLAIMS,
        *claims_syntax.CLAIMS,
        *claims_comparison.CLAIMS,
        *claims_practice.CLAIMS,
        *claims_closing.CLAIMS,
    )
]
HEADLINES = (
    "sur-random-arch",
    "sur-lm-beats-mt",
    "sur-pipeline-order.constituents-expected-layer",
    "sur-trees-in-geometry",
    "sur-bert-edge",
)
