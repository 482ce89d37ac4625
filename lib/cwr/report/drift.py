"""What the arms of `training.language_models.arms` say of a drifting mean, in computed sentences.

A table has a row a run (`ends`): arm, seed, and what was measured where the run ended.
"""

import pandas as pd

MOVED = 0.1  # the mean has moved if it did so by this share of the rows' mean norm
ORDERED = 0.8  # least Spearman correlation of an order, as for Figure 3 in `bis-unused-monotone`
BY_ROW = ("adamw", "rowwise")  # every row is rescaled by itself
ALIKE = ("sgd", "coupled")  # all rows are rescaled alike


def ends(courses: pd.DataFrame) -> pd.DataFrame:
    """The last row of each run of `arms.courses`."""
    return courses.groupby(["arm", "seed"], sort=False).tail(1)


def moved(ends: pd.DataFrame) -> pd.DataFrame:
    """In how many seeds an arm moved the mean: columns moved and seeds, a row an arm."""
    by_run = ends["mean_vector_shift"] > MOVED * ends["embedding_norm"]
    return by_run.groupby(ends["arm"], sort=False).agg(moved="sum", seeds="size")


def ordered(ends: pd.DataFrame) -> pd.DataFrame:
    """In how many seeds the never-used tokens are nearer to rarer ones, and to commoner ones.

    Columns rarer, commoner and seeds, a row an arm.
    """
    order = ends["unused_order"]
    signs = pd.DataFrame({"rarer": order >= ORDERED, "commoner": order <= -ORDERED})
    by_arm = signs.groupby(ends["arm"], sort=False)
    return by_arm.sum().assign(seeds=by_arm.size())


def rescaling(counts: pd.DataFrame) -> str:
    """Whether it is the rescaling of rows that moves the mean. counts: of `moved`."""
    missing = [arm for arm in (*BY_ROW, *ALIKE) if arm not in counts.index]
    if missing:
        return f"Not all four updates were tried ({', '.join(missing)}), so no cause is named."
    moved, seeds = counts["moved"], counts["seeds"]
    other = [arm for arm in BY_ROW if moved[arm] < seeds[arm]]
    other += [arm for arm in ALIKE if moved[arm] > 0]
    if other:
        return (
            f"This is not what the sum of the gradient's rows lets expect: {_shares(counts, other)}. "
            "So the rescaling of rows alone does not explain what moves the mean."
        )
    return (
        "Where every row is rescaled by a number of its own the mean moved, and where all rows are "
        "rescaled alike it did not: in these small models it is the rescaling of rows that lets "
        "pushes become a drift."
    )


def told(counts: pd.DataFrame) -> str:
    """How often each arm moved the mean. counts: of `moved`."""
    return f"The mean moved in these shares of the seeds: {_shares(counts, counts.index)}."


def causes(counts: pd.DataFrame, order: pd.DataFrame) -> str:
    """Do the drift of the mean and the order of Figure 3 go together? Of `moved` and `ordered`."""
    still = counts.index[counts["moved"] == 0]
    of_still = order.loc[still]
    is_ordered = of_still["rarer"] == of_still["seeds"]
    nearer = order.index[order["rarer"] == order["seeds"]]
    text = f"Never-used tokens are nearer to rarer ones in every seed of {_joined(nearer)}. "
    commoner = order.index[order["commoner"] > 0]
    if len(commoner):
        text += f"They are nearer to *commoner* ones in some seed of {_joined(commoner)}. "
    if len(still) and is_ordered.all():
        return text + (
            f"That holds also where the mean stayed ({_joined(still)}): the paper's two pieces of "
            "evidence, the shared mean and the order, have different causes here."
        )
    return text + "So the order does not part from the drift of the mean in all arms tried."


def feedback_title(courses: pd.DataFrame) -> str:
    """Whether the outputs grow alike also where the matrix does not drift."""
    rises = _rises(courses)
    if len(rises) and (rises["highest"] > rises["first"]).all():
        return "Outputs grow alike also where the matrix does not"
    return "Outputs and matrix along the training"


def feedback(courses: pd.DataFrame) -> str:
    """What the outputs do in the arms whose mean stays: a rise that is no feedback."""
    rises = _rises(courses)
    if rises.empty:
        return "The mean moved in every arm, so nothing tells what is feedback."
    sentences = [
        f"In {arm}, where the mean cosine of the matrix ends at {row.matrix:.2f}, that of the "
        f"outputs goes from {row.first:.2f} up to {row.highest:.2f} and ends at {row.last:.2f}."
        for arm, row in rises.iterrows()
    ]
    return " ".join([*sentences, "A rise there is not fed by the matrix."])


def _rises(courses: pd.DataFrame) -> pd.DataFrame:
    """Mean cosines of outputs along the arms that moved the mean in no seed, means of the seeds."""
    counts = moved(ends(courses))
    still = courses[courses["arm"].isin(counts.index[counts["moved"] == 0])]
    columns = ["hidden_mean_cosine", "embedding_mean_cosine"]
    means = still.groupby(["arm", "step"], sort=False)[columns].mean()
    by_arm = means.groupby("arm", sort=False)
    outputs = by_arm["hidden_mean_cosine"].agg(first="first", highest="max", last="last")
    return outputs.assign(matrix=by_arm["embedding_mean_cosine"].last())


def _shares(counts: pd.DataFrame, arms) -> str:
    return ", ".join(f"{arm} {counts['moved'][arm]} of {counts['seeds'][arm]}" for arm in arms)


def _joined(arms) -> str:
    return ", ".join(arms) or "no arm"
