"""Tells the kind of each row of a token matrix by the token's spelling and the tokenizer.

word      begins a word: "bank" of WordPiece, "Ġbank" of byte-level BPE, "▁bank" of SentencePiece
piece     stands inside a word, or at the very beginning of a text: "##ing", "ing"
special   has a role: begin, end, padding, unknown, mask, ...
unused    an entry without a use, called so: "[unused17]", "<unused17>"
reserved  any other entry that no plain text has, and rows without an entry
byte      a single byte: one of the 256 signs of byte-level BPE, "<0x0A>" of SentencePiece
"""

import re
from collections.abc import Collection, Sequence

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers

KINDS = ("word", "piece", "special", "unused", "reserved", "byte")
UNUSED = re.compile(r"[\[<]unused_?\d+[\]>]")
RESERVED = re.compile(r"madeupword\d+|<\|?reserved_.*>|<extra_id_\d+>")
BYTE = re.compile(r"<0x[0-9A-F]{2}>")
BYTE_LEVEL, SENTENCEPIECE = "\u0120", "\u2581"  # how the two spell the blank before a word
ALPHABET = frozenset(pre_tokenizers.ByteLevel.alphabet())


def kinds(tokens: Sequence[str], tokenizer: Tokenizer, roles: Collection[str]) -> np.ndarray:
    """Returns the kind of each row, (rows,) str.

    tokens: the token of each row, "" for none. roles: the special tokens by the model's files; if
    empty, those that the tokenizer marks.
    """
    added = tokenizer.get_added_tokens_decoder().values()
    marked = {token.content for token in added if token.special}
    special = set(roles) or marked
    marker = blank(tokens, tokenizer)

    def kind(token: str) -> str:
        """Returns the kind of one token by the first rule that applies."""
        if BYTE.fullmatch(token) or (marker == BYTE_LEVEL and token in ALPHABET):
            return "byte"
        if UNUSED.fullmatch(token):
            return "unused"
        if token in special:
            return "special"
        if not token or token in marked or RESERVED.fullmatch(token):
            return "reserved"
        return "word" if begins_word(token) else "piece"

    def begins_word(token: str) -> bool:
        return token.startswith(marker) if marker else not token.startswith("##")

    return np.array([kind(token) for token in tokens], dtype="<U8")


def blank(tokens: Sequence[str], tokenizer: Tokenizer) -> str:
    """Returns the sign with which a vocabulary spells the blank before a word.

    The sign is "" for WordPiece and for vocabularies of whole words, which spell no blank.
    """
    if isinstance(tokenizer.model, models.WordPiece | models.WordLevel):
        return ""
    first_signs = [token[:1] for token in tokens]
    return max((BYTE_LEVEL, SENTENCEPIECE), key=first_signs.count)
