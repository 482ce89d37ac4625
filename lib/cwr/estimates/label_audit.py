"""How often two sources of labels agree, with an interval over words."""

import pandas as pd

from cwr.measures import stats

LEAST = 0.9  # the lower end of the interval of labels that can be used; ours


def agreement(cases: pd.DataFrame, draws: int = 1000, seed: int = 0) -> dict[str, float]:
    """The share of cases in which labels agree: cases, words, share, low and high (95 %).

    cases: word and agrees (bool), a row a case, as of `wiki_pse.listed.audit`. A replicate
        resamples words, with all their cases.
    Raises ValueError for no cases.
    """
    of_word = cases.groupby("word")["agrees"].agg(["sum", "size"]).astype(float)  # (words, 2)
    drawn = stats.weights(of_word.index.to_numpy(), draws, seed) @ of_word.to_numpy()
    low, high = stats.interval(drawn[:, 0] / drawn[:, 1])
    share = of_word["sum"].sum() / of_word["size"].sum()
    counts = {"cases": len(cases), "words": len(of_word)}
    return {**counts, "share": share, "low": low, "high": high}
