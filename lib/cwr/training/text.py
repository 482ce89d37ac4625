"""The training text as numbers: word pieces for the masked and the causal model, words for the biLSTM.

All three models see the same articles in full, and so the same blank-separated words.
"""
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from cwr import corpora
from cwr.corpora import Article, wiki_text
from cwr.corpora.wiki_text.articles import count_words, first_words
from cwr.encoders.elmo.character_cnn import characters
from cwr.errors import UserError

SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")                  # ids 0 to 4
PAD, UNKNOWN, START, END, MASK = range(5)
UNUSED = 200                    # entries "[unused0]" ... that no text contains, behind all others
UNKNOWN_WORD, BOUNDARY = 0, 1   # the first two classes of the biLSTM's words
CHARACTERS = 50                 # a word of the biLSTM: at most so many character ids, as AllenNLP's ELMo


def prefix(words: int) -> list[Article]:
    """The first training articles that hold at least so many blank-separated words; all of them for 0.

    The order is by a hash of the titles, so a prefix is a fair sample of the topics. Refuses more words than
    there are.
    """
    return beginning(wiki_text.load("train"), words, "the training text")


def beginning(among: Iterable[Article], words: int, name: str) -> list[Article]:
    """The first articles that hold at least so many words; all for 0. Refuses more words than the text `name` has."""
    if not words:
        return list(among)
    taken = first_words(words, among)
    if (seen := count_words(taken)) < words:
        raise UserError(f"{name} has {seen:,} words, not {words:,}: ask for fewer, or for 0 (all)")
    return taken


def train_tokenizer(chosen: Sequence[Article], size: int = 8192) -> Tokenizer:
    """A cased WordPiece vocabulary of `size` entries learned from the articles, and `UNUSED` more behind it.

    Only the 300 commonest characters are kept (the others become [UNK], 0.03 % of the pieces).
    """
    learned = _wordpiece({token: number for number, token in enumerate(SPECIALS)})
    trainer = trainers.WordPieceTrainer(vocab_size=size, min_frequency=2, limit_alphabet=300,
                                        special_tokens=list(SPECIALS), show_progress=False)
    learned.train_from_iterator((p for article in chosen for p in article.paragraphs), trainer)
    vocabulary = learned.get_vocab()
    vocabulary |= {f"[unused{number}]": len(vocabulary) + number for number in range(UNUSED)}
    return _wordpiece(vocabulary)


def _wordpiece(vocabulary: dict[str, int]) -> Tokenizer:
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False, handle_chinese_chars=False)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    made.add_special_tokens(list(SPECIALS))
    return made


def around(tokenizer: Tokenizer, pattern: str) -> Tokenizer:
    """A copy that puts special tokens around each text: "[CLS] $A [SEP]" masked, "[CLS] $A" causal."""
    copy = Tokenizer.from_str(tokenizer.to_str())
    used = [(token, copy.token_to_id(token)) for token in ("[CLS]", "[SEP]") if token in pattern]
    copy.post_processor = processors.TemplateProcessing(single=pattern, special_tokens=used)
    return copy


def encode(tokenizer: Tokenizer, chosen: Sequence[Article]) -> np.ndarray:
    """(pieces,) uint16: all paragraphs end to end, each closed by [SEP]."""
    bare, parts = around(tokenizer, "$A [SEP]"), []
    for begin in range(0, len(chosen), 500):                     # bounds what the tokenizer holds at once
        paragraphs = [p for article in chosen[begin:begin + 500] for p in article.paragraphs]
        parts += [np.array(made.ids, np.uint16) for made in bare.encode_batch_fast(paragraphs)]
    return np.concatenate(parts)


def sentence_ends(tokenizer: Tokenizer, pieces: np.ndarray) -> np.ndarray:
    """(pieces,) bool: a full stop, question or exclamation mark, or the end of a paragraph."""
    ends = [END, *(tokenizer.token_to_id(mark) for mark in ".?!" if tokenizer.token_to_id(mark) is not None)]
    return np.isin(pieces, ends)


def windows(ends: np.ndarray, size: int) -> np.ndarray:
    """(windows, 2) start and number of new pieces: stretches that cover a text once, each at most `size` long.

    A stretch is cut behind the last sentence end in its last quarter if there is one, so that most windows
    begin as a single sentence would. What a model reads of a window is always `size` pieces; those beyond the
    new ones are context, read again as new pieces of the next window.
    """
    last_end = np.maximum.accumulate(np.where(ends, np.arange(len(ends)), -1))       # at or before each piece
    cuts, start = [], 0
    while start < len(ends):
        stop = min(start + size, len(ends))
        end = int(last_end[stop - 1]) + 1
        cuts.append((start, (end if end > start + size * 3 // 4 else stop) - start))
        start = sum(cuts[-1])
    return np.array(cuts, np.int64).reshape(-1, 2)


@dataclass(frozen=True)
class Words:
    """A text as the biLSTM reads it. Sentences are parted by one boundary token, which opens and closes them."""

    types: list[str]            # the distinct words; type 0 is the boundary
    stream: np.ndarray          # (tokens,) int32 index into types
    classes: np.ndarray         # (types,) int32: what is predicted; rare words share UNKNOWN_WORD


def words(chosen: Sequence[Article], known: Sequence[str] | None = None, classes: int = 30_000) -> Words:
    """The articles' words by the book's own tokeniser (`corpora.tokenise`).

    known: the words with classes of their own, in order; None: the `classes` commonest of this text.
    """
    kinds: dict[str, int] = {"": 0}
    stream = [0]
    for article in chosen:
        for paragraph in article.paragraphs:
            for sentence in corpora.tokenise(paragraph):
                stream.extend(kinds.setdefault(word, len(kinds)) for word in sentence.words)
                stream.append(0)
    types, tokens = list(kinds), np.array(stream, np.int32)
    if known is None:
        counts = np.bincount(tokens, minlength=len(types))
        counts[0] = 0
        known = [types[i] for i in np.argsort(-counts, kind="stable")[:classes] if counts[i]]
    number = {word: place for place, word in enumerate(known, start=2)}
    found = np.array([number.get(word, UNKNOWN_WORD) for word in types], np.int32)
    found[0] = BOUNDARY
    return Words(types, tokens, found)


def known(made: Words) -> list[str]:
    """The words with a class of their own, in the order of their classes: what `words` takes for another text."""
    return [made.types[i] for i in np.argsort(made.classes, kind="stable") if made.classes[i] > BOUNDARY]


def character_table(types: list[str]) -> np.ndarray:
    """(types, characters) int16 ids; the first type is the boundary, read as <S> at both ends of a sentence."""
    return characters(["<S>", *types[1:]], CHARACTERS)
