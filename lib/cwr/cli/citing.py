"""Writes a paragraph and a BibTeX entry for a reader who reports the results of reruns."""

from collections.abc import Iterable
from contextlib import suppress

import yaml

from cwr import paths
from cwr.cli import plan
from cwr.errors import UserError


def paragraph(models: dict[str, str], texts: list[str], counted: str, commit: str | None) -> str:
    """Returns two sentences to paste, with the models' weights, the texts, counts and commit.

    models: {name in results: folder or hub id}. texts: their titles. counted: verdicts counted by
        `render.counted`. commit: the commit of the code that ran.
    """
    named = "; ".join(f"{name} ({weights(path)})" for name, path in models.items())
    asked = f"We tested the claims of {', '.join(texts)} on {named or 'the models of the book'}"
    code = f"commit {commit[:12]}" if commit else "a copy without a commit"
    return (
        f"{asked} with cwr {citation()['version']} ({code}): {counted}. A claim holds if it is true "
        "in at least 97.5 % of the bootstrap replicates, and fails if it is true in at most 2.5 %."
    )


def weights(path: str) -> str:
    """Returns a model's weight files, each with the first digits of its sha256, as a phrase.

    path: the folder or hub id of the model.
    """
    from cwr.encoders import hub

    with suppress(UserError):
        hashes = list(plan.hashes_of_weights(hub.find(path, weights=False).folder))
        if hashes:
            return ", ".join(f"{file}, sha256 {digest[:16]}" for file, digest in hashes)
    return "weights in no file of its own"


def bibtex() -> str:
    """Returns CITATION.cff as a BibTeX entry."""
    record = citation()
    authors = " and ".join(_author(author) for author in record["authors"])
    fields = {
        "title": record["title"],
        "author": authors,
        "version": record["version"],
        "note": f"License: {record['license']}",
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join(["@software{cwr,", *lines, "}"])


def _author(author: dict) -> str:
    """Returns the name of a person, or of a group in braces, so that BibTeX does not split it."""
    if "family-names" in author:
        return f"{author['family-names']}, {author.get('given-names', '')}"
    return f"{{{author['name']}}}"


def citation() -> dict:
    """Reads CITATION.cff of this checkout."""
    file = paths.CHECKOUT / "CITATION.cff"
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def commits(records: Iterable[dict]) -> str | None:
    """Returns the commit that all records (provenance.json) name; None if they name several."""
    found = {record.get("commit") for record in records}
    return found.pop() if len(found) == 1 else None
