"""Whom a claim is asked: groups by name, families that do not count, general forms, and how much is decided."""
import numpy as np
import pytest

from cwr.cli.listing import verdicts as listing_of
from cwr.papers import ethayarajh2019
from cwr.papers.claims import Claim, Needs
from cwr.report import groups, judge, results, scoreboard, verdicts
from cwr.tables import by_family, tidy

CLAIMS = {claim.id: claim for claim in ethayarajh2019.CLAIMS}
B = "anisotropy_baseline"
OURS = {"cwr-elmo": ("bilstm", [0.01, 0.2, 0.3]), "cwr-bert": ("masked", [0.1, 0.2, 0.3, 0.5, 0.2]),
        "cwr-gpt": ("causal", [0.3, 0.4, 0.45, 0.5, 0.98])}
MINILM = {"minilm": ("sentence", [0.06, 0.2, 0.2, 0.2, 0.2, 0.2, 0.01])}


def made(models: dict, measure: str = B, draws: int = 40, **keys) -> results.Results:
    """Results of these models {name: (family, values by layer)}, whose replicates hardly leave their values."""
    noise = np.random.default_rng(0)
    return results.collect({"model": name, "family": family, "layer": layer, "measure": measure, **keys, "value": value,
                            "replicates": value + noise.normal(0, 1e-4, draws)}
                           for name, (family, values) in models.items() for layer, value in enumerate(values))


def row_of(found: results.Results, claim: str, group: str = "small") -> dict:
    (row,) = verdicts.check_results(found, group, "ethayarajh2019", claim)
    return row


@pytest.mark.parametrize("names", [list(OURS), ["a", "b", "c"]])        # a named group, and one of the reader's own
def test_a_model_of_a_family_that_a_comparing_claim_does_not_speak_of_does_not_count(names):
    three = dict(zip(names, OURS.values(), strict=True))
    claim = "eth-elmo-input-only-exception"
    for models in (three, three | MINILM):                              # minilm is isotropic in its last layer
        (verdict,) = row_of(made(models), claim)["ours"].values()
        assert verdict["verdict"] == "holds"
    isotropic = three | {names[1]: ("masked", [0.1, 0.2, 0.3, 0.01, 0.2])}
    (verdict,) = row_of(made(isotropic | MINILM), claim)["ours"].values()
    assert verdict["verdict"] == "fails"


def test_families_that_are_read_beside_count_and_are_not_needed_and_controls_are_read():
    claim = Claim("c", "p", "s", Needs((B,), ("masked",), compares=True, beside=("causal",)), None, "")
    table = tidy([{"model": m, "family": f, "layer": 0, "measure": B, "value": 1.0}
                  for m, f in (("a", "masked"), ("b", "causal"), ("c", "sentence"), ("random", None))])
    assert table["model"][claim.needs.reads(table)].tolist() == ["a", "b", "random"]
    many = Claim("c", "p", "s", Needs((B,), (), compares=True, beside=("causal",)), lambda t: True, "")
    assert judge(many, table).verdict == "holds"
    assert judge(many, table[2:3].reset_index(drop=True)).reason.endswith("there is no causal model here")


def test_a_set_with_the_three_shipped_models_is_called_cwr_and_is_these_three():
    claim = "eth-elmo-input-only-exception"
    assert list(row_of(made(OURS | MINILM), claim)["ours"]) == ["cwr"]
    second = OURS | {"smollm2": ("causal", [0.02, 0.02, 0.02])}         # it would break the claim
    assert row_of(made(second), claim, "base")["ours"]["cwr"]["verdict"] == "holds"
    without = {name: model for name, model in second.items() if name != "cwr-gpt"}
    assert row_of(made(without), claim, "base")["ours"]["base"]["verdict"] == "fails"
    table = tidy([{"model": name} for name in OURS] + [{"measure": "x"}])
    assert groups.named(table, "small")["cwr"].all(), "what belongs to no model is part of the group"


def test_models_stand_in_the_order_of_their_families():
    found = made(MINILM | OURS)
    assert by_family(found.table) == [*OURS, "minilm"]
    assert list(row_of(found, "eth-anisotropy-noninput")["ours"]) == [*OURS, "minilm"]
    assert results.beside(found.table, found.table, B)["ours"].columns.tolist() == [*OURS, "minilm"]


def test_what_only_layer_numbers_keep_from_a_model_is_asked_in_general_under_its_own_id():
    found = made(OURS | MINILM)
    row = row_of(found, "eth-gpt2-exponential")
    assert {who: v["verdict"] for who, v in row["ours"].items()} == dict.fromkeys([*OURS, "minilm"], "not run")
    form = row["general"]
    assert form["claim"] == "eth-gpt2-exponential.transfer" and form["published"] == "holds"
    assert {who: v["verdict"] for who, v in form["ours"].items()} == {"cwr-gpt": "fails"}   # one step in its last third
    falls = row_of(made(OURS), "eth-bert-penultimate")["general"]["ours"]
    assert falls["cwr-bert"] == {"verdict": "holds", "support": 1.0, "reason": "", "beyond_the_paper": False}
    assert list(falls) == ["cwr-bert"]


def test_no_general_form_where_the_claim_runs_or_lacks_more_than_its_depth():
    twelve = {"x": ("causal", list(np.linspace(0.5, 0.9, 13)))}
    assert row_of(made(twelve), "eth-gpt2-plateau")["general"] is None
    assert row_of(made(OURS), "eth-intra-bert-falls")["general"] is None            # another figure's measure
    assert row_of(made(MINILM), "eth-gpt2-plateau")["general"] is None              # no model of its family
    assert groups.general(CLAIMS["eth-gpt2-last-near-one"]) is None                 # it has no layer numbers
    (moved,) = verdicts.check_results(made(OURS), "small", claim="eth-gpt2-plateau.transfer", transfer=True)
    assert moved["general"] is None and set(moved["ours"]) == set(OURS)


def test_the_general_form_stands_below_its_claim_wherever_verdicts_are_shown(tmp_path):
    found = made(OURS)
    lines = verdicts.markdown(found, "ethayarajh2019").splitlines()
    at = next(number for number, line in enumerate(lines) if "`eth-gpt2-plateau`" in line)
    assert lines[0] == "| claim | cwr-elmo | cwr-bert | cwr-gpt | cwr | published |"
    assert lines[at + 1].startswith("| `eth-gpt2-plateau.transfer` (not in the paper: the same at any depth, for ")
    assert lines[at + 1].endswith(" | – | – | holds (1.00) | – | holds |")
    assert "not run" in lines[at]
    row = row_of(found, "eth-gpt2-plateau")
    assert scoreboard._general(row).endswith("at any depth:<br>cwr-gpt: holds here (1.00)</small>")
    assert scoreboard._general(row_of(found, "eth-gpt2-last-near-one")) == ""
    shown = listing_of([row]).splitlines()
    assert shown[2].startswith("eth-gpt2-plateau.transfer") and "holds (1.00)" in shown[2]


def test_decided_counts_what_holds_or_fails_on_every_shipped_model_that_the_claim_speaks_of():
    claims = [CLAIMS[name] for name in ("eth-anisotropy-noninput", "eth-gpt2-plateau", "eth-elmo-input-only-exception",
                                        "eth-gpt2-last-near-one", "eth-intra-gpt2-zero", "eth-no-finite-senses")]
    clear = groups.decided(claims, made(OURS | MINILM))
    assert clear == {"eth-anisotropy-noninput": True, "eth-gpt2-plateau": True, "eth-elmo-input-only-exception": True,
                     "eth-gpt2-last-near-one": True, "eth-intra-gpt2-zero": False}      # the last was not measured
    edge = groups.decided(claims, made(OURS | {"cwr-bert": ("masked", [0.1, 0.05, 0.3, 0.5, 0.2])}))
    assert [name for name in clear if edge[name] != clear[name]] == ["eth-anisotropy-noninput",
                                                                     "eth-elmo-input-only-exception"]
    without = groups.decided(claims, made({"cwr-bert": OURS["cwr-bert"]} | MINILM))
    assert not without["eth-gpt2-plateau"], "no model to ask is not decided"
    assert not without["eth-elmo-input-only-exception"]
