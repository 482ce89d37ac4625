"""Answers to the assignment `static_words`: right ones, and one for each mistake told by name.

An answer is the text of a solution cell. A wrong one goes with the checks that it loses; SENTENCES
has what the first of them says.
"""

EIGENVECTORS = """def first_principal_vector(X):
    X = np.array(X, dtype=float)
    v = np.linalg.eigh(X.T @ X)[1][:, -1]
    left = X @ v
    return v if max(left, key=abs) > 0 else -v"""
SORTED = """def spearman(x, y):
    def ranks(values):
        values = np.asarray(values).tolist()
        ordered = sorted(values)
        return [ordered.index(value) + ordered.count(value) / 2 for value in values]
    return np.corrcoef(ranks(x), ranks(y))[0, 1]"""

CENTRED = """def first_principal_vector(X):
    return np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][0]"""
OWN_SIGN = """def first_principal_vector(X):
    v = np.linalg.svd(X, full_matrices=False)[2][0]
    return np.sign(v[np.abs(v).argmax()]) * v"""
LEFT = """def first_principal_vector(X):
    u = np.linalg.svd(X, full_matrices=False)[0][:, 0]
    return np.sign(u[np.abs(u).argmax()]) * u"""
OFF_BY_ONE = """def static_table(layer):
    stacks = occurrences[:, layer - 1]
    return {word: first_principal_vector(X) for word, X in zip(words, stacks)}"""
PEARSON = """def spearman(x, y):
    return np.corrcoef(x, y)[0, 1]"""

SIMILARITY = """def word_similarity(vectors, pairs):
    def cosine(a, b):
        return a @ b / np.sqrt((a @ a) * (b @ b))
    {setup}
    kept = [pair for pair in pairs if {is_kept}]
    cosines = [cosine({lookup}) for a, b, _ in kept]
    return spearman(cosines, [{rating} for _, _, r in kept]), len(kept) / len(pairs)"""
COVERED = {
    "setup": "known = set(vectors)",
    "is_kept": "known.issuperset(pair[:2])",
    "lookup": "vectors[a], vectors[b]",
    "rating": "float(r)",
}
FALLBACK = {
    "setup": "mean = np.mean(list(vectors.values()), axis=0)",
    "is_kept": "True",
    "lookup": "vectors.get(a, mean), vectors.get(b, mean)",
}
ANALOGY = """def analogy(vectors, questions):
    units = {{word: v / np.sqrt(v @ v) for word, v in vectors.items()}}
    table, names = np.array(list(units.values())), np.array(list(units))
    kept = [question for question in questions if units.keys() >= set(question)]
    hits = []
    for a, b, c, answer in kept:
        products = table @ (units[b] - units[a] + units[c])
        {exclude}
        hits.append(names[products.argmax()] == answer)
    return (sum(hits) / len(hits) if hits else np.nan), len(kept) / len(questions)"""
EXCLUDE = "products[np.isin(names, [a, b, c])] = -2 * abs(products).max() - 1"

RIGHT = {
    "others": {
        "first-principal-vector": EIGENVECTORS,
        "spearman": SORTED,
        "word-similarity": SIMILARITY.format(**COVERED),
        "analogy": ANALOGY.format(exclude=EXCLUDE),
    }
}
WRONG = {
    "centred": (
        {"first-principal-vector": CENTRED},
        {"check-centred", "check-hand-case", "check-sign", "check-definition"},
    ),
    "own_sign": (
        {"first-principal-vector": OWN_SIGN},
        {"check-sign", "check-hand-case"},
    ),
    "left": (
        {"first-principal-vector": LEFT},
        {"check-right-vector", "check-hand-case", "check-sign", "check-definition"},
    ),
    "off_by_one": ({"static-table": OFF_BY_ONE}, {"check-layer"}),
    "pearson": ({"spearman": PEARSON}, {"check-ranks", "check-ties"}),
    "fallback": (
        {"word-similarity": SIMILARITY.format(**COVERED | FALLBACK)},
        {"check-covered"},
    ),
    "sorted_as_text": (
        {
            "spearman": SORTED,
            "word-similarity": SIMILARITY.format(**COVERED | {"rating": "r"}),
        },
        {"check-ratings"},
    ),
    "query_words": (
        {"analogy": ANALOGY.format(exclude="pass")},
        {"check-query-words", "check-analogy"},
    ),
}
SENTENCES = {  # student: the check of the mistake, and words of its sentence
    "centred": ("check-centred", "the mean was taken away"),
    "own_sign": ("check-sign", "the largest entry of the left singular vector says so"),
    "left": ("check-right-vector", "this is the left singular vector"),
    "off_by_one": ("check-layer", "layer 0 is asked for and layer 4 came"),
    "pearson": ("check-ranks", "this is Pearson's correlation"),
    "fallback": ("check-covered", "the share of covered pairs"),
    "sorted_as_text": ("check-ratings", "the ratings are sorted as texts"),
    "query_words": ("check-query-words", "the three words of a question must be left out"),
}
