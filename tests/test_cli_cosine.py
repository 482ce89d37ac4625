"""`cwr cosine`: what it refuses before torch is imported, and what it says of a real model."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from cwr import encoders
from cwr.cli import main
from cwr.encoders import hub
from cwr.encoders.layer_count import layer_count

WITHOUT_TORCH = """import sys
sys.modules["torch"] = sys.modules["transformers"] = None
from cwr.cli.main import main
main()"""


def without_torch(*words: str) -> subprocess.CompletedProcess:
    """`cwr cosine` where importing torch is an error."""
    command = [sys.executable, "-c", WITHOUT_TORCH, "cosine", *words]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture
def folder(tmp_path):
    """A folder whose configuration names three layers, and nothing else."""
    config = {"model_type": "bert", "num_hidden_layers": 3}
    (tmp_path / "config.json").write_text(json.dumps(config))
    return tmp_path


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["1.93"], "1.93 is no cosine: give a number between -1 and 1"),
        (["-1.2", "--layer", "2"], "-1.2 is no cosine: give a number between -1 and 1"),
        (["nan"], "nan is no cosine: give a number between -1 and 1"),
        (
            ["0.93", "--layer", "9"],
            "cwr-bert has no layer 9: its layers are 0 (input) to 4",
        ),
        (
            ["-0.2", "--layer", "-1", "--model", "cwr-elmo"],
            "cwr-elmo has no layer -1: its layers are 0 (input) to 2",
        ),
        (
            ["0.93", "--model", "cwr-brt"],
            "there is no model 'cwr-brt'; did you mean 'cwr-bert'?",
        ),
    ],
)
def test_numbers_layers_and_names_are_refused_before_torch_is_imported(words, sentence):
    done = without_torch(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"cwr: {sentence}\n")


def test_a_layer_of_a_strangers_folder_is_refused_before_torch_is_imported(folder):
    done = without_torch("0.93", "--model", str(folder), "--layer", "4")
    assert done.returncode == 2
    assert done.stderr.endswith("has no layer 4: its layers are 0 (input) to 3\n")


@pytest.mark.parametrize("name", ["cwr-elmo", "cwr-bert", "cwr-gpt", "minilm"])
def test_the_configuration_names_as_many_layers_as_the_opened_model_has(name):
    assert layer_count(hub.find(name).folder) == encoders.load(name).n_layers


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"num_hidden_layers": true}', '{"num_hidden_layers": "4"}'],
)
def test_a_configuration_that_names_no_number_is_left_to_the_opening(tmp_path, text):
    assert layer_count(tmp_path) is None
    (tmp_path / "config.json").write_text(text)
    assert layer_count(tmp_path) is None


def test_without_a_layer_every_layer_has_a_line_that_its_sentence_agrees_with():
    lines = CliRunner().invoke(main.cli, ["cosine", "-0.2"]).output.splitlines()
    assert lines[0].startswith("-0.2 in cwr-bert, on 700 sentences of lee")
    assert [line.split(":")[0] for line in lines[1:]] == [f"  layer {n}" for n in range(5)]
    sentence = CliRunner().invoke(main.cli, ["cosine", "-0.2", "--layer", "3"]).output
    for phrase in lines[4].removeprefix("  layer 3: ").removesuffix(")").split(", "):
        judgement, share = phrase.split(" (")
        assert judgement in sentence and f"({share.removesuffix(')')}" in sentence
