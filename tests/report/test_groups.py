"""Whom a claim is asked: groups formed per claim, families that do not count, general forms."""

import numpy as np
import pytest

from cwr.cli import judging
from cwr.papers.claims import Claim, Needs, at_any_depth
from cwr.report import claim_line, groups, judge, render, results, verdicts
from cwr.report.render import Judged
from cwr.tables import by_family, tidy
from cwr.texts.ethayarajh2019 import claims as ethayarajh2019

CLAIMS = {claim.id: claim for claim in ethayarajh2019.CLAIMS}
B = "anisotropy_baseline"
OURS = {
    "cwr-elmo": ("bilstm", [0.001, 0.2, 0.3]),
    "cwr-bert": ("masked", [0.1, 0.2, 0.3, 0.5, 0.2]),
    "cwr-gpt": ("causal", [0.3, 0.4, 0.45, 0.5, 0.98]),
}
MINILM = {"minilm": ("sentence", [0.06, 0.2, 0.2, 0.2, 0.2, 0.2, 0.01])}


def estimates(models: dict, measure: str = B, draws: int = 40, **keys) -> results.Results:
    """Results of these models {name: (family, values by layer)}, whose replicates hardly leave their values."""
    noise = np.random.default_rng(0)
    return results.collect(
        {
            "model": name,
            "family": family,
            "layer": layer,
            "measure": measure,
            **keys,
            "value": value,
            "replicates": value + noise.normal(0, 1e-4, draws),
        }
        for name, (family, values) in models.items()
        for layer, value in enumerate(values)
    )


def judged(estimates: results.Results, claim: str, group: str = "small") -> Judged:
    (row,) = verdicts.judge_all(estimates, group, "ethayarajh2019", claim)
    return row


def words(ours: dict) -> dict[str, str]:
    return {name: verdict.verdict for name, verdict in ours.items()}


def comparing(holds=lambda table: np.ones(len(table.draws), bool), **needs) -> Claim:
    needs = Needs(**{"measures": (B,), "compares": True} | needs)
    return Claim(id="c", place="p", says="s", needs=needs, holds=holds, tolerance="")


@pytest.mark.parametrize("names, group", [(list(OURS), "cwr"), (["a", "b", "c"], "small")])
def test_a_model_of_a_family_that_a_comparing_claim_does_not_speak_of_does_not_count(
    names, group
):
    three = dict(zip(names, OURS.values(), strict=True))
    claim = "eth-elmo-input-only-exception"
    for models in (three, three | MINILM):  # minilm is isotropic in its last layer
        assert words(judged(estimates(models), claim).ours) == {group: "holds"}
    isotropic = three | {names[1]: ("masked", [0.1, 0.2, 0.3, 0.001, 0.2])}
    assert words(judged(estimates(isotropic | MINILM), claim).ours) == {group: "fails"}


def test_families_that_are_read_beside_count_and_are_not_needed_and_controls_are_read():
    claim = comparing(families=("masked",), beside=("causal",))
    table = tidy(
        [
            {"model": m, "family": f, "layer": 0, "measure": B, "value": 1.0}
            for m, f in (
                ("a", "masked"),
                ("b", "causal"),
                ("c", "sentence"),
                ("random", None),
                ("g", "static"),
            )
        ]
    )
    assert table["model"][claim.needs.reads(table)].tolist() == ["a", "b", "random", "g"]
    many = comparing(families=(), beside=("causal",))
    assert judge(many, table).verdict == "holds"
    assert judge(many, table[2:3].reset_index(drop=True)).reason.endswith(
        "there is no causal model here"
    )


def test_a_group_is_called_cwr_if_its_encoders_are_shipped_ones_only():
    claim = "eth-elmo-input-only-exception"
    assert list(judged(estimates(OURS | MINILM), claim).ours) == ["cwr"]
    second = OURS | {"smollm2": ("causal", [0.001, 0.001, 0.001])}  # it breaks the claim
    assert words(judged(estimates(second), claim, "base").ours) == {"base": "fails"}
    without = {name: model for name, model in second.items() if name != "cwr-gpt"}
    assert words(judged(estimates(without), claim, "base").ours) == {"base": "fails"}


def test_static_vectors_and_controls_are_part_of_every_group():
    static = {"GloVe": ("static", [0.9]), "Rand": (None, [0.5])}
    name, group = groups.group_of(comparing(), estimates(OURS | MINILM | static), "small")
    assert name == "cwr" and set(group.table["model"]) == {*OURS, *static}
    above = comparing(
        lambda table: (
            table.where(family="masked").values(B).max(axis=1)
            > table.where(family="static").values(B).max(axis=1)
        ),
        families=("masked",),
    )
    verdict = groups.on_ours([above], estimates(OURS | static), "small")["c"]
    assert words(verdict) == {"cwr": "fails"}, "0.5 is not above GloVe's 0.9"
    any_family = comparing(families=())
    assert (
        groups.group_of(any_family, estimates(OURS | MINILM | static), "small")[0]
        == "small"
    )


def test_a_control_without_what_a_claim_reads_is_not_asked():
    claim = Claim(
        id="c",
        place="p",
        says="s",
        needs=Needs(measures=(B,), families=()),
        holds=lambda table: table.values(B).max(axis=1) > 0.5,
        tolerance="",
    )
    rule = estimates({"a rule": (None, [0.9])}, "other")
    both = results.join([estimates({"cwr-bert": OURS["cwr-bert"]}), rule])
    assert list(groups.on_ours([claim], both, "small")["c"]) == ["cwr-bert"]
    control = results.join([both, estimates({"Rand": (None, [0.9])})])
    assert words(groups.on_ours([claim], control, "small")["c"])["Rand"] == "holds"


def test_a_claim_on_static_vectors_alone_is_asked_of_no_encoder_beside_them():
    claim = Claim(
        id="c",
        place="p",
        says="s",
        needs=Needs(measures=(B,), families=("static",)),
        holds=lambda table: table.values(B).max(axis=1) > 0.5,
        tolerance="",
    )
    beside = estimates(OURS | {"GloVe": ("static", [0.9])})
    assert words(groups.on_ours([claim], beside, "small")["c"]) == {"GloVe": "holds"}
    alone = groups.on_ours([claim], estimates(MINILM), "small")["c"]
    assert alone["minilm"].beyond, "without any, a reader is told of whom it speaks"


def test_a_group_leaves_out_an_encoder_without_what_the_claim_reads():
    both = results.join(
        [
            estimates(OURS),
            estimates({"cwr-gpt": OURS["cwr-gpt"], "cwr-bert": OURS["cwr-bert"]}, "other"),
        ]
    )
    name, group = groups.group_of(
        comparing(measures=(B, "other"), families=("masked", "causal", "bilstm")),
        both,
        "x",
    )
    assert name == "cwr" and set(group.table["model"]) == {"cwr-bert", "cwr-gpt"}


def test_a_group_leaves_out_an_encoder_with_other_data_sets_only_and_keeps_its_name_without_any():
    ours = estimates(OURS, dataset="WS-353")
    both = results.join([ours, estimates(MINILM, dataset="MEN")])
    name, group = groups.group_of(comparing(families=(), datasets=("WS-353",)), both, "x")
    assert name == "cwr" and set(group.table["model"]) == set(OURS)
    assert (
        groups.group_of(comparing(families=(), datasets=("RG-65",)), ours, "x")[0] == "cwr"
    )


def test_models_stand_in_the_order_of_their_families():
    every = estimates(MINILM | OURS)
    assert by_family(every.table) == [*OURS, "minilm"]
    assert list(judged(every, "eth-anisotropy-noninput").ours) == [*OURS, "minilm"]
    assert results.depth_table(every.table, every.table, B)["ours"].columns.tolist() == [
        *OURS,
        "minilm",
    ]


def test_a_claim_is_judged_on_as_many_draws_as_the_rows_it_reads_have():
    many, few = estimates(OURS, draws=1000), estimates(OURS, "other", draws=200)
    half = many.replicates.copy()
    half[:500] = 0.9  # every layer alike high in half of the draws
    many = results.Results.of(many.table, half)
    joined = results.join([many, few])
    claim = comparing(lambda table: (table.values(B) > 0.8).all(axis=1))
    support = groups.on_ours([claim], joined, "small")["c"]["cwr"].support
    assert support == 0.5, "a notebook with 200 draws takes none from another's 1,000"
    both = comparing(
        lambda table: (table.values(B) > 0.8).all(axis=1), measures=(B, "other")
    )
    assert groups.on_ours([both], joined, "small")["c"]["cwr"].support == 1.0, (
        "of both, the first 200"
    )


def test_what_only_layer_numbers_keep_from_a_model_is_asked_in_general_under_its_own_id():
    row = judged(estimates(OURS | MINILM), "eth-gpt2-exponential")
    assert words(row.ours) == dict.fromkeys([*OURS, "minilm"], "not run")
    assert (
        row.general.claim.id == "eth-gpt2-exponential.transfer"
        and row.general.published.verdict == "holds"
    )
    falls = judged(estimates(OURS), "eth-bert-penultimate").general.ours
    assert (
        words(falls) == {"cwr-bert": "holds"}
        and falls["cwr-bert"].support == 1
        and not falls["cwr-bert"].beyond
    )


def test_no_general_form_where_the_claim_runs_or_lacks_more_than_its_depth():
    twelve = {"x": ("causal", list(np.linspace(0.5, 0.9, 13)))}
    assert judged(estimates(twelve), "eth-gpt2-plateau").general is None
    assert (
        judged(estimates(OURS), "eth-intra-bert-falls").general is None
    )  # another figure's measure
    assert (
        judged(estimates(MINILM), "eth-gpt2-plateau").general is None
    )  # no model of its family
    assert (
        at_any_depth(CLAIMS["eth-gpt2-last-near-one"]) is None
    )  # it has no layer numbers
    (moved,) = verdicts.judge_all(
        estimates(OURS), "small", claim="eth-gpt2-plateau.transfer", transfer=True
    )
    assert moved.general is None and set(moved.ours) == set(OURS)


def test_what_no_number_decides_stands_with_the_printed_numbers_alone():
    every = estimates(OURS, "noun_phrase_cosine_gain", estimator="raw")
    page = verdicts.markdown(every, "survey")
    assert "`sur-heatmap-np.beyond-input`" in page
    for name in ("sur-pipeline-order", "sur-drop-in", "sur-bert-glue"):
        assert f"<small>`{name}`</small>" not in page
        assert f"<small>`{name}`</small>" in verdicts.published("survey")


def test_the_general_form_stands_below_its_claim_wherever_verdicts_are_shown(tmp_path):
    every = estimates(OURS)
    lines = verdicts.markdown(every, "ethayarajh2019").splitlines()
    at = next(
        number for number, line in enumerate(lines) if "`eth-bert-penultimate`" in line
    )
    assert lines[0] == "| claim | published | cwr-elmo | cwr-bert | cwr-gpt | cwr |"
    assert lines[at + 1].startswith("| Our general form, for masked models of any depth: ")
    assert " <small>`eth-bert-penultimate.transfer`</small>" in lines[at + 1]
    assert lines[at + 1].endswith(" | holds | – | holds here (1.00) | – | – |")
    assert "not run" in lines[at]
    row = judged(every, "eth-bert-penultimate")
    opened = claim_line.line(row, list(OURS), {}, tmp_path)
    below = opened.index('id="eth-bert-penultimate.transfer"')
    assert (
        "cwr-bert</th>" in opened[below:] and "holds</span> here (1.00)" in opened[below:]
    )
    single = judged(every, "eth-gpt2-last-near-one")
    assert "At any depth" not in claim_line.line(single, list(OURS), {}, tmp_path)
    shown = judging.every_model([row]).splitlines()
    assert (
        shown[2].startswith("eth-bert-penultimate.transfer")
        and "holds here (1.00)" in shown[2]
    )
    assert render.row(row)["general"]["claim"] == "eth-bert-penultimate.transfer"


def explained(variance: float, least: float | None) -> results.Results:
    """Raw explained variance of a masked model by a PCA, and the least that n leaves it."""
    model = {"cwr-bert": ("masked", [1.0, variance, variance])}
    keys = {"estimator": "pca"}
    parts = [estimates(model, "maximum_explainable_variance", **keys)]
    if least is not None:
        model = {"cwr-bert": ("masked", [1.0, least, least])}
        parts.append(estimates(model, "maximum_explainable_variance_least", **keys))
    return results.join(parts)


def test_a_claim_that_no_model_could_meet_fails_by_its_floor():
    verdict = judged(explained(0.3, 0.145), "eth-mev-raw-5pct.pca").ours["cwr-bert"]
    assert (verdict.verdict, verdict.ground) == ("fails", "by a bound")
    assert (
        verdict.reason
        == "the claim cannot hold here, because the value is at least 0.145 "
        "(eth-mev-raw-5pct.pca-bound)"
    )


@pytest.mark.parametrize("variance, least", [(0.3, 0.02), (0.3, None), (0.03, 0.02)])
def test_a_claim_that_a_model_could_meet_is_decided_by_its_own_numbers(variance, least):
    verdict = judged(explained(variance, least), "eth-mev-raw-5pct.pca").ours["cwr-bert"]
    assert verdict.verdict == ("fails" if variance > 0.05 else "holds")
    assert not verdict.ground and not verdict.reason
