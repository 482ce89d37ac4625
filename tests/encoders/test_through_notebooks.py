"""The paper's path with models small enough for a test: real notebooks, tiny ELMo, BERT, RoBERTa, GPT-2, STS input."""

import dataclasses
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cwr import corpora, encoders
from cwr.cli import checkout, warm_kernels
from cwr.report import results

ROOT = Path(__file__).parents[2]
CHAPTER = ROOT / "notebooks" / "ethayarajh2019"
SURVEY = ROOT / "notebooks" / "survey"
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


@pytest.fixture(scope="module", autouse=True)
def kernels():
    """The server of kernels that a book's run has."""
    with warm_kernels.server(ROOT, 1) as address, pytest.MonkeyPatch.context() as patch:
        for name, value in address.items():
            patch.setenv(name, value)
        yield


def run(
    notebook: str,
    out: Path,
    cache: Path,
    given: dict,
    chapter: Path = CHAPTER,
    **variables: str,
) -> subprocess.CompletedProcess:
    """One notebook through the workflow's runner, with a cache of its own."""
    return subprocess.run(
        [
            sys.executable,
            ROOT / "workflow" / "run_notebook.py",
            chapter / f"{notebook}.ipynb",
            "--out",
            out,
            "--given",
            json.dumps(given),
            "--threads",
            "1",
            "--warm",
            "1",
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ
        | {"CWR_CACHE": str(cache), "DEVICE": "cpu", "CWR_VERDICTS": "later"}
        | variables,
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
    done = run(
        "09_the_gpt2_inputs", tmp_path / "out", tmp_path / "cache", given, **variables
    )
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
    words = [
        word for name, value in given.items() for word in ("-y", json.dumps({name: value}))
    ]
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


def test_an_unknown_parameter_given_to_papermill_itself_is_refused_by_the_notebook(
    tmp_path,
):
    done = papermill(tmp_path, "-p", "modles", "x")
    assert done.returncode != 0 and "did you mean 'models'" in done.stderr


# ---- the survey: the profile paper's own kind of model, and folders of the reader's

SHORT = {"draws": 20, "seed": 0}
FEW = {"folds": 2, "most": 200, "most_tested": 200}
PROBES = FEW | {"epochs": 1}
LESS = {  # than the profile paper asks for; SemEval and GLUE are not of these folders
    "03_edge_probing": {
        "tasks": ["pos", "constituents", "entities", "coreference"],
        "most": 200,
        "most_tested": 200,
        "epochs": 1,
    },
    "06_mixing_and_transfer": {
        "hidden": 8,
        "updates": 2,
        "tuned_updates": 2,
        "tuned_tasks": ["pos"],
        "glue": [],
        "vocabulary": 4,
        "epochs": 1,
    },
}
OF_SURVEY = {
    "01_layer_similarity": {"least": 2},
    "03_edge_probing": PROBES | {"beside": ["pos"], "switched": ["pos"]},
    "04_changing_its_mind": FEW | {"lengths": [1], "trainings": 4},
    "05_structural_probe": {"epochs": 1, "rank": 4, "ranks": [2, 4]},
}
OF_MODELS = {
    "03_edge_probing": ["single"],
    "05_structural_probe": ["untrained", "swept", "nonsense"],
}
EXPECTED = {
    "01_layer_similarity": {"noun_phrase_cosine_gain", "pronoun_coreference_accuracy"},
    "03_edge_probing": {"cumulative_probe_f1", "single_layer_probe_f1"},
    "04_changing_its_mind": {"reversal_rate", "net_reversal_rate_beyond_equal_layers"},
    "05_structural_probe": {
        "structural_probe_control_uuas_percent",
        "structural_probe_nonsense_uuas_percent",
    },
}


@pytest.fixture(scope="module")
def part_of_gum(tmp_path_factory) -> str:
    """The first sentences of some documents of GUM, with all that they carry, as a file."""
    gum = corpora.load("gum")
    sentences = tuple(s for s in gum.sentences if s.document < 8 and s.paragraph < 6)
    file = tmp_path_factory.mktemp("gum") / "part.jsonl"
    corpora.write(dataclasses.replace(gum, sentences=sentences), file)
    return str(file)


@pytest.mark.parametrize("notebook", OF_SURVEY)
def test_the_surveys_notebooks_run_with_a_tiny_bert_in_a_folder(
    notebook, folders, part_of_gum, tmp_path_factory
):
    cache = tmp_path_factory.getbasetemp() / "survey-path"
    out = tmp_path_factory.mktemp("out") / notebook
    models = [folders["bert"]]
    given = {"models": models, "corpus": part_of_gum, **SHORT, **OF_SURVEY[notebook]}
    given |= dict.fromkeys(OF_MODELS.get(notebook, []), models)
    done = run(notebook, out, cache, given, SURVEY)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    table = results.read(out).table
    (name,) = map(encoders.called, models)
    assert name in set(table["model"])
    expected = EXPECTED[notebook]
    assert expected <= set(table["measure"]), "also what only models of these lists have"


WORDS = ["Ann", "sold", "the", "bank", "to", "Bob", "."]
TAGS = ["NNP", "VBD", "DT", "NN", "IN", "NNP", "."]
PARSE = ["(TOP(S(NP*)", "(VP*", "(NP*", "*)", "(PP*", "(NP*)))", "*))"]
TYPES = ["(PERSON)", "*", "(ORG*", "*)", "*", "(GPE)", "*"]
CHAINS = ["(1)", "-", "(2", "2)", "-", "(1)", "-"]
NER = ["I-PER", "O", "O", "I-ORG", "O", "I-PER", "O"]


def written(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return str(folder)


@pytest.fixture
def ontonotes(tmp_path) -> str:
    """A folder for CWR_DATA with six documents of ours in the form of CoNLL-2012."""
    files = {}
    for number, split in enumerate(
        ["train", "train", "test", "test", "development", "train"]
    ):
        name = f"nw/ours/00/ours_{number:04}"
        columns = zip(WORDS, TAGS, PARSE, TYPES, CHAINS, strict=True)
        rows = [
            f"{name} 0 {place} {word} {tag} {parse} - - - - {kind} {chain}"
            for place, (word, tag, parse, kind, chain) in enumerate(columns)
        ]
        sentences = "\n".join([*rows, ""]) * 4
        content = sentences.replace(". . *)) - - - - * -\n", ". . *)) - - - - * -\n\n")
        text = f"#begin document ({name}); part 000\n{content}#end document\n"
        files[f"ontonotes/data/{split}/{number}.v4_gold_conll"] = text
    return written(tmp_path, files)


@pytest.fixture
def conll_2003(tmp_path) -> str:
    """A folder for CWR_DATA with documents of ours in the form of CoNLL-2003."""
    rows = zip(["Yesterday", *WORDS], ["RB", *TAGS], ["O", *NER], strict=True)
    sentence = (
        "\n".join(f"{word} {tag} I-NP {entity}" for word, tag, entity in rows) + "\n\n"
    )
    content = ("-DOCSTART- -X- -X- O\n\n" + 4 * sentence) * 3
    parts = ("eng.train", "eng.testa", "eng.testb")
    return written(tmp_path, {f"conll-2003/{name}": content for name in parts})


@pytest.mark.parametrize("notebook", ["03_edge_probing", "06_mixing_and_transfer"])
def test_the_profile_paper_of_the_survey_reads_folders_of_the_readers(
    notebook, folders, ontonotes, conll_2003, tmp_path
):
    assert ontonotes == conll_2003 == str(tmp_path)
    given = checkout.overrides(ROOT, "paper", f"survey/{notebook}")
    models = [folders["bert"]]
    given |= dict.fromkeys(given.keys() & {"models", "single", "tuned"}, models) | SHORT
    given |= LESS[notebook]
    done = run(
        notebook, tmp_path / "out", tmp_path / "cache", given, SURVEY, CWR_DATA=ontonotes
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    table = results.read(tmp_path / "out").table
    measure = {
        "03_edge_probing": "edge_probe_f1",
        "06_mixing_and_transfer": "frozen_probe_score",
    }
    scores = table[
        (table["measure"] == measure[notebook]) & (table["model"] != "cwr-elmo")
    ]
    assert set(scores["task"]) == set(given["tasks"])
    assert scores["value"].between(0, 100).all()
