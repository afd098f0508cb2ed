"""What a check says, below its findings, of what it has not looked at."""

from __future__ import annotations

import pytest

LIBRARY = "def halve(number):\n    return number / 2\n"
TRAIN = """\
import torch.distributed as dist

import helper

dist.init_process_group("gloo")
helper.halve(2)
"""


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("notes.txt", "Notes about a run, not code.\n", "notes.txt was not looked at: it imports no known framework\n"),
        ("tool.py", LIBRARY, "tool.py was not looked at: it imports no known framework\n"),
        (
            "values.yaml",
            "a: 1\n",
            "values.yaml was not looked at: it says nothing of how a job is launched or configured\n",
        ),
    ],
)
def test_a_file_that_no_rule_reads(run, project, name, text, said):
    project({name: text})
    assert run("check", name) == (0, "", said)
    assert run("check", name) == (0, "", said)  # the second time the report is stored
    assert run("check", name, "--no-cache") == (0, "", said)
    assert run("check", name, "--quiet") == (0, "", "")
    assert "was not looked at" not in run("check").err  # nobody has named it


def test_a_hook_which_names_all_that_has_changed_is_not_told(run, project):
    project({"tool.py": LIBRARY, ".pre-commit-config.yaml": "repos: []\n", "train.py": "import torch\n"})
    result = run("check", "--force-exclude", "tool.py", ".pre-commit-config.yaml", "train.py")
    assert result == (0, "No problems found in 1 file.\n", "")


def test_several_files_in_one_line(run, project):
    project({**{f"{letter}.py": LIBRARY for letter in "abcde"}, "train.py": "import torch\n"})
    result = run("check", *(f"{letter}.py" for letter in "abcde"), "train.py")
    assert result.err == "5 files were not looked at because no rule reads them: a.py, b.py, c.py and 2 more\n"
    assert result.out == "No problems found in 1 file.\n"


def test_a_module_that_a_script_imports_is_looked_at(run, project):
    project({".git/HEAD": "", "train.py": TRAIN, "helper.py": LIBRARY})
    assert run("check", "helper.py") == (0, "No problems found in 1 file.\n", "")


def test_a_file_with_a_finding_was_looked_at(run, project):
    project({"tool.py": LIBRARY + "x = 1  # ddl-lint: ignore[no-such-rule]\n"})
    result = run("check", "tool.py")
    assert "Found 1 warning in 1 file." in result.out
    assert "was not looked at" not in result.err


LONG = """\
import torch.distributed as dist


def fit():
    dist.init_process_group("gloo")
{steps}

if __name__ == "__main__":
    fit()
"""


def test_a_script_that_was_left_before_its_end(run, project):
    steps = "".join(f"    print({number})\n" for number in range(200))
    project({"train.py": LONG.format(steps=steps)})
    result = run("check", "--max-steps", "100")
    assert result.err == "1 script was followed only in part: train.py (stopped after 100 statements in `fit`)\n"
    assert "only in part" not in run("check", "--max-steps", "100", "--quiet").err
    told = run("check", "--max-steps", "100", "--verbose").err
    assert "only in part" not in told and "stopped after 100 statements" in told
    assert run("check").err == ""


def test_a_script_that_hides_what_it_does(run, project):
    project({f"{name}.py": "import torch\nfrom away import run\n\nrun(torch)\n" for name in ("a", "b", "c", "d")})
    result = run("check")
    assert result.err == (
        "4 scripts were followed only in part: a.py (cannot tell what is called in line 4), "
        "b.py (cannot tell what is called in line 4), c.py (cannot tell what is called in line 4) and 1 more; "
        "run with --verbose for all\n"
    )


def test_a_call_in_which_ranks_hardly_meet_is_not_worth_a_note(run, project):
    program = (
        "import sys, logging\nimport torch\nfrom absl import flags\nfrom torchsummary import summary\n"
        "sys.path.append('lib')\nlogging.getLogger().setLevel(10)\nflags.DEFINE_integer('x', 1, '')\n"
        "summary(torch.nn.Linear(1, 1))\n"
    )
    project({"a.py": program})
    assert "only in part" not in run("check").err
    assert "cannot be seen" in run("check", "--verbose").err
