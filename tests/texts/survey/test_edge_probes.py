"""Scores of edge probes: against a count by hand, resampled documents, weights by norm."""

from dataclasses import replace

import numpy as np
import pytest

from cwr.measures import stats
from cwr.tables import tidy
from cwr.texts.survey import edge_probes
from cwr.texts.survey.edge_probes import SOFTMAX, ProbePredictions

KINDS = (("cumulative", 0), ("cumulative", 1), ("single", 1), ("lex",), ("mix",))
LABELS = ("a", "b", "c")


def predictions(seeds=2, n=40, right=0.7, **changes) -> ProbePredictions:
    """Sigmoids that say the gold label in a share of the targets, and any label now and then."""
    random = np.random.default_rng(3)
    gold = random.integers(0, len(LABELS), n)
    logits = random.normal(-1.2, 1, size=(seeds, len(KINDS), n, len(LABELS)))
    said = random.random((seeds, len(KINDS), n)) < right
    is_gold = gold[:, None] == np.arange(len(LABELS))
    logits += 3 * (said[..., None] & is_gold)
    weights = np.zeros((seeds, 2, len(KINDS), 2))
    weights[..., 0], weights[..., 1] = 0.75, 0.25
    whole = ProbePredictions(
        task="pos",
        labels=LABELS,
        scored=np.array([True, True, True]),
        kinds=KINDS,
        logits=logits.astype(np.float16),
        answers="sigmoids",
        gold=gold,
        rows=np.arange(n),
        document=np.sort(random.integers(0, 5, n)) * 3,
        fold=random.integers(0, 2, n),
        documents=np.arange(5) * 3,
        weights=weights,
        norms=np.array([1.0, 3.0]),
        scaled=False,
    )
    return replace(whole, **changes)


def f1(logits, gold, labels) -> float:
    """Micro F1 in points, decision by decision."""
    tp = fp = fn = 0
    for row, label in zip(logits, gold, strict=True):
        for number in labels:
            said, is_gold = row[number] >= 0, number == label
            tp, fp, fn = (
                tp + (said and is_gold),
                fp + (said > is_gold),
                fn + (said < is_gold),
            )
    return 100 * 2 * tp / (2 * tp + fp + fn)


@pytest.mark.parametrize("scored", [(True, True, True), (True, False, True)])
def test_scores_are_counted_decision_by_decision(scored):
    answers = predictions(scored=np.array(scored))
    got = edge_probes.scores(answers, KINDS)
    for seed, kind in np.ndindex(got.shape):
        expected = f1(answers.logits[seed, kind], answers.gold, np.flatnonzero(scored))
        assert got[seed, kind] == pytest.approx(expected)


def test_a_softmax_says_one_label():
    answers = predictions(answers=SOFTMAX)
    assert (answers.decisions.sum(axis=-1) == 1).all()
    best = answers.logits.argmax(axis=-1) == answers.gold
    assert edge_probes.scores(answers, KINDS) == pytest.approx(100 * best.mean(axis=-1))
    for way in ("sigmoids", SOFTMAX):
        shares = replace(answers, answers=way).probabilities
        assert shares.sum(axis=-1) == pytest.approx(1) and (shares >= 0).all()
        assert (shares.argmax(axis=-1) == answers.logits.argmax(axis=-1)).all()


def test_replicates_resample_documents_and_draw_a_seed():
    answers = predictions()
    got = edge_probes.replicates(answers, KINDS, draws=30, seed=4)
    weights = stats.weights(answers.documents, 30, 4)
    run = np.random.default_rng(4).integers(2, size=30)
    for draw in range(30):
        times = weights[draw].astype(int)[answers.document // 3]
        rows = np.repeat(np.arange(len(times)), times)
        for kind in range(len(KINDS)):
            logits = answers.logits[run[draw], kind, rows]
            assert got[draw, kind] == pytest.approx(
                f1(logits, answers.gold[rows], range(3))
            )


def test_replicates_do_not_depend_on_the_task_but_on_its_documents():
    one = edge_probes.replicates(predictions(), [("mix",), ("lex",)], draws=20)
    again = edge_probes.replicates(
        predictions(task="entities"), [("lex",), ("mix",)], draws=20
    )
    assert (one[:, 0] == again[:, 1]).all() and (one[:, 1] == again[:, 0]).all()


def test_one_document_has_no_spread_and_one_seed_no_draw():
    answers = predictions(seeds=1)
    answers = replace(answers, document=np.zeros(40, int), documents=np.array([0]))
    drawn = edge_probes.replicates(answers, KINDS, draws=20)
    assert (drawn == edge_probes.scores(answers, KINDS)).all()


def test_weights_by_norm_are_shares_of_length():
    answers = predictions()
    assert edge_probes.mix_weights(answers) == pytest.approx(np.tile([0.75, 0.25], (4, 1)))
    by_norm = edge_probes.mix_weights(answers, by_norm=True)
    assert by_norm == pytest.approx(np.tile([0.5, 0.5], (4, 1)))  # .75 * 1 and .25 * 3
    scaled = replace(answers, scaled=True)  # the same shares, of vectors of one length
    assert edge_probes.mix_weights(scaled, by_norm=True) == pytest.approx(
        np.tile([0.75, 0.25], (4, 1))
    )
    assert edge_probes.mix_weights(scaled) == pytest.approx(np.tile([0.9, 0.1], (4, 1)))


def test_rows_have_each_score_once_with_its_layer_or_its_estimator():
    rows = edge_probes.score_rows(predictions(), draws=50, model="m", family="masked")
    named = {(row["measure"], row.get("estimator"), row.get("layer")) for row in rows}
    assert named == {
        ("cumulative_probe_f1", None, 0),
        ("cumulative_probe_f1", None, 1),
        ("single_layer_probe_f1", None, 1),
        ("edge_probe_f1", "lex", None),
        ("edge_probe_f1", "mix", None),
        ("edge_probe_f1_error", "lex", None),
        ("edge_probe_f1_error", "mix", None),
    }
    assert len(rows) == 7 and {row["task"] for row in rows} == {"pos"}
    mix = next(row for row in rows if row.get("estimator") == "mix")
    error = next(row for row in rows[::-1] if row.get("estimator") == "mix")
    low, high = stats.interval(mix["replicates"])
    assert error["value"] == pytest.approx((high - low) / 2)
    weights = edge_probes.weight_rows(predictions(), draws=9, model="m")
    assert {(row["measure"], row["layer"]) for row in weights} == {
        (f"scalar_mix_weight{by}", layer) for by in ("", "_by_norm") for layer in (0, 1)
    }


def test_rules_are_scored_and_drawn_as_the_probes_are(monkeypatch):
    answers = predictions(scored=np.array([False, True, True]))
    rules = {"constant": np.full(40, 1), "second": (answers.gold + np.arange(40) % 2) % 3}
    monkeypatch.setattr(edge_probes.edge_rules, "said", lambda task, rows: rules)
    rows = edge_probes.rule_rows(answers, None, 30, 4, model="m")
    keys = [(row["measure"], row["estimator"]) for row in rows]
    assert keys == [("edge_rule_f1", name) for name in rules] + [
        ("edge_best_rule_f1", None)
    ]
    weights = stats.weights(answers.documents, 30, 4)
    for row in rows:
        said = rules[row["estimator"] or "second"]
        logits = 2.0 * (said[:, None] == np.arange(3)) - 1
        assert row["value"] == pytest.approx(f1(logits, answers.gold, (1, 2)))
        for draw, value in enumerate(row["replicates"]):
            times = np.repeat(np.arange(5), weights[draw].astype(int))
            drawn = np.concatenate(
                [np.flatnonzero(answers.document == 3 * d) for d in times]
            )
            assert value == pytest.approx(f1(logits[drawn], answers.gold[drawn], (1, 2)))
    assert {row["model"] for row in rows} == {"m"} and {row["task"] for row in rows} == {
        "pos"
    }


def test_some_targets_are_scored_as_if_there_were_no_others(monkeypatch):
    """Of single layers alone; a part without a target has no score."""
    answers = predictions()
    is_seen = np.arange(40) % 3 == 0
    monkeypatch.setattr(
        edge_probes.edge_tasks, "is_seen", lambda task, rows, most: is_seen
    )
    rows = edge_probes.seen_rows(answers, None, 50, 20, 4, model="m")
    names = [f"{name}_span_probe_f1" for name in ("seen", "unseen")]
    assert [(row["measure"], row["layer"]) for row in rows] == [
        (name, 1) for name in names
    ]
    weights, run = stats.weights(answers.documents, 20, 4), np.random.default_rng(4)
    seeds = run.integers(2, size=20)
    for row, keep in zip(rows, (is_seen, ~is_seen), strict=True):
        logits, gold = answers.logits[:, 2, keep], answers.gold[keep]
        expected = np.mean([f1(of_seed, gold, range(3)) for of_seed in logits])
        assert row["value"] == pytest.approx(expected)
        for draw, value in enumerate(row["replicates"]):
            times = weights[draw].astype(int)[answers.document[keep] // 3]
            chosen = np.repeat(np.arange(len(times)), times)
            of_draw = logits[seeds[draw], chosen]
            assert value == pytest.approx(f1(of_draw, gold[chosen], range(3)))
    monkeypatch.setattr(
        edge_probes.edge_tasks, "is_seen", lambda *_: np.ones(40, dtype=bool)
    )
    rows = edge_probes.seen_rows(answers, None, 50, 20)
    assert {row["measure"] for row in rows} == {names[0]}


def test_the_lead_over_the_best_rule_is_paired_and_is_that_of_the_mix():
    random = np.random.default_rng(0)
    rows = []
    for model, mix, rule in (("a", 50.0, 46.0), ("b", 41.0, 46.0)):
        noise = random.normal(size=200)
        keys = {"model": model, "task": "coreference"}
        for measure, estimator, value, drawn in (
            ("edge_probe_f1", "lex", 90.0, noise),
            ("edge_probe_f1", "mix", mix, noise),
            ("edge_rule_f1", "constant", 20.0, noise),
            ("edge_best_rule_f1", None, rule, noise),
        ):
            row = {**keys, "measure": measure, "estimator": estimator, "value": value}
            rows.append({**row, "replicates": value + drawn})
    table = edge_probes.over_rules(rows).set_index("model")
    assert table.loc["a", ["mix", "rule", "lead"]].tolist() == [50, 46, 4]
    assert table.loc["b", ["low", "high"]].tolist() == pytest.approx([-5, -5])
    levels = edge_probes.rule_levels(
        tidy([{key: row[key] for key in row if key != "replicates"} for row in rows])
    )
    assert levels.to_numpy().tolist() == [
        ["coreference", "best rule without vectors", 46],
        ["coreference", "one label for all", 20],
    ]


def test_draws_of_mean_weights_are_shares_about_the_mean():
    weights = np.array([[0.9, 0.08, 0.02], [0.5, 0.5, 0], [0.7, 0.2, 0.1]])
    drawn = edge_probes.drawn_weights(weights, 4000)
    assert drawn.min() == 0 and drawn.sum(axis=1) == pytest.approx(np.ones(4000))
    assert np.median(drawn, axis=0) == pytest.approx(weights.mean(axis=0), abs=0.03)
    assert (
        drawn[:, 0].max() > weights[:, 0].max()
    )  # a bootstrap stays between the trainings
    alike = edge_probes.drawn_weights(np.tile(weights[0], (4, 1)), 9)
    assert alike == pytest.approx(np.tile(weights[0], (9, 1)))  # no spread, no interval


def test_replicates_of_weights_are_those_of_other_trainings():
    shares = np.random.default_rng(0).dirichlet(np.ones(2), size=(2, 2, len(KINDS)))
    answers = replace(predictions(), weights=shares)
    rows = edge_probes.weight_rows(answers, draws=50, seed=3, model="m")
    drawn = edge_probes.drawn_weights(edge_probes.mix_weights(answers), 50, 3)
    of_layer = [row["replicates"] for row in rows if row["measure"] == "scalar_mix_weight"]
    assert np.stack(of_layer, axis=1) == pytest.approx(drawn)


def test_a_kind_that_was_not_trained_is_no_number():
    with pytest.raises(KeyError):
        edge_probes.scores(predictions(), [("single", 0)])
