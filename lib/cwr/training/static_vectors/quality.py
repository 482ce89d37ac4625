"""How good word vectors are, beside those of a rival on the same pairs of words.

D = draws, n = pairs of words
"""

import pandas as pd

from cwr.corpora import word_pairs
from cwr.corpora.word_vectors import WordVectors
from cwr.estimates.benchmarks import replicates
from cwr.measures import stats
from cwr.measures.benchmarks import word_similarity

SETS = {"wordsim-353": "WS353", "men, natural": "MEN", "simlex-999": "SimLex999"}
DIFFERENCE = "difference"


def beside(
    vectors: WordVectors, rival: WordVectors, draws: int = 1000, seed: int = 0
) -> pd.DataFrame:
    """Spearman's correlation with what people say, of both and of their difference.

    Only pairs both of whose words have a vector in both are compared.
    Columns dataset, by (a name, or DIFFERENCE), value, low, high (95 % over the pairs) and n.
    """
    common = set(vectors.words) & set(rival.words)
    rows = []
    for name, label in SETS.items():
        pairs = word_pairs.load(name)
        of_both = []
        for source in (vectors, rival):
            words = source.of(common & {*pairs["first"], *pairs["second"]})
            of_both.append(word_similarity(words, pairs))
        items = of_both[0].items
        labels = (items["first"] + " " + items["second"]).to_numpy()
        picks = stats.resample(labels, draws, seed)  # (D, n)
        drawn = [replicates(each.items, picks, "spearman") for each in of_both]
        scores = [each.score for each in of_both]
        values = {
            vectors.name: (scores[0], drawn[0]),
            rival.name: (scores[1], drawn[1]),
            DIFFERENCE: (scores[0] - scores[1], drawn[0] - drawn[1]),
        }
        for by, (value, of_draws) in values.items():
            low, high = stats.interval(of_draws)
            keys = {"dataset": label, "by": by}
            rows.append({**keys, "value": value, "low": low, "high": high, "n": len(items)})
    return pd.DataFrame(rows)
