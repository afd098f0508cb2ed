"""Typed views of what a program makes: models, optimizers, loaders, samplers, states, strategies.

    for sampler in Sampler.among(event.result):
        if sampler.divides_data:
            ...

Each view looks at one object; what it says is what the API models say of that kind of object, in whatever framework.
An attribute that the program did not give is None.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar, overload

from ddl_lint.analysis.values.certainty import objects
from ddl_lint.program.values import Object, Value

_View = TypeVar("_View", bound="View")


class Given:
    """What an object was built with, under a name of the API models."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, view: None, owner: type[View]) -> Given: ...
    @overload
    def __get__(self, view: View, owner: type[View]) -> Value | None: ...
    def __get__(self, view: View | None, owner: type[View]) -> Given | Value | None:
        return self if view is None else view.made.given.get(self.name)


class Trait:
    """Whether an object surely has a trait of the API models."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, view: None, owner: type[View]) -> Trait: ...
    @overload
    def __get__(self, view: View, owner: type[View]) -> bool: ...
    def __get__(self, view: View | None, owner: type[View]) -> Trait | bool:
        return self if view is None else bool(view.made.traits.get(self.name))


@dataclass(frozen=True, slots=True)
class View:
    """An object as one of a kind."""

    made: Object

    @classmethod
    def among(cls: type[_View], value: Value | None, *kinds: str) -> Iterator[_View]:
        """The objects that a value may be, of some kinds or of all, each seen so."""
        return map(cls, objects(value, *kinds))


class Trained(View):
    """What is trained, or trains: a model, its wrapper, or an optimizer."""

    averages_gradients = Trait("synchronizes_gradients")
    """Its gradients are averaged over the ranks."""

    trainer = Given("trainer")
    """The trainer that has prepared it."""

    @property
    def is_prepared(self) -> bool:
        """Whether a trainer has prepared it."""
        return "trainer" in self.made.given

    @property
    def trainers(self) -> list[Object]:
        """The trainers that may have prepared it."""
        return objects(self.trainer, "trainer")


class Model(Trained):
    """A model, or a wrapper of one."""

    inner = Given("module")
    """The model in a wrapper."""

    whole = Given("of")
    """The model of which it is a part."""

    @property
    def wrapper(self) -> str | None:
        """Which wrapper it is: `ddp`, `dp`, `fsdp1`; None for a plain model."""
        return self.made.traits.get("wrapper")

    @property
    def prefix(self) -> str:
        """What a wrapper puts before the keys of its state: `module.`; empty for a plain model."""
        return str(self.made.traits.get("state_dict_prefix") or "")


class Optimizer(Trained):
    """An optimizer, or a wrapper of one."""

    inner = Given("of")
    """The optimizer in a wrapper."""


class Parameter(View):
    """A parameter, its gradient, or several of a model."""

    model = Given("of")


class State(View):
    """A state dict, of a model or an optimizer, or a part of it."""

    model = Given("of")
    """What it is the state of."""

    @property
    def is_loaded(self) -> bool:
        """Whether it was read from a file."""
        return "loaded" in self.made.given

    @property
    def is_unwrapped(self) -> bool:
        """Whether it was taken so that the wrapper leaves no trace in the keys."""
        return "unwrapped" in self.made.given


class Loader(View):
    """What makes batches of a data set."""

    dataset = Given("dataset")
    sampler = Given("sampler")
    batch_sampler = Given("batch_sampler")
    batch_size = Given("batch_size")
    drop_last = Given("drop_last")


class Sampler(View):
    """What chooses the elements of a data set, or divides them: a sampler, a step of a pipeline."""

    inner = Given("sampler")
    dataset = Given("dataset")
    divides_data = Trait("shards_data")
    """Each rank gets a part of its own."""

    is_seeded_by_epoch = Trait("epoch_seeded")
    """The order of an epoch depends on `set_epoch`."""


class Strategy(View):
    """A strategy of TensorFlow or Keras."""

    replicates = Trait("replicates")
    """It divides each batch among replicas of the model."""
