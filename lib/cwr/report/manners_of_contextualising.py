"""Asks if three architectures contextualise in three manners (Ethayarajh 2019, section 4.2)."""

from cwr.encoders.shipped import SHIPPED
from cwr.measures import stats
from cwr.report.results import Results
from cwr.tables import by_family, matching

MEASURE = "intra_sentence_cosine"


def sentence(measured: Results) -> str:
    """Returns a MyST sentence: how far a sentence's words move together in models of equal words.

    measured: the results of the notebook on Figure 3. Each shipped model gets the 95 % interval of
        its last layer minus its layer 0, draw by draw. Empty if none was measured.
    """
    trained = measured.without_variants()
    curves = trained.where(matching(trained.table, measure=MEASURE))
    moves = {}
    for name in by_family(curves.table):
        if name in SHIPPED:
            moves[name] = _from_first_to_last(curves.of_model(name))
    if not moves:
        return ""
    rising = [name for name, (low, _) in moves.items() if low > 0]
    phrases = [f"{low:+.2f} to {high:+.2f} in `{name}`" for name, (low, high) in moves.items()]
    return (
        "Do three architectures contextualise in three manners (section 4.2)? In "
        f"{len(rising)} of {len(moves)} models trained on the same words, the words of a sentence become "
        "more alike from layer 0 to the last layer. Their mean cosine minus the baseline changes by "
        f"{', '.join(phrases)}."
    )


def _from_first_to_last(curve: Results) -> tuple[float, float]:
    """Returns the 95 % interval of one model's last layer minus its layer 0."""
    ends = curve.replicates[:, [curve.table["layer"].argmin(), curve.table["layer"].argmax()]]
    return stats.interval(ends[:, 1] - ends[:, 0])
