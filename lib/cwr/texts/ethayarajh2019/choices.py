"""Recomputes the four figures of Ethayarajh (2019) under choices that the paper's text leaves open.

The choices are in `choices.csv`. The functions below `pipeline` are its stages; each is named in
the arguments of the stages that read it: sentences, their words, vectors, samples, and rows.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from cwr import encoders, extraction
from cwr.corpora import Corpus
from cwr.encoders.pieces import special_tokens
from cwr.estimates import choices, contextuality, curves
from cwr.estimates.choices import Changes, Pipeline
from cwr.estimates.samples import Samples
from cwr.extraction import Extraction, answer, targets
from cwr.measures.contextuality import ESTIMATORS

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

CHOICES = choices.load_choices(Path(__file__).with_suffix(".csv"))


def pipeline(
    model: str,
    corpus: Corpus,
    *,
    sentences: int = 0,
    tokens: int = 1000,
    min_contexts: int = 5,
    draws: int = 1000,
    seed: int = 0,
) -> Pipeline:
    """Joins the stages from a model and a corpus to the rows of the four figures.

    model: what `encoders.load` takes; it is opened once. sentences: how many are drawn from the
    corpus; 0 for all. tokens: random words for the baseline. min_contexts: a word needs so many
    occurrences. draws: of the bootstrap. seed: of the sentences, the random words and the
    bootstrap. Its further parameters, which the choices change, have the chapter's values:

    pooling: how a word's pieces become one vector (`Encoder.encode`).
    unit: "word", or "piece" for word pieces as they are, which only models with a tokenizer have.
    skip_first_position: whether what stands at the model's first position is left out.
    final_norm: whether the last layer is taken after the model's final norm.
    sampling: how random words are drawn (`targets.random_tokens`).

    Raises UserError as `encoders.load`.
    """
    opened = encoders.load(model)

    def encoder(final_norm: bool) -> "Encoder":
        return opened if final_norm else encoders.load(model, final_norm=False)

    return Pipeline(
        encoder,
        text,
        units,
        vectors,
        samples,
        rows,
        fixed=without_effect(opened),
        pooling="mean",
        unit="word",
        skip_first_position=False,
        final_norm=True,
        sampling="sentence",
        corpus=corpus,
        sentences=sentences,
        tokens=tokens,
        min_contexts=min_contexts,
        draws=draws,
        seed=seed,
    )


def without_effect(encoder: "Encoder") -> set[str]:
    """Returns the names of the parameters that change no vector of a model."""
    fixed = set()
    if encoder.tokenizer is None:
        fixed.add("pooling")  # words are read whole
    elif special_tokens(encoder.tokenizer, encoder.name)[0]:
        fixed.add("skip_first_position")  # no word stands there
    if "final norm" not in encoder.contract[-1]:
        fixed.add("final_norm")
    return fixed


def rows_by_choice(pipeline: Pipeline, asked: Mapping[str, Changes]) -> list[dict]:
    """Returns the rows of the chapter (variant None) and of each choice (variant: its name).

    Where a choice cannot matter to the model, its rows are the chapter's, so no verdict flips. A
    model without a tokenizer has no rows for word pieces.
    """
    has_pieces = pipeline("encoder").tokenizer is not None
    return [
        {**row, "variant": name}
        for name, changes in {None: {}, **asked}.items()
        if has_pieces or changes.get("unit") != "piece"
        for row in pipeline("rows", **changes)
    ]


# ---- the stages


def text(corpus: Corpus, sentences: int, seed: int) -> Corpus:
    """Draws a number of sentences from the corpus."""
    return corpus.sample(sentences, seed)


def units(encoder: "Encoder", text: Corpus, unit: str) -> pd.DataFrame:
    """Lists all words, or all word pieces, as a table of targets. Raises as `targets.pieces`."""
    return targets.pieces(encoder, text) if unit == "piece" else targets.occurrences(text)


def vectors(
    encoder: "Encoder",
    text: Corpus,
    units: pd.DataFrame,
    unit: str,
    pooling: str,
    skip_first_position: bool,
) -> Extraction:
    """Reads the vectors of all units, by one pass over the sentences."""
    options = {"unit": unit, "pooling": pooling, "skip_first_position": skip_first_position}
    return extraction.run(encoder, text, units, **options)


def samples(
    vectors: Extraction,
    text: Corpus,
    units: pd.DataFrame,
    tokens: int,
    sampling: str,
    min_contexts: int,
    seed: int,
) -> Samples:
    """Selects the vectors that the four figures need. Raises as `targets.frequent`."""
    random = targets.random_tokens(text, tokens, seed, sampling, units)
    words = targets.frequent(text, min_contexts, among=units)
    sentences = units.assign(group=units["sentence"].astype(str))
    return Samples(*(answer.take(vectors, table) for table in (random, words, sentences)))


def rows(encoder: "Encoder", text: Corpus, samples: Samples, draws: int, seed: int) -> list[dict]:
    """Makes rows for `report.results.write`: every measure of the four figures, layer by layer."""
    random, words, sentences = samples.random, samples.words, samples.sentences
    named = {
        "anisotropy_baseline": contextuality.anisotropy_baseline(random, draws, seed),
        **contextuality.adjusted_self_similarity(words, random, draws, seed),
        **contextuality.adjusted_intra_sentence_similarity(sentences, random, draws, seed),
    }
    made = curves.per_layer(encoder, named, dataset=text.name)
    for how in ESTIMATORS:
        named = contextuality.adjusted_explained_variance(words, random, how, draws, seed)
        made += curves.per_layer(encoder, named, first=1, dataset=text.name, estimator=how)
    return made
