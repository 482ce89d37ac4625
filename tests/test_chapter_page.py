"""The one-page report of a chapter, on results that we choose."""

import re

import numpy as np

from cwr.cli import chapter_page
from cwr.report import results


def estimates(model, family, shift, variant=None):
    draws = np.random.default_rng(0).normal(0, 0.01, 50)
    return [
        {
            "model": model,
            "family": family,
            "layer": layer,
            "measure": "anisotropy_baseline",
            "dataset": "lee",
            "variant": variant,
            "value": 0.3 + shift + layer / 50,
            "replicates": 0.3 + shift + layer / 50 + draws,
        }
        for layer in range(5)
    ]


def test_the_page_of_a_chapter_shows_my_model_among_the_others_with_its_verdicts(
    tmp_path, monkeypatch
):
    for folder, rows in (
        ("mine/01", estimates("my-model", "causal", 0.1)),
        ("book/p/01", estimates("other", "masked", 0)),
        ("mine/05", estimates("my-model", "causal", 0.2, "pooling: first piece")),
    ):
        monkeypatch.setenv("CWR_RESULTS", str(tmp_path / folder))
        results.write("ethayarajh2019/01_anisotropy", rows, {})
    mine = [tmp_path / "mine/01", tmp_path / "mine/05"]
    chapter_page.write("ethayarajh2019", mine, tmp_path / "book", tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text()
    assert (
        page.count("<img ") == 1
        and "alt='Figure 1: similarity of random words. In the last layer: my-model 0." in page
    )
    assert (
        "eth-anisotropy-noninput" in page
        and "holds here (1.00)" in page
        and "needs adjusted" in page
    )
    assert not re.search(r"""(src|href)=.https?:""", page)
