"""Probes: each kind of event that one records is there for who wants it, and for nobody else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from ddl_lint.analysis.probes.makers import MAKERS
from ddl_lint.analysis.runs import Analyzer, RunCheck
from ddl_lint.analysis.view import ProjectContext
from ddl_lint.check.rule_runner import RuleRunner
from ddl_lint.program.events import EventKind
from ddl_lint.registry.rules import Rule, load_rules

ROOT = Path(__file__).parents[2]
ANALYSIS = ROOT / "ddl_lint" / "analysis"
RULES = [rule for rule in load_rules() if rule.has_check]

LOADER = """
import torch
from torch.utils.data import DataLoader, TensorDataset
loader = DataLoader(TensorDataset(torch.ones(4)))
"""

PROGRAMS: dict[EventKind, str] = {
    "ask_mode": "from accelerate import Accelerator\ngetattr(Accelerator().state, 'fsdp_plugin', None)",
    "average": LOADER + "print(3 / len(loader.dataset))",
    "await_file": "import os, time, torch\nwhile not os.path.exists('a'): time.sleep(1)",
    "close_over": (
        "import torch\n" + LOADER.lstrip() + "def warm(optimizer, steps):\n"
        "    def rate(step): return step / steps\n    return torch.optim.lr_scheduler.LambdaLR(optimizer, rate)\n"
        "warm(torch.optim.SGD(torch.nn.Linear(1, 1).parameters(), lr=1), 3 * len(loader))"
    ),
    "count_by_devices": "import torch\nrate = 0.1 * torch.cuda.device_count()",
    "declare_option": "import argparse, torch\nargparse.ArgumentParser().add_argument('--local_rank')",
    "drop_result": "import deepspeed, torch\ndeepspeed.initialize(model=torch.nn.Linear(1, 1))",
    "keep_handle": "import torch, torch.distributed as dist\nwork = dist.isend(torch.ones(1), 1)",
    "lose_result": "import torch, torch.distributed as dist\ndist.all_reduce(x.clone())",
    "leave_unread": LOADER + "_, rows = loader, 3",
    "look_inside": "import torch, b\nmodel = torch.nn.DataParallel(b.net())\nmodel.module",
    "measure": LOADER + "print(len(loader))",
    "mix_conditions": "import torch, torch.distributed as dist, b\nif dist.get_rank() == 0 and b.x or b.y: pass",
    "parse_options": "import argparse, torch\nargparse.ArgumentParser().parse_args()",
    "read_handle": "import torch, torch.distributed as dist\nwork = dist.isend(torch.ones(1), 1)\nwork",
    "read_left_behind": LOADER
    + "from accelerate import Accelerator\nprepared = Accelerator().prepare(loader)\nprint(loader)",
    "rebind_model": "import torch, b\nmodel = torch.nn.DataParallel(b.net())\nmodel = model.module",
    "rebind_swapped": "import torch\na, b = torch.nn.Linear(1, 1), torch.nn.Linear(1, 1)\na, b = b, a",
    "scale_length": LOADER + "print(3 * len(loader))",
    "set_group": (
        "import torch\noptimizer = torch.optim.SGD(torch.nn.Linear(1, 1).parameters(), lr=1)\n"
        "for group in optimizer.param_groups: group['lr'] = 0"
    ),
    "text_as_number": "import os, torch\nos.environ['RANK'] == 0",
    "unpack": "import deepspeed, torch\na, b = deepspeed.initialize(model=torch.nn.Linear(1, 1))",
    "use_missing": "import torch, torch.distributed as dist\nif dist.get_rank() == 0: a = 1\nprint(a)",
    "use_per_replica": (
        "import tensorflow as tf\nstrategy = tf.distribute.MirroredStrategy()\n"
        "def step(x): return tf.Variable(x).value()\nfloat(strategy.run(step, args=(1,)))"
    ),
    "use_tensor": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.ones(4)
        self.layer = torch.nn.Linear(4, 4)
    def forward(self, x):
        return self.layer(x) * self.scale
Net()(torch.ones(4).cuda())
""",
}


def test_each_probe_has_a_program() -> None:
    assert PROGRAMS.keys() == MAKERS.keys()


@pytest.mark.parametrize("kind", MAKERS)
def test_a_probe_records_what_is_wanted_and_changes_nothing_else(kind: EventKind, follow_project) -> None:
    program = PROGRAMS[kind] + "\nprint()\n"  # a file that does nothing is no script

    def told(wanted: tuple[EventKind, ...]) -> list[tuple[str, object]]:
        return [(event.kind, event.location) for event in follow_project(program, wanted=wanted).events()]

    plain, probed = told(()), told((kind,))
    assert kind in {name for name, _ in probed}
    assert [each for each in probed if each[0] != kind] == plain
    assert MAKERS.keys().isdisjoint(name for name, _ in plain)


def test_who_wants_other_events_follows_anew(api, codebase_of) -> None:
    """What was recorded for one set of rules, that of imported modules too, is not used for another one."""
    program = {"main.py": "import torch, part\nprint()\n", "part.py": PROGRAMS["text_as_number"]}
    project_context = ProjectContext(api, codebase_of(program), names=["main", "part"])
    analyzer = Analyzer[bool](api)

    def is_recorded(*wanted: EventKind) -> bool:
        run_check = RunCheck(lambda run: run.has("text_as_number"), wanted=frozenset(wanted))
        return any(analyzer.run(project_context, run_check))

    assert [is_recorded(), is_recorded("text_as_number"), is_recorded()] == [False, True, False]


# --- who records, and who asks ------------------------------------------------------------------------------------


def test_each_kind_that_a_probe_records_is_wanted_and_recorded_by_nobody_else() -> None:
    assert RuleRunner(RULES).wanted >= MAKERS.keys()
    assert emitted(*sorted((ANALYSIS / "probes").glob("*.py"))) == MAKERS.keys()
    assert MAKERS.keys().isdisjoint(emitted(*sorted((ANALYSIS / "interpreter").rglob("*.py"))))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_asks_for_the_probes_of_the_events_that_it_reads(rule: Rule) -> None:
    assert rule.folder is not None
    assert rule.info.probes <= MAKERS.keys()
    texts = {text for path in sources(rule.folder) for text in strings(ast.parse(path.read_text(encoding="utf-8")))}
    assert texts & MAKERS.keys() <= rule.info.events | rule.info.probes


def test_a_jury_wants_what_its_rules_read() -> None:
    (rule,) = (rule for rule in RULES if rule.name == "rendezvous-argument-type")
    assert RuleRunner([rule]).wanted & MAKERS.keys() == {"text_as_number"}


def emitted(*paths: Path) -> set[str]:
    """The kinds of events that these files record."""
    nodes = (node for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    calls = (node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
    return {text for call in calls if call.func.attr == "emit" for text in strings(call.args[1])}


def strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def sources(folder: Path) -> Iterator[Path]:
    """The Python files of a room, and the questions that they ask of a run."""
    own = sorted(folder.glob("*.py"))
    yield from own
    for path in own:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ddl_lint.analysis.queries."):
                yield ANALYSIS / "queries" / f"{(node.module or '').rpartition('.')[2]}.py"
