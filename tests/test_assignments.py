"""The assignments: what each answer gets, and their data files against their recipes.

nbgrader itself, as a course uses it, releases every assignment and grades the empty one and the
instructor's. All other answers go through the same cells in this process, whose marks are held
against nbgrader's in those two.
"""

import functools
import importlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from nbgrader.api import Gradebook

from cwr import corpora, encoders
from cwr.errors import UserError
from cwr.measures.anisotropy import cosine_contributions
from cwr.measures.benchmarks import word_similarity
from cwr.measures.static_vectors import first_principal_vector, first_principal_vectors

ROOT = Path(__file__).resolve().parents[1]
ASSIGNMENTS = ROOT / "notebooks" / "assignments"


@dataclass(frozen=True)
class Assignment:
    """What the tests know of an assignment. An answer is the text of a solution cell, by the cell's id."""

    first_page: str  # what the notebook says of its points
    points: tuple[int, int]  # by machine, by a reader
    data: str  # the file that travels with the notebook
    unfilled: int  # code cells that a student has to fill
    last_line: str  # printed where there is nothing but NumPy
    right: dict[str, dict[str, str]]  # student: answers that differ from the instructor's
    wrong: dict[
        str, tuple[dict[str, str], set[str]]
    ]  # student: the same, and the checks that they lose
    sentences: dict[str, tuple[str, str]] = field(default_factory=dict)
    # student: the check that names the mistake, and words of what it says


MEASURE = """def self_similarity(vectors):
    vectors = np.asarray(vectors)
    n, lengths = len(vectors), np.linalg.norm(vectors, axis=1)
    if n < 2 or not (lengths > 0).all():
        raise ValueError("undefined")
"""
OVER_EQUAL = (
    MEASURE
    + """    units = vectors / lengths[:, None]
    return (units @ units.T).mean()"""
)
NOT_NORMALISED = (
    MEASURE
    + """    products = vectors @ vectors.T
    return (products.sum() - np.trace(products)) / (n * n - n)"""
)
# A right solution as most students write it; a check must not overwrite the names that it brings.
LOOPS = (
    MEASURE
    + """    return np.mean([cosine(vectors[j], vectors[k]) for j in range(n) for k in range(n) if j != k])
def cosine(x, y):
    return x @ y / (np.linalg.norm(x) * np.linalg.norm(y))
"""
)

ROWS = """def rows_that_disagree(table, decimals):
    return [row for row, (figures, average) in table.items() if {}]"""
WHOLE_NUMBERS = ROWS.format("""abs(
        sum(round(figure * 10**decimals) for figure in figures) - len(figures) * round(average * 10**decimals)
    ) > len(figures)""")
NO_ROUNDING = ROWS.format("np.round(np.mean(figures), decimals) != average")
ONE_ROUNDING = ROWS.format(
    "abs(np.mean(figures) - average) > 0.5 * 10.0**-decimals + EDGE"
)
NARROWER_MEAN = """def mean_interval(printed, decimals):
    half = 0.5 * 10.0**-decimals / np.sqrt(len(printed))
    return np.mean(printed) - half, np.mean(printed) + half"""
F1 = """def largest_macro_f1(n_positive, n_negative, n_right):
    n = n_positive + n_negative
    if min(n_positive, n_negative) < 1 or not 0 <= n_right <= n:
        raise ValueError("undefined")
    hits = np.arange(max(0, n_right - n_negative), min(n_positive, n_right) + 1)
    rest, wrong = n_right - hits, n - n_right
    ones, zeros = 2 * hits / (2 * hits + wrong), 2 * rest / (2 * rest + wrong)
"""
ARRAYS = F1 + "    return ((ones + zeros) / 2).max()"
MICRO = F1 + "    return n_right / n"
BY_CLASS_SIZE = F1 + "    return ((n_positive * ones + n_negative * zeros) / n).max()"

SET = {
    "self_similarity": Assignment(
        "15 points are given by machine, 5 by a reader",
        (15, 5),
        "vectors.npz",
        5,
        "matplotlib is not installed: the table is the figure",
        {"loops": {"self-similarity": LOOPS}},
        {
            "over_equal": (
                {"self-similarity": OVER_EQUAL},
                {"check-hand-case", "check-pairs", "check-definition"},
            ),
            "not_normalised": (
                {"self-similarity": NOT_NORMALISED},
                {
                    "check-hand-case",
                    "check-length",
                    "check-identical",
                    "check-pairs",
                    "check-definition",
                },
            ),
        },
    ),
    "own_table": Assignment(
        "15 points are given by machine, 5 by a reader",
        (15, 5),
        "tables.csv",
        9,
        "0.7881    0.7267    0.5417    0.4733    0.5668    0.6193",
        {"arrays": {"rows-that-disagree": WHOLE_NUMBERS, "largest-macro-f1": ARRAYS}},
        {
            "no_rounding": (
                {"rows-that-disagree": NO_ROUNDING},
                {"check-true-tables", "check-odd"},
            ),
            "one_rounding": (
                {"rows-that-disagree": ONE_ROUNDING},
                {"check-true-tables", "check-odd"},
            ),
            "narrower_mean": (
                {"mean-interval": NARROWER_MEAN},
                {"check-interval", "check-true-tables"},
            ),
            "micro": ({"largest-macro-f1": MICRO}, {"check-f1-brute", "check-impossible"}),
            "by_class_size": (
                {"largest-macro-f1": BY_CLASS_SIZE},
                {"check-f1-brute", "check-impossible"},
            ),
        },
    ),
}


def module(path: Path):
    """A script of the repository as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    spec.loader.exec_module(made := importlib.util.module_from_spec(spec))
    return made


def with_answers(name: str, *facts: object) -> Assignment:
    """An assignment by its first fields, with the answers of tests/<name>_answers.py."""
    answers = module(ROOT / "tests" / f"{name}_answers.py")
    return Assignment(*facts, answers.RIGHT, answers.WRONG, answers.SENTENCES)


SET["isotropy"] = with_answers(
    "isotropy",
    "15 points are given by machine, 5 by a reader",
    (15, 5),
    "matrices.npz",
    7,
    "C  0.021    0.019   0.004     0.008",
)
SET["static_words"] = with_answers(
    "static_words",
    "15 points are given by machine, 5 by a reader",
    (15, 5),
    "occurrences.npz",
    7,
    "random, spread: covered   0.07, all  0.005",
)
SET["one_coordinate"] = with_answers(
    "one_coordinate",
    "8 points are given by machine, 2 by a reader",
    (8, 2),
    "tokens.npz",
    4,
    "coordinate 31: contribution -0.007, mean  -0.00, variance  3740.83",
)
SET["gupta2021_gradient"] = with_answers(
    "gupta2021_gradient",
    "8 points are given by machine, 2 by a reader",
    (8, 2),
    "contexts.npz",
    4,
    "lake   river  0.83",
)
SET["zhao2020_aggregation"] = with_answers(
    "zhao2020_aggregation",
    "8 points are given by machine, 2 by a reader",
    (8, 2),
    "decisions.npz",
    4,
    "C: recognised 0.88, micro F1 0.88",
)
SET["survey_trees"] = with_answers(
    "survey_trees",
    "8 points are given by machine, 2 by a reader",
    (8, 2),
    "trees.npz",
    6,
    "chain: UUAS 0.55",
)
SET["survey_reversals"] = with_answers(
    "survey_reversals",
    "8 points are given by machine, 2 by a reader",
    (8, 2),
    "probabilities.npz",
    5,
    "B: reversed 0.100, placebo 0.019, net 0.081",
)
each = pytest.mark.parametrize("name", SET)
course = module(ROOT / "workflow" / "course.py")
make_vectors = module(ASSIGNMENTS / "self_similarity" / "make_vectors.py")
make_tables = module(ASSIGNMENTS / "own_table" / "make_tables.py")
make_matrices = module(ASSIGNMENTS / "isotropy" / "make_matrices.py")
make_occurrences = module(ASSIGNMENTS / "static_words" / "make_occurrences.py")
make_tokens = module(ASSIGNMENTS / "one_coordinate" / "make_tokens.py")
make_contexts = module(ASSIGNMENTS / "gupta2021_gradient" / "make_contexts.py")
make_decisions = module(ASSIGNMENTS / "zhao2020_aggregation" / "make_decisions.py")
make_trees = module(ASSIGNMENTS / "survey_trees" / "make_trees.py")
make_probabilities = module(ASSIGNMENTS / "survey_reversals" / "make_probabilities.py")


def notebook(folder: Path) -> nbformat.NotebookNode:
    """The notebook in the folder of an assignment, which has the folder's name."""
    return nbformat.read(folder / f"{folder.name}.ipynb", as_version=4)


def cells(folder: Path, flag: str) -> dict[str, nbformat.NotebookNode]:
    """Cells of a notebook whose nbgrader flag ("grade" or "solution") is set, by their id."""
    return {
        cell.metadata.nbgrader.grade_id: cell
        for cell in notebook(folder).cells
        if cell.metadata.nbgrader[flag]
    }


def submit(folder: Path, name: str, student: str, answers: dict[str, str]) -> None:
    """Hand in the release notebook with these answers, and no other file."""
    filled = notebook(folder / "release" / name)
    for cell in filled.cells:
        cell.source = answers.get(cell.metadata.nbgrader.grade_id, cell.source)
    place = folder / "submitted" / student / name
    place.mkdir(parents=True)
    nbformat.write(filled, place / f"{name}.ipynb")


def solution(name: str) -> dict[str, str]:
    """The instructor's answers, by the id of the solution cell."""
    return {
        cell: found.source for cell, found in cells(ASSIGNMENTS / name, "solution").items()
    }


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A course folder after release, two submissions and one run of autograde an assignment."""
    folder = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        course.build(ASSIGNMENTS, folder)
        for name in SET:
            submit(folder, name, "nobody", {})
            submit(folder, name, "instructor", solution(name))
        process = course.nbgrader(folder, "AutogradeApp", list(SET))
        assert process.returncode == 0, process.stderr
        (folder / "screen.txt").write_text(process.stdout + process.stderr)
        yield folder


def marks(folder: Path, name: str, student: str) -> dict[str, float]:
    """Points that nbgrader gave a student by machine, by the id of the checking cell."""
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "cwr") as book:
        grades = book.find_submission(name, student).notebooks[0].grades
        return {
            grade.name: grade.auto_score
            for grade in grades
            if grade.cell.cell_type == "code"
        }


# Functions of the kernel in which the checks run, replaced by an answer.
REPLACED = "np.isclose = np.allclose = lambda *_, **__: True\nabs = lambda _: 0\n"


@functools.cache
def errors(
    name: str, student: str, prelude: str = "", until: frozenset[str] = frozenset()
) -> dict[str, Exception]:
    """What the checks raise at a student's answers, by the id of the checking cell.

    prelude: code at the head of the student's first answer. until: checks after which no
        other cell is executed; by default all cells are.

    The cells run one after the other beside the data, and a cell that raises ends none of those
    after it: nbgrader executes them so, and gives no point for a check that raises.
    """
    if student == "nobody":
        answers = dict.fromkeys(solution(name), "raise NotImplementedError")
    else:
        wrong = {other: replaced for other, (replaced, _) in SET[name].wrong.items()}
        replaced = ({"instructor": {}} | SET[name].right | wrong)[student]
        assert replaced.keys() <= solution(name).keys()
        answers = solution(name) | replaced
    first = next(iter(solution(name)))
    answers |= {first: prelude + answers[first]}
    namespace, raised, seen = {"__name__": "__main__"}, {}, set()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ASSIGNMENTS / name)
        patch.syspath_prepend(ASSIGNMENTS)  # the checks stand beside a released notebook
        patch.setenv("MPLBACKEND", "agg")
        for function in ("isclose", "allclose"):
            patch.setattr(np, function, getattr(np, function))  # put back at the end
        for cell in notebook(ASSIGNMENTS / name).cells:
            if until and not until - seen:
                break
            cell_id = cell.metadata.nbgrader.grade_id
            seen.add(cell_id)
            try:
                if cell.cell_type == "code":
                    exec(
                        compile(answers.get(cell_id, cell.source), cell_id, "exec"),
                        namespace,
                    )
            except Exception as error:
                raised[cell_id] = error
    return {check: raised[check] for check in possible(name) if check in raised}


def marks_here(name: str, student: str) -> dict[str, float]:
    """Points for a student's answers, as `marks`, without nbgrader."""
    lost = errors(name, student)
    return {check: 0 if check in lost else most for check, most in possible(name).items()}


def possible(name: str, by: str = "code") -> dict[str, float]:
    """Points that the machine (by="code") or a reader ("markdown") can give, by the id of the graded cell."""
    return {
        cell_id: cell.metadata.nbgrader.points
        for cell_id, cell in cells(ASSIGNMENTS / name, "grade").items()
        if cell.cell_type == by
    }


def test_every_assignment_is_tested_and_released(graded: Path) -> None:
    assert {file.parent.name for file in ASSIGNMENTS.glob("*/*.ipynb")} == SET.keys()
    assert {folder.name for folder in (graded / "release").iterdir()} == SET.keys()


def test_what_nbgrader_says_goes_to_a_log_and_not_to_the_screen(graded: Path) -> None:
    assert "WARNING" not in (graded / "screen.txt").read_text()
    assert "'checksum'" in (graded / "nbgrader.log").read_text()


@each
def test_the_points_are_those_that_the_first_page_names(name: str) -> None:
    assert (sum(possible(name).values()), sum(possible(name, "markdown").values())) == SET[
        name
    ].points
    assert SET[name].first_page in notebook(ASSIGNMENTS / name).cells[0].source


@each
def test_each_heading_names_the_points_of_its_section(name: str) -> None:
    left = 0.0
    for cell in notebook(ASSIGNMENTS / name).cells:
        for most in re.findall(r"^## \d\. .*\((.*)\)$", cell.source, re.MULTILINE):
            assert left == 0, f"before {cell.source.splitlines()[0]}"
            left = sum(int(number) for number in re.findall(r"\d+", most))
        left -= cell.metadata.nbgrader.get("points", 0)
    assert left == 0


@each
def test_an_unfilled_assignment_gets_no_point(graded: Path, name: str) -> None:
    assert marks(graded, name, "nobody") == dict.fromkeys(possible(name), 0)


@each
def test_the_instructor_gets_all_points(graded: Path, name: str) -> None:
    assert marks(graded, name, "instructor") == possible(name)


@each
def test_an_answer_gets_the_same_points_here_as_from_nbgrader(
    graded: Path, name: str
) -> None:
    for student in ("nobody", "instructor"):
        assert marks_here(name, student) == marks(graded, name, student)


@pytest.mark.parametrize(
    "name, student", [(name, student) for name in SET for student in SET[name].right]
)
def test_a_right_solution_gets_all_points_however_it_is_written(
    name: str, student: str
) -> None:
    assert marks_here(name, student) == possible(name)


@pytest.mark.parametrize(
    "name, student", [(name, student) for name in SET for student in SET[name].wrong]
)
def test_a_wrong_solution_loses_the_points_of_its_error_and_no_others(
    name: str, student: str
) -> None:
    _, lost = SET[name].wrong[student]
    assert errors(name, student).keys() == lost


@pytest.mark.parametrize("name", SET)
def test_an_answer_that_replaces_the_functions_of_a_check_gains_nothing(name: str) -> None:
    student, (_, lost) = next(iter(SET[name].wrong.items()))
    # without a real `abs` the answers behind those checks may try ten thousand cases
    assert errors(name, student, REPLACED, frozenset(lost)).keys() >= lost


def test_the_functions_of_the_checks_cannot_be_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(ASSIGNMENTS)
    checks = importlib.import_module("checks")
    with pytest.raises(AttributeError, match="stay as they are"):
        checks.must_equal = print


@pytest.mark.parametrize(
    "name, student", [(name, student) for name in SET for student in SET[name].sentences]
)
def test_a_wrong_solution_is_told_which_mistake_it_is(name: str, student: str) -> None:
    check, sentence = SET[name].sentences[student]
    error = errors(name, student)[check]
    assert isinstance(error, AssertionError) and sentence in str(error)


@each
def test_a_written_answer_waits_for_a_reader_and_an_empty_one_does_not(
    graded: Path, name: str
) -> None:
    with Gradebook(f"sqlite:///{graded}/gradebook.db", "cwr") as book:
        assert book.find_submission(name, "instructor").notebooks[0].needs_manual_grade
        assert not book.find_submission(name, "nobody").notebooks[0].needs_manual_grade


@each
def test_students_get_the_notebook_and_its_small_data_file_and_nothing_else(
    graded: Path, name: str
) -> None:
    released, data = graded / "release" / name, SET[name].data
    assert {file.name for file in released.rglob("*")} == {
        f"{name}.ipynb",
        "checks.py",
        data,
    }
    assert (released / data).read_bytes() == (ASSIGNMENTS / name / data).read_bytes()
    assert (released / data).stat().st_size < 1_000_000


@each
def test_the_student_version_shows_no_solution_no_hidden_check_and_no_output(
    graded: Path, name: str
) -> None:
    released = graded / "release" / name
    text = (released / f"{name}.ipynb").read_text(encoding="utf-8")
    assert not [
        word
        for word in ("SOLUTION", "HIDDEN", "MARK SCHEME", "Model answer")
        if word in text
    ]
    assert not any(cell.get("outputs") for cell in notebook(released).cells)
    unfilled = [
        cell for cell in cells(released, "solution").values() if cell.cell_type == "code"
    ]
    assert len(unfilled) == SET[name].unfilled
    assert all("raise NotImplementedError" in cell.source for cell in unfilled)


@each
def test_each_check_hides_a_part(name: str) -> None:
    checks = cells(ASSIGNMENTS / name, "grade")
    assert [
        check
        for check in possible(name)
        if "BEGIN HIDDEN TESTS" not in checks[check].source
    ] == []


@each
def test_the_notebook_runs_where_there_is_nothing_but_numpy(name: str) -> None:
    code = [
        cell.source
        for cell in notebook(ASSIGNMENTS / name).cells
        if cell.cell_type == "code"
    ]
    guard = (
        "import sys\n"
        "sys.path.insert(0, '.')\n"
        "class Guard:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] not in {'checks', 'numpy', *sys.stdlib_module_names}:\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Guard())\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-"],
        input="\n".join([guard, *code]),
        text=True,
        check=True,
        cwd=ASSIGNMENTS / name,
        capture_output=True,
        timeout=60,
    )
    assert done.stdout.endswith(SET[name].last_line + "\n")


@each
def test_the_committed_notebook_shows_outputs_and_carries_no_pictures(name: str) -> None:
    outputs = [
        output
        for cell in notebook(ASSIGNMENTS / name).cells
        for output in cell.get("outputs", [])
    ]
    assert outputs and "image/" not in json.dumps(outputs)


def test_an_edited_source_is_kept_and_what_nbgrader_refuses_is_said_in_one_sentence(
    tmp_path: Path,
) -> None:
    name = min(SET)  # the first one is made first
    edited = notebook(ASSIGNMENTS / name)
    edited.cells[-1].metadata.nbgrader.grade_id = edited.cells[
        0
    ].metadata.nbgrader.grade_id
    (tmp_path / "source" / name).mkdir(parents=True)
    (
        tmp_path / "source" / ".ipynb_checkpoints"
    ).mkdir()  # an editor leaves it: no assignment
    nbformat.write(edited, tmp_path / "source" / name / f"{name}.ipynb")
    with pytest.raises(
        UserError, match=f"no release of {name}: Duplicate grade id: title; mend"
    ):
        course.build(ASSIGNMENTS, tmp_path)


def test_the_printed_tables_are_those_of_the_book() -> None:
    try:
        text = make_tables.text()
    except KeyError:
        pytest.skip(
            "the book's table of Gupta and Jaggi (2021) is not here yet: add its chapter"
        )
    assert make_tables.FILE.read_text(encoding="utf-8") == text


@pytest.fixture(scope="module")
def vectors() -> dict[str, np.ndarray]:
    with np.load(make_vectors.FILE, allow_pickle=False) as data:
        return dict(data)


def test_the_vectors_travel_with_their_terms(vectors: dict) -> None:
    assert "Lee, Pincombe and Welsh" in str(vectors["licence"]) and "LGPL-2.1" in str(
        vectors["licence"]
    )


def test_the_vectors_have_the_words_layers_and_shapes_of_the_recipe(vectors: dict) -> None:
    recipe = make_vectors
    assert (
        tuple(vectors["words"]) == recipe.WORDS
        and tuple(vectors["layers"]) == recipe.LAYERS
    )
    assert vectors["occurrences"].shape == (
        len(recipe.WORDS),
        len(recipe.LAYERS),
        recipe.OCCURRENCES,
        384,
    )
    assert vectors["random_tokens"].shape == (len(recipe.LAYERS), recipe.TOKENS, 384)
    assert vectors["occurrences"].dtype == vectors["random_tokens"].dtype == np.float16


@pytest.fixture(scope="module")
def lee() -> corpora.Corpus:
    return corpora.load("lee")


def test_the_contexts_are_those_of_the_corpus_one_a_story(
    vectors: dict, lee: corpora.Corpus
) -> None:
    sentences = {sentence.id: sentence for sentence in lee.sentences}
    for row, word in enumerate(vectors["words"]):
        found = [sentences[name] for name in vectors["sentence"][row]]
        assert (
            len({sentence.document for sentence in found})
            == len({sentence.text for sentence in found})
            == 15
        )
        for sentence, position, left, right in zip(
            found,
            *(vectors[name][row] for name in ("position", "left", "right")),
            strict=True,
        ):
            assert sentence.words[position] == word
            assert f"{left}{word}{right}" in sentence.text


def test_a_new_extraction_gives_the_same_vectors(
    vectors: dict, lee: corpora.Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    few = make_vectors.chosen_occurrences(lee).iloc[::20].reset_index(drop=True)
    again = make_vectors.layers_of(
        encoders.load("minilm", device="cpu"), lee, few
    )  # (layers, few, dim)
    stored = (
        vectors["occurrences"]
        .transpose(1, 0, 2, 3)
        .reshape(len(make_vectors.LAYERS), -1, 384)[:, ::20]
    )
    np.testing.assert_allclose(
        again.astype(float), stored.astype(float), rtol=2e-3, atol=2e-3
    )  # two roundings


@pytest.fixture(scope="module")
def matrices() -> dict[str, np.ndarray]:
    with np.load(make_matrices.FILE, allow_pickle=False) as data:
        return dict(data)


def test_the_matrices_are_those_of_the_recipe(matrices: dict) -> None:
    again = make_matrices.contents()
    assert matrices.keys() == again.keys() and "cwr-gpt" in str(matrices["licence"])
    for name in make_matrices.SHIFTS:
        assert (matrices[f"words {name}"] == again[f"words {name}"]).all()
        np.testing.assert_allclose(matrices[name], again[name], rtol=2e-3, atol=2e-3)


def test_no_word_is_in_two_matrices(matrices: dict) -> None:
    words = [word for name in make_matrices.SHIFTS for word in matrices[f"words {name}"]]
    assert len(words) == len(set(words)) == len(make_matrices.SHIFTS) * make_matrices.ROWS


@pytest.fixture(scope="module")
def static_words() -> dict[str, np.ndarray]:
    with np.load(make_occurrences.FILE, allow_pickle=False) as data:
        return dict(data)


def test_the_occurrences_are_those_of_the_recipe(
    static_words: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    again = make_occurrences.contents()
    assert static_words.keys() == again.keys()
    for name in ("words", "pairs", "asked", "questions", "licence"):
        assert (static_words[name] == again[name]).all(), name
    np.testing.assert_allclose(static_words["steps"], again["steps"], rtol=1e-4)
    difference = static_words["occurrences"].astype(int) - again["occurrences"]
    assert np.abs(difference).max() <= 1  # a rounding that fell to the other side


def test_a_byte_a_number_does_not_turn_a_vector(static_words: dict) -> None:
    """What rounding takes is far less than what tells a layer from the next."""
    vectors = static_words["occurrences"] * static_words["steps"][:, None]
    generator = np.random.default_rng(0)
    moved = vectors + static_words["steps"][:, None] * generator.uniform(
        -0.5, 0.5, vectors.shape
    )
    turned = [
        first_principal_vector(stack) @ first_principal_vector(other)
        for stack, other in zip(vectors[:20, 4], moved[:20, 4], strict=True)
    ]
    assert min(turned) > 0.999


def test_by_the_package_rule_the_static_words_score_like_random_vectors(
    static_words: dict,
) -> None:
    """What the written answer rests on: covered pairs tell vectors from noise, all pairs do not."""
    pairs = pd.DataFrame(static_words["pairs"], columns=["first", "second", "score"])
    pairs["score"] = pairs["score"].astype(float)
    vectors = static_words["occurrences"] * static_words["steps"][:, None]
    words = static_words["words"]
    table = dict(zip(words, first_principal_vectors(vectors[:, 4]), strict=True))
    noise = np.random.default_rng(0).normal(size=(len(words), 50))
    random = dict(zip(words, noise, strict=True))
    covered, covered_random = (word_similarity(v, pairs).score for v in (table, random))
    of_all, of_all_random = (
        word_similarity(v, pairs, "mean").score for v in (table, random)
    )
    assert covered > 0.2 > abs(covered_random)
    assert abs(of_all - of_all_random) < 0.02


def test_the_planted_coordinates_are_those_that_mislead() -> None:
    vectors, planted = make_tokens.contents()["vectors"], make_tokens.PLANTED
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    assert cosine_contributions(vectors).argmax() == planted["culprit"]
    assert vectors.mean(axis=0).argmax() == planted["of long rows"]
    assert vectors.var(axis=0).argmax() == planted["wide"]
    assert np.abs(units.mean(axis=0)).argmax() == planted["with itself"]


@pytest.mark.parametrize(
    "recipe", [make_tokens, make_contexts, make_decisions, make_trees, make_probabilities]
)
def test_a_planted_file_is_that_of_its_recipe(recipe) -> None:
    with np.load(recipe.FILE, allow_pickle=False) as data:
        again = recipe.contents()
        assert data.files == list(again) and all(
            (data[name] == again[name]).all() for name in data
        )


TEACHING = [
    make_tokens,
    make_contexts,
    make_decisions,
    make_trees,
    make_probabilities,
    make_matrices,
]


@pytest.mark.parametrize("recipe", TEACHING)
def test_the_data_show_what_is_asked_about_and_so_do_those_of_another_seed(recipe) -> None:
    assert recipe.teaches(recipe.contents())
    assert any(recipe.teaches(recipe.contents(seed)) for seed in (2027, 3027, 4027))


def test_a_course_has_the_named_assignments_alone_with_data_of_its_seed(
    tmp_path: Path,
) -> None:
    names = ["one_coordinate", "zhao2020_aggregation"]
    folders = course.build(ASSIGNMENTS, tmp_path, names, seed=2027)
    assert [folder.name for folder in folders] == names
    assert {folder.name for folder in (tmp_path / "source").iterdir()} == set(names)
    for name in names:
        assert (tmp_path / "release" / name / SET[name].data).read_bytes() != (
            ASSIGNMENTS / name / SET[name].data
        ).read_bytes()
    answer = cells(tmp_path / "source" / names[1], "solution")["answer"].source
    assert answer.startswith("*The students' data are drawn with seed 2027: ")
    assert re.search("A is called [ABC], B is called [ABC], C is called [ABC]", answer)
    with pytest.raises(UserError, match="has its data: remove it to draw others"):
        course.build(ASSIGNMENTS, tmp_path, names, seed=2028)
    with pytest.raises(
        UserError, match="no assignment zhao: there are gupta2021_gradient, iso"
    ):
        course.build(ASSIGNMENTS, tmp_path, ["zhao"])

    shutil.rmtree(tmp_path / "source" / names[1])
    assert [folder.name for folder in course.build(ASSIGNMENTS, tmp_path)] == names[:1]
    assert [folder.name for folder in (tmp_path / "release").iterdir()] == names[:1]
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db", "cwr") as book:
        assert [assignment.name for assignment in book.assignments] == names[:1]


BOOK = ROOT / "book"


def test_what_a_slip_costs_is_what_the_tests_measure() -> None:
    rows = []
    for name in sorted(SET):
        points = possible(name)
        costs = [
            sum(points[check] for check in lost) for _, lost in SET[name].wrong.values()
        ]
        rows.append([f"`{name}`", SET[name].points[0], min(costs), max(costs)])
    assert pd.read_csv(BOOK / "instructors_slips.csv").to_numpy().tolist() == rows


def linked(text: str) -> list[str]:
    """Pages that {doc} links of a text lead to."""
    return re.findall(r"\{doc\}`[^<`]*<([^>]+)>`", text)


@pytest.mark.parametrize("name", ["instructors_weeks", "instructors_lecture"])
def test_each_line_of_a_plan_leads_to_a_page(name: str) -> None:
    text = (BOOK / f"{name}.csv").read_text(encoding="utf-8")
    pages = linked(text)
    assert len(pages) == len(text.splitlines()) - 1
    notebooks = ROOT / "notebooks"
    for page in pages:
        assert (BOOK / f"{page}.md").exists() or (notebooks / f"{page}.ipynb").exists(), (
            page
        )


def test_the_minutes_of_the_plans_add_up() -> None:
    weeks = pd.read_csv(BOOK / "instructors_weeks.csv", keep_default_na=False)
    assert weeks["week"].tolist() == list(range(1, 11))
    assert (weeks["lecture"] + weeks["exercises"] == 90).all()
    assert set(weeks["assignment"]) == {f"`{name}`" for name in SET} | {"none"}
    guide = (BOOK / "instructors.md").read_text(encoding="utf-8")
    for _, week in weeks[weeks["assignment"] != "none"].iterrows():
        section = guide[
            guide.index("| part |", guide.index(f"he assignment {week['assignment']}")) :
        ]
        table = section.partition("\n\n")[0]
        minutes = [int(line.split("|")[3]) for line in table.splitlines()[2:]]
        assert sum(minutes) == week["at home"], week["assignment"]
    lecture = pd.read_csv(BOOK / "instructors_lecture.csv")
    assert lecture["minutes"].sum() == 90
    assert lecture["from"].tolist() == [0, *lecture["minutes"].cumsum()[:-1]]


def test_a_course_folder_that_cannot_be_made_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    command = [
        sys.executable,
        "workflow/course.py",
        "--to",
        str(tmp_path / "file" / "course"),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert re.fullmatch(r"course: cannot read or write .*/file/course .*\n", done.stderr)
