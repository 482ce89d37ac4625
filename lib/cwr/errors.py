"""The one kind of error that a user can cause and mend, and how it quotes a user's text."""

from collections.abc import Callable, Iterable, Iterator

LONGEST = 200  # letters of a text that a sentence repeats


class UserError(Exception):
    """Bad input, told in one sentence: what is wrong, where, and what to do.

    The command line prints it without a traceback; in a notebook the cell shows the same sentence.
    """


def each(items: Iterable, read: Callable, say: Callable[[str], None] | None = None) -> Iterator:
    """`read(item)` for each item; what raises UserError is told to `say` and left out.

    Without `say` it is raised.
    """
    for item in items:
        try:
            result = read(item)
        except UserError as error:
            if say is None:
                raise
            say(f"left out: {error}")
        else:
            yield result


def quoted(text: str) -> str:
    """A text in quotation marks on one line, control signs escaped, cut at `LONGEST` letters."""
    return repr(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def first_line(error: Exception) -> str:
    """What a library says of an error: its first line, cut at `LONGEST` letters."""
    is_system = isinstance(error, OSError) and error.strerror
    lines = str(error.strerror if is_system else error).strip().splitlines() or ["no reason given"]
    return lines[0].rstrip(":")[:LONGEST]
