"""The one kind of error that a user can cause and mend."""

from collections.abc import Callable, Iterable, Iterator


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
