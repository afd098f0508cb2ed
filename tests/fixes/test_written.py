"""Names of the user's code in messages and helps: short ones as they are written, general words for the rest."""

from __future__ import annotations

import pytest

from ddl_lint.analysis.interpreter.project.codebase import Codebase, Source
from ddl_lint.analysis.runs import Analyzer, RunCheck
from ddl_lint.analysis.view import ProjectContext, RunView
from ddl_lint.fixes.runs.written import (
    argument_text,
    called_name,
    idiom_at,
    model_name,
    named,
    result_name,
    shown,
    source_text,
)
from ddl_lint.lowering import lower
from ddl_lint.program.trace import Event
from ddl_lint.source import Document
from shipped import shipped_index

_PROGRAM = """\
import torch
import horovod.torch as hvd
import torch.optim as optim
from torch import nn

hvd.init()
net = nn.Linear(2, 2)
adam = optim.Adam(net.parameters(), lr=0.1)
{step}
"""


def _run(step: str) -> RunView:
    text = _PROGRAM.format(step=step)

    def read(source: Source):
        return lower(Document(source.path, text), source.name, is_package=False).module

    document = Document("/project/main.py", text)
    codebase = Codebase([Source("/project/main.py", "main", False)], read)
    project_context = ProjectContext(shipped_index(), codebase, documents={document.path: document}, names=["main"])
    views = Analyzer[RunView](shipped_index()).run(project_context, RunCheck(lambda run: run))
    (found,) = [view for view in views if view.is_script]
    return found


def _event(run: RunView, kind: str) -> Event:
    return next(event for event in run.all_events if event.kind == kind)


@pytest.fixture(scope="module")
def run() -> RunView:
    return _run("adam.step()")


def test_names_as_they_are_written(run: RunView) -> None:
    built, step = _event(run, "build_optimizer"), _event(run, "optimizer_step")
    assert named("step", called_name, run, step.location) == "adam.step"
    assert shown("the step", called_name, run, step.location) == "`adam.step`"
    assert named("optimizer", result_name, run, built.location) == "adam"
    assert named("rate", argument_text, run, built, "learning_rate") == "0.1"
    assert named("model", model_name, run, built) == "net"
    assert named("", source_text, run, step.location) == "adam.step()"


def test_general_words_where_the_code_has_no_name(run: RunView) -> None:
    step = _event(run, "optimizer_step")
    assert named("optimizer", result_name, run, step.location) == "optimizer"
    assert shown("the optimizer", result_name, run, step.location) == "the optimizer"
    assert shown("the rate", argument_text, run, step, "learning_rate") == "the rate"


@pytest.mark.parametrize("name", ["a" * 41, "steps[0].make_and\\\n.step"], ids=["long", "two lines"])
def test_what_does_not_fit_into_a_line(name: str) -> None:
    run = _run(f"optim.Adam(net.parameters(), lr={name})\nadam.step()")
    built = [event for event in run.all_events if event.kind == "build_optimizer"][-1]
    assert named("rate", argument_text, run, built, "learning_rate") == "rate"


def test_the_words_of_the_framework_at_hand(run: RunView) -> None:
    step = _event(run, "optimizer_step")
    assert idiom_at("size", run, step.location, "horovod.torch.init", "world_size") == "hvd.size()"
    assert idiom_at("size", run, step.location, "torch.nn.Linear", "load_to_train") == "size"
