"""Reads contexts whose target is masked, one pass of the teacher per target.

In Gupta and Jaggi (2021), equation 3, a word stands in its own context: the teacher reads it, so it
is in the mean, and in the vectors of its neighbours. Section 3.1 expects a better pair from a
sentence with its target masked, but the authors did not pay the price, an inference per word. Here
it is paid for a sample of targets, and the same targets stand in three contexts: within their
sentence, left out of its mean, and masked.

    n targets, v words of the vocabulary, dim dimensions
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr import extraction
from cwr.corpora import Corpus, Sentence
from cwr.corpora.paragraphs import lower_cased, rewritten, sentences
from cwr.corpora.sentences import shifted_spans
from cwr.encoders.pieces import concatenated_ranges, word_units
from cwr.errors import UserError, quoted
from cwr.estimates.contexts import Vocabulary
from cwr.extraction import Extraction

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

WITHIN, LEFT_OUT, MASKED = "within", "left out", "masked"
FAMILY = "masked"  # of teachers that have learned what a mask is


@dataclass(frozen=True, eq=False)
class MaskedTargets:
    """A sample of targets, and the contexts of each.

    vocabulary: the words and counts of the whole text, but one sentence per target, which holds the
    target alone: for `x2static.train`, beside one of the contexts. At a threshold of 1 each target
    counts at each visit, so that trainings by one seed differ in their contexts alone.
    contexts: {WITHIN, LEFT_OUT or MASKED: (n, dim) float32}.
    runs: the extractions behind them, for the record of a notebook.
    """

    vocabulary: Vocabulary
    contexts: dict[str, np.ndarray]
    runs: list[Extraction]


def draw(vocabulary: Vocabulary, shares: np.ndarray, n: int, seed: int = 0) -> pd.DataFrame:
    """Draws n targets, in the order of the text: columns sentence, position in it, word (a number).

    shares: (v,), the probability that an occurrence of each word is a target. Sentences of one word
    have none, since masking would leave nothing.
    Raises UserError for a text with fewer targets.
    """
    lengths, word = vocabulary.tokens.lengths, vocabulary.tokens.flat
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    position = concatenated_ranges(np.zeros_like(lengths), lengths)
    random = np.random.default_rng(seed)
    chance = np.append(shares, 0.0)[word]  # the last is read by -1
    is_target = (random.random(len(word)) < chance) & (lengths[sentence] >= 2)
    rows = np.flatnonzero(is_target)
    if len(rows) < n:
        raise UserError(
            f"the text has {len(rows)} targets that can be masked, not {n}: give more text, or ask "
            "for fewer"
        )
    rows = np.sort(random.choice(rows, n, replace=False))
    columns = {"sentence": sentence, "position": position, "word": word}
    return pd.DataFrame({name: numbers[rows] for name, numbers in columns.items()})


def read(
    encoder: "Encoder", corpus: Corpus, vocabulary: Vocabulary, targets: pd.DataFrame
) -> MaskedTargets:
    """Reads the contexts of a sample of targets in the teacher's last layer, by two passes.

    encoder: of the family "masked". vocabulary: of the corpus. targets: of `draw`.
    Raises UserError as `masked`.
    """
    texts = lower_cased(corpus)
    plain = rewritten(texts, [texts.sentences[number] for number in targets["sentence"]])
    with_masks = masked(encoder, plain, targets["position"])
    _, whole = sentences(plain)
    alone = whole.assign(first=targets["position"], last=targets["position"])
    last = [extraction.vectors(layers=[-1])]
    before = extraction.run(encoder, plain, pd.concat([whole, alone]), reducers=last)
    behind = extraction.run(encoder, with_masks, whole, reducers=last)
    means, words = np.split(before.vectors(encoder.n_layers), 2)  # (n, dim) each
    lengths = (whole["last"] + 1).to_numpy()[:, None]
    others = (lengths * means - words) / (lengths - 1)
    contexts = {
        WITHIN: np.array(means),
        LEFT_OUT: others.astype(np.float32),
        MASKED: np.array(behind.vectors(encoder.n_layers)),
    }
    tokens = [np.array([word]) for word in targets["word"]]
    return MaskedTargets(replace(vocabulary, tokens=tokens), contexts, [before, behind])


def masked(encoder: "Encoder", corpus: Corpus, positions: Sequence[int]) -> Corpus:
    """Masks one word of each sentence of a corpus, with as many masks as the word has pieces.

    positions: (sentences,), of the word in its sentence. If a piece reaches into the next word
    ("don" of "do" and "n't"), the rest of the next word is tokenised anew.
    Raises UserError for a teacher of another family than "masked", a word without a piece, and a
    teacher that does not read its mask as a mask within a text.
    """
    if encoder.family != FAMILY:
        raise UserError(
            f"{encoder.name} is of the family {encoder.family} and has not learned what a mask is: "
            f"name a teacher of the family {FAMILY}"
        )
    positions = np.asarray(positions)
    counts = _piece_counts(encoder, corpus, positions)
    mask = encoder.tokenizer.mask_token
    columns = zip(corpus.sentences, positions.tolist(), counts.tolist(), strict=True)
    new = rewritten(corpus, [_masked(*row, mask) for row in columns])
    pieces = encoder.tokenise(new.sentences)
    sentence = np.repeat(np.arange(len(counts)), pieces.lengths)
    is_mask = pieces.ids == encoder.tokenizer.mask_token_id
    if not np.array_equal(np.bincount(sentence[is_mask], minlength=len(counts)), counts):
        raise UserError(
            f"{encoder.name} does not read {mask} in a text as its mask: name another teacher"
        )
    return new


def _masked(sentence: Sentence, position: int, pieces: int, mask: str) -> Sentence:
    start, stop = sentence.spans[position]
    masks = mask * pieces
    behind = shifted_spans(sentence.spans[position + 1 :], len(masks) - (stop - start))
    spans = (*sentence.spans[:position], (start, start + len(masks)), *behind)
    text = sentence.text[:start] + masks + sentence.text[stop:]
    return replace(sentence, text=text, spans=spans)


def _piece_counts(encoder: "Encoder", corpus: Corpus, positions: np.ndarray) -> np.ndarray:
    """(sentences,) of how many pieces the word at each position is.

    Raises UserError for a word without a piece.
    """
    spans = [sentence.spans for sentence in corpus.sentences]
    units = word_units(encoder.tokenise(corpus.sentences), spans)
    is_target = units.position == positions[units.sentence]
    counts = np.zeros(len(positions), np.int64)
    counts[units.sentence[is_target]] = (units.stop - units.start)[is_target]
    if not counts.all():
        text = quoted(corpus.sentences[int(np.argmin(counts))].text)
        raise UserError(
            f"{encoder.name} reads no piece of a target in {text} of {corpus.name}: take it out"
        )
    return counts
