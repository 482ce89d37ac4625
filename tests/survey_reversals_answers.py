"""Answers to the assignment `survey_reversals`: right ones, and one for each mistake told by name.

An answer is the text of a solution cell. A wrong one goes with the checks that it loses; SENTENCES
has what the first of them says.
"""

EXPECTED = """def expected_layer(scores):
    scores = np.asarray(scores)
    gains = {gains}
    layers = np.arange({first}, len(scores))
    return np.average(layers, weights=gains)"""
GAINS = "scores[1:] - scores[:-1]"
REVERSED = """def is_reversed(readings, delta=0.2):
    labels, ordered = readings.argmax(axis=1), np.sort(readings, axis=1)
    firm = ordered[:, -1] - ordered[:, -2] >= {delta}
    {next_one}
    return len(np.unique(labels[firm])) >= 2"""
DELTA, NEXT = "delta", "firm[:-1] &= labels[:-1] == labels[1:]"
PLACEBO = """def placebo_rate(probabilities):
    return sum(rate(of_layer{readings}) for of_layer in probabilities) / len(probabilities)"""
NET = """def net_rate(probabilities):
    path = np.einsum("llmc->lmc", probabilities)
    return rate(path){placebo}"""
LESS = " - placebo_rate(probabilities)"

RIGHT = {
    "vectorised": {
        "expected-layer": EXPECTED.format(gains=GAINS, first=1),
        "is-reversed": REVERSED.format(delta=DELTA, next_one=NEXT),
        "placebo-rate": PLACEBO.format(readings=""),
        "net-rate": NET.format(placebo=LESS),
    },
}
WRONG = {
    "layer_zero": (
        {"expected-layer": EXPECTED.format(gains="np.diff(scores, prepend=0)", first=0)},
        {"check-layer-0"},
    ),
    "dropped": (
        {"expected-layer": EXPECTED.format(gains=f"np.maximum({GAINS}, 0)", first=1)},
        {"check-negative"},
    ),
    "no_margin": (
        {"is-reversed": REVERSED.format(delta="0", next_one=NEXT)},
        {"check-margin"},
    ),
    "alone": (
        {"is-reversed": REVERSED.format(delta=DELTA, next_one="pass")},
        {"check-next"},
    ),
    "two_readings": (
        {"placebo-rate": PLACEBO.format(readings="[:2]")},
        {"check-placebo"},
    ),
    "rate_alone": (
        {"net-rate": NET.format(placebo="")},
        {"check-net", "check-definition"},
    ),
}
SENTENCES = {  # student: the check of the mistake, and words of its sentence
    "layer_zero": ("check-layer-0", "layer 0 is in the sum"),
    "dropped": ("check-negative", "the negative gain is dropped"),
    "no_margin": ("check-margin", "the margin of 0.10 is below 0.20"),
    "alone": ("check-next", "a decision that the next reading does not share"),
    "two_readings": ("check-placebo", "fewer readings are compared"),
    "rate_alone": ("check-net", "the rate stands without its placebo"),
}
