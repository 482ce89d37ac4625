"""Compares two files of word vectors from one model and text: which agrees better with people?

A contextual model gives a word a vector by X2Static (Gupta and Jaggi 2021), which is trained, or by
the mean of its contextual vectors (ASE, Bommasani et al. 2020), which is not. Which is better
depends on the model and the text, so both are scored on the pairs of words that the text covers.

ASE has a table for each layer, as it is and with the mean of all words removed. The file has the
table with the best mean, chosen on the pairs that are scored, as the paper chooses its layer, and
anew in each draw. That favours ASE a little; beside it stands the last layer as it is, without a
choice.

    v words, dim dimensions, N sets of pairs, D draws, of which draw 0 is the estimate
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cwr.corpora.word_vectors import WordVectors
from cwr.errors import listed
from cwr.estimates.chosen_tables import BEST_ON_AVERAGE, Scored, draw
from cwr.estimates.contexts import Contexts
from cwr.estimates.distilled import LEAST_PAIRS, covered, load, words_of
from cwr.estimates.streamed_contexts import Streamed
from cwr.measures import stats

SETS = ("wordsim-353", "simlex-999", "men, natural")  # those that travel with the library
X2STATIC, ASE = "x2static", "ase"  # the files
CENTRED = ", centred"  # ending of a table whose mean of all words was removed
MEAN = "mean"


@dataclass(frozen=True, eq=False)
class Averages(Mapping[str, WordVectors]):
    """The ASE tables of all layers, plain and centred: {"layer 2": ..., "layer 2, centred": ...}.

    The plain last layer comes last. A table is computed on access, so that one at a time is in
    memory. read: the contexts, with averages.
    """

    read: Contexts | Streamed

    def __iter__(self) -> Iterator[str]:
        for layer in self.read.layers:
            yield from (f"layer {layer}{CENTRED}", f"layer {layer}")

    def __len__(self) -> int:
        return 2 * len(self.read.layers)

    def __getitem__(self, name: str) -> WordVectors:
        names = list(self)
        if name not in names:
            raise KeyError(name)
        layer = names.index(name) // 2
        matrix = self.read.average_of(layer)
        if name.endswith(CENTRED):  # `isotropy.center` in its place: the table may be large
            mean = matrix.mean(axis=0, dtype=np.float64)
            np.subtract(matrix, mean, out=matrix, casting="same_kind")
        return WordVectors(name, self.read.vocabulary.words, matrix)


@dataclass(frozen=True, eq=False)
class Compared:
    """The agreement of X2Static and ASE with people on the similarity of words.

    scores: Spearman's correlation, a row per table of vectors, X2STATIC first, a column per set,
        and MEAN if there are several sets. differences: a row per column of `scores`; columns
        pairs, difference (X2Static less ASE), low, high (95 % over pairs), and better, the name of
        the file that is decidedly better, or "". chosen: the table that is the file of ASE.
    """

    scores: pd.DataFrame
    differences: pd.DataFrame
    chosen: str

    @property
    def better(self) -> str:
        """The file whose mean over the sets is decidedly higher; "" if neither's is."""
        return "" if self.differences.empty else self.differences["better"].iloc[-1]

    @property
    def sentence(self) -> str:
        """A sentence that tells a reader which file is better, by which data sets."""
        by_set = self.differences.drop(index=MEAN, errors="ignore")
        if by_set.empty:
            return (
                f"No set of word pairs has {LEAST_PAIRS} pairs in this text, so nothing says which file "
                "is better"
            )
        phrases = []
        for name in (X2STATIC, ASE):
            of_sets = [
                _phrase(row, 1 if name == X2STATIC else -1)
                for row in by_set[by_set["better"] == name].itertuples()
            ]
            if of_sets:
                phrases.append(f"{name} is better on {listed(of_sets)}")
        undecided = by_set[by_set["better"] == ""]
        if len(undecided):
            names = [f"{row.Index} ({row.pairs} pairs)" for row in undecided.itertuples()]
            verb = "does" if len(names) == 1 else "do"
            phrases.append(f"{listed(names)} {verb} not settle which file is better")
        return "; ".join(phrases)


def compared(
    distilled: WordVectors,
    tables: Mapping[str, WordVectors],
    sets: Sequence[str] = SETS,
    draws: int = 1000,
    seed: int = 0,
) -> Compared:
    """Scores X2Static and ASE on the pairs of words that both cover.

    distilled: the trained vectors. tables: `Averages`, of the same words. sets: names for
        `distilled.load`; a set with fewer than LEAST_PAIRS covered pairs is left out. If no set is
        left, nothing is scored, and the last of `tables` is chosen.
    Raises UserError for a name that is no set.
    """
    pairs = load(sets)
    words = set(distilled.words).intersection(*(table.words for table in tables.values()))
    enough = {
        name: rows for name, rows in covered(pairs, words).items() if len(rows) >= LEAST_PAIRS
    }
    names = list(tables)
    if not enough:
        return Compared(pd.DataFrame(index=[X2STATIC, *names]), _differences([], [], []), names[-1])
    asked = words_of(enough)
    drawn = [draw(name, rows, draws, seed) for name, rows in enough.items()]
    of_tables = {row: _rows(tables[name], asked) for row, name in enumerate(names)}
    of_ase = Scored.of(of_tables, drawn)
    of_x2static = Scored.of({0: distilled.of(asked)}, drawn)
    every = np.ones(len(drawn), bool)
    x2static = of_x2static.cells(0, every, X2STATIC, seed)  # (N, D)
    ase = of_ase.cells(BEST_ON_AVERAGE, every, ASE, seed)  # (N, D)
    chosen = names[int(of_ase.layers(BEST_ON_AVERAGE, every)[0, 0])]
    whole = np.concatenate([of_x2static.whole[:, :, 0], of_ase.whole[:, :, 0]], axis=1).T
    scores = pd.DataFrame(whole, [X2STATIC, *names], list(enough))
    counts = [len(rows) for rows in enough.values()]
    labels, gaps = list(enough), list(x2static - ase)
    if len(enough) > 1:
        scores[MEAN] = scores.mean(axis=1)
        labels, gaps = [*labels, MEAN], [*gaps, np.mean(gaps, axis=0)]
        counts.append(sum(counts))
    return Compared(scores, _differences(labels, counts, gaps), chosen)


def _rows(table: WordVectors, words: Collection[str]) -> dict[str, np.ndarray]:
    """Returns {word: vector} as copies, which do not keep the whole table in memory."""
    return {word: vector.copy() for word, vector in table.of(words).items()}


def _differences(
    labels: Sequence[str], counts: Sequence[int], gaps: Sequence[np.ndarray]
) -> pd.DataFrame:
    """Returns the table of `Compared`. gaps: of each label, (D,)."""
    rows = []
    for pairs, gap in zip(counts, gaps, strict=True):
        low, high = stats.interval(gap[1:])
        better = X2STATIC if low > 0 else ASE if high < 0 else ""
        row = {"pairs": pairs, "difference": gap[0], "low": low, "high": high, "better": better}
        rows.append(row)
    columns = ["pairs", "difference", "low", "high", "better"]
    return pd.DataFrame(rows, pd.Index(labels, name="set", dtype=object), columns)


def _phrase(row, sign: int) -> str:
    """Returns one set and its difference, as a text; sign: -1 for ASE less X2Static."""
    low, high = sorted((sign * row.low, sign * row.high))
    numbers = f"{sign * row.difference:+.3f} [{low:+.3f}, {high:+.3f}]"
    return f"{row.Index} ({numbers}, {row.pairs} pairs)"
