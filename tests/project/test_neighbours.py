"""A program beside others in one repository is found to be what it is alone: no neighbour has a part in it.

The programs are those on which the rules are tried, with their launch files and requirements. Some of them are put
beside each other, each in a folder of its own, and what is found in each is held against a check of it alone: when the
whole repository is checked, and when its folder is, from inside of it and by its path.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast

import pytest

from cases import Program, program_at, programs_of_rule
from ddl_lint.commands import main as cli
from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.registry.rules import load_rules

_ROUNDS = [
    *((seed, 12) for seed in range(2)),
    *(pytest.param(seed, 40, marks=pytest.mark.nightly) for seed in range(100, 110)),
]
"""Seeds, and how many programs each of them puts beside each other."""


def _corpus() -> Iterator[tuple[str, Program]]:
    """All programs with which rules are tried, each with a name that finds it."""
    for rule in load_rules():
        for kind in ("bad", "good"):
            if rule.folder is not None:
                yield f"{rule.name}: {kind}", program_at(rule.folder / kind)
        for kind in ("flagged", "silent"):
            for program in programs_of_rule(rule.name, kind):
                yield f"{rule.name}: {'/'.join((*program.sections[1:], program.name))}", program


_PROGRAMS = dict(_corpus())
_LAUNCHED = sorted(name for name, program in _PROGRAMS.items() if any(map(is_job_file, program.files)))


def _chosen(seed: int, count: int) -> dict[str, str]:
    """Some programs, half of them with launch files, by the folders that they are put into."""
    dice = random.Random(seed)
    names = [*dice.sample(_LAUNCHED, count // 2), *dice.sample(sorted(_PROGRAMS), count)]
    return {f"p{number:02}": name for number, name in enumerate([*dict.fromkeys(names)][:count])}


def _repository(folder: Path, programs: Mapping[str, Program]) -> Path:
    """A repository with these programs, each in the folder of that name."""
    (folder / ".git").mkdir(parents=True)
    for name, program in programs.items():
        program.write(folder / name)
    return folder


Check: TypeAlias = Callable[[Path, str], Mapping[str, "Counter[str]"]]
"""Checks a path from a folder; gives the findings by the folder of the repository that they are in."""


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    def checked(working: Path, path: str) -> Mapping[str, Counter[str]]:
        monkeypatch.chdir(working)
        cli.main(["check", "--no-cache", "--jobs", "1", "--preview", "--pedantic", "--output-format", "json", path])
        found: dict[str, Counter[str]] = {}
        for shown in json.loads(capsys.readouterr().out)["diagnostics"]:
            del shown["fingerprint"]  # it is made of the path from where the check is
            _tell_from_repository(shown, working)
            found.setdefault(shown["file"].partition("/")[0], Counter())[json.dumps(shown, sort_keys=True)] += 1
        return found

    return checked


def _tell_from_repository(shown: Any, working: Path) -> None:
    """Write the paths in a finding as they are from the repository, wherever the check was."""
    if isinstance(shown, dict):
        fields = cast("dict[str, Any]", shown)
        if "file" in fields:
            path = working / str(fields["file"])
            root = next(folder for folder in path.parents if (folder / ".git").exists())
            fields["file"] = path.relative_to(root).as_posix()
        shown = [*fields.values()]
    for part in cast("list[Any]", shown) if isinstance(shown, list) else ():
        _tell_from_repository(part, working)


def _differences(name: str, how: str, alone: Counter[str], beside: Counter[str]) -> Iterator[str]:
    """What differs, with the program and the finding."""
    for where, texts in ((f"only {how}", beside - alone), ("only alone", alone - beside)):
        yield from (f"{name}, {where}: {text}" for text in texts)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "count"), _ROUNDS)
def test_a_program_beside_others_is_found_to_be_what_it_is_alone(
    seed: int, count: int, tmp_path: Path, check: Check
) -> None:
    folders = _chosen(seed, count)
    together = _repository(tmp_path / "together", {folder: _PROGRAMS[name] for folder, name in folders.items()})
    whole = check(together, ".")
    differences: list[str] = []
    for folder, name in folders.items():
        lone = _repository(tmp_path / folder, {folder: _PROGRAMS[name]})
        alone = check(lone, ".").get(folder, Counter())
        differences += _differences(name, "in the whole repository", alone, whole.get(folder, Counter()))
        for how, found in (
            ("inside of its folder", check(together / folder, ".")),
            ("by path", check(together, folder)),
        ):
            differences += _differences(name, how, alone, found.get(folder, Counter()))
            differences += (
                f"{name}, {how}, finds in {other}: {[*texts]}" for other, texts in found.items() if other != folder
            )
    assert not differences, "\n".join(differences)


_STRATEGY = """\
import tensorflow as tf
from tensorflow import keras

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
model.fit(tf.random.normal((64, 8)), tf.random.normal((64, 1)), epochs=2)
"""


def _write(root: Path, **files: str) -> Path:
    (root / ".git").mkdir()
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def _names(found: Mapping[str, Counter[str]]) -> dict[str, set[str]]:
    return {folder: {json.loads(text)["name"] for text in texts} for folder, texts in found.items()}


_BROKEN = "tf-keras3-broken-release"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"old/requirements.txt": "keras==3.2.0\n"}, False),
        ({"old/requirements.txt": "keras==3.2.0\n", "old/main.py": "print(1)\n"}, False),
        ({"old/requirements.txt": "keras==3.2.0\n", "new/requirements.txt": "keras==3.9.0\n"}, False),
        ({"requirements.txt": "keras==3.2.0\n"}, True),
        ({"requirements.txt": "keras==3.2.0\n", "new/requirements.txt": "keras==3.9.0\n"}, False),
        ({"requirements.txt": "keras==3.9.0\n", "new/requirements.txt": "keras==3.2.0\n"}, True),
        ({"requirements/train.txt": "keras==3.2.0\n"}, True),
        ({"old/install.sh": "pip install keras==3.2.0\npython ../new/train.py\n"}, True),
        ({"old/install.sh": "pip install keras==3.2.0\n"}, False),
    ],
)
def test_the_nearest_requirement_counts(files: Mapping[str, str], expected: bool, tmp_path: Path, check: Check) -> None:
    _write(tmp_path, **{"new/train.py": _STRATEGY, **files})
    for working, path in ((tmp_path / "new", "."), (tmp_path, "new"), (tmp_path, ".")):
        names = {name for found in _names(check(working, path)).values() for name in found}
        assert (_BROKEN in names) is expected


def test_what_a_folder_does_to_its_caller_is_found(tmp_path: Path, check: Check) -> None:
    helper = "import torch.distributed as dist\n\n\ndef meet():\n    dist.barrier()\n"
    script = (
        "import torch.distributed as dist\n\nfrom common.sync import meet\n\n"
        'dist.init_process_group("gloo")\nif dist.get_rank() == 0:\n    meet()\n'
    )
    _write(tmp_path, **{"common/sync.py": helper, "demo/train.py": script})
    assert "collective-under-rank-guard" in {
        name for found in _names(check(tmp_path, "common")).values() for name in found
    }


@pytest.mark.parametrize(("folder", "expected"), [("one", False), ("src", True)])
def test_a_module_of_a_neighbour_is_not_imported(folder: str, expected: bool, tmp_path: Path, check: Check) -> None:
    sync = "import torch.distributed as dist\n\n\ndef meet():\n    dist.barrier()\n"
    script = (
        "import torch.distributed as dist\n\nfrom sync import meet\n\n"
        'dist.init_process_group("gloo")\nif dist.get_rank() == 0:\n    meet()\n'
    )
    _write(tmp_path, **{f"{folder}/sync.py": sync, "one/train.py": "import sync\n", "two/train.py": script})
    names = {name for found in _names(check(tmp_path, ".")).values() for name in found}
    assert ("collective-under-rank-guard" in names) is expected


def test_the_corpus_has_launch_files_and_requirements() -> None:
    names = {name.rpartition("/")[2] for program in _PROGRAMS.values() for name in program.files}
    assert {"run.sh", "requirements.txt", "Dockerfile", "ds_config.json"} <= names
