"""Choices behind Figure 4: each does what it says, on real contexts of a shipped model."""

from dataclasses import replace

import numpy as np
import pytest

from cwr import corpora, encoders
from cwr.corpora import fingerprint
from cwr.corpora.wiki_pse import contexts
from cwr.errors import UserError
from cwr.measures import probing
from cwr.texts.zhao2020 import choices, probed_contexts, probes, study
from cwr.texts.zhao2020.batched import Settings
from cwr.texts.zhao2020.choices import CHAPTER, LAYERS, PIECES_MEAN, Choice
from cwr.texts.zhao2020.claims.readings import BAG, BAG_DEV, TOKEN, TOKEN_DEV

pytest.importorskip(
    "gensim", reason="needs gensim, which brings the Lee corpus: pip install gensim"
)
pytest.importorskip("spacy", reason="needs spaCy, which finds words: pip install spacy")

SETTINGS = Settings(hidden=4, epochs=2)


@pytest.fixture(scope="module")
def chapter(tmp_path_factory):
    """A study of cwr-bert on a part of the corpus."""
    whole = corpora.load("wiki-anchors")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CWR_CACHE", str(tmp_path_factory.mktemp("cache")))
        sentences = whole.sentences[:2500]
        corpus = replace(whole, sentences=sentences, fingerprint=fingerprint(sentences))
        yield choices.Study(
            encoders.load("cwr-bert"), corpus, SETTINGS, cap=3, seeds=(0, 1), draws=20
        )


def values(rows, **keys):
    chosen = [row for row in rows if all(row.get(key) == keys[key] for key in keys)]
    return [row["value"] for row in chosen]


def test_the_chapters_rows_are_those_of_probes_trained_by_hand(chapter):
    table = contexts.probing_set(chapter.corpus, cap=3)
    vectors = probed_contexts.read(chapter.encoder, chapter.corpus, table)
    by_hand = study.answers(vectors, table, SETTINGS, seeds=(0, 1))
    rows = chapter.rows(CHAPTER)
    assert {row["measure"] for row in rows} == {TOKEN, TOKEN_DEV, BAG, BAG_DEV}
    for reading in probing.READINGS:
        expected = probes.scores(by_hand.answers, reading).mean(axis=0)
        assert values(rows, measure=TOKEN, estimator=reading) == pytest.approx(expected)


def test_a_reading_and_a_split_stand_where_the_chapter_has_its_own(chapter):
    rows = chapter.rows(CHAPTER)
    pairs = chapter.rows(Choice(reading="pairs"), "by pairs")
    assert {row["estimator"] for row in pairs} == {"full"}
    assert {row["variant"] for row in pairs} == {"by pairs"}
    assert values(pairs, measure=TOKEN) == values(rows, measure=TOKEN, estimator="pairs")
    on_dev = chapter.rows(Choice(split="dev"))
    of_dev = values(rows, measure=TOKEN_DEV, estimator="full")
    assert values(on_dev, measure=TOKEN, estimator="full") == of_dev
    assert values(on_dev, measure=TOKEN_DEV, estimator="full") == of_dev


def test_where_half_is_not_enough_fewer_pairs_are_recognised_and_more_alarms_raised(chapter):
    half = probes.counts(chapter.answers(LAYERS, CHAPTER, "test"))
    more = probes.counts(chapter.answers(LAYERS, Choice(percent=51), "test"))
    assert (more[..., 0] <= half[..., 0]).all() and (more[..., 0] < half[..., 0]).any()
    assert (more[..., 1] >= half[..., 1]).all() and (more[..., 1] > half[..., 1]).any()


def test_fewer_contexts_are_not_read_again(chapter, monkeypatch):
    vectors = chapter.vectors(LAYERS, CHAPTER)
    monkeypatch.setattr(probed_contexts, "read", None)
    fewer = Choice(cap=1)
    table = chapter.table(fewer)
    assert table.groupby(contexts.PAIR).size().max() == 1
    spans = chapter.table(CHAPTER)[choices.SPAN].apply(tuple, axis=1).tolist()
    rows = [spans.index(tuple(span)) for span in table[choices.SPAN].to_numpy()]
    for layer, subset in zip(vectors, chapter.vectors(LAYERS, fewer), strict=True):
        assert np.array_equal(subset, layer[rows])


def test_choices_of_contexts_change_the_table_and_nothing_else_does(chapter):
    whole = chapter.table(CHAPTER)
    assert chapter.table(Choice(links_only=True).only(choices.OF_TABLE))["link"].all()
    assert len(chapter.table(Choice(strict=False))) > len(whole)
    for choice in choices.CHOICES.values():
        if not set(choice.changed) & set(choices.OF_TABLE):
            assert chapter.table(choice.only(choices.OF_TABLE)) is whole


def test_choices_of_probes_reach_them(chapter):
    linear, raw = Choice(hidden=0), Choice(standardised=False)
    assert {probe.hidden for probe in chapter.probes(PIECES_MEAN, linear)} == {0}
    assert all((probe.scale == 1).all() for probe in chapter.probes(PIECES_MEAN, raw))
    assert not any((p.scale == 1).all() for p in chapter.probes(PIECES_MEAN, CHAPTER))


def test_what_cannot_matter_is_no_choice(chapter):
    assert not chapter.effective(Choice(cap=3)).changed
    assert not chapter.effective(Choice(hidden=4)).changed
    assert chapter.effective(Choice(pool="last")).changed
    with pytest.raises(UserError, match="'poling' is no kind of choice"):
        choices.of_kinds(["poling"])
    assert list(choices.of_kinds(["ties"])) == ["ties: half is not enough"]


def test_moves_are_paired_differences_of_three_numbers(chapter):
    def rows(variant, scores, bag):
        keys = {"model": "m", "family": "masked", "estimator": "full", "variant": variant}
        noise = np.linspace(0, 1, 5)
        of_layers = [
            {**keys, "measure": TOKEN, "layer": layer, "value": value, "replicates": value + noise}
            for layer, value in enumerate(scores)
        ]
        return [*of_layers, {**keys, "measure": BAG, "value": bag, "replicates": bag + noise}]

    table = choices.moves(rows(None, [9, 1, 2, 6], 0.5) + rows("b", [0, 3, 2, 10], 1.5))
    assert table["panel"].tolist() == [
        "mean of the blocks",
        "last block minus first",
        "first block minus mean of pieces",
    ]
    assert table["change"].tolist() == pytest.approx([2, 2, 1])  # layer 0 is no block
    assert table["low"].tolist() == pytest.approx(table["high"].tolist())  # shared noise cancels
    assert table["value"].tolist() == [5, 7, 1.5]
    assert table["is_moved"].all() and not table["noise"].any()  # no other seed was asked

    of_seed = rows(choices.ANOTHER_SEED, [9, 3, 2, 7], 4)  # moves them by 1, -1 and -1.5
    table = choices.moves(
        rows(None, [9, 1, 2, 6], 0.5) + rows("b", [0, 3, 2, 10], 1.5) + of_seed
    ).set_index("variant")
    assert table.loc["b", "noise"].tolist() == pytest.approx([1, 1, 1.5])
    assert table.loc["b", "is_moved"].tolist() == [True, True, False]
    assert not table.loc[choices.ANOTHER_SEED, "is_moved"].any()
