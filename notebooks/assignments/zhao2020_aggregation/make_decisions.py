"""Make decisions.npz, the file that travels with the assignment: python make_decisions.py

Contexts of words with one or two classes, and what three sets of probes say of each: planted, so that
only one of them has read the contexts. Nothing in it is of a model.
"""

from pathlib import Path

import numpy as np

from cwr.measures.probing import micro_f1

FILE = Path(__file__).with_name("decisions.npz")
CLASSES = ("art", "food", "location", "organization", "person")
PAIRS = (
    *("airheads art 47", "airheads food 2", "apple organization 9", "apple food 6"),
    *("bach person 4", "curie person 1", "hamlet art 5", "hamlet person 3", "jordan location 8"),
    *("jordan person 7", "nato organization 3", "oslo location 1", "paris location 12"),
    *("paris person 2", "pasta food 1", "turkey location 6", "turkey food 4"),
)
EAGER, MISTAKEN, MISSED = 0.6, 0.1, 0.2  # shares of contexts with a yes or no that is wrong
LICENCE = (
    "Decisions planted for the book 'Contextual word representations, reproduced'; no model, no "
    "text. They carry the book's licence."
)


def contents(seed: int = 0) -> dict[str, np.ndarray]:
    """Everything in the file, by name.

    words: (n,) text. gold: (n,) numbers of classes. classes: (c,). A, B, C: (n, c) bool; A says yes
    to most classes, B knows the classes of a word, C errs on contexts, not on words.
    """
    generator = np.random.default_rng(seed)
    words, gold = [], []
    for pair in PAIRS:
        word, name, contexts = pair.split()
        words += int(contexts) * [word]
        gold += int(contexts) * [CLASSES.index(name)]
    words, gold = np.array(words), np.array(gold)
    is_gold = np.arange(len(CLASSES)) == gold[:, None]
    of_word = np.array([is_gold[words == word].any(axis=0) for word in words])
    drawn = generator.random((2, *is_gold.shape))
    return {
        "words": words,
        "gold": gold,
        "classes": np.array(CLASSES),
        "A": is_gold | (drawn[0] < EAGER),
        "B": of_word,
        "C": np.where(is_gold, drawn[1] >= MISSED, drawn[1] < MISTAKEN),
        "licence": np.array(LICENCE),
    }


def teaches(data: dict[str, np.ndarray]) -> bool:
    """Whether the data show what is asked about: the probe that reads recognises least and scores most."""
    contexts = data["words"], data["gold"]
    recognised = {name: micro_f1(data[name], *contexts, "pairs") for name in "ABC"}
    score = {name: micro_f1(data[name], *contexts) for name in "ABC"}
    is_least = recognised["A"] == recognised["B"] == 1 > recognised["C"]
    return is_least and score["C"] > score["B"] > score["A"]


if __name__ == "__main__":
    np.savez_compressed(FILE, **contents())
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")
