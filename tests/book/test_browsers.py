"""Whatever Chromium or Chrome there is, is found by its name; one that does not start is passed over."""

from pathlib import Path

import pytest

import browsers


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """alone(name, script): a folder that is all of PATH, in which a program of this name stands."""

    def put(name: str, script: str) -> Path:
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        return program

    return put


@pytest.mark.parametrize("name", browsers.NAMES)
def test_a_browser_is_found_by_each_of_its_names(alone, name: str) -> None:
    program = alone(name, "exit 1")
    assert browsers.candidates()[0] == {"executable_path": str(program)}


def test_a_program_that_does_not_start_is_passed_over(alone, monkeypatch, driver) -> None:
    """As the wrapper of a package that is not installed; the browser behind it has another name."""
    real = [
        each["executable_path"]
        for each in browsers.candidates()
        if "executable_path" in each
    ]
    if not real:
        pytest.skip("no browser here has a name in PATH: install Chromium, Chrome or Edge")
    path = "PATH=/usr/local/bin:/usr/bin:/bin"
    alone(browsers.NAMES[0], "exit 1")
    program = alone(browsers.NAMES[3], f'{path} exec "{real[0]}" "$@"')
    assert [each.get("executable_path") for each in browsers.candidates()][1] == str(
        program
    )
    monkeypatch.setattr(browsers, "CHANNELS", ())
    browser = browsers.launch(driver)
    assert browser is not None and browser.is_connected()
    browser.close()
