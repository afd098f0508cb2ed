"""Code of a program as messages quote it."""

from __future__ import annotations

import pytest

from ddl_lint.analysis.queries.quoting import _CALL


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("hvd.size()", "hvd.size"),
        ("self.model(batch[0], scale(f(1)))", "self.model"),
        ("Net().cuda()", None),
        ("(model or other)(x)", None),
    ],
)
def test_what_is_called(text: str, called: str | None) -> None:
    match = _CALL.fullmatch(text)
    assert (match[1] if match is not None else None) == called
