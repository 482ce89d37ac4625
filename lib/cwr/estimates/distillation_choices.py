"""X2Static against ASE under choices that the text leaves open, or that its released code makes.

Gupta and Jaggi (2021). A choice is changed alone, everything else stays as in the chapter: one
teacher, its contexts, a training on them, and the rows of Table 3 on the same pairs. What two
choices share, a pass or a training, is made once.
"""

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus, word_pairs
from cwr.corpora.paragraphs import CUTS, cut_at_end_marks
from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError, hint, quoted
from cwr.estimates import contexts, distilled, left_out, words_alone
from cwr.estimates.chosen_tables import BEST_ON_AVERAGE, BEST_PER_SET, HALF, SEED, Rule
from cwr.estimates.context_pieces import PIECES, RELEASED, SPECIALS, WORDS
from cwr.estimates.contexts import Contexts, Vocabulary
from cwr.estimates.distilled import ALL_SETS, MEAN, PAIRS, Source, tables
from cwr.measures import isotropy

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

UNITS = {"sentence": "x2static_sentence", "paragraph": "x2static_paragraph"}
OTHERS = "other words"  # a mean over the words but the target
OFFSETS = "offsets"  # sentences found in a paragraph by where their characters stand
U, A = "x2static", "ase"  # whose mean is removed
COMMON, OWN, TOOLS = "common", "own", "tools"  # which pairs are compared
LAST, INPUT = "last", "input"  # layers of ASE
BATCH = 128  # lines (Table 1)
RG, RG_CUT = "rg-65", "rg-65, cut"
AS_IN_THE_CHAPTER = "as in the chapter"

Distil = Callable[[np.ndarray, Vocabulary, dict, np.ndarray | None], WordVectors]


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
        the end. is_epoch: the text is read once in batches of BATCH lines, a line being a sentence
        or a paragraph; else all trainings have as many updates.
    min_count: occurrences of a word; None: those of the chapter.
    centred: whose vectors have the mean of all words removed: U, A or both.
    ase: the rule by which ASE's layer is chosen: BEST_ON_AVERAGE, HALF, LAST or INPUT.
    compared: the pairs that all rows cover (COMMON), each row those that it covers (OWN), or so for
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
    is_epoch: bool = False
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
        reading = self.of_training(unit).without(OF_UPDATES)
        return reading.without(["mean_over"]) if self.mean_over == OTHERS else reading


CHAPTER = Choice()
OF_SCORES = ("centred", "ase", "compared", "has_men", "is_cut")  # need no training
OF_SENTENCES = ("mean_over", "layer", "lower")  # would need a longer pass of paragraphs
OF_UPDATES = ("power", "threshold", "floor", "is_epoch")  # need no pass

CHOICES = {  # {kind: choice}, each alone
    "ASE: layer chosen on half": Choice(ase=HALF),
    "ASE: last layer": Choice(ase=LAST),
    "ASE: layer 0": Choice(ase=INPUT),
    "centring: X2Static": Choice(centred=(U,)),
    "centring: ASE": Choice(centred=(A,)),
    "centring: both": Choice(centred=(U, A)),
    "MEN: in the mean, too": Choice(has_men=True),
    "pairs: each row its own": Choice(compared=OWN),
    "pairs: each row by its tool": Choice(compared=TOOLS),
    "RG-65: scores cut": Choice(is_cut=True),
    "updates: one epoch of 128 lines": Choice(is_epoch=True),
    "rate: decaying": Choice(floor=0.0),
    "negatives: power 0.75": Choice(power=0.75),
    "threshold: 5e-6": Choice(threshold=5e-6),
    "threshold: 1e-4": Choice(threshold=1e-4),
    "words: ten times": Choice(min_count=10),
    "sentences: mean over pieces": Choice(mean_over=PIECES),
    "sentences: special pieces, too": Choice(mean_over=SPECIALS),
    "sentences: target left out": Choice(mean_over=OTHERS),
    "sentences: contexts of layer 0": Choice(layer=0),
    "sentences: contexts of layer 2": Choice(layer=2),
    "sentences: natural case": Choice(lower=False),
    "paragraphs: pieces by offsets": Choice(pairing=OFFSETS),
    "paragraphs: pieces as released": Choice(pairing=RELEASED),
}
KINDS = tuple(dict.fromkeys(name.split(":")[0] for name in CHOICES))


def of_kinds(kinds: Sequence[str]) -> dict[str, Choice]:
    """The choices of these kinds, in the order of CHOICES. Raises UserError for another kind."""
    for kind in kinds:
        if kind not in KINDS:
            raise UserError(f"{quoted(kind)} is no kind of choice: {hint(kind, KINDS)}")
    return {name: choice for name, choice in CHOICES.items() if name.split(":")[0] in kinds}


class Study:
    """One teacher on one text, looked at under several choices."""

    def __init__(
        self,
        encoder: "Encoder",
        corpus: Corpus,
        rivals: Sequence[Source],
        sets: Sequence[str],
        distil: Distil,
        min_count: int = 5,
        steps: int = 560,
        draws: int = 200,
        seed: int = 0,
    ):
        """rivals: rows without a teacher. sets: names of `distilled.load`.

        distil: trains on contexts (s, dim), of a vocabulary, by {name of a setting: value}, with the
        vectors of all words (m, dim) where the target is left out. seed: of draws and trainings.
        """
        self.encoder, self.corpus, self.rivals = encoder, corpus, list(rivals)
        self.sets, self.distil, self.min_count = tuple(sets), distil, min_count
        self.steps, self.draws, self.seed = steps, draws, seed
        self.asked = distilled.words_of(distilled.load(sets))
        self.read = functools.cache(self._read)  # once for all choices
        self.vectors = functools.cache(self._vectors)
        self.vocabulary = functools.cache(self._vocabulary)
        self.alone = functools.cache(self._alone)
        self.averages = functools.cache(self._averages)
        self.runs: list = []  # extractions, for the record of a notebook

    def rows(self, choice: Choice, variant: str | None = None, training: int = 0) -> list[dict]:
        """Rows for `report.results.write`: Table 3 under a choice.

        variant: what the choice is called in results; None for that of the chapter. training: how far
        its seed is from that of the study.
        Raises UserError as `contexts.read`, `distilled.score_rows` and the training.
        """
        pairs = self._pairs(choice.is_cut)
        sources = self.sources(choice, training)
        if choice.compared == COMMON:
            rows = distilled.score_rows(sources, pairs, self.draws, self.seed)
        else:
            rows = []
            for source in sources:
                has_words = choice.compared == TOOLS and source.alone is not None
                by_rule = source.filled() if has_words else source
                alone = distilled.score_rows([by_rule], pairs, self.draws, self.seed)
                rows += [row for row in alone if row["measure"] != PAIRS]
        if choice.has_men:
            rows = _over_all_sets(rows)
        return [{**row, "variant": variant} for row in rows]

    def effective(self, choice: Choice) -> Choice:
        """The choice without what cannot matter to this text and these sets."""
        can_matter = {
            "has_men": not set(self.sets) <= set(word_pairs.GUPTA),
            "is_cut": RG in self.sets,
            "min_count": choice.min_count != self.min_count,
        }
        return choice.without([name for name, matters in can_matter.items() if not matters])

    def sources(self, choice: Choice, training: int = 0) -> list[Source]:
        """The tables of a choice: X2Static from sentences and paragraphs, ASE, and the rivals."""
        name, family, n_layers = self.encoder.name, self.encoder.family, self.encoder.n_layers
        treatment = {
            who: isotropy.center if who in choice.centred else np.asarray for who in (U, A)
        }
        sources = list(self.rivals)
        for unit, estimator in UNITS.items():
            vectors = self.vectors(unit, choice.of_training(unit), training)
            table = tables(vectors.words, {0: vectors.vectors}, self.asked, treatment[U])
            sources.append(Source(name, family, table, {estimator: SEED}, n_layers=n_layers))
        words, averages = self.averages(choice.lower, choice.min_count)
        table = tables(words, averages, self.asked, treatment[A])
        alone = self.alone() if choice.compared == TOOLS else None
        sources.append(Source(name, family, table, self._rules(choice.ase), alone, n_layers))
        return sources

    def _rules(self, ase: str) -> dict[str, Rule]:
        """{estimator: rule} of the two rows of ASE, which are one under another rule."""
        if ase == BEST_ON_AVERAGE:
            return {"ase_best_per_task": BEST_PER_SET, "ase_best_layer": BEST_ON_AVERAGE}
        rule = {LAST: self.encoder.n_layers, INPUT: 0}.get(ase, ase)
        return dict.fromkeys(("ase_best_per_task", "ase_best_layer"), rule)

    def _pairs(self, is_cut: bool) -> dict[str, pd.DataFrame]:
        """The sets, RG-65 with its scores cut under its name."""
        pairs = distilled.load(self.sets)
        if is_cut and RG in self.sets:
            (pairs[word_pairs.GUPTA[RG]],) = distilled.load([RG_CUT]).values()
        return pairs

    def _vocabulary(self, min_count: int | None, is_cut_anew: bool) -> Vocabulary:
        return contexts.vocabulary(self._text(is_cut_anew), min_count or self.min_count)

    def _text(self, is_cut_anew: bool) -> Corpus:
        return cut_at_end_marks(self.corpus) if is_cut_anew else self.corpus

    def _read(self, unit: str, choice: Choice) -> Contexts:
        """The contexts under a choice of reading (`of_reading`), of the chapter's words."""
        means = {OFFSETS: PIECES, RELEASED: RELEASED}
        read = contexts.read(
            self.encoder,
            self._text(bool(choice.pairing)),
            self.vocabulary(None, bool(choice.pairing)),
            unit,
            lower=choice.lower,
            mean_over=means.get(choice.pairing, choice.mean_over),
            layer=choice.layer,
            averages=unit == "sentence" and not choice.without(["lower"]).changed,
        )
        self.runs += read.runs
        return read

    def _averages(
        self, lower: bool, min_count: int | None
    ) -> tuple[tuple[str, ...], dict[int, np.ndarray]]:
        """Words (v,), and ASE of them in each layer, {layer: (v, dim)}."""
        read = self.read("sentence", Choice(lower=lower))
        vocabulary = self.vocabulary(min_count, False)
        read = replace(read, vocabulary=vocabulary)  # a higher threshold has the first words
        return vocabulary.words, {layer: read.average_of(layer) for layer in read.layers}

    def _vectors(self, unit: str, choice: Choice, training: int) -> WordVectors:
        """X2Static under a choice of training (`of_training`)."""
        vocabulary = self.vocabulary(choice.min_count, bool(choice.pairing))
        reading = choice.of_reading(unit).without(["min_count"])
        matrix = self.read(unit, reading).matrix
        settings = self.settings(unit, choice) | {"seed": self.seed + training}
        of_words = None
        if choice.mean_over == OTHERS:
            keys = {"lower": choice.lower, "layer": choice.layer}
            of_words = left_out.word_vectors(self.encoder, self.corpus, vocabulary, unit, **keys)
        return self.distil(matrix, vocabulary, settings, of_words)

    def settings(self, unit: str, choice: Choice) -> dict:
        """The settings of a training, {name: value}, without the seed."""
        steps, batch = self.steps, BATCH
        if choice.is_epoch:
            lines = len(CUTS[unit](self.corpus)[0].sentences)
            steps = -(-lines // BATCH)
            batch = round(BATCH * len(self.corpus.sentences) / lines)  # sentences of 128 lines
        return {
            "power": choice.power,
            "threshold": choice.threshold,
            "floor": choice.floor,
            "batch": batch,
            "steps": steps,
            "target": "left out" if choice.mean_over == OTHERS else "within",
        }

    def _alone(self) -> dict[int, dict[str, np.ndarray]]:
        return words_alone.decontextualised(self.encoder, sorted(self.asked))


def _over_all_sets(rows: list[dict]) -> list[dict]:
    """The mean over all sets stands for that over the paper's."""
    others = [row for row in rows if not row["measure"].startswith(MEAN)]
    means = [row for row in rows if ALL_SETS in row["measure"]]
    return others + [{**row, "measure": row["measure"].replace(ALL_SETS, "")} for row in means]


# ---- what a choice moves


def leads(rows: Sequence[dict]) -> pd.DataFrame:
    """How far X2Static lies above ASE in the mean under each choice, and how far that moves it.

    rows: of `Study.rows`, those of the chapter among them. A row a choice and unit of text, the
    chapter's first. Columns choice, model, family, unit, lead, low, high (95 %), verdict ("above",
    "below", "undecided"), change of the lead by the choice with change_low and change_high.
    Intervals are paired where choices compare the same pairs.
    """
    means = {}
    for row in rows:
        if row["measure"].removesuffix(distilled.LARGE) == MEAN:
            means[row["variant"], row["estimator"]] = row
    table = []
    for (variant, estimator), row in means.items():
        if estimator in UNITS.values():
            lead = _less(row, means[variant, "ase_best_layer"])
            chapter = _less(means[None, estimator], means[None, "ase_best_layer"])
            table.append(
                {
                    "choice": variant or AS_IN_THE_CHAPTER,
                    "model": row["model"],
                    "family": row["family"],
                    "unit": estimator.removeprefix("x2static_"),
                    **_compared(row, means[variant, "ase_best_layer"], "lead"),
                    **_compared(lead, chapter, "change"),
                }
            )
    frame = pd.DataFrame(table)
    words = np.select(
        [frame["lead_low"] > 0, frame["lead_high"] < 0], ["above", "below"], "undecided"
    )
    return frame.assign(verdict=words)


def _less(row: dict, other: dict) -> dict:
    """A row's value and replicates minus another's."""
    return {
        "value": row["value"] - other["value"],
        "replicates": row["replicates"] - other["replicates"],
    }


def _compared(row: dict, other: dict, name: str) -> dict:
    """The paired difference of two rows under a name, with its interval: name, name_low, name_high."""
    paired = distilled.difference(row, other)
    return {
        name: paired["difference"],
        f"{name}_low": paired["low"],
        f"{name}_high": paired["high"],
    }


def strongest(moves: pd.DataFrame, choices: Mapping[str, Choice], number: int) -> list[str]:
    """The choices that move the lead of X2Static from sentences most, of each kind only the first.

    moves: of `leads`. Two choices are of a kind if they change the same field.
    """
    of_sentences = moves[(moves["unit"] == "sentence") & moves["choice"].isin(list(choices))]
    order = of_sentences.sort_values("change", key=abs, ascending=False, kind="stable")
    names, changed = [], set()
    for name in order["choice"]:
        kind = set(choices[name].changed)
        if len(names) < number and not kind & changed:
            names.append(name)
            changed |= kind
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
