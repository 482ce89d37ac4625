"""The printed numbers of Biś et al. (2021), recomputed."""
from cwr.papers.bis2021.checks_tables import TABLES
from cwr.papers.bis2021.checks_text import TEXT

CHECKS = [*TABLES, *TEXT]
