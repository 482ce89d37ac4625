"""What is said of our models' training: titles, findings and alternative texts, computed from the files.

Tables are those of `training.language_models.shipped_files`: `along` and `curves`.
"""
from collections.abc import Iterator, Mapping

import pandas as pd

from cwr.papers.published import by_family
from cwr.training.language_models.shipped_files import first_and_last, last_layers

STILL = 0.01                # a value that moves by less along a training neither rises nor falls
UNIGRAM_STAGE = 0.05        # of the way to the shipped run's loss: a run that stays below has hardly begun


def directions(table: pd.DataFrame, measure: str) -> str:
    """A title's end: in which models a measure of the last layer rises along training, and in which it falls."""
    ends = first_and_last(last_layers(table))
    ends = ends[ends["measure"] == measure].set_index("model")
    models = {"rises": [], "falls": [], "stays": []}
    for name in by_family(table):
        change = ends.loc[name, "last"] - ends.loc[name, "first"]
        verb = "stays" if abs(change) < STILL else "rises" if change > 0 else "falls"
        models[verb].append(name)
    return ", ".join(f"{verb} in {_listed(names)}" for verb, names in models.items() if names)


def findings(table: pd.DataFrame) -> Iterator[str]:
    """A sentence or two for each model: what became of cosine, context and the never-used tokens."""
    ends = first_and_last(last_layers(table)).set_index(["model", "measure", "class"]).sort_index()
    for name in table["model"].unique():
        cosine = ends.loc[(name, "anisotropy_baseline")].iloc[0]
        similarity = ends.loc[(name, "self_similarity")].iloc[0]
        words = table.loc[table["model"] == name, "words"].max()
        sentence = (f"In the last layer of `{name}` the mean cosine of random words goes from "
                    f"{cosine['first']:.2f} before training to {cosine['last']:.2f} after {words:,} words, and that "
                    f"of one word's occurrences from {similarity['first']:.2f} to {similarity['last']:.2f}.")
        if (name, "unused_cosine", 0) in ends.index:
            sentence += _of_unused(ends.loc[(name, "unused_cosine", 0)], ends.loc[(name, "unused_cosine", 5)])
        yield sentence


def _of_unused(among: pd.Series, commonest: pd.Series) -> str:
    return (f" Its never-used tokens begin with a mean cosine of {among['first']:.2f} among themselves and end with "
            f"{among['last']:.2f}; with the commonest fifth of the used tokens it goes from {commonest['first']:.2f} "
            f"to {commonest['last']:.2f}.")


def progress(curves: pd.DataFrame) -> Iterator[str]:
    """How far each plain run came, in held-out loss, beside the shipped run; a sentence a model that has both.

    curves: as `shipped_files.curves` gives it.
    """
    for name in by_family(curves):
        shipped, plain = _held_out(curves, name, "counts"), _held_out(curves, name, "plain")
        if plain.empty:
            continue
        share = (plain.iloc[0] - plain.iloc[-1]) / (plain.iloc[0] - shipped.iloc[-1])
        words = curves[(curves["model"] == name) & (curves["start"] == "plain")]["words"].max()
        yield (f"In the plain run the held-out loss of `{name}` goes from {plain.iloc[0]:.2f} to {plain.iloc[-1]:.2f} "
               f"nats in {words:,} words, {100 * share:.0f} % of the way to the {shipped.iloc[-1]:.2f} of the shipped "
               f"run.{_stage(share)}")


def _stage(share: float) -> str:
    if share >= UNIGRAM_STAGE:
        return ""
    return (" **It never leaves the stage in which it knows only how frequent each piece is**: what its vectors do "
            "below, they do before the model has learned anything of context.")


def _held_out(curves: pd.DataFrame, name: str, start: str) -> pd.Series:
    """Held-out loss of one run, in the order of its steps."""
    run = curves[(curves["model"] == name) & (curves["start"] == start)]
    return run["heldout"].dropna()


def losses_title(curves: pd.DataFrame) -> str:
    """A title: from where to where the held-out loss of each shipped run falls."""
    phrases = []
    for name in by_family(curves):
        loss = _held_out(curves, name, "counts")
        phrases.append(f"{name} {loss.iloc[0]:.1f} to {loss.iloc[-1]:.1f}")
    return "Held-out loss: " + ", ".join(phrases)


def describe_losses(curves: pd.DataFrame) -> str:
    """Alternative text of the curves: what each line does from its first to its last point."""
    phrases = []
    for name in by_family(curves):
        for start, line in (("counts", "solid"), ("plain", "dashed")):
            loss = _held_out(curves, name, start)
            if not loss.empty:
                phrases.append(f"{name} from {start}, {line}: from {loss.iloc[0]:.2f} to {loss.iloc[-1]:.2f}")
    return "Held-out loss in nats against the words read. " + "; ".join(phrases) + "."


def describe_along(table: pd.DataFrame, measures: Mapping[str, str]) -> str:
    """Alternative text: what each line does from its first to its last point. measures: {measure: its name}."""
    ends = first_and_last(table[table["measure"].isin(measures)])
    lines = []
    for row in ends.to_dict("records"):
        label = row["model"]
        if not pd.isna(row["class"]):
            label += f", class {row['class']:.0f}"
        lines.append(f"{label}: {measures[row['measure']]} from {row['first']:.2f} to {row['last']:.2f}")
    return "Against the words read. " + "; ".join(lines) + "."


def describe_live(live: pd.DataFrame, name: str) -> str:
    """Alternative text of a training just done: its losses, by the words read."""
    first, last = live.iloc[0], live.iloc[-1]
    return (f"Training loss of {name} against the words read: {len(live)} points of the training just done, "
            f"from {first['loss']:.1f} nats after {first['words']:,.0f} words to {last['loss']:.1f} after "
            f"{last['words']:,.0f}.")


def _listed(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
