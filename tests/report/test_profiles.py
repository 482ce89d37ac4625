"""Two profiles, one claim: the richer one decides, and scoreboard, map and command line agree.

`base` is that of the clone: its references are committed. `small` is what a reader's run may have
left; here three models of Figure 1, whose baselines are all negative.
"""

import re
from dataclasses import replace

import numpy as np
import pytest
from bs4 import BeautifulSoup, Tag

from cwr import paths
from cwr.cli import judging
from cwr.papers import artifacts
from cwr.report import claims_map, kept, profiles, render, results, scoreboard
from cwr.report.judgement import FAILS, HOLDS, NOT_RUN, UNDECIDED, Verdict

FAMILIES = {"cwr-elmo": "bilstm", "cwr-bert": "masked", "cwr-gpt": "causal"}
SHOWN = re.compile(r"(?P<name>[^:]+): (?P<words>.+)")


@pytest.fixture(scope="module")
def judged(tmp_path_factory) -> dict[str, list[render.Judged]]:
    """The claims on each profile, judged once for all tests: {profile: claims}."""
    root = tmp_path_factory.mktemp("checkout")
    (root / "book" / "reference").mkdir(parents=True)
    (root / paths.LONGER).symlink_to(paths.CHECKOUT / paths.LONGER)
    small = root / "_build" / "run" / "small"
    noise = np.random.default_rng(0).normal(0, 0.001, (len(FAMILIES), 5, 40))
    rows = [
        {
            **{"model": model, "family": family, "layer": layer},
            **{"measure": "anisotropy_baseline", "value": -0.2},
            "replicates": noise[number, layer] - 0.2,
        }
        for number, (model, family) in enumerate(FAMILIES.items())
        for layer in range(5)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CWR_RESULTS", str(small / "ethayarajh2019" / "01_anisotropy"))
        results.write("ethayarajh2019/01_anisotropy", rows, {"corpus": "one"})
    runs = kept.runs(small)
    by_profile = profiles.judge_each(runs, root)
    return {
        **by_profile,
        "together": profiles.together(by_profile, runs, root),
        "root": root,
    }


def verdicts_of(claims: list[render.Judged], profile: str) -> dict[tuple[str, str], str]:
    """{(form, profile): words and name of each decided verdict} of a profile alone."""
    return {
        (form.claim.id, name): render.words(replace(verdict, at=profile))
        for each in claims
        for form in each.with_general
        for name, verdict in form.ours.items()
        if verdict.verdict != NOT_RUN
    }


def shown(page: str, select: str) -> dict[str, list[str]]:
    """{claim: what its signs say} on a page."""
    blocks = re.findall(r"````\{raw\} html\n(.*?)\n````", page, flags=re.DOTALL)
    soup = BeautifulSoup("\n".join(blocks), "html.parser")
    return {address(tag): labels(tag) for tag in soup.select(select)}


def address(tag: Tag) -> str:
    return tag["id"] if tag.get("id") else tag["href"].partition("#")[2]


def labels(tag: Tag) -> list[str]:
    signs = tag.select_one("summary, .signs")
    labels = [sign["aria-label"] for sign in signs.select(".sign[aria-label]")]
    return [
        re.sub(r"\)\. .*", ")", label) for label in labels
    ]  # without the numbers of copies


def test_board_map_and_command_line_agree_cell_by_cell_for_both_profiles(judged):
    rows = {each.claim.id: render.row(each) for each in judged["together"]}
    given = {name: verdicts_of(judged[name], name) for name in kept.PROFILES}
    board = shown(
        scoreboard.page(judged["root"] / "_build/run/small", judged=judged["together"]),
        ".chapter > .claim, .others > .claim",
    )
    of_map = shown(claims_map.markdown(judged["together"]), "td a")
    assert set(board) == set(rows) and len(of_map) > 20
    assert all(
        board[claim][1:] == signs[1:] for claim, signs in of_map.items() if signs[1:]
    )
    cells = disagreeing = 0
    for claim, (_, *signs) in board.items():
        forms = [form for form in (rows[claim], rows[claim]["general"]) if form]
        allowed = {
            words
            for form in forms
            for name in kept.PROFILES
            for (of, _), words in given[name].items()
            if of == form["claim"]
        }
        for sign in signs:
            assert SHOWN.fullmatch(sign)["words"] in allowed, (claim, sign)
        of_json = [
            each["profile"]
            for form in forms
            for verdict in form["ours"].values()
            for each in (verdict, verdict["beside"])
            if each and each["verdict"] != NOT_RUN
        ]
        assert len(signs) <= len(of_json)
        cells += len(signs)
        disagreeing += sum("; small" in sign or "(small" in sign for sign in signs)
    assert cells > 300 and disagreeing >= len(FAMILIES)


def test_every_verdict_of_either_profile_is_in_the_json_of_both(judged):
    told = {}
    for each in judged["together"]:
        row = render.row(each)
        for form in filter(None, (row, row["general"])):
            for name, verdict in form["ours"].items():
                for side in filter(None, (verdict, verdict["beside"])):
                    key = form["claim"], side["profile"], side["group"] or name
                    told[key] = side["verdict"], side["support"]
    for profile in kept.PROFILES:
        for each in judged[profile]:
            for name, verdict in each.ours.items():
                if verdict.verdict != NOT_RUN:
                    key = each.claim.id, profile, name
                    assert told[key] == (verdict.verdict, verdict.support), key


def test_the_richer_profile_decides_and_the_reason_is_the_parameters_that_differ(judged):
    claim = "eth-anisotropy-noninput"
    (row,) = [each for each in judged["together"] if each.claim.id == claim]
    elmo = row.ours["cwr-elmo"]
    assert (elmo.at, elmo.verdict, elmo.beside.at, elmo.beside.verdict) == (
        *("base", HOLDS, "small", FAILS),
    )
    assert row.ours["smollm2"].at == "base" and row.ours["smollm2"].beside is None
    assert row.differs.startswith(
        "from small to base: corpus one → sts; sentences nothing → 6000"
    )


def test_base_is_answered_without_a_run_for_each_text_that_has_one_to_keep(judged):
    papers = {
        each.paper
        for each in judged["base"]
        for verdict in each.ours.values()
        if verdict.verdict in (HOLDS, FAILS, UNDECIDED)
    }
    kept_of = {row["paper"] for row in artifacts.rows() if row["profile_base"] == "run"}
    assert papers == kept_of and len(kept_of) >= 5


def test_check_of_a_profile_or_a_model_reads_what_travels(judged):
    claim, root = "eth-anisotropy-noninput", judged["root"]

    def at(profile: str | None, model: str | None = None) -> dict[str, tuple]:
        (row,) = judging.claims(root, profile, None, claim, model=model)
        return {name: (each.at, each.contradicted) for name, each in row.ours.items()}

    assert at("base")["cwr-elmo"] == ("base", False)
    assert at("small")["cwr-elmo"] == ("", False) and "smollm2" not in at("small")
    assert at(None, "cwr-elmo") == {"cwr-elmo": ("base", True)}
    assert at(None, "smollm2") == {"smollm2": ("base", False)}


def test_a_profile_without_results_says_so(tmp_path):
    judged = judging.claims(tmp_path, "small", None, "eth-anisotropy-noninput")
    assert "No results yet" in judging.every_model(judged)


def test_a_contradicted_verdict_shows_both_signs_and_both_words():
    verdict = Verdict(HOLDS, 1.0, at="base", beside=Verdict(FAILS, 0.0, at="small"))
    assert (
        render.contrasted(verdict)
        == "holds here (1.00; base), but fails here (0.00; small)"
    )
    signs = BeautifulSoup(render.sign(verdict, "m"), "html.parser").select(".pair > .sign")
    assert [sign["title"] for sign in signs] == [
        "m: holds here (1.00; base)",
        "m: fails here (0.00; small)",
    ]
    same = replace(verdict, beside=Verdict(HOLDS, 0.98, at="small"))
    assert "pair" not in render.sign(same, "m")
    assert render.contrasted(same) == "holds here (1.00; base)"
