"""The notes' verdicts on the numbers behind the survey, typed before the predicates; its checks;
and that the table is the source's, whole."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cwr.measures import edge_probing
from cwr.papers.claims import PAPER_FAMILIES, Claim
from cwr.report.judgement import judge, on_published
from cwr.tables import KEYS, Table, where
from cwr.texts.survey import claims as survey
from cwr.texts.survey.claims import pipeline as claims_pipeline
from cwr.texts.survey.claims import readings
from cwr.texts.survey.claims import syntax as claims_syntax

ROOT = Path(__file__).resolve().parents[3]
TABLE = survey.published()
CLAIMS = {claim.id: claim for claim in survey.CLAIMS}
DECIDED = [
    name for name in CLAIMS if on_published(CLAIMS[name], TABLE).verdict != "not decidable"
]
PER_MODEL = {  # where the notes decide model by model
    "sur-pipeline-order.constituents-expected-layer": {
        "BERT-base": "holds",
        "BERT-large": "holds",
    },
    "sur-pipeline-order.dependencies-expected-layer": {
        "BERT-base": "fails",
        "BERT-large": "fails",
    },
    "sur-pipeline-order.paper-list-expected-layer": {
        "BERT-base": "holds",
        "BERT-large": "holds",
    },
    "sur-pipeline-order.dependencies-centre-of-gravity": {
        "BERT-base": "not run",
        "BERT-large": "fails",
    },
}
LARGE, BASE = (
    Table(where(TABLE[TABLE["variant"].isna()], model=name))
    for name in ("BERT-large", "BERT-base")
)
ELMO = Table(where(TABLE, model="ELMo"))


# ---- the published numbers


@pytest.mark.parametrize("name", PER_MODEL)
def test_the_published_numbers_give_the_notes_verdict_model_by_model(name):
    for model, expected in PER_MODEL[name].items():
        assert judge(CLAIMS[name], where(TABLE, model=model)).verdict == expected, model


def test_what_goes_against_a_claim_is_told_by_task_and_model():
    each = on_published(CLAIMS["sur-training-dominates.each-task"], TABLE).reason
    assert each.endswith(": dependencies = 0.343, coreference = 0.443")
    order = on_published(
        CLAIMS["sur-pipeline-order.dependencies-expected-layer"], TABLE
    ).reason
    assert (
        "BERT-base (layers from dependencies to entities = -0.1" in order
        and "BERT-large" in order
    )


def test_a_statement_of_mathematics_holds_by_its_proof():
    answer = on_published(CLAIMS["sur-dist-depth-suffice"], TABLE)
    assert (answer.verdict, answer.ground) == ("holds", "by proof")
    notebook = answer.reason.split()[-1]
    source = (ROOT / "notebooks" / f"{notebook}.ipynb").read_text(encoding="utf8")
    assert "rebuilt_heads(distances, depths) == heads" in source


def test_claims_tied_to_a_family_or_a_depth_say_how_they_carry_over():
    tied = [
        claim
        for claim in survey.CLAIMS
        if claim.holds and (claim.needs.families or claim.needs.n_layers)
    ]
    assert tied and all(claim.general_form for claim in tied)
    for claim in tied:
        form = claim.general_form
        if isinstance(form, Claim):
            assert form.id == f"{claim.id}.transfer" and form.needs.families == ()
            assert form.says != claim.says and form.needs.tasks in ((), claim.needs.tasks)
    assert all(
        set(c.needs.families)
        <= {*PAPER_FAMILIES, "static", "translation", "convolutional"}
        for c in survey.CLAIMS
    )


def test_claims_about_elmo_name_it():
    for name, claim in CLAIMS.items():
        if name.startswith("sur-syntax-over-semantics"):
            assert "ELMo" in claim.says and claim.needs.families == ("bilstm",)


# ---- the checks, and numbers that the notes quote


def test_the_checks_that_differ_are_the_known_ones():
    assert len({check.id for check in survey.CHECKS}) == len(survey.CHECKS) == 11
    differing = {check.id for check in survey.CHECKS if not check.find(TABLE).agrees}
    assert differing == {"survey-check-semantic-gain"}


def test_checks_of_what_no_page_prints_say_so():
    stated = {
        check.id.removeprefix("survey-check-"): check.stated for check in survey.CHECKS
    }
    assert (
        stated["semantic-gain"] == "Stated"
        and stated["selectivity"] == stated["sub-rows"] == "Released"
    )
    assert stated["expected-layer"] == "Printed"


def test_labels_of_the_figures_follow_from_scores_and_weights_task_by_task():
    """The scores at hand have four decimals, which leaves the fourth of an expected layer open."""
    for task in readings.FIGURE:
        printed = {
            measure: LARGE.value(measure, task=task)
            for measure in ("expected_layer", "centre_of_gravity")
        }
        assert readings.expected_layer(LARGE, task) == pytest.approx(
            printed["expected_layer"], abs=2e-4
        )
        assert readings.centre_of_gravity(LARGE, task) == pytest.approx(
            printed["centre_of_gravity"], abs=6e-5
        )


@pytest.mark.parametrize(
    "measure, computed",
    [
        ("expected_layer", edge_probing.expected_layer),
        (
            "expected_layer_divergence",
            lambda scores: edge_probing.divergence_from_uniform(
                np.maximum(np.diff(scores), 0)
            ),
        ),
        ("negative_gains", lambda scores: (edge_probing.score_gains(scores) < 0).sum()),
    ],
)
def test_numbers_computed_earlier_come_out_again(measure, computed):
    derived = where(TABLE, artifact="BERT-pipeline derived", measure=measure)
    derived = derived[derived["estimator"].isna()]
    assert len(derived) == 22
    for row in derived.itertuples():
        model = BASE if row.model == "BERT-base" else LARGE
        scores = model.curve(readings.CUMULATIVE, task=row.task)[0]
        if measure != "expected_layer" or scores[-1] > scores[0]:
            # winograd: four decimals of the scores are coarse where the scores hardly rise
            assert computed(scores) == pytest.approx(
                row.value, abs=2e-3 if row.task == "winograd" else 6e-4
            ), row


def test_architecture_shares_come_out_again():
    tasks, shares = readings.architecture_share(ELMO)
    derived = where(TABLE, measure="architecture_share").set_index("task")["value"]
    assert len(tasks) == 10 and shares.mean() == pytest.approx(0.20, abs=0.005)
    for task, share in zip(tasks, shares[0], strict=True):
        assert share == pytest.approx(derived[task], abs=6e-5), task


def test_the_text_of_the_notes_agrees_with_the_table():
    """Numbers that the notes quote in words, typed from there."""
    pairs = readings.between_families(
        Table(TABLE), "bilstm", "mix", "translation", "states"
    )
    gain = pairs["ELMo minus CoVe"].gain[0]
    assert list(pairs) == ["ELMo minus CoVe"] and len(gain) == 11
    assert (gain > 0).all() and gain.mean() == pytest.approx(4.46, abs=0.005)
    bert = readings.gains(
        LARGE.where(estimator="mix"), ELMO.where(estimator="mix"), errors=True
    ).frame()
    counts = (
        (bert["gain"] > 0).sum(),
        (bert["gain"].round(1) > 0).sum(),
        (bert["gain"] > bert["error"]).sum(),
    )
    assert counts == (10, 9, 7)
    static = readings.over_input(ELMO).frame()["gain"]
    groups = readings.SYNTAX, readings.SPR_AND_COREFERENCE, readings.SEMANTIC
    assert [static[list(tasks)].mean() for tasks in groups] == pytest.approx(
        [11.8, 4.9, 10.6], abs=0.06
    )
    random = readings.over_input(ELMO, readings.UNTRAINED, errors=True).frame()
    assert (len(random), (random["gain"] > random["error"]).sum()) == (10, 6)
    runs = where(TABLE, measure="centre_of_gravity", task="semeval")["value"]
    assert np.ptp(runs) == pytest.approx(claims_pipeline.RUN_TO_RUN, abs=0.005)
    order = [
        readings.centre_of_gravity(LARGE, task).item()
        for task in claims_pipeline.DEPENDENCIES
    ]
    assert edge_probing.order_agreement(order) == pytest.approx(0.6)


def test_simulated_intervals_come_out_again_from_errors_of_a_binomial():
    """Earlier draws had the released error of each score, ours one number of trials a task."""
    trials = readings.trials(TABLE)
    assert (
        trials["spread"].drop("winograd").max() < 0.17 < 5 < trials["spread"]["winograd"]
    )
    for task in readings.FIGURE:
        scores = LARGE.curve(readings.CUMULATIVE, task=task)[0] / 100
        samples = edge_probing.draw_scores(scores, trials["trials"][task], 4000, seed=0)
        drawn = edge_probing.expected_layer(samples)
        for side, quantile in (("low", 0.025), ("high", 0.975)):
            earlier = where(TABLE, measure=f"expected_layer_ci95_{side}", task=task)[
                "value"
            ].item()
            assert np.quantile(drawn, quantile) == pytest.approx(earlier, abs=0.25), (
                task,
                side,
            )


def test_expected_layers_of_winograd_are_refused_and_of_the_figure_are_not():
    for model in (BASE, LARGE):
        refused = []
        for task in readings.TASKS:
            error = model.where(estimator="mix").value(readings.ERROR, task=task).item()
            try:
                edge_probing.expected_layer(
                    model.curve(readings.CUMULATIVE, task=task)[0], error
                )
            except ValueError:
                refused.append(task)
        assert refused == (["spr2", "winograd"] if model is BASE else ["winograd"])


# ---- the table


def test_the_table_has_the_schema_and_one_standing_a_row():
    assert list(TABLE.columns) == [*KEYS, "value", "artifact", "printed"]
    assert TABLE["value"].notna().all() and TABLE["measure"].notna().all()
    assert not TABLE.duplicated([*KEYS, "artifact"]).any()
    standing = readings.standing(TABLE)
    assert standing.value_counts(dropna=False).to_dict() == {
        "authors' files": 1276,
        "computed": 116,
        "secondary": 50,
    }


def test_a_claim_that_rests_on_a_secondary_source_says_so():
    secondary = set(TABLE["measure"][readings.standing(TABLE) == "secondary"])
    for name in DECIDED:
        claim = CLAIMS[name]
        assert bool(secondary & set(claim.needs.measures)) == (
            "secondary source" in claim.read_as
        ), name


def test_nothing_of_the_source_is_lost(shared):
    source = pd.read_csv(
        shared / "published" / "survey.csv", dtype=str, keep_default_na=False
    )
    assert (
        TABLE["artifact"].value_counts().to_dict()
        == source["artifact"].value_counts().to_dict()
    )
    for artifact, part in source.groupby("artifact"):
        mine = where(TABLE, artifact=artifact)
        assert sorted(mine["printed"]) == sorted(part["value"]), artifact
    listed = readings.sources().set_index("artifact")["standing"]
    for artifact, part in source.groupby("artifact"):
        secondary = part["source"].str.startswith("secondary").all()
        assert (listed.loc[[artifact]] == "secondary").all() == secondary, artifact


def test_layers_are_counted_as_in_the_book():
    """The structural probe's BERT-base7 is the output of block 8, ELMo1 the first biLSTM layer."""
    probed = (
        TABLE[TABLE["measure"] == claims_syntax.UUAS]
        .groupby("model")["layer"]
        .apply(list)
        .to_dict()
    )
    assert probed == {"BERT-base": [8], "BERT-large": [16, 17], "ELMo": [1]}
    depth = (
        TABLE[TABLE["measure"] == readings.CUMULATIVE]
        .groupby("model")["layer"]
        .agg(["min", "max"])
    )
    assert depth.loc["BERT-base"].tolist() == [0, 12] and depth.loc[
        "BERT-large"
    ].tolist() == [
        0,
        24,
    ]


def test_two_works_cited_in_the_book_never_share_a_label():
    """A reference reads "Tenney et al. [2019a]": surnames and year tell works apart."""
    text = (ROOT / "book" / "references.bib").read_text(encoding="utf8")
    labels = []
    for entry in text.split("\n@")[1:]:
        authors = re.search(r"author\s*=\s*\{(.+)\},?\n", entry)[1].split(" and ")
        surnames = [author.split(",")[0] for author in authors]
        shown = " & ".join(surnames) if len(surnames) < 3 else f"{surnames[0]} et al."
        labels.append((shown, re.search(r"year\s*=\s*\{(.+?)\}", entry)[1]))
    assert len(labels) > 20
    assert not [label for label, number in Counter(labels).items() if number > 1]


# ---- what later papers say

SINCE = pd.read_csv(readings.FOLDER / "since.csv", keep_default_na=False)
LATER = {  # those that the chapter is to name, and where each can be found
    "niu2022": "2022.coling-1.278",
    "devries2020": "2004.06499",
    "hewitt2021conditional": "2109.09234",
    "voita2020": "2020.emnlp-main.14",
    "pimentel2020": "2020.acl-main.420",
    "maudslay2021": "2021.naacl-main.11",
    "skean2025": "2502.02013",
    "kaya2019": "1810.07052",
    "belrose2023": "2303.08112",
}


def test_rows_of_later_papers_name_claims_papers_and_pages_that_exist():
    assert set(SINCE["paper"]) == set(LATER)
    assert set(SINCE["claim"]) <= set(CLAIMS)
    assert set(SINCE["word"]) <= {"supports", "qualifies", "contradicts"}
    assert not SINCE.duplicated(["paper", "claim"]).any()
    bibliography = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
    entries = re.split(r"^@", bibliography, flags=re.MULTILINE)
    for paper, address in LATER.items():
        (entry,) = [entry for entry in entries if re.match(rf"\w+{{{paper},", entry)]
        assert address in entry, paper
    for page in SINCE["here"]:
        assert (ROOT / "notebooks" / f"{page}.ipynb").exists(), page


def test_rows_of_later_papers_are_whole_short_sentences():
    assert (SINCE[list(SINCE.columns)] != "").all(axis=None)
    for says in SINCE["says"]:
        assert says[0].isupper() and says.endswith(".") and len(says) < 200, says
