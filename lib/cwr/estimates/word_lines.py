"""What can be answered of a word without a vector: the lines beside Figure 3 of Zhao et al. (2020).

W words, C classes
"""

import numpy as np

from cwr.corpora.wiki_pse.contexts import TEST, TRAIN
from cwr.estimates import probe_lines, probes
from cwr.estimates.probes import Answers
from cwr.estimates.word_spaces import Words

GUESS, CONSTANT = "guess at the base rate", "best constant answer"
LETTERS, TOP = "letters of the word", "top class of each word (oracle)"


def expected_guess(words: Words) -> float:
    """The F1 that is expected of saying yes to each class as often as training words have it.

    sum(p²) / sum(p) over the rates p of the classes, for test words with the same rates.
    """
    rates = words.is_class[words.rows(TRAIN)].mean(axis=0)
    return float((rates**2).sum() / rates.sum())


def answers(words: Words, seed: int = 0) -> dict[str, Answers]:
    """Answers on the test words: a guess, a constant, the word's letters, and its top class.

    The top class is an oracle's: that of most contexts of the word. One that knows all classes of
    each word scores 1. seed: of the guess.
    """
    names, classes = words.table.index.to_numpy(), len(words.classes)
    train, test = words.rows(TRAIN), words.rows(TEST)
    word, gold = np.nonzero(words.is_class[train])
    learned = names[train][word]
    rates = words.is_class[train].mean(axis=0)
    top = probe_lines.best_constant(learned, gold, classes, "words")
    commonest = words.of_class.to_numpy()[test].argmax(axis=1)
    decisions = {
        GUESS: probe_lines.guess_per_word(names[test], rates, seed),
        CONSTANT: probe_lines.constant(test.sum(), rates, top),
        LETTERS: probe_lines.character_ngrams(learned, gold, names[test], classes),
        TOP: np.eye(classes, dtype=bool)[commonest],
    }
    is_class = words.is_class[test]
    return {
        line: probes.of_words(names[test], is_class, yes[None, None])
        for line, yes in decisions.items()
    }
