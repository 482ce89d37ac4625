"""Figure 4 of Zhao et al. (2020) under choices that its text leaves open, each changed alone.

What two choices share, a pass of the model or a training of the probes, is made once. The claims
read the rows of every choice as if it were that of the chapter (`report.changes`).

    n contexts, L layers, D draws
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus
from cwr.corpora.wiki_pse import contexts
from cwr.corpora.wiki_pse.contexts import DEV, TEST
from cwr.estimates import kinds_of_choices
from cwr.measures import probing, stats
from cwr.tables import ANOTHER_SEED
from cwr.texts.zhao2020 import probed_contexts, probes, sentence_means, study
from cwr.texts.zhao2020.batched import Probes, Settings
from cwr.texts.zhao2020.claims.readings import BAG, BAG_DEV, TOKEN, TOKEN_DEV
from cwr.texts.zhao2020.probed_contexts import LAST, PIECES, WORDS
from cwr.texts.zhao2020.probes import FULL

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

SPAN = ["sentence", "first", "last"]
LAYERS, PIECES_MEAN = "layers", "mean of pieces"  # what probes read


@dataclass(frozen=True)
class Choice:
    """How an F1 comes about; the defaults are the choice of the chapter, None too.

    reading, percent: of F1 (`measures.probing`). split: of which words, "test" or "dev".
    links_only, strict, cap: of the contexts (`wiki_pse.contexts.probing_set`).
    pool: of a target's vector (`probed_contexts.read`).
    hidden, standardised: of the probes (`batched.Settings`). seed: how far theirs are from the
        chapter's.
    """

    reading: str = FULL
    percent: int = probing.HALF
    split: str = TEST
    links_only: bool = False
    strict: bool = True
    cap: int | None = None
    pool: str = PIECES
    hidden: int | None = None
    standardised: bool = True
    seed: int = 0

    @property
    def changed(self) -> dict:
        """{field: value} where it differs from the chapter."""
        pairs = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in pairs if value != getattr(CHAPTER, name)}

    def only(self, names: Sequence[str]) -> "Choice":
        """The chapter with these fields of the choice."""
        return Choice(**{name: getattr(self, name) for name in names})


CHAPTER = Choice()
OF_TABLE = ("links_only", "strict", "cap")
OF_VECTORS = (*OF_TABLE, "pool")
OF_PROBES = (*OF_VECTORS, "hidden", "standardised", "seed")

CHOICES = {  # {kind: choice}, each alone
    "reading: pairs": Choice(reading="pairs"),
    "reading: words": Choice(reading="words"),
    "ties: half is not enough": Choice(percent=51),
    "split: dev": Choice(split=DEV),
    "few contexts: 3 a pair": Choice(cap=3),
    "cap: 20 a pair": Choice(cap=20),
    "probes: linear": Choice(hidden=0),
    "larger probes: 64 units": Choice(hidden=64),
    "larger probes: 1,024 units": Choice(hidden=1024),
    "inputs: as they are": Choice(standardised=False),
    ANOTHER_SEED: Choice(seed=1000),
    "mentions: links only": Choice(links_only=True),
    "sentences: shared by splits": Choice(strict=False),
    "pooling: mean of words": Choice(pool=WORDS),
    "pooling: last piece": Choice(pool=LAST),
}
KINDS = kinds_of_choices.kinds(CHOICES)


def of_kinds(kinds: Sequence[str]) -> dict[str, Choice]:
    """The choices of these kinds, in the order of CHOICES. Raises UserError for another kind."""
    return kinds_of_choices.of_kinds(CHOICES, kinds)


class Study:
    """One model on one corpus, looked at under several choices."""

    def __init__(
        self,
        encoder: "Encoder",
        corpus: Corpus,
        settings: Settings,
        cap: int = contexts.CAP,
        seeds: Sequence[int] = (0,),
        draws: int = 1000,
        seed: int = 0,
    ):
        """settings, cap, seeds: the chapter's. seed: of the sample of contexts and of the draws."""
        self.encoder, self.corpus, self.settings = encoder, corpus, settings
        self.cap, self.seeds, self.draws, self.seed = cap, seeds, draws, seed
        self.table = functools.cache(self._table)  # once for all choices
        self.vectors = functools.cache(self._vectors)
        self.probes = functools.cache(self._probes)

    def rows(self, choice: Choice, variant: str | None = None) -> list[dict]:
        """Rows for `report.results.write`: F1 of every layer and of the mean of pieces.

        On test and on dev, under the three readings; a choice of a split or of a reading has its
        numbers where the chapter has those of test, and of "full".
        variant: what the choice is called in results; None for that of the chapter.
        Raises UserError as `probing_set`, `probed_contexts.read` and `study.answers`.
        """
        keys = {"model": self.encoder.name, "family": self.encoder.family, "variant": variant}
        measures = {LAYERS: (TOKEN, TOKEN_DEV), PIECES_MEAN: (BAG, BAG_DEV)}
        rows = []
        for reads, names in measures.items():
            for measure, split in zip(names, (choice.split, DEV), strict=True):
                said = self.answers(reads, choice, split)
                scored = probes.score_rows(said, self.draws, self.seed, measure=measure, **keys)
                rows += _by_reading(scored, choice.reading)
        return rows

    def effective(self, choice: Choice) -> Choice:
        """The choice without what the chapter has anyway, or this model cannot have."""
        if choice.cap == self.cap:
            choice = replace(choice, cap=None)
        if choice.hidden == self.settings.hidden:
            choice = replace(choice, hidden=None)
        return choice if self.encoder.tokenizer else replace(choice, pool=CHAPTER.pool)

    def answers(self, reads: str, choice: Choice, split: str) -> probes.Answers:
        """What probes of LAYERS, or of PIECES_MEAN, say of one split under a choice."""
        trained = self.probes(reads, choice.only(OF_PROBES))
        vectors = self.vectors(reads, choice.only(OF_VECTORS))
        asked = study.asked(trained, vectors, self.table(choice.only(OF_TABLE)), split)
        return replace(asked.answers, percent=choice.percent)

    def _table(self, choice: Choice) -> pd.DataFrame:
        """The contexts (n) under a choice of `OF_TABLE`."""
        cap = choice.cap or self.cap
        selection = choice.links_only, choice.strict
        return contexts.probing_set(self.corpus, cap, self.seed, *selection)

    def _vectors(self, reads: str, choice: Choice) -> list[np.ndarray]:
        """What probes read under a choice of `OF_VECTORS`: an array (n, dim) a layer.

        Contexts that are all among the chapter's are not read again.
        """
        table, whole = self.table(choice.only(OF_TABLE)), self.table(CHAPTER)
        rows = whole[SPAN].reset_index().merge(table[SPAN], on=SPAN, how="right")["index"]
        if choice.only(OF_TABLE) != CHAPTER and rows.notna().all():
            same = self.vectors(reads, choice.only(["pool"]))
            return [layer[rows.to_numpy(dtype=int)] for layer in same]
        if reads == PIECES_MEAN:
            return [sentence_means.of_pieces(self.encoder, self.corpus, table)]
        return probed_contexts.read(self.encoder, self.corpus, table, pool=choice.pool)

    def _probes(self, reads: str, choice: Choice) -> tuple[Probes, ...]:
        """Probes under a choice of `OF_PROBES`, a training a seed."""
        hidden = self.settings.hidden if choice.hidden is None else choice.hidden
        settings = replace(self.settings, hidden=hidden, standardised=choice.standardised)
        seeds = [seed + choice.seed for seed in self.seeds]
        vectors = self.vectors(reads, choice.only(OF_VECTORS))
        return study.answers(vectors, self.table(choice.only(OF_TABLE)), settings, seeds).probes


def _by_reading(rows: list[dict], reading: str) -> list[dict]:
    """Rows of the three readings; under a choice of one, this alone, as if it were the chapter's."""
    if reading == FULL:
        return rows
    return [{**row, "estimator": FULL} for row in rows if row["estimator"] == reading]


# ---- what a choice moves


def moves(rows: Sequence[dict]) -> pd.DataFrame:
    """How far each choice moves what Figure 4 is about, under "full" on test.

    rows: of `Study.rows` of one model, those of the chapter among them. Columns panel (the
    quantity), variant (the choice), model, family, value, change, low and high of its 95 %
    interval, noise (how far another seed moves it, 0 where none was asked) and is_moved (whether
    the interval lies beyond that); draws are paired where two choices score the same words.
    """
    by_choice: dict[str | None, list[dict]] = {}
    for row in rows:
        if row["measure"] in (TOKEN, BAG) and row["estimator"] == FULL:
            by_choice.setdefault(row["variant"], []).append(row)
    chapter = _quantities(by_choice.pop(None))
    table = []
    for variant, of_choice in by_choice.items():
        keys = {"variant": variant, **{key: of_choice[0][key] for key in ("model", "family")}}
        for name, drawn in _quantities(of_choice).items():
            change = drawn - chapter[name]
            low, high = stats.interval(change[1:])
            numbers = {"value": drawn[0], "change": change[0], "low": low, "high": high}
            table.append({"panel": name, **keys, **numbers})
    moved = pd.DataFrame(table)
    by_seed = moved[moved["variant"] == ANOTHER_SEED].set_index("panel")["change"].abs()
    noise = moved["panel"].map(by_seed).fillna(0.0)
    is_beyond = (moved["low"] > noise) | (moved["high"] < -noise)
    is_moved = is_beyond & (moved["variant"] != ANOTHER_SEED)
    return moved.assign(noise=noise, is_moved=is_moved)


def _quantities(rows: Sequence[dict]) -> dict[str, np.ndarray]:
    """{what Figure 4 is about: its value and its draws, (1 + D,)}, of the rows of one choice."""
    columns = {row.get("layer"): np.append(row["value"], row["replicates"]) for row in rows}
    bag = columns.pop(None)
    blocks = np.stack([columns[layer] for layer in sorted(columns) if layer >= 1])  # (L, 1 + D)
    return {
        "mean of the blocks": blocks.mean(axis=0),
        "last block minus first": blocks[-1] - blocks[0],
        "first block minus mean of pieces": blocks[0] - bag,
    }
