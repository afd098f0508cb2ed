"""Work grows hardly faster than what there is to do: calls are counted, so that no clock has a part in it."""

from __future__ import annotations

import pytest

from benchmarks.exponents import DIMENSIONS, Dimension, exponent_of, growth
from ddl_lint.registry.rules import load_rules

pytestmark = pytest.mark.slow

MOST = 1.2
QUICK = (
    *("lines", "functions that nobody calls", "modules of a script", "scripts", "nested calls", "nested conditions"),
    *("a chain of calls", "alternatives of a value", "branches", "launch files", "ways out"),
    *("cases", "items of a with", "arms of a try", "clauses of a comprehension"),
    *("faults", "bases", "entries that are put in", "a ring of modules"),
)
"""Those that each run of the tests tries."""


@pytest.mark.parametrize(
    "dimension",
    [pytest.param(each, id=each.name, marks=() if each.name in QUICK else pytest.mark.nightly) for each in DIMENSIONS],
)
def test_growth(dimension: Dimension, tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(tmp_path))
    sizes = (20, 80) if dimension.name in QUICK else dimension.sizes
    measured = growth(dimension, sizes, load_rules())
    assert exponent_of(measured) < MOST, measured


def test_what_each_run_tries_are_dimensions():
    assert {*QUICK} <= {each.name for each in DIMENSIONS}
