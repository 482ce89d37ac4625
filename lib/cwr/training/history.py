"""The shipped models' own past: their curves, and what was measured along their training, as files and as sentences."""
from collections.abc import Iterator, Mapping

import pandas as pd

from cwr.training import cards
from cwr.training.language_models import RECIPES

KEYS = ["model", "measure", "layer", "class"]


def curve(name: str, start: str) -> pd.DataFrame:
    """Loss against words read, of the run that started from "counts" (the shipped one) or "plain" vectors.

    Columns step, words, loss (training, nats), heldout (nats, NaN where it was not looked at). A model whose vectors
    of tokens are no layer of its own has one run, which stands for both.
    """
    table = pd.read_csv(cards.files(name) / "curve.csv")
    return table[table["start"] == (start if start in set(table["start"]) else "counts")].reset_index(drop=True)


def along(name: str) -> pd.DataFrame:
    """What was measured along the training: model, family, step, words, measure, layer, class, value."""
    return pd.read_csv(cards.files(name) / "along.csv").assign(family=RECIPES[name].family)


def last_layers(table: pd.DataFrame) -> pd.DataFrame:
    """Of the measures of layers, only the last layer of each model."""
    top = table.groupby("model")["layer"].transform("max")
    return table[table["layer"].isna() | (table["layer"] == top)]


def ends(table: pd.DataFrame) -> pd.DataFrame:
    """First and last value of every measure: KEYS, first, last."""
    table = table.sort_values(["words", "step"])
    return table.groupby(KEYS, dropna=False, sort=False)["value"].agg(["first", "last"]).reset_index()


def told(table: pd.DataFrame, measures: Mapping[str, str]) -> str:
    """Alternative text: what each line does from its first to its last point. measures: {measure: its name}."""
    found = ends(table[table["measure"].isin(measures)])
    lines = [f"{row.model}{'' if pd.isna(row[3]) else f', class {row[3]:.0f}'}: {measures[row.measure]} from "
             f"{row.first:.2f} to {row.last:.2f}" for row in found.itertuples(index=False)]
    return "Against the words read. " + "; ".join(lines) + "."


def compared(live: pd.DataFrame, shipped: pd.DataFrame, name: str) -> str:
    """Alternative text of the live training on the shipped curve."""
    return (f"Training loss of {name} against the words read: the run on the real text falls from "
            f"{shipped['loss'].iloc[0]:.1f} to {shipped['loss'].iloc[-1]:.1f} nats; {len(live)} hollow points of the "
            f"training just done fall from {live['loss'].iloc[0]:.1f} to {live['loss'].iloc[-1]:.1f}.")


def findings(table: pd.DataFrame) -> Iterator[str]:
    """A sentence for each model, computed: what became of cosine, context and the never-used tokens."""
    found = ends(last_layers(table)).set_index(["model", "measure", "class"]).sort_index()
    for name in table["model"].unique():
        cosine, own = (found.loc[(name, measure)].iloc[0] for measure in ("anisotropy_baseline", "self_similarity"))
        words = table.loc[table["model"] == name, "words"].max()
        text = (f"In the last layer of `{name}` the mean cosine of random words goes from {cosine['first']:.2f} before "
                f"training to {cosine['last']:.2f} after {words:,} words, and that of one word's occurrences "
                f"from {own['first']:.2f} to {own['last']:.2f}.")
        if (name, "unused_cosine", 0) in found.index:
            alone, common = (found.loc[(name, "unused_cosine", number)] for number in (0, 5))
            text += (f" Its never-used tokens begin with a mean cosine of {alone['first']:.2f} among themselves and "
                     f"end with {alone['last']:.2f}; with the commonest fifth of the used tokens it goes from "
                     f"{common['first']:.2f} to {common['last']:.2f}.")
        yield text
