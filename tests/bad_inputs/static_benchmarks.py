"""Classes 1, 2 and 9: benchmarks of word vectors that do not exist, are broken, or have no word."""

from pathlib import Path
from unittest.mock import patch

import numpy as np
from bad_inputs.row import Row

from cwr import downloads
from cwr.corpora import texts, word_benchmarks
from cwr.texts.ethayarajh2019.word_benchmarks import score


def scoring(name: str, vector: list[float], words: int | None = None):
    """What scores vectors that are all alike, of the first words of a benchmark."""

    def use(_: Path) -> None:
        benchmark = word_benchmarks.load(name)
        asked = ["unheard-of"] if words == 0 else benchmark.words[:words]
        score({word: np.array(vector) for word in asked}, benchmark)

    return use


def table(lines: str):
    """What reads BLESS from a file with these lines."""

    def use(folder: Path) -> None:
        file = folder / "_build" / "bless.csv"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f",category,word\n{lines}")
        try:
            with patch.object(downloads, "fetch", return_value=file):
                word_benchmarks.load("BLESS")
        finally:
            file.unlink()

    return use


def questions(folder: Path) -> None:
    """Read Google's questions from a package without them."""
    with patch.object(texts, "gensim_data", return_value=folder / "nowhere"):
        word_benchmarks.load("Google")


ROWS = [
    Row(
        9,
        "a benchmark that does not exist",
        lambda _: word_benchmarks.load("Simlex"),
        "did you mean 'SimLex999'",
    ),
    Row(
        9,
        "a benchmark in a run's parameters that does not exist",
        """cwr run ethayarajh2019/07_static_embeddings -p benchmarks '["WS353", "Googel"]'""",
        "'Googel' is no benchmark of word vectors: did you mean 'Google'",
    ),
    Row(1, "a benchmark's file is not there", questions, "'Google' cannot be read from"),
    Row(
        1,
        "a benchmark with another number of columns",
        table("0,bird,crow\n1,bird,dove,2\n"),
        "line 3 of .* is '1,bird,dove,2', not 3 columns",
    ),
    Row(
        1,
        "a benchmark with a word in two classes",
        table("0,bird,crow\n1,tool,crow\n"),
        "'crow' stands 2 times in the benchmark BLESS",
    ),
    Row(
        2,
        "a benchmark of which no item is covered",
        scoring("Google", [1.0, 2.0], words=0),
        "cannot be scored on Google: of 19544 questions 0 have vectors for all words",
    ),
    Row(
        2,
        "static vectors of zeros",
        scoring("WS353", [0.0, 0.0]),
        "cannot be scored on WS353: row 0 has no direction",
    ),
    Row(
        2,
        "static vectors that are no numbers",
        scoring("Google", [1.0, np.nan]),
        "cannot be scored on Google: the vector of 'Abuja' has an entry that is no number",
    ),
    Row(
        2,
        "static vectors that are all alike",
        scoring("WS353", [1.0, 2.0]),
        "cannot be scored on WS353: the correlation of 353 pairs is undefined",
    ),
]
