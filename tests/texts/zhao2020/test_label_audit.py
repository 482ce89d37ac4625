"""Labels of a list against links: which are compared, and the interval over words."""

from dataclasses import replace

import pandas as pd
import pytest

from cwr.corpora.sentences import Corpus, fingerprint, joined
from cwr.corpora.wiki_pse.mentions import MENTIONS, mention
from cwr.texts.zhao2020 import label_audit

CLASSES = {"troy": "location", "rome": "", "the office": "art", "york": "location"}


def test_an_audit_compares_the_label_of_a_name_with_its_link():
    texts = ["they saw Troy and Rome again", "they watched The Office and York today"]
    links = [
        [
            mention((2, 2), "location", "Troy", True),
            mention((4, 4), "location", "Rome", True),
        ],
        [
            mention((2, 3), "organization", "O", True),
            mention((5, 5), "location", "York", False),
        ],
    ]
    sentences = [
        replace(
            joined(text.split()), id=str(number), annotations={MENTIONS: links[number]}
        )
        for number, text in enumerate(texts)
    ]
    corpus = Corpus("two", tuple(sentences), fingerprint(sentences), "ours")
    assert label_audit.cases(corpus, CLASSES).to_numpy().tolist() == [
        ["troy", "location", "location", True],
        ["the office", "organization", "art", False],
    ]


def test_agreement_counts_cases_and_resamples_words():
    cases = pd.DataFrame(
        {"word": ["a"] * 8 + ["b"] * 2, "agrees": [True] * 8 + [False] * 2}
    )
    result = label_audit.agreement(cases, draws=400)
    assert (result["cases"], result["words"], result["share"]) == (10, 2, 0.8)
    assert (result["low"], result["high"]) == (0, 1)  # a draw of one word alone
    one_word = label_audit.agreement(cases[cases["word"] == "a"])
    assert (one_word["low"], one_word["high"]) == (1, 1)


def test_agreement_of_nothing_is_refused():
    with pytest.raises(ValueError, match="nothing to resample"):
        label_audit.agreement(pd.DataFrame({"word": [], "agrees": []}))
