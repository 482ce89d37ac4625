"""Compares X2Static with ASE under choices that the text leaves open, or that its code makes.

Gupta and Jaggi (2021): from one teacher and its contexts to a training and the rows of Table 3.
Each choice of `choices.csv` is changed alone; those that move most are also combined.

    s sentences, m words of the text, v words of the vocabulary, dim dimensions of the teacher
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus, word_pairs
from cwr.corpora.paragraphs import CUTS, cut_at_end_marks
from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError
from cwr.estimates import contexts, distilled, paired, teacher_rows, words_alone
from cwr.estimates.choices import Changes, Pipeline, choice_kinds, load_choices
from cwr.estimates.chosen_tables import BEST_ON_AVERAGE, BEST_PER_SET
from cwr.estimates.context_pieces import WORDS
from cwr.estimates.contexts import Contexts, Vocabulary
from cwr.estimates.distilled import ALL_SETS, MEAN, PAIRS, Source
from cwr.measures import isotropy
from cwr.texts.gupta2021 import left_out

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

CHOICES = load_choices(Path(__file__).with_suffix(".csv"))
KINDS = choice_kinds(CHOICES)
AS_IN_THE_CHAPTER = "as in the chapter"  # what the chapter is called among its choices

UNITS = {"sentence": "x2static_sentence", "paragraph": "x2static_paragraph"}
RG, RG_CUT = "rg-65", "rg-65, cut"
WITHIN = "within"  # its context: where a target stands
UNTIL_FLAT, EPOCH = "until flat", "one epoch"  # when a training ends
BATCH = 128  # lines (Table 1)
COMMON, TOOLS = "common", "tools"  # which pairs are compared

CHAPTER = {  # what the choices change, as in the chapter
    # Of a sentence that is read alone: the units whose mean is its context, one of
    # `context_pieces.MEANS`; the layer of the context; whether the sentence, ASE's too, is in lower
    # case; and whether the target is within the mean over its words, or "left out" of it.
    "mean_over": WORDS,
    "layer": -1,
    "lower": True,
    "target": WITHIN,
    # The units of a sentence within its paragraph: its words; or, where paragraphs are cut at end
    # marks, its pieces, or those that the two counters of the released code give it.
    "pairing": WORDS,
    "power": 0.5,  # of the negatives
    "threshold": 1e-5,  # of the targets
    "floor": 1.0,  # the share of the rate that is left at the end
    # UNTIL_FLAT, where the held-out loss is flat or a cap ends it; EPOCH, the text is read once in
    # batches of BATCH lines, a line being a sentence or a paragraph; or a number of updates.
    "updates": UNTIL_FLAT,
    "centred": (),  # the rows whose vectors lose the mean of all words: "x2static", "ase" or both
    "ase": BEST_ON_AVERAGE,  # the rule of `chosen_tables` for ASE's layer, or a layer; -1: the last
    # The pairs that all rows cover; "covered": those that each row covers; TOOLS: as "covered",
    # but ASE reads a word without a vector alone.
    "compared": COMMON,
    "has_men": False,  # whether the mean is also over sets that are none of the paper's
    "is_cut": False,  # whether the scores of RG-65 are without their decimals
}

Distil = Callable[[np.ndarray, Vocabulary, dict, np.ndarray | None, bool], WordVectors]


def pipeline(
    encoder: "Encoder",
    corpus: Corpus,
    rivals: Sequence[Source],
    sets: Sequence[str],
    distil: Distil,
    min_count: int = 5,
    steps: int = 2240,
    draws: int = 200,
    seed: int = 0,
) -> Pipeline:
    """Joins the stages from one teacher on one text to the rows of Table 3, `table_3`.

    rivals: rows without a teacher. sets: names of `distilled.load`, at least one of the paper's.
    distil: trains on contexts (s, dim), of a vocabulary, by {name of a setting: value}. It gets the
    vectors of all words (m, dim) where the target is left out, and whether to stop when the
    held-out loss is flat. min_count: occurrences of a word. steps: updates at most. seed: of all
    that is random. A choice may change the values of CHAPTER; least, the occurrences of a word, from
    `min_count` up; and training_seed, which is else `seed`.

    Raises UserError if `sets` has none of the paper's, over which the verdicts' mean is, and as
    `contexts.vocabulary`; stages raise as `contexts.read`, `distilled.score_rows` and the training.
    """
    if not set(sets) & set(word_pairs.GUPTA):
        raise UserError(
            f"none of {', '.join(sets)} is a set of the paper's, over which the mean is taken: add "
            f"one of {', '.join(word_pairs.GUPTA)}"
        )
    return Pipeline(
        contexts.vocabulary,
        sentence_contexts,
        averages,
        target_vectors,
        paragraph_contexts,
        settings,
        sentence_vectors,
        paragraph_vectors,
        pairs,
        x2static_sources,
        ase_source,
        table_3,
        fixed=_without_effect(encoder, sets),
        encoder=encoder,
        corpus=corpus,
        counted=contexts.vocabulary(corpus, min_count),
        least=min_count,
        cap=contexts.CAP,
        distil=distil,
        steps=steps,
        training_seed=seed,
        rivals=rivals,
        sets=sets,
        words=distilled.words_of(distilled.load(sets)),
        draws=draws,
        seed=seed,
        **CHAPTER,
    )


def _without_effect(encoder: "Encoder", sets: Sequence[str]) -> list[str]:
    """Lists the parameters that cannot matter to a teacher and these sets."""
    reads_characters = encoder.tokenizer is None
    without = {
        "mean_over": reads_characters,
        "pairing": reads_characters,
        "has_men": set(sets) <= set(word_pairs.GUPTA),
        "is_cut": RG not in sets,
    }
    return [name for name, cannot_matter in without.items() if cannot_matter]


def applicable(pipeline: Pipeline, selected: Mapping[str, Changes]) -> dict[str, Changes]:
    """Selects choices as `Pipeline.applicable` does. Raises UserError if none can matter."""
    left = pipeline.applicable(selected)
    if not left:
        raise UserError(
            f"none of the choices {', '.join(selected)} can matter to "
            f"{pipeline.chapter['encoder'].name}, this text and these sets: ask for other kinds"
        )
    return left


# ---- stages: what the teacher reads


def sentence_contexts(
    encoder: "Encoder", corpus: Corpus, counted: Vocabulary, lower: bool, mean_over: str, layer: int
) -> Contexts:
    """Reads each sentence alone. counted: the chapter's vocabulary, averaged in the same pass."""
    return contexts.read(encoder, corpus, counted, lower=lower, mean_over=mean_over, layer=layer)


def averages(
    encoder: "Encoder", corpus: Corpus, counted: Vocabulary, vocabulary: Vocabulary, lower: bool
) -> Contexts:
    """Reads ASE in all layers, in the same pass.

    vocabulary: the first words of `counted`, those that occur often enough.
    """
    read = contexts.read(encoder, corpus, counted, lower=lower)
    return replace(read, vocabulary=vocabulary)


def target_vectors(
    encoder: "Encoder",
    corpus: Corpus,
    vocabulary: Vocabulary,
    target: str,
    lower: bool,
    layer: int,
) -> np.ndarray | None:
    """Reads the vectors of all words, (m, dim), if targets are left out of their contexts."""
    if target == WITHIN:
        return None
    return left_out.word_vectors(encoder, corpus, vocabulary, lower=lower, layer=layer)


def paragraph_contexts(
    encoder: "Encoder", corpus: Corpus, vocabulary: Vocabulary, least: int, pairing: str
) -> Contexts:
    """Reads paragraphs as a whole; cut at end marks where sentences are counted in pieces."""
    if pairing != WORDS:
        corpus = cut_at_end_marks(corpus)
        vocabulary = contexts.vocabulary(corpus, least)
    return contexts.read(
        encoder, corpus, vocabulary, "paragraph", mean_over=pairing, averages=False
    )


# ---- stages: the trainings


def settings(
    corpus: Corpus,
    power: float,
    threshold: float,
    floor: float,
    updates: int | str,
    steps: int,
    training_seed: int,
) -> dict[str, dict]:
    """Makes the settings of the trainings, {unit of text: {name: value}}."""
    shared = {"power": power, "threshold": threshold, "floor": floor, "seed": training_seed}
    if updates != EPOCH:
        steps = steps if updates == UNTIL_FLAT else updates
        return dict.fromkeys(UNITS, {**shared, "batch": BATCH, "steps": steps})
    of_units = {}
    for unit, cut in CUTS.items():
        lines = len(cut(corpus)[0].sentences)
        sentences = round(BATCH * len(corpus.sentences) / lines)  # of 128 lines
        of_units[unit] = {**shared, "batch": sentences, "steps": -(-lines // BATCH)}
    return of_units


def sentence_vectors(
    distil: Distil,
    sentence_contexts: Contexts,
    vocabulary: Vocabulary,
    settings: Mapping[str, dict],
    updates: int | str,
    target: str,
    target_vectors: np.ndarray | None,
) -> WordVectors:
    """Trains X2Static on sentences that are read alone."""
    of_sentences = settings["sentence"] | {"target": target}
    until_flat = updates == UNTIL_FLAT
    return distil(sentence_contexts.matrix, vocabulary, of_sentences, target_vectors, until_flat)


def paragraph_vectors(
    distil: Distil,
    paragraph_contexts: Contexts,
    settings: Mapping[str, dict],
    updates: int | str,
) -> WordVectors:
    """Trains X2Static on sentences within their paragraphs."""
    read, of_paragraphs = paragraph_contexts, settings["paragraph"]
    return distil(read.matrix, read.vocabulary, of_paragraphs, None, updates == UNTIL_FLAT)


# ---- stages: Table 3


def pairs(sets: Sequence[str], is_cut: bool) -> dict[str, pd.DataFrame]:
    """Loads the sets, RG-65 with its scores cut under its own name."""
    loaded = distilled.load(sets)
    if is_cut:
        (loaded[word_pairs.GUPTA[RG]],) = distilled.load([RG_CUT]).values()
    return loaded


def x2static_sources(
    encoder: "Encoder",
    sentence_vectors: WordVectors,
    paragraph_vectors: WordVectors,
    words: set[str],
    centred: Sequence[str],
) -> list[Source]:
    """Makes the sources of X2Static's rows, from sentences and from paragraphs."""
    sources = []
    vectors_of = {"sentence": sentence_vectors, "paragraph": paragraph_vectors}
    for unit, vectors in vectors_of.items():
        if "x2static" in centred:
            vectors = replace(vectors, vectors=isotropy.center(vectors.vectors))
        sources += teacher_rows.trained(encoder, UNITS[unit], [vectors], words, centred=False)
    return sources


def ase_source(
    encoder: "Encoder",
    averages: Contexts,
    words: set[str],
    compared: str,
    centred: Sequence[str],
    ase: int | str,
) -> Source:
    """Makes the source of ASE's two rows, which are equal under other rules than the chapter's."""
    treatment = isotropy.center if "ase" in centred else np.asarray
    layers = {layer: averages.average_of(layer) for layer in averages.layers}
    table = distilled.source_tables(averages.vocabulary.words, layers, words, treatment)
    alone = words_alone.decontextualised(encoder, sorted(words)) if compared == TOOLS else None
    rule = ase % (encoder.n_layers + 1) if isinstance(ase, int) else ase
    best = BEST_PER_SET if ase == BEST_ON_AVERAGE else rule
    rules = {"ase_best_per_task": best, "ase_best_layer": rule}
    return Source(encoder.name, encoder.family, table, rules, alone, encoder.n_layers)


def table_3(
    rivals: Sequence[Source],
    x2static_sources: Sequence[Source],
    ase_source: Source,
    pairs: Mapping[str, pd.DataFrame],
    compared: str,
    has_men: bool,
    draws: int,
    seed: int,
) -> list[dict]:
    """Makes the rows of Table 3 for `report.results.write`, without their variant."""
    sources = [*rivals, *x2static_sources, ase_source]
    if compared == COMMON:
        rows = distilled.score_rows(sources, pairs, draws, seed, enough=0)
    else:
        rows = []
        for source in sources:
            whole = source if source.alone is None else source.filled()
            rows += distilled.score_rows([whole], pairs, draws, seed, enough=0)
        rows = [row for row in rows if row["measure"] != PAIRS]  # of which each has other ones
    return _over_all_sets(rows) if has_men else rows


def _over_all_sets(rows: list[dict]) -> list[dict]:
    """The mean over all sets stands for that over the paper's."""
    others = [row for row in rows if not row["measure"].startswith(MEAN)]
    means = [row for row in rows if ALL_SETS in row["measure"]]
    return others + [{**row, "measure": row["measure"].replace(ALL_SETS, "")} for row in means]


# ---- what a choice moves


def leads(rows: Sequence[dict]) -> pd.DataFrame:
    """Measures X2Static's lead over ASE in the mean under each choice, and how it changes.

    rows: of `choices.run_choices`, those of the chapter among them. Returns a row per choice and
    unit of text, with the columns choice, model, family, unit, lead with lead_low and lead_high (95
    %), verdict ("above", "below" or "undecided"), and change, the lead minus the chapter's, with
    change_low and change_high. Intervals are paired where rows and choices compare the same pairs.
    """
    means = [row for row in rows if row["measure"].removesuffix(distilled.LARGE) == MEAN]
    ours = [row for row in means if row["estimator"] in UNITS.values()]
    ase = [row for row in means if row["estimator"] == "ase_best_layer"]
    leads = paired.minus(ours, ase, ["variant"])
    chapter = [row for row in leads if row["variant"] is None]
    found = {"lead": leads, "change": paired.minus(leads, chapter, ["estimator"])}
    frames = [
        paired.frame(of, name=name).rename(
            columns={end: f"{name}_{end}" for end in ("low", "high")}
        )
        for name, of in found.items()
    ]
    keys = pd.DataFrame(leads, columns=["variant", "model", "family", "estimator"])
    frame = pd.concat([keys, *frames], axis=1)
    is_decided = [frame["lead_low"] > 0, frame["lead_high"] < 0]
    return frame.assign(
        choice=frame["variant"].fillna(AS_IN_THE_CHAPTER),
        unit=frame["estimator"].str.removeprefix("x2static_"),
        verdict=np.select(is_decided, ["above", "below"], "undecided"),
    )


def strongest(moves: pd.DataFrame, choices: Mapping[str, Changes], number: int) -> list[str]:
    """Lists the `number` choices that change the lead of X2Static from sentences most.

    moves: of `leads`. Of two choices that change the same parameter, only the stronger counts.
    """
    of_sentences = moves[(moves["unit"] == "sentence") & moves["choice"].isin(list(choices))]
    order = of_sentences.sort_values("change", key=abs, ascending=False, kind="stable")
    names, changed = [], set()
    for name in order["choice"]:
        if len(names) < number and not changed & choices[name].keys():
            names.append(name)
            changed |= choices[name].keys()
    return names


def combined(choices: Mapping[str, Changes]) -> dict[str, Changes]:
    """Combines two or more of these choices in all ways: {names joined by " + ": changes}."""
    combinations = {}
    for number in range(2, len(choices) + 1):
        for names in itertools.combinations(choices, number):
            changes = itertools.chain.from_iterable(choices[name].items() for name in names)
            combinations[" + ".join(names)] = dict(changes)
    return combinations
