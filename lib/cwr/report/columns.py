"""Selects parts of replicates without copying them.

D = draws, R = rows of a table of estimates, one column of replicates each
"""

from collections.abc import Sequence

import numpy as np


class Columns:
    """The replicates of some estimates, (D, R): columns of an array shared with other parts."""

    def __init__(self, source: np.ndarray, numbers: np.ndarray | None = None):
        """source: (D, n). numbers: (R,), column numbers in source; None: all columns in order."""
        self.source = source
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.source)

    @property
    def array(self) -> np.ndarray:
        """The columns, (D, R): the source itself if `numbers` is None, else a copy."""
        return self.source if self.numbers is None else self.source[:, self.numbers]

    def __getitem__(self, index: tuple[slice, object]) -> np.ndarray:
        """Copies draws and columns as an array (D, R) would: `columns[:500, is_read]`."""
        draws, keep = index
        return self.source[draws, self._of(keep)]

    def where(self, keep: np.ndarray) -> "Columns":
        """Returns the columns that `keep`, (R,) bool, selects; nothing is copied."""
        return Columns(self.source, self._of(keep))

    def first(self, draws: int) -> "Columns":
        """Returns the first `draws` draws of all columns; nothing is copied."""
        return Columns(self.source[:draws], self.numbers)

    def _of(self, keep: object) -> np.ndarray:
        numbers = np.arange(self.source.shape[1]) if self.numbers is None else self.numbers
        return numbers[keep]


def side_by_side(parts: Sequence[Columns]) -> Columns:
    """Joins the columns of several parts; parts with fewer draws are padded with NaN.

    Parts of one shared source are not copied; other parts are, as float32.
    """
    source = parts[0].source
    if all(part.source is source for part in parts):
        return Columns(source, np.concatenate([part._of(slice(None)) for part in parts]))
    draws = max(len(part) for part in parts)
    widths = [part.array.shape[1] for part in parts]
    joined = np.full((draws, sum(widths)), np.nan, np.float32, order="F")  # columns are read
    end = 0
    for part, width in zip(parts, widths, strict=True):
        joined[: len(part), end : end + width] = part.array
        end += width
    return Columns(joined)
