"""Make the derived tables of Ethayarajh (2019) from the author's released files.

words.csv comes from the per-word statistics of kawine/contextual and, for the question whether a
word was ever first in a sentence, from the author's rebuilt input (corpus "sts"). bounds.csv holds
these statistics against what definitions and rebuilt input imply, and counts of that input. Both
lie in lib/cwr/texts/ethayarajh2019/claims.

    CWR_DATA=folder python workflow/tables/ethayarajh2019.py

Without CWR_DATA the files are downloaded.
"""

import functools
import itertools
from pathlib import Path

import numpy as np
import pandas as pd

from cwr import corpora, downloads
from cwr.estimates import contextuality
from cwr.papers import printed
from cwr.texts.ethayarajh2019 import bounds, claims
from cwr.texts.ethayarajh2019.claims import readings

FOLDER = Path(claims.__file__).parent
RELEASE = "kawine/contextual/c10c992a20d09660bcbac1e84466a3004374317c"
ABOUT = ["artifact", "model", "family", "layer", "measure", "variant", "estimator"]
MODELS = {"elmo": "ELMo", "bert": "BERT", "gpt2": "GPT-2"}
FAMILIES = {"ELMo": "bilstm", "BERT": "masked", "GPT-2": "causal"}
LOWEST = 30  # how many of ELMo's least self-similar words are kept
LEAST = 5  # occurrences that a word needs (section 3.2)
ALL_PAIRS = 32  # up to so many occurrences the release used all pairs


@functools.cache
def input_sentences() -> tuple[corpora.Sentence, ...]:
    """The author's rebuilt input."""
    return corpora.load("sts").sentences


def released(model: str, table: str) -> pd.DataFrame:
    """One released table: a row a word, a column a layer."""
    path = downloads.fetch(f"{RELEASE}/{model}/{table}.csv")
    return pd.read_csv(path, keep_default_na=False).set_index("word").astype(float)


def by_layer(measure: str, means: pd.Series, **keys: object) -> list[dict]:
    """Rows of a measure from a mean a column "layer_3"."""
    return [
        {"layer": int(column.removeprefix("layer_")), "measure": measure, "printed": value, **keys}
        for column, value in means.items()
    ]


# ---- words.csv


def words_of(model: str) -> list[dict]:
    """The stopwords' median percentile and, for ELMo, the words with the lowest self-similarity."""
    means = released(model, "self_similarity").mean(axis=1)
    median = np.median(contextuality.stopword_percentiles(means))
    rows = [{"measure": readings.STOPWORD_PERCENTILE, "printed": median}]
    if model == "elmo":
        lowest = means.round(6).sort_index().sort_values(kind="stable")[:LOWEST]
        rows += [
            {"measure": readings.SELF_SIMILARITY_LAYER_MEAN, "word": word, "printed": value}
            for word, value in lowest.items()
        ]
    return [{"model": MODELS[model], **row} for row in rows]


def never_first() -> list[dict]:
    """GPT-2's mean released explained variance over the words never first in a sentence."""
    first = {sentence.words[0] for sentence in input_sentences() if sentence.spans}
    variance = released("gpt2", "variance_explained")
    means = variance[~variance.index.isin(first)].mean()
    measure = readings.EXPLAINED_VARIANCE_NEVER_FIRST
    return by_layer(measure, means, model="GPT-2", estimator="released")


# ---- bounds.csv


def input_words() -> pd.DataFrame:
    """The words of the rebuilt input: occurrences, those before 2016, sentences, positions."""
    occurrences: dict[str, list[tuple[int, bool, str]]] = {}
    for sentence in input_sentences():
        late = sentence.annotations["domain"].startswith("STS2016")
        for position, word in enumerate(sentence.words):
            occurrences.setdefault(word, []).append((position, late, sentence.text))
    return pd.DataFrame({word: _word(seen) for word, seen in occurrences.items()}).T


def _word(occurrences: list[tuple[int, bool, str]]) -> dict:
    """One word, from the position, year and sentence of each occurrence."""
    positions, late, texts = zip(*occurrences, strict=True)
    return {
        "n": len(occurrences),
        "before_2016": len(late) - sum(late),
        "texts": len(set(texts)),
        "positions": tuple(sorted(positions)),
    }


def counts_of_input(words: pd.DataFrame) -> list[dict]:
    """How many sentences have which length, and how the released vocabulary fits the input."""
    lengths = pd.Series([len(sentence.spans) for sentence in input_sentences()])
    rows = [
        {"measure": "sentences_of_length", "k": str(length), "printed": number}
        for length, number in lengths.value_counts().sort_index().items()
    ]
    vocabularies = {model: released(model, "self_similarity").index for model in MODELS}
    rows += [
        {"measure": "released_words", "model": MODELS[model], "printed": len(vocabulary)}
        for model, vocabulary in vocabularies.items()
    ]
    known = words[words.index.isin(vocabularies["elmo"]) & (words["n"] >= LEAST)]
    counts = {
        "released_words_in_input": len(known),
        "released_words_in_input_before_2016": (known["before_2016"] >= LEAST).sum(),
        "released_words_below_five_sentences": (known["texts"] < LEAST).sum(),
    }
    return rows + [
        {"measure": measure, "model": "ELMo", "printed": value} for measure, value in counts.items()
    ]


def against_bounds(model: str, words: pd.DataFrame) -> list[dict]:
    """The released explained variance against what PCA and equation 3 allow, from layer 1 on.

    Values are rounded to 3 decimals, so "below" is by more than that. n is known for the words of
    the rebuilt input; of BERT's index, whose words are word pieces, for those that are whole words.
    Equation 3 is bounded for unit vectors, so not for GPT-2, whose first tokens seem far longer
    than the others.
    """
    variance = released(model, "variance_explained")
    similarity = released(model, "self_similarity")
    n = words["n"].astype(int).reindex(variance.index)
    known = (n >= LEAST).to_numpy()
    floor = bounds.least_pca_share(n[known])
    rows = []
    for column in variance:
        v, s = variance[column], similarity[column]
        values = {(readings.SHARE_BELOW_SELF_SIMILARITY, "released"): (v + 0.001 < s).mean()}
        if model != "bert":
            share = (v[known] + 0.0005 < floor).mean()
            values[readings.SHARE_BELOW_PCA, "released"] = share
        if model != "gpt2":
            least = bounds.least_explainable_variance(n[known], s[known])
            values[readings.EXPLAINED_VARIANCE_LEAST, "pca"] = floor.mean()
            values[readings.EXPLAINED_VARIANCE_LEAST, "definition"] = least.mean()
        for (measure, estimator), value in values.items():
            keys = {"model": MODELS[model], "estimator": estimator}
            rows += by_layer(measure, pd.Series({column: value}), **keys)
    return rows


def without_variance(model: str) -> list[dict]:
    """The words whose released value is 1.000 in every layer (0/0), and the means of the others."""
    variance = released(model, "variance_explained")
    constant = (variance == 1).all(axis=1)
    keys = {"model": MODELS[model], "estimator": "released"}
    rows = [{"measure": "words_without_variance", "printed": constant.sum(), **keys}]
    return rows + by_layer(readings.EXPLAINED_VARIANCE_VARYING, variance[~constant].mean(), **keys)


def first_positions(words: pd.DataFrame, layer: int = 5) -> list[dict]:
    """GPT-2's released explained variance of words seen in position 0, and of the others.

    The means of those seen there by layer, and a histogram of both kinds in one layer.
    """
    variance = released("gpt2", "variance_explained")
    is_seen = words["positions"].map(lambda positions: positions[0] == 0).astype(bool)
    first = variance.index.isin(words.index[is_seen])
    keys = {"model": "GPT-2", "estimator": "released"}
    rows = by_layer(readings.EXPLAINED_VARIANCE_SEEN_FIRST, variance[first].mean(), **keys)
    bins = variance[f"layer_{layer}"].clip(upper=0.999).floordiv(0.05).astype(int)
    for kind, numbers in (("seen first", bins[first]), ("never first", bins[~first])):
        rows += [
            {
                "measure": "words_in_bin",
                "layer": layer,
                "class": kind,
                "k": f"{0.05 * number:.2f}",
                "printed": count,
                **keys,
            }
            for number, count in numbers.value_counts().sort_index().items()
        ]
    return rows


def same_positions(words: pd.DataFrame) -> list[dict]:
    """Pairs of words seen at the same positions, and how many are alike in the input layer.

    Alike: of the same released self-similarity. Words never in position 0, of so few occurrences
    that all pairs were used, not always at one position.
    """
    usable = [
        LEAST <= len(positions) <= ALL_PAIRS and 0 < positions[0] < positions[-1]
        for positions in words["positions"]
    ]
    rows = []
    for model in ("gpt2", "bert"):
        similarity = released(model, "self_similarity")["layer_0"]
        known = words[usable]
        groups = known[known.index.isin(similarity.index)].groupby("positions").groups.values()
        pairs = [pair for group in groups for pair in itertools.combinations(group, 2)]
        alike = [(a, b) for a, b in pairs if abs(similarity[a] - similarity[b]) < 1e-9]
        counts = {
            "word_pairs_at_same_positions": len(pairs),
            "word_pairs_at_same_positions_alike": len(alike),
            "words_in_alike_pairs": len(set(itertools.chain(*alike))),
        }
        rows += [
            {"model": MODELS[model], "layer": 0, "measure": measure, "printed": value}
            for measure, value in counts.items()
        ]
    return rows


def sentence_cosines() -> list[dict]:
    """The cosine of different words, minus the baseline, that means and sentence lengths imply.

    For GPT-2 only in the layers that no first token seems to dominate: the formula is for vectors
    of about equal length.
    """
    lengths = pd.Series([len(sentence.spans) for sentence in input_sentences()]).value_counts()
    published = printed.load("ethayarajh2019")
    table = published.pivot_table(index=["model", "layer"], columns="measure", values="value")
    rows = []
    for (model, layer), row in table.dropna(subset=readings.INTRA_SENTENCE).iterrows():
        if model == "GPT-2" and layer not in (0, 1, 12):
            continue
        measure = readings.INTRA_SENTENCE_COSINE + ("_some_layers" if model == "GPT-2" else "")
        cosine = bounds.implied_cosine(row[readings.INTRA_SENTENCE], lengths.index, lengths)
        difference = cosine - row[readings.BASELINE]
        rows.append({"model": model, "layer": layer, "measure": measure, "printed": difference})
    return rows


# ---- both


def write(name: str, rows: list[dict], columns: list[str], variant: str) -> None:
    """One derived table: at most six decimals."""
    frame = pd.DataFrame(rows).reindex(columns=columns).astype({"layer": "Int64"})
    frame = frame.assign(artifact="Derived from the released statistics", variant=variant)
    frame["family"] = frame["model"].map(FAMILIES)
    frame["printed"] = frame["printed"].map(_decimals)
    frame.to_csv(FOLDER / f"{name}.csv", index=False, lineterminator="\n")


def _decimals(value: float) -> str:
    return np.format_float_positional(round(value, 6), trim="-")


def ethayarajh2019() -> None:
    """The two tables of the paper's released statistics."""
    rows = [row for model in MODELS for row in words_of(model)] + never_first()
    write("words", rows, [*ABOUT, "word", "printed"], "released statistics")
    words = input_words()
    rows = counts_of_input(words)
    rows += [row for model in MODELS for row in against_bounds(model, words)]
    rows += without_variance("bert") + without_variance("gpt2")
    rows += first_positions(words) + same_positions(words) + sentence_cosines()
    columns = [*ABOUT, "class", "k", "printed"]
    write("bounds", rows, columns, "released statistics, rebuilt input")


if __name__ == "__main__":
    ethayarajh2019()
