"""Claims of Gupta and Jaggi (2021) about sentence classification: Tables 4 and 5.

A printed per cent is good to 0.05.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from cwr.papers.claims import STATIC, Claim, Control
from cwr.papers.predicates import above, every, largest, near
from cwr.tables import Table
from cwr.texts.gupta2021.claims.checks_table_4 import HALF_DIGIT
from cwr.texts.gupta2021.claims.readings import (
    ACC,
    ACCM,
    ASE,
    BEST_LAYER,
    BINARY,
    F1,
    F1M,
    LARGER_CORPORA,
    PARAGRAPH,
    RUN_MEAN,
    RUN_SD,
    SENTENCE,
    TASKS,
    X2S,
    Scores,
    among_teachers,
    averages,
    cells,
    flat,
    joined,
    leads,
    over_all_tasks,
    rivals,
)
from cwr.texts.gupta2021.claims.readings_table_5 import off_runs, welch
from cwr.texts.gupta2021.claims.table_3 import ahead

ROBERTA = (SENTENCE, "ROBERTA-12")  # the exception that the paper names
RUNS = (F1M + RUN_MEAN, F1M + RUN_SD, ACCM + RUN_MEAN, ACCM + RUN_SD, "downstream_runs")
STUDENT = {"t": 2.23, "level": 0.05, "degrees": 10}  # a row of the two-sided table of t
ONE_ROW = "The claim speaks of one printed row."
BEYOND_RANDOM = {
    measure: Control(
        name="random vectors of the same words",
        measure=measure,
        estimators=X2S,
        estimator="random_vectors",
    )
    for measure in (F1M, ACCM)
}


def but_roberta(ours: Scores) -> Scores:
    """Leaves out of the X2Static rows the one that the paper excepts, a row of its Table 4."""
    baselines = [row for row in ours.rows if row != ROBERTA]
    return ours.only(baselines, "an X2Static row beside RoBERTa's sentence variant")


def downstream(table: Table, measure: str, own_teacher: bool) -> np.ndarray:
    """Tests whether each X2Static average but the excepted one is above its competitors."""
    ours = but_roberta(averages(table, measure, X2S))
    return ahead(table, ours, rivals(table, measure), own_teacher)


def ahead_on_four_tasks(table: Table) -> np.ndarray:
    """Tests `downstream` on the four binary tasks' mean macro-F1, against every competitor."""
    ours = but_roberta(cells(table, F1, X2S, BINARY))
    others = joined(cells(table, F1, (STATIC,), BINARY), cells(table, F1, ASE, BINARY))
    return ahead(table, ours.mean(), others.mean(), own_teacher=False)


def ahead_by_two_deviations(table: Table) -> np.ndarray:
    """Tests whether X2Static leads every competitor by twice the largest deviation of Table 5."""
    spread = averages(table, F1M + RUN_SD, (PARAGRAPH, BEST_LAYER)).values.max(axis=(1, 2))
    ours = but_roberta(averages(table, F1M, X2S))
    lead = flat(leads(ours, rivals(table, F1M), own_teacher=False))
    return every(table, lead > 2 * spread[:, None], ours.names, lead)


def roberta_like_ase(table: Table, margin: float = 0.2) -> np.ndarray:
    """Tests whether RoBERTa's sentence row has the average macro-F1 of its ASE, within a margin."""
    ours = averages(table, F1M, (SENTENCE,)).row(ROBERTA)[:, 0]
    ase = averages(table, F1M, (BEST_LAYER,)).row((BEST_LAYER, ROBERTA[1]))[:, 0]
    return near(table, ours - ase, 0, margin, "average macro-F1 minus that of ASE")


def losses_to_siblings(table: Table) -> np.ndarray:
    """Subtracts the excepted row's macro-F1 from the other X2Static rows' mean, by task, (D, N)."""
    ours = cells(table, F1, X2S, TASKS)
    siblings = but_roberta(ours)
    return siblings.values.mean(axis=1) - ours.row(ROBERTA)


def losses_to_ase(table: Table) -> np.ndarray:
    """Subtracts the macro-F1 of RoBERTa's sentence row from that of its ASE, by task, (D, N)."""
    ase = cells(table, F1, (BEST_LAYER,), TASKS).row((BEST_LAYER, ROBERTA[1]))
    return ase - cells(table, F1, (SENTENCE,), TASKS).row(ROBERTA)


def loses_most_on_cr(table: Table, losses: np.ndarray) -> np.ndarray:
    """Tests whether the largest of losses (D, N) is the one on CR."""
    worst = largest(table, losses, "loss")
    table.against(
        f"{TASKS[worst[0]]} = {losses[0, worst[0]]:.1f}, CR = {losses[0, TASKS.index('CR')]:.1f}"
    )
    return worst == TASKS.index("CR")


def ahead_without_cr(table: Table) -> np.ndarray:
    """Tests whether the excepted row is ahead of its ASE in the mean of the tasks other than CR."""
    lead = -np.delete(losses_to_ase(table), TASKS.index("CR"), axis=1).mean(axis=1)
    return above(table, lead, 0, "mean lead over ASE on five tasks")


def beyond_seeds(table: Table, student: dict = STUDENT, worst_rounding: bool = False) -> np.ndarray:
    """Tests whether Welch's t of paragraph X2Static against ASE is above Student's, in each pair.

    worst_rounding: whether every printed figure is taken to be half a digit worse than it looks.
    """
    names, t = welch(table, HALF_DIGIT if worst_rounding else 0.0)
    return above(table, t, student["t"], names)


def runs_agree(table: Table) -> np.ndarray:
    """Tests whether Table 4's single runs lie within two standard deviations of Table 5's means."""
    names, distances = off_runs(table)
    return near(table, distances, 0, 2, [f"{name}, in deviations" for name in names])


def above_larger_corpora(table: Table, measure: str) -> np.ndarray:
    """Tests whether all X2Static averages exceed those of GloVe, GloVe (Twitter) and fastText."""
    static = averages(table, measure, (STATIC,))
    larger = static.only([(STATIC, model) for model in LARGER_CORPORA], "GloVe and fastText")
    return ahead(table, averages(table, measure, X2S), larger, own_teacher=False)


def _control(claim: Claim) -> Control:
    return BEYOND_RANDOM[ACCM if ACC in claim.needs.measures else F1M]


TABLE_4 = [
    Claim(
        id="gup-down-beats-all",
        place="section 4.3",
        says=(
            "Downstream, every X2Static except RoBERTa's sentence variant outperforms its "
            "competitors."
        ),
        needs=over_all_tasks(F1, F1M),
        holds=partial(downstream, measure=F1M, own_teacher=True),
        tolerance=(
            "its average macro-F1 over the six tasks is above all static rows and ASE of its "
            "teacher"
        ),
        because=(
            "Table 4's caption names the competitors in its definition of bold. The sentence adds "
            "'by a significant margin', which gup-table5-margin and gup-down-beats-all.margin "
            "judge. Two of the averaged columns, TREC and SST-5, are in doubt; "
            "gup-down-beats-all.four-tasks omits them."
        ),
    ),
    Claim(
        id="gup-down-beats-all.strict",
        place="section 4.3",
        says=(
            "Downstream, every X2Static except RoBERTa's sentence variant outperforms every other "
            "static row."
        ),
        needs=over_all_tasks(F1, F1M),
        holds=partial(downstream, measure=F1M, own_teacher=False),
        tolerance=(
            "its average macro-F1 is above every competitor's, ASE of other teachers included"
        ),
        because=(
            "This is the strict interpretation of 'their competitors': ASE of every teacher "
            "competes with every X2Static."
        ),
    ),
    Claim(
        id="gup-down-beats-all.accuracy",
        place="section 4.3",
        says=(
            "By accuracy, too, every X2Static except RoBERTa's sentence variant outperforms every "
            "other static row."
        ),
        needs=over_all_tasks(ACC, ACCM),
        holds=partial(downstream, measure=ACCM, own_teacher=False),
        tolerance=(
            "its average accuracy is above every competitor's, ASE of other teachers included"
        ),
    ),
    Claim(
        id="gup-down-beats-all.four-tasks",
        place="section 4.3",
        says=(
            "On the four binary tasks alone, every X2Static except RoBERTa's sentence variant "
            "outperforms every other static row."
        ),
        needs=among_teachers(F1, datasets=BINARY),
        holds=ahead_on_four_tasks,
        tolerance=(
            "its mean macro-F1 on CR, MR, MPQA and SUBJ is above every competitor's, ASE of other "
            "teachers included"
        ),
        because="The doubt about TREC and SST-5 does not concern these four columns.",
    ),
    Claim(
        id="gup-down-beats-all.margin",
        place="section 4.3",
        says=(
            "Downstream, every X2Static except RoBERTa's sentence variant outperforms every other "
            "static row by a significant margin."
        ),
        needs=over_all_tasks(F1, F1M, F1M + RUN_SD),
        holds=ahead_by_two_deviations,
        tolerance=(
            "its average macro-F1 is above every competitor's by twice the largest deviation of "
            "Table 5, ASE of other teachers included"
        ),
        because=(
            "This interpretation is the strictest, and its threshold is ours. The paper tests the "
            "margin over ASE of the same teacher with six runs, which gup-table5-margin judges."
        ),
    ),
    Claim(
        id="gup-roberta-sent-exception",
        place="section 4.3",
        says="RoBERTa's sentence variant has an average macro-F1 like that of its ASE.",
        needs=among_teachers(F1, F1M, models=("ROBERTA-12",), datasets=TASKS),
        holds=roberta_like_ase,
        tolerance="the two differ by at most {margin}, the usual deviation in Table 5",
        general=ONE_ROW,
    ),
    Claim(
        id="gup-roberta-sent-cause-cr",
        place="section 4.3",
        says="RoBERTa's sentence variant is an exception because of its result on CR.",
        needs=among_teachers(F1, models=("ROBERTA-12",), datasets=TASKS),
        holds=lambda table: loses_most_on_cr(table, losses_to_siblings(table)),
        tolerance=(
            "of the six tasks, CR has its largest loss against the mean of the other X2Static rows"
        ),
        because=(
            "The sentence says why this row is an exception among the X2Static rows, so we "
            "compare it with them."
        ),
        general=ONE_ROW,
    ),
    Claim(
        id="gup-roberta-sent-cause-cr.own-ase",
        place="section 4.3",
        says="RoBERTa's sentence variant loses most on CR, compared with its ASE.",
        needs=among_teachers(F1, models=("ROBERTA-12",), datasets=TASKS),
        holds=lambda table: loses_most_on_cr(table, losses_to_ase(table)),
        tolerance="of the six tasks, CR has its largest loss against ASE of the same teacher",
        because=(
            "In Table 4 the largest loss is on TREC, a column in doubt, and the second largest on "
            "CR."
        ),
        general=ONE_ROW,
    ),
    Claim(
        id="gup-roberta-sent-cause-cr.without-cr",
        place="section 4.3",
        says="Without CR, RoBERTa's sentence variant is ahead of its ASE.",
        needs=among_teachers(F1, models=("ROBERTA-12",), datasets=TASKS),
        holds=ahead_without_cr,
        tolerance=(
            "its mean macro-F1 on the other five tasks is above that of ASE of the same teacher"
        ),
        general=ONE_ROW,
    ),
    Claim(
        id="gup-table5-margin",
        place="section 4.3; appendix A",
        says="Paragraph X2Static outperforms ASE by a significant margin over six runs.",
        needs=over_all_tasks(F1, *RUNS),
        holds=beyond_seeds,
        tolerance=(
            "Welch's t is above {student[t]} ({student[level]:%}, {student[degrees]} degrees of "
            "freedom) for every teacher and both averages of Table 5"
        ),
        because=(
            "The runs differ only in their seeds, and share the test items and ASE's vectors."
        ),
    ),
    Claim(
        id="gup-table5-margin.worst-rounding",
        place="section 4.3; appendix A",
        says=(
            "Paragraph X2Static outperforms ASE by a significant margin over six runs, under the "
            "worst rounding."
        ),
        needs=over_all_tasks(F1, *RUNS),
        holds=partial(beyond_seeds, worst_rounding=True),
        tolerance=(
            "Welch's t is above {student[t]} with every printed mean and deviation half a digit "
            "worse"
        ),
    ),
    Claim(
        id="gup-table5-consistent",
        place="Table 4; appendix A",
        says="The single runs of Table 4 agree with the means of six runs in Table 5.",
        needs=over_all_tasks(F1, F1M, ACCM, *RUNS),
        holds=runs_agree,
        tolerance="all twelve runs are within two standard deviations of the mean",
        because="The paper does not say so; this is our own question about the two tables.",
        print_only="in our runs a score is the mean over the runs, which cannot differ from itself",
        ours=True,
    ),
    Claim(
        id="gup-larger-corpora-lag",
        place="section 4.3",
        says="GloVe and fastText, trained on larger corpora, lag behind X2Static.",
        needs=over_all_tasks(F1, F1M, models=LARGER_CORPORA),
        holds=partial(above_larger_corpora, measure=F1M),
        tolerance="the average macro-F1 of each is below that of every X2Static",
        general="The claim speaks of three printed sets of vectors.",
    ),
    Claim(
        id="gup-larger-corpora-lag.accuracy",
        place="section 4.3",
        says="By accuracy, too, GloVe and fastText lag behind X2Static.",
        needs=over_all_tasks(ACC, ACCM, models=LARGER_CORPORA),
        holds=partial(above_larger_corpora, measure=ACCM),
        tolerance="the average accuracy of each is below that of every X2Static",
        general="The claim speaks of three printed sets of vectors.",
    ),
]
# Where a classifier learns as much from random vectors, it cannot tell the others apart.
TABLE_4 = [
    each if each.ours else replace(each, needs=replace(each.needs, beats=_control(each)))
    for each in TABLE_4
]
