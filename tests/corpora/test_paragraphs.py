"""Paragraphs as texts, and a corpus cut or spelled anew: no word is lost, moved or changed."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.corpora import Corpus, Sentence, fingerprint, joined, paragraphs
from cwr.errors import UserError

WORDS = st.sampled_from(["a", "Bank", "İz", "ΟΔΟΣ", ".", "?", "U.S.", "don't", "straße"])


def corpus(*numbered: tuple[int, int, list[str]]) -> Corpus:
    """A corpus of sentences, each given as document, paragraph and words."""
    sentences = []
    for document, paragraph, words in numbered:
        bare = joined(words)
        sentences.append(Sentence("x", bare.text, bare.spans, document, paragraph))
    return Corpus("toy", tuple(sentences), fingerprint(sentences), "ours")


def words_of(text: Corpus) -> list[str]:
    return [word for sentence in text.sentences for word in sentence.words]


@st.composite
def corpora_of_any_shape(draw):
    """Documents of paragraphs of sentences of words."""
    sentence = st.lists(WORDS, min_size=1, max_size=5)
    paragraph = st.lists(sentence, min_size=1, max_size=3)
    documents = draw(
        st.lists(st.lists(paragraph, min_size=1, max_size=3), min_size=1, max_size=3)
    )
    return corpus(
        *(
            (document, number, words)
            for document, content in enumerate(documents)
            for number, lines in enumerate(content)
            for words in lines
        )
    )


@given(corpora_of_any_shape())
def test_paragraphs_keep_every_word_in_order(text):
    whole, _ = paragraphs.paragraphs(text)
    assert words_of(whole) == words_of(text)
    places = [(sentence.document, sentence.paragraph) for sentence in text.sentences]
    assert [(one.document, one.paragraph) for one in whole.sentences] == list(
        dict.fromkeys(places)
    )


@given(corpora_of_any_shape(), st.sampled_from(["sentence", "paragraph"]))
def test_the_targets_of_a_text_are_the_words_of_its_sentences(text, unit):
    texts, table = paragraphs.CUTS[unit](text)
    assert table["group"].tolist() == [
        str(number) for number in range(len(text.sentences))
    ]
    for row, sentence in zip(table.itertuples(), text.sentences, strict=True):
        whole = texts.sentences[row.sentence]
        assert whole.words[row.first : row.last + 1] == sentence.words
        assert (whole.document, whole.paragraph) == (sentence.document, sentence.paragraph)


def test_the_sentences_of_a_paragraph_are_joined_by_one_blank():
    whole, table = paragraphs.paragraphs(
        corpus((0, 0, ["I", "go"]), (0, 0, ["So"]), (0, 1, ["No"]))
    )
    assert [sentence.text for sentence in whole.sentences] == ["I go So", "No"]
    assert whole.sentences[0].spans == ((0, 1), (2, 4), (5, 7))
    assert table.values.tolist() == [[0, 0, 1, "0"], [0, 2, 2, "1"], [1, 0, 0, "2"]]
    assert whole.fingerprint == fingerprint(whole.sentences)


def test_equal_paragraph_numbers_of_two_documents_are_two_paragraphs():
    whole, _ = paragraphs.paragraphs(corpus((0, 3, ["one"]), (1, 3, ["two"])))
    assert [sentence.text for sentence in whole.sentences] == ["one", "two"]


@given(corpora_of_any_shape())
def test_lower_case_keeps_the_words_also_where_a_letter_becomes_longer(text):
    lowered = paragraphs.lower_cased(text)
    assert words_of(lowered) == [word.lower() for word in words_of(text)]
    assert lowered.fingerprint == fingerprint(lowered.sentences)


@given(corpora_of_any_shape())
def test_the_released_cut_ends_sentences_at_end_marks_and_paragraphs_only(text):
    cut = paragraphs.cut_at_end_marks(text)
    assert words_of(cut) == words_of(text)
    for sentence, following in itertools.pairwise(cut.sentences):
        inside = (sentence.document, sentence.paragraph) == (
            following.document,
            following.paragraph,
        )
        assert sentence.words[-1] in (".", "?", "!") or not inside
    for sentence in cut.sentences:
        assert not set(sentence.words[:-1]) & {".", "?", "!"}
        assert sentence.text == " ".join(sentence.words)


@pytest.mark.parametrize("cut", [*paragraphs.CUTS.values(), paragraphs.cut_at_end_marks])
def test_a_corpus_without_sentences_or_with_an_empty_one_is_refused(cut):
    with pytest.raises(UserError, match="toy has no sentences: give one with text"):
        cut(corpus())
    with pytest.raises(
        UserError, match="the sentence 'x' of toy has no words: take it out"
    ):
        cut(corpus((0, 0, ["a"]), (0, 0, [])))


def test_the_sample_has_its_paragraphs(wiki_sample):
    whole, table = paragraphs.paragraphs(wiki_sample)
    assert (len(table), len(whole.sentences)) == (17_822, 5_011)
    assert sum(len(sentence.spans) for sentence in whole.sentences) == 457_734
