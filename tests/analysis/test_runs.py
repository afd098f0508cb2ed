"""Which runs a project has, and that they do not depend on each other."""

from __future__ import annotations

import random

import pytest

from ddl_lint.program.trace import Event, Run
from ddl_lint.program.values import Const, Object, Rank, Unknown

GUARD = "if __name__ == '__main__':\n    "


def shown(event: Event) -> tuple[object, ...]:
    operands = {role: repr(value) for role, value in event.operands.items() if not isinstance(value, (Object, Unknown))}
    return event.kind, event.location, event.order, operands, [node.kind for node in event.context.chain()]


@pytest.mark.parametrize(
    ("source", "is_script"),
    [
        ("import torch\nif __name__ == '__main__': torch.save(0, 1)", True),
        ("import torch\ntorch.save(0, 1)", True),
        ("import torch\nfor i in range(3): torch.save(0, 1)", True),
        ("import torch\ndef f(): torch.save(0, 1)", False),
        ("import torch\nx = torch.load('a')\ndef f(): torch.save(0, 1)", False),
    ],
)
def test_what_is_a_script(follow_project, source: str, is_script: bool) -> None:
    assert {run.kind for run in follow_project(source).runs} == {"script" if is_script else "library"}


def test_an_imported_file_without_guard_is_no_script(follow_project) -> None:
    found = follow_project(
        {"a.py": "import b\nb.f()", "b.py": "import torch\ntorch.save(0, 'b')\ndef f(): torch.save(0, 'f')"}
    )
    assert found.script.module == "a"
    assert found.labels == ["b", "f"]
    assert not found.libraries


LIBRARY = """
import torch
def save(value, rank):
    torch.save((value, rank), "function")
class A:
    def __init__(self, n): self.n = n
    def run(self): torch.save(self.n, "method")
    def silent(self): pass
"""


def test_what_no_script_reaches_is_followed_with_unknown_parameters(follow_project) -> None:
    found = follow_project({"lib.py": LIBRARY})
    function, method = (run.events[0].operands["object"] for run in found.libraries)
    assert [run.kind for run in found.runs] == ["library", "library"]
    assert isinstance(function.items[0], Unknown)
    assert function.items[1] == Rank("global")
    assert isinstance(method, Unknown)


def test_what_a_script_reaches_is_not_followed_again(follow_project) -> None:
    found = follow_project({"main.py": f"import lib\n{GUARD}lib.save(1, 2)\n    lib.A(3).run()", "lib.py": LIBRARY})
    assert found.labels == ["function", "method"]
    assert not found.libraries


def test_events_of_a_module_belong_to_each_run_that_imports_it(follow_project) -> None:
    found = follow_project({
        "conf.py": "import torch\ntorch.save(0, 'conf')\nimport deep",
        "deep.py": "import torch\ntorch.save(0, 'deep')",
        "a.py": f"import torch, conf, deep, conf\n{GUARD}torch.save(0, 'a')",
        "b.py": f"import torch\nfrom conf import x\n{GUARD}torch.save(0, 'b')",
    })  # fmt: skip
    labels = {run.module: [event.operands["path"].value for event in run.events] for run in found.runs}
    assert {module: sorted(names) for module, names in labels.items()} == {
        "a": ["a", "conf", "deep"],
        "b": ["b", "conf", "deep"],
    }
    assert all([event.order for event in run.events] == [0, 1, 2] for run in found.runs)


def test_a_script_does_not_see_what_another_changed(follow_project) -> None:
    shared = "state = {'v': 1}\nvalue = 1\n"
    change = f"import torch, shared, os\n{GUARD}torch.save((shared.value, shared.state['v'], os.getenv('K', 1)), 'x')\n"
    change += "    shared.value = 2\n    shared.state['v'] = 2\n    os.environ['K'] = '2'\n"
    first, second = follow_project({"shared.py": shared, "a.py": change, "b.py": change}).runs
    assert first.events[1].operands["object"] == second.events[1].operands["object"]


PROJECT = {
    "model.py": """
        import torch
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.a = torch.nn.Linear(1, 1)
        """,
    "data.py": """
        import torch
        torch.manual_seed(0)
        def loader(n): return torch.utils.data.DataLoader([1], batch_size=n)
        """,
    "train.py": """
        from model import Net
        from data import loader
        import torch
        if __name__ == "__main__": torch.save((Net(), loader(2)), "train")
        """,
    "eval.py": """
        from data import loader
        from model import Net
        import torch
        if __name__ == "__main__": torch.save((loader(3), Net()), "eval")
        """,
    "extra.py": "import torch\ndef f(rank):\n    if rank == 0: torch.save(0, 'extra')",
}


def described(runs: list[Run]) -> list[object]:
    return [(run.kind, run.module, [shown(event) for event in run.events]) for run in runs]


@pytest.mark.parametrize("seed", range(4))
def test_results_do_not_depend_on_the_order_of_files(follow_project, seed: int) -> None:
    names = [name.removesuffix(".py") for name in PROJECT]
    shuffled = random.Random(seed).sample(names, len(names))
    files = {f"{name}.py": PROJECT[f"{name}.py"] for name in shuffled}
    assert described(follow_project(files, shuffled).runs) == described(follow_project(PROJECT, names).runs)


def test_only_the_named_modules_are_followed(follow_project) -> None:
    assert [run.module for run in follow_project(PROJECT, ["eval"]).runs] == ["eval"]


class Installed:
    """Installed packages in which `helpers.Net` derives from a module."""

    def ancestor(self, name: str) -> str | None:
        return "torch.nn.Module" if name == "helpers.Net" else None

    def constant(self, name: str) -> object | None:
        return None


@pytest.mark.parametrize("expression", ["helpers.Net()", "Mine()"])
def test_classes_of_installed_packages_are_asked_for(follow_project, expression: str) -> None:
    source = f"import torch, helpers\nclass Mine(helpers.Net): pass\ntorch.save({expression}, 'x')\n"
    made = follow_project(source, installed=Installed()).saved()
    assert isinstance(made, Object)
    assert made.kind == "model"
    assert getattr(follow_project(source).saved(), "kind", None) != "model"


def test_files_that_cannot_be_read_are_unknown(follow_project) -> None:
    assert follow_project("import torch, broken\ntorch.save(broken.x, 'x')\n").saved() != Const(None)
