"""Distils static vectors from contextual ones: a vector per word and layer, from few sentences.

Ethayarajh (2019), section 4.3, Table 1: a word's static vector is the first principal component of
its occurrences in one layer. A model reads few sentences, since only the benchmarks' words are
needed, with a few occurrences each.

    n occurrences of a word, dim dimensions
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from cwr.corpora import Corpus, fingerprint
from cwr.errors import UserError
from cwr.extraction import Extraction, targets
from cwr.measures.static_vectors import of_words, unit_length

EQUAL = 1e-10  # of the squared length: what float32 leaves of equal occurrences
KINDS = {"": "component", "_mean": "mean", "_centred": "centred component"}  # by a measure's ending


# ---- which occurrences


def merged(texts: Sequence[Corpus]) -> Corpus:
    """Merges corpora into one, in their order; of sentences with the same text the first stays.

    The released input of Ethayarajh (2019) repeats a fifth of its sentences.
    """
    first = {}
    for corpus in texts:
        for sentence in corpus.sentences:
            first.setdefault(sentence.text, sentence)
    sentences = tuple(first.values())
    return replace(
        texts[0],
        name=" + ".join(corpus.name for corpus in texts),
        sentences=sentences,
        fingerprint=fingerprint(sentences),
        licence="; ".join(dict.fromkeys(corpus.licence for corpus in texts)),
    )


def occurrences(corpus: Corpus, words: Iterable[str]) -> pd.DataFrame:
    """Lists the occurrences of words in any case, grouped by *cased form*, in corpus order.

    words: in lower case. The column word holds the form in lower case.
    """
    every = targets.occurrences(corpus)
    every["word"] = every["group"].str.lower()
    return every[every["word"].isin(set(words))].reset_index(drop=True)


def frequent_forms(occurrences: pd.DataFrame, at_least: int = 5) -> pd.DataFrame:
    """Selects the occurrences of cased forms that occur `at_least` times.

    The released code of Ethayarajh (2019) counts "Bank" and "bank" apart.
    occurrences: of `occurrences`. Raises UserError if no form is so frequent.
    """
    often = occurrences["group"].map(occurrences["group"].value_counts()) >= at_least
    if not often.any():
        raise UserError(
            f"none of the benchmarks' words has a form that occurs {at_least} times in this text: "
            "take more text or ask for fewer occurrences"
        )
    return occurrences[often]


def first_forms(occurrences: pd.DataFrame) -> pd.DataFrame:
    """Selects the occurrences of each word's first cased form in the text, grouped by word.

    The package behind Table 1 lower-cases the words of vectors, and keeps the first of two that
    then collide.
    """
    first = occurrences.drop_duplicates("word").set_index("word")["group"]
    is_first = occurrences["group"] == occurrences["word"].map(first)
    rows = occurrences[is_first]
    return rows.assign(group=rows["word"])[targets.COLUMNS].reset_index(drop=True)


def few_sentences(occurrences: pd.DataFrame, cap: int, seed: int = 0) -> np.ndarray:
    """Chooses sentences with `cap` occurrences of each word, or all of them: numbers, ascending.

    The rarest words choose first: their sentences are needed in any case, and bring occurrences of
    commoner words. Each word takes sentences in a seeded order, not those of the first pages.
    """
    numbers = occurrences["sentence"].unique()
    order = np.random.default_rng(seed).permutation(len(numbers))
    rank = dict(zip(numbers, order, strict=True))
    words_in = occurrences.groupby("sentence")["group"].agg(list)
    sentences_of = occurrences.groupby("group")["sentence"].agg(list)
    held, selected = Counter(), set()
    for word in sentences_of.map(len).sort_values(kind="stable").index:
        for sentence in sorted(set(sentences_of[word]), key=rank.get):
            if held[word] >= cap:
                break
            if sentence not in selected:
                selected.add(sentence)
                held.update(words_in[sentence])
    return np.array(sorted(selected))


def in_few_sentences(occurrences: pd.DataFrame, cap: int, seed: int = 0) -> pd.DataFrame:
    """Selects the occurrences in `few_sentences`, with its arguments, as targets of one pass."""
    sentences = few_sentences(occurrences, cap, seed)
    return occurrences[occurrences["sentence"].isin(sentences)].reset_index(drop=True)


# ---- one vector a word


def varying(extraction: Extraction) -> set[str]:
    """Returns the words whose occurrences differ in every layer above the input.

    A word that always opens its sentence has one vector in a causal model with a start token, hence
    no centred component.
    extraction: keeps `vectors` of all layers, grouped by word.
    """
    group, names = pd.factorize(extraction.table["group"])
    _, first = np.unique(group, return_index=True)
    is_varying = np.ones(len(names), dtype=bool)
    for layer in range(1, extraction.n_layers + 1):
        vectors = extraction.vectors(layer).astype(np.float64)
        steps = vectors - vectors[first[group]]  # (rows, dim)
        spread = np.bincount(group, np.einsum("rd,rd->r", steps, steps))
        size = np.bincount(group, np.einsum("rd,rd->r", vectors, vectors))
        is_varying &= spread > EQUAL * size
    return set(names[is_varying])


def distil(
    extraction: Extraction,
    layer: int,
    kind: str = "",
    words: Iterable[str] | None = None,
    cap: int | None = None,
) -> dict[str, np.ndarray]:
    """Distils a unit vector for each word, (dim,), from its occurrences in one layer.

    extraction: keeps `vectors`, grouped by word. kind: one of KINDS. words: the words to distil
    (None: all). cap: how many occurrences of each word are used, the first ones (None: all).
    Raises ValueError for a layer that was not kept, and for occurrences without a direction.
    """
    groups = extraction.table["group"]
    is_read = groups.isin(groups if words is None else set(words))
    if cap is not None:
        is_read &= groups.groupby(groups).cumcount() < cap
    rows = np.flatnonzero(is_read)
    vectors = extraction.vectors(layer)[rows]
    return unit_length(of_words(vectors, groups.to_numpy()[rows], KINDS[kind]))
