"""What a reader sees while notebooks run."""

import json

import pytest

from cwr import paths
from cwr.cli import checkout, progress
from cwr.cli.progress import Progress

NAME = "bis2021/02_isotropy"


def took(folder, seconds):
    """A run of the notebook that took so long, or whose record is damaged."""
    folder.mkdir(parents=True)
    (folder / "provenance.json").write_text(json.dumps({"seconds": seconds}))


def test_the_time_before_is_the_median_of_all_runs_and_of_none_nothing_is_said(tmp_path):
    assert progress.seconds_before(tmp_path, NAME) is None
    for number, seconds in enumerate((10, 90, 20, None, "long")):
        took(tmp_path / "runs" / NAME / str(number), seconds)
    assert progress.seconds_before(tmp_path, NAME) == 20
    took(tmp_path / "_build" / "run" / "small" / NAME, 30)
    assert progress.seconds_before(tmp_path, NAME) == 25


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.4, "0:00"), (59.6, "1:00"), (65, "1:05"), (7265, "2:01:05")]
)
def test_a_clock_tells_minutes_and_seconds(seconds, told):
    assert progress.clock(seconds) == told


def test_a_line_says_which_of_how_many_what_it_is_about_and_a_failure_once(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(progress, "seconds_before", lambda folder, name: 65)
    said, complained = [], []
    shown = Progress(checkout.root(), 3, said.append, complained.append)
    shown.begins(NAME)
    shown.begins("bis2021/06_norms")
    shown.failed(f"{NAME}, cell [5]: no")
    shown.done("bis2021/06_norms in 3 s")
    shown.is_there("bis2021/01_geometry")
    title = "Does removing the mean restore isotropy? (Table 1)"
    assert said[0] == f"{NAME} ... {title} (1 of 3, 0:00 so far, 1:05 before)"
    assert "(2 of 3, 0:0" in said[1] and said[2] == "[2/3] bis2021/06_norms in 3 s"
    assert said[3:] == ["bis2021/01_geometry: these results are there already"]
    assert complained == [f"[1/3] failed: {NAME}, cell [5]: no"]
    assert (paths.CHECKOUT / "notebooks" / f"{NAME}.ipynb").exists()
