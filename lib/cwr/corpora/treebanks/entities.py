"""Parses entities, spans of words with a class, from the two notations of files.

In all treebanks here an entity is [first, last, class], its first and last word counted from 0,
inclusive. Files write them in two ways:

    GUM         "(2-person-…" on the first word, "2)" on the last, "(3-place-…)" on a single one:
                entities nest, and entities of one number in a document are one chain of coreference
    tags        "B-PER", "I-PER", "O" on each word: entities of one class cannot lie in each other.
                IOB2 has B on every first word, IOB1 only where two entities of a class touch
"""

import re
from collections.abc import Iterable, Sequence

Entity = list  # [first, last, class]

# (chain-class-other attributes, and a parenthesis if the entity ends here; or: chain)
BRACKET = re.compile(r"\((\d+)-([a-z]+)-[^()]*(\))?|(\d+)\)")
OUTSIDE = "O"


def nested(values: Sequence[str]) -> tuple[list[Entity], list[int]]:
    """Parses entities and their chains from GUM's entries for words, in the order of first words.

    values: the entry `Entity` of each word, "" for none. A closing bracket ends the entity of its
    chain that was opened last.
    Raises ValueError for an entity that is never closed or never opened, and for other signs.
    """
    entities, chains, opened = [], [], []
    for word, value in enumerate(values):
        if BRACKET.sub("", value):
            raise ValueError(f"word {word + 1} has {value!r}, which opens or closes no entity")
        for chain, kind, is_single, closed in BRACKET.findall(value):
            if chain:
                entities.append([word, word, kind])
                chains.append(int(chain))
            if chain and not is_single:
                opened.append(len(entities) - 1)
            if closed:
                entities[_last_of(int(closed), opened, chains)][1] = word
    if opened:
        first, _, kind = entities[opened[-1]]
        raise ValueError(f"the {kind} that word {first + 1} opens is never closed")
    return entities, chains


def _last_of(chain: int, opened: list[int], chains: Sequence[int]) -> int:
    """Takes the entity of a chain that was opened last off the stack, and returns it."""
    for number in reversed(opened):
        if chains[number] == chain:
            opened.remove(number)
            return number
    raise ValueError(f"entity {chain} is closed and was never opened")


def tagged(tags: Iterable[str]) -> list[Entity]:
    """Parses entities from words' IOB1 or IOB2 tags; each begins at B, or where the class changes.

    Raises ValueError for a tag that is neither "O" nor "B-" or "I-" and a class.
    """
    entities, previous = [], ""
    for word, tag in enumerate(tags):
        mark, _, kind = tag.partition("-")
        if tag != OUTSIDE and (mark not in ("B", "I") or not kind):
            raise ValueError(f"word {word + 1} has the tag {tag!r}: give O, B-CLASS or I-CLASS")
        if mark == "B" or kind != previous:
            entities += [[word, word, kind]] if kind else []
        elif kind:
            entities[-1][1] = word
        previous = kind
    return entities


def tags(entities: Iterable[Entity], n: int) -> list[str]:
    """Converts entities to the IOB2 tags of n words, the inverse of `tagged`.

    Raises ValueError for entities that share a word: a word has one tag.
    """
    tags = [OUTSIDE] * n
    for first, last, kind in entities:
        if set(tags[first : last + 1]) != {OUTSIDE}:
            raise ValueError(f"entities overlap at words {first + 1} to {last + 1}")
        tags[first : last + 1] = [f"B-{kind}"] + [f"I-{kind}"] * (last - first)
    return tags
