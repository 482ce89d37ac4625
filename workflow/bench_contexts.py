"""Contexts of sentences and averages of words, by sums: what bench.py times, and their memory.

python bench_contexts.py MODEL SENTENCES TIMES prints the megabytes that they take at most of so
many sentences, each TIMES times. Repeated sentences are the same objects, and every run has loaded
the same corpus: what differs is the memory of the reading, not that of the text.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace

from bench_memory import peak
from cwr import corpora, encoders
from cwr.corpora.paragraphs import lower_cased
from cwr.estimates import contexts
from cwr.extraction import cache

LEAST = 5  # occurrences of a word that gets an average


def from_scratch(
    name: str, n: int, times: int = 1
) -> tuple["encoders.Encoder", "corpora.Corpus", Callable]:
    """A model, `times` x n sentences of wiki-sample, and what reads their contexts without a cache.

    What reads them is told whether averages of words are wanted, too.
    """
    text = lower_cased(corpora.load("wiki-sample").sample(n, 0))  # as the teacher reads it
    label = f"{text.fingerprint} x {times}"
    text = replace(text, sentences=text.sentences * times, fingerprint=label)
    encoder = encoders.load(name)
    vocabulary = contexts.vocabulary(text, LEAST)

    def read(averages: bool = True):
        cache.empty()
        return contexts.read(encoder, text, vocabulary, averages=averages)

    return encoder, text, read


def main() -> None:
    """Print the peak of one reading."""
    name, n, times = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CWR_CACHE"] = folder
        _, _, read = from_scratch(name, int(n), int(times))
        read()
    print(peak())


if __name__ == "__main__":
    main()
