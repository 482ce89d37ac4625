"""Ranks a cosine among the cosines of random words and of one word's occurrences: is it high?

Two rows of quantiles describe a layer. `cwr cosine` and the book's pages (`book/_static/live.js`)
read the same rounded numbers by the same steps, and so give the same sentence.
"""

import bisect
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus
from cwr.errors import UserError
from cwr.estimates import samples
from cwr.measures.contextuality import unit_rows

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

UNIT = 10_000  # cosines are read in ten-thousandths, as whole numbers
# 101 shares of the pairs, denser at both ends: 0, 0.00025, 0.00099, ..., 0.49215, 0.5, ..., 1
LEVELS = (np.sin(np.linspace(0, np.pi / 2, 101)) ** 2).round(5).tolist()
LOW, HIGH = 50, 950  # of 1,000 pairs: low if no more lie at or below, high if no fewer lie below
RULE = (
    f"High: at least {HIGH // 10} % of such pairs have a lower cosine. "
    f"Low: at most {LOW // 10} % of them have this cosine or a lower one. Ordinary: all others. "
    "The two random words of a pair come from different sentences. We use all pairs of one "
    "word's occurrences, and weight all words equally."
)
THRESHOLDS = [
    "model",
    "layer",
    "random words: low up to",
    "random words: high from",
    "one word: low up to",
    "one word: high from",
]
SENTENCE = (
    "In layer {layer} of {model} ({name}), a cosine of {cosine} is {random} for two random words "
    "({random_share} of such pairs have a lower cosine) and {same_word} for two occurrences "
    "of one word ({same_word_share}), on {text}."
)
LINE = (
    "layer {layer}: {random} for two random words ({random_share}), "
    "{same_word} for two occurrences of one word ({same_word_share})"
)


@dataclass(frozen=True)
class Calibration:
    """The quantiles of cosines in one layer of one model on one corpus.

    name: the layer's name (`encoder.contract`). text: names the corpus and its number of sentences.
    random: quantiles at LEVELS of the cosines of random words, in ten-thousandths, (101,).
    same_word: quantiles of the cosines of two occurrences of one word, as `random`; every word has
        the same weight.
    """

    model: str
    family: str
    layer: int
    name: str
    text: str
    random: list[int]
    same_word: list[int]

    def sentence(self, cosine: float) -> str:
        """Returns a sentence that says whether a cosine is high, ordinary or low in this layer.

        cosine: in [-1, 1]. The sentence also gives the share of pairs with a lower cosine, both
        among random words and for one word.
        """
        return SENTENCE.format(**self._words(cosine))

    def line(self, cosine: float) -> str:
        """Returns the statement of `sentence` without model and text, for a list of layers."""
        return LINE.format(**self._words(cosine))

    def _words(self, cosine: float) -> dict[str, str | int]:
        number = nearest(cosine * UNIT)
        return {
            "layer": self.layer,
            "model": self.model,
            "name": self.name,
            "text": self.text,
            "cosine": f"{number / UNIT:g}",
            "random": judgement(self.random, number),
            "random_share": share_in_words(self.random, number),
            "same_word": judgement(self.same_word, number),
            "same_word_share": share_in_words(self.same_word, number),
        }


# ---- from a model to its calibrations


def calibrate(
    encoder: "Encoder", corpus: Corpus, layers: Sequence[int] | None = None, seed: int = 0
) -> list[Calibration]:
    """Computes a `Calibration` for each chosen layer of a model on a corpus.

    layers: layer numbers; None: all. seed: for the draws. Random pairs: all pairs of up to 1,000
    words of different sentences. Same-word pairs: all pairs among at most 100 occurrences of each
    word that occurs 5 times or more, punctuation left out.
    Raises UserError for a corpus without a word that is frequent enough or with one sentence only,
    and for vectors without direction.
    """
    sample = samples.extract(encoder, corpus, seed=seed)
    text = f"{len(corpus.sentences):,} sentences of {corpus.name}"
    calibrations = []
    for layer in range(encoder.n_layers + 1) if layers is None else layers:
        name = encoder.contract[layer]
        try:
            random = pair_cosines(sample.random.vectors(layer))
            same_word = cosines_by_word(sample.words.vectors(layer), sample.words.table["group"])
            if not len(random):
                raise UserError(f"{text} give no pair of random words: take a longer text")
            pairs = quantiles_of([random]), quantiles_of(same_word)
        except ValueError as error:
            raise UserError(f"layer {layer} of {encoder.name} gives no cosines: {error}") from error
        calibrations.append(Calibration(encoder.name, encoder.family, layer, name, text, *pairs))
    return calibrations


def pair_cosines(vectors: np.ndarray) -> np.ndarray:
    """Computes the cosines of all pairs of different rows, (n (n - 1) / 2,). vectors: (n, dim).

    Raises ValueError for a zero or NaN row, whose direction is undefined.
    """
    units = unit_rows(vectors)
    return (units @ units.T)[np.triu_indices(len(units), 1)]


def cosines_by_word(vectors: np.ndarray, words: pd.Series) -> list[np.ndarray]:
    """Computes the cosines among the occurrences of each word that occurs twice or more.

    vectors: (n, dim). words: (n,), the word of each row. Returns an array (pairs,) per word.
    """
    rows = words.groupby(words).indices.values()
    return [pair_cosines(vectors[at]) for at in rows if len(at) > 1]


def quantiles_of(groups: Sequence[np.ndarray]) -> list[int]:
    """Computes quantiles of cosines at LEVELS, in ten-thousandths; each word has the same weight.

    groups: cosines of the pairs of each word, (pairs,) each. The quantile at a level is the
        smallest cosine at or below which the share `level` of the weight lies. Returns (101,).
    """
    weights = np.concatenate([np.full(len(group), 1 / len(group)) for group in groups])
    cosines = np.concatenate(groups)
    values = np.quantile(cosines, LEVELS, method="inverted_cdf", weights=weights)
    return [nearest(value * UNIT) for value in values]


# ---- from a calibration to words; live.js takes the same steps


def share(quantiles: Sequence[int], number: float, at_most: bool = False) -> float:
    """Computes the share of pairs whose cosine is lower than `number` (at_most: lower or equal).

    quantiles, number: in ten-thousandths. Between two quantiles the share rises in a straight line.
    """
    search = bisect.bisect_right if at_most else bisect.bisect_left
    above = search(quantiles, number)
    if above == 0:
        return 0.0
    if above == len(quantiles):
        return 1.0
    low, high = quantiles[above - 1], quantiles[above]
    level, next_level = LEVELS[above - 1], LEVELS[above]
    return level + (next_level - level) * ((number - low) / (high - low))


def judgement(quantiles: Sequence[int], number: int) -> str:
    """Judges a cosine "high", "low" or "ordinary" by RULE. Arguments as `share`."""
    if nearest(1000 * share(quantiles, number)) >= HIGH:
        return "high"
    if nearest(1000 * share(quantiles, number, at_most=True)) <= LOW:
        return "low"
    return "ordinary"


def share_in_words(quantiles: Sequence[int], number: int) -> str:
    """Formats the share of pairs with a lower cosine: "95.0 %"; arguments as `share`.

    At the ends it says "less than 0.1 %" or "more than 99.9 %": the sample cannot tell "none" or
    "all".
    """
    thousandths = nearest(1000 * share(quantiles, number))
    if thousandths == 0:
        return "less than 0.1 %"
    if thousandths == 1000:
        return "more than 99.9 %"
    return f"{thousandths / 10:.1f} %"


def nearest(number: float) -> int:
    """Returns the nearest whole number, halves rounded up, as JavaScript rounds."""
    return math.floor(number + 0.5)


def thresholds(calibrations: Sequence[Calibration]) -> pd.DataFrame:
    """Tabulates by layer the largest cosine that is low and the smallest that is high."""
    edges = [LOW / 1000, HIGH / 1000]
    rows = []
    for entry in calibrations:
        random = np.interp(edges, LEVELS, entry.random) / UNIT
        same_word = np.interp(edges, LEVELS, entry.same_word) / UNIT
        rows.append([entry.model, entry.layer, *random, *same_word])
    return pd.DataFrame(rows, columns=THRESHOLDS).round(2)


# ---- refusals, and the data of the page


def check(cosine: float) -> None:
    """Raises UserError for a number outside [-1, 1]."""
    if not -1 <= cosine <= 1:  # also refuses NaN
        raise UserError(f"{cosine:g} is no cosine: give a number between -1 and 1")


def check_layer(layer: int, model: str, n_layers: int) -> None:
    """Raises UserError for a layer that the model does not have."""
    if not 0 <= layer <= n_layers:
        raise UserError(f"{model} has no layer {layer}: its layers are 0 (input) to {n_layers}")


def to_data(calibrations: Sequence[Calibration]) -> dict:
    """Encodes calibrations as data for JSON, to be read by the book's page and `from_data`.

    Quantiles are stored as the first one and the steps from each to the next, to save space.
    """
    layers = [asdict(entry) for entry in calibrations]
    for layer in layers:
        for kind in ("random", "same_word"):
            layer[kind] = np.diff(layer[kind], prepend=0).tolist()
    return {
        "sentence": SENTENCE,
        "unit": UNIT,
        "low": LOW,
        "high": HIGH,
        "levels": LEVELS,
        "layers": layers,
    }


def from_data(data: dict) -> list[Calibration]:
    """Restores the calibrations that `to_data` encoded."""
    calibrations = []
    for layer in data["layers"]:
        steps = {kind: np.cumsum(layer[kind]).tolist() for kind in ("random", "same_word")}
        calibrations.append(Calibration(**layer | steps))
    return calibrations
