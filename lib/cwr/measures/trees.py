"""Computes depths and distances (numbers of edges) of words in dependency trees.

A tree is a list of heads: the index of each word's head, counted from 0, and ROOT for one word.

    n words of a sentence
"""

from collections.abc import Sequence

import numpy as np

ROOT = -1  # the head of the word that has none


def refuse_no_tree(heads: Sequence[int]) -> None:
    """Raises ValueError unless the heads (counted from 0, ROOT for one word) make one tree.

    Not a tree: a head that is no word of the sentence, no root or several roots, a cycle.
    """
    n = len(heads)
    outside = [word for word, head in enumerate(heads) if not ROOT <= head < n]
    if outside:
        word = outside[0]
        raise ValueError(f"word {word + 1} of {n} has head {heads[word] + 1}, which is no word")
    roots = [word + 1 for word, head in enumerate(heads) if head == ROOT]
    if len(roots) != 1:
        raise ValueError(f"it needs one root and has {len(roots)}: words {roots}")
    rooted = {ROOT}
    for word in range(n):
        path = []
        while word not in rooted:
            if word in path:
                raise ValueError(f"word {word + 1} is above itself, a cycle")
            path.append(word)
            word = heads[word]
        rooted.update(path)


def is_above(heads: Sequence[int]) -> np.ndarray:
    """Marks each word and its ancestors: [i, j] tells whether j is i or above i, (n, n) bool.

    Row i marks the words on the path from word i to the root. heads: (n,), see the module.
    Raises ValueError as `refuse_no_tree`.
    """
    refuse_no_tree(heads)
    above = np.eye(len(heads), dtype=bool)
    for word, head in enumerate(heads):
        while head != ROOT:
            above[word, head] = True
            head = heads[head]
    return above


def depths(heads: Sequence[int]) -> np.ndarray:
    """Counts the edges between each word and the root, (n,) int; 0 for the root.

    Raises ValueError as `refuse_no_tree`.
    """
    return is_above(heads).sum(axis=1) - 1


def tree_distances(heads: Sequence[int]) -> np.ndarray:
    """Counts the edges between every two words, (n, n) int.

    The count is depth(i) + depth(j) - 2 depth(a), where a is the lowest word above both. The words
    above both are a and the words above a: depth(a) + 1 words.
    Raises ValueError as `refuse_no_tree`.
    """
    above = is_above(heads).astype(int)
    of_word = above.sum(axis=1) - 1
    of_common = above @ above.T - 1  # (n, n) the depth of the lowest common one
    return of_word[:, None] + of_word - 2 * of_common
