"""What a shell computes."""

from __future__ import annotations

import pytest

from ddl_lint.jobs.arithmetic import computed


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 - 2 - 3", 5),
        ("N*${N}/$N", 8),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("2 ** 3 ** 2", 512),
        ("${M:-4} + 1", 5),
        ("", None),
        ("2 +", None),
        ("(2", None),
        ("M", None),
        ("1.5", None),
        ("010", None),
        ("N > 4 ? 1 : 2", None),
        ("N = 4", None),
        ("9 ** 40", None),
        ("(" * 500 + "1" + ")" * 500, None),
    ],
)
def test_expressions(expression: str, expected: int | None) -> None:
    assert computed(expression, {"N": 8}.get) == expected
