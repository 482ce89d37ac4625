"""Word vectors from text files, held against gensim's reader, and what is said of broken files."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from cwr.corpora import texts, word_vectors
from cwr.errors import UserError

GLOVE = "the 0.5 -1e-2 3\nof 1 2 3\n. . . 4 5 6\nnight 7 8 9\n"
WORD2VEC = "3 2\nthe 0.5 -1 \nof 1 2 \nnight 7 8 \n"


def written(folder: Path, text: str, name: str = "vectors.txt") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.fixture
def packaged():
    """The folder of the small files that travel with gensim's tests."""
    return texts.gensim_data()


@pytest.mark.parametrize(
    "file, has_head",
    [
        ("test_glove.txt", False),
        ("lee_fasttext.vec", True),
        ("crime-and-punishment.vec", True),
    ],
)
def test_a_file_is_read_as_gensim_reads_it(packaged, file, has_head):
    from gensim.models import KeyedVectors

    expected = KeyedVectors.load_word2vec_format(
        str(packaged / file), no_header=not has_head
    )
    read = word_vectors.read(packaged / file)
    assert list(read.words) == expected.index_to_key
    np.testing.assert_array_equal(read.vectors, expected.vectors)
    assert (read.name, read.family, read.dim) == (file, "static", expected.vector_size)


def test_only_the_words_that_are_asked_for_stay_in_the_order_of_the_file(packaged):
    file = packaged / "lee_fasttext.vec"
    whole = word_vectors.read(file)
    some = word_vectors.read(file, {"government", "no-such-word", "the", "The"})
    assert some.words == ("the", "The", "government")
    for word, vector in some.of(some.words).items():
        np.testing.assert_array_equal(vector, whole.of([word])[word])
    assert some.fingerprint != whole.fingerprint == word_vectors.read(file).fingerprint


def test_a_look_up_leaves_out_what_has_no_vector_and_spells_exactly(tmp_path):
    vectors = word_vectors.read(written(tmp_path, GLOVE))
    assert list(vectors.of(["night", "Night", "of"])) == ["night", "of"]
    assert vectors.of(["night"])["night"].tolist() == [7, 8, 9]


def test_a_word_of_glove_may_hold_blanks_and_the_first_of_two_counts(tmp_path):
    vectors = word_vectors.read(written(tmp_path, GLOVE + "of 9 9 9\n"))
    assert vectors.words == ("the", "of", ". . .", "night")
    assert vectors.of(["of"])["of"].tolist() == [1, 2, 3]


def test_a_packed_file_is_read_as_the_plain_one(tmp_path):
    plain = word_vectors.read(written(tmp_path, WORD2VEC))
    packed = tmp_path / "vectors.vec.gz"
    packed.write_bytes(gzip.compress(WORD2VEC.encode()))
    assert word_vectors.load(packed).fingerprint == plain.fingerprint


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("", "line 1 of .* is no word with numbers"),
        ("\x7fELF\n", "line 1 of .* is no word with numbers"),
        ("3 0\nthe\n", "line 1 of .* is no word with numbers"),
        (GLOVE + "day 1 2\n", "line 5 of .* has 2 numbers where the first has 3"),
        (GLOVE + "day 1 2 3 4\n", "line 5 of .* has 4 numbers where the first has 3"),
        (GLOVE + "\n", "line 5 of .* has 0 numbers where the first has 3"),
        (WORD2VEC + "day 1 2 3\n", "line 5 of .* has 3 numbers where the first has 2"),
        (GLOVE.rstrip("\n"), "is cut off after 4 words"),
        (WORD2VEC.partition("night")[0], "is cut off after 2 of 3 words"),
        (GLOVE + "day 1 nan 3\n", "line 5 of .* has what is no finite number"),
        (GLOVE + "day 1 1e99 3\n", "line 5 of .* has what is no finite number"),
        (GLOVE + "day 1 x 3\n", "line 5 of .* has what is no finite number"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(tmp_path, text, sentence):
    with pytest.raises(UserError, match=sentence):
        word_vectors.read(written(tmp_path, text))


def test_another_dimension_is_seen_in_a_line_that_nobody_asked_for(tmp_path):
    file = written(tmp_path, GLOVE + "day 1 2\nweek 1 2 3\n")
    with pytest.raises(UserError, match="line 5"):
        word_vectors.read(file, ["week"])


def test_a_packed_file_that_is_cut_off_or_none_is_refused(tmp_path):
    content = gzip.compress(GLOVE.encode() * 1000)
    for broken in (content[: len(content) // 2], b"plain", content[:20] + b"x" * 20):
        (tmp_path / "broken.gz").write_bytes(broken)
        with pytest.raises(UserError, match=r"broken\.gz is cut off or damaged"):
            word_vectors.read(tmp_path / "broken.gz")


def test_none_of_the_words_and_no_file_are_refused(tmp_path):
    with pytest.raises(UserError, match="has none of the 2 words asked for"):
        word_vectors.read(written(tmp_path, GLOVE), ["Nacht", "NIGHT"])
    for name in (str(tmp_path / "nothing.txt"), str(tmp_path), "cwr-statik"):
        with pytest.raises(UserError, match="there are no word vectors .*cwr-static"):
            word_vectors.load(name)
    with pytest.raises(UserError, match="cannot be read"):
        word_vectors.read(tmp_path / "nothing.txt")


def test_what_is_written_is_read_again_in_half_precision(tmp_path, monkeypatch):
    vectors = word_vectors.read(written(tmp_path, GLOVE))
    (tmp_path / "cwr-static").mkdir()
    word_vectors.write(vectors, tmp_path / "cwr-static")
    monkeypatch.setattr(word_vectors, "MODELS", tmp_path)
    again = word_vectors.load("cwr-static")
    assert again.words == vectors.words and again.vectors.dtype == np.float32
    np.testing.assert_array_equal(again.vectors, vectors.vectors.astype(np.float16))
    some = word_vectors.load("cwr-static", {"night", "of", "Nacht"})
    assert some.words == ("of", "night") and some.vectors[0].tolist() == [1, 2, 3]
    with pytest.raises(UserError, match="none of the 1 words"):
        word_vectors.load("cwr-static", ["Nacht"])
