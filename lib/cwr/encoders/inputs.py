"""Implements three inputs of words to byte-level BPE models; two of them were mistakes.

Such a vocabulary spells the blank before a word (" bank" is "Ġbank"), so that "bank" alone, without
the blank, stands for a word's later part or for the first word of a text. Statistics and code
released with Ethayarajh (2019) look up spaCy's words without that blank:

offsets            the model's own pieces of the whole text, aligned to words by character offsets
bare_or_bang       one piece per word: the word without its blank if the vocabulary has it, else "!"
                   (GPT-2's token 0, which its tokenizer of 2019 gave for unknown words). The
                   released statistics fit this input.
repair_misaligned  the word without its blank; if there is none, with it; else the word's pieces.
                   The i-th word is then read from the i-th piece, so that behind a word of several
                   pieces each word has the vector of an earlier piece (`preprocess.py`, as
                   released). The word "!" itself also counts as unknown.
"""

import copy
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from tokenizers import decoders, models

from cwr.encoders.pieces import Pieces, SentenceLike, concatenated_ranges, starts
from cwr.encoders.token_kinds import BYTE_LEVEL
from cwr.errors import UserError, quoted

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

OFFSETS = "offsets"
UNKNOWN = "!"


def bare_or_bang(word: str, tokenizer, vocabulary: dict[str, int]) -> list[int]:
    """Returns the id of the word without its blank, else the id of "!", in a list of one."""
    return [vocabulary.get(word, vocabulary[UNKNOWN])]


def repair_misaligned(word: str, tokenizer, vocabulary: dict[str, int]) -> list[int]:
    """Returns the id of the word without its blank, else with it, else the ids of its pieces."""
    for spelling in (word, BYTE_LEVEL + word):
        if spelling != UNKNOWN and spelling in vocabulary:
            return [vocabulary[spelling]]
    return tokenizer(word, add_special_tokens=False)["input_ids"]


LOOK_UPS = {function.__name__: function for function in (bare_or_bang, repair_misaligned)}
INPUTS = (OFFSETS, *LOOK_UPS)


def with_input(encoder: "Encoder", name: str) -> "Encoder":
    """Returns a copy of an encoder, sharing its weights, with another input of words.

    name: one of INPUTS.
    Raises UserError for another name, and for a LOOK_UPS input of a model without byte-level BPE.
    """
    if name not in INPUTS:
        raise UserError(f"there is no input {quoted(name)}; choose one of {', '.join(INPUTS)}")
    if name in LOOK_UPS and not _is_byte_level(encoder.tokenizer):
        raise UserError(
            f"the input {name} looks words up in a byte-level BPE, which {encoder.name} does not "
            f'have; leave the input "{OFFSETS}", or choose a model like smollm2'
        )
    encoder = copy.copy(encoder)
    encoder.word_input = name
    encoder.__dict__.pop("fingerprint", None)  # a cached one is that of the other input
    return encoder


def look_up(name: str, tokenizer, sentences: Sequence[SentenceLike]) -> Pieces:
    """Returns the pieces of the sentences' words, each with its word's span.

    name: one of LOOK_UPS.
    """
    words, spans = [], []
    for sentence in sentences:
        spans += sentence.spans
        words += [sentence.text[start:stop] for start, stop in sentence.spans]
    number = {word: row for row, word in enumerate(dict.fromkeys(words))}
    ids = _ids(LOOK_UPS[name], tokenizer, list(number))
    which = np.array([number[word] for word in words], np.int64)  # (words,) rows of `ids`
    counts = np.array([len(row) for row in ids], np.int64)
    pieces = concatenated_ranges(starts(counts)[which], counts[which])
    span = np.repeat(np.array(spans, np.int64).reshape(-1, 2), counts[which], axis=0)
    first_word = starts(np.array([len(sentence.spans) for sentence in sentences], np.int64))
    first = starts(counts[which])[first_word]
    flat = np.array([one for row in ids for one in row], np.int64)
    return Pieces(flat[pieces], span, first)


def _ids(look_up_word: Callable, tokenizer, words: Sequence[str]) -> list[list[int]]:
    """Returns the ids of each word, (words, any)."""
    vocabulary = tokenizer.get_vocab()
    return [look_up_word(word, tokenizer, vocabulary) for word in words]


def _is_byte_level(tokenizer) -> bool:
    """Tells whether a tokenizer is a byte-level BPE, as those of GPT-2, RoBERTa and SmolLM2."""
    if tokenizer is None:
        return False
    backend = tokenizer.backend_tokenizer
    over_bytes = isinstance(backend.decoder, decoders.ByteLevel)
    return over_bytes and isinstance(backend.model, models.BPE)
