"""Class 9: what the cells of zhao2020 and survey assume of lists of names and numbers."""

from pathlib import Path

from bad_inputs.row import Row

from cwr import corpora
from cwr.texts.survey import decision_pairs, next_words
from cwr.texts.survey.decisions import enough_trainings

DATASET, WORDS = "zhao2020/01_dataset", "zhao2020/02_uncontextualized"
DEPTH, SIZES = "zhao2020/03_contextualized", "zhao2020/04_context_size"
TUNING, CHANGE = "zhao2020/05_finetuning", "zhao2020/06_attention_change"
BANDS, ALONE = "zhao2020/07_local_attention", "zhao2020/08_context_alone"
ALIKE, COPIES = "survey/01_layer_similarity", "survey/02_architecture_or_learning"
EDGES, MIND = "survey/03_edge_probing", "survey/04_changing_its_mind"
TREES, MIXES = "survey/05_structural_probe", "survey/06_mixing_and_transfer"
CHOICES = "survey/07_which_choices_decide"
CHARACTERS = (
    "takes models with a tokenizer, but {}cwr-elmo, which reads words by their characters"
)
OTHERS = "must be of `{}`, but {}"
AGAIN = "must have each entry once, but {}"

ASSUMED = [  # notebook, parameter, value, what is said of it
    (DATASET, "model", "cwr-elmo", CHARACTERS.format("model is ")),
    (WORDS, "matrices", "[cwr-elmo]", CHARACTERS.format("matrices.0. is ")),
    (SIZES, "models", "[cwr-elmo]", CHARACTERS.format("models.0. is ")),
    (TUNING, "models", "[cwr-bert, cwr-elmo]", CHARACTERS.format("models.1. is ")),
    (CHANGE, "models", "[cwr-elmo]", CHARACTERS.format("models.0. is ")),
    (BANDS, "models", "[cwr-elmo]", CHARACTERS.format("models.0. is ")),
    (
        WORDS,
        "distilled",
        "[cwr-gpt]",
        OTHERS.format("models", "distilled.0. is 'cwr-gpt'"),
    ),
    (DEPTH, "sparse", "[cwr-gpt]", OTHERS.format("models", "sparse.0. is 'cwr-gpt'")),
    (
        DEPTH,
        "without_untrained",
        "[gpt]",
        OTHERS.format("models", "without_untrained.0. is 'gpt'"),
    ),
    (TUNING, "few_tasks", "[minilm]", OTHERS.format("models", "few_tasks.0. is 'minilm'")),
    (TUNING, "shuffled", "[ner]", OTHERS.format("tasks", "shuffled.0. is 'ner'")),
    (CHANGE, "few_tasks", "[minilm]", OTHERS.format("models", "few_tasks.0. is 'minilm'")),
    (ALONE, "shuffled", "[minilm]", OTHERS.format("models", "shuffled.0. is 'minilm'")),
    (ALIKE, "sparse", "[minilm]", OTHERS.format("models", "sparse.0. is 'minilm'")),
    (COPIES, "copied", "[minilm]", OTHERS.format("models", "copied.0. is 'minilm'")),
    (
        EDGES,
        "single",
        "[bert]",
        OTHERS.format("models", "single.0. is 'bert': did you mean"),
    ),
    (EDGES, "switched", "[semeval]", OTHERS.format("tasks", "switched.0. is 'semeval'")),
    (EDGES, "beside", "[semeval]", OTHERS.format("tasks", "beside.0. is 'semeval'")),
    (MIND, "copied", "[pos]", OTHERS.format("tasks", "copied.0. is 'pos'")),
    (TREES, "untrained", "[minilm]", OTHERS.format("models", "untrained.0. is 'minilm'")),
    (TREES, "swept", "[minilm]", OTHERS.format("models", "swept.0. is 'minilm'")),
    (TREES, "nonsense", "[minilm]", OTHERS.format("models", "nonsense.0. is 'minilm'")),
    (CHOICES, "single", "[minilm]", OTHERS.format("models", "single.0. is 'minilm'")),
    (
        WORDS,
        "static",
        "[cwr-static, cwr-static]",
        AGAIN.format("static.1. is 'cwr-static'"),
    ),
    (SIZES, "sizes", "[0, 0]", "must have ascending entries, but sizes.1. is 0 after 0"),
    (SIZES, "sizes", "[5, 0]", "must have ascending entries, but sizes.1. is 0 after 5"),
    (SIZES, "sizes", "[-1, 5]", "must have entries at least 0, but sizes.0. is -1"),
    (TUNING, "updates", "[0, 0]", AGAIN.format("updates.1. is 0")),
    (TUNING, "updates", "[-1, 1]", "must have entries at least 0, but updates.0. is -1"),
    (TUNING, "tasks", "[pos, pos]", AGAIN.format("tasks.1. is 'pos'")),
    (
        TUNING,
        "tasks",
        "[tags]",
        "must have the entries pos, relation, .*tasks.0. is 'tags'",
    ),
    (CHANGE, "updates", "[1, 1]", AGAIN.format("updates.1. is 1")),
    (BANDS, "bands", "[0, 0]", AGAIN.format("bands.1. is 0")),
    (
        BANDS,
        "reaches",
        "[4, 4]",
        "must have ascending entries, but reaches.1. is 4 after 4",
    ),
    (BANDS, "reaches", "[-4, 4]", "must have entries at least 0, but reaches.0. is -4"),
    (
        ALONE,
        "control_hidden",
        "[-1]",
        "must have entries at least 0, but control_hidden.0. is -1",
    ),
    (COPIES, "tasks", "[pos, pos]", AGAIN.format("tasks.1. is 'pos'")),
    (MIND, "rivals", "[place]", "must have at least 2 entries, but rivals is ..place"),
    (
        MIND,
        "lengths",
        "[12, 3]",
        "must have ascending entries, but lengths.1. is 3 after 12",
    ),
    (MIND, "lengths", "[0, 3]", "must have entries at least 1, but lengths.0. is 0"),
    (TREES, "ranks", "[4, 4]", AGAIN.format("ranks.1. is 4")),
    (TREES, "ranks", "[0, 4]", "must have entries at least 1, but ranks.0. is 0"),
    (
        MIXES,
        "directions",
        "[up]",
        "must have the entries forwards or backwards, but directions.0. ",
    ),
    (
        MIXES,
        "sources",
        "[words]",
        "must have the entries pos, .* or language model, but sources.0. ",
    ),
    (MIXES, "glue", "[cola]", "must have the entries sst2 or mrpc, but glue.0. is 'cola'"),
]


def asked(tasks: list[str], rivals: list[str]):
    """What asks for the tasks of survey/04 on GUM."""
    return lambda _: decision_pairs.tasks(tasks, corpora.load("gum"), 2, rivals)


def unable(_: Path) -> None:
    """Ask a masked model for the next word."""
    next_words.refuse_unable("masked", ["forwards"])


ROWS = [
    Row(9, f"{name} {value} of {notebook}", f"cwr run {notebook} -p {name} '{value}'",
        f"^cwr: parameter '{name}' of {notebook} {sentence}")
    for notebook, name, value, sentence in ASSUMED
]  # fmt: skip
ROWS += [
    Row(9, "decisions without entities", asked(["pos"], ["place"]),
        "^cwr: decisions are shown on mentions of entities, and the tasks are pos: add entities$"),
    Row(9, "a rival that is no label of entities", asked(["entities"], ["organisation"]),
        "^cwr: no entity of gum has the label 'organisation': did you mean 'organization'"),
    Row(9, "fewer trainings than layers", lambda _: enough_trainings(13, 5),
        "^cwr: a path of 13 layers .* there are 5 trainings: take 13 or more, or 0 "),
    Row(9, "a masked model that shall say the next word", unable,
        "^cwr: a masked model has already seen the word that it should predict"),
]  # fmt: skip
