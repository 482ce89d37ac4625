"""Words about other parameters and about models: membership, defaults that follow, depths."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbclient import NotebookClient

from cwr import encoders, parameters
from cwr.cli import checkout
from cwr.errors import UserError
from cwr.parameters import Parameter, bounds, relations

TASKS = st.lists(st.sampled_from(["pos", "ner", "srl", "sst2"]), max_size=4, unique=True)
DEFAULT = ["pos", "ner"]


def settled(
    help_text: str, default, value, other, other_default=DEFAULT, kind="list[str]"
):
    """What becomes of a value of `copied`, which says something of `tasks`."""
    declared = {
        "copied": Parameter("copied", kind, default, help_text),
        "tasks": Parameter("tasks", "list[str]", other_default),
    }
    return relations.settled(declared, {"copied": value, "tasks": other}, "a/b")["copied"]


def refused(*arguments, **options) -> str:
    with pytest.raises(UserError) as error:
        settled(*arguments, **options)
    return str(error.value)


@given(TASKS, TASKS)
def test_a_value_passes_if_all_of_it_is_of_the_other(value, other):
    if set(value) <= set(other):
        assert settled("tasks with copies; of tasks", DEFAULT, value, other) == value
    else:
        assert "must be of `tasks`" in refused(
            "tasks with copies; of tasks", [], value, other
        )


@given(TASKS, TASKS, st.booleans())
def test_a_default_is_cut_to_what_is_of_the_other_and_may_become_all_of_it(
    default, other, is_all
):
    words = f"copied; default: those of tasks{', else all' if is_all else ''}; at least 0"
    kept = [entry for entry in default if entry in other]
    if is_all and default and not kept:
        kept = other
    if other == DEFAULT:
        kept = default  # with default parameters nothing changes
    assert settled(words, default, default, other) == kept


def test_a_value_that_is_no_default_does_not_follow():
    words = "default: those of tasks, else all"
    assert settled(words, ["pos"], [], ["srl"]) == []
    assert refused(words, ["pos"], ["pos", "srl"], ["srl"]) == (
        "parameter 'copied' of a/b must be of `tasks`, but copied[0] is 'pos': there are srl"
    )


def test_a_refusal_names_the_nearest():
    sentence = refused("of tasks", [], ["pos", "entitys"], ["pos", "entities"])
    assert sentence.endswith("copied[1] is 'entitys': did you mean 'entities'?")
    assert refused("of tasks", "", "pso", ["pos"], kind="str").endswith(
        "but copied is 'pso': did you mean 'pos'?"
    )
    assert refused("of tasks", [], ["pos"], []).endswith("copied[0] is 'pos': it has none")


def test_what_follows_is_held_to_its_bounds():
    assert refused(
        "default: those of tasks; at least 1", ["pos"], ["pos"], ["srl"]
    ).endswith("must have at least 1 entry, but copied is []")


@pytest.mark.parametrize(
    "prose",
    [
        "pairs of tasks; at least 1",
        "of tasks whose labels are few",
        "of the tasks",
        "oftasks",
    ],
)
def test_anything_else_is_prose(prose):
    assert settled(prose, [], ["nothing of it"], ["pos"]) == ["nothing of it"]


def test_one_value_may_be_of_a_list_of_numbers():
    declared = {
        "rank": Parameter("rank", "int", 8, "of the map; one of ranks; at least 1"),
        "ranks": Parameter("ranks", "list[int]", [8, 64]),
    }
    assert relations.settled(declared, {"rank": 64, "ranks": [64]}, "a/b")["rank"] == 64
    with pytest.raises(UserError, match="must be of `ranks`, but rank is 8: there are 64"):
        relations.settled(declared, {"rank": 8, "ranks": [64]}, "a/b")


def test_defaults_follow_along_a_chain_in_any_order():
    declared = {
        "shown": Parameter(
            "shown", "list[str]", ["a"], "default: those of copied, else all"
        ),
        "copied": Parameter(
            "copied", "list[str]", ["a"], "default: those of models, else all"
        ),
        "models": Parameter("models", "list[str]", ["a", "b"]),
    }
    values = {"shown": ["a"], "copied": ["a"], "models": ["c"]}
    assert relations.settled(declared, values, "a/b")["shown"] == ["c"]


def test_a_circle_is_refused():
    declared = {
        "one": Parameter("one", "list[str]", [], "of two"),
        "two": Parameter("two", "list[str]", [], "of one"),
    }
    with pytest.raises(UserError, match="say `of` each other in a circle"):
        relations.settled(declared, {"one": [], "two": []}, "a/b")


# ---- models


def folder(parent: Path, name: str, **config) -> str:
    """A folder with the configuration of a model, and without its weights."""
    (parent / name).mkdir(parents=True)
    (parent / name / "config.json").write_text(
        json.dumps({"model_type": "bert", **config})
    )
    return str(parent / name)


def test_a_folder_is_the_same_by_its_path_and_by_its_name_in_results(tmp_path):
    mine = folder(tmp_path, "my model!", num_hidden_layers=2)
    assert encoders.called(mine) == "my model_"
    for value in ([mine], ["my model_"], [f"{mine}/"]):
        assert settled("of tasks", [], value, [mine]) == value
    assert settled(
        "of tasks", [], ["BERT-base-cased"], ["google-bert/bert-base-cased@cd5ef92"]
    )
    impostor = folder(tmp_path, "minilm", num_hidden_layers=2)
    assert "did you mean" in refused("of tasks", [], ["minilm"], [impostor])


def of_layers(words: str, value, models, default=None):
    declared = {
        "layers": Parameter("layers", "list[int] | int", default, words),
        "models": Parameter("models", "list[str] | str", models),
    }
    return relations.settled(declared, {"layers": value, "models": models}, "a/b")[
        "layers"
    ]


@given(
    st.integers(1, 48),
    st.integers(1, 48),
    st.lists(st.integers(0, 50), min_size=1, max_size=3),
)
def test_no_layer_is_above_the_depth_of_the_shallowest(
    tmp_path_factory, first, second, layers
):
    parent = tmp_path_factory.mktemp("models")
    models = [
        folder(parent, "one", num_hidden_layers=first),
        folder(parent, "two", n_layer=second, model_type="gpt2"),
    ]
    words, least = "of ASE; each at most layers of models", min(first, second)
    if max(layers) <= least:
        assert of_layers(words, layers, models) == layers
    else:
        with pytest.raises(UserError, match=f"must be at most {least}, the layers of "):
            of_layers(words, layers, models)
    assert of_layers(words, layers, models, default=layers) == [
        n for n in layers if n <= least
    ]


def test_a_layer_of_one_model_is_refused_by_name(tmp_path):
    mine = folder(tmp_path, "mine", num_hidden_layers=2)
    with pytest.raises(UserError) as error:
        of_layers("at most layers of models", 3, mine)
    assert str(error.value) == (
        "parameter 'layers' of a/b must be at most 2, the layers of mine, but layers is 3"
    )
    assert of_layers("at most layers of models", 2, ["cwr-elmo", "minilm"]) == 2
    assert of_layers("at most layers of models", 99, "some/hub-model-not-here") == 99


def test_the_depth_of_a_packed_model_is_read_from_its_header():
    with pytest.raises(
        UserError, match="at most 30, the layers of smollm2, but layers is 31"
    ):
        of_layers("at most layers of models", 31, "smollm2")


def test_an_elmo_is_refused_where_a_tokenizer_is_needed(tmp_path):
    (tmp_path / "ELMo").mkdir()
    (tmp_path / "ELMo" / "options.json").write_text("{}")
    declared = {
        "models": Parameter("models", "list[str]", [], "hub ids too; with a tokenizer")
    }
    for name, called in (("cwr-elmo", "cwr-elmo"), (str(tmp_path / "ELMo"), "ELMo")):
        with pytest.raises(UserError) as error:
            relations.settled(declared, {"models": ["cwr-bert", name]}, "a/b")
        assert str(error.value) == (
            "parameter 'models' of a/b takes models with a tokenizer, but models[1] is "
            f"{called}, which reads words by their characters"
        )
    assert relations.settled(declared, {"models": ["cwr-gpt", "some/id"]}, "a/b")


# ---- notebooks

NOTEBOOKS = checkout.notebooks(checkout.root())
PROSE = {  # where `of NAME` is no word about the parameter NAME
    ("gupta2021/01_distillation", "sets", "words"),
    ("survey/06_mixing_and_transfer", "tuned_updates", "tuned"),
}


def test_every_of_in_the_notebooks_is_understood_or_known_as_prose():
    read, prose = set(), set()
    for name in NOTEBOOKS:
        declared = parameters.read(checkout.path(checkout.root(), name))
        for key, parameter in declared.items():
            understood = {
                word.other for word in relations.mentions_in(parameter, declared)
            }
            layered = {other for _, other in relations._LAYERS.findall(parameter.help)}
            for other in set(re.findall(r"\bof (\w+)", parameter.help)) & (
                set(declared) - {key}
            ):
                known = read if other in understood | layered else prose
                known.add((name, key, other))
    assert prose == PROSE


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_defaults_and_profiles_keep_to_all_words_and_nothing_of_them_changes(name):
    notebook = checkout.path(checkout.root(), name)
    declared = parameters.read(notebook)
    defaults = {key: parameter.default for key, parameter in declared.items()}
    assert parameters.validate(notebook, {}) == defaults
    for profile in ("base", "paper"):
        usual = checkout.overrides(checkout.root(), profile, name)
        assert parameters.from_text(notebook, {}, usual) == usual


# ---- in a notebook's file and in its kernel

CELL = """models: list[str] = ["cwr-bert"]  # hub ids, too; at least 1
copied: list[str] = ["cwr-bert"]  # those with copies;
                                  # default: those of models, else all; at least 0
# a heading is no comment of a parameter: default: those of models
shown: list[str] = ["cwr-bert",   # one of many
                    "minilm"]     # at least 1"""


@pytest.fixture
def notebook(tmp_path):
    cell = nbformat.v4.new_code_cell(CELL, metadata={"tags": ["parameters"]})
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "01_thing.ipynb")
    return tmp_path / "01_thing.ipynb"


def test_a_comment_goes_on_in_indented_lines(notebook):
    declared = parameters.read(notebook)
    assert declared["copied"].help.endswith(
        "; default: those of models, else all; at least 0"
    )
    assert declared["shown"].help == "one of many at least 1"


def test_what_a_profile_sets_follows_as_a_default_does(notebook):
    usual = {"models": ["cwr-bert", "minilm"], "copied": ["minilm"]}
    typed = {"models": '["x"]'}
    assert parameters.from_text(notebook, {}, usual) == usual
    assert parameters.from_text(notebook, typed, usual) == {
        "models": ["x"],
        "copied": ["x"],
    }
    assert parameters.from_text(notebook, typed) == {"models": ["x"]}
    assert parameters.validate(notebook, {"models": ["x"]})["copied"] == ["x"]
    assert parameters.validate(notebook, {"models": ["x"], "copied": []})["copied"] == []
    with pytest.raises(UserError, match="must be of `models`, but copied.0. is 'minilm'"):
        parameters.from_text(notebook, {**typed, "copied": "minilm"}, usual)


def test_a_kernel_settles_what_papermill_set(notebook):
    namespace = {"In": ["", CELL, "models = ['x']", "%matplotlib inline"]}
    exec(CELL, namespace)
    assert parameters.check(dict(namespace)) == parameters.validate(notebook, {})
    namespace["models"] = ["x"]
    given = parameters.check(namespace)
    assert given == parameters.validate(notebook, {"models": ["x"]})
    assert namespace["copied"] == given["copied"] == ["x"]
    assert parameters.check(namespace) == given  # when the cell below is run again
    namespace["copied"] = ["minilm"]
    with pytest.raises(UserError, match="'copied' of this notebook must be of `models`"):
        parameters.check(namespace)


def test_a_real_kernel_keeps_to_the_words_of_its_parameters_cell():
    code = nbformat.v4.new_code_cell
    ends = "from cwr import parameters\nparameters.check(globals())"
    cells = [code(CELL), code("models = ['x']"), code(ends), code("print(copied)")]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    NotebookClient(made, kernel_name="python3").execute()
    assert made.cells[-1].outputs[0]["text"] == "['x']\n"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_model_of_the_readers_alone_is_taken_by_every_notebook_under_every_profile(
    name, tmp_path
):
    mine = folder(tmp_path, "mine", num_hidden_layers=1)
    notebook = checkout.path(checkout.root(), name)
    declared = parameters.read(notebook)
    keys = [key for key in ("models", "teacher") if key in declared]
    keys = [
        key for key in keys if not bounds.choices(declared[key].help)
    ]  # the cards are of ours
    for profile in ("small", "base", "paper"):
        usual = checkout.overrides(checkout.root(), profile, name)
        texts = {key: mine for key in keys}
        settings = parameters.from_text(notebook, texts, usual)
        values = parameters.validate(notebook, settings)
        assert all(values[key] in (mine, [mine]) for key in keys)


def test_with_the_defaults_of_both_nothing_follows():
    words = "default: those of tasks"
    assert settled(words, ["sst2", "pos"], ["sst2", "pos"], DEFAULT) == ["sst2", "pos"]
    assert settled(words, ["sst2", "pos"], ["sst2", "pos"], ["pos"]) == ["pos"]


def test_a_default_follows_a_model_in_other_words():
    hub_id, words = "google-bert/bert-base-cased@cd5ef92", "default: those of tasks"
    assert settled(
        words, ["BERT-base-cased", "x"], ["BERT-base-cased", "x"], [hub_id]
    ) == ["BERT-base-cased"]
