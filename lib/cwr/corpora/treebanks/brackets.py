"""Parses phrase trees in the brackets of the Penn Treebank: constituents as spans of words.

    (ROOT (S (NP-SBJ (DT The) (NN cook)) (VP (VBD burned) (NP (PRP it))) (. .)))

Each innermost bracket is a word with its class, every other one a constituent: [first, last,
category], its words counted from 0, inclusive. The category stands before the first "-" or "=": NP
of NP-SBJ, a subject. Brackets within a word of the text are written -LRB-, -RRB-, …
"""

import re

Constituent = list  # [first, last, category]

SIGN = re.compile(r"\((?P<label>[^()\s]*)|(?P<close>\))|(?P<word>[^()\s]+)")
LEAF = re.compile(r"\((?P<label>[^()\s]+)\s+(?P<word>[^()\s]+)\)")
TRACE = re.compile(r"\(-NONE-\s+[^()\s]+\)")  # what was moved or left out: no word of the text
EMPTY = re.compile(r"\([^()\s]*\s*\)")
ESCAPED = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "\\/": "/", "\\*": "*"}
TOP = ("ROOT", "TOP", "")  # what a file puts around a sentence: no constituent of it
WORD = ""  # the label of a bracket around a word, once the word is read


def parsed(tree: str) -> tuple[list[str], list[Constituent]]:
    """Parses a tree in brackets into words and constituents, in the order of opening brackets.

    Two constituents can have the same words, if one is the whole of the other.
    Raises ValueError for a bracket that is never closed or never opened, a bracket without a word,
    a word without its class, and a second tree.
    """
    words, constituents, opened, previous = [], [], [], ""
    for sign in SIGN.finditer(tree):
        if constituents and not opened:
            raise ValueError(f"{sign.group()!r} stands behind the tree's last bracket")
        if sign.lastgroup == "label":
            opened.append(len(constituents))
            constituents.append([len(words), -1, sign["label"]])
        elif sign.lastgroup == "close":
            _close(opened, constituents, len(words))
        elif previous != "label":
            raise ValueError(f"the word {sign['word']!r} has no class before it")
        else:
            words.append(unescaped(sign["word"]))
            constituents[opened[-1]][2] = WORD
        previous = sign.lastgroup
    if opened:
        first, _, label = constituents[opened[-1]]
        raise ValueError(f"the bracket ({label} that word {first + 1} opens is never closed")
    return words, [[a, b, category(label)] for a, b, label in constituents if label not in TOP]


def leaves(tree: str) -> list[tuple[str, str]]:
    """Returns the words of a tree, each with its class: [(word, class)]."""
    return [(unescaped(leaf["word"]), leaf["label"]) for leaf in LEAF.finditer(tree)]


def without_traces(tree: str) -> str:
    """Removes traces from a tree, and phrases that contain only traces."""
    tree, number = TRACE.subn("", tree)
    while number:
        tree, number = EMPTY.subn("", tree)
    return tree


def _close(opened: list[int], constituents: list[Constituent], n: int) -> None:
    """Ends the bracket that was opened last, before word n."""
    if not opened:
        raise ValueError("its first bracket closes what was never opened")
    number = opened.pop()
    first, _, label = constituents[number]
    if first == n:
        raise ValueError(f"the bracket ({label} behind word {n} has no word")
    constituents[number][1] = n - 1


def category(label: str) -> str:
    """Strips the function from a constituent's label: "NP-SBJ" and "NP=2" become "NP"."""
    return re.split("[-=]", label, maxsplit=1)[0]


def unescaped(word: str) -> str:
    """Restores a word's spelling in its text: brackets for -LRB- and the like."""
    for written, bracket in ESCAPED.items():
        word = word.replace(written, bracket)
    return word
