"""What expressions are worth."""

from __future__ import annotations

import pytest

from ddl_lint.analysis.values.lattice import alternatives, choose
from ddl_lint.analysis.values.tags import tags_of
from ddl_lint.program.tags import RANK, Tag
from ddl_lint.program.values import (
    NONE,
    Alternatives,
    Apply,
    Const,
    Items,
    Object,
    Rank,
    Setting,
    Table,
    Unknown,
    Value,
    WorldSize,
)


def value(plain: object) -> Value:
    """A Python value as an abstract one."""
    if isinstance(plain, (tuple, list)):
        return Items("tuple" if isinstance(plain, tuple) else "list", tuple(map(value, plain)))
    if isinstance(plain, dict):
        return Table(tuple((value(key), value(held)) for key, held in plain.items()))
    return Const(plain)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2 * 3 - 4 // 3", 6),
        ("7 % 4, -3, not 1, 3 < 4", (3, -3, False, True)),
        ("'a' + 'b', f'{1}-{2}', '%s.%d' % ('a', 3), '{}/{}'.format(1, 'b')", ("ab", "1-2", "a.3", "1/b")),
        ("1 if True else 2", 1),
        ("(3 and 4, 0 or 5, None or 6)", (4, 5, 6)),
        ("[1, 2, 3][-1], (1, 2, 3)[1:], [1, 2] + [3], [0] * 3", (3, (2, 3), [1, 2, 3], [0, 0, 0])),
        ("[*(1, 2), 3]", [1, 2, 3]),
        ("{'a': 1, **{'b': 2}}", {"a": 1, "b": 2}),
        ("{**{'a': 1}, 'a': 2}['a'], {**{'a': 1}, 'a': 2}.get('a')", (2, 2)),
        ("{'a': 1}.get('b'), {'a': 1}.get('b', 0), 'a' in {'a': 1}", (None, 0, True)),
        ("list({'a': 1}.values()), {'a': 1}.items()", ([1], [("a", 1)])),
        ("[i * 2 for i in (1, 2, 3)]", [2, 4, 6]),
        ("[i for i in (1, 2, 3) if i != 2]", [1, 3]),
        ("{k: v for k, v in [('a', 1)]}", {"a": 1}),
        ("[(i, j) for i, j in enumerate(('c', 'd'))]", [(0, "c"), (1, "d")]),
        ("int('3'), str(4), len('abc'), len([1]), bool(2), float(), int()", (3, "4", 3, 1, True, 0.0, 0)),
        ("(lambda a, b=2: (a, b))(1)", (1, 2)),
        ("(y := 3) + y", 6),
        ("isinstance(torch.nn.Linear(1, 1), torch.nn.Module)", True),
        ("hasattr(torch.nn.Linear(1, 1), 'module')", False),
        ("getattr(torch.nn.Linear(1, 1), 'module', 7)", 7),
    ],
)
def test_expressions(value_of, expression: str, expected: object) -> None:
    assert value_of(f"x = {expression}") == value(expected)


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("a, (b, *c), d = 1, (2, 3, 4), 5\nx = a, b, c, d", (1, 2, [3, 4], 5)),
        ("*a, b = 1, 2, 3\nx = a, b", ([1, 2], 3)),
        ("a = b = 1\nx = a, b", (1, 1)),
        ("a = [1]\na.append(2)\na += [3]\nx = a", [1, 2, 3]),
        ("a = [1, 2]\na[0] = 3\nx = a", [3, 2]),
        ("a = {}\na['b'] = 1\na.update(c=2)\nx = a", {"b": 1, "c": 2}),
        ("a = 1\na += 2\ndel a\na = 3\nx = a", 3),
        ("def f(a, /, b=2, *c, d=4, **e): return a, b, c, d, e\nx = f(1), f(1, 3, 5, d=6, g=7)",
         ((1, 2, (), 4, {}), (1, 3, (5,), 6, {"g": 7}))),
        ("def f(a, b): return a, b\nx = f(*[1, 2]), f(**{'a': 1, 'b': 2})", ((1, 2), (1, 2))),
        ("from functools import partial\ndef f(a, b, c=0): return a, b, c\ng = partial(f, 1, c=3)\nx = g(2), g(2, c=5)",
         ((1, 2, 3), (1, 2, 5))),
        ("def f(a):\n    def g(b): return a, b\n    return g\nx = f(1)(2)", (1, 2)),
        ("def f(a):\n    n = 0\n    def g():\n        nonlocal n; n += a\n    g(), g()\n    return n\nx = f(3)", 6),
        ("fs = {'a': lambda v: v + 1}\nx = fs['a'](1)", 2),
        ("def f(): pass\nx = f()", None),
        ("def f(v=None):\n    v = v or 3\n    return v\nx = f(), f(4)", (3, 4)),
    ],
)  # fmt: skip
def test_statements_and_functions(value_of, statements: str, expected: object) -> None:
    assert value_of(statements) == value(expected)


CLASSES = """
class A:
    kind = "a"
    def __init__(self, v): self.v = v
    @property
    def twice(self): return self.v * 2
    @twice.setter
    def twice(self, w): self.v = w
    @classmethod
    def make(cls, v): return cls(v)
    @staticmethod
    def add(a, b): return a + b
    def name(self): return self.kind
    def __call__(self, w): return self.v + w
    def __getitem__(self, i): return self.v * i
class B(A):
    kind = "b"
    def __init__(self, v):
        super().__init__(v + 1)
    def name(self): return super().name() + "!"
    @classmethod
    def make(cls, v): return super().make(v)
class C(B):
    def __init__(self):
        super(C, self).__init__(1)
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("A(1).v", 1),
        ("A(2).twice", 4),
        ("A.make(3).v", 3),
        ("A(0).make(3).v", 3),
        ("A.add(1, 2), A(0).add(1, 2)", (3, 3)),
        ("A.name(A(1))", "a"),
        ("A(1)(2), A(3)[2]", (3, 6)),
        ("B(1).v, B(1).name()", (2, "b!")),
        ("B.make(3).v", 4),
        ("C().v", 2),
        ("C().name(), C.kind", ("b!", "b")),
        ("isinstance(C(), A), isinstance(A(1), C)", (True, False)),
        ("(lambda a: [setattr(a, 'w', 5), a.w])(A(1))", [None, 5]),
    ],
)
def test_classes(value_of, expression: str, expected: object) -> None:
    assert value_of(f"{CLASSES}\nx = {expression}") == value(expected)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("[1, 2]", False),
        ("(torch.ones(1),)", False),
        ("{'rows': 3}", False),
        ("'rows'", False),
        ("torch.ones(1)", True),
    ],
)
def test_what_is_a_tensor(value_of, expression: str, expected: bool) -> None:
    assert value_of(f"import torch\nx = isinstance({expression}, torch.Tensor)") == Const(expected)


def test_inheritance_over_files(value_of) -> None:
    base = "class Base:\n    def __init__(self, v): self.v = v\n    def get(self): return self.v"
    program = "import base\nclass A(base.Base):\n    def __init__(self):\n        super().__init__(4)\nx = A().get()"
    assert value_of(program, {"base.py": base}) == Const(4)


def test_objects_have_identity(value_of) -> None:
    program = "class A: pass\na = A()\nb = a\nb.v = 1\nc = A()\nc.v = 2\nx = a.v, c.v, a is b"
    found = value_of(program)
    assert isinstance(found, Items)
    assert found.items[:2] == (Const(1), Const(2))


def test_a_library_class_is_built_by_super(follow_project) -> None:
    found = follow_project("""
        from torch.utils.data import DataLoader
        class Loader(DataLoader):
            def __init__(self, data):
                super().__init__(data, batch_size=8)
        if __name__ == "__main__":
            loader = Loader([1])
        """)
    (event,) = found.events("build_loader")
    assert event.operands["batch_size"] == Const(8)
    made = event.result
    assert isinstance(made, Object)
    assert (made.kind, made.definition.definition.name) == ("loader", "Loader")


def test_dataclass_fields_are_settings_unless_given(value_of) -> None:
    program = """
    from dataclasses import dataclass
    @dataclass
    class Base:
        a: int = 1
    @dataclass
    class Config(Base):
        b: int = 2
        local_rank: int = -1
        def __post_init__(self): self.c = 5
    p = Config(7)
    x = p.a, p.b, p.local_rank, p.c
    """
    assert value_of(program) == Items("tuple", (Const(7), Setting("b", "field", Const(2)), Rank("local"), Const(5)))


def test_fields_that_describe_their_defaults(value_of) -> None:
    program = """
    from dataclasses import dataclass, field
    @dataclass
    class Config:
        a: int = field(default=1, metadata={"help": "a number"})
        b: int = field(default_factory=lambda: 2)
        c: list = field(default_factory=list)
        d: int = field(init=False, default=3)
        e: int = 4
    p = Config(7, e=8)
    q = Config()
    x = p.a, p.b, p.c, p.d, p.e, q.a
    """
    settings = [Setting("b", "field", Const(2)), Items("list", ()), Setting("d", "field", Const(3))]
    assert value_of(program) == Items("tuple", (Const(7), *settings, Const(8), Setting("a", "field", Const(1))))


def test_a_default_that_a_call_gives_is_made_once(value_of) -> None:
    program = """
    import torch
    def f(made=torch.nn.Linear(2, 2)): return made
    x = f() is f(), f() is f(torch.nn.Linear(2, 2))
    """
    assert value_of(program).items[0] == Const(True)


def test_named_tuples(value_of) -> None:
    fields = "class P(NamedTuple):\n    a: int\n    b: int = 2\n    c: int = 3\n"
    program = f"from typing import NamedTuple\n{fields}p = P(1, c=4)\n"
    assert value_of(program + "x = p.a, p.b, p.c") == value((1, 2, 4))


@pytest.mark.parametrize(
    "made",
    [
        "namedtuple('P', 'a b c')(1, c=4, b=2)",
        "namedtuple('P', ['a', 'b', 'c'], defaults=[2, 4])(1)",
        "NamedTuple('P', [('a', int), ('b', int), ('c', int)])(1, 2, 4)",
    ],
)
def test_named_tuples_made_by_a_call(value_of, made) -> None:
    program = f"from collections import namedtuple\nfrom typing import NamedTuple\np = {made}\n"
    assert value_of(program + "x = p.a, p.b, p.c") == value((1, 2, 4))


def test_flags_of_the_whole_program(value_of) -> None:
    program = """
    from absl import flags
    FLAGS = flags.FLAGS
    flags.DEFINE_string("out", None, "where to write")
    FLAGS.batch = 6
    x = FLAGS.out, FLAGS.local_rank, FLAGS.batch
    """
    expected = Setting("out", "argument"), Rank("local", source="argument"), Const(6)
    assert value_of(program) == Items("tuple", expected)


def test_arguments_of_the_command_line(value_of) -> None:
    program = """
    import argparse
    p = argparse.ArgumentParser()
    g = p.add_argument_group("g")
    g.add_argument("--lr-rate", "-l", type=float, default=0.1)
    p.add_argument("--flag", action="store_true")
    p.add_argument("-n", dest="count")
    p.set_defaults(extra=3)
    args, rest = p.parse_known_args()
    args.changed = 6
    x = args.lr_rate, args.flag, args.count, args.extra, args.world_size, args.changed
    """
    settings = [Setting("lr_rate", "argument", Const(0.1)), Setting("flag", "argument", Const(False))]
    more = [Setting("count", "argument", NONE), Setting("extra", "argument", Const(3))]
    assert value_of(program) == Items("tuple", (*settings, *more, WorldSize("global"), Const(6)))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("os.environ['RANK']", Rank("global", text=True)),
        ("int(os.environ['RANK'])", Rank("global")),
        ("str(int(os.environ['RANK']))", Rank("global", text=True)),
        ("int(os.environ.get('LOCAL_RANK', -1))", Rank("local")),
        ("os.getenv('WORLD_SIZE')", WorldSize("global", text=True)),
        ("int(os.getenv('WORLD_SIZE', default='1'))", WorldSize("global")),
        ("os.environ.get('FOO', '1')", Setting("FOO", "environment", Const("1"))),
        ("int(os.environ.get('FOO', '1'))", Setting("FOO", "environment", Const(1))),
        ("os.environ['SET'], int(os.environ['SET'])", value(("2", 2))),
        ("os.getenv('UPDATED'), os.environ['PUT']", value(("3", "4"))),
    ],
)
def test_environment(value_of, expression: str, expected: Value) -> None:
    writes = "import os\nos.environ['SET'] = '2'\nos.environ.update(UPDATED='3')\nos.putenv('PUT', '4')\n"
    assert value_of(f"{writes}x = {expression}") == expected


def test_environment_events(follow_project) -> None:
    found = follow_project(
        "import os\nos.environ['A'] = '1'\nos.environ.setdefault('B', '2')\nos.environ.get('C', 'd')"
    )
    writes = [
        (e.operands["variable"].value, e.operands["value"].value, "default" in e.operands)
        for e in found.events("set_environment")
    ]
    assert writes == [("A", "1", False), ("B", "2", True)]
    assert found.events("read_environment")[-1].operands == {"variable": Const("C"), "default": Const("d")}


@pytest.mark.parametrize(
    ("expression", "tags"),
    [
        ("torch.distributed.get_rank() % 4 + 1", {RANK}),
        ("[torch.distributed.get_rank()]", {RANK}),
        ("f'{torch.distributed.get_rank()}.txt'", {RANK}),
        ("unseen(torch.distributed.get_rank())", {RANK}),
        ("torch.distributed.get_rank() == 0 and 3", {RANK}),
        ("torch.distributed.get_world_size()", set()),
        ("3", set()),
    ],
)
def test_dependence(value_of, expression: str, tags: set[Tag]) -> None:
    assert tags_of(value_of(f"from somewhere import unseen\nx = {expression}")) == tags


def test_rank_arithmetic_is_kept(value_of) -> None:
    found = value_of("x = torch.distributed.get_rank() % torch.cuda.device_count()")
    assert isinstance(found, Apply)
    assert (found.operator, found.operands[0]) == ("%", Rank("global"))


def test_a_list_that_a_loop_fills_is_open_but_tells_its_objects(value_of) -> None:
    found = value_of("x = []\nfor i in range(torch.n()):\n    x.append(torch.nn.Linear(1, 1))")
    assert isinstance(found, Items)
    assert found.open
    element = value_of("y = [torch.nn.Linear(1, 1) for i in range(torch.n())]\nfor x in y: pass")
    assert {type(option) for option in alternatives(element)} <= {Object, Unknown}
    assert any(isinstance(option, Object) for option in alternatives(element))


def layered_choice(layers: int) -> Alternatives:
    """A choice under conditions that are choices themselves, made anew; each layer has the one below twice."""
    choice = Alternatives(((frozenset(), Const(0)), (frozenset(), Const(1))))
    for number in range(layers):
        yes, no = frozenset({(choice, True)}), frozenset({(choice, False)})
        choice = Alternatives(((yes, Const(number)), (no, Const(number + 1))))
    return choice


def test_choices_under_choices_are_compared_in_one_pass():
    one, other = layered_choice(80), layered_choice(80)
    assert one == other
    assert one != layered_choice(79)
    assert {one: "known"}[other] == "known"


def test_choices_with_equal_hashes_differ():
    # Python gives -1 and -2 the same hash
    one = Alternatives(((frozenset(), Const(-1)), (frozenset(), Const(5))))
    other = Alternatives(((frozenset(), Const(-2)), (frozenset(), Const(5))))
    assert hash(one) == hash(other)
    assert one != other


def test_one_of_many_unknown_values_keeps_what_is_known() -> None:
    options = [*(Unknown(number) for number in range(9)), Const(1), Const(2)]
    chosen = choose([(frozenset(), option) for option in options])
    assert alternatives(chosen) == (Const(1), Const(2), Unknown(None))
    assert choose([(frozenset(), Const(number)) for number in range(11)]) == Unknown(None)
