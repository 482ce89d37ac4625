"""Claims of Ethayarajh (2019), section 4.2, on senses and contexts; none decided in print.

D = draws, L = layers, N = numbers of centroids times layers
"""

import numpy as np

import cwr.texts.ethayarajh2019.claims.readings as readings
from cwr.papers import predicates
from cwr.papers.claims import Claim, Needs
from cwr.tables import Missing, Table, concatenated

BEYOND_GAUSSIAN = "explained_beyond_gaussian"
PARTIAL = "self_similarity_partial_correlation"
CONTEXTS, SENSES = "contexts", "senses"  # the class of a partial correlation
BY_WORDNET, BY_CLASSES = "WordNet", "word classes"  # its estimator: how senses are counted
SAYS = (
    "The variety of contexts a word appears in, rather than its polysemy, drives the variation of "
    "its representations."
)
READ_AS = (
    "self-similarity falls with the number of contexts, and more strongly than it changes with "
    "the number of senses (partial rank correlations, averaged over the layers above the input)"
)


def _no_clusters(table: Table, share: float = 0.05) -> np.ndarray:
    """Whether centroids explain hardly more than of a Gaussian or at the input, everywhere.

    share: of variance, below which the paper calls vectors no senses (section 4.3).
    """
    numbers = sorted(table.rows.distinct("k"))
    if not numbers:
        raise Missing(f"{BEYOND_GAUSSIAN.replace('_', ' ')} of a number of centroids")
    names, excess = [], []
    for number in numbers:
        rows = table.where(k=number)
        layers, shares = readings.layers(rows, BEYOND_GAUSSIAN, 1)
        names += [f"{number} centroids, {layer}" for layer in layers]
        excess.append(shares - _at_input(rows))
    return predicates.at_most(table, concatenated(excess), share, names)


def _at_input(table: Table) -> np.ndarray | float:
    """What positions alone give, (D, 1); 0 where a word is one vector at the input, or less."""
    if not len(table.where(layer=0).rows):
        return 0.0
    return np.maximum(table.value(BEYOND_GAUSSIAN, layer=0), 0)[:, None]


def _contexts_rather_than_senses(table: Table) -> np.ndarray:
    """Whether self-similarity falls with contexts by more than it goes with senses."""
    contexts, senses = (_mean_above_input(table, which) for which in (CONTEXTS, SENSES))
    name = "correlation with contexts, plus the size of that with senses"
    return predicates.below(table, contexts + np.abs(senses), 0, name)


def _mean_above_input(table: Table, which: str) -> np.ndarray:
    """A partial correlation, mean over the layers above the input, (D,)."""
    return readings.curve(table.where(**{"class": which}), PARTIAL, 1).mean(axis=1)


SENSES_AND_CONTEXTS = [
    Claim(
        id="eth-context-not-polysemy",
        place="section 4.2",
        says=SAYS,
        needs=Needs(measures=(PARTIAL,), estimator=BY_WORDNET),
        holds=_contexts_rather_than_senses,
        tolerance=f"{READ_AS}; senses as WordNet counts them",
        because=(
            "The text infers the statement from the stopwords. No package that we use contains "
            "WordNet, so the reader passes the path of its index.sense to "
            "08_senses_and_contexts."
        ),
        unprinted=(
            "the text infers this from the stopwords and prints no number of contexts or senses"
        ),
    ),
    Claim(
        id="eth-context-not-polysemy.classes",
        place="not in the paper",
        says="The number of different sentences a form appears in, rather than its number of word "
        "classes, drives the variation of its representations.",
        needs=Needs(measures=(PARTIAL,), estimator=BY_CLASSES),
        holds=_contexts_rather_than_senses,
        tolerance=f"{READ_AS}; senses counted by word classes",
        because=(
            "A form's number of word classes is a lower bound on its number of senses, and the "
            "only count that needs no download. As contexts we count different sentences, whose "
            "number is nearly the word's frequency in a text."
        ),
        unprinted="the paper prints no number of contexts or of word classes",
        ours=True,
    ),
    Claim(
        id="eth-finite-senses.clusters",
        place="not in the paper",
        says=(
            "The occurrences of a word do not form the clusters that a finite number of senses "
            "would produce."
        ),
        needs=Needs(measures=(BEYOND_GAUSSIAN,)),
        holds=_no_clusters,
        tolerance=(
            "the held-out variance that k centroids explain beyond a Gaussian of the same "
            "covariance exceeds that at the input by at most {share:%}, in every layer and for "
            "every k"
        ),
        because=(
            "This tests the abstract's question in a way that could find clusters. The claim "
            "eth-no-finite-senses rests on the explained variance of one direction, which is "
            "also small for twenty-one tight senses. On our control, two words mixed into one, "
            "the claim must fail."
        ),
        unprinted="the paper prints no clustering",
        ours=True,
    ),
]
