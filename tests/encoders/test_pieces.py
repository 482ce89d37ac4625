"""The ids are those of the plain text, and words find their pieces by offsets; every kind of tokenizer."""

import numpy as np
import pytest
from tokenizers import Tokenizer, models, normalizers
from transformers import PreTrainedTokenizerFast

from cwr.encoders import architectures, windows
from cwr.encoders import pieces as reading
from cwr.errors import UserError


@pytest.mark.parametrize("kind", architectures.ARCHITECTURES)
def test_special_tokens_and_pieces_are_the_tokenizers_own_ids_of_the_plain_text(
    tiny, kind, sentences
):
    encoder, texts = tiny(kind), [sentence.text for sentence in sentences]
    before, behind = reading.special_tokens(encoder.tokenizer, kind)
    pieces = reading.tokenise(encoder.tokenizer, texts)
    for number, text in enumerate(texts):
        own = pieces.ids[pieces.first[number] : pieces.first[number + 1]].tolist()
        assert before + own + behind == encoder.tokenizer(text)["input_ids"]


@pytest.mark.parametrize("kind", architectures.ARCHITECTURES)
def test_the_ids_are_those_of_the_folders_tokenizer_file(tiny, folders, kind, sentences):
    file = Tokenizer.from_file(f"{folders[kind]}/tokenizer.json")
    for sentence in sentences:
        assert (
            tiny(kind).tokenizer(sentence.text)["input_ids"]
            == file.encode(sentence.text).ids
        )


@pytest.mark.parametrize("kind", architectures.ARCHITECTURES)
def test_a_word_has_exactly_the_pieces_that_overlap_it(tiny, kind, sentences):
    pieces = reading.tokenise(
        tiny(kind).tokenizer, [sentence.text for sentence in sentences]
    )
    units = reading.word_units(pieces, [sentence.spans for sentence in sentences])
    columns = zip(units.sentence, units.position, units.start, units.stop, strict=True)
    found = {
        (number, position): range(start, stop) for number, position, start, stop in columns
    }
    for number, sentence in enumerate(sentences):
        own = range(pieces.first[number], pieces.first[number + 1])
        for position, (start, stop) in enumerate(sentence.spans):
            overlapping = [
                piece
                for piece in own
                if min(stop, pieces.span[piece, 1]) - max(start, pieces.span[piece, 0]) > 0
            ]
            covering = [
                piece
                for piece in found.get((number, position), [])
                if pieces.span[piece, 1] > pieces.span[piece, 0]
            ]
            assert covering == overlapping, sentence.text[start:stop]


def pieces_at(*spans: tuple[int, int]) -> reading.Pieces:
    """One sentence whose pieces stand at these characters."""
    return reading.Pieces(
        np.arange(len(spans)), np.array(spans), np.array([0, len(spans)])
    )


def test_a_piece_without_characters_counts_for_no_word_and_one_across_two_words_for_both():
    pieces = pieces_at((0, 2), (2, 2), (2, 7), (7, 9))
    units = reading.word_units(pieces, [[(0, 4), (5, 9), (9, 9), (10, 12)]])
    cells = windows.locate(
        units, pieces, windows.cut_rows(pieces, 8), before=1, causal=False
    )
    assert units.position.tolist() == [0, 1]
    assert (cells.unit.tolist(), cells.column.tolist()) == ([0, 0, 1, 1], [1, 3, 3, 4])


def test_offsets_that_go_backwards_are_refused():
    with pytest.raises(UserError, match="backwards"):
        reading.word_units(pieces_at((3, 5), (0, 2)), [[(0, 5)]])


def test_special_tokens_that_cannot_be_told_from_the_text_are_refused():
    file = Tokenizer(models.WordLevel({"a": 0, "<m>": 1}, unk_token="<m>"))
    file.normalizer = normalizers.Replace("a", "b")  # "a" is unknown, but still one piece
    assert reading.special_tokens(
        PreTrainedTokenizerFast(tokenizer_object=file), "it"
    ) == ([], [])
    file.normalizer = normalizers.Replace(
        "a", ""
    )  # "a" has no piece, so nothing to compare
    with pytest.raises(UserError, match="told from them"):
        reading.special_tokens(PreTrainedTokenizerFast(tokenizer_object=file), "it")


def test_the_picture_in_the_encoders_module_is_true():
    pieces = pieces_at((0, 3), (4, 8), (8, 9), (10, 12), (12, 18), (18, 22))
    units = reading.word_units(pieces, [[(0, 3), (4, 8), (8, 9), (10, 22)]])
    rows = windows.cut_rows(pieces, 6 - 2)
    assert (rows.start.tolist(), rows.count.tolist()) == ([0, 2], [4, 4])
    assert (units.start[3], units.stop[3]) == (3, 6)
    cells = windows.locate(units, pieces, rows, before=1, causal=False)
    where = list(zip(cells.unit, cells.row, cells.column, strict=True))
    assert where == [(0, 0, 1), (1, 0, 2), (2, 0, 3), (3, 1, 2), (3, 1, 3), (3, 1, 4)]
