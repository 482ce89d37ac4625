"""Claims of Biś et al. (2021) about how embeddings are learned: section 3.3 and appendix A.

Most are statements of mathematics; their predicates read what is measured on a small softmax layer.
The last ones are ours: one small model is trained in several ways that differ in nothing but the
update of the embedding matrix.

    D = draws, N = runs (tied or untied, by seed)
"""

from functools import partial
from itertools import product

import numpy as np

from cwr.papers.claims import Claim, Needs
from cwr.papers.predicates import above, at_least, at_most
from cwr.tables import Table, concatenated
from cwr.texts.bis2021.claims.figure_3 import ORDER
from cwr.texts.bis2021.claims.readings import LANGUAGE_MODELS, common, comparing

MARGIN = "margin_gain_by_centring"
COSINE_OF_ONE, COSINE_OF_BATCH = "nontarget_gradient_cosine", "nontarget_gradient_cosine_batch"
# in units of 1e-6 and of 1e-12, since results keep four decimals
SHIFT_BY_SGD, COSREG_DIFFERENCE = "mean_vector_shift_sgd", "cosreg_difference"
# of a trained matrix: by update (key column `estimator`), "tied" or "untied" (`class`), and seed
SHIFT, UNUSED_ORDER, OUTPUTS = "mean_vector_shift", "unused_order", "hidden_mean_cosine_trained"
ADAM, BY_ROW, BY_COLUMN = "adamw", "rowwise", "coupled"
REGULARISED = ("cosreg-1", "cosreg-10")  # Adam, under two weights of cosine regularisation
UNSCALED = ("sgd", BY_COLUMN)  # what rescales no row by itself
UPDATES = (ADAM, *UNSCALED, BY_ROW)
UNTRAINED = "The paper trains no model, so our trainings in 07_common_enemies must decide."
CHECKED = "checked numerically in bis2021/00_the_paper_against_itself"


def is_one_direction(table: Table, measure: str, digits: int = 4) -> np.ndarray:
    """Tests whether the smallest of the cosines measured is 1, to so many digits."""
    smallest = table.values(measure).min(axis=1)
    return at_least(table, smallest, 1 - 10**-digits, "smallest cosine")


def is_zero(table: Table, measure: str, digits: int) -> np.ndarray:
    """Tests whether the largest number measured, in units of the last digit, is at most 1."""
    largest = np.abs(table.values(measure)).max(axis=1)
    return at_most(table, largest, 1, f"largest, in units of {10**-digits:g}")


def centring_widens_margins(table: Table, growth: float = 0.001) -> np.ndarray:
    """Tests whether margins are larger without the mean, by more than rounding."""
    return above(table, table.value(MARGIN), growth, "growth of the margin by centring")


def by_run(table: Table, measure: str, updates: tuple[str, ...]) -> tuple[list, list[np.ndarray]]:
    """Reads a measure of trainings: the runs that all updates have (N), (D, N) per update.

    Raises Missing for fewer than three runs.
    """
    columns = []
    for update in updates:
        columns.append(table.over(("class", "seed"), measure, at_least=3, estimator=update))
    return common(columns, 3, measure.replace("_", " "))


def moves_farther(table: Table, update: str) -> np.ndarray:
    """Tests whether in every run `update` moves the mean 10 times farther than each of UNSCALED."""
    runs, (shift, *lesser) = by_run(table, SHIFT, (update, *UNSCALED))
    room = concatenated(shift - 10 * other for other in lesser)
    labels = [(other, *run) for other in UNSCALED for run in runs]
    return above(table, room, 0, labels)


def row_scaling_moves(table: Table) -> np.ndarray:
    """Tests `moves_farther` for rescaling by row, which must also go half as far as Adam."""
    runs, (adam, by_row) = by_run(table, SHIFT, (ADAM, BY_ROW))
    is_far = above(table, by_row - adam / 2, 0, runs)
    return moves_farther(table, BY_ROW) & is_far


def outputs_closer(table: Table, drifting: tuple[str, ...], still: tuple[str, ...]) -> np.ndarray:
    """Tests whether in every run outputs end closer after `drifting` updates than after `still`."""
    runs, closeness = by_run(table, OUTPUTS, (*drifting, *still))
    alike, apart = closeness[: len(drifting)], closeness[len(drifting) :]
    leads = [one - other for one in alike for other in apart]
    labels = [(*pair, *run) for pair in product(drifting, still) for run in runs]
    return above(table, concatenated(leads), 0, labels)


def rare_are_nearer(table: Table, order: float = ORDER) -> np.ndarray:
    """Tests whether never-used rows are nearer to rarer words, after every update in every run."""
    runs, orders = by_run(table, UNUSED_ORDER, UPDATES)
    labels = [(update, *run) for update in UPDATES for run in runs]
    return above(table, concatenated(orders), order, labels)


LEARNING = [
    Claim(
        id="bis-nontarget-same-direction",
        place="abstract; section 3.3",
        says="In one prediction, all words but the target get gradients of the same direction.",
        needs=comparing(COSINE_OF_ONE),
        holds=partial(is_one_direction, measure=COSINE_OF_ONE),
        tolerance="the cosine of the gradients of any two such words is 1, to 1e-{digits}",
        because=(
            "In section 3.3, a step is one prediction. The gradients differ in size: each is "
            "proportional to the probability of its word."
        ),
        proved=(
            "For a word other than the target, the gradient of the loss with respect to its row "
            "is the word's probability times the output vector h. The probability is positive, "
            f"and h is the same for all words; {CHECKED}."
        ),
    ),
    Claim(
        id="bis-nontarget-same-direction.batch",
        place="abstract",
        says="In a step on several predictions, all words but the targets get gradients of the "
        "same direction.",
        needs=comparing(COSINE_OF_BATCH),
        holds=partial(is_one_direction, measure=COSINE_OF_BATCH),
        tolerance="the cosine of the gradients of any two such words is 1, to 1e-{digits}",
        because=(
            'This is the strict reading of "any training step", which in practice is a batch.'
        ),
        unprinted=(
            "The answer depends on the outputs in a batch, and the paper prints none. The "
            "notebook shows a batch of two predictions in which the claim fails."
        ),
    ),
    Claim(
        id="bis-sgd-conserves-mean",
        place="not in the paper; beside section 3.3, equation 6",
        says="Under plain gradient descent the output layer's gradient leaves the mean embedding "
        "where it is.",
        needs=comparing(SHIFT_BY_SGD),
        holds=partial(is_zero, measure=SHIFT_BY_SGD, digits=6),
        tolerance="the mean moves by less than 1e-{digits}",
        because=(
            "The update rule of equation 6 alone therefore does not move the mean. For the mean "
            "to move, Adam's scaling or the input layer is also needed."
        ),
        proved=(
            "The probabilities of all words add up to 1, and the target subtracts 1. So the rows of "
            f"the gradient add up to zero, in one prediction and in any batch; {CHECKED}."
        ),
        ours=True,
    ),
    Claim(
        id="bis-margin-decreases",
        place="section 6",
        says="Shared components of the embeddings decrease the classification margin of the output "
        "softmax layer.",
        needs=Needs(measures=(MARGIN,), families=LANGUAGE_MODELS),
        holds=centring_widens_margins,
        tolerance=(
            "removing the mean of W raises the lead of the best score over the next by more "
            "than {growth:%} on average, in each model"
        ),
        because=(
            "We read the shared components as the mean, and take rows of the matrix in place of "
            "outputs. We do not test components that rows share unequally. Relative to the "
            "length of the rows the margin grows, since centring shortens the rows; but softmax "
            "depends on the margin itself."
        ),
        disproved="The mean adds one number, its product with the output, to the scores of all words "
        "(equation 1), so no difference of two scores changes; measured in bis2021/02_isotropy.",
    ),
    Claim(
        id="bis-feedback",
        place="section 6",
        says="As the embeddings become more similar, the resulting representations become closer.",
        needs=comparing(OUTPUTS),
        holds=partial(outputs_closer, drifting=(ADAM, BY_ROW), still=(BY_COLUMN,)),
        tolerance=(
            "in each of at least three runs, the final mean cosine of the outputs is higher "
            "under Adam, and under one second moment for each row, than under one for the "
            "vocabulary"
        ),
        because=(
            "The paper speaks of one training. We compare trainings that rescale each row by "
            "itself, at their ends, with those that rescale all rows alike. We leave out plain "
            "gradient descent: after as many steps it may have learned less."
        ),
        unprinted=UNTRAINED,
    ),
    Claim(
        id="bis-feedback.regularised",
        place="section 6",
        says="As the embeddings become more similar, the resulting representations become closer "
        "than where cosine regularisation keeps the embeddings apart.",
        needs=comparing(OUTPUTS),
        holds=partial(outputs_closer, drifting=(ADAM,), still=REGULARISED),
        tolerance=(
            "in each of at least three runs, the final mean cosine of the outputs is higher "
            "without the penalty of equation 12 than with penalty weights of 1 and of 10"
        ),
        because="All trainings use the same update rule, and only the penalty keeps the rows "
        "apart.",
        unprinted=UNTRAINED,
    ),
    Claim(
        id="bis-cosreg-identity",
        place="appendix A",
        says="Cosine regularisation is the squared norm of the mean direction, up to a constant.",
        needs=comparing(COSREG_DIFFERENCE),
        holds=partial(is_zero, measure=COSREG_DIFFERENCE, digits=12),
        tolerance="the penalty equals ‖mean unit vector‖² - 1/N, to 1e-{digits}",
        because=(
            "We corrected the constant; the printed one is a slip that changes no conclusion."
        ),
        proved=(
            "The squared norm of the sum of N unit vectors is the sum of their products over all "
            "pairs. In N of these pairs a vector meets itself, and the product is 1. Divided by "
            f"N², the sum is the term of equation 12 plus 1/N; {CHECKED}."
        ),
    ),
    Claim(
        id="bis-adam-moves-mean",
        place="not in the paper; beside section 3.3",
        says="Adam moves the mean embedding; plain gradient descent, and Adam with one second "
        "moment for the whole vocabulary, do not.",
        needs=comparing(SHIFT),
        holds=partial(moves_farther, update=ADAM),
        tolerance=(
            "Adam shifts the mean more than ten times as far as either of the others, in each "
            "of at least three runs"
        ),
        because=(
            "We require a factor of ten, an order of magnitude. With tied weights the input "
            "layer moves the mean a little under every update. We did not train BERT, RoBERTa "
            "or GPT-2."
        ),
        unprinted=UNTRAINED,
        ours=True,
    ),
    Claim(
        id="bis-row-scaling-moves-mean",
        place="not in the paper; beside section 3.3",
        says="Rescaling each row by one number, not each coordinate as Adam does, also moves the "
        "mean.",
        needs=comparing(SHIFT),
        holds=row_scaling_moves,
        tolerance=(
            "in every run, the mean shifts more than half as far as under Adam, and more than "
            "ten times as far as under plain gradient descent and under one second moment for "
            "the vocabulary"
        ),
        because=(
            "The claim isolates a cause: if more than half of Adam's shift remains, most of the "
            "shift comes from this rescaling."
        ),
        unprinted=UNTRAINED,
        ours=True,
    ),
    Claim(
        id="bis-pushes-order-rare",
        place="not in the paper; beside section 4.2",
        says="Tokens that never occur are nearer to rarer words under every update rule, even "
        "where the mean does not move.",
        needs=comparing(UNUSED_ORDER),
        holds=rare_are_nearer,
        tolerance=(
            "the Spearman correlation of frequency bin (rare is high) and mean cosine exceeds "
            "{order} for each of the four updates, in every run"
        ),
        because=(
            "If this claim holds and only Adam's scaling moves the mean, the order of Figure 3 "
            "and the shift of Table 1 have different causes. We use the threshold of "
            "bis-unused-monotone."
        ),
        unprinted=UNTRAINED,
        ours=True,
    ),
]
