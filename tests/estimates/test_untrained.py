"""Untrained copies: which are made, that they differ, and how their rows are marked."""

import shutil

import numpy as np
import pytest

from cwr import corpora, encoders
from cwr.encoders import matrices, shipped
from cwr.estimates import contextuality, curves, samples, untrained
from cwr.tables import UNTRAINED
from cwr.texts.bis2021 import untrained_matrices

SEEDS = 2
OPTIONS = {"tokens": 30, "min_contexts": 3}


@pytest.fixture(scope="module")
def text():
    return corpora.load("lee").sample(30, 0)


@pytest.fixture(scope="module")
def copies(text):
    """All copies of two models; of a third none is made."""
    models = ["cwr-elmo", "cwr-gpt", "cwr-bert"]
    return list(untrained.copies(models, text, SEEDS, ["cwr-bert"], **OPTIONS))


def estimate(encoder, sample: samples.Samples) -> list[dict]:
    baseline = contextuality.anisotropy_baseline(sample.random, draws=20)
    return curves.per_layer(encoder, {"anisotropy_baseline": baseline})


def test_both_kinds_are_made_of_each_model_that_is_not_left_out_with_every_seed(copies):
    named = [(copy.encoder.name, copy.variant, copy.seed) for copy in copies]
    expected = [
        (model, kind, seed)
        for model in ("cwr-elmo", "cwr-gpt")
        for kind in UNTRAINED
        for seed in range(SEEDS)
    ]
    assert named == expected
    assert len({copy.encoder.fingerprint for copy in copies}) == len(copies)


def test_rows_are_those_of_the_estimate_with_kind_and_seed_under_the_models_name(copies):
    rows = untrained.rows(iter(copies), estimate)
    (last,) = [
        row
        for row in rows
        if (row["model"], row["variant"], row["seed"], row["layer"])
        == ("cwr-gpt", "untrained blocks", 1, 4)
    ]
    alone = estimate(copies[-1].encoder, copies[-1].samples)[4]
    assert last["value"] == alone["value"] and np.array_equal(
        last["replicates"], alone["replicates"]
    )
    assert len(rows) == 2 * SEEDS * (
        3 + 5
    )  # layers of cwr-elmo and cwr-gpt, the input included


def test_copies_with_random_blocks_share_the_input_and_nothing_above_it(copies):
    first, second = [
        copy.samples.random
        for copy in copies
        if (copy.encoder.name, copy.variant) == ("cwr-gpt", "untrained blocks")
    ]
    assert np.array_equal(first.vectors(0), second.vectors(0))
    assert all(not np.allclose(first.vectors(n), second.vectors(n)) for n in range(1, 5))


def test_without_seeds_there_are_no_copies(text):
    assert untrained.rows(untrained.copies(["cwr-elmo"], text, 0), estimate) == []


# ---- token matrices


def norms(matrix: matrices.Matrix) -> list[dict]:
    """One row: the mean of the matrix, to tell two of them apart."""
    return [{"model": matrix.name, "measure": "mean", "value": float(matrix.W.mean())}]


def test_matrices_as_initialised_differ_by_seed_alone_and_keep_size_and_tokens():
    trained = matrices.read("cwr-gpt")
    first, second, again = (
        untrained_matrices.as_initialised(trained, s) for s in (0, 1, 0)
    )
    assert np.array_equal(first.W, again.W) and not np.allclose(first.W, second.W)
    assert first.W.shape == trained.W.shape and first.W.dtype == np.float32
    assert first.W.std() == pytest.approx(0.02, rel=0.01)  # half a million numbers
    assert first.tokens == trained.tokens and first.output is None


def test_rows_of_matrices_are_marked_with_kind_and_seed():
    both = matrices.read_all(["cwr-gpt", "cwr-bert"])
    rows = untrained_matrices.rows(both, norms, 2, ["cwr-bert"])
    assert [(row["model"], row["variant"], row["seed"]) for row in rows] == [
        ("cwr-gpt", "untrained", 0),
        ("cwr-gpt", "untrained", 1),
    ]
    assert rows[0]["value"] != rows[1]["value"]
    assert untrained_matrices.rows(both, norms, 0) == []


def test_a_folder_is_left_out_by_its_path_and_by_its_name(text, tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(shipped.MODELS / "cwr-gpt", folder)
    for left_out in (f"{folder}/", f"{tmp_path}/./mine"):
        assert not list(untrained.copies([str(folder)], text, 1, [left_out], **OPTIONS))
    (matrix,) = matrices.read_all([str(folder)])
    assert not untrained_matrices.rows([matrix], lambda copy: [{}], 1, [str(folder)])
    assert encoders.among([matrix], [str(folder)]) == [matrix]
    assert encoders.among([matrix], ["cwr-gpt"]) == []
