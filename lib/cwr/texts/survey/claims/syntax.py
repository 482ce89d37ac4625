"""Claims of the post on syntax trees: are they in the vectors, after one linear map?

D = draws, K = ranks of the map
"""

from functools import partial

import numpy as np

from cwr.papers.claims import Claim, Needs
from cwr.papers.predicates import at_least, every
from cwr.tables import Missing, Table, concatenated
from cwr.texts.survey.claims.readings import ANY_FAMILY, above_baselines

SECTION = "Hierarchy, paragraphs on syntax"
UUAS, ROOT = "structural_probe_uuas_percent", "structural_probe_root_percent"
DEPTHS = "structural_probe_nspr"
UUAS_BY_RANK, DISTANCES_BY_RANK = "structural_probe_uuas", "structural_probe_dspr"
REBUILT, ORIENTED = "edges_rebuilt_from_distances", "edges_oriented_by_depth"


def _by_rank(table: Table, measure: str) -> tuple[list[int], np.ndarray]:
    """A measure by the rank of the map, ascending: ranks (K) and values, (D, K).

    Raises Missing for one rank.
    """
    labels, values = table.over("k", measure)
    ranks = np.array([int(float(label)) for label in labels])
    order = np.argsort(ranks)
    return ranks[order].tolist(), values[:, order]


def _distances_at_full_rank(table: Table, least: float = 0.8) -> np.ndarray:
    _, correlations = _by_rank(table, DISTANCES_BY_RANK)
    return at_least(table, correlations[:, -1], least, "Spearman correlation of distances")


def _few_dimensions(table: Table, share: float = 0.98, least: float = 0.5) -> np.ndarray:
    """64 dimensions reach nearly the best UUAS, and distances follow those in the tree loosely."""
    ranks, shares = _by_rank(table, UUAS_BY_RANK)
    if 64 not in ranks:
        raise Missing("structural probe uuas (64 dimensions)")
    lead = shares[:, ranks.index(64)] - share * shares.max(axis=1)
    enough = at_least(table, lead, 0, f"UUAS with 64 dimensions minus {share} of the best")
    return enough & _distances_at_full_rank(table, least)


def _root_and_depths(table: Table) -> np.ndarray:
    return above_baselines(table, ROOT) & above_baselines(table, DEPTHS)


def _trees_rebuilt(table: Table) -> np.ndarray:
    rebuilt, oriented = table.values(REBUILT), table.values(ORIENTED)
    labels = ["edges rebuilt"] * rebuilt.shape[1] + ["edges oriented"] * oriented.shape[1]
    shares = concatenated([rebuilt, oriented])
    return every(table, shares == 1, labels, shares)


CLAIMS = [
    Claim(
        id="sur-trees-in-geometry",
        place=SECTION,
        says="Parse trees can be recovered from the vectors by one linear map.",
        needs=Needs(measures=(UUAS, f"{UUAS}_baseline"), families=ANY_FAMILY, compares=True),
        holds=partial(above_baselines, measure=UUAS),
        tolerance=(
            "the share of edges found (UUAS) of each model is above every baseline (secondary "
            "source)"
        ),
        because=(
            "In print an untrained encoder is the strongest baseline. We ask every model. "
            "Read kindly, the statement says that there are vectors from which trees can be "
            "recovered. Under this reading the models that pass suffice "
            "(sur-trees-in-geometry.each-model)."
        ),
    ),
    Claim(
        id="sur-trees-in-geometry.each-model",
        place=SECTION,
        says=(
            "Parse trees can be recovered from one model's vectors by one linear map, better than "
            "from its baselines."
        ),
        needs=Needs(measures=(UUAS, f"{UUAS}_baseline"), families=ANY_FAMILY),
        holds=partial(above_baselines, measure=UUAS),
        tolerance=(
            "the share of edges found (UUAS) of the layer chosen on other folds is above every "
            "baseline of the same model"
        ),
        because=(
            "A claim about several models fails if one model fails, and each model must beat the "
            "inputs of all. So we also test each model alone. The source prints no baselines of "
            "BERT."
        ),
        ours=True,
    ),
    Claim(
        id="sur-sqdist",
        place=SECTION,
        says="After the map the squared distance of two words is their number of edges in the "
        "tree.",
        needs=Needs(measures=(DISTANCES_BY_RANK,), families=ANY_FAMILY),
        holds=_distances_at_full_rank,
        tolerance=(
            "with the map of highest rank, the Spearman correlation of squared distances and "
            "numbers of edges is at least {least}"
        ),
        because=(
            'The post says "corresponds to". The threshold lies above the source\'s scores without '
            "training. According to reading notes the number of words between two words scores "
            "0.58, and an untrained encoder 0.73."
        ),
    ),
    Claim(
        id="sur-sqdist.loosely",
        place=SECTION,
        says="A map to 64 dimensions finds the tree as well as any other map, and squared distances "
        "follow the numbers of edges loosely.",
        needs=Needs(measures=(UUAS_BY_RANK, DISTANCES_BY_RANK), families=ANY_FAMILY),
        holds=_few_dimensions,
        tolerance=(
            "the share of edges found (UUAS) with 64 dimensions is at least {share} of the best; "
            "with the map of highest rank, the Spearman correlation of distances is at least {least}"
        ),
        because=(
            "This is the kinder reading of sur-sqdist. According to reading notes the number of "
            "words between two words already reaches a Spearman correlation of 0.58. The post does "
            "not speak of the number of dimensions."
        ),
        ours=True,
    ),
    Claim(
        id="sur-sqnorm-depth",
        place=SECTION,
        says="After the map the squared norm of a word is its depth in the tree.",
        needs=Needs(
            measures=(ROOT, f"{ROOT}_baseline", DEPTHS, f"{DEPTHS}_baseline"),
            families=ANY_FAMILY,
            compares=True,
        ),
        holds=_root_and_depths,
        tolerance=(
            "the share of roots found and the depth correlation are above every baseline, for each "
            "model (secondary source)"
        ),
        because='The post says "corresponds to". The baseline "the first verb is the root" is ours.',
    ),
    Claim(
        id="sur-sqnorm-depth.each-model",
        place=SECTION,
        says=(
            "After the map the squared norm of a word is its depth in the tree, in one model better "
            "than in its baselines."
        ),
        needs=Needs(
            measures=(ROOT, f"{ROOT}_baseline", DEPTHS, f"{DEPTHS}_baseline"), families=ANY_FAMILY
        ),
        holds=_root_and_depths,
        tolerance=(
            "the share of roots found and the depth correlation are above every baseline of the "
            "same model, also above the rule that the first verb is the root"
        ),
        because="We test each model alone, as in sur-trees-in-geometry.each-model.",
        ours=True,
    ),
    Claim(
        id="sur-dist-depth-suffice",
        place=SECTION,
        says="Distances between all words and their depths are enough to rebuild the tree.",
        needs=Needs(measures=(REBUILT, ORIENTED), families=ANY_FAMILY, compares=True),  # no model's
        holds=_trees_rebuilt,
        tolerance="all edges and all directions are rebuilt",
        because="Distances alone give the tree without directions; the depths add them.",
        proved=(
            "Two words at distance 1 are joined, and the less deep of the two is the head; "
            "checked numerically in survey/00_the_paper_against_itself"
        ),
    ),
]
