"""What the checks of an assignment compare with: functions that an answer cannot replace.

A check that fails says which case it tried, what was expected there and what came.
"""

import sys
from types import ModuleType

from numpy import argwhere, array2string, asarray, broadcast_to, isclose, ndarray


def must_equal(came, expected, case, mistakes=None, atol=1e-8):
    """Raise an AssertionError unless `came` equals `expected`; numbers may differ by atol.

    mistakes: {what was done: the value that it gives in this case}. A mistake is named only if its
    value came.
    """
    if _equal(came, expected, atol):
        return
    sentence = f"{case}: expected {_differing(expected, came, atol)}"
    for mistake, value in (mistakes or {}).items():
        if _equal(came, value, atol):
            raise AssertionError(f"{sentence}. This comes if {mistake}")
    raise AssertionError(sentence)


def must_differ(came, mistaken, case, mistake):
    """Raise an AssertionError if what came is the value that a mistake gives in this case."""
    if _equal(came, mistaken, 1e-8):
        raise AssertionError(f"{case}: came {_word(came)}. This comes if {mistake}")


def _equal(came, expected, atol):
    numbers = _numbers(came, expected)
    if numbers is None:
        return bool(came == expected)
    return bool(isclose(*numbers, atol=atol).all())


def _numbers(came, expected):
    """Both as arrays of one shape, or None: they are no numbers, or of other shapes."""
    try:
        came = asarray(came, dtype=float)
        return came, broadcast_to(asarray(expected, dtype=float), came.shape)
    except (TypeError, ValueError):
        return None


def _differing(expected, came, atol):
    """Both in words; of many numbers the first that differ."""
    numbers = _numbers(came, expected)
    if numbers is not None and numbers[0].size > 12:
        place = tuple(argwhere(~isclose(*numbers, atol=atol))[0])
        where = ", ".join(str(number) for number in place)
        return f"{_word(numbers[1][place])} at [{where}], came {_word(numbers[0][place])}"
    return f"{_word(expected)}, came {_word(came)}"


def _word(value):
    if isinstance(value, (set, frozenset)):
        return str(sorted(value))
    try:
        numbers = asarray(value, dtype=float)
    except (TypeError, ValueError):
        return str(value.tolist() if isinstance(value, ndarray) else value)
    if asarray(value).dtype == bool:
        return str(asarray(value).tolist())
    if numbers.ndim == 0:
        return f"{float(numbers):.4g}"
    return " ".join(array2string(numbers, precision=4, threshold=12, separator=", ").split())


class _ReadOnly(ModuleType):
    def __setattr__(self, name, value):
        raise AttributeError("the functions of the checks stay as they are")


sys.modules[__name__].__class__ = _ReadOnly
