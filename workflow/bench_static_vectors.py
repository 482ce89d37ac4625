"""Static vectors and analogies against scikit-learn and gensim: what bench.py times, two ways each."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from cwr.corpora import word_benchmarks
from cwr.measures import static_vectors
from cwr.measures.benchmarks import analogy

WORDS, OCCURRENCES, DIM = 2_000, 10, 384
QUESTION = ["first", "second", "third", "answer"]
TWO_WAYS = tuple[Callable[[], object], Callable[[], object]]


def components() -> tuple[TWO_WAYS, float]:
    """The first component of every word: word by word by TruncatedSVD, and by groups of equal n.

    Returns what runs each, and the largest difference of an entry, signs aside.
    """
    from sklearn.decomposition import TruncatedSVD

    rng = np.random.default_rng(0)
    counts = rng.integers(5, OCCURRENCES + 1, size=WORDS)
    words = np.repeat([f"word{number}" for number in range(WORDS)], counts)
    vectors = rng.normal(size=(len(words), DIM)) + 0.3
    ends = np.cumsum(counts)

    def word_by_word():
        rows = []
        for occurrences in np.split(vectors, ends[:-1]):
            svd = TruncatedSVD(n_components=1, algorithm="arpack", random_state=0)
            rows.append(svd.fit(occurrences).components_[0])
        return np.stack(rows)

    def together():
        return np.stack(list(static_vectors.of_words(vectors, words).values()))

    expected = word_by_word()
    signs = np.sign((expected * together()).sum(axis=1, keepdims=True))
    return (word_by_word, together), float(abs(signs * expected - together()).max())


def analogies() -> tuple[TWO_WAYS, int, bool]:
    """Google's questions: by gensim, and in blocks, on the same float32 vectors of its words.

    Returns what runs each, the number of questions, and whether both answer the same ones rightly.
    """
    from gensim.models import KeyedVectors

    google = word_benchmarks.load("Google")
    questions = google.items.sample(2_000, random_state=0).sort_values("class", kind="stable")
    rng = np.random.default_rng(0)
    table = rng.normal(size=(len(google.words), 128))
    for first, second in questions[["first", "second"]].drop_duplicates().to_numpy():
        rows = [google.words.index(word) for word in (first, second)]
        table[rows[1]] += 0.7 * table[rows[0]]  # so that some answers are right
    table = table.astype(np.float32)
    keyed = KeyedVectors(table.shape[1])
    keyed.add_vectors(list(google.words), table)
    keyed.fill_norms()
    vectors = dict(zip(google.words, table, strict=True))

    def by_gensim():
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "questions.txt"
            lines = questions[QUESTION].agg(" ".join, axis=1)
            file.write_text("\n".join([": all", *lines]), encoding="utf-8")
            return keyed.evaluate_word_analogies(str(file), case_insensitive=False)

    sections = by_gensim()[1]
    items = analogy(vectors, questions).items
    right = sorted(map(tuple, items.loc[items["is_right"], QUESTION].to_numpy()))
    is_equal = right == sorted(sections[0]["correct"])
    return (by_gensim, lambda: analogy(vectors, questions)), len(questions), is_equal
