"""Checks single numbers in the text of Gupta and Jaggi (2021): counts, ratios, times, costs."""

import pandas as pd

from cwr.papers.checks import Check, Found, agreement
from cwr.tables import only_value, where
from cwr.texts.gupta2021.claims.readings import SIMILARITY

RATIO_MARGIN = 0.06  # "approximately", of the ratios of corpora
SIZES = ("12-layer teacher", "24-layer teacher")


def _ratios(table: pd.DataFrame) -> Found:
    rows = table[table["variant"].isna()].set_index("model")
    printed = rows["value"][rows["measure"] == "training_corpus_ratio"]
    tokens = rows["value"][rows["measure"] == "corpus_tokens"]
    computed = tokens[printed.index] / only_value(table, "corpus_words")
    agrees = ((computed / printed - 1).abs() <= RATIO_MARGIN).all()
    shown = [f"{model}: {value:g} times" for model, value in printed.items()]
    better = [f"{model}: {value:.3g}" for model, value in computed.items()]
    return Found(bool(agrees), "; ".join(shown), "; ".join(better))


def _pairs(table: pd.DataFrame) -> Found:
    measures = {"printed": "word_similarity_pairs", "computed": "word_similarity_pairs_in_file"}
    columns = {
        name: where(table, measure=measure).set_index("dataset")["value"]
        for name, measure in measures.items()
    }
    return agreement(pd.DataFrame(columns).loc[list(SIMILARITY)], 0, "numbers of pairs")


def _words(table: pd.DataFrame) -> Found:
    printed = only_value(table, "ase_words_embedded")
    five, four = (
        only_value(table, "word_types", dataset=name)
        for name in ("all five sets", "without RW-2034")
    )
    return Found(
        printed == five,
        f"{printed:.0f} words",
        f"the five sets contain {five:.0f} words, or {four:.0f} without RW-2034",
    )


def _listed_twice(table: pd.DataFrame) -> Found:
    rows = where(table, artifact="Table 2", estimator="search value")
    twice = rows[rows.duplicated(["model", "measure", "printed"])]
    printed = [
        f"{model}: {value} twice"
        for model, value in zip(twice["model"], twice["printed"], strict=True)
    ]
    return Found(twice.empty, "; ".join(printed) or "Table 2", "each searched value is listed once")


def _call(table: pd.DataFrame) -> Found:
    flops, dim = (
        only_value(table, "teacher_flops_per_call"),
        only_value(table, "teacher_output_dimension"),
    )
    should_be = f"{flops / dim:.2g} times, for one call against one vector of {dim:.0f} components"
    return Found(
        1e7 <= flops / dim < 1e8,
        "tens of millions of times, with 29 G operations for a call",
        should_be,
    )


def _faster(table: pd.DataFrame) -> Found:
    shown, quotients = [], []
    for size in SIZES:
        hours = 24 * only_value(table, "ase_extraction_days", variant=size)
        low, high = (
            hours / only_value(table, f"x2static_training_hours_{end}", variant=size)
            for end in ("highest", "lowest")
        )
        shown.append(f"{size}: {low:.1f} to {high:.1f} times")
        quotients.append(low)
    return Found(
        min(quotients) > 1,
        "X2Static takes 15-18 hours and ASE 3 days; or 35-38 hours and 5 days",
        "; ".join(shown),
    )


def _gold(table: pd.DataFrame) -> Found:
    rows = where(table, dataset="RG-65")
    plain = rows[rows["variant"].isna()]
    rho = where(rows[rows["variant"].notna()], measure="cut_gold_spearman")["value"]
    changed, cut, n = (
        only_value(plain, name)
        for name in ("cut_gold_changed", "cut_gold_spearman", "word_similarity_pairs")
    )
    should_be = (
        f"with this book's file {changed:.0f} of {n:.0f} gold scores lose digits. The rank correlation "
        f"with the uncut scores is {cut:.3f} ({rho.min():.3f} to {rho.max():.3f} if five lines are spared)"
    )
    return Found(
        changed == 0, "the ASE tool's reader cuts three characters off each line", should_be
    )


TEXT = [
    Check(
        id="gupta2021-check-corpus-ratios",
        place="sections 4.1, 4.3; Table 3",
        asks="Are the other corpora as many times larger as the text says?",
        find=_ratios,
        how="We divided the printed tokens of each corpus by the printed words of the paper's corpus.",
        sure='within 6 %, because the text says "approximately"',
    ),
    Check(
        id="gupta2021-check-pairs",
        place="section 4.2",
        asks="Do the similarity sets have as many pairs as printed?",
        find=_pairs,
        how="We counted the pairs in the data files.",
        sure="exact",
    ),
    Check(
        id="gupta2021-check-words",
        place="section 4.2",
        asks="Do 'these' five similarity sets contain 2005 words?",
        find=_words,
        how="We counted the lower-cased words in the data files.",
        sure="exact",
        charitable=(
            "2005 is the number of words of the four sets in the ASE tool. The sentence lists "
            "RW-2034 beside these four."
        ),
    ),
    Check(
        id="gupta2021-check-table2-values",
        place="Table 2",
        asks="Is each searched value listed once?",
        find=_listed_twice,
        how="We compared the listed values.",
        sure="exact",
        charitable="A list repeats one entry, on which no result depends.",
        from_copy=True,
    ),
    Check(
        id="gupta2021-check-tens-of-millions",
        place="section 1; footnote 1",
        asks="Does 'tens of millions' follow from the footnote?",
        find=_call,
        how=(
            "We divided the operations of a call by the number of components of a vector; the "
            "paper prints no divisor."
        ),
        sure="an inference, since the divisor is ours",
        charitable=(
            "The statement is right for one call against one look-up, that is, if one word is "
            "needed in one context. Per word of a text the factor is five to six orders of "
            "magnitude."
        ),
        remark=True,
    ),
    Check(
        id="gupta2021-check-training-time",
        place="sections 4.1, 4.2",
        asks="By the printed times, is X2Static trained in less time than ASE takes?",
        find=_faster,
        how="We divided ASE's time by X2Static's.",
        sure="exact",
        charitable="ASE's time is for 2005 words, and X2Static's for the full vocabulary.",
    ),
    Check(
        id="gupta2021-check-rg65-gold",
        place="Table 3, ASE on RG-65",
        asks="Does the ASE tool's released reader keep the gold scores?",
        find=_gold,
        how=(
            "data.py of Contextual2Static cuts the last characters of a line. We applied the same "
            "cut to our copy of the set."
        ),
        sure="an inference, since we cannot know whether the printed column was scored in this way",
        charitable=(
            "With the file of the tool's public snapshot, where some lines end in blanks, the "
            "correlation is 0.918. No claim about averages depends on this. In two cells the "
            "comparison with ASE might be reversed."
        ),
        remark=True,
        stated="Released",
    ),
]
