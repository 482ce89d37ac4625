"""Describes our three small models: requirements for shipping, cards, and their count models.

All numbers come from the files beside the weights (`making.language_models.shipped_files`).
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from cwr.corpora.wiki_text.articles import of_sample
from cwr.making.language_models import shipped_files

ACCURACY = 0.33  # required of cwr-bert, on pieces that are all hidden by [MASK]
LOWER_IS_BETTER = ("bits a character", "nats")
MEASURES = {
    "cwr-elmo": (),  # NOT_SHOWN says why
    "cwr-bert": ("accuracy",),
    "cwr-gpt": ("bits a character",),
}
COUNT_MODELS = {
    "cwr-bert": "counts of both neighbours",
    "cwr-gpt": "Kneser-Ney trigram",
}
TEXTS = {"held-out": "held-out articles", "lee": "Lee news"}
YARDSTICK = ("model", "text", "measure", "value", "count model", "its value", "the model is")
NOT_SHOWN = """\
In each direction its perplexity over word classes had to be lower than that of the trigram in the
table. The card does not print this perplexity, because nobody can measure it again: the model is
shipped without the soft-max that predicts words, and no checkpoint of its training is at hand."""
ABOUT = {
    "cwr-gpt": "a small causal model of the GPT-2 type",
    "cwr-bert": "a small masked model of the BERT type",
    "cwr-elmo": "a small bidirectional LSTM of the ELMo type, reading characters",
}
NAMESAKES = {  # the papers' smallest model of the same type, and its parameters
    "cwr-gpt": ("GPT-2", 124e6),
    "cwr-bert": ("BERT-base", 110e6),
    "cwr-elmo": ("ELMo", 93.6e6),
}
_COUNTED = (
    "The token vectors, and so layer 0, began from these counts. What the book says of "
    "their change along training comes from a run that began from random vectors."
)
LAYER_0 = {
    "cwr-gpt": _COUNTED,
    "cwr-bert": _COUNTED,
    "cwr-elmo": "Only the word vectors of its training objective began from these counts. "
    "They are not shipped, and no layer of the model began from counts.",
}
CARD = """\
# {name}

{name} is {about}, trained by this project on English Wikipedia for the
book "Contextual word representations, reproduced". It is small enough to be studied on a laptop. It
is none of the models that the papers used.

**Made from** the first {articles} articles ({words} blank-separated words) of the training part of
`wiki_text`, English Wikipedia of 2015, in the order of sha1(title); sha256 of that text
`{text_sha256}`.
Held-out articles are those whose sha1(title) begins with a byte below 8.

**Made by** {steps} steps of `{recipe}`,
in {hours} hours on an {machine} (torch {torch}), some of them beside other jobs.
It started from {start}. {layer_0}
Weights: half precision, {bytes} bytes, sha256 `{weights_sha256}`.

## What was asked of it

{gate}

## How well it predicts

Held-out articles, and news (the Lee corpus: another kind of text). Count models have seen exactly
the same words.

| text | predicted by | measure | value | predictions |
|---|---|---|---:|---:|
{rows}{beside}

## What it is not good for

{name} is good for study alone. {namesake} is about {ratio} times as large, and the papers' models
have read more than a hundred times as much text. {name} knows encyclopaedic English of 2015 with its
gaps and prejudices. It knows little of speech, of the first and second person, and of everyday verbs.
Do not compare its scores on benchmarks with published ones.

## Licence

The text is by the authors of Wikipedia, CC BY-SA 3.0 and GFDL. An article and its authors stand at
`https://en.wikipedia.org/?curid=` and its number: [number 12](https://en.wikipedia.org/?curid=12),
for example. It is not settled whether weights are a work based on the text they were trained on. To
be safe, we pass these weights on under CC BY-SA 3.0, too. Keep this card with them, name the source,
and share changed weights alike.
"""


@dataclass(frozen=True)
class Comparison:
    """The scores of a model and of its count model on one text by one measure."""

    measure: str
    model: float
    counts: float

    @property
    def reached(self) -> bool:
        """Tells whether the model is better than the count model."""
        if self.measure in LOWER_IS_BETTER:
            return self.model < self.counts
        return self.model > self.counts

    @property
    def margin(self) -> float:
        """The model's distance from the count model, as a share of the count model's value."""
        return abs(self.model - self.counts) / self.counts

    @property
    def side(self) -> str:
        """The model's margin over the count model in words, such as "2.0 % better"."""
        return f"{100 * self.margin:.1f} % {'better' if self.reached else 'worse'}"


@dataclass(frozen=True)
class Gate:
    """A requirement on held-out text that a model had to meet before shipping."""

    required: float
    met: bool
    comparison: Comparison

    @property
    def measure(self) -> str:
        """The measure on which the model is compared with its count model."""
        return self.comparison.measure


def compare(name: str, text: str, measure: str) -> Comparison:
    """Compares a shipped model with its count model on a text by a measure.

    text: "held-out" or "lee"; raises KeyError for another text.
    """
    scores = shipped_files.scores(name, text)
    return Comparison(measure, scores[name, measure], scores[COUNT_MODELS[name], measure])


def gate(name: str) -> list[Gate]:
    """Lists the requirements of a shipped model on held-out text.

    cwr-gpt: fewer bits per character than a Kneser-Ney trigram of the same words. cwr-elmo: none,
    because none can be checked (NOT_SHOWN).
    cwr-bert: an accuracy of 33 % on pieces hidden by [MASK]; its count model need not be beaten.
    """
    gates = []
    for measure in MEASURES[name]:
        comparison = compare(name, "held-out", measure)
        if name == "cwr-bert":
            gates.append(Gate(ACCURACY, comparison.model >= ACCURACY, comparison))
        else:
            gates.append(Gate(comparison.counts, comparison.reached, comparison))
    return gates


def gate_table(names: Sequence[str]) -> pd.DataFrame:
    """Tabulates the requirements of several models, one per row.

    Columns model, measure, reached (its score), required, met, count model (the count model's
    score), count model reached (whether the model is better than it).
    """
    rows = []
    for name in names:
        for row in gate(name):
            comparison = row.comparison
            rows.append(
                {
                    "model": name,
                    "measure": row.measure,
                    "reached": comparison.model,
                    "required": row.required,
                    "met": "met" if row.met else "not met",
                    "count model": comparison.counts,
                    "count model reached": _reached(comparison),
                }
            )
    return pd.DataFrame(rows)


def beside_counts(name: str) -> str:
    """Returns a sentence that compares a model with its count model on held-out text and news."""
    return (
        f"We compare `{name}` with the {COUNT_MODELS[name]} of the same words: on held-out articles "
        f"{_beside(name, 'held-out')}; on the Lee news {_beside(name, 'lee')}."
    )


def yardstick(names: Iterable[str]) -> pd.DataFrame:
    """Compares our models with their count models, one row per score, in the columns YARDSTICK.

    names: model names; a model that is not ours, or whose scores are not shown, has no row.
    """
    rows = []
    for (name, measure), text in itertools.product(_measured(names), TEXTS):
        row = compare(name, text, measure)
        rows.append(
            (name, TEXTS[text], measure, row.model, COUNT_MODELS[name], row.counts, row.side)
        )
    return pd.DataFrame(rows, columns=YARDSTICK)


def below_counts(names: Iterable[str]) -> str:
    """Returns one sentence for each of our models that counts outperform on the news; "" for none."""
    sentences = []
    for name, measure in _measured(names):
        row = compare(name, "lee", measure)
        if not row.reached:
            sentences.append(
                f"On the {TEXTS['lee']} a table of counts predicts words better than our `{name}` "
                f"({measure} {row.counts:.3f} against {row.model:.3f}). So a verdict on `{name}` says "
                "little about its family."
            )
    return " ".join(sentences)


def overlap(names: Iterable[str], corpora: Iterable[str]) -> str:
    """Tells how many articles of "wiki-sample" our models were trained on.

    names, corpora: of a run. Returns "" if no model is ours, or without "wiki-sample".
    """
    words = [shipped_files.facts(name)["words"] for name in ABOUT if name in names]
    if not words or "wiki-sample" not in corpora:
        return ""
    before = of_sample().values()
    in_train = sum(map(math.isfinite, before))
    read = sum(number < max(words) for number in before)
    return (
        f"By their ids, {in_train} of the {len(before)} articles of `wiki-sample` also belong to the "
        f"training part of `wiki_text`. Our models have read {read} of these, among {max(words):,} words."
    )


def _measured(names: Iterable[str]) -> list[tuple[str, str]]:
    """Returns (name, measure) for each model of ours among `names` and each of its measures."""
    return [(name, measure) for name in names for measure in MEASURES.get(name, ())]


def markdown(name: str) -> str:
    """Formats the card of a shipped model as Markdown, from the files beside its weights."""
    facts = shipped_files.facts(name)
    table = shipped_files.quality(name)
    table = table[~table["text"].str.endswith("beginning")]
    rows = [
        f"| {row.text} | {row.by} | {row.measure} | {row.value:.3f} | {row.n:,} |"
        for row in table.itertuples()
    ]
    namesake, parameters = NAMESAKES[name]
    numbers = {key: f"{value:,}" for key, value in facts.items() if isinstance(value, int)}
    written = (
        facts
        | numbers
        | {
            "name": name,
            "about": ABOUT[name],
            "layer_0": LAYER_0[name],
            "namesake": namesake,
            "ratio": round(parameters / (facts["bytes"] / 2)),  # two bytes a parameter
            "start": "counts of its text"
            if "start='counts'" in facts["recipe"]
            else "random vectors",
            "rows": "\n".join(rows),
            "gate": "\n".join(map(_gate_line, gate(name))) or NOT_SHOWN,
            "beside": f"\n\n{beside_counts(name)}" if MEASURES[name] else "",
        }
    )
    return CARD.format(**written)


def _gate_line(row: Gate) -> str:
    comparison = row.comparison
    bound = "below" if row.measure in LOWER_IS_BETTER else "at least"
    line = (
        f"- On {row.measure}, {bound} {row.required:.3f} was required. The model has "
        f"{comparison.model:.3f}: the requirement is {'met' if row.met else '**not met**'}."
    )
    if row.required != comparison.counts:
        line += f" The {comparison.counts:.3f} of the count model is **{_reached(comparison)}**."
        line += _without_ends(row)
    return line


def _without_ends(row: Gate) -> str:
    """Returns a sentence on cwr-bert's accuracy without the ends of paragraphs."""
    without = compare("cwr-bert", "held-out", shipped_files.WITHOUT_ENDS)
    return (
        f"\n  Ends of paragraphs are easy to guess. Without them the accuracy is {without.model:.4f} on\n"
        f"  the same articles (that of the count model is {without.counts:.4f}). The margin over the\n"
        f"  required value then shrinks from {row.comparison.model - row.required:.4f} to "
        f"{without.model - row.required:.4f}."
    )


def _reached(comparison: Comparison) -> str:
    return "reached" if comparison.reached else "not reached"


def _beside(name: str, text: str) -> str:
    """Returns phrases such as "bits a character 1.729 against 1.764 (2.0 % better)"."""
    phrases = []
    for measure in MEASURES[name]:
        row = compare(name, text, measure)
        phrases.append(f"{measure} {row.model:.3f} against {row.counts:.3f} ({row.side})")
    return ", ".join(phrases)
