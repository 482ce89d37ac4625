"""The claims, checks and printed numbers of Gupta & Jaggi (2021)."""
from cwr.papers.gupta2021.claims_old import CHECKS, CLAIMS, HEADLINES, published
