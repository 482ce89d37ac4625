"""What code depends on, and what its digest says of an edit."""

import ast
import contextlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from cwr import source_code
from cwr.cli import checkout, dependencies
from cwr.errors import UserError
from cwr.extraction import cache

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = source_code.LIBRARY

MODULES = {
    "__init__": "",
    "a": '''
        """A module."""
        from cwr.room import b
        LIMIT = 3  # a constant
        UNUSED = 4

        def f(x):
            """A docstring."""
            return b.g(x) + LIMIT

        def lazy():
            from cwr.room.c import H
            return H

        def alone():
            return 1
        ''',
    "room.__init__": '''
        from cwr.room.b import g as handed_on
        from cwr.room.c import H
        def own(): return own.__name__
        ''',
    "room.b": '''
        import numpy as np
        def g(x): return np.abs(x)
        def other(): return 0
        ''',
    "room.c": '''
        if True:
            BASE = object
        class H(BASE):
            def method(self): return helper()
        def helper(): return 0
        ''',
}  # fmt: skip


def write(folder: Path, modules: dict[str, str]) -> Path:
    for name, code in modules.items():
        file = folder.joinpath("cwr", *name.split(".")).with_suffix(".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = code.splitlines()
        file.write_text("\n".join(line.removeprefix(" " * 8) for line in lines) + "\n")
    return folder


@pytest.fixture
def lib(tmp_path) -> Path:
    return write(tmp_path / "lib", MODULES)


def reached(code: str, lib: Path) -> set[str]:
    found = source_code.reached(code, "code", lib)
    return {
        f"{file.relative_to(lib / 'cwr').with_suffix('').as_posix()}:{name}"
        for file, name in found
    }


H = {"room/c:H", "room/c:BASE", "room/c:helper"}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import os\nos.path", set()),
        ("from cwr.a import UNUSED\nx = UNUSED", {"a:UNUSED"}),
        ("from cwr.a import UNUSED", set()),
        ("from cwr import a\na.f(1)", {"a:f", "a:LIMIT", "room/b:g"}),
        ("import cwr.a\ncwr.a.f(1)", {"a:f", "a:LIMIT", "room/b:g"}),
        ("import cwr.a as z\nz.alone()", {"a:alone"}),
        ("from cwr import a\nz = a.lazy().method", {"a:lazy"} | H),
        ("from cwr import room\nroom.handed_on(2)", {"room/b:g"}),
        ("from cwr import room\nroom.b.other", {"room/b:other"}),
        ("from cwr.room import handed_on as h\ndef f(): return h", {"room/b:g"}),
        ("def f():\n    from cwr.room import H\n    return H()", H),
        ("from cwr import room\nroom.own()", {"room/__init__:own"}),
        ("from cwr.room import b\nprint(b)", {"room/b:g", "room/b:other"}),
        (
            "from cwr import room\ngetattr(room, name)",
            {"room/__init__:own", "room/b:g"} | H,
        ),
        ("from cwr import a\nx: a.LIMIT = [a.f][0](a.UNUSED).y",
         {"a:f", "a:LIMIT", "a:UNUSED", "room/b:g"}),
    ],
)  # fmt: skip
def test_a_name_is_followed_to_what_defines_it_and_all_that_uses(code, expected, lib):
    assert reached(code, lib) == expected


def test_code_that_is_not_python_is_refused_by_its_name(lib):
    with pytest.raises(UserError, match="notebook x is not Python.*line 1.*mend it"):
        source_code.reached("def", "notebook x", lib)


def digest(folder: Path, modules: dict[str, str]) -> str:
    lib = write(folder, modules)
    return source_code.digest(
        source_code.reached("from cwr import a\na.f(1)", "code", lib), lib
    )


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("  # a constant", "  # the limit", False),
        ("A docstring.", "Another one.", False),
        ("LIMIT = 3", "LIMIT = (3)", False),
        ("UNUSED = 4", "UNUSED = 5", False),
        ("return 1", "return 2", False),
        ("LIMIT = 3", "LIMIT = 5", True),
        ("b.g(x) +", "b.g(x) -", True),
        ("b.g(x)", "b.other()", True),
        ("b.g(x)", "b.g('x')", True),
    ],
)
def test_a_digest_changes_with_the_code_and_not_with_its_look(old, new, changes, tmp_path):
    edited = MODULES | {"a": MODULES["a"].replace(old, new)}
    assert edited != MODULES
    before, after = (
        digest(tmp_path / "before", MODULES),
        digest(tmp_path / "after", edited),
    )
    assert (before != after) == changes


def test_a_digest_changes_with_what_is_used_of_another_module(tmp_path):
    edited = MODULES | {"room.b": MODULES["room.b"].replace("np.abs(x)", "np.sqrt(x)")}
    assert digest(tmp_path / "before", MODULES) != digest(tmp_path / "after", edited)


# ---- the library itself


def test_no_module_does_more_than_define_names_when_it_is_imported():
    """What an import brings along decides nothing, so that a digest may leave it out."""
    for file in sorted((LIBRARY / "cwr").rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            says = isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
            assert not says and not isinstance(node, ast.For | ast.While | ast.With), (
                f"{file}, line {node.lineno}"
            )


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """The library's code and the notebooks, to be edited."""
    folder = tmp_path_factory.mktemp("edited")
    only_code = shutil.ignore_patterns("models", "__pycache__", "*.txt", "*.egg-info")
    shutil.copytree(ROOT / "lib", folder / "lib", ignore=only_code)
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    return folder


KEPT = (
    source_code.reached,
    source_code._module,
    source_code._sum,
    source_code._needed,
    dependencies._state,
    dependencies._kept,
    cache.sources,
)


@contextlib.contextmanager
def edited(file: Path, old: str, new: str):
    """Edits a file within the block, and forgets what was read of it."""
    code = file.read_text(encoding="utf-8")
    assert old in code
    for content in (code.replace(old, new), code):
        file.write_text(content, encoding="utf-8")
        for kept in KEPT:
            kept.cache_clear()
        if content != code:
            yield


def digests(folder: Path) -> dict[str, str]:
    """The digest of what each notebook depends on."""
    return {
        name: dependencies.digest(folder, checkout.path(folder, name))
        for name in checkout.notebooks(folder)
    }


def test_other_comments_docstrings_and_layout_make_no_notebook_stale(copy):
    before = digests(copy)
    originals = {
        file: file.read_text(encoding="utf-8") for file in copy.glob("lib/**/*.py")
    }
    for file, code in originals.items():
        tree = ast.parse(code)
        for node in ast.walk(tree):
            if isinstance(node, source_code.MODULE_LEVEL) and ast.get_docstring(node):
                node.body[0] = ast.Expr(ast.Constant("Another docstring."))
        file.write_text("# a comment\n" + ast.unparse(tree), encoding="utf-8")
    for kept in KEPT:
        kept.cache_clear()
    after = digests(copy)
    for file, code in originals.items():
        file.write_text(code, encoding="utf-8")
    assert len(before) > 40 and after == before


OF_ROWS = {"gupta2021/02_word_similarity", "gupta2021/04_downstream"}


def test_an_edit_makes_stale_what_uses_the_edited_definition(copy):
    before = digests(copy)

    def stale(name: str, old: str, new: str) -> set[str]:
        with edited(copy / "lib" / "cwr" / name, old, new):
            after = digests(copy)
        return {each for each in before if before[each] != after[each]}

    assert stale("texts/survey/figures_of_trees.py", "RISE = 0.55", "RISE = 0.5") == {
        "survey/05_structural_probe"
    }
    assert stale("figures/rows.py", "APART = 0.3", "APART = 0.4") == OF_ROWS
    of_elmo = stale("encoders/elmo/layers.py", "1", "2")
    assert "ethayarajh2019/01_anisotropy" in of_elmo
    assert not any(checkout.reads_matrices(copy, name) for name in of_elmo)


@pytest.mark.parametrize("text", ["bis2021", "survey"])
def test_what_a_notebook_runs_is_among_what_it_depends_on(text, tmp_path):
    """Seen from outside: the calls of a run."""
    (notebook,) = ROOT.glob(f"notebooks/{text}/00_*.ipynb")
    settings = {"CWR_RESULTS": str(tmp_path), "PYTHONPATH": str(LIBRARY)}
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "what_runs.py", notebook],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=True,
    )
    ran = {
        (LIBRARY / file, name) for file, name in json.loads(done.stdout.splitlines()[-1])
    }
    ran.discard((LIBRARY / "cwr" / "__init__.py", "__getattr__"))  # imports a room
    assert len(ran) > 10 and ran <= dependencies.definitions(ROOT, notebook)


@pytest.mark.parametrize("after, counts", [("", False), ("verdicts.counts('t')", True)])
def test_what_the_cell_of_verdicts_imports_counts_where_a_later_cell_uses_it(
    after, counts, tmp_path
):
    show = "from cwr.report import verdicts\nverdicts.show([], 't')"
    cells = [
        nbformat.v4.new_code_cell("x = 1"),
        nbformat.v4.new_code_cell(show, metadata={"tags": ["verdicts"]}),
        nbformat.v4.new_code_cell(after),
    ]
    notebook = tmp_path / "a.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), notebook)
    names = {name for _, name in dependencies.definitions(ROOT, notebook)}
    assert ("counts" in names) == counts and "show" not in names


def test_passes_of_a_transformer_do_not_depend_on_the_code_of_elmo(copy):
    from cwr.encoders.elmo.encoder import ELMoEncoder
    from cwr.encoders.transformer import TransformerEncoder

    lib, kinds = copy / "lib", (ELMoEncoder, TransformerEncoder)
    before = [cache.sources(kind, lib) for kind in kinds]
    assert before == [cache.sources(kind) for kind in kinds]

    def stale(name: str, old: str = "1", new: str = "2") -> list[bool]:
        with edited(lib / "cwr" / name, old, new):
            after = [cache.sources(kind, lib) for kind in kinds]
        return [old != new for old, new in zip(before, after, strict=True)]

    assert stale("encoders/elmo/model.py") == [True, False]
    assert stale("encoders/transformer.py") == [False, True]
    assert stale("encoders/pieces.py") == [True, True]
    assert stale("extraction/reducers.py") == [True, True]
    assert stale("encoders/gguf_file.py", "GGUF", "GGML") == [False, False]
