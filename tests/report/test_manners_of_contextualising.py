"""The sentence on section 4.2's open question: which of our models' curves rise, draw by draw."""

import numpy as np

from cwr.report import manners_of_contextualising, results

NOISE = np.random.default_rng(0).normal(0, 0.1, 200)  # of both layers, so it cancels


def curve(model: str, family: str, *layers: float, **keys) -> list[dict]:
    rows = []
    for layer, value in enumerate(layers):
        about = {
            "model": model,
            "family": family,
            "layer": layer,
            "measure": manners_of_contextualising.MEASURE,
        }
        rows.append({**about, **keys, "value": value, "replicates": value + NOISE})
    return rows


def test_a_model_rises_by_its_last_layer_minus_its_first_draw_by_draw():
    rows = curve("cwr-elmo", "bilstm", 0.0, 0.5, 0.15) + curve(
        "cwr-gpt", "causal", 0.0, 0.0, 0.11
    )
    said = manners_of_contextualising.sentence(results.collect(rows))
    assert "In 2 of 2 models" in said
    assert said.endswith("by +0.15 to +0.15 in `cwr-elmo`, +0.11 to +0.11 in `cwr-gpt`.")


def test_one_that_falls_is_not_counted():
    rows = curve("cwr-elmo", "bilstm", 0.0, 0.1) + curve(
        "cwr-gpt", "causal", 0.1, 0.2, 0.0
    )
    said = manners_of_contextualising.sentence(results.collect(rows))
    assert "In 1 of 2 models" in said and said.endswith("-0.10 to -0.10 in `cwr-gpt`.")


def test_copies_and_models_of_other_text_are_left_out():
    rows = curve("minilm", "sentence", 0.0, 0.1)
    assert manners_of_contextualising.sentence(results.collect(rows)) == ""
    rows += curve("cwr-gpt", "causal", 0.0, 0.1)
    rows += curve("cwr-gpt", "causal", 0.5, 0.1, variant="blocks", seed=1)
    said = manners_of_contextualising.sentence(results.collect(rows))
    assert "In 1 of 1 models" in said and "by +0.10 to +0.10 in `cwr-gpt`" in said
    assert "minilm" not in said
