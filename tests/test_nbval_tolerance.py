"""What passes as the same printed text, and what must not: a comparison that is too lenient looks like success."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def printed(request):
    """The class of texts that nbval compares, out of the conftest at the root."""
    plugin = request.config.pluginmanager.get_plugin(str(ROOT / "conftest.py"))
    return plugin.Printed


SAME = [
    ("mean 0.412", "mean 0.413"),  # another CPU
    ("0.5555", "0.555499999"),  # a rounding border
    ("0.41", "0.42"),  # one unit of the last place
    ("93.4 %", "93.5 %"),
    ("-0.000", "0.000"),
    ("\u22120.12", "-0.12"),
    ("1.0e-05", "1.1e-05"),
    (
        "layer  cosine\n0      0.4120\n",
        "layer cosine\n0     0.4119",
    ),  # pandas pads by width
    ("<td>0.412</td><td>12</td>", "<td>0.413</td><td>12</td>"),
]
DIFFERENT = [
    ("mean 0.412", "mean 0.415"),
    ("0.41", "0.43"),
    ("93.4 %", "93.7 %"),
    ("1.5", "-1.5"),
    ("layer 3", "layer 4"),
    ("n = 100", "n = 101"),
    ("1", "1.0"),
    ("holds (1.00)", "fails (1.00)"),
    ("cwr-bert2", "cwr-bert3"),
    ("0.412 0.5", "0.412"),
    ("nan", "0.1"),
    ("1.5e3", "1.8e3"),
    ("12.412", "13.412"),
]


@pytest.mark.parametrize(("committed", "computed"), SAME)
def test_the_same_text_with_numbers_of_another_machine_passes(
    printed, committed, computed
):
    assert printed(committed) == printed(computed) and not printed(committed) != printed(
        computed
    )


@pytest.mark.parametrize(("committed", "computed"), DIFFERENT)
def test_another_word_or_another_number_fails(printed, committed, computed):
    assert printed(committed) != printed(computed) and not printed(committed) == printed(
        computed
    )


def test_a_tag_of_the_cell_widens_its_tolerance(printed):
    committed = printed("took 10.0")
    committed.rtol = 0.1
    assert committed == printed("took 10.9") and committed != printed("took 11.9")
    committed = printed("ahead by 0.1")
    committed.atol = 0.5
    assert committed == printed("ahead by -0.4") and committed != printed("ahead by 0.7")


@pytest.fixture
def nbval(tmp_path):
    """Runs nbval under this project's conftest on a notebook: {cell number: passed}."""
    (tmp_path / "conftest.py").write_text(
        (ROOT / "conftest.py").read_text(encoding="utf-8"), encoding="utf-8"
    )

    def run(*cells: tuple[str, str, list[str]]) -> dict[int, bool]:
        made = [
            nbformat.v4.new_code_cell(
                code,
                execution_count=1,
                metadata={"tags": tags},
                outputs=[nbformat.v4.new_output("stream", name="stdout", text=text)],
            )
            for code, text, tags in cells
        ]
        nbformat.write(nbformat.v4.new_notebook(cells=made), tmp_path / "a.ipynb")
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-rA",
                "--nbval",
                "--nbval-current-env",
                "-p",
                "no:cacheprovider",
                "a.ipynb",
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        return {
            number: f"PASSED a.ipynb::Cell {number}" in done.stdout
            for number in range(len(cells))
        }

    return run


def test_nbval_compares_by_these_rules(nbval):
    live = '<script type="application/json">[{}]</script><td>{}</td>'
    assert nbval(
        ("print('x 0.4121')", "x 0.4123\n", []),
        ("print('x 0.4121')", "x 0.4163\n", []),
        ("print('x 0.4121')", "x 0.4163\n", ["rtol=0.1"]),
        ("print('holds')", "fails\n", []),
        ("print('holds')", "fails\n", ["verdicts"]),
        ("1 / 0", "", ["verdicts"]),
        (f"print('{live.format(12, 0.5)}')", live.format(13, 0.5) + "\n", []),
        (f"print('{live.format(12, 0.5)}')", live.format(12, 0.8) + "\n", []),
        ("print('x 0.4121')", "x 0.4163\n", ["atol=0.01"]),
        ("print('x 0.4121')", "x 0.4163\n", ["atol=0.001"]),
    ) == {
        **{0: True, 1: False, 2: True, 3: False, 4: True, 5: False, 6: True, 7: False},
        **{8: True, 9: False},
    }
