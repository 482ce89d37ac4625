"""The folds of a corpus: parts that share no document, so that every item can be tested once.

A hash of a document's name decides its fold, so folds do not depend on the order in which a corpus
is read, on the machine, or on a seed.
"""

import hashlib
from collections.abc import Mapping

TRAINED = -1  # the fold of what is only trained on


def folds(strata: Mapping[str, str], number: int) -> dict[str, int]:
    """Assigns documents to folds, {document: 0 to number - 1}, each stratum evenly.

    strata: {document: its stratum, such as a genre}. Within a stratum documents are dealt in the
    order of their hashes, and the next stratum continues with the next fold.
    Raises ValueError for fewer than 2 folds, and for fewer documents than folds.
    """
    if number < 2 or len(strata) < number:
        raise ValueError(
            f"folds need to be at least 2, and no more than documents; got {number} folds of "
            f"{len(strata)} documents"
        )
    dealt = sorted(strata, key=lambda document: (strata[document], stable_hash(document)))
    return {document: place % number for place, document in enumerate(dealt)}


def stable_hash(text: str) -> int:
    """Hashes a string to a number of 63 bits, the same on every machine."""
    content = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(content[:8], "big") >> 1
