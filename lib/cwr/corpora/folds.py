"""Folds of a corpus: parts that share no document, so that every item can be tested once.

A document goes to its fold by a hash of its name, so that folds do not depend on the order in which
a corpus is read, on the machine, or on a seed.
"""

import hashlib
from collections.abc import Mapping

TRAINED = -1  # the fold of what is only trained on


def folds(strata: Mapping[str, str], number: int) -> dict[str, int]:
    """{document: its fold, 0 to number - 1}, with every stratum spread evenly.

    strata: {document: its stratum}, a genre say. Within a stratum documents are dealt in the order
    of their hashes, and the next stratum goes on where the last one ended.
    Raises ValueError for fewer than 2 folds, and for fewer documents than folds.
    """
    if number < 2 or len(strata) < number:
        raise ValueError(
            f"folds need to be at least 2, and no more than documents; got {number} folds of "
            f"{len(strata)} documents"
        )
    dealt = sorted(strata, key=lambda document: (strata[document], digest(document)))
    return {document: place % number for place, document in enumerate(dealt)}


def digest(text: str) -> int:
    """A number of 63 bits for a text, the same on every machine."""
    content = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(content[:8], "big") >> 1
