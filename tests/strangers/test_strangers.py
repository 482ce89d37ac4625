"""Each chapter with models that are none of ours, and the profile `paper` on stand-ins.

Once a release, some hours of one core: `CWR_STRANGERS=FOLDER pytest tests/strangers`. What ended
well is in FOLDER and not run again; FOLDER/table.md has the table of the last runs.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from strangers import data, folders, less, trying

from cwr import parameters
from cwr.cli import checkout

FOLDER = os.environ.get("CWR_STRANGERS")
NOTEBOOKS = checkout.notebooks(trying.ROOT)
NAMING = ("models", "teacher", "model")  # parameters that name a notebook's models
OURS_ALONE = (
    "models/01_training",
    "models/02_model_cards",
)  # our recipes, and cards of our models
# What refuses a model: one without byte-level BPE; one that puts no special piece first.
REFUSED = {
    "ethayarajh2019/09_the_gpt2_inputs": ("bert-12", "llama-2"),
    "zhao2020/05_finetuning": ("gpt2-1", "llama-2"),
    "zhao2020/06_attention_change": ("gpt2-1", "llama-2"),
}
STRANGERS = ("bert-12", "gpt2-1", "llama-2")
PAPER = "paper"


def naming(notebook: str) -> str | None:
    """The parameter that names the models of a notebook; None for one that has none, or ours."""
    declared = parameters.read(checkout.path(trying.ROOT, notebook))
    named = next((name for name in NAMING if name in declared), None)
    return None if notebook in OURS_ALONE else named


WITH_MODELS = [notebook for notebook in NOTEBOOKS if naming(notebook)]

if FOLDER:

    @pytest.fixture(scope="session")
    def folder() -> Iterator[Path]:
        """The folder of models, data and results; at the end its table is written."""
        place = Path(FOLDER).expanduser().resolve()
        place.mkdir(parents=True, exist_ok=True)
        yield place
        trials = trying.logged(place / "log.jsonl").values()
        (place / "table.md").write_text(trying.table(trials), encoding="utf-8")

    @pytest.fixture(scope="session")
    def tried(folder) -> Callable[..., trying.Trial]:
        """What runs a notebook, unless it ended well before."""
        file = folder / "log.jsonl"

        def run(notebook: str, which: str, given: dict, **variables: str) -> trying.Trial:
            before = trying.logged(file).get((notebook, which))
            if before is not None and before.ended == "done":
                return before
            trial = trying.run(notebook, which, given, folder, **variables)
            trying.log(trial, file)
            return trial

        return run

    @pytest.mark.parametrize("notebook", WITH_MODELS)
    @pytest.mark.parametrize("which", STRANGERS)
    def test_a_notebook_runs_with_a_strangers_model_and_all_else_at_its_default(
        which, notebook, folder, tried
    ):
        model, name = folders.three(folder)[which], naming(notebook)
        trial = tried(notebook, which, {name: [model] if name == "models" else model})
        expected = "refused" if which in REFUSED.get(notebook, ()) else "done"
        assert trial.ended == expected, trial.line

    @pytest.fixture(scope="session")
    def online(folder, shared) -> dict[str, str]:
        """Variables under which the profile's models and data are at hand."""
        named = set()
        for notebook in NOTEBOOKS:
            values = checkout.overrides(trying.ROOT, PAPER, notebook).values()
            texts = [text for value in values for text in _texts(value)]
            named |= {text for text in texts if text.partition("/")[0] in folders.OWNERS}
        folders.hub(folder / "hub", sorted(named))
        own = data.treebanks(folder / "data")
        return {
            "HF_HUB_CACHE": str(folder / "hub"),
            "HF_HUB_OFFLINE": "1",
            "HOME": str(data.home(folder / "home")),
            "CWR_DATA": os.pathsep.join([str(own), str(shared / "data" / "mirror")]),
        }

    @pytest.mark.parametrize("notebook", NOTEBOOKS)
    def test_the_profile_paper_runs_on_stand_ins_for_its_models_and_data(
        notebook, tried, online
    ):
        given = checkout.overrides(trying.ROOT, PAPER, notebook)
        given |= less.less(notebook, parameters.read(checkout.path(trying.ROOT, notebook)))
        trial = tried(notebook, PAPER, given, **online)
        assert trial.ended == "done", trial.line


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return (
        [item for item in value if isinstance(item, str)]
        if isinstance(value, list)
        else []
    )


def test_what_the_profile_paper_asks_less_of_is_declared_and_legal():
    for notebook in NOTEBOOKS:
        file = checkout.path(trying.ROOT, notebook)
        declared = parameters.read(file)
        smaller = less.less(notebook, declared)
        given = checkout.overrides(trying.ROOT, PAPER, notebook) | smaller
        parameters.validate(file, given)
        assert less.LESS.get(notebook, {}).keys() <= declared.keys()
