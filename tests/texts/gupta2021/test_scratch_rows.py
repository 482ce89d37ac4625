"""The rows without a teacher: by one name each, with settings that a reader can see."""

import numpy as np
import pytest

from cwr.errors import UserError
from cwr.estimates.contexts import Vocabulary
from cwr.texts.gupta2021 import scratch_rows, sent2vec
from cwr.training.static_vectors import skip_gram

pytest.importorskip(
    "gensim", reason="needs gensim, which trains such rows: pip install gensim"
)


def text(sentences=80, size=12):
    draw = np.random.default_rng(0)
    tokens = [draw.integers(0, size, 6) for _ in range(sentences)]
    counts = np.bincount(np.concatenate(tokens), minlength=size)
    return Vocabulary(tuple(f"w{number}" for number in range(size)), counts, tokens)


@pytest.mark.parametrize("name", scratch_rows.ROWS)
def test_a_row_is_trained_by_its_name_and_once(name, tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    settings = scratch_rows.usual(name, steps=60, epochs=2, seed=1)
    assert settings in scratch_rows.searched(name, steps=60, epochs=2, seed=1)
    trained = scratch_rows.train(text(), settings, name)
    assert trained.name == name and set(trained.words) == set(text().words)
    is_sent2vec = name == "SENT2VEC"
    assert isinstance(settings, sent2vec.Settings if is_sent2vec else skip_gram.Settings)
    assert (trained.course is not None) == is_sent2vec  # gensim's have no held-out loss
    if is_sent2vec:
        assert trained.course.updates == (30, 60)
    again = scratch_rows.train(text(), settings, name)
    assert again.fingerprint == trained.fingerprint and again.course == trained.course


def test_cbow_is_a_cbow_and_both_rows_of_gensim_share_the_other_settings():
    skip, cbow = (scratch_rows.usual(name, 1) for name in ("SKIPGRAM", "CBOW"))
    assert (skip.cbow, cbow.cbow) == (False, True)
    differing = [key for key in vars(skip) if vars(skip)[key] != vars(cbow)[key]]
    assert differing == ["cbow"] and skip.epochs == scratch_rows.EPOCHS


def test_settings_are_texts_and_a_search_shows_what_it_varies():
    usual = [scratch_rows.usual(name, 2240) for name in ("SKIPGRAM", "SENT2VEC")]
    table = scratch_rows.as_table(usual)
    assert table["threshold"].tolist() == ["1e-4", "1e-4"]
    assert table["updates at most"].tolist()[1] == "2,240"
    assert table["n-grams of characters"].iloc[0] == "none"
    varied = scratch_rows.as_table(scratch_rows.searched("SKIPGRAM", 1), only_varied=True)
    assert list(varied) == ["n-grams of characters", "window", "threshold"]
    assert varied["n-grams of characters"].tolist().count("3 to 6") == 1
    assert set(varied["threshold"]) == {"0.001", "1e-4", "1e-5"}
    varied = scratch_rows.as_table(scratch_rows.searched("SENT2VEC", 1), only_varied=True)
    assert list(varied) == ["longest n-gram of words", "threshold"]


def test_another_name_is_refused_with_those_that_are_trained():
    for ask in (scratch_rows.usual, scratch_rows.searched):
        with pytest.raises(
            UserError, match="GLOVE is not trained .* SKIPGRAM, CBOW or SENT2VEC"
        ):
            ask("GLOVE", 1)
