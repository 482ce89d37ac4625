"""Choices behind the places of tasks: each does what it says, on real sentences and a shipped model."""

from dataclasses import replace

import numpy as np
import pytest

from cwr import corpora, encoders
from cwr.corpora import edge_tasks
from cwr.errors import UserError
from cwr.measures import stats
from cwr.texts.survey import edge_choices, edge_probes, edges, spans
from cwr.texts.survey.edge_choices import CHAPTER, CHOICES, Choice, Study, Tasks

SETTINGS = edges.Settings(hidden=4, epochs=1, most=150, most_tested=120)
NAMES = ("pos", "constituents", "dependencies")
CURVE, ALONE = "cumulative_probe_f1", "single_layer_probe_f1"
WEIGHT, BY_NORM = "scalar_mix_weight", "scalar_mix_weight_by_norm"


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """cwr-bert on every twelfth sentence of GUM."""
    gum = corpora.load("gum")
    sentences = gum.sentences[::12]
    part = corpora.Corpus("part", sentences, corpora.fingerprint(sentences), gum.licence)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CWR_CACHE", str(tmp_path_factory.mktemp("cache")))
        encoder = encoders.load("cwr-bert")
        yield Study(encoder, Tasks(part, NAMES), SETTINGS, 2, [0], single=True, draws=20)


@pytest.fixture(scope="module")
def chapter(study):
    return study.rows()


def numbers(rows, **keys):
    """{layer: value and replicates} of the rows with these keys."""
    chosen = [row for row in rows if all(row.get(key) == keys[key] for key in keys)]
    of_layer = {row.get("layer"): np.append(row["value"], row["replicates"]) for row in chosen}
    assert chosen and len(of_layer) == len(chosen)
    return np.stack(list(of_layer.values()))


def test_the_chapters_rows_are_those_of_probes_trained_by_hand(study, chapter):
    corpus = study.tasks.corpus
    vectors = spans.words(study.encoder, corpus)
    task = edge_tasks.load("dependencies", corpus, 2)
    said = edges.scored(vectors, task, edges.all_kinds(5), SETTINGS, [0])
    by_hand = edge_probes.score_rows(said, draws=20)
    for measure in (CURVE, ALONE):
        got = numbers(chapter, measure=measure, task="dependencies")
        assert np.array_equal(got, numbers(by_hand, measure=measure))
    assert {row["variant"] for row in chapter} == {None}
    assert {row["task"] for row in chapter} == set(NAMES)


def test_layers_alone_stand_where_the_chapter_has_ranges_of_layers(study, chapter):
    rows = study.rows(Choice(single=True), "alone")
    for name in NAMES:
        alone = numbers(chapter, measure=ALONE, task=name)
        assert np.array_equal(numbers(rows, measure=CURVE, task=name), alone)
        assert not np.array_equal(numbers(chapter, measure=CURVE, task=name), alone)
    assert {row["variant"] for row in rows} == {"alone"}


def test_weights_by_norm_stand_where_the_chapter_has_those_of_raw_vectors(study, chapter):
    rows = study.rows(Choice(by_norm=True))
    by_norm = numbers(chapter, measure=BY_NORM, task="pos")
    assert np.array_equal(numbers(rows, measure=WEIGHT, task="pos"), by_norm)
    assert np.array_equal(
        numbers(rows, measure=CURVE, task="pos"), numbers(chapter, measure=CURVE, task="pos")
    )


def test_parsing_as_dependencies_renames_what_the_order_reads_and_nothing_else(study, chapter):
    rows = study.rows(Choice(parsing="dependencies"))
    for measure in (CURVE, WEIGHT):
        expected = numbers(chapter, measure=measure, task="dependencies")
        assert np.array_equal(numbers(rows, measure=measure, task="constituents"), expected)
        assert not [r for r in rows if (r["measure"], r["task"]) == (measure, "dependencies")]
    for name in NAMES:
        for keys in ({"measure": ALONE}, {"measure": "edge_probe_f1", "estimator": "mix"}):
            got, expected = (numbers(of, task=name, **keys) for of in (rows, chapter))
            assert np.array_equal(got, expected)


def test_sentences_are_drawn_where_documents_were(study, chapter):
    rows = study.rows(Choice(by_sentence=True))
    got, before = (numbers(of, measure=CURVE, task="pos") for of in (rows, chapter))
    assert np.array_equal(got[:, 0], before[:, 0])
    assert not np.array_equal(got[:, 1:], before[:, 1:])
    said = study.said("pos")
    task = study.tasks.load("pos", 2)
    right = said.decisions[0, 0, np.arange(len(said.gold)), said.gold]
    sentence = task.table["sentence"].to_numpy()[said.rows]
    times = stats.weights(np.arange(len(study.tasks.corpus.sentences)), 20, 0)
    by_hand = [100 * (right * of[sentence]).sum() / of[sentence].sum() for of in times]
    assert got[0, 1:] == pytest.approx(
        by_hand
    )  # of one label a target F1 is the share of right ones


def test_words_alone_are_the_lowest_layer_and_the_others_stay(study):
    rows = study.rows(Choice(words_alone=True))
    corpus = study.tasks.corpus
    (bare,) = spans.without_positions(study.encoder, corpus).layers
    whole = spans.words(study.encoder, corpus)
    task = study.tasks.load("pos", 2)
    vectors = spans.Words([bare, *whole.layers[1:]], whole.starts)
    by_hand = edges.scored(vectors, task, edges.all_kinds(5), SETTINGS, [0])
    expected = numbers(edge_probes.score_rows(by_hand, draws=20), measure=CURVE)
    assert numbers(rows, measure=CURVE, task="pos") == pytest.approx(expected)
    assert not np.array_equal(expected, numbers(study.rows(), measure=CURVE, task="pos"))


def test_beside_layer_0_single_layers_alone_are_others(study, chapter):
    rows = study.rows(Choice(beside=True))
    both = spans.beside_input(study.words)
    kinds = [("single", layer) for layer in range(5)]
    by_hand = edges.scored(both, study.tasks.load("pos", 2), kinds, SETTINGS, [0])
    expected = numbers(edge_probes.score_rows(by_hand, draws=20), measure=ALONE)
    assert np.array_equal(numbers(rows, measure=ALONE, task="pos"), expected)
    got, before = (numbers(of, measure=CURVE, task="pos") for of in (rows, chapter))
    assert np.array_equal(got, before)


def test_choices_of_probes_reach_them(study, monkeypatch):
    asked = []

    def scored(vectors, task, kinds, settings, seeds, mixes):
        asked.append((task, settings, seeds))

    monkeypatch.setattr(edges, "scored", scored)
    for choice in (CHAPTER, Choice(folds=0), Choice(hidden=0), Choice(pooling="last")):
        study.said("constituents", choice)
    longer = replace(study, settings=replace(SETTINGS, epochs=6))
    for choice in (Choice(updates=4), Choice(labels=2), CHOICES["labels: twice as many"]):
        longer.said("constituents", choice)
    study.said("constituents", Choice(seed=7))
    study.said("dependencies", Choice(products=False))
    chapter, official, linear, last, trained, more, named, other, apart = asked
    assert chapter[1:] == (SETTINGS, [0]) and chapter[0].folds == [0, 1]
    assert official[0].folds == [0] and official[1:] == (SETTINGS, [0])
    assert linear[1] == replace(SETTINGS, hidden=0)
    assert last[1] == replace(SETTINGS, pooling="last")
    assert trained[1] == replace(SETTINGS, epochs=24)
    assert more == named and more[1] == replace(SETTINGS, most=300, epochs=3)  # as many updates
    assert other[1:] == (SETTINGS, [7]) and other[0] is chapter[0]
    assert SETTINGS.products and apart[1] == replace(SETTINGS, products=False)


def test_what_cannot_matter_is_no_choice(study):
    same = Choice(folds=2, hidden=4, pooling="mean", products=True)
    assert same.changed and not study.effective(same).changed
    assert all(study.effective(choice) == choice for choice in CHOICES.values())
    of_all = replace(study, settings=replace(SETTINGS, most=0))
    assert not of_all.effective(Choice(labels=2)).changed
    few = replace(study, single=False)
    assert not few.effective(Choice(single=True)).changed
    assert not few.effective(Choice(beside=True)).changed
    of_letters = replace(study, encoder=encoders.load("cwr-elmo"))
    assert not of_letters.effective(Choice(words_alone=True)).changed
    with pytest.raises(UserError, match="'poling' is no kind of choice"):
        edge_choices.of_kinds(["poling"])
    assert list(edge_choices.of_kinds(["weights"])) == ["weights: by norm"]


# ---- what a choice moves

NOISE = np.random.default_rng(5).normal(0, 0.3, 40)
LEVELS = {"pos": (60, 70, 71), "constituents": (50, 55, 60), "entities": (40, 40, 45)}
LEVELS |= {"coreference": (30, 30, 36), "dependencies": (50, 50, 70)}
SHARES = {"pos": (0.6, 0.3, 0.1), "constituents": (0.5, 0.3, 0.2), "dependencies": (0.2, 0.3, 0.5)}
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
    table = edge_choices.moves(
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
    table = edge_choices.moves(made(None) + made("b", flat))
    assert "expected layer: pos to parsing" not in set(table["panel"])
    assert len(table) == 2
    assert edge_choices.moves(made(None)).columns.tolist() == table.columns.tolist()


def test_the_share_of_draws_in_order_is_counted_draw_by_draw():
    close = {**LEVELS, "entities": (40, 44.95, 50)}  # beside constituents at 1.5
    table = edge_choices.orders(made(None, close)).set_index(["parsing", "reading"])["share"]
    hits = 0
    for noise in NOISE:
        curves = [np.array(close[t], float) for t in ("pos", "constituents", "entities")]
        curves = [curve + np.array([0, 0, noise]) for curve in [*curves, np.array([30.0, 30, 36])]]
        layers = [((c[1] - c[0]) + 2 * (c[2] - c[1])) / (c[2] - c[0]) for c in curves]
        hits += layers == sorted(layers) and len(set(layers)) == 4
    assert 0 < hits <= len(NOISE)
    assert table["constituents", "expected layer"] == pytest.approx(hits / len(NOISE))
    assert table["constituents", "centre of gravity"] == 1
    assert table["dependencies", "centre of gravity"] == 0  # above entities
    flat = {**LEVELS, "entities": (40, 40, 40.1)}
    unplaced = edge_choices.orders(made("b", flat)).set_index(["parsing", "reading"])["share"]
    assert np.isnan(unplaced["constituents", "expected layer"])
    assert unplaced["constituents", "centre of gravity"] == 1
