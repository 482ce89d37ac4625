"""One more sentence for the probes of a task: it alone is tested, and nothing else is lost."""

import numpy as np
import pytest

from cwr import corpora, encoders
from cwr.corpora import Corpus, edge_tasks
from cwr.corpora.folds import TRAINED
from cwr.errors import UserError
from cwr.texts.survey import edges, one_sentence, spans

pytest.importorskip(
    "gensim", reason="needs gensim, which brings the Lee corpus: pip install gensim"
)
pytest.importorskip("spacy", reason="needs spaCy, which finds words: pip install spacy")

TEXT = "He smoked Toronto in the playoffs, not New York."


def test_a_span_is_found_by_its_words():
    sentence, target = one_sentence.words_of(TEXT, "Toronto")
    assert sentence.words[target[0] : target[1] + 1] == ("Toronto",)
    sentence, target = one_sentence.words_of(TEXT, "New York")
    assert sentence.words[target[0] : target[1] + 1] == ("New", "York")
    _, target = one_sentence.words_of("So, no: so it is.", "so")
    assert target == (4, 4)  # neither "So" nor a part of another word


@pytest.mark.parametrize(
    "text, span, words",
    [
        (TEXT, "Boston", "do not stand in the text"),
        (TEXT, "toronto", "with its capitals"),
        (TEXT, "Toron", "do not stand"),
        (TEXT, "", "do not stand"),
        ("One. Two.", "One", "has 2"),
        ("", "One", "has 0"),
    ],
)
def test_a_text_without_the_span_is_refused(text, span, words):
    with pytest.raises(UserError, match=words):
        one_sentence.words_of(text, span)


@pytest.fixture(scope="module")
def gum() -> Corpus:
    whole = corpora.load("gum")
    sentences = whole.sentences[::60]
    return Corpus("few", sentences, corpora.fingerprint(sentences), whole.licence)


@pytest.fixture(scope="module")
def asked(gum):
    encoder = encoders.load("cwr-bert", device="cpu")
    task, vectors = edge_tasks.load("entities", gum, 2), spans.words(encoder, gum)
    sentence, target = one_sentence.words_of(TEXT, "Toronto")
    given = encoder, vectors, task, sentence, target
    return given, one_sentence.asked(*given, "place")


def test_the_sentence_alone_is_tested_and_all_else_is_learned(asked):
    (_, vectors, task, sentence, target), (longer, more) = asked
    (row,) = more.tested(0)
    assert more.table.loc[row, ["first", "last", "label"]].tolist() == [*target, "place"]
    assert len(more.trained(0, 0)) == len(task.table) and row not in more.trained(0, 0)
    assert (more.table["fold"] == TRAINED).sum() == len(task.table)
    assert longer.starts[-1] - vectors.starts[-1] == len(sentence.spans)
    for layer, new in zip(vectors.layers, longer.layers, strict=True):
        assert np.array_equal(new[: len(layer)], layer)


def test_its_vectors_are_those_of_the_sentence_alone(asked):
    (encoder, vectors, *_, target), (longer, _) = asked
    (batch,) = encoder.encode([one_sentence.words_of(TEXT, "Toronto")[0]])
    of_target = longer.layers[-1][vectors.starts[-1] + target[0]]
    np.testing.assert_allclose(of_target, batch.hidden[-1, target[0]], atol=1e-5)


def test_probes_answer_for_it(asked):
    (*_, task, _, _), (longer, more) = asked
    settings = edges.Settings(epochs=1, most=100, resampled=True)
    said = edges.scored(longer, more, [(edges.CUMULATIVE, 4)], settings, seeds=(0, 1))
    assert said.logits.shape == (2, 1, 1, len(task.labels))
    assert said.labels[said.gold[0]] == "place"


def test_a_label_that_the_task_does_not_have_is_refused(asked):
    given, _ = asked
    with pytest.raises(UserError, match="cannot have the label 'city'"):
        one_sentence.asked(*given, "city")
