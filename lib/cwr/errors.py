"""The one kind of error that a user can cause and mend."""


class UserError(Exception):
    """Bad input, told in one sentence: what is wrong, where, and what to do.

    The command line prints it without a traceback; in a notebook the cell shows the same sentence.
    """
