"""Defines the recipes of cwr-elmo, cwr-bert and cwr-gpt: all hyperparameters of a training."""

from dataclasses import dataclass

from cwr.errors import UserError

FAMILIES = ("causal", "masked", "bilstm")
STARTS = ("counts", "plain")
EMBEDDINGS = ("adamw", "sgd", "coupled", "rowwise")
BIASES = ("", "none", "zero", "counts")  # counts: from the log of a token's share of the text


@dataclass(frozen=True)
class Recipe:
    """The settings of a training run. The defaults are the CPU edition of cwr-gpt.

    The last five fields serve experiments on the mean of an embedding matrix (Biś et al. 2021,
    section 3.3); a biLSTM has no `bias`, `tied` and `penalty`.
    Raises UserError for a choice that does not exist.
    """

    family: str = "causal"  # one of FAMILIES
    layers: int = 4
    dim: int = 192
    epochs: float = 1.0  # how often the text is read
    rows: int = 8  # windows a step (bilstm: rows of text read in parallel)
    size: int = 128  # pieces a window, with the start token (bilstm: words a row)
    rate: float = 1.5e-3  # highest learning rate; a cosine falls to a twentieth of it
    warm_up: float = 0.02  # share of the steps over which the rate rises
    decay: float = 0.05  # weight decay of matrices
    start: str = "counts"  # vectors of tokens at the start: "counts" or "plain" (random)
    short: float = 0.0  # masked: share of the text read first, in short windows
    masked: float = 0.30  # masked: share of the pieces that are to be predicted
    seed: int = 0
    heads: int = 0  # of attention; 0: one for every 64 dimensions
    embeddings: str = "adamw"  # how embedding matrices are updated: one of EMBEDDINGS (`optimiser`)
    tied: bool = True  # whether a token is predicted with the vector that it is read as
    bias: str = ""  # of the output at the start: one of BIASES; "": as the family has it
    penalty: float = 0.0  # times the cosine regularisation of the output matrix, in the loss

    def __post_init__(self):
        choices = {"family": FAMILIES, "start": STARTS, "embeddings": EMBEDDINGS, "bias": BIASES}
        for field, names in choices.items():
            choice = getattr(self, field)
            if choice not in names:
                quoted = ", ".join(f'"{name}"' for name in names if name)
                raise UserError(f"there is no {field} {choice!r} of a recipe: choose {quoted}")
        if self.heads and self.dim % self.heads:
            raise UserError(f"{self.dim} dimensions do not make {self.heads} heads: change one")
        if self.family == "bilstm" and (self.bias or self.penalty or not self.tied):
            raise UserError(
                "the biLSTM reads letters and predicts words with a matrix and a bias of their "
                'own: leave out "bias", "tied" and "penalty", which are of the transformers'
            )


RECIPES = {
    "cwr-gpt": Recipe("causal"),
    "cwr-bert": Recipe("masked", rows=16, warm_up=0.05, short=0.35),
    "cwr-elmo": Recipe("bilstm", layers=2, dim=128, rows=64, size=32, rate=2e-3, decay=0.01),
}
