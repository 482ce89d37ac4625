"""Claims of Ethayarajh (2019) that Table 1 judges: static vectors distilled from each layer on nine benchmarks.

The measure is the table's: Spearman correlation, accuracy or purity, by benchmark (`dataset`); rows of the family
"static" (GloVe, FastText) have no layer, the others are first principal components ("PC") of one layer.
"""
import pandas as pd

from cwr.papers.claims import PAPER_FAMILIES, Claim, Needs
from cwr.papers.old import anywhere

SCORE = "static_benchmark_score"
MOST, AS_IN_PRINT = 0.5, 6 / 9 - 1e-9                       # "most": more than half; "lower is better": 6 of 9
CONTEXTUAL = (*PAPER_FAMILIES, "sentence")
ANY = Needs((SCORE,), PAPER_FAMILIES, compares=True)
BESIDE_STATIC = Needs((SCORE,), ("static", "bilstm", "masked"), compares=True)

STATIC = "It compares static vectors with those of a bilstm and a masked model, whatever their depth."
CAUSAL = "It compares a causal model with a bilstm and a masked one, whatever their depth."


def scores(table: pd.DataFrame) -> pd.DataFrame:
    """Benchmarks as columns, vectors (family, model, layer) as rows; layer -1 for static vectors."""
    part = table[table["measure"] == SCORE]
    return part.assign(layer=part["layer"].astype(float).fillna(-1).astype(int)).pivot_table(
        index=["family", "model", "layer"], columns="dataset", values="value", sort=False)


def components(table: pd.DataFrame, *families: str) -> pd.DataFrame:
    """The rows of `scores` that are principal components, of these families (none: of all)."""
    every = scores(table)
    family = every.index.get_level_values("family")
    return every[family.isin(families) if families else family != "static"]


def beats_static(table: pd.DataFrame, *families: str) -> pd.DataFrame:
    """Which PC vectors exceed every static vector, benchmark by benchmark; a tie does not count."""
    every = scores(table)
    return components(table, *families) > every[every.index.get_level_values("family") == "static"].max()


def best_or_tied(table: pd.DataFrame) -> pd.Series:
    """On how many benchmarks each PC vector is the best of its kind, or tied with it."""
    parts = components(table)
    return (parts >= parts.max()).sum(axis=1)


def lower_wins(part: pd.DataFrame) -> float:
    """Share of benchmarks on which the lowest layer of one model exceeds its highest."""
    ordered = part.sort_index(level="layer")
    return float((ordered.iloc[0] > ordered.iloc[-1]).mean())


def other_layers(table: pd.DataFrame) -> pd.DataFrame:
    """`beats_static` of ELMo's and BERT's layers without the one that is named as the best, BERT's first."""
    beats = beats_static(table, "bilstm", "masked")
    family, layer = (beats.index.get_level_values(name) for name in ("family", "layer"))
    return beats[~((family == "masked") & (layer == 1))]


def causal_below(table: pd.DataFrame) -> pd.Series:
    """Benchmarks on which the best causal PC vector is below the worst of the others."""
    return components(table, "causal").max() < components(table, "bilstm", "masked").min()


def _first_layer_best(table: pd.DataFrame, family: str | None) -> bool:
    best = best_or_tied(table)
    top = best[best == best.max()].index
    return all(layer == 1 and family in (None, of) for of, _, layer in top)


def _between(table: pd.DataFrame) -> bool:
    """Whether all layers between 2 and the last but one lie between these two, on 9 of 10 benchmarks and layers."""
    part = components(table).sort_index(level="layer").droplevel(["family", "model"])
    top = part.index.max()
    ends = part[part.index.isin((2, top - 1))]
    inner = part[(part.index > 2) & (part.index < top - 1)]
    return len(inner) > 0 and bool(((inner >= ends.min()) & (inner <= ends.max())).to_numpy().mean() >= 0.9)


TABLE_1 = [
    Claim("eth-pc-many", "section 1, finding 4; section 4.3",
          "Principal components of contextual vectors beat GloVe and FastText on many benchmarks.",
          Needs((SCORE,), ("static",), compares=True, beside=PAPER_FAMILIES),
          lambda t: bool((beats_static(t).mean(axis=1) > MOST).any()),
          "some PC vector exceeds both on more than half of the benchmarks", "The paper sets no number for \"many\"."),
    anywhere("Of a model's vectors those from the first layer are the best.", Claim(
        "eth-pc-best-bert1", "section 4.3", "The best of these vectors come from BERT's first layer.",
        ANY, lambda t: _first_layer_best(t, "masked"), "layer 1 of a masked model is best or tied most often",
        "SimLex is led by BERT's layer 2, BLESS by ELMo's layer 1; in AP BERT's layers 1 and 2 tie."),
             lambda t: _first_layer_best(t, None), "layer 1 is best or tied most often", CONTEXTUAL),
    Claim("eth-pc-others", "section 4.3",
          "The other layers of BERT and ELMo, too, beat GloVe and FastText on most benchmarks.",
          BESIDE_STATIC, lambda t: bool((other_layers(t).mean(axis=1) > MOST).all()),
          "each of them exceeds both on more than half of the benchmarks",
          "The strict reading, layer by layer. Table 1 leaves out BERT's layers 3 to 10.",
          any_model=STATIC),
    Claim("eth-pc-others.together", "section 4.3",
          "On most benchmarks some other layer of BERT or ELMo beats GloVe and FastText.",
          BESIDE_STATIC, lambda t: bool(other_layers(t).any().mean() > MOST),
          "on more than half of the benchmarks at least one of them exceeds both",
          "The charitable reading of eth-pc-others: the layers taken together.",
          any_model=STATIC),
    Claim("eth-pc-lower-better", "section 4.3",
          "Vectors from lower layers do better than those from upper layers, in all three models.",
          Needs((SCORE,)), lambda t: lower_wins(components(t)) >= AS_IN_PRINT,
          "the lowest layer printed exceeds the highest on at least two thirds of the benchmarks",
          "Of the last two layers of BERT the last is better on 7 of 9, and GPT-2's first and last but one are even."),
    Claim("eth-pc-gpt2-worse", "section 4.3",
          "Vectors from GPT-2 do markedly worse than those from ELMo and BERT.",
          ANY, lambda t: bool(causal_below(t).all()), "on every benchmark the best causal one is below all others",
          "The strict reading. In the released statistics more than half of GPT-2's words were read as one token.",
          any_model=CAUSAL),
    Claim("eth-pc-gpt2-worse.most", "section 4.3",
          "On nearly all benchmarks vectors from GPT-2 do worse than those from ELMo and BERT.",
          ANY, lambda t: bool(causal_below(t).mean() >= 8 / 9 - 1e-9),
          "on at least eight of nine benchmarks the best causal one is below all others",
          "The charitable reading of eth-pc-gpt2-worse.",
          any_model=CAUSAL),
    anywhere("The scores of the inner layers lie between those of layer 2 and of the last layer but one.", Claim(
        "eth-pc-3-10-between", "section 4.3", "The scores of layers 3 to 10 lie between those of layers 2 and 11.",
        Needs((SCORE,), ("masked", "causal"), n_layers=12), _between,
        "at least 90 % of the scores of these layers lie between", unprinted="Table 1 leaves out layers 3 to 10"),
             families=CONTEXTUAL),
]
