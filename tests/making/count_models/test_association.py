"""Positive PMI against its formula."""

import itertools

import numpy as np
import pytest
from scipy import sparse

from cwr.making.count_models.association import positive_pmi


def test_positive_pmi_is_the_log_ratio_of_counts():
    counts = np.array([[4.0, 0, 1], [1, 2, 0]])
    values = positive_pmi(sparse.csr_matrix(counts)).toarray()
    contexts = counts.sum(0) ** 0.75
    for row, column in itertools.product(range(2), range(3)):
        expected = counts.sum(1)[row] * contexts[column] / contexts.sum()
        right = (
            max(0, np.log(counts[row, column] / expected)) if counts[row, column] else 0
        )
        assert values[row, column] == pytest.approx(right)
