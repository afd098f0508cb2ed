"""Scripts, configurations and launch files that nobody would write: no fault of ours, no traceback, no endless work.

Each input depends on its number only. One that shows a fault is made smaller, and kept below `build/fuzz` with its
number: it belongs into `test_found.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomli

from fuzz_inputs import (
    CONFIGURATION,
    LAUNCHES,
    MODELS,
    SCRIPTS,
    faults_of_file,
    faults_of_fixes,
    faults_of_script,
)
from mutated_text import TextMutator
from shrinking import smallest

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def judged(kind: str, number: int, text: str, faults: Callable[[str], str]) -> None:
    """Fail with the smallest text that shows the fault."""
    fault = faults(text)
    if not fault:
        return
    small = smallest(text, lambda shorter: faults(shorter)[:40] == fault[:40])
    kept = Path(__file__).parents[2] / "build" / "fuzz"
    kept.mkdir(parents=True, exist_ok=True)
    place = kept / f"{kind}-{number}.txt"
    place.write_bytes(small.encode("utf-8", "surrogatepass"))
    pytest.fail(f"{kind} {number}: {fault}\nkept in {place}:\n{small!r}", pytrace=False)


def numbers(plain: int, nightly: int) -> Any:
    """The numbers of each run, and those of the nights."""
    portion = 500
    later = [
        pytest.param(range(start, min(start + portion, nightly)), marks=pytest.mark.nightly, id=f"{start}")
        for start in range(plain, nightly, portion)
    ]
    return pytest.mark.parametrize("numbers", [pytest.param(range(plain), id="some"), *later])


@numbers(1_000, 25_000)
def test_scripts(folder: Path, numbers: range):
    for number in numbers:
        judged("script", number, SCRIPTS.made(number), lambda text: faults_of_script(folder, text))


@numbers(100, 5_000)
def test_fixes(folder: Path, numbers: range):
    for number in numbers:
        judged("fix", number, SCRIPTS.made(10**6 + number), lambda text: faults_of_fixes(folder, text))


@pytest.mark.parametrize("name", LAUNCHES)
@numbers(50, 1_200)
def test_launch_files(folder: Path, name: str, numbers: range):
    made = TextMutator(LAUNCHES[name])
    for number in numbers:
        judged(name, number, made.made(number), lambda text: faults_of_file(folder, name, text))


@numbers(150, 4_000)
def test_configurations(folder: Path, numbers: range):
    made = TextMutator([CONFIGURATION])
    for number in numbers:
        judged("ddl-lint.toml", number, made.made(number), lambda text: faults_of_file(folder, "ddl-lint.toml", text))


@numbers(10, 1_000)
def test_models(folder: Path, numbers: range):
    """Each is compiled anew, which takes a while."""
    made = TextMutator([MODELS])
    (folder / "ddl-lint.toml").write_text('models = ["models.yaml"]\n')
    for number in numbers:
        judged("models.yaml", number, made.made(number), lambda text: faults_of_file(folder, "models.yaml", text))


def test_the_seeds_are_good():
    """Else nothing is tried: they are many, and what is made of them is mostly Python."""
    assert all(len(seeds) >= 1 for seeds in LAUNCHES.values())
    tomli.loads(CONFIGURATION)
    parsed = 0
    for number in range(100):
        try:
            compile(SCRIPTS.made(number), "train.py", "exec", dont_inherit=True)
            parsed += 1
        except (SyntaxError, ValueError):
            pass
    assert parsed > 35


def test_an_input_depends_on_its_number_only():
    assert [SCRIPTS.made(number) for number in range(20)] == [SCRIPTS.made(number) for number in range(20)]


def test_a_fault_is_made_small():
    text = "".join(f"x{number} = {number}\n" for number in range(100))
    assert smallest(text, lambda shorter: "x42 " in shorter and "x77 " in shorter) == "x42 = 42\nx77 = 77\n"
