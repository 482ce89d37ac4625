"""Biś et al. (2021) on four matrices of ours: what is asked of whom, with invented numbers.

The rows are those that the chapter's notebooks write in the profile `small`: four matrices, three
sets of word pairs, two texts, one small training; beside them a model of another chapter that has
no matrix.
"""

import re

import numpy as np
import pytest
from bs4 import BeautifulSoup

from cwr.estimates import isotropy
from cwr.measures import geometry
from cwr.papers import artifacts
from cwr.papers.claims import Claim
from cwr.report import claims_map, judge, render, results, scoreboard, verdicts
from cwr.report.judgement import HOLDS
from cwr.tables import tidy
from cwr.texts.bis2021 import claims as bis2021
from cwr.texts.bis2021.claims import readings as r

FAMILIES = {
    "cwr-bert": "masked",
    "cwr-gpt": "causal",
    "smollm2": "causal",
    "minilm": "sentence",
}
SETS_AT_HAND = ("men", "simlex-999", "wordsim-353")
TEXTS = ("lee", "wiki-sample")
UPDATES = ("adamw", "sgd", "coupled", "rowwise")
PLAIN = (  # measures with one value a matrix
    *r.SYMBOLS,
    r.COSINE,
    r.ANGLE,
    r.TOP,
    "embedding_mean_cosine_centred",
    "matched_partition_isotropy_centred",
    "margin_gain_by_centring",
    "isoscore",
    "embedding_norm_centred",
    "second_over_first_singular_value",
    "second_over_first_singular_value_centred",
    "vocabulary_index_r2",
    "frequency_r2",
    "norm_frequency_correlation",
    "antonym_minus_synonym_cosine",
    "unused_tokens",
)
SIMILARITY = (r.SET, r.SET_CENTRED, r.SET_SCALED, r.SET_PROCESSED)


def of_a_matrix(model: str, rng: np.random.Generator) -> list[dict]:
    """The rows of one matrix, whatever their values."""
    rows = [{"measure": measure} for measure in PLAIN]
    rows += [
        {"measure": measure, "estimator": score, "dataset": name, "replicates": True}
        for measure in SIMILARITY
        for score in r.SCORES
        for name in SETS_AT_HAND
    ]
    for measure, number in (
        ("unused_mean_cosine_by_bin", 9),
        ("unused_mean_cosine_by_frequency", 10),
    ):
        rows += [{"measure": measure, "k": k} for k in range(number)]
    for text in TEXTS:
        rows += [
            {"measure": "types_to_cover", "dataset": text, "k": k} for k in (30, 50, 98)
        ]
        for measure in (
            "zipf_slope_tokens",
            "split_words_share",
            "commonest_split_word_share",
        ):
            rows.append({"measure": measure, "dataset": text})
    if FAMILIES[model] == "masked":
        rows += [{"measure": "unmasking_loss", "k": k} for k in range(10)]
    for row in rows:
        row |= {"model": model, "family": FAMILIES[model], "value": rng.uniform(0.1, 0.9)}
        if row.pop("replicates", False):
            row["replicates"] = row["value"] + rng.normal(0, 0.01, 40)
    return rows


def of_no_model() -> list[dict]:
    """Spheres, words and the small training."""
    rows = [
        {"measure": "sphere_singular_ratio", "k": k, "value": np.sqrt(1 + 3 * k**2)}
        for k in range(5)
    ]
    for text in TEXTS:
        rows.append({"measure": "zipf_slope_words", "dataset": text, "value": 0.5})
        rows.append({"measure": "commonest_word_share", "dataset": text, "value": 0.06})
    shifts = dict(zip(UPDATES, (0.58, 0.004, 0.003, 0.51), strict=True))
    closeness = dict(zip(UPDATES, (0.56, 0.88, 0.81, 0.56), strict=True))
    for update, shift in shifts.items():
        for seed in range(3):
            run = {"estimator": update, "class": "tied", "seed": seed}
            rows.append({"measure": "mean_vector_shift", "value": shift, **run})
            outputs = {"measure": "hidden_mean_cosine_trained", "value": closeness[update]}
            rows.append(outputs | run)
            rows.append({"measure": "unused_order", "value": 0.95, **run})
    for measure, value in (
        ("nontarget_gradient_cosine", 1),
        ("nontarget_gradient_cosine_batch", 0.2),
        ("mean_vector_shift_sgd", 0),
        ("cosreg_difference", 0),
    ):
        rows.append({"measure": measure, "value": value})
    return rows


def chapter(models=tuple(FAMILIES)) -> list[dict]:
    rng = np.random.default_rng(0)
    return [row for model in models for row in of_a_matrix(model, rng)] + of_no_model()


ELMO = {
    "model": "cwr-elmo",
    "family": "bilstm",
    "measure": "anisotropy_baseline",
    "layer": 0,
}
SMALL = results.collect([*chapter(), {**ELMO, "value": 0.1}])
JUDGED = {
    each.claim.id: each for each in verdicts.judge_all(SMALL, "small", "bis2021")
}  # {claim: Judged}


def reasons(name: str) -> set[str]:
    return {verdict.reason for verdict in JUDGED[name].ours.values()}


NAMED = {
    "bis-bigger-corpus-bigger-norm": "BERT-base-uncased",
    "bis-bigger-corpus-bigger-norm.bert-smallest": "BERT-base-uncased",
    "bis-scaled-only-failure": "RoBERTa-large",
    "bis-gap-closed-but-bert": "RoBERTa-large",
    "bis-gap-closed-but-bert.strict": "RoBERTa-large",
    "bis-only-exception-roberta-large": "RoBERTa-large",
    "bis-only-exception-roberta-large.strict": "RoBERTa-large",
    "bis-roberta-large-lowest-initial": "RoBERTa-large",
    "bis-roberta-large-eig-mean": "RoBERTa-large",
    "bis-roberta-large-cos": "RoBERTa-large",
    "bis-roberta-last1000": "RoBERTa-base",
    "bis-unused-monotone": "BERT-base-uncased",
    "bis-zipf-13": "CNN News",
    "bis-zipf-85": "CNN News",
    "bis-zipf-15000": "CNN News",
    "bis-table2-from-table3": "RoBERTa-large",
}


@pytest.mark.parametrize("name", NAMED)
def test_what_speaks_of_a_model_or_a_text_says_which_although_its_measures_are_lacking_too(
    name,
):
    for reason in reasons(name):
        assert reason.startswith("the claim is about ") and NAMED[name] in reason
        assert reason.endswith("without results here")


def test_no_claim_that_names_a_model_or_a_text_has_a_verdict():
    named = [each for each in JUDGED.values() if each.claim.needs.models]
    named += [
        each for each in JUDGED.values() if each.claim.needs.datasets == ("CNN News",)
    ]
    assert len(named) > 20
    for each in named:
        assert {verdict.verdict for verdict in each.ours.values()} == {"not run"}, (
            each.claim.id
        )


def test_averages_over_other_sets_are_not_the_papers_and_the_reason_names_its_five():
    every = "men, rare words, simlex-999, wordsim-relatedness and wordsim-similarity"
    for name in ("bis-ip-gains-larger", "bis-isotropy-improves", "bis-cos-better-raw"):
        (reason,) = reasons(name)
        assert reason.startswith(
            "the claim needs numbers that are missing here: similarity average"
        ) and reason.endswith(f", of {every}")
    (reason,) = reasons("bis-all-four-benchmarks")
    assert "rare words, wordsim-relatedness and wordsim-similarity" in reason


def test_a_correlation_over_four_matrices_needs_six():
    for name in ("bis-ratio-isotropy", "bis-ratio-isotropy.pearson"):
        assert reasons(name) == {
            "the claim needs at least 6 models, but there are only 4 here"
        }


def test_every_reason_tells_what_to_run():
    patterns = (
        r"the claim is about .+ without results here",
        r"the claim needs at least \d models, but there (is|are) only \d here",
        r"the claim needs numbers that are missing here: similarity average.*, of men, .+",
        r"the claim needs numbers that are missing here: difference from table 1, of BERT-base-uncased, .+",
        r"the claim needs numbers that are missing here: unmasking loss, of a masked model",
        r"the claim needs numbers that are missing here: static mean vector norm ratio, of cwr-static",
        r"the claim needs numbers that are missing here: hidden mean cosine trained \(cosreg-1\)",  # a training that `base` has
        r"no notebook measures .+ yet",
        re.escape(JUDGED["bis-ratio-column"].claim.print_only),
    )
    for each in JUDGED.values():
        for model, verdict in each.ours.items():
            if verdict.verdict == "not run":
                what = each.claim.id, model, verdict.reason
                assert model != "cwr-elmo", what
                assert any(re.fullmatch(each, verdict.reason) for each in patterns), what


OF_BERTS_RECIPE = {"unused_input_share", "unused_target_share"}


def test_what_claims_read_is_what_the_notebooks_of_the_chapter_measure():
    forms = [
        claim.general_form
        for claim in bis2021.CLAIMS
        if isinstance(claim.general_form, Claim)
    ]
    read = {
        measure for claim in (*bis2021.CLAIMS, *forms) for measure in claim.needs.measures
    }
    assert set(artifacts.unmeasured(read)) == OF_BERTS_RECIPE
    chapter_rows = [row for row in artifacts.rows() if row["paper"] == "bis2021"]
    assert len(chapter_rows) == 12 and all(map(artifacts.measured, chapter_rows))


ON_EACH = (
    "bis-margin-decreases",
    "bis-drift-not-cone",
    "bis-drift-not-cone.matched",
    "bis-drift-not-cone.isotropy",
    "bis-isotropy-order",
    "bis-pp-near-one",
    "bis-i-equals-exp-mu",
    "bis-centring-shrinks-norms",
    "bis-frequent-shorter",
    "bis-singular-gap",
    "bis-frequency-clusters-remain",
    "bis-frequency-clusters-remain.counted",
    "bis-antonyms-no-farther",
)
ON_ALL = (
    "bis-drift-not-cone.most",
    "bis-centring-restores-isotropy",
    "bis-i-equals-exp-mu.most",
    "bis-sphere-shift-gap",
    "bis-token-zipf",
    "bis-split-words-rare",
    "bis-split-words-rare.each",
    "bis-nontarget-same-direction",
    "bis-nontarget-same-direction.batch",
    "bis-sgd-conserves-mean",
    "bis-cosreg-identity",
    "bis-feedback",
    "bis-adam-moves-mean",
    "bis-row-scaling-moves-mean",
    "bis-pushes-order-rare",
)
IN_GENERAL = {
    "bis-frequent-shifted": list(FAMILIES),
    "bis-unused-monotone": list(FAMILIES),
    "bis-roberta-large-eig-mean": list(FAMILIES),
    "bis-roberta-large-lowest-initial": ["small"],
}


@pytest.mark.parametrize("name", ON_EACH)
def test_what_speaks_of_any_matrix_is_asked_of_each_and_of_no_model_without_one(name):
    ours = JUDGED[name].ours
    assert list(ours) == list(FAMILIES)
    assert {verdict.verdict for verdict in ours.values()} <= {"holds", "fails"}
    assert [model for model, verdict in ours.items() if verdict.beyond] == ["minilm"]
    assert all(verdict.support is None for verdict in ours.values()), (
        "one matrix, no draws"
    )


def test_our_ratio_is_a_quotient_by_definition_so_that_print_alone_is_asked():
    judged = JUDGED["bis-ratio-column"]
    assert judged.published.verdict == "holds" and not judged.claim.cannot_fail
    (reason,) = {(each.verdict, each.reason) for each in judged.ours.values()}
    assert reason == ("not run", "our ratio is this quotient by definition")


def test_what_no_model_can_fail_is_what_is_proved_or_arithmetic():
    """`bis-isotropy-order` is none of it, though its second half is near-algebraic: where the mean is
    nought already, as in rows as initialised, centring lowers I by its noise."""
    certain = {name for name, each in JUDGED.items() if each.claim.cannot_fail}
    assert certain == {
        "bis-nontarget-same-direction",
        "bis-sgd-conserves-mean",
        "bis-cosreg-identity",
        "bis-sphere-shift-gap",
        "bis-centring-shrinks-norms",
    }


@pytest.mark.parametrize("name", ON_ALL)
def test_what_compares_is_asked_once_of_all_four(name):
    (group,) = JUDGED[name].ours
    assert group == "small" and JUDGED[name].ours[group].verdict in ("holds", "fails")


def test_the_others_stay_beside_the_shipped_models_and_what_has_no_matrix_is_in_no_group():
    from cwr.report import groups

    claim = JUDGED["bis-centring-restores-isotropy"].claim
    name, group = groups.group_of(claim, SMALL, "small")
    encoders = group.table.loc[group.table["measure"] == r.I_CENTRED, "model"]
    assert name == "small" and set(encoders) == set(FAMILIES)
    assert "cwr-elmo" not in set(group.table["model"])
    shipped = results.collect(chapter(["cwr-bert", "cwr-gpt"]))
    assert groups.group_of(claim, shipped, "small")[0] == "cwr"


def test_static_rows_are_read_beside_the_matrices():
    table = tidy(
        [
            *chapter(),
            {"model": "GloVe", "family": "static", "measure": r.I_CENTRED, "value": 1.0},
        ]
    )
    claim = JUDGED["bis-centring-restores-isotropy"].claim
    assert claim.needs.reads(table)[-1] and judge(claim, table).verdict in (
        "holds",
        "fails",
    )


@pytest.mark.parametrize("name", IN_GENERAL)
def test_a_claim_on_a_named_model_shows_below_it_what_any_model_is_asked(name):
    each = JUDGED[name]
    assert each.general.claim.id == f"{name}.transfer"
    assert list(each.general.ours) == IN_GENERAL[name]
    assert {verdict.verdict for verdict in each.general.ours.values()} <= {
        "holds",
        "fails",
    }


def test_no_other_claim_has_a_general_form_on_four_matrices():
    assert {name for name, each in JUDGED.items() if each.general} == set(IN_GENERAL)
    own = results.collect(
        [
            {"model": model, "family": "masked", "measure": measure, "value": 0.99}
            for model in r.TABLE_1_MODELS
            for measure in (r.TOP, r.I_RAW, r.I_CENTRED)
        ]
    )
    judged = {each.claim.id: each for each in verdicts.judge_all(own, "paper", "bis2021")}
    eigenvector = judged["bis-roberta-large-eig-mean"]
    assert eigenvector.ours["RoBERTa-large"].verdict == "holds"
    assert "RoBERTa-large" not in eigenvector.general.ours, "it is asked the claim itself"


def test_a_model_of_another_chapter_alone_is_told_what_it_lacks():
    elmo = verdicts.judge_all(SMALL.of_model("cwr-elmo"), "cwr-elmo", "bis2021")
    reasons = {
        each.claim.id: each.ours["cwr-elmo"].reason
        for each in elmo
        if "cwr-elmo" in each.ours
    }
    assert (
        reasons["bis-pp-near-one"]
        == "the claim needs numbers that are missing here: partition isotropy removed"
    )


def test_a_model_alone_is_told_what_its_run_lacks():
    alone = results.collect(chapter(["smollm2"])).of_model("smollm2")
    rows = verdicts.judge_all(alone, "smollm2", "bis2021")
    (only,) = [each for each in rows if each.claim.id == "bis-rare-hard-to-unmask"]
    assert (
        only.ours["smollm2"].reason
        == "the claim needs numbers that are missing here: unmasking loss, of a masked model"
    )


# ---- how it reads


def test_the_table_of_a_page_shows_the_general_form_and_says_what_it_is():
    lines = verdicts.markdown(SMALL, "bis2021", "small").splitlines()
    at = next(
        number for number, line in enumerate(lines) if "`bis-unused-monotone`" in line
    )
    says = "Our general form, tested on any model: The rarer a token is, the closer tokens"
    assert says in lines[at + 1]
    assert "`bis-unused-monotone.transfer`" in lines[at + 1]


def test_scoreboard_and_map_take_verdicts_of_one_matrix(tmp_path, monkeypatch):
    folder = tmp_path / "small"
    monkeypatch.setenv("CWR_RESULTS", str(folder / "bis2021" / "02_isotropy"))
    results.write("bis2021/02_isotropy", chapter(), {})
    judged = verdicts.judge_all(results.read_all(folder), "small")
    board = scoreboard.page(folder, judged=judged)
    assert 'id="bis-unused-monotone.transfer"' in board
    assert "minilm, tested on any model: " in board
    page = BeautifulSoup(board, "html.parser")
    group = page.find(id="bis-roberta-large-lowest-initial").summary.select(".group .sign")
    assert [sign["aria-label"] for sign in group] == [
        "small, tested on any model: fails here"
    ]
    assert "tested on any model" in claims_map.markdown(judged)
    assert all(render.row(each)["paper"] for each in judged)


def test_against_a_claim_on_words_stands_which_tokeniser_cuts_them():
    (verdict,) = JUDGED["bis-split-words-rare"].ours.values()
    assert verdict.verdict == "fails" and "lee cwr-bert = " in verdict.reason


def test_forms_for_any_model_are_claims_of_ours():
    forms = [
        claim.general_form
        for claim in bis2021.CLAIMS
        if isinstance(claim.general_form, Claim)
    ]
    assert len(forms) >= 5 and all(form.ours for form in forms)


# ---- section 7: static vectors beside matrices


def beside_skip_gram(static: float | None, **ratios: float) -> dict[str, str]:
    """Verdicts on skip-gram beside matrices of these models, {reading: verdict}."""
    rows = [
        {"model": name, "family": FAMILIES[name], "measure": r.RATIO, "value": value}
        for name, value in ratios.items()
    ]
    if static is not None:
        keys = {"model": "skip-gram", "family": "static"}
        rows.append({**keys, "measure": f"static_{r.RATIO}", "value": static})
    claims = [
        each for each in bis2021.CLAIMS if each.id.startswith("bis-skipgram-mitigates")
    ]
    return {each.id.partition(".")[2]: judge(each, tidy(rows)).verdict for each in claims}


def test_skip_gram_is_shifted_less_than_each_matrix_than_most_or_than_few():
    three = {"cwr-bert": 0.4, "cwr-gpt": 0.8, "smollm2": 0.7}
    assert beside_skip_gram(0.39, **three) == {"": "holds", "most": "holds"}
    assert beside_skip_gram(0.4, **three) == {"": "fails", "most": "holds"}
    assert beside_skip_gram(0.7, **three) == {"": "fails", "most": "fails"}
    # a sentence encoder is none of the models that the text speaks of
    assert beside_skip_gram(0.3, minilm=0.1, **three) == {"": "holds", "most": "holds"}


def test_without_static_vectors_or_without_a_matrix_nothing_is_decided():
    assert set(beside_skip_gram(None, **{"cwr-bert": 0.4, "cwr-gpt": 0.8}).values()) == {
        "not run"
    }
    assert set(beside_skip_gram(0.3, minilm=0.1).values()) == {"not run"}
    assert beside_skip_gram(0.3, **{"cwr-bert": 0.4}) == {"": "holds", "most": "not run"}


def of_rows(W: np.ndarray, name: str) -> list[dict]:
    """What 02_isotropy measures of a matrix."""
    raw, keys = geometry.of_matrix(W), {"model": name, "family": "masked"}
    unit = geometry.of_matrix(W / raw.norm)
    matched = {
        **isotropy.by_sign("matched_partition_isotropy", unit.raw),
        **isotropy.by_sign("matched_partition_isotropy_centred", unit.centred),
    }
    rows = isotropy.table_1_rows(name, "masked", raw, 2)
    rows += [
        {**keys, "measure": measure, "value": value} for measure, value in matched.items()
    ]
    return [*rows, isotropy.margin_row(name, "masked", W)]


NEAR_ISOTROPIC = {  # said of a matrix without its mean, or of I as it is: rows that know nothing are so
    "bis-drift-not-cone.matched",
    "bis-drift-not-cone.isotropy",
    "bis-drift-not-cone.most",
    "bis-centring-restores-isotropy",
    "bis-pp-near-one",
    "bis-i-equals-exp-mu",
    "bis-i-equals-exp-mu.most",
}
SHIFTED = {  # a constant column is a shift of all rows, and nothing else: what the claim says
    "bis-drift-not-cone",
    "bis-isotropy-order",
}


@pytest.mark.parametrize(
    ("column", "expected"), [(None, NEAR_ISOTROPIC), (1.0, NEAR_ISOTROPIC | SHIFTED)]
)
def test_independent_normal_rows_satisfy_what_is_said_of_isotropy_and_nothing_of_a_shift(
    column, expected
):
    rows = []
    for seed in range(3):
        W = np.random.default_rng(seed).normal(size=(3000, 64)) / 8
        if column is not None:
            W[:, 0] = column
        rows += of_rows(W, f"normal-{seed}")
    judged = verdicts.judge_all(results.collect(rows), "small", "bis2021")
    assert expected == {
        each.claim.id
        for each in judged
        if HOLDS in {verdict.verdict for verdict in each.ours.values()}
    }
