"""Answers to the assignment `survey_trees`: right ones, and one for each mistake told by name.

An answer is the text of a solution cell. A wrong one goes with the checks that it loses; SENTENCES
has what the first of them says.
"""

WALKS = """def tree_distances(heads):
    paths = []
    for word in range(1, len(heads) + 1):
        path = [word]
        while heads[path[-1] - 1] > 0:
            path.append(heads[path[-1] - 1])
        paths.append(set(path))
    return [[len(one ^ other) for other in paths] for one in paths]"""
PLAIN = """def distances(vectors):
    products = vectors @ vectors.T
    squares = np.diagonal(products)
    return np.sqrt(np.maximum(squares[:, None] + squares - 2 * products, 0))"""
BY_LENGTH = """def spanning_tree(distances):
    n = len(distances)
    pairs = [(i, j) for j in range(n) for i in range(j)]
    group, edges = list(range(n)), set()
    for i, j in sorted(pairs, key=lambda pair: distances[pair], reverse={longest}):
        if group[i] != group[j]:
            edges.add((i, j))
            group = [group[i] if of == group[j] else of for of in group]
    return edges"""
FROM_NOUGHT = """def tree_distances(heads):
    n = len(heads)
    steps = np.full((n, n), n)
    for word, head in enumerate(heads):
        steps[word, word] = 0
        if 0 < head < n:
            steps[word, head] = steps[head, word] = 1
    for middle in range(n):
        steps = np.minimum(steps, steps[:, [middle]] + steps[[middle]])
    return steps"""
ONE_TREE = """def common_edges(vectors, heads, keep):
    kept = np.flatnonzero(keep)
    among = np.ix_(kept, kept)
    gold = spanning_tree(np.array(tree_distances(heads)){gold})
    predicted = spanning_tree(np.array(distances(vectors)){predicted})
    return len(gold & predicted), len(gold)"""
MEAN = """def uuas(sentences):
    counts = [common_edges(*one) for one in sentences]
    return np.mean([common / total for common, total in counts])"""

RIGHT = {
    "plain": {
        "tree-distances": WALKS,
        "distances": PLAIN,
        "spanning-tree": BY_LENGTH.format(longest=False),
    },
}
WRONG = {
    "from_nought": ({"tree-distances": FROM_NOUGHT}, {"check-heads"}),
    "longest": (
        {"spanning-tree": BY_LENGTH.format(longest=True)},
        {"check-shortest", "check-nought"},
    ),
    "out_of_gold_alone": (
        {"common-edges": ONE_TREE.format(gold="[among]", predicted="")},
        {"check-punctuation", "check-definition"},
    ),
    "out_of_vectors_alone": (
        {"common-edges": ONE_TREE.format(gold="", predicted="[among]")},
        {"check-punctuation", "check-definition"},
    ),
    "mean_over_sentences": ({"uuas": MEAN}, {"check-micro"}),
}
SENTENCES = {  # student: the check of the mistake, and words of its sentence
    "from_nought": ("check-heads", "heads are counted from 1"),
    "longest": ("check-shortest", "that is the maximum spanning tree"),
    "out_of_gold_alone": ("check-punctuation", "out of both trees"),
    "out_of_vectors_alone": ("check-punctuation", "out of both trees"),
    "mean_over_sentences": ("check-micro", "the shares of sentences are averaged"),
}
