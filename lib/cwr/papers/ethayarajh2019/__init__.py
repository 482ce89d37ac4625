"""The claims, checks and printed numbers of Ethayarajh (2019)."""
from cwr.papers.ethayarajh2019.claims_figures import CHECKS, CLAIMS, HEADLINES, published
