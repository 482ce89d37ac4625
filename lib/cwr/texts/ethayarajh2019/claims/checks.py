"""Collects the checks of the printed and released numbers of Ethayarajh (2019).

Rows named "Derived from the released statistics" come from `workflow/tables/ethayarajh2019.py`: the
author's per-word files, and the input rebuilt from the public data.
"""

from cwr.texts.ethayarajh2019.claims.checks_figures import FIGURES
from cwr.texts.ethayarajh2019.claims.checks_table_1 import TABLE_1
from cwr.texts.ethayarajh2019.claims.checks_text import TEXT

CHECKS = [*TEXT, *FIGURES, *TABLE_1]
