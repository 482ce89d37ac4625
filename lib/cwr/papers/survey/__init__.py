"""The claims, checks and printed numbers of the survey."""
from cwr.papers.survey.claims_old import CHECKS, CLAIMS, HEADLINES, published, sources
