"""Make the derived table of Zhao et al. (2020) in lib/cwr/papers/tables from the released word lists.

    CWR_DATA=folder python workflow/tables/zhao2020.py        (without CWR_DATA the files are downloaded)

zhao2020_released.csv comes from the word lists of yyaghoobzadeh/WIKI-PSE: counts, and reference lines for the scores.
"""
import itertools

import numpy as np
import pandas as pd
from scipy.stats import binom

from cwr import downloads
from cwr.measures import probing
from cwr.tables import TABLES

WIKI_PSE = "yyaghoobzadeh/WIKI-PSE/eec5f44d2bc05fc098b852b2e992c360a73d601f/dataset"
CAP = 100                                                   # contexts sampled of one word and class (section 3.1)


def word_list(split: str) -> pd.DataFrame:
    """One released list, an entry a row as it stands there: word, class (spelt as in Table 8), frequency.

    A class can stand twice with one word (`location` does): see `merged`.
    """
    lines = downloads.fetch(f"{WIKI_PSE}/{split}.tsv").read_text(encoding="utf8").splitlines()
    entries = [(word, *entry.removeprefix("-").rsplit("=", 1))
               for word, _, rest in (line.partition("\t") for line in lines)
               for entry in rest.split()]
    frame = pd.DataFrame(entries, columns=["word", "class", "frequency"]).astype({"frequency": int})
    return frame.assign(**{"class": frame["class"].str.replace("_", "-")})


def merged(entries: pd.DataFrame, keep: str = "sum") -> pd.DataFrame:
    """One row a word and class: repeated entries added (keep="sum") or all but the last dropped (keep="last")."""
    pairs = entries.groupby(["word", "class"], sort=False)["frequency"].agg(keep).reset_index()
    return pairs.assign(contexts=pairs["frequency"].clip(upper=CAP),
                        phrase=pairs["word"].str.strip("@").str.contains("_"))


def class_counts(split: str) -> list[dict]:
    """Pairs and capped contexts of each class and in all, and what they are if a repeated entry replaces the first."""
    rows, entries = [], word_list(split)
    for keep, variant in (("sum", None), ("last", "last of repeated entries")):
        table = merged(entries, keep).groupby("class", sort=False)["contexts"].agg(["size", "sum"])
        table.loc["total"] = table.sum()
        chosen = table if keep == "sum" else table.loc[["location", "total"]]
        rows += [{"measure": measure, "class": name, "variant": variant, "printed": value}
                 for measure, column in (("released_pairs", "size"), ("released_contexts", "sum"))
                 for name, value in chosen[column].items()]
    repeated = entries.groupby(["word", "class"]).size()
    return [*rows, {"measure": "released_words_with_a_repeated_entry", "printed": (repeated > 1).sum()}]


def word_counts(split: str) -> list[dict]:
    """Words by their number of classes, pairs by their number of contexts, words and pairs that are phrases."""
    pairs = merged(word_list(split))
    classes, phrases = pairs.groupby("word").size(), pairs[pairs["phrase"]]
    rows = [("released_words", None, len(classes)), ("released_tokens", None, pairs["frequency"].sum()),
            ("released_phrases", None, phrases["word"].nunique()), ("released_phrase_pairs", None, len(phrases))]
    rows += [("released_words_with_k_classes", k, n) for k, n in classes.value_counts().sort_index().items()]
    rows += [("released_pairs_with_k_contexts", k, n) for k, n in pairs["contexts"].value_counts().sort_index().items()]
    return [{"measure": measure, "k": k, "printed": n} for measure, k, n in rows]


def single_words() -> list[dict]:
    """Frequencies of the words that the text names, and the capped contexts of the word with an empty name."""
    pairs = merged(pd.concat([word_list("train"), word_list("test")]))
    named, empty = pairs[pairs["word"].isin(["@airheads@", "@france@"])], pairs[pairs["word"] == "@@"]
    return ([{"measure": "released_frequency", "word": word, "class": name, "printed": n}
             for word, name, n in zip(named["word"], named["class"], named["frequency"], strict=True)]
            + [{"measure": "released_contexts_of_the_empty_name", "class": name, "printed": n}
               for name, n in zip(empty["class"], empty["contexts"], strict=True)])


def reference_lines() -> list[dict]:
    """Scores of answers that use no vectors, on the released test words, in each reading of the measure.

    Answers that are alike in all contexts of a word need one context a pair.
    """
    train, test = merged(word_list("train")), merged(word_list("test"))
    order = list(test["class"].value_counts().index)
    gold, words = test["class"].map(order.index).to_numpy(), pd.factorize(test["word"])[0]
    has = np.zeros((words.max() + 1, len(order)), dtype=bool)
    has[words, gold] = True
    top = test.sort_values("frequency", kind="stable").groupby("word")["class"].last().map(order.index)
    answers = {"all classes of each word": has[words],
               "most frequent class of each word": np.eye(len(order), dtype=bool)[top[test["word"]].to_numpy()]}
    for n in (1, 2, 3, 4):
        answers[f"yes to {' + '.join(order[:n])}"] = np.tile(np.arange(len(order)) < n, (len(test), 1))
    rows = [(name, reading, probing.micro_f1(answers[name], words, gold, reading))
            for name, reading in itertools.product(answers, probing.READINGS)]
    rows.append(("best without context", "full", probing.context_free_ceiling(has.sum(axis=1))))
    rows += guesses_of_words(train, test, order) + guesses_of_contexts(train, test, order)
    return [{"measure": "reference_f1", "variant": name, "estimator": reading, "printed": f"{value:.6f}"}
            for name, reading, value in rows]


def guesses_of_words(train: pd.DataFrame, test: pd.DataFrame, order: list[str]) -> list[tuple[str, str, float]]:
    """Expected scores of yes at random, with each class's rate among the training words.

    Of all words; and of phrases only (at the rates of phrases), with perfect answers for single words; and the same
    with the best constant answer for phrases.
    """
    positives, rate, n = _guessed(train, test, order)
    name, mixed = "guess by base rate, words", "perfect on single words, base rate on phrases"
    rows = [(name, "words", expected_f1(positives @ rate, n * rate.sum(), len(test)))]
    hits, rate, n = _guessed(train[train["phrase"]], test[test["phrase"]], order)
    single, ranked = len(test) - hits.sum(), np.sort(hits)[::-1].cumsum()
    constant = max(expected_f1(single + hit, single + n * (size + 1), len(test)) for size, hit in enumerate(ranked))
    return [*rows, (mixed, "words", expected_f1(single + hits @ rate, single + n * rate.sum(), len(test))),
            ("perfect on single words, one answer on phrases", "words", constant)]


def _guessed(train: pd.DataFrame, test: pd.DataFrame, order: list[str]) -> tuple[np.ndarray, np.ndarray, int]:
    """Test pairs of each class, each class's rate among training words, and the number of test words."""
    rate = train["class"].value_counts() / train["word"].nunique()
    return (test["class"].value_counts().reindex(order, fill_value=0).to_numpy(),
            rate.reindex(order, fill_value=0).to_numpy(), test["word"].nunique())


def guesses_of_contexts(train: pd.DataFrame, test: pd.DataFrame, order: list[str]) -> list[tuple[str, str, float]]:
    """Expected scores, after aggregation, of yes at random with each class's rate among the training contexts."""
    rate = (train.groupby("class")["contexts"].sum() / train["contexts"].sum()).reindex(order).to_numpy()
    n, own = test["contexts"].to_numpy()[:, None], test["class"].to_numpy()[:, None] == np.array(order)
    found = binom.sf(np.ceil(n / 2) - 1, n, rate)[own].sum()                   # at least half say yes
    false = binom.sf(np.floor(n / 2), n, rate)[~own].sum()                     # more than half say yes
    name = "guess by base rate, contexts"
    return [(name, "pairs", found / len(test)), (name, "full", expected_f1(found, found + false, len(test)))]


def expected_f1(found: float, answered_yes: float, positives: int) -> float:
    """F1 from expected counts: 2 TP / (answers yes + positives)."""
    return float(2 * found / (answered_yes + positives))


def write_zhao2020() -> None:
    rows = [{"dataset": f"Wiki-PSE {split}", **row} for split in ("train", "test")
            for row in class_counts(split) + word_counts(split)]
    rows += [{"dataset": "Wiki-PSE", **row} for row in single_words()]
    rows += [{"dataset": "Wiki-PSE test", **row} for row in reference_lines()]
    columns = ["artifact", "measure", "dataset", "variant", "estimator", "class", "k", "word", "printed"]
    frame = pd.DataFrame(rows).assign(artifact="Derived from the released word lists").astype({"k": "Int64"})
    frame[columns].to_csv(TABLES / "zhao2020_released.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    write_zhao2020()
