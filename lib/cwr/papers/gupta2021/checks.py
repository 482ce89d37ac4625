"""The printed numbers of Gupta and Jaggi (2021), checked: averages, rules, ratios, and what an accuracy allows."""
import pandas as pd

from cwr.measures import classification
from cwr.papers.checks import Check, Found, agreement
from cwr.papers.gupta2021.readings import (
    ACC,
    ACCM,
    BINARY,
    DOUBTED,
    F1,
    F1M,
    LARGE,
    PERCENT,
    RHO,
    SIMILARITY,
    WM,
    W,
    bold,
    bounds,
    cells,
    class_counts,
    f1_pairs,
    mean,
    means,
    named,
    of,
    off_runs,
)
from cwr.tables import one

KINDS = ("static", "ase_best_layer", "x2static_sentence", "x2static_paragraph", "fine_tuned", "sentence_encoder")
HALF = 0.05                                                 # half of the last printed digit of a per cent


def averages(table: pd.DataFrame, one: str, average: str) -> pd.DataFrame:
    """Printed averages beside the means of their rows; ASE's best layer per task is another statement."""
    row_means = {row: mean(values) for row, values in of(cells(table, one), *KINDS).items()}
    printed = means(table, average)
    return pd.DataFrame([{"row": named(row), "printed": printed[row], "computed": value}
                         for row, value in row_means.items()]).set_index("row")


def _averages(table: pd.DataFrame, one: str, average: str, within: float) -> Found:
    return agreement(averages(table, one, average), within, "averages")


def _per_task(table: pd.DataFrame) -> Found:
    printed = means(table, WM, WM + LARGE)
    return agreement(pd.DataFrame([{"row": model, "printed": printed["ase_best_per_task", model], "computed": value}
                                   for (_, model), value in of(printed, "ase_best_layer").items()]).set_index("row"),
                     0, "averages of ASE, best layer per task; each is that of the best single layer")


def _repeats(table: pd.DataFrame) -> Found:
    parts = {}
    for artifact in ("Table 3", "Table 6"):
        rows = table[(table["artifact"] == artifact) & table["measure"].isin((W, WM))].copy()
        rows["model"] = rows["model"].replace("CROW", "CBOW")
        parts[artifact] = rows.fillna({"dataset": "average"}).set_index(["estimator", "model", "dataset"])["value"]
    both = pd.DataFrame({"printed": parts["Table 6"].reindex(parts["Table 3"].index), "computed": parts["Table 3"]})
    return agreement(both, 0, "figures of Table 6 that repeat Table 3")


def _names(table: pd.DataFrame) -> Found:
    names = {artifact: set(table[(table["artifact"] == artifact) & (table["estimator"] == "static")]["model"])
             for artifact in ("Table 3", "Table 6")}
    new = names["Table 6"] - names["Table 3"]
    return Found(not new, f"Table 6: {', '.join(sorted(new or names['Table 6']))}",
                 f"Table 3: {', '.join(sorted(names['Table 3'] - names['Table 6'] or names['Table 3']))}")


def _layers(table: pd.DataFrame) -> Found:
    rows = table[(table["estimator"] == "ase_best_layer") & table["measure"].isin((W, WM, W + LARGE, WM + LARGE))
                 & table["variant"].isna()]
    wrong = {model: part for model, part in rows.groupby("model") if part["layer"].nunique() > 1}
    odd = [f"{model}: " + ", ".join(f"{n} times layer {layer}" for layer, n in part["layer"].value_counts().items())
           for model, part in wrong.items()]
    return Found(not wrong, "; ".join(odd) or f"{rows['model'].nunique()} rows", "one layer in all columns of a row")


def _bold(table: pd.DataFrame, suffix: str, strict: bool, base: tuple[str, ...]) -> Found:
    marks = bold(table, suffix, strict, base)
    wrong = [f"{row} {name or 'average'} ({measure.split('_')[-1]})"
             for (row, measure, name), (is_bold, should) in marks.items() if is_bold != should]
    extra = sum(is_bold and not should for is_bold, should in marks.values())
    return Found(not wrong, f"{sum(is_bold for is_bold, _ in marks.values())} of {len(marks)} bold",
                 f"{len(wrong)} against the rule: {extra} bold too many, {len(wrong) - extra} too few"
                 + (f" ({'; '.join(wrong)})" if wrong else ""))


def outside(table: pd.DataFrame, datasets: tuple[str, ...], counts_from: str = "",
            bound=classification.smallest_macro_f1, sign: int = 1) -> dict[str, tuple[float, float]]:
    """Cells whose macro-F1 the accuracy beside it does not allow: {data set and row: (printed, bound)}.

    sign 1: below a smallest value, -1: above a largest; both figures are granted their rounding.
    """
    found = {}
    for dataset in datasets:
        pairs = f1_pairs(table, dataset)
        limit = bounds(pairs, class_counts(table, counts_from or dataset), bound, sign * HALF)
        for row in pairs.index[sign * (limit - pairs["macro_f1"]) > HALF]:
            found[f"{dataset} {row}"] = (pairs["macro_f1"][row], limit[row])
    return found


def _allowed(table: pd.DataFrame, datasets: tuple[str, ...], **how) -> Found:
    wrong, cells_ = outside(table, datasets, **how), sum(len(f1_pairs(table, name)) for name in datasets)
    word = "most" if how.get("sign") == -1 else "least"
    shown = list(wrong.items())[:3]
    return Found(not wrong, "; ".join(f"{name}: {printed:g}" for name, (printed, _) in shown)
                 + ("; ..." if len(wrong) > 3 else "") if wrong else f"{cells_} pairs of macro-F1 and accuracy",
                 (f"{len(wrong)} of {cells_} macro-F1 not possible beside their accuracy: "
                  + "; ".join(f"{name}: at {word} {limit:.1f}" for name, (_, limit) in shown)) if wrong
                 else f"all {cells_} are possible")


def _single_runs(table: pd.DataFrame) -> Found:
    accuracy, n = f1_pairs(table, "TREC")["accuracy"], sum(class_counts(table, "TREC"))
    off = accuracy[(accuracy * n / 100 - (accuracy * n / 100).round()).abs() > HALF * n / 100 - 1e-9]
    values = ", ".join(f"{value:g}" for value in sorted(off.unique()))
    return Found(off.empty, f"{len(off)} of {len(accuracy)}: {values}" if len(off) else f"{len(accuracy)} accuracies",
                 f"multiples of {100 / n:g}, the accuracies that {n} questions can give")


def _table_5(table: pd.DataFrame) -> Found:
    z = off_runs(table)
    far = {name: value for name, value in z.items() if abs(value) > 2 + 1e-9}
    return Found(not far, "; ".join(far) or f"{len(z)} single runs of Table 4",
                 f"{len(z) - len(far)} of {len(z)} within two standard deviations of Table 5's mean, the farthest at "
                 f"{max(map(abs, z.values())):.1f}; {sum(v < -1e-9 for v in z.values())} below the mean, "
                 f"{sum(v > 1e-9 for v in z.values())} above")


def ratios(table: pd.DataFrame) -> pd.DataFrame:
    """Printed ratios of corpus sizes beside tokens over words."""
    tokens = {model: value for (_, model), value in means(table, "corpus_tokens").items()}
    return pd.DataFrame([{"row": model, "printed": value, "computed": tokens[model] / one(table, "corpus_words")}
                         for (_, model), value in means(table, "training_corpus_ratio").items()]).set_index("row")


def _ratios(table: pd.DataFrame) -> Found:
    pairs = ratios(table)
    off = (pairs["computed"] / pairs["printed"] - 1).abs()
    return Found(bool((off <= 0.06).all()), "; ".join(f"{m}: {v:g} times" for m, v in pairs["printed"].items()),
                 "; ".join(f"{m}: {v:.3g}" for m, v in pairs["computed"].items()))


def _by_set(table: pd.DataFrame, printed: str, computed: str) -> Found:
    columns = {name: [table[(table["measure"] == measure) & (table["dataset"] == each)]["value"].iloc[0]
                      for each in SIMILARITY] for name, measure in (("printed", printed), ("computed", computed))}
    return agreement(pd.DataFrame(columns, index=list(SIMILARITY)), 0, "numbers of pairs")


def _words(table: pd.DataFrame) -> Found:
    printed = one(table, "ase_words_embedded")
    types = table[table["measure"] == "word_types"].set_index("dataset")["value"]
    return Found(bool(printed == types["all five sets"]), f"{printed:.0f} words",
                 f"{types['all five sets']:.0f} in the five sets; {types['without RW-2034']:.0f} without RW-2034")


def _gold(table: pd.DataFrame) -> Found:
    cut = table[(table["dataset"] == "RG-65") & table["measure"].str.startswith("cut_gold")].set_index("measure")
    rho, plain = cut[cut["variant"].notna()]["value"], cut[cut["variant"].isna()]["value"]
    n = one(table, "word_similarity_pairs", dataset="RG-65")
    return Found(bool(plain["cut_gold_changed"] == 0), "the ASE tool's reader cuts three characters off a line",
                 f"with this book's file {plain['cut_gold_changed']:.0f} of {n:.0f} gold scores lose digits; the rank "
                 f"correlation with the gold is {plain['cut_gold_spearman']:.3f} ({rho.min():.3f} to {rho.max():.3f} "
                 "if five lines are spared)")


def _listed_twice(table: pd.DataFrame) -> Found:
    rows = table[(table["artifact"] == "Table 2") & (table["estimator"] == "search value")]
    twice = rows[rows.duplicated(["model", "measure", "printed"])]
    return Found(twice.empty, "; ".join(f"{r.model}: {r.printed} twice" for r in twice.itertuples()) or "Table 2",
                 "each searched value once")


def _call(table: pd.DataFrame) -> Found:
    flops, dim = one(table, "teacher_flops_per_call"), one(table, "teacher_output_dimension")
    return Found(1e7 <= flops / dim < 1e8, "tens of millions of times, from 29 G operations a call",
                 f"{flops / dim:.2g} for one call against one vector of {dim:.0f} numbers")


def _faster(table: pd.DataFrame) -> Found:
    shown = []
    for size in ("12-layer teacher", "24-layer teacher"):
        hours = 24 * one(table, "ase_extraction_days", variant=size)
        low, high = (hours / one(table, f"x2static_training_hours_{end}", variant=size)
                     for end in ("highest", "lowest"))
        shown.append(f"{size}: {low:.1f} to {high:.1f} times")
    return Found(True, "15-18 hours against 3 days; 35-38 hours against 5 days", "; ".join(shown))


def _check(name: str, place: str, asks: str, find, how: str, sure: str, charitable: str = "") -> Check:
    return Check(f"gupta2021-check-{name}", place, asks, find, how, sure, charitable)


MEANS = "Mean of the row's printed figures; each may be off by half its last digit, and so may the average."
RULE = "The caption's rule, cell by cell; bold as it survives in the text we read."
ALLOWED = ("Exact minimum of macro-F1 over all confusion matrices with so many errors, on the official test counts; "
           "both figures are granted their rounding.")
MEAN_OF_RUNS = ("If cells are means of arbitrarily different runs, the lower convex envelope stands for the minimum, "
                "and 17 cells remain. Macro-averages that are never lower (classes present, or the harmonic mean of "
                "macro-precision and macro-recall) do not explain it.")

CHECKS = [
    _check("average-table3", "Table 3", "Are the averages the means of their rows?",
           lambda t: _averages(t, W, WM, RHO), MEANS, "beyond rounding",
           "Two digits may have changed places (0.5276, 0.5258); no claim depends on it."),
    _check("average-table6", "Table 6, 24-layer teachers", "Are the averages the means of their rows?",
           lambda t: _averages(t, W + LARGE, WM + LARGE, RHO), MEANS, "beyond rounding"),
    _check("average-best-layer", "Tables 3 and 6", "Is the average of an 'ASE - best layer per task' row that of the "
           "best single layer?", _per_task, "Comparison with the row below it; the layer stands in brackets.", "exact",
           "Not an error: the average is treated as one more task. The mean of the row is higher, and X2Static lies "
           "above that too."),
    _check("average-table4-f1", "Table 4", "Are the averages of macro-F1 the means of their rows?",
           lambda t: _averages(t, F1, F1M, PERCENT), MEANS, "beyond rounding",
           "One cell each would mend FASTTEXT (15.9 for 13.9 on SST-5) and sROBERTA (28.5 for 23.7): conjecture."),
    _check("average-table4-accuracy", "Table 4", "Are the averages of accuracy the means of their rows?",
           lambda t: _averages(t, ACC, ACCM, PERCENT), MEANS, "beyond rounding, only just",
           "Every figure would have to be rounded down by nearly half a digit, and a little more."),
    _check("table6-repeats-table3", "Table 6", "Does Table 6 repeat Table 3?", _repeats, "Figure by figure.", "exact"),
    _check("table6-names", "Table 6", "Does Table 6 name the rows of Table 3 alike?", _names, "Comparison.", "exact",
           "A letter: the figures are those of CBOW."),
    _check("table6-layer", "Tables 3 and 6", "Does 'ASE - best single layer' use one layer in all columns?", _layers,
           "The layers in brackets.", "exact", "The average fits the printed figure, so the index is a slip."),
    _check("bold-table3", "Table 3, caption", "Is bold what the caption says?", lambda t: _bold(t, "", True, (W, WM)),
           RULE, "exact"),
    _check("bold-table6", "Table 6, caption", "Is bold what the caption says, for 24-layer teachers?",
           lambda t: _bold(t, LARGE, True, (W, WM)), RULE, "exact", "The margin is 0.0005."),
    _check("bold-table4", "Table 4, caption", "Is bold what the caption says?",
           lambda t: _bold(t, "", False, (F1, F1M, ACC, ACCM)), RULE, "exact",
           "The four accuracies on SST-5 hang on one FASTTEXT cell, whose row's average differs too; with "
           "the next best static row all four would be right. Nothing that should be bold is missed."),
    _check("f1-trec", "Table 4", "Can TREC's macro-F1 stand beside its accuracy, over 6 labels?",
           lambda t: _allowed(t, DOUBTED[:1]), ALLOWED, "by a bound",
           "Over the 50 fine labels all 20 cells are possible, and the paper does not say which labels. "
           + MEAN_OF_RUNS),
    _check("f1-sst5", "Table 4", "Can SST-5's macro-F1 stand beside its accuracy, over 5 labels?",
           lambda t: _allowed(t, DOUBTED[1:]), ALLOWED, "by a bound",
           "The definition of macro-F1 is not given and the downstream code is not public; another definition would "
           f"change it, and the accuracy column does not depend on it. {MEAN_OF_RUNS}"),
    _check("f1-binary", "Table 4", "Can macro-F1 stand beside the accuracy on the four binary tasks?",
           lambda t: _allowed(t, BINARY), "The same minimum at the class shares of all data: no official split.",
           "by a bound"),
    _check("f1-binary-largest", "Table 4", "Is no macro-F1 larger than its accuracy allows, on the binary tasks?",
           lambda t: _allowed(t, BINARY, bound=classification.largest_macro_f1, sign=-1),
           "Exact maximum over confusion matrices of two classes at the class shares of all data.", "by a bound",
           "One of the two numbers probably repeats the other; a random test set's class shares vary by about a point, "
           "which is not enough. As the harmonic mean of macro-precision and macro-recall it would be possible, if "
           "nearly all positive texts were found."),
    _check("trec-single-runs", "Table 4", "Are TREC's accuracies those of single runs on the official 500 questions?",
           _single_runs, "An accuracy on 500 questions is a multiple of 0.2.", "exact",
           "Means of runs, or another split: the text does not say."),
    _check("table5-table4", "Table 5; Table 4", "Do the single runs of Table 4 lie where Table 5 expects them?",
           _table_5, "Difference from the mean of six over the standard deviation.", "exact"),
    _check("corpus-ratios", "sections 4.1, 4.3; Table 3", "Are the corpora so many times larger?", _ratios,
           "Tokens over words, both printed.", "within 6 %, the text says approximately"),
    _check("pairs", "section 4.2", "Do the similarity sets have so many pairs?",
           lambda t: _by_set(t, "word_similarity_pairs", "word_similarity_pairs_in_file"), "Counted in the files.",
           "exact"),
    _check("words", "section 4.2", "Do 'these' five similarity sets have 2005 words?", _words,
           "Counted in the files, lower-cased.", "exact", "2005 is the vocabulary of the four sets in the ASE tool; "
           "the sentence lists RW-2034 beside them."),
    _check("table2-values", "Table 2", "Is each searched value listed once?", _listed_twice, "Comparison.", "exact",
           "A repeated entry of a list; the text does not depend on it."),
    _check("tens-of-millions", "section 1; footnote 1", "Does 'tens of millions' follow from the footnote?", _call,
           "Operations of a call over the numbers of a vector; the paper prints no divisor.", "inference",
           "Right for one call against one look-up, one word needed in one context. Word for word it is five to six "
           "orders of magnitude."),
    _check("training-time", "sections 4.1, 4.2", "How do the printed times compare?", _faster, "Their quotient.",
           "exact", "ASE's time is for 2005 words, X2Static's for the full vocabulary."),
    _check("rg65-gold", "Table 3, ASE on RG-65", "Does the ASE tool's released reader keep the gold scores?", _gold,
           "`data.py` of Contextual2Static cuts the last characters of a line; redone on our copy of the set.",
           "inference: whether the printed column was scored so cannot be known",
           "On the file of the tool's public snapshot, where some lines end in blanks, we found 0.918. No claim about "
           "averages depends on it; two cells might change sides."),
]
