"""Checks the printed numbers of Zhao et al. (2020) by each other and by the released lists."""

from functools import partial

import numpy as np
import pandas as pd

from cwr.papers.checks import Check, Found, agreement
from cwr.tables import Table
from cwr.texts.zhao2020.claims.readings import (
    BAG,
    BAND,
    BEFORE,
    NEW,
    OLD,
    RANDOM,
    SCORE,
    SPLITS,
    STATIC,
    TAGGING,
    TOKEN,
    TOKEN_DEV,
    TYPE,
    TYPE_SEEDS,
    UNBANDED,
    UNITS,
    annotated_tokens,
    class_sums,
    named_pairs,
    printed_contexts,
    probe_parameters,
    table_2,
    with_release,
)

DEVLIN = {
    "batch_size": (16, 32),
    "epochs": (2, 3, 4),
    "learning_rate": (5e-5, 3e-5, 2e-5),
}


def best_printed(published: pd.DataFrame) -> float:
    """Returns the highest printed F1 on contexts, on either split."""
    scores = published["value"][published["measure"].isin((TOKEN, TOKEN_DEV))]
    return float(scores.max())


def _words_as_printed(published: pd.DataFrame, measure: str) -> str:
    return published.loc[published["measure"] == measure, "printed"].iloc[0]


def _compare(
    name: str, printed: float, computed: float, within: float = 0, digits: int = 0
) -> Found:
    """Two numbers side by side: agree if they differ by no more than `within`."""
    agrees = abs(printed - computed) <= within + 1e-9
    return Found(bool(agrees), f"{name}: {printed:,.{digits}f}", f"{computed:,.{digits}f}")


def _class_sums(published: pd.DataFrame) -> Found:
    sums = class_sums(published)[["total", "computed"]]
    return agreement(sums.rename(columns={"total": "printed"}), 0, "sums")


def _totals(published: pd.DataFrame) -> Found:
    totals = class_sums(published)[["printed", "total"]]
    return agreement(totals.rename(columns={"total": "computed"}), 0, "totals")


def _classes(published: pd.DataFrame) -> Found:
    table = Table(published)
    rows = table.where(not_class="total")
    classes, _ = rows.over("class", "probing_pairs", dataset="Wiki-PSE test")
    return _compare("classes", table.value("probing_classes")[0], len(classes))


def _dev_share(published: pd.DataFrame) -> Found:
    table = Table(published)
    train, dev = (table_2(table, "words", split)[0] for split in SPLITS["train"])
    return _compare("share", table.value("dev_share")[0], dev / (train + dev), 5e-5, 4)


def _words(published: pd.DataFrame, split: str) -> Found:
    table = Table(published)
    printed = sum(table_2(table, "words", name)[0] for name in SPLITS[split])
    released = table.value("released_words", dataset=f"Wiki-PSE {split}")[0]
    return _compare(f"{' + '.join(SPLITS[split])} words", printed, released)


def _released(published: pd.DataFrame, unit: str, split: str) -> Found:
    counts = with_release(published, unit, split, empty_name=False)
    wrong = counts[counts["printed"] != counts["computed"]]
    shown = [f"{name}: {value:,.0f}" for name, value in wrong["printed"].items()]
    better = [f"{name}: {value:,.0f}" for name, value in wrong["computed"].items()]
    total = len(counts)
    return Found(
        agrees=wrong.empty,
        printed="; ".join(shown) or f"{total} classes",
        should_be=f"{len(wrong)} of {total} classes differ: {'; '.join(better)}"
        if better
        else f"all {total} classes agree exactly",
    )


def _annotated(published: pd.DataFrame) -> Found:
    tokens = annotated_tokens(Table(published))[0]
    printed = _words_as_printed(published, "annotated_tokens")
    return Found(bool(tokens > 17e6), printed, f"{tokens:,.0f}")


def _half(published: pd.DataFrame) -> Found:
    table = Table(published)
    half = np.ceil(printed_contexts(table, "airheads")[0] / 2)
    return _compare("contexts to get right", table.value("pair_contexts_needed")[0], half)


def _parameters(published: pd.DataFrame) -> Found:
    table = Table(published)
    return _compare("parameters", table.value("probe_parameters")[0], probe_parameters(table)[0])


def _gains(published: pd.DataFrame) -> Found:
    table = Table(published)
    curve = table.curve(TOKEN)[0]
    rows = {
        "layer 0 to 1": {
            "printed": table.value("token_probe_gain_first_step")[0],
            "computed": curve[1] - curve[0],
        },
        "layer 11 over P-BERT": {
            "printed": table.value("token_probe_gain_over_bag")[0],
            "computed": curve[-1] - table.value(BAG)[0],
        },
    }
    return agreement(pd.DataFrame(rows).T, 0.005, "gains")


def _figure_6(published: pd.DataFrame) -> Found:
    table = Table(published)
    before = table.value(BEFORE)[0]
    rows = {"Pretrained": {"printed": before, "computed": table.curve(TOKEN_DEV)[0, -1]}}
    for name, measure in (("old", OLD), ("new", NEW)):
        drop = table.value(f"{name}_probe_drop_dev", task=TAGGING)[0]
        rows[f"POS, {name} probes"] = {
            "printed": table.value(measure, task=TAGGING)[0],
            "computed": before - drop,
        }
    return agreement(pd.DataFrame(rows).T, 0)


def _seeds(published: pd.DataFrame) -> Found:
    table = Table(published)
    means = table.curve(TYPE_SEEDS)[0]
    layers = table.layers(TYPE_SEEDS)
    single = table.curve(TYPE, first=int(layers[0]))[0]
    within = float(table.curve("type_probe_f1_seed_sd")[0].max())
    names = [f"layer {layer - 1}" for layer in layers]
    rows = pd.DataFrame({"printed": single, "computed": means}, index=names)
    return agreement(rows, within, "layers")


def _unbanded(published: pd.DataFrame) -> Found:
    table = Table(published)
    unbanded = table.value(BAND, k=UNBANDED, task=TAGGING)[0]
    return _compare("All", unbanded, table.value(SCORE, task=TAGGING)[0], digits=3)


def _almost_85(published: pd.DataFrame) -> Found:
    best = best_printed(published)
    printed = _words_as_printed(published, "headline_f1")
    agrees = abs(best - 0.85) <= 0.005 + 1e-9
    return Found(agrees, printed, f"the largest F1 in Table 6 is {best:.3f}")


def _devlin(published: pd.DataFrame) -> Found:
    table = Table(published)
    outside, inside = [], []
    for name, allowed in DEVLIN.items():
        tasks, values = table.over("task", f"finetuning_{name}")
        for task, value in zip(tasks, values[0], strict=True):
            setting = f"{name.replace('_', ' ')} {task.upper()} {value:g}"
            (inside if value in allowed else outside).append(setting)
    total = len(inside) + len(outside)
    return Found(
        agrees=not outside,
        printed="; ".join(outside) or f"{total} values",
        should_be=f"the ranges are {_devlin_ranges()} ({len(inside)} of {total} printed values lie in these ranges)",
    )


def _devlin_ranges() -> str:
    ranges = []
    for name, allowed in DEVLIN.items():
        values = ", ".join(f"{value:g}" for value in allowed)
        ranges.append(f"{name.replace('_', ' ')} {values}")
    return "; ".join(ranges)


def _base_rate(published: pd.DataFrame) -> Found:
    table = Table(published)
    guess = table.value("reference_f1", variant="guess by base rate, words")[0]
    return _compare("Rand, test", table.value(STATIC, model=RANDOM)[0], guess, 0.005, 3)


LISTS = (
    "we counted in the released Wiki-PSE word lists, after adding up repeated entries and capping "
    "frequencies at 100 for each word and class"
)
DROPPED = (
    "The lists count occurrences in the corpus. The authors sampled contexts, so a word or pair "
    "without a usable context drops out. This cause is our inference."
)
ONE_MORE = " We do not know why the paper prints one more context for the class location."


def _check_of_lists(split: str, unit: str) -> Check:
    """The check of Table 8 against the released list of a split, by pairs or contexts."""
    words = {
        "train": "training list (train and dev together, without the word that has no name)",
        "test": "test list",
    }
    one_more = ONE_MORE if (split, unit) == ("test", "contexts") else ""
    return Check(
        id=f"zhao2020-check-{split}-{unit}",
        place="Table 8",
        asks=f"Does each class have as many {unit} as in the released {words[split]}?",
        find=partial(_released, unit=unit, split=split),
        how=LISTS,
        sure="exact",
        charitable=DROPPED + one_more,
    )


CHECKS = [
    Check(
        id="zhao2020-check-class-sums",
        place="Table 8",
        asks='Do the classes add up to the row "total", in all six columns?',
        find=_class_sums,
        how="we added up the 34 classes",
        sure="exact",
    ),
    Check(
        id="zhao2020-check-tables-2-8",
        place="Tables 2 and 8",
        asks="Does Table 2 have the totals of Table 8?",
        find=_totals,
        how="we compared the tables",
        sure="exact",
    ),
    Check(
        id="zhao2020-check-classes",
        place="section 3.1; Table 8",
        asks="Does Table 8 list the 34 classes of the text?",
        find=_classes,
        how="we counted the classes",
        sure="exact",
    ),
    Check(
        id="zhao2020-check-dev-share",
        place="section 3.1; Table 2",
        asks="Does the dev split contain 20 % of the training words?",
        find=_dev_share,
        how="we divided Table 2's dev words by its train and dev words",
        sure="within rounding",
    ),
    Check(
        id="zhao2020-check-train-words",
        place="Table 2",
        asks=(
            "Does the released training list contain as many words as the printed train and dev "
            "splits?"
        ),
        find=partial(_words, split="train"),
        how='the released list has one word more, "@@", whose name is empty',
        sure="exact",
        charitable=(
            "A word without a name cannot be used, so dropping it is sensible. The text does not "
            "mention it."
        ),
    ),
    Check(
        id="zhao2020-check-test-words",
        place="Table 2",
        asks="Does the released test list contain as many words as the printed test split?",
        find=partial(_words, split="test"),
        how="we counted the words in the released list",
        sure="exact",
    ),
    *(_check_of_lists(split, unit) for split in SPLITS for unit in UNITS),
    Check(
        id="zhao2020-check-named-pairs",
        place="sections 3.1 and 3.2.2",
        asks="Do the two pairs that the text names have as many contexts as it says?",
        find=lambda published: agreement(named_pairs(published), 0, "pairs"),
        how="we read the frequencies in the released lists",
        sure="exact",
    ),
    Check(
        id="zhao2020-check-annotated",
        place="section 3.1",
        asks="Are more than 17 million tokens annotated?",
        find=_annotated,
        how="we added up all released frequencies",
        sure="exact",
    ),
    Check(
        id="zhao2020-check-half",
        place="section 3.2.2",
        asks="Is 24 at least half of 47 contexts?",
        find=_half,
        how="we rounded n / 2 up",
        sure="exact",
    ),
    Check(
        id="zhao2020-check-parameters",
        place="A.2",
        asks="Do the 34 probes have 26,843,204 parameters?",
        find=_parameters,
        how=(
            "we computed 34 (769 x 1024 + 1025 x 2), for one hidden layer with biases and two "
            "outputs"
        ),
        sure="exact",
    ),
    Check(
        id="zhao2020-check-gains",
        place="section 4.2.2; Table 6",
        asks="Do the two gains that the text states agree with Table 6?",
        find=_gains,
        how="we subtracted scores of Table 6 (test)",
        sure="within rounding",
    ),
    Check(
        id="zhao2020-check-figure-6",
        place="section 4.4.2; Table 6",
        asks="Do the scores after tuning on POS agree with the drops that the paper states?",
        find=_figure_6,
        how=(
            "we subtracted each drop from the score of Pretrained, which is layer 11 of Table 6 on "
            "the dev split"
        ),
        sure="exact",
    ),
    Check(
        id="zhao2020-check-seeds",
        place="Table 5 and its caption",
        asks="Do the single runs agree with the means over five seeds?",
        find=_seeds,
        how=(
            "we compared each with the mean over five seeds, and allowed the largest printed "
            "standard deviation"
        ),
        sure="within the standard deviation",
    ),
    Check(
        id="zhao2020-check-all-words",
        place="Tables 3 and 7",
        asks="Is tagging without a band of attention as accurate as in Table 3?",
        find=_unbanded,
        how="we compared the tables",
        sure="exact",
    ),
    Check(
        id="zhao2020-check-almost-85",
        place="section 1 (i); Table 6",
        asks="Is BERT's performance almost 85 % F1?",
        find=_almost_85,
        how="we took the largest printed F1 on either split",
        sure="the difference is beyond rounding",
        charitable=(
            '"Almost" is loose. No table depends on this number, and the abstract does not contain '
            "it."
        ),
    ),
    Check(
        id="zhao2020-check-devlin-setup",
        place="A.5; Table 4",
        asks="Are the hyper-parameters those of Devlin et al. (2019)?",
        find=_devlin,
        how=(
            "we compared the printed values with the ranges that Devlin et al. (2019) recommend in "
            "their appendix A.3"
        ),
        sure="we read a quotation of that appendix, not the paper itself",
        charitable=(
            '"Setup" can mean the linear layer, Adam and the learning rate. Appendix B names one '
            "departure: no warm-up."
        ),
    ),
    Check(
        id="zhao2020-check-rand",
        place="Table 5",
        asks="Do random vectors score like guessing each class at its base rate?",
        find=_base_rate,
        how=(
            "we computed the expected micro F1 of such a guess on the released test words, and "
            "allowed a difference of 0.005"
        ),
        sure="an inference",
        remark=True,
    ),
]
