"""Gupta and Jaggi (2021) on vectors of ours: what is asked of whom, with invented numbers.

The rows are those that the chapter's notebooks write. `small`: two teachers, of which one reads
paragraphs too, no pools of contexts, two of the paper's five similarity sets, one classification
task that is none of its six. `base`: more teachers, two of them of families that the paper does not
speak of, all sets and tasks. `paper`: its own teachers. Beside them stand rows of our own, which no
claim reads.
"""

import re
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cwr.estimates import printed_names
from cwr.papers import artifacts
from cwr.papers.claims import Claim
from cwr.report import groups, judge, results, verdicts
from cwr.report.judgement import FAILS, HOLDS, NOT_RUN
from cwr.texts.gupta2021 import claims as gupta2021
from cwr.texts.gupta2021.claims import figure_1 as claims_figure_1
from cwr.texts.gupta2021.claims import readings as r
from cwr.texts.gupta2021.claims import sections as claims_sections

SENTENCES, PARAGRAPHS = r.X2S
FAMILIES = {
    "cwr-elmo": "bilstm",
    "cwr-bert": "masked",
    "cwr-gpt": "causal",
    "minilm": "sentence",
    "smollm2": "causal",
}
HUB = {
    "BERT-base-uncased": "masked",
    "RoBERTa-base": "masked",
    "GPT-2-small": "causal",
    "BERT-large-uncased": "masked",
    "RoBERTa-large": "masked",
    "GPT-2-medium": "causal",
}
LARGER = (
    "BERT-large-uncased",
    "RoBERTa-large",
    "GPT-2-medium",
)  # 24 layers: Table 6's measures
SMALL_SETS, SMALL_TASKS = ("WS-353", "SL-999"), ("SemEval-2010",)
SMALL_KINDS = {"cwr-bert": (*r.X2S, *r.ASE), "cwr-gpt": (SENTENCES, *r.ASE)}
SCRATCH = ("SKIPGRAM", "CBOW", "SENT2VEC")
OWN_KINDS = ("input_matrix", "ase_layer_0", "ase_centred", "ase_half", "model2vec")
HEIGHTS = {  # the correlation of each kind, in a world that follows the text
    SENTENCES: 0.46,
    PARAGRAPHS: 0.48,
    **dict.fromkeys(r.ASE, 0.40),
    r.STATIC: 0.30,
    r.ELSEWHERE: 0.30,
    r.ALONE: 0.10,
    **dict(zip(r.POOLS, (0.38, 0.30, 0.32), strict=True)),
    **dict.fromkeys(OWN_KINDS, 0.90),
}
STRONGEST = {"SL-999": 0.05, "SV-3500": 0.06}  # what X2Static gains there beyond that
COSTS = {SENTENCES: 2.2e8, PARAGRAPHS: 2.1e8}
SIZES = (250_000, 500_000, 1_000_000, 2_000_000)
NOISE = np.random.default_rng(0).normal(0, 0.002, 200)


def vectors(kinds: dict[str, tuple[str, ...]]) -> list[dict]:
    """The keys of every set of word vectors: distilled, from scratch, and our own."""
    rows = [
        {"model": model, "family": (FAMILIES | HUB)[model], "estimator": kind}
        for model, distilled in kinds.items()
        for kind in (*distilled, r.ALONE, *r.POOLS, *OWN_KINDS)
    ]
    static = {"family": r.STATIC, "estimator": r.STATIC}
    rows += [{"model": model, **static} for model in SCRATCH]
    return [*rows, {"model": "cwr-static", "family": r.STATIC, "estimator": r.ELSEWHERE}]


def scored(keys: dict, measures: tuple[str, str], values: dict[str, float]) -> list[dict]:
    """A score on each data set, and their mean as the last row."""
    score, mean = measures
    rows = [
        {**keys, "measure": score, "dataset": name, "value": values[name]}
        for name in values
    ]
    return [
        *rows,
        {**keys, "measure": mean, "value": float(np.mean(list(values.values())))},
    ]


def similarity(kinds: dict, names: tuple[str, ...]) -> list[dict]:
    """Correlations on these data sets and on MEN; the mean with MEN is a measure of its own."""
    rows = []
    for keys in vectors(kinds):
        gained = STRONGEST if keys["estimator"] in r.X2S else {}
        height = HEIGHTS[keys["estimator"]]
        size = r.LARGE if keys["model"] in LARGER else ""
        values = {name: height + gained.get(name, 0) for name in names}
        rows += scored(keys, (r.W + size, r.WM + size), values)
        rows.append({**keys, "measure": r.W + size, "dataset": "MEN", "value": 0.9})
        rows.append({**keys, "measure": f"{r.WM}_all_sets{size}", "value": 0.9})
    return rows


def classification(kinds: dict, names: tuple[str, ...]) -> list[dict]:
    """Scores of all sets of vectors and of their parents, in per cent.

    The averages are those over the paper's six tasks, and are absent where these are.
    """
    parents = [
        {"model": "cwr-bert", "family": "masked", "estimator": "fine_tuned"},
        {"model": "minilm", "family": "sentence", "estimator": "sentence_encoder"},
    ]
    rows = []
    for keys in [*vectors(kinds), *parents]:
        value = 100 * HEIGHTS.get(keys["estimator"], 0.99)
        for measures in ((r.F1, r.F1M), (r.ACC, r.ACCM)):
            *cells, mean = scored(keys, measures, dict.fromkeys(names, value))
            rows += [*cells, mean] if names == r.TASKS else cells
    return rows


def runs() -> list[dict]:
    """Table 5: six runs of one teacher."""
    rows = [{"measure": "downstream_runs", "value": 6}]
    for kind in (PARAGRAPHS, r.BEST_LAYER):
        keys = {"model": "cwr-bert", "family": "masked", "estimator": kind}
        for mean in (r.F1M, r.ACCM):
            rows.append(
                {**keys, "measure": mean + r.RUN_MEAN, "value": 100 * HEIGHTS[kind]}
            )
            rows.append({**keys, "measure": mean + r.RUN_SD, "value": 0.3})
    return rows


def costs(kinds: dict) -> list[dict]:
    rows = []
    for model, distilled in kinds.items():
        keys = {"model": model, "family": (FAMILIES | HUB)[model]}
        rows.append({**keys, "measure": claims_sections.FLOPS, "value": 5e8})
        rows.append({**keys, "measure": claims_sections.DIMENSION, "value": 192})
        for kind in set(distilled) & set(COSTS):
            for measure in (claims_sections.CALLS, claims_sections.FLOPS_PER_WORD):
                row = {**keys, "estimator": kind, "measure": measure, "value": COSTS[kind]}
                rows.append(row)
    return rows


def growth(kinds: dict, names: tuple[str, ...]) -> list[dict]:
    """Figure 1: ASE is flat, X2Static grows."""
    rows = []
    for model in kinds:
        for kind, slope in ((r.BEST_LAYER, 0.0), (PARAGRAPHS, 0.02)):
            keys = {"model": model, "family": (FAMILIES | HUB)[model], "estimator": kind}
            for name in names:
                for step, size in enumerate(SIZES):
                    row = {**keys, "dataset": name, "k": size, "value": 0.4 + slope * step}
                    rows.append({**row, "measure": claims_figure_1.GROWTH})
    return rows


def small() -> list[dict]:
    similar = similarity(SMALL_KINDS, SMALL_SETS)
    return [
        *[row for row in similar if row["estimator"] not in r.POOLS],
        *classification(SMALL_KINDS, SMALL_TASKS),
        *costs(SMALL_KINDS),
        *growth({"cwr-bert": ()}, ("SL-999",)),
    ]


def base(models: Iterable[str] = FAMILIES) -> list[dict]:
    kinds = dict.fromkeys(models, (*r.X2S, *r.ASE))
    return [
        *similarity(kinds, r.SIMILARITY),
        *classification(kinds, r.TASKS),
        *runs(),
        *costs(kinds),
        *growth(kinds, claims_figure_1.DATASETS),
    ]


def paper() -> list[dict]:
    """The paper's own teachers, and the vectors that it names, as files of the reader's."""
    of_files = [
        {**row, "model": name}
        for row in base([])
        for name in ("GLOVE", "GLOVE-Twitter", "FASTTEXT")
        if row.get("model") == "CBOW"
    ]
    parents = [row for row in base([]) if row.get("model") in FAMILIES]
    rows = [row for row in base(HUB) if row not in parents]
    six_runs = [{**row, "model": "BERT-base-uncased"} for row in runs() if "model" in row]
    printed = printed_names.as_printed([*rows, *of_files, *six_runs])
    exception = {
        "model": "ROBERTA-12",
        "estimator": SENTENCES,
        "dataset": "CR",
        "measure": r.F1,
    }
    return raised(printed, 30.0, **exception)


def drawn(rows: list[dict]) -> list[dict]:
    """The rows with replicates, the same noise in all: their differences stay."""
    return [{**row, "replicates": row["value"] * (1 + NOISE)} for row in rows]


def judged(rows: list[dict], profile: str) -> dict[str, dict]:
    """{claim: {group: verdict}} by the book's own way, for a profile's rows."""
    table = results.collect(drawn(rows))
    return {
        each.claim.id: each for each in verdicts.judge_all(table, profile, "gupta2021")
    }


SMALL, BASE = judged(small(), "small"), judged(base(), "base")


def only(each) -> object:
    """The one verdict of a claim that is asked of one group."""
    (verdict,) = each.ours.values()
    return verdict


def names_with(judgements: dict, *words: str) -> set[str]:
    return {name for name, each in judgements.items() if only(each).verdict in words}


# ---- who is asked what


AT_SMALL = {
    "gup-x2static-beats-ase",
    "gup-x2static-beats-ase.per-task-mean",
    "gup-x2static-beats-ase-cells",
    "gup-x2static-beats-all-cells",
    "gup-x2static-beats-all-cells.strict",
    "gup-x2static-beats-all-cells.static-only",
    "gup-x2static-beats-static-avg",
    "gup-x2static-beats-static-avg.elsewhere",
    "gup-significant-margin-sim",
    "gup-para-gt-sent-sim",
    "gup-decontextual-dismal",
    "gup-cheaper-para",
    "gup-cheaper-para.flops",
}
NEVER_OF_OURS = {
    "is about ROBERTA-12": {
        "gup-roberta-sent-exception",
        "gup-roberta-sent-cause-cr",
        "gup-roberta-sent-cause-cr.own-ase",
        "gup-roberta-sent-cause-cr.without-cr",
    },
    "is about GLOVE, GLOVE (Twitter) and FASTTEXT": {
        "gup-larger-corpora-lag",
        "gup-larger-corpora-lag.accuracy",
    },
    "is about BERT-12": {
        "gup-compute-tens-of-millions",
        "gup-compute-tens-of-millions.per-word",
    },
    "of BERT-24, ROBERTA-24 and GPT2-24": {
        "gup-x2static-beats-all-cells.table-6",
        "gup-x2static-beats-all-cells.strict-table-6",
        "gup-para-gt-sent-sim.table-6",
        "gup-24-beats-ase",
        "gup-24-beats-ase.per-task-mean",
        "gup-24-beats-ase.cells",
        "gup-24-beats-ase.every-cell",
        "gup-24-gt-12",
    },
    "bold is a mark of print": {
        "gup-bold-rule-t3",
        "gup-bold-rule-t3.table-6",
        "gup-bold-rule-t4",
        "gup-bold-rule-t4.none-missed",
    },
    "as they are printed": {"gup-ratios"},
    "on the authors' machines": {"gup-speed"},
    "cannot differ from itself": {"gup-table5-consistent"},
    "no printed number can decide": {"gup-extrapolation"},
}


def test_at_small_those_claims_are_judged_that_two_sets_and_two_teachers_can_decide():
    assert names_with(SMALL, HOLDS, FAILS) == AT_SMALL
    assert names_with(SMALL, HOLDS) == AT_SMALL, "the invented rows follow the text"
    assert {group for each in SMALL.values() for group in each.ours} <= {"cwr", "small"}
    assert {group for name in AT_SMALL for group in SMALL[name].ours} == {"cwr"}


def test_at_base_all_are_judged_but_the_24_layer_ones_print_and_printed_rows():
    never = set().union(*NEVER_OF_OURS.values())
    assert names_with(BASE, HOLDS, FAILS) == set(BASE) - never
    assert {group for name in set(BASE) - never for group in BASE[name].ours} == {
        "base",
        "cwr",
    }


PRINT_ALONE = {name for name, each in SMALL.items() if each.claim.print_only}


def test_on_the_papers_own_teachers_all_are_judged_but_what_print_alone_or_nothing_decides():
    judgements = judged(paper(), "paper")
    left = names_with(judgements, NOT_RUN)
    assert left == PRINT_ALONE | {"gup-extrapolation"}
    assert len(PRINT_ALONE) == 7
    rows = printed_names.as_printed(base(["cwr-bert"]))
    assert rows == base(["cwr-bert"]), "other teachers keep their names and measures"


@pytest.mark.parametrize("words", NEVER_OF_OURS)
@pytest.mark.parametrize("judgements", [SMALL, BASE])
def test_what_is_never_asked_of_ours_says_why(judgements, words):
    for name in NEVER_OF_OURS[words]:
        verdict = only(judgements[name])
        assert verdict.verdict == NOT_RUN and words in verdict.reason, name


REASONS = (
    r"the claim is about .+ without results here",
    r"the claim needs numbers that are missing here: .+, of (CR, MR, MPQA, SUBJ, TREC and SST-5|BERT-24, ROBERTA-24 and GPT2-24)",
    r"the claim needs numbers that are missing here: word similarity mean spearman \(aggregated_mean\)",
    r"bold is a mark of print, which no vectors bear",
    r"the claim compares the sizes of four corpora, as they are printed",
    r"the claim compares hours and days on the authors' machines",
    r"in our runs a score is the mean over the runs, which cannot differ from itself",
    r"this is an expectation about corpora beyond the largest one, which no printed number can decide",
)


def test_every_reason_names_what_is_missing():
    for judgements in (SMALL, BASE):
        for name, each in judgements.items():
            verdict = only(each)
            if verdict.verdict == NOT_RUN:
                assert any(re.fullmatch(pattern, verdict.reason) for pattern in REASONS), (
                    name,
                    verdict.reason,
                )


def test_what_no_run_at_small_can_decide_names_the_missing_sets():
    five_sets = [name for name, each in SMALL.items() if "SV-3500" in only(each).reason]
    assert len(five_sets) == 6, "best-per-task and five readings of SimLex and SimVerb"
    assert "RG-65" in only(SMALL["gup-rg65-cbow-best"]).reason
    assert "RW-2034" in only(SMALL["gup-ase-saturates"]).reason
    six_tasks = [name for name, each in SMALL.items() if "MPQA" in only(each).reason]
    assert len(six_tasks) == 10


# ---- the house: static rows, families, sets


def raised(rows: list[dict], value: float, **keys: str) -> list[dict]:
    """The rows with another value where they have these keys."""
    return [
        {**row, "value": value} if keys.items() <= row.items() else row for row in rows
    ]


def test_a_cbow_row_above_everything_fails_the_claims_on_competing_models_and_no_other():
    high = judged(raised(small(), 0.95, model="CBOW"), "small")
    changed = {name for name in AT_SMALL if only(high[name]).verdict == FAILS}
    assert changed == {
        "gup-x2static-beats-all-cells",
        "gup-x2static-beats-all-cells.strict",
        "gup-x2static-beats-all-cells.static-only",
        "gup-x2static-beats-static-avg",
        "gup-significant-margin-sim",
    }
    assert list(high["gup-x2static-beats-all-cells"].ours) == ["cwr"]


def test_a_row_of_another_text_above_everything_fails_our_own_claim_on_it_and_no_other():
    high = judged(raised(small(), 0.95, model="cwr-static"), "small")
    changed = {name for name in AT_SMALL if only(high[name]).verdict == FAILS}
    assert changed == {"gup-x2static-beats-static-avg.elsewhere"}
    assert high["gup-x2static-beats-static-avg.elsewhere"].claim.ours
    of_six = judged(raised(base(), 99.0, model="cwr-static"), "base")
    assert only(of_six["gup-down-beats-all"]).verdict == HOLDS
    without = [row for row in small() if row.get("model") != "cwr-static"]
    verdict = only(judged(without, "small")["gup-x2static-beats-static-avg.elsewhere"])
    assert (
        verdict.verdict == NOT_RUN and "static vectors of another text" in verdict.reason
    )


@pytest.mark.parametrize("model", ["cwr-elmo", "minilm"])
def test_a_teacher_of_another_family_decides_for_no_claim(model):
    for value in (0.001, 0.999):
        moved = judged(raised(base(), value, model=model), "base")
        assert {name: only(each).verdict for name, each in moved.items()} == {
            name: only(each).verdict for name, each in BASE.items()
        }


@pytest.mark.parametrize("model", ["cwr-bert", "cwr-gpt", "smollm2"])
def test_a_teacher_of_either_family_of_the_paper_decides_for_every_teacher(model):
    low = judged(raised(base(), 0.001, model=model, estimator=SENTENCES), "base")
    for name in (
        "gup-x2static-beats-ase",
        "gup-x2static-beats-static-avg",
        "gup-down-beats-all",
    ):
        assert only(BASE[name]).verdict == HOLDS and only(low[name]).verdict == FAILS, name


def test_a_group_has_the_teachers_of_the_papers_families_and_all_static_rows():
    claim = BASE["gup-x2static-beats-all-cells"].claim
    name, group = groups.group_of(claim, results.collect(base()), "base")
    assert name == "base"
    assert set(group.table["model"].dropna()) == {
        *("cwr-bert", "cwr-gpt", "smollm2", "cwr-static"),
        *SCRATCH,
    }


def test_rows_of_our_own_and_MEN_and_the_parents_move_no_verdict():
    own = [
        row
        for row in base()
        if row.get("estimator") not in (*OWN_KINDS, "fine_tuned", "sentence_encoder")
        and row.get("dataset") != "MEN"
        and "_all_sets" not in row["measure"]
    ]
    without = judged(own, "base")
    assert {name: each.ours for name, each in without.items()} == {
        name: each.ours for name, each in BASE.items()
    }


def test_a_mean_over_one_task_is_no_mean_over_the_six():
    mean = {
        "model": "cwr-bert",
        "family": "masked",
        "estimator": PARAGRAPHS,
        "value": 70.0,
    }
    rows = [*small(), {**mean, "measure": r.F1M}, {**mean, "measure": r.ACCM}, *runs()]
    with_means = judged(rows, "small")
    assert names_with(with_means, HOLDS, FAILS) == AT_SMALL
    reason = only(with_means["gup-table5-margin"]).reason
    assert reason.startswith("the claim is about CR, MR, MPQA, SUBJ, TREC and SST-5")


def test_a_claim_on_a_named_model_shows_below_it_what_ours_are_asked():
    rows = [row for row in base() if row.get("model") != "CBOW"]
    general = {
        name: each.general for name, each in judged(rows, "base").items() if each.general
    }
    assert {name: list(each.ours) for name, each in general.items()} == {
        "gup-rg65-cbow-best": ["base"],
        "gup-compute-tens-of-millions": ["base"],
        "gup-compute-tens-of-millions.per-word": ["base"],
    }
    assert {only(each).verdict for each in general.values()} == {FAILS}
    assert {name for name, each in BASE.items() if each.general} == set(general) - {
        "gup-rg65-cbow-best"
    }


# ---- what claims read is what the notebooks write


def test_what_claims_read_is_what_the_notebooks_of_the_chapter_measure():
    asked = [claim for claim in gupta2021.CLAIMS if not claim.print_only and claim.holds]
    asked += [
        claim.general_form for claim in asked if isinstance(claim.general_form, Claim)
    ]
    read = {measure for claim in asked for measure in claim.needs.measures}
    assert artifacts.unmeasured(read) == []
    rows = [row for row in artifacts.rows() if row["paper"] == "gupta2021"]
    assert {row["artifact"] for row in rows} >= {
        *(f"Table {n}" for n in range(1, 7)),
        "Figure 1",
    }
    assert all(map(artifacts.measured, rows))


# ---- nothing is decided on nothing


@settings(max_examples=15)
@given(st.data())
def test_whatever_rows_are_lacking_no_claim_raises_and_none_rests_on_nothing(
    decided_on_nothing, data
):
    rows = base(["cwr-bert", "cwr-gpt", "minilm"])
    keys = data.draw(
        st.sets(st.sampled_from(("model", "estimator", "dataset", "measure")))
    )
    for key in sorted(keys):
        labels = sorted({row[key] for row in rows if key in row})
        if not labels:
            continue
        lost = data.draw(
            st.sets(st.sampled_from(labels), max_size=4), label=f"without {key}"
        )
        rows = [row for row in rows if row.get(key) not in lost]
    assume(rows)
    table = results.collect(drawn(rows))
    hole = data.draw(st.integers(0, len(rows) - 1), label="row without most of its draws")
    table.replicates[: len(NOISE) // 2, hole] = np.nan
    for claim in gupta2021.CLAIMS:
        assert not decided_on_nothing(claim, table.table, None), claim.id
        assert not decided_on_nothing(claim, table.table, table.replicates), claim.id


def test_no_claim_with_rows_of_ours_is_left_out_by_the_test_above():
    table = results.collect(drawn(base(["cwr-bert", "cwr-gpt", "minilm"])))
    silent = {
        claim.id
        for claim in gupta2021.CLAIMS
        if claim.print_only
        or judge(claim, table.table, table.replicates).verdict == NOT_RUN
    }
    assert silent == set().union(*NEVER_OF_OURS.values())
