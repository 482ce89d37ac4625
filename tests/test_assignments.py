"""The assignment: graded by nbgrader itself, as a course would; and the file of vectors against its recipe."""
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbgrader.api import Gradebook

from cwr import corpora, encoders
from cwr.errors import UserError

ROOT = Path(__file__).resolve().parents[1]
ASSIGNMENTS = ROOT / "notebooks" / "assignments"
NAME = "self_similarity"
MEASURE = '''def self_similarity(vectors):
    vectors = np.asarray(vectors)
    n, lengths = len(vectors), np.linalg.norm(vectors, axis=1)
    if n < 2 or not (lengths > 0).all():
        raise ValueError("undefined")
'''
OVER_EQUAL = MEASURE + '''    units = vectors / lengths[:, None]
    return (units @ units.T).mean()'''
NOT_NORMALISED = MEASURE + '''    products = vectors @ vectors.T
    return (products.sum() - np.trace(products)) / (n * n - n)'''
# A right solution as most students write it; a check must not overwrite the names that it brings.
LOOPS = MEASURE + '''    return np.mean([cosine(vectors[j], vectors[k]) for j in range(n) for k in range(n) if j != k])
def cosine(x, y):
    return x @ y / (np.linalg.norm(x) * np.linalg.norm(y))
'''


def module(path: Path):
    """A script of the repository as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    spec.loader.exec_module(made := importlib.util.module_from_spec(spec))
    return made


course = module(ROOT / "workflow" / "course.py")
make_vectors = module(ASSIGNMENTS / NAME / "make_vectors.py")


def notebook(folder: Path) -> nbformat.NotebookNode:
    return nbformat.read(folder / f"{NAME}.ipynb", as_version=4)


def cells(folder: Path, flag: str) -> dict[str, nbformat.NotebookNode]:
    """Cells of a notebook whose nbgrader flag ("grade" or "solution") is set, by their id."""
    return {cell.metadata.nbgrader.grade_id: cell for cell in notebook(folder).cells
            if cell.metadata.nbgrader[flag]}


def submit(folder: Path, student: str, answers: dict[str, str]) -> None:
    """Hand in the release notebook with these answers, and no other file."""
    filled = notebook(folder / "release" / NAME)
    for cell in filled.cells:
        cell.source = answers.get(cell.metadata.nbgrader.grade_id, cell.source)
    place = folder / "submitted" / student / NAME
    place.mkdir(parents=True)
    nbformat.write(filled, place / f"{NAME}.ipynb")


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A course folder after release, five submissions and one run of autograde."""
    folder = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)    # nbgrader calls alembic
        patch.setenv("OMP_NUM_THREADS", "1")
        course.build(ASSIGNMENTS, folder)
        solution = {name: cell.source for name, cell in cells(ASSIGNMENTS / NAME, "solution").items()}
        submit(folder, "nobody", {})
        submit(folder, "instructor", solution)
        for student, wrong in (("over_equal", OVER_EQUAL), ("not_normalised", NOT_NORMALISED), ("loops", LOOPS)):
            submit(folder, student, solution | {"self-similarity": wrong})
        subprocess.run([sys.executable, "-m", "nbgrader", "autograde", NAME], cwd=folder, check=True,
                       capture_output=True)
        yield folder


def marks(folder: Path, student: str) -> dict[str, float]:
    """Points that a student got by machine, by the id of the checking cell."""
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "cwr") as book:
        grades = book.find_submission(NAME, student).notebooks[0].grades
        return {grade.name: grade.auto_score for grade in grades if grade.cell.cell_type == "code"}


def possible() -> dict[str, float]:
    """Points that the machine can give, by the id of the checking cell."""
    return {name: cell.metadata.nbgrader.points for name, cell in cells(ASSIGNMENTS / NAME, "grade").items()
            if cell.cell_type == "code"}


def test_the_points_are_those_that_the_first_page_and_the_instructors_page_name() -> None:
    assert sum(possible().values()) == 15
    assert cells(ASSIGNMENTS / NAME, "grade")["answer"].metadata.nbgrader.points == 5
    assert "15 points are given by machine, 5 by a reader" in notebook(ASSIGNMENTS / NAME).cells[0].source


def test_an_unfilled_assignment_gets_no_point(graded: Path) -> None:
    assert marks(graded, "nobody") == dict.fromkeys(possible(), 0)


@pytest.mark.parametrize("student", ["instructor", "loops"])
def test_a_right_solution_gets_all_points_in_closed_form_and_as_two_loops(graded: Path, student: str) -> None:
    assert marks(graded, student) == possible()


@pytest.mark.parametrize("student, lost", [
    ("over_equal", {"check-hand-case", "check-pairs", "check-definition"}),
    ("not_normalised", {"check-hand-case", "check-length", "check-identical", "check-pairs", "check-definition"})])
def test_a_wrong_measure_loses_the_points_of_its_error_and_no_others(graded: Path, student: str, lost: set) -> None:
    assert marks(graded, student) == {name: 0 if name in lost else most for name, most in possible().items()}


def test_a_written_answer_waits_for_a_reader_and_an_empty_one_does_not(graded: Path) -> None:
    with Gradebook(f"sqlite:///{graded}/gradebook.db", "cwr") as book:
        assert book.find_submission(NAME, "instructor").notebooks[0].needs_manual_grade
        assert not book.find_submission(NAME, "nobody").notebooks[0].needs_manual_grade


def test_students_get_the_notebook_and_its_vectors_and_nothing_else(graded: Path) -> None:
    released = graded / "release" / NAME
    assert {file.name for file in released.rglob("*")} == {f"{NAME}.ipynb", "vectors.npz"}
    assert (released / "vectors.npz").read_bytes() == make_vectors.FILE.read_bytes()


def test_the_student_version_shows_no_solution_no_hidden_check_and_no_output(graded: Path) -> None:
    released = graded / "release" / NAME
    text = (released / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert not [word for word in ("SOLUTION", "HIDDEN", "MARK SCHEME", "Model answer") if word in text]
    assert not any(cell.get("outputs") for cell in notebook(released).cells)
    unfilled = [cell for cell in cells(released, "solution").values() if cell.cell_type == "code"]
    assert len(unfilled) == 5 and all("raise NotImplementedError" in cell.source for cell in unfilled)


def test_each_check_but_the_open_ones_hides_a_part() -> None:
    checks = {name: cell.source for name, cell in cells(ASSIGNMENTS / NAME, "grade").items() if name != "answer"}
    assert [name for name, source in checks.items() if "BEGIN HIDDEN TESTS" not in source] == []


def test_the_notebook_runs_where_there_is_nothing_but_numpy() -> None:
    code = [cell.source for cell in notebook(ASSIGNMENTS / NAME).cells if cell.cell_type == "code"]
    guard = (
        "import sys\n"
        "class Guard:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] not in {'numpy', *sys.stdlib_module_names}:\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Guard())\n")
    done = subprocess.run([sys.executable, "-I", "-"], input="\n".join([guard, *code]), text=True, check=True,
                          cwd=ASSIGNMENTS / NAME, capture_output=True, timeout=60)
    assert done.stdout.endswith("matplotlib is not installed: the table is the figure\n")


def test_an_edited_source_is_kept_and_what_nbgrader_refuses_is_said_in_one_sentence(tmp_path: Path) -> None:
    edited = notebook(ASSIGNMENTS / NAME)
    edited.cells[-1].metadata.nbgrader.grade_id = edited.cells[0].metadata.nbgrader.grade_id
    (tmp_path / "source" / NAME).mkdir(parents=True)
    nbformat.write(edited, tmp_path / "source" / NAME / f"{NAME}.ipynb")
    with pytest.raises(UserError, match="no release of self_similarity: Duplicate grade id: title; mend"):
        course.build(ASSIGNMENTS, tmp_path)


@pytest.fixture(scope="module")
def vectors() -> dict[str, np.ndarray]:
    with np.load(make_vectors.FILE, allow_pickle=False) as data:
        return dict(data)


def test_the_vectors_travel_in_less_than_a_megabyte_with_their_terms(vectors: dict) -> None:
    assert make_vectors.FILE.stat().st_size < 1_000_000
    assert "Lee, Pincombe and Welsh" in str(vectors["licence"]) and "LGPL-2.1" in str(vectors["licence"])


def test_the_vectors_have_the_words_layers_and_shapes_of_the_recipe(vectors: dict) -> None:
    recipe = make_vectors
    assert tuple(vectors["words"]) == recipe.WORDS and tuple(vectors["layers"]) == recipe.LAYERS
    assert vectors["occurrences"].shape == (len(recipe.WORDS), len(recipe.LAYERS), recipe.OCCURRENCES, 384)
    assert vectors["random_tokens"].shape == (len(recipe.LAYERS), recipe.TOKENS, 384)
    assert vectors["occurrences"].dtype == vectors["random_tokens"].dtype == np.float16


@pytest.fixture(scope="module")
def lee() -> corpora.Corpus:
    return corpora.load("lee")


def test_the_contexts_are_those_of_the_corpus_one_a_story(vectors: dict, lee: corpora.Corpus) -> None:
    sentences = {sentence.id: sentence for sentence in lee.sentences}
    for row, word in enumerate(vectors["words"]):
        found = [sentences[name] for name in vectors["sentence"][row]]
        assert len({sentence.document for sentence in found}) == len({sentence.text for sentence in found}) == 15
        for sentence, position, left, right in zip(found, *(vectors[name][row] for name in
                                                            ("position", "left", "right")), strict=True):
            assert sentence.words[position] == word
            assert f"{left}{word}{right}" in sentence.text


def test_a_new_extraction_gives_the_same_vectors(vectors: dict, lee: corpora.Corpus, tmp_path: Path,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    few = make_vectors.chosen_occurrences(lee).iloc[::20].reset_index(drop=True)
    again = make_vectors.layers_of(encoders.load("minilm", device="cpu"), lee, few)       # (layers, few, dim)
    stored = vectors["occurrences"].transpose(1, 0, 2, 3).reshape(len(make_vectors.LAYERS), -1, 384)[:, ::20]
    np.testing.assert_allclose(again.astype(float), stored.astype(float), rtol=2e-3, atol=2e-3)  # two roundings


def test_the_committed_notebook_carries_no_pictures() -> None:
    outputs = [output for cell in notebook(ASSIGNMENTS / NAME).cells for output in cell.get("outputs", [])]
    assert outputs and "image/" not in json.dumps(outputs)
