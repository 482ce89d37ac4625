"""Converts the training text to numbers: word pieces for the transformers, words for the biLSTM.

All three models see the same articles in full, and so the same blank-separated words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

from cwr.corpora import Article, wiki_text
from cwr.corpora.wiki_text.articles import count_words, first_words
from cwr.encoders.elmo.character_cnn import characters
from cwr.errors import UserError
from cwr.making.language_models import word_files

SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, START, END, MASK = (SPECIALS.index(token) for token in ("[PAD]", "[CLS]", "[SEP]", "[MASK]"))
UNUSED = 200  # entries "[unused0]" ... that no text contains, behind all others
UNKNOWN_WORD, BOUNDARY = 0, 1  # the first two classes of the biLSTM's words
CHARACTERS = 50  # ids of a word of the biLSTM, at most, as in AllenNLP's ELMo
ARTICLES = 500  # as many are tokenised at a time


def prefix(words: int) -> list[Article]:
    """Returns the first training articles, of at least `words` blank-separated words (0: all).

    Articles are sorted by a hash of their titles, so a prefix is a fair sample of the topics.
    Raises UserError for more words than the text has.
    """
    return beginning(wiki_text.load("train"), words, "the training text")


def beginning(articles: Iterable[Article], words: int, name: str) -> list[Article]:
    """Returns the first articles, of at least `words` words in all (0:

    all articles). Raises UserError for more words than the text has. name: the text's name in the
    error.
    """
    if not words:
        return list(articles)
    first = first_words(words, articles)
    total = count_words(first)
    if total < words:
        raise UserError(f"{name} has {total:,} words, not {words:,}: ask for fewer, or for 0 (all)")
    return first


def train_tokenizer(articles: Sequence[Article], size: int = 8192) -> Tokenizer:
    """Learns a cased WordPiece vocabulary of `size` entries from articles; adds UNUSED entries.

    Only the 300 commonest characters are kept (the others become [UNK], 0.03 % of the pieces).
    """
    tokenizer = _wordpiece({token: number for number, token in enumerate(SPECIALS)})
    trainer = trainers.WordPieceTrainer(
        vocab_size=size,
        min_frequency=2,
        limit_alphabet=300,
        special_tokens=list(SPECIALS),
        show_progress=False,
    )
    paragraphs = (paragraph for article in articles for paragraph in article.paragraphs)
    tokenizer.train_from_iterator(paragraphs, trainer)
    return _wordpiece(_with_unused(tokenizer.get_vocab(), UNUSED))


def _wordpiece(vocabulary: dict[str, int]) -> Tokenizer:
    model = models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer(
        lowercase=False, strip_accents=False, handle_chinese_chars=False
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.add_special_tokens(list(SPECIALS))
    return tokenizer


def word_tokenizer(articles: Sequence[Article], size: int, unused: int) -> Tokenizer:
    """Builds a tokenizer of the `size` commonest lower-cased words of the articles.

    The vocabulary is the special tokens, the words from common to rare, and `unused` entries that
    no text has; any other word is [UNK].
    """
    tokenizer = Tokenizer(models.WordLevel({}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordLevelTrainer(
        vocab_size=len(SPECIALS) + size, special_tokens=list(SPECIALS), show_progress=False
    )
    paragraphs = (paragraph for article in articles for paragraph in article.paragraphs)
    tokenizer.train_from_iterator(paragraphs, trainer)
    vocabulary = _with_unused(tokenizer.get_vocab(), unused)
    tokenizer.model = models.WordLevel(vocabulary, unk_token="[UNK]")
    return tokenizer


def _with_unused(vocabulary: dict[str, int], unused: int) -> dict[str, int]:
    new = {f"[unused{number}]": len(vocabulary) + number for number in range(unused)}
    return vocabulary | new


def learned(tokenizer: Tokenizer) -> range:
    """Returns the ids of the entries that are neither special nor unused."""
    names = tokenizer.get_vocab()
    unused = sum(name.startswith("[unused") for name in names)
    return range(len(SPECIALS), len(names) - unused)


def around(tokenizer: Tokenizer, pattern: str) -> Tokenizer:
    """Returns a copy of a tokenizer that puts special tokens around each text.

    pattern: such as "[CLS] $A [SEP]".
    """
    copy = Tokenizer.from_str(tokenizer.to_str())
    tokens = [token for token in ("[CLS]", "[SEP]") if token in pattern]
    numbers = [(token, copy.token_to_id(token)) for token in tokens]
    copy.post_processor = processors.TemplateProcessing(single=pattern, special_tokens=numbers)
    return copy


def encode(tokenizer: Tokenizer, articles: Sequence[Article]) -> np.ndarray:
    """Encodes articles as (pieces,) uint16: all paragraphs, [SEP] after each."""
    closing = around(tokenizer, "$A [SEP]")
    ids = []
    for begin in range(0, len(articles), ARTICLES):
        some = articles[begin : begin + ARTICLES]
        paragraphs = [paragraph for article in some for paragraph in article.paragraphs]
        encodings = closing.encode_batch_fast(paragraphs)
        ids += [np.array(encoding.ids, np.uint16) for encoding in encodings]
    return np.concatenate(ids)


def sentence_ends(tokenizer: Tokenizer, pieces: np.ndarray) -> np.ndarray:
    """Tests which pieces are ".", "?", "!" or the end of a paragraph; returns (pieces,) bool."""
    marks = [tokenizer.token_to_id(mark) for mark in ".?!"]
    return np.isin(pieces, [END, *(mark for mark in marks if mark is not None)])


def windows(ends: np.ndarray, size: int) -> np.ndarray:
    """Cuts a text into windows of at most `size` new pieces; returns starts, lengths, (windows, 2).

    ends: (pieces,) bool, whether a sentence ends with a piece.
    A window ends at the last sentence end in its last quarter if there is one, so that most windows
    begin with a sentence. A model always reads `size` pieces: pieces after a window's new pieces
    are context, and become new pieces of the next window.
    """
    positions = np.where(ends, np.arange(len(ends)), -1)
    last_end = np.maximum.accumulate(positions)  # at or before each piece
    stretches = []
    start = 0
    while start < len(ends):
        stop = min(start + size, len(ends))
        behind_sentence = int(last_end[stop - 1]) + 1
        if behind_sentence > start + size * 3 // 4:
            stop = behind_sentence
        stretches.append((start, stop - start))
        start = stop
    return np.array(stretches, np.int64).reshape(-1, 2)


@dataclass(frozen=True)
class Words:
    """A text as the biLSTM reads it, with one boundary token between sentences."""

    types: list[str]  # the distinct words; type 0 is the boundary
    stream: np.ndarray  # (tokens,) int32 index into types
    classes: np.ndarray  # (types,) int32: what is predicted; rare words share UNKNOWN_WORD


def words(
    articles: Sequence[Article], vocabulary: Sequence[str] | None = None, classes: int = 30_000
) -> Words:
    """Cuts articles into words by the book's tokeniser (`corpora.tokenise`) or their word file.

    vocabulary: the words with their own class; None: the `classes` commonest words of the text.
    """
    types, stream = _types_and_stream(articles)
    if vocabulary is None:
        vocabulary = _commonest(types, stream, classes)
    number = {word: number for number, word in enumerate(vocabulary, start=2)}
    of_types = np.array([number.get(word, UNKNOWN_WORD) for word in types], np.int32)
    of_types[0] = BOUNDARY
    return Words(types, stream, of_types)


def _types_and_stream(articles: Sequence[Article]) -> tuple[list[str], np.ndarray]:
    """Returns "" and the distinct words, by first occurrence, and the text as indices of these."""
    number = {"": 0}
    stream = [0]
    for sentence in word_files.sentences(articles):
        stream.extend(number.setdefault(word, len(number)) for word in sentence)
        stream.append(0)
    return list(number), np.array(stream, np.int32)


def _commonest(types: list[str], stream: np.ndarray, n: int) -> list[str]:
    """Returns the n commonest words; of equally common words those that occur first."""
    counts = np.bincount(stream, minlength=len(types))
    counts[0] = 0
    order = np.argsort(-counts, kind="stable")[:n]
    return [types[i] for i in order if counts[i]]


def vocabulary_of(text: Words) -> list[str]:
    """Lists the words with their own class, sorted by class, for `words` on other texts."""
    order = np.argsort(text.classes, kind="stable")
    return [text.types[i] for i in order if text.classes[i] > BOUNDARY]


def character_table(types: list[str]) -> np.ndarray:
    """Returns the character ids of words, (types, characters) int16.

    types: distinct words; the first type is the boundary, always read as <S>.
    """
    return characters(["<S>", *types[1:]], CHARACTERS)
