"""Exported word vectors, read back by gensim and as sentence-transformers reads its folder."""

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip(
    "gensim", reason="needs gensim, which reads such files: pip install gensim"
)
from gensim.models import KeyedVectors
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from cwr.corpora import word_vectors
from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError
from cwr.training.static_vectors import export

WORDS = ("the", ",", "king", "n't", "’s", "could", "u.s.", "1,000.5", "naïve", "人")


def vectors_of(words: tuple[str, ...]) -> WordVectors:
    table = np.random.default_rng(0).normal(size=(len(words), 5)).astype(np.float32)
    return WordVectors("test", words, table)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    target = tmp_path_factory.mktemp("export") / "vectors"
    export.write(vectors_of(WORDS), target)
    return target


def encoded(folder: Path, text: str) -> np.ndarray:
    """A text's vector, by the steps of `StaticEmbedding.load`, `preprocess` and `forward` of
    sentence-transformers 6.2: the module that modules.json names, ids without special tokens,
    torch's EmbeddingBag over the weights."""
    import torch

    [module] = json.loads((folder / "modules.json").read_bytes())
    assert module["type"].split(".")[-1] == "StaticEmbedding"
    files = folder / module["path"]
    weights = torch.from_numpy(load_file(files / "model.safetensors")["embedding.weight"])
    tokenizer = Tokenizer.from_file(str(files / "tokenizer.json"))
    tokenizer.no_padding()
    [encoding] = tokenizer.encode_batch([text], add_special_tokens=False)
    bag = torch.nn.EmbeddingBag.from_pretrained(weights)
    ids = torch.tensor(encoding.ids, dtype=torch.long)
    return bag(ids, torch.tensor([0])).numpy()[0]


@pytest.mark.parametrize("name, is_binary", [(export.TEXT, False), (export.BINARY, True)])
def test_gensim_reads_the_same_words_in_their_order_and_the_same_bits(
    folder, name, is_binary
):
    keyed = KeyedVectors.load_word2vec_format(str(folder / name), binary=is_binary)
    assert tuple(keyed.index_to_key) == WORDS
    np.testing.assert_array_equal(keyed.vectors, vectors_of(WORDS).vectors)


def test_our_reader_reads_the_text_file_as_it_was_written(folder):
    assert (
        word_vectors.read(folder / export.TEXT).fingerprint
        == vectors_of(WORDS).fingerprint
    )


@pytest.mark.parametrize("cut", [-1, -3, 40])
def test_a_text_file_that_was_cut_off_is_refused(folder, tmp_path, cut):
    file = tmp_path / "cut.txt"
    file.write_bytes((folder / export.TEXT).read_bytes()[:cut])
    with pytest.raises(UserError, match="cut off"):
        word_vectors.read(file)


@pytest.mark.parametrize(
    "text, words",
    [
        ("The king couldn't.", ["the", "king", "could", "n't", None]),
        ("KING’S", ["king", "’s"]),
        ("the U.S., 1,000.5 人", ["the", "u.s.", ",", "1,000.5", "人"]),
        ("naïve  nonsense\nking", ["naïve", None, "king"]),
        ("nonsense", [None]),
        ("", [None]),
    ],
)
def test_a_text_is_the_mean_of_its_words_with_nothing_for_the_unknown(folder, text, words):
    known = vectors_of(WORDS).of(WORDS)
    rows = [known.get(word, np.zeros(5)) for word in words]
    np.testing.assert_allclose(
        encoded(folder / export.SENTENCES, text), np.mean(rows, axis=0), atol=1e-7
    )


def test_words_with_capitals_are_looked_up_as_they_are_spelled(tmp_path):
    vectors = vectors_of(("King", "king"))
    export.write(vectors, tmp_path / "cased")
    for word, vector in vectors.of(vectors.words).items():
        np.testing.assert_array_equal(
            encoded(tmp_path / "cased" / export.SENTENCES, word), vector
        )


def test_the_tokenizer_finds_the_words_of_our_tokeniser(tokenise):
    text = (
        "He didn't say: 'The U.S. spent $1,500.75 on 3 well-known e.g. dogs...' "
        "They're the king’s (and I'd know)."
    )
    words = [word.lower() for sentence in tokenise(text) for word in sentence.words]
    tokenizer = export._tokenizer(tuple(dict.fromkeys(words)))
    assert tokenizer.encode(text).tokens == words


def test_a_folder_that_exists_is_refused_and_stays_as_it_is(tmp_path):
    kept = tmp_path / "vectors" / "kept.txt"
    kept.parent.mkdir()
    kept.write_text("mine")
    with pytest.raises(UserError, match="vectors exists: name a new one"):
        export.write(vectors_of(WORDS), kept.parent)
    assert [path.name for path in tmp_path.rglob("*")] == ["vectors", "kept.txt"]


def test_a_notebook_that_runs_twice_replaces_its_folder(tmp_path):
    for words in (WORDS, WORDS[:3]):
        export.write(vectors_of(words), tmp_path / "vectors", replace=True)
    assert word_vectors.read(tmp_path / "vectors" / export.TEXT).words == WORDS[:3]


@pytest.mark.parametrize(
    "words, sentence",
    [
        ((), "no words to write"),
        (("a", "b", "a"), "a word stands twice among the 3"),
        (("a", "[UNK]"), "a word stands twice among the 2, or is \\[UNK\\]"),
        (("a", "new york"), "the word 'new york' has a blank in it"),
        (("a", ""), "the word '' has a blank in it"),
    ],
)
def test_words_that_no_file_can_hold_are_refused_and_nothing_is_written(
    tmp_path, words, sentence
):
    with pytest.raises(UserError, match=sentence):
        export.write(vectors_of(words), tmp_path / "vectors")
    assert not list(tmp_path.iterdir())
