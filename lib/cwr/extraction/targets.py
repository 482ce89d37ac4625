"""Targets: the words of a corpus to study, as a table (sentence, first word, last word, group).

`sentence` counts the corpus' sentences; `first` and `last` (inclusive) count a sentence's words,
or, for unit="piece", its pieces with special tokens. `group` names the targets that belong
together, for instance by their word.
"""

import hashlib
from array import array
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
    """Returns every occurrence of the words, in corpus order, grouped by word; case matters.

    words: None means every word.
    Raises UserError if none of the words occurs.
    """
    vocabulary = None if words is None else set(words)
    numbers, positions, names = array("q"), array("q"), []
    copy: dict[str, str] = {}  # of each word: one for all its occurrences
    for number, sentence in enumerate(corpus.sentences):
        for position, word in enumerate(sentence.words):
            if vocabulary is None or word in vocabulary:
                numbers.append(number)
                positions.append(position)
                names.append(copy.setdefault(word, word))
    if not names:
        raise UserError(
            f"none of the words {list(words or [])} occurs in {corpus.name}: case "
            "counts, and a word is what spaCy's English tokeniser makes of the text"
        )
    sentence, position = (np.frombuffer(column, np.int64) for column in (numbers, positions))
    return pd.DataFrame({"sentence": sentence, "first": position, "last": position, "group": names})


def frequent(corpus: Corpus, at_least: int, among: pd.DataFrame | None = None) -> pd.DataFrame:
    """Returns the occurrences of words that occur `at_least` times, without punctuation, by word.

    Ethayarajh (2019), section 3.2, speaks of five unique contexts; the released code counts
    occurrences, as this function does.
    among: targets to choose from instead of all words, for instance `pieces(encoder, corpus)`.
    Raises UserError if no word occurs that often.
    """
    among = occurrences(corpus) if among is None else among
    often = among["group"].map(among["group"].value_counts()) >= at_least
    punctuation = among["group"].map(is_punctuation).astype(bool)
    words = among[often & ~punctuation]
    if not len(words):
        raise UserError(
            f"no word occurs {at_least} times in these {len(corpus.sentences)} "
            f"sentences of {corpus.name}: take more sentences or ask for fewer "
            "occurrences"
        )
    return words.reset_index(drop=True)


def pieces(encoder: "Encoder", corpus: Corpus) -> pd.DataFrame:
    """Returns every piece of the corpus by the encoder's tokenizer, grouped by token.

    Special tokens are left out. For unit="piece". The code released with Ethayarajh (2019) counts
    pieces as words for BERT.
    Raises UserError for a model that reads words by their characters (`tokenizer` is None).
    """
    # brings no torch, but its room does
    from cwr.encoders.pieces import concatenated_ranges, special_tokens

    if encoder.tokenizer is None:
        raise UserError(
            f"{encoder.name} reads words by their characters and has no pieces; use `occurrences`"
        )
    before, _ = special_tokens(encoder.tokenizer, encoder.name)
    text = encoder.tokenise(corpus.sentences)
    position = concatenated_ranges(np.full(len(text.lengths), len(before)), text.lengths)
    tokens = np.array(encoder.vocabulary, dtype=object)[text.ids]
    sentence = np.repeat(np.arange(len(text.lengths)), text.lengths)
    return pd.DataFrame(
        {"sentence": sentence, "first": position, "last": position, "group": tokens}
    )


def random_tokens(
    corpus: Corpus,
    n: int,
    seed: int = 0,
    sampling: str = "sentence",
    among: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Draws n words (all if there are fewer), in corpus order, in one group "random".

    Punctuation is included. sampling="sentence": n sentences without replacement, and a uniformly
    drawn word of each, as the code released with Ethayarajh (2019) does; words of short sentences
    are over-represented. sampling="occurrence": uniformly over all words of the corpus, as the
    paper's text says.
    among: targets to draw from instead of all words, for instance `pieces(encoder, corpus)`.
    Raises ValueError for another sampling.
    """
    among = occurrences(corpus) if among is None else among.sort_values("sentence", kind="stable")
    _, starts, lengths = np.unique(among["sentence"], return_index=True, return_counts=True)
    random = np.random.default_rng(seed)
    if sampling == "sentence":
        sentence = np.sort(random.choice(len(starts), min(n, len(starts)), replace=False))
        rows = starts[sentence] + random.integers(lengths[sentence])
    elif sampling == "occurrence":
        rows = np.sort(random.choice(len(among), min(n, len(among)), replace=False))
    else:
        raise ValueError(f'sampling is "sentence" or "occurrence", not {sampling!r}')
    return among.iloc[rows][COLUMNS].assign(group="random").reset_index(drop=True)


@dataclass(frozen=True)
class CheckedTargets:
    """A table of checked targets, arrays (targets,); `group` indexes the sorted `groups`."""

    sentence: np.ndarray
    first: np.ndarray
    last: np.ndarray
    group: np.ndarray
    groups: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.sentence)

    def take(self, rows: np.ndarray) -> "CheckedTargets":
        """Selects targets by their rows, (any,); the groups keep their numbers."""
        columns = (self.sentence, self.first, self.last, self.group)
        return CheckedTargets(*(column[rows] for column in columns), self.groups)

    def fingerprint(self) -> str:
        """Computes the sha256 over all columns, in order."""
        digest = hashlib.sha256("\0".join(self.groups).encode())
        for column in (self.sentence, self.first, self.last, self.group):
            digest.update(np.ascontiguousarray(column, "<i8"))
        return digest.hexdigest()


def check_targets(corpus: Corpus, targets: pd.DataFrame, unit: str = "word") -> CheckedTargets:
    """Checks a table of targets and returns its columns as arrays.

    unit: "word" or "piece", which `first` and `last` count; the number of pieces is not checked.
    Raises ValueError for missing columns, no rows, and spans outside the corpus.
    """
    lacking = [column for column in COLUMNS if column not in targets]
    if lacking or not len(targets):
        raise ValueError(
            f"targets need at least one row and the columns {', '.join(COLUMNS)}; "
            f"got {len(targets)} rows and {', '.join(map(str, targets.columns))}"
        )
    sentence, first, last = (targets[column].to_numpy(np.int64) for column in COLUMNS[:3])
    lengths = np.array([len(text.spans) for text in corpus.sentences])
    if unit == "piece":
        lengths = np.full_like(lengths, np.iinfo(np.int64).max)
    in_corpus = (sentence >= 0) & (sentence < len(lengths))
    length = lengths[np.where(in_corpus, sentence, 0)]
    exists = in_corpus & (first >= 0) & (first <= last) & (last < length)
    if not exists.all():
        row = int(np.argmin(exists))
        raise ValueError(
            f"target {row} (sentence {sentence[row]}, {unit}s {first[row]} to "
            f"{last[row]}) does not exist in {corpus.name}, which has {len(lengths)} "
            "sentences"
        )
    names = np.array([str(name) for name in targets["group"].to_numpy(object)], dtype=object)
    group, groups = pd.factorize(names, sort=True)
    return CheckedTargets(sentence, first, last, group.astype(np.int64), tuple(groups.tolist()))
