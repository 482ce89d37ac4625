"""Computes titles and findings about our models' training from files.

Tables are those of `making.language_models.shipped_files`: `along` and `curves`.
"""

from collections.abc import Iterator

import pandas as pd

from cwr.errors import listed
from cwr.making.language_models.shipped_files import first_and_last, last_layers
from cwr.tables import by_family

STILL = 0.01  # a value that ends less than this below its peak ends at it
DETOUR = 0.05  # an extreme farther than this beyond both ends of a course is told
STARTS = ("plain", "counts")  # of the plain and of the shipped run
UNIGRAM_STAGE = 0.05  # a run that came less far towards the shipped loss has hardly begun


def after_peak(table: pd.DataFrame, measure: str, what: str) -> str:
    """Formats a title: in which models a last-layer measure ends below its peak, in which at it.

    what: the name of the measure in words, which begins the title.
    """
    top = last_layers(table).sort_values(["words", "step"])
    top = top[top["measure"] == measure]
    models = {"below": [], "at": []}
    for name in by_family(top):
        values = top.loc[top["model"] == name, "value"]
        models["below" if values.max() - values.iloc[-1] >= STILL else "at"].append(name)
    phrases = [f"{side} its peak in {listed(names)}" for side, names in models.items() if names]
    return f"{what[0].upper()}{what[1:]} ends {', '.join(phrases)}"


def findings(table: pd.DataFrame) -> Iterator[str]:
    """Yields a few sentences per model on how its mean cosines move along its training."""
    top = last_layers(table).sort_values(["words", "step"])
    for name in by_family(table):
        of_model = top[top["model"] == name]
        cosine = _course(of_model[of_model["measure"] == "anisotropy_baseline"])
        similarity = _course(of_model[of_model["measure"] == "self_similarity"])
        words = of_model["words"].max()
        sentence = (
            f"We follow the last layer of `{name}` over {words:,} words of training. The mean "
            f"cosine of random words goes {cosine}. The mean cosine of one word's occurrences goes "
            f"{similarity}."
        )
        unused = of_model[of_model["measure"] == "unused_cosine"]
        if not unused.empty:
            among = _course(unused[unused["class"] == 0])
            commonest = _course(unused[unused["class"] == 5])
            sentence += (
                " The mean cosine of the never-used tokens among themselves goes "
                f"{among}. Their mean cosine with the commonest fifth of the used tokens goes {commonest}."
            )
        yield sentence


def _course(line: pd.DataFrame) -> str:
    """Formats the first and last value, and between them extremes that lie clearly beyond both."""
    first, last = line["value"].iloc[0], line["value"].iloc[-1]
    extremes = line.loc[[line["value"].idxmin(), line["value"].idxmax()]]
    beyond = (extremes["value"] - max(first, last)).clip(lower=min(first, last) - extremes["value"])
    detours = [
        f"{row.value:.2f} (after {row.words:,} words)"
        for row in extremes[beyond > DETOUR].sort_values("words").itertuples()
    ]
    way = f" by way of {' and '.join(detours)}" if detours else ""
    return f"from {first:.2f}{way} to {last:.2f}"


def progress(curves: pd.DataFrame) -> Iterator[str]:
    """Compares the plain run with the shipped run, in a sentence for each model that has both.

    curves: as `shipped_files.curves` gives it.
    """
    for name in by_family(curves):
        plain, shipped = (_run(curves, name, start) for start in STARTS)
        if plain.empty:
            continue
        first, last = plain["heldout"].iloc[0], plain["heldout"].iloc[-1]
        end = shipped["heldout"].iloc[-1]
        share = (first - last) / (first - end)
        as_far = shipped.loc[shipped["heldout"] <= last, "words"].iloc[0]
        words = plain["words"].max()
        yield (
            f"In the plain run the held-out loss of `{name}` goes from {first:.2f} to "
            f"{last:.2f} nats in {words:,} words. This is {100 * share:.0f} % of the way to the "
            f"{end:.2f} nats of the shipped run. The shipped run was as far after at most {as_far:,} words."
            f"{_stage(share)}"
        )


def _stage(share: float) -> str:
    if share >= UNIGRAM_STAGE:
        return ""
    return (
        " **The plain run never leaves the stage in which it knows only how frequent each piece is.** "
        "So its vectors below are those of a model that has learned nothing of context."
    )


def _run(curves: pd.DataFrame, name: str, start: str) -> pd.DataFrame:
    """Returns the points of one run at which held-out text was scored."""
    run = curves[(curves["model"] == name) & (curves["start"] == start)]
    return run.dropna(subset="heldout")


def losses_title(curves: pd.DataFrame) -> str:
    """Formats a title: after how many words the slowest shipped run has half of its gain in loss.

    The title gives the words of the fastest run, too.
    """
    halves = half_ways(curves).sort_values("words")
    fastest, slowest = (halves.iloc[at] for at in (0, -1))
    return (
        f"{slowest['model']} has half of its gain in loss after {slowest['told']} words, "
        f"{fastest['model']} after {fastest['told']}"
    )


def half_ways(curves: pd.DataFrame) -> pd.DataFrame:
    """Returns the row of each shipped run that first has half of the run's gain in held-out loss.

    Its column `told` is the number of words read, rounded.
    """
    rows = []
    for name in by_family(curves):
        run = _run(curves, name, "counts")
        half = (run["heldout"].iloc[0] + run["heldout"].iloc[-1]) / 2
        rows.append(run[run["heldout"] <= half].iloc[0])
    return pd.DataFrame(rows).assign(told=[_rounded(row["words"]) for row in rows])


def _rounded(words: int) -> str:
    """Formats a number of words: "64,000", "2.4 million"."""
    return f"{words / 1e6:.1f} million" if words >= 1e6 else f"{round(words, -3):,}"


def unused_title(table: pd.DataFrame, name: str) -> str:
    """Formats a title with the first and last mean cosine among a model's never-used tokens."""
    ends = first_and_last(table[(table["model"] == name) & (table["class"] == 0)]).iloc[0]
    return f"{name}: unused tokens' cosine goes from {ends['first']:.2f} to {ends['last']:.2f}"
