"""Where projects end: what lies beside them says nothing of them."""

from __future__ import annotations

_REFUSES = """\
import argparse

import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""
_LAUNCH = "deepspeed --num_gpus 4 train.py\n"
_USES = "import torch.distributed as dist\nfrom common.tools import setup\n\nsetup()\nprint(dist.get_rank())\n"


def test_a_launch_line_is_about_the_script_beside_it(project, check):
    project({"one/train.py": _REFUSES, "one/run.sh": _LAUNCH})
    project({"two/train.py": _REFUSES, "two/run.sh": "torchrun train.py"})
    assert check().found == [("one/train.py", "DDL215")]


def test_clones_in_one_folder_are_checked_each_by_itself(project, check):
    project(
        {
            "one/.git/HEAD": "",
            "one/run.sh": "cd $ROOT\ndeepspeed refuses.py\n",
            "one/common/tools.py": "def setup():\n    pass\n",
            "one/main.py": _USES,
            "two/.git/HEAD": "",
            "two/main.py": _USES,
            "two/refuses.py": _REFUSES,
            "three/pyproject.toml": "[project]\nname = 'x'\ndependencies = ['torch==2.5']\n",
            "three/main.py": _USES,
        }
    )
    assert check().found == [("one/main.py", "DDL201")], "what the others import cannot be seen"
    assert check("one").found == check("one/main.py").found == [("one/main.py", "DDL201")]
    assert check("two").found == check("two/main.py", "three").found == []


def test_a_clone_in_a_repository_is_a_project_by_itself(project, check):
    project({".git/HEAD": "", "third_party/clone/.git": "gitdir: x", "third_party/clone/run.sh": _LAUNCH})
    project({"train.py": _REFUSES, "third_party/clone/train.py": _REFUSES})
    assert check().found == [("third_party/clone/train.py", "DDL215")]
    assert check("third_party").found == [("third_party/clone/train.py", "DDL215")]
    assert check("train.py").found == []


def test_packages_of_a_repository_import_each_other(project, check):
    project({".git/HEAD": "", "packages/a/pyproject.toml": "", "packages/b/pyproject.toml": ""})
    project({"packages/a/common/tools.py": "def setup():\n    pass\n", "packages/b/main.py": _USES})
    for path in (".", "packages/b", "packages/b/main.py"):
        assert check(path).found == [("packages/b/main.py", "DDL201")]


def test_each_package_runs_with_the_versions_that_it_pins(project, check):
    pins = "[project]\nname = 'x'\ndependencies = ['torch{}']\n"
    program = "import torch.distributed as dist\n\n\ndef f(x):\n    dist.all_reduce_multigpu(x)\n"
    project({".git/HEAD": "", "requirements.txt": "torch==2.5\n", "plain/setup.cfg": ""})
    project({"old/pyproject.toml": pins.format("<2"), "new/pyproject.toml": pins.format(">=2.4")})
    files = [f"{folder}/a.py" for folder in ("new", "old", "plain")]
    project(dict.fromkeys(files, program))
    each = [check("--select", "deprecated-distributed-api", file).found for file in files]
    assert each == [[("new/a.py", "DDL212")], [], [("plain/a.py", "DDL212")]]
    assert check("--select", "deprecated-distributed-api").found == each[0] + each[2]
