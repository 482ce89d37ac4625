"""Claims of Zhao et al. (2020) about semantic classes in the layers of BERT.

The paper counts a model's blocks from 0, this book from 1: its layer 11 is our layer 12, and our layer 0, the input of
the first block, was never probed. Claims speak of layers as the paper does; the table is converted at its edge.

What the F1 of the probes on contexts counts is not said; `cwr.measures.probing` has three readings. The printed numbers
are judged as they are printed. On our models the measures are under the reading "full", which is our choice; the same
measures under another reading carry it as `variant` ("pairs", "words"), and every claim is judged on those too. Seeds
move test F1 by 0.001 (caption of Table 5), so a difference of up to 0.002 is a tie.
"""
from dataclasses import replace
from functools import reduce
from pathlib import Path

import numpy as np
import pandas as pd

from cwr import tables
from cwr.papers.claims import PAPER_FAMILIES, Claim, Needs
from cwr.papers.old import one_draw_at_a_time, rank_correlation
from cwr.papers.zhao2020 import readings as ask
from cwr.papers.zhao2020.checks import CHECKS as CHECKS
from cwr.papers.zhao2020.checks import TIE, annotated_tokens, class_sums, named_pairs, probe_parameters
from cwr.papers.zhao2020.readings import (
    BAG,
    BAG_WINDOW,
    BAND,
    COSINE,
    DEV_SIZES,
    EPS,
    MATRIX,
    NEW,
    OLD,
    SCORE,
    SEEDS,
    STATIC,
    STATIC_BAG,
    TOKEN,
    TOKEN_DEV,
    TOKEN_WORDS,
    TYPE,
    TYPE_DEV,
    WINDOW,
    blocks,
)
from cwr.tables import one

MASKED = ("masked",)


def published() -> pd.DataFrame:
    """The printed numbers, and counts and reference scores from the released word lists, in the common schema."""
    return tables.read(Path(__file__).parent)


def _model(*measures: str) -> Needs:
    return Needs(measures, MASKED)


def _group(*measures: str) -> Needs:
    return Needs(measures, ("masked", "static"), compares=True)


def _tables(*measures: str) -> Needs:
    return Needs(measures, (), compares=True)


def _tasks(measure: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{measure}_{name}" for name in names)


FIGURE_5 = "the values of Figure 5 are not printed"
FIGURE_6 = "of the values of Figure 6 only those of POS in layer 11 are printed"
FIGURE_7 = "Figure 7 is a heat map without values"
NO_TRANSFER = "It is about the paper's own tables."
FOUR = ("pos", "ner", "sst2", "mrpc")

DEPTH = [
    Claim("zha-f1-rises-with-depth", "section 4.2.2; Figure 4 (test)",
          "F1 rises with every block.", _model(TOKEN), lambda t: bool((ask.steps(t, TOKEN) > EPS).all()),
          "every step > 0, test", "Figure 4 shows the test split; its smallest step is 0.001, from layer 10 to 11."),
    Claim("zha-f1-rises-with-depth.dev", "Table 6 (dev)",
          "F1 rises with every block on the dev split too.",
          _model(TOKEN_DEV), lambda t: bool((ask.steps(t, TOKEN_DEV) > EPS).all()), "every step > 0, dev",
          "Stricter than the paper, which speaks of the test split: on dev the last step is -0.001."),
    Claim("zha-f1-rises-with-depth.dev-tie", "Table 6 (dev)",
          "F1 rises with every block on the dev split, or stays.", _model(TOKEN_DEV),
          lambda t: bool((ask.steps(t, TOKEN_DEV) >= -TIE - EPS).all()), "no step below -0.002, dev",
          "The charitable reading: seeds move F1 by 0.001."),
    Claim("zha-f1-levels-off", "section 4.2.2", "The rise levels off at the top.", _model(TOKEN), ask.levels_off,
          "mean step of the top quarter (layers 8 to 11) below that of the lower half (0 to 5)"),
    Claim("zha-step-0-1-largest", "section 4.2.2", "The largest step is the first, about 4 points.",
          _model(TOKEN), ask.first_step_largest, "the largest step is 0 to 1, within 0.04 +- 0.005"),
    Claim("zha-low-layers-most", "abstract; section 1 (ii)",
          "More than half of the gain over the blocks is made in the lower half.", _model(TOKEN), ask.low_half_most,
          "F(5) - F(0) > half of F(11) - F(0)"),
    Claim("zha-top-two-little", "section 1 (ii); section 4.2.2", "The top two layers add little.",
          _model(TOKEN), lambda t: bool(blocks(t, TOKEN)[-1] - blocks(t, TOKEN)[-3] <= 0.01 + EPS),
          "F(11) - F(9) <= 0.01"),
    Claim("zha-f1-almost-85", "section 1 (i)", "BERT's performance is almost 85 % F1.", _model(TOKEN, TOKEN_DEV),
          lambda t: abs(ask.best(t) - 0.85) <= 0.005 + EPS, "the best F1, test or dev, within 0.85 +- 0.005",
          "Where \"almost\" ends is not said; the tables do not depend on it."),
    Claim("zha-f1-almost-85.loose", "section 1 (i)", "BERT's performance is within two points below 85 % F1.",
          _model(TOKEN, TOKEN_DEV), lambda t: 0.83 - EPS <= ask.best(t) <= 0.85 + EPS,
          "the best F1, test or dev, in 0.83 to 0.85",
          "The charitable reading of \"almost\"; the two points are ours, chosen with the number in view."),
]

BAGS = [
    Claim("zha-l0-below-pbert", "section 4.2.2", "BERT's layer 0 is slightly below the mean of the sentence's pieces.",
          _model(TOKEN, BAG), lambda t: bool(blocks(t, TOKEN)[0] < one(t, BAG)), "F(0) < P-BERT"),
    Claim("zha-l1-above-pbert", "section 4.2.2", "From layer 1 on BERT is above the mean of the sentence's pieces.",
          _model(TOKEN, BAG), lambda t: bool((blocks(t, TOKEN)[1:] > one(t, BAG)).all()), "F > P-BERT, layers >= 1"),
    Claim("zha-gain-016", "section 4.2.2", "The largest gain over the mean of pieces is 0.16, at layer 11.",
          _model(TOKEN, BAG), ask.gain, "at the last layer, within 0.16 +- 0.005; test"),
    Claim("zha-gain-016.dev", "Table 6 (dev)", "On dev too the largest gain is 0.16, at layer 11.",
          _model(TOKEN_DEV, f"{BAG}_dev"), lambda t: ask.gain(t, "_dev"), "as above; dev",
          "Stricter than the paper: on dev layer 10 is 0.001 above layer 11, a tie."),
    Claim("zha-pft-beats-l0-l1", "section 4.2.2",
          "A mean of static word vectors beats the mean of pieces and BERT's layers 0 and 1.",
          _group(TOKEN, BAG, STATIC_BAG), ask.words_beat_low_blocks, "P-fastText > P-BERT, F(0), F(1)"),
    Claim("zha-l2-beats-both", "section 4.2.2", "From layer 2 on BERT beats both means.",
          _group(TOKEN, BAG, STATIC_BAG), lambda t: ask.beats_both(t, 0), "F > P-fastText and P-BERT, layers >= 2",
          "By 0.001 at layer 2, a tie."),
    Claim("zha-l2-beats-both.beyond-tie", "section 4.2.2", "From layer 2 on BERT beats both means by more than a tie.",
          _group(TOKEN, BAG, STATIC_BAG), lambda t: ask.beats_both(t, TIE), "as above, by more than 0.002",
          "Stricter than the sentence; on dev the margin at layer 2 is 0.004."),
    Claim("zha-prand-strong", "section 4.2.2", "A mean of random vectors is strong, and below both other means.",
          _group(TOKEN, BAG, STATIC_BAG), ask.random_bag,
          "P-Rand below P-BERT and P-fastText by > 0.01, and at most 0.05 below F(0)"),
]

WORDS = [
    Claim("zha-rand-low", "section 4.2.2", "Every space does better than random vectors.",
          _group(TYPE, MATRIX, STATIC), ask.all_beat_random, "every space > Rand",
          "Rand scores like guessing at the base rate. It is not the lowest useful line: answering person, location "
          "and organization to every word scores higher."),
    Claim("zha-bertw-like-static", "section 4.2.2", "BERT's word-piece matrix is similar to GloVe and fastText.",
          _group(MATRIX, STATIC), lambda t: ask.each(
              t, MATRIX, lambda m: (abs(ask.static(t, STATIC) - one(m, MATRIX)) <= 0.03 + EPS).all()),
          "within 0.03 of each static space not trained on the probing corpus"),
    Claim("zha-avg0-beats-bertw", "section 4.2.2", "AVG-BERT-0 is far above the word-piece matrix.",
          _model(TYPE, MATRIX), lambda t: bool(blocks(t, TYPE)[0] - one(t, MATRIX) > 0.05), "by more than 0.05",
          "\"Significantly\" in the text; no test is reported."),
    Claim("zha-avg10-best", "section 4.2.2; Figure 3 (test)", "AVG-BERT-10 is the best layer.",
          _model(TYPE), lambda t: ask.last_but_one_best(t, TYPE), "the largest of the printed test row",
          "Strict: on test layer 9 is 0.001 higher, one standard deviation over seeds."),
    Claim("zha-avg10-best.tie", "section 4.2.2; Figure 3 (test)", "AVG-BERT-10 is the best layer, or ties with it.",
          _model(TYPE), lambda t: ask.last_but_one_best(t, TYPE, TIE), "within 0.002 of the largest",
          "The charitable reading."),
    Claim("zha-avg10-best.seeds", "caption of Table 5", "Over five seeds AVG-BERT-10 is the best layer, or ties.",
          _model(SEEDS), lambda t: ask.last_but_one_best(
              t, SEEDS, EPS),
          "the largest mean of five seeds, ties included", "Charitable too: layers 9 and 10 tie to three decimals."),
    Claim("zha-avg10-best.dev", "Table 5 (dev)", "On dev AVG-BERT-10 is the best layer.",
          _model(TYPE_DEV), lambda t: ask.last_but_one_best(t, TYPE_DEV), "the largest of the printed dev row"),
    Claim("zha-avg-beats-pse", "section 4.2.2", "AVG-BERT performs best among all spaces.",
          _group(TYPE, STATIC), lambda t: ask.average_beats_static(t, False), "its best layer > every static space"),
    Claim("zha-avg-beats-pse.every-layer", "section 4.2.2", "AVG-BERT performs best in every layer.",
          _group(TYPE, STATIC), lambda t: ask.average_beats_static(t, True), "its lowest layer > every static space",
          "Stricter than the sentence: layers 0 to 4 are below PSE, layer 5 ties with it. The text does not say so."),
    Claim("zha-avg-top-over-low", "section 4.2.2",
          "Averaged vectors of upper layers do better than those of lower ones.",
          _model(TYPE), lambda t: ask.upper_beats_lower(t, TYPE),
          "mean of the upper half > mean of the lower half"),
    Claim("zha-learning-not-context", "section 4.2.2",
          "The way BERT learns may matter more than contextualization: averaged vectors already score high.",
          _model(TOKEN_WORDS, TYPE, MATRIX), ask.learning,
          "what contexts add to AVG-BERT is less than what AVG-BERT adds to the word-piece matrix; both scores under "
          "the reading \"words\"",
          "The paper hedges: \"suggests\", \"may be\". The authors' comparison is legitimate under the reading "
          "\"words\"; under \"pairs\" and \"full\" the two tables are different measures.",
          unprinted="Tables 5 and 6 share a scale under the reading \"words\" only, and the reading is not printed"),
]

CONTEXT = [
    Claim("zha-ctx-larger-better", "section 4.3.1; Figure 5", "A larger context is better in all layers.",
          _model(WINDOW), lambda t: bool((np.diff(ask.windows(t)[1], axis=1) >= -0.005 - EPS).all()),
          "no step in k below -0.005, each layer", unprinted=FIGURE_5),
    Claim("zha-ctx-small-steps", "section 4.3.1", "Most is gained up to 4 words a side.", _model(WINDOW),
          lambda t: bool((2 * ask.at(t, 4) > ask.at(t, 0) + ask.at(t, 32)).mean() > 0.5),
          "F(k=4) - F(0) > F(32) - F(4), in most layers", unprinted=FIGURE_5),
    Claim("zha-ctx-pbert-hurts", "section 4.3.1", "16 and 32 words a side hurt the mean of pieces.",
          _model(BAG_WINDOW), lambda t: bool(ask.windows(t, BAG_WINDOW)[1][0][ask.windows(t, BAG_WINDOW)[0] >= 16].max()
                                             < ask.windows(t, BAG_WINDOW)[1].max()),
          "P-BERT at k >= 16 below its largest value", "\"Slightly\", says the caption.", unprinted=FIGURE_5),
    Claim("zha-ctx0-flat", "section 4.3.1", "Without context all layers are similarly bad.",
          _model(WINDOW), lambda t: bool(np.ptp(ask.at(t, 0)) <= 0.03 + EPS), "range over layers at k = 0 <= 0.03",
          unprinted=FIGURE_5),
    Claim("zha-ctx0-flat.full", "section 4.3.1; our reading", "Without context no layer exceeds what a predictor that "
          "knows all classes of every word, and nothing of the context, can reach.",
          _model(WINDOW, "context_free_ceiling"),
          lambda t: bool(ask.at(t, 0).max() <= one(t, "context_free_ceiling") + EPS),
          "F at k = 0 <= the ceiling under the reading \"full\"",
          "A test of our reading: if the paper's figure shows more than 0.653, \"full\" is not what the authors did; "
          "if less, nothing is decided.", unprinted=FIGURE_5),
    Claim("zha-ctx-depth-gap", "section 4.3.1", "Depth matters more with a large context.", _model(WINDOW),
          lambda t: all(ask.at(t, k)[-1] - ask.at(t, k)[0] > ask.at(t, 0)[-1] - ask.at(t, 0)[0] for k in (8, 16, 32)),
          "F(11) - F(0) larger at k = 8, 16 and 32 than at 0", unprinted=FIGURE_5),
    Claim("zha-ctx-pbert-l0", "section 4.3.1", "For most context sizes the mean of pieces beats only layer 0.",
          _model(WINDOW, BAG_WINDOW), ask.bag_above_first_only, "F(0) < P-BERT < every other layer, at most sizes",
          unprinted=FIGURE_5),
    Claim("zha-five-words", "section 1 (iii)", "Five words a side are enough.", _model(WINDOW),
          lambda t: bool(ask.at(t, 5).max() >= 0.97 * ask.at(t, 32).max() - EPS),
          "best F(k=5) >= 97 % of best F(32)",
          "Sizes 4 and 8 were run; 5 is the text's example of a size. Where 5 was not run we interpolate.",
          unprinted=FIGURE_5),
]

TUNING = [
    Claim("zha-posa-l11", "section 4.4.2; Figure 6", "After tuning on POS the old probe of layer 11 loses 0.763.",
          _model(TOKEN_DEV, f"{OLD}_pos"), lambda t: abs(ask.drop(t, OLD, "pos")[-1] - 0.763) <= 0.0005 + EPS,
          "pretrained - POS-(a) = 0.763 in the last layer, within rounding",
          "What remains, 0.072, is the level of a guess by base rate under the reading \"full\".",
          any_model=Claim("zha-posa-l11.transfer", "not in the paper",
                         "After tuning on tags the old probe of the last layer loses more than half of its F1.",
                         Needs((TOKEN_DEV, f"{OLD}_pos"), ()), lambda t: bool(
                             ask.drop(t, OLD, "pos")[-1] > blocks(t, TOKEN_DEV)[-1] / 2),
                         "drop of the last layer > half of F1")),
    Claim("zha-posb-l11", "section 4.4.2; Figure 6", "New probes on the POS-tuned layer 11 lose only 0.100.",
          _model(TOKEN_DEV, f"{NEW}_pos"), lambda t: abs(ask.drop(t, NEW, "pos")[-1] - 0.100) <= 0.0005 + EPS,
          "pretrained - POS-(b) = 0.100 in the last layer, within rounding",
          any_model=Claim("zha-posb-l11.transfer", "not in the paper",
                         "New probes on the last layer after tuning on tags lose at most 15 % of F1.",
                         Needs((TOKEN_DEV, f"{NEW}_pos"), ()), lambda t: bool(
                             ask.drop(t, NEW, "pos")[-1] <= 0.15 * blocks(t, TOKEN_DEV)[-1] + EPS),
                         "drop of the last layer <= 15 % of F1; the paper's is 12 %")),
    Claim("zha-a-word-over-sentence", "section 4.4.2", "Old probes lose more by tuning on words than on sentences.",
          _model(TOKEN_DEV, *_tasks(OLD, *FOUR)), lambda t: bool(
              min(ask.drop(t, OLD, task)[-1] for task in ("pos", "ner"))
              > max(ask.drop(t, OLD, task)[-1] for task in ("sst2", "mrpc"))),
          "drops of the last layer: POS and NER > SST2 and MRPC",
          "The tasks differ in the number of updates as well.", unprinted=FIGURE_6),
    Claim("zha-b-mrpc-up", "section 4.4.2", "Tuning on MRPC makes new probes slightly better in all layers.",
          _model(TOKEN_DEV, f"{NEW}_mrpc"), lambda t: bool((ask.drop(t, NEW, "mrpc") <= EPS).all()),
          "no layer loses", "Such gains can lie within the noise of seeds.", unprinted=FIGURE_6),
    Claim("zha-b-sst-ner-flat", "section 4.4.2", "Tuning on SST2 or NER costs new probes very little.",
          _model(TOKEN_DEV, *_tasks(NEW, "sst2", "ner")), lambda t: all(
              bool((ask.drop(t, NEW, task) <= 0.01 + EPS).all()) for task in ("sst2", "ner")),
          "at most 0.01 in every layer", unprinted=FIGURE_6),
    Claim("zha-b-pos-most", "section 4.4.2", "Tuning on POS costs new probes most.",
          _model(TOKEN_DEV, *_tasks(NEW, *FOUR)),
          lambda t: max(FOUR, key=lambda task: ask.drop(t, NEW, task).mean()) == "pos",
          "the largest mean drop over layers", unprinted=FIGURE_6),
    Claim("zha-ft-low-stable", "abstract; section 4.4.2", "Lower layers hardly change, upper ones do.",
          _model(TOKEN_DEV, *_tasks(OLD, *FOUR)), ask.low_stable,
          "old probes, each task: mean drop in layers 0 to 3 < in 9 to 11", unprinted=FIGURE_6),
    Claim("zha-att-top", "section 4.4.2; Figure 7", "The attention of upper layers changes most.",
          _model(*_tasks(COSINE, "pos", "mrpc")), lambda t: all(
              rank_correlation(ask.attention(t, task)) < 0 for task in ("pos", "mrpc")),
          "Spearman correlation of layer and mean cosine < 0, POS and MRPC", unprinted=FIGURE_7),
    Claim("zha-att-pos-mrpc", "section 4.4.2; Figure 7", "POS changes upper layers' attention more than MRPC.",
          _model(*_tasks(COSINE, "pos", "mrpc")), ask.top_attention, "lower mean cosine in layers 9 to 11",
          "The tasks differ in the number of updates as well.", unprinted=FIGURE_7),
    Claim("zha-t3-comparable", "section 4.4.1; Table 3", "Tuned models are comparable to Devlin et al.: SST2, MRPC.",
          _model(*(f"{SCORE}_{task}{whose}" for task in DEV_SIZES for whose in ("", "_devlin2019"))),
          lambda t: all(abs(d) <= 0.005 + EPS for task, d in ask.score_differences(t).items() if task in DEV_SIZES),
          "differences within 0.005", "It holds for SST2; for MRPC see the reading by standard error."),
    Claim("zha-t3-comparable.standard-error", "section 4.4.1; Table 3",
          "On SST2 and MRPC the difference is below one standard error of the dev set.",
          _model(*(f"{SCORE}_{task}{whose}" for task in DEV_SIZES for whose in ("", "_devlin2019"))),
          lambda t: all(abs(d) < ask.standard_error(t, task) for task, d in ask.score_differences(t).items()
                        if task in DEV_SIZES), "872 and 408 dev items (GLUE)",
          "The charitable reading: MRPC's difference is 6 pairs."),
    Claim("zha-t3-comparable.ner", "section 4.4.1; Table 3", "NER is slightly worse than in Devlin et al.",
          _model(f"{SCORE}_ner", f"{SCORE}_ner_devlin2019"),
          lambda t: -0.02 - EPS <= ask.score_differences(t)["ner"] < 0, "below, by at most 0.02"),
    Claim("zha-t3-t7", "Tables 3 and 7", "Tagging without a band is Table 3's POS.",
          _model(f"{SCORE}_pos", BAND), lambda t: abs(
              one(t[t["measure"] == BAND].astype({"k": str}), BAND, k="All") - one(t, f"{SCORE}_pos")) <= EPS, "equal"),
    Claim("zha-pos-local", "appendix C; Table 7", "Attention to 4 or 8 words a side reaches full tagging accuracy.",
          _model(BAND), lambda t: bool((ask.band_losses(t)[[4.0, 8.0]] <= EPS).all()), "no loss at k = 4 and 8",
          "Strict: equal from k = 16 on. The band holds in every layer, so information crosses up to 12 k words a "
          "side; k = 2 already reaches 24 words, and the median sentence has 25. The table is about the width of "
          "attention per layer, not about the context that is available."),
    Claim("zha-pos-local.tie", "appendix C; Table 7", "Attention to 4 or 8 words a side loses at most a tie.",
          _model(BAND), lambda t: bool((ask.band_losses(t)[[4.0, 8.0]] <= TIE + EPS).all()),
          "loss <= 0.002 at k = 4 and 8",
          "The charitable reading."),
]

COUNTS = [
    Claim("zha-t2-t8", "Tables 2 and 8", "The classes of Table 8 add up to Table 2.",
          _tables("probing_pairs", "probing_contexts"),
          lambda t: bool((class_sums(t)["computed"] == class_sums(t)["printed"]).all()), "all six sums, exactly",
          any_model=NO_TRANSFER),
    Claim("zha-params", "A.2", "The probes have 26,843,204 parameters.",
          _tables("probe_parameters", "probe_hidden_units", "probing_classes"),
          lambda t: probe_parameters(t) == one(t, "probe_parameters"), "exactly",
          "So a probe has one hidden layer with biases, and two outputs.", any_model=NO_TRANSFER),
    Claim("zha-france", "section 3.1", "France as a location has 98,582 contexts.",
          _tables("pair_contexts", "released_frequency"),
          lambda t: bool(named_pairs(t).loc["@france@-location"].nunique() == 1), "exactly, in the released list",
          any_model=NO_TRANSFER),
    Claim("zha-17m", "section 3.1", "More than 17 million tokens are annotated.",
          _tables("released_tokens"), lambda t: annotated_tokens(t) > 17e6, "sum of the released frequencies",
          any_model=NO_TRANSFER),
    Claim("zha-airheads", "section 3.2.2", "Airheads as art has 47 contexts, of which 24 must be right.",
          _tables("pair_contexts", "pair_contexts_needed", "released_frequency"), ask.airheads,
          "exactly, in the released list; half of them, rounded up", any_model=NO_TRANSFER),
    Claim("zha-suit-neighbours", "Table 1", "Of the seven nearest words to suit in each matrix.",
          Needs(("suit_neighbours_shared",), ("masked", "static"), compares=True),
          lambda t: bool((t["value"][t["measure"] == "suit_neighbours_shared"] >= 4).all()),
          "at least 4 of 7 words shared with the printed lists",
          "The printed lists mix law and clothes in both matrices, which is the paper's point.",
          unprinted="needs the two matrices", any_model=NO_TRANSFER),
]


ANY_FAMILY = (*PAPER_FAMILIES, "sentence")
ANY_MODEL = (                                               # wording of a claim -> of its transfer
    ("BERT's layer 0", "The first block's output"), ("BERT's layers 0 and 1", "the outputs of the first two blocks"),
    ("From layer 1 on BERT is", "From the second block on a model is"),
    ("From layer 2 on BERT beats", "From the third block on a model beats"), ("BERT's performance", "The best F1"),
    (", at layer 11", ", after the last block"),
    ("AVG-BERT-10 is the best layer", "averaged vectors are best in the layer before the last"),
    ("AVG-BERT-0 is", "The average of a word's vectors after the first block is"), ("AVG-BERT", "the average vector"),
    ("BERT's word-piece", "The word-piece"),
    ("beats only layer 0", "beats only the first block"), ("The way BERT", "The way a model"))


def _asked_of_any(claim: Claim) -> Claim:
    """A claim about masked models with its transfer: the same statement without that family and its layer numbers."""
    if claim.transfer is not None:
        return claim
    says = reduce(lambda text, pair: text.replace(*pair), ANY_MODEL, claim.says)
    families = tuple(family for family in claim.needs.families if family not in MASKED)
    return replace(claim, any_model=replace(claim, id=f"{claim.id}.transfer", place="not in the paper", because="",
                                           says=says[0].upper() + says[1:],
                                           needs=replace(claim.needs, families=families, beside=ANY_FAMILY)))


CLAIMS = one_draw_at_a_time([_asked_of_any(claim) for claim in DEPTH + BAGS + WORDS + CONTEXT + TUNING + COUNTS])
HEADLINES = ("zha-f1-rises-with-depth", "zha-low-layers-most", "zha-top-two-little", "zha-five-words",
             "zha-ft-low-stable")
