"""What becomes true of objects: it has a time, it is undone and merged with branches, and it ends with its run."""

from __future__ import annotations

import ast
from pathlib import Path

from ddl_lint.program.heap import Heap
from ddl_lint.program.tags import SHARE, Tags
from ddl_lint.program.trace import Event, Run
from ddl_lint.program.values import Const, Object

ANALYSIS = Path(__file__).parents[2] / "ddl_lint" / "analysis"

COMMON = """\
import os, torch
generator = torch.Generator()
total = torch.zeros(1)
layer = torch.nn.Linear(1, 1)
"""


def _saved(run: Run, label: str = "x") -> tuple[Event, Object]:
    (event,) = [each for each in run.events if each.kind == "save" and each.operands["path"] == Const(label)]
    made = event.operands["object"]
    assert isinstance(made, Object)
    return event, made


def _script(found, name: str) -> Run:
    (run,) = [run for run in found.runs if run.kind == "script" and run.module == name]
    return run


def test_a_fact_holds_from_when_it_became_true(follow_project) -> None:
    found = follow_project(
        """
        import torch, unseen
        m = torch.nn.Linear(1, 1)
        torch.save(m, "before")
        unseen.change(m)
        torch.save(m, "after")
        """
    )
    before, made = _saved(found.script, "before")
    after, _ = _saved(found.script, "after")
    heap = found.script.heap
    assert not heap.at(before.order).is_escaped(made)
    assert heap.at(after.order).is_escaped(made)
    assert heap.is_escaped(made)


def test_one_arm_does_not_know_what_the_other_has_done(follow_project) -> None:
    found = follow_project(
        """
        import sys, torch, unseen
        m = torch.nn.Linear(1, 1)
        if len(sys.argv) > 1:
            unseen.change(m)
        else:
            torch.save(m, "in the other arm")
        torch.save(m, "behind")
        """
    )
    other, made = _saved(found.script, "in the other arm")
    behind, _ = _saved(found.script, "behind")
    heap = found.script.heap
    assert not heap.at(other.order).is_escaped(made)
    assert heap.at(behind.order).is_escaped(made), "in one of the arms it has escaped"


def test_a_seed_counts_from_when_it_is_set(follow_project) -> None:
    found = follow_project(
        """
        import torch
        import torch.distributed as dist
        g = torch.Generator()
        g.manual_seed(0)
        torch.save(g, "same")
        g.manual_seed(dist.get_rank())
        torch.save(g, "differs")
        g.manual_seed(1)
        torch.save(g, "same again")
        """
    )
    heap = found.script.heap

    def tags(label: str) -> Tags:
        event, made = _saved(found.script, label)
        changed = _tags(heap.at(event.order), made)
        return changed

    assert SHARE not in tags("same")
    assert SHARE in tags("differs")
    assert SHARE not in tags("same again")


def _tags(heap: Heap, made: Object) -> Tags:
    from ddl_lint.analysis.values.tags import tags_now

    return tags_now(made, heap)


def test_what_a_script_does_with_a_shared_object_ends_with_it(follow_project) -> None:
    user = 'import torch, common\ntorch.save(common.layer, "x")\n'
    found = follow_project(
        {
            "common.py": COMMON,
            "a.py": "import unseen, common\nunseen.change(common.layer)\ncommon.layer.label = 1\n" + user,
            "b.py": user,
        }
    )
    first, second = _script(found, "a"), _script(found, "b")
    _, made = _saved(first)
    _, same = _saved(second)
    assert made is same
    assert first.heap.is_escaped(made)
    assert first.heap.attributes(made)["label"] == Const(1)
    assert not second.heap.is_escaped(made)
    assert "label" not in second.heap.attributes(made)


def test_a_module_changes_others_only_for_those_who_import_it(follow_project) -> None:
    found = follow_project(
        {
            "common.py": COMMON,
            "patch.py": "import os, common\ncommon.layer.label = 1\nos.environ['MODE'] = 'patched'\n",
            "a.py": "import os, torch, patch, common\n"
            "torch.save(common.layer, 'x')\ntorch.save(os.environ['MODE'], 'mode')\n",
            "b.py": "import os, torch, common\ntorch.save(common.layer, 'x')\ntorch.save(os.environ['MODE'], 'mode')\n",
        }
    )
    first, second = _script(found, "a"), _script(found, "b")
    assert first.heap.attributes(_saved(first)[1])["label"] == Const(1)
    assert "label" not in second.heap.attributes(_saved(second)[1])
    modes = [event.operands["object"] for run in (first, second) for event in run.events if _is_mode(event)]
    assert modes[0] == Const("patched")
    assert modes[1] != Const("patched")


def _is_mode(event: Event) -> bool:
    return event.kind == "save" and event.operands["path"] == Const("mode")


def test_a_module_is_the_same_whoever_imports_it_first(follow_project) -> None:
    """What a script has done before it imports a module is not there when the module is followed for all."""
    flags = "flag = False\n"
    lazy = "import torch, flags\nmade = torch.nn.Linear(1, 1) if flags.flag else torch.nn.Conv1d(1, 1, 1)\n"
    user = "import torch, lazy\ntorch.save(lazy.made, 'x')\n"
    found = follow_project(
        {
            "flags.py": flags,
            "lazy.py": lazy,
            "a.py": "import flags\nflags.flag = True\n" + user,
            "b.py": user,
        }
    )
    assert _saved(_script(found, "b"))[1].api == "torch.nn.Conv1d"


def test_nothing_writes_into_an_object() -> None:
    """Objects are values: only the constructor that makes one completes it (`Machine.complete`)."""
    fields = {"kind", "location", "api", "definition", "given", "traits", "number"}
    changing = {"update", "setdefault", "pop", "clear", "popitem"}
    found: list[str] = []
    for path in sorted(ANALYSIS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            targets: list[ast.expr] = []
            if isinstance(node, ast.Assign):
                targets = node.targets
            elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
                targets = [node.target]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in changing:
                targets = [ast.Subscript(node.func.value)]
            for target in targets:
                held = target.value if isinstance(target, ast.Subscript) else target
                if isinstance(held, ast.Attribute) and held.attr in fields and not _is_own(held):
                    found.append(f"{path.name}:{node.lineno}: {ast.unparse(held)}")
    assert found == []


def _is_own(target: ast.Attribute) -> bool:
    """Whether an attribute is one of `self`, or of an event that is just being made."""
    return isinstance(target.value, ast.Name) and target.value.id in ("self", "event")
