"""Claims of Ethayarajh (2019) that Table 1 judges: static vectors distilled from layers.

The measure is the table's: Spearman correlation, accuracy or purity, by benchmark (`dataset`). Rows
of the family "static" (GloVe, FastText) have no layer; the others are first principal components
("PC") of one layer.

D = draws, V = vectors, N = benchmarks
"""

from functools import partial

import numpy as np

import cwr.texts.ethayarajh2019.claims.readings as readings
from cwr.measures import stats
from cwr.papers import predicates
from cwr.papers.claims import PAPER_FAMILIES, Claim, General, Needs
from cwr.tables import Missing, Table, Undefined
from cwr.texts.ethayarajh2019.claims.readings import ADJUSTED_SELF_SIMILARITY, SCORE

LOWER_BETTER = 6 / 9  # of the nine benchmarks
ENCODERS = (*PAPER_FAMILIES, "sentence")
RIVALS = ("GloVe", "FastText")
OTHER_LAYERS = Needs(
    measures=(SCORE,), families=("static", "bilstm", "masked"), compares=True, models=RIVALS
)
AT_HAND = (
    "The reader supplies the files of GloVe and FastText in the profile paper of "
    "07_static_embeddings. These vectors were trained on far more text than our models. In the "
    "general form the rivals are all static vectors at hand; one of them, cwr-static, was "
    "trained on the same words."
)

THREE_FAMILIES = "The claim already compares any causal model with any bilstm and masked model."
ONE_TOKEN = (
    "Caveat: GPT-2's vectors are not released. We infer that they may rest on an input in which "
    'more than half of the distinct words became the token "!".'
)


def _some_beat_static(table: Table) -> np.ndarray:
    """Whether some PC vector exceeds all static ones on more than half of the benchmarks."""
    scores = readings.components(table)
    wins = readings.beats_static(table, scores).mean(axis=2).max(axis=1)  # (D,)
    return predicates.above(table, wins, 0.5, "largest share of benchmarks")


def _first_layer_best(table: Table, family: str | None = None) -> np.ndarray:
    """Whether the vector that is best or tied most often is a layer 1, of this family if named.

    A vector that shares the lead with another is not the best.
    """
    scores = readings.components(table)
    is_first = (scores.layers == 1) & (family is None or scores.families == family)
    if not is_first.any() or is_first.all():
        raise Missing("static benchmark score of layer 1 and of another")
    counts = readings.best_or_tied(scores)  # (D, V)
    first, others = counts[:, is_first].max(axis=1), counts[:, ~is_first].max(axis=1)
    if first[0] <= others[0]:
        leader = scores.names[counts[0].argmax()]
        table.against(f"{leader} leads on {others[0]} benchmarks, layer 1 on {first[0]}")
    return first > others


def _other_layers_beat_static(table: Table) -> np.ndarray:
    """Whether each vector of ELMo and BERT, BERT's first aside, beats the static ones on most."""
    scores = readings.without_best(readings.components(table, "bilstm", "masked"))
    wins = readings.beats_static(table, scores)  # (D, V, N)
    names = [
        f"of {len(scores.benchmarks)} benchmarks, those won by {name}" for name in scores.names
    ]
    return predicates.every(table, wins.mean(axis=2) > 0.5, names, wins.sum(axis=2))


def _some_other_layer_beats_static(table: Table) -> np.ndarray:
    """Whether on most benchmarks one of these vectors beats the static ones."""
    scores = readings.without_best(readings.components(table, "bilstm", "masked"))
    wins = readings.beats_static(table, scores)
    return predicates.most(table, wins.any(axis=1), scores.benchmarks)


def _lower_better(table: Table) -> np.ndarray:
    """Whether a model's lowest layer exceeds its highest on two thirds of the benchmarks."""
    wins = readings.lower_better(readings.components(table))  # (D, N)
    return predicates.at_least(table, wins.mean(axis=1), LOWER_BETTER, "share of benchmarks")


def _causal_below(table: Table) -> np.ndarray:
    """Whether the best causal vector is below all of ELMo's and BERT's on every benchmark."""
    benchmarks, best, lowest = readings.causal_against_others(table)
    lead = best - lowest  # (D, N)
    names = [f"{name}, best of the causal model minus the lowest other" for name in benchmarks]
    return predicates.every(table, best < lowest, names, lead)


def _causal_mostly_below(table: Table) -> np.ndarray:
    """Whether the best causal vector is below all others on all benchmarks but at most one."""
    _, best, lowest = readings.causal_against_others(table)
    exceptions = (best >= lowest).sum(axis=1)
    return predicates.at_most(table, exceptions, 1, "benchmarks where it is not")


def _specific_less_effective(table: Table, least: float = 0.5) -> np.ndarray:
    """Whether the less self-similar of all vectors have the lower mean rank over the benchmarks."""
    scores = readings.components(table)
    labels, values = table.over(("family", "model", "layer"), ADJUSTED_SELF_SIMILARITY)
    lacking = [vector for vector in scores.vectors if vector not in labels]
    if lacking:
        raise Missing(f"adjusted self similarity of {lacking[0][1]} in layer {lacking[0][2]}")
    similarity = values[:, [labels.index(vector) for vector in scores.vectors]]  # (D, V)
    ranks = stats.ranks(scores.values.swapaxes(1, 2)).mean(axis=1)  # (D, V)
    name = "rank correlation of self-similarity and mean rank on the benchmarks"
    together = predicates.rank_correlation(table, similarity, ranks, name, "vectors")
    return predicates.at_least(table, together, least, name)


def _inner_between(table: Table, share: float = 0.9) -> np.ndarray:
    """Whether layers between 2 and the last but one lie between these two, in this share of scores.

    Raises Undefined for a model without layers between.
    """
    scores = readings.components(table)
    low, high = 2, scores.layers.max() - 1
    inner = (scores.layers > low) & (scores.layers < high)
    if not inner.any():
        raise Undefined(
            f"there is no layer between layer {low} and the last but one: ask a model of five "
            "layers or more"
        )
    ends = np.stack([_layer(scores, low), _layer(scores, high)])  # (2, D, N)
    least, most = ends.min(axis=0)[:, None], ends.max(axis=0)[:, None]
    values = scores.values[:, inner]
    between = (values >= least) & (values <= most)
    return predicates.at_least(table, between.mean(axis=(1, 2)), share, "share of scores between")


def _layer(scores: readings.Scores, layer: int) -> np.ndarray:
    """The scores of one layer, (D, N). Raises Missing if it has none."""
    return scores.at(scores.layers == layer).values[:, 0]


TABLE_1 = [
    Claim(
        id="eth-pc-many",
        place="section 1, finding 4; section 4.3",
        says="Principal components of contextual vectors beat GloVe and FastText on many "
        "benchmarks.",
        needs=Needs(
            measures=(SCORE,),
            families=("static",),
            compares=True,
            beside=PAPER_FAMILIES,
            models=RIVALS,
        ),
        holds=_some_beat_static,
        tolerance=(
            "some vector of principal components exceeds GloVe and FastText on more than half of the "
            "benchmarks"
        ),
        because=f'The paper sets no number for "many benchmarks"; we take more than half. {AT_HAND}',
        general=General(
            says="Principal components of contextual vectors beat all static vectors at hand on "
            "many benchmarks.",
            families=("static",),
            beside=ENCODERS,
            compares=True,
            tolerance=(
                "some vector of principal components exceeds every static vector on more than half "
                "of the benchmarks"
            ),
        ),
    ),
    Claim(
        id="eth-pc-best-bert1",
        place="section 4.3",
        says="The best vectors of principal components come from BERT's first layer.",
        needs=Needs(measures=(SCORE,), compares=True),
        holds=partial(_first_layer_best, family="masked"),
        tolerance=(
            "layer 1 of a masked model is best or tied on more benchmarks than any other layer"
        ),
        because=(
            "BERT's layer 2 leads on SimLex, and ELMo's layer 1 on BLESS. On AP BERT's layers 1 "
            "and 2 tie."
        ),
        general=General(
            says="The best vectors of principal components of a model come from its first layer.",
            holds=_first_layer_best,
            tolerance="layer 1 is best or tied on more benchmarks than any other layer",
            families=ENCODERS,
        ),
    ),
    Claim(
        id="eth-pc-others",
        place="section 4.3",
        says="The other layers of BERT and ELMo, too, beat GloVe and FastText on most benchmarks.",
        needs=OTHER_LAYERS,
        holds=_other_layers_beat_static,
        tolerance="each of these layers exceeds both on more than half of the benchmarks",
        because=(
            "We read the sentence layer by layer; eth-pc-others.together combines the layers. "
            f"Table 1 leaves out BERT's layers 3 to 10. {AT_HAND}"
        ),
        general=General(
            says="The other layers of a masked model and a biLSTM, too, beat all static vectors at "
            "hand on most benchmarks.",
            families=("static", "bilstm", "masked"),
            compares=True,
            tolerance="each of these layers exceeds every static vector on more than half of the "
            "benchmarks",
        ),
    ),
    Claim(
        id="eth-pc-others.together",
        place="section 4.3",
        says="On most benchmarks some other layer of BERT or ELMo beats GloVe and FastText.",
        needs=OTHER_LAYERS,
        holds=_some_other_layer_beats_static,
        tolerance="on more than half of the benchmarks at least one of these layers exceeds both",
        because=(
            f"This is the charitable reading of eth-pc-others: it combines the layers. {AT_HAND}"
        ),
        general=General(
            says="On most benchmarks some other layer of a masked model or a biLSTM beats all "
            "static vectors at hand.",
            families=("static", "bilstm", "masked"),
            compares=True,
            tolerance="on more than half of the benchmarks at least one of these layers exceeds "
            "every static vector",
        ),
    ),
    Claim(
        id="eth-pc-lower-better",
        place="section 4.3",
        says=(
            "Static vectors from lower layers do better than those from upper layers, in all "
            "three models."
        ),
        needs=Needs(measures=(SCORE,)),
        holds=_lower_better,
        tolerance="the lowest printed layer scores higher than the highest on at least two "
        "thirds of the benchmarks",
        because=(
            "BERT's last layer is better than its last but one on 7 of 9 benchmarks. GPT-2's "
            f"first layer and its last but one are about even. {ONE_TOKEN}"
        ),
    ),
    Claim(
        id="eth-pc-gpt2-worse",
        place="section 4.3",
        says="Static vectors from GPT-2 do markedly worse than those from ELMo and BERT.",
        needs=Needs(measures=(SCORE,), compares=True),
        holds=_causal_below,
        tolerance=(
            "on every benchmark the best vector of the causal model scores below every vector "
            "of the other models"
        ),
        because=(
            'We test the claim on every benchmark. The paper does not say "every"; the variant '
            "eth-pc-gpt2-worse.most allows one exception. The paper compares GPT-2's vectors "
            'with "their counterparts"; we compare vectors of all layers. Layer by layer, too, '
            f"RW is the only exception in print. {ONE_TOKEN}"
        ),
        general=THREE_FAMILIES,
    ),
    Claim(
        id="eth-pc-gpt2-worse.most",
        place="section 4.3",
        says=(
            "On nearly all benchmarks static vectors from GPT-2 do worse than those from ELMo and "
            "BERT."
        ),
        needs=Needs(measures=(SCORE,), compares=True),
        holds=_causal_mostly_below,
        tolerance=(
            "on all benchmarks but at most one the best vector of the causal model scores below "
            "every vector of the other models"
        ),
        because=f"This is the charitable reading of eth-pc-gpt2-worse. {ONE_TOKEN}",
        general=THREE_FAMILIES,
    ),
    Claim(
        id="eth-pc-specific-worse",
        place="section 4.3",
        says="Principal components of highly context-specific representations are less effective.",
        needs=Needs(measures=(SCORE, ADJUSTED_SELF_SIMILARITY), compares=True),
        holds=_specific_less_effective,
        tolerance=(
            "the Spearman correlation, over all vectors, of a layer's adjusted self-similarity "
            "and its mean rank over the benchmarks is at least {least}"
        ),
        because=(
            'The paper concludes this ("this suggests") from layers and model families together, '
            "so we rank all vectors together. Depth changes both numbers, so this test cannot "
            f"tell whether context-specificity is the reason. {readings.ONE_TOKEN}"
        ),
        general=THREE_FAMILIES,
    ),
    Claim(
        id="eth-pc-3-10-between",
        place="section 4.3",
        says="The scores of layers 3 to 10 lie between those of layers 2 and 11.",
        needs=Needs(measures=(SCORE,), families=("masked", "causal"), n_layers=12),
        holds=_inner_between,
        tolerance=(
            "at least {share:%} of the scores of these layers lie between those of the two other "
            "layers"
        ),
        unprinted="Table 1 leaves out layers 3 to 10",
        general=General(
            says=(
                "The scores of the inner layers lie between those of layer 2 and of the last "
                "layer but one."
            ),
            families=ENCODERS,
        ),
    ),
]
