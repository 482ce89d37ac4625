"""The claims, checks and printed numbers of Biś et al. (2021)."""
from cwr.papers.bis2021.claims_old import CHECKS, CLAIMS, HEADLINES, published
