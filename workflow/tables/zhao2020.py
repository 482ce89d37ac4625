"""Make released.csv in lib/cwr/texts/zhao2020/claims from the word lists released with Wiki-PSE.

    CWR_DATA=folder python workflow/tables/zhao2020.py     (without CWR_DATA the lists are fetched)

The lists are those of yyaghoobzadeh/WIKI-PSE; the table has counts, and reference lines for scores.
"""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import binom

from cwr.corpora.wiki_pse import released
from cwr.corpora.wiki_pse.contexts import CAP
from cwr.corpora.wiki_pse.released import EMPTY
from cwr.measures import probing
from cwr.texts.zhao2020 import claims

DERIVED = Path(claims.__file__).parent / "released.csv"
NAMED = ["@airheads@", "@france@"]  # words whose contexts the text counts
KEYS = ["measure", "dataset", "variant", "estimator", "class", "k", "word"]


def merged(entries: pd.DataFrame, keep: str = "sum") -> pd.DataFrame:
    """One row a word and class, with its frequency, its capped contexts and whether it is a phrase.

    keep: "sum" adds repeated entries, "last" drops all but the last.
    """
    pairs = entries.groupby(["word", "class"], sort=False)["frequency"].agg(keep).reset_index()
    return pairs.assign(
        contexts=pairs["frequency"].clip(upper=CAP),
        phrase=pairs["word"].str.strip("@").str.contains("_"),
    )


def class_counts(split: str) -> list[dict]:
    """Pairs and capped contexts of each class and in all, as rows.

    Of `location` and the total also what they are if a repeated entry replaces the first.
    """
    rows, entries = [], released.entries(split)
    for keep, variant in (("sum", None), ("last", "last of repeated entries")):
        table = merged(entries, keep).groupby("class", sort=False)["contexts"].agg(["size", "sum"])
        table.loc["total"] = table.sum()
        shown = table if keep == "sum" else table.loc[["location", "total"]]
        for measure, column in (("released_pairs", "size"), ("released_contexts", "sum")):
            row = {"measure": measure, "variant": variant}
            rows += [row | {"class": name, "printed": n} for name, n in shown[column].items()]
    repeated = (entries.groupby(["word", "class"]).size() > 1).sum()
    return [*rows, {"measure": "released_words_with_a_repeated_entry", "printed": repeated}]


def word_counts(split: str) -> list[dict]:
    """Words by number of classes, pairs by number of contexts, words and pairs that are phrases."""
    pairs = merged(released.entries(split))
    phrases, classes = pairs[pairs["phrase"]], pairs.groupby("word").size()
    by_classes = classes.value_counts().sort_index()
    by_contexts = pairs["contexts"].value_counts().sort_index()
    rows = [
        ("released_words", None, len(classes)),
        ("released_tokens", None, pairs["frequency"].sum()),
        ("released_phrases", None, phrases["word"].nunique()),
        ("released_phrase_pairs", None, len(phrases)),
    ]
    rows += [("released_words_with_k_classes", k, n) for k, n in by_classes.items()]
    rows += [("released_pairs_with_k_contexts", k, n) for k, n in by_contexts.items()]
    return [{"measure": measure, "k": k, "printed": n} for measure, k, n in rows]


def single_words() -> list[dict]:
    """Frequencies of the words that the text names, and the capped contexts of the empty name."""
    pairs = merged(pd.concat([released.entries("train"), released.entries("test")]))
    named = pairs.loc[pairs["word"].isin(NAMED), ["word", "class", "frequency"]]
    named = named.rename(columns={"frequency": "printed"})
    empty = pairs.loc[pairs["word"] == EMPTY, ["class", "contexts"]]
    empty = empty.rename(columns={"contexts": "printed"})
    return [
        *named.assign(measure="released_frequency").to_dict("records"),
        *empty.assign(measure="released_contexts_of_the_empty_name").to_dict("records"),
    ]


def reference_lines() -> list[dict]:
    """Scores of answers that use no vectors, on the released test words, by reading of the F1."""
    train, test = merged(released.entries("train")), merged(released.entries("test"))
    order = list(test["class"].value_counts().index)
    gold = test["class"].map(order.index).to_numpy()  # (pairs,)
    words = pd.factorize(test["word"])[0]  # (pairs,)
    has = np.zeros((words.max() + 1, len(order)), dtype=bool)
    has[words, gold] = True  # (words, classes)
    answers = context_free_answers(test, order, has[words])
    rows = [
        (name, reading, probing.micro_f1(answers[name], words, gold, reading))
        for name, reading in itertools.product(answers, probing.READINGS)
    ]
    rows.append(("best without context", "full", probing.context_free_ceiling(has.sum(axis=1))))
    rows += guesses_of_words(train, test, order) + guesses_of_contexts(train, test, order)
    measure = {"measure": "reference_f1"}
    return [
        measure | {"variant": name, "estimator": reading, "printed": f"{value:.6f}"}
        for name, reading, value in rows
    ]


def context_free_answers(
    test: pd.DataFrame, order: list[str], has: np.ndarray
) -> dict[str, np.ndarray]:
    """Answers that are alike in all contexts of a word, one context a pair, (pairs, classes) bool.

    order: the classes, the most frequent first. has: the classes of each pair's word.
    """
    by_frequency = test.sort_values("frequency", kind="stable").groupby("word")["class"]
    top = by_frequency.last().map(order.index)[test["word"]].to_numpy()
    answers = {
        "all classes of each word": has,
        "most frequent class of each word": np.eye(len(order), dtype=bool)[top],
    }
    for number in (1, 2, 3, 4):
        name = f"yes to {' + '.join(order[:number])}"
        answers[name] = np.tile(np.arange(len(order)) < number, (len(test), 1))
    return answers


def guesses_of_words(
    train: pd.DataFrame, test: pd.DataFrame, order: list[str]
) -> list[tuple[str, str, float]]:
    """Expected scores of yes at random, with each class's rate among the training words.

    Of all words; of phrases only (at the rates of phrases), with perfect answers for single words;
    and the latter with the best constant answer for phrases.
    """
    positives, rate, n = _guessed(train, test, order)
    pairs = len(test)
    guess = expected_f1(positives @ rate, n * rate.sum(), pairs)
    hits, rate, n = _guessed(train[train["phrase"]], test[test["phrase"]], order)
    single = pairs - hits.sum()
    mixed = expected_f1(single + hits @ rate, single + n * rate.sum(), pairs)
    constants = [
        expected_f1(single + hit, single + n * number, pairs)
        for number, hit in enumerate(np.sort(hits)[::-1].cumsum(), start=1)
    ]
    return [
        ("guess by base rate, words", "words", guess),
        ("perfect on single words, base rate on phrases", "words", mixed),
        ("perfect on single words, one answer on phrases", "words", max(constants)),
    ]


def _guessed(
    train: pd.DataFrame, test: pd.DataFrame, order: list[str]
) -> tuple[np.ndarray, np.ndarray, int]:
    """Test pairs of each class, each class's rate among training words, number of test words."""
    positives = test["class"].value_counts().reindex(order, fill_value=0)
    rate = (train["class"].value_counts() / train["word"].nunique()).reindex(order, fill_value=0)
    return positives.to_numpy(), rate.to_numpy(), test["word"].nunique()


def guesses_of_contexts(
    train: pd.DataFrame, test: pd.DataFrame, order: list[str]
) -> list[tuple[str, str, float]]:
    """Expected scores, after aggregation, of yes at random with each class's rate of contexts."""
    contexts = train.groupby("class")["contexts"].sum() / train["contexts"].sum()
    rate = contexts.reindex(order).to_numpy()  # (classes,)
    n = test["contexts"].to_numpy()[:, None]  # (pairs, 1)
    own = test["class"].to_numpy()[:, None] == np.array(order)  # (pairs, classes)
    half = binom.sf(np.ceil(n / 2) - 1, n, rate)  # at least half say yes
    most = binom.sf(np.floor(n / 2), n, rate)  # more than half say yes
    hits, false = half[own].sum(), most[~own].sum()
    name = "guess by base rate, contexts"
    return [
        (name, "pairs", hits / len(test)),
        (name, "full", expected_f1(hits, hits + false, len(test))),
    ]


def expected_f1(hits: float, answered_yes: float, positives: int) -> float:
    """F1 from expected counts: 2 TP / (answers yes + positives)."""
    return float(2 * hits / (answered_yes + positives))


def write(path: Path) -> None:
    """Write the derived table."""
    rows = [
        {"dataset": f"Wiki-PSE {split}", **row}
        for split in ("train", "test")
        for row in class_counts(split) + word_counts(split)
    ]
    rows += [{"dataset": "Wiki-PSE", **row} for row in single_words()]
    rows += [{"dataset": "Wiki-PSE test", **row} for row in reference_lines()]
    columns = ["artifact", *KEYS, "printed"]
    frame = pd.DataFrame(rows).assign(artifact="Derived from the released word lists")
    frame = frame.astype({"k": "Int64"})
    frame[columns].to_csv(path, index=False, lineterminator="\n")


if __name__ == "__main__":
    write(DERIVED)
