"""X2Static against ASE under choices that the text leaves open, or that its released code makes.

Gupta and Jaggi (2021): one teacher, its contexts, a training on them, and the rows of Table 3. What
two choices share, a pass or a training, is made once.

    s sentences, m words of the text, v words of the vocabulary, dim dimensions of the teacher
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus, word_pairs
from cwr.corpora.paragraphs import CUTS, cut_at_end_marks
from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError
from cwr.estimates import contexts, distilled, words_alone
from cwr.estimates.chosen_tables import BEST_ON_AVERAGE, BEST_PER_SET, SEED, Rule
from cwr.estimates.context_pieces import PIECES, RELEASED
from cwr.estimates.contexts import Contexts, Vocabulary
from cwr.estimates.distilled import ALL_SETS, MEAN, PAIRS, Source, tables
from cwr.measures import isotropy
from cwr.texts.gupta2021 import left_out
from cwr.texts.gupta2021.distillation_choices import (
    AS_IN_THE_CHAPTER,
    BATCH,
    COMMON,
    EPOCH,
    INPUT,
    LAST,
    OFFSETS,
    OTHERS,
    TOOLS,
    UNTIL_FLAT,
    A,
    Choice,
    U,
)

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

UNITS = {"sentence": "x2static_sentence", "paragraph": "x2static_paragraph"}
RG, RG_CUT = "rg-65", "rg-65, cut"

Distil = Callable[[np.ndarray, Vocabulary, dict, np.ndarray | None, bool], WordVectors]


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
        steps: int = 2240,
        draws: int = 200,
        seed: int = 0,
    ):
        """rivals: rows without a teacher. sets: names of `distilled.load`, one of the paper's or more.

        distil: trains on contexts (s, dim), of a vocabulary, by {name of a setting: value}, with the
        vectors of all words (m, dim) where the target is left out, and as long as its held-out loss
        falls, or without a look at it. steps: updates at most. seed: of draws and trainings.
        Raises UserError for no set of the paper's, as the verdicts are on the mean over those.
        """
        if not set(sets) & set(word_pairs.GUPTA):
            raise UserError(
                f"none of {', '.join(sets)} is a set of the paper's, over which its mean is taken: add "
                f"one of {', '.join(word_pairs.GUPTA)}"
            )
        self.encoder, self.corpus, self.rivals = encoder, corpus, list(rivals)
        self.sets, self.distil, self.min_count = tuple(sets), distil, min_count
        self.steps, self.draws, self.seed = steps, draws, seed
        self.words = distilled.words_of(distilled.load(sets))
        self.read = functools.cache(self._read)  # once for all choices
        self.vectors = functools.cache(self._vectors)
        self.vocabulary = functools.cache(self._vocabulary)
        self.alone = functools.cache(self._alone)
        self.averages = functools.cache(self._averages)

    def rows(self, choice: Choice, variant: str | None = None, training: int = 0) -> list[dict]:
        """Rows for `report.results.write`: Table 3 under a choice.

        variant: what the choice is called in results; None for that of the chapter. training: how far
        its seed is from that of the study.
        Raises UserError as `contexts.read`, `distilled.score_rows` and the training.
        """
        choice = self.effective(choice)
        pairs = self._pairs(choice.is_cut)
        sources = self.sources(choice, training)
        if choice.compared == COMMON:
            rows = distilled.score_rows(sources, pairs, self.draws, self.seed, enough=0)
        else:
            rows = self._by_themselves(sources, pairs)
        if choice.has_men:
            rows = _over_all_sets(rows)
        return [{**row, "variant": variant} for row in rows]

    def _by_themselves(self, sources: list[Source], pairs: dict[str, pd.DataFrame]) -> list[dict]:
        """Each source on the pairs that it covers, with words alone if it has them."""
        rows = []
        for source in sources:
            whole = source if source.alone is None else source.filled()
            rows += distilled.score_rows([whole], pairs, self.draws, self.seed, enough=0)
        return [row for row in rows if row["measure"] != PAIRS]  # of which each has other ones

    def effective(self, choice: Choice) -> Choice:
        """The choice without what cannot matter to this text, these sets and this teacher."""
        has_pieces = self.encoder.tokenizer is not None
        can_matter = {
            "mean_over": has_pieces or choice.mean_over == OTHERS,
            "pairing": has_pieces,
            "has_men": not set(self.sets) <= set(word_pairs.GUPTA),
            "is_cut": RG in self.sets,
            "min_count": choice.min_count != self.min_count,
        }
        return choice.without([name for name, matters in can_matter.items() if not matters])

    def applicable(self, choices: Mapping[str, Choice]) -> dict[str, Choice]:
        """Those of some choices, by name, that can matter. Raises UserError if none can."""
        left = {name: choice for name, choice in choices.items() if self.effective(choice).changed}
        if not left:
            raise UserError(
                f"none of the choices {', '.join(choices)} can matter to {self.encoder.name}, this "
                "text and these sets: ask for other kinds"
            )
        return left

    def sources(self, choice: Choice, training: int = 0) -> list[Source]:
        """The tables of a choice: X2Static from sentences and paragraphs, ASE, and the rivals."""
        name, family, n_layers = self.encoder.name, self.encoder.family, self.encoder.n_layers
        treatment = {
            side: isotropy.center if side in choice.centred else np.asarray for side in (U, A)
        }
        sources = list(self.rivals)
        for unit, estimator in UNITS.items():
            vectors = self.vectors(unit, choice.of_training(unit), training)
            table = tables(vectors.words, {0: vectors.vectors}, self.words, treatment[U])
            sources.append(Source(name, family, table, {estimator: SEED}, n_layers=n_layers))
        words, averages = self.averages(choice.lower, choice.min_count)
        table = tables(words, averages, self.words, treatment[A])
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
        if is_cut:
            (pairs[word_pairs.GUPTA[RG]],) = distilled.load([RG_CUT]).values()
        return pairs

    def _vocabulary(self, min_count: int | None, is_cut_anew: bool) -> Vocabulary:
        return contexts.vocabulary(self._text(is_cut_anew), min_count or self.min_count)

    def _text(self, is_cut_anew: bool) -> Corpus:
        return cut_at_end_marks(self.corpus) if is_cut_anew else self.corpus

    def _read(self, unit: str, choice: Choice) -> Contexts:
        """The contexts under a choice of reading (`of_reading`), of the chapter's words."""
        means = {OFFSETS: PIECES, RELEASED: RELEASED}
        return contexts.read(
            self.encoder,
            self._text(bool(choice.pairing)),
            self.vocabulary(None, bool(choice.pairing)),
            unit,
            lower=choice.lower,
            mean_over=means.get(choice.pairing, choice.mean_over),
            layer=choice.layer,
            averages=unit == "sentence" and not choice.without(["lower"]).changed,
        )

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
        matrix = self.read(unit, choice.of_reading(unit)).matrix
        settings = self.settings(unit, choice) | {"seed": self.seed + training}
        of_words = None
        if choice.mean_over == OTHERS:
            keys = {"lower": choice.lower, "layer": choice.layer}
            of_words = left_out.word_vectors(self.encoder, self.corpus, vocabulary, unit, **keys)
        return self.distil(matrix, vocabulary, settings, of_words, choice.updates == UNTIL_FLAT)

    def settings(self, unit: str, choice: Choice) -> dict:
        """The settings of a training, {name: value}, without the seed."""
        steps, batch = self.steps, BATCH
        if isinstance(choice.updates, int):
            steps = choice.updates
        if choice.updates == EPOCH:
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
        return words_alone.decontextualised(self.encoder, sorted(self.words))


def _over_all_sets(rows: list[dict]) -> list[dict]:
    """The mean over all sets stands for that over the paper's."""
    others = [row for row in rows if not row["measure"].startswith(MEAN)]
    means = [row for row in rows if ALL_SETS in row["measure"]]
    return others + [{**row, "measure": row["measure"].replace(ALL_SETS, "")} for row in means]


# ---- what a choice moves


def leads(rows: Sequence[dict]) -> pd.DataFrame:
    """How far X2Static lies above ASE in the mean under each choice, and how far that moves it.

    rows: of `Study.rows`, those of the chapter among them. A row a choice and unit of text. Columns
    choice, model, family, unit, lead with lead_low and lead_high (95 %), verdict ("above", "below"
    or "undecided"), and change, how far the choice moves the lead, with change_low and change_high.
    Intervals are paired where rows and choices compare the same pairs.
    """
    means = {}
    for row in rows:
        if row["measure"].removesuffix(distilled.LARGE) == MEAN:
            means[row["variant"], row["estimator"]] = row
    table = []
    for variant, estimator in means:
        if estimator in UNITS.values():
            lead, chapter = (_lead(means, choice, estimator) for choice in (variant, None))
            keys = {"choice": variant or AS_IN_THE_CHAPTER, "unit": estimator.split("_")[-1]}
            keys |= {key: means[variant, estimator][key] for key in ("model", "family")}
            change = distilled.difference(lead, chapter)
            table.append({**keys, **_named("lead", lead), **_named("change", change)})
    frame = pd.DataFrame(table)
    is_decided = [frame["lead_low"] > 0, frame["lead_high"] < 0]
    return frame.assign(verdict=np.select(is_decided, ["above", "below"], "undecided"))


def _lead(means: dict[tuple, dict], variant: str | None, estimator: str) -> dict:
    """The difference of X2Static and ASE under a choice, also as a row: value and replicates."""
    ours, ase = means[variant, estimator], means[variant, "ase_best_layer"]
    drawn = ours["replicates"] - ase["replicates"]
    paired = distilled.difference(ours, ase)
    return {**paired, "value": paired["difference"], "replicates": drawn}


def _named(name: str, paired: dict) -> dict:
    """A paired difference and its interval as columns: name, name_low, name_high."""
    return {
        name: paired["difference"],
        f"{name}_low": paired["low"],
        f"{name}_high": paired["high"],
    }
