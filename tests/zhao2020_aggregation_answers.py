"""Answers to the assignment `zhao2020_aggregation`: right ones, and one for each mistake told by name.

An answer is the text of a solution cell. A wrong one goes with the checks that it loses; SENTENCES
has what the first of them says.
"""

SORTED = """def pairs(words, gold):
    return sorted(set(zip(words.tolist(), gold.tolist())))"""
RIGHT_BY_PRODUCT = """def right(decisions, words, gold):
    is_of_pair = np.array([(words == word) & (gold == own) for word, own in pairs(words, gold)])
    is_own = np.array([own for _, own in pairs(words, gold)])[:, None] == np.arange({classes})
    size, yes = is_of_pair.sum(axis=1)[:, None], is_of_pair.astype(int) @ decisions
    return 2 * np.where(is_own, yes, size - yes) {enough} size"""
POOLED = """def micro_f1(decisions, words, gold):
    is_right = np.array(right(decisions, words, gold))
    is_own = np.array([own for _, own in pairs(words, gold)])[:, None] == np.arange({classes})
    tp, fn = (is_right & is_own).sum({axis}), (~is_right & is_own).sum({axis})
    fp = (~is_right & ~is_own).sum({axis})
    return {score}"""
CLASSES = "decisions.shape[1]"
F1 = "2 * tp / (2 * tp + fp + fn)"

ONCE = """def pairs(words, gold):
    class_of_word = dict(zip(words.tolist(), gold.tolist()))
    return sorted(class_of_word.items())"""
CONTEXTS = """def micro_f1(decisions, words, gold):
    is_own = gold[:, None] == np.arange(decisions.shape[1])
    tp, fp = (decisions & is_own).sum(), (decisions & ~is_own).sum()
    return 2 * tp / (2 * tp + fp + (~decisions & is_own).sum())"""

UNSORTED = """def pairs(words, gold):
    return list(dict.fromkeys(zip(words.tolist(), gold.tolist())))"""
FLOOR = "    return np.where(is_own, yes, size - yes) >= size // 2"
EACH = "    return np.where(is_own, yes, size - yes) == size"


def right_by(last_line):
    return (
        RIGHT_BY_PRODUCT.format(classes=CLASSES, enough="").rpartition("\n")[0]
        + "\n"
        + last_line
    )


RIGHT = {
    "vectorised": {
        "pairs": SORTED,
        "right": RIGHT_BY_PRODUCT.format(classes=CLASSES, enough=">="),
        "micro-f1": POOLED.format(classes=CLASSES, axis="", score=F1),
    },
}
WRONG = {
    "floor_of_half": ({"right": right_by(FLOOR)}, {"check-half", "check-right"}),
    "each_context": ({"right": right_by(EACH)}, {"check-half", "check-right"}),
    "unsorted": ({"pairs": UNSORTED}, {"check-two-classes"}),
    "more_than_half": (
        {"right": RIGHT_BY_PRODUCT.format(classes=CLASSES, enough=">")},
        {"check-half"},
    ),
    "averaged": (
        {
            "micro-f1": POOLED.format(
                classes=CLASSES, axis="axis=0", score=f"np.mean({F1})"
            )
        },
        {"check-pooled", "check-definition"},
    ),
    "pairs_alone": (
        {"micro-f1": POOLED.format(classes=CLASSES, axis="", score="tp / (tp + fn)")},
        {"check-alarms", "check-definition"},
    ),
    "contexts": ({"micro-f1": CONTEXTS}, {"check-contexts", "check-definition"}),
    "once": ({"pairs": ONCE}, {"check-two-classes"}),
}
SENTENCES = {  # student: the check of the mistake, and words of its sentence
    "floor_of_half": (
        "check-half",
        "23 of 47 contexts are right: expected [[False, False]], came",
    ),
    "each_context": ("check-half", "one of two contexts is right: at least half"),
    "unsorted": (
        "check-two-classes",
        "sorted: expected [('bach', 2), ('oslo', 0)], came [('oslo', 0), ('bach', 2)]",
    ),
    "more_than_half": ("check-half", "at least half, not more than half"),
    "averaged": ("check-pooled", "the F1 of each class is averaged"),
    "pairs_alone": ("check-alarms", "the false positives are missing"),
    "contexts": ("check-contexts", "contexts are counted, not pairs"),
    "once": ("check-two-classes", "a word of two classes counts once"),
}
