"""Calls that are kept: runs are what they are where each call is followed, and less is followed."""

from __future__ import annotations

import pytest

from ddl_lint.analysis.interpreter.language.kept_calls import Call
from ddl_lint.program.trace import Context, Run
from ddl_lint.program.values import Alternatives, Apply, Bound, Fact, FunctionRef, Items, Object, Table, Unknown

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
        return inner

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


class Shown:
    """A run as data: objects and circumstances are numbered in the order in which they are come to."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._numbers: dict[object, int] = {}
        self._waiting: list[Object] = []
        self.parts: list[object] = []
        for event in run.events:
            self.parts += (event.kind, event.location, event.order, event.api, self._context(event.context))
            self.parts += [(role, self._value(value)) for role, value in event.operands.items()]
            self.parts.append(None if event.result is None else self._value(event.result))
        for each in run.exits:
            self.parts += (each.kind, each.location, each.order, self._context(each.context))
        for each in run.rescues:
            self.parts += (each.location, self._context(each.attempt), self._context(each.handler))
        self.parts += [(each.text, each.order, self._context(each.context)) for each in run.spellings]
        self.parts += [(function.qualname, self._context(context)) for function, context in run.refused]
        self.parts += [(order, self._context(context)) for order, context in run.hidden_calls]
        self.parts.append(sorted(run.foreign_calls))
        self.parts += [(self._value(made), [*map(self._context, around)]) for made, around in run.given_back.items()]
        while self._waiting:
            made = self._waiting.pop()
            self.parts += (made.kind, made.location, made.tags)
            self.parts += [(name, self._value(value)) for name, value in made.given.items()]
            self.parts += [(str(name), self._value(value)) for name, value in run.heap.attributes(made).items()]
            self.parts += [(fact, str(run.heap.get(made, fact))) for fact in Fact if fact is not Fact.TAGS]

    def _number(self, thing: object) -> int:
        return self._numbers.setdefault(thing, len(self._numbers))

    def _context(self, context: Context) -> object:
        if context in self._numbers:
            return self._number(context)
        around = None if context.parent is None else self._context(context.parent)
        value = None if context.value is None else self._value(context.value)
        return self._number(context), around, context.kind, context.location, context.arm, value

    def _value(self, value: object) -> object:
        if isinstance(value, Object):
            if value not in self._numbers:
                self._waiting.append(value)
            return "object", self._number(value)
        if isinstance(value, Apply):
            return value.operator, [*map(self._value, value.operands)]
        if isinstance(value, Items):
            return value.kind, value.open, [*map(self._value, value.items)]
        if isinstance(value, Table):
            return value.open, [(self._value(key), self._value(item)) for key, item in value.items]
        if isinstance(value, Alternatives):
            return [(len(labels), self._value(option)) for labels, option in value.options]
        if isinstance(value, (FunctionRef, Bound)):
            return type(value).__name__
        return value.tags if isinstance(value, Unknown) else repr(value)


def runs_of(follow_project, monkeypatch, switch: str, scripts: list[str]) -> list[list[object]]:
    monkeypatch.setenv("DDL_LINT_KEPT_CALLS", switch)
    files = {f"script_{number}.py": text.format(number=number) for number, text in enumerate(scripts)}
    return [Shown(run).parts for run in follow_project({**LIBRARY, **files}).runs]


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
    kept = runs_of(follow_project, monkeypatch, "on", scripts)
    assert kept == plain
    assert len(found) >= least
