"""The corpus "wiki-listed": running text whose words get their class from Wiki-PSE's lists.

The lists (`released`) give the classes of a word, not the class of an occurrence. More than half of
their words have one class alone, and an occurrence of such a word is labelled by the list; a word
of several classes is a mention without a class. So no ambiguous word can be probed here.

An occurrence counts where the name stands for itself:

    - the longest name of the list wins: "New York City" is no occurrence of "York";
    - its first word has a capital, and not only because it begins the sentence: the lists are in
      lower case, and "the office" of a text is not "The Office";
    - no capitalised word and no hyphen touches it, since that makes it part of a longer name.

`texts.zhao2020.label_audit` compares these labels with links whose classes we know.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from cwr.corpora import wiki_text
from cwr.corpora.sentences import Sentence, cut_into_sentences
from cwr.corpora.wiki_pse.mentions import MENTIONS, mention, text_of
from cwr.corpora.wiki_text.articles import of_sample

WORDS, CAP = 300_000, 20  # of the text; contexts of a word
LONGEST = 10  # words of a name
HYPHENS = ("-", "–")


def sentences() -> Iterator[Sentence]:
    """Reads the corpus "wiki-listed" from articles that neither our models nor "wiki-sample" have.

    Raises UserError where the text or the lists are not at hand and cannot be fetched.
    """
    from cwr.corpora.wiki_pse import released  # here, because pandas takes a second

    in_sample = of_sample()
    unread = itertools.islice(wiki_text.load("train"), wiki_text.READ, None)
    articles = (article for article in unread if article.id not in in_sample)
    return drawn(labelled(cut_into_sentences(articles), released.classes()))


def drawn(sentences: Iterable[Sentence], words: int = WORDS, cap: int = CAP) -> Iterator[Sentence]:
    """Selects the first labelled sentences that together have `words` words.

    Skips sentences without a name, and those whose names have all occurred in `cap` others.
    """
    total, counts = 0, Counter()
    for sentence in sentences:
        names = [row["target"] for row in sentence.annotations[MENTIONS] if row["class"]]
        if total >= words:
            return
        if any(counts[name] < cap for name in names):
            total += len(sentence.spans)
            counts.update(names)
            yield sentence


def labelled(sentences: Iterable[Sentence], classes: Mapping[str, str]) -> Iterator[Sentence]:
    """Adds a mention to sentences for each listed name; `target` is the name in lower case.

    classes: {name in lower case: its class, or ""} (`released.classes`).
    """
    for sentence in sentences:
        annotations = {**sentence.annotations, MENTIONS: _mentions(sentence, classes)}
        yield replace(sentence, annotations=annotations)


def _mentions(sentence: Sentence, classes: Mapping[str, str]) -> list[dict]:
    """Finds the names in a sentence from left to right, the longest first, without nesting."""
    words = sentence.words
    mentions, behind = [], 0
    for first in range(len(words)):
        last = _last_word(sentence, first, classes) if first >= behind else None
        if last is None:
            continue
        behind = last + 1
        if _stands_for_itself(words, first, last):
            name = text_of(sentence, first, last).lower()
            mentions.append(mention((first, last), classes[name], name, is_link=False))
    return mentions


def _last_word(sentence: Sentence, first: int, classes: Mapping[str, str]) -> int | None:
    """Finds the last word of the longest name that begins with a word; None if none does."""
    longest = min(first + LONGEST, len(sentence.spans))
    for last in range(longest - 1, first - 1, -1):
        if text_of(sentence, first, last).lower() in classes:
            return last
    return None


def _stands_for_itself(words: Sequence[str], first: int, last: int) -> bool:
    """Tells whether words `first` to `last` of a sentence are written as a whole name."""
    begins_sentence = first == 0 and not any(_has_capital(word) for word in words[1 : last + 1])
    touching = (*words[max(first - 1, 0) : first], *words[last + 1 : last + 2])
    is_part = any(_has_capital(word) or word in HYPHENS for word in touching)
    return _has_capital(words[first]) and not begins_sentence and not is_part


def _has_capital(word: str) -> bool:
    return word[:1].isupper()
