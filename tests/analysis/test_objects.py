"""The typed views of what a program makes."""

from __future__ import annotations

from typing import Any

import pytest

from ddl_lint.analysis.values.visitors import objects_in
from ddl_lint.domain.objects import Given, Loader, Model, Optimizer, Parameter, Sampler, State, Strategy, Trait
from ddl_lint.program.values import NONE, Value

PROGRAM = """
import tensorflow as tf
import torch
import torch.distributed as dist
from accelerate import Accelerator
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, RandomSampler, TensorDataset
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("gloo")
data = TensorDataset(torch.ones(8))
sampler = DistributedSampler(data)
plain = torch.nn.Linear(2, 2)
model = torch.nn.Linear(2, 2)
accelerator = Accelerator()
ddp = DistributedDataParallel(model)
torch.save(%s, "x")
"""


@pytest.fixture
def made(follow_project):
    """What the program makes, object by object, of a tuple that it saves."""
    return lambda text: list(follow_project(PROGRAM % f"({text},)").saved().items)


def test_a_plain_model(made):
    [value] = made("plain")
    [model] = Model.among(value)
    assert (model.wrapper, model.prefix, model.inner, model.averages_gradients) == (None, "", None, False)
    assert (model.is_prepared, model.trainers) == (False, [])


def test_a_wrapped_model(made):
    value, inner = made("ddp, model")
    [model] = Model.among(value)
    assert (model.wrapper, model.prefix, model.averages_gradients) == ("ddp", "module.", True)
    assert model.inner is inner


def test_a_model_of_a_trainer(made):
    value, accelerator = made("accelerator.prepare(plain), accelerator")
    [model] = Model.among(value)
    assert (model.is_prepared, model.trainers, model.trainer) == (True, [accelerator], accelerator)


def test_a_state(made):
    value, owner = made("plain.state_dict(), plain")
    [state] = State.among(value)
    assert state.model is owner
    assert (state.is_loaded, state.is_unwrapped) == (False, False)
    [loaded] = State.among(*made("torch.load('a.pt')"))
    assert loaded.is_loaded


def test_parameters_and_optimizers(made):
    model, value = made("plain, torch.optim.SGD(plain.parameters(), lr=0.1)")
    [optimizer] = Optimizer.among(value, "optimizer")
    [parameters] = map(Parameter, objects_in(optimizer.made.given["parameters"]))
    assert parameters.model is model
    assert (optimizer.inner, optimizer.averages_gradients) == (None, False)


def test_a_loader_and_its_sampler(made):
    value, data, sampler = made("DataLoader(data, batch_size=4, sampler=sampler, drop_last=True), data, sampler")
    [loader] = Loader.among(value)
    assert (loader.dataset, loader.sampler, loader.batch_sampler) == (data, sampler, None)
    assert loader.drop_last not in (None, NONE)
    [chosen] = Sampler.among(loader.sampler)
    assert (chosen.divides_data, chosen.is_seeded_by_epoch) == (True, True)
    [other] = Sampler.among(*made("RandomSampler(data)"))
    assert (other.divides_data, other.is_seeded_by_epoch, other.inner) == (False, False, None)


def test_a_strategy(made):
    [mirrored] = Strategy.among(*made("tf.distribute.MirroredStrategy()"))
    assert mirrored.replicates


def test_only_objects_of_the_kinds_that_are_asked_for(made):
    values: list[Value] = made("plain, 3")
    assert [view.made.kind for value in values for view in Model.among(value, "model")] == ["model"]
    assert not list(Model.among(values[0], "loader"))
    assert not list(Model.among(None))


def test_a_class_tells_what_it_reads():
    kinds: tuple[Any, ...] = (Loader.dataset, Sampler.divides_data)
    assert [type(each) for each in kinds] == [Given, Trait]
