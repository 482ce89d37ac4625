"""Targets: which words of a corpus to look at, as a table (sentence, first word, last word, group).

`sentence` counts the corpus' sentences; `first` and `last` (inclusive) count a sentence's words, or, for
unit="piece", its pieces with special tokens. `group` names what belongs together, for instance the word.
"""
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus, is_punctuation
from cwr.errors import UserError

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

COLUMNS = ["sentence", "first", "last", "group"]


def occurrences(corpus: Corpus, words: Sequence[str] | None = None) -> pd.DataFrame:
    """Every occurrence of the words, in corpus order, grouped by word; case counts. None means every word.

    Raises UserError if none of the words occurs.
    """
    wanted = None if words is None else set(words)
    found = [(number, place, word) for number, sentence in enumerate(corpus.sentences)
             for place, word in enumerate(sentence.words) if wanted is None or word in wanted]
    if not found:
        raise UserError(f"none of the words {list(words or [])} occurs in {corpus.name}: case counts, and a "
                        "word is what spaCy's English tokeniser makes of the text")
    sentence, place, word = zip(*found, strict=True)
    return pd.DataFrame({"sentence": sentence, "first": place, "last": place, "group": word})


def frequent(corpus: Corpus, at_least: int, among: pd.DataFrame | None = None) -> pd.DataFrame:
    """The occurrences of words that occur `at_least` times, punctuation left out, grouped by word.

    Ethayarajh (2019), section 3.2, speaks of five unique contexts; the released code counts occurrences, as here.
    among: targets to choose from instead of all words, for instance `pieces(encoder, corpus)`.
    Raises UserError if no word occurs so often.
    """
    every = occurrences(corpus) if among is None else among
    often = every["group"].map(every["group"].value_counts()) >= at_least
    found = every[often & ~every["group"].map(is_punctuation).astype(bool)]
    if not len(found):
        raise UserError(f"no word occurs {at_least} times in these {len(corpus.sentences)} sentences of {corpus.name}: "
                        "take more sentences or ask for fewer occurrences")
    return found.reset_index(drop=True)


def pieces(encoder: "Encoder", corpus: Corpus) -> pd.DataFrame:
    """Every piece that the encoder's tokenizer makes of the corpus, grouped by token; no special tokens.

    To be used with unit="piece". The code released with Ethayarajh (2019) counts pieces as words for BERT.
    Raises UserError for a model that reads words by their characters (`tokenizer` is None).
    """
    from cwr.encoders.pieces import ranges, special_tokens, tokenise  # brings no torch, but its room does

    if encoder.tokenizer is None:
        raise UserError(f"{encoder.name} reads words by their characters and has no pieces; use `occurrences`")
    before = len(special_tokens(encoder.tokenizer, encoder.name)[0])
    made = tokenise(encoder.tokenizer, [sentence.text for sentence in corpus.sentences])
    place = ranges(np.full(len(made.lengths), before), made.lengths)
    tokens = np.array(encoder.vocabulary, dtype=object)[made.ids]
    sentence = np.repeat(np.arange(len(made.lengths)), made.lengths)
    return pd.DataFrame({"sentence": sentence, "first": place, "last": place, "group": tokens})


def whole_sentences(corpus: Corpus) -> pd.DataFrame:
    """One target a sentence, all its words, grouped by the sentence's id."""
    last = [len(sentence.spans) - 1 for sentence in corpus.sentences]
    names = [sentence.id for sentence in corpus.sentences]
    return pd.DataFrame({"sentence": range(len(last)), "first": 0, "last": last, "group": names})


def random_tokens(corpus: Corpus, n: int, seed: int = 0, sampling: str = "sentence",
                  among: pd.DataFrame | None = None) -> pd.DataFrame:
    """n random words (all if there are fewer), punctuation included, in corpus order, in one group "random".

    sampling="sentence": n sentences without replacement, one uniformly drawn word of each, as the code
    released with Ethayarajh (2019) does; words of short sentences are over-represented.
    sampling="occurrence": uniformly over all words of the corpus, as the paper's text says.
    among: targets to draw from instead of all words, for instance `pieces(encoder, corpus)`.
    """
    among = occurrences(corpus) if among is None else among.sort_values("sentence", kind="stable")
    _, starts, lengths = np.unique(among["sentence"], return_index=True, return_counts=True)
    random = np.random.default_rng(seed)
    if sampling == "sentence":
        sentence = np.sort(random.choice(len(starts), min(n, len(starts)), replace=False))
        drawn = starts[sentence] + random.integers(lengths[sentence])
    elif sampling == "occurrence":
        drawn = np.sort(random.choice(len(among), min(n, len(among)), replace=False))
    else:
        raise ValueError(f'sampling is "sentence" or "occurrence", not {sampling!r}')
    return among.iloc[drawn][COLUMNS].assign(group="random").reset_index(drop=True)


def numbered(corpus: Corpus, targets: pd.DataFrame) -> pd.DataFrame:
    """The targets with a column `repetition`: how many equal ones (group, text, span) stand before each.

    The sample of `vectors(cap)` is drawn by text, span and this number. Number the whole table before it is
    cut into shards; where the column is missing, `run` numbers what it is given.
    """
    text = pd.factorize(np.array([sentence.text for sentence in corpus.sentences], dtype=object))[0]
    keys = targets.assign(text=text[targets["sentence"].to_numpy()])
    return targets.assign(repetition=keys.groupby(["group", "text", "first", "last"]).cumcount())


@dataclass(frozen=True)
class Table:
    """Checked targets as arrays (targets,); `group` indexes the sorted names in `groups`."""

    sentence: np.ndarray
    first: np.ndarray
    last: np.ndarray
    group: np.ndarray
    repetition: np.ndarray
    groups: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.sentence)

    def fingerprint(self) -> str:
        """sha256 over all columns, in order."""
        digest = hashlib.sha256("\0".join(self.groups).encode())
        for column in (self.sentence, self.first, self.last, self.group, self.repetition):
            digest.update(column.astype("<i8").tobytes())
        return digest.hexdigest()


def check(corpus: Corpus, targets: pd.DataFrame, unit: str = "word") -> Table:
    """The targets as arrays. Raises ValueError for missing columns, no rows, places outside the corpus."""
    lacking = [column for column in COLUMNS if column not in targets]
    if lacking or not len(targets):
        raise ValueError(f"targets need at least one row and the columns {', '.join(COLUMNS)}; "
                         f"got {len(targets)} rows and {', '.join(map(str, targets.columns))}")
    sentence, first, last = (targets[column].to_numpy(np.int64) for column in COLUMNS[:3])
    lengths = np.array([len(s.spans) if unit == "word" else np.iinfo(np.int64).max for s in corpus.sentences])
    known = (sentence >= 0) & (sentence < len(lengths))
    right = known & (first >= 0) & (first <= last) & (last < lengths[np.where(known, sentence, 0)])
    if not right.all():
        row = int(np.argmin(right))
        raise ValueError(f"target {row} (sentence {sentence[row]}, {unit}s {first[row]} to {last[row]}) does "
                         f"not exist in {corpus.name}, which has {len(lengths)} sentences")
    if "repetition" not in targets:
        targets = numbered(corpus, targets)
    group, groups = pd.factorize(np.array([str(name) for name in targets["group"]], dtype=object), sort=True)
    repetition = targets["repetition"].to_numpy(np.int64)
    return Table(sentence, first, last, group.astype(np.int64), repetition, tuple(groups.tolist()))
