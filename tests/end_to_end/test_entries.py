"""Where programs begin: one training function with six faults, and the ways to start it; what is told of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from ddl_lint.check.case_marks import marked

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "entries"
FAULTY = (FOLDER / "faulty.txt").read_text(encoding="utf-8")
CORRECT = (FOLDER / "correct.txt").read_text(encoding="utf-8")
WAYS: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / "ways.yaml").read_text(encoding="utf-8"))
IMPORTS = """\
import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset, random_split
"""


class Found(NamedTuple):
    """A finding by its rule and line."""

    rule: str
    line: int


def script(way: dict[str, Any], body: str) -> str:
    parts = [IMPORTS + way.get("imports", ""), way.get("above", "")]
    parts[-1] += body.replace("{parameters}", way.get("parameters", "cfg=None"))
    return "\n\n".join([*parts, way.get("below", "")])


@pytest.mark.parametrize("name", WAYS)
def test_all_six_faults_are_found_however_it_is_started(project, check, name):
    text = script(WAYS[name], FAULTY)
    project({"train.py": text, **WAYS[name].get("files", {})})
    expected = {
        Found(rule, number) for number, line in enumerate(text.splitlines(), 1) for rule in marked(line, "error")
    }
    assert len(expected) == 6
    found = check().diagnostics
    assert {item["file"] for item in found} == {"train.py"}
    assert {Found(item["name"], item["range"]["start"]["line"]) for item in found} == expected


@pytest.mark.parametrize("name", WAYS)
def test_nothing_is_found_without_faults(project, check, name):
    project({"train.py": script(WAYS[name], CORRECT), **WAYS[name].get("files", {})})
    assert check().found == []


# --- what is no entry ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "below",
    [
        "def helper(model):\n    work()\n",  # not a name for what somebody starts
        "def train(model, loader):\n    work()\n",  # asks for what no command line gives
    ],
)
def test_library_functions_are_no_programs(project, check, programs, below):
    project({"train.py": script({"below": below}, FAULTY)})
    found = [item for item in check().diagnostics if item["name"] == "missing-set-epoch"]
    assert all("no script starts this" in item["related"][-1]["message"] for item in found)
    assert [(each["entry"], each["kind"]) for each in programs()] == [(None, "library")]


def test_a_function_that_finds_the_group_is_no_program(project, check, programs):
    body = "import torch\nfrom torch.nn.parallel import DistributedDataParallel\n\n\n"
    project({"fit.py": body + "def train(args):\n    return DistributedDataParallel(torch.nn.Linear(2, 2).cuda())\n"})
    assert check().found == []
    assert [each["kind"] for each in programs()] == ["library"]


def test_a_registered_function_is_one_of_several(project, check):
    """Only one of two commands runs: the group of one is not there in the other."""
    text = """\
import torch.distributed as dist
import typer

app = typer.Typer()


@app.command()
def train():
    dist.init_process_group("gloo")
    dist.destroy_process_group()


@app.command()
def evaluate():
    dist.init_process_group("gloo")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    app()
"""
    project({"commands.py": text})
    assert check().found == []


# --- what is told -------------------------------------------------------------------------------------------------


COMMANDS = {
    "typer": ("import typer\napp = typer.Typer()", "@app.command()", "app()"),
    "click": ("import click\n@click.group()\ndef app(): pass", "@app.command()", "app()"),
    "fire": ("import fire", "", "fire.Fire({'train': train, 'convert': convert})"),
}


@pytest.mark.parametrize("library", COMMANDS)
def test_one_command_has_not_done_what_another_does(project, check, programs, library):
    """Conversion runs in one process, however many the training beside it has."""
    made, decorator, start = COMMANDS[library]
    project(
        {
            "cli.py": f"""\
import torch.distributed as dist
{made}

{decorator}
def train():
    dist.init_process_group("nccl")
    dist.barrier()
    with open("log.txt", "w") as log:
        log.write(str(dist.get_world_size()))
    dist.destroy_process_group()

{decorator}
def convert(path: str = "out.json"):
    with open(path, "w") as out:
        out.write("[]")

if __name__ == "__main__":
    {start}
"""
        }
    )
    found = [each for each in check().diagnostics if each["code"] == "DDL403"]
    text = (Path.cwd() / "cli.py").read_text(encoding="utf-8").splitlines()
    assert [text[each["range"]["start"]["line"] - 1].strip() for each in found] == ['with open("log.txt", "w") as log:']
    (told,) = [each for each in programs() if each["kind"] == "script"]
    number = 3 if library == "click" else 2  # a group may be called without a command
    assert told["reason"] == f"main guard; {number} commands"


@pytest.fixture
def programs(run):
    def told() -> list[dict[str, Any]]:
        return json.loads(run("check", "--output-format", "json").out)["programs"]

    return told


TOLD = {
    "pyproject.toml": '[project.scripts]\ntrain = "cli:main"\nold = "gone:main"\n',
    "cli.py": "import torch.distributed as dist\n\n\ndef main():\n    dist.barrier()\n",
    "script.py": 'import torch\nimport lib\n\nif __name__ == "__main__":\n    lib.go()\n',
    "lib.py": "import torch.distributed as dist\n\n\ndef go():\n    dist.barrier()\n",
    "layers.py": "import torch.distributed as dist\n\n\ndef mean(x):\n    dist.all_reduce(x)\n",
    "hidden.py": 'import torch\nimport mystery\n\nif __name__ == "__main__":\n    mystery.go()\n',
    "tool.py": 'if __name__ == "__main__":\n    print(1)\n',
    "plain.py": "x = 1\n",
    "names.py": "import torch\n\nKIND = torch.float16\n",
}


def test_what_was_followed_from_where_is_told(project, run):
    project(TOLD)
    assert run("check", "--verbose", "--exit-zero").err.splitlines()[2:] == [
        'cli.py::main: console script "train" of pyproject.toml:2',
        "hidden.py: script (main guard; what is called at line 5 cannot be seen)",
        "layers.py: library code, followed function by function",
        "lib.py: followed from where it is called",
        "names.py: not followed: nothing in it reaches a call that ddl-lint knows",
        "script.py: script (main guard)",
        "tool.py: not followed: imports no framework, and no module that does",
        'gone::main: not followed: console script "old" of pyproject.toml:3; the project has no such module',
        "1 other file imports no framework, and starts nothing",
    ]


def test_programs_as_json(project, programs):
    project(TOLD)
    told = {(each["file"], each["entry"]): each for each in programs()}
    assert told["cli.py", "main"] == {
        "file": "cli.py",
        "entry": "main",
        "kind": "console script",
        "followed": True,
        "reason": 'console script "train" of pyproject.toml:2',
    }
    assert [file for (file, _), each in told.items() if not each["followed"]] == ["names.py", "tool.py", "gone"]


def test_a_stored_report_tells_the_same(project, run):
    project(TOLD)
    first = run("check", "--output-format", "json", "--verbose", "--exit-zero")
    again = run("check", "--output-format", "json", "--verbose", "--exit-zero")
    assert (again.out, again.err) == (first.out, first.err)


def test_a_console_script_that_comes_makes_a_stored_report_stale(project, programs):
    files = {"cli.py": "import torch.distributed as dist\n\n\ndef begin():\n    dist.barrier()\n", "pyproject.toml": ""}
    project(files)
    assert [each["kind"] for each in programs()] == ["library"]
    project({"pyproject.toml": '[project.scripts]\ngo = "cli:begin"\n'})
    assert [each["kind"] for each in programs()] == ["console script"]


# --- notebooks ----------------------------------------------------------------------------------------------------

CELL = """\
import os
import torch
from accelerate import Accelerator{more}

def work():
    accelerator = Accelerator()
    os.makedirs("out")
    torch.save({{}}, "out/a.pt")
"""


def test_a_notebook_is_one_process(project, check, notebook, programs):
    project({"a.ipynb": notebook(CELL.format(more=""), "work()")})
    assert check().found == []
    assert [each["reason"] for each in programs()] == ["cells; one process"]


def test_a_notebook_does_not_run_a_main_that_no_cell_calls(project, check, notebook, programs):
    project(
        {"a.ipynb": notebook(CELL.format(more="").replace("work()", "main(args)"), "open('b.txt', 'w').write('b')")}
    )
    assert check().found == []
    assert "main" not in [each["kind"] for each in programs()]


@pytest.mark.parametrize(
    "start", ["notebook_launcher(work, num_processes=2)", "!torchrun --nproc-per-node 2 b.py\nwork()"]
)
def test_a_launcher_in_a_notebook_says_otherwise(project, programs, notebook, start):
    project({"a.ipynb": notebook(CELL.format(more=", notebook_launcher"), start)})
    assert [each["reason"] for each in programs()] == ["cells"]


def test_faults_in_what_a_notebook_launches_are_found(project, check, notebook):
    body = script({"imports": "from accelerate import notebook_launcher"}, FAULTY)
    project({"a.ipynb": notebook(body, "notebook_launcher(work, num_processes=2)")})
    assert len(check().found) == 6


def test_a_notebook_that_makes_its_job_one_process(project, check, notebook):
    text = 'dist.init_process_group("nccl", rank=0, world_size=1)'
    body = script({}, FAULTY.replace('dist.init_process_group("nccl")', text))
    project({"a.ipynb": notebook(body, "work()")})
    assert {name for _, name in check().found} == {"DDL305"}  # the checkpoint is wrong with one process, too
