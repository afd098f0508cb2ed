"""Functions that others call: processes, callbacks, decorators; recursion and how much is followed."""

from __future__ import annotations

import pytest

from ddl_lint.analysis.queries.control_context import called_back
from ddl_lint.analysis.values.contexts import in_process
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.program.followed import Budget
from ddl_lint.program.values import Apply, Const, Items, Object, Rank, Setting, Unknown

WORKER = """
import torch
import torch.multiprocessing as mp
import threading
def worker(rank, n, extra=0):
    torch.save((rank, n, extra), "worker")
"""


@pytest.mark.parametrize(
    ("start", "rank"),
    [
        ("mp.spawn(worker, nprocs=2, args=(4, 5))", Rank("local")),
        ("mp.spawn(worker, (4, 5), 2)", Rank("local")),
        (
            "for r in range(2):\n    p = mp.Process(target=worker, args=(r, 4), kwargs={'extra': 5})\n    p.start()",
            Rank("local"),
        ),
        ("mp.Process(target=worker, args=(0, 4, 5)).start()", Const(0)),
    ],
)
def test_processes(follow_project, start: str, rank: object) -> None:
    found = follow_project(f"{WORKER}\nif __name__ == '__main__':\n    " + start.replace("\n", "\n    "))
    assert found.saved("worker") == Items("tuple", (rank, Const(4), Const(5)))
    (event,) = found.saves("worker")
    assert in_process(event) is not None
    assert not called_back(event)


def test_a_function_handed_to_the_unseen_is_called_back_once(follow_project) -> None:
    found = follow_project("import torch, unseen\ndef f(a): torch.save(a, 'f')\nunseen.run(f)\nunseen.run(f, 1)\n")
    (event,) = found.saves("f")
    assert called_back(event)
    assert isinstance(found.saved("f"), Unknown)


def test_what_was_bound_is_known_in_the_callback(follow_project) -> None:
    imports = "import torch, unseen\nfrom functools import partial\n"
    program = f"{imports}def f(a, b): torch.save(a, 'f')\nunseen.run(partial(f, 3))\n"
    assert follow_project(program).saved("f") == Const(3)


DECORATORS = """
import torch, functools
import torch.distributed as dist
from unseen import strange
def logged(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        torch.save(0, "before")
        return f(*args, **kwargs)
    return inner
def with_name(name):
    def decorator(f):
        def inner(*args): return (name, f(*args))
        return inner
    return decorator
class Registry:
    def register(self, f): return f
registry = Registry()
"""


@pytest.mark.parametrize(
    ("decorator", "expected"),
    [
        ("logged", Const(3)),
        ("torch.no_grad()", Const(3)),
        ("strange(1)", Const(3)),
        ("with_name('a')", Items("tuple", (Const("a"), Const(3)))),
        ("registry.register", Const(3)),
    ],
)
def test_decorators(follow_project, decorator: str, expected: object) -> None:
    found = follow_project(f"{DECORATORS}\n@{decorator}\ndef f(v): return v\ntorch.save(f(3), 'x')\n")
    assert found.saved() == expected
    assert found.labels == (["before", "x"] if decorator == "logged" else ["x"])


def test_a_decorator_for_the_main_process(follow_project) -> None:
    decorator = "import torch\nfrom pytorch_lightning.utilities import rank_zero_only\n@rank_zero_only\n"
    program = f"{decorator}def f(): torch.save(0, 'x')\nf()\n"
    (event,) = follow_project(program).saves("x")
    branch = next(node for node in event.context.chain() if node.kind == "branch")
    assert branch.value == Apply("==", (Rank("global"), Const(0)))


@pytest.mark.parametrize(
    "functions",
    [
        "def f(n): return 0 if n == 0 else f(n - 1)",
        "def f(n): return g(n)\ndef g(n): return f(n - 1)",
        "class A:\n    def __call__(self, n): return self(n)\nf = A()",
        "f = lambda n: f(n)",
        "def f(n):\n    for i in f(n): yield i",
    ],
)
def test_recursion_ends(follow_project, functions: str) -> None:
    found = follow_project(f"import torch\n{functions}\nfor i in [f(3)]: pass\ntorch.save(0, 'end')\n")
    assert found.labels == ["end"]
    assert not found.script.exhausted


def _calls_of_a_long_function(inside: str) -> str:
    filler = "".join(f"    x{number} = {number}\n" for number in range(98))
    calls = "".join(f"work({number})\n" for number in range(10))
    head = "import torch\nimport torch.distributed as dist\n\n"
    return f"{head}def work(n):\n{filler}    {inside}\n    torch.save(n, 'x')\n\n{calls}"


def test_a_long_function_is_not_followed_over_and_over(follow_project) -> None:
    assert len(follow_project(_calls_of_a_long_function("y = 1")).labels) == 4


def test_one_in_which_ranks_meet_is(follow_project) -> None:
    assert len(follow_project(_calls_of_a_long_function("dist.barrier()")).labels) == 10


def test_what_stands_in_a_context_manager_is_no_part_of_it(follow_project) -> None:
    filler = "".join(f"    x{number} = {number}\n" for number in range(200))
    head = "import contextlib\nimport torch\n\n@contextlib.contextmanager\ndef around():\n"
    body = "    torch.save(0, 'enter')\n    yield\n\n"
    found = follow_project(head + body + f"with around():\n{filler}\n" * 5)
    assert found.labels == ["enter"] * 5


def test_what_a_registry_gives_is_read_each_time(follow_project) -> None:
    kept = (
        "class Registry:\n"
        "    def __init__(self): self.known = {}\n"
        "    def register(self, name):\n"
        "        def keep(found):\n"
        "            self.known[name] = found\n"
        "            return found\n"
        "        return keep\n"
        "    def get(self, name):\n"
        "        if name not in self.known: raise KeyError(name)\n"
        "        return self.known[name]\n"
        "NETS = Registry()\n"
    )
    one = "from kept import NETS\n@NETS.register('a')\nclass A: size = 1\n@NETS.register('b')\nclass B: size = 2\n"
    other = "from kept import NETS\n@NETS.register('c')\nclass C: size = 3\n"
    use = "import torch\nimport other\nimport one\nfrom kept import NETS\n"
    use += "torch.save([" + ", ".join(f"NETS.get('{name}')().size" for name in "abc") + "], 'x')\n"
    files = {"main.py": use, "kept.py": kept, "one.py": one, "other.py": other}
    found = follow_project(files, names=["main"]).saved().items
    assert found == (Const(1), Const(2), Const(3))


def test_one_of_the_registered_classes(follow_project) -> None:
    kept = "NETS = {}\ndef register(found):\n    NETS[found.__name__] = found\n    return found\n"
    one = "from kept import register\n@register\nclass A: size = 1\n@register\nclass B: size = 2\n"
    use = "import sys\nimport torch\nimport one\nfrom kept import NETS\ntorch.save(NETS[sys.argv[1]]().size, 'x')\n"
    found = follow_project({"main.py": use, "kept.py": kept, "one.py": one}, names=["main"]).saved()
    assert set(alternatives(found)) == {Const(1), Const(2)}


def test_a_table_imported_before_its_entries_are_registered(follow_project) -> None:
    kept = "NETS = {}\ndef register(name):\n    def keep(found):\n        NETS[name] = found\n        return found\n"
    kept += "    return keep\n"
    one = "from kept import register\n@register('a')\nclass A: size = 1\n"
    other = "from kept import register\nfrom one import A\n@register('b')\nclass B(A): size = 2\n"
    # `other` has been imported by the time that `built` asks for the table, but not taken part in what it registers
    built = "from kept import NETS\nfrom one import A\nfrom other import B\ndef build(name): return NETS[name]()\n"
    use = "import torch\nimport one\nfrom built import build\ntorch.save([build('a').size, build('b').size], 'x')\n"
    files = {"main.py": use, "kept.py": kept, "one.py": one, "other.py": other, "built.py": built}
    assert follow_project(files, names=["main"]).saved().items == (Const(1), Const(2))


def test_a_decorator_with_and_without_a_name_registers_many_classes(follow_project) -> None:
    kept = (
        "NETS = {}\n"
        "def register(name):\n"
        "    def keep(found, name):\n"
        "        NETS[name] = found\n"
        "        return found\n"
        "    if isinstance(name, str):\n"
        "        return lambda found: keep(found, name)\n"
        "    return keep(name, name.__name__)\n"
    )
    classes = "".join(f"@register\nclass A{number}: size = {number}\n" for number in range(8))
    one = "from kept import register\n" + classes + "@register('last')\nclass B: size = 8\n"
    use = "import torch\nimport one\nfrom kept import NETS\n"
    use += "torch.save([NETS['A0']().size, NETS['A7']().size, NETS['last']().size], 'x')\n"
    found = follow_project({"main.py": use, "kept.py": kept, "one.py": one}, names=["main"]).saved().items
    assert found == (Const(0), Const(7), Const(8))


def test_an_abstract_class_of_a_registry_is_not_made(follow_project) -> None:
    kept = "from abc import abstractmethod\nNETS = {}\ndef register(found):\n    NETS[found.__name__] = found\n"
    kept += "    return found\n@register\nclass Base:\n    size = 0\n    @abstractmethod\n    def grow(self): ...\n"
    one = "from kept import Base, register\n@register\nclass A(Base): size = 1\n@register\nclass B(A): size = 2\n"
    use = "import sys\nimport torch\nimport one\nfrom kept import NETS\ntorch.save(NETS[sys.argv[1]]().size, 'x')\n"
    found = follow_project({"main.py": use, "kept.py": kept, "one.py": one}, names=["main"]).saved()
    assert set(alternatives(found)) == {Const(1), Const(2)}


@pytest.mark.parametrize(
    "body",
    [
        "__getattr__ = dict.__getitem__\n    __setattr__ = dict.__setitem__",
        "def __getattr__(self, name): return self[name]",
        "def __init__(self, *args, **kwargs):\n        super().__init__(*args, **kwargs)\n        self.__dict__ = self",
    ],
)
def test_a_dict_with_attributes(follow_project, body: str) -> None:
    program = (
        f"import torch\nclass Options(dict):\n    {body}\n"
        "o = Options({'depth': 3, 'width': 4}, rate=2)\no.update({'width': 5}, name='n')\no['more'] = 7\n"
        "torch.save([o.depth, o.width, o['rate'], o.name, o.get('more')], 'x')\n"
    )
    assert follow_project(program).saved().items == (Const(3), Const(5), Const(2), Const("n"), Const(7))


def test_what_updates_a_dict_with_attributes_out_of_sight(follow_project) -> None:
    program = (
        "import argparse, json, torch\nclass Options(dict):\n    __getattr__ = dict.__getitem__\n"
        "parser = argparse.ArgumentParser()\nparser.add_argument('--depth', default=1)\n"
        "given, read = Options(depth=3, width=4), Options(depth=3)\n"
        "given.update(vars(parser.parse_args()))\nread.update(json.load(open('options.json')))\n"
        "torch.save([given.depth, given.width, read.depth], 'x')\n"
    )
    depth, width, unseen = follow_project(program).saved().items
    assert (depth, width) == (Setting("depth", "argument", Const(1)), Const(4))
    assert isinstance(unseen, Unknown)


def test_all_files_of_a_folder_register_what_they_have(follow_project) -> None:
    kept = "NETS = {}\ndef register(name):\n    def keep(found):\n        NETS[name] = found\n        return found\n"
    kept += "    return keep\n"
    folder = "import importlib, os\nfor name in os.listdir('zoo'):\n    importlib.import_module('zoo.' + name[:-3])\n"
    one = "from kept import register\n@register('a')\nclass A: size = 1\n"
    use = "import sys\nimport torch\nimport zoo\nfrom kept import NETS\ntorch.save(NETS[sys.argv[1]]().size, 'x')\n"
    files = {"main.py": use, "kept.py": kept, "zoo/__init__.py": folder, "zoo/one.py": one}
    assert follow_project(files, names=["main"]).saved() == Const(1)


def test_a_script_that_imports_itself_leaves_its_classes(follow_project) -> None:
    first = "from use import show\nclass A:\n    size = 1\nif __name__ == '__main__':\n    show()\n"
    use = "import torch\ndef show():\n    from first import A\n    torch.save(A.size, 'x')\n"
    files = {"first.py": first, "second.py": "from use import show\nshow()\n", "use.py": use}
    runs = follow_project(files, names=["first", "second"]).runs
    saved = [event.operands["object"] for run in runs for event in run.events if event.kind == "save"]
    assert saved == [Const(1), Const(1)]


def test_functions_without_events_are_followed_twice_and_others_again(follow_project) -> None:
    program = "import torch\ndef plain(v):\n    assert v\n    return v\n"
    program += "def eventful(v):\n    torch.save(v, 'e')\n    return v\n"
    program += (
        "a = [plain(1), plain(1), plain(1)]\nb = [eventful(1), eventful(1), eventful(1)]\ntorch.save((a, b), 'x')\n"
    )
    first, second = follow_project(program).saved().items
    assert [isinstance(item, Const) for item in first.items] == [True, True, False]
    assert [item.value for item in second.items] == [1, 1, 1]


def test_a_run_that_is_too_long_says_so(follow_project) -> None:
    program = "import torch\ntorch.save(0, 'start')\n" + "a = 1\n" * 100 + "torch.save(0, 'end')\n"
    found = follow_project(program, budgets={"/project/main.py": Budget(steps=100)})
    assert found.labels == ["start"]
    assert found.script.exhausted


def test_calls_that_nest_too_deeply_are_unknown(follow_project) -> None:
    functions = "".join(f"def f{i}(): return f{i + 1}()\n" for i in range(60))
    found = follow_project(f"import torch\n{functions}def f60(): return 1\ntorch.save((f0(), f30()), 'x')\n")
    deep, near = found.saved().items
    assert isinstance(deep, Unknown)
    assert near == Const(1)


def test_events_know_their_function(follow_project) -> None:
    found = follow_project("import torch\ndef f(): torch.save(0, 'f')\nf()\ntorch.save(0, 'top')\n")
    (inner,), (outer,) = found.saves("f"), found.saves("top")
    assert inner.function is not None
    assert (inner.function.name, outer.function) == ("f", None)


def test_keywords_that_a_signature_does_not_have(follow_project) -> None:
    (event,) = follow_project(
        "import torch.multiprocessing as mp\ndef f(r): pass\nmp.spawn(f, nprocs=2, arg=(1,))\n"
    ).events("start_processes")
    assert event.surplus == {"arg"}


def test_arguments_out_of_sight(follow_project) -> None:
    (event,) = follow_project("import torch\nfrom a import kwargs\ntorch.save(1, **kwargs)\n").events("save")
    assert event.unseen == {"path"}


def test_objects_handed_to_the_unseen_have_escaped(follow_project) -> None:
    found = follow_project("import torch, unseen\nm = torch.nn.Linear(1, 1)\nunseen.change(m)\ntorch.save(m, 'x')\n")
    model = found.saved()
    assert isinstance(model, Object)
    assert found.runs[0].heap.is_escaped(model)
    assert [event.operands["objects"] for event in found.events("escape")] == [Items("tuple", (model,))]


def test_what_is_called_by_an_unknown_name_takes_the_arguments(follow_project) -> None:
    program = """
import sys
import torch

def both(one, two): torch.save(one, "both")
def single(one): torch.save(one, "single")
def started(): torch.save(0, "started")

globals()[sys.argv[1]]({})
"""
    assert follow_project(program.format("1")).labels == ["single"]
    assert sorted(follow_project(program.format("")).labels) == ["both", "single", "started"]
