"""Computes findings across the five texts, each a sentence, from the results of a run."""

from collections.abc import Callable

import pandas as pd

from cwr.report.results import Results
from cwr.tables import by_family, where

Read = Callable[[str], Results | None]  # the results of a notebook, if there are any
SHARED = 0.05  # mean cosine above which rows share a direction, as in bis-drift-not-cone


def markdown(read: Read, before: dict[str, str], behind: dict[str, str]) -> str:
    """Returns the findings as a list in MyST; a finding whose notebook has no results is left out.

    read: returns a notebook's results, or None. before, behind: {title: text} of findings that
        other modules compute. Untrained copies and choices are left out.
    """
    said = {title: text.strip() for title, text in before.items()}
    for title, name, find in FINDINGS:
        measured = [read(each) for each in name.split()]
        if all(measured):
            said[title] = find(*(each.without_variants().table for each in measured))
    said |= behind
    return "\n".join(f"1. **{title}** {text}" for title, text in said.items() if text) + "\n"


def shifted(table: pd.DataFrame) -> str:
    """Tells in how many embedding matrices rows share a direction, raw and centred.

    table: the estimates of bis2021/02_isotropy.
    """
    of_models = table[table["family"].notna()]
    before = where(of_models, measure="embedding_mean_cosine").set_index("model")["value"]
    after = where(of_models, measure="embedding_mean_cosine_centred").set_index("model")["value"]
    return (
        f"In {(before > SHARED).sum()} of {len(before)} embedding matrices the rows have a mean cosine "
        f"above {SHARED} (up to {before.max():.2f}). After the mean row is subtracted, they do in "
        f"{(after.abs() > SHARED).sum() or 'none'}. See {{doc}}`bis2021/02_isotropy`."
    )


def lengths(table: pd.DataFrame) -> str:
    """Tells in how many matrices frequent tokens have longer rows, raw and without the mean row.

    table: the estimates of bis2021/06_norms.
    """
    values = []
    for ending in ("", "_centred"):
        of_form = where(table, measure=f"norm_frequency_correlation{ending}")
        values.append(of_form.set_index("model")["value"])
    raw, centred = values
    named = "; ".join(
        f"{raw[model]:.2f} and {centred[model]:.2f} in `{model}`" for model in raw.index
    )
    return (
        f"Frequent tokens have longer rows than rare tokens in {(raw > 0).sum()} of {len(raw)} embedding "
        f"matrices. Without the mean row they do in {(centred > 0).sum()} of {len(centred)}. The rank "
        f"correlation of length and frequency, with and without the mean row, is {named}. See "
        "{doc}`bis2021/06_norms`."
    )


def context(table: pd.DataFrame) -> str:
    """Tells each model's share of a probe's gain from context alone that comes in the first block.

    table: the estimates of zhao2020/08_context_alone.
    """
    alone = where(table, measure="context_alone_probe_f1", estimator="full")
    parts = []
    for model in by_family(alone):
        by_layer = where(alone, model=model).set_index("layer")["value"].sort_index()
        gain = by_layer.max() - by_layer.iloc[0]
        share = (by_layer.iloc[1] - by_layer.iloc[0]) / gain
        parts.append(f"{share:.0%} in `{model}` (best layer: {by_layer.idxmax()})")
    return (
        "One probe reads only the context of a word. Its score rises from the input layer to the best "
        f"layer, and the first block brings this share of the rise: {'; '.join(parts)}. See "
        "{doc}`zhao2020/08_context_alone`."
    )


def places(classes: pd.DataFrame, edges: pd.DataFrame) -> str:
    """Tells the best layers for nearly the same label in two chapters, and why they differ.

    classes, edges: the estimates of zhao2020/03_contextualized and survey/03_edge_probing.
    """
    of_class = where(classes, measure="token_probe_f1", estimator="full")
    of_type = where(edges, measure="single_layer_probe_f1", task="entities")
    parts = []
    for model in by_family(of_type):
        one, other = (where(each, model=model) for each in (of_class, of_type))
        if len(one):
            parts.append(f"{_best(one)} and {_best(other)} in `{model}`")
    return (
        "One probe finds the class of a mention, another the type of an entity. Their best layers are "
        f"{'; '.join(parts)}. The labels are nearly the same, but the questions differ. The first probe "
        "reads the mean vector of the name and is tested on unseen words. The second probe reads the whole "
        "span and may know its words from training. See {doc}`zhao2020/03_contextualized` and "
        "{doc}`survey/03_edge_probing`."
    )


def _best(rows: pd.DataFrame) -> int:
    return int(rows.loc[rows["value"].idxmax(), "layer"])


def controls(table: pd.DataFrame) -> str:
    """Tells which tasks a tuned model has learned better than one label for all sentences.

    table: the estimates of zhao2020/05_finetuning.
    """
    parts = []
    scores = where(table, measure="finetuning_dev_score")
    for row in scores.itertuples():
        constant = where(
            table, measure="finetuning_dev_score_constant", model=row.model, task=row.task
        )["value"].item()
        word = "above" if row.low > constant else "no better than"
        parts.append(
            f"\n   - `{row.model}` scores {row.value:.3f} on {row.task}, {word} the rule's {constant:.3f}."
        )
    return (
        "A probe or a tuned model that does not beat a simple rule says nothing about a layer. The rule "
        "here gives the most frequent label to every sentence or word; on `ner` it finds no entity. "
        f"Tuned models score as follows ({{doc}}`zhao2020/05_finetuning`):\n{''.join(parts)}"
    )


FINDINGS = (
    ("Do embeddings share a direction, and is it their mean?", "bis2021/02_isotropy", shifted),
    (
        "Do frequent tokens have long rows, also without the mean row?",
        "bis2021/06_norms",
        lengths,
    ),
    ("How early does context act?", "zhao2020/08_context_alone", context),
    (
        "Do two questions about nearly the same label have the same best layer?",
        "zhao2020/03_contextualized survey/03_edge_probing",
        places,
    ),
    ("A score must beat a simple rule.", "zhao2020/05_finetuning", controls),
)
