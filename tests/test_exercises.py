"""Each exercise of a notebook has a folded answer, or a hint where only the reader's run can answer."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEADING = "## Try this\n"
TEMPLATE = ROOT / "workflow/new_text/notebooks/__key__/01_figure_1.ipynb"
PAGES = [*sorted((ROOT / "notebooks").glob("*/*.ipynb")), TEMPLATE]
WORDS, SENTENCES = 25, 3  # at most, of a sentence and of an answer

FOLD = re.compile(
    r'\n\n   <details class="fold"><summary>(?:Answer|Hint)</summary>\n\n'
    r"((?:   \S.*\n)+)\n   </details>\s*"  # a blank line on either side: the text is MyST
)


def exercises(notebook: Path) -> list[str]:
    """The exercises of a notebook, each with what is folded below it."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    ends = [text.split(HEADING)[1] for text in texts if HEADING in text]
    return [each for end in ends for each in re.split(r"(?m)^(?=\d\. )", end)[1:]]


def has(pages: list[Path]) -> dict[str, list[str]]:
    """{page: its exercises}, of the pages that have some."""
    found = {f"{page.parent.name}/{page.stem}": exercises(page) for page in pages}
    return {name: texts for name, texts in found.items() if texts}


EXERCISES = has(PAGES)


def test_every_chapter_has_exercises_and_its_pages_three() -> None:
    number = {name: len(texts) for name, texts in EXERCISES.items()}
    assert sum(number.values()) > 130 and set(number.values()) == {3}


@pytest.mark.parametrize("name", EXERCISES)
def test_each_exercise_ends_in_a_short_folded_answer_or_hint(name: str) -> None:
    for text in EXERCISES[name]:
        (answer,) = FOLD.findall(text)
        assert FOLD.sub("", text).count("<details") == 0 and text.rstrip().endswith(
            "</details>"
        )
        plain = re.sub(r"\$[^$]+\$|`[^`]+`", "x", " ".join(answer.split()))
        sentences = re.split(r"(?<=[.?!*])\s+(?=[A-Z*x])", plain)
        assert len(sentences) <= SENTENCES
        assert max(len(sentence.split()) for sentence in sentences) <= WORDS, sentences
