"""Claims of Biś et al. (2021) about rare words: tokens that never occur, and how tokens are spread.

Figure 3 with section 4.2, and Figure 4 with section 2.2.

    D = draws, N = bins of the vocabulary
"""
import numpy as np

from cwr.papers.bis2021.readings import CHECKPOINTS, NO_VALUES, numbers
from cwr.papers.claims import AnyModel, Claim, Needs, Predicate
from cwr.papers.predicates import above, at_least, at_most, every, near, rank_correlation
from cwr.tables import Table, concatenated

MASKED = ("masked",)
# by range of the vocabulary (key column `class`); by bin of 1,000 rows (key column k); by bin of
# counted frequency, rarer ones with a higher k
UNUSED = "unused_mean_cosine"
BINS, FREQUENCY_BINS = f"{UNUSED}_by_bin", f"{UNUSED}_by_frequency"
LAST_ROWS = "last_rows_mean_cosine_by_bin"
TOKENS, INPUTS, TARGETS = "unused_tokens", "unused_input_share", "unused_target_share"
COVER = "types_to_cover"                        # the share of the text, in per cent, is k
SLOPE_TOKENS, SLOPE_WORDS = "zipf_slope_tokens", "zipf_slope_words"

UNCASED, CASED = ("BERT-base-uncased",), ("BERT-base-cased",)
ROBERTA = ("RoBERTa-base", "RoBERTa-large")
CNN = ("CNN News",)
CORPUS = "A count on the CNN/DailyMail text decides; the text prints only the number itself."
VOCABULARY = "It is tied to BERT's uncased vocabulary."


def unused_cosine_is(name: str, value: float) -> Predicate:
    """A predicate: unused tokens and those of one range have the mean cosine that is printed."""
    def holds(table: Table) -> np.ndarray:
        cosine = table.value(UNUSED, **{"class": name})
        return near(table, cosine, value, 0.005, f"mean cosine with {name}")
    return holds


def rises(table: Table, measure: str, fewest: int = 5) -> np.ndarray:
    """Whether a measure of one model rises with the bin: rank correlation above 0.8.

    Raises Missing for fewer bins than `fewest`.
    """
    labels, values = table.over("k", measure, at_least=fewest)
    bins = np.array(labels, dtype=float)
    order = rank_correlation(table, values, bins, "mean cosine by bin", "bins")
    return above(table, order, 0.8, "Spearman correlation")


def rises_over_frequency_range(table: Table) -> np.ndarray:
    """Whether unused tokens are nearer to higher bins, over those ordered by frequency, 2 to 28."""
    bins = numbers(table, "k")
    return rises(table.at((bins >= 2) & (bins <= 28)), BINS, fewest=27)


def rises_with_rarity(table: Table) -> np.ndarray:
    """Whether tokens that never occur are nearer to rarer tokens, over five bins at least."""
    return rises(table, FREQUENCY_BINS)


def rises_in_both(table: Table) -> np.ndarray:
    """Whether the last rows are nearer to higher bins in both RoBERTa models."""
    parts = table.where(model=ROBERTA).with_measure(LAST_ROWS, at_least=len(ROBERTA))
    truth = np.stack([rises(part, LAST_ROWS) for part in parts.values()], axis=1)
    return every(table, truth, list(parts))


def number_of_unused_is(model: str, number: int) -> Predicate:
    """A predicate: the vocabulary of a model has this many unused tokens."""
    def holds(table: Table) -> np.ndarray:
        return near(table, table.value(TOKENS, model=model), number, 0, f"unused tokens of {model}")
    return holds


def never_seen(table: Table) -> np.ndarray:
    """Whether unused tokens are neither inputs nor targets."""
    never_inputs = at_most(table, table.value(INPUTS), 0, "share of inputs")
    return never_targets(table) & never_inputs


def never_targets(table: Table) -> np.ndarray:
    """Whether unused tokens are never targets."""
    return at_most(table, table.value(TARGETS), 0, "share of targets")


def types_cover(percent: int, low: float, high: float) -> Predicate:
    """A predicate: the number of types for a share of CNN News, in per cent, lies in a range."""
    def holds(table: Table) -> np.ndarray:
        types = table.at(numbers(table, "k") == percent).value(COVER, dataset=CNN)
        name = f"types for {percent} %"
        return at_least(table, types, low, name) & at_most(table, types, high, name)
    return holds


def slopes_are_alike(table: Table) -> np.ndarray:
    """Whether frequencies of tokens and words fall equally fast, in each text by each tokeniser."""
    texts, words = table.over("dataset", SLOPE_WORDS, at_least=1)
    differences, labels = [], []
    for position, text in enumerate(texts):
        tokens = table.values(SLOPE_TOKENS, dataset=text)
        differences.append(tokens - words[:, [position]])
        labels += [text] * tokens.shape[1]
    differences = concatenated(differences)                 # (D, texts and tokenisers)
    return every(table, np.abs(differences) <= 0.2, labels, differences)


UNUSED_TOKENS = [
    Claim(
        id="bis-unused-rare-063",
        place="section 4.2",
        says="Unused and rare tokens (28500-29500) have a mean cosine of 0.63.",
        needs=Needs(measures=(UNUSED,), families=MASKED, models=UNCASED),
        holds=unused_cosine_is("28500-29500", 0.63),
        tolerance="0.63 +- 0.005",
        because="Only the uncased vocabulary reaches that far.",
        unprinted=CHECKPOINTS,
        any_model=VOCABULARY,
    ),
    Claim(
        id="bis-unused-frequent-027",
        place="section 4.2",
        says="Unused and frequent tokens (2000-3000) have a mean cosine of 0.27.",
        needs=Needs(measures=(UNUSED,), families=MASKED, models=UNCASED),
        holds=unused_cosine_is("2000-3000", 0.27),
        tolerance="0.27 +- 0.005",
        because="The range is one of the uncased vocabulary, as that of the rare tokens is.",
        unprinted=CHECKPOINTS,
        any_model=VOCABULARY,
    ),
    Claim(
        id="bis-unused-monotone",
        place="section 4.2; Figure 3",
        says="Unused tokens are the closer to a token the rarer it is.",
        needs=Needs(measures=(BINS,), families=MASKED, models=UNCASED),
        holds=rises_over_frequency_range,
        tolerance="Spearman correlation of bin and mean cosine > 0.8, bins 2 to 28",
        because="Bins 0, 1 and the last ones of the uncased vocabulary hold characters and "
                "pieces, not a range of frequencies.",
        unprinted=NO_VALUES,
        any_model=AnyModel(
            says="Tokens that never occur are the closer to a token the rarer it is.",
            measures=(FREQUENCY_BINS,),
            holds=rises_with_rarity,
            tolerance="Spearman correlation of frequency bin (a rarer one is higher) and mean "
                      "cosine > 0.8, five bins at least",
        ),
    ),
    Claim(
        id="bis-unused-count",
        place="section 4.2",
        says="BERT's vocabulary has 994 unused tokens.",
        needs=Needs(measures=(TOKENS,), families=(), compares=True, models=UNCASED),
        holds=number_of_unused_is("BERT-base-uncased", 994),
        tolerance="994 in the uncased vocabulary file",
        because="Section 4.2 says only \"BERT\", and the released script loads the uncased model.",
        any_model=VOCABULARY,
    ),
    Claim(
        id="bis-unused-count.caption",
        place="Figure 3",
        says="The cased model that the caption names has 994 unused tokens.",
        needs=Needs(measures=(TOKENS,), families=(), compares=True, models=CASED),
        holds=number_of_unused_is("BERT-base-cased", 994),
        tolerance="994 in the cased vocabulary file",
        because="That file has 101: the caption's \"BERT-base-case\" is a slip.",
        any_model="It is tied to BERT's cased vocabulary.",
    ),
    Claim(
        id="bis-unused-never-seen",
        place="section 4.2",
        says="The unused tokens were neither inputs nor targets in pre-training.",
        needs=Needs(measures=(INPUTS, TARGETS), families=MASKED, models=UNCASED),
        holds=never_seen,
        tolerance="expected share of inputs = 0, and share of targets = 0",
        because="BERT's public script replaces some inputs by random entries of the whole "
                "vocabulary; that the released checkpoints were made with it is an assumption.",
        any_model="It is tied to BERT's recipe.",
    ),
    Claim(
        id="bis-unused-never-seen.targets",
        place="section 4.2",
        says="The unused tokens were never targets in pre-training.",
        needs=Needs(measures=(TARGETS,), families=MASKED, models=UNCASED),
        holds=never_targets,
        tolerance="share of targets = 0",
        because="This is the kinder reading, and what the argument needs: targets are words of "
                "the text.",
        any_model="It is tied to BERT's recipe.",
    ),
    Claim(
        id="bis-roberta-last1000",
        place="footnote 7",
        says="RoBERTa's last 1,000 rows show the pattern of the unused tokens.",
        needs=Needs(measures=(LAST_ROWS,), families=MASKED, compares=True, models=ROBERTA),
        holds=rises_in_both,
        tolerance="Spearman correlation of bin and mean cosine > 0.8, in RoBERTa-base and in "
                  "RoBERTa-large",
        because="The footnote says only \"RoBERTa\"; the paper looks at two, with one vocabulary.",
        unprinted=CHECKPOINTS,
        any_model="It is tied to RoBERTa's vocabulary.",
    ),
]

FREQUENCIES = [
    Claim(
        id="bis-zipf-13",
        place="section 2.2",
        says="13 types make up over 30 % of the tokens of CNN News.",
        needs=Needs(measures=(COVER,), families=(), compares=True, datasets=CNN),
        holds=types_cover(30, 0, 13),
        tolerance="at most 13 types for 30 % of CNN News",
        unprinted=CORPUS,
    ),
    Claim(
        id="bis-zipf-85",
        place="section 2.2",
        says="85 types make up 50 % of the tokens of CNN News.",
        needs=Needs(measures=(COVER,), families=(), compares=True, datasets=CNN),
        holds=types_cover(50, 0, 85),
        tolerance="at most 85 types for 50 % of CNN News",
        unprinted=CORPUS,
    ),
    Claim(
        id="bis-zipf-15000",
        place="section 2.2",
        says="Nearly 15,000 types are needed for 98 % of the tokens of CNN News.",
        needs=Needs(measures=(COVER,), families=(), compares=True, datasets=CNN),
        holds=types_cover(98, 14000, 15500),
        tolerance="14,000 to 15,500 types for 98 % of CNN News",
        because="\"Nearly\" is read with room on both sides: the text does not say which "
                "part of the corpus, and which casing, was counted.",
        unprinted=CORPUS,
    ),
    Claim(
        id="bis-token-zipf",
        place="section 2.2; Figure 4",
        says="Tokens follow about the distribution that words follow.",
        needs=Needs(measures=(SLOPE_TOKENS, SLOPE_WORDS), families=(), compares=True),
        holds=slopes_are_alike,
        tolerance="log-log slopes of ranks 10 to 1,000 within 0.2 of each other, in every text",
        because="\"Approximately\" has no number in the text; between ranks 10 and 1,000 both "
                "curves are nearly straight.",
        unprinted=NO_VALUES,
    ),
]
