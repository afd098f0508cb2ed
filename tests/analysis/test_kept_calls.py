"""Calls that are kept: runs are what they are where each call is followed, and less is followed."""

from __future__ import annotations

from dataclasses import fields

import pytest

from benchmarks.run_as_data import RunAsData
from ddl_lint.analysis.interpreter.interpreter import KEPT_CALLS, Interpreter
from ddl_lint.analysis.interpreter.language.kept_calls import Call
from ddl_lint.analysis.interpreter.run_state import RunState
from ddl_lint.program import code
from ddl_lint.program.trace import Run

FILLER = "\n".join(f"        step_{number} = {number}" for number in range(70))

LIBRARY = {
    "pool.py": f"""
import torch
import torch.distributed as dist

COUNTS = {{}}

class Holder:
    def __init__(self, inner):
        self.inner = inner

class Pool:
    def __init__(self, name):
        self.name = name
        self.models = []
        self.table = {{}}

    def load(self, path, options):
{FILLER}
        model = torch.nn.Linear(3, 4)
        self.models.append(model)
        self.table[path] = Holder(model)
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), path)
        else:
            self.name = "other"
        for turn in range(3):
            if options is None:
                break
        def inner(data):
            return model(data)
        inner(torch.zeros(3)).sum().backward()
        try:
            dist.all_reduce(torch.zeros(1))
        except RuntimeError:
            pass
        self.helper(model)
        self.helper(model)
        self.helper(model)
        for part in self.parts():
            torch.save(part, "part")
        return inner

    def parts(self):
        yield dist.get_rank()

    def helper(self, model):
        if self.name == "x":
            dist.broadcast(torch.zeros(1), 0)
        model.train()
        return dist.get_rank()
""",
}

SCRIPT = """
import torch
import torch.distributed as dist
from pool import Pool

def main():
    first = {number}
    dist.init_process_group("nccl")
    pool, options = Pool("a"), {{}}
    shown = options
    forward = pool.load("one", options)
    again = pool.load("two", options)
    forward(torch.ones(3))
    torch.save(shown, "options")
    torch.save(pool.name, "name")
    optimizer = torch.optim.SGD(pool.models[0].parameters(), 0.1)
    optimizer.step()

if __name__ == "__main__":
    main()
"""

OTHER = SCRIPT.replace('Pool("a")', 'Pool("x")')
CHANGED = SCRIPT.replace("    shown = options\n", "    shown = options\n    options['more'] = 1\n")
MARKED = SCRIPT.replace("    shown = options\n", "    shown = options\n    torch.set_grad_enabled(False)\n")
TWICE = SCRIPT.replace("    again =", "    pool.load('one', {{}})\n    again =")
FILLED = SCRIPT.replace(
    "    torch.save(shown", "    def fill(made): made.load('three', options)\n    fill(pool)\n    torch.save(shown"
)
HELD = SCRIPT.replace("    shown = options\n", "    shown = pool.models\n")


def runs_of(follow_project, monkeypatch, switch: str, scripts: list[str]) -> list[list[str]]:
    monkeypatch.setenv(KEPT_CALLS, switch)
    files = {f"script_{number}.py": text.format(number=number) for number, text in enumerate(scripts)}
    states: dict[int, RunState] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Interpreter, "run_script", lambda *given: _noted(states, *given))
        runs = follow_project({**LIBRARY, **files}).runs
    assert len(states) == len(scripts)
    return [RunAsData(run, states.get(id(run))).lines for run in runs]


_RUN_SCRIPT = Interpreter.run_script


def _noted(states: dict[int, RunState], interpreter: Interpreter, module: code.Module) -> Run:
    run = _RUN_SCRIPT(interpreter, module)
    states[id(run)] = interpreter.run_state
    return run


@pytest.mark.parametrize(
    ("scripts", "least"),
    [
        ([SCRIPT] * 4, 2),
        ([OTHER] * 3, 1),
        ([SCRIPT, OTHER, SCRIPT, OTHER, SCRIPT], 2),
        ([SCRIPT, CHANGED, SCRIPT, CHANGED, CHANGED], 1),
        ([SCRIPT, MARKED, SCRIPT, MARKED], 1),
        ([SCRIPT, TWICE, TWICE, SCRIPT], 1),
        ([SCRIPT, SCRIPT, SCRIPT, HELD], 2),
        ([SCRIPT, FILLED, FILLED, SCRIPT], 2),
    ],
)
def test_what_was_followed_before_happens_again(follow_project, monkeypatch, scripts: list[str], least: int) -> None:
    plain = runs_of(follow_project, monkeypatch, "off", scripts)
    found: list[int] = []
    again = Call.again
    monkeypatch.setattr(Call, "again", lambda call, m, context: found.append(1) or again(call, m, context))
    kept = runs_of(follow_project, monkeypatch, "all", scripts)
    assert kept == plain
    assert len(found) >= least


# How a call that is kept deals with each part of what it can get at beside the objects. Whoever gives a run something
# new to remember says here what becomes of it where a call is not followed again, and sees to it.

STATE = {
    "compared": {"deepest_call", "facts", "being_made", "passing", "follows_hooks", "is_decorating", "spelled"},
    "asked again": {
        "stack", "followed", "effort", "called_back", "computed", "collectives_by_function", "imported",
        "unseen_makers",
    },
    "done again": {"asked", "steps", "called_steps", "homes", "collective_count"},
    "not kept with it": {"choices", "has_pending_work", "unfinished", "left_behind", "paths"},
    "without effect": {"budget", "allowed", "deadline", "ordered"},
}  # fmt: skip

RUN = {
    "compared": {"kind"},
    "done again": {
        "events", "exits", "rescues", "spellings", "carried", "escaped_to_caller", "hidden_calls", "foreign_calls",
        "unseen_training", "refused", "heap",
    },
    "not of calls": {
        "module", "path", "function", "is_supposed", "single_process", "in_modules", "unseen_calls", "unseen_work",
        "cut",
    },
}  # fmt: skip

MACHINE = {
    "compared": {
        "run_state", "run", "state", "heap", "globals", "environment", "unknown_attributes", "classes", "generators",
        "defaults", "inside_of", "memoised", "loosened", "relevance", "reaches_collective", "loaded", "first_of_run",
    },
    "asked again": {"recording"},
    "done again": {"visited", "made_under", "asked_for"},
    "not kept with it": {"watched", "hooked", "prescribed", "unreached", "_settings_files"},
    "the same as long as calls are kept": {
        "api", "codebase", "installed", "probes", "calls", "allowance", "budgets", "crashes", "unseen_methods",
        "_names", "_conventional", "_group_rank", "_collective", "_usual",
    },
    "of modules, which are followed apart": {
        "_acting", "_behind", "_imports", "_loaded", "_loaded_inside", "_loading", "_loads", "_named", "_reads",
        "_seen", "_learnt", "_started", "_starting", "_is_running", "spelled_in_modules",
    },
    "computed from programs": {"usages", "_concrete"},
}  # fmt: skip


def test_each_part_of_a_run_is_dealt_with_where_a_call_is_not_followed(api, codebase_of) -> None:
    interpreter = Interpreter(codebase_of({}), api)
    if not hasattr(interpreter, "__dict__"):
        pytest.skip("the core is compiled: its source is what this asks about")
    for declared, present in (
        (STATE, {each.name for each in fields(RunState)}),
        (RUN, {each.name for each in fields(Run)}),
        (MACHINE, {*vars(interpreter)}),
    ):
        named = [name for names in declared.values() for name in names]
        assert sorted(named) == sorted(present)
