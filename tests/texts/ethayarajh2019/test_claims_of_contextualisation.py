"""Is anisotropy a by-product of contextualising? The readings, against loops over rows of vectors."""

import itertools

import numpy as np
import pytest

from cwr.papers import predicates
from cwr.papers.claims import Claim, Needs
from cwr.report import groups, results
from cwr.report.judgement import FAILS, HOLDS, NOT_RUN, UNDECIDED, Verdict, on_published
from cwr.tables import UNTRAINED
from cwr.texts.ethayarajh2019 import claims as ethayarajh2019
from cwr.texts.ethayarajh2019.claims.contextualisation import (
    ALONG_TRAINING,
    CONTEXTUALISATION,
)
from cwr.texts.ethayarajh2019.claims.readings import BASELINE

INITIALISED, BLOCKS = UNTRAINED
BY_PRODUCT = "eth-anisotropy-by-contextualisation"
READINGS = ("", ".each-layer", ".inherent", ".inherent-initialised", ".inherent-training")
CLAIMS = {claim.id.removeprefix(BY_PRODUCT): claim for claim in CONTEXTUALISATION}
DRAWS = 200


def rows_of(b, noise: float = 1e-4, **keys) -> list[dict]:
    """Rows of one model, or of a copy of it: b by layer, with draws that are shared by all."""
    drawn = np.random.default_rng(0).normal(0, noise, DRAWS)
    keys = {"model": "m", "family": "masked", "measure": BASELINE} | keys
    return [
        {**keys, "layer": layer, "value": value, "replicates": value + drawn * (layer + 1)}
        for layer, value in enumerate(b)
    ]


def model(trained, blocks=(), initialised=(), **keys) -> list[dict]:
    """Rows of a trained model and of its copies: b by layer, of each copy one."""
    rows = rows_of(trained, **keys)
    for kind, of_kind in ((BLOCKS, blocks), (INITIALISED, initialised)):
        for seed, b in enumerate(of_kind):
            rows += rows_of(b, variant=kind, seed=seed, **keys)
    return rows


def training(*moments) -> list[dict]:
    """Rows along a training: of each moment b by layer; they have no draws."""
    return [
        {key: row[key] for key in row if key != "replicates"} | {"k": k, "class": "plain"}
        for k, b in enumerate(moments)
        for row in rows_of(b, measure=ALONG_TRAINING)
    ]


def ask(reading: str, rows: list[dict]) -> Verdict:
    return groups.on_ours([CLAIMS[reading]], results.collect(rows), "small")[
        BY_PRODUCT + reading
    ]["m"]


def test_the_sentence_has_five_readings_that_nothing_published_decides():
    assert tuple(CLAIMS) == READINGS
    for claim in CONTEXTUALISATION:
        verdict = on_published(claim, ethayarajh2019.published())
        assert verdict.verdict == "not decidable" and "trained models" in verdict.reason


# ---- an oracle: the same by loops over vectors


def mean_cosine(vectors: np.ndarray) -> float:
    pairs = itertools.combinations(vectors, 2)
    return float(
        np.mean([a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in pairs])
    )


def vectors_of(rng, shared: float) -> np.ndarray:
    return rng.normal(size=(12, 8)) + shared


@pytest.mark.parametrize("seed", range(12))
def test_every_reading_is_the_loop_over_layers_and_copies(seed):
    """Point values alone, so that verdict and loop have the same numbers."""
    rng = np.random.default_rng(seed)

    def curve() -> list[float]:
        shares = rng.choice([0.1, 0.4, 0.8, 1.2], 4)
        return [round(mean_cosine(vectors_of(rng, share)), 4) for share in shares]

    trained, moments = curve(), [curve(), curve(), curve()]
    copies = {kind: [curve(), sorted(curve())] for kind in UNTRAINED}
    copies[BLOCKS] = [sorted(b) for b in copies[BLOCKS]] if seed % 2 else copies[BLOCKS]
    rows = model(trained, copies[BLOCKS], copies[INITIALISED]) + training(*moments)
    rows = [{key: row[key] for key in row if key != "replicates"} for row in rows]

    over, each = True, True
    for b in copies[BLOCKS]:
        for layer in (1, 2, 3):
            over = over and b[layer] > b[0]
            each = each and b[layer] > b[layer - 1]
    expected = {"": over, ".each-layer": each}
    for reading, kind in ((".inherent", BLOCKS), (".inherent-initialised", INITIALISED)):
        sides = {sum(trained[1:]) >= sum(b[1:]) for b in copies[kind]}
        expected[reading] = sides.pop() if len(sides) == 1 else None
    expected[".inherent-training"] = (
        sum(moments[2][1:]) / 3 - sum(moments[0][1:]) / 3 >= -0.01
    )
    words = {True: HOLDS, False: FAILS, None: NOT_RUN}
    assert {reading: ask(reading, rows).verdict for reading in READINGS} == {
        reading: words[truth] for reading, truth in expected.items()
    }


# ---- known values


RISING, FALLING = [0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]


@pytest.mark.parametrize(
    "reading, rows, verdict",
    [
        ("", model([0.1, 0.0, 0.0, 0.0], [RISING, RISING]), HOLDS),
        ("", model(RISING, [RISING, FALLING]), FAILS),  # one copy suffices
        ("", model(RISING, [[0.1, 0.3, 0.2, 0.3]]), HOLDS),  # over the input is enough
        (".each-layer", model(RISING, [[0.1, 0.3, 0.2, 0.3]]), FAILS),
        (".each-layer", model(FALLING, [RISING]), HOLDS),
        ("", model(RISING, [], [RISING]), NOT_RUN),  # copies of the other kind are none
        (".inherent", model([0.9, 0.2, 0.3, 0.4], [RISING]), HOLDS),  # equal is no less
        (".inherent", model([0.9, 0.2, 0.2, 0.2], [RISING, RISING]), FAILS),
        (".inherent", model(RISING, [FALLING], [[0.9] * 4]), HOLDS),
        (".inherent-initialised", model(RISING, [FALLING], [[0.9] * 4]), FAILS),
        (".inherent", model([0.2] * 4, [[0.1] * 4, [0.3] * 4]), NOT_RUN),
        (".inherent-training", training([0.9, 0.2], [0.1, 0.9], [0.5, 0.3]), HOLDS),
        (".inherent-training", training([0.0, 0.3], [0.1, 0.9], [0.5, 0.2]), FAILS),
        (".inherent-training", training([0.0, 0.3], [0.5, 0.295]), HOLDS),  # as much
        (".inherent-training", training([0.0, 0.3]), NOT_RUN),
    ],
)
def test_what_the_readings_say_of_known_curves(reading, rows, verdict):
    assert ask(reading, rows).verdict == verdict


def test_the_difference_to_copies_has_its_sign_and_its_interval():
    far = ask(".inherent", model([0.5, 0.2, 0.2, 0.2], [RISING, RISING])).distances[0]
    assert far.value == pytest.approx(-0.1) and far.interval[1] < 0


@pytest.mark.parametrize("reading", READINGS[:-1])
def test_a_model_without_copies_is_not_asked_and_says_what_makes_them(reading):
    verdict = ask(reading, model(RISING))
    assert verdict.verdict == NOT_RUN and "untrained_seeds" in verdict.reason
    assert not verdict.untrained
    assert ask(".inherent-training", model(RISING)).reason == (
        "the claim needs numbers that are missing here: anisotropy baseline along training"
    )


def test_independent_normal_rows_support_no_reading():
    """Nothing is shared by words, in no layer, of no copy: draws are of the words."""
    rng = np.random.default_rng(1)

    def curve(**keys) -> list[dict]:
        rows = []
        for layer in range(4):
            units = rng.normal(size=(300, 64))
            units /= np.linalg.norm(units, axis=1, keepdims=True)
            picks = rng.integers(0, 300, (DRAWS, 300))
            weights = np.stack([np.bincount(pick, minlength=300) for pick in picks])
            sums = (weights @ units) ** 2
            # pairs of one word and itself are no pairs
            drawn = (sums.sum(1) - (weights**2).sum(1)) / (300**2 - (weights**2).sum(1))
            value = ((units.sum(0) ** 2).sum() - 300) / (300 * 299)
            keys = {"model": "m", "family": "masked", "measure": BASELINE} | keys
            rows.append({**keys, "layer": layer, "value": value, "replicates": drawn})
        return rows

    rows = curve()
    for kind, seed in itertools.product(UNTRAINED, range(3)):
        rows += curve(variant=kind, seed=seed)
    words = {reading: ask(reading, rows) for reading in READINGS[:-1]}
    assert all(verdict.verdict in (FAILS, UNDECIDED) for verdict in words.values()), words
    assert (
        words[".inherent"].verdict == UNDECIDED
        and "both sides" in words[".inherent"].reason
    )


# ---- what a claim sees of copies


def test_a_claim_sees_the_copies_that_it_reads_and_no_others():
    seen = []

    def holds(table):
        seen.append(sorted(table.rows.table["variant"].fillna("trained")))
        return predicates.above(table, table.values(BASELINE).min(axis=1), 0, "b")

    def judged(copies: tuple[str, ...]) -> Verdict:
        needs = Needs(measures=(BASELINE,), copies=copies)
        claim = Claim(id="c", place="p", says="s", needs=needs, holds=holds, tolerance="")
        rows = model([0.5], [[0.1], [0.2]], [[0.3]])
        return groups.on_ours([claim], results.collect(rows), "small")["c"]["m"]

    assert judged((BLOCKS,)).untrained == "", "it is no question for a copy"
    assert seen[0] == ["trained", BLOCKS, BLOCKS]
    seen.clear()
    assert judged(()).untrained and all(each == ["trained"] for each in seen)
