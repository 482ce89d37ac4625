"""What the profile `paper` asks for and only costs time, smaller; and a text that is at hand.

Models, tasks, switches and all that decides which cells run stay as the profile says.
"""

from typing import Any

LESS: dict[str, dict[str, Any]] = {
    "default": {"draws": 20},
    "ethayarajh2019": {"sentences": 300, "untrained_seeds": 0},
    "gupta2021": {
        **{"corpus": "wiki-sample-half", "min_count": 5, "steps": 64, "trainings": 1},
        **{"sets": ["simlex-999", "simverb-3500"]},
    },
    "gupta2021/01_distillation": {"sets": ["simlex-999"]},
    "gupta2021/02_word_similarity": {"epochs": 1},
    "gupta2021/03_corpus_size": {
        "sizes": [30_000, 60_000, 120_000],
        "sets": ["men, natural"],
    },
    "gupta2021/04_downstream": {
        # The fifty labels of TREC can be divided from some 4,000 sentences on.
        **{"max_train": 4000, "epochs": [1, 2], "rates": [1e-3], "parent_epochs": [1]},
        **{"linear_epochs": [1], "curve": [1, 2], "seeds": 1, "runs": 2},
    },
    "zhao2020": {
        "cap": 3,
        "hidden": 8,
        "epochs": 2,
        "seeds": 1,
        "pse_epochs": 1,
        "dim": 10,
    },
    "zhao2020/05_finetuning": {
        **{"updates": [0, 1, 2, 3, 4], "train_contexts": 500, "dev_contexts": 500},
        "max_train": 200,
    },
    "zhao2020/06_attention_change": {
        **{"updates": [0, 1, 2, 3, 4], "examples": 20, "max_train": 200},
    },
    "zhao2020/07_local_attention": {"updates": 3, "max_train": 200, "trainings": 1},
    "survey": {
        **{"most": 200, "most_tested": 200, "epochs": 1, "lengths": [1]},
        **{"hidden": 8, "mixes": 1},
    },
    "survey/05_structural_probe": {
        "ranks": [1, 2, 4, 8, 16, 32],
        "rank": 8,
        "sentences": 300,
    },
    "survey/06_mixing_and_transfer": {
        **{"updates": 2, "tuned_updates": 2, "glue_sentences": 60, "vocabulary": 4},
    },
}


def less(notebook: str, declared: dict[str, Any]) -> dict[str, Any]:
    """{parameter: value} of a notebook, of those that it declares."""
    chapter = notebook.split("/")[0]
    settings = LESS["default"] | LESS.get(chapter, {}) | LESS.get(notebook, {})
    return {name: value for name, value in settings.items() if name in declared}
