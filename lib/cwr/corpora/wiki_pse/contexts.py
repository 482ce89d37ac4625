"""Builds probing sets from mentions: words in context, their classes, and three splits by word.

A *word* is the text of a mention in lower case, also a phrase; a *pair* is a word and a class; a
*context* is one occurrence of a pair (Zhao et al., 2020, section 3.1). Tables have one row per
context:

    sentence, first, last   the number of the sentence, the first and last word, inclusive
    word, class             the pair
    target, link            the page that it names, and whether it links there
    split                   "train", "dev" or "test", the same for all contexts of a word

The paper draws at most 100 contexts per pair, tests on half of the words, and takes a fifth of the
others for development. It does not give the random numbers; here hashes decide, so that a word has
the same split in every corpus, and a smaller sample is part of a larger one.
"""

import hashlib
from collections.abc import Sequence

import numpy as np
import pandas as pd

from cwr.corpora.excerpts import refuse_outside
from cwr.corpora.sentences import Corpus
from cwr.corpora.wiki_pse.mentions import MENTIONS, text_of
from cwr.errors import UserError, quoted

TRAIN, DEV, TEST = SPLITS = ("train", "dev", "test")
CAP = 100  # contexts a pair (section 3.1)
FEWEST_WORDS = 5  # of a sentence
TEST_SHARE, DEV_SHARE = 0.45, 0.2  # of all words, and of those that are no test words
COLUMNS = ["sentence", "first", "last", "word", "class", "target", "link"]
PAIR = ["word", "class"]


def probing_set(
    corpus: Corpus,
    cap: int = CAP,
    seed: int = 0,
    links_only: bool = False,
    strict: bool = True,
    test: float = TEST_SHARE,
    dev: float = DEV_SHARE,
) -> pd.DataFrame:
    """Builds a probing set from a corpus with mentions: at most `cap` contexts per pair, split.

    cap: the most contexts of a pair. links_only: leaves out later mentions. strict: puts a sentence
        into one split only (`separated`), before the sample is drawn, so that a smaller sample is
        part of a larger one.
    test, dev: as in `split_of`. seed: for the sample and the splits.
    Raises UserError as `contexts`.
    """
    table = contexts(corpus, links_only)
    table = table.assign(split=split_of(table["word"], test, dev, seed))
    return capped(corpus, separated(table) if strict else table, cap, seed)


def contexts(
    corpus: Corpus, links_only: bool = False, fewest_words: int = FEWEST_WORDS
) -> pd.DataFrame:
    """Tabulates every mention of a page with a class, in corpus order, with `COLUMNS`.

    Sentences of fewer words (cut at blanks) are left out. links_only: leaves out later mentions.
    Raises UserError for a corpus without such mentions, and for a mention outside its sentence.
    """
    rows = []
    for number, sentence in enumerate(corpus.sentences):
        if len(sentence.text.split()) < fewest_words:
            continue
        for mention in sentence.annotations.get(MENTIONS, ()):
            first, last = mention["first"], mention["last"]
            refuse_outside(sentence, first, last)
            if mention["class"] and (mention["link"] or not links_only):
                word = text_of(sentence, first, last).lower()
                names = mention["class"], mention["target"], mention["link"]
                rows.append((number, first, last, word, *names))
    if not rows:
        raise UserError(
            f"no sentence of {corpus.name} has a word with a semantic class: take wiki-anchors, or "
            f'a .jsonl file with "{MENTIONS}" among its annotations'
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def split_of(
    words: Sequence[str], test: float = TEST_SHARE, dev: float = DEV_SHARE, seed: int = 0
) -> np.ndarray:
    """Computes the split of each word, (words,), by a hash of the seed and the word in lower case.

    test: the share of all words; dev: the share of the words that are no test words.
    """
    lower = pd.Series(words, dtype=object).str.lower()
    drawn = lower.map({word: _uniform(f"{seed}|{word}") for word in lower.unique()})
    names = np.where(drawn < test + (1 - test) * dev, DEV, TRAIN)
    return np.where(drawn < test, TEST, names)


def capped(corpus: Corpus, table: pd.DataFrame, cap: int = CAP, seed: int = 0) -> pd.DataFrame:
    """Keeps at most `cap` contexts of each pair, in the order of the table.

    The kept contexts have the smallest hashes of seed, text and words, so a smaller sample is part
    of a larger one. Raises ValueError for a cap below 1.
    """
    if cap < 1:
        raise ValueError(f"a pair needs at least 1 context, got a cap of {cap}")
    spans = zip(table["sentence"], table["first"], table["last"], strict=True)
    drawn = [_drawn(corpus, seed, *span) for span in spans]
    by_hash = table.assign(drawn=drawn).sort_values("drawn", kind="stable")
    rows = by_hash.groupby(PAIR, sort=False).head(cap).index
    return table.loc[rows.sort_values()].reset_index(drop=True)


def separated(table: pd.DataFrame) -> pd.DataFrame:
    """Assigns each sentence to one split, its last in `SPLITS`, and drops its other contexts.

    A sentence with a test word is only tested on, a sentence with a dev word is not trained on.
    """
    rank = table["split"].map(SPLITS.index)
    highest = rank.groupby(table["sentence"]).transform("max")
    return table[rank == highest].reset_index(drop=True)


def scored_on_dev(
    table: pd.DataFrame, most_train: int = 0, most_dev: int = 0, seed: int = 0
) -> pd.DataFrame:
    """Builds a probing set that learns from train and is scored on dev, as in Figures 5 to 7.

    Dev contexts become the split "test"; a fifth of the train words become "dev", for early
    stopping, so nothing is chosen by the scored contexts. Test words are left out. most_train,
    most_dev: the largest number of train contexts and of dev contexts, seeded draws; 0: all.
    """
    train, dev = (
        _drawn_of(table, name, n, seed) for name, n in ((TRAIN, most_train), (DEV, most_dev))
    )
    stopping = split_of(train["word"], test=0, dev=DEV_SHARE, seed=seed + 1)
    parts = [train.assign(split=stopping), dev.assign(split=TEST)]
    return pd.concat(parts).sort_index().reset_index(drop=True)


def _drawn_of(table: pd.DataFrame, split: str, most: int, seed: int) -> pd.DataFrame:
    """Draws at most `most` contexts of a split, in the order of the table; 0: all."""
    rows = table[table["split"] == split]
    if not 0 < most < len(rows):
        return rows
    return rows.sample(most, random_state=seed).sort_index()


def check(corpus: Corpus, table: pd.DataFrame) -> None:
    """Raises UserError for a word in two splits, and for a target that its sentence lacks.

    A sentence lacks a target if its text at that place is another word, or ends before it.
    """
    splits = table.groupby("word")["split"].unique()
    several = splits[splits.str.len() > 1]
    if len(several):
        both = " and in ".join(several.iloc[0])
        raise UserError(f"the word {quoted(several.index[0])} is in {both}: split by word")
    spans = zip(table["sentence"], table["first"], table["last"], table["word"], strict=True)
    for number, first, last, word in spans:
        sentence = corpus.sentences[number]
        refuse_outside(sentence, first, last)
        text = text_of(sentence, first, last)
        if text.lower() != word:
            raise UserError(
                f"a context of {quoted(word)} shows {quoted(text)} instead (sentence "
                f"{quoted(sentence.id)} of {corpus.name}): make the table of this corpus"
            )


def counts(table: pd.DataFrame, by: Sequence[str] = ("split",)) -> pd.DataFrame:
    """Counts words, pairs and contexts, one row per split (or per value of `by`).

    A table with one row per pair gives its number of contexts in a column `contexts`.
    """
    if "contexts" not in table:
        table = table.assign(contexts=1)
    keys = list(dict.fromkeys([*by, *PAIR]))  # `by` may name the class
    pairs = table.groupby(keys, sort=False)["contexts"].sum().reset_index()
    grouped = pairs.groupby(list(by), sort=False)
    return grouped.agg(
        words=("word", "nunique"), pairs=("word", "size"), contexts=("contexts", "sum")
    )


def _uniform(text: str) -> float:
    """Hashes a string to a number in [0, 1)."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest()) / 2**48


def _drawn(corpus: Corpus, seed: int, sentence: int, first: int, last: int) -> float:
    return _uniform(f"{seed}|{corpus.sentences[sentence].text}|{first}:{last}")
