"""Gupta & Jaggi (2021): typed verdicts on the printed tables, invented worlds, and the errata."""

import csv
import importlib.util
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from cwr import tables
from cwr.measures import classification
from cwr.report.judgement import FAILS, HOLDS, NOT_RUN, UNDECIDED, judge, on_published
from cwr.texts.gupta2021 import claims as gupta2021
from cwr.texts.gupta2021.claims import checks_table_4, readings, readings_table_5
from cwr.texts.gupta2021.claims import figure_1 as claims_figure_1
from cwr.texts.gupta2021.claims import sections as claims_sections
from cwr.texts.gupta2021.claims.readings import (
    ACC,
    ACCM,
    ASE,
    BEST_LAYER,
    BOLD,
    F1,
    F1M,
    LARGE,
    PARAGRAPH,
    SENTENCE,
    SIMILARITY,
    TASKS,
    WM,
    X2S,
    W,
)

HERE, ROOT = Path(__file__).parent, Path(__file__).resolve().parents[3]
FOLDER = Path(gupta2021.__file__).parent
PUBLISHED = gupta2021.published()
TABLE = tables.Table(PUBLISHED)
CLAIMS = {claim.id: claim for claim in gupta2021.CLAIMS}
CHECKS = {check.id.removeprefix("gupta2021-check-"): check for check in gupta2021.CHECKS}
FIVE_SETS = [
    "gup-x2static-beats-all-cells.best-per-task",
    "gup-simlex-simverb-strongest",
    "gup-simlex-simverb-strongest.extent",
    "gup-simlex-simverb-strongest.best-row",
    "gup-simlex-simverb-strongest.with-ase",
    "gup-simlex-simverb-strongest.with-ase-mean",
]
ERRATA = {
    "average-table3",
    "average-table4-f1",
    "average-table4-accuracy",
    "table6-names",
    "table6-layer",
    "bold-table6",
    "bold-table4",
    "f1-trec",
    "f1-sst5",
    "f1-binary-largest",
    "trec-single-runs",
    "words",
    "table2-values",
    "rg65-gold",
}


def ask(name, rows, replicates=None):
    """The verdict of a claim on rows."""
    return judge(CLAIMS[name], tables.tidy(rows), replicates)


# ---- the printed numbers


@pytest.mark.parametrize(
    "name",
    [name for name in CLAIMS if on_published(CLAIMS[name], PUBLISHED).verdict == FAILS],
)
def test_a_published_fails_says_which_cell_row_or_number_goes_against_the_words(name):
    reason = on_published(CLAIMS[name], PUBLISHED).reason
    assert re.search(r"BERT|GPT2|SV-3500|TREC", reason) and re.search(r"\d", reason), (
        reason
    )


def test_the_notes_have_27_claims_each_with_its_readings():
    assert len({name.partition(".")[0] for name in CLAIMS}) == 27


def test_what_the_paper_does_not_say_is_ours():
    ours = {claim.id for claim in gupta2021.CLAIMS if claim.ours}
    assert ours == {
        "gup-24-gt-12",
        "gup-24-beats-ase.every-cell",
        "gup-table5-consistent",
        "gup-x2static-beats-static-avg.elsewhere",
    }


def of_teacher(stem):
    """The printed rows of one teacher (12 and 24 layers), and all that have none."""
    teachers = PUBLISHED["family"].isin(readings.TEACHERS)
    other = teachers & ~PUBLISHED["model"].str.startswith(stem).fillna(False)
    return PUBLISHED[~other].reset_index(drop=True)


@pytest.mark.parametrize(
    "stem, verdict", [("BERT", HOLDS), ("GPT2", HOLDS), ("ROBERTA", FAILS)]
)
def test_a_larger_teacher_helps_bert_and_gpt2_but_not_roberta(stem, verdict):
    assert judge(CLAIMS["gup-24-gt-12"], of_teacher(stem)).verdict == verdict


@pytest.mark.parametrize(
    "stem, verdict", [("BERT", HOLDS), ("GPT2", FAILS), ("ROBERTA", HOLDS)]
)
def test_by_accuracy_paragraphs_win_strictly_for_bert_and_roberta(stem, verdict):
    assert (
        judge(CLAIMS["gup-para-gt-sent-down.accuracy"], of_teacher(stem)).verdict
        == verdict
    )


@pytest.mark.parametrize(
    "suffixes, kinds, own_teacher, expected",
    [
        (("",), ASE, True, 28),
        (("",), ("static",), True, 21),
        (("",), ("static", *ASE), True, 20),
        (("",), ("static", *ASE), False, 14),
        (("", LARGE), ("static", *ASE), True, 38),
        (("", LARGE), ("static", *ASE), False, 27),
        ((LARGE,), ASE, True, 27),
    ],
)
def test_cells_are_won_as_often_as_the_notes_count(suffixes, kinds, own_teacher, expected):
    ours = readings.scores(TABLE, W, X2S, suffixes)
    distilled = readings.scores(TABLE, W, ASE, suffixes)
    static = readings.scores(TABLE, W, ("static",))
    both = readings.joined(static, distilled)
    baselines = {ASE: distilled, ("static",): static}.get(kinds, both)
    assert readings.won(ours, baselines, own_teacher) == expected


def test_the_gains_and_the_tests_of_a_difference_are_those_of_the_notes():
    gains = readings.gains(TABLE, "mean", ("static",))[0].round(3).tolist()
    assert gains == [-0.062, -0.001, 0.042, 0.129, 0.031]
    names, t = readings_table_5.welch(TABLE)
    assert len(names) == 6 and (t.min().round(1), t.max().round(1)) == (6.8, 15.6)
    assert readings_table_5.welch(TABLE, 0.05)[1].min() == pytest.approx(5.1, abs=0.05)


# ---- invented worlds: our teachers, and rows that follow the text or its opposite


def similarity(kind, model, family, values):
    """Rows of one set of vectors: {data set: correlation}, and their mean."""
    keys = {"estimator": kind, "model": model, "family": family}
    cells = [
        {**keys, "measure": W, "dataset": name, "value": value}
        for name, value in values.items()
    ]
    return [
        *cells,
        {**keys, "measure": WM, "value": float(np.mean(list(values.values())))},
    ]


def world(sentence=0.40, paragraph=0.42, ase=0.36, cbow=0.30, sets=SIMILARITY):
    """Two teachers, each with X2Static and ASE, and CBOW: one correlation for all data sets."""
    rows = similarity("static", "CBOW", "static", dict.fromkeys(sets, cbow))
    for model, family in (("cwr-bert", "masked"), ("cwr-gpt", "causal")):
        rows += similarity(SENTENCE, model, family, dict.fromkeys(sets, sentence))
        rows += similarity(PARAGRAPH, model, family, dict.fromkeys(sets, paragraph))
        for kind in ASE:
            rows += similarity(kind, model, family, dict.fromkeys(sets, ase))
    return rows


SIMILARITY_CLAIMS = [
    "gup-x2static-beats-ase",
    "gup-x2static-beats-ase.per-task-mean",
    "gup-x2static-beats-ase-cells",
    "gup-x2static-beats-all-cells",
    "gup-x2static-beats-all-cells.strict",
    "gup-x2static-beats-all-cells.best-per-task",
    "gup-x2static-beats-all-cells.static-only",
    "gup-x2static-beats-static-avg",
    "gup-significant-margin-sim",
    "gup-simlex-simverb-strongest.extent",
]


@pytest.mark.parametrize("name", SIMILARITY_CLAIMS)
def test_a_world_that_follows_the_text_holds_its_opposite_and_a_tie_fail(name):
    assert ask(name, world()).verdict == HOLDS
    assert ask(name, world(ase=0.5, cbow=0.5)).verdict == FAILS
    assert (
        ask(name, world(sentence=0.4, paragraph=0.4, ase=0.4, cbow=0.4)).verdict == FAILS
    )


@pytest.mark.parametrize(
    "name", [name for name in SIMILARITY_CLAIMS if "beats-ase" not in name]
)
def test_a_cbow_row_above_everything_fails_in_the_group_of_our_models(name):
    assert ask(name, world(cbow=0.9)).verdict == FAILS


@pytest.mark.parametrize("name", SIMILARITY_CLAIMS)
def test_other_families_do_not_decide_for_every_teacher(name):
    baselines = [
        row
        for model, family in (("minilm", "sentence"), ("cwr-elmo", "bilstm"))
        for kind in (*X2S, *ASE)
        for row in similarity(kind, model, family, dict.fromkeys(SIMILARITY, 0.1))
    ]
    high = [{**row, "value": 0.9} for row in baselines]
    assert ask(name, world() + baselines).verdict == HOLDS
    assert ask(name, world(ase=0.5, cbow=0.5) + high).verdict == FAILS
    verdict = ask(name, baselines + similarity("static", "CBOW", "static", {"RG-65": 0.1}))
    assert verdict.verdict == NOT_RUN and "no masked and no causal model" in verdict.reason


@pytest.mark.parametrize("name", FIVE_SETS)
def test_with_two_data_sets_the_claims_over_five_name_what_is_missing(name):
    verdict = ask(name, world(sets=("WS-353", "SL-999")))
    assert verdict.verdict == NOT_RUN and "SV-3500" in verdict.reason


@pytest.mark.parametrize(
    "name", [name for name in SIMILARITY_CLAIMS if name not in FIVE_SETS]
)
def test_the_other_claims_are_judged_on_whichever_of_the_five_sets_are_there(name):
    assert ask(name, world(sets=("WS-353", "SL-999"))).verdict == HOLDS


def test_most_says_nothing_of_one_data_set():
    verdict = ask("gup-x2static-beats-all-cells", world(sets=("WS-353",)))
    assert verdict.verdict == NOT_RUN and "at least 2 data sets" in verdict.reason


def test_half_of_the_cells_are_not_most_and_one_more_is():
    rows = [row for row in world(sets=("WS-353", "SL-999")) if row["model"] != "cwr-gpt"]
    cells = [row for row in rows if row["estimator"] in X2S and row["measure"] == W]
    for row in cells[:2]:
        row["value"] = 0.1
    assert ask("gup-x2static-beats-all-cells", rows).verdict == FAILS
    cells[0]["value"] = 0.5
    assert ask("gup-x2static-beats-all-cells", rows).verdict == HOLDS


def test_ase_competes_with_its_own_teacher_alone_unless_the_reading_is_strict():
    rows = world()
    for row in rows:
        if row["estimator"] in ASE and row["model"] == "cwr-gpt":
            row["value"] = 0.9
        if row["estimator"] in X2S and row["model"] == "cwr-gpt":
            row["value"] = 0.95 if row.get("dataset") == "RG-65" else 0.1
    assert readings.won(*rivalry(rows)) == 12  # all of BERT's ten, two of GPT's
    assert readings.won(*rivalry(rows), own_teacher=False) == 2
    assert ask("gup-x2static-beats-all-cells", rows).verdict == HOLDS
    assert ask("gup-x2static-beats-all-cells.strict", rows).verdict == FAILS
    for row in rows:
        if row["estimator"] in X2S and row["model"] == "cwr-gpt":
            row["value"] = 0.95
    assert ask("gup-significant-margin-sim", rows).verdict == HOLDS


def rivalry(rows):
    """X2Static's rows and their competitors."""
    table = tables.Table(tables.tidy(rows))
    return readings.scores(table, W, X2S), readings.rivals(table, W)


@pytest.mark.parametrize(
    "name", ["gup-x2static-beats-ase", "gup-x2static-beats-all-cells"]
)
def test_a_teacher_without_ase_and_a_group_without_static_rows_are_not_judged_on_nothing(
    name,
):
    no_ase = [
        row for row in world() if row["model"] != "cwr-gpt" or row["estimator"] not in ASE
    ]
    verdict = ask(name, no_ase)
    assert verdict.verdict == NOT_RUN and "ASE of cwr-gpt" in verdict.reason
    no_static = [row for row in world() if row["estimator"] != "static"]
    static = ask("gup-x2static-beats-static-avg", no_static)
    assert static.verdict == NOT_RUN and "static" in static.reason


def test_a_row_that_lacks_a_data_set_is_named_and_two_seeds_are_refused():
    rows = world()
    lacking = [
        row for row in rows if (row["model"], row.get("dataset")) != ("CBOW", "RW-2034")
    ]
    verdict = ask("gup-x2static-beats-all-cells", lacking)
    assert verdict.verdict == NOT_RUN and "CBOW on RW-2034" in verdict.reason
    both = lacking + similarity(
        "static", "SKIPGRAM", "static", dict.fromkeys(SIMILARITY, 0.3)
    )
    verdict = ask("gup-x2static-beats-all-cells", both)
    assert verdict.verdict == NOT_RUN and "spearman of CBOW on RW-2034" in verdict.reason
    twice = [{**row, "seed": seed} for seed in (0, 1) for row in rows]
    verdict = ask("gup-x2static-beats-ase", twice)
    assert verdict.verdict == NOT_RUN and "seed" in verdict.reason


def test_a_variant_and_a_data_set_that_is_none_of_the_five_are_not_read():
    other = similarity("static", "CBOW", "static", {"MEN": 0.9})[:1]
    variant = [
        {**row, "variant": "mean removed", "value": 0.9}
        for row in similarity("static", "CBOW", "static", dict.fromkeys(SIMILARITY, 0.9))
    ]
    assert ask("gup-x2static-beats-all-cells", world() + other + variant).verdict == HOLDS


def test_the_two_largest_gains_and_a_level_third():
    rows = world()
    gained = {"SL-999": 0.1, "SV-3500": 0.2, "RW-2034": 0.05}
    for row in rows:
        if row["estimator"] in X2S and row["measure"] == W:
            row["value"] = 0.30 + gained.get(row["dataset"], 0)
    name = "gup-simlex-simverb-strongest"
    assert ask(name, rows).verdict == HOLDS
    for row in rows:
        row["value"] += 0.05 * (
            row["estimator"] in X2S and row.get("dataset") == "RW-2034"
        )
    level = ask(name, rows)
    assert level.verdict == NOT_RUN and "share the second largest gain" in level.reason
    for row in rows:
        row["value"] += 0.01 * (
            row["estimator"] in X2S and row.get("dataset") == "RW-2034"
        )
    assert ask(name, rows).verdict == FAILS


def test_cbow_is_best_on_rg65_only_where_it_is_and_only_alone():
    high = world(cbow=0.9)
    assert ask("gup-rg65-cbow-best", high).verdict == HOLDS
    assert ask("gup-rg65-cbow-best", world()).verdict == FAILS
    level = ask("gup-rg65-cbow-best", world(cbow=0.42))
    assert level.verdict == NOT_RUN and "share the largest" in level.reason
    other = similarity("static", "SKIPGRAM", "static", {"RG-65": 0.95})
    assert ask("gup-rg65-cbow-best", high + other).verdict == FAILS
    renamed = [{**row, "model": row["model"].replace("CBOW", "GloVe")} for row in high]
    assert "CBOW" in ask("gup-rg65-cbow-best", renamed).reason
    general = CLAIMS["gup-rg65-cbow-best"].general_form
    assert judge(general, tables.tidy(renamed)).verdict == HOLDS
    assert judge(general, tables.tidy(world())).verdict == FAILS
    only_static = [row for row in high if row["estimator"] == "static"]
    assert judge(general, tables.tidy(only_static)).verdict == NOT_RUN


def test_paragraphs_beat_sentences_of_the_same_teacher_and_a_tie_is_no_win():
    assert ask("gup-para-gt-sent-sim", world()).verdict == HOLDS
    assert ask("gup-para-gt-sent-sim", world(paragraph=0.40)).verdict == FAILS
    only_bert = [
        row
        for row in world()
        if (row["model"], row["estimator"]) != ("cwr-gpt", PARAGRAPH)
    ]
    assert ask("gup-para-gt-sent-sim", only_bert).verdict == HOLDS
    alone = [row for row in world() if row["estimator"] != SENTENCE]
    assert ask("gup-para-gt-sent-sim", alone).verdict == NOT_RUN


def test_significance_is_a_share_of_the_draws():
    rows = world()
    values = np.array([row["value"] for row in rows])
    replicates = np.tile(values, (200, 1))
    cbow = [row["estimator"] == "static" and row["measure"] == WM for row in rows]
    replicates[:10, cbow] = 0.9
    verdict = ask("gup-significant-margin-sim", rows, replicates)
    assert (verdict.verdict, verdict.support) == (UNDECIDED, 0.95)
    replicates[5:10, cbow] = 0.3
    assert ask("gup-significant-margin-sim", rows, replicates).verdict == HOLDS


# ---- classification


def downstream(x2static=70.0, ase=66.0, static=65.0, measures=(F1, F1M), sets=TASKS):
    """One teacher with both variants and ASE, and one static row: one score for all tasks."""
    kinds = {SENTENCE: x2static, PARAGRAPH: x2static, BEST_LAYER: ase}
    labels = [(kind, "cwr-bert", "masked", value) for kind, value in kinds.items()]
    rows = []
    for kind, model, family, value in [*labels, ("static", "CBOW", "static", static)]:
        keys = {"estimator": kind, "model": model, "family": family, "value": value}
        rows += [{**keys, "measure": measures[0], "dataset": name} for name in sets]
        rows.append({**keys, "measure": measures[1]})
    return rows


@pytest.mark.parametrize(
    "name, measures",
    [
        ("gup-down-beats-all", (F1, F1M)),
        ("gup-down-beats-all.strict", (F1, F1M)),
        ("gup-down-beats-all.accuracy", (ACC, ACCM)),
        ("gup-down-beats-all.four-tasks", (F1, F1M)),
    ],
)
def test_downstream_a_world_that_follows_the_text_holds_and_its_opposite_fails(
    name, measures
):
    assert ask(name, downstream(measures=measures)).verdict == HOLDS
    assert ask(name, downstream(ase=71, measures=measures)).verdict == FAILS
    assert ask(name, downstream(static=70, measures=measures)).verdict == FAILS
    few = ask(name, downstream(measures=measures, sets=("SUBJ",)))
    assert few.verdict == NOT_RUN and "MPQA" in few.reason


@pytest.mark.parametrize(
    "name, measures",
    [
        ("gup-down-beats-all", (F1, F1M)),
        ("gup-down-beats-all.accuracy", (ACC, ACCM)),
        ("gup-para-gt-sent-down", (F1, F1M)),
        ("gup-para-gt-sent-down.accuracy", (ACC, ACCM)),
        ("gup-para-gt-sent-down.accuracy-or-tie", (ACC, ACCM)),
    ],
)
@pytest.mark.parametrize(
    "random, verdict", [(60.0, HOLDS), (71.0, NOT_RUN), (72.0, NOT_RUN)]
)
def test_a_classifier_that_learns_as_much_from_random_vectors_judges_nothing(
    name, measures, random, verdict
):
    control = {
        "model": "random",
        "estimator": "random_vectors",
        "measure": measures[1],
        "value": random,
    }
    rows = [
        {**row, "value": row["value"] + (row["estimator"] == PARAGRAPH)}
        for row in downstream(measures=measures)
    ]
    answer = ask(name, [*rows, control])
    assert answer.verdict == verdict
    assert ("random vectors of the same words" in answer.reason) == (verdict == NOT_RUN)


def test_another_teachers_ase_competes_in_the_strict_reading_only():
    other = [
        {**row, "model": "cwr-gpt", "family": "causal", "value": 69 + row["value"] / 10}
        for row in downstream()
        if row["estimator"] != "static"
    ]
    assert ask("gup-down-beats-all", downstream() + other).verdict == HOLDS
    assert ask("gup-down-beats-all.strict", downstream() + other).verdict == FAILS


@pytest.mark.parametrize(
    "name",
    [
        "gup-roberta-sent-exception",
        "gup-roberta-sent-cause-cr",
        "gup-roberta-sent-cause-cr.own-ase",
        "gup-roberta-sent-cause-cr.without-cr",
        "gup-larger-corpora-lag",
        "gup-larger-corpora-lag.accuracy",
        "gup-ratios",
    ],
)
def test_claims_about_printed_rows_are_not_run_without_them(name):
    rows = [*downstream(), *downstream(measures=(ACC, ACCM))]
    names = {
        "corpus_tokens": "CBOW",
        "training_corpus_ratio": "CBOW",
        "corpus_words": None,
    }
    rows += [
        {"model": model, "measure": measure, "value": 1}
        for measure, model in names.items()
    ]
    verdict = ask(name, rows)
    assert verdict.verdict == NOT_RUN and re.search("ROBERTA-12|GLOVE", verdict.reason)


def changed(measure, shift=0.0, factor=1.0, **keys):
    """The printed numbers with one measure moved, in some rows."""
    keep = tables.matching(PUBLISHED, measure=measure, **keys)
    assert keep.any()
    values = PUBLISHED["value"].to_numpy()
    return PUBLISHED.assign(value=np.where(keep, values * factor + shift, values))


def test_table_5_needs_deviations_and_runs():
    name = "gup-table5-margin"
    assert judge(CLAIMS[name], changed(F1M + "_run_sd", factor=3.1)).verdict == FAILS
    wide = changed(F1M + "_run_sd", factor=3)  # t is 2.26 for GPT-2
    assert judge(CLAIMS[name], wide).verdict == HOLDS
    assert judge(CLAIMS[f"{name}.worst-rounding"], wide).verdict == FAILS
    none = changed(F1M + "_run_sd", factor=0)
    assert "ratio with 0" in judge(CLAIMS[name], none).reason
    one = judge(CLAIMS[name], changed("downstream_runs", 1, 0))
    assert one.verdict == NOT_RUN and "two runs" in one.reason
    far = changed(F1M, 1, estimator=PARAGRAPH, model="GPT2-12")
    assert judge(CLAIMS["gup-table5-consistent"], far).verdict == FAILS


# ---- bold


def test_bold_is_above_in_tables_3_and_6_and_at_least_level_in_table_4():
    row = {"estimator": SENTENCE, "model": "BERT-12"}
    bound = tables.only_value(
        tables.where(PUBLISHED[PUBLISHED["variant"].isna()], **row), W, dataset="SL-999"
    )
    level = changed(W, bound, 0, model="SENT2VEC", dataset="SL-999")
    assert not mark(readings.marks(tables.Table(level)), "SL-999", W)
    f1 = tables.only_value(tables.where(PUBLISHED, **row), F1, dataset="MR")
    level = changed(F1, f1, 0, model="CBOW", dataset="MR")
    assert mark(
        readings.marks(tables.Table(level), strict=False, measures=(F1,)), "MR", F1
    )


def mark(marks, dataset, measure):
    """Whether the rule makes BERT-12's sentence cell bold."""
    return marks.ruled[
        0, marks.cells.index(("X2Static sentence BERT-12", dataset, measure))
    ]


# ---- the corpus and the costs


def growth(ase, x2static, sizes=(1e6, 2e6, 4e6)):
    """Curves of one teacher on the two data sets of Figure 1."""
    rows = []
    for dataset in claims_figure_1.DATASETS:
        for kind, values in ((BEST_LAYER, ase), (PARAGRAPH, x2static)):
            keys = {
                "estimator": kind,
                "model": "cwr-bert",
                "family": "masked",
                "dataset": dataset,
            }
            rows += [
                {**keys, "measure": claims_figure_1.GROWTH, "k": size, "value": value}
                for size, value in zip(sizes, values, strict=True)
            ]
    return rows


@pytest.mark.parametrize(
    "ase, x2static, verdict",
    [
        ((0.1, 0.30, 0.31), (0.2, 0.4, 0.5), HOLDS),  # gains 0.01: flat
        ((0.3, 0.40, 0.42), (0.2, 0.4, 0.5), FAILS),  # gains 0.02
        ((0.1, 0.40, 0.40), (0.1, 0.2, 0.3), HOLDS),  # below, and still growing
        ((0.1, 0.40, 0.40), (0.1, 0.3, 0.3), FAILS),  # below, and as flat
        ((0.1, 0.40, 0.38), (0.1, 0.3, 0.29), FAILS),  # below, and falls more slowly
        ((0.1, 0.40, 0.40), (0.1, 0.5, 0.5), HOLDS),  # above, and as flat
    ],
)
def test_ase_saturates_over_the_last_doubling(ase, x2static, verdict):
    assert ask("gup-ase-saturates", growth(ase, x2static)).verdict == verdict


def test_ase_saturates_on_the_two_sets_of_figure_1_whatever_others_are_there():
    flat, rising = (0.1, 0.30, 0.31), (0.2, 0.4, 0.5)
    others = [
        {**row, "dataset": "MEN"}
        for row in growth(rising, flat)
        if row["dataset"] == "SL-999"
    ]
    assert ask("gup-ase-saturates", growth(flat, rising) + others).verdict == HOLDS


def test_half_of_the_largest_corpus_is_interpolated_on_the_logarithm_of_the_size():
    table = tables.Table(
        tables.tidy(growth((0.1, 0.2, 0.5), (0.1, 0.2, 0.5), (1e6, 2e6, 8e6)))
    )
    gain, last, size = claims_figure_1.last_doubling(
        table, BEST_LAYER, "cwr-bert", "SL-999"
    )
    assert (gain[0], last[0], size) == pytest.approx((0.15, 0.5, 8e6))


def test_curves_that_cannot_be_compared_are_not_judged():
    short = ask(
        "gup-ase-saturates", growth((0.3, 0.3, 0.3), (0.4,) * 3, (3e6, 3.5e6, 4e6))
    )
    assert short.verdict == NOT_RUN and "less than a doubling" in short.reason
    rows = growth((0.3, 0.3, 0.3), (0.4,) * 3)
    longer = [
        {**row, "k": row["k"] * 2} if row["estimator"] == PARAGRAPH else row
        for row in rows
    ]
    assert "different sizes" in ask("gup-ase-saturates", longer).reason
    one_set = [row for row in rows if row["dataset"] == "SL-999"]
    assert "RW-2034" in ask("gup-ase-saturates", one_set).reason
    assert (
        ask(
            "gup-ase-saturates", [row for row in rows if row["estimator"] == BEST_LAYER]
        ).verdict
        == NOT_RUN
    )


@pytest.mark.parametrize("value, verdict", [(0.17, HOLDS), (0.18, HOLDS), (0.19, FAILS)])
def test_dismal_is_at_most_half_of_ase(value, verdict):
    keys = {"family": "masked", "model": "cwr-bert", "measure": WM}
    rows = [*world(), {**keys, "estimator": readings.ALONE, "value": value}]
    assert ask("gup-decontextual-dismal", rows).verdict == verdict
    zero = ask("gup-decontextual-dismal", [{**row, "value": 0} for row in rows])
    assert zero.verdict == NOT_RUN and "not above 0" in zero.reason


@pytest.mark.parametrize(
    "minimum, maximum, verdict", [(0.3, 0.2, HOLDS), (0.4, 0.2, FAILS), (0.3, 0.5, FAILS)]
)
def test_the_mean_pools_best_if_both_others_are_below_it(minimum, maximum, verdict):
    values = dict(zip(readings.POOLS, (0.4, minimum, maximum), strict=True))
    keys = {"family": "masked", "model": "cwr-bert", "measure": WM}
    rows = [{**keys, "estimator": pool, "value": value} for pool, value in values.items()]
    assert ask("gup-average-pooling-best", rows).verdict == verdict
    lacking = ask("gup-average-pooling-best", rows[:2])
    assert lacking.verdict == NOT_RUN and readings.POOLS[2] in lacking.reason


@pytest.mark.parametrize(
    "name, measure",
    [
        ("gup-cheaper-para", claims_sections.CALLS),
        ("gup-cheaper-para.flops", claims_sections.FLOPS_PER_WORD),
    ],
)
@pytest.mark.parametrize(
    "paragraph, verdict", [(2.1e8, HOLDS), (2.2e8, FAILS), (2.3e8, FAILS)]
)
def test_paragraphs_need_fewer_calls_and_fewer_operations_a_word(
    name, measure, paragraph, verdict
):
    keys = {"family": "masked", "model": "cwr-bert", "measure": measure}
    rows = [
        {**keys, "estimator": SENTENCE, "value": 2.2e8},
        {**keys, "estimator": PARAGRAPH, "value": paragraph},
    ]
    assert ask(name, rows).verdict == verdict
    assert ask(name, rows[1:]).verdict == NOT_RUN


def test_fewer_calls_follow_from_the_papers_filter_and_its_printed_number_is_above_one():
    verdict = on_published(CLAIMS["gup-cheaper-para"], PUBLISHED)
    assert (verdict.verdict, verdict.ground) == (HOLDS, "by proof")
    assert "three sentences" in verdict.reason
    assert tables.only_value(PUBLISHED, "corpus_paragraph_filter_minimum_sentences") == 3


# ---- the checks of printed numbers


def test_checks_that_differ_are_the_known_errata_and_remarks_are_none_of_the_paper():
    differing = {
        name for name, check in CHECKS.items() if not check.find(PUBLISHED).agrees
    }
    assert len(CHECKS) == len(gupta2021.CHECKS) == 24 and differing == ERRATA
    remarks = {name: check.stated for name, check in CHECKS.items() if check.remark}
    assert remarks == {"rg65-gold": "Released", "tens-of-millions": "Printed"}
    copied = {name for name, check in CHECKS.items() if check.from_copy}
    assert copied == {
        "table6-names",
        "table6-layer",
        "bold-table6",
        "bold-table4",
        "table2-values",
    }


def test_nineteen_cells_of_trec_and_of_sst5_are_below_their_bound_and_none_with_fifty_labels():
    for dataset, exception in (("TREC", "ROBERTA-12"), ("SST-5", "sBERT-BASE-NLI")):
        refused = checks_table_4.outside(PUBLISHED, (dataset,))
        pairs = checks_table_4.f1_pairs(PUBLISHED, dataset)
        possible = [row for row in pairs.index if f"{dataset} {row}" not in refused]
        assert len(refused) == 19 and possible == [exception]
    fine = checks_table_4.class_counts(PUBLISHED, "TREC (fine labels)")
    pairs = checks_table_4.f1_pairs(PUBLISHED, "TREC")
    reached = checks_table_4.bounds(pairs, fine, classification.low_macro_f1)
    assert (reached <= pairs["macro_f1"] + 0.05).all()


@pytest.mark.parametrize("dataset", ["TREC", "SST-5"])
def test_as_means_of_arbitrary_runs_seventeen_cells_stay_below_and_of_near_runs_nineteen(
    dataset,
):
    pairs = checks_table_4.f1_pairs(PUBLISHED, dataset)
    counts = checks_table_4.class_counts(PUBLISHED, dataset)
    for spread, cells in ((None, 17), (1.5, 19)):
        limit = checks_table_4.least_of_runs(pairs["accuracy"], counts, spread=spread)
        assert (pairs["macro_f1"] + 0.05 < limit).sum() == cells


def test_the_curve_of_least_macro_f1_is_the_bound_and_covers_the_printed_accuracies():
    accuracy = checks_table_4.f1_pairs(PUBLISHED, "TREC")["accuracy"]
    x, least = checks_table_4.least_curve(accuracy, (60, 40))
    assert x[0] == accuracy.min() - 1 and accuracy.max() < x[-1] <= 100
    smallest = [classification.smallest_macro_f1((60, 40), value / 100) for value in x]
    assert least == [100 * value for value in smallest] and len(x) == 40
    high = accuracy + 100 - accuracy.max()
    assert checks_table_4.least_curve(high, (60, 40))[0][-1] == 100


# ---- the tables


def test_the_table_is_tidy():
    assert list(PUBLISHED.columns[: len(tables.KEYS) + 1]) == [*tables.KEYS, "value"]
    assert not PUBLISHED.duplicated(tables.KEYS).any()
    counts = PUBLISHED.groupby("artifact").size()
    assert counts[["Table 1", "Table 2", "Table 5"]].tolist() == [7, 59, 24]
    rows = PUBLISHED[
        PUBLISHED["measure"].isin((F1, ACC)) & (PUBLISHED["artifact"] == "Table 4")
    ]
    assert rows.groupby("dataset").size().to_dict() == dict.fromkeys(TASKS, 40)
    assert set(PUBLISHED["family"].dropna()) == {"masked", "causal", "static", "sentence"}


def test_nothing_of_the_printed_numbers_is_lost(shared):
    notes, printed, bold = (
        list(csv.DictReader(path.open(encoding="utf8")))
        for path in (
            shared / "published" / "gupta2021.csv",
            FOLDER / "printed.csv",
            FOLDER / "marks.csv",
        )
    )
    assert Counter((row["artifact"], row["value"]) for row in notes) == Counter(
        (row["artifact"], row["printed"]) for row in printed
    )
    assert sum(row["note"] == "bold" for row in notes) == sum(
        row["printed"] == "1" for row in bold if row["measure"].startswith(BOLD)
    )
    layers = Counter(row["note"][6:] for row in notes if row["note"].startswith("layer="))
    assert layers == Counter(row["layer"] for row in printed if row["layer"])


def test_derived_counts_come_from_the_source_files(shared, monkeypatch):
    monkeypatch.setenv("CWR_DATA", str(shared / "data" / "mirror"))
    path = ROOT / "workflow" / "tables" / "gupta2021.py"
    spec = importlib.util.spec_from_file_location("derived", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = module.gupta2021().to_csv(index=False, lineterminator="\n")
    assert text == (module.FOLDER / "data.csv").read_text(encoding="utf8")
    assert module.FOLDER == FOLDER
