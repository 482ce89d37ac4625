"""The paper's path with models small enough for a test: real notebooks, tiny ELMo, BERT, RoBERTa, GPT-2, STS input."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cwr.report import results

ROOT = Path(__file__).parents[2]
CHAPTER = ROOT / "notebooks" / "ethayarajh2019"
NOTEBOOKS = [
    "01_anisotropy",
    "02_self_similarity",
    "03_intra_sentence_similarity",
    "04_maximum_explainable_variance",
]


@pytest.fixture(scope="module")
def elmo(tmp_path_factory) -> str:
    """AllenNLP's miniature ELMo as a folder."""
    source, folder = (
        Path(__file__).parents[1] / "data" / "elmo_fixtures",
        tmp_path_factory.mktemp("tiny-elmo"),
    )
    shutil.copy(source / "options.json", folder)
    shutil.copy(source / "lm_weights.hdf5", folder / "weights.hdf5")
    return str(folder)


def run(
    notebook: str, out: Path, cache: Path, given: dict, **variables: str
) -> subprocess.CompletedProcess:
    """One notebook through the workflow's runner, with a cache of its own."""
    return subprocess.run(
        [
            sys.executable,
            ROOT / "workflow" / "run_notebook.py",
            CHAPTER / f"{notebook}.ipynb",
            "--out",
            out,
            "--given",
            json.dumps(given),
            "--threads",
            "1",
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"CWR_CACHE": str(cache), "DEVICE": "cpu"} | variables,
    )


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_the_paper_path_runs_with_tiny_models_on_the_papers_own_input(
    notebook, folders, elmo, shared, tmp_path_factory
):
    cache, out = (
        tmp_path_factory.getbasetemp() / "paper-path",
        tmp_path_factory.mktemp("out") / notebook,
    )
    models = [elmo, *(folders[kind] for kind in ("bert", "gpt2", "roberta"))]
    given = {"models": models, "corpus": "sts", "sentences": 300, "draws": 20}
    done = run(notebook, out, cache, given, CWR_DATA=str(shared / "data" / "mirror"))
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    table = results.read(out).table
    of_models = table[table["family"] != "static"]
    assert set(of_models["family"]) == {"bilstm", "masked", "causal"}
    assert of_models["model"].nunique() == 4
    assert table["value"].notna().all()


def test_the_three_inputs_run_with_tiny_byte_level_models_on_the_papers_own_input(
    folders, shared, tmp_path
):
    models = [folders["gpt2"], folders["roberta"]]
    given = {
        "models": models,
        "corpus": "sts",
        "sentences": 300,
        "draws": 20,
        "benchmarks": ["MEN"],
    }
    given["min_contexts"] = 2
    variables = {"CWR_DATA": str(shared / "data" / "mirror")}
    done = run("09_the_gpt2_inputs", tmp_path / "out", tmp_path / "cache", given, **variables)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    table = results.read(tmp_path / "out").table
    assert table["variant"].nunique(dropna=False) == 3 and table["model"].nunique() == 2
    assert table["value"].notna().all()


def papermill(folder, *words, **settings):
    """Run the notebook of Figure 1 by papermill itself, in a folder, with environment variables."""
    command = [sys.executable, "-m", "papermill", CHAPTER / "01_anisotropy.ipynb"]
    return subprocess.run(
        [*command, folder / "alone.ipynb", "-k", "python3", "--no-progress-bar", *words],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | settings,
    )


def test_results_are_the_same_alone_in_the_workflow_and_from_a_cold_or_warm_cache(
    folders, tmp_path
):
    given = {"models": [folders["gpt2"]], "sentences": 60, "draws": 20}
    cold = run("01_anisotropy", tmp_path / "cold", tmp_path / "cache", given)
    warm = run("01_anisotropy", tmp_path / "warm", tmp_path / "cache", given)
    assert (cold.returncode, warm.returncode) == (0, 0), cold.stdout + warm.stdout
    words = [word for name, value in given.items() for word in ("-y", json.dumps({name: value}))]
    by_itself = papermill(tmp_path, *words, CWR_CACHE=str(tmp_path / "other"))
    assert by_itself.returncode == 0, by_itself.stderr
    alone = tmp_path / "results" / "ethayarajh2019" / "01_anisotropy" / "results.json"
    assert (
        len(
            {
                file.read_bytes()
                for file in (
                    tmp_path / "cold" / "results.json",
                    tmp_path / "warm" / "results.json",
                    alone,
                )
            }
        )
        == 1
    )


def test_an_unknown_parameter_given_to_papermill_itself_is_refused_by_the_notebook(tmp_path):
    done = papermill(tmp_path, "-p", "modles", "x")
    assert done.returncode != 0 and "did you mean 'models'" in done.stderr
