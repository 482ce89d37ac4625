"""Writes the requirements and the card of `cwr-static` from the files beside its vectors."""

import json

import pandas as pd

from cwr.corpora.word_vectors import MODELS
from cwr.making.static_vectors import counted, quality, ship
from cwr.training.static_vectors.skip_gram import NAME

GATE = ("WS353", "MEN")  # sets on which it should lead
CARD = """\
# {name}

{name} is a table of static word vectors: each word has one vector, whatever its context. This project
trained the vectors on English Wikipedia, by skip-gram with negative sampling, for the book "Contextual
word representations, reproduced". {name} has read the same words as `cwr-elmo`, `cwr-bert` and
`cwr-gpt`. It serves where a text compares contextual with static vectors. It has no layers.

**Made from** the first {articles:,} articles ({words:,} blank-separated words) of the training part
of `wiki_text`, English Wikipedia of 2015, in the order of sha1(title); sha256 of that text
`{text_sha256}`.

**Made by** gensim {gensim}, `{settings}`, with one worker, in {minutes} minutes of an {machine}.
Two runs on one machine give the same numbers. Of its {vocabulary:,} words, {shipped:,} are shipped:
the {commonest:,} commonest, and those of nine benchmarks. Words keep their upper and lower case.
Vectors: half precision, {bytes:,} bytes, sha256 `{weights_sha256}`.

## What was asked of it

The vectors had to agree with people's ratings on WS353 and MEN (Spearman's correlation) better than
counts of the same words do, which learn nothing. The 95 % interval of their lead had to lie above 0.
The counts are the positive pointwise mutual information (PPMI) of two words within the same window. A
truncated singular value decomposition gives them as many dimensions (Levy, Goldberg and Dagan 2015).

{gate}

We chose this rival after the vectors were shipped, and the vectors have not changed since. The first
rival, the logarithm of the same counts, was too weak to be a test.

| pairs of words | vectors | correlation | 95 % interval | pairs |
|---|---|---:|---|---:|
{rows}

How good such vectors are, and how much they share a direction, depends on the training. Two different
words of the vocabulary have a mean cosine of {mean_cosine:.2f}; after half of the epochs they had
{mean_cosine_half:.2f}. Two of the vectors that predict neighbours have {mean_cosine_contexts:.2f}.

## What it is not good for

{name} is good for study alone. Published skip-gram, GloVe and fastText vectors have read hundreds of
times as much text and more. In six million words, a rare word has a handful of contexts. Do not
compare the scores on benchmarks with published ones.

## Licence

The licence is that of the other models. The text is by the authors of Wikipedia, CC BY-SA 3.0 and
GFDL, and we pass the vectors on under CC BY-SA 3.0, too. Keep this card with them, name the source,
and share changed vectors alike.
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
        f"- The {row.measure} is {row.reached:.3f}, and that of the counts {row.required:.3f}. The lead "
        f"is {lead['value']:.3f} [{lead['low']:.3f}, {lead['high']:.3f}]: the requirement is "
        f"{'met' if row.met == 'met' else '**not met**'}."
    )


def _lead(dataset: str) -> pd.Series:
    """Returns value, low, high: the lead of cwr-static over the counts on a set of word pairs."""
    table = scores()
    is_lead = (table["dataset"] == dataset) & (table["by"] == quality.LESS + counted.NAME)
    return table[is_lead].squeeze()
