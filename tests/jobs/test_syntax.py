"""Whether launch files can be read at all."""

from __future__ import annotations

import pytest

from ddl_lint.jobs.syntax import syntax_faults


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("run.sh", "if x; then\n  y\nfi\n", "if x; then\n  y\n"),
        ("a.yaml", "a: [1]\n", "a: [1\n"),
        ("a.json", '{"a": 1}\n', '{"a": 1\n'),
        ("pyproject.toml", "[a]\nb = 1\n", "[a\nb = 1\n"),
    ],
)
def test_syntax_errors_are_counted(name: str, good: str, bad: str):
    assert syntax_faults(name, good) == 0
    assert syntax_faults(name, bad) > 0


def test_of_other_files_nothing_is_told():
    assert syntax_faults("Dockerfile", "FRM x\n") == 0
