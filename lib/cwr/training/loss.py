"""Computes losses: cross-entropy over a large vocabulary in slices, and a penalty on cosines.

Axes: n positions, d dimensions of the hidden states, v classes.
"""

import torch

POSITIONS = {"cpu": 256, "cuda": 16384}  # a slice; on a CPU its logits stay in the cache


class _SlicedCrossEntropy(torch.autograd.Function):
    """Sum over positions of -log softmax(hidden · matrixᵀ + bias)[target], with its gradients.

    The gradient of a cross-entropy by the logits is softmax minus one-hot, which the forward pass
    has at hand; so each slice of positions adds its share to the gradients at once, and its logits
    are forgotten.
    """

    @staticmethod
    def forward(context, hidden, matrix, bias, targets):  # (n, d), (v, d), (v,), (n,)
        """Returns the sum and keeps the gradients for `backward`, by slices of positions."""
        total = hidden.new_zeros((), dtype=torch.float32)
        to_hidden = torch.empty_like(hidden)
        to_matrix = torch.zeros_like(matrix)
        to_bias = torch.zeros_like(bias)
        size = POSITIONS.get(hidden.device.type, 256)
        for begin in range(0, len(hidden), size):
            rows = slice(begin, begin + size)
            target = targets[rows, None]  # (slice, 1)
            logits = torch.addmm(bias, hidden[rows], matrix.T).float()  # (slice, v)
            logits -= logits.amax(1, keepdim=True)
            total -= logits.gather(1, target).sum()
            masses = logits.exp_().sum(1, keepdim=True)  # in place: one exp an entry
            total += masses.log().sum()
            error = logits.div_(masses)  # softmax
            error.scatter_add_(1, target, error.new_full((len(target), 1), -1.0))
            error = error.to(hidden.dtype)
            to_hidden[rows] = error @ matrix
            to_matrix.addmm_(error.T, hidden[rows])
            to_bias += error.sum(0)
        context.save_for_backward(to_hidden, to_matrix, to_bias)
        return total

    @staticmethod
    def backward(context, scale):
        to_hidden, to_matrix, to_bias = context.saved_tensors
        return scale * to_hidden, scale * to_matrix, scale * to_bias, None


def cross_entropy(
    hidden: torch.Tensor, matrix: torch.Tensor, bias: torch.Tensor | None, targets: torch.Tensor
) -> torch.Tensor:
    """Computes the mean -log softmax(hidden · matrixᵀ + bias)[target], in nats, slice by slice.

    hidden: (n, d). matrix: (v, d). bias: (v,) or None. targets: (n,) int64. Returns a scalar.
    """
    if bias is None:
        bias = matrix.new_zeros(len(matrix))
    matrix = matrix.to(hidden.dtype)
    bias = bias.to(hidden.dtype)
    return _SlicedCrossEntropy.apply(hidden, matrix, bias, targets) / len(hidden)


def cosine_regularisation(matrix: torch.Tensor) -> torch.Tensor:
    """Computes CosReg, the sum of the cosines of all pairs of different rows over v²; a scalar.

    Gao et al. (2019), section 5; Biś et al. (2021), appendix A, equation 14 with its constant
    corrected: the squared norm of the mean of the v unit rows, less 1/v. matrix: (v, d).
    """
    mean_direction = torch.nn.functional.normalize(matrix, dim=1).mean(dim=0)  # (d,)
    return mean_direction @ mean_direction - 1 / len(matrix)
