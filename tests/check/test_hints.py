"""What no job of a project meets is a hint: shown on request, with the reason, and no failure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ddl_lint.check.engine import check_project
from ddl_lint.check.report import Report
from ddl_lint.finding import Severity
from ddl_lint.output.formats import FORMATS
from ddl_lint.output.report import render
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import load_rules

_HANG = """
import torch.distributed as dist


def {name}():
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        dist.barrier()
    dist.destroy_process_group()
"""
_STARTED = '\n\nif __name__ == "__main__":\n    {name}()\n'
_SCRIPT = _HANG.format(name="main") + _STARTED.format(name="main")


def _check(root: Path, files: dict[str, str], settings: Settings | None = None) -> Report:
    (root / "ddl-lint.toml").touch()
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    paths = sorted(root.rglob("*.py"))
    return check_project(paths, lambda _: settings or Settings(), load_rules())


def _doubt(root: Path, files: dict[str, str]) -> str:
    """Why the hang in `x` is a hint; empty where it is an error."""
    report = _check(root, files, Settings(hints=True))
    (found,) = (
        each
        for each in report.findings
        if each.name == "collective-under-rank-guard" and "x" in Path(each.location.path).stem
    )
    assert (found.severity is Severity.INFO) is bool(found.doubt)
    return found.doubt


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("x.py", ""),
        ("examples/x.py", ""),
        ("third_party/lib/x.py", "this folder holds a copy of other code"),
        ("tools/old/x.py", "this folder holds code that is no longer used"),
        ("old_tools/x.py", "this folder holds code that is no longer used"),
        ("runs.bak/x.py", "this folder holds code that is no longer used"),
        ("archive_2021/x.py", "this folder holds code that is no longer used"),
        ("deprecated-scripts/x.py", "this folder holds code that is no longer used"),
        ("backup/x.py", "this folder holds code that is no longer used"),
        ("backup_tools/x.py", ""),
        ("gold/x.py", ""),
        ("scaffold_x/x.py", ""),
        ("tests/x.py", "this is the code of a test"),
        ("test_x.py", ""),
    ],
)
def test_where_a_file_is_decides(tmp_path: Path, path: str, reason: str) -> None:
    assert _doubt(tmp_path, {path: _SCRIPT}) == reason


@pytest.mark.parametrize(
    ("user", "reason"),
    [
        ("from models_old.x import main\n", ""),
        ("from models import main\n", "this folder holds code that is no longer used"),
    ],
)
def test_an_old_folder_may_be_in_use(tmp_path: Path, user: str, reason: str) -> None:
    assert _doubt(tmp_path, {"models_old/x.py": _SCRIPT, "run.py": user}) == reason


def test_a_script_that_is_launched_is_no_test(tmp_path: Path) -> None:
    assert _doubt(tmp_path, {"tests/x.py": _SCRIPT, "run.sh": "torchrun --nproc_per_node=2 tests/x.py\n"}) == ""


@pytest.mark.parametrize(
    ("more", "others", "reason"),
    [
        ("", {"run.py": _SCRIPT}, "nothing in this project calls `unused`"),
        ("", {}, ""),
        ("\n\ndef other():\n    unused()\n", {"run.py": _SCRIPT}, "nothing in this project calls `unused`"),
        ("\n\nHOOKS = [unused]\n", {"run.py": _SCRIPT}, ""),
        ("\n__all__ = ['unused']\n", {"run.py": _SCRIPT}, ""),
        ("\n\n# unused()\n", {"run.py": _SCRIPT}, "nothing in this project calls `unused`"),
        ("", {"run.py": _SCRIPT + "from x import unused\n"}, ""),
        ("", {"run.py": _SCRIPT, "pyproject.toml": "[project]\nname = 'x'\n"}, ""),
    ],
    ids=[
        "dead",
        "nothing is started",
        "called by the dead",
        "in a table",
        "exported",
        "in a comment",
        "imported",
        "a package",
    ],
)
def test_who_calls_a_function_decides(tmp_path: Path, more: str, others: dict[str, str], reason: str) -> None:
    assert _doubt(tmp_path, {"x.py": _HANG.format(name="unused") + more, **others}) == reason


_CLASS = """
import torch.distributed as dist


class Keeper{bases}:
    def __init__(self):
        dist.init_process_group("gloo")

    def keep(self):
        if dist.get_rank() == 0:
            dist.barrier()
"""


@pytest.mark.parametrize(
    ("bases", "other", "reason"),
    [
        ("", "", "nothing in this project uses `Keeper`"),
        ("", "# from x import Keeper\n", "nothing in this project uses `Keeper`"),
        ("", "from x import Keeper\nKeeper().keep()\n", ""),
        ("", "KEEPERS = {'keeper': 'x.Keeper'}\n", ""),
        ("(torch.nn.Module)", "", ""),
    ],
    ids=["dead", "in a comment", "made", "named", "found by a library"],
)
def test_who_uses_a_class_decides(tmp_path: Path, bases: str, other: str, reason: str) -> None:
    assert _doubt(tmp_path, {"x.py": _CLASS.format(bases=bases), "run.py": _SCRIPT + other}) == reason


_NONE_KNOWN = "no known launch of this project starts several processes of this script"


_RACE = """
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
torch.save({"rate": torch.rand(7)}, "rate.pt")
dist.barrier()
print(torch.load("rate.pt"))
dist.destroy_process_group()
"""


@pytest.mark.parametrize(
    ("path", "hang", "race"),
    [
        ("demo/x.py", Severity.WARNING, Severity.INFO),
        ("x.py", Severity.WARNING, Severity.INFO),
        ("two/x.py", Severity.ERROR, Severity.WARNING),
    ],
    ids=["below it", "beside it", "a neighbour's"],
)
def test_a_launch_near_a_script_decides(tmp_path: Path, path: str, hang: Severity, race: Severity) -> None:
    """A hang must be known to whoever comes to start the script, too."""
    folder = "one/" if path.startswith("two/") else ""
    launch = {f"{folder}train.py": _SCRIPT, f"{folder}run.sh": "torchrun --nproc_per_node=2 train.py\n"}
    report = _check(tmp_path, {path: _SCRIPT, path.replace("x.py", "xx.py"): _RACE, **launch}, Settings(hints=True))
    found = {each.name: each for each in report.findings if "x" in Path(each.location.path).stem}
    assert found["collective-under-rank-guard"].severity is hang
    assert found["unguarded-filesystem-write"].severity is race
    assert found["unguarded-filesystem-write"].doubt == (_NONE_KNOWN if race is Severity.INFO else "")


_OPTIONAL = """
import argparse
import torch
import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--keep-every", type=int, default=0)
parser.add_argument("--data", default="pond")
args = parser.parse_args()
dist.init_process_group("gloo")
if {condition}:
    torch.save(torch.rand(3), "state.pt")
    {more}
dist.barrier()
"""
_OPTION = "only with `--keep_every`, which no launch of this project gives"
_VALUE = "only with a value of `--data` that no launch of this project gives"


@pytest.mark.parametrize(
    ("condition", "files", "reason"),
    [
        ("args.keep_every > 0", {"run.sh": "torchrun --nproc_per_node=2 x.py\n"}, _OPTION),
        ("args.keep_every > 0", {}, ""),
        ("args.keep_every > 0", {"run.sh": "torchrun --nproc_per_node=2 x.py --keep-every 3\n"}, ""),
        ("args.keep_every > 0", {"run.sh": "torchrun --nproc_per_node=2 x.py --keep-every $1\n"}, ""),
        ("args.keep_every > 0", {"run.sh": "torchrun --nproc_per_node=2 x.py $1\n"}, _OPTION),
        ("args.keep_every > 0", {"run.sh": "torchrun --nproc_per_node=2 x.py --config $1\n"}, ""),
        ("args.keep_every > 0", {"run.sh": "torchrun --nproc_per_node=2 x.py fast.yaml\n"}, ""),
        ("args.data == 'sea'", {"run.sh": "torchrun --nproc_per_node=2 x.py --data lake\n"}, _VALUE),
        ("args.data == 'lake'", {"run.sh": "torchrun --nproc_per_node=2 x.py --data lake\n"}, ""),
        ("args.data != 'sea'", {"run.sh": "torchrun --nproc_per_node=2 x.py --data lake\n"}, ""),
    ],
)
def test_an_option_that_nothing_sets_decides(
    tmp_path: Path, condition: str, files: dict[str, str], reason: str
) -> None:
    report = _check(
        tmp_path, {"x.py": _OPTIONAL.format(condition=condition, more="pass"), **files}, Settings(hints=True)
    )
    (found,) = (each for each in report.findings if each.name == "unguarded-filesystem-write")
    assert found.doubt == reason


_SWITCH = "only with the environment variable `DRAW`, which no launch of this project sets"
_FIELD = "only with a value of `draw` that no configuration of this project gives"
_PLAN = "from dataclasses import dataclass\n\n@dataclass\nclass Plan:\n    draw: bool = False\n\nplan = Plan()\n"
_CONDITIONAL = """
import os
import torch
import torch.distributed as dist

{before}
def main():
    dist.init_process_group("gloo")
    if {condition}:
        torch.save(torch.rand(3), "state.pt")
    dist.barrier()

if __name__ == "__main__":
    main()
"""
_START = "torchrun --nproc_per_node=2 x.py\n"


@pytest.mark.parametrize(
    ("condition", "files", "reason"),
    [
        ('int(os.environ.get("DRAW", 0))', {}, _SWITCH),
        ('int(os.environ.get("DRAW", 0))', {"run.sh": _START}, _SWITCH),
        ('os.environ.get("DRAW", "0").lower() in ("1", "true")', {"web.py": 'env = {"DRAW": "1"}\n'}, _SWITCH),
        ('int(os.environ.get("DRAW", 0))', {"run.sh": f"export DRAW=1\n{_START}"}, ""),
        ('int(os.environ.get("DRAW", 0))', {"README.md": "Set `DRAW=1` to keep the states.\n"}, ""),
        ('int(os.environ.get("DRAW", 1))', {}, ""),
        ('os.environ.get("DRAW")', {}, ""),
        ("plan.draw", {"run.sh": _START}, _FIELD),
        ("plan.draw", {}, ""),
        ("not plan.draw", {"run.sh": _START}, ""),
        ("plan.draw", {"run.sh": _START, "plan.yaml": "draw: true\n"}, ""),
        ("plan.draw", {"run.sh": _START, "README.md": "Set `draw` to keep the states.\n"}, ""),
    ],
)
def test_a_switch_that_nothing_sets_decides(tmp_path: Path, condition: str, files: dict[str, str], reason: str) -> None:
    program = _CONDITIONAL.format(before=_PLAN, condition=condition)
    report = _check(tmp_path, {"x.py": program, **files}, Settings(hints=True))
    (found,) = (each for each in report.findings if each.name == "unguarded-filesystem-write")
    assert found.doubt == reason


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "this is the export of a notebook, and no launch starts it"),
        ({"run.sh": _START}, ""),
    ],
)
def test_the_export_of_a_notebook_is_one_process(tmp_path: Path, files: dict[str, str], reason: str) -> None:
    program = "# In[3]:\n\n" + _CONDITIONAL.format(before="", condition="dist.get_world_size() > 1")
    report = _check(tmp_path, {"x.py": program, **files}, Settings(hints=True))
    (found,) = (each for each in report.findings if each.name == "unguarded-filesystem-write")
    assert found.doubt == reason


_WORKERS = """
import argparse
import torch
import torch.distributed as dist
import torch.multiprocessing as mp

def work(rank, args):
    dist.init_process_group("gloo", "tcp://localhost:2900", rank=rank, world_size=args.workers)
    if args.mode == "draw":
        torch.save(torch.rand(3), "state.pt")
    dist.barrier()

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--mode", default="count", choices=["count", "draw"])
    args = parser.parse_args()
    mp.spawn(work, args=(args,), nprocs=args.workers)
"""


@pytest.mark.parametrize(
    ("launch", "reason"),
    [
        ("python x.py --workers 8 --mode count", "only with a value of `--mode` that no launch of this project gives"),
        ("python x.py", "only with `--mode`, which no launch of this project gives"),
        ("python x.py --workers 8 --mode draw", ""),
        ("python x.py --workers 8 --mode $1", ""),
        ("python other.py", ""),
    ],
)
def test_a_program_that_starts_its_processes_itself_is_launched_as_one(
    tmp_path: Path, launch: str, reason: str
) -> None:
    files = {"x.py": _WORKERS, "other.py": "", "README.md": f"```sh\n{launch}\n```\n"}
    report = _check(tmp_path, files, Settings(hints=True))
    (found,) = (each for each in report.findings if each.name == "unguarded-filesystem-write")
    assert found.doubt == reason


def test_what_fails_in_each_job_with_an_option_is_no_hint(tmp_path: Path) -> None:
    program = _OPTIONAL.format(condition="args.keep_every", more="dist.barrier() if dist.get_rank() == 0 else None")
    report = _check(tmp_path, {"x.py": program, "run.sh": "torchrun --nproc_per_node=2 x.py\n"})
    assert [each.severity for each in report.findings if each.consequence == "hang"] == [Severity.WARNING]


@pytest.mark.parametrize(
    ("script", "reason"),
    [("two/run.py", "nothing in this project calls `hang`"), ("one/run.py", "")],
)
def test_scripts_of_a_neighbour_call_nothing(tmp_path: Path, script: str, reason: str) -> None:
    program = 'import torch\n\nif __name__ == "__main__":\n    torch.save({}, "state.pt")\n'
    assert _doubt(tmp_path, {"two/x.py": _HANG.format(name="hang"), script: program}) == reason


def test_hints_are_shown_to_who_asks(tmp_path: Path) -> None:
    files = {"old/x.py": _SCRIPT}
    assert (shown := _check(tmp_path, files)).findings == []
    assert len(shown.hints) == 1
    for asked in (
        Settings(hints=True),
        Settings(pedantic=True),
        Settings(select=("collective-under-rank-guard",)),
        Settings(severity={"hang": Severity.INFO}),
    ):
        assert "collective-under-rank-guard" in {each.name for each in _check(tmp_path, files, asked).findings}
    assert _check(tmp_path, files, Settings(select=("hang",))).findings == []


def test_json_has_them_for_who_chooses_by_severity(tmp_path: Path) -> None:
    report = _check(tmp_path, {"old/x.py": _SCRIPT})
    said = {name: render(report.findings, report.documents, name, hints=report.hints) for name in FORMATS}
    assert [each["severity"] for each in json.loads(said["json"])["diagnostics"]] == ["info"]
    assert json.loads(said["jsonl"])["severity"] == "info"
    assert {name for name, text in said.items() if "collective-under-rank-guard" in text} == {"json", "jsonl"}


def test_a_project_of_python_2_is_one_hint(tmp_path: Path) -> None:
    files = {"a.py": 'import torch\nprint "a"\n', "b.py": 'import torch\nprint "b"\n', "c.py": "c = 1\n"}
    assert _check(tmp_path, files).findings == []
    (found,) = _check(tmp_path, files, Settings(hints=True)).findings
    assert found.message.startswith("this is Python 2 code")
    assert [Path(each.location.path).name for each in found.evidence] == ["b.py"]


@pytest.mark.parametrize(
    ("before", "files", "reason"),
    [
        ("", {}, ""),
        ("model = Net(3)\n", {}, "nothing defines `Net`, which the file reads"),
        ("from somewhere import *\nmodel = Net(3)\n", {}, ""),
        ("try:\n    Net\nexcept NameError:\n    Net = None\n", {}, ""),
        ("import lib.nets\n", {"lib/__init__.py": ""}, "this project has no module `lib.nets`, which the file imports"),
        ("from lib.nets import Net\n", {"lib/__init__.py": "nets = 1\n"}, ""),
        ("from lib.nets import Net\n", {"lib/__init__.py": "", "lib/nets.py": "Net = 1\n"}, ""),
        ("from lib.nets import Net\n", {"lib/__init__.py": "", "lib/nets.pyx": "Net = 1\n"}, ""),
        ("from lib.nets import Net\n", {"lib/other.py": ""}, ""),
        ("from lib.nets_pb2 import Net\n", {"lib/__init__.py": ""}, ""),
        ("", {"run.sh": "torchrun --nproc_per_node=2 x.py\n"}, ""),
        ("model = Net(3)\n", {"run.sh": "torchrun --nproc_per_node=2 x.py\n"}, ""),
    ],
)
def test_what_cannot_start_for_another_reason(tmp_path: Path, before: str, files: dict[str, str], reason: str) -> None:
    assert _doubt(tmp_path, {"x.py": before + _SCRIPT, **files}) == reason


def test_a_name_that_is_read_after_it_does_not_count(tmp_path: Path) -> None:
    script = (
        "import torch.distributed as dist\ndist.init_process_group('gloo')\nx = 1\n"
        "if dist.get_rank() == 0:\n    dist.all_reduce({})\n"
    )
    assert _doubt(tmp_path, {"x.py": script.format("x") + "print(late)\n"}) == ""
    assert _doubt(tmp_path, {"x.py": script.format("data")}) == "nothing defines `data`, which the file reads"


@pytest.mark.parametrize(
    ("caller", "reason"),
    [
        ("def old():\n    unused()\n", "nothing in this project calls `unused`"),
        ("def old():\n    unused()\nold()\n", ""),
        ("from x import unused as called\n", ""),
    ],
)
def test_a_caller_in_another_file_may_be_dead_itself(tmp_path: Path, caller: str, reason: str) -> None:
    files = {"x.py": _HANG.format(name="unused"), "run.py": _SCRIPT, "lib.py": "from x import unused\n" + caller}
    assert _doubt(tmp_path, files) == reason


_BROKEN = "import torch\n\nx = (\n\ndef late():\n    pass\n"


@pytest.mark.parametrize(
    ("path", "files", "reason"),
    [
        ("x.py", {}, ""),
        (
            "x.py",
            {"run.py": _SCRIPT, "run.sh": "torchrun run.py\n"},
            "nothing in this project starts or imports the file",
        ),
        ("x.py", {"run.py": _SCRIPT, "run.sh": "torchrun run.py && python x.py\n"}, ""),
        ("x.py", {"run.py": _SCRIPT + "import x\n", "run.sh": "torchrun run.py\n"}, ""),
        ("x.py", {"run.py": _SCRIPT, "run.sh": "torchrun run.py\n", "README.md": "Then `x.py` scores it.\n"}, ""),
        (
            "lib/x.py",
            {"lib/__init__.py": "", "run.py": _SCRIPT, "run.sh": "torchrun run.py\n"},
            "nothing in this project starts or imports the file",
        ),
        ("lib/x.py", {"lib/__init__.py": "import glob\n", "run.py": _SCRIPT, "run.sh": "torchrun run.py\n"}, ""),
        ("lib/x.py", {"lib/__init__.py": "", "setup.py": "", "run.py": _SCRIPT, "run.sh": "torchrun run.py\n"}, ""),
        ("two/x.py", {"one/run.py": _SCRIPT, "one/run.sh": "torchrun run.py\n"}, ""),
    ],
    ids=[
        *("alone", "unused", "started", "imported", "in a page", "in a package", "in a package that lists its files"),
        *("in a package of others", "a neighbour is started"),
    ],
)
def test_a_syntax_error_in_what_nothing_uses_is_a_hint(
    tmp_path: Path, path: str, files: dict[str, str], reason: str
) -> None:
    report = _check(tmp_path, {path: _BROKEN, **files}, Settings(hints=True))
    (found,) = (each for each in report.findings if each.code == "DDL001")
    assert (found.doubt, found.severity) == (reason, Severity.INFO if reason else Severity.ERROR)


@pytest.mark.parametrize(
    ("folder", "is_told"), [("{{cookiecutter.name}}/src", False), ("{{ copier__name }}", False), ("name", True)]
)
def test_blanks_of_a_template_are_no_syntax_errors(tmp_path: Path, folder: str, is_told: bool) -> None:
    report = _check(tmp_path, {f"{folder}/x.py": "CLASSES = # how many there are\n" + _SCRIPT})
    assert {each.code for each in report.findings} == {
        "DDL001" if is_told else "DDL502"
    }  # the one makes a hint of the other


@pytest.mark.parametrize(
    ("files", "is_hint"),
    [
        ({}, True),
        ({"README.md": "See `x.ipynb`.\n"}, True),
        ({"README.md": "```bash\npapermill x.ipynb out.ipynb\n```\n"}, False),
        ({"run.sh": "jupyter nbconvert --to notebook --execute x.ipynb\n"}, False),
        ({"run.sh": "jupyter nbconvert --to script x.ipynb\n"}, True),
    ],
)
def test_cells_that_do_not_parse_are_one_hint(tmp_path: Path, files: dict[str, str], is_hint: bool) -> None:
    (tmp_path / "ddl-lint.toml").touch()
    texts = ["import torch\nx = 1 1", "gcloud compute tpus list\n", "print(x)"]
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": text} for text in texts
    ]
    (tmp_path / "x.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    report = check_project([tmp_path / "x.ipynb"], lambda _: Settings(hints=True), load_rules())
    found = {(each.code, each.severity is Severity.INFO) for each in report.findings}
    assert found == {("DDL001", is_hint)}
    assert (len(report.findings) == 1) is is_hint


_DEAD_CONFIG = '{"train_batch_size": 8, "zero_optimization": {"stage": 2, "no_such_key": 1}}\n'
_READS = "import deepspeed\n\nCONFIG = {!r}\n"


@pytest.mark.parametrize(
    ("path", "files", "is_hint"),
    [
        ("ds.json", {"train.py": _READS.format("ds.json")}, False),
        ("ds.json", {"train.py": "import deepspeed\n"}, False),
        ("ds.json", {"train.py": _READS.format("other.json"), "other.json": '{"train_batch_size": 8}'}, True),
        ("ds.json", {"a/train.py": _READS.format("ds.json"), "a/ds.json": '{"train_batch_size": 8}'}, True),
        ("a/ds.json", {"train.py": _READS.format("a/ds.json")}, False),
        ("ds.json", {"train.py": 'import os\n\nP = os.path.join("conf", NAME)\n', "README.md": "`train.py`\n"}, True),
        (
            "conf/ds.json",
            {"train.py": 'import os\n\nP = os.path.join("conf", NAME)\n', "README.md": "`train.py`\n"},
            False,
        ),
        ("conf/ds.json", {"README.md": "Run `train.py` with `conf/$NAME.json`.\n", "train.py": ""}, False),
        ("ds.json", {"train.py": "", "README.md": "Run `torchrun train.py`.\n"}, True),
        ("ds.json", {"train.py": "", "docs/notes.md": "Run `train.py` with `ds.json`.\n"}, False),
        ("ds.json", {"train.py": "", "README.md": "A model.\n"}, False),
        (
            "ds.json",
            {"train.py": 'import os\n\nP = os.path.join(output_dir, "ds.json")\n', "README.md": "`train.py`\n"},
            True,
        ),
    ],
    ids=[
        "read",
        "nothing is said",
        "another one is read",
        "another one of the name",
        "read with its folder",
        "of no folder that is read",
        "in a folder that is read",
        "by a variable",
        "the page names others",
        "in another page",
        "the page names nothing",
        "what a job writes",
    ],
)
def test_a_configuration_that_nothing_names(tmp_path: Path, path: str, files: dict[str, str], is_hint: bool) -> None:
    config = tmp_path / path
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(_DEAD_CONFIG)
    (tmp_path / "ddl-lint.toml").touch()
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    report = check_project([config], lambda _: Settings(hints=True), load_rules())
    (found,) = (each for each in report.findings if each.name == "dsconfig-unknown-key")
    assert (found.severity is Severity.INFO) is is_hint


_MISSING = "torchrun --nproc_per_node 2 tune.py\n"


@pytest.mark.parametrize(
    ("page", "is_hint"),
    [
        ("Run `train.py`.\n", True),
        ("Run `bash scripts/tune.sh`.\n", False),
        ("Run `tune.sh`.\n", False),
        ("Run `bash scripts/v2/tune.sh`.\n", True),
        ("Run [tune.sh](scripts/v2/tune.sh).\n", True),
        ("Run `bash scripts/$NAME.sh` or `train.py`.\n", False),
        ("The scripts in `scripts/` start `train.py`.\n", False),
        ("Notebooks are in `scripts/`, see also `train.py`.\n", True),
        ("A model.\n", False),
    ],
)
def test_a_launch_file_that_nothing_names(tmp_path: Path, page: str, is_hint: bool) -> None:
    files = {
        "ddl-lint.toml": "",
        "train.py": "import torch\n",
        "scripts/show.py": "import torch\n",
        "scripts/tune.sh": _MISSING,
        "scripts/v2/tune.sh": "torchrun --nproc_per_node 2 train.py\n",
        "README.md": page,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    report = check_project([tmp_path / "scripts/tune.sh"], lambda _: Settings(hints=True), load_rules())
    (found,) = (each for each in report.findings if each.name == "launched-script-missing")
    assert (found.severity is Severity.INFO) is is_hint


def test_what_prepares_data_by_a_script_that_nothing_names(tmp_path: Path) -> None:
    files = {
        "train.py": _SCRIPT,
        "data/prepare.sh": "python prepare.py\n",
        "README.md": "```bash\ntorchrun train.py\n```\n",
    }
    report = _check(tmp_path, {"data/prepare.py": _BROKEN, **files}, Settings(hints=True))
    (found,) = (each for each in report.findings if each.code == "DDL001")
    assert found.doubt == "only `prepare.sh`, which nothing names, starts the file"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("x = 1 1\n" + _SCRIPT, "a syntax error above it keeps the file from being run"),
        (_SCRIPT + "x = 1 1\n", ""),
        ('print "Python 2"\n' + _SCRIPT, ""),
    ],
    ids=["behind it", "before it", "another language"],
)
def test_what_comes_after_a_syntax_error_is_a_hint(tmp_path: Path, script: str, reason: str) -> None:
    assert _doubt(tmp_path, {"x.py": script}) == reason


def test_a_line_that_is_being_written_changes_nothing_of_others(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text(_SCRIPT)
    edited = {path.as_posix(): "x = 1 1\n" + _SCRIPT}
    report = check_project([path], lambda _: Settings(), load_rules(), overlay=edited)
    assert {each.code: each.severity for each in report.findings} == {
        "DDL001": Severity.ERROR,
        "DDL502": Severity.ERROR,
    }


_STEP = "import torch\n\n" + "".join(f"print({number})\n" for number in range(20))
_CORRECT = _SCRIPT.replace("    if dist.get_rank() == 0:\n        dist.barrier()\n", "    dist.barrier()\n")


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"x_1.py": _STEP + _SCRIPT}, ""),
        (
            {"x_1.py": _STEP + _SCRIPT, "x_2.py": _STEP + _CORRECT},
            "`x_2.py`, the last step of this series, is without it",
        ),
        ({"x_2.py": _STEP + _SCRIPT, "x_1.py": _STEP + _CORRECT}, ""),
        ({"x_1.py": _STEP + _SCRIPT, "x_2.py": _CORRECT}, ""),
        ({"x_1.py": _STEP + _SCRIPT, "y_2.py": _STEP + _CORRECT}, ""),
        ({"x_1.py": _STEP + _SCRIPT, "x_2.py": _STEP + _CORRECT, "run.sh": "torchrun --nproc_per_node=2 x_1.py"}, ""),
    ],
    ids=["alone", "corrected", "not yet", "another program", "another series", "launched"],
)
def test_a_later_step_that_corrects_it_makes_a_hint(tmp_path: Path, files: dict[str, str], reason: str) -> None:
    assert _doubt(tmp_path, files) == reason


def test_steps_with_one_fault_are_one_hint(tmp_path: Path) -> None:
    files = {f"x_{number}.py": _STEP + (_SCRIPT if number < 4 else _CORRECT) for number in range(1, 5)}
    (found,) = _check(tmp_path, files, Settings(hints=True)).findings
    assert Path(found.location.path).name == "x_1.py"
    assert {Path(each.path).name for each in found.places} == {"x_2.py", "x_3.py"}
