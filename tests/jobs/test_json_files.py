"""JSON files that scripts read: where they are looked for, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.json_files import JsonFiles
from ddl_lint.jobs.launch_facts import launch_facts
from ddl_lint.jobs.launch_paths import LaunchPaths
from ddl_lint.jobs.neighbourhood import Neighbourhood
from ddl_lint.jobs.project_jobs import read_jobs


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "scripts").mkdir(parents=True)
    (root / "zero.json").write_text('{"stage": 3}')
    (root / "scripts" / "own.json").write_text('{"stage": 1}')
    (root / "broken.json").write_text("{,}")
    (root / "huge.json").write_text(" " * 300_000 + "1")
    (tmp_path / "outside.json").write_text('{"stage": 2}')
    return root


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("zero.json", {"stage": 3}),
        ("own.json", {"stage": 1}),
        ("scripts/own.json", {"stage": 1}),
        ("broken.json", None),
        ("huge.json", None),
        ("../outside.json", None),
        ("../../outside.json", None),
        ("missing.json", None),
        ("", None),
        ("\0", None),
    ],
)
def test_names_are_meant_from_the_script_or_above(root: Path, name: str, data: object) -> None:
    assert JsonFiles(root).read(name, (root / "scripts" / "train.py").as_posix()) == data


def test_what_has_changed_is_noticed(root: Path) -> None:
    files = JsonFiles(root)
    script = (root / "train.py").as_posix()
    assert files.read("zero.json", script) == {"stage": 3}
    assert files.read("new.json", script) is None
    assert files.is_current(JsonFiles(root))
    (root / "new.json").write_text("{}")
    assert not files.is_current(JsonFiles(root))


def test_launch_lines_name_files(root: Path) -> None:
    texts = {
        "run.sh": "deepspeed train.py --lr 1 \\\n  --deepspeed_config zero.json\n",
        "two.sh": "python other.py --config a.json\npython other.py --config b.json\n",
    }
    files = [JobFile((root / name).as_posix(), "shell", text) for name, text in texts.items()]
    scripts = [root / "train.py", root / "other.py"]
    paths = LaunchPaths(scripts, Neighbourhood(root.as_posix(), [script.as_posix() for script in scripts]))
    options = launch_facts(read_jobs(files, root, scripts, paths)).json_options
    assert options == {((root / "train.py").as_posix(), "deepspeed_config"): "zero.json"}
    json_files = JsonFiles(root, options)
    assert json_files.given_for((root / "train.py").as_posix(), "deepspeed_config") == "zero.json"
    assert json_files.given_for("other.py", "config") is None
