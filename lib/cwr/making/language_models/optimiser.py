"""Updates the embedding matrices of a language model by a rule; AdamW updates all other weights.

    "adamw"    AdamW (Loshchilov and Hutter 2019): every coordinate by its own second moment
    "sgd"      plain gradient descent at a rate of its own, SGD_RATE: equation 6 of Biś et al. (2021)
    "coupled"  AdamW with its second moment averaged over the rows, so that all tokens are scaled
               alike: Coupled Adam (Stollenwerk and Stollenwerk 2025)
    "rowwise"  AdamW with its second moment averaged over the columns, one number a row: each token
               is scaled as a whole, and no dimension is

The rows of an output matrix' gradient sum to zero. Rules that multiply all rows by the same numbers
keep that sum; rules with a factor per row do not.

Axes: v tokens, the rows of a matrix; d dimensions.
"""

from collections.abc import Sequence

import torch

from cwr.training.loop import Schedule, adamw

SGD_RATE = 1.0  # at the highest rate of the schedule; it rises and falls with it
AVERAGED = {"coupled": 0, "rowwise": 1}  # the axis over which second moments are averaged


def new(
    model: torch.nn.Module,
    schedule: Schedule,
    matrices: Sequence[torch.nn.Parameter],
    rule: str,
) -> torch.optim.AdamW:
    """Returns AdamW for a model, with another rule for its embedding matrices.

    matrices: (v, d) each. rule: "adamw", "sgd", "coupled" or "rowwise", see the module.
    """
    if rule == "adamw":
        return adamw(model, schedule)
    optimiser = adamw(model, schedule, EmbeddingsApart)
    embeddings = {id(matrix) for matrix in matrices}
    for group in optimiser.param_groups:
        group["params"] = [weight for weight in group["params"] if id(weight) not in embeddings]
    settings = {"rule": rule, "weight_decay": schedule.decay, "rate": schedule.rate}
    optimiser.add_param_group({"params": list(matrices), **settings})
    return optimiser


class EmbeddingsApart(torch.optim.AdamW):
    """An AdamW that updates the weights of a parameter group by the group's "rule", if any."""

    @torch.no_grad()
    def step(self) -> None:
        """Takes one step; the gradients of embedding matrices are None afterwards."""
        for group in self.param_groups:
            if "rule" in group:
                for matrix in group["params"]:
                    matrix.mul_(1 - group["lr"] * group["weight_decay"])
                    matrix.sub_(self._change(matrix, group))
                    matrix.grad = None  # AdamW leaves such a weight as it is
        super().step()

    def _change(self, matrix: torch.nn.Parameter, group: dict) -> torch.Tensor:
        """Returns what a step subtracts from a matrix, (v, d)."""
        if group["rule"] == "sgd":
            return SGD_RATE * group["lr"] / group["rate"] * matrix.grad
        squares = averaged(matrix.grad.square(), group["rule"])
        state = self.state[matrix]
        if not state:
            state["step"] = torch.zeros(())
            state["first"] = torch.zeros_like(matrix)
            state["second"] = torch.zeros_like(squares)
        state["step"] += 1
        state["first"].lerp_(matrix.grad, 1 - group["betas"][0])
        state["second"].lerp_(squares, 1 - group["betas"][1])
        first, second = (1 - beta ** state["step"].item() for beta in group["betas"])
        root = (state["second"] / second).sqrt_() + group["eps"]
        return group["lr"] / first * state["first"] / root


def averaged(squares: torch.Tensor, rule: str) -> torch.Tensor:
    """Averages squared gradients, (v, d), over the tokens or over the dimensions.

    rule: "coupled": over tokens, (1, d); "rowwise": over dimensions, (v, 1).
    As Adam's moving average is linear, averaging before it equals averaging second moments.
    """
    return squares.mean(dim=AVERAGED[rule], keepdim=True)
