"""What the API models tell fixes of calls: parameters, arguments, methods, attributes."""

from __future__ import annotations

import pytest

from ddl_lint.analysis.interpreter.project.codebase import Codebase
from ddl_lint.analysis.view import ProjectContext, RunView
from ddl_lint.fixes.runs.project import argument_of, attribute_for, method_for, parameter_of
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.frameworks.compile import load_index
from ddl_lint.program import code
from ddl_lint.program.trace import Run
from ddl_lint.registry.rules import rule_packages
from ddl_lint.storage import user_storage
from editing import file_of_text, node_of

_DDP = "torch.nn.parallel.DistributedDataParallel"
_LOADER = "torch.utils.data.DataLoader"


@pytest.fixture(scope="module")
def project() -> RunView:
    files = sorted(file for folder in rule_packages().values() for file in (folder / "models").glob("*.yaml"))
    api = load_index(files, [], user_storage())
    return RunView(Run("script", "main", "main.py"), ProjectContext(api, Codebase([], lambda _: None)))


def test_names(project: RunView) -> None:
    assert parameter_of(project, "os.makedirs", "exist_ok") == "exist_ok"
    assert parameter_of(project, "os.mkdir", "exist_ok") is None
    assert parameter_of(project, _DDP, "model") == "module"
    assert method_for(project, "torch.utils.data.DistributedSampler", "set_epoch") == "set_epoch"
    assert method_for(project, _LOADER, "set_epoch") is None
    assert attribute_for(project, _LOADER, "batch_sampler") == "batch_sampler"
    assert attribute_for(project, "torch.utils.data.BatchSampler", "sampler") == "sampler"


@pytest.mark.parametrize(
    ("call", "role", "expected"),
    [
        ("DDP(net, [gpu])", "device_ids", "[gpu]"),
        ("DDP(module=net, device_ids=[gpu])", "device_ids", "device_ids=[gpu]"),
        ("DDP(net)", "device_ids", None),
        ("DDP(net, **options)", "model", "net"),
    ],
)
def test_arguments(project: RunView, call: str, role: str, expected: str | None) -> None:
    file = file_of_text(f"{call}\n")
    found = argument_of(project, _DDP, node_of(file, code.Call, "DDP"), role)
    assert (None if found is None else file.source(found)) == expected


def test_starred_arguments(project: RunView) -> None:
    file = file_of_text("DDP(*args)\n")
    with pytest.raises(Unfixable):
        argument_of(project, _DDP, node_of(file, code.Call, "DDP"), "model")
