"""The smallest settings at which each notebook still runs, in seconds; `{text}` and so on are files.

What stands here of a chapter holds for each of its notebooks that has such a parameter.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cwr import parameters

SAMPLE = {
    "sentences": 0,
    "tokens": 20,
    "min_contexts": 2,
    "cap": 4,
    "draws": 4,
    "untrained_seeds": 1,
}
PROBE = {
    "folds": 2,
    "most": 100,
    "most_tested": 100,
    "epochs": 1,
    "lengths": [1],
    "hidden": 4,
    "mixes": 1,
    "draws": 4,
}
CLASSES = {
    "corpus": "{anchors}",
    "cap": 1,
    "read": 1,
    "hidden": 2,
    "epochs": 1,
    "seeds": 1,
    "draws": 4,
}
TUNING = {"tagged": "gum", "max_train": 60, "updates": [0, 2], "batch": 4}
DISTILLED = {
    "corpus": "{more}",
    "min_count": 2,
    "steps": 64,
    "draws": 4,
    "sets": ["wordsim-353"],
}
TINY: dict[str, dict[str, Any]] = {
    "ethayarajh2019": SAMPLE
    | {"models": ["cwr-bert"], "corpus": "{text}", "corpora": ["{text}"]},
    "ethayarajh2019/01_anisotropy": {"sizes": [20, 40], "sentences": 40},
    "ethayarajh2019/02_self_similarity": {"sizes": [20, 40], "sentences": 40},
    "ethayarajh2019/07_static_embeddings": {
        "benchmarks": ["MEN", "SimLex999"],
        "null_draws": 2,
    },
    "ethayarajh2019/08_senses_and_contexts": {
        "occurrences": 6,
        "words": 3,
        "centroids": [2],
    },
    "ethayarajh2019/09_the_gpt2_inputs": {"models": ["{byte_level}"]},
    "bis2021": {
        "models": ["cwr-bert"],
        "corpus": "{text}",
        "unread": "{text}",
        "draws": 4,
    },
    "bis2021/00_the_paper_against_itself": {"rows": 100, "dim": 12, "steps": 2},
    "bis2021/01_geometry": {"shown": 100, "points": 20},
    "bis2021/02_isotropy": {"top": 2, "untrained_seeds": 1},
    "bis2021/03_benchmarks": {"sets": ["wordsim-353"]},
    "bis2021/04_rare_words": {"bins": 2, "width": 20, "last": 20, "nearest": 2},
    "bis2021/05_token_frequency": {"corpora": ["{text}"]},
    "bis2021/06_norms": {"bins": 2, "points": 8},
    "bis2021/07_common_enemies": {
        **{
            "arms": ["adamw", "sgd"],
            "vocabulary": 100,
            "unused": 8,
            "dim": 4,
            "steps": 20,
        },
        **{"seeds": 1, "text": "{text}"},
    },
    "bis2021/08_which_choices_decide": {"sets": ["wordsim-353"]},
    "gupta2021": DISTILLED | {"models": ["cwr-bert"], "max_train": 60},
    "gupta2021/01_distillation": {"words": ["said", "year"]},
    "gupta2021/02_word_similarity": {"epochs": 1},
    "gupta2021/03_corpus_size": {"sizes": [9000, 12000, 15000], "min_count": 1},
    "gupta2021/04_downstream": {"epochs": [1], "curve": [1, 2], "layers": [0, 4]},
    "gupta2021/05_cost": {"timed_sentences": 4, "rows_of_table": 100},
    "gupta2021/06_use_it": {"neighbours": 2},
    "gupta2021/07_which_choices_decide": {"grid": 1, "switches": ["ASE"]},
    "zhao2020": CLASSES | {"models": ["cwr-bert"]},
    "zhao2020/02_uncontextualized": {"matrices": ["cwr-bert"], "dim": 4, "pse_epochs": 1},
    "zhao2020/03_contextualized": {"untrained_seeds": 1},
    "zhao2020/04_context_size": {"sizes": [0, 2, 5, 8]},
    "zhao2020/05_finetuning": TUNING | {"train_contexts": 100, "dev_contexts": 100},
    "zhao2020/06_attention_change": TUNING | {"examples": 4},
    "zhao2020/07_local_attention": TUNING
    | {"updates": 2, "reaches": [0, 8], "cut_sentences": 4},
    "zhao2020/08_context_alone": {"control_hidden": [2], "cap": 5},
    "zhao2020/09_which_choices_decide": {"switches": ["ties"]},
    "survey": PROBE | {"models": ["cwr-bert"], "corpus": "{gum}"},
    "survey/00_the_paper_against_itself": {"draws": 100},
    "survey/01_layer_similarity": {"least": 2},
    "survey/02_architecture_or_learning": {"copied": ["cwr-bert"]},
    "survey/05_structural_probe": {"sentences": 0, "rank": 4, "ranks": [2, 4]},
    "survey/06_mixing_and_transfer": {
        **{"readers": ["cwr-elmo"], "updates": 2, "vocabulary": 4, "positions": 40},
        **{"sentences": 40, "tested": 20},
    },
    "survey/07_which_choices_decide": {"switches": ["weights"]},
    "models/01_training": {"steps": 2, "words": 500},
    "models/02_model_cards": {"sentences": 40, "words": ["the"]},
}


def tiny(notebook: Path, files: Mapping[str, str]) -> dict[str, Any]:
    """{parameter: value} of the smallest run of a notebook."""
    title = parameters.title(notebook)
    settings = TINY.get(title.split("/")[0], {}) | TINY.get(title, {})
    declared = parameters.read(notebook)
    return {
        name: filled(value, files) for name, value in settings.items() if name in declared
    }


def filled(value: Any, files: Mapping[str, str]) -> Any:
    """A value with the paths of files in place of `{text}` and so on."""
    if isinstance(value, list):
        return [filled(item, files) for item in value]
    return value.format(**files) if isinstance(value, str) else value
