"""The text as numbers: pieces, windows and words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.corpora import Article, wiki_text
from cwr.errors import UserError
from cwr.making.language_models import text


def test_the_pieces_are_those_of_the_paragraphs_each_closed_by_the_end_token(
    tokenizer, articles, pieces
):
    expected = []
    for article in articles:
        for paragraph in article.paragraphs:
            expected += [
                *tokenizer.encode(paragraph, add_special_tokens=False).ids,
                text.END,
            ]
    assert pieces.tolist() == expected and pieces.dtype == np.uint16


def test_more_articles_than_are_tokenised_at_a_time_come_in_their_order(
    tokenizer, articles, monkeypatch
):
    whole = text.encode(tokenizer, articles)
    monkeypatch.setattr(text, "ARTICLES", 5)
    np.testing.assert_array_equal(text.encode(tokenizer, articles), whole)


def test_no_text_gives_an_unused_token_and_all_of_them_are_in_the_vocabulary(tokenizer):
    tokens = tokenizer.encode("[unused3] and [ unused3 ] [unused199]").tokens
    assert not [token for token in tokens if token.startswith("[unused")]
    size = tokenizer.get_vocab_size()
    assert [tokenizer.token_to_id(f"[unused{n}]") for n in (0, 199)] == [
        size - 200,
        size - 1,
    ]


def test_special_tokens_have_the_numbers_that_the_code_uses(tokenizer):
    numbers = {
        "[PAD]": text.PAD,
        "[CLS]": text.START,
        "[SEP]": text.END,
        "[MASK]": text.MASK,
    }
    assert {token: tokenizer.token_to_id(token) for token in numbers} == numbers


@given(st.lists(st.booleans(), min_size=1, max_size=200), st.integers(2, 40))
def test_windows_cover_a_text_once_and_end_behind_a_sentence_where_one_ends_late_enough(
    ends, size
):
    windows = text.windows(np.array(ends), size)
    assert windows[:, 0].tolist() == [0, *np.cumsum(windows[:, 1])[:-1]]
    assert windows[:, 1].sum() == len(ends)
    for start, length in windows:
        assert 1 <= length <= size
        stop = min(start + size, len(ends))
        late = [end for end in range(start + size * 3 // 4, stop) if ends[end]]
        assert length == (late[-1] + 1 if late else stop) - start


def test_words_are_the_books_own_and_sentences_are_parted_by_one_boundary(tokenise):
    words = text.words([Article(1, "t", ("Rain fell. It didn't stop.",))])
    read = [words.types[number] for number in words.stream]
    assert read == ["", "Rain", "fell", ".", "", "It", "did", "n't", "stop", ".", ""]
    assert words.classes[0] == text.BOUNDARY
    assert words.classes[words.types.index(".")] == 2  # the commonest


def test_rare_and_new_words_share_one_class(articles, tokenise):
    words = text.words(articles, classes=3)
    assert len(set(words.classes)) == 5 and words.classes.max() == 4
    classed = [words.types[list(words.classes).index(number)] for number in (2, 3, 4)]
    assert text.vocabulary_of(words) == classed
    word = next(word for word in classed if word.isalpha())
    other = text.words([Article(1, "t", (f"{word} zebras",))], classed)
    classes = [text.BOUNDARY, classed.index(word) + 2, text.UNKNOWN_WORD, text.BOUNDARY]
    assert other.classes[other.stream].tolist() == classes


def test_more_words_than_the_text_has_are_refused(articles, monkeypatch):
    monkeypatch.setattr(wiki_text, "load", lambda part: iter(articles))
    assert len(text.prefix(60)) == 1 and len(text.prefix(0)) == 24
    with pytest.raises(UserError, match="not 99,999"):
        text.prefix(99_999)
