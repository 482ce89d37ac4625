"""Choices of the survey: each does what it says, on real sentences and a shipped model."""

from dataclasses import replace

import numpy as np
import pytest

from cwr import corpora, encoders, extraction
from cwr.corpora import edge_tasks
from cwr.errors import UserError
from cwr.estimates.choices import of_kinds, run_choices
from cwr.measures import stats
from cwr.tables import ANOTHER_SEED
from cwr.texts.survey import (
    choices,
    edge_probes,
    edges,
    sentence_similarity,
    spans,
    word_pairs,
)
from cwr.texts.survey.choices import OF_PICTURE, OF_PLACES

SETTINGS = edges.Settings(hidden=4, epochs=1, most=150, most_tested=120)
NAMES = ("pos", "constituents", "dependencies")
CURVE, ALONE = "cumulative_probe_f1", "single_layer_probe_f1"
WEIGHT, BY_NORM = "scalar_mix_weight", "scalar_mix_weight_by_norm"


def part_of_gum(every: slice) -> corpora.Corpus:
    gum = corpora.load("gum")
    sentences = gum.sentences[every]
    return corpora.Corpus("part", sentences, corpora.fingerprint(sentences), gum.licence)


def test_each_choice_of_places_has_words_of_its_own_in_figures():
    words = [choices.IN_WORDS[name] for name in OF_PLACES]
    assert len(set(words)) == len(words) and not any(":" in of_one for of_one in words)


@pytest.fixture(scope="module")
def bert():
    return encoders.load("cwr-bert")


# ---- the places of tasks


@pytest.fixture(scope="module")
def corpus():
    return part_of_gum(slice(None, None, 12))


@pytest.fixture(scope="module")
def tasks(corpus):
    return choices.tasks_of(corpus, NAMES)


@pytest.fixture(scope="module")
def pipeline(bert, corpus, tasks, tmp_path_factory):
    """cwr-bert on every twelfth sentence of GUM."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CWR_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield choices.of_places(
            bert, corpus, tasks, SETTINGS, 2, [0], single=True, draws=20
        )


@pytest.fixture(scope="module")
def chapter(pipeline):
    return run_choices(pipeline, "place_rows", {})


def under(pipeline, name):
    """The rows of one choice."""
    rows = run_choices(pipeline, "place_rows", {name: OF_PLACES[name]}, chapter=False)
    assert {row["variant"] for row in rows} == {name}
    return rows


def numbers(rows, **keys):
    """{layer: value and replicates} of the rows with these keys."""
    chosen = [row for row in rows if all(row.get(key) == keys[key] for key in keys)]
    of_layer = {
        row.get("layer"): np.append(row["value"], row["replicates"]) for row in chosen
    }
    assert chosen and len(of_layer) == len(chosen)
    return np.stack(list(of_layer.values()))


def test_the_chapters_rows_are_those_of_probes_trained_by_hand(bert, corpus, chapter):
    vectors = spans.words(bert, corpus)
    task = edge_tasks.load("dependencies", corpus, 2)
    said = edges.scored(vectors, task, edges.all_kinds(5), SETTINGS, [0])
    by_hand = edge_probes.score_rows(said, draws=20)
    for measure in (CURVE, ALONE):
        got = numbers(chapter, measure=measure, task="dependencies")
        assert np.array_equal(got, numbers(by_hand, measure=measure))
    assert {row["variant"] for row in chapter} == {None}
    assert {row["task"] for row in chapter} == set(NAMES)


def test_layers_alone_stand_where_the_chapter_has_ranges_of_layers(pipeline, chapter):
    rows = under(pipeline, "layers: alone")
    for name in NAMES:
        alone = numbers(chapter, measure=ALONE, task=name)
        assert np.array_equal(numbers(rows, measure=CURVE, task=name), alone)
        assert not np.array_equal(numbers(chapter, measure=CURVE, task=name), alone)


def test_weights_by_norm_stand_where_the_chapter_has_those_of_raw_vectors(
    pipeline, chapter
):
    rows = under(pipeline, "weights: by norm")
    by_norm = numbers(chapter, measure=BY_NORM, task="pos")
    assert np.array_equal(numbers(rows, measure=WEIGHT, task="pos"), by_norm)
    assert np.array_equal(
        numbers(rows, measure=CURVE, task="pos"),
        numbers(chapter, measure=CURVE, task="pos"),
    )


def test_parsing_as_dependencies_renames_what_the_order_reads_and_nothing_else(
    pipeline, chapter
):
    rows = under(pipeline, "parsing: dependencies")
    for measure in (CURVE, WEIGHT):
        expected = numbers(chapter, measure=measure, task="dependencies")
        assert np.array_equal(
            numbers(rows, measure=measure, task="constituents"), expected
        )
        assert not [
            r for r in rows if (r["measure"], r["task"]) == (measure, "dependencies")
        ]
    for name in NAMES:
        for keys in ({"measure": ALONE}, {"measure": "edge_probe_f1", "estimator": "mix"}):
            got, expected = (numbers(of, task=name, **keys) for of in (rows, chapter))
            assert np.array_equal(got, expected)


def test_sentences_are_drawn_where_documents_were(pipeline, corpus, chapter):
    rows = under(pipeline, "resampled: sentences")
    got, before = (numbers(of, measure=CURVE, task="pos") for of in (rows, chapter))
    assert np.array_equal(got[:, 0], before[:, 0])
    assert not np.array_equal(got[:, 1:], before[:, 1:])
    said = pipeline("predictions")["pos"]
    task = edge_tasks.load("pos", corpus, 2)
    right = said.decisions[0, 0, np.arange(len(said.gold)), said.gold]
    sentence = task.table["sentence"].to_numpy()[said.rows]
    times = stats.weights(np.arange(len(corpus.sentences)), 20, 0)
    by_hand = [100 * (right * of[sentence]).sum() / of[sentence].sum() for of in times]
    assert got[0, 1:] == pytest.approx(
        by_hand
    )  # of one label a target F1 is the share of right ones


def test_words_alone_are_the_lowest_layer_and_the_others_stay(
    pipeline, bert, corpus, chapter
):
    rows = under(pipeline, "input: words alone")
    (bare,) = spans.without_positions(bert, corpus).layers
    whole = spans.words(bert, corpus)
    task = edge_tasks.load("pos", corpus, 2)
    vectors = spans.Words([bare, *whole.layers[1:]], whole.starts)
    by_hand = edges.scored(vectors, task, edges.all_kinds(5), SETTINGS, [0])
    expected = numbers(edge_probes.score_rows(by_hand, draws=20), measure=CURVE)
    assert numbers(rows, measure=CURVE, task="pos") == pytest.approx(expected)
    assert not np.array_equal(expected, numbers(chapter, measure=CURVE, task="pos"))


def test_beside_layer_0_single_layers_alone_are_others(pipeline, bert, corpus, chapter):
    rows = under(pipeline, "beside: layer 0")
    both = spans.beside_input(spans.words(bert, corpus))
    kinds = [("single", layer) for layer in range(5)]
    by_hand = edges.scored(both, edge_tasks.load("pos", corpus, 2), kinds, SETTINGS, [0])
    expected = numbers(edge_probes.score_rows(by_hand, draws=20), measure=ALONE)
    assert np.array_equal(numbers(rows, measure=ALONE, task="pos"), expected)
    got, before = (numbers(of, measure=CURVE, task="pos") for of in (rows, chapter))
    assert np.array_equal(got, before)


def test_choices_of_probes_reach_them(bert, corpus, tasks, monkeypatch):
    asked = []

    def scored(vectors, task, kinds, settings, seeds, mixes):
        asked.append((task, settings, seeds))

    def training(name, settings=SETTINGS):
        """The task, settings and seeds of constituents under a choice."""
        asked.clear()
        chosen = choices.of_places(bert, corpus, tasks, settings, 2, [3, 4], single=True)
        chosen("predictions", **(OF_PLACES[name] if name else {}))
        return asked[NAMES.index("constituents")]

    monkeypatch.setattr(edges, "scored", scored)
    chapter, official = training(None), training("split: the official one")
    assert chapter[1:] == (SETTINGS, [3, 4]) and chapter[0].folds == [0, 1]
    assert official[1:] == (SETTINGS, [3, 4]) and official[0].folds == [0]
    assert training("probes: linear")[1] == replace(SETTINGS, hidden=0)
    assert training("pooling: first word")[1] == replace(SETTINGS, pooling="first")
    assert training("pooling: last word")[1] == replace(SETTINGS, pooling="last")
    assert SETTINGS.products
    assert training("pairs: side by side")[1] == replace(SETTINGS, products=False)
    other = training(ANOTHER_SEED)
    assert other[1:] == (SETTINGS, [1003, 1004]) and other[0] is chapter[0]
    longer = replace(SETTINGS, epochs=6)
    assert training("updates: four times as many", longer)[1] == replace(longer, epochs=24)
    more = replace(longer, most=300, epochs=3)  # as many updates
    assert training("labels: twice as many", longer)[1] == more
    assert training("labels: twice as many")[1] == replace(
        SETTINGS, most=300
    )  # 1 epoch at least


def test_what_cannot_matter_is_no_choice(pipeline, bert, corpus, tasks):
    def applicable(encoder=bert, settings=SETTINGS, single=True):
        made = choices.of_places(encoder, corpus, tasks, settings, 2, [0], single=single)
        return made.applicable(OF_PLACES)

    def without(*names):
        return {name: changes for name, changes in OF_PLACES.items() if name not in names}

    same = {"folds": 2, "hidden": 4, "pooling": "mean", "products": True}
    assert not pipeline.applicable({"same": same})
    assert applicable() == OF_PLACES
    assert applicable(settings=replace(SETTINGS, most=0)) == without(
        "labels: twice as many"
    )
    assert applicable(single=False) == without("layers: alone", "beside: layer 0")
    assert applicable(encoders.load("cwr-elmo")) == without("input: words alone")
    assert list(of_kinds(OF_PLACES, ["weights"])) == ["weights: by norm"]
    for kind in ("poling", "picture"):
        with pytest.raises(UserError, match=f"'{kind}' is no kind of choice"):
            of_kinds(OF_PLACES, [kind])


# ---- the post's first picture


@pytest.fixture(scope="module")
def treebank():
    return part_of_gum(slice(150))


def values(rows, **keys):
    chosen = [row for row in rows if all(row[key] == keys[key] for key in keys)]
    assert chosen
    return np.array([row["value"] for row in chosen])


@pytest.mark.parametrize("name", OF_PICTURE)
def test_a_choice_has_the_numbers_of_what_it_names(
    treebank, bert, name, tmp_path, monkeypatch
):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    picture = choices.of_picture(bert, treebank, draws=5, least=2)
    rows = run_choices(picture, "picture_rows", {name: OF_PICTURE[name]})
    assert {row["estimator"] for row in rows} == {"raw"}
    chapter = {"treatment": "raw", "names": True, "nested": True, "pooling": "mean"}
    choice = chapter | OF_PICTURE[name]
    pairs = word_pairs.pairs(treebank, names=choice["names"], nested=choice["nested"])
    read = extraction.run(bert, treebank, pooling=choice["pooling"])
    vectors = sentence_similarity.every_word(read, treebank, 2)
    unit = sentence_similarity.treated(vectors, choice["treatment"])
    cosines = np.array([unit[i] @ unit[i + 1] for i in range(len(unit) - 1)])[
        pairs.apart[0]
    ]
    assert cosines == pytest.approx(pairs.cosines(unit)[: len(cosines)], abs=1e-5)
    expected = sentence_similarity.differences(unit, pairs, pairs.matchings(2))
    moved = []
    for measure, number in expected.items():
        (got,) = values(rows, variant=name, layer=2, measure=measure)
        assert got == pytest.approx(number, abs=1e-6)
        moved.append(got - values(rows, variant=None, layer=2, measure=measure)[0])
    assert np.abs(moved).max() > 1e-4


def test_pieces_are_no_choice_for_a_model_that_reads_letters(bert, treebank):
    assert choices.of_picture(bert, treebank).applicable(OF_PICTURE) == OF_PICTURE
    of_letters = choices.of_picture(encoders.load("cwr-elmo"), treebank).applicable(
        OF_PICTURE
    )
    assert set(OF_PICTURE) - set(of_letters) == {
        "picture: first piece",
        "picture: last piece",
    }
    assert not [changes for changes in of_letters.values() if "pooling" in changes]
