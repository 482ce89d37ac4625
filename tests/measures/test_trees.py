"""Trees: distances against a walk over the edges, by hand, and that they give the tree back."""

from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr import corpora
from cwr.measures import trees
from cwr.measures.trees import ROOT

CYCLE, TWO_ROOTS, OUTSIDE = [1, 2, 0, ROOT], [ROOT, 0, ROOT], [ROOT, 0, 3]


@st.composite
def heads_of_trees(draw, most: int = 9) -> list[int]:
    """Heads of a random tree: grown word by word, then with its words in any order."""
    n = draw(st.integers(1, most))
    grown = [ROOT] + [draw(st.integers(0, word - 1)) for word in range(1, n)]
    place = draw(st.permutations(range(n)))
    heads = [ROOT] * n
    for word, head in enumerate(grown):
        heads[place[word]] = ROOT if head == ROOT else place[head]
    return heads


def walked(heads: list[int], start: int) -> list[int]:
    """Edges from a word to every word, by a walk in breadth over the edges."""
    neighbours = {word: [] for word in range(len(heads))}
    for word, head in enumerate(heads):
        if head != ROOT:
            neighbours[word].append(head)
            neighbours[head].append(word)
    steps, queue = {start: 0}, deque([start])
    while queue:
        word = queue.popleft()
        for other in neighbours[word]:
            if other not in steps:
                steps[other] = steps[word] + 1
                queue.append(other)
    return [steps[word] for word in range(len(heads))]


@given(heads_of_trees())
def test_distances_are_those_of_a_walk_over_the_edges(heads):
    assert trees.tree_distances(heads).tolist() == [
        walked(heads, i) for i in range(len(heads))
    ]


@given(heads_of_trees())
def test_a_depth_is_the_distance_to_the_root(heads):
    assert trees.depths(heads).tolist() == walked(heads, heads.index(ROOT))


def test_a_sentence_by_hand():
    heads = [1, 2, ROOT, 4, 2]  # the dog saw a cat
    assert trees.depths(heads).tolist() == [2, 1, 0, 2, 1]
    assert trees.tree_distances(heads)[0].tolist() == [0, 1, 2, 4, 3]


def rebuilt(distances: np.ndarray, depths: np.ndarray) -> list[int]:
    """The head of each word: the one at distance 1 that is less deep."""
    is_head = (distances == 1) & (depths[None] < depths[:, None])
    return [int(row.argmax()) if row.any() else ROOT for row in is_head]


@given(heads_of_trees())
def test_distances_and_depths_give_the_tree_back(heads):
    assert rebuilt(trees.tree_distances(heads), trees.depths(heads)) == heads


def test_they_give_back_every_tree_of_gum():
    sentences = corpora.load("gum").sentences
    heads = [sentence.annotations["heads"] for sentence in sentences]
    assert len(heads) == 3038
    assert all(
        rebuilt(trees.tree_distances(tree), trees.depths(tree)) == tree for tree in heads
    )


@pytest.mark.parametrize(
    "heads, sentence",
    [
        (CYCLE, "word 1 is above itself, a cycle"),
        (TWO_ROOTS, r"it needs one root and has 2: words \[1, 3\]"),
        ([0, 0], "it needs one root and has 0"),
        (OUTSIDE, "word 3 of 3 has head 4, which is no word"),
        ([ROOT, -2], "word 2 of 2 has head -1, which is no word"),
        ([], "it needs one root and has 0"),
    ],
)
@pytest.mark.parametrize(
    "function", [trees.tree_distances, trees.depths, trees.refuse_no_tree]
)
def test_what_is_no_tree_is_refused(function, heads, sentence):
    with pytest.raises(ValueError, match=sentence):
        function(heads)
