"""Makes a `Source` of each kind of word vectors that one teacher gives, for Table 3 and beyond.

Gupta and Jaggi (2021), section 4.2: averages (ASE) against vectors trained on a teacher's contexts.
Both carry, to another amount, the direction that all of a teacher's vectors share, so every kind
also stands with its mean removed. Averages are treated in two more ways: without their first
components (Mu & Viswanath 2018), and each coordinate standardised (Timkey & van Schijndel 2021).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cwr import extraction
from cwr.corpora import Corpus, word_vectors
from cwr.corpora.word_vectors import WordVectors
from cwr.estimates import contexts, printed_names, words_alone
from cwr.estimates.chosen_tables import BEST_ON_AVERAGE, BEST_ON_OTHERS, SEED, Rule, Vectors
from cwr.estimates.contexts import Contexts, Vocabulary
from cwr.estimates.distilled import ASE, Source, source_tables
from cwr.estimates.isotropy import components
from cwr.measures import anisotropy, isotropy
from cwr.measures.static_vectors import POOLS, aggregated, lower_cased

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

STATIC, ELSEWHERE = "static", "static_elsewhere"  # rows without a teacher: of this text, of another
ALONE, MODEL2VEC, INPUT = "decontextualised", "model2vec", "input_matrix"
CENTRED = "_centred"


def standardised(W: np.ndarray) -> np.ndarray:
    """Standardises each coordinate: less its mean, over its standard deviation. W: (v, dim).

    A coordinate that does not vary is left out, such as one in MiniLM's top layer that is 1e-32
    everywhere. Returns (v, coordinates that vary).
    """
    deviation = W.std(axis=0, dtype=float)
    varies = deviation > np.finfo(np.float32).eps * deviation.max()
    return anisotropy.standardised(W.mean(axis=0)[varies], deviation[varies])(W[:, varies])


TREATMENTS = {  # of averages, by the ending of their estimator
    CENTRED: isotropy.center,
    "_all_but_the_top": lambda W: isotropy.all_but_the_top(W, components(W.shape[1])),
    "_standardised": standardised,
}


def averaged(encoder: "Encoder", read: Contexts, asked: set[str]) -> list[Source]:
    """Returns the sources of ASE: untreated, under the rules of `distilled.ASE`, and treated.

    Each of TREATMENTS gives one source, with the layer that is best on average.
    read: the contexts, with averages. asked: the words to score. The untreated source also has the
        vectors of all these words read alone.
    """
    layers = {layer: read.average_of(layer) for layer in read.layers}
    alone = words_alone.decontextualised(encoder, sorted(asked))
    words = read.vocabulary.words
    sources = [_source(encoder, source_tables(words, layers, asked), ASE, alone)]
    for ending, treatment in TREATMENTS.items():
        rows = {f"ase{ending}": BEST_ON_AVERAGE}
        sources.append(_source(encoder, source_tables(words, layers, asked, treatment), rows))
    return sources


def without_text(encoder: "Encoder", words: Sequence[str], asked: set[str]) -> list[Source]:
    """Returns the sources that need a teacher but no text: words alone, Model2Vec, token matrix.

    words: the vocabulary, from common to rare. asked: the words to score. A teacher that reads
        characters has only the source of words read alone.
    """
    alone = words_alone.decontextualised(encoder, sorted(asked))
    sources = [_source(encoder, alone, {ALONE: BEST_ON_AVERAGE})]
    if encoder.tokenizer is not None:
        distilled = words_alone.model2vec(encoder, words)
        sources += trained(encoder, MODEL2VEC, [distilled], asked, centred=False)
        rows = words_alone.input_matrix(encoder, words)
        matrix = WordVectors(INPUT, tuple(rows), np.stack(list(rows.values())))
        sources += trained(encoder, INPUT, [matrix], asked)
    return sources


def trained(
    origin: "Encoder | WordVectors",
    estimator: str,
    trainings: Iterable[WordVectors],
    asked: set[str],
    centred: bool = True,
    alone: Mapping[int, Vectors] | None = None,
) -> list[Source]:
    """Returns the sources of vectors trained by one recipe: as they are, and less their mean.

    origin: the teacher, or the vectors themselves. estimator: the name of the rows. trainings: the
        vectors from each seed. asked: the words to score. centred: whether the second source is
        wanted; its mean is over all words. alone: words that the teacher reads alone, {layer:
        table}; the last layer supplies words without a vector.
    """
    by_seed = dict(enumerate(trainings))
    matrices = {seed: vectors.vectors for seed, vectors in by_seed.items()}
    words = by_seed[0].words
    last = None if alone is None else dict.fromkeys(by_seed, alone[max(alone)])
    sources = [_source(origin, source_tables(words, matrices, asked), {estimator: SEED}, last)]
    if centred:
        cut = source_tables(words, matrices, asked, isotropy.center)
        sources.append(_source(origin, cut, {estimator + CENTRED: SEED}))
    return sources


def searched(candidates: Sequence[WordVectors], asked: set[str]) -> Source:
    """Returns a source that chooses among settings by the best mean on sets that are not scored.

    The paper chooses on the five sets that it reports (section 4.1); here the choice is made on
    sets that are not the paper's (MEN), anew in each draw; on all sets if there is no other.
    candidates: vectors of one name and vocabulary, each from other settings; a candidate's number
        stands where a layer would. asked: the words to score.
    """
    matrices = {number: vectors.vectors for number, vectors in enumerate(candidates)}
    by_number = source_tables(candidates[0].words, matrices, asked)
    return _source(candidates[0], by_number, {STATIC: BEST_ON_OTHERS})


def kind_of(vectors: WordVectors, corpus: str, words: int = 0) -> str:
    """Returns STATIC for vectors that were trained on this very text, else ELSEWHERE.

    Section 4.1 compares vectors that "were trained on the same corpus"; the files that the paper
    names were trained on larger corpora, and count as STATIC, too.
    corpus: the name of the corpus. words: how many words were cut from its beginning; 0: all were
        read.
    """
    is_same = not words and word_vectors.READ.get(vectors.name) == corpus
    return STATIC if is_same or vectors.name in printed_names.FILES else ELSEWHERE


def in_lower_case(vectors: WordVectors) -> WordVectors:
    """Converts words to lower case as MUSE does: of several cased forms the first is kept."""
    table = lower_cased(vectors.of(vectors.words))
    return replace(vectors, words=tuple(table), vectors=np.stack(list(table.values())))


def pooled(
    encoder: "Encoder",
    corpus: Corpus,
    vocabulary: Vocabulary,
    asked: set[str],
    cap: int = 100,
    seed: int = 0,
) -> list[Source]:
    """Returns three sources: mean, minimum and maximum of at most `cap` occurrences of each word.

    Section 2: Bommasani et al. (2020). Of a word that occurs more than `cap` times, `cap`
    occurrences are drawn, the same for the three.
    vocabulary: the corpus'. asked: the words to score. seed: for the draw.
    """
    texts, table = contexts.texts_and_targets(corpus, vocabulary, "sentence", lower=True)
    targets = contexts.words_of(vocabulary, table)
    targets = targets[targets["group"].isin(asked)].reset_index(drop=True)
    reducers = [extraction.vectors(cap, seed)]
    run = extraction.run(encoder, texts, targets, reducers=reducers)
    words = run.table["group"].to_numpy()
    sources = []
    for pool in POOLS:
        layers = {}
        for layer in range(run.n_layers + 1):
            layers[layer] = aggregated(run.vectors(layer), words, pool, cap)
        sources.append(_source(encoder, layers, {f"aggregated_{pool}": BEST_ON_AVERAGE}))
    return sources


def _source(
    origin: "Encoder | WordVectors",
    by_key: Mapping[int, Vectors],
    rows: Mapping[str, Rule],
    alone: Mapping[int, Vectors] | None = None,
) -> Source:
    """Returns a source under the name, family and number of layers of its origin."""
    return Source(origin.name, origin.family, by_key, rows, alone, origin.n_layers)
