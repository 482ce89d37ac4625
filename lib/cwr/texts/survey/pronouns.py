"""Finds pronouns of the third person whose antecedent stands before them in the same sentence.

Peters et al. (2018b), "unsupervised coreference": of the nouns before a pronoun that agree with it
in number, which one is its antecedent? Theirs are 904 sentences of OntoNotes; ours are read from
any corpus with word classes, heads, constituents and chains of coreference, such as "gum".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cwr.corpora.sentences import Corpus, Sentence
from cwr.corpora.treebanks.labels import ENTITIES, annotations
from cwr.texts.survey.phrases import NOUNS

SINGULAR = "he him his himself she her hers herself it its itself".split()
PLURAL = "they them their theirs themselves".split()
THIRD_PERSON = frozenset((*SINGULAR, *PLURAL))
PRONOUN = "PRON"
PLURAL_NOUNS = ("NNS", "NNPS")
READ = ("upos", "xpos", "heads", ENTITIES, "chains", "constituents")
LEAST_NOUNS = 2  # with one noun before it a pronoun is no question


@dataclass(frozen=True)
class Pronoun:
    """A pronoun and its candidate antecedents; words are counted from 0.

    sentence, document: numbers in the corpus. word: the pronoun. phrase: first and last word of the
    smallest constituent around it with several words. nouns: those before the pronoun, in order.
    agrees, is_antecedent: (nouns), whether each has the pronoun's number, and whether it is the
    head of an earlier mention of the same thing.
    """

    sentence: int
    document: int
    word: int
    phrase: tuple[int, int]
    nouns: tuple[int, ...]
    agrees: tuple[bool, ...]
    is_antecedent: tuple[bool, ...]


def pronouns(corpus: Corpus) -> list[Pronoun]:
    """Lists all pronouns of the third person with two nouns before them, one of them an antecedent.

    Raises UserError for a corpus without one of the annotations in READ.
    """
    for name in READ:
        annotations(corpus, name)
    items = []
    for number, sentence in enumerate(corpus.sentences):
        items += _of_sentence(sentence, number)
    return items


def _of_sentence(sentence: Sentence, number: int) -> Iterator[Pronoun]:
    about = sentence.annotations
    nouns = [word for word, tag in enumerate(about["upos"]) if tag in NOUNS]
    mentions = list(zip(about[ENTITIES], about["chains"], strict=True))
    for (word, last, _), chain in mentions:
        form = sentence.words[word].lower()
        before = tuple(noun for noun in nouns if noun < word)
        is_asked = last == word and about["upos"][word] == PRONOUN and form in THIRD_PERSON
        if not is_asked or len(before) < LEAST_NOUNS:
            continue
        earlier = [(a, b) for (a, b, _), other in mentions if other == chain and b < word]
        heads = {head(span, about["heads"]) for span in earlier}
        if not heads & set(before):
            continue
        is_plural = form in PLURAL
        agrees = tuple((about["xpos"][noun] in PLURAL_NOUNS) == is_plural for noun in before)
        phrase = smallest_around(word, about["constituents"], len(sentence.spans))
        is_antecedent = tuple(noun in heads for noun in before)
        yield Pronoun(number, sentence.document, word, phrase, before, agrees, is_antecedent)


def head(span: tuple[int, int], heads: Sequence[int]) -> int:
    """Returns the first word of a span whose head lies outside of it."""
    first, last = span
    return next(word for word in range(first, last + 1) if not first <= heads[word] <= last)


def smallest_around(word: int, constituents: Sequence, n: int) -> tuple[int, int]:
    """Returns first and last word of the smallest constituent with this word and another one.

    Returns the whole sentence of n words if there is none.
    """
    around = [(a, b) for a, b, _ in constituents if a <= word <= b and b > a]
    return min(around, key=lambda span: span[1] - span[0], default=(0, n - 1))
