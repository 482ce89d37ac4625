"""Collects the checks of the printed numbers of Gupta and Jaggi (2021)."""

from cwr.texts.gupta2021.claims.checks_table_4 import TABLE_4
from cwr.texts.gupta2021.claims.checks_tables import TABLES
from cwr.texts.gupta2021.claims.checks_text import TEXT

CHECKS = [*TABLES, *TABLE_4, *TEXT]
