"""Claims of Biś et al. (2021) about rare words: Figure 3 with section 4.2.

D = draws, N = bins of the vocabulary
"""

from functools import partial

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import above, at_most, every, near, rank_correlation
from cwr.tables import Table
from cwr.texts.bis2021.claims.readings import (
    CHECKPOINTS,
    ROUNDING,
    SHARED,
    as_numbers,
    comparing,
)

MASKED = ("masked",)
# by range of the vocabulary (key column `class`); by bin of 1,000 rows (key column k); by bin of
# counted frequency, rarer ones with a higher k
UNUSED = "unused_mean_cosine"
BINS, FREQUENCY_BINS = f"{UNUSED}_by_bin", f"{UNUSED}_by_frequency"
LAST_ROWS = "last_rows_mean_cosine_by_bin"
TOKENS, INPUTS, TARGETS = "unused_tokens", "unused_input_share", "unused_target_share"
LOSS = "unmasking_loss"  # by tenth of the used tokens, rarer ones with a higher k

UNCASED, CASED = ("BERT-base-uncased",), ("BERT-base-cased",)
ROBERTA = ("RoBERTa-base", "RoBERTa-large")
FREQUENT = "2000-3000"
ORDER = 0.8  # the rank correlation above which values follow an order
VOCABULARY = "The claim is tied to BERT's uncased vocabulary."
TWO_VALUES = (
    "The two printed values, for rare and for frequent tokens, support the paper; the figure "
    "prints no others. A run on the paper's checkpoint must decide."
)
RECIPE = "The claim is tied to BERT's training recipe."


def unused_cosine_is(
    table: Table, name: str, printed: float, rounding: float = ROUNDING
) -> np.ndarray:
    """Tests whether unused tokens and those of one range have the mean cosine that is printed."""
    cosine = table.value(UNUSED, **{"class": name})
    return near(table, cosine, printed, rounding, f"mean cosine with {name}")


def rises(table: Table, measure: str, fewest: int = 5, order: float = ORDER) -> np.ndarray:
    """Tests whether a measure of one model rises with its bin k: rank correlation above `order`.

    Raises Missing for fewer bins than `fewest`.
    """
    labels, values = table.over("k", measure, at_least=fewest)
    bins = np.array(labels, dtype=float)
    found = rank_correlation(table, values, bins, measure.replace("_", " "), "bins")
    return above(table, found, order, "Spearman correlation")


def rises_over_frequency_range(
    table: Table, first: int = 2, last: int = 28, order: float = ORDER
) -> np.ndarray:
    """Tests whether unused tokens are nearer to higher bins, over all ordered by frequency."""
    bins = as_numbers(table, "k")
    return rises(table.at((bins >= first) & (bins <= last)), BINS, last - first + 1, order)


def is_near_range(table: Table, name: str = FREQUENT, shared: float = SHARED) -> np.ndarray:
    """Tests whether unused tokens and those of one range share a direction."""
    return above(table, table.value(UNUSED, **{"class": name}), shared, f"mean cosine with {name}")


def is_near_commonest(table: Table, shared: float = SHARED) -> np.ndarray:
    """Tests whether unused tokens and those of the commonest bin share a direction."""
    labels, values = table.over("k", FREQUENCY_BINS, at_least=1)
    commonest = np.argmin(np.array(labels, dtype=float))
    return above(table, values[:, commonest], shared, "mean cosine with the commonest bin")


def rises_in_both(table: Table, order: float = ORDER) -> np.ndarray:
    """Tests whether the last rows are nearer to higher bins in both RoBERTa models."""
    parts = table.where(model=ROBERTA).with_measure(LAST_ROWS, at_least=len(ROBERTA))
    truth = np.stack([rises(part, LAST_ROWS, order=order) for part in parts.values()], axis=1)
    return every(table, truth, list(parts))


def number_of_unused_is(table: Table, model: str, number: int = 994) -> np.ndarray:
    """Tests whether the vocabulary of a model has this many unused tokens."""
    return near(table, table.value(TOKENS, model=model), number, 0, f"unused tokens of {model}")


def never_seen(table: Table) -> np.ndarray:
    """Tests whether unused tokens are neither inputs nor targets."""
    never_inputs = at_most(table, table.value(INPUTS), 0, "share of inputs")
    return never_targets(table) & never_inputs


def never_targets(table: Table) -> np.ndarray:
    """Tests whether unused tokens are never targets."""
    return at_most(table, table.value(TARGETS), 0, "share of targets")


UNUSED_TOKENS = [
    Claim(
        id="bis-unused-rare-063",
        place="section 4.2",
        says="Unused and rare tokens (28500-29500) have a mean cosine of 0.63.",
        needs=Needs(measures=(UNUSED,), families=MASKED, models=UNCASED),
        holds=partial(unused_cosine_is, name="28500-29500", printed=0.63),
        tolerance="the value is {printed} +- {rounding}",
        because="Only the uncased vocabulary reaches to index 29500.",
        unprinted=CHECKPOINTS,
        general=VOCABULARY,
    ),
    Claim(
        id="bis-unused-frequent-027",
        place="section 4.2",
        says="Unused and frequent tokens (2000-3000) have a mean cosine of 0.27.",
        needs=Needs(measures=(UNUSED,), families=MASKED, models=UNCASED),
        holds=partial(unused_cosine_is, name=FREQUENT, printed=0.27),
        tolerance="the value is {printed} +- {rounding}",
        because="The range belongs to the uncased vocabulary, like that of the rare tokens.",
        unprinted=CHECKPOINTS,
        general=VOCABULARY,
    ),
    Claim(
        id="bis-unused-monotone",
        place="section 4.2; Figure 3",
        says="The rarer a token is, the closer unused tokens are to it.",
        needs=Needs(measures=(BINS,), families=MASKED, models=UNCASED),
        holds=rises_over_frequency_range,
        tolerance=(
            "the Spearman correlation of bin and mean cosine exceeds {order}, over bins {first} "
            "to {last}"
        ),
        because=(
            "Bins 0, 1 and the last ones of the uncased vocabulary hold characters and word "
            "pieces, so these bins cover no range of frequencies."
        ),
        unprinted=TWO_VALUES,
        general=General(
            says="The rarer a token is, the closer tokens that never occur are to it.",
            measures=(FREQUENCY_BINS,),
            holds=partial(rises, measure=FREQUENCY_BINS),
            tolerance=(
                "the Spearman correlation of frequency bin (a rarer one is higher) and mean "
                "cosine exceeds {order}, over at least five bins"
            ),
        ),
    ),
    Claim(
        id="bis-frequent-shifted",
        place="section 1; section 4.2",
        says="In BERT the shift is also present in the representations of frequent words.",
        needs=Needs(measures=(UNUSED,), families=MASKED, models=("BERT",)),
        holds=is_near_range,
        tolerance="unused tokens and those of the range {name} have a mean cosine above {shared}",
        because=(
            "Unused tokens are updated only by the pushes that they share. Tokens near them "
            "were pushed, too. We use the threshold of bis-drift-not-cone."
        ),
        general=General(
            says="The shift is also present in the representations of frequent words.",
            measures=(FREQUENCY_BINS,),
            holds=is_near_commonest,
            tolerance="tokens that never occur and those of the commonest bin have a mean cosine above {shared}",
        ),
    ),
    Claim(
        id="bis-unused-count",
        place="section 4.2",
        says="BERT's vocabulary has 994 unused tokens.",
        needs=comparing(TOKENS, models=UNCASED),
        holds=partial(number_of_unused_is, model="BERT-base-uncased"),
        tolerance="the uncased vocabulary file has {number} of them",
        because='Section 4.2 says only "BERT", and the released script loads the uncased model.',
        general=VOCABULARY,
    ),
    Claim(
        id="bis-unused-count.caption",
        place="Figure 3",
        says="The cased model that the caption names has 994 unused tokens.",
        needs=comparing(TOKENS, models=CASED),
        holds=partial(number_of_unused_is, model="BERT-base-cased"),
        tolerance="the cased vocabulary file has {number} of them",
        because='The cased file has 101 of them, so the caption\'s "BERT-base-case" is a slip.',
        general="The claim is tied to BERT's cased vocabulary.",
    ),
    Claim(
        id="bis-unused-never-seen",
        place="section 4.2",
        says="The unused tokens were neither inputs nor targets in pre-training.",
        needs=Needs(measures=(INPUTS, TARGETS), families=MASKED, models=UNCASED),
        holds=never_seen,
        tolerance="their expected share of inputs and their share of targets are 0",
        because=(
            "BERT's public script replaces some inputs by random entries of the whole vocabulary. "
            "We assume that the released checkpoints were made with this script."
        ),
        general=RECIPE,
    ),
    Claim(
        id="bis-unused-never-seen.targets",
        place="section 4.2",
        says="The unused tokens were never targets in pre-training.",
        needs=Needs(measures=(TARGETS,), families=MASKED, models=UNCASED),
        holds=never_targets,
        tolerance="their share of targets is 0",
        because=(
            "This is the kinder reading, and the argument needs no more: targets are words of the "
            "text."
        ),
        general=RECIPE,
    ),
    Claim(
        id="bis-roberta-last1000",
        place="footnote 7",
        says="RoBERTa's last 1,000 rows show the pattern of the unused tokens.",
        needs=Needs(measures=(LAST_ROWS,), families=MASKED, compares=True, models=ROBERTA),
        holds=rises_in_both,
        tolerance=(
            "the Spearman correlation of bin and mean cosine exceeds {order}, in RoBERTa-base and "
            "in RoBERTa-large"
        ),
        because=(
            'The footnote says only "RoBERTa". The paper uses two RoBERTa models, which share a '
            "vocabulary."
        ),
        unprinted=CHECKPOINTS,
        general="The claim is tied to RoBERTa's vocabulary.",
    ),
    Claim(
        id="bis-rare-hard-to-unmask",
        place="section 4.2",
        says="The rarer a word, the harder it is for a masked model to unmask.",
        needs=Needs(measures=(LOSS,), families=MASKED, of=("a masked model",)),
        holds=partial(rises, measure=LOSS),
        tolerance=(
            "the Spearman correlation of frequency bin (a rarer one is higher) and loss exceeds "
            "{order}, over at least five bins"
        ),
        because=(
            "The paper cites the statement for BERT and RoBERTa, and says that its Figure 3 "
            "explains it. We judge only the statement; the notebook compares the loss with the "
            "cosines of Figure 3."
        ),
        unprinted="The paper cites the statement and prints no number, so a run must decide.",
    ),
]
