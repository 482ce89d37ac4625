"""Choices of a chapter: what can matter to a model is computed, what cannot is left as it is."""

import json
import shutil

import numpy as np
import pytest

from cwr import corpora, encoders, extraction
from cwr.encoders.shipped import MODELS
from cwr.estimates import contextuality
from cwr.extraction import targets
from cwr.texts.ethayarajh2019.choices import Choice, Study, end_pieces, take_at

CHOICES = {
    "first": Choice(pooling="first"),
    "pieces": Choice(unit="piece"),
    "skipped": Choice(skip_first_position=True),
    "before norm": Choice(final_norm=False),
    "uniform": Choice(sampling="occurrence"),
}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """What to load by name: the shipped models, and cwr-gpt without its start token."""
    folder = tmp_path_factory.mktemp("models") / "no-start"
    shutil.copytree(MODELS / "cwr-gpt", folder)
    file = folder / "tokenizer.json"
    tokenizer = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(tokenizer | {"post_processor": None}), encoding="utf-8")
    return {name: name for name in ("cwr-elmo", "cwr-bert", "cwr-gpt")} | {"no-start": str(folder)}


@pytest.fixture(scope="module")
def text():
    return corpora.load("lee").sample(12, 0)


@pytest.fixture(scope="module")
def study(text):
    return Study(text, tokens=40, min_contexts=3, draws=4)


def values(rows: list[dict], measure: str) -> dict[int, float]:
    return {row["layer"]: row["value"] for row in rows if row["measure"] == measure}


@pytest.mark.parametrize(
    ("model", "mattering"),
    [
        ("cwr-elmo", {"skipped", "uniform"}),
        ("cwr-bert", {"first", "uniform"}),
        ("cwr-gpt", {"first", "before norm", "uniform"}),
        ("no-start", {"first", "skipped", "before norm", "uniform"}),
    ],
)
def test_a_choice_that_cannot_matter_to_a_model_is_the_choice_of_the_chapter(
    study, models, model, mattering
):
    of_words = {name: choice for name, choice in CHOICES.items() if choice.unit == "word"}
    effective = {
        name
        for name, choice in of_words.items()
        if study.effective(models[model], choice) != Choice()
    }
    assert effective == mattering


@pytest.mark.parametrize("name", ["first", "skipped", "before norm"])
def test_a_choice_that_is_left_out_would_have_changed_no_vector(text, study, models, name):
    choice = CHOICES[name]
    for model in models.values():
        base = extraction.run(encoders.load(model), text)
        changed = extraction.run(
            encoders.load(model, final_norm=choice.final_norm),
            text,
            pooling=choice.pooling,
            skip_first_position=choice.skip_first_position,
        )
        same = len(base.table) == len(changed.table) and all(
            np.array_equal(base.vectors(layer), changed.vectors(layer))
            for layer in range(base.n_layers + 1)
        )
        assert same == (study.effective(model, choice) == Choice()), (model, name)


@pytest.mark.parametrize("pooling", ["first", "last"])
@pytest.mark.parametrize("model", ["cwr-bert", "cwr-gpt"])
def test_the_end_pieces_of_words_are_those_of_pooling(text, model, pooling):
    encoder = encoders.load(model)
    pieces = extraction.run(encoder, text, targets.pieces(encoder, text), unit="piece")
    words = targets.occurrences(text)
    part = take_at(pieces, words, end_pieces(encoder, text, pooling))
    pooled = extraction.run(encoder, text, pooling=pooling)
    assert part.table.equals(pooled.table)
    for layer in range(encoder.n_layers + 1):
        assert np.array_equal(part.vectors(layer), pooled.vectors(layer))


def test_words_of_sentences_beyond_the_window_are_left_to_the_pass_itself(text, monkeypatch):
    encoder = encoders.load("cwr-bert")
    longest = encoder.tokenise(text.sentences).lengths.max()
    monkeypatch.setattr(encoder, "window", longest + 2)
    assert end_pieces(encoder, text, "first") is not None
    monkeypatch.setattr(encoder, "window", longest + 1)
    assert end_pieces(encoder, text, "first") is None


def test_the_rows_are_those_of_the_estimates_of_the_chapter(study, text):
    rows = study.rows("cwr-gpt", CHOICES["first"], "first")
    units = targets.occurrences(text)
    encoder = encoders.load("cwr-gpt")
    random = extraction.run(
        encoder, text, targets.random_tokens(text, 40, 0, "sentence", units), pooling="first"
    )
    words = extraction.run(
        encoder,
        text,
        targets.frequent(text, 3),
        reducers=[extraction.vectors(), extraction.sums()],
        pooling="first",
    )
    expected = contextuality.adjusted_self_similarity(words, random, 4, 0)
    for measure, curve in expected.items():
        measured = values(rows, measure)
        assert [measured[layer] for layer in range(5)] == pytest.approx(curve.values, abs=1e-9)
    assert {row["variant"] for row in rows} == {"first"}
    assert {row.get("estimator") for row in rows} == {None, "definition", "pca", "released"}


@pytest.mark.parametrize(
    ("model", "choice"),
    [
        ("cwr-gpt", Choice(pooling="max")),
        ("cwr-gpt", Choice(final_norm=False)),
        ("cwr-elmo", Choice(skip_first_position=True)),
        ("cwr-gpt", Choice(pooling="last", sampling="occurrence")),
    ],
)
def test_every_part_of_a_choice_reaches_the_vectors(study, text, model, choice):
    encoder = encoders.load(model, final_norm=choice.final_norm)
    units = targets.occurrences(text)
    random = targets.random_tokens(text, 40, 0, choice.sampling, units)
    run = extraction.run(
        encoder,
        text,
        random,
        pooling=choice.pooling,
        skip_first_position=choice.skip_first_position,
    )
    expected = contextuality.anisotropy_baseline(run, 4, 0).values
    measured = values(study.rows(model, choice), "anisotropy_baseline")
    assert [measured[layer] for layer in range(len(expected))] == pytest.approx(expected, abs=1e-9)
    assert measured != values(study.rows(model, Choice()), "anisotropy_baseline")


def test_another_draw_of_random_words_changes_the_baseline_and_not_the_words(study):
    base, uniform = (study.rows("cwr-elmo", choice) for choice in (Choice(), CHOICES["uniform"]))
    assert values(base, "self_similarity") == values(uniform, "self_similarity")
    assert values(base, "anisotropy_baseline") != values(uniform, "anisotropy_baseline")


def test_a_model_without_pieces_has_no_rows_for_them_and_nothing_runs_twice(text):
    study = Study(text, tokens=40, min_contexts=3, draws=4)
    assert study.rows("cwr-elmo", CHOICES["pieces"], "pieces") == []
    for name in ("first", "before norm", "uniform"):
        assert study.rows("cwr-elmo", CHOICES[name], name)
    assert len(study.runs) == 1
    assert [encoder.name for encoder in study.encoders] == ["cwr-elmo"]


def test_the_end_pieces_need_no_pass_beside_that_over_all_pieces(text):
    study = Study(text, tokens=40, min_contexts=3, draws=4)
    for name in ("first", "pieces"):
        study.rows("cwr-bert", CHOICES[name], name)
    assert len(study.runs) == 1
