"""What folds on a notebook's page, on pages that are made up here."""

import sys
from pathlib import Path

import pytest
from docutils import nodes

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book" / "_ext"))

import folds  # noqa: E402


def section(title: str, *content: nodes.Node) -> nodes.section:
    return nodes.section("", nodes.title("", title), *content)


def paragraph(text: str = "Text.") -> nodes.paragraph:
    return nodes.paragraph("", text)


def cell(
    *printed: nodes.Node, code: str = "x = 1", classes: tuple = ()
) -> nodes.container:
    """A code cell of a page, with what it prints."""
    parts = [nodes.container("", nodes.literal_block("", code), classes=["cell_input"])]
    if printed:
        parts.append(nodes.container("", *printed, classes=["cell_output"]))
    return nodes.container("", *parts, classes=["cell", *classes])


def table(*rows: tuple[str, ...], head: tuple[str, ...]) -> nodes.table:
    def row(texts):
        entries = [nodes.entry("", paragraph(text)) for text in texts]
        return nodes.row("", *entries)

    body = nodes.tbody("", *map(row, rows))
    return nodes.table("", nodes.tgroup("", nodes.thead("", row(head)), body))


def page(*sections: nodes.Node, name: str = "survey/01_page") -> nodes.document:
    """A page after its folds."""
    document = nodes.document(None, None)
    document += section("A page", paragraph(), *sections)
    folds.fold(None, document, name)
    return document


def lines(node: nodes.Node) -> list[str]:
    """The lines of the folds, in order, without their tags."""
    raws = [raw.astext() for raw in node.findall(nodes.raw) if "<summary>" in raw.astext()]
    return [raw.partition("<summary>")[2].partition("</summary>")[0] for raw in raws]


def in_sight(node: nodes.Node) -> str:
    """The text of a page whose folds are closed."""
    texts = [
        each.astext()
        for each in node.findall(nodes.Text)
        if not isinstance(each.parent, nodes.raw) and not folds.is_folded(each.parent)
    ]
    return " ".join(texts)


def test_sections_that_follow_one_another_are_one_line_unless_they_are_questions():
    made = page(
        section("The data", paragraph(), cell()),
        section("The measure", paragraph(), cell(paragraph("0.5"))),
        section("Does it hold?", paragraph("It does."), cell(), paragraph("Not so.")),
        section("What we leave & behind", paragraph("First."), cell()),
    )
    assert lines(made) == [
        "The data · The measure (code)",
        "Read on: code, a paragraph",
        "Read on: code",
    ]
    assert "It does." in in_sight(made) and "First." in in_sight(made)
    assert "The data" not in in_sight(made) and "Not so." not in in_sight(made)


def test_needs_fold_apart_from_the_sections():
    needs = nodes.admonition("", nodes.title("", "Needs"), paragraph("A minute."))
    sections = (section(name, paragraph(), cell()) for name in ("The data", "The models"))
    made = page(needs, section("The claim", paragraph("A claim.")), *sections)
    assert "cwr run survey/01_page" in lines(made)[0]
    assert lines(made)[1:] == ["The data · The models (code)"]
    assert "A claim." in in_sight(made) and "A minute." not in in_sight(made)


def test_a_lesson_stays_open():
    data = section("The data", paragraph(), cell(paragraph("0.5")))
    made = page(data, name="models/01_page")
    assert lines(made) == [] and "0.5" in in_sight(made)


def test_each_of_several_cards_that_a_cell_prints_keeps_its_first_paragraph():
    cards = []
    for model in ("cwr-elmo", "cwr-gpt"):
        below = nodes.rubric("", "Licence", level=4)
        heading = nodes.rubric("", model, level=3)
        cards += [heading, paragraph("A model."), below, paragraph(f"Of {model}.")]
    made = page(section("The cards", cell(*cards)), name="models/02_page")
    assert lines(made) == ["Read on: a paragraph"] * 2
    assert in_sight(made).count("A model.") == 2 and "cwr-gpt" in in_sight(made)
    assert "Licence" not in in_sight(made)


def test_cells_that_follow_one_another_share_a_fold_and_what_they_say_stays_in_sight():
    said = cell(paragraph("A finding."), classes=("tag_hide-input",))
    drawn = cell(paragraph("Book figure 1 is drawn here."), classes=("tag_hide-input",))
    made = page(section("The definition", cell(), drawn, cell(), said, cell()))
    assert lines(made) == ["Read on: code", "Read on: code"]
    assert "A finding." in in_sight(made) and "drawn here" not in in_sight(made)


def test_exercises_are_a_line_and_the_files_of_the_page_stay_in_sight():
    exercises = nodes.enumerated_list(
        "", *(nodes.list_item("", paragraph(f"Exercise {n}.")) for n in range(3))
    )
    files = paragraph("The numbers of this page, as files: here.")
    commands = nodes.literal_block("", "cwr run survey/01_page -p seed 1")
    made = page(section("Try this", commands, exercises, files))
    assert lines(made) == [
        "Commands to run and 3 exercises, each with its answer or a hint"
    ]
    assert "Exercise" not in in_sight(made) and "as files" in in_sight(made)


@pytest.mark.parametrize("announced", [False, True])
def test_remarks_beyond_the_first_fold_and_none_is_cut_from_what_it_announces(announced):
    text = "A remark of some length. " * 15
    second = paragraph("The numbers are these:" if announced else "More.")
    made = page(
        section("What to make of it", paragraph(text), second, paragraph(text * 2))
    )
    assert lines(made) == [f"Read on: {'2 paragraphs' if announced else 'a paragraph'}"]
    assert text in in_sight(made) and "these:" not in in_sight(made)
    assert ("More." in in_sight(made)) is not announced


def test_of_differences_in_print_the_first_are_in_sight():
    items = (nodes.list_item("", paragraph(f"{n} " + "long " * 50)) for n in range(5))
    made = page(section("What differs?", paragraph(), nodes.bullet_list("", *items)))
    assert lines(made) == ["The others (2)"]
    assert "2 long" in in_sight(made) and "3 long" not in in_sight(made)


def test_a_table_of_verdicts_keeps_the_rows_of_its_first_claim():
    rows = [("A", "print", "holds"), ("", "cwr-gpt", "fails"), ("B", "print", "fails")]
    of_claims = table(*rows, head=("claim", "judged on", "here"))
    made = page(section("The verdict", cell(of_claims, classes=("tag_verdicts",))))
    assert lines(made) == ["Another claim"]
    assert "cwr-gpt" in in_sight(made) and "B" not in in_sight(made).split()
    other = table(*rows, head=("model", "judged on", "here"))
    assert (
        lines(page(section("The verdict", cell(other, classes=("tag_verdicts",))))) == []
    )
