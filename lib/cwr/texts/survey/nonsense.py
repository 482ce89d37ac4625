"""Replaces content words by nonsense: "The cook burned the pie" as "The zorm blafed the tig".

Maudslay and Cotterell (2021), "jabberwocky": the tree of a sentence stays, and so do its function
words, its order and its endings; a model's knowledge of its content words is of no use. Theirs are
drawn from a database of English pseudowords; ours are made of syllables.
"""

from dataclasses import replace

from cwr.corpora.folds import stable_hash
from cwr.corpora.sentences import Corpus, Sentence, fingerprint
from cwr.errors import UserError

CONTENT = ("NOUN", "PROPN", "VERB", "ADJ", "ADV")
ENDINGS = ("ing", "ed", "ly", "s")  # that stay: they tell of the tree, not of the meaning
ONSETS = ("b", "bl", "d", "dr", "f", "fl", "g", "gl", "k", "kr", "m", "n", "p", "pl", "t", "tr")
VOWELS = ("a", "e", "i", "o", "u", "oo", "ai")
CODAS = ("b", "d", "f", "g", "k", "lm", "m", "n", "nk", "p", "rm", "sk", "t", "v", "x", "zz")


def without_content(corpus: Corpus, seed: int = 0) -> Corpus:
    """Replaces each content word of a corpus by a pseudoword; annotations and word counts stay.

    A word is content by its universal class. Each type has a pseudoword of its own, the same in all
    sentences, with its ending and its capital letter.
    Raises UserError for a corpus without word classes.
    """
    if not all("upos" in sentence.annotations for sentence in corpus.sentences):
        raise UserError(f"{corpus.name} has no word classes: take gum, or another treebank")
    sentences = tuple(_without_content(sentence, seed) for sentence in corpus.sentences)
    name = f"{corpus.name} without content"
    return Corpus(name, sentences, fingerprint(sentences), corpus.licence)


def _without_content(sentence: Sentence, seed: int) -> Sentence:
    text, spans, end = "", [], 0
    tags = sentence.annotations["upos"]
    for word, tag, (start, stop) in zip(sentence.words, tags, sentence.spans, strict=True):
        text += sentence.text[end:start]
        spans.append(len(text))
        text += pseudoword(word, seed) if tag in CONTENT else word
        end = stop
        spans[-1] = (spans[-1], len(text))
    return replace(sentence, text=text + sentence.text[end:], spans=tuple(spans))


def pseudoword(word: str, seed: int = 0) -> str:
    """Makes a word of one syllable, two for a long word, with the ending and capital of `word`."""
    lower = word.lower()
    ending = next((end for end in ENDINGS if lower.endswith(end) and len(lower) > len(end) + 2), "")
    stem = lower.removesuffix(ending)
    number, syllables = stable_hash(f"{seed}|{stem}"), ""
    for _ in range(1 + (len(stem) > 5)):
        for sounds in (ONSETS, VOWELS, CODAS):
            number, sound = divmod(number, len(sounds))
            syllables += sounds[sound]
    pseudo = syllables + ending
    return pseudo.capitalize() if word[:1].isupper() else pseudo
