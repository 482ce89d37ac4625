"""Answers to the assignment `gupta2021_gradient`: right ones, and one for each mistake told by name.

An answer is the text of a solution cell. A wrong one goes with the checks that it loses; SENTENCES
has what the first of them says.
"""

LOSS = """def loss(U, v, target, negatives):
    def ell(x):
        return np.log(1 + np.exp(-x))
    return ell({target}) + {negatives}"""
SUMMED = {
    "target": "U[target] @ v",
    "negatives": "sum(ell(-U[word] @ v) for word in negatives)",
}
MATRIX = """def gradient(U, v, target, negatives):
    scores = U @ v
    weights = np.bincount(negatives, minlength=len(U)) / (1 + np.exp(-scores))
    weights[target] -= 1 / (1 + np.exp(scores[target]))
    return np.outer(weights, v)"""
IN_PLACE = """def update(U, v, target, negatives, rate):
    moved = U.copy()
    moved -= rate * gradient(U, v, target, negatives)
    return moved"""

AVERAGED = """def gradient(U, v, target, negatives):
    G = np.zeros(U.shape)
    G[target] -= v / (1 + np.exp(U[target] @ v))
    for word in negatives:
        G[word] += v / (1 + np.exp(-U[word] @ v)) / len(negatives)
    return G"""
ATTRACTED = """def gradient(U, v, target, negatives):
    G = np.zeros(U.shape)
    for word in [target, *negatives]:
        G[word] -= v / (1 + np.exp(U[word] @ v))
    return G"""
ONCE = """def gradient(U, v, target, negatives):
    G = np.zeros(U.shape)
    G[target] -= v / (1 + np.exp(U[target] @ v))
    G[negatives] += v / (1 + np.exp(-U[negatives] @ v))[:, None]
    return G"""
CONTEXT_TOO = """def update(U, v, target, negatives, rate):
    moved = U - rate * gradient(U, v, target, negatives)
    v += rate * U[target] / (1 + np.exp(U[target] @ v))
    for word in negatives:
        v -= rate * U[word] / (1 + np.exp(-U[word] @ v))
    return moved"""

RIGHT = {
    "matrix": {"loss": LOSS.format(**SUMMED), "gradient": MATRIX, "update": IN_PLACE},
}
WRONG = {
    "averaged": (
        {
            "loss": LOSS.format(
                **SUMMED
                | {"negatives": "np.mean([ell(-U[word] @ v) for word in negatives])"}
            ),
            "gradient": AVERAGED,
        },
        {"check-sum", "check-hand-gradient"},
    ),
    "attracted": (
        {
            "loss": LOSS.format(
                **SUMMED | {"negatives": "sum(ell(U[word] @ v) for word in negatives)"}
            ),
            "gradient": ATTRACTED,
        },
        {"check-sign", "check-hand-gradient"},
    ),
    "once": ({"gradient": ONCE}, {"check-twice", "check-differences"}),
    "context_too": ({"update": CONTEXT_TOO}, {"check-teacher"}),
}
SENTENCES = {  # student: the check of the mistake, and words of its sentence
    "averaged": ("check-sum", "the negatives are averaged"),
    "attracted": ("check-sign", "the sign of the negative's score is wrong"),
    "once": ("check-twice", "a word that is drawn twice counts once"),
    "context_too": ("check-teacher", "the context moved: it is the teacher's"),
}
