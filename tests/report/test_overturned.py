"""What turns a text's headline claims: the tables below their lines, and the sentences of an index."""

import nbformat
import numpy as np
import pytest

from cwr.papers import registry
from cwr.report import overturned, results, verdicts

HEADLINE = "eth-anisotropy-noninput"  # mean cosine above 0.02 in layers 1 and up
MEASURE = "anisotropy_baseline"


def rows(
    values: dict[str, list[float]], variant: str | None, spread: float = 0.001
) -> list[dict]:
    """A baseline by model and layer, with draws that all choices share."""
    draws = spread * np.random.default_rng(0).normal(size=200)
    table = []
    for model, curve in values.items():
        keys = {"model": model, "family": "masked", "variant": variant, "measure": MEASURE}
        for layer, value in enumerate(curve):
            table.append(
                {**keys, "layer": layer, "value": value, "replicates": value + draws}
            )
    return table


def fold(table: list[dict], claim: str = HEADLINE) -> tuple[str, list[list[str]]]:
    """The line of one headline, and the cells of the table below it."""
    text = overturned.markdown(results.collect(table), "ethayarajh2019", "together")
    (part,) = [each for each in text.split("<details><summary>") if f"`{claim}`" in each]
    lines = part.split("\n\n")[2].splitlines()
    return part.split("</summary>")[0], [
        line.strip("| ").split(" | ") for line in lines[2:]
    ]


def cells(table: list[dict]) -> list[list[str]]:
    """The cells of the rows on one headline."""
    return fold(table)[1]


def test_a_choice_that_turns_a_verdict_stands_with_the_numbers_that_decide():
    chapter = rows({"one": [0.1, 0.3, 0.2], "two": [0.1, 0.4, 0.4]}, None)
    less = rows({"one": [0.1, 0.3, 0.01], "two": [0.1, 0.3, 0.3]}, "less")
    assert cells(chapter + less) == [
        ["one", "holds", "less: fails (0.2 → 0.01)", "none"],
        ["two", "holds", "none", "none"],
    ]


def test_a_choice_that_leaves_a_verdict_undecided_does_not_overturn_it():
    chapter = rows({"one": [0.1, 0.3, 0.2]}, None)
    near = rows({"one": [0.1, 0.3, 0.0203]}, "near")
    assert cells(chapter + near) == [
        ["one", "holds", "none", "near: undecided (0.2 → 0.0203)"]
    ]


def test_models_of_which_all_is_the_same_share_a_row():
    chapter = rows({"one": [0.1, 0.3], "two": [0.1, 0.3]}, None)
    assert cells(chapter + rows({"one": [0.1, 0.2], "two": [0.1, 0.2]}, "other")) == [
        ["one, two", "holds", "none", "none"]
    ]


def test_a_headline_that_cannot_be_asked_says_why():
    chapter = rows({"one": [0.1, 0.3]}, None) + rows({"one": [0.1, 0.3]}, "other")
    line, ((_, verdict, *_),) = fold(chapter, "eth-mev-5pct")
    assert verdict.startswith(
        "not tested here: the claim needs numbers that are missing here: adjusted maximum explainable variance"
    )
    assert line.endswith(overturned.NOT_ASKED)


def test_the_line_of_a_headline_says_how_choices_turn_it_and_on_how_many_models():
    chapter = rows({"one": [0.1, 0.3], "two": [0.1, 0.3], "three": [0.1, 0.01]}, None)
    less = rows({"one": [0.1, 0.01], "two": [0.1, 0.01], "three": [0.1, 0.3]}, "less")
    none = rows({"one": [0.1, 0.01], "two": [0.1, 0.3], "three": [0.1, 0.01]}, "none")
    assert fold(chapter)[0].endswith(overturned.NONE)
    assert fold(chapter + less + none)[0].endswith(
        " The verdict flips to “fails” on 2 of 3 models under “less”. The verdict flips to “fails” on "
        "1 of 3 models under “none”. The verdict flips to “holds” on 1 of 3 models under “less”."
    )


def test_a_treatment_under_which_any_model_fails_turns_nothing_and_is_told_apart():
    chapter = rows({"one": [0.1, 0.3], "two": [0.1, 0.3]}, None)
    gone = rows({"one": [0.0, 0.0], "two": [0.0, 0.0]}, "z-scores")
    said = "By arithmetic alone every model fails the claim under “z-scores”."
    assert fold(chapter + gone)[0].endswith(f" {overturned.NONE} {said}")
    less = rows({"one": [0.1, 0.01], "two": [0.1, 0.3]}, "less")
    assert fold(chapter + gone + less)[0].endswith(
        f" The verdict flips to “fails” on 1 of 2 models under “less”. {said}"
    )


def test_the_sentences_of_an_index_link_what_turns_and_leave_out_what_does_not():
    chapter = rows({"one": [0.1, 0.3]}, None)
    turned = results.collect(chapter + rows({"one": [0.1, 0.01]}, "less"))
    said = overturned.sentences(turned, "ethayarajh2019", "together")
    assert said == (
        f'\n  - “<a href="../scoreboard.html#{HEADLINE}">All layers above the input are anisotropic</a>”: '
        "The verdict flips to “fails” on 1 of 1 models under “less”."
    )
    same = results.collect(chapter + rows({"one": [0.1, 0.2]}, "less"))
    said = overturned.sentences(same, "ethayarajh2019", "together")
    assert said == "No choice flips the verdict on a headline claim."


def test_every_text_has_its_headlines_in_order():
    for paper in registry.PAPERS:
        assert [claim.id for claim in overturned.headlines(paper.key)] == list(
            paper.headlines
        )


@pytest.mark.parametrize(
    "name, head",
    [
        ("headlines", "<details><summary>All layers above"),
        ("flips", "<details><summary>other: "),
        ("show", "| claim |"),
    ],
)
def test_a_cell_gets_the_table_that_it_asks_for(monkeypatch, tmp_path, name, head):
    monkeypatch.setenv("CWR_RESULTS", str(tmp_path))
    table = rows({"one": [0.1, 0.3]}, None) + rows({"one": [0.1, 0.01]}, "other")
    results.write("ethayarajh2019/06_what_the_measures_hide", table, {})
    source = f'verdicts.{name}(measured, "ethayarajh2019")'
    cell = nbformat.v4.new_code_cell(source, metadata={"tags": ["verdicts"]})
    notebook = tmp_path / "notebook.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), notebook)
    verdicts.fill(notebook, tmp_path)
    (filled,) = nbformat.read(notebook, as_version=4).cells
    assert filled.outputs[0].data["text/markdown"].startswith(head)
