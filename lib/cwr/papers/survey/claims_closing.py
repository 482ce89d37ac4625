"""Claims of the post's closing paragraph and of its last section, on reversed decisions."""

import numpy as np

from cwr.papers.claims import AnyModel, Claim, Needs
from cwr.papers.predicates import above
from cwr.tables import Table

NET_REVERSALS = "net_reversal_rate"


def _more_than_noise(table: Table) -> np.ndarray:
    tasks, rates = table.over("task", NET_REVERSALS, at_least=1)
    return above(table, rates, 0, tasks)


CLAIMS = [
    Claim(
        id="sur-higher-abstract",
        place="closing paragraph",
        says="Higher layers are more abstract, as in image networks.",
        needs=Needs(measures=()),
        holds=None,
        tolerance="",
        unprinted="an analogy, not testable as worded; its testable part is sur-pipeline-order",
    ),
    Claim(
        id="sur-drop-in",
        place="closing paragraph",
        says="Contextual vectors are a drop-in addition with results near the best.",
        needs=Needs(measures=()),
        holds=None,
        tolerance="",
        unprinted='bound to its time: "near the best" moves',
    ),
    Claim(
        id="sur-bert-revises",
        place="last section",
        says="BERT revises lower-level decisions in the light of higher-level ones.",
        needs=Needs(measures=(NET_REVERSALS,), families=("masked",)),
        holds=_more_than_noise,
        tolerance="in each task, the rate of reversed firm decisions is above that of two probes "
        "on one layer",
        because="The post repeats its source's account and says itself that the source does not "
        "show it in numbers.",
        unprinted="the source shows examples, no rate",
        any_model=AnyModel(
            says="Any model revises lower-level decisions in the light of higher-level ones."
        ),
    ),
    Claim(
        id="sur-no-quant",
        place="last section",
        says="The source has no quantitative test of such reversals.",
        needs=Needs(measures=()),
        holds=None,
        tolerance="",
        unprinted="true of that paper's text, which picks examples by a rule; no number decides it",
    ),
    Claim(
        id="sur-attention-flips",
        place="last section",
        says="Papers on attention deal with such reversals.",
        needs=Needs(measures=()),
        holds=None,
        tolerance="",
        unprinted="another sense of the word: there a decision flips when attention weights are "
        "erased, not from one layer to the next",
    ),
]
