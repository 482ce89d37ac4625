"""Computes the smallest effect that a sample of this size can show, for each claim on our models.

The effect is the one number that decides a claim (`report.distance`), counted from its bound.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cwr.measures import stats
from cwr.papers.claims import Claim
from cwr.report import findings, markup
from cwr.report.distance import Distance
from cwr.report.judgement import NOT_RUN, SURE, UNDECIDED, Verdict
from cwr.report.render import Judged
from cwr.report.strip import bounds, short_number

HEAD = ["claim", "deciding number", "smallest effect (effect found)"]
BELOW = (
    "The effect found is the distance of the deciding number from its bound, negative if it "
    "contradicts the claim."
)
ABSENT = "This copy of the book does not have the results of this chapter."
STEPS = 20  # fewer values than this in all draws: a count of tasks, or draws of few trainings
SEVERAL = "Several numbers decide the claim, or an order does"
FEW_VALUES = "The bootstrap samples take few values (a share of tasks or cells; few trainings)"
NO_MEANING = "The number has no meaning in some bootstrap samples"


@dataclass(frozen=True)
class Answer:
    """The verdict of one model, or one group of models, on a claim or its general form."""

    claim: Claim
    model: str
    verdict: Verdict

    @property
    def lacking(self) -> str:
        """The reason why there is no smallest effect; "" if there is one."""
        if len(self.verdict.distances) != 1 or self.verdict.distances[0].draws is None:
            has_none = self.verdict.reason and not self.verdict.parts
            return NO_MEANING if has_none else SEVERAL
        draws = self.verdict.distances[0].draws
        if np.isnan(draws).mean() > 1 - SURE:
            return NO_MEANING
        return FEW_VALUES if len(np.unique(draws[~np.isnan(draws)])) < STEPS else ""

    @property
    def far(self) -> Distance:
        """The distance of the deciding number from the claim's bounds."""
        return self.verdict.distances[0]

    @property
    def smallest(self) -> float:
        """The smallest effect that a sample of this size would show: `stats.least_detectable`."""
        draws = self.far.draws[~np.isnan(self.far.draws)]
        return stats.least_detectable(draws, level=2 * SURE - 1)

    @property
    def effect(self) -> float:
        """The distance of the deciding number from the nearer bound, negative outside."""
        return min(self.far.value - self.far.low, self.far.high - self.far.value)


def markdown(judged: list[Judged], paper: str) -> str:
    """Returns the smallest effects of one chapter in MyST: a sentence, a table, omitted claims.

    judged: claims of all chapters. A row of the table is a claim or its general form; it has a line
        for each model or group, with the smallest effect and, in brackets, the effect found. A
        claim that several estimators answer is listed once, as all of them use one sample.
    """
    of_paper = [each for each in judged if each.paper == paper]
    answers = list(_answers(each for each in of_paper if not each.claim.same_as))
    if not answers:
        return f"{ABSENT}\n"
    measured = [answer for answer in answers if not answer.lacking]
    parts = [_summary(measured)]
    if measured:
        title = f"The smallest effect, for {len(_ids(measured))} claims"
        parts.append(markup.fold(title, f"{markup.table(HEAD, _rows(measured))}\n\n{BELOW}"))
    return "\n\n".join([*parts, *_left_out(answers), *_again(of_paper)]) + "\n"


def _answers(judged: Iterable[Judged]) -> Iterator[Answer]:
    """Yields all answers that rest on draws."""
    for each in judged:
        for form in each.with_general:
            for model, verdict in form.ours.items():
                if verdict.verdict != NOT_RUN and verdict.support is not None:
                    yield Answer(form.claim, model, verdict)


def _summary(answers: Sequence[Answer]) -> str:
    """Counts the effects at least as large as the smallest detectable one, and undecided others."""
    below = [answer for answer in answers if abs(answer.effect) < answer.smallest]
    undecided = sum(answer.verdict.verdict == UNDECIDED for answer in below)
    number = "all" if 1 < undecided == len(below) else undecided
    verb = "is" if undecided == 1 else "are"
    return (
        f"{len(answers)} verdicts on our models rest on one number each. In "
        f"{len(answers) - len(below)} of them the effect found is at least as large as the "
        "smallest effect that four of five samples would show. In the other "
        f"{len(below)} the effect found is smaller, and {number} of these verdicts {verb} undecided. An "
        "undecided verdict does not show that the effect is absent."
    )


def _rows(answers: Sequence[Answer]) -> Iterator[list[str]]:
    by_claim = defaultdict(list)
    for answer in answers:
        by_claim[answer.claim].append(answer)
    for claim, of_claim in by_claim.items():
        lines = [
            f"{markup.code(each.model)} {short_number(each.smallest)} ({short_number(each.effect)})"
            for each in of_claim
        ]
        number, *others = dict.fromkeys(each.far.name for each in of_claim)
        if others:  # of several values the worst decides, in each model another
            number = "beside each model"
            lines = [
                f"{line}, {markup.plain(each.far.name)}"
                for line, each in zip(lines, of_claim, strict=True)
            ]
        within = " or ".join(dict.fromkeys(bounds(each.far) for each in of_claim))
        statement = f"{findings.link(claim, '../')} <small>`{claim.id}`</small>"
        yield [statement, markup.plain(f"{number}, {within}"), "<br>".join(lines)]


def _left_out(answers: Sequence[Answer]) -> list[str]:
    """Returns a paragraph, or [], on claims without a smallest effect on a model, by reason."""
    by_reason = defaultdict(list)
    for answer in answers:
        if answer.lacking:
            by_reason[answer.lacking].append(answer)
    lines = []
    for reason, without in by_reason.items():
        ids = ", ".join(f"`{name}`" for name in _ids(without))
        lines.append(f"- *{reason}:* {ids}")
    return ["Some claims have no smallest effect:", "\n".join(lines)] if lines else []


def _again(judged: Iterable[Judged]) -> list[str]:
    """Returns a sentence, or [], on the claims that other estimators answer again."""
    again = [each.claim for each in judged if each.claim.same_as and list(_answers([each]))]
    ends = dict.fromkeys(f"`….{claim.id.rpartition('.')[2]}`" for claim in again)
    if not ends:
        return []
    return [
        f"A claim that several estimators answer counts once, without the ids in {', '.join(ends)}. The "
        "{doc}`scoreboard </scoreboard>` has the intervals by all estimators."
    ]


def _ids(answers: Sequence[Answer]) -> list[str]:
    return list(dict.fromkeys(answer.claim.id for answer in answers))
