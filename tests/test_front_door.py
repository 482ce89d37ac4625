"""`import cwr`: light, and its four functions give what the notebooks compute."""

import doctest
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import cwr
from cwr import corpora, encoders, front_door
from cwr.encoders import matrices
from cwr.errors import UserError
from cwr.estimates import contextuality, isotropy, samples
from cwr.measures import contextuality as measures

ROOT = Path(__file__).resolve().parents[1]
SEED = 3
OPTIONS = {
    "tokens": 40,
    "min_contexts": 5,
    "cap": 100,
    "seed": SEED,
}  # of the notebooks, smaller


@pytest.fixture(scope="module")
def text():
    pytest.importorskip(
        "gensim", reason="needs lee, which gensim carries: pip install gensim"
    )
    return corpora.load("lee").sample(60, SEED)


@pytest.fixture(scope="module")
def bert():
    return encoders.load("cwr-bert")


@pytest.fixture(scope="module")
def sampled(bert, text):
    """What the notebooks of Figures 1 and 2 keep of a corpus."""
    return samples.extract(bert, text, **OPTIONS)


# ---- light


def test_importing_cwr_imports_only_the_standard_library_and_a_room_when_it_is_asked_for():
    code = (
        "import sys; before = set(sys.modules); import cwr\n"
        "print(*(set(sys.modules) - before)); cwr.__version__; dir(cwr); cwr.encoders.load\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    first, later = (line.split() for line in done.stdout.splitlines())
    assert {name.partition(".")[0] for name in first} - sys.stdlib_module_names == {"cwr"}
    assert [name for name in first if name.startswith("cwr.")] == []
    assert "cwr.encoders" in later and not {"torch", "transformers"} & set(later)


def test_the_version_is_the_projects_and_a_name_that_is_not_there_is_an_attribute_error():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    assert cwr.__version__ == project["version"]
    with pytest.raises(AttributeError, match="'cwr' has no attribute 'vektors'"):
        cwr.vektors  # noqa: B018
    assert set(cwr.__all__) <= set(dir(cwr))


def test_what_a_room_lacks_is_told_by_its_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.delitem(sys.modules, "cwr.tables", raising=False)
    monkeypatch.delattr(cwr, "tables", raising=False)
    with pytest.raises(ModuleNotFoundError, match="pandas"):
        cwr.tables  # noqa: B018


# ---- equal to the notebooks


def test_self_similarity_of_a_word_is_that_of_the_notebook_of_figure_2(
    bert, text, sampled
):
    run = sampled.words
    at = run.table["group"] == "the"
    expected = [
        measures.self_similarity(run.vectors(n)[at]) for n in range(run.n_layers + 1)
    ]
    ours = cwr.self_similarity("the", text.sentences, bert)
    assert ours == pytest.approx(np.array(expected), abs=1e-6)  # float32 of the encoder
    assert 2 < at.sum() < OPTIONS["cap"] and len(set(ours.round(3))) == 5


def test_anisotropy_is_the_baseline_of_the_notebook_of_figure_1(bert, text, sampled):
    expected = contextuality.anisotropy_baseline(sampled.random, draws=2, seed=0).values
    ours = cwr.anisotropy(text.sentences, bert, words=OPTIONS["tokens"], seed=SEED)
    assert ours == pytest.approx(expected, abs=1e-6)
    others = cwr.anisotropy(text.sentences, bert, words=OPTIONS["tokens"], seed=SEED + 1)
    assert abs(ours - others).max() > 1e-3


@pytest.mark.parametrize("sign, measure", [("positive", ""), ("negative", "_negative")])
def test_isotropy_is_the_column_of_table_1(bert, sign, measure):
    rows = isotropy.table_1(matrices.read("cwr-bert"))
    values = {row["measure"]: row["value"] for row in rows}
    expected = values[f"partition_isotropy{measure}"]
    assert cwr.isotropy("cwr-bert", sign=sign) == pytest.approx(expected, rel=1e-9)
    assert cwr.isotropy(bert, sign=sign) == pytest.approx(expected, rel=1e-9)


def test_vectors_are_what_the_encoder_gives_each_word(bert, text):
    for sentence, array in zip(
        text.sentences, cwr.vectors(text.sentences, bert), strict=True
    ):
        [batch] = bert.encode([sentence])
        assert array.shape == (5, len(sentence.spans), 192) and array.dtype == np.float32
        assert np.allclose(array, batch.hidden, atol=1e-4)  # batched or alone


@pytest.mark.parametrize("model", ["cwr-elmo", "cwr-gpt"])
def test_a_text_and_its_list_of_words_have_the_same_vectors_in_the_order_given(model):
    texts = ["Yes .", "The bank of the river, unbelievably steep, is closed ."]
    opened = encoders.load(model)
    of_texts = cwr.vectors(texts, opened)
    assert [array.shape[1] for array in of_texts] == [2, 10]
    of_words = cwr.vectors((text.split() for text in texts), opened)
    for one, other in zip(of_texts, of_words, strict=True):
        assert np.allclose(one, other, atol=1e-5)
    [oddly_blank] = cwr.vectors(["\tYes  .\n"], opened)
    assert oddly_blank.shape == of_texts[0].shape
    of_last = cwr.vectors(texts, opened, pooling="last")
    assert model == "cwr-elmo" or not np.allclose(of_last[1], of_texts[1], atol=1e-2)


def test_the_examples_in_the_docstrings_are_true():
    assert doctest.testmod(front_door, extraglobs={"cwr": cwr}).failed == 0


# ---- bad input


SURROGATE = "a \ud800"


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: cwr.vectors("The bank", "cwr-bert"), "of type str: give a list"),
        (lambda: cwr.vectors(None, "cwr-bert"), "of type NoneType: give a list"),
        (lambda: cwr.vectors([], "cwr-bert"), "there are no sentences"),
        (lambda: cwr.vectors(["Yes.", " \n"], "cwr-bert"), r"sentences\[1\] has no words"),
        (lambda: cwr.vectors([[]], "cwr-bert"), r"sentences\[0\] has no words"),
        (lambda: cwr.vectors([["a", " "]], "cwr-bert"), "an entry that is no word"),
        (lambda: cwr.vectors([["a", 3]], "cwr-bert"), "an entry that is no word"),
        (
            lambda: cwr.vectors([3], "cwr-bert"),
            "of type int: give a text or a list of words",
        ),
        (lambda: cwr.vectors([b"a b"], "cwr-bert"), "of type bytes: give a text"),
        (lambda: cwr.vectors([SURROGATE], "cwr-bert"), "half a character"),
        (lambda: cwr.vectors(["a \u200b"], "cwr-bert"), "no piece of the word '.u200b'"),
        (lambda: cwr.vectors(["Yes"], None), "the model is of type NoneType"),
        (lambda: cwr.vectors(["Yes"], "cwr-brt"), "did you mean 'cwr-bert'"),
        (lambda: cwr.vectors(["Yes"], "cwr-bert", pooling="x"), "pooling='x'"),
        (
            lambda: cwr.self_similarity("a", ["a a.", "A"], "cwr-bert"),
            "the word 'a' has 1 in",
        ),
        (lambda: cwr.anisotropy(["a b"], "cwr-bert"), "1 random words have no pair"),
        (lambda: cwr.anisotropy(["a"] * 3, "cwr-bert", words=-1), "0 random words"),
        (lambda: cwr.anisotropy(["a"] * 3, "cwr-bert", sampling="x"), "sampling is 'x'"),
        (lambda: cwr.isotropy("cwr-elmo"), "has no token matrix"),
        (lambda: cwr.isotropy("cwr-bert", sign="x"), "sign is 'x'"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(UserError, match=sentence) as caught:
        call()
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300
