"""Answers "what is this call" from the API models of all frameworks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ddl_lint.frameworks.model import (
    ApiModel,
    Backend,
    ClassModel,
    ConstantModel,
    Conventions,
    FrameworkModels,
    FunctionModel,
    Hooks,
    Returns,
)
from ddl_lint.frameworks.words import Vocabulary, words

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_NO_NAMES: frozenset[str] = frozenset()


class ApiIndex:
    """All models under all of their names. Immutable in effect: answers are remembered, never changed."""

    def __init__(
        self,
        models: Mapping[str, ApiModel],
        also: Mapping[str, str],
        modules: Mapping[str, str],
        frameworks: Mapping[str, str],
        conventions: Conventions,
        idioms: Mapping[str, Mapping[str, str]] = _NOTHING,
        spellings: Mapping[str, str] = _NOTHING,
        own_groups: frozenset[str] = frozenset(),
        families: Mapping[str, str] = _NOTHING,
        backends: Mapping[str, Backend] = _NOTHING,
        tensors: Mapping[str, frozenset[str]] = _NOTHING,
        found: Vocabulary | None = None,
    ) -> None:
        """Index `models` (canonical name -> model).

        `also` maps other import paths to canonical names, `modules` maps modules to those whose contents they re-
        export, and `frameworks` maps top-level import names to framework ids. `idioms` are the templates of each
        framework, `spellings` the names under which code imports things, `own_groups` the frameworks whose processes
        form a group of their own. `backends` and `tensors` are as in `FrameworkModels`. `families` maps patterns of
        names to the canonical name that represents all of them. `found` is what `words` finds in them, where that is
        known already.
        """
        self.models = models
        self.also = also
        self.modules = modules
        self.frameworks = frameworks
        self.conventions = conventions
        self.idioms = idioms
        self.spellings = spellings
        self.own_groups = own_groups
        self.families = families
        self.backends = backends
        self.tensors = tensors
        self.packages: frozenset[str] = frozenset(frameworks)
        self._words = found
        self._patterns: dict[str, re.Pattern[str]] = {}
        self._canonical: dict[str, str | None] = {}
        self._provided: dict[str, frozenset[str]] = {}
        self._ancestors: dict[str, tuple[ClassModel, ...]] = {}
        self._helpers: tuple[tuple[str, re.Pattern[str]], ...] | None = None

    @classmethod
    def of(cls, frameworks: Iterable[FrameworkModels]) -> ApiIndex:
        """Merge the models of several files; where two say something of one name, the later file is right."""
        models: dict[str, ApiModel] = {}
        also: dict[str, str] = {}
        modules: dict[str, str] = {}
        packages: dict[str, str] = {}
        idioms: dict[str, Mapping[str, str]] = {}
        spellings: dict[str, str] = {}
        alike: dict[str, str] = {}
        own_groups: set[str] = set()
        families: dict[str, str] = {}
        backends: dict[str, Backend] = {}
        tensors: dict[str, frozenset[str]] = {}
        conventions = Conventions()
        for framework in frameworks:
            if framework.own_group:
                own_groups.add(framework.framework)
            if framework.idioms_like:
                alike[framework.framework] = framework.idioms_like
            idioms[framework.framework] = {**idioms.get(framework.framework, {}), **framework.idioms}
            spellings.update(framework.spellings)
            models.update(framework.models)
            also.update(framework.also)
            modules.update(framework.modules)
            families.update(framework.families)
            backends.update(framework.backends)
            for meaning, names in framework.tensors.items():
                tensors[meaning] = tensors.get(meaning, frozenset()).union(names)
            for package in framework.packages:
                packages.setdefault(package, framework.framework)
            conventions = _merged(conventions, framework.conventions)
        for name, other in alike.items():
            idioms[name] = {**idioms.get(other, _NOTHING), **idioms[name]}
        return cls(
            models, also, modules, packages, conventions, idioms, spellings, frozenset(own_groups), families, backends,
            tensors,
        )  # fmt: skip

    def framework(self, name: str) -> str:
        """The framework that a name belongs to; empty where none has it."""
        return self.frameworks.get(name.partition(".")[0], "")

    def group_of(self, name: str) -> str:
        """Whose group of processes a call of this name means: that of a framework, or the default one (empty)."""
        framework = self.framework(name)
        return framework if framework in self.own_groups else ""

    def has_trait(self, name: str, trait: str) -> bool:
        """Whether the model of a function says this (a word of `TRAITS`) of what it makes or does."""
        function = self.function(name)
        return function is not None and bool(function.traits.get(trait))

    def names_like(self, meaning: str) -> re.Pattern[str]:
        """What finds the names that the conventions give for a meaning: a word of `CONVENTION_NAMES` that lists
        patterns; nothing where they give none.
        """
        pattern = self._patterns.get(meaning)
        if pattern is None:
            joined = "|".join(self.conventions.names.get(meaning, ())) or r"(?!)"
            pattern = self._patterns[meaning] = re.compile(joined, re.IGNORECASE)
        return pattern

    def tensor_names(self, meaning: str) -> frozenset[str]:
        """The names that have a meaning on tensors: a word of `TENSOR_NAMES`."""
        return self.tensors.get(meaning, _NO_NAMES)

    @property
    def words(self) -> Vocabulary:
        """What is asked of all models at once."""
        if self._words is None:
            self._words = words(self.models.values(), self.conventions)
        return self._words

    def idiom(self, framework: str, name: str) -> str | None:
        """How code of a framework says a thing (a word of `IDIOMS`), with full names; None when it has none."""
        return self.idioms.get(framework, _NOTHING).get(name)

    def canonical(self, name: str) -> str | None:
        """The name under which the model of `name` is kept, or None where there is no model."""
        if name not in self._canonical:
            self._canonical[name] = self._find(name)
        return self._canonical[name]

    def resolve(self, name: str) -> ApiModel | None:
        """The model of a dotted name, also through other import paths and modules that re-export it."""
        canonical = self.canonical(name)
        return None if canonical is None else self.models[canonical]

    def is_one_of_many(self, name: str) -> bool:
        """Whether the model of a name covers others as well: two such names may be two things."""
        canonical = self.canonical(name)
        return canonical is not None and canonical == self._family(name)

    def function(self, qualified_name: str) -> FunctionModel | None:
        """The model of a function, or None when the name is unknown or something else.

        `package.Class.method` leads to the method, so that calls through the class are understood.
        """
        model = self.resolve(qualified_name)
        if isinstance(model, FunctionModel):
            return model
        if model is None and "." in qualified_name:
            owner, _, method = qualified_name.rpartition(".")
            owner_model = self.class_(owner)
            return None if owner_model is None else self.method(owner_model, method)
        return None

    def class_(self, qualified_name: str) -> ClassModel | None:
        """The model of a class, or None when the name is unknown or something else."""
        model = self.resolve(qualified_name)
        return model if isinstance(model, ClassModel) else None

    def constant(self, qualified_name: str) -> ConstantModel | None:
        """The model of a constant, or None when the name is unknown or something else."""
        model = self.resolve(qualified_name)
        return model if isinstance(model, ConstantModel) else None

    def ancestors(self, model: ClassModel) -> tuple[ClassModel, ...]:
        """The class itself and its modelled bases, nearest first."""
        known = self._ancestors.get(model.name)
        if known is None:
            known = self._ancestors[model.name] = tuple(self._walk(model))
        return known

    def method(self, model: ClassModel, name: str) -> FunctionModel | None:
        """A method of the class or of its bases."""
        for ancestor in self.ancestors(model):
            if name in ancestor.methods:
                return ancestor.methods[name]
        return None

    def attribute(self, model: ClassModel, name: str) -> Returns | None:
        """An attribute or property of the class or of its bases; names in it are the constructor's parameters."""
        for ancestor in self.ancestors(model):
            if name in ancestor.attributes:
                return ancestor.attributes[name]
        return None

    def call(self, model: ClassModel) -> FunctionModel | None:
        """What calling an instance of the class does, also through its bases."""
        return next((ancestor.call for ancestor in self.ancestors(model) if ancestor.call is not None), None)

    def hooks(self, model: ClassModel) -> Hooks | None:
        """The methods of the class that somebody else calls, also through its bases."""
        return next((ancestor.hooks for ancestor in self.ancestors(model) if ancestor.hooks is not None), None)

    def is_subclass(self, name: str, base: str) -> bool:
        """Whether the class `name` is `base` or is modelled as derived from it. False where either is unknown."""
        model, base_name = self.class_(name), self.canonical(base)
        return model is not None and any(ancestor.name == base_name for ancestor in self.ancestors(model))

    def helper_provides(self, function_name: str) -> frozenset[str]:
        """Facilities that a function of this name may take care of. Only for functions whose body cannot be seen."""
        if self._helpers is None:  # most runs never ask
            self._helpers = tuple(
                (facility, re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE))
                for facility, patterns in self.conventions.helpers.items()
                if patterns
            )
        name = function_name.rpartition(".")[2]
        if name not in self._provided:
            self._provided[name] = frozenset(facility for facility, pattern in self._helpers if pattern.search(name))
        return self._provided[name]

    def _find(self, name: str) -> str | None:
        if name in self.models:
            return name
        if name in self.also:
            return self.also[name]
        module, dot, rest = name.rpartition(".")
        while dot:
            if module in self.modules:
                return self.canonical(f"{self.modules[module]}.{rest}")
            module, dot, last = module.rpartition(".")
            rest = f"{last}.{rest}"
        return self._family(name)

    def _family(self, name: str) -> str | None:
        """What represents all names like this one."""
        if name in self.models:
            return None
        for pattern, canonical in self.families.items():
            if re.fullmatch(pattern, name):
                return canonical
        return None

    def _walk(self, model: ClassModel) -> Iterator[ClassModel]:
        seen = {model.name}
        waiting = [model]
        while waiting:
            current = waiting.pop(0)
            yield current
            for name in current.bases:
                base = self.class_(name)
                if base is not None and base.name not in seen:
                    seen.add(base.name)
                    waiting.append(base)


def _merged(first: Conventions, second: Conventions) -> Conventions:
    """Both conventions; the second's meaning of an environment variable is right where they differ."""
    return Conventions(
        environment={**first.environment, **second.environment},
        names=_joined(first.names, second.names),
        helpers=_joined(first.helpers, second.helpers),
    )


def _joined(first: Mapping[str, tuple[str, ...]], second: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {key: (*first.get(key, ()), *second.get(key, ())) for key in {**first, **second}}
