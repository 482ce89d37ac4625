"""The printed and released numbers of Ethayarajh (2019), recomputed: text against statistics, Table 1 counted, bounds.

Rows named "Derived from the released statistics" come from `workflow/tables/ethayarajh2019.py`: the author's per-word
files, and the input rebuilt from the public data.
"""
import numpy as np
import pandas as pd

from cwr.papers.checks import Check, Found, agreement
from cwr.papers.claims import PAPER_FAMILIES
from cwr.papers.ethayarajh2019 import claims_table_1 as table_1
from cwr.tables import one

CURVES = "anisotropy_baseline", "self_similarity", "intra_sentence_similarity"
MEV = "maximum_explainable_variance"
INPUT = "inference: the input is rebuilt, not released"


def curves(table: pd.DataFrame, measure: str, estimator: str | None = None) -> pd.DataFrame:
    """A measure by layer (rows) and model (columns)."""
    part = table[(table["measure"] == measure) & table["layer"].notna()]
    part = part if estimator is None else part[part["estimator"] == estimator]
    return part.pivot(index="layer", columns="model", values="value")


def ranges(frame: pd.DataFrame, form: str = "{:.2f}") -> str:
    """Each model's smallest and largest value, for a reader."""
    return "; ".join(f"{model} {form.format(c.min())} to {form.format(c.max())}" for model, c in frame.items()
                     if c.notna().any())


def _layers(table: pd.DataFrame) -> Found:
    stated = table[table["measure"] == "stated_hidden_layers"].set_index("model")["value"]
    return agreement(pd.DataFrame({"printed": stated, "computed": curves(table, CURVES[0]).apply(
        pd.Series.last_valid_index).astype(float)}), 0, "depths")


def _adjusted(table: pd.DataFrame) -> Found:
    parts = []
    for measure, baseline in ((CURVES[1], CURVES[0]), (CURVES[2], CURVES[0]), (MEV, MEV + "_baseline")):
        pair = {"printed": curves(table, "adjusted_" + measure).stack(),
                "computed": (curves(table, measure) - curves(table, baseline)).stack()}
        parts.append(pd.DataFrame(pair).dropna())
    return agreement(pd.concat(parts), 1e-6, "adjusted values")


def _approximations(table: pd.DataFrame) -> Found:
    b, gpt2 = curves(table, CURVES[0]), "GPT-2"
    stated = {(row.measure.removeprefix("stated_"), row.model, -1 if pd.isna(row.layer) else int(row.layer)): row.value
              for row in table[table["measure"].str.startswith("stated_").fillna(False)].itertuples()
              if not pd.isna(row.model)}
    computed = {
        (CURVES[0], gpt2, -1): b[gpt2].loc[2:8].mean(), (CURVES[0], gpt2, 12): b[gpt2].loc[12],
        (CURVES[0], "ELMo", 0): b["ELMo"].loc[0], (CURVES[1], "ELMo", 0): curves(table, CURVES[1])["ELMo"].loc[0],
        ("adjusted_" + CURVES[1], gpt2, 12): curves(table, "adjusted_" + CURVES[1])[gpt2].loc[12],
        ("adjusted_" + CURVES[2], gpt2, -1): curves(table, "adjusted_" + CURVES[2])[gpt2].median(),
        (MEV, gpt2, -1): curves(table, MEV, "released")[gpt2].loc[2:11].mean()}
    pairs = pd.DataFrame({"printed": [stated[key] for key in computed], "computed": list(computed.values())})
    return agreement(pairs.set_axis([f"{m.replace('_', ' ')}, {who}" for m, who, _ in computed]), 0.05)


def _limits(table: pd.DataFrame) -> Found:
    raw, adjusted = curves(table, MEV, "released"), curves(table, "adjusted_" + MEV, "released")
    intra = curves(table, "adjusted_" + CURVES[2])[["ELMo", "BERT"]]
    limit = table[table["measure"].str.startswith("stated_").fillna(False)].set_index("variant")["value"]
    low, upper = limit["lower bound, ELMo and BERT, all layers but one"], limit["upper bound, ELMo and BERT"]
    below = int((intra <= low).sum().sum())
    agrees = (adjusted.max().max() <= limit["upper bound, all layers"].max() and below == 1
              and raw[["ELMo", "BERT"]].max().max() < upper)
    return Found(agrees, f"adjusted at most {upper:g}; raw below {upper:g} (ELMo, BERT); above {low:g} but once",
                 f"adjusted {ranges(adjusted, '{:.3f}')}; raw {ranges(raw[['ELMo', 'BERT']], '{:.3f}')}; "
                 f"{below} of {intra.notna().sum().sum()} values up to {low:g}")


def _lowest_words(table: pd.DataFrame) -> Found:
    printed = table.loc[table["measure"] == "stated_lowest_words", "printed"].item().split("; ")
    means = table[table["measure"] == "self_similarity_layer_mean"].set_index("word")["value"].sort_values()
    lowest = list(means.index[:len(printed)])
    between = ", ".join(f"{word} {means[word]:.3f}" for word in means.index[:len(printed) + 1])
    return Found(set(lowest) == set(printed), ", ".join(printed), between)


def _every_layer(table: pd.DataFrame) -> Found:
    b = curves(table, CURVES[0]).stack()
    near = b[b <= 0.05]
    return Found(near.empty, "not isotropic in any layer; section 4.1: one exception, ELMo's input layer",
                 "; ".join(f"{model} layer {layer}: {value:.3f}" for (layer, model), value in near.items())
                 + f"; the next is {b[b > 0.05].min():.3f}")


def _every_step(table: pd.DataFrame) -> Found:
    steps = curves(table, "adjusted_" + CURVES[1]).diff().stack().dropna()
    up = steps[steps > 0.01]
    return Found(up.empty, "the higher the layer, the lower, on average, in all three models",
                 f"{len(steps) - len(up)} of {len(steps)} steps fall or are level; "
                 + "; ".join(f"{model} rises by {value:.3f} at layer {layer}" for (layer, model), value in up.items()))


def _accompanies(table: pd.DataFrame) -> Found:
    b, s = curves(table, CURVES[0]), curves(table, "adjusted_" + CURVES[1])
    ends = {m: (b[m].dropna().iloc[[0, -1]], s[m].dropna().iloc[[0, -1]]) for m in b}
    agrees = all(low < high and first > last for (low, high), (first, last) in ends.values())
    return Found(agrees, "anisotropy accompanies context-specificity in all three models", "; ".join(
        f"{m}: baseline {low:.2f} to {high:.2f}, self-similarity {first:.2f} to {last:.2f} from the input to the last "
        "layer" for m, ((low, high), (first, last)) in ends.items()))


def _no_pca(table: pd.DataFrame) -> Found:
    share = curves(table, "share_of_words_below_pca_bound").dropna(axis=1, how="all")
    return Found(bool((share == 0).all().all()), "the share of the first principal component",
                 f"per cent of words below the least value a centred PCA can have: {ranges(100 * share, '{:.1f}')}")


def _no_definition(table: pd.DataFrame) -> Found:
    share = curves(table, "share_of_words_below_self_similarity")[["ELMo", "BERT"]]
    least, b = curves(table, "maximum_explainable_variance_least", "definition"), curves(table, CURVES[0])
    return Found(bool((share == 0).all().all()), "equation 3",
                 f"per cent of words below their self-similarity: {ranges(100 * share, '{:.1f}')}; least mean that "
                 f"equation 3 allows: {ranges(least)}; for an adjusted mean of 0.05 the random words of ELMo's layer 1 "
                 f"would need at least {least['ELMo'].loc[1] - 0.05:.2f}, and their mean cosine is "
                 f"{b['ELMo'].loc[1]:.2f}")


def _cause(table: pd.DataFrame) -> Found:
    never, seen = (curves(table, f"{MEV}_{kind}")["GPT-2"].loc[2:11] for kind in ("never_first", "seen_first"))
    return Found(bool((never >= 0.2).all()), "around 30 % in layers 2 to 11, due to extremely high anisotropy",
                 f"words ever seen first in a sentence {seen.min():.2f} to {seen.max():.2f}, all others "
                 f"{never.min():.2f} to {never.max():.2f}")


def _zero(table: pd.DataFrame) -> Found:
    cosine = curves(table, "intra_sentence_cosine").join(curves(table, "intra_sentence_cosine_some_layers"))
    adjusted = curves(table, "adjusted_" + CURVES[2])
    excess = (adjusted - cosine).stack().dropna()
    return Found(bool((excess <= 0.01).all()), "0: no more similar than random words; BERT 'more dissimilar' upwards",
                 f"cosine of different words minus the baseline: {ranges(cosine, '{:+.3f}')}; up to {excess.max():.2f} "
                 f"less than the adjusted value, and in BERT highest at layer {cosine['BERT'].idxmax()}")


def _one_token(table: pd.DataFrame) -> Found:
    pairs, alike = (curves(table, "word_pairs_at_same_positions" + end).loc[0] for end in ("", "_alike"))
    return Found(alike["GPT-2"] == 0, f"{pairs['GPT-2']:.0f} pairs of different words, seen at the same positions",
                 f"{alike['GPT-2']:.0f} of them have the same self-similarity in the input layer, to three decimals; "
                 f"of BERT's {pairs['BERT']:.0f} such pairs {alike['BERT']:.0f}")


def _no_variance(table: pd.DataFrame) -> Found:
    many = table[table["measure"] == "words_without_variance"].set_index("model")["value"]
    varying = curves(table, MEV + "_varying", "released")
    apart = curves(table, MEV, "released")[varying.columns] - varying
    return Found(bool((many == 0).all()), "mean over all words",
                 "; ".join(f"{model}: {many[model]:.0f} words at 1.000 in every layer, which add {c.min():.3f} to "
                           f"{c.max():.3f} to the means" for model, c in apart.items()))


def _contexts(table: pd.DataFrame) -> Found:
    known, few = (one(table, name) for name in ("released_words_in_input", "released_words_below_five_sentences"))
    return Found(few == 0, f"at least {one(table, 'stated_least_contexts'):.0f} unique contexts",
                 f"{few:.0f} of {known:.0f} words ({100 * few / known:.1f} %) occur in fewer than five different "
                 "sentences")


def _years(table: pd.DataFrame) -> Found:
    every, known = one(table, "released_words", model="ELMo"), one(table, "released_words_in_input")
    earlier = one(table, "released_words_in_input_before_2016")
    return Found(known >= 0.99 * every > earlier, "years 2012 to 2016 (2016 without a citation)",
                 f"{known:.0f} of the {every:.0f} released words occur five times in the five years, {earlier:.0f} "
                 "without 2016")


def _names(rows: pd.Series) -> str:
    return ", ".join(f"{model} layer {layer}: {value:.0f}" for (_, model, layer), value in rows.items())


def _often(table: pd.DataFrame) -> Found:
    beats = table_1.beats_static(table, "bilstm", "masked")
    return Found(bool(beats.any().sum() > 4), "ELMo and BERT often outperform GloVe and FastText",
                 f"some vector of theirs exceeds both on {beats.any().sum()} of {beats.shape[1]} benchmarks; "
                 + _names(beats.sum(axis=1)))


def _best(table: pd.DataFrame) -> Found:
    best = table_1.best_or_tied(table)
    first = best.idxmax()
    return Found(first == ("masked", "BERT", 1), "the first layer of BERT", _names(best[best > 0]) + " benchmarks led")


def _others(table: pd.DataFrame) -> Found:
    wins = table_1.other_layers(table)
    most = wins.shape[1] / 2
    return Found(bool((wins.sum(axis=1) > most).all()), "the other layers of BERT and ELMo, on most benchmarks",
                 f"{_names(wins.sum(axis=1))} of {wins.shape[1]}; at least one of them on {wins.any().sum()}")


def _lower(table: pd.DataFrame) -> Found:
    parts = {m: table_1.components(table[table["model"] == m]) for m in ("ELMo", "BERT", "GPT-2")}
    wins = {m: round(table_1.lower_wins(part) * part.shape[1]) for m, part in parts.items()}
    return Found(min(wins.values()) >= 6, "lower layers are more effective, for all three models",
                 "; ".join(f"{m}: the lowest printed layer exceeds the highest on {n} of 9" for m, n in wins.items()))


def _gpt2_worse(table: pd.DataFrame) -> Found:
    below = table_1.causal_below(table)
    best, worst = table_1.components(table, "causal").max(), table_1.components(table, "bilstm", "masked").min()
    return Found(bool(below.all()), "markedly worse than ELMo and BERT",
                 f"on {below.sum()} of {len(below)} benchmarks; " + "; ".join(
                     f"on {name} its best is {best[name]:.3f}, the lowest of the others {worst[name]:.3f}"
                     for name in below.index[~below]))


def _left_out(table: pd.DataFrame) -> Found:
    low, high = map(int, table.loc[table["measure"] == "stated_layers_left_out", "printed"].item().split("-"))
    parts = table_1.components(table, *PAPER_FAMILIES).reset_index()
    printed = sorted(parts["layer"].unique())
    expected = [layer for layer in range(1, 13) if not low <= layer <= high]
    return Found(bool(np.array_equal(printed, expected)), f"all layers but {low} to {high}",
                 "layers " + ", ".join(map(str, printed)))


def _check(what: str, *arguments: str, find, charitable: str = "") -> Check:
    place, asks, how, sure = arguments
    return Check(f"ethayarajh2019-check-{what}", place, asks, find, how, sure, charitable)


STATISTICS = "read from the released statistics"
CHECKS = [
    _check("layers", "section 3.1", "Do the released statistics have the layers that the text names?", STATISTICS,
           "exact", find=_layers),
    _check("adjusted", "Figures 2 to 4", "Is each adjusted value the raw one minus its baseline (section 3.4)?",
           "subtracted anew from the released statistics", "exact", find=_adjusted),
    _check("approximations", "sections 4.1 to 4.3", "Do the text's round numbers agree with the statistics?",
           STATISTICS + "; means or medians over the layers named", "within 0.05", find=_approximations),
    _check("limits", "abstract; sections 1, 4.2 and 4.3", "Do the text's limits of 5 % and 0.20 hold?",
           STATISTICS, "exact, for the released estimator", find=_limits),
    _check("any-layer", "abstract and section 1, against section 4.1", "Is every layer anisotropic?", STATISTICS,
           "exact", find=_every_layer,
           charitable="An input layer is not contextualised, so the abstract need not mean it."),
    _check("every-step", "section 4.2", "Does self-similarity fall with every layer?", STATISTICS,
           "beyond 0.01, twice what the baseline moves between samples", find=_every_step,
           charitable="As a trend it holds in all three models. The text names BERT's layer 12 as an exception, for "
                      "Figure 3."),
    _check("accompanies", "section 4.2", "Do anisotropy and context-specificity go together in all three models?",
           STATISTICS + "; in GPT-2's layers 2 to 8 self-similarity falls while the baseline is flat", "exact",
           find=_accompanies),
    _check("lowest-words", "section 4.2", "Are and, of, 's, the, to ELMo's five least self-similar words?",
           "means over the layers of the released per-word values", "by 0.001", find=_lowest_words,
           charitable="Without numerals they are exactly these five."),
    _check("contexts", "section 3.2", "Do all words occur in at least five unique contexts?",
           "counted on the rebuilt input", INPUT, find=_contexts,
           charitable="\"Context\" may mean an occurrence; counted so, all of these words have five."),
    _check("years", "section 3.2", "Does the released vocabulary fit the years that the text names?",
           "counted on the rebuilt input", INPUT, find=_years),
    _check("no-pca", "sections 1, 3.3 and 4.3", "Is the released value that of a first principal component?",
           "n vectors have at most n - 1 principal components, so the first explains at least 1/(n-1); n from the "
           "rebuilt input", "by a bound, beyond rounding", find=_no_pca,
           charitable="The code took the ratio from scikit-learn's TruncatedSVD, which does not centre. For that "
                      "estimator \"less than 5 %\" is correct."),
    _check("no-definition", "section 3.3, Definition 3", "Is the released explained variance that of equation 3?",
           "for vectors of equal length equation 3 is at least 1/n + (1 - 1/n) SelfSim; n from the rebuilt input",
           "by a bound; that norms vary little in ELMo and BERT is an inference", find=_no_definition,
           charitable="What is left once the common direction is taken out may be what the author meant to measure."),
    _check("no-variance", "Figure 4", "Do words without any variance enter the mean?",
           "their ratio is 0/0; they have 1.000 in every layer of the released per-word values", "inference",
           find=_no_variance, charitable="The means stay below 5 % with these words, and are smaller without them."),
    _check("cause", "section 4.3", "Is GPT-2's 30 % due to its anisotropy?",
           "released per-word values, split by whether a word is ever first in a sentence of the rebuilt input", INPUT,
           find=_cause,
           charitable="If anisotropy means the explained variance of random words, the sentence is right: both numbers "
                      "come from the same first tokens."),
    _check("zero", "sections 1 and 4.2; Figure 3", "Does an adjusted value of 0 mean: as similar as random words?",
           "each word is part of the mean it is compared with; for unit vectors the measure is the root of "
           "1/n + (1 - 1/n) c, solved for c with the sentence lengths of the rebuilt input",
           "exact for unit vectors; the solved values to about 0.01", find=_zero,
           charitable="The numbers follow the definition of section 3.4. ELMo's rise and GPT-2's zero in the layers "
                      "that no first token dominates stand on the other scale too."),
    _check("one-token", "Figures 1 to 4, GPT-2", "Do different words have different input vectors in the statistics?",
           "the input vector is that of the token plus that of the position, so words at the same positions are alike "
           "only if their tokens are", INPUT, find=_one_token,
           charitable="It is not known whether the paper's charts come from the same run."),
    _check("pc-often", "Table 1, caption", "Do vectors of ELMo and BERT often outperform GloVe and FastText?",
           "counted in Table 1; ties do not count", "exact", find=_often),
    _check("pc-best", "section 4.3", "Is BERT's first layer the best?", "counted in Table 1, ties included", "exact",
           find=_best),
    _check("pc-others", "section 4.3", "Do the other layers of BERT and ELMo beat both on most benchmarks?",
           "counted in Table 1; ties do not count", "exact", find=_others,
           charitable="Taken together they do; and BERT's layers 3 to 10 are not printed."),
    _check("pc-lower", "section 4.3", "Do lower layers do better than upper ones?", "counted in Table 1", "exact",
           find=_lower),
    _check("pc-gpt2", "section 4.3", "Does GPT-2 do worse than ELMo and BERT on every benchmark?", "read from Table 1",
           "exact", find=_gpt2_worse, charitable="The sentence does not say \"every\"; one benchmark differs."),
    _check("pc-layers", "section 4.3", "Does Table 1 leave out layers 3 to 10 and no others?", "read from Table 1",
           "exact", find=_left_out),
]
