"""Finds the noun phrases of a dependency tree: a noun with the words before it that belong to it.

A word belongs to the phrase of the noun that it reaches by the relations in MEMBERS:

    the Russian government 's new budget          his father 's house
     det  amod   <- nmod:poss ---- amod <- root   nmod:poss -> <- nmod:poss

The sentence fixes neither whether *his father* is a phrase of its own or a part of *his father's
house*, nor whether *Angela Merkel* is one: both are switches, since they decide the sign of
results on such phrases.
"""

from collections.abc import Sequence

NOUNS = ("NOUN", "PROPN")
MEMBERS = ("det", "amod", "nummod", "compound", "nmod:poss")
NAMES = "flat"  # relation of the second and later words of a name to its first
NO_PHRASE = -1


def noun_phrases(
    heads: Sequence[int],
    relations: Sequence[str],
    upos: Sequence[str],
    names: bool = True,
    nested: bool = True,
) -> list[int]:
    """Assigns each word its noun phrase, by the index of the phrase's noun; NO_PHRASE for none.

    heads: counted from 0; like the other two, of one sentence. names: True: the words of a name are
    one phrase; False: each is one. nested: True: a phrase that belongs to another's noun is part of
    that phrase; False: only its noun is, and its other words stay with the noun's own phrase.
    """
    members = (*MEMBERS, NAMES) if names else MEMBERS
    joins = []  # the noun above each word, by one relation
    for head, relation in zip(heads, relations, strict=True):
        is_joined = relation in members and head >= 0 and upos[head] in NOUNS
        joins.append(head if is_joined else None)
    phrases = []
    for word in range(len(upos)):
        top = word if joins[word] is None else joins[word]
        while nested and joins[top] is not None:
            top = joins[top]
        phrases.append(top if upos[top] in NOUNS else NO_PHRASE)
    return phrases
