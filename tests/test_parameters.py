"""The parameters cell: what is declared, what is refused, and with which words."""

import re

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from cwr import parameters
from cwr.cli import checkout
from cwr.errors import UserError

CELL = """models: list[str] = ["minilm"]   # shipped names, hub ids or folders
corpus: str = "lee"
seed: int = 0  # of the sample
threshold: float = 0.5
unit: Literal["word", "piece"] = "word"
layer: int | None = None
first: bool = False
draws: int = 10  # replicates; at least 2, at most 99
share: float = 0.5  # above 0, below 1
pooling: str = "mean"  # of pieces: mean | first | last
words: list[str] = ["a",
                    "b"]  # to look at; at least 1
depth: int | None = None  # at least 1
"""


@pytest.fixture
def notebook(tmp_path):
    path = tmp_path / "somebody2020" / "01_thing.ipynb"
    path.parent.mkdir()
    cell = nbformat.v4.new_code_cell(CELL, metadata={"tags": ["parameters"]})
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return path


def test_a_parameter_has_its_type_default_and_comment(notebook):
    declared = parameters.read(notebook)
    assert list(declared)[:4] == ["models", "corpus", "seed", "threshold"]
    assert declared["models"] == parameters.Parameter(
        "models", "list[str]", ["minilm"], "shipped names, hub ids or folders"
    )
    assert declared["corpus"].help == "" and declared["seed"].help == "of the sample"


def test_given_values_take_the_place_of_defaults(notebook):
    values = parameters.validate(notebook, {"seed": 3, "threshold": 1})
    assert values["seed"] == 3 and values["threshold"] == 1.0 and values["corpus"] == "lee"


def test_an_unknown_name_is_refused_with_the_nearest(notebook):
    sentence = (
        "unknown parameter 'modles' of somebody2020/01_thing: did you mean 'models'? "
        "It has models, corpus, seed, threshold, unit, layer, first, draws, share, pooling, words, "
        "depth"
    )
    with pytest.raises(UserError, match=f"^{re.escape(sentence)}$"):
        parameters.validate(notebook, {"modles": ["minilm"]})


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("seed", "5", "must be int, but seed is '5'"),
        ("seed", True, "must be int, but seed is True"),
        ("seed", 1.0, "must be int, but seed is 1.0"),
        ("models", "minilm", r"must be list\[str\], but models is 'minilm'"),
        ("models", ["minilm", 3], r"must be list\[str\], but models\[1\] is 3"),
        ("unit", "letter", r"must be Literal\['word', 'piece'\], but unit is 'letter'"),
        ("first", 0, "must be bool, but first is 0"),
        ("threshold", float("nan"), "must be a finite number, but threshold is nan"),
        ("threshold", float("-inf"), "must be a finite number, but threshold is -inf"),
    ],
)
def test_a_wrong_type_is_refused_with_the_value_found(notebook, name, value, says):
    with pytest.raises(UserError, match=says):
        parameters.validate(notebook, {name: value})


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("draws", 1, "must be at least 2, but draws is 1"),
        ("draws", 100, "must be at most 99, but draws is 100"),
        ("share", 0, "must be above 0, but share is 0.0"),
        ("share", 1.0, "must be below 1, but share is 1.0"),
        ("pooling", "max", "must be mean, first or last, but pooling is 'max'"),
        ("words", [], r"must have at least 1 entry, but words is \[\]"),
        ("depth", 0, "must be at least 1, but depth is 0"),
    ],
)
def test_a_value_out_of_the_bounds_in_the_comment_is_refused(notebook, name, value, says):
    with pytest.raises(
        UserError, match=f"parameter '{name}' of somebody2020/01_thing {says}$"
    ):
        parameters.validate(notebook, {name: value})


def test_a_value_on_its_bound_is_taken(notebook):
    values = {"draws": 2, "share": 0.001, "pooling": "last", "words": ["c"], "depth": None}
    assert parameters.validate(notebook, values).items() >= values.items()
    assert parameters.validate(notebook, {"draws": 99})["draws"] == 99


NAMES = checkout.notebooks(checkout.root())


@pytest.mark.parametrize("name", NAMES)
def test_every_number_and_every_list_of_a_notebook_has_a_bound(name):
    declared = parameters.read(checkout.path(checkout.root(), name)).values()
    bounded = [
        parameter
        for parameter in declared
        if parameter.type in ("int", "float", "list[str]")
    ]
    assert bounded
    for parameter in bounded:
        assert re.search(r"(at least|above) \d", parameter.help), parameter.name


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("models", '["a", "b"]', ["a", "b"]),
        ("models", "minilm", ["minilm"]),
        ("models", "[a, b]", ["a", "b"]),
        ("corpus", "sts", "sts"),
        ("corpus", "no", "no"),
        ("corpus", "2019", "2019"),
        ("corpus", '"sts"', "sts"),
        ("seed", "3", 3),
        ("threshold", "1e-3", 0.001),
        ("threshold", "2", 2.0),
        ("layer", "null", None),
        ("layer", "4", 4),
        ("first", "true", True),
        ("words", "2019", ["2019"]),
        ("corpus", "[a", "[a"),
    ],
)
def test_text_of_the_command_line_becomes_what_the_parameter_asks_for(
    notebook, name, text, value
):
    assert parameters.from_text(notebook, {name: text}) == {name: value}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("seed", "three"),
        ("seed", "1.5"),
        ("first", "maybe"),
        ("unit", "x"),
        ("words", "null"),
        ("words", "[1, 2]"),
        ("words", "a: 1"),
    ],
)
def test_text_of_the_command_line_that_is_nothing_of_the_kind_is_refused(
    notebook, name, text
):
    with pytest.raises(
        UserError, match=f"parameter '{name}' of somebody2020/01_thing must be"
    ):
        parameters.from_text(notebook, {name: text})


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("seed = 0", "line 1 of the parameters cell is not of the form"),
        ("seed: int = 1 + len('a')", "the value of parameter 'seed' is computed"),
        ("seed: __import__('os').system('true') = 1", "is no type for a parameter"),
        ("seed: int = 'a'", "parameter 'seed' of a/b must be int"),
        ("seed: int = 0  # at least 1", "parameter 'seed' of a/b must be at least 1"),
        (
            "x: int = 0\nseed: list[int] = [1",
            "a/b: line 2 of the parameters cell is not Python",
        ),
        ('seed: str = "one', "a/b: line 1 of the parameters cell is not Python"),
        ("seed: list[int, 'a'] = []", "is no type for a parameter"),
        ("seed: dict = {[1]: 2}", "the value of parameter 'seed' is computed"),
    ],
)
def test_a_cell_that_cannot_be_read_is_refused(tmp_path, source, says):
    path = tmp_path / "a" / "b.ipynb"
    path.parent.mkdir()
    cell = nbformat.v4.new_code_cell(source, metadata={"tags": ["parameters"]})
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    with pytest.raises(UserError, match=says):
        parameters.read(path)


def test_a_missing_or_broken_notebook_is_refused(tmp_path):
    with pytest.raises(UserError, match="there is no notebook"):
        parameters.read(tmp_path / "none.ipynb")
    (tmp_path / "text.ipynb").write_text("hello")
    with pytest.raises(UserError, match="is not a Jupyter notebook"):
        parameters.read(tmp_path / "text.ipynb")
    nbformat.write(nbformat.v4.new_notebook(), tmp_path / "empty.ipynb")
    with pytest.raises(UserError, match="no cell tagged `parameters`"):
        parameters.read(tmp_path / "empty.ipynb")


def executed(*cells: str) -> dict:
    """The namespace that these cells leave behind, as a kernel would."""
    namespace: dict = {"__annotations__": {}}
    for cell in cells:
        exec(cell, namespace)
    return namespace


def test_check_returns_the_declared_values():
    namespace = executed(
        'models: list[str] = ["minilm"]\nseed: int = 0',
        "import pathlib\nfrom json import loads",
    )
    assert parameters.check(namespace) == {"models": ["minilm"], "seed": 0}


def test_check_refuses_a_name_that_papermill_set_without_a_word():
    namespace = executed("seed: int = 0", "sede = 3")
    sentence = "unknown parameter 'sede' of this notebook: did you mean 'seed'"
    with pytest.raises(UserError, match=sentence):
        parameters.check(namespace)


def test_check_refuses_a_wrong_type():
    with pytest.raises(UserError, match="parameter 'seed' of this notebook must be int"):
        parameters.check(executed("seed: int = 0", "seed = '5'"))


def test_check_can_be_run_again_in_a_kernel_that_has_gone_further():
    namespace = executed("seed: int = 0")
    parameters.check(namespace)
    exec("table = 3\nseed = 4", namespace)
    assert parameters.check(namespace) == {"seed": 4}


def test_check_reads_the_bounds_of_the_cells_that_a_kernel_ran():
    code = nbformat.v4.new_code_cell
    cells = [
        code("draws: int = 10  # at least 2"),
        code("%config InlineBackend.close_figures = True"),
        code("draws = 0"),
        code("from cwr import parameters\nparameters.check(globals())"),
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    sentence = "parameter 'draws' of this notebook must be at least 2, but draws is 0"
    with pytest.raises(CellExecutionError, match=sentence):
        NotebookClient(notebook, kernel_name="python3").execute()
