"""What probes read: against the model's own hidden states, found by the tokenizer's offsets."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cwr import encoders
from cwr.corpora import Corpus, excerpts, fingerprint, joined
from cwr.errors import UserError
from cwr.texts.zhao2020 import probed_contexts as contexts

LINES = [
    "The river Unbelievably rose in New York .",
    "She sat on the bank",
    "Alabama",
    "Go there",
]
ROWS = [(1, 4, 4), (0, 5, 6), (0, 2, 2), (2, 0, 0), (0, 2, 3), (1, 4, 4)]
TABLE = pd.DataFrame(ROWS, columns=["sentence", "first", "last"])


def texts(*lines):
    sentences = tuple(replace(joined(line.split()), id=line) for line in lines)
    return Corpus("toy", sentences, fingerprint(sentences), "ours")


def target(sentence, first, last):
    return pd.DataFrame({"sentence": [sentence], "first": [first], "last": [last]})


@pytest.fixture(scope="module")
def text():
    return texts(*LINES)


@pytest.fixture(scope="module", params=["cwr-bert", "cwr-gpt"])
def encoder(request):
    return encoders.load(request.param)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))


def states(encoder, sentence, first, last):
    """(layers, pieces, dim) the hidden states of a target's pieces, by the tokenizer's offsets."""
    start, stop = sentence.spans[first][0], sentence.spans[last][1]
    offsets = encoder.tokenizer(sentence.text, return_offsets_mapping=True)[
        "offset_mapping"
    ]
    columns = [
        column for column, (low, high) in enumerate(offsets) if low < stop and high > start
    ]
    return encoder.forward([sentence]).hidden.detach().cpu().numpy()[:, 0, columns]


def by_hand(encoder, corpus, table, pool=lambda states: states.mean(axis=1)):
    rows = [
        pool(states(encoder, corpus.sentences[row.sentence], row.first, row.last))
        for row in table.itertuples()
    ]
    return np.stack(rows, axis=1)


def test_a_target_is_the_mean_of_its_pieces_straight_from_the_model(encoder, text, near):
    vectors = contexts.read(encoder, text, TABLE)
    assert len(vectors) == encoder.n_layers + 1
    assert np.stack(vectors) == pytest.approx(by_hand(encoder, text, TABLE), abs=10 * near)


def test_a_target_may_also_be_its_last_piece_or_the_mean_of_its_words(encoder, text, near):
    last = contexts.read(encoder, text, TABLE, pool="last")
    expected = by_hand(encoder, text, TABLE, lambda states: states[:, -1])
    assert np.stack(last) == pytest.approx(expected, abs=10 * near)
    phrase = target(0, 2, 3)
    one, other = (by_hand(encoder, text, target(0, word, word)) for word in (2, 3))
    words = np.stack(contexts.read(encoder, text, phrase, pool="words"))
    assert words == pytest.approx((one + other) / 2, abs=10 * near)
    pieces = np.stack(contexts.read(encoder, text, phrase))
    assert (
        np.abs(words - pieces).max() > 0.01
    )  # "unbelievably" has several pieces, "rose" one


def test_the_target_alone_is_read_as_a_sentence_of_its_own(encoder, text, near):
    alone = np.stack(contexts.read(encoder, text, TABLE, reads="target"))
    lines = [" ".join(text.sentences[s].words[a : b + 1]) for s, a, b in ROWS]
    whole = [target(row, 0, b - a) for row, (_, a, b) in enumerate(ROWS)]
    expected = by_hand(encoder, texts(*lines), pd.concat(whole))
    assert alone == pytest.approx(expected, abs=10 * near)
    in_text = np.stack(contexts.read(encoder, text, TABLE))
    assert alone[:, 3] == pytest.approx(in_text[:, 3], abs=10 * near)


def test_a_window_as_wide_as_the_sentence_changes_nothing(encoder, text):
    whole = np.stack(contexts.read(encoder, text, TABLE))
    for k in (7, 8, 100):
        assert np.array_equal(np.stack(contexts.read(encoder, text, TABLE, k=k)), whole)
    assert not np.allclose(
        np.stack(contexts.read(encoder, text, TABLE, k=1))[1:], whole[1:]
    )


def test_the_context_alone_does_not_depend_on_the_target(encoder):
    text = texts(
        "The river rose .", "The unbelievably long Alabama rose .", "The dog rose ."
    )
    table = pd.concat([target(0, 1, 1), target(1, 1, 3), target(2, 1, 1)])
    vectors = np.stack(contexts.read(encoder, text, table, reads="context"))
    assert np.array_equal(vectors[:, 0], vectors[:, 1])
    assert np.array_equal(vectors[:, 0], vectors[:, 2])


def test_at_layer_0_the_context_alone_is_nothing_but_a_position(encoder):
    text = texts("The river rose .", "His dog sat here", "Very very old dogs")
    table = pd.concat([target(0, 1, 1), target(1, 1, 1), target(2, 2, 2)])
    vectors = np.stack(contexts.read(encoder, text, table, reads="context"))
    assert np.array_equal(vectors[0, 0], vectors[0, 1])
    assert not np.allclose(vectors[0, 0], vectors[0, 2])
    assert not np.allclose(vectors[1:, 0], vectors[1:, 1])


def test_equal_positions_have_equal_vectors_at_layer_0_and_no_others_have(encoder, text):
    places = contexts.positions(encoder, text, TABLE)
    vectors = contexts.read(encoder, text, TABLE, reads="context")[0]
    assert (places.sum(axis=1) == 1).all() and len(np.unique(places, axis=0)) > 2
    same = (places[:, None] == places).all(axis=2)
    assert np.array_equal((vectors[:, None] == vectors).all(axis=2), same)


def test_positions_are_those_of_pieces_and_not_of_words(encoder):
    text = texts("They sat on the bank", "Xylophonists sat on the bank")
    places = contexts.positions(
        encoder, text, pd.concat([target(0, 4, 4), target(1, 4, 4)])
    )
    number = places.argmax(axis=1)
    assert number[1] > number[0]


def test_a_hidden_target_is_one_piece_that_is_the_model_s_mask(encoder, text):
    shown, table = contexts.shown(encoder, text, TABLE, reads="context")
    pieces = contexts.in_pieces(encoder, shown, table)
    assert pieces["first"].tolist() == pieces["last"].tolist()
    for row in pieces.itertuples():
        ids = encoder.tokenizer(shown.sentences[row.sentence].text)["input_ids"]
        assert ids[row.first] == encoder.tokenizer.mask_token_id


def test_a_sentence_beyond_the_window_is_cut_around_its_target_and_counted(encoder, near):
    words = ["rivers"] * 150 + ["Alabama", "rose"] + ["dogs"] * 90
    text = texts(" ".join(words), "She sat on the bank")
    table = pd.concat([target(1, 4, 4), target(0, 150, 151), target(0, 150, 150)])
    assert contexts.is_beyond_window(encoder, text, table).tolist() == [False, True, True]
    shown, moved = contexts.shown(encoder, text, table)
    lengths = encoder.tokenise(shown.sentences).lengths
    room = encoder.window - 2
    assert lengths.max() <= room + 1 and lengths[1:].min() > room - 5
    cut, first, last = excerpts.cut(text.sentences[0], 150, 151, moved["first"].iloc[1])
    assert cut.words == shown.sentences[moved["sentence"].iloc[1]].words
    alone = Corpus("cut", (cut,), fingerprint([cut]), "ours")
    expected = by_hand(encoder, alone, target(0, first, last))
    vectors = np.stack(contexts.read(encoder, text, table))
    assert vectors[:, 1] == pytest.approx(expected[:, 0], abs=10 * near)


def test_a_model_that_reads_characters_is_read_by_words_and_has_no_mask(text, near):
    elmo = encoders.load("cwr-elmo")
    vectors = np.stack(contexts.read(elmo, text, TABLE))
    (batch,) = elmo.encode([text.sentences[0]])
    assert vectors[:, 1] == pytest.approx(batch.hidden[:, 5:7].mean(axis=1), abs=10 * near)
    shown, table = contexts.shown(elmo, text, TABLE, reads="context")
    assert shown.sentences[table["sentence"].iloc[1]].words[5] == contexts.EMPTY
    assert not contexts.is_beyond_window(elmo, text, TABLE).any()
    places = contexts.positions(elmo, text, TABLE)
    assert places.argmax(axis=1).tolist() == TABLE["first"].tolist()


def test_what_cannot_be_read_gets_one_sentence(text):
    encoder = encoders.load("cwr-bert")
    blank = replace(joined(["go", "\u200b", "on"]), text="go \u200b on")
    strange = Corpus("strange", (blank,), fingerprint([blank]), "ours")
    with pytest.raises(
        UserError, match="cwr-bert reads no piece of a target in .* of strange"
    ):
        contexts.read(encoder, strange, target(0, 1, 1))
    with pytest.raises(UserError, match="words 4 to 5 lie outside"):
        contexts.read(encoder, text, target(1, 4, 5), k=2)
    with pytest.raises(ValueError, match="reads one of whole, target, context, not 'all'"):
        contexts.read(encoder, text, TABLE, reads="all")
    with pytest.raises(
        ValueError, match="pooled over one of pieces, words, last, not 'first'"
    ):
        contexts.read(encoder, text, TABLE, pool="first")
    encoder.tokenizer.mask_token = None
    with pytest.raises(
        UserError, match="cwr-bert is a masked model whose tokenizer has no mask"
    ):
        contexts.read(encoder, text, TABLE, reads="context")
