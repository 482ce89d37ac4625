"""A notebook's page answers first: a card and its figure before all, headline verdicts in sight."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import nbformat

import reference
from cwr.papers import artifacts, registry
from cwr.report import answer, checked, kept, markup, profiles, results, verdicts
from cwr.report.render import Judged

DIFFERS = """## What differs?

{differ}

{listed}
"""
MAIN = "claim="  # begins the tag of a verdict cell that names the main claim of its page


def show(page: Path, notebook: str, judged: Sequence[Judged]) -> None:
    """Put the answer to a page's question below its title, and fold all but the headline verdicts.

    page: an executed notebook whose cells tagged `verdicts` are filled; changed in place. judged:
    the claims of its verdict table. A page that only checks print begins with what differs.
    """
    paper = notebook.partition("/")[0]
    content = nbformat.read(page, as_version=4)
    if artifacts.only_printed(notebook):
        listed = answer.differences(paper)
        number = len(checked.rows(paper))
        differ = "None of the {} checks of printed numbers finds a difference."
        if listed:
            differ = "We made {} checks of printed numbers. These find a difference:"
        text = DIFFERS.format(differ=differ.format(number), listed=listed)
    elif judged:
        (cell,) = [each for each in content.cells if _is_table(each)]
        main = [tag.removeprefix(MAIN) for tag in cell.metadata.tags if tag.startswith(MAIN)]
        open_claims = answer.in_sight(paper, judged, *main)
        text = answer.card(open_claims[0])
        _fold(cell, open_claims, judged)
    else:
        return
    content.cells.insert(1, nbformat.v4.new_markdown_cell(text, id="answer"))
    nbformat.write(content, page)


def with_longer(own: list[Judged], notebook: str, run_folder: Path, root: Path) -> list[Judged]:
    """The claims of a page, with the verdicts on the results that travel with the book beside them.

    own: judged on the reader's results in `run_folder`. Unchanged where nothing is kept.
    """
    folder = reference.folder(root) / notebook
    is_longer = run_folder.name not in kept.PROFILES[:-1]
    if not own or is_longer or not (folder / "results.json").exists():
        return own
    longer = verdicts.asked(results.read(folder), own[0].paper, reference.PROFILE)
    by_profile = {run_folder.name: _with(own, longer), reference.PROFILE: _with(longer, own)}
    return profiles.together(by_profile, kept.runs(run_folder), root)


def _with(judged: list[Judged], others: list[Judged]) -> list[Judged]:
    """Claims in the order of their paper, those that only `others` have without any verdict."""
    silent = {each.claim.id: replace(each, ours={}, general=None) for each in others}
    by_id = silent | {each.claim.id: each for each in judged}
    return [
        by_id[claim.id] for claim in registry.paper(judged[0].paper).claims if claim.id in by_id
    ]


def _fold(cell: nbformat.NotebookNode, open_claims: list[Judged], judged: Sequence[Judged]) -> None:
    """Fold the complete verdict table below a line, behind the table of the claims in sight."""
    readings = sum(each.claim.is_reading for each in judged)
    title = f"All {len(judged)} claims of this page with their reasons"
    title += f"; {readings} are variants of another claim" if readings > 1 else ""
    title += "; 1 is a variant of another claim" if readings == 1 else ""
    silent = sum(not verdicts.was_asked(each) for each in judged)
    title += f"; {silent} could not be tested here" if silent else ""
    cell.metadata.tags.append("hide-input")
    for output in cell.outputs:
        complete = output.data["text/markdown"]
        output.data["text/markdown"] = "\n\n".join(
            [answer.table(open_claims), markup.fold(title, complete)]
        )


def _is_table(cell: nbformat.NotebookNode) -> bool:
    """Whether it is the cell of the verdict table, and none that compares choices."""
    compares = ".flips(" in cell.source or ".headlines(" in cell.source
    return "verdicts" in cell.metadata.get("tags", []) and not compares
