"""Make the derived tables of Ethayarajh (2019) in lib/cwr/papers/tables from the author's released files.

ethayarajh2019_words.csv comes from the per-word statistics of kawine/contextual and, for the question whether a word
was ever first in a sentence, from the author's rebuilt input (corpus "sts"). ethayarajh2019_bounds.csv holds these
statistics against what definitions and rebuilt input imply, and counts of that input.

    CWR_DATA=folder python workflow/tables/ethayarajh2019.py        (without CWR_DATA the files are downloaded)
"""
import functools
import itertools

import numpy as np
import pandas as pd

from cwr import corpora, downloads, tables
from cwr.measures import bounds, stats
from cwr.tables import STOPWORDS, TABLES

RELEASE = "kawine/contextual/c10c992a20d09660bcbac1e84466a3004374317c"
COLUMNS = ["artifact", "model", "family", "layer", "measure", "variant", "estimator", "word", "printed"]
BOUNDS = ["artifact", "model", "family", "layer", "measure", "variant", "estimator", "class", "k", "printed"]
MODELS = {"elmo": "ELMo", "bert": "BERT", "gpt2": "GPT-2"}


@functools.cache
def input_sentences() -> tuple[corpora.Sentence, ...]:
    """The author's rebuilt input."""
    return corpora.load("sts").sentences


def released(model: str, table: str) -> pd.DataFrame:
    """One released table: a row a word, a column a layer."""
    path = downloads.fetch(f"{RELEASE}/{model}/{table}.csv")
    return pd.read_csv(path, keep_default_na=False).set_index("word").astype(float)


def words_of(model: str) -> list[dict]:
    """The stopwords' median percentile and, for ELMo, the thirty words with the lowest mean self-similarity."""
    means = released(model, "self_similarity").mean(axis=1)
    ranks = pd.Series(stats.percentile_rank(means), means.index)
    rows = [{"measure": "stopword_percentile", "word": None, "printed": ranks[ranks.index.isin(STOPWORDS)].median()}]
    lowest = means.round(6).sort_index().sort_values(kind="stable")[:30] if model == "elmo" else means[:0]
    rows += [{"measure": "self_similarity_layer_mean", "word": w, "printed": v} for w, v in lowest.items()]
    return [{"model": MODELS[model], "layer": None, **row} for row in rows]


def never_first() -> list[dict]:
    """GPT-2's mean released explained variance over the words that are never first in a sentence."""
    first = {sentence.words[0] for sentence in input_sentences() if sentence.spans}
    variance = released("gpt2", "variance_explained")
    means = variance[~variance.index.isin(first)].mean()
    return [{"model": "GPT-2", "layer": int(name.removeprefix("layer_")), "word": None, "printed": value,
             "measure": "maximum_explainable_variance_never_first"} for name, value in means.items()]


def input_words() -> pd.DataFrame:
    """The words of the author's rebuilt input: occurrences, those before 2016, distinct sentences, and positions."""
    found: dict[str, list[tuple[int, bool, str]]] = {}
    for sentence in input_sentences():
        late = sentence.annotations["domain"].startswith("STS2016")
        for position, word in enumerate(sentence.words):
            found.setdefault(word, []).append((position, late, sentence.text))
    return pd.DataFrame({word: {
        "n": len(seen), "before_2016": sum(not late for _, late, _ in seen), "texts": len({text for *_, text in seen}),
        "positions": tuple(sorted(position for position, *_ in seen))} for word, seen in found.items()}).T


def counts_of_input(words: pd.DataFrame) -> list[dict]:
    """How many sentences of each length the rebuilt input has, and how the released vocabulary fits it."""
    lengths = pd.Series([len(s.spans) for s in input_sentences()]).value_counts().sort_index()
    rows = [{"measure": "sentences_of_length", "k": str(length), "printed": n} for length, n in lengths.items()]
    index = {model: released(model, "self_similarity").index for model in MODELS}
    rows += [{"measure": "released_words", "model": MODELS[model], "printed": len(i)} for model, i in index.items()]
    known = words[words.index.isin(index["elmo"]) & (words["n"] >= 5)]
    return rows + [{"measure": measure, "model": "ELMo", "printed": value} for measure, value in (
        ("released_words_in_input", len(known)),
        ("released_words_in_input_before_2016", (known["before_2016"] >= 5).sum()),
        ("released_words_below_five_sentences", (known["texts"] < 5).sum()))]


def against_bounds(model: str, words: pd.DataFrame) -> list[dict]:
    """The released explained variance against what PCA and equation 3 allow, in each layer above the input.

    Values are rounded to 3 decimals, so "below" is by more than that. n is known for the words of the rebuilt input;
    of BERT's index, whose words are word pieces, for those that are whole words. Equation 3 is bounded for unit
    vectors, so not for GPT-2, whose first tokens are far longer than the others.
    """
    variance, similarity = released(model, "variance_explained"), released(model, "self_similarity")
    n = words["n"].astype(int).reindex(variance.index)
    known = (n >= 5).to_numpy()
    floor = bounds.least_pca_share(n[known])
    rows = []
    for column in variance:
        v, s = variance[column], similarity[column]
        found = {("share_of_words_below_self_similarity", "released"): (v + 0.001 < s).mean()}
        if model != "bert":
            found["share_of_words_below_pca_bound", "released"] = (v[known] + 0.0005 < floor).mean()
        if model != "gpt2":
            found["maximum_explainable_variance_least", "pca"] = floor.mean()
            least = bounds.least_explainable_variance(n[known], s[known])
            found["maximum_explainable_variance_least", "definition"] = least.mean()
        rows += [{"model": MODELS[model], "layer": int(column.removeprefix("layer_")), "measure": measure,
                  "estimator": estimator, "printed": value} for (measure, estimator), value in found.items()]
    return rows


def without_variance(model: str) -> list[dict]:
    """The words whose released value is 1.000 in every layer (0/0), and the means over the others."""
    variance = released(model, "variance_explained")
    constant = (variance == 1).all(axis=1)
    about = {"model": MODELS[model], "estimator": "released"}
    return [{"measure": "words_without_variance", **about, "printed": constant.sum()}] + [
        {"measure": "maximum_explainable_variance_varying", "layer": int(name.removeprefix("layer_")), **about,
         "printed": value} for name, value in variance[~constant].mean().items()]


def first_positions(words: pd.DataFrame, layer: int = 5) -> list[dict]:
    """GPT-2's released explained variance of words seen in position 0: means by layer, a histogram of both kinds."""
    variance = released("gpt2", "variance_explained")
    first = variance.index.isin(words.index[words["positions"].map(lambda places: places[0] == 0)])
    about = {"model": "GPT-2", "estimator": "released"}
    rows = [{"measure": "maximum_explainable_variance_seen_first", "layer": int(name.removeprefix("layer_")), **about,
             "printed": value} for name, value in variance[first].mean().items()]
    bins = variance[f"layer_{layer}"].clip(upper=0.999).floordiv(0.05).astype(int)
    for kind, part in (("seen first", bins[first]), ("never first", bins[~first])):
        rows += [{"measure": "words_in_bin", "layer": layer, "class": kind, "k": f"{0.05 * number:.2f}", **about,
                  "printed": many} for number, many in part.value_counts(sort=False).reindex(range(20)).items()]
    return [row for row in rows if pd.notna(row["printed"])]


def same_positions(words: pd.DataFrame) -> list[dict]:
    """Pairs of words seen at the same positions: how many, and how many have the same released input self-similarity.

    Words never in position 0, of at most 32 occurrences (all pairs were used), not always at one position.
    """
    rows = []
    places = words["positions"].to_numpy()
    usable = words[[5 <= len(p) <= 32 and 0 < p[0] < p[-1] for p in places]]
    for model in ("gpt2", "bert"):
        similarity = released(model, "self_similarity")["layer_0"]
        part = usable[usable.index.isin(similarity.index)]
        pairs = [pair for _, same in part.groupby("positions") for pair in itertools.combinations(same.index, 2)]
        equal = [(a, b) for a, b in pairs if abs(similarity[a] - similarity[b]) < 1e-9]
        rows += [{"model": MODELS[model], "layer": 0, "measure": measure, "printed": value} for measure, value in (
            ("word_pairs_at_same_positions", len(pairs)), ("word_pairs_at_same_positions_alike", len(equal)),
            ("words_in_alike_pairs", len({word for pair in equal for word in pair})))]
    return rows


def sentence_cosines() -> list[dict]:
    """The cosine of different words of a sentence, minus the baseline, that released means and lengths imply.

    For GPT-2 only in the layers that no first token dominates: the formula is for vectors of about equal length.
    """
    lengths = pd.Series([len(s.spans) for s in input_sentences()]).value_counts()
    table = tables.load("ethayarajh2019").pivot_table(index=["model", "layer"], columns="measure", values="value")
    rows = []
    for (model, layer), row in table.dropna(subset="intra_sentence_similarity").iterrows():
        some = model == "GPT-2"
        if not some or layer in (0, 1, 12):
            cosine = bounds.implied_cosine(row["intra_sentence_similarity"], lengths.index, lengths)
            rows.append({"model": model, "layer": layer, "printed": cosine - row["anisotropy_baseline"],
                         "measure": "intra_sentence_cosine" + "_some_layers" * some})
    return rows


def write(name: str, rows: list[dict], columns: list[str], variant: str) -> None:
    """One derived table: at most six decimals."""
    frame = pd.DataFrame(rows).reindex(columns=columns).astype({"layer": "Int64"}).assign(
        artifact="Derived from the released statistics", variant=variant)
    frame["family"] = frame["model"].map({"ELMo": "bilstm", "BERT": "masked", "GPT-2": "causal"})
    frame["printed"] = frame["printed"].map(lambda v: np.format_float_positional(round(v, 6), trim="-"))
    frame.to_csv(TABLES / f"{name}.csv", index=False, lineterminator="\n")


def ethayarajh2019() -> None:
    """The two tables of the paper's released statistics."""
    rows = [row for model in MODELS for row in words_of(model)] + never_first()
    write("ethayarajh2019_words", [{"estimator": "released" if "never_first" in row["measure"] else None} | row
                                   for row in rows], COLUMNS, "released statistics")
    words = input_words()
    rows = counts_of_input(words) + [row for model in MODELS for row in against_bounds(model, words)]
    rows += without_variance("bert") + without_variance("gpt2")
    rows += first_positions(words) + same_positions(words) + sentence_cosines()
    write("ethayarajh2019_bounds", rows, BOUNDS, "released statistics, rebuilt input")


if __name__ == "__main__":
    ethayarajh2019()
