"""What is compiled into the wheels for a platform, as far as no compiler is needed; `make test-compiled` builds one."""

from __future__ import annotations

import ast
import dataclasses
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def loaded(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


written_out = loaded("written_out", ROOT / "release" / "compiled_core" / "written_out.py").written_out
CORE = sorted(path for pattern in PROJECT["tool"]["mypy"]["files"] for path in ROOT.glob(pattern))


def test_the_core_is_what_it_is_meant_to_be():
    names = {path.relative_to(ROOT / "ddl_lint").as_posix() for path in CORE}
    assert {"program/values.py", "program/trace.py", "frameworks/index.py"} <= names
    assert {"analysis/interpreter/language/calls.py", "analysis/ranks/evaluator.py"} <= names
    assert "analysis/interpreter/codebase.py" not in names, "`Source` is sent to other processes"


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_each_line_of_the_core_stays_where_it_is(path):
    before, after = path.read_text(encoding="utf-8"), written_out(path.read_text(encoding="utf-8"), ROOT)
    lines = after.split("\n")
    for node in ast.walk(ast.parse(before)):
        if isinstance(node, ast.stmt) and not isinstance(node, (ast.Expr, ast.ClassDef)):
            if isinstance(node, ast.Assign) and lines[node.lineno - 1].lstrip().startswith("def "):
                continue
            line = lines[node.lineno - 1].replace(": object | None", ": object")
            assert line.removesuffix("; from typing import TYPE_CHECKING") == before.split("\n")[node.lineno - 1]
    names = [node.name for node in ast.parse(before).body if isinstance(node, ast.ClassDef)]
    assert [node.name for node in ast.parse(after).body if isinstance(node, ast.ClassDef)] == names


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_nothing_is_a_cached_property(path):
    """It would be a plain one when it is compiled, and be computed each time that somebody asks."""
    assert not re.search(r"^\s*@(functools\.)?cached_property", path.read_text(encoding="utf-8"), re.MULTILINE)


PROGRAM = '''
from __future__ import annotations

from dataclasses import dataclass, field


class Base:
    """What is the same for all."""

    __slots__ = ()
    size = 1


@dataclass(slots=True)
class Plain(Base):
    """Two fields."""

    name: str
    value: object = None


@dataclass(frozen=True, slots=True)
class Frozen:
    """Compared by one of its fields,
    and with a text of two lines."""

    key: tuple[int, ...]
    place: str = field(default="", compare=False, repr=False)


@dataclass(unsafe_hash=True, slots=True)
class Empty:
    """Nothing in it."""


@dataclass(eq=False, slots=True)
class Filled:
    parts: list[int] = field(default_factory=lambda: [])
    rest: object = None
    names: dict[str, int] = field(default_factory=dict)
    count: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.count = len(self.parts)


@dataclass(slots=True)
class Longer(Plain):
    """What its base has, and one more."""

    last: int = 3


@dataclass(slots=True)
class Own:
    """Says itself what is equal."""

    value: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own) and self.value % 2 == other.value % 2

    def __hash__(self) -> int:
        return self.value % 2
'''


@pytest.fixture
def both() -> tuple[dict[str, type], dict[str, type]]:
    """The classes of the program, as they are and written out."""
    made: list[dict[str, type]] = []
    for source in (PROGRAM, written_out(PROGRAM)):
        module = ModuleType("written")
        sys.modules["written"] = module
        exec(compile(source, "written", "exec"), vars(module))
        made.append(vars(module))
    return made[0], made[1]


@pytest.mark.parametrize(
    "code",
    [
        "repr([Plain('a'), Plain(name='a', value=2), Frozen((1,), 'x'), Empty(), Filled([1, 2])])",
        "Plain('a') == Plain('a'), Plain('a') == Plain('a', 1), Plain('a') == 'a', Plain('a') != Plain('b')",
        "Frozen((1,), 'x') == Frozen((1,), 'y'), hash(Frozen((1,), 'x')) == hash(Frozen((1,), 'y'))",
        "len({Empty(), Empty()})",
        "Plain.__hash__ is None or hash(Frozen((1,))) == hash(((1,),))",
        "Filled() == Filled(), Filled().parts is Filled().parts, Filled([3]).count, Filled(names={'a': 1}).names",
        "Own(1) == Own(3), len({Own(1), Own(3)}), Own(1) == Own(2)",
        "Plain('a').size, Plain.size",
        "repr(Longer('a', 2, 4)), repr(Longer('a')), Longer('a') == Longer('a'), Longer('a') == Longer('b')",
    ],
)
def test_written_out_classes_do_the_same(both, code):
    before, after = both
    assert eval(code, after) == eval(code, before)


def test_what_asks_for_fields_finds_them(both):
    _, after = both
    for name in ("Plain", "Frozen", "Empty", "Filled", "Longer", "Own"):
        told = [[(each.name, each.init) for each in dataclasses.fields(classes[name])] for classes in both]
        assert told[0] == told[1]
    assert dataclasses.replace(after["Frozen"]((1,), "x"), place="y").place == "y"
    assert dataclasses.replace(after["Filled"]([1]), parts=[1, 2]).count == 2
    with pytest.raises(TypeError):
        after["Plain"]()


def test_what_would_be_another_class_when_it_is_compiled_is_refused():
    shared = 'from dataclasses import dataclass\n\n\n@dataclass\nclass A:\n    """A."""\n\n    x: ClassVar[int] = 1\n'
    with pytest.raises(ValueError, match="ClassVar"):
        written_out(shared)
    with pytest.raises(ValueError, match="options"):
        written_out('@dataclass(order=True)\nclass A:\n    """A."""\n\n    x: int\n')


def test_functions_that_a_class_takes_become_methods(tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "parts.py").write_text("def add(m: M, first: int, second: int = 2) -> int:\n    return 0\n")
    source = "from package import parts\n\n\nclass A:\n    plus = parts.add\n"
    method = "    def plus(self, first, second=2): return parts.add(self, first, second)"
    assert written_out(source, tmp_path) == source.replace("    plus = parts.add", method)


def test_what_has_another_decorator_too_stays_as_it_is():
    source = '@other\n@dataclass(slots=True)\nclass A:\n    """A."""\n\n    x: int\n'
    assert written_out(source) == source


def test_wheels_are_compiled_only_where_that_is_asked_for():
    hook = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    assert hook["enable-by-default"] is False
    assert (ROOT / hook["path"]).exists()
    (mypy,) = (each for each in hook["dependencies"] if each.startswith("mypy"))
    assert mypy in PROJECT["project"]["optional-dependencies"]["dev"], (
        "what compiles it must not read it in another way"
    )
