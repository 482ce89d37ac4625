"""Make the small derived tables in lib/cwr/papers/tables from the authors' released files.

    CWR_DATA=folder python workflow/derive_tables.py        (without CWR_DATA the files are downloaded)

ethayarajh2019_words.csv comes from the per-word statistics of kawine/contextual and, for the question whether a word
was ever first in a sentence, from the author's rebuilt input (corpus "sts").
bis2021_public.csv holds what public files say about BERT's unused tokens: counts from the uncased vocabulary, which
travels with minilm, and what was read once from the cased vocabulary, BERT's script and the paper's released code.
"""
import pandas as pd

from cwr import corpora, downloads
from cwr.encoders import places
from cwr.measures import stats
from cwr.papers.published import STOPWORDS, TABLES

RELEASE = "kawine/contextual/c10c992a20d09660bcbac1e84466a3004374317c"
COLUMNS = ["artifact", "model", "family", "layer", "measure", "variant", "estimator", "word", "printed"]
MODELS = {"elmo": "ELMo", "bert": "BERT", "gpt2": "GPT-2"}


def released(model: str, table: str) -> pd.DataFrame:
    """One released table: a row a word, a column a layer."""
    path = downloads.fetch(f"{RELEASE}/{model}/{table}.csv")
    return pd.read_csv(path, keep_default_na=False).set_index("word").astype(float)


def words_of(model: str) -> list[dict]:
    """The stopwords' median percentile and, for ELMo, the thirty words with the lowest mean self-similarity."""
    means = released(model, "self_similarity").mean(axis=1)
    ranks = pd.Series(stats.percentile_rank(means), means.index)
    rows = [{"measure": "stopword_percentile", "word": None, "printed": ranks[ranks.index.isin(STOPWORDS)].median()}]
    lowest = means.sort_values()[:30] if model == "elmo" else means[:0]
    rows += [{"measure": "self_similarity_layer_mean", "word": w, "printed": v} for w, v in lowest.items()]
    return [{"model": MODELS[model], "layer": None, **row} for row in rows]


def never_first() -> list[dict]:
    """GPT-2's mean released explained variance over the words that are never first in a sentence."""
    first = {sentence.words[0] for sentence in corpora.load("sts").sentences if sentence.spans}
    variance = released("gpt2", "variance_explained")
    means = variance[~variance.index.isin(first)].mean()
    return [{"model": "GPT-2", "layer": int(name.removeprefix("layer_")), "word": None, "printed": value,
             "measure": "maximum_explainable_variance_never_first"} for name, value in means.items()]


# masked_lm_prob = 0.15, of which 10 % random entries of the vocabulary: create_pretraining_data.py,
# google-research/bert at eedf5716ce1268e56f0a50264a88cafad334ac61
MASKED, RANDOM = 0.15, 0.1
# vis.py and embeddings_benchmark.py, danielbis/tooMuchInCommon at 659857383f391816d4ee2e519b37420d63d83b36
ROWS_AVERAGED, COMPONENTS_REMOVED = 1000 - 5, 2


def bis2021_public() -> pd.DataFrame:
    """BERT's unused tokens: how many, at which places of the vocabulary, and how often they are inputs."""
    words = (places.find("minilm").folder / "vocab.txt").read_text(encoding="utf8").splitlines()
    unused = sum(word.startswith("[unused") for word in words)
    counted = [("vocabulary_size", None, len(words)), ("unused_tokens", None, unused)]
    counted += [("vocabulary_index", word, words.index(word)) for word in ("the", "of", "and", "in", "to")]
    rows = [("Vocabulary file", "BERT-base-uncased", *row) for row in counted]
    rows += [("Vocabulary file", "BERT-base-cased", "vocabulary_size", None, 28996),        # read from that file
             ("Vocabulary file", "BERT-base-cased", "unused_tokens", None, 101),
             ("Vocabulary file", "BERT-base-cased", "vocabulary_index", "to", 1106),
             ("Pre-training script", "BERT-base-uncased", "unused_input_share", None,
              f"{MASKED * RANDOM * unused / len(words):.8f}"),
             ("Pre-training script", "BERT-base-uncased", "unused_target_share", None, 0),  # targets are words of texts
             ("Released code", "BERT-base-uncased", "unused_rows_averaged", None, ROWS_AVERAGED),
             ("Released code", None, "removed_components_released", None, COMPONENTS_REMOVED)]
    frame = pd.DataFrame(rows, columns=["artifact", "model", "measure", "word", "printed"])
    frame.insert(2, "family", frame["model"].notna().map({True: "masked", False: None}))
    return frame


if __name__ == "__main__":
    bis2021_public().to_csv(TABLES / "bis2021_public.csv", index=False, lineterminator="\n")
    rows = [row for model in MODELS for row in words_of(model)] + never_first()
    frame = pd.DataFrame(rows, columns=COLUMNS).astype({"layer": "Int64"}).assign(
        artifact="Derived from the released statistics", variant="released statistics")
    frame["family"] = frame["model"].map({"ELMo": "bilstm", "BERT": "masked", "GPT-2": "causal"})
    frame["estimator"] = frame["measure"].map({"maximum_explainable_variance_never_first": "released"})
    frame["printed"] = frame["printed"].map("{:.6f}".format)
    frame.to_csv(TABLES / "ethayarajh2019_words.csv", index=False, lineterminator="\n")
