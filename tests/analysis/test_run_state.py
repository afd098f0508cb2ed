"""What belongs to one run: nothing of it reaches another one."""

from __future__ import annotations

from dataclasses import fields

from ddl_lint.analysis.interpreter.run_state import RunState
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.program.followed import Budget
from ddl_lint.program.values import Const


def test_two_runs_share_nothing_that_changes():
    one, other = RunState(), RunState()
    held = [(getattr(one, field.name), getattr(other, field.name)) for field in fields(RunState)]
    changing = [(mine, theirs) for mine, theirs in held if isinstance(mine, (dict, list, set))]
    assert changing
    assert all(not mine and mine is not theirs for mine, theirs in changing)


def test_a_run_begins_with_all_the_steps_that_it_may_take():
    assert RunState(Budget(), 7).steps == 7


def test_what_a_branch_knows_is_not_known_to_what_it_imports(follow_project):
    """The top level of a module is followed apart, and the run that imports it goes on as it was."""
    found = follow_project(
        {
            "main.py": """
            import os
            import torch

            if int(os.environ["STEPS"]) > 5:
                import helper
                torch.save("large" if int(os.environ["STEPS"]) > 5 else "small", "here")
            torch.save(helper.SIZE, "there")
            """,
            "helper.py": """
            import os

            SIZE = "large" if int(os.environ["STEPS"]) > 5 else "small"
            """,
        }
    )
    assert set(alternatives(found.saved("there"))) == {Const("large"), Const("small")}
    assert found.saved("here") == Const("large")
