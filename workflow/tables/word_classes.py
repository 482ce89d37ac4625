"""Make english-ewt.csv in lib/cwr/texts/ethayarajh2019/word_classes: in how many word classes a form occurs.

    CWR_DATA=folder python workflow/tables/word_classes.py     (without CWR_DATA it is fetched)

Counted in the training part of the English Web Treebank (Universal Dependencies).
"""

import collections

from cwr import downloads
from cwr.texts.ethayarajh2019 import polysemy

TREEBANK = "UniversalDependencies/UD_English-EWT/15d613d8447b3478787d4c278730a1e48a945efb"
OCCURRENCES = 10  # a form needs so many
SHARE = 0.05  # of a form's occurrences: fewer are slips of annotation
NO_CLASSES = ("PUNCT", "SYM", "X")
SAME = {"PROPN": "NOUN", "AUX": "VERB"}  # a name, and a verb that helps, are no sense of their own


def lines() -> list[str]:
    """The table's lines: a form, lower-cased, and its number of classes."""
    classes = collections.defaultdict(collections.Counter)
    text = downloads.fetch(f"{TREEBANK}/en_ewt-ud-train.conllu").read_text(encoding="utf-8")
    for line in text.splitlines():
        columns = line.split("\t")
        if columns[0].isdigit() and columns[3] not in NO_CLASSES:  # no comment, no range of tokens
            classes[columns[1].lower()][SAME.get(columns[3], columns[3])] += 1
    table = ["word,classes"]
    for form, counts in sorted(classes.items()):
        least = SHARE * counts.total()
        if counts.total() >= OCCURRENCES:
            table.append(f"{form},{sum(count >= least for count in counts.values())}")
    return table


if __name__ == "__main__":
    content = "".join(f"{line}\n" for line in lines())
    polysemy.CLASSES.write_text(content, encoding="utf-8", newline="\n")
