"""Verdicts on tables with a known answer."""
import numpy as np
import pytest

from cwr.papers.claims import Claim, Needs
from cwr.report import counted, judge
from cwr.tables import tidy

TABLE = tidy([{"model": "m", "family": "masked", "layer": layer, "measure": "b", "value": 0.5} for layer in range(4)])
CLAIM = Claim("c", "p", "s", Needs(("b",)), lambda t: bool((t["value"] > 0.4).all()), "")


def with_share(share: float) -> np.ndarray:
    """200 draws of the four rows, of which `share` keep the claim."""
    draws = np.full((200, 4), 0.5)
    draws[int(round(200 * share)):, 2] = 0.3
    return draws


@pytest.mark.parametrize("share, verdict", [(1, "holds"), (0.975, "holds"), (0.97, "undecided"), (0.5, "undecided"),
                                            (0.03, "undecided"), (0.025, "fails"), (0, "fails")])
def test_the_share_of_replicates_decides(share, verdict):
    result = judge(CLAIM, TABLE, with_share(share))
    assert (result.verdict, result.support) == (verdict, pytest.approx(share))


def test_without_replicates_the_point_value_decides():
    assert judge(CLAIM, TABLE).verdict == "holds"
    assert judge(CLAIM, TABLE.assign(value=0.1)).verdict == "fails"
    assert judge(CLAIM, TABLE, np.full((5, 4), np.nan)).support is None


def test_an_estimate_without_replicates_keeps_its_point_value_in_every_draw():
    draws = np.full((10, 4), 0.5)
    draws[:, 1] = np.nan
    assert judge(CLAIM, TABLE, draws).support == 1
    low = TABLE.copy()
    low.loc[1, "value"] = 0.1
    assert judge(CLAIM, low, draws).support == 0


def test_judging_does_not_change_the_table():
    before = TABLE.copy()
    judge(CLAIM, TABLE, with_share(0.5))
    assert TABLE.equals(before)


def test_what_cannot_be_asked_is_not_run_with_a_reason():
    def ask(needs):
        return judge(Claim("c", "p", "s", needs, CLAIM.holds, ""), TABLE)
    assert ask(Needs(("b", "s_x"))).reason == "needs s x"
    assert "12-layer" in ask(Needs(("b",), n_layers=12)).reason
    assert "no bilstm and no causal" in ask(Needs(("b",), compares=True)).reason
    assert "'pca'" in ask(Needs(("b",), estimator="pca")).reason
    assert ask(Needs(("b",), n_layers=3)).verdict == "holds"


def test_a_family_the_claim_does_not_speak_of_is_beyond_the_paper():
    verdict = judge(CLAIM, TABLE.assign(family="sentence"))
    assert verdict.beyond and str(verdict) == "beyond the paper: holds"
    assert not judge(CLAIM, TABLE).beyond


def test_verdicts_are_counted_in_words_and_none_is_left_out():
    assert counted(["fails", "holds", "holds"]) == "2 hold, 1 fail, 0 not decidable"
    assert counted(["agrees", "withdrawn by us"], ("agrees", "differs")) == "1 agree, 0 differ, 1 withdrawn by us"
