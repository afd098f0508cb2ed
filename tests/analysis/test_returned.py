"""What models say that a call gives."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.models import returned
from ddl_lint.frameworks.model import RETURN_KINDS


def test_every_kind_has_an_evaluation():
    assert returned._BY_KIND.keys() == RETURN_KINDS
