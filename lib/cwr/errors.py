"""Defines the error that a user can cause and correct; formats texts and names for sentences."""

import difflib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

LONGEST = 200  # letters of a text that a sentence repeats


class UserError(Exception):
    """The error for bad input; its one sentence says what is wrong, where, and what to do.

    The command line prints it without a traceback; in a notebook the cell shows the same sentence.
    """


def each_readable(
    items: Iterable, read: Callable, say: Callable[[str], None] | None = None
) -> Iterator:
    """Yields `read(item)` for each item, except items for which `read` raises UserError.

    say: gets a line on each such error; None: the error is raised.
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
    """Formats a text on one line, quoted, escaped and cut at `LONGEST` characters."""
    return repr(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def listed(names: Sequence[str]) -> str:
    """Joins names for a sentence: "a", "a and b", "a, b and c"; "none" for no names."""
    if not names:
        return "none"
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def hint(name: str, names: Collection[str]) -> str:
    """Suggests names in place of an unknown name: the most similar one, or all of `names`."""
    found = most_like(name, names)
    return f"did you mean {found!r}?" if found else f"there are {', '.join(names)}"


def most_like(name: str, names: Iterable[str], least: float = 0.5) -> str | None:
    """Finds the entry of `names` that is most like `name`; None if no similarity reaches `least`.

    least: from 0 (any entry will do) to 1, as in `difflib.get_close_matches`.
    """
    return next(iter(difflib.get_close_matches(name, names, n=1, cutoff=least)), None)


def first_line(error: Exception) -> str:
    """Returns the first line of a library's error message, cut at `LONGEST` characters."""
    is_system = isinstance(error, OSError) and error.strerror
    lines = str(error.strerror if is_system else error).strip().splitlines() or ["no reason given"]
    return lines[0].rstrip(":")[:LONGEST]
