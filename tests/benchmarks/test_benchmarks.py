"""What the tables rest on; the measurements themselves are not repeated here."""

from __future__ import annotations

import ast
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import growth, independence, processes, tables
from benchmarks.generated import EDITED, HELPER, HELPING, USERS, make_project, training_script
from benchmarks.keystrokes import turned
from benchmarks.processes import CommandError, Usage
from benchmarks.rounds import Series, in_turn, ratio


def test_children_count_too():
    child = "sum(range(4_000_000))"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    alone = processes.run([sys.executable, "-c", "pass"])
    whole = processes.run([sys.executable, "-c", parent])
    assert whole.cpu > alone.cpu + 0.02
    assert whole.memory > 1


def test_a_command_that_fails(monkeypatch):
    with pytest.raises(CommandError, match="ended with 3: oh no"):
        processes.run([sys.executable, "-c", "import sys; print('well\\noh no', file=sys.stderr); sys.exit(3)"])
    with pytest.raises(CommandError, match="cannot be started"):
        processes.run(["no-such-program-here"])
    monkeypatch.setattr(processes, "MOST_SECONDS", 0.2)
    with pytest.raises(CommandError, match="after 0 s"):
        processes.run([sys.executable, "-c", "import time; time.sleep(60)"])


def test_rounds_are_paired_and_bounded():
    order: list[str] = []

    def costs(name: str, cpu: float):
        def measured() -> Usage:
            order.append(name)
            if name == "broken":
                raise CommandError("it is broken")
            return Usage(cpu * len(order), 1.0, 10.0)

        return measured

    runs = {"quick": costs("quick", 1.0), "slow": costs("slow", 10.0), "broken": costs("broken", 0.0)}
    found = in_turn(runs, 3, 15.0)
    assert order == ["quick", "slow", "broken", "quick", "quick"]
    assert found["broken"].failure == "it is broken"
    assert [each.cpu for each in found["quick"].runs] == [1, 4, 5]
    assert found["quick"].cpu == 4
    assert ratio(found["quick"], found["slow"]) == 1 / 20
    assert ratio(found["quick"], Series()) != ratio(found["quick"], Series())  # not a number


def test_numbers():
    assert [tables.figure(number) for number in (0.01234, 1.0, 96.61, 266_123.0, 0.0, float("nan"))] == [
        "0.0123", "1.00", "96.6", "266,000", "0", "-",
    ]  # fmt: skip
    assert tables.exponent((size, 3 * size**1.5) for size in (1, 10, 500)) == pytest.approx(1.5)
    assert tables.table(("what", "s"), [("it", "1")]) == "| what | s |\n| --- | ---: |\n| it | 1 |"


def test_copies_import_their_own_packages(tmp_path):
    source = tmp_path / "source"
    for name, text in {
        "train.py": "import engine.loop\nfrom nets import Net\nimport torch\nengine.loop.go(Net, torch.engine.x)\n",
        "engine/__init__.py": "",
        "engine/loop.py": "from .deep import run\nfrom engine.deep import run as again\n",
        "engine/deep.py": "run = 1\n",
        "src/nets/__init__.py": "Net = 1\n",
    }.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    growth.copy(source, 10, tmp_path / "target")
    made = {path.relative_to(tmp_path / "target").as_posix(): path for path in (tmp_path / "target").rglob("*.py")}
    assert len(made) == 10
    assert made["train_1.py"].read_text() == (
        "import engine_1.loop\nfrom nets_1 import Net\nimport torch\nengine_1.loop.go(Net, torch.engine.x)\n"
    )
    assert made["engine_0/loop.py"].read_text() == "from .deep import run\nfrom engine_0.deep import run as again\n"
    assert made["src_1/nets_1/__init__.py"].read_text() == "Net = 1\n"


@pytest.mark.parametrize("lines", [1_000, 2_000])
def test_scripts_have_the_length_that_is_said(lines):
    text = training_script(lines)
    ast.parse(text)
    assert text.count("\n") == lines
    other, same = turned(text, EDITED)
    assert same == text
    assert "scale = 0.124  # edited here" in other


def test_the_helper_has_its_users(tmp_path):
    make_project(tmp_path, [1_000])
    files = list(tmp_path.rglob("*.py"))
    assert len(files) == 200
    assert sum("from parts.scaling import" in path.read_text() for path in files) == len(USERS) == 50
    assert HELPING in (tmp_path / HELPER).read_text()


def test_scripts_that_change_what_is_found_in_others(tmp_path):
    alone = {name: Counter({f"finding in {name}": 1}) for name in "abcdefgh"}
    checked: list[str] = []

    def check(paths: Sequence[Path]) -> dict[Path, Counter[str]]:
        names = "".join(path.name for path in paths)
        checked.append(names)
        found = {path: alone[path.name] for path in paths}
        if set("bdg") <= set(names):
            found[tmp_path / "b"] = Counter({"another": 1})
        return found

    scripts = [tmp_path / name for name in alone]
    comparisons = list(independence.compare(scripts[:3], check, [scripts, scripts[:2]]))
    assert checked == ["a", "b", "c", "abcdefgh", "ab"]
    assert len(comparisons) == 5
    (found,) = [each for each in comparisons if each.came or each.went]
    assert found.script == tmp_path / "b"
    assert (found.came, found.went) == (Counter({"another": 1}), alone["b"])
    assert len(found.neighbours) == 7
    assert independence.narrowed(found, check).neighbours == (tmp_path / "d", tmp_path / "g")


def test_scripts_of_a_project_and_what_they_import(tmp_path):
    texts = {
        "common.py": "import torch\nloader = torch.utils.data.DataLoader([1])\n",
        "first.py": "import torch\nimport common\nprint(torch, common)\n",
        "second.py": "from common import loader\nif __name__ == '__main__':\n    print(loader)\n",
        "plain.py": "print('no framework')\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    project = independence.read_project(tmp_path)
    assert [path.name for path in project.files] == sorted(texts)
    assert [path.name for path in project.scripts] == ["first.py", "second.py"]
    assert project.imports == {path: [tmp_path / "common.py"] for path in project.scripts}
    groups = list(independence.groups_of(project.scripts, project, 8, random.Random(0)))
    assert groups == [project.files, tuple(project.scripts), (tmp_path / "common.py", *project.scripts)]
