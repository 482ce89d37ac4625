"""Reads the tokenizer.json of a folder and the roles of its tokens, without transformers."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from tokenizers import Tokenizer

from cwr.encoders.configuration import read_object
from cwr.errors import UserError, first_line

ROLE_FILES = ("tokenizer_config.json", "special_tokens_map.json")


def read(folder: Path, name: str) -> Tokenizer:
    """Reads the tokenizer of a folder; UserError if tokenizer.json is missing or damaged."""
    file = folder / "tokenizer.json"
    try:
        return Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises nothing more precise
        state = "no sound" if file.is_file() else "no"
        raise UserError(
            f"the folder of {name} holds {state} tokenizer.json, so its rows have no names; save "
            "the fast tokenizer with save_pretrained first"
        ) from error


@contextlib.contextmanager
def that_may_panic() -> Iterator[None]:
    """Turns a panic of the tokenizers library inside the context into a UserError.

    A pattern that never ends makes the library panic. Its panic is not an Exception, and the class
    cannot be imported.
    """
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise UserError(
            f"the model's tokenizer gives up on a text ({first_line(error)}): a pattern in its "
            "tokenizer.json takes too long; take another model"
        ) from None


def roles(folder: Path) -> set[str]:
    """Returns the tokens to which the tokenizer's files give a role (begin, end, mask, ...)."""
    tokens = []
    for file in ROLE_FILES:
        entries = read_object(folder / file) or {}
        tokens += [entry for key, entry in entries.items() if key.endswith("_token")]
    spellings = [token.get("content") if isinstance(token, dict) else token for token in tokens]
    return {spelling for spelling in spellings if isinstance(spelling, str)}
