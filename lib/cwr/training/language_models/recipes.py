"""The recipes of cwr-elmo, cwr-bert and cwr-gpt: every number that decides a training."""
from dataclasses import dataclass

from cwr.errors import UserError

FAMILIES = ("causal", "masked", "bilstm")
STARTS = ("counts", "plain")


@dataclass(frozen=True)
class Recipe:
    """All that decides a run besides the text. The defaults are the CPU edition of cwr-gpt.

    Raises UserError for a family or a start that does not exist.
    """

    family: str = "causal"          # one of FAMILIES
    layers: int = 4
    dim: int = 192
    epochs: float = 1.0             # how often the text is read
    rows: int = 8                   # windows a step (bilstm: rows of text read in parallel)
    size: int = 128                 # pieces a window, with the start token (bilstm: words a row)
    rate: float = 1.5e-3            # highest learning rate; a cosine falls to a twentieth of it
    warm_up: float = 0.02           # share of the steps over which the rate rises
    decay: float = 0.05             # weight decay of matrices
    start: str = "counts"           # vectors of tokens at the start: "counts" or "plain" (random)
    short: float = 0.0              # masked: share of the text read first, in short windows
    masked: float = 0.30            # masked: share of the pieces that are to be predicted
    seed: int = 0

    def __post_init__(self):
        if self.family not in FAMILIES:
            raise UserError(f"there is no family {self.family!r} to train: "
                            f"choose {', '.join(FAMILIES)}")
        if self.start not in STARTS:
            raise UserError("training starts from \"counts\" or \"plain\" vectors, "
                            f"not from {self.start!r}")


RECIPES = {
    "cwr-gpt": Recipe("causal"),
    "cwr-bert": Recipe("masked", rows=16, warm_up=0.05, short=0.35),
    "cwr-elmo": Recipe("bilstm", layers=2, dim=128, rows=64, size=32, rate=2e-3, decay=0.01),
}
