"""Claims of Ethayarajh (2019), "How Contextual are Contextualized Word Representations?", that Figures 1-4 can judge.

b = anisotropy baseline (Figure 1), S = adjusted self-similarity (Figure 2), I = adjusted intra-sentence similarity
(Figure 3), M = adjusted maximum explainable variance (Figure 4). Estimates of b from 1,000 tokens moved by up to
0.01-0.02 between samplings, so "roughly" is read as within 0.05 and "monotone" allows a step of 0.01.
"""
import numpy as np
import pandas as pd

from cwr.papers import published as tables
from cwr.papers.claims import Claim, Needs, by_layer, rank_correlation

B, S, INTRA = "anisotropy_baseline", "adjusted_self_similarity", "adjusted_intra_sentence_similarity"
RAW_S, M, RAW_M = "self_similarity", "adjusted_maximum_explainable_variance", "maximum_explainable_variance"
STOPWORDS, LAYER_MEAN, SHARE = "stopword_percentile", "self_similarity_layer_mean", "share_of_words_below_baseline"
ROUGHLY, STEP, TIE = 0.05, 0.01, 1e-9


def published() -> pd.DataFrame:
    """The author's released statistics in the schema of `cwr.papers.published.KEYS`."""
    return tables.load("ethayarajh2019")


def _b(table: pd.DataFrame) -> np.ndarray:
    return by_layer(table, B)


def _intra(table: pd.DataFrame) -> np.ndarray:
    return by_layer(table, INTRA)


def _exponential(table: pd.DataFrame) -> bool:
    steps = np.diff(_b(table)[8:])
    return bool((steps > 0).all() and (np.diff(steps) > 0).all())


def _only_elmo_input_is_isotropic(table: pd.DataFrame) -> bool:
    isotropic = table[(table["measure"] == B) & (table["value"] <= ROUGHLY)]
    return len(isotropic) > 0 and bool(((isotropic["family"] == "bilstm") & (isotropic["layer"] == 0)).all())


def _falls(values: np.ndarray) -> bool:
    return bool((np.diff(values) <= STEP).all() and values[-1] < values[0])


def _causal_below_masked(table: pd.DataFrame) -> bool:
    """Every causal model's S below every masked model's, layer by layer (at equal relative depth if depths differ)."""
    curves = {family: [by_layer(part, S) for _, part in table[table["family"] == family].groupby("model")]
              for family in ("causal", "masked")}
    return all(np.interp(np.linspace(0, 1, len(masked)), np.linspace(0, 1, len(causal)), causal)[i] < value
               for causal in curves["causal"] for masked in curves["masked"] for i, value in enumerate(masked))


def _one_layer_up_to_020(table: pd.DataFrame) -> bool:
    spoken_of = table[table["family"].isin(("bilstm", "masked")) & (table["measure"] == INTRA)]
    return int((spoken_of["value"] <= 0.20).sum()) == 1


def _lowest_five(table: pd.DataFrame, numerals: bool) -> bool:
    means = table[table["measure"] == LAYER_MEAN].sort_values("value")
    if not numerals:
        means = means[~means["word"].str.isdigit().astype(bool)]
    return set(means["word"][:5]) == {"and", "of", "'s", "the", "to"}


def _below_in_some_model(table: pd.DataFrame) -> bool:
    return any(bool((by_layer(part, SHARE) >= 0.2).all()) for _, part in table.groupby("model"))


FIGURE_1 = [
    Claim("eth-anisotropy-every-layer", "abstract; section 1, finding 1",
          "No layer of any model is isotropic.",
          Needs((B,)), lambda t: bool((_b(t) > ROUGHLY).all()), "b > 0.05 in every layer, input included",
          "Section 4.1 excepts ELMo's input layer, and an input layer is not contextualised: the abstract can be read "
          "as leaving it out, which is eth-anisotropy-noninput."),
    Claim("eth-anisotropy-noninput", "section 4.1",
          "All layers above the input are anisotropic.",
          Needs((B,)), lambda t: bool((_b(t)[1:] > ROUGHLY).all()), "b > 0.05 in layers 1 and up"),
    Claim("eth-elmo-input-only-exception", "section 4.1",
          "ELMo's input layer is the only isotropic one.",
          Needs((B,), compares=True), _only_elmo_input_is_isotropic, "only (bilstm, layer 0) has b <= 0.05"),
    Claim("eth-anisotropy-rises", "section 4.1",
          "Higher layers are generally more anisotropic.",
          Needs((B,)), lambda t: rank_correlation(_b(t)) >= 0.5 - TIE, "Spearman correlation of layer and b >= 0.5",
          "The paper sets no threshold and says itself that GPT-2 rises only from layer 8; its released upper half "
          "lies above its lower half."),
    Claim("eth-gpt2-plateau", "section 4.1",
          "GPT-2's baseline is roughly 0.6 in layers 2 to 8.",
          Needs((B,), ("causal",), n_layers=12), lambda t: bool((abs(_b(t)[2:9] - 0.6) <= ROUGHLY).all()),
          "within 0.6 +- 0.05"),
    Claim("eth-gpt2-exponential", "section 4.1",
          "GPT-2's baseline grows exponentially from layer 8 to layer 12.",
          Needs((B,), ("causal",), n_layers=12), _exponential, "steps positive, each larger than the one before"),
    Claim("eth-gpt2-last-near-one", "section 1, finding 1; section 4.1",
          "In GPT-2's last layer two random words have almost perfect cosine similarity.",
          Needs((B,), ("causal",)), lambda t: bool(_b(t)[-1] >= 0.95), "b of the last layer >= 0.95"),
    Claim("eth-bert-penultimate", "section 4.1",
          "BERT's layer 11 is much more anisotropic than its layer 12.",
          Needs((B,), ("masked",), n_layers=12), lambda t: bool(_b(t)[11] - _b(t)[12] >= 0.1), "b11 - b12 >= 0.1"),
    Claim("eth-hidden-over-input", "section 4.1",
          "Almost all hidden layers are more anisotropic than the input layer.",
          Needs((B,)), lambda t: bool(np.mean(_b(t)[1:] > _b(t)[0]) >= 0.9), "in at least 90 % of the layers above 0",
          "GPT-2's released layers 2 and 4 to 8 lie 0.014 to 0.038 below its input layer, one to four standard errors; "
          "pooled over the models, 20 of 26 hidden layers lie above."),
]

FIGURE_2 = [
    Claim("eth-same-word-closer", "abstract",
          "Representations of one word are closer to each other than those of random words.",
          Needs((S,)), lambda t: bool((by_layer(t, S) > 0).all()), "S > 0 in every layer"),
    Claim("eth-elmo-input-selfsim-one", "section 4.2",
          "ELMo's input layer has self-similarity 1.",
          Needs((RAW_S,), ("bilstm",)), lambda t: bool(abs(by_layer(t, RAW_S)[0] - 1) <= 0.001), "raw, within 0.001"),
    Claim("eth-selfsim-decreases", "abstract; section 1, finding 2; section 4.2",
          "The higher the layer, the lower the self-similarity.",
          Needs((S,)), lambda t: _falls(by_layer(t, S)), "no step up of more than 0.01",
          "The strict reading. The released BERT rises by 0.114 at layer 12, GPT-2 by 0.026 at layer 2."),
    Claim("eth-selfsim-decreases.trend", "abstract; section 1, finding 2; section 4.2",
          "Self-similarity tends to fall with depth.",
          Needs((S,)), lambda t: rank_correlation(by_layer(t, S)) <= -0.5 + TIE, "Spearman correlation <= -0.5",
          "The charitable reading of eth-selfsim-decreases."),
    Claim("eth-selfsim-decreases.raw", "not in the paper",
          "Self-similarity tends to fall with depth before the baseline is subtracted.",
          Needs((RAW_S,)), lambda t: rank_correlation(by_layer(t, RAW_S)) <= -0.5 + TIE, "Spearman correlation <= -0.5",
          "A control of ours: where it fails and the trend holds, the fall is the baseline's rise."),
    Claim("eth-gpt2-most-specific", "section 4.2",
          "GPT-2's representations are the most context-specific: less self-similar than BERT's in every layer.",
          Needs((S,), ("masked", "causal"), compares=True), _causal_below_masked, "S(causal) < S(masked) in each layer",
          "On the raw measure the released numbers say the opposite in layers 2 to 12: the adjustment decides."),
    Claim("eth-gpt2-last-maximal", "section 4.2",
          "GPT-2's last layer is almost maximally context-specific.",
          Needs((S,), ("causal",)), lambda t: bool(by_layer(t, S)[-1] <= 0.05), "S of the last layer <= 0.05"),
    Claim("eth-stopwords-lowest", "section 4.2",
          "Stopwords are among the least self-similar words.",
          Needs((STOPWORDS,)), lambda t: bool(by_layer(t, STOPWORDS)[0] <= 0.05),
          "median percentile of 26 stopwords, by their mean over layers, <= 0.05",
          "The text sets no threshold; on the released statistics all three models have them in the lowest quarter."),
    Claim("eth-elmo-lowest-five", "section 4.2",
          "In ELMo the five least self-similar words are and, of, 's, the, to.",
          Needs((LAYER_MEAN,), ("bilstm",)), lambda t: _lowest_five(t, True), "the five smallest layer means, as a set",
          "On the released statistics four of five; the numeral 54 stands 0.001 before the fifth."),
    Claim("eth-elmo-lowest-five.words", "section 4.2",
          "In ELMo the five least self-similar words, numerals aside, are and, of, 's, the, to.",
          Needs((LAYER_MEAN,), ("bilstm",)), lambda t: _lowest_five(t, False), "as above, without tokens of digits",
          "The charitable reading of eth-elmo-lowest-five."),
]

FIGURE_3 = [
    Claim("eth-intra-elmo-rises", "section 1, finding 3; section 4.2",
          "In ELMo, words of a sentence become more similar to one another in upper layers.",
          Needs((INTRA,), ("bilstm",)), lambda t: bool((np.diff(_intra(t)) > 0).all()), "I rises in every step"),
    Claim("eth-intra-bert-falls", "section 1, finding 3; section 4.2",
          "In BERT intra-sentence similarity falls with depth, with layer 12 as the exception.",
          Needs((INTRA,), ("masked",), n_layers=12),
          lambda t: rank_correlation(_intra(t)) <= -0.5 + TIE and bool(_intra(t)[12] > _intra(t)[11]),
          "Spearman correlation <= -0.5 and I12 > I11",
          "The fall is that of the null (words as similar as random ones); on the baseline's own scale BERT rises."),
    Claim("eth-intra-bert-above", "section 4.2",
          "In BERT words of one sentence are more similar than random words, in every layer.",
          Needs((INTRA,), ("masked",)), lambda t: bool((_intra(t) > 0).all()), "I > 0 in every layer",
          "The null exceeds 0 too."),
    Claim("eth-intra-gpt2-zero", "section 1, finding 3; section 4.2",
          "In GPT-2 words of one sentence are no more similar than random words, in most layers.",
          Needs((INTRA,), ("causal",)), lambda t: bool(np.mean(abs(_intra(t)) <= ROUGHLY) > 0.5),
          "|I| <= 0.05 in more than half of the layers"),
    Claim("eth-intra-gpt2-input-highest", "section 4.2",
          "In GPT-2 intra-sentence similarity is highest in the input layer.",
          Needs((INTRA,), ("causal",)), lambda t: int(_intra(t).argmax()) == 0, "the largest I is at layer 0",
          "This follows from the null alone."),
    Claim("eth-intra-above-020", "section 4.2",
          "In ELMo and BERT the adjusted value exceeds 0.20 in all layers but one.",
          Needs((INTRA,), ("bilstm", "masked"), compares=True), _one_layer_up_to_020, "exactly one value <= 0.20"),
]


def _by_estimator(claim: str, place: str, says: str, families: tuple[str, ...], measure: str, because: str,
                  n_layers: int | None = None, holds=lambda values: bool((values <= ROUGHLY).all()),
                  tolerance: str = "<= 0.05 in every layer above the input") -> list[Claim]:
    """One claim about explained variance in its three readings: the released estimator, equation 3, centred PCA."""
    return [Claim(claim + suffix, place, says, Needs((measure,), families, n_layers, estimator),
                  lambda t: holds(by_layer(t, measure)), f"{tolerance}; estimator: {estimator}", because)
            for suffix, estimator in (("", "released"), (".definition", "definition"), (".pca", "pca"))]


FIGURE_4 = [
    *_by_estimator("eth-mev-5pct", "abstract; section 1, finding 4; section 4.3",
                   "Less than 5 % of the variance in a word's representations can be explained by a static embedding.",
                   ("bilstm", "masked", "causal"), M,
                   "The released statistics use a third estimator, neither equation 3 nor PCA; it holds for that one."),
    *_by_estimator("eth-mev-raw-5pct", "section 4.3",
                   "Before the adjustment, too, the mean is below 5 % in ELMo and BERT.",
                   ("bilstm", "masked"), RAW_M, "Impossible under equation 3 where words are self-similar.",
                   holds=lambda values: bool((values < 0.05).all())),
    *_by_estimator("eth-mev-gpt2-30pct", "section 4.3",
                   "In GPT-2 it is roughly 30 % in layers 2 to 11.",
                   ("causal",), RAW_M, "On the released statistics mostly an effect of sentence-initial tokens.",
                   n_layers=12, holds=lambda values: bool((abs(values[1:11] - 0.30) <= 0.06).all()),
                   tolerance="within 0.30 +- 0.06 in layers 2 to 11"),
    Claim("eth-mev-gpt2-cause", "section 4.3",
          "GPT-2's 30 % are due to its extreme anisotropy.",
          Needs(("maximum_explainable_variance_never_first",), ("causal",), n_layers=12, estimator="released"),
          lambda t: bool((by_layer(t, "maximum_explainable_variance_never_first")[1:11] >= 0.2).all()),
          "words never in the first position reach 0.2 too, layers 2 to 11",
          "True if anisotropy means the baseline of explained variance; both then come from the same first tokens."),
    Claim("eth-mev-below-baseline", "section 4.3",
          "For many words the raw value is below the value of random words.",
          Needs((SHARE,), (), estimator="released", compares=True), _below_in_some_model,
          "at least 20 % of the words, in every layer of some model", "The text names no model."),
]

CLAIMS = FIGURE_1 + FIGURE_2 + FIGURE_3 + FIGURE_4
