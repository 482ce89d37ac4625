"""The choices behind Table 3 of Gupta and Jaggi (2021) that the text leaves open, or its code makes.

Each is changed alone, or several of those that move most at once; `distillation_study` makes the rows.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import pandas as pd

from cwr.estimates import kinds_of_choices
from cwr.estimates.chosen_tables import BEST_ON_AVERAGE, HALF
from cwr.estimates.context_pieces import PIECES, RELEASED, SPECIALS, WORDS

OTHERS = "other words"  # a mean over the words but the target
OFFSETS = "offsets"  # sentences found in a paragraph by where their characters stand
U, A = "x2static", "ase"  # whose mean is removed
COMMON, COVERED, TOOLS = "common", "covered", "tools"  # which pairs are compared
LAST, INPUT = "last", "input"  # layers of ASE
BATCH = 128  # lines (Table 1)
UNTIL_FLAT, EPOCH = "until flat", "one epoch"  # when a training ends
FEW = 560  # updates: the fewest after which the rule can end a training
AS_IN_THE_CHAPTER = "as in the chapter"  # what CHAPTER is called


@dataclass(frozen=True)
class Choice:
    """How the rows of Table 3 come about; the defaults are the choice of the chapter.

    mean_over: of what in a sentence that is read alone its context is the mean: WORDS, PIECES,
        SPECIALS (pieces, with the special ones around them) or OTHERS.
    pairing: of sentences with stretches of their paragraph. "": the words of a sentence. OFFSETS or
        RELEASED: paragraphs are cut at end marks, and a context is a mean over pieces, those of the
        sentence, or those that the two counters of the released code give it.
    layer: of the contexts of sentences read alone. lower: whether these are read in lower case; ASE
        is of the same text.
    power: of the negatives. threshold: of the targets. floor: the share of the rate that is left at
        the end. updates: UNTIL_FLAT, where the held-out loss is flat or a cap ends it; EPOCH, the
        text is read once in batches of BATCH lines, a line being a sentence or a paragraph; or so
        many.
    min_count: occurrences of a word; None: those of the chapter.
    centred: whose vectors have the mean of all words removed: U, A or both.
    ase: the rule by which ASE's layer is chosen: BEST_ON_AVERAGE, HALF, LAST or INPUT.
    compared: the pairs that all rows cover (COMMON), each row those that it covers (COVERED), or so for
        all but ASE, whose words without a vector stand as they are read alone (TOOLS).
    has_men: whether the mean is over sets that are none of the paper's, too.
    is_cut: the scores of RG-65 without their decimals.
    """

    mean_over: str = WORDS
    pairing: str = ""
    layer: int = -1
    lower: bool = True
    power: float = 0.5
    threshold: float = 1e-5
    floor: float = 1.0
    updates: int | str = UNTIL_FLAT
    min_count: int | None = None
    centred: tuple[str, ...] = ()
    ase: str = BEST_ON_AVERAGE
    compared: str = COMMON
    has_men: bool = False
    is_cut: bool = False

    @property
    def changed(self) -> dict:
        """{field: value} where it differs from the chapter."""
        pairs = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {name: value for name, value in pairs if value != getattr(CHAPTER, name)}

    def without(self, names: Sequence[str]) -> "Choice":
        """The same with these fields as in the chapter."""
        return replace(self, **{name: getattr(CHAPTER, name) for name in names})

    def of_training(self, unit: str) -> "Choice":
        """As far as it decides the training on the contexts of one unit of text."""
        of_other_unit = OF_SENTENCES if unit == "paragraph" else ("pairing",)
        return self.without((*OF_SCORES, *of_other_unit))

    def of_reading(self, unit: str) -> "Choice":
        """As far as it decides the contexts of one unit of text; OTHERS leaves out afterwards."""
        reading = self.of_training(unit).without([*OF_UPDATES, "min_count"])
        return reading.without(["mean_over"]) if self.mean_over == OTHERS else reading


CHAPTER = Choice()
OF_SCORES = ("centred", "ase", "compared", "has_men", "is_cut")  # need no training
OF_SENTENCES = ("mean_over", "layer", "lower")  # would need a longer pass of paragraphs
OF_UPDATES = ("power", "threshold", "floor", "updates")  # need no pass

CHOICES = {  # {kind: choice}, each alone
    "ASE: layer chosen on half": Choice(ase=HALF),
    "ASE: last layer": Choice(ase=LAST),
    "ASE: layer 0": Choice(ase=INPUT),
    "centring: X2Static": Choice(centred=(U,)),
    "centring: ASE": Choice(centred=(A,)),
    "centring: both": Choice(centred=(U, A)),
    "MEN: in the mean, too": Choice(has_men=True),
    "pairs: each row its own": Choice(compared=COVERED),
    "pairs: each row by its tool": Choice(compared=TOOLS),
    "RG-65: scores cut": Choice(is_cut=True),
    "updates: one epoch of 128 lines": Choice(updates=EPOCH),
    f"updates: {FEW}": Choice(updates=FEW),
    "rate: decaying": Choice(floor=0.0),
    "negatives: power 0.75": Choice(power=0.75),
    "threshold: 5e-6": Choice(threshold=5e-6),
    "threshold: 1e-4": Choice(threshold=1e-4),
    "words: ten times": Choice(min_count=10),
    "sentences: mean over pieces": Choice(mean_over=PIECES),
    "sentences: special pieces, too": Choice(mean_over=SPECIALS),
    "sentences: target left out": Choice(mean_over=OTHERS),
    "sentences: layer 0": Choice(layer=0),
    "sentences: last layer but one": Choice(layer=-2),
    "sentences: natural case": Choice(lower=False),
    "paragraphs: pieces by offsets": Choice(pairing=OFFSETS),
    "paragraphs: pieces as released": Choice(pairing=RELEASED),
}
KINDS = kinds_of_choices.kinds(CHOICES)


def of_kinds(kinds: Sequence[str]) -> dict[str, Choice]:
    """The choices of these kinds, in the order of CHOICES. Raises UserError for another kind."""
    return kinds_of_choices.of_kinds(CHOICES, kinds)


def strongest(moves: pd.DataFrame, choices: Mapping[str, Choice], number: int) -> list[str]:
    """The choices that move the lead of X2Static from sentences most, but one a field.

    moves: of `distillation_study.leads`. Of two choices that change the same field the first counts.
    """
    of_sentences = moves[(moves["unit"] == "sentence") & moves["choice"].isin(list(choices))]
    order = of_sentences.sort_values("change", key=abs, ascending=False, kind="stable")
    names, fields_changed = [], set()
    for name in order["choice"]:
        changed = set(choices[name].changed)
        if len(names) < number and not changed & fields_changed:
            names.append(name)
            fields_changed |= changed
    return names


def combined(choices: Mapping[str, Choice]) -> dict[str, Choice]:
    """Two and more of these at once, in all combinations: {names joined by " + ": choice}."""
    combinations = {}
    for number in range(2, len(choices) + 1):
        for names in itertools.combinations(choices, number):
            both: dict = {}
            for name in names:
                both |= choices[name].changed
            combinations[" + ".join(names)] = Choice(**both)
    return combinations
