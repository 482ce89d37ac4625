"""Collects the checks of the printed numbers of Biś et al. (2021)."""

from cwr.texts.bis2021.claims.checks_tables import TABLES
from cwr.texts.bis2021.claims.checks_text import TEXT

CHECKS = [*TABLES, *TEXT]
