"""Claims of Gupta and Jaggi (2021), "Obtaining Better Static Word Embeddings Using Contextual Embedding Models".

How rows are named stands in `gupta2021_numbers`. A printed correlation is good to 5e-5, a printed per cent to 0.05.
All claims compare rows of a table, so they are judged on a group of models.
"""
import re
from pathlib import Path

import numpy as np
import pandas as pd

from cwr import tables
from cwr.papers.claims import Claim, Needs
from cwr.papers.gupta2021.checks import CHECKS as CHECKS
from cwr.papers.gupta2021.readings import (
    ACC,
    ACCM,
    ASE,
    BINARY,
    BOLD,
    F1,
    F1M,
    LARGE,
    SIMILARITY,
    WM,
    X2S,
    W,
    beaten,
    bold,
    cells,
    competitors,
    gains,
    mean,
    means,
    of,
    off_runs,
    welch,
)
from cwr.papers.old import one_draw_at_a_time
from cwr.tables import one

RUNS = tuple(f"{name}_run_{what}" for name in (F1M, ACCM) for what in ("mean", "sd")) + ("downstream_runs",)
GROWTH, DECONTEXTUAL = "word_similarity_by_corpus_size", WM + "_decontextualised"
FLOPS = ("teacher_flops_per_call", "teacher_output_dimension")
CALL = 128                                                  # pieces of the call that 29 G operations stand for
T_95 = 2.23                                                 # two-sided 5 % of Student's t with 10 degrees of freedom
HEADLINES = ("gup-x2static-beats-ase", "gup-x2static-beats-static-avg", "gup-x2static-beats-all-cells",
             "gup-down-beats-all", "gup-ase-saturates")


def published() -> pd.DataFrame:
    """The printed numbers, the class counts of the data and the bold marks, in the schema of `published.KEYS`."""
    return tables.read(Path(__file__).parent)


def _all(values) -> bool:
    values = list(values)
    return bool(values) and all(values)


def _most(margins: dict) -> bool:
    return bool(margins) and sum(margin > 0 for margin in margins.values()) > len(margins) / 2


def _above_own_ase(table: pd.DataFrame, suffix: str = "", per_task: bool = False) -> bool:
    """Each X2Static mean above its teacher's ASE: its printed average, or the mean of each set's best layer."""
    ours, single_layer, best = means(table, WM + suffix), means(table, WM + suffix), cells(table, W + suffix)
    return _all(value > (mean(best["ase_best_per_task", model]) if per_task else single_layer["ase_best_layer", model])
                for (_, model), value in of(ours, *X2S).items())


def _lowest_above(found: dict, rivals: dict) -> bool:
    ours = [value for row, value in of(found, *X2S).items()]
    return bool(ours and rivals) and min(ours) > max(rivals.values())


def _best_per_task(table: pd.DataFrame) -> bool:
    found = cells(table, W)
    best = [max((v[name] for v in of(found, *X2S).values()), default=-np.inf)
            - max((v[name] for v in competitors(found).values()), default=np.inf) for name in SIMILARITY]
    return sum(margin > 0 for margin in best) > len(best) / 2


def _two_largest(gain: dict[str, float]) -> bool:
    return set(sorted(gain, key=gain.get)[-2:]) == {"SL-999", "SV-3500"}


def _extent(table: pd.DataFrame) -> bool:
    return _all(margin > 0 for (_, _, name), margin in beaten(table, W, kinds=("static",)).items()
                if name in ("SL-999", "SV-3500"))


def _best_on(table: pd.DataFrame, dataset: str) -> tuple[str, str]:
    found = cells(table, W)
    return max(found, key=lambda row: found[row][dataset])


def _paragraph_above(table: pd.DataFrame, *measures: str, tie: bool = False) -> bool:
    found = means(table, *measures)
    return _all(value >= found["x2static_sentence", model] if tie else value > found["x2static_sentence", model]
                for (_, model), value in of(found, "x2static_paragraph").items())


def _but_roberta_sentence(found: dict) -> dict:
    return {row: value for row, value in found.items() if row != ("x2static_sentence", "ROBERTA-12")}


def _downstream(table: pd.DataFrame, measure: str, margin: float = 0.0) -> bool:
    found = means(table, measure)
    rivals = {row: value + margin for row, value in competitors(found).items()}
    return _lowest_above(_but_roberta_sentence(found), rivals)


def _downstream_own(table: pd.DataFrame) -> bool:
    found = means(table, F1M)
    return _all(value > max(competitors(found, row).values(), default=np.inf)
                for row, value in _but_roberta_sentence(of(found, *X2S)).items())


def _downstream_four(table: pd.DataFrame) -> bool:
    found = {row: mean(values, BINARY) for row, values in cells(table, F1).items()}
    return _lowest_above(_but_roberta_sentence(found), competitors(found))


def _beyond_seeds(table: pd.DataFrame) -> bool:
    return _downstream(table, F1M, 2 * max(means(table, F1M + "_run_sd").values()))


def _roberta_like_ase(table: pd.DataFrame) -> bool:
    found = means(table, F1M)
    return abs(found["x2static_sentence", "ROBERTA-12"] - found["ase_best_layer", "ROBERTA-12"]) <= 0.2 + 1e-9


def _roberta_shortfall(table: pd.DataFrame, siblings: bool) -> dict[str, float]:
    """RoBERTa's sentence row minus the mean of the other X2Static rows, or minus its own ASE, by task."""
    found = cells(table, F1)
    row = ("x2static_sentence", "ROBERTA-12")
    others = [v for other, v in of(found, *X2S).items() if other != row] if siblings else [
        found["ase_best_layer", "ROBERTA-12"]]
    return {name: value - np.mean([other[name] for other in others]) for name, value in found[row].items()}


def _without_cr(table: pd.DataFrame) -> bool:
    return sum(value for name, value in _roberta_shortfall(table, False).items() if name != "CR") > 0


def _larger_corpora(table: pd.DataFrame, measure: str) -> bool:
    found = means(table, measure)
    return _lowest_above(found, {row: v for row, v in found.items() if row[1].startswith(("GLOVE", "FASTTEXT"))})


def _last_octave(sizes: dict[int, float]) -> tuple[float, float]:
    """Slope over the last doubling of the corpus, and the last value."""
    size = np.array(sorted(sizes), dtype=float)
    value = np.array([sizes[k] for k in sorted(sizes)])
    return float(value[-1] - np.interp(np.log2(size[-1]) - 1, np.log2(size), value)), float(value[-1])


def _saturates(table: pd.DataFrame) -> bool:
    curves = {key: _last_octave(dict(zip(part["k"].astype(float), part["value"], strict=True)))
              for key, part in table.groupby(["estimator", "model", "dataset"])}
    return _all(slope <= 0.01 and (curves["x2static_paragraph", model, name][1] > value
                                   or curves["x2static_paragraph", model, name][0] > slope)
                for (kind, model, name), (slope, value) in curves.items() if kind == "ase_best_layer")


def _larger_is_better(table: pd.DataFrame) -> bool:
    small = {(kind, re.sub(r"-\d+$", "", model)): v for (kind, model), v in of(means(table, WM), *X2S).items()}
    large = {(kind, re.sub(r"-\d+$", "", model)): v for (kind, model), v in of(means(table, WM + LARGE), *X2S).items()}
    return _all(value > small[row] for row, value in large.items() if row in small)


def _bold_as_ruled(marks: dict, missed_only: bool = False) -> bool:
    return _all(is_bold or not should if missed_only else is_bold == should for is_bold, should in marks.values())


def _compute(table: pd.DataFrame, calls: int) -> bool:
    flops, dim = (one(table, name) for name in FLOPS)
    return 1e7 <= flops / (calls * dim) < 1e8


def _ratios(table: pd.DataFrame) -> bool:
    words, ratio = one(table, "corpus_words"), {m: v for (_, m), v in means(table, "training_corpus_ratio").items()}
    tokens = {model: value for (_, model), value in means(table, "corpus_tokens").items()}
    return _all(abs(tokens[model] / words / ratio[model] - 1) <= 0.06 for model in ratio)


def _faster(table: pd.DataFrame) -> bool:
    return _all(24 * one(table, "ase_extraction_days", variant=size)
                > one(table, "x2static_training_hours_highest", variant=size)
                for size in ("12-layer teacher", "24-layer teacher"))


def _claim(name: str, place: str, says: str, measures, holds, tolerance: str, because: str = "", **more) -> Claim:
    return Claim(name, place, says, Needs(tuple(measures), families=(), compares=True), holds, tolerance, because,
                 **more)


WORDS = [
    _claim("gup-x2static-beats-ase", "abstract; section 4.2", "Each X2Static has a higher mean correlation than its "
           "teacher's ASE.", (W, WM), _above_own_ase, "average above ASE's printed average, for every teacher",
           "The printed average of both ASE rows is that of the best single layer."),
    _claim("gup-x2static-beats-ase.per-task-mean", "section 4.2", "The same against the mean of each set's best layer.",
           (W, WM), lambda t: _above_own_ase(t, per_task=True), "average above the mean of ASE's row",
           "The stricter reading: ASE may choose its layer for every set, X2Static uses one."),
    _claim("gup-x2static-beats-ase-cells", "section 4.2", "X2Static is above its own ASE on most tasks.", (W,),
           lambda t: _most(beaten(t, W, kinds=ASE)), "in more than half of the cells, ASE's best layer per task"),
    _claim("gup-x2static-beats-all-cells", "section 4.2", "X2Static outperforms competing models on most tasks.", (W,),
           lambda t: _most(beaten(t, W)), "in more than half of the cells, above all static rows and the own ASE",
           "The competitors are those of the caption's rule for bold; the sentence leaves the reading open."),
    _claim("gup-x2static-beats-all-cells.strict", "section 4.2", "The same, against every other row of Table 3.", (W,),
           lambda t: _most(beaten(t, W, own=False)), "in more than half of the cells, other teachers' ASE included",
           "The strict reading; the paper's own rule is gup-x2static-beats-all-cells."),
    _claim("gup-x2static-beats-all-cells.best-per-task", "section 4.2", "On most sets the best X2Static is above the "
           "best competitor.", (W,), _best_per_task, "on more than half of the sets", "A charitable reading."),
    _claim("gup-x2static-beats-all-cells.static-only", "section 4.2", "On most tasks X2Static is above all vectors "
           "trained from scratch.", (W,), lambda t: _most(beaten(t, W, kinds=("static",))), "in more than half of the "
           "cells"),
    _claim("gup-x2static-beats-all-cells.table-6", "section 4.2; appendix B", "The same by the rule for bold, larger "
           "teachers included.", (W, W + LARGE), lambda t: _most(beaten(t, W, W + LARGE)),
           "in more than half of the cells of Table 6"),
    _claim("gup-x2static-beats-all-cells.strict-table-6", "section 4.2; appendix B", "The same against every other row "
           "of Table 6.", (W, W + LARGE), lambda t: _most(beaten(t, W, W + LARGE, own=False)),
           "in more than half of the cells", "The strict reading of Table 6."),
    _claim("gup-x2static-beats-static-avg", "abstract", "X2Static has a higher mean correlation than vectors trained "
           "from scratch.", (WM,), lambda t: _lowest_above(means(t, WM), of(means(t, WM), "static")),
           "lowest X2Static average above the highest static one"),
    _claim("gup-significant-margin-sim", "section 1", "On lexical similarity the margin is significant.", (WM,),
           lambda t: _lowest_above(means(t, WM), competitors(means(t, WM))),
           "lowest X2Static average above all competitors, in the replicates", "The replicates resample word pairs.",
           unprinted="significance needs the scores pair by pair; only correlations are printed"),
    _claim("gup-simlex-simverb-strongest", "section 4.2", "The gains on SimLex and SimVerb are the largest.", (W,),
           lambda t: _two_largest(gains(t, "mean", ("static",))), "mean X2Static row minus the best static row: "
           "the two largest of five", "Our reading: the sentence speaks of the extent of the gains and does not rank "
           "the sets; gup-simlex-simverb-strongest.extent asks for no rank."),
    _claim("gup-simlex-simverb-strongest.extent", "section 4.2", "Every X2Static beats every static row on SimLex and "
           "on SimVerb.", (W,), _extent, "all margins above 0", "The charitable reading: no ranking of the sets."),
    _claim("gup-simlex-simverb-strongest.best-row", "section 4.2", "The same with the best X2Static row.", (W,),
           lambda t: _two_largest(gains(t, "best", ("static",))), "best X2Static minus best static row: two largest",
           "SimVerb is first; SimLex and Rare Words are level, less apart than a standard error on either set."),
    _claim("gup-simlex-simverb-strongest.with-ase", "section 4.2", "The same with ASE among the previous models.", (W,),
           lambda t: _two_largest(gains(t, "best", ("static", *ASE))), "best X2Static minus best other: two largest",
           "Against ASE, Rare Words gains most."),
    _claim("gup-simlex-simverb-strongest.with-ase-mean", "section 4.2", "The same by the mean of the X2Static rows.",
           (W,), lambda t: _two_largest(gains(t, "mean", ("static", *ASE))), "two largest of five"),
    _claim("gup-rg65-cbow-best", "Table 3", "CBOW is best on RG-65.", (W,),
           lambda t: _best_on(t, "RG-65")[1] == "CBOW", "the largest value of the column",
           any_model=_claim("gup-rg65-cbow-best.transfer", "Table 3", "Vectors trained from scratch are best on RG-65.",
                           (W,), lambda t: _best_on(t, "RG-65")[0] == "static", "the largest value of the column")),
    _claim("gup-para-gt-sent-sim", "section 4.3", "Paragraphs as context are slightly better than sentences, on "
           "similarity.", (WM,), lambda t: _paragraph_above(t, WM), "higher average, for every teacher",
           "The text adds that it is hard to say which is better. The gain is on RG-65 and WS-353; Rare Words falls."),
    _claim("gup-para-gt-sent-sim.table-6", "section 4.3; appendix B", "The same, larger teachers included.",
           (WM, WM + LARGE), lambda t: _paragraph_above(t, WM, WM + LARGE), "higher average, for every teacher"),
]

DOWNSTREAM = [
    _claim("gup-para-gt-sent-down", "section 4.3", "The same on the downstream tasks.", (F1M,),
           lambda t: _paragraph_above(t, F1M), "higher average macro-F1, for every teacher"),
    _claim("gup-para-gt-sent-down.accuracy", "section 4.3", "The same by accuracy.", (ACCM,),
           lambda t: _paragraph_above(t, ACCM), "higher average accuracy, for every teacher",
           "The strict reading: GPT-2's two printed averages are equal."),
    _claim("gup-para-gt-sent-down.accuracy-or-tie", "section 4.3", "By accuracy paragraphs are no worse.", (ACCM,),
           lambda t: _paragraph_above(t, ACCM, tie=True), "average accuracy at least level", "The charitable reading."),
    _claim("gup-down-beats-all", "section 4.3", "All X2Static but RoBERTa's sentence variant beat all competitors "
           "downstream.", (F1M,), lambda t: _downstream(t, F1M), "average macro-F1 above every competitor's",
           "In sign. Two columns of the average are in doubt; the four-task reading avoids them."),
    _claim("gup-down-beats-all.accuracy", "section 4.3", "The same by accuracy.", (ACCM,),
           lambda t: _downstream(t, ACCM), "average accuracy above every competitor's"),
    _claim("gup-down-beats-all.bold-rule", "section 4.3", "The same against static rows and the own teacher's ASE.",
           (F1M,), _downstream_own, "average macro-F1 above theirs", "The charitable reading of the competitors."),
    _claim("gup-down-beats-all.four-tasks", "section 4.3", "The same on the four binary tasks alone.", (F1,),
           _downstream_four, "mean macro-F1 of CR, MR, MPQA and SUBJ above every competitor's"),
    _claim("gup-down-beats-all.margin", "section 4.3", "They do so by a significant margin.",
           (F1M, F1M + "_run_sd"), _beyond_seeds, "above every competitor by twice the largest deviation of Table 5",
           "The strict reading, over all rows. Against the own ASE the margin is tested in gup-table5-margin."),
    _claim("gup-roberta-sent-exception", "section 4.3", "RoBERTa's sentence variant has an average macro-F1 like ASE.",
           (F1M,), _roberta_like_ase, "within 0.2, Table 5's usual deviation",
           any_model="It speaks of one printed row."),
    _claim("gup-roberta-sent-cause-cr", "section 4.3", "Its result on CR is the cause.", (F1,),
           lambda t: min((s := _roberta_shortfall(t, True)), key=s.get) == "CR",
           "largest shortfall from the other X2Static rows", "The charitable reading: compared with its siblings.",
           any_model="It speaks of one printed row."),
    _claim("gup-roberta-sent-cause-cr.own-ase", "section 4.3", "The same against its own ASE.", (F1,),
           lambda t: min((s := _roberta_shortfall(t, False)), key=s.get) == "CR", "largest loss against the own ASE",
           "The largest is TREC, one of the two columns in doubt; CR is second."),
    _claim("gup-roberta-sent-cause-cr.without-cr", "section 4.3", "Without CR it is ahead of its ASE.", (F1,),
           _without_cr, "mean of the other five tasks above ASE's"),
    _claim("gup-table5-margin", "section 4.3; appendix A", "Paragraph X2Static beats ASE beyond the noise of seeds.",
           RUNS, lambda t: _all(value > T_95 for value in welch(t).values()), "Welch's t above 2.23 in all six pairs",
           "Only the seeds vary: neither the test items nor, for ASE, the extraction."),
    _claim("gup-table5-margin.worst-rounding", "section 4.3; appendix A", "The same under the worst rounding.", RUNS,
           lambda t: _all(value > T_95 for value in welch(t, 0.05).values()),
           "t above 2.23 with every mean and deviation half a digit worse"),
    _claim("gup-table5-consistent", "appendix A", "Table 4's single runs agree with Table 5.", (F1M, ACCM, *RUNS),
           lambda t: _all(abs(z) <= 2 + 1e-9 for z in off_runs(t).values()), "within two standard deviations"),
    _claim("gup-larger-corpora-lag", "section 4.3", "GloVe and fastText, from larger corpora, lag behind.", (F1M,),
           lambda t: _larger_corpora(t, F1M), "average macro-F1 below every X2Static's",
           any_model="It speaks of three printed sets of vectors."),
    _claim("gup-larger-corpora-lag.accuracy", "section 4.3", "The same by accuracy.", (ACCM,),
           lambda t: _larger_corpora(t, ACCM), "average accuracy below every X2Static's"),
]

SCALE = [
    _claim("gup-ase-saturates", "section 4.2; Figure 1", "ASE saturates with the corpus; X2Static is above or grows "
           "faster.", (GROWTH,), _saturates, "over the last doubling ASE gains at most 0.01, and X2Static ends higher "
           "or gains more", unprinted="Figure 1 is an image without printed values"),
    _claim("gup-extrapolation", "section 4.2", "On larger texts X2Static will be better still.", (GROWTH,), None,
           "none", unprinted="an expectation beyond the largest corpus, which no printed number can decide"),
    _claim("gup-24-beats-ase", "appendix B", "With 24-layer teachers X2Static beats ASE too.", (W + LARGE, WM + LARGE),
           lambda t: _above_own_ase(t, LARGE), "average above ASE's printed average, for every teacher"),
    _claim("gup-24-beats-ase.per-task-mean", "appendix B", "The same against the mean of each set's best layer.",
           (W + LARGE, WM + LARGE), lambda t: _above_own_ase(t, LARGE, True), "average above the mean of ASE's row"),
    _claim("gup-24-beats-ase.cells", "appendix B", "The same in most cells.", (W + LARGE,),
           lambda t: _most(beaten(t, W + LARGE, kinds=ASE)), "in more than half of the cells, best layer per task"),
    _claim("gup-24-beats-ase.every-cell", "appendix B", "The same in every cell.", (W + LARGE,),
           lambda t: _all(margin > 0 for margin in beaten(t, W + LARGE, kinds=ASE).values()), "in all cells",
           "The strict reading, which the text does not claim."),
    _claim("gup-24-gt-12", "a reader's question", "A larger teacher gives better vectors.", (WM, WM + LARGE),
           _larger_is_better, "higher average than from the 12-layer teacher of its name, both variants",
           "Not a claim of the paper. It holds for BERT and GPT-2.",
           any_model="It pairs teachers by name; another pair is two runs to compare."),
    _claim("gup-bold-rule-t3", "Table 3, caption", "Bold means above all static rows and the teacher's ASE.",
           (W, WM, BOLD + W, BOLD + WM), lambda t: _bold_as_ruled(bold(t)), "every X2Static cell of Table 3"),
    _claim("gup-bold-rule-t3.table-6", "Table 6, caption", "The same in Table 6, 24-layer teachers.",
           (W, WM, W + LARGE, WM + LARGE, BOLD + W + LARGE, BOLD + WM + LARGE),
           lambda t: _bold_as_ruled(bold(t, LARGE)),
           "every X2Static cell", "One cell above the rule is not bold, by 0.0005."),
    _claim("gup-bold-rule-t4", "Table 4, caption", "Bold means at least level with all static rows and the teacher's "
           "ASE.", (F1, F1M, ACC, ACCM, *(BOLD + name for name in (F1, F1M, ACC, ACCM))),
           lambda t: _bold_as_ruled(bold(t, strict=False, base=(F1, F1M, ACC, ACCM))), "every X2Static half-cell",
           "Of the nine that differ, four hang on one accuracy of FASTTEXT, in a row whose average differs too."),
    _claim("gup-bold-rule-t4.none-missed", "Table 4, caption", "What should be bold is bold.",
           (F1, F1M, ACC, ACCM, *(BOLD + name for name in (F1, F1M, ACC, ACCM))),
           lambda t: _bold_as_ruled(bold(t, strict=False, base=(F1, F1M, ACC, ACCM)), missed_only=True),
           "no half-cell at least level and not bold", "The charitable half of the rule."),
    _claim("gup-decontextual-dismal", "section 2", "A word alone, without context, gives poor vectors.",
           (WM, DECONTEXTUAL), lambda t: _all(value <= 0.5 * means(t, WM)["ase_best_layer", model]
                                              for (_, model), value in means(t, DECONTEXTUAL).items()),
           "mean correlation at most half of ASE's", "The threshold is ours.",
           unprinted="the paper prints no numbers for it; it cites Bommasani et al. (2020)"),
    _claim("gup-cheaper-para", "section 3.2", "Paragraphs need fewer calls to the teacher.",
           ("corpus_paragraph_filter_minimum_sentences",),
           lambda t: one(t, "corpus_paragraph_filter_minimum_sentences") > 1, "more than one sentence a paragraph"),
    _claim("gup-cheaper-para.flops", "section 3.2", "Paragraphs cost fewer operations a word.",
           ("teacher_flops_per_word",), lambda t: _all(
               value < means(t, "teacher_flops_per_word")["x2static_sentence", model]
               for (_, model), value in of(means(t, "teacher_flops_per_word"), "x2static_paragraph").items()),
           "fewer operations a word than sentence by sentence",
           unprinted="pieces per word and sentences per paragraph are not printed; on common values the two are level"),
    _claim("gup-compute-tens-of-millions", "section 1; footnote 1", "Static vectors cost tens of millions times less "
           "to use.", FLOPS, lambda t: _compute(t, 1), "operations of a call over the numbers of a vector: 1e7 to 1e8",
           "The paper prints no divisor; one call against one look-up is our reconstruction, the charitable reading: "
           "one word is needed in one context."),
    _claim("gup-compute-tens-of-millions.per-word", "section 1; footnote 1", "The same, word for word.", FLOPS,
           lambda t: _compute(t, CALL), "operations per piece of a 128-piece call over the numbers of one vector",
           "29 G is what the cited script gives for 128 pieces."),
    _claim("gup-ratios", "sections 4.1, 4.3", "GloVe's, fastText's and GloVe Twitter's corpora are 650, 12 and 20 "
           "times larger.", ("corpus_tokens", "corpus_words", "training_corpus_ratio"), _ratios, "within 6 %"),
    _claim("gup-speed", "sections 4.1, 4.2", "X2Static is trained in less time than ASE takes.",
           ("ase_extraction_days", "x2static_training_hours_highest"), _faster, "longest training below ASE's days",
           "ASE's time is for the words of four similarity sets, X2Static's for the full vocabulary."),
]

CLAIMS = one_draw_at_a_time(WORDS + DOWNSTREAM + SCALE)
