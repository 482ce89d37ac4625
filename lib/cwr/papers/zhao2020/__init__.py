"""The claims, checks and printed numbers of Zhao et al. (2020)."""
from cwr.papers.zhao2020.claims_old import CHECKS, CLAIMS, HEADLINES, published
