"""Extraction: one pass of an encoder over a corpus, reduced to what its targets need, cached.

`run` asks one question of a corpus: targets x reducers. Targets are tables (`targets`), reducers
small values (`vectors`, `sums`). Memory is bounded by the reducers, not by the corpus: arrays are
files, mapped into memory. `together` asks several such questions in one pass.
"""

from cwr.extraction.answer import Extraction
from cwr.extraction.passes import run, together
from cwr.extraction.reducers import sums, vectors

__all__ = ["Extraction", "run", "sums", "together", "vectors"]
