"""What the models that we ship must hold to."""

from __future__ import annotations

import importlib
import inspect
import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from ddl_lint.frameworks.model import CALLED, FACILITIES, ClassModel, FrameworkModels, FunctionModel, Returns
from ddl_lint.frameworks.schema import SCHEMA_PATH, schema_text
from ddl_lint.jobs.known import FOLDER
from ddl_lint.program.kinds import EVENT_ROLES
from shipped import MODEL_FILES, shipped_index, shipped_models

SHIPPED = shipped_models()
INDEX = shipped_index()


def calls(framework: FrameworkModels) -> list[FunctionModel]:
    """Every call that a file models: functions, constructors, methods, calls of instances."""
    found: list[FunctionModel] = []
    for model in framework.models.values():
        if isinstance(model, FunctionModel):
            found.append(model)
        elif isinstance(model, ClassModel):
            found += [model.constructor, *model.methods.values(), *([model.call] if model.call else [])]
    return found


ALL_CALLS = [call for framework in SHIPPED for call in calls(framework)]


def test_schema_file_is_up_to_date() -> None:
    assert SCHEMA_PATH.read_text(encoding="utf-8") == schema_text(), "run python -m ddl_lint.frameworks.schema"


@pytest.mark.parametrize("path", MODEL_FILES, ids=lambda path: path.stem)
def test_files_hold_to_the_published_schema(path: Path) -> None:
    _published().validate(yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER))


@pytest.mark.parametrize("path", [*MODEL_FILES, *sorted(FOLDER.glob("*.yaml"))], ids=lambda path: path.stem)
def test_files_are_read_without_the_library_in_c_too(path: Path) -> None:
    """In a browser there is none, and what is written in Python takes less for YAML."""
    assert list(yaml.parse(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader))


@cache
def _published() -> jsonschema.Draft202012Validator:
    schema = json.loads(SCHEMA_PATH.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the quick one, where PyYAML was built with it


def test_every_event_role_and_parameter_exists() -> None:
    for call in ALL_CALLS:
        if call.event is None:
            assert not call.roles
            continue
        assert call.event in EVENT_ROLES, call.name
        assert {*call.roles, *call.constants} <= set(EVENT_ROLES[call.event]), call.name
        if call.parameters is not None:
            names = {"self", CALLED, *(parameter.name for parameter in call.parameters)}
            assert set(call.roles.values()) <= names, call.name
        assert (call.requires | call.provides) <= FACILITIES, call.name


def test_every_collective_says_which() -> None:
    for call in ALL_CALLS:
        if call.event in ("collective", "point_to_point"):
            assert "operation" in call.constants, call.name


def test_other_names_are_unique_and_lead_somewhere() -> None:
    owners: dict[str, str] = {}
    for framework in SHIPPED:
        for other, name in framework.also.items():
            assert other not in owners, f"{other} stands for {owners.get(other)} and {name}"
            assert other not in INDEX.models
            owners[other] = name
            assert INDEX.canonical(other) == name


def test_instances_are_of_known_classes_or_kinds() -> None:
    def check(returns: Returns, where: str) -> None:
        if returns.kind == "instance" and "." in returns.value:
            assert INDEX.class_(returns.value) is not None, f"{where}: {returns.value}"
        for inner in [*returns.attributes.values(), *(returns.value if returns.kind == "tuple" else ())]:
            check(inner, where)

    for call in ALL_CALLS:
        if call.returns is not None:
            check(call.returns, call.name)


def test_well_known_facts() -> None:
    ddp = INDEX.class_("torch.nn.parallel.distributed.DistributedDataParallel")
    assert ddp is not None and ddp.traits["state_dict_prefix"] == "module." and ddp.kind == "model"
    assert ddp.constructor.event == "wrap_model" and ddp.constructor.roles["model"] == "module"
    to = INDEX.method(ddp, "to")
    assert to is not None and to.event == "place" and to.roles == {"object": "self", "device": "device"}
    sampler = INDEX.class_("torch.utils.data.distributed.DistributedSampler")
    assert sampler is not None and sampler.constructor.requires_unless == {"process_group": ("num_replicas", "rank")}
    adam = INDEX.class_("torch.optim.Adam")
    assert adam is not None and adam.constructor.event == "build_optimizer"
    assert adam.constructor.roles == {"parameters": "params", "learning_rate": "lr"}
    assert INDEX.is_subclass("pytorch_lightning.LightningModule", "torch.nn.Module")
    assert not INDEX.is_subclass("torch.optim.Adam", "torch.nn.Module")
    trainer = INDEX.class_("pytorch_lightning.Trainer")
    assert trainer is not None and {"process_group", "sampler", "launch"} <= trainer.constructor.provides
    assert INDEX.function("deepspeed.comm.comm.all_reduce") is INDEX.function("deepspeed.comm.all_reduce")
    assert INDEX.conventions.environment["LOCAL_RANK"] == Returns("rank", "local")
    assert {"torch", "horovod", "deepspeed", "lightning", "accelerate"} <= INDEX.packages
    assert "os" not in INDEX.packages


@pytest.mark.parametrize(
    ("name", "facility"),
    [
        ("init_distributed_mode", "process_group"),
        ("utils.dist_util.setup_dist", "process_group"),
        ("ddp_setup", "process_group"),
        ("launch", "launch"),
        ("save_on_master", "guard_save"),
        ("build_train_loader", "sampler"),
        ("sync_gradients", "gradient_sync"),
    ],
)
def test_helpers_are_told_by_their_names(name: str, facility: str) -> None:
    assert facility in INDEX.helper_provides(name)


@pytest.mark.parametrize("name", ["main", "train_one_epoch", "evaluate", "init_weights", "fit", "forward", "cleanup"])
def test_ordinary_names_promise_nothing(name: str) -> None:
    assert not INDEX.helper_provides(name)


# --- against the real thing -----------------------------------------------------------------------------------

PYTORCH = next(framework for framework in SHIPPED if framework.framework == "pytorch")
VERSION = (2, 13)
# What the signature does not tell: overloads, and a class whose own constructor takes nothing of note.
OWN_SIGNATURES = {
    "torch.nn.Module.to",
    "torch.utils.data.Dataset",
    "torch.utils.data.IterableDataset",
    "torch.utils.data.Sampler",
}
# What only subclasses have.
OWN_METHODS = {"torch.utils.data.Dataset.__len__", "torch.utils.data.Sampler.__len__"}


def real(name: str) -> Any:
    """The object of a dotted name; raises ImportError or AttributeError."""
    first, *rest = name.split(".")
    path, found = first, importlib.import_module(first)
    for part in rest:
        path = f"{path}.{part}"
        if not hasattr(found, part):
            importlib.import_module(path)
        found = getattr(found, part)
    return found


def names_of(found: Any, bound: bool) -> list[str] | None:
    try:
        parameters = list(inspect.signature(found).parameters)
    except (ValueError, TypeError):  # written in C
        return None
    return [name for name in (parameters[1:] if bound else parameters) if not name.startswith("_")]


def torch_or_skip() -> None:
    torch = pytest.importorskip("torch")
    version = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
    if version != VERSION:
        pytest.skip(f"the models are those of torch {VERSION}, not {version}")


def test_modelled_torch_names_exist() -> None:
    torch_or_skip()
    missing: list[str] = []
    for name, model in PYTORCH.models.items():
        if isinstance(model, FunctionModel) and model.removed:
            continue
        for alias in [name, *(other for other, canonical in PYTORCH.also.items() if canonical == name)]:
            if alias.startswith("tensorboardX") or "tensorboard" in alias:
                continue
            try:
                found = real(alias)
            except (ImportError, AttributeError):
                missing.append(alias)
                continue
            if isinstance(model, ClassModel):
                missing += [
                    f"{name}.{method}"
                    for method in model.methods
                    if not hasattr(found, method) and f"{name}.{method}" not in OWN_METHODS
                ]
    assert not missing


def test_modelled_torch_signatures_agree() -> None:
    torch_or_skip()
    differing: list[str] = []

    def compare(call: FunctionModel, found: Any, bound: bool) -> None:
        expected = names_of(found, bound)
        if call.parameters is None or expected is None or call.name in OWN_SIGNATURES:
            return
        modelled = [parameter.name for parameter in call.parameters]
        if modelled != expected:
            differing.append(f"{call.name}: {modelled} is really {expected}")

    for name, model in PYTORCH.models.items():
        if "tensorboard" in name or (isinstance(model, FunctionModel) and model.removed):
            continue
        found = real(name)
        if isinstance(model, FunctionModel):
            compare(model, found, bound=False)
        elif isinstance(model, ClassModel) and inspect.isclass(found):
            compare(model.constructor, found, bound=False)
            for method, call in model.methods.items():
                if hasattr(found, method):
                    static = isinstance(inspect.getattr_static(found, method), (staticmethod, classmethod))
                    compare(call, getattr(found, method), bound=not static)
    assert not differing


def test_every_public_function_of_torch_distributed_is_modelled() -> None:
    torch_or_skip()
    module = importlib.import_module("torch.distributed")
    missing = [
        name
        for name in dir(module)
        if not name.startswith("_")
        and inspect.isroutine(getattr(module, name))
        and INDEX.resolve(f"torch.distributed.{name}") is None
    ]
    assert not missing
