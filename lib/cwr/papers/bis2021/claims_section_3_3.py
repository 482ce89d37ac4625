"""Claims of Biś et al. (2021) about how embeddings are learned: section 3.3 and appendix A.

Most are statements of mathematics; their predicates read what is measured on a small softmax layer.

    D = draws
"""
import numpy as np

from cwr.papers.claims import Claim, Needs, Predicate
from cwr.papers.predicates import at_least, at_most
from cwr.tables import Table

COSINE_OF_ONE, COSINE_OF_BATCH = "nontarget_gradient_cosine", "nontarget_gradient_cosine_batch"
SHIFT_BY_SGD, COSREG_DIFFERENCE = "mean_vector_shift_sgd", "cosreg_difference"
CHECKED = "checked numerically in bis2021/00_the_paper_against_itself"


def is_one_direction(measure: str) -> Predicate:
    """A predicate: the smallest of the cosines measured is 1, but for rounding."""
    def holds(table: Table) -> np.ndarray:
        smallest = table.values(measure).min(axis=1)
        return at_least(table, smallest, 1 - 1e-6, "smallest cosine")
    return holds


def is_zero(measure: str, tolerance: float) -> Predicate:
    """A predicate: the largest of the numbers measured is 0, but for a tolerance."""
    def holds(table: Table) -> np.ndarray:
        largest = np.abs(table.values(measure)).max(axis=1)
        return at_most(table, largest / tolerance, 1, f"largest, in units of {tolerance:g}")
    return holds


LEARNING = [
    Claim(
        id="bis-nontarget-same-direction",
        place="abstract; section 3.3",
        says="In one prediction, all words but the target get gradients of the same direction.",
        needs=Needs(measures=(COSINE_OF_ONE,), families=(), compares=True),
        holds=is_one_direction(COSINE_OF_ONE),
        tolerance="cosine of the gradients of any two words = 1, to 1e-6",
        because="Section 3.3 means one prediction by a step. The gradients differ in size: each "
                "is as large as the probability of its word.",
        proved="The gradient of the loss by the row of a word other than the target is the "
               "probability of that word, which is positive, times the one output vector h; "
               f"{CHECKED}.",
    ),
    Claim(
        id="bis-nontarget-same-direction.batch",
        place="abstract",
        says="In a step on several predictions, all words but the targets get gradients of the "
             "same direction.",
        needs=Needs(measures=(COSINE_OF_BATCH,), families=(), compares=True),
        holds=is_one_direction(COSINE_OF_BATCH),
        tolerance="cosine of the gradients of any two words = 1, to 1e-6",
        because="This is the strict reading of \"any training step\", which is a batch in "
                "practice.",
        unprinted="No printed number enters: it depends on the outputs in a batch. The notebook "
                  "shows a batch of two predictions in which it is not so.",
    ),
    Claim(
        id="bis-sgd-conserves-mean",
        place="not in the paper; beside section 3.3, equation 6",
        says="Under plain gradient descent the output layer's gradient leaves the mean embedding "
             "where it is.",
        needs=Needs(measures=(SHIFT_BY_SGD,), families=(), compares=True),
        holds=is_zero(SHIFT_BY_SGD, 1e-6),
        tolerance="the mean moves by less than 1e-6",
        because="So a moving mean needs more than the update rule of equation 6: Adam's scaling, "
                "or the input layer.",
        proved="The probabilities of all words add up to 1, and so does the target, so the rows of "
               f"the gradient add up to zero, in one prediction and in any batch; {CHECKED}.",
        ours=True,
    ),
    Claim(
        id="bis-cosreg-identity",
        place="appendix A",
        says="Cosine regularisation is the squared norm of the mean direction, up to a constant.",
        needs=Needs(measures=(COSREG_DIFFERENCE,), families=(), compares=True),
        holds=is_zero(COSREG_DIFFERENCE, 1e-12),
        tolerance="‖mean unit vector‖² - 1/N, to 1e-12",
        because="The constant is corrected; the printed one is a slip that changes no conclusion.",
        proved="The squared norm of the sum of N unit vectors is the sum of their products over "
               "all pairs, of which the N with themselves are 1; over N² that is the term of "
               f"equation 12 plus 1/N; {CHECKED}.",
    ),
]
