"""Checks statements in the text of Ethayarajh (2019) against the released statistics."""

import pandas as pd

from cwr.papers.checks import Check, Found, agreement
from cwr.tables import only_value, where
from cwr.texts.ethayarajh2019.claims.readings import (
    ADJUSTED_EXPLAINED_VARIANCE,
    ADJUSTED_INTRA_SENTENCE,
    ADJUSTED_SELF_SIMILARITY,
    BASELINE,
    EXPLAINED_VARIANCE,
    EXPLAINED_VARIANCE_BASELINE,
    INTRA_SENTENCE,
    SELF_SIMILARITY,
    SELF_SIMILARITY_LAYER_MEAN,
    curves,
    ranges,
)

STATISTICS = "we read the numbers from the released statistics"
INPUT = "an inference: we rebuilt the input, which is not released"
GPT2 = "GPT-2"


def stated(published: pd.DataFrame) -> pd.DataFrame:
    """Selects the numbers that the text prints."""
    return published[published["measure"].str.startswith("stated_").fillna(False)]


def _layers(published: pd.DataFrame) -> Found:
    """The depth of each model, stated and released."""
    depths = where(published, measure="stated_hidden_layers").set_index("model")["value"]
    released = curves(published, BASELINE).apply(pd.Series.last_valid_index).astype(float)
    return agreement(pd.DataFrame({"printed": depths, "computed": released}), 0, "depths")


def _adjusted(published: pd.DataFrame) -> Found:
    """Each adjusted value against the raw one minus its baseline."""
    triples = (
        (ADJUSTED_SELF_SIMILARITY, SELF_SIMILARITY, BASELINE),
        (ADJUSTED_INTRA_SENTENCE, INTRA_SENTENCE, BASELINE),
        (ADJUSTED_EXPLAINED_VARIANCE, EXPLAINED_VARIANCE, EXPLAINED_VARIANCE_BASELINE),
    )
    pairs = []
    for adjusted, raw, baseline in triples:
        difference = curves(published, raw) - curves(published, baseline)
        pair = {"printed": curves(published, adjusted).stack(), "computed": difference.stack()}
        pairs.append(pd.DataFrame(pair).dropna())
    return agreement(pd.concat(pairs), 1e-6, "adjusted values")


def _approximations(published: pd.DataFrame) -> Found:
    """The text's round numbers against the statistics that they sum up."""
    baseline = curves(published, BASELINE)
    similarity = curves(published, SELF_SIMILARITY)
    adjusted = curves(published, ADJUSTED_SELF_SIMILARITY)
    sentences = curves(published, ADJUSTED_INTRA_SENTENCE)
    variance = curves(published, EXPLAINED_VARIANCE, "released")
    computed = (
        (BASELINE, GPT2, None, baseline[GPT2].loc[2:8].mean()),
        (BASELINE, GPT2, 12, baseline[GPT2].loc[12]),
        (BASELINE, "ELMo", 0, baseline["ELMo"].loc[0]),
        (SELF_SIMILARITY, "ELMo", 0, similarity["ELMo"].loc[0]),
        (ADJUSTED_SELF_SIMILARITY, GPT2, 12, adjusted[GPT2].loc[12]),
        (ADJUSTED_INTRA_SENTENCE, GPT2, None, sentences[GPT2].median()),
        (EXPLAINED_VARIANCE, GPT2, None, variance[GPT2].loc[2:11].mean()),
    )
    names = [f"{measure.replace('_', ' ')}, {model}" for measure, model, _, _ in computed]
    printed = [_stated(published, *keys) for *keys, _ in computed]
    values = [value for *_, value in computed]
    pairs = pd.DataFrame({"printed": printed, "computed": values}, index=names)
    return agreement(pairs, 0.05)


def _stated(published: pd.DataFrame, measure: str, model: str, layer: int | None) -> float:
    """The number that the text gives for a measure of a model, of one layer or of several."""
    rows = where(published, measure=f"stated_{measure}", model=model)
    rows = rows[rows["layer"].isna() if layer is None else rows["layer"] == layer]
    return float(rows["value"].item())


def _limits(published: pd.DataFrame) -> Found:
    """The limits of 5 % and 0.20 against the curves."""
    raw = curves(published, EXPLAINED_VARIANCE, "released")[["ELMo", "BERT"]]
    adjusted = curves(published, ADJUSTED_EXPLAINED_VARIANCE, "released")
    intra = curves(published, ADJUSTED_INTRA_SENTENCE)[["ELMo", "BERT"]]
    limits = stated(published).set_index("variant")["value"]
    low = limits["lower bound, ELMo and BERT, all layers but one"]
    upper = limits["upper bound, ELMo and BERT"]
    below = int((intra <= low).sum().sum())
    in_all = adjusted.max().max() <= limits["upper bound, all layers"].max()
    return Found(
        agrees=bool(in_all and below == 1 and raw.max().max() < upper),
        printed=f"adjusted values are at most {upper:g}; raw values are below {upper:g} (ELMo, BERT); "
        f"similarities are above {low:g} with one exception",
        should_be=f"adjusted values: {ranges(adjusted, '{:.3f}')}; raw values: "
        f"{ranges(raw, '{:.3f}')}; similarities up to {low:g}: {below} of "
        f"{intra.notna().sum().sum()}",
    )


def _every_layer(published: pd.DataFrame) -> Found:
    """Which layers have a mean cosine near 0."""
    baseline = curves(published, BASELINE).stack()
    near = baseline[baseline <= 0.05]
    named = [f"{model} layer {layer}: {value:.3f}" for (layer, model), value in near.items()]
    return Found(
        agrees=near.empty,
        printed="no layer is isotropic; section 4.1 names one exception, ELMo's input layer",
        should_be=f"{'; '.join(named)}; the next higher value is {baseline[baseline > 0.05].min():.3f}",
    )


def _every_step(published: pd.DataFrame) -> Found:
    """In which steps self-similarity rises."""
    steps = curves(published, ADJUSTED_SELF_SIMILARITY).diff().stack().dropna()
    up = steps[steps > 0.01]
    rises = [
        f"in {model} it rises by {value:.3f} at layer {layer}"
        for (layer, model), value in up.items()
    ]
    return Found(
        agrees=up.empty,
        printed="self-similarity is on average lower in higher layers, in all three models",
        should_be=f"self-similarity falls or stays level in {len(steps) - len(up)} of "
        f"{len(steps)} steps; " + "; ".join(rises),
    )


def _accompanies(published: pd.DataFrame) -> Found:
    """Baseline and self-similarity of each model, from its first layer to its last."""
    baseline, similarity = curves(published, BASELINE), curves(published, ADJUSTED_SELF_SIMILARITY)
    agrees, courses = [], []
    for model in baseline:
        low, high = baseline[model].dropna().iloc[[0, -1]]
        first, last = similarity[model].dropna().iloc[[0, -1]]
        agrees.append(low < high and first > last)
        courses.append(
            f"in {model} the baseline goes from {low:.2f} to {high:.2f} and self-similarity from "
            f"{first:.2f} to {last:.2f}"
        )
    return Found(
        agrees=all(agrees),
        printed="anisotropy accompanies context-specificity in all three models",
        should_be=f"from the input to the last layer, {'; '.join(courses)}",
    )


def _lowest_words(published: pd.DataFrame) -> Found:
    """ELMo's least self-similar words."""
    printed = where(published, measure="stated_lowest_words")["printed"].item().split("; ")
    rows = where(published, measure=SELF_SIMILARITY_LAYER_MEAN).set_index("word")
    means = rows["value"].sort_values()
    lowest = means.index[: len(printed)]
    shown = [f"{word} {means[word]:.3f}" for word in means.index[: len(printed) + 1]]
    return Found(
        agrees=set(lowest) == set(printed),
        printed=", ".join(printed),
        should_be=", ".join(shown),
    )


def _contexts(published: pd.DataFrame) -> Found:
    """How many released words occur in fewer than five different sentences."""
    known = only_value(published, "released_words_in_input")
    few = only_value(published, "released_words_below_five_sentences")
    return Found(
        agrees=few == 0,
        printed=f"all words have at least {only_value(published, 'stated_least_contexts'):.0f} unique contexts",
        should_be=f"{few:.0f} of {known:.0f} words ({100 * few / known:.1f} %) occur in fewer "
        "than five different sentences",
    )


def _years(published: pd.DataFrame) -> Found:
    """How many released words occur often enough in the data of which years."""
    released = only_value(published, "released_words", model="ELMo")
    known = only_value(published, "released_words_in_input")
    earlier = only_value(published, "released_words_in_input_before_2016")
    return Found(
        agrees=known >= 0.99 * released > earlier,
        printed="the data are from the years 2012 to 2016 (2016 without a citation)",
        should_be=f"{known:.0f} of the {released:.0f} released words occur five times in the five "
        f"years; without 2016 only {earlier:.0f} do",
    )


TEXT = [
    Check(
        id="ethayarajh2019-check-layers",
        place="section 3.1",
        asks="Do the released statistics have the layers that the text names?",
        find=_layers,
        how=STATISTICS,
        sure="exact",
    ),
    Check(
        id="ethayarajh2019-check-adjusted",
        place="Figures 2 to 4",
        asks="Is each adjusted value the raw one minus its baseline (section 3.4)?",
        find=_adjusted,
        how="we subtracted the released statistics anew",
        sure="exact",
        stated="Released",
    ),
    Check(
        id="ethayarajh2019-check-approximations",
        place="sections 4.1 to 4.3",
        asks="Do the text's round numbers agree with the statistics?",
        find=_approximations,
        how=f"{STATISTICS}, as means or medians over the layers named",
        sure="within 0.05",
    ),
    Check(
        id="ethayarajh2019-check-limits",
        place="abstract; sections 1, 4.2 and 4.3",
        asks="Do the text's limits of 5 % and 0.20 hold?",
        find=_limits,
        how=STATISTICS,
        sure="exact, for the released estimator",
    ),
    Check(
        id="ethayarajh2019-check-any-layer",
        place="abstract and section 1, against section 4.1",
        asks="Is every layer anisotropic?",
        find=_every_layer,
        how=STATISTICS,
        sure="exact",
        charitable="The abstract need not include an input layer, which is not contextualised.",
        stated="Stated",
    ),
    Check(
        id="ethayarajh2019-check-every-step",
        place="section 4.2",
        asks="Does self-similarity fall with every layer?",
        find=_every_step,
        how=STATISTICS,
        sure="the rises exceed 0.01, twice the standard error of the baseline",
        charitable="As a trend the sentence holds in all three models. The text names BERT's layer 12 as an "
        "exception, for Figure 3.",
        stated="Stated",
    ),
    Check(
        id="ethayarajh2019-check-accompanies",
        place="section 4.2",
        asks="Do anisotropy and context-specificity go together in all three models?",
        find=_accompanies,
        how=f"{STATISTICS}. In GPT-2's layers 2 to 8 self-similarity falls while the baseline is flat",
        sure="exact",
        stated="Stated",
    ),
    Check(
        id="ethayarajh2019-check-lowest-words",
        place="section 4.2",
        asks="Are and, of, 's, the, to ELMo's five least self-similar words?",
        find=_lowest_words,
        how="we took means over the layers of the released per-word values",
        sure="by 0.001",
        charitable="Without numerals the lowest words are exactly these five.",
    ),
    Check(
        id="ethayarajh2019-check-contexts",
        place="section 3.2",
        asks="Do all words occur in at least five unique contexts?",
        find=_contexts,
        how="we counted on the rebuilt input",
        sure=INPUT,
        charitable='"Context" may mean an occurrence, and all of these words occur five times.',
    ),
    Check(
        id="ethayarajh2019-check-years",
        place="section 3.2",
        asks="Does the released vocabulary fit the years that the text names?",
        find=_years,
        how="we counted on the rebuilt input",
        sure=INPUT,
        stated="Stated",
    ),
]
