"""Makes answers that need no context: the baselines beside the probes' F1.

Each baseline gives decisions (n, C) on the tested contexts, as probes do, so that they are
aggregated, scored and resampled in the same way (`texts.zhao2020.probes`). Some of them guess by
the training contexts; others are oracles, which know the classes of the words that are tested.

    n contexts, C classes, W words
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cwr.corpora.wiki_pse.contexts import TEST, TRAIN
from cwr.measures import probing
from cwr.texts.zhao2020.probes import FULL, Answers, numbered, word_numbers


def classes_of_words(
    words: np.ndarray, gold: np.ndarray, n_classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the words, sorted, (W,), and the number of their contexts of each class, (W, C).

    words, gold: (n,).
    """
    names, word = np.unique(words, return_inverse=True)
    contexts = np.bincount(word * n_classes + gold, minlength=len(names) * n_classes)
    return names, contexts.reshape(len(names), n_classes)


def rate_per_word(words: np.ndarray, gold: np.ndarray, n_classes: int) -> np.ndarray:
    """Computes the share of the (training) words that have each class, (C,)."""
    return (classes_of_words(words, gold, n_classes)[1] > 0).mean(axis=0)


def rate_per_context(gold: np.ndarray, n_classes: int) -> np.ndarray:
    """Computes the share of the (training) contexts that are of each class, (C,)."""
    return np.bincount(gold, minlength=n_classes) / len(gold)


def guess_per_context(n: int, rates: np.ndarray, seed: int = 0) -> np.ndarray:
    """Guesses yes to each class at its rate, anew for each of n contexts: (n, C) bool.

    rates: (C,), of `rate_per_context`.
    """
    return np.random.default_rng(seed).random((n, len(rates))) < rates


def constant(n: int, rates: np.ndarray, top: int) -> np.ndarray:
    """Says yes to the `top` most frequent training classes, whatever the word: (n, C) bool."""
    is_top = np.zeros(len(rates), dtype=bool)
    is_top[np.argsort(-rates, kind="stable")[:top]] = True
    return np.tile(is_top, (n, 1))


def best_constant(words: np.ndarray, gold: np.ndarray, n_classes: int) -> int:
    """Returns the number of most frequent classes for which `constant` has the highest F1 ("full").

    words, gold: (n,), of the training, where it is chosen.
    """
    rates = rate_per_word(words, gold, n_classes)
    scores = []
    for top in range(1, n_classes + 1):
        decisions = constant(len(gold), rates, top)
        scores.append(probing.micro_f1(decisions, words, gold, FULL))
    return 1 + int(np.argmax(scores))


def top_class(words: np.ndarray, gold: np.ndarray, n_classes: int) -> np.ndarray:
    """Says yes to the class of most contexts of the word, the first of equal ones: an oracle."""
    _, contexts = classes_of_words(words, gold, n_classes)
    highest = np.eye(n_classes, dtype=bool)[contexts.argmax(axis=1)]
    return highest[word_numbers(words)]


def class_set(
    words: np.ndarray, gold: np.ndarray, n_classes: int, most: int | None = None
) -> np.ndarray:
    """Says yes to all classes of the word: an oracle.

    most: words with more classes get only no. The best of these thresholds has the F1 of
    `probing.context_free_ceiling` under "full".
    """
    is_class = classes_of_words(words, gold, n_classes)[1] > 0
    if most is not None:
        is_class &= is_class.sum(axis=1, keepdims=True) <= most
    return is_class[word_numbers(words)]


def character_ngrams(
    train_words: np.ndarray,
    train_gold: np.ndarray,
    words: Sequence[str],
    n_classes: int,
) -> np.ndarray:
    """Predicts classes from the target's letters, by a logistic regression each: (n, C) bool.

    A name often says what it names ("… University", "Battle of …"), and probes can learn that, too.
    train_words, train_gold: (training contexts,); each word is learned once, with its classes.
    The n-grams are within words, of at most five characters; the penalty is not tuned. A class
    without a training word gets no yes.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.pipeline import make_pipeline

    names, contexts = classes_of_words(train_words, train_gold, n_classes)
    is_class = contexts > 0  # (W, C)
    learned = is_class.any(axis=0)
    pieces = TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 5), sublinear_tf=True)
    regressions = OneVsRestClassifier(LogisticRegression(C=10, solver="liblinear"))
    predictor = make_pipeline(pieces, regressions).fit(names, is_class[:, learned].astype(int))
    decisions = np.zeros((len(words), n_classes), dtype=bool)
    decisions[:, learned] = predictor.predict(words) > 0
    return decisions


def lines(
    table: pd.DataFrame, classes: Sequence[str], split: str = TEST, seed: int = 0
) -> dict[str, Answers]:
    """Computes each baseline's answers on the contexts of a split whose class has a probe.

    table: a probing set (`corpora.wiki_pse.contexts`), whose train contexts give the rates.
    classes: those with a probe (`texts.zhao2020.probing_sets`). The constant answer is the one that
    is best under "full" in training.
    """
    probed = table[table["class"].isin(classes)]
    train, tested = (probed[probed["split"] == name] for name in (TRAIN, split))
    n_classes = len(classes)
    known, words = (part["word"].to_numpy() for part in (train, tested))
    known_gold, gold = (numbered(part["class"], classes) for part in (train, tested))
    rates = rate_per_context(known_gold, n_classes)
    per_word = rate_per_word(known, known_gold, n_classes)
    top = best_constant(known, known_gold, n_classes)
    decisions = {
        "base rate per context": guess_per_context(len(gold), rates, seed),
        "constant yes": constant(len(gold), per_word, top),
        "character n-grams": character_ngrams(known, known_gold, words, n_classes),
        "top class": top_class(words, gold, n_classes),
        "class set": class_set(words, gold, n_classes),
    }
    return {name: Answers(words, gold, said[None, None]) for name, said in decisions.items()}
