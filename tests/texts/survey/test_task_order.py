"""The place of a task: against the definition, known orders, and a rise that is none."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cwr.measures import edge_probing, stats
from cwr.texts.survey import edge_probes, task_order
from cwr.texts.survey.edge_probes import ProbePredictions

LAYERS, N, DOCUMENTS = 4, 400, 20
KINDS = (*(("cumulative", layer) for layer in range(LAYERS)), ("mix",))


def predictions(shares, task="pos", weights=None) -> ProbePredictions:
    """A softmax that is right in these shares of the targets, (L,), the same targets first."""
    random = np.random.default_rng(0)
    order = random.permutation(N)
    right = np.stack([order < share * N for share in (*shares, shares[-1])])  # (K, n)
    logits = np.stack([right, ~right], axis=-1)[None].astype(np.float16)
    mix = np.full(LAYERS, 1 / LAYERS) if weights is None else np.array(weights)
    return ProbePredictions(
        task=task,
        labels=("a", "b"),
        scored=np.array([True, True]),
        kinds=KINDS,
        logits=logits,
        answers="softmax",
        gold=np.zeros(N, int),
        rows=np.arange(N),
        document=np.arange(N) % DOCUMENTS,
        fold=np.zeros(N, int),
        documents=np.arange(DOCUMENTS),
        weights=np.tile(mix, (1, 2, len(KINDS), 1)),
        norms=np.arange(1.0, LAYERS + 1),
        scaled=False,
    )


def test_a_place_has_the_layers_of_its_definition():
    answers = predictions([0.5, 0.6, 0.8, 0.85], weights=[0.1, 0.2, 0.3, 0.4])
    place = task_order.place(answers, draws=200)
    assert place.rise == pytest.approx(35) and place.has_rise and place.depth == 3
    assert place.expected == pytest.approx((1 * 10 + 2 * 20 + 3 * 5) / 35)
    assert place.centre == pytest.approx(0.2 + 0.6 + 1.2)
    long = np.array([0.1, 0.2, 0.3, 0.4]) * [1, 2, 3, 4]
    assert place.centre_by_norm == pytest.approx((long / long.sum()) @ [0, 1, 2, 3])
    curves = edge_probes.replicates(answers, KINDS[:LAYERS], 200)
    assert place.layers == pytest.approx(edge_probing.expected_layer(curves))
    assert place.interval == stats.interval(curves[:, -1] - curves[:, 0])


def test_centres_are_drawn_over_trainings():
    shares = np.random.default_rng(0).dirichlet(np.ones(LAYERS), size=(3, 2, len(KINDS)))
    answers = replace(predictions([0.5, 0.6, 0.8, 0.85]), weights=shares)
    drawn = edge_probes.drawn_weights(edge_probes.mix_weights(answers), 50, 4)
    assert task_order.place(answers, 50, 4).centres == pytest.approx(
        drawn @ np.arange(LAYERS)
    )


@pytest.mark.parametrize(
    "shares", [[0.5, 0.5, 0.5, 0.5], [0.6, 0.5, 0.5, 0.4], [0.5, 0.5, 0.5, 0.505]]
)
def test_what_is_flat_falls_or_hardly_rises_has_no_place(shares):
    place = task_order.place(predictions(shares), draws=200)
    assert not place.has_rise
    assert pd.isna(task_order.shown([place])["expected layer"].iloc[0])
    measures = {row["measure"] for row in task_order.rows([place], model="m")}
    assert measures == {"centre_of_gravity"}  # every task has that


def test_the_earlier_of_two_tasks_is_the_one_that_rises_lower():
    low = task_order.place(predictions([0.3, 0.8, 0.8, 0.8], "pos"), draws=100)
    high = task_order.place(predictions([0.3, 0.3, 0.3, 0.8], "coreference"), draws=100)
    flat = task_order.place(predictions([0.5] * LAYERS, "entities"), draws=100)
    table = task_order.earlier([low, high, flat])
    assert list(table) == ["pos", "coreference"]  # what has no place stands nowhere
    assert table.loc["pos", "coreference"] == 1 and table.loc["coreference", "pos"] == 0
    centres = task_order.earlier([low, high, flat], "centres")
    assert list(centres) == ["pos", "coreference", "entities"]
    off = centres.to_numpy()[~np.eye(3, dtype=bool)]
    assert off == pytest.approx(0.5)  # equal weights: ties


def test_a_course_is_read_from_scores_alone():
    assert task_order.course([60, 64, 63, 66]) == pytest.approx(
        (60, 4, 6, (4 - 2 + 9) / 6)
    )
    assert np.isnan(task_order.course([60, 64, 63, 60])[3])


def test_printed_depths_are_expected_layers_over_the_depth():
    rows = [
        {"measure": "cumulative_probe_f1", "task": "pos", "layer": layer, "value": value}
        for layer, value in enumerate([50.0, 60.0, 60.0])
    ]
    assert task_order.printed_depths(pd.DataFrame(rows), ["pos", "srl"]) == {"pos": 0.5}


def test_undefined_draws_are_left_out_of_the_order():
    one = task_order.place(predictions([0.3, 0.8, 0.8, 0.8], "pos"), draws=100)
    gaps = one.layers.copy()
    gaps[:50] = np.nan
    other = replace(one, task="entities", layers=gaps + 1)
    assert task_order.earlier([one, other]).loc["pos", "entities"] == 1


# ---- under several choices

CURVE, WEIGHT = "cumulative_probe_f1", "scalar_mix_weight"
NOISE = np.random.default_rng(5).normal(0, 0.3, 40)
LEVELS = {"pos": (60, 70, 71), "constituents": (50, 55, 60), "entities": (40, 40, 45)}
LEVELS |= {"coreference": (30, 30, 36), "dependencies": (50, 50, 70)}
SHARES = {
    "pos": (0.6, 0.3, 0.1),
    "constituents": (0.5, 0.3, 0.2),
    "dependencies": (0.2, 0.3, 0.5),
}
SHARES |= {"entities": (0.4, 0.3, 0.3), "coreference": (0.1, 0.3, 0.6)}


def made(variant, levels=LEVELS, shares=SHARES):
    """Rows of a model of two blocks, with the noise of all scores in their top layer."""
    rows = []
    keys = {"model": "m", "family": "masked", "variant": variant}
    for measure, of_task in ((CURVE, levels), (WEIGHT, shares)):
        for task, values in of_task.items():
            for layer, value in enumerate(values):
                noise = NOISE * (layer == 2) if measure == CURVE else 0 * NOISE
                about = {**keys, "measure": measure, "task": task, "layer": layer}
                rows.append({**about, "value": float(value), "replicates": value + noise})
    return rows


def test_moves_are_paired_differences_of_three_numbers():
    later = {**LEVELS, "constituents": (50, 50, 60), "coreference": (30, 30, 41)}
    table = task_order.moves(
        made(None) + made("b", later, {**SHARES, "coreference": (0, 0.2, 0.8)})
    ).set_index("panel")
    expected = table.loc["expected layer: pos to parsing"]
    before = (5 + 2 * 5) / 10 - (10 + 2 * 1) / 11
    after = 20 / 10 - (10 + 2 * 1) / 11
    assert expected["value"] == pytest.approx(after / 2)  # of two blocks
    assert expected["change"] == pytest.approx((after - before) / 2)
    drawn = (2 - (5 + 2 * (5 + NOISE)) / (10 + NOISE)) / 2
    assert [expected["low"], expected["high"]] == pytest.approx(stats.interval(drawn))
    centre = table.loc["centre of gravity: pos to coreference"]
    assert centre["value"] == pytest.approx((1.8 - 0.5) / 2)
    assert centre["change"] == centre["low"] == pytest.approx(0.3 / 2)
    rise = table.loc["rise, mean of tasks"]
    assert [rise["change"], rise["low"], rise["high"]] == pytest.approx([1, 1, 1])


def test_a_task_without_a_rise_has_no_place_to_move():
    flat = {**LEVELS, "constituents": (50, 50, 50.1)}
    table = task_order.moves(made(None) + made("b", flat))
    assert "expected layer: pos to parsing" not in set(table["panel"])
    assert len(table) == 2
    assert task_order.moves(made(None)).columns.tolist() == table.columns.tolist()


def test_the_share_of_draws_in_order_is_counted_draw_by_draw():
    close = {**LEVELS, "entities": (40, 44.95, 50)}  # beside constituents at 1.5
    table = task_order.orders(made(None, close)).set_index(["parsing", "reading"])["share"]
    hits = 0
    for noise in NOISE:
        curves = [np.array(close[t], float) for t in ("pos", "constituents", "entities")]
        curves = [
            curve + np.array([0, 0, noise])
            for curve in [*curves, np.array([30.0, 30, 36])]
        ]
        layers = [((c[1] - c[0]) + 2 * (c[2] - c[1])) / (c[2] - c[0]) for c in curves]
        hits += layers == sorted(layers) and len(set(layers)) == 4
    assert 0 < hits <= len(NOISE)
    assert table["constituents", "expected layer"] == pytest.approx(hits / len(NOISE))
    assert table["constituents", "centre of gravity"] == 1
    assert table["dependencies", "centre of gravity"] == 0  # above entities
    flat = {**LEVELS, "entities": (40, 40, 40.1)}
    unplaced = task_order.orders(made("b", flat)).set_index(["parsing", "reading"])[
        "share"
    ]
    assert np.isnan(unplaced["constituents", "expected layer"])
    assert unplaced["constituents", "centre of gravity"] == 1


def test_what_all_intervals_of_a_model_have_in_common_needs_two_that_meet():
    rows = [("a", 0, 2), ("a", 1, 3), ("touching", 0, 1), ("touching", 1, 2)]
    rows += [("apart", 0, 1), ("apart", 2, 3), ("alone", 0, 1)]
    table = pd.DataFrame(rows, columns=["model", "low", "high"])
    assert task_order.shared(table) == {"a": (1, 2), "touching": (1, 1)}
