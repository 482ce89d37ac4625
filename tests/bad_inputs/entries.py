"""Class 9: entries of lists that a notebook cannot use, and what a cell can tell but no comment."""

from pathlib import Path

import numpy as np
from bad_inputs.row import Row

from cwr.making.language_models import demonstrations, live, recipe_changes, scores
from cwr.making.language_models.recipes import RECIPES
from cwr.texts.bis2021 import built_matrices, rare_words

SIZE, DOWNSTREAM = "gupta2021/03_corpus_size", "gupta2021/04_downstream"
SIMILARITY, USE = "gupta2021/02_word_similarity", "gupta2021/06_use_it"
FREQUENCY, ISOTROPY = "bis2021/05_token_frequency", "bis2021/02_isotropy"
GEOMETRY, ENEMIES = "bis2021/01_geometry", "bis2021/07_common_enemies"
ITSELF, CARDS = "bis2021/00_the_paper_against_itself", "models/02_model_cards"
ANISOTROPY, INPUTS = "ethayarajh2019/01_anisotropy", "ethayarajh2019/09_the_gpt2_inputs"
SENSES = "ethayarajh2019/08_senses_and_contexts"
TYPED = [  # notebook, parameter, value, what is said of it
    (FREQUENCY, "percents", "[0]", "have entries at least 1, but percents\\[0\\] is 0$"),
    (
        FREQUENCY,
        "percents",
        "[30, 101]",
        "have entries at most 100, but percents\\[1\\] is 101$",
    ),
    (
        FREQUENCY,
        "percents",
        "[30, 30]",
        "have each entry once, but percents\\[1\\] is 30 again$",
    ),
    (
        GEOMETRY,
        "shifts",
        "[1.0, 1.0]",
        "have ascending entries, but shifts\\[1\\] is 1.0 after 1.0$",
    ),
    (GEOMETRY, "points", "1000000000", "be at most 1000000, but points is 1000000000$"),
    (
        ENEMIES,
        "arms",
        '["sgd", "sgd"]',
        "have each entry once, but arms\\[1\\] is 'sgd' again$",
    ),
    (ITSELF, "rows", "1000000000", "be at most 100000, but rows is 1000000000$"),
    (ITSELF, "reach", "1e308", "be at most 100, but reach is 1e\\+308$"),
    (
        ISOTROPY,
        "without_untrained",
        '["smolm2"]',
        "be of `models`, .* did you mean 'smollm2'",
    ),
    (
        SIMILARITY,
        "paragraphs",
        '["minilm"]',
        "be of `models`, but paragraphs\\[0\\] is 'minilm'",
    ),
    (SIMILARITY, "pooled", '["cwr-brt"]', "be of `models`, .* did you mean 'cwr-bert'"),
    (
        SIMILARITY,
        "scratch",
        '["GLOVE"]',
        "have the entries SKIPGRAM, CBOW or SENT2VEC, but ",
    ),
    (SIZE, "sizes", "[0, 1, 2]", "have entries at least 1, but sizes\\[0\\] is 0$"),
    (SIZE, "sizes", "[3, 2, 1]", "have ascending entries, but sizes\\[1\\] is 2 after 3$"),
    (
        DOWNSTREAM,
        "layers",
        "[99]",
        "be at most 4, the layers of cwr-bert, but layers\\[0\\] is 99$",
    ),
    (DOWNSTREAM, "layers", "[-2]", "have entries at least -1, but layers\\[0\\] is -2$"),
    (DOWNSTREAM, "rates", "[-1]", "have entries above 0, but rates\\[0\\] is -1.0$"),
    (DOWNSTREAM, "epochs", "[0]", "have entries at least 1, but epochs\\[0\\] is 0$"),
    (
        DOWNSTREAM,
        "curve",
        "[2, 2]",
        "have ascending entries, but curve\\[1\\] is 2 after 2$",
    ),
    (
        DOWNSTREAM,
        "contexts_read",
        '["word"]',
        "have the entries sentence or paragraph, but ",
    ),
    (SENSES, "centroids", "[1]", "have entries at least 2, but centroids\\[0\\] is 1$"),
    (
        INPUTS,
        "look_ups",
        '["offsets"]',
        "have the entries bare_or_bang or repair_misaligned, but ",
    ),
    (ANISOTROPY, "sizes", "[0, 9]", "have entries at least 2, but sizes\\[0\\] is 0$"),
    (
        CARDS,
        "models",
        '["minilm"]',
        "have the entries cwr-elmo, cwr-bert or cwr-gpt, but ",
    ),
    (CARDS, "words", '["a", "a"]', "have each entry once, but words\\[1\\] is 'a' again$"),
]
CHANGES = [  # of a recipe, what is said of them
    ({"layerz": 3}, "a recipe has no 'layerz': did you mean 'layers'\\?$"),
    (
        {"dim": 7},
        "7 dimensions do not make heads of 64: give a number of dimensions that does, ",
    ),
    ({"rows": -1}, "'rows' of a recipe is 1 to 10000, not -1$"),
    ({"epochs": 0}, "'epochs' of a recipe is 0.001 to 1000, not 0$"),
    ({"rate": "fast"}, "'rate' of a recipe is of the type float, not 'fast'$"),
]


def nowhere(_: Path) -> None:
    """Keep checkpoints where no folder can be."""
    live.train("cwr-gpt", "wiki-sample", 0, 2, "/proc/x")


ROWS = [
    Row(9, f"{name} {value} of {notebook}", f"cwr run {notebook} -p {name} '{value}'",
        f"^cwr: parameter '{name}' of {notebook} (must|takes) {sentence}")
    for notebook, name, value, sentence in TYPED
]  # fmt: skip
ROWS += [
    Row(9, f"a recipe with {changes}",
        lambda _, changes=changes: recipe_changes.changed(RECIPES["cwr-gpt"], changes),
        f"^cwr: {sentence}")
    for changes, sentence in CHANGES
]  # fmt: skip
ROWS += [
    Row(9, "checkpoints below /proc", nowhere,
        "^cwr: the folder '/proc/x' for checkpoints cannot be made \\(.*\\): name another$"),
    Row(9, "a gap without [MASK]", lambda _: demonstrations.filled("The capital of France."),
        "^cwr: 'The capital of France.' has no gap to fill: write \\[MASK\\] for one of its words$"),
    Row(9, "a prompt longer than the window", lambda _: demonstrations.completion("word " * 200),
        "has 20[0-9] pieces, and the model reads 104 at most: shorten it$"),
    Row(9, "models that predict nothing", lambda _: scores.repeated([], []),
        "^cwr: no model is asked to predict again: name cwr-gpt or cwr-bert, too$"),
    Row(9, "more bins than tokens", lambda _: rare_words.frequency_bins(np.ones(3, int), 4),
        "^cwr: 3 different tokens of the text cannot be cut into 4 bins: ask for fewer, or take "),
    Row(9, "fewer rows than dimensions", lambda _: built_matrices.skewed_matrix(100, 200),
        "^cwr: the matrix has 100 rows in 200 dimensions, and cannot be built: it needs 12 "),
]  # fmt: skip
