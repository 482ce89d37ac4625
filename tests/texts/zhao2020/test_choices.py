"""Choices behind Figure 4: each does what it says, on real contexts of a shipped model."""

from dataclasses import replace

import numpy as np
import pytest

from cwr import corpora, encoders
from cwr.corpora import fingerprint
from cwr.corpora.wiki_pse import contexts
from cwr.estimates.choices import run_choices
from cwr.measures import probing
from cwr.texts.zhao2020 import choices, probed_contexts, probes, probing_sets
from cwr.texts.zhao2020.choices import CHOICES
from cwr.texts.zhao2020.claims.readings import BAG, BAG_DEV, TOKEN, TOKEN_DEV
from cwr.texts.zhao2020.probe_training import Settings

pytest.importorskip(
    "gensim", reason="needs gensim, which brings the Lee corpus: pip install gensim"
)
pytest.importorskip("spacy", reason="needs spaCy, which finds words: pip install spacy")

SETTINGS = Settings(hidden=4, epochs=2)
OF_CONTEXTS = {"links_only", "strict", "cap"}


@pytest.fixture(scope="module")
def chapter(tmp_path_factory):
    """The pipeline of cwr-bert on a part of the corpus."""
    whole = corpora.load("wiki-anchors")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CWR_CACHE", str(tmp_path_factory.mktemp("cache")))
        sentences = whole.sentences[:2500]
        corpus = replace(whole, sentences=sentences, fingerprint=fingerprint(sentences))
        yield choices.pipeline(
            encoders.load("cwr-bert"), corpus, SETTINGS, cap=3, seeds=(0, 1), draws=20
        )


def values(rows, **keys):
    chosen = [row for row in rows if all(row.get(key) == keys[key] for key in keys)]
    return [row["value"] for row in chosen]


def test_the_chapters_rows_are_those_of_probes_trained_by_hand(chapter):
    corpus = chapter.chapter["corpus"]
    table = contexts.probing_set(corpus, cap=3)
    vectors = probed_contexts.read(chapter.chapter["encoder"], corpus, table)
    by_hand = probing_sets.answers(vectors, table, SETTINGS, seeds=(0, 1))
    rows = chapter("rows")
    assert {row["measure"] for row in rows} == {TOKEN, TOKEN_DEV, BAG, BAG_DEV}
    for reading in probing.READINGS:
        expected = probes.scores(by_hand.answers, reading).mean(axis=0)
        assert values(rows, measure=TOKEN, estimator=reading) == pytest.approx(expected)


def test_a_reading_and_a_split_stand_where_the_chapter_has_its_own(chapter):
    rows = chapter("rows")
    pairs = run_choices(chapter, "rows", {"by pairs": {"reading": "pairs"}}, chapter=False)
    assert {row["estimator"] for row in pairs} == {"full"}
    assert {row["variant"] for row in pairs} == {"by pairs"}
    assert values(pairs, measure=TOKEN) == values(rows, measure=TOKEN, estimator="pairs")
    on_dev = chapter("rows", split="dev")
    of_dev = values(rows, measure=TOKEN_DEV, estimator="full")
    assert values(on_dev, measure=TOKEN, estimator="full") == of_dev
    assert values(on_dev, measure=TOKEN_DEV, estimator="full") == of_dev


def test_where_half_is_not_enough_fewer_pairs_are_recognised_and_more_alarms_raised(
    chapter,
):
    half = probes.counts(chapter("answers")[TOKEN])
    more = probes.counts(chapter("answers", percent=51)[TOKEN])
    assert (more[..., 0] <= half[..., 0]).all() and (more[..., 0] < half[..., 0]).any()
    assert (more[..., 1] >= half[..., 1]).all() and (more[..., 1] > half[..., 1]).any()


def test_fewer_contexts_are_not_read_again(chapter, monkeypatch):
    vectors = chapter("vectors")
    monkeypatch.setattr(probed_contexts, "read", None)
    table = chapter("probing_set", cap=1)
    assert table.groupby(contexts.PAIR).size().max() == 1
    spans = chapter("probing_set")[choices.SPAN].apply(tuple, axis=1).tolist()
    rows = [spans.index(tuple(span)) for span in table[choices.SPAN].to_numpy()]
    fewer = chapter("vectors", cap=1)
    for measure, layers in vectors.items():
        for layer, subset in zip(layers, fewer[measure], strict=True):
            assert np.array_equal(subset, layer[rows])


def test_contexts_that_the_chapter_lacks_are_read(chapter):
    more = chapter("vectors", cap=4)
    table = chapter("probing_set", cap=4)
    assert len(table) > len(chapter("probing_set"))
    by_hand = probed_contexts.read(
        chapter.chapter["encoder"], chapter.chapter["corpus"], table
    )
    for layer, expected in zip(more[TOKEN], by_hand, strict=True):
        assert np.array_equal(layer, expected)


def test_choices_of_contexts_change_the_table_and_nothing_else_does(chapter):
    whole = chapter("probing_set")
    assert chapter("probing_set", links_only=True)["link"].all()
    assert len(chapter("probing_set", strict=False)) > len(whole)
    for changes in CHOICES.values():
        if not set(changes) & OF_CONTEXTS:
            assert chapter("probing_set", **changes) is whole


def test_choices_of_vectors_and_probes_reach_them(chapter):
    linear, raw = chapter("trained", hidden=0), chapter("trained", standardised=False)
    assert {probe.hidden for probe in linear[BAG]} == {0}
    assert all((probe.scale == 1).all() for probe in raw[BAG])
    assert not any((probe.scale == 1).all() for probe in chapter("trained")[BAG])
    first, again = chapter("trained")[BAG], chapter("trained", seeds_from=1)[BAG]
    assert first[1].weight.equal(again[0].weight) and not first[0].weight.equal(
        again[0].weight
    )
    by_words, by_pieces = chapter("vectors", pool="words"), chapter("vectors")
    assert not np.array_equal(by_words[TOKEN][0], by_pieces[TOKEN][0])
    assert np.array_equal(by_words[BAG][0], by_pieces[BAG][0])


def test_every_choice_of_the_table_changes_something_and_what_the_chapter_has_does_not(
    chapter,
):
    assert list(chapter.applicable(CHOICES)) == [
        name for name in CHOICES if name != "few contexts: 3 a pair"
    ]


def test_moves_are_paired_differences_of_three_numbers(chapter):
    def rows(variant, scores, bag):
        keys = {"model": "m", "family": "masked", "estimator": "full", "variant": variant}
        noise = np.linspace(0, 1, 5)
        of_layers = [
            {
                **keys,
                "measure": TOKEN,
                "layer": layer,
                "value": value,
                "replicates": value + noise,
            }
            for layer, value in enumerate(scores)
        ]
        return [
            *of_layers,
            {**keys, "measure": BAG, "value": bag, "replicates": bag + noise},
        ]

    table = choices.moves(rows(None, [9, 1, 2, 6], 0.5) + rows("b", [0, 3, 2, 10], 1.5))
    assert table["panel"].tolist() == [
        "mean of the blocks",
        "last block minus first",
        "first block minus mean of pieces",
    ]
    assert table["change"].tolist() == pytest.approx([2, 2, 1])  # layer 0 is no block
    assert table["low"].tolist() == pytest.approx(
        table["high"].tolist()
    )  # shared noise cancels
    assert table["value"].tolist() == [5, 7, 1.5]
    assert table["is_moved"].all() and not table["noise"].any()  # no other seed was asked

    of_seed = rows(choices.ANOTHER_SEED, [9, 3, 2, 7], 4)  # moves them by 1, -1 and -1.5
    table = choices.moves(
        rows(None, [9, 1, 2, 6], 0.5) + rows("b", [0, 3, 2, 10], 1.5) + of_seed
    ).set_index("variant")
    assert table.loc["b", "noise"].tolist() == pytest.approx([1, 1, 1.5])
    assert table.loc["b", "is_moved"].tolist() == [True, True, False]
    assert not table.loc[choices.ANOTHER_SEED, "is_moved"].any()
