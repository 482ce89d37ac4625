"""Answers to the assignment `one_coordinate`: right ones, and one for each mistake told by name.

An answer is the text of a solution cell. A wrong one goes with the checks that it loses; SENTENCES
has what the first of them says.
"""

COSINES = """def contributions(vectors):
    units = [x / np.sqrt(x @ x) for x in np.array(vectors)]
    products = [x * y for i, x in enumerate(units) for y in units[:i]]
    return np.mean(products, axis=0)"""
RAW = """def contributions(vectors):
    n = len(vectors)
    squares = (vectors**2).sum(axis=0)
    return (vectors.sum(axis=0) ** 2 - squares) / (n * (n - 1))"""
WITH_ITSELF = """def contributions(vectors):
    units = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    return units.mean(axis=0) ** 2"""
REST = "remainder = np.delete(contributions(vectors), culprit).sum()"

RIGHT = {
    "cosines": {
        "contributions": COSINES,
        "culprit": "culprit = list(contributions(vectors)).index(max(contributions(vectors)))",
    }
}
WRONG = {
    "not_normalised": (
        {"contributions": RAW},
        {"check-length", "check-hand-case", "check-definition"},
    ),
    "with_itself": (
        {"contributions": WITH_ITSELF},
        {"check-pairs", "check-hand-case", "check-definition"},
    ),
    "largest_mean": (
        {"culprit": "culprit = vectors.mean(axis=0).argmax()"},
        {"check-culprit"},
    ),
    "largest_variance": (
        {"culprit": "culprit = vectors.var(axis=0).argmax()"},
        {"check-culprit"},
    ),
    "rest": ({"remainder": REST}, {"check-remainder"}),
}
SENTENCES = {  # student: the check of the mistake, and words of its sentence
    "not_normalised": ("check-length", "scale each row to length one"),
    "with_itself": ("check-pairs", "the pairs of a row with itself"),
    "largest_mean": ("check-culprit", "the largest mean is taken"),
    "largest_variance": ("check-culprit", "the largest variance is taken"),
    "rest": ("check-remainder", "drop the column first"),
}
