"""Extraction: one pass of an encoder over a corpus, reduced to the arrays that are needed; cached.

`run` asks one question of a corpus: a table of targets (`targets`) and reducers (`vectors`,
`sums`). Arrays are files, mapped into memory, so memory is bounded by the reducers, not by the
corpus. `together` asks several questions in one pass.
"""

from cwr.extraction.answer import Extraction
from cwr.extraction.passes import run, together
from cwr.extraction.reducers import sums, vectors

__all__ = ["Extraction", "run", "sums", "together", "vectors"]
