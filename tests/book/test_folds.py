"""Where a section of a page begins to fold: behind a sentence, never within one."""

import sys
from pathlib import Path

import pytest
from docutils import nodes

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "book" / "_ext"))
import folds

TABLE = nodes.literal_block


def paragraph(text: str) -> nodes.paragraph:
    return nodes.paragraph(text, text)


def formula(text: str = "r_1 - r_2,") -> nodes.math_block:
    return nodes.math_block(text, text)


@pytest.mark.parametrize(
    "content, shown",
    [
        ([paragraph("It rises."), paragraph("More."), TABLE()], 1),
        (
            [
                paragraph("A probe reads"),
                formula(),
                paragraph("and tells (this)."),
                TABLE(),
            ],
            3,
        ),
        ([paragraph("No end"), TABLE(), paragraph("An end.")], 1),
        ([TABLE(), paragraph("An end.")], 0),
    ],
)
def test_a_fold_begins_where_a_sentence_has_ended(content, shown):
    section = nodes.section("", nodes.title("", "A question?"), *content)
    folds.fold_section(section)
    first_tag = next(
        number for number, node in enumerate(section) if isinstance(node, nodes.raw)
    )
    assert first_tag == 1 + shown
