"""Class 9: values that the parameters cell rules out, refused before a kernel starts."""

from bad_inputs.row import Row

ANISOTROPY = "ethayarajh2019/01_anisotropy"
SELF_SIMILARITY = "ethayarajh2019/02_self_similarity"
INTRA = "ethayarajh2019/03_intra_sentence_similarity"
VARIANCE = "ethayarajh2019/04_maximum_explainable_variance"
CHOICES = "ethayarajh2019/05_which_choices_decide"
GEOMETRY = "bis2021/01_geometry"
ISOTROPY = "bis2021/02_isotropy"
BENCHMARKS = "bis2021/03_benchmarks"
RARE = "bis2021/04_rare_words"
FREQUENCY = "bis2021/05_token_frequency"
NORMS = "bis2021/06_norms"
ENEMIES = "bis2021/07_common_enemies"
MATRIX_CHOICES = "bis2021/08_which_choices_decide"
TRAINING = "models/01_training"
CARDS = "models/02_model_cards"


def itself(paper: str) -> str:
    """The notebook that holds a paper against itself."""
    return f"{paper}/00_the_paper_against_itself"


OUT_OF_BOUNDS = [  # notebook, parameter, value, what it must be
    (ANISOTROPY, "sentences", "-1", "at least 0"),
    (ANISOTROPY, "tokens", "0", "at least 2"),
    (ANISOTROPY, "tokens", "1", "at least 2"),
    (ANISOTROPY, "tokens", "-5", "at least 2"),
    (ANISOTROPY, "draws", "0", "at least 2"),
    (ANISOTROPY, "draws", "1", "at least 2"),
    (ANISOTROPY, "draws", "-1", "at least 2"),
    (ANISOTROPY, "seed", "-1", "at least 0"),
    (SELF_SIMILARITY, "sentences", "-1", "at least 0"),
    (SELF_SIMILARITY, "min_contexts", "0", "at least 2"),
    (SELF_SIMILARITY, "min_contexts", "1", "at least 2"),
    (SELF_SIMILARITY, "min_contexts", "-3", "at least 2"),
    (SELF_SIMILARITY, "cap", "0", "at least 2"),
    (SELF_SIMILARITY, "cap", "1", "at least 2"),
    (SELF_SIMILARITY, "tokens", "0", "at least 2"),
    (SELF_SIMILARITY, "draws", "0", "at least 2"),
    (SELF_SIMILARITY, "seed", "-1", "at least 0"),
    (INTRA, "sentences", "-2", "at least 0"),
    (INTRA, "tokens", "0", "at least 2"),
    (INTRA, "draws", "0", "at least 2"),
    (INTRA, "seed", "-1", "at least 0"),
    (VARIANCE, "sentences", "-1", "at least 0"),
    (VARIANCE, "min_contexts", "1", "at least 2"),
    (VARIANCE, "cap", "1", "at least 2"),
    (VARIANCE, "tokens", "1", "at least 2"),
    (VARIANCE, "draws", "0", "at least 2"),
    (VARIANCE, "seed", "-1", "at least 0"),
    (CHOICES, "sentences", "-1", "at least 0"),
    (CHOICES, "min_contexts", "1", "at least 2"),
    (CHOICES, "tokens", "0", "at least 2"),
    (CHOICES, "draws", "0", "at least 2"),
    (CHOICES, "seed", "-1", "at least 0"),
    (GEOMETRY, "shown", "99", "at least 100"),
    (GEOMETRY, "points", "0", "at least 10"),
    (GEOMETRY, "seed", "-1", "at least 0"),
    (ISOTROPY, "removed", "-1", "at least 0"),
    (ISOTROPY, "top", "0", "at least 1"),
    (BENCHMARKS, "removed", "-2", "at least 0"),
    (BENCHMARKS, "draws", "1", "at least 2"),
    (RARE, "bins", "1", "at least 2"),
    (RARE, "width", "0", "at least 1"),
    (RARE, "last", "0", "at least 1"),
    (RARE, "nearest", "0", "at least 1"),
    (RARE, "draws", "1", "at least 2"),
    (NORMS, "bins", "1", "at least 2"),
    (NORMS, "points", "1", "at least 2"),
    (ENEMIES, "vocabulary", "99", "at least 100"),
    (ENEMIES, "unused", "1", "at least 2"),
    (ENEMIES, "dim", "0", "at least 2"),
    (ENEMIES, "steps", "0", "at least 20"),
    (ENEMIES, "seeds", "0", "at least 1"),
    (ENEMIES, "words", "-1", "at least 0"),
    (MATRIX_CHOICES, "draws", "1", "at least 2"),
    (MATRIX_CHOICES, "seed", "-1", "at least 0"),
    (TRAINING, "words", "-1", "at least 0"),
    (TRAINING, "steps", "-1", "at least 0"),
    (TRAINING, "seed", "-1", "at least 0"),
    (CARDS, "sentences", "-1", "at least 0"),
    (CARDS, "seed", "-1", "at least 0"),
    (itself("bis2021"), "rows", "0", "at least 63"),
    (itself("bis2021"), "rows", "-1", "at least 63"),
    (itself("bis2021"), "dim", "0", "at least 12"),
    (itself("bis2021"), "steps", "0", "at least 1"),
    (itself("bis2021"), "steps", "-1", "at least 1"),
    (itself("bis2021"), "reach", "0", "above 0"),
    (itself("bis2021"), "reach", "-8", "above 0"),
    (itself("bis2021"), "seed", "-1", "at least 0"),
    (itself("ethayarajh2019"), "limit", "0", "above 0"),
    (itself("ethayarajh2019"), "limit", "1.5", "below 1"),
    (itself("ethayarajh2019"), "band", "-0.05", "at least 0"),
    (itself("ethayarajh2019"), "seed", "-1", "at least 0"),
    (itself("gupta2021"), "rounding", "-0.05", "at least 0"),
    (itself("gupta2021"), "spread", "-1", "at least 0"),
    (itself("gupta2021"), "call_pieces", "0", "at least 1"),
    (itself("gupta2021"), "pieces_per_word", "0", "above 0"),
    (itself("gupta2021"), "sentences_per_paragraph", "0", "at least 1"),
    (itself("survey"), "draws", "0", "at least 2"),
    (itself("survey"), "seed", "-1", "at least 0"),
    (itself("zhao2020"), "tie", "-0.002", "at least 0"),
    (itself("zhao2020"), "standard_errors", "-1", "at least 0"),
    (itself("zhao2020"), "layers", "0", "at least 1"),
]
NO_CHOICES = [  # notebook, parameter, value, the choices
    (ANISOTROPY, "sampling", "word", "sentence or occurrence"),
    (SELF_SIMILARITY, "sampling", "Sentence", "sentence or occurrence"),
    (INTRA, "sampling", "a" * 5000, "sentence or occurrence"),
    (SELF_SIMILARITY, "pooling", "median", "mean, first, last, min or max"),
    (INTRA, "pooling", "sum", "mean, first, last, min or max"),
    (VARIANCE, "sampling", '""', "sentence or occurrence"),
    (ISOTROPY, "rows", "most", "all, used or words"),
    (TRAINING, "model", "bert", "cwr-elmo, cwr-bert or cwr-gpt"),
    (TRAINING, "start", "warm", "plain or counts"),
    (TRAINING, "vocabulary", "old", "shipped or new"),
]
EMPTY = [
    (notebook, "models") for notebook in (ANISOTROPY, SELF_SIMILARITY, INTRA, VARIANCE)
]
EMPTY += [(CHOICES, "models"), (CARDS, "models"), (CARDS, "words")]
EMPTY += [
    (notebook, "models") for notebook in (GEOMETRY, ISOTROPY, BENCHMARKS, RARE, FREQUENCY)
]
EMPTY += [(NORMS, "models"), (MATRIX_CHOICES, "models"), (MATRIX_CHOICES, "sets")]
EMPTY += [
    (BENCHMARKS, "sets"),
    (FREQUENCY, "corpora"),
    (FREQUENCY, "percents"),
    (ENEMIES, "arms"),
]
WRONG_TYPES = [  # notebook, parameter, value, what it must be
    (ANISOTROPY, "draws", "many", "int"),
    (ANISOTROPY, "draws", "1.5", "int"),
    (ANISOTROPY, "draws", "null", "int"),
    (ANISOTROPY, "draws", "true", "int"),
    (ANISOTROPY, "seed", "[1]", "int"),
    (ANISOTROPY, "models", "[1, 2]", "list\\[str\\]"),
    (ANISOTROPY, "models", "{a: 1}", "list\\[str\\]"),
    (ANISOTROPY, "models", "null", "list\\[str\\]"),
    (ANISOTROPY, "final_norm", "perhaps", "bool"),
    (ANISOTROPY, "final_norm", "2", "bool"),
    (ISOTROPY, "removed", "all", "int \\| None"),
    (MATRIX_CHOICES, "sets", "[1]", "list\\[str\\]"),
    (TRAINING, "changes", "[1]", "dict"),
    (itself("bis2021"), "reach", "far", "float"),
]


def typed(notebook: str, name: str, value: str) -> str:
    """The command that runs a notebook with one parameter."""
    return f"cwr run {notebook} -p {name} '{value}'"


def refusal(notebook: str, name: str) -> str:
    """The beginning of every refusal of a value."""
    return f"^cwr: parameter '{name}' of {notebook} must "


ROWS = [
    Row(9, f"{name} {value} of {notebook}", typed(notebook, name, value),
        f"{refusal(notebook, name)}be {bound}, but {name} is {value}(\\.0)?$")
    for notebook, name, value, bound in OUT_OF_BOUNDS
]  # fmt: skip
ROWS += [
    Row(9, f"{name} {value[:20]} of {notebook}", typed(notebook, name, value),
        f"{refusal(notebook, name)}be {choices}, but {name} is '.{{0,199}}['…]$")
    for notebook, name, value, choices in NO_CHOICES
]  # fmt: skip
ROWS += [
    Row(9, f"no {name} in {notebook}", typed(notebook, name, "[]"),
        f"{refusal(notebook, name)}have at least 1 entry, but {name} is \\[\\]$")
    for notebook, name in EMPTY
]  # fmt: skip
ROWS += [
    Row(9, f"{name} {value} of {notebook}", typed(notebook, name, value),
        f"{refusal(notebook, name)}be {kind}, but {name}")
    for notebook, name, value, kind in WRONG_TYPES
]  # fmt: skip
