"""The page about the architecture is short, and its example is what really happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
EVENTS, FOUND = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
SCRIPT, CHECK = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def example(project) -> None:
    project({"train.py": SCRIPT})


def test_it_can_be_read_in_one_sitting() -> None:
    assert len(PAGE.encode()) <= 12_000


def test_the_events_of_the_example(example, run) -> None:
    assert EVENTS in run("events", "train.py:7").out


def test_the_finding_of_the_example(example, run) -> None:
    assert FOUND in run("check", "--output-format", "concise", "train.py").out


def test_the_model_and_the_check_of_the_example() -> None:
    rules = ROOT / "rules" / "ddl_lint_rules"
    (model,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    models = (rules / "models" / "pytorch.yaml").read_text(encoding="utf-8")
    name, *lines = model.splitlines()
    section = models.partition(f"\n  {name}\n")[2].partition("\n  torch.")[0]
    assert all(line.strip() in section for line in lines)
    check = rules / "hangs_and_performance" / "collective_under_rank_guard" / "check.py"
    code = re.sub(r'\n    """.*?"""', "", check.read_text(encoding="utf-8"))
    assert CHECK in code


def test_the_places_that_it_names_are_there() -> None:
    places = re.findall(r"^\| (`[^|]*) \|", PAGE, re.MULTILINE)
    for cell in places:
        first, *others = re.findall(r"`([\w./-]+)`", cell)
        assert (ROOT / first).exists(), first
        assert all((ROOT / other).exists() or (ROOT / first).parent.joinpath(other).exists() for other in others), cell


def test_the_modules_that_the_pages_name_exist() -> None:
    """A module is named by its file, or by the end of its path; `setup.py` is one of a checked project."""
    folders = (ROOT / name for name in ("ddl_lint", "rules/ddl_lint_rules", "server/ddl_lint_server", "release"))
    files = {file.relative_to(ROOT).as_posix() for folder in folders for file in folder.rglob("*") if file.is_file()}
    files |= {file.relative_to(ROOT).as_posix() for file in (ROOT / "tests").rglob("*.py")}
    for name in ("engine.md", "architecture.md"):
        page = (ROOT / "docs" / name).read_text(encoding="utf-8")
        named = set(re.findall(r"`((?:[\w-]+/)*[\w-]+\.(?:py|yaml))`", page))
        named -= {"setup.py", "train.py", "check.py", "fix.py", "rule.yaml"}
        missing = [each for each in named if not any(f"/{file}".endswith(f"/{each}") for file in files)]
        assert not missing, f"{name}: {missing}"
