"""What a pass costs, by the sizes of the models that ship and the pieces that they read."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from cwr import encoders
from cwr.corpora import Corpus, fingerprint, joined, paragraphs
from cwr.errors import UserError
from cwr.texts.gupta2021 import cost, teacher_costs

LINES = ["one bank .", "two unbelievably long banks , and so on !"] * 12


@pytest.fixture(scope="module")
def text():
    """Paragraphs of one sentence, of two, and of twenty-one, which is beyond the window."""
    number = [0, 1, 1] + [2] * 21
    sentences = tuple(
        replace(joined(line.split()), paragraph=paragraph)
        for line, paragraph in zip(LINES, number, strict=True)
    )
    return Corpus("toy", sentences, fingerprint(sentences), "ours")


@pytest.fixture(scope="module", params=["cwr-bert", "cwr-gpt"])
def encoder(request):
    return encoders.load(request.param)


def test_the_weights_are_those_of_the_matrices_in_the_blocks(encoder):
    assert teacher_costs.transformer_of(encoder) == cost.of_bert(192, 4)


def test_rows_have_the_pieces_that_the_teacher_reads(encoder, text):
    texts, _ = paragraphs.paragraphs(text)
    around = teacher_costs.specials(encoder)
    assert around == {"cwr-bert": 2, "cwr-gpt": 1}[encoder.name]
    for corpus in (text, texts):
        tokens = sum(batch.tokens for batch in encoder.encode(corpus.sentences))
        lengths = teacher_costs.row_lengths(encoder, corpus)
        assert lengths.sum() == tokens and lengths.max() <= encoder.window
    whole = teacher_costs.row_lengths(encoder, texts, whole=True)
    pieces = encoder.tokenise(texts.sentences).lengths
    assert whole.tolist() == (pieces + around).tolist() and whole.max() > encoder.window


def test_the_shares_of_paragraphs_are_counted_in_paragraphs(encoder, text):
    shares = teacher_costs.paragraph_shares(encoder, text)
    assert shares == pytest.approx(
        {"one sentence": 1 / 3, "fewer than three": 2 / 3, "longer than the window": 1 / 3}
    )


def test_no_paragraph_is_longer_than_the_window_of_a_model_without_one(text):
    shares = teacher_costs.paragraph_shares(encoders.load("cwr-elmo"), text)
    assert shares["longer than the window"] == 0
    assert shares["fewer than three"] == pytest.approx(2 / 3)


def test_the_rows_are_operations_for_each_word_of_the_corpus(encoder, text):
    rows = teacher_costs.rows(encoder, text)
    calls = {
        row["estimator"]: row["value"] for row in rows if row["measure"] == "teacher_calls"
    }
    value = {
        row.get("estimator", row["measure"]): row["value"]
        for row in rows
        if row["measure"] != "teacher_calls"
    }
    around = teacher_costs.specials(encoder)
    words = sum(len(sentence.words) for sentence in text.sentences)
    lengths = encoder.tokenise(text.sentences).lengths + around
    by_hand = sum(n * (24 * 192**2 + 4 * n * 192) * 4 for n in lengths) / words
    assert value["x2static_sentence"] == pytest.approx(by_hand)
    assert value["x2static_paragraph"] > value["x2static_sentence"]  # rows that overlap
    texts, _ = paragraphs.paragraphs(text)
    lengths = encoder.tokenise(texts.sentences).lengths + around
    by_hand = sum(n * (24 * 192**2 + 4 * n * 192) * 4 for n in lengths) / words
    assert value["paragraph_without_window"] == pytest.approx(by_hand)
    assert calls["x2static_sentence"] == 24 and calls["paragraph_without_window"] == 3
    assert 3 < calls["x2static_paragraph"] < 24  # the long one is several rows
    assert value["teacher_flops_per_call"] == 128 * (24 * 192**2 + 4 * 128 * 192) * 4
    assert value["teacher_output_dimension"] == 192


def test_a_model_that_is_no_transformer_is_refused():
    elmo = SimpleNamespace(name="cwr-elmo", tokenizer=None)
    with pytest.raises(
        UserError, match="cwr-elmo is no transformer, and its operations are not"
    ):
        teacher_costs.transformer_of(elmo)
