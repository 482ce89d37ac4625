"""The notes' verdicts on the released statistics, typed before the predicates; and that every predicate can fail."""
import numpy as np
import pytest

from cwr.papers import ethayarajh2019, published
from cwr.report import judge
from cwr.report.verdicts import on_published

TABLE = ethayarajh2019.published()
EXPECTED = {                                                # claim: verdict on the released statistics (notes, d)
    "eth-anisotropy-every-layer": "fails", "eth-anisotropy-noninput": "holds",
    "eth-elmo-input-only-exception": "holds", "eth-anisotropy-rises": "fails", "eth-gpt2-plateau": "holds",
    "eth-gpt2-exponential": "holds", "eth-gpt2-last-near-one": "holds", "eth-bert-penultimate": "holds",
    "eth-hidden-over-input": "fails",
    "eth-same-word-closer": "holds", "eth-elmo-input-selfsim-one": "holds", "eth-selfsim-decreases": "fails",
    "eth-selfsim-decreases.trend": "holds", "eth-selfsim-decreases.raw": "fails", "eth-gpt2-most-specific": "holds",
    "eth-gpt2-last-maximal": "holds", "eth-stopwords-lowest": "fails", "eth-elmo-lowest-five": "fails",
    "eth-elmo-lowest-five.words": "holds",
    "eth-intra-elmo-rises": "holds", "eth-intra-bert-falls": "holds", "eth-intra-bert-above": "holds",
    "eth-intra-gpt2-zero": "holds", "eth-intra-gpt2-input-highest": "holds", "eth-intra-above-020": "holds",
    "eth-mev-5pct": "holds", "eth-mev-raw-5pct": "holds", "eth-mev-gpt2-30pct": "holds",
    "eth-mev-gpt2-cause": "fails", "eth-mev-below-baseline": "holds",
    # equation 3 and PCA were not released
    "eth-mev-5pct.definition": "not decidable", "eth-mev-5pct.pca": "not decidable",
    "eth-mev-raw-5pct.definition": "not decidable", "eth-mev-raw-5pct.pca": "not decidable",
    "eth-mev-gpt2-30pct.definition": "not decidable", "eth-mev-gpt2-30pct.pca": "not decidable",
}
PER_MODEL = {                                               # where the notes decide model by model
    "eth-anisotropy-every-layer": {"ELMo": "fails", "BERT": "holds", "GPT-2": "holds"},
    "eth-anisotropy-rises": {"ELMo": "holds", "BERT": "holds", "GPT-2": "fails"},
    "eth-hidden-over-input": {"ELMo": "holds", "BERT": "holds", "GPT-2": "fails"},
    "eth-selfsim-decreases": {"ELMo": "holds", "BERT": "fails", "GPT-2": "fails"},
    "eth-selfsim-decreases.raw": {"ELMo": "holds", "BERT": "holds", "GPT-2": "fails"},
    "eth-stopwords-lowest": {"ELMo": "holds", "BERT": "fails", "GPT-2": "fails"},
}
CLAIMS = {claim.id: claim for claim in ethayarajh2019.CLAIMS}
DECIDED = [name for name, verdict in EXPECTED.items() if verdict != "not decidable"]


def test_every_claim_has_an_expected_verdict_and_an_id_of_its_own():
    assert set(CLAIMS) == set(EXPECTED) and len(CLAIMS) == len(ethayarajh2019.CLAIMS)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_released_statistics_give_the_notes_verdict(name):
    verdict = on_published(CLAIMS[name], TABLE)
    assert verdict.verdict == EXPECTED[name], verdict.reason


@pytest.mark.parametrize("name", PER_MODEL)
def test_the_released_statistics_give_the_notes_verdict_model_by_model(name):
    for model, expected in PER_MODEL[name].items():
        part = TABLE[TABLE["model"] == model].reset_index(drop=True)
        assert judge(CLAIMS[name], part).verdict == expected


@pytest.mark.parametrize("name", DECIDED)
def test_some_change_of_the_published_values_flips_the_verdict(name):
    """No predicate is vacuous: noise, shifts and reversals of the values reach the opposite verdict."""
    before, rng = on_published(CLAIMS[name], TABLE).verdict, np.random.default_rng(0)
    changes = [lambda v: v + 1, lambda v: v - 1, lambda v: v * 0, lambda v: v * 0 + 1, lambda v: v[::-1]]
    changes += [lambda v, s=s: v + rng.normal(0, s, len(v)) for s in np.repeat([0.001, 0.01, 0.05, 0.2, 1], 40)]
    layers = TABLE["layer"].to_numpy(dtype=float, na_value=0)
    changes += [lambda v: 0.5 - 0.04 * layers, lambda v: 0.1 + 0.04 * layers]
    values = TABLE["value"].to_numpy()
    assert any(on_published(CLAIMS[name], TABLE.assign(value=change(values))).verdict != before for change in changes)


def test_published_numbers_have_the_schema_and_the_counts_of_the_release():
    assert list(TABLE.columns) == [*published.KEYS, "value"]
    counts = TABLE[TABLE["measure"] == "anisotropy_baseline"].groupby("model").size().to_dict()
    assert counts == {"ELMo": 3, "BERT": 13, "GPT-2": 13}
    assert TABLE["value"].notna().all()


def test_adjusted_values_are_raw_minus_baseline_as_released():
    wide = TABLE.pivot_table(index=["model", "layer"], columns="measure", values="value")
    for measure, baseline in (("self_similarity", "anisotropy_baseline"),
                              ("intra_sentence_similarity", "anisotropy_baseline"),
                              ("maximum_explainable_variance", "maximum_explainable_variance_baseline")):
        difference = (wide[measure] - wide[baseline] - wide[f"adjusted_{measure}"]).dropna()
        assert abs(difference).max() < 1e-6, measure
