"""What is said of trained models beside their copies: counts and sides, from made-up numbers."""

import numpy as np
import pytest

from cwr.making.language_models import shipped_files
from cwr.report import contextualisation, results
from cwr.tables import UNTRAINED

DRAWS = 50
MODELS = {"a": "bilstm", "b": "masked", "c": "causal"}


def rows(model: str, b, **keys) -> list[dict]:
    noise = np.random.default_rng(0).normal(0, 1e-4, DRAWS)
    keys = {"model": model, "family": MODELS[model], **keys}
    return [
        {**keys, "measure": "anisotropy_baseline", "layer": layer, "value": value}
        | {"replicates": value + noise * (layer + 1)}
        for layer, value in enumerate(b)
    ]


def with_copies(model: str, trained, blocks, initialised) -> list[dict]:
    found = rows(model, trained)
    for kind, of_kind in zip(UNTRAINED, (initialised, blocks), strict=True):
        for seed, b in enumerate(of_kind):
            found += rows(model, b, variant=kind, seed=seed)
    return found


LESS = with_copies(
    "a", [0.1, 0.2, 0.2], [[0.1, 0.3, 0.5], [0.1, 0.3, 0.6]], [[0.8, 0.9, 0.9]]
)
BETWEEN = with_copies("b", [0.1, 0.4, 0.4], [[0.1, 0.5, 0.7]], [[0.1, 0.2, 0.2]])
FLAT = with_copies("c", [0.4, 0.4, 0.4], [[0.4, 0.3, 0.3]], [[0.4, 0.3, 0.5]])


def test_the_title_names_models_that_blocks_raise():
    title = contextualisation.title(results.collect(LESS + BETWEEN + FLAT))
    assert title.endswith("more alike in a and b")
    assert contextualisation.title(results.collect(FLAT)).endswith("more alike in none")


def test_findings_have_the_side_and_the_range_of_the_copies():
    blocks, one, other = contextualisation.findings(results.collect(LESS + BETWEEN))
    assert "from 0.10 to 0.55 in `a` and from 0.10 to 0.70 in `b`" in blocks
    assert "`a`" in one and "`b`" in other
    assert one.endswith(
        "0.20: less than in copies with random blocks (0.40 to 0.45) and less than in copies as initialised (0.90)."
    )
    assert other.endswith(
        "0.40: less than in copies with random blocks (0.60) and more than in copies as initialised (0.20)."
    )


def test_a_training_is_told_from_its_first_moment_to_its_last_with_its_run():
    along = shipped_files.rows_along(
        "anisotropy_baseline", ["cwr-elmo", "cwr-bert", "minilm"]
    )
    first, last = (
        [row["value"] for row in along if row["model"] == "cwr-bert" and row["k"] == k][1:]
        for k in (0, 301_090)
    )
    copies = [
        {**row, "model": name, "family": family}
        for name, family in (("cwr-elmo", "bilstm"), ("cwr-bert", "masked"))
        for row in LESS
    ]
    *_, training = contextualisation.findings(results.collect(copies + along))
    assert (
        f"from {np.mean(first):.2f} to {np.mean(last):.2f} in `cwr-bert` "
        "(a run from random vectors, 301,090 words)" in training
    )
    assert "in `cwr-elmo` (the shipped run, 6,000,808 words)" in training
    assert "minilm" not in training


def test_models_without_copies_are_left_out():
    table = contextualisation.of_models_with_copies(
        results.collect(LESS + rows("c", [0.1, 0.2]))
    ).table
    assert set(table["model"]) == {"a"}


@pytest.mark.parametrize("name", ["cwr-elmo", "cwr-bert", "cwr-gpt"])
def test_the_run_of_a_training_is_one_whose_end_is_that_of_its_curve(name):
    along, curves = shipped_files.along(name), shipped_files.curves()
    (start,) = along["start"].unique()
    run = curves[(curves["model"] == name) & (curves["start"] == start)]
    assert along["words"].max() == run["words"].max()
