"""Formats scores of word similarity (rows of `distilled`) as tables and sentences for readers."""

from collections.abc import Iterable, Iterator, Sequence

import pandas as pd

from cwr.estimates.distilled import (
    ALL_SETS,
    FALLBACK,
    LARGE,
    LAYER,
    MEAN,
    PAIRS,
    SKIP,
    SPEARMAN,
)
from cwr.estimates.frequency_thirds import THIRDS
from cwr.tables import where

NAMES = {  # of rows, by their estimator, in the order of figures and tables; {}: the model
    "input_matrix": "token matrix",
    "input_matrix_centred": "token matrix, centred",
    "decontextualised": "words read alone",
    "model2vec": "Model2Vec",
    "ase_layer_0": "ASE, layer 0",
    "ase_best_per_task": "ASE, best per set",
    "ase_best_layer": "ASE, best layer",
    "ase_half": "ASE, chosen on half",
    "ase_centred": "ASE, centred",
    "ase_all_but_the_top": "ASE, all but the top",
    "ase_standardised": "ASE, standardised",
    "aggregated_mean": "mean of 100",
    "aggregated_min": "minimum of 100",
    "aggregated_max": "maximum of 100",
    "x2static_sentence": "X2Static, sentence",
    "x2static_sentence_centred": "X2Static, sent., centred",
    "x2static_paragraph": "X2Static, paragraph",
    "x2static_paragraph_centred": "X2Static, para., centred",
    "static": "{}",
    "static_unsearched": "{}, unsearched",
    "static_elsewhere": "{}, other text",
    "static_centred": "{}, centred",
    "static_unsearched_centred": "{}, unsearched, centred",
    "static_elsewhere_centred": "{}, other text, centred",
}
OF_TABLE_3 = (
    "static",
    "static_elsewhere",
    "ase_best_per_task",
    "ase_best_layer",
    "x2static_sentence",
    "x2static_paragraph",
)
AVERAGE, AVERAGE_ALL = "mean", "mean of all sets"  # columns
ASE, ASE_CENTRED, MATRIX = (NAMES[e] for e in ("ase_best_layer", "ase_centred", "input_matrix"))
AHEAD, NO_LEAD = "ASE is ahead without centring", "These pairs cannot decide a lead over ASE"
OF_LEADS_AS_THEY_ARE = (AHEAD, NO_LEAD)  # answers about the lead over ASE; others: over it centred
RULES = {"common pairs": "", "own pairs": SKIP, "words alone": FALLBACK}


def label(estimator: str, model: str) -> str:
    """Names a row for readers, without its teacher: "ASE, best layer", "CBOW, centred"."""
    return NAMES[estimator].format(model)


def scores(table: pd.DataFrame, estimators: Iterable[str] = NAMES) -> pd.DataFrame:
    """Selects the scores of `estimators`, in the order of NAMES; a mean counts as a set.

    table: tidy, ours or printed. estimators: keys of NAMES. Returns the table with the column line
        (the row's `label`), dataset AVERAGE or AVERAGE_ALL for means, and measure SPEARMAN
        throughout.
    """
    table = _of_any_size(table)
    columns = {SPEARMAN: None, MEAN: AVERAGE, MEAN + ALL_SETS: AVERAGE_ALL}
    is_score = table["measure"].isin(columns) & table["variant"].isna()
    rows = table[is_score & table["estimator"].isin(list(estimators))]
    order = {estimator: number for number, estimator in enumerate(NAMES)}
    rows = rows.sort_values("estimator", key=lambda e: e.map(order), kind="stable")
    lines = [label(row.estimator, row.model) for row in rows.itertuples()]
    dataset = rows["dataset"].fillna(rows["measure"].map(columns))
    return rows.assign(line=lines, dataset=dataset, measure=SPEARMAN)


def as_table_3(table: pd.DataFrame, sets: Sequence[str]) -> pd.DataFrame:
    """Formats our scores like Tables 3 and 6, one row per kind of vectors and model.

    table: tidy, of `distilled.score_rows`. sets: the columns, before the mean. Chosen layers are in
        brackets. The first row has the numbers of pairs compared.
    """
    n = where(table, measure=PAIRS).set_index("dataset")["value"]
    texts = {("pairs", ""): {name: f"{count:,.0f}" for name, count in n.items()}}
    key = ["estimator", "model", "dataset"]
    layers = where(table, measure=LAYER).set_index(key)["value"]
    for row in scores(table, OF_TABLE_3).itertuples():
        layer = layers.get((row.estimator, row.model, row.dataset))
        text = f"{row.value:.3f}" if layer is None else f"{row.value:.3f} ({layer:.0f})"
        texts.setdefault((row.line, row.model), {})[row.dataset] = text
    frame = pd.DataFrame(texts).T.rename_axis(["row", "model"])
    return frame.reindex(columns=[*sets, AVERAGE])


def by_rule(table: pd.DataFrame, sets: Sequence[str]) -> pd.DataFrame:
    """Formats scores under each way to treat words without a vector, with numbers of pairs.

    table: tidy, from `distilled.score_rows` and `missing_rows`. sets: names, in the order of the
    rows. Returns strings, one row per set, kind of vectors and model, one column per key of RULES.
    """
    table, texts = _of_any_size(table), {}
    for rule, ending in RULES.items():
        counts = where(table, measure=PAIRS + ending)
        key = ["dataset", "estimator", "model"][: 3 if ending else 1]
        n = counts.set_index(key)["value"]
        cells = where(table, measure=SPEARMAN + ending)
        for row in scores(cells.assign(measure=SPEARMAN), OF_TABLE_3).itertuples():
            count = n[row.dataset, row.estimator, row.model] if ending else n[row.dataset]
            line = row.dataset, row.line, row.model
            texts.setdefault(rule, {})[line] = f"{row.value:.3f} (n = {count:,.0f})"
    frame = pd.DataFrame(texts).rename_axis(["set", "row", "model"])
    return pd.concat([frame.loc[[name]] for name in sets])


def by_third(table: pd.DataFrame) -> pd.DataFrame:
    """Formats mean scores in each third of the pairs by frequency, with their intervals.

    table: tidy, of `frequency_thirds.rows`. The first row has the numbers of pairs compared.
    """
    texts = {}
    for third in THIRDS:
        n = where(table, measure=f"{PAIRS}_{third}")["value"].iloc[0]
        texts[third] = {("pairs", ""): f"{n:,.0f}"}
        for row in where(table, measure=f"{MEAN}_{third}").itertuples():
            line = label(row.estimator, row.model), row.model
            texts[third][line] = f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]"
    return pd.DataFrame(texts).rename_axis(["row", "model"])


def with_leads(differences: pd.DataFrame) -> pd.DataFrame:
    """Adds labels for readers to a table of `distilled.differences`; a mean counts as a set.

    The columns row and rival name the vectors ahead and behind, and lead has the difference:
    "X2Static, sentence (cwr-bert)", "ASE, centred", "+0.031 [-0.010, +0.072]".
    """
    columns = {MEAN: AVERAGE, MEAN + ALL_SETS: AVERAGE_ALL}
    dataset = differences["dataset"].fillna(differences["measure"].map(columns))
    names, leads = {"row": [], "rival": []}, []
    for line in differences.itertuples():
        model, estimator = line.ahead.rsplit(" ", 1)
        names["row"].append(f"{label(estimator, model)} ({model})")
        model, estimator = line.behind.rsplit(" ", 1)
        names["rival"].append(label(estimator, model))
        leads.append(f"{line.difference:+.3f} [{line.low:+.3f}, {line.high:+.3f}]")
    return differences.assign(dataset=dataset, lead=leads, **names)


def verdict(lead: pd.Series) -> str:
    """Describes a difference: "clearly above", "clearly below" or "not clearly different from".

    lead: a row of `with_leads`.
    """
    if not lead["is_decided"]:
        return "not clearly different from"
    return "clearly above" if lead["low"] > 0 else "clearly below"


def centring_lines(leads: pd.DataFrame) -> str:
    """Lists in Markdown whether each row's lead over ASE exceeds the gain from centring.

    leads: from `with_leads`, on one set or in the mean; each row ahead has ASE and ASE_CENTRED
        among its rivals. Each difference comes with the least detectable one.
    """
    lines = []
    for name, by_rival, answer in _answered(leads):
        rivals = [rival for rival in (ASE, ASE_CENTRED, MATRIX) if rival in by_rival.index]
        phrases = [_phrase(by_rival.loc[rival]) for rival in rivals]
        lines.append(f"- *{name}* {'; '.join(phrases)}. {answer}.")
    return "\n".join(lines)


def centring_answers(leads: pd.DataFrame) -> str:
    """Summarises `centring_lines`: rows and their leads, grouped by answer, as one text.

    leads: as in `centring_lines`.
    """
    by_answer: dict[str, list[str]] = {}
    for name, by_rival, answer in _answered(leads):
        rival = ASE if answer in OF_LEADS_AS_THEY_ARE else ASE_CENTRED
        by_answer.setdefault(answer, []).append(f"{name} {by_rival.loc[rival, 'lead']}")
    return " ".join(f"{answer}: {'; '.join(rows)}." for answer, rows in by_answer.items())


def _answered(leads: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame, str]]:
    """Yields each row ahead: its name, its leads by rival, and what they say on centring."""
    for name, of_row in leads.groupby("row", sort=False):
        by_rival = of_row.set_index("rival")
        yield name, by_rival, beyond_centring(by_rival.loc[ASE], by_rival.loc[ASE_CENTRED])


def _phrase(lead: pd.Series) -> str:
    """Writes the lead over one rival, whether it is clear, and the least detectable one."""
    clear = "clear" if lead["is_decided"] else "not clear"
    return f"minus {lead.name}: {lead['lead']}, {clear}, least detectable {lead['least']:.3f}"


def beyond_centring(over_ase: pd.Series, over_centred: pd.Series) -> str:
    """Says in a sentence whether a lead over ASE exceeds the gain from centring.

    over_ase, over_centred: the leads of one row over ASE and over ASE centred, of `with_leads`.
    """
    above, below = "clearly above", "clearly below"
    if verdict(over_ase) == below:
        return AHEAD
    if verdict(over_centred) == below:
        return "ASE is ahead after centring"
    if verdict(over_ase) != above:
        return NO_LEAD
    if verdict(over_centred) == above:
        return "The lead exceeds the gain from centring"
    return "These pairs cannot decide whether the lead exceeds the gain from centring"


def _of_any_size(table: pd.DataFrame) -> pd.DataFrame:
    """Returns the table with 24-layer teachers (Table 6) under the measures of the others."""
    return table.assign(measure=table["measure"].str.replace(LARGE, "", regex=False))
