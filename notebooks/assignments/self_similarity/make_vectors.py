"""Make vectors.npz, the file that travels with the assignment: python make_vectors.py

Twelve words of the Lee news corpus in fifteen sentences each, and random tokens for the baseline, as MiniLM
sees them in four of its layers. With seed 0 only the random tokens are drawn.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from cwr import corpora, encoders, extraction
from cwr.extraction import targets

FILE = Path(__file__).with_name("vectors.npz")
WORDS = (
    "the",
    "of",
    "to",
    "well",
    "left",
    "lead",
    "match",
    "fire",
    "police",
    "company",
    "Sydney",
    "Christmas",
)
LAYERS = (
    0,
    2,
    4,
    6,
)  # the input, the last layer, and two between: all seven would not fit into 1 MB
OCCURRENCES = 15
TOKENS = 120
CONTEXT = 40  # characters on either side, as in a concordance
LICENCE = (
    "Contexts: Lee, Pincombe and Welsh (2005), provided to the gensim project by Michael D. Lee and "
    "distributed in its LGPL-2.1 package; no terms of its own are stated, so only short contexts are quoted. "
    "Vectors: computed with all-MiniLM-L6-v2 (Apache-2.0) from the whole sentences."
)


def chosen_occurrences(corpus: corpora.Corpus, seed: int = 0) -> pd.DataFrame:
    """Targets: OCCURRENCES of each word, each the first in its story.

    Some stories repeat sentences of others; a sentence is taken once, for in its copy a word has cosine one.
    The stories are spread over the corpus; with another seed than 0 they are drawn.
    """
    table = targets.occurrences(corpus, WORDS)
    table["story"] = [corpus.sentences[number].document for number in table["sentence"]]
    table["text"] = [corpus.sentences[number].text for number in table["sentence"]]
    firsts = table.drop_duplicates(["group", "text"]).drop_duplicates(["group", "story"])
    parts = [firsts[firsts["group"] == word].drop(columns=["story", "text"]) for word in WORDS]
    generator = np.random.default_rng(seed)
    chosen = []
    for part in parts:
        rows = np.linspace(0, len(part) - 1, OCCURRENCES).astype(int)
        if seed:
            rows = np.sort(generator.choice(len(part), OCCURRENCES, replace=False))
        chosen.append(part.iloc[rows])
    return pd.concat(chosen, ignore_index=True)


def context(corpus: corpora.Corpus, sentence: int, word: int) -> tuple[str, str]:
    """What stands left and right of a word in its sentence, whole words of at most CONTEXT characters."""
    text, (start, end) = corpus.sentences[sentence].text, corpus.sentences[sentence].spans[word]
    before, after = text[:start], text[end:]
    if len(before) > CONTEXT:
        before = before[-CONTEXT:].partition(" ")[2]
    if len(after) > CONTEXT:
        after = after[:CONTEXT].rpartition(" ")[0]
    return before, after


def layers_of(
    encoder: "encoders.Encoder", corpus: corpora.Corpus, table: pd.DataFrame
) -> np.ndarray:
    """float16 (layers, targets, dim): the vectors of all targets in the chosen layers."""
    run = extraction.run(encoder, corpus, targets=table)
    if run.missing:
        raise ValueError(f"{run.missing} of the chosen tokens have no vector")
    return np.stack([run.vectors(layer) for layer in LAYERS]).astype(np.float16)


def contents(seed: int = 0) -> dict[str, np.ndarray]:
    """Everything in the file, by name; arrays of numbers and of text, so that no pickle is needed."""
    corpus, encoder = corpora.load("lee"), encoders.load("minilm", device="cpu")
    table, random = chosen_occurrences(corpus, seed), targets.random_tokens(corpus, TOKENS, seed)
    per_word = (len(WORDS), OCCURRENCES)
    vectors = layers_of(encoder, corpus, table).reshape(len(LAYERS), *per_word, encoder.dim)
    sides = [
        context(corpus, *place) for place in zip(table["sentence"], table["first"], strict=True)
    ]
    sentences = np.array([sentence.id for sentence in corpus.sentences])
    return {
        "words": np.array(WORDS),
        "layers": np.array(LAYERS),
        "occurrences": vectors.transpose(1, 0, 2, 3),  # (words, layers, occurrences, dim)
        "left": np.array([left for left, _ in sides]).reshape(per_word),
        "right": np.array([right for _, right in sides]).reshape(per_word),
        "sentence": sentences[table["sentence"]].reshape(per_word),
        "position": table["first"].to_numpy().reshape(per_word),
        "random_tokens": layers_of(encoder, corpus, random),  # (layers, tokens, dim)
        "random_words": np.array(
            [
                corpus.sentences[sentence].words[word]
                for sentence, word in zip(random["sentence"], random["first"], strict=True)
            ]
        ),
        "licence": np.array(LICENCE),
    }


if __name__ == "__main__":
    np.savez_compressed(FILE, **contents())
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")
