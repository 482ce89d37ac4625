"""Claims of Ethayarajh (2019), "How Contextual are Contextualized Word Representations?": Figures 1-3, and all.

Those of Figure 4 and Table 1 are in `ethayarajh2019_figure_4` and `ethayarajh2019_table_1`, the checks of printed and
released numbers in `ethayarajh2019_checks`.

b = anisotropy baseline (Figure 1), S = adjusted self-similarity (Figure 2), I = adjusted intra-sentence similarity
(Figure 3). Estimates of b from 1,000 tokens moved by up to 0.01-0.02 between samplings, so "roughly" is read as within
0.05 and "monotone" allows a step of 0.01.
"""
from pathlib import Path

import numpy as np
import pandas as pd

from cwr import tables
from cwr.papers.claims import Claim, Needs
from cwr.papers.ethayarajh2019.checks import CHECKS as CHECKS
from cwr.papers.ethayarajh2019.claims_figure_4 import FIGURE_4, STOPWORDS
from cwr.papers.ethayarajh2019.claims_table_1 import TABLE_1
from cwr.papers.old import anywhere, at_depths, by_layer, one_draw_at_a_time, rank_correlation

B, S, INTRA = "anisotropy_baseline", "adjusted_self_similarity", "adjusted_intra_sentence_similarity"
RAW_S, LAYER_MEAN, COSINE = "self_similarity", "self_similarity_layer_mean", "intra_sentence_cosine"
ROUGHLY, STEP, TIE = 0.05, 0.01, 1e-9
HEADLINES = ("eth-anisotropy-noninput", "eth-same-word-closer", "eth-selfsim-decreases.trend", "eth-mev-5pct",
             "eth-pc-many")


def published() -> pd.DataFrame:
    """The printed numbers and the author's released statistics in the schema of `cwr.papers.published.KEYS`."""
    return tables.read(Path(__file__).parent)


def _b(table: pd.DataFrame) -> np.ndarray:
    return by_layer(table, B)


def _intra(table: pd.DataFrame) -> np.ndarray:
    return by_layer(table, INTRA)


def _cosine(table: pd.DataFrame) -> np.ndarray:
    return by_layer(table, COSINE)


def _ever_larger_steps(values: np.ndarray) -> bool:
    steps = np.diff(values)
    return bool(len(steps) > 1 and (steps > 0).all() and (np.diff(steps) > 0).all())


def _upper_half_higher(values: np.ndarray) -> bool:
    half = len(values) // 2
    return bool(values[-half:].mean() > values[:half].mean())


def _isotropic(table: pd.DataFrame) -> pd.DataFrame:
    return table[(table["measure"] == B) & (table["value"] <= ROUGHLY)]


def _only_elmo_input_is_isotropic(table: pd.DataFrame) -> bool:
    isotropic = _isotropic(table)
    return len(isotropic) > 0 and bool(((isotropic["family"] == "bilstm") & (isotropic["layer"] == 0)).all())


def _falls(values: np.ndarray) -> bool:
    return bool((np.diff(values) <= STEP).all() and values[-1] < values[0])


def _causal_below_masked(table: pd.DataFrame, measure: str) -> bool:
    """Every causal model below every masked one, layer by layer (at equal relative depth if depths differ)."""
    curves = {family: [by_layer(part, measure) for _, part in table[table["family"] == family].groupby("model")]
              for family in ("causal", "masked")}
    return all(np.interp(np.linspace(0, 1, len(masked)), np.linspace(0, 1, len(causal)), causal)[i] < value
               for causal in curves["causal"] for masked in curves["masked"] for i, value in enumerate(masked))


def _falls_but_for_the_last(values: np.ndarray) -> bool:
    return rank_correlation(values) <= -0.5 + TIE and bool(values[-1] > values[-2])


def _one_layer_up_to_020(table: pd.DataFrame) -> bool:
    spoken_of = table[table["family"].isin(("bilstm", "masked")) & (table["measure"] == INTRA)]
    return int((spoken_of["value"] <= 0.20).sum()) == 1


def _lowest_five(table: pd.DataFrame, numerals: bool) -> bool:
    means = table[table["measure"] == LAYER_MEAN].sort_values("value")
    if not numerals:
        means = means[~means["word"].str.isdigit().astype(bool)]
    return set(means["word"][:5]) == {"and", "of", "'s", "the", "to"}


FIVE_WORDS = "These five words are a finding on ELMo and its input; eth-stopwords-lowest asks other models the same."
COMPARED = "It compares a causal and a masked model, at equal relative depth already."
INFERRED = ("The cosine of different words is inferred from the released mean and the sentence lengths of the rebuilt "
            "input, to about 0.01.")

FIGURE_1 = [
    Claim("eth-anisotropy-every-layer", "abstract; section 1, finding 1",
          "No layer of any model is isotropic.",
          Needs((B,)), lambda t: bool((_b(t) > ROUGHLY).all()), "b > 0.05 in every layer, input included",
          "Section 4.1 excepts ELMo's input layer, and an input layer is not contextualised: the abstract can be read "
          "as leaving it out, which is eth-anisotropy-noninput."),
    Claim("eth-anisotropy-noninput", "section 4.1",
          "All layers above the input are anisotropic.",
          Needs((B,)), lambda t: bool((_b(t)[1:] > ROUGHLY).all()), "b > 0.05 in layers 1 and up"),
    anywhere("If any layer of a model is isotropic, it is the input layer.", Claim(
        "eth-elmo-input-only-exception", "section 4.1",
        "ELMo's input layer is the only isotropic one.",
        Needs((B,), compares=True), _only_elmo_input_is_isotropic, "only (bilstm, layer 0) has b <= 0.05"),
             lambda t: bool((_isotropic(t)["layer"] == 0).all()), "b <= 0.05 in no layer above 0"),
    Claim("eth-anisotropy-rises", "section 4.1",
          "Higher layers are generally more anisotropic.",
          Needs((B,)), lambda t: rank_correlation(_b(t)) >= 0.5 - TIE, "Spearman correlation of layer and b >= 0.5",
          "The paper sets no threshold and says itself that GPT-2 rises only from layer 8; its released upper half "
          "lies above its lower half."),
    Claim("eth-anisotropy-rises.halves", "section 4.1",
          "The upper half of the layers is more anisotropic than the lower half.",
          Needs((B,)), lambda t: _upper_half_higher(_b(t)), "mean b of the upper half > mean b of the lower half",
          "The charitable reading of eth-anisotropy-rises; a middle layer belongs to neither half."),
    anywhere("The baseline is flat from a sixth to two thirds of the depth.", Claim(
        "eth-gpt2-plateau", "section 4.1",
        "GPT-2's baseline is roughly 0.6 in layers 2 to 8.",
        Needs((B,), ("causal",), n_layers=12), lambda t: bool((abs(_b(t)[2:9] - 0.6) <= ROUGHLY).all()),
        "within 0.6 +- 0.05"),
             lambda t: bool(np.ptp(at_depths(t, B, 1 / 6, 2 / 3)) <= 2 * ROUGHLY), "b varies by at most 0.1 there"),
    anywhere("The baseline grows ever faster in the last third of the depth.", Claim(
        "eth-gpt2-exponential", "section 4.1",
        "GPT-2's baseline grows exponentially from layer 8 to layer 12.",
        Needs((B,), ("causal",), n_layers=12), lambda t: _ever_larger_steps(at_depths(t, B, 2 / 3, 1)),
        "steps positive, each larger than the one before, in the last third of the depth")),
    anywhere("In the last layer two random words have almost perfect cosine similarity.", Claim(
        "eth-gpt2-last-near-one", "section 1, finding 1; section 4.1",
        "In GPT-2's last layer two random words have almost perfect cosine similarity.",
        Needs((B,), ("causal",)), lambda t: bool(_b(t)[-1] >= 0.95), "b of the last layer >= 0.95")),
    anywhere("The last layer but one is much more anisotropic than the last.", Claim(
        "eth-bert-penultimate", "section 4.1",
        "BERT's layer 11 is much more anisotropic than its layer 12.",
        Needs((B,), ("masked",), n_layers=12), lambda t: bool(_b(t)[-2] - _b(t)[-1] >= 0.1),
        "b of the last layer but one - b of the last >= 0.1")),
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
    anywhere("The input layer has self-similarity 1.", Claim(
        "eth-elmo-input-selfsim-one", "section 4.2",
        "ELMo's input layer has self-similarity 1.",
        Needs((RAW_S,), ("bilstm",)), lambda t: bool(abs(by_layer(t, RAW_S)[0] - 1) <= 0.001), "raw, within 0.001",
        "Adjusted, as Figure 2 plots it, the released value is 0.992, which also prints as 1.0 to one decimal.")),
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
          Needs((S,), ("masked", "causal"), compares=True), lambda t: _causal_below_masked(t, S),
          "S(causal) < S(masked) in each layer",
          "On the raw measure the released numbers say the opposite in layers 2 to 12: the adjustment decides.",
          any_model=COMPARED),
    Claim("eth-gpt2-most-specific.raw", "not in the paper",
          "GPT-2's representations are less self-similar than BERT's before the baseline is subtracted.",
          Needs((RAW_S,), ("masked", "causal"), compares=True), lambda t: _causal_below_masked(t, RAW_S),
          "raw self-similarity: causal < masked in each layer", "A control of ours: the adjustment decides.",
          any_model=COMPARED),
    anywhere("The last layer is almost maximally context-specific.", Claim(
        "eth-gpt2-last-maximal", "section 4.2",
        "GPT-2's last layer is almost maximally context-specific.",
        Needs((S,), ("causal",)), lambda t: bool(by_layer(t, S)[-1] <= 0.05), "S of the last layer <= 0.05")),
    Claim("eth-stopwords-lowest", "section 4.2",
          "Stopwords are among the least self-similar words.",
          Needs((STOPWORDS,)), lambda t: bool(by_layer(t, STOPWORDS)[0] <= 0.05),
          "median percentile of 26 stopwords, by their mean over layers, <= 0.05",
          "The text sets no threshold; on the released statistics all three models have them in the lowest quarter."),
    Claim("eth-stopwords-lowest.quarter", "section 4.2",
          "Stopwords are in the lowest quarter of words by self-similarity.",
          Needs((STOPWORDS,)), lambda t: bool(by_layer(t, STOPWORDS)[0] <= 0.25), "the same percentile <= 0.25",
          "The charitable reading of eth-stopwords-lowest."),
    Claim("eth-elmo-lowest-five", "section 4.2",
          "In ELMo the five least self-similar words are and, of, 's, the, to.",
          Needs((LAYER_MEAN,), ("bilstm",)), lambda t: _lowest_five(t, True), "the five smallest layer means, as a set",
          "On the released statistics four of five; the numeral 54 stands 0.001 before the fifth.",
          any_model=FIVE_WORDS),
    Claim("eth-elmo-lowest-five.words", "section 4.2",
          "In ELMo the five least self-similar words, numerals aside, are and, of, 's, the, to.",
          Needs((LAYER_MEAN,), ("bilstm",)), lambda t: _lowest_five(t, False), "as above, without tokens of digits",
          "The charitable reading of eth-elmo-lowest-five.",
          any_model=FIVE_WORDS),
]

FIGURE_3 = [
    anywhere("Words of a sentence become more similar in every layer.", Claim(
        "eth-intra-elmo-rises", "section 1, finding 3; section 4.2",
        "In ELMo, words of a sentence become more similar to one another in upper layers.",
        Needs((INTRA,), ("bilstm",)), lambda t: bool((np.diff(_intra(t)) > 0).all()), "I rises in every step")),
    anywhere("Different words of a sentence become more similar in every layer.", Claim(
        "eth-intra-elmo-rises.cosine", "section 1, finding 3; section 4.2",
        "In ELMo, different words of a sentence become more similar to one another in upper layers.",
        Needs((COSINE,), ("bilstm",)), lambda t: bool((np.diff(_cosine(t)) > 0).all()),
        "mean cosine of different words, minus b, rises in every step", INFERRED)),
    anywhere("Intra-sentence similarity falls with depth, but for the last layer.", Claim(
        "eth-intra-bert-falls", "section 1, finding 3; section 4.2",
        "In BERT intra-sentence similarity falls with depth, with layer 12 as the exception.",
        Needs((INTRA,), ("masked",), n_layers=12),
        lambda t: _falls_but_for_the_last(_intra(t)), "Spearman correlation <= -0.5 and the last step rises",
        "The fall is that of the null (words as similar as random ones); on the baseline's own scale BERT rises.")),
    anywhere("The cosine of different words of a sentence falls with depth, but for the last layer.", Claim(
        "eth-intra-bert-falls.cosine", "section 1, finding 3; section 4.2",
        "In BERT the cosine of different words of a sentence, minus the baseline, falls with depth, but for layer 12.",
        Needs((COSINE,), ("masked",), n_layers=12), lambda t: _falls_but_for_the_last(_cosine(t)),
        "Spearman correlation <= -0.5 and the last step rises", INFERRED)),
    anywhere("Words of one sentence are more similar than random words, in every layer.", Claim(
        "eth-intra-bert-above", "section 4.2",
        "In BERT words of one sentence are more similar than random words, in every layer.",
        Needs((INTRA,), ("masked",)), lambda t: bool((_intra(t) > 0).all()), "I > 0 in every layer",
        "The null exceeds 0 too.")),
    anywhere("Different words of a sentence are more similar than random words, above the input.", Claim(
        "eth-intra-bert-above.cosine", "section 4.2",
        "In BERT different words of one sentence are more similar than random words, in every layer above the input.",
        Needs((COSINE,), ("masked",)), lambda t: bool((_cosine(t)[1:] > 0).all()),
        "mean cosine of different words, minus b, > 0 in layers 1 and up",
        INFERRED + " In the input layer it is slightly negative, within that accuracy.")),
    anywhere("Words of one sentence are no more similar than random words, in most layers.", Claim(
        "eth-intra-gpt2-zero", "section 1, finding 3; section 4.2",
        "In GPT-2 words of one sentence are no more similar than random words, in most layers.",
        Needs((INTRA,), ("causal",)), lambda t: bool(np.mean(abs(_intra(t)) <= ROUGHLY) > 0.5),
        "|I| <= 0.05 in more than half of the layers")),
    anywhere("Different words of a sentence are no more similar than random words, in most layers.", Claim(
        "eth-intra-gpt2-zero.cosine", "section 1, finding 3; section 4.2",
        "In GPT-2 different words of one sentence are no more similar than random words, in most layers.",
        Needs((COSINE,), ("causal",)), lambda t: bool(np.mean(abs(_cosine(t)) <= ROUGHLY) > 0.5),
        "|mean cosine of different words - b| <= 0.05 in more than half of the layers", INFERRED,
        unprinted="in layers 2 to 11 the first token governs the released mean, so only layers 0, 1 and 12 can be "
                  "inferred; in these three the difference is 0 within 0.01, as the text says")),
    anywhere("Intra-sentence similarity is highest in the input layer.", Claim(
        "eth-intra-gpt2-input-highest", "section 4.2",
        "In GPT-2 intra-sentence similarity is highest in the input layer.",
        Needs((INTRA,), ("causal",)), lambda t: int(_intra(t).argmax()) == 0, "the largest I is at layer 0",
        "This follows from the null alone.")),
    anywhere("The adjusted value exceeds 0.20 in all layers but at most one.", Claim(
        "eth-intra-above-020", "section 4.2",
        "In ELMo and BERT the adjusted value exceeds 0.20 in all layers but one.",
        Needs((INTRA,), ("bilstm", "masked"), compares=True), _one_layer_up_to_020, "exactly one value <= 0.20"),
             lambda t: int((_intra(t) <= 0.20).sum()) <= 1, "at most one value <= 0.20 in a model"),
]

CLAIMS = one_draw_at_a_time(FIGURE_1 + FIGURE_2 + FIGURE_3 + FIGURE_4 + TABLE_1)
