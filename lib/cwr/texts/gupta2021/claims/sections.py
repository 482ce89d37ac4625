"""Claims of Gupta and Jaggi (2021) in the text alone: words without context, costs, corpora."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import above, at_most, below, every, near, ratio
from cwr.tables import Missing, Table
from cwr.texts.gupta2021.claims.checks_text import RATIO_MARGIN, SIZES
from cwr.texts.gupta2021.claims.readings import (
    ALONE,
    BEST_LAYER,
    LARGER_CORPORA,
    PARAGRAPH,
    POOLS,
    SENTENCE,
    TEACHERS,
    WM,
    among_teachers,
    by_teacher,
)

CALLS = "teacher_calls"  # rows of pieces that the teacher reads, for the whole corpus
FLOPS, FLOPS_PER_WORD = "teacher_flops_per_call", "teacher_flops_per_word"
DIMENSION = "teacher_output_dimension"
WORDS, TOKENS, RATIO = "corpus_words", "corpus_tokens", "training_corpus_ratio"
DAYS, HOURS = "ase_extraction_days", "x2static_training_hours_highest"
TENS_OF_MILLIONS = (1e7, 1e8)


def by_model(
    table: Table, measure: str, models: Sequence[str] = ()
) -> tuple[list[str], np.ndarray]:
    """Reads a measure of every model, or of those named in that order: names (N), values (D, N)."""
    selected = table.at(~table.rows.has("variant"))
    names, values = selected.over("model", measure, at_least=1)
    order = list(models) or names
    absent = [model for model in order if model not in names]
    if absent:
        raise Missing(f"{measure.replace('_', ' ')} of {' and '.join(absent)}")
    return order, values[:, [names.index(model) for model in order]]


def poor_without_context(table: Table) -> np.ndarray:
    """Tests whether vectors of words alone have at most half of ASE's mean correlation."""
    names, alone, ase = by_teacher(table, WM, ALONE, BEST_LAYER)
    share = ratio(table, alone, ase, "the share of ASE's mean correlation")
    table.undefined((ase <= 0).any(axis=1), "ASE's mean correlation is not above 0")
    return at_most(table, share, 0.5, names)


def mean_pools_best(table: Table) -> np.ndarray:
    """Tests whether the mean of a word's contexts correlates better than minimum and maximum."""
    leads = []
    for other in POOLS[1:]:
        names, mean, value = by_teacher(table, WM, POOLS[0], other)
        leads.append(mean - value)
    return above(table, np.minimum(*leads), 0, names)


def paragraphs_need_less(table: Table, measure: str) -> np.ndarray:
    """Tests whether paragraphs need less of a measure than sentences, for teachers with both."""
    names, paragraphs, sentences = by_teacher(table, measure, PARAGRAPH, SENTENCE)
    share = ratio(table, paragraphs, sentences, "the share of what sentences need")
    return below(table, share, 1, names)


def tens_of_millions(table: Table, vectors: int) -> np.ndarray:
    """Tests whether operations of a call over the numbers of so many vectors are 1e7 to 1e8."""
    models, operations = by_model(table, FLOPS)
    _, dim = by_model(table, DIMENSION, models)
    times = ratio(table, operations, vectors * dim, "a cost")
    low, high = TENS_OF_MILLIONS
    return every(table, (times >= low) & (times < high), models, times)


def corpora_as_printed(table: Table, margin: float = RATIO_MARGIN) -> np.ndarray:
    """Tests whether each corpus is as many times larger as printed, within a relative margin."""
    _, printed = by_model(table, RATIO, LARGER_CORPORA)
    _, tokens = by_model(table, TOKENS, LARGER_CORPORA)
    computed = ratio(table, tokens, table.value(WORDS)[:, None], "a ratio of corpora")
    off = ratio(table, computed, printed, "a relative difference") - 1
    return near(table, off, 0, margin, LARGER_CORPORA)


def trained_faster(table: Table) -> np.ndarray:
    """Tests whether X2Static's longest training takes less time than ASE, for both sizes."""
    days = np.stack([table.value(DAYS, variant=size) for size in SIZES], axis=1)
    hours = np.stack([table.value(HOURS, variant=size) for size in SIZES], axis=1)
    return every(table, 24 * days > hours, SIZES, hours)


def printed_in_text(*measures: str, **needs) -> Needs:
    """Returns the `Needs` of a claim that reads single numbers of the text, of any model."""
    return Needs(measures=measures, families=(), compares=True, **needs)


SECTIONS = [
    Claim(
        id="gup-decontextual-dismal",
        place="section 2",
        says="The vector of a word alone, without any context, does poorly on word similarity.",
        needs=among_teachers(WM),
        holds=poor_without_context,
        tolerance=(
            "its mean correlation is at most half of that of ASE's best single layer, for every "
            "teacher"
        ),
        because=(
            "The text says 'dismally' and gives no threshold; the threshold of one half is ours."
        ),
        unprinted=(
            "the paper prints no numbers for this statement; it cites Bommasani et al. (2020)"
        ),
    ),
    Claim(
        id="gup-average-pooling-best",
        place="section 2",
        says="The mean is the best way to pool a word's contextual vectors.",
        needs=among_teachers(WM),
        holds=mean_pools_best,
        tolerance=(
            "its mean correlation is higher than that of minimum and maximum over the same "
            "contexts, for every teacher"
        ),
        unprinted=(
            "the paper prints no numbers for this statement; it cites Bommasani et al. (2020)"
        ),
    ),
    Claim(
        id="gup-cheaper-para",
        place="section 3.2",
        says="Paragraphs as context need fewer calls to the teacher than sentences.",
        needs=among_teachers(CALLS),
        holds=partial(paragraphs_need_less, measure=CALLS),
        tolerance=(
            "for every teacher, paragraphs need fewer calls than sentences for the same text"
        ),
        because=(
            "In our runs a paragraph longer than the teacher's window needs several calls; the "
            "released code truncates it."
        ),
        proved=(
            "One call reads a paragraph, and every paragraph that the paper keeps has at least "
            "three sentences (section 4.1). So there are at most a third as many calls as "
            "sentences; gupta2021/05_cost checks this with counts."
        ),
    ),
    Claim(
        id="gup-cheaper-para.flops",
        place="section 3.2",
        says="Paragraphs as context cost fewer operations per word than sentences.",
        needs=among_teachers(FLOPS_PER_WORD),
        holds=partial(paragraphs_need_less, measure=FLOPS_PER_WORD),
        tolerance=(
            "for every teacher, paragraphs need fewer operations per word of the corpus than "
            "sentences"
        ),
        because=(
            "This interpretation of 'computationally efficient' is stricter: it counts operations, "
            "not calls. In our runs a paragraph longer than the teacher's window is read in "
            "overlapping rows, which costs up to twice as much."
        ),
        unprinted=(
            "the paper prints neither pieces per word nor sentences per paragraph; with common "
            "values of these the two costs are level"
        ),
    ),
    Claim(
        id="gup-compute-tens-of-millions",
        place="section 1; footnote 1",
        says=(
            "Using static vectors costs tens of millions of times less than using a contextual "
            "model."
        ),
        needs=among_teachers(FLOPS, DIMENSION, models=("BERT-12",)),
        holds=partial(tens_of_millions, vectors=1),
        tolerance=(
            "the operations of one call, divided by the number of components of one vector (our "
            "divisor), lie in 1e7 to 1e8"
        ),
        because=(
            "The claim rests on our divisor. Footnote 1 prints the operations of one call and the "
            "number of components of one vector, but not the cost of a look-up. This divisor is "
            "right if one word is needed in one context. For a whole text, "
            "gup-compute-tens-of-millions.per-word is fairer."
        ),
        general=General(
            says=(
                "Using static vectors costs tens of millions of times less than using the "
                "contextual model, of whatever size."
            ),
            compares=True,
            beside=TEACHERS,
        ),
    ),
    Claim(
        id="gup-compute-tens-of-millions.per-word",
        place="section 1; footnote 1",
        says=(
            "Per word, too, static vectors cost tens of millions of times less than a contextual "
            "model."
        ),
        needs=among_teachers(FLOPS, DIMENSION, models=("BERT-12",)),
        holds=partial(tens_of_millions, vectors=128),
        tolerance=(
            "the operations of one call, divided by the number of components of all {vectors} "
            "vectors that it gives, lie in 1e7 to 1e8"
        ),
        because=(
            "The cited script counts 29 G operations for a call of 128 pieces. So we divide by the "
            "components of all 128 vectors. Here, too, the divisor is ours."
        ),
        general=General(
            says=(
                "Per word, too, static vectors cost tens of millions of times less than the "
                "contextual model, of whatever size."
            ),
            compares=True,
            beside=TEACHERS,
        ),
    ),
    Claim(
        id="gup-ratios",
        place="sections 4.1, 4.3",
        says=(
            "The corpora of GloVe, fastText and GloVe (Twitter) are about 650, 12 and 20 times "
            "larger than the paper's."
        ),
        needs=printed_in_text(TOKENS, WORDS, RATIO, models=LARGER_CORPORA),
        holds=corpora_as_printed,
        tolerance=(
            "the tokens of each corpus, divided by the words of the paper's corpus, are within "
            "{margin:%} of the printed ratio"
        ),
        print_only="the claim compares the sizes of four corpora, as they are printed",
    ),
    Claim(
        id="gup-speed",
        place="sections 4.1, 4.2",
        says="X2Static is trained in less time than the extraction of ASE takes.",
        needs=printed_in_text(DAYS, HOURS),
        holds=trained_faster,
        tolerance=(
            "for 12 and for 24 layers, the longest training takes less time than the extraction of "
            "ASE"
        ),
        because=(
            "The paper prints both times and does not compare them. ASE's time is for the words of "
            "four similarity sets, X2Static's for the full vocabulary."
        ),
        print_only="the claim compares hours and days on the authors' machines",
    ),
]
