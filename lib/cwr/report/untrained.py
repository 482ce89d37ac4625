"""Compares a verdict on a trained model with the verdicts on its untrained copies.

In results a copy's rows have its trained model's name, a seed, and its kind as `variant`
(`cwr.tables.UNTRAINED`). `book/how_to_read_a_verdict.md` has the rule in words.

    D = draws
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cwr.errors import listed
from cwr.papers.claims import Claim, is_encoder
from cwr.report import strip
from cwr.report.distance import Distance, paired_interval
from cwr.report.judgement import (
    ANOTHER,
    FAILS,
    HOLDS,
    LESS,
    MORE,
    NOT_RUN,
    SAME,
    UNDECIDED,
    VERBS,
    Verdict,
)
from cwr.report.results import Results, beside
from cwr.rows import Rows
from cwr.tables import UNTRAINED, by_family

Judge = Callable[[Claim, Results], Verdict]  # `groups.judged`
OTHER = {HOLDS: FAILS, FAILS: HOLDS}
KINDS_IN_WORDS = dict(zip(UNTRAINED, ("as initialised", "with random blocks"), strict=True))


@dataclass(frozen=True)
class Copies:
    """The untrained copies of one kind and one seed, one copy of each model.

    results: the estimates of all copies, under no variant. by_model: {model: the estimates of its
        copy}.
    """

    variant: str
    seed: int
    results: Results
    by_model: dict[str, Results]


def parted(results: Results) -> tuple[Results, list[Copies]]:
    """Returns the estimates under no other choice, including copies, and the copies alone.

    So a copy's estimates are in both, as parts of one array that no claim need copy.
    """
    chapter = results.without_choices()
    copies = chapter.untrained()
    whole = beside([chapter, copies.without("variant", "seed")])
    is_stand_in = np.arange(len(whole.draws)) >= len(chapter.draws)
    return whole.where(~is_stand_in), _copies(copies.estimates, whole.where(is_stand_in))


def _copies(named: Rows, unnamed: Results) -> list[Copies]:
    """Returns copies by kind and seed. named: rows with these keys; unnamed: without them."""
    of_kinds = []
    for variant in UNTRAINED:
        of_kind = named.one_of("variant", [variant])
        for seed in sorted(named.where(of_kind).distinct("seed")):
            results = unnamed.where(of_kind & named.one_of("seed", [seed]))
            by_model = {name: results.of_model(name) for name in by_family(results.estimates)}
            of_kinds.append(Copies(variant, seed, results, by_model))
    return of_kinds


def with_word(
    claim: Claim, verdict: Verdict, trained: Results, among: Sequence[Copies], judge: Judge
) -> Verdict:
    """Returns a verdict compared with untrained copies; unchanged if no copy can be asked.

    trained: the estimates of the verdict's model or group. among: all copies; a group is compared
        with copies of all its models, of one kind and seed. judge: as `groups.judged`.
    An undecided verdict stays unchanged, and so does one on a claim that no model can fail: a copy
    without a mean, say, fails an arithmetic statement about means by rounding alone.
    """
    if verdict.verdict not in OTHER or claim.cannot_fail:
        return verdict
    encoders = _encoders(trained)
    by_kind: dict[str, list[Verdict]] = {}
    for each in among:
        if encoders and encoders <= each.by_model.keys() and _has_any(claim, each.results):
            untrained = _instead(trained, encoders, each)
            copy = judge(claim, untrained)
            if copy.verdict != NOT_RUN or not claim.needs.lacking(untrained.estimates):
                by_kind.setdefault(each.variant, []).append(copy)
    if all(copy.verdict == NOT_RUN for copies in by_kind.values() for copy in copies):
        return verdict
    because = _because(verdict, by_kind)
    return replace(
        verdict, untrained=compared_with_copies(verdict, by_kind), untrained_because=because
    )


def _has_any(claim: Claim, copies: Results) -> bool:
    """Tells whether copies have any row that the claim reads."""
    return bool(claim.needs.select(copies.estimates).any())


def _encoders(results: Results) -> set[str]:
    """Returns the encoders among the models of these estimates; only encoders have copies."""
    rows = results.estimates
    return set(rows.where(is_encoder(rows)).distinct("model"))


def _instead(trained: Results, encoders: set[str], copies: Copies) -> Results:
    """Returns the estimates of a model or group with copies in place of its encoders."""
    others = trained.where(~is_encoder(trained.estimates))
    if len(encoders) == 1 and not len(others.estimates):
        return copies.by_model[next(iter(encoders))]
    is_of_group = copies.results.estimates.one_of("model", encoders)
    return beside([others, copies.results.where(is_of_group)])


def compared_with_copies(trained: Verdict, by_kind: Mapping[str, Sequence[Verdict]]) -> str:
    """Returns how a decided verdict compares with the verdicts on copies (`Verdict.untrained`).

    by_kind: the verdicts on the copies of each kind, one for each seed; at least one in all.
    """
    every = [verdict for verdicts in by_kind.values() for verdict in verdicts]
    if all(each.verdict == OTHER[trained.verdict] for each in every):
        return ANOTHER
    sides = {farther_than_copy(trained, copy) for copy in every}
    if sides == {1}:
        return MORE
    if sides == {-1}:
        return LESS
    for verdicts in by_kind.values():
        if all(each.verdict == trained.verdict for each in verdicts):
            return SAME
    return UNDECIDED


def farther_than_copy(trained: Verdict, copy: Verdict) -> int:
    """Returns 1 if the model's deciding number supports its verdict more than the copy's, -1 if less.

    Returns 0 if neither, or without a deciding number. A number supports "holds" the more, the
    farther it lies inside the bounds, and "fails" the farther outside. "More" means that the 95 %
    interval of the paired difference excludes 0.
    """
    interval = paired_interval(_rooms(copy), _rooms(trained))
    if interval is None:
        return 0
    low, high = interval
    inward = int(low > 0) - int(high < 0)
    return inward if trained.verdict == HOLDS else -inward


def _rooms(verdict: Verdict) -> tuple[Distance, ...]:
    """Returns the distances of a verdict; draws become distances to the nearer bound."""
    return tuple(replace(far, draws=far.room) for far in verdict.distances)


def _because(trained: Verdict, by_kind: Mapping[str, Sequence[Verdict]]) -> str:
    """Returns the deciding numbers and the verdicts on the copies of each kind, as sentences.

    "After training, the number that decides the verdict, “layer 3”, is 0.129 [0.12, 0.14]. The
    claim holds in all 3 copies as initialised, where this number is 0.36 to 0.41."
    """
    said = [
        f"After training, the number that decides the verdict{f', “{far.name}”,' * bool(far.name)} "
        f"is {strip.number(far)}."
        for far in trained.distances
    ]
    for kind, verdicts in by_kind.items():
        numbers = _range([far.value for each in verdicts for far in each.distances])
        with_number = f", where this number is {numbers}" if numbers else ""
        said.append(f"The claim {_counted(verdicts)} {KINDS_IN_WORDS[kind]}{with_number}.")
    return " ".join(said)


def _counted(verdicts: Sequence[Verdict]) -> str:
    """Counts verdicts in words behind "the claim": "fails in all 3 copies".

    Of a single verdict: "holds in the copy"; of different ones: "holds in 1 and fails in 2 of the 3
    copies".
    """
    counts = Counter(each.verdict for each in verdicts)
    if len(counts) == 1:
        (word,) = counts
        return f"{VERBS[word]} in {'the copy' if len(verdicts) == 1 else f'all {len(verdicts)} copies'}"
    said = listed([f"{VERBS[word]} in {counts[word]}" for word in VERBS if counts[word]])
    return f"{said} of the {len(verdicts)} copies"


def _range(values: Sequence[float]) -> str:
    """Returns the range of numbers: "0.36 to 0.41", "0.36" if both ends print alike, or ""."""
    ends = dict.fromkeys(strip.short_number(end(values)) for end in (min, max) if values)
    return " to ".join(ends)
