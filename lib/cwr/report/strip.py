"""Draws the verdict strip: values and a claim's bounds on one axis, as inline SVG without scripts.

`scoreboard.css` sets the colours; pages print the numbers beside the strip.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from cwr.report.distance import Distance

WIDTH, HEIGHT = 220, 18  # of the drawing's own units, shown as pixels
MARGIN = 8  # room for a mark at either end
STEADY = "in at least 95 % of the bootstrap samples"  # in place of an interval without a width


@dataclass(frozen=True)
class Axis:
    """The range of numbers that all strips of one claim share; low < high."""

    low: float
    high: float

    @classmethod
    def over(cls, distances: Iterable[Distance]) -> "Axis":
        """Returns the range of all values, intervals and finite bounds."""
        numbers = []
        for far in distances:
            numbers += [far.value, *(far.interval or ()), far.low, far.high]
        finite = [number for number in numbers if np.isfinite(number)]
        low, high = min(finite), max(finite)
        return cls(low, high) if low < high else cls(low - 1, high + 1)

    def at(self, number: float) -> float:
        """Returns a number's place, in units of the drawing, limited to its edges."""
        share = (number - self.low) / (self.high - self.low)
        inside = MARGIN + share * (WIDTH - 2 * MARGIN)
        return round(min(max(inside, 0), WIDTH), 1)


def strip(distances: tuple[Distance, ...], axis: Axis, kind: str = "ours") -> str:
    """Draws one row's values on the axis of its claim, as SVG, and shades where the claim holds.

    kind: "published" draws hollow marks, "ours" filled ones. A line is the 95 % interval.
    """
    first = distances[0]
    left, right = axis.at(first.low), axis.at(first.high)
    middle = HEIGHT / 2
    shapes = [f'<rect class="holding" x="{left}" width="{right - left:.1f}" height="{HEIGHT}"/>']
    shapes += [
        f'<path class="bound" d="M{axis.at(bound)} 0V{HEIGHT}"/>'
        for bound in (first.low, first.high)
        if np.isfinite(bound)
    ]
    for far in distances:
        if far.interval:
            low, high = map(axis.at, far.interval)
            shapes.append(f'<path class="interval" d="M{low} {middle}H{high}"/>')
        shapes.append(f'<circle class="{kind}" cx="{axis.at(far.value)}" cy="{middle}" r="4"/>')
    return (
        f'<svg class="strip" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">'
        f"{''.join(shapes)}</svg>"
    )


def numbers(distances: tuple[Distance, ...]) -> str:
    """Returns the values as text: "ELMo 0.035 (layer 2); BERT 0.031 [0.03, 0.04] (layer 12)"."""
    return "; ".join(map(_numbers, distances))


def rounded_numbers(distances: tuple[Distance, ...]) -> str:
    """Returns the values as text like `numbers`, with the digits of `rounded`."""
    return "; ".join(_numbers(far, rounded(far)) for far in distances)


def _numbers(far: Distance, texts: list[str] | None = None) -> str:
    name = f" ({far.name})" if far.name else ""
    return f"{far.model} {number(far, texts)}{name}".strip()


def number(far: Distance, texts: list[str] | None = None) -> str:
    """Returns a value and its interval: "0.031 [0.03, 0.04]". texts: of these numbers, if rounded."""
    value, *ends = texts or map(short_number, (far.value, *(far.interval or ())))
    if is_steady(far):
        return f"{value} {STEADY}"
    return f"{value} [{', '.join(ends)}]" if ends else value


def is_steady(far: Distance) -> bool:
    """Tells whether the interval has no width (as for a share of few tasks, say)."""
    return far.interval == (far.value, far.value)


def rounded(far: Distance) -> list[str]:
    """Returns a distance's value and the ends of its interval as texts of two or three digits.

    Three are used if two would make different numbers equal, if a bound of the claim has three, or
    if a number would cross or reach a bound. A value without an interval is as in `short_number`.
    """
    values = [far.value, *(far.interval or ())]
    bounds = [bound for bound in (far.low, far.high) if np.isfinite(bound)]
    is_plain = far.interval is not None and all(map(_has_two_digits, bounds))
    two = [_two_digits(value) for value in values]
    if is_plain and _are_alike(values, two, bounds):
        return [short_number(value) for value in two]
    return [short_number(value) for value in values]


def _two_digits(value: float) -> float:
    return float(f"{value:.2g}") + 0  # no -0


def _has_two_digits(bound: float) -> bool:
    return _two_digits(bound) == float(f"{bound:.3g}")


def _are_alike(values: list[float], rounded: list[float], bounds: list[float]) -> bool:
    """Tells whether rounding keeps apart what three digits keep apart, and the sides of bounds."""
    keeps_apart = len(set(rounded)) == len({short_number(value) for value in values})
    sides = [np.sign(np.subtract.outer(each, bounds)) for each in (values, rounded)]
    return keeps_apart and np.array_equal(*sides)


def bounds(far: Distance) -> str:
    """Returns a claim's bounds as text: "above 0.02", "0.55 to 0.65", "equal to 994"."""
    if np.isinf(far.high):
        return f"above {short_number(far.low)}"
    if np.isinf(far.low):
        return f"below {short_number(far.high)}"
    if far.low == far.high:
        return f"equal to {short_number(far.low)}"
    return f"{short_number(far.low)} to {short_number(far.high)}"


def short_number(number: float) -> str:
    """Formats a number with three digits, from 1,000 as a whole one: "0.0305", "17,759,094"."""
    if abs(number) >= 999.5:  # three digits would round it up to 1e+03
        return f"{number:,.0f}"
    return f"{round(number, 4) + 0:.3g}"
