"""Answers to the assignment `isotropy`: right ones, and one for each mistake that is told by name.

An answer is the text of a solution cell. A wrong one goes with the checks that it loses; SENTENCES
has what the first of them says.
"""

LOOPS = """def partition_isotropy(W):
    _, vectors = np.linalg.eig(np.array(W, dtype=float).T @ W)
    logs = []
    for c in vectors.T:
        for sign in (1, -1):
            logs.append(np.logaddexp.reduce([sign * (w @ c) for w in W]))
    return np.exp(min(logs) - max(logs))"""
MEANS = """def scaled_center(W):
    unit = np.mean([w / np.sqrt(sum(w * w)) for w in W], axis=0)
    return np.array([w - np.sqrt(sum(w * w)) * unit for w in W])"""

ISOTROPY = """def partition_isotropy(W):
    W = np.asarray(W, dtype=float)
    _, axes = np.linalg.eigh({matrix})
    scores = W @ np.hstack([axes, -axes])
    logs = np.logaddexp.reduce(scores, axis=0)
    return {quotient}"""
QUOTIENT = "np.exp(logs.min() - logs.max())"
COVARIANCE = ISOTROPY.format(
    matrix="np.atleast_2d(np.cov(W, rowvar=False))", quotient=QUOTIENT
)
SUM = ISOTROPY.format(
    matrix="W.T @ W", quotient="np.exp(logs.min() - np.logaddexp.reduce(logs))"
)
PLAIN_EXP = """def partition_isotropy(W):
    _, axes = np.linalg.eigh(W.T @ W)
    Z = np.exp(W @ np.hstack([axes, -axes])).sum(axis=0)
    return Z.min() / Z.max()"""
ROWS = ISOTROPY.format(matrix="W.T @ W", quotient=QUOTIENT).replace(
    "axes, -axes", "axes.T, -axes.T"
)
COLUMNS = """def center(W):
    return W - W.mean(axis=1, keepdims=True)"""
MEAN_DIRECTION = """def scaled_center(W):
    mean = W.mean(axis=0)
    return W - np.linalg.norm(W, axis=1, keepdims=True) * mean / np.linalg.norm(mean)"""
WITH_ITS_MEAN = """def isoscore(W):
    C = W.T @ W / len(W)
    return (np.trace(C) ** 2 / np.trace(C @ C) - 1) / (len(C) - 1)"""
LONGEST = """doubled = max(matrices, key=lambda name: np.linalg.norm(matrices[name], axis=1).mean())"""

RIGHT = {"loops": {"partition-isotropy": LOOPS, "scaled-center": MEANS}}
WRONG = {
    "rows": ({"partition-isotropy": ROWS}, {"check-definition"}),
    "covariance": (
        {"partition-isotropy": COVARIANCE},
        {"check-eigenvectors", "check-definition"},
    ),
    "sum": (
        {"partition-isotropy": SUM},
        {"check-smallest-over-largest", "check-hand-case", "check-definition"},
    ),
    "plain_exp": ({"partition-isotropy": PLAIN_EXP}, {"check-long-rows"}),
    "columns": (
        {"center": COLUMNS},
        {"check-center", "check-doubled"},
    ),  # it hides the doubling
    "mean_direction": (
        {"scaled-center": MEAN_DIRECTION},
        {"check-mean-unit-row", "check-scaled-center"},
    ),
    "with_its_mean": ({"isoscore": WITH_ITS_MEAN}, {"check-isoscore-shift"}),
    "longest": ({"doubled": LONGEST}, {"check-doubled"}),
}
SENTENCES = {  # student: the check of the mistake, and words of its sentence
    "rows": ("check-definition", "rows are taken for eigenvectors"),
    "covariance": ("check-eigenvectors", "the eigenvectors of the covariance"),
    "sum": ("check-smallest-over-largest", "over the sum or the mean of all Z"),
    "plain_exp": ("check-long-rows", "exp overflows"),
    "columns": ("check-center", "so centres W'"),
    "mean_direction": ("check-mean-unit-row", "the mean row at length one"),
    "with_its_mean": ("check-isoscore-shift", "and not W'W"),
    "longest": ("check-doubled", "first take the shift out"),
}
