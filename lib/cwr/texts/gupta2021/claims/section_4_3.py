"""Claims of Gupta and Jaggi (2021), section 4.3: paragraphs or sentences as context."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from cwr.papers.claims import Claim
from cwr.papers.predicates import every
from cwr.tables import Table
from cwr.texts.gupta2021.claims.readings import (
    ACC,
    ACCM,
    F1,
    F1M,
    LARGE,
    LARGE_TEACHERS,
    PARAGRAPH,
    SENTENCE,
    WM,
    among_teachers,
    by_teacher,
    over_all_tasks,
)
from cwr.texts.gupta2021.claims.table_4 import BEYOND_RANDOM


def paragraphs_above(
    table: Table, measure: str, suffixes: Sequence[str] = ("",), tie: bool = False
) -> np.ndarray:
    """Tests whether teachers' paragraph averages lie above (or level with) sentence averages."""
    names, paragraphs, sentences = by_teacher(table, measure, PARAGRAPH, SENTENCE, suffixes)
    gain = paragraphs - sentences
    return every(table, gain >= 0 if tie else gain > 0, names, gain)


SECTION_4_3 = [
    Claim(
        id="gup-para-gt-sent-sim",
        place="section 4.3",
        says=(
            "Paragraphs as context give slightly better vectors than sentences, on word similarity."
        ),
        needs=among_teachers(WM),
        holds=partial(paragraphs_above, measure=WM),
        tolerance="the average correlation is higher with paragraphs, for every teacher",
        because=(
            "The paper adds that it is hard to tell which variant is better. In Table 3 paragraphs "
            "gain on RG-65 and WS-353, whereas on Rare Words the mean over teachers falls."
        ),
    ),
    Claim(
        id="gup-para-gt-sent-sim.table-6",
        place="section 4.3; appendix B",
        says=(
            "Paragraphs as context give slightly better vectors than sentences on word "
            "similarity, larger teachers included."
        ),
        needs=among_teachers(WM, WM + LARGE, of=LARGE_TEACHERS),
        holds=partial(paragraphs_above, measure=WM, suffixes=("", LARGE)),
        tolerance=(
            "the average correlation is higher with paragraphs, for every teacher of Table 6"
        ),
    ),
    Claim(
        id="gup-para-gt-sent-down",
        place="section 4.3",
        says=(
            "Paragraphs as context give slightly better vectors than sentences, on the downstream "
            "tasks."
        ),
        needs=over_all_tasks(F1, F1M, beats=BEYOND_RANDOM[F1M]),
        holds=partial(paragraphs_above, measure=F1M),
        tolerance=(
            "the average macro-F1 over the six tasks is higher with paragraphs, for every teacher"
        ),
    ),
    Claim(
        id="gup-para-gt-sent-down.accuracy",
        place="section 4.3",
        says=(
            "By accuracy, too, paragraphs as context give better vectors than sentences on the "
            "downstream tasks."
        ),
        needs=over_all_tasks(ACC, ACCM, beats=BEYOND_RANDOM[ACCM]),
        holds=partial(paragraphs_above, measure=ACCM),
        tolerance=(
            "the average accuracy over the six tasks is higher with paragraphs, for every teacher"
        ),
        because="This interpretation is stricter: the two averages printed for GPT-2 are equal.",
    ),
    Claim(
        id="gup-para-gt-sent-down.accuracy-or-tie",
        place="section 4.3",
        says=(
            "By accuracy, paragraphs as context give no worse vectors than sentences on the "
            "downstream tasks."
        ),
        needs=over_all_tasks(ACC, ACCM, beats=BEYOND_RANDOM[ACCM]),
        holds=partial(paragraphs_above, measure=ACCM, tie=True),
        tolerance=(
            "the average accuracy over the six tasks is at least level with paragraphs, for every "
            "teacher"
        ),
        because="This interpretation is more lenient: it allows a tie.",
    ),
]
