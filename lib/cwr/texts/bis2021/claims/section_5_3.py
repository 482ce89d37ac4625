"""Claims of Biś et al. (2021), section 5.3 and the caption of Table 2.

They compare the two scores, and isotropy with performance.

Gains and gaps are in points, Pearson's r times 100.

    D = draws, N = models, S = the two scores
"""

import numpy as np

from cwr.papers.claims import Claim, Needs
from cwr.papers.predicates import TIE, above, below, correlation, every, most, rank_correlation
from cwr.tables import Table
from cwr.texts.bis2021.claims.readings import (
    CENTRED,
    I_RAW,
    LANGUAGE_MODELS,
    MANY,
    NORM,
    PROCESSED,
    RAW,
    SCALED,
    SCORES,
    SETS,
    SEVERAL,
    TABLE_2_MODELS,
    TREATMENTS,
    cell_labels,
    closed,
    common,
    comparing,
    flat,
    gains,
    gaps,
    is_bert,
    of_one,
    of_table_2,
    scored,
)
from cwr.texts.bis2021.claims.table_1 import EXCEPTION

NAMES_BERT = "The claim sets the BERT models apart from four others."


def inner_gains_more(table: Table) -> np.ndarray:
    """Tests whether every treatment adds more by inner product than by cosine, in one model."""
    raw, leads = of_one(table, RAW), []
    for treatment in TREATMENTS:
        points = of_one(table, treatment) - raw
        leads.append(points[:, 1] - points[:, 0])
    leads = np.stack(leads, axis=1)  # (D, treatments)
    return above(table, leads, 0, list(TREATMENTS.values()))


def cosine_leads(table: Table) -> np.ndarray:
    """Tests whether cosine is better than the inner product in one model, before any treatment."""
    raw = of_one(table, RAW)
    return above(table, raw[:, 0] - raw[:, 1], 0, "cosine less inner product")


def norm_and_gap(table: Table) -> np.ndarray:
    """Correlates mean norm with the lead of cosine over the models (Spearman), (D,).

    Raises Missing for fewer than six models.
    """
    models, (gap,) = gaps(table, RAW, at_least=MANY)
    columns = [table.over("model", NORM, at_least=MANY), (models, gap)]
    _, (norm, gap) = common(columns, MANY, "mean norm and similarity")
    return rank_correlation(table, norm, gap, "mean norm and lead of cosine")


def longer_leads_more(table: Table, bound: float = 0.5) -> np.ndarray:
    """Tests whether cosine tends to lead by more in models with longer rows."""
    return above(table, norm_and_gap(table), bound, "Spearman correlation")


def longer_always_leads_more(table: Table) -> np.ndarray:
    """Tests whether the lead of cosine orders the models as their mean norm does."""
    return above(table, norm_and_gap(table), 1 - TIE, "Spearman correlation")


def gap_closes_but_in_bert(table: Table, least: float = 0.9) -> np.ndarray:
    """Tests whether centring takes this share of the gap in the six models but BERT, less there."""
    models, share = closed(of_table_2(table), at_least=MANY)
    return every(table, (share >= least) == ~is_bert(models), models, share)


def gap_is_gone_but_in_bert(table: Table) -> np.ndarray:
    """Tests whether centring leaves no gap in the six models but BERT, and some gap there."""
    models, (gap,) = gaps(of_table_2(table), CENTRED, at_least=MANY)
    return every(table, (gap <= 0) == ~is_bert(models), models, gap)


def least_isotropic_gains_most(table: Table) -> np.ndarray:
    """Tests whether in Table 2 RoBERTa-large has the lowest I(W) and the largest mean gain."""
    table = of_table_2(table)
    columns = [table.over("model", I_RAW, at_least=MANY)]
    columns += [gains(table, treatment, at_least=MANY) for treatment in TREATMENTS]
    models, (isotropy, *points) = common(columns, MANY, "isotropy and similarity")
    gain = np.mean(points, axis=(0, 3))  # (D, N)
    is_named = np.array(models) == EXCEPTION
    room = isotropy[:, ~is_named] - isotropy[:, is_named]
    lead = gain[:, is_named] - gain[:, ~is_named]
    others = [model for model in models if model != EXCEPTION]
    is_lowest = above(
        table, room, 0, [f"I(W) of {model} less that of {EXCEPTION}" for model in others]
    )
    return is_lowest & above(
        table, lead, 0, [f"mean gain of {EXCEPTION} less that of {model}" for model in others]
    )


def less_isotropic_gains_more(table: Table) -> np.ndarray:
    """Tests whether I(W) and gain correlate negatively, for every treatment and both scores."""
    models, isotropy = table.over("model", I_RAW, at_least=MANY)
    correlations, labels = [], []
    for treatment, name in TREATMENTS.items():
        columns = [(models, isotropy), gains(table, treatment, at_least=MANY)]
        _, (by_isotropy, points) = common(columns, MANY, "isotropy and similarity")
        for position, score in enumerate(SCORES):
            label, gain = f"{name}, by {score}", points[:, :, position]
            correlations.append(correlation(table, by_isotropy, gain, f"I(W) and gain {label}"))
            labels.append(label)
    correlations = np.stack(correlations, axis=1)  # (D, treatments and scores)
    return below(table, correlations, 0, labels)


def steps(table: Table) -> tuple[list[tuple], np.ndarray]:
    """Computes the change of each average by centring, then by removing components.

    Returns labels (N * S * 2), points (D, N * S * 2). Raises Missing for fewer than three models.
    """
    models, values = scored(table, RAW, CENTRED, PROCESSED)
    changes = np.diff(np.stack(values, axis=-1), axis=-1)  # (D, N, S, 2)
    return cell_labels(models, ("by centring", "by post-processing")), flat(changes)


def isotropy_mostly_improves(table: Table) -> np.ndarray:
    """Tests whether more than half of the steps raise the average."""
    labels, changes = steps(table)
    return most(table, changes > 0, labels)


def isotropy_always_improves(table: Table) -> np.ndarray:
    """Tests whether every step raises the average."""
    labels, changes = steps(table)
    return above(table, changes, 0, labels)


SCORES_AND_ISOTROPY = [
    Claim(
        id="bis-ip-gains-larger",
        place="section 5.3",
        says="Word similarity gains more by inner product than by cosine.",
        needs=Needs(measures=(RAW, CENTRED, SCALED, PROCESSED), of=SETS, families=LANGUAGE_MODELS),
        holds=inner_gains_more,
        tolerance="the average gains more by inner product than by cosine, for every treatment, "
        "in each model",
    ),
    Claim(
        id="bis-cos-better-raw",
        place="section 5.3",
        says="Before any treatment cosine is better than the inner product.",
        needs=Needs(measures=(RAW,), of=SETS, families=LANGUAGE_MODELS),
        holds=cosine_leads,
        tolerance="the average is higher by cosine than by inner product, in each model",
    ),
    Claim(
        id="bis-cos-better-raw.norms",
        place="section 5.3",
        says="The longer the embeddings, the larger the lead of cosine tends to be.",
        needs=comparing(RAW, NORM, of=SETS, at_least=MANY),
        holds=longer_leads_more,
        tolerance=(
            "the Spearman correlation of mean norm and lead exceeds {bound} over at least six "
            "models"
        ),
        because=(
            'This is the kinder reading of "especially for embeddings with greater L2 norms". '
            "With six models p = 0.07."
        ),
    ),
    Claim(
        id="bis-cos-better-raw.every-norm",
        place="section 5.3",
        says="The longer the embeddings, the larger the lead of cosine always is.",
        needs=comparing(RAW, NORM, of=SETS, at_least=MANY),
        holds=longer_always_leads_more,
        tolerance="the Spearman correlation of mean norm and lead is 1 over at least six models",
        because="This is the strict reading. RoBERTa-base has long rows but the smallest lead.",
    ),
    Claim(
        id="bis-gap-closed-but-bert",
        place="section 5.3",
        says="Centring closes the gap between inner product and cosine in all models but "
        "BERT-cased.",
        needs=comparing(RAW, CENTRED, of=SETS, models=TABLE_2_MODELS),
        holds=gap_closes_but_in_bert,
        tolerance=(
            "at least {least} of the difference disappears in all of the six models but BERT"
        ),
        because=(
            'We read "sufficient to close the gap" as closing nearly all of it. Any threshold '
            "above 0.74 and up to 0.98 gives the same verdict."
        ),
        general=NAMES_BERT,
    ),
    Claim(
        id="bis-gap-closed-but-bert.strict",
        place="section 5.3",
        says="Centring closes the gap completely in all models but BERT-cased.",
        needs=comparing(RAW, CENTRED, of=SETS, models=TABLE_2_MODELS),
        holds=gap_is_gone_but_in_bert,
        tolerance="the inner product reaches the cosine in all of the six models but BERT",
        because="RoBERTa-large is a third exception: 0.31 points of its gap of 16.50 remain.",
        general=NAMES_BERT,
    ),
    Claim(
        id="bis-less-isotropic-more-gain",
        place="Table 2, caption",
        says="RoBERTa-large, the least isotropic model, gains most.",
        needs=comparing(I_RAW, RAW, CENTRED, SCALED, PROCESSED, of=SETS, models=TABLE_2_MODELS),
        holds=least_isotropic_gains_most,
        tolerance=(
            "of the six models RoBERTa-large has the lowest I(W), and the largest gain, "
            "averaged over three treatments and both scores"
        ),
        because=(
            "The caption speaks of one improvement, so we take the mean. By cosine, three "
            "models gain more than RoBERTa-large from post-processing."
        ),
        general="The claim names one of six models.",
    ),
    Claim(
        id="bis-less-isotropic-more-gain.correlation",
        place="Table 2, caption",
        says="The less isotropic a model, the larger its gain.",
        needs=comparing(I_RAW, RAW, CENTRED, SCALED, PROCESSED, of=SETS, at_least=MANY),
        holds=less_isotropic_gains_more,
        tolerance=(
            "the Pearson correlation of I(W) and gain is below 0, for three treatments and both "
            "scores, over at least six models"
        ),
        because=(
            "This reading extends to all models what the caption says of RoBERTa-large. With "
            "six models, no correlation reaches p < 0.05."
        ),
    ),
    Claim(
        id="bis-isotropy-improves",
        place="Table 2, caption",
        says="In general, more isotropy goes with better performance.",
        needs=comparing(RAW, CENTRED, PROCESSED, of=SETS, at_least=SEVERAL),
        holds=isotropy_mostly_improves,
        tolerance="the average rises in most of the steps from raw to centred to post-processed",
        because=(
            'We read "in general" as most steps. Isotropy itself rises in every one of these '
            "steps (Table 1)."
        ),
    ),
    Claim(
        id="bis-isotropy-improves.monotone",
        place="Table 2, caption",
        says="More isotropy always goes with better performance.",
        needs=comparing(RAW, CENTRED, PROCESSED, of=SETS, at_least=SEVERAL),
        holds=isotropy_always_improves,
        tolerance="the average rises in every step from raw to centred to post-processed",
        because="This is the strict reading: in print 7 of 12 averages rise in both steps.",
    ),
]
