"""Sentences: their words, fingerprints and samples, and the way from articles and back."""

import pytest
import spacy

from cwr import corpora
from cwr.corpora import sentences
from cwr.corpora.sentences import Article, cut_into_sentences, word_spans


def test_spans_are_the_words_and_leave_out_only_white_space(lee):
    for sentence in lee.sentences[::50]:
        assert sentence.words == tuple(sentence.text[a:b] for a, b in sentence.spans)
        assert "".join(sentence.words) == "".join(sentence.text.split())
        assert sentence.spans[0][0] == 0 and sentence.spans[-1][1] == len(sentence.text)


def test_words_and_sentences_follow_the_rules_of_spacy():
    hello, fine = corpora.tokenise("  Hello  there. I'm \n fine, Mr. Smith!\n")
    assert hello.text == "Hello  there." and hello.spans == ((0, 5), (7, 12), (12, 13))
    assert fine.words == ("I", "'m", "fine", ",", "Mr.", "Smith", "!")
    assert corpora.tokenise(" \n ") == ()


def test_a_pipeline_that_has_seen_many_words_is_replaced_and_its_successor_reads_alike(
    lee, monkeypatch
):
    documents = list(corpora.articles(lee))[:40]
    before, first = list(cut_into_sentences(documents)), sentences._english()
    monkeypatch.setattr(sentences, "READ_AT_ONCE", 7)
    assert list(cut_into_sentences(documents)) == before and sentences._english() is first
    monkeypatch.setattr(sentences, "MOST_WORDS", 100)
    assert (
        list(cut_into_sentences(documents)) == before and sentences._english() is not first
    )
    assert len(sentences._english().vocab.strings) < len(first.vocab.strings)


def test_punctuation_is_what_spacy_flags(lee):
    words = ("...", ",", "'s", "a", "-")
    assert [word for word in words if corpora.is_punctuation(word)] == ["...", ",", "-"]
    vocabulary = spacy.blank("en").vocab
    characters = {chr(code) for code in range(0x3100) if code}
    for word in characters | {
        word for sentence in lee.sentences for word in sentence.words
    }:
        assert corpora.is_punctuation(word) == vocabulary[word].is_punct, word


def test_a_bare_list_of_words_is_joined_by_blanks_and_says_so():
    sentence = corpora.joined(["can", "n't", "stop"])
    assert sentence.text == "can n't stop" and sentence.words == ("can", "n't", "stop")
    assert sentence.annotations == {"joined": True}


def test_the_fingerprint_follows_texts_and_spans_and_nothing_else():
    one = corpora.Sentence("a", "No way", ((0, 2), (3, 6)))
    renamed = corpora.Sentence("b", "No way", ((0, 2), (3, 6)), 4, 5, {"score": 1})
    shorter = corpora.Sentence("a", "No way", ((0, 2), (3, 5)))
    other = corpora.Sentence("a", "So way", ((0, 2), (3, 6)))
    assert corpora.fingerprint([one]) == corpora.fingerprint([renamed])
    different = [one], [shorter], [other], [one, other], [other, one]
    assert len({corpora.fingerprint(sentences) for sentences in different}) == 5


def test_a_sample_is_seeded_in_corpus_order_and_has_its_own_fingerprint(lee):
    sample = lee.sample(40, seed=3)
    numbers = [lee.sentences.index(sentence) for sentence in sample.sentences]
    assert len(numbers) == 40 and numbers == sorted(numbers)
    assert sample == lee.sample(40, seed=3) != lee.sample(40, seed=4)
    assert sample.fingerprint == corpora.fingerprint(sample.sentences) != lee.fingerprint
    assert lee.sample(0) is lee and lee.sample(10**6) is lee


def test_a_negative_sample_is_refused(lee):
    with pytest.raises(ValueError, match="at least 0, got -1"):
        lee.sample(-1)


def corpus_of(articles):
    sentences = tuple(cut_into_sentences(articles))
    return corpora.Corpus("mine", sentences, corpora.fingerprint(sentences), "none")


def test_sentences_are_numbered_by_article_and_paragraph_and_not_by_the_articles_ids():
    articles = [
        Article(70, "Rivers", ("It rises. It falls.", " ", "It ends.")),
        Article(3, "Hills", ("They stand.",)),
    ]
    numbered = [
        (s.id, s.document, s.paragraph, s.text) for s in cut_into_sentences(articles)
    ]
    assert numbered == [
        ("0.0.0", 0, 0, "It rises."),
        ("0.0.1", 0, 0, "It falls."),
        ("0.2.0", 0, 2, "It ends."),
        ("1.0.0", 1, 0, "They stand."),
    ]


def test_articles_that_were_cut_are_rejoined_paragraph_by_paragraph():
    articles = [
        Article(0, "mine 0", ("It rises. It falls!", "It ends.")),
        Article(1, "mine 1", ("They stand.",)),
    ]
    assert list(corpora.articles(corpus_of(articles))) == articles


def test_a_rejoined_paragraph_has_one_blank_between_its_sentences():
    corpus = corpus_of([Article(0, "", ("  It rises.   Does it?\n",))])
    assert next(corpora.articles(corpus)).paragraphs == ("It rises. Does it?",)


def test_the_words_of_a_text_are_counted_from_its_first_character():
    assert list(word_spans(["Hi there. You!", "", " x"])) == [
        ((0, 2), (3, 8), (8, 9), (10, 13), (13, 14)),
        (),
        ((1, 2),),
    ]
