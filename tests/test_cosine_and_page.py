"""`cwr cosine` and the one-page report of a chapter, on a real small model and on results that we choose."""
import re
from itertools import combinations

import numpy as np
import pytest

from cwr import corpora, cosines, encoders, extraction
from cwr.cli import chapter_page
from cwr.errors import UserError
from cwr.extraction import targets
from cwr.report import results

LAYER = 5


def asked(cosine: float, layer: int = LAYER) -> str:
    return cosines.placed(cosine, encoders.load("minilm"), layer, corpora.load("lee").sample(120, 0))


@pytest.fixture(scope="module")
def answer() -> str:
    return asked(0.5)


def test_a_cosine_is_placed_as_counting_pairs_places_it(answer):
    encoder, text = encoders.load("minilm"), corpora.load("lee").sample(120, 0)
    random = extraction.run(encoder, text, targets=targets.random_tokens(text, 1000, 0)).vectors(LAYER)
    pairs = [a @ b / np.sqrt((a @ a) * (b @ b)) for a, b in combinations(np.array(random, dtype=float), 2)]
    said = re.search(r"higher than ([\d.]+)% of the cosines of random words \(their mean is ([\d.]+)\)", answer)
    assert float(said[1]) == pytest.approx(100 * np.mean(np.array(pairs) < 0.5), abs=0.06)
    assert float(said[2]) == pytest.approx(np.mean(pairs), abs=0.006)


def test_a_higher_cosine_is_placed_higher_and_same_words_lie_above_random_ones(answer):
    def shares(text):
        return [float(share) for share in re.findall(r"higher than ([\d.]+)%", text)]
    higher = shares(asked(0.9))
    assert all(low < high for low, high in zip(shares(answer), higher, strict=True))
    assert shares(answer)[0] > shares(answer)[1]


def test_what_is_no_cosine_or_no_layer_is_refused():
    with pytest.raises(UserError, match="no cosine"):
        asked(1.5)
    with pytest.raises(UserError, match="no layer 9: its layers are 0"):
        asked(0.5, layer=9)


def estimates(model, family, shift, variant=None):
    draws = np.random.default_rng(0).normal(0, 0.01, 50)
    return [{"model": model, "family": family, "layer": layer, "measure": "anisotropy_baseline", "dataset": "lee",
             "variant": variant, "value": 0.3 + shift + layer / 50, "replicates": 0.3 + shift + layer / 50 + draws}
            for layer in range(5)]


def test_the_page_of_a_chapter_shows_my_model_among_the_others_with_its_verdicts(tmp_path, monkeypatch):
    for folder, rows in (("mine/01", estimates("my-model", "causal", 0.1)),
                         ("book/p/01", estimates("other", "masked", 0)),
                         ("mine/05", estimates("my-model", "causal", 0.2, "pooling: first piece"))):
        monkeypatch.setenv("CWR_RESULTS", str(tmp_path / folder))
        results.write("ethayarajh2019/01_anisotropy", rows, {})
    chapter_page.write("ethayarajh2019", [tmp_path / "mine/01", tmp_path / "mine/05"], tmp_path / "book", tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text()
    assert page.count("<img ") == 1 and "my-model: 0.40 at layer 0" in page and "Published GPT-2" in page
    assert "eth-anisotropy-noninput" in page and "holds here (1.00)" in page and "needs adjusted" in page
    assert not re.search(r"""(src|href)=.https?:""", page)
