"""Claims of Biś et al. (2021), section 2: how words and tokens are spread, and two antonyms.

Section 2.1 with footnote 3, and section 2.2 with Figure 4.

    D = draws
"""

from functools import partial

import numpy as np

from cwr.papers.claims import Claim, Needs
from cwr.papers.predicates import at_least, at_most, every, ratio
from cwr.tables import Missing, Table, concatenated
from cwr.texts.bis2021.claims.readings import LANGUAGE_MODELS, NO_VALUES, as_numbers, comparing

COVER = "types_to_cover"  # the share of the text, in per cent, is k
SLOPE_TOKENS, SLOPE_WORDS = "zipf_slope_tokens", "zipf_slope_words"
# shares of the words of a text: all that are cut into pieces, the commonest of these, of all
SPLIT, COMMONEST_SPLIT = "split_words_share", "commonest_split_word_share"
COMMONEST = "commonest_word_share"
ANTONYM = "antonym_minus_synonym_cosine"

CNN = ("CNN News",)
CORPUS = (
    "The paper prints only the number itself, so a count on the CNN/DailyMail text must decide."
)
NO_COUNT = "The paper prints no number, so a count must decide."


def types_cover(table: Table, percent: int, high: int, low: int = 0) -> np.ndarray:
    """Tests whether the number of types for a share of CNN News, in per cent, lies in a range."""
    types = table.at(as_numbers(table, "k") == percent).value(COVER)
    name = f"types for {percent} %"
    return at_least(table, types, low, name) & at_most(table, types, high, name)


def slopes_are_alike(table: Table, margin: float = 0.2) -> np.ndarray:
    """Tests whether token and word frequencies fall equally fast, by text and tokeniser."""
    texts, words = table.over("dataset", SLOPE_WORDS, at_least=1)
    differences, labels = [], []
    for position, text in enumerate(texts):
        tokens = table.values(SLOPE_TOKENS, dataset=text)
        differences.append(tokens - words[:, [position]])
        labels += [text] * tokens.shape[1]
    differences = concatenated(differences)  # (D, texts and tokenisers)
    return every(table, np.abs(differences) <= margin, labels, differences)


def is_far_below_commonest(table: Table, measure: str) -> np.ndarray:
    """Tests whether a share of words is a hundredth of the commonest word's, in each text.

    Raises Missing if no text has such a share.
    """
    shares, labels = [], []
    for text in table.where(measure=measure).rows.distinct("dataset"):
        commonest = table.values(COMMONEST, dataset=text).max(axis=1, keepdims=True)
        of_text = table.where(measure=measure, dataset=text)
        shares.append(ratio(table, of_text.values(measure), commonest, "share of words"))
        labels += [(text, model) for model in of_text.rows.listed("model")]
    if not shares:
        raise Missing(measure.replace("_", " "))
    return at_most(table, concatenated(shares), 0.01, labels)


def antonym_is_no_farther(table: Table) -> np.ndarray:
    """Tests whether the antonym is at least as near by cosine as the synonym, in one model."""
    return at_least(table, table.value(ANTONYM), 0, "antonym less synonym")


FREQUENCIES = [
    Claim(
        id="bis-zipf-13",
        place="section 2.2",
        says="13 types make up over 30 % of the tokens of CNN News.",
        needs=comparing(COVER, datasets=CNN),
        holds=partial(types_cover, percent=30, high=13),
        tolerance="at most {high} types make up {percent} % of CNN News",
        unprinted=CORPUS,
    ),
    Claim(
        id="bis-zipf-85",
        place="section 2.2",
        says="85 types make up 50 % of the tokens of CNN News.",
        needs=comparing(COVER, datasets=CNN),
        holds=partial(types_cover, percent=50, high=85),
        tolerance="at most {high} types make up {percent} % of CNN News",
        unprinted=CORPUS,
    ),
    Claim(
        id="bis-zipf-15000",
        place="section 2.2",
        says="Nearly 15,000 types are needed for 98 % of the tokens of CNN News.",
        needs=comparing(COVER, datasets=CNN),
        holds=partial(types_cover, percent=98, low=14000, high=15500),
        tolerance="{low:,} to {high:,} types make up {percent} % of CNN News",
        because=(
            'We read "nearly" as allowing a deviation on either side. The text names neither '
            "the part of the corpus that was counted nor its casing."
        ),
        unprinted=CORPUS,
    ),
    Claim(
        id="bis-token-zipf",
        place="section 2.2; Figure 4",
        says="Word-piece tokens follow about the same frequency distribution as words.",
        needs=comparing(SLOPE_TOKENS, SLOPE_WORDS),
        holds=slopes_are_alike,
        tolerance=(
            "the log-log slopes of ranks 10 to 1,000 are within {margin} of each other, in every "
            "text"
        ),
        because='The text gives no number for "approximately", and no range of ranks for a slope.',
        unprinted=NO_VALUES,
    ),
    Claim(
        id="bis-split-words-rare",
        place="section 2.2",
        says="The words that are cut into pieces are rare: even together they are orders of "
        "magnitude less frequent than the commonest words.",
        needs=comparing(SPLIT, COMMONEST),
        holds=partial(is_far_below_commonest, measure=SPLIT),
        tolerance=(
            "all cut words together have at most a hundredth of the share of the commonest "
            "word, in every text, for every tokeniser"
        ),
        because=(
            '"Their combined frequency" is that of all cut words together; for "the most common '
            'words" we take the commonest word. We read "orders of magnitude" as two.'
        ),
        unprinted=NO_COUNT,
    ),
    Claim(
        id="bis-split-words-rare.each",
        place="section 2.2",
        says="Each word that is cut into pieces is orders of magnitude less frequent than the "
        "commonest word.",
        needs=comparing(COMMONEST_SPLIT, COMMONEST),
        holds=partial(is_far_below_commonest, measure=COMMONEST_SPLIT),
        tolerance=(
            "the commonest cut word has at most a hundredth of the share of the commonest word, "
            "in every text, for every tokeniser"
        ),
        because=(
            "This is the kinder reading: the argument requires that each cut word is rare, not "
            "that all together are. We split the text into words ourselves, since BERT's "
            "tokeniser would cut a possessive 's into two pieces."
        ),
        unprinted=NO_COUNT,
    ),
    Claim(
        id="bis-antonyms-no-farther",
        place="section 2.1 and footnote 3",
        says='"Dilapidated" is no farther from its antonym "reconditioned" than from its synonym '
        '"ruined".',
        needs=Needs(measures=(ANTONYM,), families=LANGUAGE_MODELS),
        holds=antonym_is_no_farther,
        tolerance='in each model the cosine with "reconditioned" is at least that with "ruined"',
        because=(
            'The sentence of the paper is conditional ("if"). Its footnote shows that one '
            "fine-tuned model treats the three words alike. The cosine and the mean of the rows "
            "of a word's pieces are our choices."
        ),
        unprinted="The paper prints no distance, so a run must decide.",
    ),
]
