"""Extraction: one pass of an encoder over a corpus, reduced to the arrays that are needed; cached.

`run` asks one question of a corpus: a table of targets (`targets`) and reducers (`vectors`,
`sums`). `together` asks several questions in one pass.

    questions   what is asked, and its share in each block of 4,096 sentences
    passes      which process encodes which block
    collector   the files of one block (`alignment` finds the targets, `bags` adds up)
    merging     the blocks become the answer, in their order
    answer      the arrays of the answer, mapped into memory
    cache       the files on the disk

Memory is bounded by a block and by the table of targets.
"""

from cwr.extraction.answer import Extraction
from cwr.extraction.passes import run, together
from cwr.extraction.reducers import sums, vectors

__all__ = ["Extraction", "run", "sums", "together", "vectors"]
