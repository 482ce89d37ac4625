"""Writes the requirements and the card of `cwr-static` from the files beside its vectors."""

import json

import pandas as pd

from cwr.corpora.word_vectors import MODELS
from cwr.making.static_vectors import counted, quality, ship
from cwr.training.static_vectors.skip_gram import NAME

GATE = ("WS353", "MEN")  # what was asked before it was shipped
CARD = """\
# {name}

{name} is a table of static word vectors, one a word whatever stands beside it: skip-gram with
negative sampling, trained by this project on English Wikipedia for the book "Contextual word
representations, reproduced". It has read the same words as `cwr-elmo`, `cwr-bert` and `cwr-gpt`, and
stands beside them where a text compares contextual with static vectors. It has no layers.

**Made from** the first {articles:,} articles ({words:,} blank-separated words) of the training part
of `wiki_text`, English Wikipedia of 2015, in the order of sha1(title); sha256 of that text
`{text_sha256}`.

**Made by** gensim {gensim}, `{settings}`, with one worker, in {minutes} minutes of an {machine}.
Two runs on one machine give the same numbers. Of its {vocabulary:,} words {shipped:,} travel: the
{commonest:,} commonest, and those that nine benchmarks ask for. Words keep their upper and lower case.
Vectors: half precision, {bytes:,} bytes, sha256 `{weights_sha256}`.

## What was asked of it

To agree with people on WS353 and MEN (Spearman's correlation) better than counts of the same words
do without learning, with a lead whose 95 % interval lies above 0. The counts are the positive
pointwise mutual information (PPMI) of two words within the same window, by a truncated singular value
decomposition of as many dimensions (Levy, Goldberg and Dagan 2015).

{gate}

This rival was set after the vectors were shipped, and they are still the same. The first one, the
logarithm of the same counts, was too weak to ask anything of them.

| pairs of words | vectors | correlation | 95 % interval | pairs |
|---|---|---:|---|---:|
{rows}

How good such vectors are, and how much they share a direction, hangs on the training: two different
words of the vocabulary have a mean cosine of {mean_cosine:.2f}, after half of the epochs
{mean_cosine_half:.2f}. Two of the vectors that predict neighbours have {mean_cosine_contexts:.2f}.

## What it is not good for

Anything but study. Published skip-gram, GloVe and fastText vectors have read hundreds of times
as much text and more. Rare words of six million have a handful of contexts. Do not compare its scores on
benchmarks with published ones.

## Licence

As that of the other models: the text is by the authors of Wikipedia, CC BY-SA 3.0 and GFDL, and the
vectors are passed on under CC BY-SA 3.0 too. Keep this card with them, name the source, and share
changed vectors alike.
"""


def facts() -> dict:
    """Reads made.json: settings, text, sizes, checksums."""
    return json.loads((MODELS / NAME / ship.MADE).read_text(encoding="utf-8"))


def scores() -> pd.DataFrame:
    """Reads quality.csv: dataset, by, value, low, high, n (`making.static_vectors.quality`)."""
    return pd.read_csv(MODELS / NAME / ship.QUALITY)


def gate_table() -> pd.DataFrame:
    """Tabulates the requirements, one per set of word pairs, in `model_cards.gate_table`'s columns.

    A requirement is met if the 95 % interval of the lead over the counts lies above 0.
    """
    table = scores().set_index(["dataset", "by"])
    rows = []
    for dataset in GATE:
        values = table.loc[dataset]["value"]
        rows.append(
            {
                "model": NAME,
                "measure": f"correlation on {dataset}",
                "reached": values[NAME],
                "required": values[counted.NAME],
                "met": "met" if _lead(dataset)["low"] > 0 else "not met",
                "count model": values[counted.NAME],
                "count model reached": "reached"
                if values[NAME] > values[counted.NAME]
                else "not reached",
            }
        )
    return pd.DataFrame(rows)


def markdown() -> str:
    """Formats the card of `cwr-static` as Markdown."""
    lines = map(_gate_line, gate_table().itertuples(), GATE)
    rows = [
        f"| {row.dataset} | {row.by} | {row.value:.3f} | {row.low:.3f} to {row.high:.3f} | {row.n:,} |"
        for row in scores().itertuples()
    ]
    written = facts() | {"name": NAME, "commonest": ship.COMMONEST}
    return CARD.format(**written, gate="\n".join(lines), rows="\n".join(rows))


def _gate_line(row, dataset: str) -> str:
    """Formats a requirement as text, with the lead that decides it."""
    lead = _lead(dataset)
    return (
        f"- {row.measure}: {row.reached:.3f}, the counts' {row.required:.3f}; lead "
        f"{lead['value']:.3f} [{lead['low']:.3f}, {lead['high']:.3f}]: "
        f"{'met' if row.met == 'met' else '**not met**'}."
    )


def _lead(dataset: str) -> pd.Series:
    """Returns value, low, high: the lead of cwr-static over the counts on a set of word pairs."""
    table = scores()
    is_lead = (table["dataset"] == dataset) & (table["by"] == quality.LESS + counted.NAME)
    return table[is_lead].squeeze()
