"""Measures which words of a sentence are alike, by layer, with replicates.

Peters et al. (2018b), Figure 1, as numbers. Pairs are the same in all layers (`word_pairs`); of the
cosines only sums by document, stratum and kind are kept.

    N words of the corpus, in order, P pairs, D documents, S strata, R draws, n words of one sentence
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from cwr.corpora import Corpus
from cwr.errors import UserError
from cwr.extraction import Extraction
from cwr.measures import similarity_matrices as matrices
from cwr.measures.partial_correlation import partial_correlation
from cwr.measures.similarity_matrices import Matching
from cwr.texts.survey.word_pairs import Pairs

RAW, CENTRED, STANDARDISED = TREATMENTS = "raw", "centred", "standardised"
TREE = "tree_distance_partial_correlation"


def every_word(extraction: Extraction, corpus: Corpus, layer: int) -> np.ndarray:
    """Returns the vectors of all words of the corpus in order, (N, d).

    Raises UserError if a word has no vector in this model.
    """
    words = sum(len(sentence.spans) for sentence in corpus.sentences)
    if len(extraction.table) != words:
        raise UserError(
            f"{words - len(extraction.table)} of {words} words of {corpus.name} have no vector in "
            "this model, which reads no piece of them: take another model"
        )
    return extraction.vectors(layer)


def treated(vectors: np.ndarray, treatment: str, reference: np.ndarray | None = None) -> np.ndarray:
    """Scales vectors (n, d) to unit length, raw, centred, or standardised by a whole corpus.

    reference: (N, d), the corpus'; None: the vectors themselves. In float32, enough for half a
    million products.
    Raises ValueError for another treatment, and for a vector that is left without a direction.
    """
    if treatment not in TREATMENTS:
        raise ValueError(f"a treatment is one of {', '.join(TREATMENTS)}, not {treatment!r}")
    of_corpus = vectors if reference is None else reference
    vectors = np.asarray(vectors, dtype=np.float32)
    if treatment == RAW:
        return matrices.unit_vectors(vectors)
    mean = of_corpus.mean(axis=0, dtype=np.float64).astype(np.float32)
    if treatment == CENTRED:
        return matrices.unit_vectors(matrices.centred(vectors, mean))
    spread = of_corpus.std(axis=0, dtype=np.float64).astype(np.float32)
    return matrices.unit_vectors(matrices.standardised(vectors, mean, spread))


def maps(
    layers: Mapping[str, tuple[np.ndarray, np.ndarray]],
) -> dict[tuple[str, str], np.ndarray]:
    """Computes the cosines between a sentence's words, {(treatment, layer): (n, n)}.

    layers: {name: vectors of the sentence (n, d), those of the corpus (N, d)}.
    """
    cosines = {}
    for treatment in TREATMENTS:
        for name, (sentence, corpus) in layers.items():
            unit = treated(sentence, treatment, corpus)
            cosines[treatment, name] = unit @ unit.T
    return cosines


def differences(
    vectors: np.ndarray, pairs: Pairs, matched: Mapping[str, Matching]
) -> dict[str, float]:
    """Computes {measure: within minus across} of raw vectors, (N, d), without replicates."""
    cosines = pairs.cosines(treated(vectors, RAW))
    values = {}
    for measure, matching in matched.items():
        sums = matching.sums(cosines).sum(axis=0)
        values[measure] = float(matrices.matched_difference(matching.counts.sum(axis=0), sums))
    return values


def similarity_rows(
    layers: Iterable[tuple[int, np.ndarray]],
    pairs: Pairs,
    matched: Mapping[str, Matching],
    weights: np.ndarray,
    treatments: Sequence[str] = TREATMENTS,
    **keys: object,
) -> Iterator[dict]:
    """Yields each layer's differences in all measures, and its correlation with tree distance.

    layers: number and vectors (N, d) of each. matched: of `Pairs.matchings`. weights: (R, D), how
    often each replicate drew each document. treatments: of vectors, each an `estimator`. keys: of
    all rows, such as model and family.
    """
    counted = {}
    for measure, matching in matched.items():
        counted[measure] = np.tensordot(weights, matching.counts, axes=1)  # (R, S, 2)
    for layer, vectors in layers:
        for treatment in treatments:
            cosines = pairs.cosines(treated(vectors, treatment))
            about = {**keys, "layer": layer, "estimator": treatment}
            for measure, matching in matched.items():
                sums = matching.sums(cosines)  # (D, S, 2)
                value = matrices.matched_difference(matching.counts.sum(axis=0), sums.sum(axis=0))
                drawn = np.tensordot(weights, sums, axes=1)
                replicates = matrices.matched_difference(counted[measure], drawn)
                yield about | {"measure": measure, "value": value, "replicates": replicates}
            yield about | _tree_row(cosines, pairs, weights)


def _tree_row(cosines: np.ndarray, pairs: Pairs, weights: np.ndarray) -> dict:
    """Cosine against tree distance at equal linear distance: the mean of the documents'."""
    correlations = tree_correlations(cosines, pairs)  # (D,)
    defined = ~np.isnan(correlations)
    kept = weights[:, defined]
    replicates = kept @ correlations[defined] / kept.sum(axis=1)
    return {"measure": TREE, "value": correlations[defined].mean(), "replicates": replicates}


def tree_correlations(cosines: np.ndarray, pairs: Pairs) -> np.ndarray:
    """Correlates cosine with tree distance at constant linear distance, by document, (D,).

    Partial Spearman. cosines: (P,). NaN for a document in which one of the three does not vary.
    """
    correlations = []
    for rows, tree, distance in pairs.ranks:
        of_cosines = rankdata(cosines[rows])
        correlations.append(partial_correlation(of_cosines, tree, distance))
    return np.array(correlations, dtype=np.float64)


def by_distance(cosines: np.ndarray, distance: np.ndarray, most: int) -> pd.Series:
    """Averages the cosines of the pairs at each distance from 1 to `most`."""
    near = distance <= most
    return pd.Series(cosines[near]).groupby(distance[near]).mean().rename_axis("distance")
