"""Static vectors without their mean or their largest coordinates."""

import numpy as np
import pytest

from cwr.texts.ethayarajh2019 import static_treatments

rng = np.random.default_rng(0)


def words(n: int = 30, dim: int = 6) -> dict[str, np.ndarray]:
    return {
        f"w{number}": vector for number, vector in enumerate(rng.normal(size=(n, dim)))
    }


def test_what_is_left_without_the_mean_has_none():
    vectors = words()
    left = static_treatments.treated(vectors)["_less_mean"]
    assert list(left) == list(vectors)
    assert np.mean(list(left.values()), axis=0) == pytest.approx(0, abs=1e-12)


def test_the_coordinates_that_make_words_alike_go_first():
    vectors = words()
    for vector in vectors.values():
        vector[[1, 4, 5]] += [30, 20, 10]
    left = static_treatments.treated(vectors)["_without_3"]
    assert left["w7"].tolist() == vectors["w7"][[0, 2, 3]].tolist()


def test_every_treatment_has_a_name_and_one_word_is_refused():
    assert list(static_treatments.treated(words())) == list(static_treatments.ENDINGS)
    with pytest.raises(ValueError, match="at least 2 rows"):
        static_treatments.treated(words(1))
