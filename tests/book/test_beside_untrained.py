"""What verdicts of the book are beside untrained copies, held against the numbers of its results."""

import json
import re
from pathlib import Path

import pytest

from cwr.report import render, results, verdicts
from cwr.report.judgement import HOLDS, LESS, MORE, SAME
from cwr.tables import UNTRAINED

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("as initialised", "with random blocks")
NUMBER = r"-?[\d,]+(?:\.\d+)?(?:e-\d+)?"
OF_KIND = re.compile(
    rf"cop(?:ies|y) ({'|'.join(KINDS)}), where this number is ({NUMBER})(?: to ({NUMBER}))?\."
)


@pytest.fixture(scope="module")
def told(run_folder) -> dict:
    """{(claim, model): verdict} of all verdicts that have copies beside them."""
    rows = verdicts.judge_all(results.read_all(run_folder), run_folder.name)
    return {
        (form.claim.id, model): verdict
        for each in rows
        for form in each.with_general
        for model, verdict in form.ours.items()
        if verdict.untrained
    }


def test_every_verdict_beside_untrained_copies_is_marked_on_a_page(told, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "book" / "_ext"))
    from verdict_words import VERDICT

    for verdict in told.values():
        line = VERDICT.fullmatch(f"{render.words(verdict)} [1] [12]")
        assert line and line["word"] == verdict.verdict


def ends(because: str) -> list[float]:
    """The least and the greatest number of the copies of each kind, as printed."""
    return [
        float(number.replace(",", ""))
        for _, low, high in OF_KIND.findall(because)
        for number in (low, high or low)
    ]


def beyond(verdict, value: float) -> float:
    """How far a value lies on the side of a verdict, from the nearer bound of its claim."""
    (far,) = verdict.distances
    room = min(value - far.low, far.high - value)
    return room if verdict.verdict == HOLDS else -room


def test_more_so_is_beyond_every_copy_on_the_side_of_the_verdict_and_less_so_is_before_it(
    told,
):
    directed = [each for each in told.values() if each.untrained in (MORE, LESS)]
    for verdict in directed:
        (far,) = verdict.distances
        own, copies = beyond(verdict, far.value), ends(verdict.untrained_because)
        of_copies = [beyond(verdict, value) for value in copies]
        assert len(of_copies) >= 2
        if verdict.untrained == MORE:
            assert own > max(of_copies)
        else:
            assert own < min(of_copies)
    assert {each.untrained for each in directed} == {MORE, LESS} and len(directed) > 30


def deciding(run_folder, notebook: str, measure: str, of) -> dict:
    """{(model, kind of copy or None): the deciding numbers, one a seed}, from the file alone."""
    rows = json.loads((run_folder / notebook / "results.json").read_text(encoding="utf-8"))
    curves: dict[tuple, list[float]] = {}
    for row in rows["estimates"]:
        variant, seed = row.get("variant"), row.get("seed")
        is_read = row["measure"] == measure and variant in (None, *UNTRAINED)
        if is_read and row["layer"] > 0 and row.get("estimator") in (None, "released"):
            curves.setdefault((row["model"], variant, seed), []).append(row["value"])
    numbers: dict[tuple, list[float]] = {}
    for (model, variant, _), curve in curves.items():
        numbers.setdefault((model, variant), []).append(of(curve))
    return numbers


@pytest.mark.parametrize(
    "claim, notebook, measure, of, words",
    [
        (
            "eth-anisotropy-noninput",  # above a margin: less is less so
            "01_anisotropy",
            "anisotropy_baseline",
            min,
            {"cwr-elmo": LESS, "cwr-bert": LESS, "cwr-gpt": SAME},
        ),
        (
            "eth-mev-raw-5pct",  # below a limit: more is less so
            "04_maximum_explainable_variance",
            "maximum_explainable_variance",
            max,
            {"cwr-elmo": SAME, "cwr-bert": LESS, "cwr-gpt": LESS},
        ),
    ],
)
def test_the_numbers_beside_untrained_copies_are_those_of_a_plain_loop(
    told, run_folder, claim, notebook, measure, of, words
):
    numbers = deciding(run_folder, f"ethayarajh2019/{notebook}", measure, of)
    sign = 1 if of is min else -1
    for model, word in words.items():
        verdict = told[claim, model]
        (own,) = numbers[model, None]
        copies = [numbers[model, kind] for kind in UNTRAINED]
        extremes = [number for each in copies for number in (min(each), max(each))]
        assert verdict.distances[0].value == pytest.approx(own, abs=1e-4)
        assert ends(verdict.untrained_because) == pytest.approx(
            extremes, rel=0.01
        )  # three digits
        is_less_so = sign * own < min(sign * number for number in extremes)
        assert (verdict.verdict, verdict.untrained) == (HOLDS, word)
        assert is_less_so == (word == LESS)


def test_steps_on_a_page_with_copies_are_those_of_the_trained_model(run_folder):
    folder = run_folder / "zhao2020" / "02_uncontextualized"
    rows = json.loads((folder / "results.json").read_text(encoding="utf-8"))["estimates"]
    own = {
        (row["measure"], row.get("layer")): row["value"]
        for row in rows
        if row["model"] == "cwr-bert" and row.get("variant") is None
    }
    matrix, *layers = [own["matrix_probe_f1", None]] + [
        own["type_probe_f1", layer] for layer in range(5)
    ]
    page = (folder / "notebook.ipynb").read_text(encoding="utf-8")
    gains = re.findall(
        r"\|[^|]*\| (?:positions|first|both|other)[^|]*\| (-?[\d.]+) \|", page
    )
    steps = [
        layers[0] - matrix,
        layers[1] - layers[0],
        layers[1] - matrix,
        layers[4] - layers[1],
    ]
    assert [float(gain) for gain in gains] == pytest.approx(steps, abs=6e-4)
