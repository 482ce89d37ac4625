"""The printed numbers of Gupta and Jaggi (2021), checked."""

from cwr.papers.gupta2021.checks_table_4 import TABLE_4
from cwr.papers.gupta2021.checks_tables import TABLES
from cwr.papers.gupta2021.checks_text import TEXT

CHECKS = [*TABLES, *TABLE_4, *TEXT]
