"""Trains and averages vectors on growing beginnings of one text, by one pass over the longest.

Gupta and Jaggi (2021), Figure 1: word similarity of ASE and of X2Static against the size of the
corpus. The teacher reads every sentence once. The contexts of a beginning are the first ones of the
whole text, and its averages are sums over the stretches that it consists of.

    s sentences, v words of a vocabulary, dim dimensions
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr import extraction
from cwr.corpora import Corpus, fingerprint
from cwr.corpora.paragraphs import PARAGRAPH
from cwr.errors import UserError, listed
from cwr.estimates import contexts, paired
from cwr.estimates.contexts import Vocabulary
from cwr.estimates.distilled import LAYER, PAIRS, SPEARMAN, decided, development
from cwr.estimates.teacher_rows import STATIC
from cwr.extraction import Extraction

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

GROWTH = "word_similarity_by_corpus_size"  # its key k: words of the corpus
OWN_PAIRS = "_own_pairs"  # ending: on the pairs that a beginning covers by itself
NAMES = {  # of curves, by their estimator
    "ase_best_layer": "ASE",
    "x2static_sentence": "X2Static",
    "x2static_paragraph": "X2Static",
    STATIC: "skip-gram",
}


def beginnings(corpus: Corpus, sizes: Sequence[int]) -> list[Corpus]:
    """Cuts the corpus at the end of the paragraph in which each number of words is reached.

    sizes: ascending. Raises UserError for others, and for more words than the corpus has.
    """
    counts = np.cumsum([len(sentence.spans) for sentence in corpus.sentences])
    if list(sizes) != sorted(set(sizes)) or sizes[-1] > counts[-1]:
        raise UserError(
            f"the sizes {', '.join(f'{size:,}' for size in sizes)} are no beginnings of "
            f"{corpus.name}, which has {counts[-1]:,} words: give them ascending, each once, and "
            "none above that"
        )
    paragraphs = [PARAGRAPH(sentence) for sentence in corpus.sentences]
    is_last = [here != following for here, following in itertools.pairwise(paragraphs)]
    ends = np.flatnonzero([*is_last, True])  # the last sentence of each paragraph
    texts = []
    for size in sizes:
        stop = ends[np.searchsorted(counts[ends], size)] + 1
        sentences = corpus.sentences[:stop]
        texts.append(replace(corpus, sentences=sentences, fingerprint=fingerprint(sentences)))
    return texts


@dataclass(frozen=True, eq=False)
class Beginning:
    """The contexts and averages of one teacher on one beginning of a text.

    words: of the beginning, k in results. matrix: (s, dim) float32, the context of each sentence.
    stretches: the sums over each stretch of the text up to the beginning's end.
    """

    words: int
    vocabulary: Vocabulary
    matrix: np.ndarray
    stretches: list[Extraction]

    @property
    def layers(self) -> range:
        """The range of the teacher's layers."""
        return range(self.stretches[0].n_layers + 1)

    def average_of(self, layer: int) -> np.ndarray:
        """Averages each word's occurrences in this beginning, (v, dim) float32: ASE."""
        row = {word: number for number, word in enumerate(self.vocabulary.words)}
        total = np.zeros((len(row), self.stretches[0].dim))
        count = np.zeros(len(row))
        for stretch in self.stretches:
            sums = stretch.sums(layer)
            groups = [number for number, word in enumerate(stretch.groups()) if word in row]
            rows = [row[stretch.groups()[number]] for number in groups]
            total[rows] += sums.sum[groups]
            count[rows] += sums.count[groups]
        return (total / count[:, None]).astype(np.float32)


def read(
    encoder: "Encoder", texts: Sequence[Corpus], unit_of_text: str = "sentence", least: int = 10
) -> list[Beginning]:
    """Reads beginnings of one text by a teacher, in one pass; the shortest first.

    texts: of `beginnings`. unit_of_text: the unit that contexts are read in, sentence | paragraph;
    averages are always of sentences read alone, in lower case. least: the fewest occurrences of a
    word in a beginning, for the beginning's vocabulary.
    Raises UserError as `contexts.read`, and for two beginnings that are the same.
    """
    longest = texts[-1]
    vocabularies = [contexts.vocabulary(text, least) for text in texts]
    lowered, table = contexts.texts_and_targets(longest, vocabularies[-1], "sentence", lower=True)
    targets = contexts.words_of(vocabularies[-1], table)
    stops = [len(text.sentences) for text in texts]
    stretch = np.searchsorted(stops, targets["sentence"], side="right")
    _refuse_empty(stretch, vocabularies, longest.name)
    questions = [(table, [extraction.sums(layers=[-1])])]  # what `contexts.read` asks, too
    for number in range(len(texts)):
        of_stretch = targets[stretch == number].reset_index(drop=True)
        questions.append((of_stretch, [extraction.sums()]))
    stretches = extraction.together(encoder, lowered, questions)[1:]
    whole = contexts.read(encoder, longest, vocabularies[-1], unit_of_text, averages=False)
    return [
        Beginning(
            len(vocabulary.tokens.flat),
            vocabulary,
            whole.matrix[:stop],
            stretches[: number + 1],
        )
        for number, (vocabulary, stop) in enumerate(zip(vocabularies, stops, strict=True))
    ]


def _refuse_empty(stretch: np.ndarray, vocabularies: Sequence[Vocabulary], text: str) -> None:
    """Raise UserError for a beginning that has no word of the vocabulary more than the one before.

    stretch: (targets,) the first beginning that each occurrence is in.
    """
    for number in range(1, len(vocabularies)):
        if number not in stretch:
            words = len(vocabularies[number].tokens.flat)
            raise UserError(
                f"two sizes mean the same {words:,} words of {text}, or nearly so, since a text ends "
                "with a paragraph: give sizes that are farther apart"
            )


def as_growth(rows: Sequence[dict], words: int, ending: str = "") -> list[dict]:
    """Renames rows of `distilled.score_rows` (cells, numbers of pairs, layers) for Figure 1.

    words: of the rows' beginning. ending: OWN_PAIRS for rows on the beginning's own pairs.
    """
    names = {SPEARMAN: GROWTH, PAIRS: PAIRS, LAYER: LAYER}
    renamed = []
    for row in rows:
        if row["measure"] in names:
            renamed.append({**row, "measure": names[row["measure"]] + ending, "k": words})
    return renamed


def gains(rows: Sequence[dict]) -> pd.DataFrame:
    """Computes each curve's gain from the last size but one to the last, with paired intervals.

    rows: those under GROWTH, with replicates; others are passed over.
    Returns a line per set, teacher and curve, with the columns of `distilled.decided`.
    """
    growth = (row for row in rows if row["measure"] == GROWTH)
    last = {
        (step["dataset"], step["model"], step["estimator"]): step
        for step in paired.steps_along(growth, "k")
    }
    return _lines(last.values(), "dataset", "set")


def leads(rows: Sequence[dict]) -> pd.DataFrame:
    """Computes how far each curve is above skip-gram of the same text, with paired intervals.

    rows: as in `gains`. Scores are averaged over the sets on which no settings are chosen, or over
    all sets if there are no others. Returns a line per size, teacher and curve, with the columns of
    `distilled.decided`.
    """
    means = paired.mean(_judged(rows), "dataset")
    alone = [row for row in means if row["estimator"] == STATIC]
    others = [row for row in means if row["estimator"] != STATIC]
    return _lines(paired.minus(others, alone, ["k"]), "k", "words")


def means(rows: Sequence[dict]) -> list[dict]:
    """Averages the curves over the sets of `leads`, draw by draw.

    rows: as in `gains`. The means have the sets' names, joined, as `dataset`.
    """
    judged = _judged(rows)
    sets = listed(list(dict.fromkeys(row["dataset"] for row in judged)))
    return [{**row, "dataset": sets} for row in paired.mean(judged, "dataset")]


def _judged(rows: Sequence[dict]) -> list[dict]:
    """Selects the scores on the sets on which no settings are chosen; all, if there are no others."""
    growth = [row for row in rows if row["measure"] == GROWTH]
    names = np.array(sorted({row["dataset"] for row in growth}))
    is_chosen_on = development(names)
    judged = names if is_chosen_on.all() else names[~is_chosen_on]
    return [row for row in growth if row["dataset"] in judged]


def _lines(rows: Iterable[dict], key: str, name: str) -> pd.DataFrame:
    """Tabulates differences of curves, a line a value of `key` (under a name), teacher and curve."""
    rows = [{**row, "row": NAMES[row["estimator"]]} for row in rows]
    line = [key, "model", "row"]
    return decided(rows, line).set_index(line).rename_axis([name, "teacher", "row"])


def by_curve(rows: Sequence[dict]) -> pd.DataFrame:
    """Tabulates curves for `figures.by_teacher`: a curve is called after its teacher and kind.

    rows: as in `gains`. Columns dataset, model (the curve), family, k, value, low, high, teacher
    ("" for skip-gram) and measure.
    """
    growth = [row for row in rows if row["measure"] == GROWTH]
    table = paired.frame(growth, ["dataset", "model", "family", "estimator", "k", "measure"])
    is_alone = table["estimator"] == STATIC
    named = table["model"] + ", " + table["estimator"].map(NAMES)
    teacher = table["model"].mask(is_alone, "")
    table = table.assign(model=named.mask(is_alone, "skip-gram, no teacher"), teacher=teacher)
    table = table.sort_values("estimator", ascending=False, kind="stable")
    columns = ["dataset", "model", "family", "k", "value", "low", "high", "teacher", "measure"]
    return table[columns]
