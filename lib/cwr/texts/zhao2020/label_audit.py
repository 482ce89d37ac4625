"""Checks the labels of running text: those of a list against links of known classes."""

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from cwr.corpora import Corpus
from cwr.corpora.wiki_pse import listed
from cwr.corpora.wiki_pse.contexts import contexts
from cwr.measures import stats

SPAN = ["sentence", "first", "last"]
LEAST = 0.9  # the lower end of the interval of labels that can be used; ours


def cases(corpus: Corpus, classes: Mapping[str, str]) -> pd.DataFrame:
    """Compares list and link for each link whose mention is a name of one class.

    classes: {name: its class, or ""} of the list (`wiki_pse.released.classes`). Returns a row per
        link: word, class (of the page that it leads to), listed (by the list), agrees (whether both
        are the same).
    Raises UserError for a corpus without such links, or without such names.
    """
    links = contexts(corpus, links_only=True)
    names = tuple(listed.labelled(corpus.sentences, classes))
    labels = contexts(replace(corpus, sentences=names)).rename(columns={"class": "listed"})
    both = links.merge(labels[[*SPAN, "listed"]], on=SPAN)[["word", "class", "listed"]]
    return both.assign(agrees=both["class"] == both["listed"])


def agreement(cases: pd.DataFrame, draws: int = 1000, seed: int = 0) -> dict[str, float]:
    """Computes the share of cases in which labels agree: cases, words, share, low and high (95 %).

    cases: a row per case: word, agrees (bool). A replicate resamples words, with all their cases.
    Raises ValueError for no cases.
    """
    of_word = cases.groupby("word")["agrees"].agg(["sum", "size"]).astype(float)  # (words, 2)
    drawn = stats.weights(of_word.index.to_numpy(), draws, seed) @ of_word.to_numpy()
    low, high = stats.interval(drawn[:, 0] / drawn[:, 1])
    share = of_word["sum"].sum() / of_word["size"].sum()
    counts = {"cases": len(cases), "words": len(of_word)}
    return {**counts, "share": share, "low": low, "high": high}
