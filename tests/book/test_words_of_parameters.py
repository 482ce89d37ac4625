"""What a page says of seeds, folds, trainings and draws is what its parameters say.

In the box *Needs*, profile by profile, and in the captions of the committed figures, which are those
of the profile small.
"""

import json
import re
from pathlib import Path

import nbformat
import pytest

from cwr import parameters
from cwr.cli import checkout

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = checkout.notebooks(ROOT)
NUMBERS = "one two three four five six seven eight nine ten".split()
COUNTED = re.compile(
    rf"\b(?P<number>{'|'.join(NUMBERS)}|\d+) (?P<what>seed|fold|training|draw)s?\b",
    re.IGNORECASE,
)
SPREAD = re.compile(
    r"\bover (?P<what>[^.;:()]*)"
)  # what intervals are over; in brackets: perhaps
NAMES = {  # the parameters that may say it, the first that a notebook has
    "seed": ("seeds", "trainings"),
    "training": ("trainings", "mixes", "seeds"),
    "fold": ("folds",),
    "draw": ("draws",),
}
UNSAID = 0  # of trainings: as many as something else


def value_of(what: str, values: dict) -> int | None:
    """The parameter that says how many; None where the notebook has none."""
    return next((values[name] for name in NAMES[what] if name in values), None)


def wrong(text: str, values: dict) -> list[str]:
    """The phrases of a text that its parameters contradict."""
    phrases = []
    for match in COUNTED.finditer(text):
        number = match["number"].lower()
        said = NUMBERS.index(number) + 1 if number in NUMBERS else int(number)
        if value_of(match["what"].lower(), values) not in (said, None, UNSAID):
            phrases.append(match[0])
    for match in SPREAD.finditer(text):
        for what in NAMES:
            if re.search(rf"\b{what}s\b", match["what"]) and value_of(what, values) == 1:
                phrases.append(match[0])
    return phrases


def by_profile(needs: str) -> dict[str, str]:
    """{profile: what the box says of it}."""
    parts = re.split(r"Profile `(\w+)`", " ".join(needs.split()))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def values(name: str, profile: str) -> dict:
    file = checkout.path(ROOT, name)
    return parameters.validate(file, checkout.overrides(ROOT, profile, name))


def read(name: str) -> nbformat.NotebookNode:
    return nbformat.read(checkout.path(ROOT, name), as_version=4)


def captions(notebook: nbformat.NotebookNode) -> list[str]:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return re.findall(r'"caption": "((?:[^"\\]|\\.)*)"', json.dumps(outputs))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_needs_and_captions_say_what_the_parameters_say(name):
    notebook = read(name)
    needs = [cell.source for cell in notebook.cells if "{admonition} Needs" in cell.source]
    said = [(profile, text) for box in needs for profile, text in by_profile(box).items()]
    said += [("small", text) for text in captions(notebook)]
    contradicted = [
        (profile, wrong(text, values(name, profile))) for profile, text in said
    ]
    assert [each for each in contradicted if each[1]] == []


def test_the_words_are_found_and_a_wrong_one_is_seen():
    found = [text for name in NOTEBOOKS for text in captions(read(name))]
    assert len(found) > 60 and any("over documents" in text for text in found)
    boxes = [cell.source for name in NOTEBOOKS for cell in read(name).cells]
    assert (
        sum(len(COUNTED.findall(box)) for box in boxes if "{admonition} Needs" in box) > 8
    )
    asked = {"seeds": 1, "folds": 5}
    assert wrong(
        "five folds, three seeds; 95 % intervals over documents and seeds", asked
    ) == [
        "three seeds",
        "over documents and seeds",
    ]
    assert wrong(
        "over documents (and seeds), in 5 folds, one seed, 9 trainings", asked
    ) == ["9 trainings"]
    assert wrong("over documents and trainings: 4 trainings", {"trainings": UNSAID}) == []
    assert by_profile("Profile `small`: one seed. Profile `base`: two.") == {
        "small": ": one seed. ",
        "base": ": two.",
    }
