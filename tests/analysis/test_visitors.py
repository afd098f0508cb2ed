"""Going through the parts of values, and making values of other parts."""

from __future__ import annotations

from ddl_lint.analysis.values.lattice import join
from ddl_lint.analysis.values.visitors import children, dependencies, parts, rebuild
from ddl_lint.program.values import NONE, Alternatives, Apply, Const, Items, Object, Table, Unknown, Value
from ddl_lint.source.span import Location

A, B, C = Unknown("a"), Unknown("b"), Unknown("c")
PLACE = Location("a.py", 0, 1)


def test_children_and_dependencies() -> None:
    choice = join(A, B, C)
    for value, inside in (
        (Apply("+", (A, B)), [A, B]),
        (Items("list", (A, B)), [A, B]),
        (Table(((A, B),)), [A, B]),
        (choice, [B, C]),
        (Object("model", PLACE, given={"of": A}), []),
        (A, []),
    ):
        assert list(children(value)) == inside
        assert list(dependencies(value)) == (inside if value is not choice else [B, C, A, A])


def test_parts() -> None:
    value = Items("list", (Apply("+", (A, B)), C))
    assert set(parts(value)) == {value, Apply("+", (A, B)), A, B, C}
    assert set(parts(value, opened=lambda part: not isinstance(part, Apply))) == {value, Apply("+", (A, B)), C}
    assert A not in parts(join(A, B, C)) and A in parts(join(A, B, C), below=dependencies)


def test_rebuild() -> None:
    def change(part: Value) -> Value:
        return NONE if part == A else part

    made = rebuild(Apply("+", (A, B), PLACE), change)
    assert isinstance(made, Apply) and made == Apply("+", (NONE, B)) and made.location == PLACE
    assert rebuild(Items("tuple", (A,), open=True), change) == Items("tuple", (NONE,), open=True)
    assert rebuild(Table(((A, A),)), change) == Table(((A, NONE),))
    assert rebuild(Const(1), change) == Const(1)
    choice = Alternatives(((frozenset({(A, True)}), A), (frozenset({(A, False)}), B)))
    assert rebuild(choice, change) == Alternatives(((frozenset({(A, True)}), NONE), (frozenset({(A, False)}), B)))
    assert rebuild(choice, change, change) == Alternatives(
        ((frozenset({(NONE, True)}), NONE), (frozenset({(NONE, False)}), B))
    )
