"""`FileName`: whether two paths, as programs write them, are or may be one file."""

from __future__ import annotations

import pytest

from ddl_lint.program.values import UNKNOWN, Apply, Const, Setting, Value
from ddl_lint.rulekit.domain import FileName


def _text(*pieces: Value | str) -> Value:
    return Apply("text", tuple(Const(piece) if isinstance(piece, str) else piece for piece in pieces))


_FOLDER, _EPOCH = Setting("folder", "argument"), UNKNOWN
_SAME, _LIKE, _MAYBE, _OTHER = "same", "like", "maybe", "other"

_PAIRS: list[tuple[Value, Value, str]] = [
    (Const("a.pt"), Const("a.pt"), _SAME),
    (_FOLDER, _FOLDER, _SAME),
    (_text(_FOLDER, "/a.pt"), _text(_FOLDER, "/a.pt"), _SAME),
    (Const("runs/a.pt"), Const("a.pt"), "like, elsewhere"),
    (_text(_FOLDER, "/a.pt"), Const("runs/a.pt"), _LIKE),
    (_text(_FOLDER, "/net_", _EPOCH, ".pt"), _text("runs/", _EPOCH, "/net_", _EPOCH, ".pt"), _LIKE),
    (_text(_FOLDER, "/net_", _EPOCH, ".pt"), Const("runs/net_3.pt"), _LIKE),
    (_text(_FOLDER, "/net_", _EPOCH, ".pt"), _FOLDER, _MAYBE),
    (_text("net_", _EPOCH), _text("net_", _EPOCH, ".pt"), _MAYBE),
    (_text("net_", _EPOCH, ".pt"), _text("opt_", _EPOCH, ".pt"), _OTHER),
    (_text("net_", _EPOCH, ".pt"), Const("content.pth"), _OTHER),
    (Const("a.pt"), Const("b.pt"), _OTHER),
]


@pytest.mark.parametrize(("first", "second", "relation"), _PAIRS)
def test_two_paths(first: Value, second: Value, relation: str) -> None:
    for one, other in ((first, second), (second, first)):
        name = FileName.of(one)
        assert name is not None
        assert name.is_same(FileName.of(other)) is (relation == _SAME)
        assert name.looks_like(FileName.of(other)) is (relation not in (_MAYBE, _OTHER))
        assert name.may_be(FileName.of(other)) is (relation in (_SAME, _LIKE, _MAYBE))


def test_no_path() -> None:
    name = FileName.of(Const("a.pt"))
    assert FileName.of(None) is None
    assert name is not None
    assert name.may_be(None)
    assert not name.looks_like(None)
