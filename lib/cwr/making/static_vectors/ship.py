"""Makes the folder of `cwr-static` from a text: vectors and files for the card."""

import hashlib
import json
import platform
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from cwr import paths
from cwr.corpora import word_vectors
from cwr.corpora.word_vectors import WordVectors
from cwr.making.static_vectors import counted, quality
from cwr.measures.contextuality import mean_pairwise_cosine
from cwr.training.static_vectors.skip_gram import (
    SETTINGS,
    Settings,
    Trained,
    one_copy_a_word,
    train,
)

COMMONEST = 20_000  # words that travel, whatever they are needed for
HALF = "half of the epochs"
MADE, QUALITY = "made.json", "quality.csv"


def ship(
    sentences: Iterable[Sequence[str]],
    text: Mapping[str, int | str],
    needed: Collection[str],
    target: Path,
    settings: Settings = SETTINGS,
) -> None:
    """Trains skip-gram and its count model on sentences; writes the folder `target` (`write`).

    text: the card's facts about the text. needed: words to keep. settings: skip-gram's.
    """
    sentences = one_copy_a_word(sentences)
    half = train(sentences, replace(settings, epochs=settings.epochs // 2))
    start = time.process_time()
    trained = train(sentences, settings)
    minutes = round((time.process_time() - start) / 60, 1)
    words = trained.vectors.words
    rival = counted.factorised(sentences, words, settings.dim, settings.window, settings.seed)
    record = {**text, "settings": repr(settings), "minutes": minutes}
    write(trained, half.vectors, rival, record, needed, target)


def write(
    trained: Trained,
    half: WordVectors,
    rival: WordVectors,
    record: Mapping[str, int | float | str],
    needed: Collection[str],
    target: Path,
) -> None:
    """Writes the folder of the shipped vectors, completely or not at all, without its card.

    half: the vectors after half of the epochs, for comparison on the card. record: the card's facts
        about text and training. needed: words to keep whatever their count, upper or lower case.
    """
    shipped = cut(trained.vectors, needed)
    sizes = {"vocabulary": len(trained.vectors.words), "shipped": len(shipped.words)}
    cosines = {
        "mean_cosine": trained.vectors.vectors,
        "mean_cosine_half": half.vectors,
        "mean_cosine_contexts": trained.contexts,
    }
    shape = {name: round(mean_pairwise_cosine(table), 4) for name, table in cosines.items()}
    with paths.replacing(target) as folder:
        word_vectors.write(shipped, folder)
        table = quality.beside(shipped, [rival, replace(half, name=HALF)])
        table.round(4).to_csv(folder / QUALITY, index=False, lineterminator="\n")
        facts = {"model": shipped.name, **record, **sizes, **shape, **_about(folder)}
        (folder / MADE).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def cut(vectors: WordVectors, needed: Collection[str]) -> WordVectors:
    """Selects the vectors of the COMMONEST words and of `needed`, rounded to half precision.

    vectors: sorted from common to rare. A needed word is kept in all its forms of upper and lower
        case.
    """
    lower = {word.lower() for word in needed}
    rows = [
        row for row, word in enumerate(vectors.words) if row < COMMONEST or word.lower() in lower
    ]
    kept = vectors.vectors[rows].astype(np.float16).astype(np.float32)
    return WordVectors(vectors.name, tuple(vectors.words[row] for row in rows), kept)


def _about(folder: Path) -> dict[str, str | int]:
    """Returns size and checksum of the vectors in a folder, gensim's version and the machine."""
    import gensim

    content = (folder / word_vectors.VECTORS).read_bytes()
    return {
        "weights_sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "gensim": gensim.__version__,
        "machine": f"{platform.machine()} CPU, one thread",
    }
