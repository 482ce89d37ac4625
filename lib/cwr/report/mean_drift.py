"""Describes a drifting mean in computed sentences, from the arms of `texts.bis2021.arms`.

Most functions take the table of `ends`: a row for each run, with arm, seed and last measurements.
"""

import pandas as pd

from cwr.errors import listed
from cwr.report import markup

MOVED = 0.1  # the mean has moved if it did so by this share of the rows' mean norm
ORDERED = 0.8  # least Spearman correlation of an order, as for Figure 3 in `bis-unused-monotone`
GAIN = 0.1  # nats by which a model that has left the stage of frequencies is better than they are
BY_ROW = ("adamw", "rowwise")  # every row is rescaled by itself
ALIKE = ("sgd", "coupled")  # all rows are rescaled alike
SHOWN = {  # of a longer run: what a column is called, and its decimals
    "held_out_loss": ("held-out loss", 2),
    "mean_vector_norm": ("norm of the mean", 3),
    "mean_vector_shift": ("shift of the mean", 3),
    "embedding_mean_cosine": ("mean cosine", 2),
    "unused_order": ("order of never-used", 2),
}
SUSPECTS = (  # of never-used tokens that are nearer to commoner ones, as in cwr-bert
    "bias-counts",
    "start-counts",
    "masked-bias-zero",
    "masked-bias-counts",
    "masked-start-counts",
)


def ends(courses: pd.DataFrame) -> pd.DataFrame:
    """Returns the last row of each run of `arms.courses`."""
    return courses.groupby(["arm", "seed"], sort=False).tail(1)


def ends_of(table: pd.DataFrame) -> pd.DataFrame:
    """Returns the table of `ends`, a row for each arm and seed, from the results of a notebook.

    table: tidy, as `arms.rows` fills it.
    """
    runs = table[table["seed"].notna() & table["k"].isna()]
    is_own = runs["class"] == "untied"
    arms = runs["estimator"].where(~is_own, runs["estimator"] + "-untied")
    runs = runs.assign(arm=arms, measure=runs["measure"].str.removesuffix("_trained"))
    return runs.pivot(index=["arm", "seed"], columns="measure", values="value").reset_index()


def at_length(table: pd.DataFrame) -> str:
    """Tabulates trainings of a longer run by their update (their arm), means over seeds, in Markdown."""
    ends = ends_of(table)
    means = ends.groupby("arm", sort=False)[list(SHOWN)].mean()
    lines = [
        [f"`{arm}`", *(f"{value:z.{SHOWN[name][1]}f}" for name, value in row.items())]
        for arm, row in means.iterrows()
    ]
    counts, order = moved(ends), ordered(ends)
    seeds = ends["seed"].nunique()
    return "\n\n".join(
        (
            f"The table shows means over {seeds} seeds. A training named `-untied` has an output matrix of "
            "its own.",
            markup.table(["variant", *(name for name, _ in SHOWN.values())], lines),
            f"{rescaling(counts)} {causes(counts, order)} {suspicion(order)}\n",
        )
    )


def moved(ends: pd.DataFrame) -> pd.DataFrame:
    """Counts the seeds in which each arm moved the mean: columns moved and seeds, a row per arm."""
    by_run = ends["mean_vector_shift"] > MOVED * ends["embedding_norm"]
    return by_run.groupby(ends["arm"], sort=False).agg(moved="sum", seeds="size")


def ordered(ends: pd.DataFrame) -> pd.DataFrame:
    """Counts the seeds in which never-used tokens are nearer to rarer, or to commoner, tokens.

    Returns columns rarer, commoner and seeds, a row per arm.
    """
    order = ends["unused_order"]
    signs = pd.DataFrame({"rarer": order >= ORDERED, "commoner": order <= -ORDERED})
    by_arm = signs.groupby(ends["arm"], sort=False)
    return by_arm.sum().assign(seeds=by_arm.size())


def rescaling(counts: pd.DataFrame) -> str:
    """Tells whether the rescaling of rows moves the mean. counts: from `moved`."""
    missing = [arm for arm in (*BY_ROW, *ALIKE) if arm not in counts.index]
    if missing:
        return f"Some updates were not tried ({', '.join(missing)}), so we name no cause."
    moved, seeds = counts["moved"], counts["seeds"]
    other = [arm for arm in BY_ROW if moved[arm] < seeds[arm]]
    other += [arm for arm in ALIKE if moved[arm] > 0]
    if other:
        return (
            "The sum of the gradient's rows does not predict in how many seeds the mean moved. "
            f"It moved {_shares(counts, other)}. "
            "So the rescaling of rows alone does not explain what moves the mean."
        )
    return (
        "The mean moved only with the updates that rescale each row by itself (AdamW, row-wise). With "
        "plain gradient descent and Coupled Adam it did not move. So in these small models it is the "
        "rescaling of rows that makes the mean drift."
    )


def told(counts: pd.DataFrame) -> str:
    """Tells in how many seeds each arm moved the mean. counts: from `moved`."""
    return f"The mean moved {_shares(counts, counts.index)}."


def causes(counts: pd.DataFrame, order: pd.DataFrame) -> str:
    """Tells which arms show the order of Figure 3, and whether arms whose mean stayed also show it.

    counts, order: as `moved` and `ordered` return them.
    """
    still = counts.index[counts["moved"] == 0]
    of_still = order.loc[still]
    is_ordered = of_still["rarer"] == of_still["seeds"]
    nearer = order.index[order["rarer"] == order["seeds"]]
    text = (
        "Tokens that never occur lie nearer to rare tokens than to frequent tokens in every seed of "
        f"{_fewer(nearer, order.index)}. "
    )
    commoner = order.index[order["commoner"] > 0]
    if len(commoner):
        text += f"They lie nearer to *commoner* tokens in some seed of {_joined(commoner)}. "
    if len(still) and is_ordered.all():
        return text + (
            f"This order also appears where the mean did not move ({_joined(still)}). So the paper's two pieces "
            "of evidence, the shared mean and the order, have different causes here."
        )
    return text + "So these trainings do not separate the order from the drift of the mean."


def direction(courses: pd.DataFrame) -> str:
    """Tells the cosine of the mean row with the mean output, for the arms that moved the mean.

    courses: of `arms.courses`.
    """
    counts = moved(ends(courses))
    movers = courses[courses["arm"].isin(counts.index[counts["moved"] > 0])]
    if movers.empty:
        return "No training moved the mean."
    means = movers.groupby(["arm", "step"], sort=False)["mean_output_cosine"].mean()
    by_arm = means.groupby("arm", sort=False).agg(lowest="min", last="last")
    courses_of = [
        f"{row.lowest:.2f} in {arm} ({row.last:.2f} at the end)" for arm, row in by_arm.iterrows()
    ]
    return (
        "In trainings that moved the mean, the lowest cosine of the mean row with the mean output was "
        f"{listed(courses_of)}. A cosine of −1 is the direction that section 3.3 of the paper names."
    )


def conserved(ends: pd.DataFrame) -> str:
    """Tells how far the mean of an untied matrix moved in the arms that rescale all rows alike.

    ends: as `ends` returns it.
    """
    names = [f"{arm}-untied" for arm in ALIKE]
    shifts = ends[ends["arm"].isin(names)].groupby("arm", sort=False)["mean_vector_shift"].max()
    if shifts.empty:
        return f"This run trained no untied output matrix with the updates {_joined(ALIKE)}."
    largest = ", ".join(f"{shift:.0e} in {arm}" for arm, shift in shifts.items())
    return (
        f"The mean of an untied output matrix moved by at most {largest}. The rows of the gradient "
        "sum to zero, up to rounding."
    )


def suspicion(order: pd.DataFrame) -> str:
    """Tells which SUSPECTS were tried and which show the reversed order. order: from `ordered`."""
    tried = order.reindex(SUSPECTS).dropna()
    if tried.empty:
        return f"This run trained none of the candidates for a reversed order, {_joined(SUSPECTS)}."
    guilty = tried.index[tried["commoner"] > 0]
    if len(guilty):
        return f"To reverse the order we tried {_joined(tried.index)}. It is reversed in {_joined(guilty)}."
    return f"To reverse the order we tried {_joined(tried.index)}. None reverses it in any seed."


def stage(courses: pd.DataFrame) -> str:
    """Tells whether the masked arms learned more than frequencies; empty if none was trained.

    The baseline is the loss before step 1, when the model knows log frequencies only.
    """
    of_arm = courses[courses["arm"] == "masked-bias-counts"]
    if of_arm.empty:
        return ""
    losses = of_arm.groupby("step")["held_out_loss"].mean()
    text = (
        f"A masked model that knows frequencies alone has a loss of {losses.iloc[0]:.2f} nats; the "
        f"training masked-bias-counts ends at {losses.iloc[-1]:.2f} nats"
    )
    if losses.iloc[-1] > losses.iloc[0] - GAIN:
        return (
            f"{text}. So the masked models have hardly learned more than frequencies. They show only "
            "the beginning of a training."
        )
    return f"{text}. So this model has learned more than frequencies."


def feedback_title(courses: pd.DataFrame) -> str:
    """Returns a title that says whether outputs grow alike even where the matrix does not drift."""
    rises = _rises(courses)
    if len(rises) and (rises["highest"] > rises["first"]).all():
        return "Outputs become more alike even where the matrix does not"
    return "Outputs and matrix along the training"


def feedback(courses: pd.DataFrame) -> str:
    """Describes the mean cosine of the outputs along training, first in arms whose mean stayed.

    courses: of `arms.courses`. Where the mean stayed, the matrix cannot cause a rise.
    """
    rises = _rises(courses)
    if rises.empty:
        return "The mean moved in every training, so this run cannot isolate a feedback."
    sentences = [
        f"In {arm} the mean cosine of the matrix's rows ends at {row.matrix:.2f}. That of the outputs "
        f"goes from {row.first:.2f} up to {row.highest:.2f} and ends at {row.last:.2f}."
        for arm, row in rises.iterrows()
    ]
    sentences.append("In these trainings the matrix does not cause a rise of the outputs' cosine.")
    for arm, row in _rises(courses, still=False).iterrows():
        sentences.append(
            f"In {arm} the mean cosine of the matrix's rows ends at {row.matrix:.2f}, and that of the "
            f"outputs at {row.last:.2f}."
        )
    return " ".join(sentences)


def _rises(courses: pd.DataFrame, still: bool = True) -> pd.DataFrame:
    """Returns mean cosines of outputs along some arms, averaged over their seeds.

    still: True takes the arms that moved the mean in no seed, False the others.
    """
    counts = moved(ends(courses))
    stayed = counts.index[counts["moved"] == 0]
    some = courses[courses["arm"].isin(stayed) == still]
    columns = ["hidden_mean_cosine", "embedding_mean_cosine"]
    means = some.groupby(["arm", "step"], sort=False)[columns].mean()
    by_arm = means.groupby("arm", sort=False)
    outputs = by_arm["hidden_mean_cosine"].agg(first="first", highest="max", last="last")
    return outputs.assign(matrix=by_arm["embedding_mean_cosine"].last())


def _shares(counts: pd.DataFrame, arms) -> str:
    """Returns in how many seeds arms moved: "in 3 of 3 seeds with adamw and in 0 of 3 seeds with sgd"."""
    said = [f"in {counts['moved'][arm]} of {counts['seeds'][arm]} seeds with {arm}" for arm in arms]
    return listed(said)


def _fewer(arms, every) -> str:
    """Joins names, or says which of all names are not among them if these are fewer."""
    others = [arm for arm in every if arm not in arms]
    if not others and len(every) > 1:
        return f"all {len(every)} variants"
    return f"all variants but {_joined(others)}" if 0 < len(others) < len(arms) else _joined(arms)


def _joined(arms) -> str:
    return ", ".join(arms) or "no training"
