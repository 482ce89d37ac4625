"""Builds words and spaces of one vector per word for probes: Figure 3 of Zhao et al. (2020).

A word has a set of classes, those of its contexts, and its one vector is an example of all of them
(section 3.2.1). Words stand in alphabetical order, as in `texts.zhao2020.probes`. A *word* may be a
phrase; where a space has vectors of single words only, a phrase is the mean of its words.

    W words, C classes, L layers, d dimensions
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cwr.corpora.sentences import Corpus
from cwr.corpora.wiki_pse.contexts import TRAIN
from cwr.corpora.wiki_pse.mentions import text_of
from cwr.errors import UserError, hint, quoted

FEWEST = 10  # training words of a class that has a probe
DIM = 300  # of random vectors (section 4.2.1)


@dataclass(frozen=True, eq=False)
class ProbingWords:
    """The words of a probing set.

    table: a row per word, its index the word, with split, contexts (how many), spelling (the most
        frequent one, the first of equal ones) and tokens (its words in lower case, a tuple).
    of_class: (W, C) int, how many contexts have each class; a column for each class with a probe.
    """

    table: pd.DataFrame
    of_class: pd.DataFrame

    @property
    def is_class(self) -> np.ndarray:
        """Whether each word has each class, (W, C) bool."""
        return (self.of_class > 0).to_numpy()

    @property
    def classes(self) -> list[str]:
        """The classes that have a probe."""
        return self.of_class.columns.tolist()

    def rows(self, split: str) -> np.ndarray:
        """Tells which words are of a split, (W,) bool."""
        return self.table["split"].to_numpy() == split

    def has_class(self, name: str) -> np.ndarray:
        """Tells which words have one class, (W,) bool. Raises UserError for one without a probe."""
        if name not in self.of_class:
            raise UserError(
                f"no probe is trained for the class {quoted(name)}: {hint(name, self.classes)}"
            )
        return self.of_class[name].to_numpy() > 0


def words_of(corpus: Corpus, table: pd.DataFrame, fewest: int = FEWEST) -> ProbingWords:
    """Collects the words of a probing set (`corpora.wiki_pse.contexts`) from its corpus.

    fewest: training words that a class needs for a probe of its own.
    Raises UserError if no class has so many.
    """
    sentences = [corpus.sentences[number] for number in table["sentence"]]
    spans = list(zip(sentences, table["first"], table["last"], strict=True))
    tokens = [sentence.words[first : last + 1] for sentence, first, last in spans]
    shown = table.assign(
        spelling=[text_of(*span) for span in spans],
        tokens=[tuple(word.lower() for word in words) for words in tokens],
    )
    by_word = shown.groupby("word")
    words = by_word.agg(
        split=("split", "first"),
        contexts=("word", "size"),
        spelling=("spelling", _commonest),
        tokens=("tokens", "first"),
    )
    of_class = pd.crosstab(table["word"], table["class"])
    is_learned = (of_class > 0)[words["split"] == TRAIN].sum() >= fewest
    if not is_learned.any():
        raise UserError(
            f"no class of {corpus.name} has {fewest} training words: take more text, or ask for "
            "fewer words"
        )
    return ProbingWords(words, of_class.loc[:, is_learned])


def averages(vectors: Sequence[np.ndarray], table: pd.DataFrame) -> list[np.ndarray]:
    """Averages the contexts of each word (AVG-BERT), L times (W, d) float32.

    Section 4.2.1 leaves open whether the average is over all contexts of the corpus; here it is
    over those of the table, all classes together: a vector per class would contain the label.
    vectors: L times (n, d), a row per context of the table.
    """
    word = table["word"].to_numpy()
    means = [pd.DataFrame(layer).groupby(word).mean() for layer in vectors]
    return [mean.to_numpy(dtype=np.float32) for mean in means]


def composed(
    vectors: Mapping[str, np.ndarray], tokens: Sequence[Sequence[str]], seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Averages the vectors of each word's tokens, (W, d) float32, and counts those with one, (W,).

    Tokens without a vector are left out. A word without any gets random numbers, as in section
    4.2.1, here with the mean and deviation of the known rows in each dimension: N(0, I) can be far
    longer than the vectors of a space, and then hides them from a probe.
    Raises UserError if no token has a vector.
    """
    present = [[vectors[word] for word in words if word in vectors] for words in tokens]
    known = np.array([len(of_word) for of_word in present])
    if not known.any():
        raise UserError("none of the words that are probed has a vector: give another table")
    means = np.stack([np.mean(of_word, axis=0) for of_word in present if of_word])
    drawn = random(len(tokens), means.shape[1], seed)
    rows = means.mean(axis=0) + means.std(axis=0) * drawn
    rows[known > 0] = means
    return rows.astype(np.float32), known


def random(n: int, dim: int = DIM, seed: int = 0) -> np.ndarray:
    """Draws one vector per word from N(0, I), (n, dim) float32: the space "Rand"."""
    return np.random.default_rng(seed).normal(size=(n, dim)).astype(np.float32)


def _commonest(spellings: pd.Series) -> str:
    return Counter(spellings).most_common(1)[0][0]
