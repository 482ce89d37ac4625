"""The sliced cross-entropy against torch's own."""

import itertools
import os

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from cwr.training.loss import cosine_regularisation, cross_entropy


@settings(max_examples=20)
@given(st.integers(1, 700), st.integers(2, 9), st.booleans())
def test_the_sliced_loss_has_the_value_and_gradients_of_torchs_own(n, classes, with_bias):
    torch.manual_seed(n)
    trained = {
        "dtype": torch.float64,
        "requires_grad": True,
        "device": os.environ["DEVICE"],
    }
    hidden = torch.randn(n, 5, **trained)
    matrix = torch.randn(classes, 5, **trained)
    bias = torch.randn(classes, **trained) if with_bias else None
    targets = torch.randint(classes, (n,), device=hidden.device)
    inputs = [tensor for tensor in (hidden, matrix, bias) if tensor is not None]
    logits = torch.nn.functional.linear(hidden, matrix, bias)
    plain = torch.nn.functional.cross_entropy(logits, targets)
    sliced = cross_entropy(hidden, matrix, bias, targets)
    assert sliced.item() == pytest.approx(
        plain.item(), rel=1e-5
    )  # logits are float32 inside
    expected = torch.autograd.grad(3 * plain, inputs)
    gradients = torch.autograd.grad(3 * sliced, inputs)
    for gradient, right in zip(gradients, expected, strict=True):
        torch.testing.assert_close(gradient, right, rtol=1e-4, atol=1e-6)


@settings(max_examples=20)
@given(st.integers(2, 9), st.integers(1, 5))
def test_the_cosine_regularisation_has_value_and_gradient_of_the_double_sum(rows, dim):
    torch.manual_seed(rows * dim)
    matrix = torch.randn(rows, dim, dtype=torch.float64, requires_grad=True)
    pairs = itertools.permutations(matrix, 2)
    cosines = [one @ other / (one.norm() * other.norm()) for one, other in pairs]
    double_sum = sum(cosines) / rows**2
    penalty = cosine_regularisation(matrix)
    assert penalty.item() == pytest.approx(double_sum.item(), abs=1e-12)
    (gradient,), (expected,) = (
        torch.autograd.grad(loss, matrix) for loss in (penalty, double_sum)
    )
    torch.testing.assert_close(gradient, expected)
