"""Defines a claim: a sentence of a paper, and a predicate on a tidy table that decides it."""

import inspect
import string
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cwr.rows import Rows
from cwr.tables import LACKING, UNTRAINED, Table, spelled

PAPER_FAMILIES = ("bilstm", "masked", "causal")
STATIC = "static"  # vectors that belong to no encoder
FEWEST_TRAININGS = 3  # of two the spread is a guess, of one it is not known
Predicate = Callable[[Table], np.ndarray]  # one truth a draw, (draws,) bool


def is_encoder(rows: Rows) -> np.ndarray:
    """Returns which rows are of encoders, (R,) bool: not of static vectors, nor of controls."""
    return rows.has("family") & ~rows.one_of("family", [STATIC])


@dataclass(frozen=True, kw_only=True)
class Control:
    """The baseline that scores must beat before a claim rests on them: random vectors, a rule, ...

    name: the control's name, for a reader. measure: the measure of the scores; estimators: the
        score of at least one of these estimators must beat the control (empty: of any estimator).
        against: the measure of the control (empty: that of the scores).
    estimator: the control's estimator, if one control stands beside all models as a model of its
        own; None if each model has a row of the control.
    by_task: True: each task is tested by itself, and a task that is not learned counts as absent;
        False: a claim whose scores do not beat the control is not asked at all.
    floor: an estimator of the same measure that the scores may not lie below (a mix of layers knows
        what its own layer 0 knows); empty: none.
    """

    name: str
    measure: str
    estimators: tuple[str, ...] = ()
    against: str = ""
    estimator: str | None = None
    by_task: bool = False
    floor: str = ""


@dataclass(frozen=True, kw_only=True)
class Bound:
    """The value of a measure that a model may not exceed; a model beyond it counts as absent.

    name: a clause for a reader on models beyond the bound, with "{}" for their values. measure: the
        measure that is bounded. at_most: the largest value that is allowed.
    """

    name: str
    measure: str
    at_most: float


@dataclass(frozen=True, kw_only=True)
class Needs:
    """The rows that a table must have before a claim is asked of it, and what the claim speaks of.

    measures: the measures that its predicate reads.
    families: the families it speaks of (empty: any); a comparing claim needs one model of each.
    beside: families that a comparing claim also reads if they are there, and does not need.
    compares: True if models are compared: judged once per group of models, not once per model.
    n_layers: the depth that its layer numbers presuppose (None: any).
    estimator: the estimator whose rows it reads, where a measure has several (None: it has one).
    or_unnamed: whether rows without an estimator are read too, as where print names none.
    models, datasets, tasks: names it speaks of, all of which it needs (empty: whichever are there).
        It ignores rows of data sets that it does not name.
    of: the models or data sets that its measures are taken of, for a message about a table without
        them.
    at_least: how many models it needs (a correlation over two models says nothing).
    copies: the kinds of untrained copies (`tables.UNTRAINED`) that it reads beside the model, each
        row with its `variant` and `seed`; it ignores the rows of all others.
    beats: the control that its scores must beat, where a table has both.
    within: the bound that its models must keep, where a table has its measure.
    each_training: a measure with a row for each training (`seed`) behind its scores; where a table
        has it, the claim needs `FEWEST_TRAININGS` of each model.
    """

    measures: tuple[str, ...]
    families: tuple[str, ...] = PAPER_FAMILIES
    n_layers: int | None = None
    estimator: str | None = None
    or_unnamed: bool = False
    compares: bool = False
    beside: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    at_least: int = 1
    copies: tuple[str, ...] = ()
    beats: Control | None = None
    within: Bound | None = None
    each_training: str = ""

    def select(self, table: pd.DataFrame | Rows) -> np.ndarray:
        """Returns which rows of a tidy table the claim reads, for any model, (rows,) bool."""
        rows = Rows.of(table)
        return self.measured(rows) & self.of_datasets(rows)

    def measured(self, table: pd.DataFrame | Rows) -> np.ndarray:
        """Returns which rows have one of `measures`, by `estimator`, for any model, (rows,) bool.

        Rows of untrained copies are left out, unless the kind of the copy is in `copies`.
        """
        rows = Rows.of(table)
        others = [kind for kind in UNTRAINED if kind not in self.copies]
        keep = rows.one_of("measure", self.measures) & ~rows.one_of("variant", others)
        if self.estimator is None:
            return keep
        is_of = rows.one_of("estimator", [self.estimator])
        if self.or_unnamed:
            is_of |= ~rows.has("estimator")
        return keep & is_of

    def of_datasets(self, table: pd.DataFrame | Rows) -> np.ndarray:
        """Returns which rows are of one of `datasets`, or of no data set, (rows,) bool.

        A row of no data set is an average, say, or a cost. All rows if `datasets` is empty.
        """
        if not self.datasets:
            return np.ones(len(table), dtype=bool)
        rows = Rows.of(table)
        return rows.one_of("dataset", self.datasets) | ~rows.has("dataset")

    def reads(self, table: pd.DataFrame | Rows) -> np.ndarray:
        """Returns which rows the predicate gets, (rows,) bool: the rows of `select`.

        If the claim compares, only rows of `families` and `beside`, of static vectors, and without
        a family (a control, such as random vectors).
        """
        rows = Rows.of(table)
        return self.select(rows) & self._is_compared(rows)

    def _is_compared(self, rows: Rows) -> np.ndarray:
        """Returns which rows a comparing claim compares, (rows,) bool; all for any other claim."""
        families = (*self.families, *self.beside)
        if not (self.compares and families):
            return np.ones(len(rows), dtype=bool)
        return rows.one_of("family", (*families, STATIC)) | ~rows.has("family")

    def lacking(self, table: pd.DataFrame | Rows) -> str:
        """Returns a clause on why a table cannot be asked; empty if it can.

        A missing model comes first: no other measure would help. Where a measure exists on other
        data sets only, the data sets are named as lacking, not the measure.
        """
        rows = Rows.of(table)
        measured = rows.where(self.measured(rows))
        selected = measured.where(self.of_datasets(measured))
        return (
            _names_lacking(rows, "model", self.models)
            or self._measures_lacking(measured)
            or _names_lacking(selected, "dataset", self.datasets)
            or self._measures_lacking(selected)
            or self._rows_lacking(selected)
            or self._trainings_lacking(rows)
        )

    def _trainings_lacking(self, rows: Rows) -> str:
        if not self.each_training:
            return ""
        of_each = rows.where(rows.one_of("measure", [self.each_training]))
        trainings = [len(part.distinct("seed")) for part in of_each.by("model").values()]
        fewest = min(trainings, default=FEWEST_TRAININGS)  # a table without them does not tell
        return (
            f"the claim needs at least {FEWEST_TRAININGS} trainings of each model, to tell their spread from an "
            f"effect, but one model here has only {fewest}"
            if fewest < FEWEST_TRAININGS
            else ""
        )

    def _rows_lacking(self, selected: Rows) -> str:
        """Returns a clause on why rows with all its measures cannot be asked; else ""."""
        rows = selected.where(self._is_compared(selected))
        return (
            self._families_lacking(selected)
            or _names_lacking(rows, "model", self.models)
            or _names_lacking(rows, "dataset", self.datasets)
            or _names_lacking(rows, "task", self.tasks)
            or self._models_lacking(rows)
            or self._copies_lacking(selected)
            or self._depth_lacking(selected)
        )

    def _measures_lacking(self, rows: Rows) -> str:
        measures = set(rows.distinct("measure"))
        absent = [spelled(each) for each in self.measures if each not in measures]
        if not absent:
            return ""
        by = f" by the estimator {self.estimator!r}" if self.estimator else ""
        of = f", of {_listed(self.of)}" if self.of else ""
        return f"{LACKING}{_listed(absent)}{by}{of}"

    def _families_lacking(self, rows: Rows) -> str:
        if not self.compares:
            return ""
        families = set(rows.distinct("family"))
        lacking = [family for family in self.families if family not in families]
        if not self.families and self.beside and not families & set(self.beside):
            lacking = list(self.beside)
        return (
            f"the claim compares families, but there is no {' and no '.join(lacking)} model here"
            if lacking
            else ""
        )

    def _models_lacking(self, rows: Rows) -> str:
        number = len(rows.distinct("model"))
        return (
            f"the claim needs at least {self.at_least} models, but there {'is' if number == 1 else 'are'} only "
            f"{number} here"
            if number < self.at_least > 1
            else ""
        )

    def _copies_lacking(self, rows: Rows) -> str:
        if set(self.copies) <= set(rows.distinct("variant")):
            return ""
        return (
            "the claim needs untrained copies of the model, but there are none here. The "
            "parameters untrained_seeds and without_untrained determine which models a notebook copies"
        )

    def _depth_lacking(self, rows: Rows) -> str:
        if self.n_layers is None:
            return ""
        depth = max(rows.distinct("layer"), default=None)
        if depth is None:
            return f"the claim is about the layers of a {self.n_layers}-layer model, but no layer is named here"
        if depth == self.n_layers:
            return ""
        return f"the claim is about the layers of a {self.n_layers}-layer model, but this model has {depth}"


def _names_lacking(rows: Rows, column: str, names: tuple[str, ...]) -> str:
    """Returns a clause on the names that a key column lacks; empty if it has all."""
    known = set(rows.distinct(column)) if names else set()
    lacking = [name for name in names if name not in known]
    if not lacking:
        return ""
    noun = {"dataset": "data set"}.get(column, column)
    they = f"a {noun}" if len(lacking) == 1 else f"{noun}s"
    return f"the claim is about {_listed(lacking)}, {they} without results here"


def _listed(names: list[str] | tuple[str, ...]) -> str:
    """Joins names for a sentence: "a", "a and b", "a, b and c"."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


@dataclass(frozen=True, kw_only=True)
class General:
    """The general form of a claim that is tied to layer numbers or to a family: it suits any model.

    says: the statement, written out. holds, tolerance, measures: if left out, as in the claim.
    families: the families that can be asked (empty: any). compares, beside, at_least: as in
        `Needs`.
    tasks: the tasks that a table must all have (empty: any tasks will do; None: as in the claim).
    """

    says: str
    holds: Predicate | None = None
    tolerance: str = ""
    measures: tuple[str, ...] = ()
    tasks: tuple[str, ...] | None = None
    families: tuple[str, ...] = ()
    compares: bool = False
    beside: tuple[str, ...] = ()
    at_least: int = 1


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One checkable statement of a paper, under the id of the notes.

    place: where it stands. says: the statement in our words.
    needs: what a table must have. holds: its predicate, asked of all draws at once, on the rows of
        one model (or of one group of models, if `needs.compares`); None for a statement that no
        number can decide.
    tolerance: the threshold that makes the words checkable, in words; "{margin}" stands for the
        default of the predicate's argument `margin` (see `read_as`).
    because: what a reader of a verdict should know: the fair reading, the reason for the threshold.
    unprinted: why the printed numbers do not decide it, if they do not ("Figure 5 prints no
        values").
    print_only: why only print can decide it, if so ("Bold is a mark of print"; "the level is that
        of one corpus"): no run is asked it.
    proved: for a statement of mathematics, the proof in a sentence and the notebook that checks it
        with numbers.
    disproved: for a statement that mathematics excludes, the disproof and the notebook likewise.
    bound: a claim that must hold where this one does, for printed numbers that decide only the
        bound.
    given: the claim that must hold before this one is asked: the fact that this one explains.
    ours: True for a statement that the paper does not make (a control, a bound, a stricter variant
        of our own): never counted among the paper's claims.
    arithmetic: True for a statement that arithmetic alone makes true of any model, or of all but
        contrived ones (a quotient compared with itself); never counted among statements that a
        model might have failed.
    fails_under: choices of a notebook (variants) under which any model fails it, by arithmetic.
    same_as: the id of the claim that asks this of another estimator; the two stand side by side in
        tables of verdicts. Empty for none.
    printed_for: the families whose printed numbers decide it, where it is asked of others too (a
        form for any model); empty: those of `needs`.
    general: how it can be asked of any model, or a sentence that says why it cannot; None for a
        claim that is not tied to a family or to layer numbers.

    The id without a suffix is the sentence taken at its word: its own numbers and quantifiers, the
    paper's own definitions where it gives them, and a fair threshold where a word is vague. A
    reading that is easier or harder to meet is a claim of its own, "<claim>.<reading>".
    """

    id: str
    place: str
    says: str
    needs: Needs
    holds: Predicate | None
    tolerance: str
    because: str = ""
    unprinted: str = ""
    print_only: str = ""
    general: General | str | None = None
    proved: str = ""
    disproved: str = ""
    bound: "Claim | None" = None
    given: "Claim | None" = None
    ours: bool = False
    arithmetic: bool = False
    fails_under: tuple[str, ...] = ()
    printed_for: tuple[str, ...] = ()
    same_as: str = ""

    @property
    def read_as(self) -> str:
        """The tolerance with the numbers that the predicate compares with: "baseline > 0.02".

        Each name in braces is an argument of the predicate `holds` and becomes the argument's
        default, so that a threshold is written once. Formats are Python's, but "{share:%}" gives
        "20 %".
        Raises KeyError for a name that is no argument with a default.
        """
        return _Words().format(self.tolerance, **thresholds(self.holds))

    @property
    def general_form(self) -> "Claim | str | None":
        """The general form of the claim, "<id>.transfer", in which any model can be asked it.

        A sentence that says why, if there is no such form; None if the claim needs none.
        """
        form = self.general
        if not isinstance(form, General):
            return form
        needs = Needs(
            measures=form.measures or self.needs.measures,
            families=form.families,
            beside=form.beside,
            compares=form.compares,
            estimator=self.needs.estimator,
            or_unnamed=self.needs.or_unnamed,
            datasets=self.needs.datasets,
            tasks=self.needs.tasks if form.tasks is None else form.tasks,
            of=self.needs.of,
            at_least=form.at_least,
            copies=self.needs.copies,
            beats=self.needs.beats,
            within=self.needs.within,
            each_training=self.needs.each_training,
        )
        return Claim(
            id=f"{self.id}.transfer",
            place="not in the paper",
            says=form.says,
            needs=needs,
            holds=form.holds or self.holds,
            tolerance=form.tolerance or self.tolerance,
            unprinted=self.unprinted,
            given=self.given and _in_general(self.given),
            ours=True,
            printed_for=self.needs.families,
        )

    @property
    def cannot_fail(self) -> bool:
        """Tells whether no model can fail the claim: a proof or arithmetic alone makes it true."""
        return bool(self.proved) or self.arithmetic

    @property
    def is_reading(self) -> bool:
        """Tells whether the claim is a reading of another claim (its id has a dot)."""
        return "." in self.id

    @property
    def is_at_its_word(self) -> bool:
        """Tells whether it is the paper's own statement, taken at its word."""
        return not self.ours and not self.is_reading


def thresholds(holds: Predicate | None) -> dict[str, object]:
    """Returns {argument: default} for the arguments of a predicate that have one; {} for None.

    holds: a function or a `functools.partial`.
    """
    arguments = inspect.signature(holds).parameters.values() if holds else ()
    return {each.name: each.default for each in arguments if each.default is not each.empty}


class _Words(string.Formatter):
    """Writes a number into words; per cent with a blank before the sign."""

    def format_field(self, value: object, format_spec: str) -> str:
        return f"{100 * value:g} %" if format_spec == "%" else format(value, format_spec)


def _in_general(claim: Claim) -> Claim:
    """Returns the claim's form for any model where it has one, else the claim."""
    form = claim.general_form
    return form if isinstance(form, Claim) else claim


def general_of(claim: Claim) -> Claim | None:
    """Returns the form of a claim for models excluded only by its layer numbers or its names.

    The general form, if the claim names models or needs more models than that form; else
    `at_any_depth`, if the claim is tied to a number of layers or to tasks; else None. None also for
    a claim without a general form.
    """
    form = claim.general_form
    if not isinstance(form, Claim):
        return None
    fewer = form.needs.at_least < claim.needs.at_least
    return form if claim.needs.models or fewer else at_any_depth(claim)


def at_any_depth(claim: Claim) -> Claim | None:
    """Returns the general form of a claim, under its own id, limited to the claim's families.

    It asks a claim on the layers of one depth, or on named tasks, of models of any depth and over
    the tasks at hand. None for a claim without a general form, for one that compares models, and
    for one that is tied to neither depth nor tasks.
    """
    form = claim.general_form
    if claim.needs.compares or not isinstance(form, Claim):
        return None
    if claim.needs.n_layers is None and form.needs.tasks == claim.needs.tasks:
        return None
    return replace(form, needs=replace(form.needs, families=claim.needs.families))
