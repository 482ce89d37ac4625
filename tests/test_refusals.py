"""What notebooks would refuse, said once and before a kernel starts."""

import json

import pytest
from click.testing import CliRunner

from cwr import parameters
from cwr.cli import checkout, main, plan, refusals
from cwr.errors import UserError

PROBING = "survey/03_edge_probing"


@pytest.fixture
def bloom(tmp_path):
    """A model of a type whose layers cannot be read."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.json").write_text(json.dumps({"model_type": "bloom"}))
    return str(tmp_path / "mine")


def cwr(*words: str):
    return CliRunner().invoke(main.cli, words)


@pytest.mark.parametrize("more", [(), ("--dry-run",)])
def test_a_chapter_with_a_type_that_cannot_be_read_starts_no_kernel_and_says_it_once(
    bloom, more
):
    done = cwr("run", "survey", "-p", "models", json.dumps([bloom]), *more)
    assert done.exit_code == 2 and done.stdout == ""
    *_, sentence = done.stderr.splitlines()
    assert sentence.startswith(
        "cwr: mine is of type 'bloom', which cwr cannot read layer by layer"
    )
    assert done.stderr.count("bloom") == 1


def test_a_plan_names_every_refusal_and_shows_what_can_run(bloom):
    values = {"models": ["cwr-bert"], "corpus": "nowhere.txt", "tasks": ["pos", "entitys"]}
    texts = [
        word for key, value in values.items() for word in ("-p", key, json.dumps(value))
    ]
    done = cwr("run", "survey", "--dry-run", *texts)
    assert done.exit_code == 2
    assert done.stderr.count("corpus 'nowhere.txt' is neither a named corpus nor") == 1
    assert done.stderr.count("there is no task 'entitys': did you mean 'entities'?") == 1
    shown = cwr(
        "run", "zhao2020", "--dry-run", "-p", "matrices", '["no model"]', "-p", "seed", "1"
    )
    assert shown.exit_code == 2 and "  zhao2020/01_dataset\n" in shown.stdout
    assert "zhao2020/02_uncontextualized\n" not in shown.stdout
    assert shown.stderr.splitlines()[-1].startswith(
        "cwr: zhao2020/02_uncontextualized: there is no model folder 'no model'"
    )


def test_a_type_without_readable_layers_has_a_token_matrix(bloom):
    changes = {"models": [bloom]}
    said = refusals.of_run(checkout.root(), {"bis2021/01_geometry": changes}, is_plan=True)
    assert said == {}
    assert not list(plan.unusable({"models": [bloom]}, of_matrices=True))
    assert not list(plan.unusable({"models": ["minilm"], "matrices": [bloom]}))
    (said,) = plan.unusable({"models": [bloom]})
    assert "mine is of type 'bloom'" in said


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"matrices": ["minlm"]}, "there is no model 'minlm'; did you mean 'minilm'?"),
        ({"sentence_models": ["minilm", "minilm"]}, "2 of the models are called 'minilm'"),
        ({"parents": ["cwr-static"]}, "cwr-static is a table of static word vectors"),
        ({"static": ["cwr-static", "glove.txt"]}, "there are no word vectors 'glove.txt'"),
        ({"rival": "cwr-statik"}, "there are no word vectors 'cwr-statik'"),
        ({"glue": ["sst3"]}, "there is no task 'sst3': did you mean 'sst2'?"),
        (
            {"task": "SemEval-2011"},
            "there is no task 'SemEval-2011': did you mean 'SemEval-2010'?",
        ),
        (
            {"tagged": "gumm"},
            "corpus 'gumm' is neither a named corpus nor an existing file",
        ),
        (
            {"corpus": "gum", "text": "Two. Texts.", "span": "Two"},
            "give a text of one sentence",
        ),
        (
            {"corpus": "gum", "text": "He smoked Toronto.", "phrase": "Toro"},
            "the words 'Toro' do",
        ),
    ],
    ids=str,
)
def test_every_name_that_a_parameter_holds_is_known_before_a_kernel_starts(values, says):
    assert next(plan.unusable(values)).startswith(says)


def test_what_lies_below_home_may_come_later_in_a_plan_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = {PROBING: {"models": ["~/ELMo"]}}
    assert refusals.of_run(checkout.root(), settings, is_plan=True) == {}
    (sentence,) = refusals.of_run(checkout.root(), settings, is_plan=False)
    assert sentence.startswith("there is no model folder '~/ELMo'")


def test_a_hub_model_that_cannot_be_had_is_refused_before_a_kernel_starts(monkeypatch):
    settings = {PROBING: {"models": ["nobody/has-this"]}}
    assert refusals.of_run(checkout.root(), settings, is_plan=True) == {}
    (sentence,) = refusals.of_run(checkout.root(), settings, is_plan=False)
    assert sentence.startswith(
        "the model nobody/has-this is not on this machine and the hub"
    )


def test_the_notebooks_of_the_book_refuse_nothing_of_their_own():
    names = checkout.notebooks(checkout.root())
    for profile in ("small", "base"):
        usual = {
            name: checkout.overrides(checkout.root(), profile, name) for name in names
        }
        assert refusals.of_run(checkout.root(), usual, is_plan=False) == {}


def test_half_of_a_sign_is_refused_in_one_sentence():
    for text in ('"\\ud800"', "\udcff.txt", '["a", "\\ud800"]'):
        done = cwr("run", PROBING, "--dry-run", "-p", "corpus", text)
        assert done.exit_code != 0 and not isinstance(done.exception, UnicodeError)
        with pytest.raises(
            UserError, match="which is half of a sign and stands in no text"
        ):
            raise done.exception


def test_papermill_is_told_how_to_give_a_list():
    namespace = {"__annotations__": {"models": "list[str]"}, "models": '["x"]'}
    with pytest.raises(UserError) as error:
        parameters.check(namespace)
    assert str(error.value) == (
        "parameter 'models' of this notebook must be list[str], but models is '[\"x\"]'; "
        "papermill's -p gives a text: write -y 'models: [\"x\"]'"
    )
