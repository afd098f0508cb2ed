"""JSON files that scripts read: where they are looked for, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.jobs.hints import read_hints
from ddl_lint.jobs.json_files import JsonFiles
from ddl_lint.jobs.launch_paths import LaunchPaths


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
    (root / "run.sh").write_text("deepspeed train.py --lr 1 \\\n  --deepspeed_config zero.json\n")
    (root / "two.sh").write_text("python other.py --config a.json\npython other.py --config b.json\n")
    scripts = LaunchPaths([root / "train.py", root / "other.py"], lambda _: root)
    options = read_hints([root / "run.sh", root / "two.sh"], root, scripts).json_options
    assert options == {((root / "train.py").as_posix(), "deepspeed_config"): "zero.json"}
    files = JsonFiles(root, options)
    assert files.given_for((root / "train.py").as_posix(), "deepspeed_config") == "zero.json"
    assert files.given_for("other.py", "config") is None
