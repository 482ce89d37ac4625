"""The samples of Figures 1 to 4: one pass, and the groups that each figure needs."""

import pytest

from cwr import corpora, encoders
from cwr.encoders.encoder import Encoder
from cwr.estimates import samples


@pytest.fixture(scope="module")
def text():
    return corpora.load("lee").sample(40, 0)


def test_one_pass_serves_all_figures_and_a_second_call_needs_none(
    text, monkeypatch, tmp_path
):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    encoder, passes = encoders.load("cwr-elmo"), []
    encode = Encoder.encode
    monkeypatch.setattr(
        Encoder,
        "encode",
        lambda self, *args, **options: (
            passes.append(options["pooling"]),
            encode(self, *args, **options),
        )[1],
    )
    for _ in range(2):
        sample = samples.extract(encoder, text, tokens=30, pooling="first")
    assert passes == ["first"]
    assert len(sample.random.table) == 30
    assert set(sample.sentences.groups()) == {sentence.id for sentence in text.sentences}


def test_words_keep_at_most_cap_vectors_and_sums_of_all(text):
    sample = samples.extract(encoders.load("cwr-elmo"), text, min_contexts=6, cap=4)
    occurrences = [word for sentence in text.sentences for word in sentence.words]
    names, counts = sample.words.groups(), sample.words.sums(0).count
    assert "the" in names and "." not in names
    assert (
        counts.tolist() == [occurrences.count(word) for word in names]
        and counts.min() >= 6
    )
    assert sample.words.table["group"].value_counts().max() == 4
