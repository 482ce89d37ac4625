"""Choices of a chapter: what can matter to a model is computed, what cannot is left as it is."""

import json
import shutil

import numpy as np
import pytest

from cwr import corpora, encoders, extraction
from cwr.encoders.shipped import MODELS
from cwr.estimates import contextuality
from cwr.extraction import targets
from cwr.texts.ethayarajh2019.choices import CHOICES, pipeline, rows_by_choice

FIRST, LAST, PIECES = (
    "pooling: first piece",
    "pooling: last piece",
    "unit: word pieces, no pooling",
)
SKIPPED, BEFORE_NORM = "without the first position", "last layer before the final norm"
UNIFORM = "random words drawn uniformly"
OF_WORDS = {name: changes for name, changes in CHOICES.items() if name != PIECES}
CHAPTER = {"pooling": "mean", "skip_first_position": False, "final_norm": True}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """What to load by name: the shipped models, and cwr-gpt without its start token."""
    folder = tmp_path_factory.mktemp("models") / "no-start"
    shutil.copytree(MODELS / "cwr-gpt", folder)
    file = folder / "tokenizer.json"
    tokenizer = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(tokenizer | {"post_processor": None}), encoding="utf-8")
    return {name: name for name in ("cwr-elmo", "cwr-bert", "cwr-gpt")} | {
        "no-start": str(folder)
    }


@pytest.fixture(scope="module")
def text():
    return corpora.load("lee").sample(12, 0)


@pytest.fixture(scope="module")
def pipelines(models):
    small = {"sentences": 12, "tokens": 40, "min_contexts": 3, "draws": 4}
    whole = corpora.load("lee")
    return {name: pipeline(model, whole, **small) for name, model in models.items()}


def values(rows: list[dict], measure: str) -> dict[int, float]:
    return {row["layer"]: row["value"] for row in rows if row["measure"] == measure}


def test_the_choices_are_those_of_the_table():
    assert CHOICES == {
        FIRST: {"pooling": "first"},
        LAST: {"pooling": "last"},
        PIECES: {"unit": "piece"},
        SKIPPED: {"skip_first_position": True},
        BEFORE_NORM: {"final_norm": False},
        UNIFORM: {"sampling": "occurrence"},
    }


@pytest.mark.parametrize(
    ("model", "mattering"),
    [
        ("cwr-elmo", {SKIPPED, UNIFORM}),
        ("cwr-bert", {FIRST, LAST, UNIFORM}),
        ("cwr-gpt", {FIRST, LAST, BEFORE_NORM, UNIFORM}),
        ("no-start", {FIRST, LAST, SKIPPED, BEFORE_NORM, UNIFORM}),
    ],
)
def test_a_choice_that_cannot_matter_to_a_model_is_the_choice_of_the_chapter(
    pipelines, model, mattering
):
    assert set(pipelines[model].applicable(OF_WORDS)) == mattering


@pytest.mark.parametrize("name", [FIRST, SKIPPED, BEFORE_NORM])
def test_a_choice_that_is_left_out_would_have_changed_no_vector(
    text, pipelines, models, name
):
    options = CHAPTER | CHOICES[name]
    final_norm = options.pop("final_norm")
    for model, path in models.items():
        base = extraction.run(encoders.load(path), text)
        changed = extraction.run(
            encoders.load(path, final_norm=final_norm), text, **options
        )
        same = len(base.table) == len(changed.table) and all(
            np.array_equal(base.vectors(layer), changed.vectors(layer))
            for layer in range(base.n_layers + 1)
        )
        assert same == (not pipelines[model].effective(CHOICES[name])), model


def test_the_rows_are_those_of_the_estimates_of_the_chapter(pipelines, text):
    rows = pipelines["cwr-gpt"]("rows", **CHOICES[FIRST])
    units = targets.occurrences(text)
    encoder = encoders.load("cwr-gpt")
    random = extraction.run(
        encoder,
        text,
        targets.random_tokens(text, 40, 0, "sentence", units),
        pooling="first",
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
        assert [measured[layer] for layer in range(5)] == pytest.approx(
            curve.values, abs=1e-9
        )
    assert {row.get("estimator") for row in rows} == {
        None,
        "definition",
        "pca",
        "released",
    }
    assert {row["dataset"] for row in rows} == {"lee"}


@pytest.mark.parametrize(
    ("model", "changes"),
    [
        ("cwr-gpt", {"pooling": "max"}),
        ("cwr-gpt", {"final_norm": False}),
        ("cwr-elmo", {"skip_first_position": True}),
        ("cwr-gpt", {"pooling": "last", "sampling": "occurrence"}),
    ],
)
def test_every_part_of_a_choice_reaches_the_vectors(pipelines, text, model, changes):
    options = CHAPTER | {"sampling": "sentence"} | changes
    encoder = encoders.load(model, final_norm=options.pop("final_norm"))
    units = targets.occurrences(text)
    random = targets.random_tokens(text, 40, 0, options.pop("sampling"), units)
    run = extraction.run(encoder, text, random, **options)
    expected = contextuality.anisotropy_baseline(run, 4, 0).values
    measured = values(pipelines[model]("rows", **changes), "anisotropy_baseline")
    assert [measured[layer] for layer in range(len(expected))] == pytest.approx(
        expected, abs=1e-9
    )
    assert measured != values(pipelines[model]("rows"), "anisotropy_baseline")


def test_word_pieces_are_units_of_their_own(pipelines, text):
    encoder = encoders.load("cwr-bert")
    pieces = targets.pieces(encoder, text)
    run = extraction.run(encoder, text, pieces, unit="piece")
    vectors = pipelines["cwr-bert"]("vectors", **CHOICES[PIECES])
    assert vectors.table.equals(run.table)
    assert np.array_equal(vectors.vectors(4), run.vectors(4))
    words = pipelines["cwr-bert"]("samples", **CHOICES[PIECES]).words
    assert words.table.equals(targets.frequent(text, 3, among=pieces))


def test_another_draw_of_random_words_changes_the_baseline_and_not_the_words(pipelines):
    base, uniform = (pipelines["cwr-elmo"]("rows", **c) for c in ({}, CHOICES[UNIFORM]))
    assert values(base, "self_similarity") == values(uniform, "self_similarity")
    assert values(base, "anisotropy_baseline") != values(uniform, "anisotropy_baseline")


def test_another_seed_draws_other_sentences_and_other_random_words_of_these(pipelines):
    again = corpora.load("lee").sample(12, 1)
    random = pipelines["cwr-elmo"]("samples", seed=1).random
    assert pipelines["cwr-elmo"]("text", seed=1) == again
    assert random.table.equals(targets.random_tokens(again, 40, 1))


def test_each_choice_has_rows_and_those_that_cannot_matter_have_the_chapters(pipelines):
    by_model = {}
    for model in ("cwr-elmo", "cwr-bert"):
        variants: dict[str | None, list[dict]] = {}
        for row in rows_by_choice(pipelines[model], CHOICES):
            named = {key: row[key] for key in row if key not in ("variant", "replicates")}
            variants.setdefault(row["variant"], []).append(named)
        by_model[model] = variants
    bert, elmo = by_model["cwr-bert"], by_model["cwr-elmo"]
    assert list(bert) == [None, *CHOICES]
    assert list(elmo) == [None, *OF_WORDS], "no word pieces"
    assert bert[BEFORE_NORM] == bert[SKIPPED] == bert[None] != bert[FIRST]
    assert elmo[FIRST] == elmo[LAST] == elmo[None] != elmo[SKIPPED]


def test_a_model_is_opened_once_and_runs_once_for_all_choices_that_cannot_matter(
    text, monkeypatch
):
    opened = []
    load = encoders.load
    monkeypatch.setattr(
        encoders, "load", lambda *a, **k: opened.append(a) or load(*a, **k)
    )
    of_model = pipeline("cwr-elmo", text)
    vectors = of_model("vectors")
    for name in (FIRST, BEFORE_NORM, UNIFORM):
        assert of_model("vectors", **CHOICES[name]) is vectors
    assert opened == [("cwr-elmo",)]
