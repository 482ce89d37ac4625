"""Turns estimates into a verdict: `judge` decides one claim on one table.

D = draws, R = rows
"""

from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from cwr.errors import listed
from cwr.papers.claims import Claim
from cwr.report.chance import chances
from cwr.report.columns import Columns
from cwr.report.controls import unlearned
from cwr.report.distance import Distance, distance
from cwr.rows import Rows
from cwr.tables import LACKING, Journal, Table, Unanswerable

HOLDS, FAILS, UNDECIDED, NOT_RUN = "holds", "fails", "undecided", "not run"
NOT_DECIDABLE = "not decidable"  # of a claim on the published numbers
BY_BOUND = "by a bound"  # ground of a verdict that follows from what the measure can be at least
ANOTHER, MORE, LESS, SAME = "another verdict", "more so", "less so", "same verdict"  # than copies
VERBS = {HOLDS: "holds", FAILS: "fails", UNDECIDED: "is undecided", NOT_RUN: "is not tested"}
SURE = 0.975  # share of draws that decides a claim
AGAINST = "Evidence against the claim: "  # before what a predicate noted against it


@dataclass(frozen=True)
class Parts:
    """The parts of a claim that must hold for each of several items (layers, steps, pairs).

    number: how many parts. holding: how many parts hold by themselves. least: the part that holds
        in the smallest share of draws. support: the share of `least`.
    """

    number: int
    holding: int
    least: str
    support: float


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim, with its reasons.

    verdict: "holds", "fails", "undecided", "not run"; "not decidable" of the published numbers.
    support: the share of draws in which the claim holds; None without draws.
    reason: why the claim was not run or is undecided; for a published "fails", what contradicts it.
    beyond: whether the model is of a family that the claim does not speak of.
    ground: what decided, or prevented a decision, instead of a share of draws: "by proof", "by a
        bound", "no meaning in 4% of draws"; else empty.
    untrained: the comparison with the verdicts on untrained copies: ANOTHER, MORE, LESS, SAME or
        UNDECIDED; empty without copies, or if the verdict is not decided (`report.untrained`).
    untrained_because: the numbers and the verdicts of the model and its copies, as a clause.
    distances: how far the claim is from its threshold: one for ours, one for each published model;
        empty where no single number decides.
    chance: how many orders of the items would meet the bounds on a rank correlation; else empty.
    parts: the parts of a claim that must hold for each of several items; None for other claims.
    at: the profile whose results were judged, if the book shows more than one.
    beside: the verdict on the poorer profile's results, if there is one.
    group: for a verdict that is another's `beside`: the name of its group of models.
    """

    verdict: str
    support: float | None = None
    reason: str = ""
    beyond: bool = False
    ground: str = ""
    untrained: str = ""
    untrained_because: str = ""
    distances: tuple[Distance, ...] = field(default=(), compare=False)
    chance: str = field(default="", compare=False)
    parts: Parts | None = field(default=None, compare=False)
    at: str = field(default="", compare=False)
    beside: "Verdict | None" = field(default=None, compare=False)
    group: str = field(default="", compare=False)

    @property
    def contradicted(self) -> bool:
        """Tells whether the poorer profile gave another verdict."""
        other = self.beside.verdict if self.beside else NOT_RUN
        return other not in (NOT_RUN, self.verdict)


def judge(claim: Claim, table: pd.DataFrame, replicates: np.ndarray | None = None) -> Verdict:
    """Judges one claim on the estimates of one model, or of one group if the claim compares models.

    table: tidy estimates (`cwr.tables.KEYS`, and `value`), (R,).
    replicates: (D, R) bootstrap replicates of the rows; a column of NaN means "no replicates", and
        the point value stands in every draw.
    The verdict is "holds" if the claim is true in at least 97.5 % of the draws, "fails" in at most
    2.5 %, else "undecided". A claim that asks for k things at once fails only if one of them, by
    itself, is true in at most 2.5 % / k of the draws; else it is "undecided". Draws repeat the
    noise of the estimates: of many layers some layer fails in nearly every draw, although each may
    well hold.
    Without any replicates the point value decides. A claim that cannot be asked, or has no meaning
    in any draw, is "not run"; one without meaning in more than 2.5 % of the draws is "undecided".
    Both give their reason.
    """
    return ask(claim, table, replicates)[0]


def ask(
    claim: Claim, table: pd.DataFrame | Rows, replicates: np.ndarray | Columns | None = None
) -> tuple[Verdict, Journal | None]:
    """Returns the verdict of `judge`, and the predicate's journal (None without a question)."""
    rows = Rows.of(table)
    beyond = _is_beyond(claim, rows)
    reason = _unaskable(claim, rows)
    if reason:
        return Verdict(NOT_RUN, reason=reason, beyond=beyond), None
    reason = _unexplained(claim, rows, replicates)
    if reason:
        return Verdict(NOT_RUN, reason=reason, beyond=beyond), None
    learned, unlearned_because = unlearned(claim.needs, rows, replicates)
    if not learned.all():
        return _of_the_learned(claim, rows, replicates, learned, unlearned_because)
    keep = claim.needs.reads(rows)
    read, draws = rows.where(keep), None
    if replicates is not None:
        values = read.floats("value")
        if not np.isfinite(values).all():  # words are printed, but estimates are numbers
            return Verdict(
                NOT_RUN, reason="an estimate of this model is no number", beyond=beyond
            ), None
        draws = _draws(values, replicates[:, keep])
    question = Table(read, draws)
    try:
        truth = np.broadcast_to(claim.holds(question), len(question.draws))
    except Unanswerable as error:
        return Verdict(NOT_RUN, reason=str(error), beyond=beyond), question.journal
    journal = question.journal
    parts = _parts(truth, journal)
    verdict = _verdict(truth, journal, draws is not None, beyond, parts)
    distances = _distances(claim, question, truth, draws)
    return replace(verdict, distances=distances, chance=chances(journal), parts=parts), journal


def _unaskable(claim: Claim, rows: Rows) -> str:
    """Returns a clause on why a claim cannot be asked of a table; "" if it can."""
    if not claim.holds:
        return claim.unprinted or "no number decides this claim"
    return claim.needs.lacking(rows)


def _unexplained(claim: Claim, rows: Rows, replicates: np.ndarray | Columns | None) -> str:
    """Returns a clause if what the claim explains (`Claim.given`) does not hold here; else ""."""
    if claim.given is None:
        return ""
    verdict, _ = ask(claim.given, rows, replicates)
    if verdict.verdict == HOLDS:
        return ""
    says = claim.given.says.rstrip(".")
    return (
        f"there is nothing to explain here, because the claim “{says}” ({claim.given.id}) "
        f"{VERBS[verdict.verdict]}"
    )


def _of_the_learned(
    claim: Claim,
    rows: Rows,
    replicates: np.ndarray | Columns | None,
    learned: np.ndarray,
    because: str,
) -> tuple[Verdict, Journal | None]:
    """Asks a claim on the rows that beat their control, `learned` (R,); `because` others do not."""
    draws = None if replicates is None else replicates[:, learned]
    verdict, journal = ask(claim, rows.where(learned), draws)
    if not learned.any():
        return replace(verdict, reason=because), None
    because = f"we left out {because}"
    if verdict.reason:
        because = f"{verdict.reason}. {because[0].upper()}{because[1:]}"
    return replace(verdict, reason=because), journal


def _distances(
    claim: Claim, question: Table, truth: np.ndarray, draws: np.ndarray | None
) -> tuple[Distance, ...]:
    """Returns how far the claim is from its threshold, on the rows of an answered question."""
    if draws is None:
        far = distance(question.journal, truth, None, None)
        return (far,) if far else ()
    if not (question.journal.is_compared and question.journal.comparisons):
        return ()  # the estimates themselves need not be asked again
    point = Table(question.rows)
    try:
        point_truth = np.broadcast_to(claim.holds(point), 1)
    except Unanswerable:
        return ()
    far = distance(point.journal, point_truth, question.journal, truth)
    return (far,) if far else ()


def _is_beyond(claim: Claim, rows: Rows) -> bool:
    families = claim.needs.families
    return bool(families) and not rows.one_of("family", families).any()


def _draws(values: np.ndarray, replicates: np.ndarray) -> np.ndarray | None:
    """Returns the draws of these rows, (D, R), point values where one has no replicates; None if no
    row has any.
    """
    without = np.isnan(replicates).all(axis=0)
    if without.all():
        return None
    return np.where(without, values, replicates)


def _parts(truth: np.ndarray, journal: Journal) -> Parts | None:
    """Returns the parts that must all hold for the truth, (D,) bool; None for any other claim."""
    if not journal.asked:
        return None
    defined = ~journal.undefined
    columns = np.concatenate([each.truth for each in journal.asked], axis=1)[defined]  # (D, k)
    if columns.shape[1] < 2 or not np.array_equal(columns.all(axis=1), truth[defined]):
        return None
    labels = [label for each in journal.asked for label in each.labels]
    supports = columns.mean(axis=0) if defined.any() else np.zeros(len(labels))
    least = int(supports.argmin())
    holding = int((supports >= SURE).sum())
    return Parts(len(labels), holding, labels[least], float(supports[least]))


def _verdict(
    truth: np.ndarray, journal: Journal, drawn: bool, beyond: bool, parts: Parts | None
) -> Verdict:
    """Returns the verdict for one truth in each draw, (D,) bool; undefined draws do not count."""
    undefined, reason = journal.undefined, "; ".join(journal.why)
    if undefined.all():
        return Verdict(NOT_RUN, reason=reason, beyond=beyond)
    share = float(truth[~undefined].mean())
    support = share if drawn else None
    if undefined.mean() > 1 - SURE:
        ground = f"no meaning in {undefined.mean():.0%} of draws"
        return Verdict(UNDECIDED, support, reason, beyond, ground)
    if share >= SURE:
        return Verdict(HOLDS, support, beyond=beyond)
    if share > 1 - SURE:
        return Verdict(UNDECIDED, support, beyond=beyond)
    if parts and parts.support > (1 - SURE) / parts.number:
        reason = "no part of the claim clearly fails on its own"
        return Verdict(UNDECIDED, support, reason, beyond)
    against = AGAINST + "; ".join(journal.against) if journal.against and not drawn else ""
    return Verdict(FAILS, support, against, beyond)


def on_published(claim: Claim, table: pd.DataFrame | Rows) -> Verdict:
    """Judges a claim on the published numbers; one on single models must hold for each of them.

    "not decidable" gives its reason, "fails" says what goes against it. A statement of mathematics
    holds or fails by its proof. A claim whose numbers are not printed fails if its bound does
    (`Claim.bound`).
    """
    if claim.proved:
        return Verdict(HOLDS, reason=claim.proved, ground="by proof")
    if claim.disproved:
        return Verdict(FAILS, reason=claim.disproved, ground="by proof")
    rows = Rows.of(table)
    verdict = _on_printed(claim, rows)
    if verdict.verdict == NOT_DECIDABLE and claim.bound:
        bound = _on_printed(claim.bound, rows)
        if bound.verdict == FAILS:
            condition = f"The claim can hold only if {claim.bound.read_as} ({claim.bound.id}), which is not the case."
            reason = f"{condition} {bound.reason}"
            return Verdict(FAILS, reason=reason, ground=BY_BOUND)
    return verdict


def _on_printed(claim: Claim, rows: Rows) -> Verdict:
    if claim.unprinted:
        return Verdict(NOT_DECIDABLE, reason=claim.unprinted)
    if claim.needs.compares:
        verdict, _ = ask(claim, rows)
        return (
            verdict if verdict.verdict != NOT_RUN else Verdict(NOT_DECIDABLE, reason=verdict.reason)
        )
    families = claim.printed_for or claim.needs.families
    spoken_of = rows.where(rows.one_of("family", families)) if families else rows
    verdicts = {model: ask(claim, part)[0] for model, part in spoken_of.by("model").items()}
    decided = {model: verdict for model, verdict in verdicts.items() if verdict.verdict != NOT_RUN}
    if not decided:
        reasons = sorted({verdict.reason for verdict in verdicts.values()})
        reasons[1:] = [reason.removeprefix(LACKING) for reason in reasons[1:]]
        return Verdict(NOT_DECIDABLE, reason="; ".join(reasons))
    failing = {
        model: verdict.reason for model, verdict in decided.items() if verdict.verdict == FAILS
    }
    holding = [model for model, verdict in decided.items() if verdict.verdict == HOLDS]
    distances = tuple(
        replace(far, model=model) for model, verdict in decided.items() for far in verdict.distances
    )
    bounds = {(far.low, far.high) for far in distances}
    if len(distances) < len(decided) or len(bounds) > 1:  # no one number, or no one threshold
        distances = ()
    chance = " ".join(dict.fromkeys(filter(None, (each.chance for each in decided.values()))))
    if failing:
        reason = _for_models(failing, holding)
        return Verdict(FAILS, reason=reason, distances=distances, chance=chance)
    return Verdict(HOLDS, distances=distances, chance=chance)


def _for_models(failing: dict[str, str], holding: list[str]) -> str:
    """Lists the models that a claim fails for, with reasons, and those that it holds for."""
    if len(failing) == 1 and not holding:
        return next(iter(failing.values()))
    clauses = [
        f"{model} ({reason.removeprefix(AGAINST)})" if reason else model
        for model, reason in failing.items()
    ]
    said = f"The claim fails for {listed(clauses)}"
    return f"{said}. It holds for {listed(holding)}" if holding else said
