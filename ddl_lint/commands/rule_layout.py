"""What `ddl-lint new-rule` writes: a rule that runs as it is, to be changed into the one that is wanted.

The example reports each barrier in a loop. `@name@` and the like are replaced by what the new rule is called.
"""

from __future__ import annotations

TODO = "TODO"
"""Marks what only the author can say."""

RULE = """\
code: @code@
name: @name@
summary: "TODO: say in one sentence, in the present tense, what is wrong in the program"
frameworks: [pytorch]
stage: @stage@
consequence: wasted-work  # TODO: what it costs: hang, crash, wrong-result, data-loss, wasted-work or race; or a list
severity: warning  # error: each job fails or computes something wrong; warning: some job does; info: harmless
confidence: medium  # high where nearly every finding on real projects is true
lifecycle: preview  # runs with --preview, or when it is selected by its name
since: "@since@"
events: [collective]  # TODO: of what run.events(...) is asked; where none of them occurs, the check is not asked at all
@rulekit@why: |
  TODO: say what the user sees at run time and why, with the real error text.
fix:
@fix@
silent_when:
  - when: the barrier comes after the loop
    test: after_the_loop
references: []  # TODO: real issues (owner/repository#number) or addresses
"""

RULEKIT = "rulekit: @version@  # the version of ddl_lint.rulekit that the rule is written for\n"

FIX_CODE = """\
  kind: code
  advice: "TODO: say what a developer does, in one or two sentences."
  applicability: unsafe
  reason: "TODO: say why the fix may change what a correct program means\""""

FIX_NONE = """\
  kind: none
  advice: "TODO: say what a developer does, in one or two sentences."
  applicability: unsafe
  reason: "TODO: say why there are no edits\""""

CHECK = '''\
"""An example: finds barriers in loops."""

from __future__ import annotations

from collections.abc import Iterable

@imports@


def check(run: RunView) -> Iterable[Finding]:
    """One finding per barrier in a loop."""
    for event in run.events(Collective):
        around = loops(event.context)
        if around and is_constant(event.operation, "barrier"):
            evidence = Evidence("this loop gets to it in each iteration", around[0].location)
            message = "all ranks wait for the slowest in each iteration"
            finding = Finding(message, event.location, (evidence,))
            yield @given@
'''

_NAMES = "from ddl_lint.rulekit import Evidence, Finding, RunView, is_constant, loops"
_EVENTS = "from ddl_lint.rulekit.events import Collective"

CHECK_IMPORTS = f"{_NAMES}\n{_EVENTS}"

CHECK_FIX_IMPORTS = f"{_NAMES}, with_fix\n{_EVENTS}\nfrom @package@.@stage@.@folder@.fix import fix"

FIX = '''\
"""An example: deletes the barrier."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, Unfixable, code, file_of, remove


def fix(run: RunView, barrier: Event) -> Fix:
    """`dist.barrier()` away. Raises `Unfixable` where it is part of something else."""
    file = file_of(run, barrier.location)
    place = file.place(barrier.location)
    if not isinstance(place.statement, code.Evaluate):
        raise Unfixable("the call is part of something else")
    return Fix("Delete the barrier", remove(place), Applicability.UNSAFE, "a rank may rely on the others being here")
'''

BAD = """\
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    total = torch.zeros(1)
    for step in range(100):
        total += step
        dist.barrier()  # error: [@name@]
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""

GOOD = """\
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    total = torch.zeros(1)
    for step in range(100):
        total += step
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""

SILENT = GOOD.replace("    dist.destroy", "    dist.barrier()\n    dist.destroy")

PROJECT = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "@project@"
version = "0.1.0"
requires-python = ">=3.10"
dependencies = ["ddl-lint"]

[project.optional-dependencies]
dev = ["pytest"]

[project.entry-points."ddl_lint.rules"]
@package@ = "@package@"

[tool.hatch.build.targets.wheel]
packages = ["src/@package@"]
"""

TEST = '''\
"""The rule `@name@` on its programs: each line that ends with `# error: [@name@]` is found, and no other."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent / "@folder_path@"
CASES = [FOLDER / "bad", FOLDER / "good", *sorted((HERE / "@folder@").glob("*/*"))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_program(case, tmp_path):
    copy = shutil.copytree if case.is_dir() else shutil.copy
    copy(case, tmp_path / case.name)
    command = ["check", "--isolated", "--no-cache", "--select", "@name@", "--output-format", "json"]
    result = subprocess.run([sys.executable, "-m", "ddl_lint", *command, tmp_path], capture_output=True, text=True)
    assert result.returncode in (0, 1), result.stderr
    diagnostics = json.loads(result.stdout)["diagnostics"]
    found = {(Path(each["file"]).name, each["range"]["start"]["line"]) for each in diagnostics}
    assert found == {
        (file.name, number)
        for file in tmp_path.rglob("*.py")
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if "# error: [@name@]" in line
    }
'''
