"""`cwr vectors`: two files of a real model and a real text, and what it refuses before torch."""

import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner
from gensim.models import KeyedVectors

from cwr import corpora, encoders
from cwr.cli import main
from cwr.estimates import contexts, vector_files
from cwr.training.static_vectors import export

WITHOUT_TORCH = """import sys
sys.modules["torch"] = sys.modules["transformers"] = None
from cwr.cli.main import main
main()"""


def without_torch(*words: str) -> subprocess.CompletedProcess:
    """`cwr vectors` where importing torch is an error."""
    command = [sys.executable, "-c", WITHOUT_TORCH, "vectors", *words]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["cwr-brt", "lee"], "there is no model 'cwr-brt'; did you mean 'cwr-bert'?"),
        (["cwr-bert", "nowhere.txt"], "is neither a named corpus"),
        (["cwr-bert", "lee", "--folder", "."], "the folder . exists: name a new one"),
        (
            ["cwr-bert", "lee", "--threshold", "0"],
            "the threshold 0 leaves no target: give a num",
        ),
        (["cwr-bert", "lee", "--threshold", "nan"], "the threshold nan leaves no target"),
    ],
)
def test_models_texts_and_folders_are_refused_before_torch_is_imported(words, sentence):
    done = without_torch(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr and done.stderr.startswith("cwr: ")
    assert done.stderr.count("\n") == 1


def test_numbers_that_no_training_has_are_refused_by_their_option():
    for option in ("--updates", "--min-count"):
        done = CliRunner().invoke(main.cli, ["vectors", "cwr-bert", "lee", option, "0"])
        assert done.exit_code == 2 and option in done.output


def test_a_real_model_and_a_real_text_give_two_files_and_a_line_that_compares_them(
    tmp_path,
):
    folder = tmp_path / "mine"
    words = ["vectors", "cwr-bert", "lee", "--folder", str(folder), "--updates", "60"]
    done = CliRunner().invoke(main.cli, words, catch_exceptions=False)
    assert done.exit_code == 0
    x2static, ase, sentence = done.output.splitlines()
    assert sorted(each.name for each in folder.iterdir()) == ["ase", "x2static"]
    assert (
        x2static.startswith(f"{folder / 'x2static'}: ")
        and "not flat at its cap of 60" in x2static
    )
    chosen = ase.rsplit(", cwr-bert, ", 1)[1]
    # what the files hold, and what the line says, by hand
    text = corpora.load("lee")
    vocabulary = contexts.vocabulary(text, 5)
    read = contexts.read(encoders.load("cwr-bert"), text, vocabulary)
    averages = vector_files.Averages(read)
    files = {}
    for name in ("x2static", "ase"):
        keyed = KeyedVectors.load_word2vec_format(
            str(folder / name / export.BINARY), binary=True
        )
        assert tuple(keyed.index_to_key) == vocabulary.words
        assert (folder / name / export.SENTENCES).is_dir()
        files[name] = keyed.vectors
    np.testing.assert_array_equal(files["ase"], averages[chosen].vectors)
    trained = vector_files.WordVectors("x2static", vocabulary.words, files["x2static"])
    compared = vector_files.compared(trained, averages)
    assert sentence == compared.sentence and compared.chosen == chosen
    assert "pairs)" in sentence and len(compared.differences) > 1
    again = CliRunner().invoke(main.cli, words)
    assert "exists: name a new one" in str(again.exception)


def test_a_text_without_a_frequent_word_is_refused(tmp_path):
    file = tmp_path / "short.txt"
    file.write_text("One king saw a river.\n")
    done = CliRunner().invoke(main.cli, ["vectors", "cwr-bert", str(file)])
    assert "no word of short.txt occurs 5 times" in str(done.exception)
