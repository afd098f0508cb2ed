"""Files with settings that scripts read: where they are looked for, what they hold, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.launch_facts import launch_facts
from ddl_lint.jobs.launch_paths import LaunchPaths
from ddl_lint.jobs.neighbourhood import Neighbourhood
from ddl_lint.jobs.project_jobs import Jobs, read_jobs
from ddl_lint.jobs.settings_files import Part, SettingsFiles


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "scripts").mkdir(parents=True)
    (root / "zero.json").write_text('{"stage": 3}')
    (root / "scripts" / "own.json").write_text('{"stage": 1}')
    (root / "twice.json").write_text('{"stage": 1}')
    (root / "scripts" / "twice.json").write_text('{"stage": 2}')
    (root / "same.json").write_text('{"stage": 1}')
    (root / "scripts" / "same.json").write_text('{"stage": 1}')
    (root / "broken.json").write_text("{,}")
    (root / "huge.json").write_text(" " * 300_000 + "1")
    (root / "long.yaml").write_text("- 1\n" * 20_000)
    (root / "train.toml").write_text("[optim]\nlr = 0.1\n")
    (root / "train.yaml").write_text("model:\n  depth: 18\n  lr: 1e-3\nmode: ddp\n")
    (root / "two.yaml").write_text("a: 1\n---\na: 2\n")
    (tmp_path / "outside.json").write_text('{"stage": 2}')
    (root / "linked.json").symlink_to(tmp_path / "outside.json")
    return root


def _plain(part: Part | None) -> object:
    if part is None or not part.is_known:
        return None
    if isinstance(part.value, dict):
        return {key: _plain(each) for key, each in part.value.items()}
    return [_plain(each) for each in part.value] if isinstance(part.value, tuple) else part.value


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("zero.json", {"stage": 3}),
        ("own.json", {"stage": 1}),
        ("scripts/own.json", {"stage": 1}),
        ("same.json", {"stage": 1}),
        ("train.toml", {"optim": {"lr": 0.1}}),
        ("train.yaml", {"model": {"depth": 18, "lr": None}, "mode": "ddp"}),
        ("twice.json", None),
        ("two.yaml", None),
        ("broken.json", None),
        ("huge.json", None),
        ("long.yaml", None),
        ("../outside.json", None),
        ("../../outside.json", None),
        ("linked.json", None),
        ("missing.json", None),
        ("", None),
        ("\0", None),
    ],
)
def test_names_are_meant_from_the_script_or_above(root: Path, name: str, data: object) -> None:
    assert _plain(SettingsFiles(root).read(name, (root / "scripts" / "train.py").as_posix())) == data


def _yaml(root: Path, text: str) -> Part | None:
    (root / "some.yaml").write_text(text)
    return SettingsFiles(root).read("some.yaml", (root / "train.py").as_posix())


def test_values_of_yaml_have_places(root: Path) -> None:
    text = "optim:\n  lr: 0.1\n"
    part = _yaml(root, text)
    assert part is not None and isinstance(part.value, dict)
    rate = part.value["optim"]
    assert isinstance(rate.value, dict) and (place := rate.value["lr"].place) is not None
    assert (Path(place.path).name, text[place.start : place.end]) == ("some.yaml", "0.1")


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("base: &base {lr: 1, wd: 2}\nown:\n  <<: *base\n  lr: 3\n", {"lr": 3, "wd": 2}),
        ("a: &a {lr: 1}\nb: &b {lr: 2, wd: 4}\nown:\n  <<: [*a, *b]\n", {"lr": 1, "wd": 4}),
        ("own: {lr: ${base.lr}, wd: 1}\n", None),
        ("own:\n  lr: ${base.lr}\n  wd: 1\n", {"lr": None, "wd": 1}),
        ("own:\n  lr: !env LR\n  day: 2024-01-01\n", {"lr": None, "day": None}),
        ("own: *missing\n", None),
        ("own: [1, {a: 2}]\n", [1, {"a": 2}]),
    ],
)
def test_anchors_are_followed_and_what_is_filled_in_is_unknown(root: Path, text: str, data: object) -> None:
    part = _yaml(root, text)
    found = part.value["own"] if part is not None and isinstance(part.value, dict) else None
    assert _plain(found) == data


def test_aliases_of_aliases_are_bounded(root: Path) -> None:
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1} '] * 10)}]" for n in range(1, 9)]
    assert _yaml(root, "\n".join(lines[:3])) is not None
    assert _yaml(root, "\n".join(lines)) is None


def test_what_has_changed_is_noticed(root: Path) -> None:
    files = SettingsFiles(root)
    script = (root / "train.py").as_posix()
    assert _plain(files.read("zero.json", script)) == {"stage": 3}
    assert files.read("new.json", script) is None
    assert files.is_current(SettingsFiles(root))
    (root / "new.json").write_text("{}")
    assert not files.is_current(SettingsFiles(root))


def _jobs(root: Path, **texts: str) -> Jobs:
    files = [JobFile((root / f"{name}.sh").as_posix(), "shell", text) for name, text in texts.items()]
    scripts = [root / "train.py", root / "other.py"]
    paths = LaunchPaths(scripts, Neighbourhood(root.as_posix(), [script.as_posix() for script in scripts]))
    return read_jobs(files, root, scripts, paths)


def test_launch_lines_name_files(root: Path) -> None:
    jobs = _jobs(
        root,
        run="deepspeed train.py --lr 1 \\\n  --deepspeed_config zero.json\n",
        two="python other.py --config a.json\npython other.py --config b.json\n",
    )
    files = SettingsFiles(root, launch_facts(jobs).jobs)
    train, other = ((root / name).as_posix() for name in ("train.py", "other.py"))
    assert files.given_for(train, "deepspeed_config") == {"zero.json"}
    assert files.given_for(train, "config") == frozenset()
    assert files.given_for(other, "config") == {"a.json", "b.json"}
    assert files.given_for("unlaunched.py", "config") is None


def test_other_launch_lines_are_noticed_where_they_were_asked_about(root: Path) -> None:
    before, after = (
        launch_facts(_jobs(root, run=f"torchrun train.py --config {name}.json --lr 1\n")).jobs for name in "ab"
    )
    script = (root / "train.py").as_posix()
    files = SettingsFiles(root, before)
    assert files.given_for(script, "lr") == {"1"} and files.is_current(SettingsFiles(root, after))
    assert files.given_for(script, "config") == {"a.json"} and not files.is_current(SettingsFiles(root, after))
