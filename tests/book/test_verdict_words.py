"""The words of verdicts on a page lead to the glossary; numbers and names that look alike do not."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "book" / "_ext"))
import verdict_words

TERMS = ("support", "base", "small", "beyond the paper", "holds here", "= untrained")
MARK = '<span class="verdict holds">holds</span>'


@pytest.mark.parametrize(
    "cell, linked",
    [
        (f"0.131 [0.12, 0.14] (layer 3): {MARK} here (0.98)", ["holds here", "0.98"]),
        (
            f"BERT-base 0.12: {MARK} here (&gt; 0.99; base)",
            ["holds here", "&gt; 0.99", "base"],
        ),
        (f"beyond the paper: {MARK} here", ["beyond the paper", "holds here"]),
        (f"{MARK} here (1.00; = untrained)", ["holds here", "1.00", "= untrained"]),
        (f"{MARK} here, as in BERT-base (0.12 in small steps)", ["holds here"]),
    ],
)
def test_only_the_words_of_a_verdict_are_explained(cell, linked):
    terms = {term: (f"term-{number}", "What it is.") for number, term in enumerate(TERMS)}
    shown = verdict_words.explained(f"<td>{cell}</td>", terms, "glossary.html", again=True)
    links = [each.partition("</a>")[0] for each in shown.split('is.">')[1:]]
    assert [link.replace(MARK, "holds") for link in links] == linked
