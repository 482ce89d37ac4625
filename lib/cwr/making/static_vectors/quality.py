"""Compares word vectors by human ratings of pairs of words.

D = draws, n = pairs of words
"""

from collections.abc import Sequence

import pandas as pd

from cwr.corpora import word_pairs
from cwr.corpora.word_vectors import WordVectors
from cwr.estimates.benchmarks import replicates
from cwr.measures import stats
from cwr.measures.benchmarks import word_similarity

SETS = {"wordsim-353": "WS353", "men, natural": "MEN", "simlex-999": "SimLex999"}
LESS = "less "  # of a difference: "less PPMI with SVD"


def beside(
    vectors: WordVectors, others: Sequence[WordVectors], draws: int = 1000, seed: int = 0
) -> pd.DataFrame:
    """Correlates `vectors` and `others` with human ratings (Spearman), and tabulates differences.

    A difference is the correlation of `vectors` minus that of one of `others`. Pairs with a word
    that lacks a vector anywhere are left out.
    Columns dataset, by (a name, or LESS and a name for a difference), value, low, high (95 % over
    the pairs) and n.
    """
    sources = [vectors, *others]
    common = set.intersection(*(set(source.words) for source in sources))
    rows = []
    for name, label in SETS.items():
        pairs = word_pairs.load(name)
        asked = common & {*pairs["first"], *pairs["second"]}
        scored = {source.name: word_similarity(source.of(asked), pairs) for source in sources}
        items = scored[vectors.name].items
        labels = (items["first"] + " " + items["second"]).to_numpy()
        picks = stats.resample(labels, draws, seed)  # (D, n)
        values = {
            by: (of_one.score, replicates(of_one.items, picks, "spearman"))
            for by, of_one in scored.items()
        }
        score, drawn = values[vectors.name]
        for other in others:
            value, of_draws = values[other.name]
            values[LESS + other.name] = score - value, drawn - of_draws
        for by, (value, of_draws) in values.items():
            low, high = stats.interval(of_draws)
            keys = {"dataset": label, "by": by}
            rows.append({**keys, "value": value, "low": low, "high": high, "n": len(items)})
    return pd.DataFrame(rows)
